//! The maps of a proof, parsed and validated.
//!
//! A term is accepted only over its own vocabulary: the state of its function, and the ghosts of
//! its map. Every use of a summary names a summary of the called function, with a term of the right
//! sort for each ghost.

use crate::frame::addresses;
use crate::memory::{LIVES, SHADOW, SIZES, START};
use crate::state::{State, Value};
use crate::universal::instances;
use attest_model::graph::{Graph, Loc, Outcome};
use attest_model::points_to::{Addresses, PointsTo};
use attest_model::{BailKind, Call, FnId, Inst, Program};
use attest_proof::{Ghost, INDEX, Invariant, Proof, ProofError, SummaryUse, location_at};
use attest_term::{Op, Sort, SymbolKind, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The claim of a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// The program reaches neither the error nor a bail.
    Main,
    /// The claim of the summary at this position.
    Summary(usize, Outcome),
}

/// Invariants of a function's locations.
pub struct Map {
    /// The claim that they show.
    pub claim: Claim,
    /// The function.
    pub function: FnId,
    /// Its state, as the invariants name it.
    pub symbols: State,
    /// Points-to facts about addresses over that state.
    pub addresses: Arc<Addresses>,
    /// The invariants; `true` where there is none. They include the facts about every index.
    pub invariants: FxHashMap<Loc, Term>,
    /// Facts about every index.
    pub universals: FxHashMap<Loc, Term>,
    /// The symbol of the index.
    pub index: Term,
    /// The summaries used at calls.
    pub uses: FxHashMap<Loc, Vec<Use>>,
}

/// A summary of the callee with terms for its ghosts.
pub struct Use {
    /// Its position among the summaries.
    pub summary: usize,
    /// The terms.
    pub ghosts: Vec<Term>,
}

/// A summary: no execution of the function that starts in the map's invariant at the entry has the
/// outcome in a state of the post.
pub struct Summary {
    /// Its number in the proof.
    pub id: u32,
    /// The outcome.
    pub outcome: Outcome,
    /// The symbols of its ghosts.
    pub ghosts: Vec<Term>,
    /// The symbols of the function's results.
    pub results: Vec<Value>,
    /// The post, over results, globals, memory, counter and ghosts.
    pub post: Term,
    /// Its map.
    pub map: Map,
}

/// All maps of a proof.
pub struct Maps {
    /// The map of the entry function.
    pub main: Map,
    /// The summaries of callees, with their maps.
    pub summaries: Vec<Summary>,
}

impl Map {
    /// The invariant of a location.
    pub fn invariant(&self, terms: &mut Terms, at: Loc) -> Term {
        let known = self.invariants.get(&at).copied();
        known.unwrap_or_else(|| terms.bool(true))
    }

    /// Instances of the location's invariant about every index, at the places that the formulas
    /// read.
    pub fn instances(&self, terms: &mut Terms, at: Loc, formulas: &[Term]) -> Vec<Term> {
        match self.universals.get(&at) {
            Some(fact) => instances(terms, self.index, *fact, formulas),
            None => Vec::new(),
        }
    }

    /// Whether the map has to exclude this exit; none is the error.
    pub fn excludes(&self, kind: Option<BailKind>) -> bool {
        match self.claim {
            Claim::Main => true,
            Claim::Summary(_, outcome) => outcome == kind.map_or(Outcome::Error, Outcome::Bail),
        }
    }
}

/// The call at a location, if there is one.
pub fn call_at<'p>(program: &'p Program, graph: &Graph, at: Loc) -> Option<&'p Call> {
    let location = graph.location(at);
    let (function, position) = (location.function?, location.position?);
    let block = program.function(function).block(position.block);
    match block.insts.get(position.index as usize) {
        Some(Inst::Call(call)) => Some(call),
        _ => None,
    }
}

/// Reads all maps of a proof.
pub fn read_maps(
    terms: &mut Terms,
    program: &Program,
    graph: &Graph,
    points_to: &Arc<PointsTo>,
    proof: &Proof,
) -> Result<Maps, ProofError> {
    let mut reader = Reader {
        terms,
        program,
        graph,
        points_to,
        known: FxHashMap::default(),
        headers: Vec::with_capacity(proof.summaries.len()),
    };
    for (at, summary) in proof.summaries.iter().enumerate() {
        let header = reader.header(summary)?;
        reader.headers.push(header);
        if reader.known.insert(summary.id, at).is_some() {
            return Err(ProofError(format!(
                "there are two summaries {}",
                summary.id
            )));
        }
    }
    let main = reader.map(
        Claim::Main,
        program.entry,
        &[],
        &proof.invariants,
        &proof.calls,
    )?;
    let mut summaries = Vec::with_capacity(proof.summaries.len());
    for (at, summary) in proof.summaries.iter().enumerate() {
        let read = reader.summary(at, summary);
        summaries.push(read.map_err(|e| ProofError(format!("summary {}: {e}", summary.id)))?);
    }
    Ok(Maps { main, summaries })
}

/// What uses of a summary have to match.
#[derive(Clone)]
struct Header {
    function: FnId,
    outcome: Outcome,
    ghosts: Vec<Term>,
}

struct Reader<'a> {
    terms: &'a mut Terms,
    program: &'a Program,
    graph: &'a Graph,
    points_to: &'a Arc<PointsTo>,
    /// The position of each summary by its number.
    known: FxHashMap<u32, usize>,
    headers: Vec<Header>,
}

impl Reader<'_> {
    fn header(&mut self, summary: &attest_proof::Summary) -> Result<Header, ProofError> {
        let id = summary.id;
        let error = |what: &str| ProofError(format!("summary {id}: {what}"));
        let function = FnId(summary.number);
        let named = self.program.functions.get(function.0 as usize);
        if named.is_none_or(|f| *f.name != *summary.function) {
            return Err(error("the program has no such function of that number"));
        }
        let mut ghosts = Vec::with_capacity(summary.ghosts.len());
        for (n, Ghost { name, sort }) in summary.ghosts.iter().enumerate() {
            if *name != format!("s{id}.z{n}") {
                return Err(error(&format!("ghost {n} is not called s{id}.z{n}")));
            }
            let sort = Sort::parse(sort).ok_or_else(|| error("a ghost of an unknown sort"))?;
            if self.terms.lookup(name).is_some() {
                return Err(error("a ghost of that name is there already"));
            }
            ghosts.push(self.terms.var(name, sort, SymbolKind::Ghost));
        }
        Ok(Header {
            function,
            outcome: summary.outcome()?,
            ghosts,
        })
    }

    fn summary(
        &mut self,
        at: usize,
        summary: &attest_proof::Summary,
    ) -> Result<Summary, ProofError> {
        let header = self.headers[at].clone();
        let map = self.map(
            Claim::Summary(at, header.outcome),
            header.function,
            &header.ghosts,
            &summary.invariants,
            &summary.calls,
        )?;
        let results = State::results(self.terms, self.program, header.function);
        let mut vocabulary: FxHashSet<Term> = header.ghosts.iter().copied().collect();
        let values = results.iter().chain(&map.symbols.globals);
        vocabulary.extend(values.flat_map(|value| value.terms()));
        vocabulary.insert(map.symbols.counter);
        let post = self.truth(&summary.post, &vocabulary);
        let post = post.map_err(|what| ProofError(format!("its post: {what}")))?;
        if header.outcome != Outcome::Return && self.terms.bool_const(post) != Some(true) {
            let what = "its post: only a return has another one than `true`";
            return Err(ProofError(what.into()));
        }
        Ok(Summary {
            id: summary.id,
            outcome: header.outcome,
            ghosts: header.ghosts,
            results,
            post,
            map,
        })
    }

    fn map(
        &mut self,
        claim: Claim,
        function: FnId,
        ghosts: &[Term],
        invariants: &[Invariant],
        uses: &[SummaryUse],
    ) -> Result<Map, ProofError> {
        let symbols = State::symbols(self.terms, self.program, function);
        let mut vocabulary: FxHashSet<Term> = symbols.parts().into_iter().collect();
        vocabulary.extend(ghosts);
        let index = Sort::BitVec(self.program.pointer_bits);
        let index = self.terms.var(INDEX, index, SymbolKind::Plain);
        let mut with_index = vocabulary.clone();
        with_index.insert(index);
        let mut map = Map {
            claim,
            function,
            addresses: addresses(self.points_to, function, &symbols),
            symbols,
            invariants: FxHashMap::default(),
            universals: FxHashMap::default(),
            index,
            uses: FxHashMap::default(),
        };
        for invariant in invariants {
            let number = invariant.location;
            let at = location_at(self.graph, function, number, &invariant.position)?;
            let error =
                |what: &str| ProofError(format!("the invariant of location {number}: {what}"));
            let term = self.truth(&invariant.smt, &vocabulary);
            let mut term = term.map_err(|what| error(&what))?;
            if let Some(forall) = &invariant.forall {
                // The precondition of a summary is negated where it is used.
                if claim != Claim::Main {
                    return Err(error("only the entry function has facts for every index"));
                }
                let fact = self.truth(forall, &with_index);
                let fact = fact.map_err(|what| error(&what))?;
                map.universals.insert(at, fact);
                term = self.terms.all(&[term, fact]);
            }
            if map.invariants.insert(at, term).is_some() {
                return Err(error("there are two"));
            }
        }
        for call in uses {
            let number = call.location;
            let at = location_at(self.graph, function, number, &call.position)?;
            let read = self.summary_use(at, call, &vocabulary);
            let read = read.map_err(|what| {
                ProofError(format!("a summary used at location {number}: {what}"))
            })?;
            map.uses.entry(at).or_default().push(read);
        }
        Ok(map)
    }

    fn summary_use(
        &mut self,
        at: Loc,
        call: &SummaryUse,
        vocabulary: &FxHashSet<Term>,
    ) -> Result<Use, String> {
        let Some(callee) = call_at(self.program, self.graph, at).map(|call| call.callee) else {
            return Err("no call is there".into());
        };
        let Some(&summary) = self.known.get(&call.summary) else {
            return Err(format!("there is no summary {}", call.summary));
        };
        let header = self.headers[summary].clone();
        if header.function != callee {
            return Err("it is one of another function than is called there".into());
        }
        if header.ghosts.len() != call.ghosts.len() {
            return Err(format!("it has {} ghosts", header.ghosts.len()));
        }
        let mut ghosts = Vec::with_capacity(call.ghosts.len());
        for (text, ghost) in call.ghosts.iter().zip(header.ghosts) {
            let term = self.term(text, vocabulary)?;
            if self.terms.sort(term) != self.terms.sort(ghost) {
                return Err("a term for a ghost of another sort".into());
            }
            ghosts.push(term);
        }
        Ok(Use { summary, ghosts })
    }

    /// Parses a boolean term over a vocabulary.
    fn truth(&mut self, text: &str, vocabulary: &FxHashSet<Term>) -> Result<Term, String> {
        let term = self.term(text, vocabulary)?;
        match self.terms.sort(term) {
            Sort::Bool => Ok(term),
            _ => Err("it is no truth value".into()),
        }
    }

    /// Parses a term; every symbol in it must be in the vocabulary, and every read must be of the
    /// memory at its location.
    fn term(&mut self, text: &str, vocabulary: &FxHashSet<Term>) -> Result<Term, String> {
        let term = self.terms.parse_smtlib(text).map_err(|e| e.to_string())?;
        let bits = self.program.pointer_bits;
        for part in self.terms.reachable(&[term]) {
            let fits = match self.terms.op(part) {
                Op::Var(symbol) if !vocabulary.contains(&part) => {
                    let name = &self.terms.symbol(symbol).name;
                    return Err(format!("{name} is no part of the state here"));
                }
                Op::Read {
                    version: LIVES,
                    bytes,
                } => bytes == 1 && self.is_start(part),
                Op::Read { version, .. } => matches!(version, START | SIZES | SHADOW),
                Op::ReadTag { version }
                | Op::ReadPtrObject { version }
                | Op::ReadPtrOffset { version } => version == START,
                Op::Base { width } => width == bits,
                _ => continue,
            };
            let offset = self.terms.args(part).get(1);
            let offset = offset.map(|offset| self.terms.width(*offset));
            if !fits || offset.is_some_and(|width| width != bits) {
                return Err("a read that is not of this program's memory".into());
            }
        }
        Ok(self.terms.simplify(term))
    }

    /// Whether a read is at the start of an object.
    fn is_start(&self, read: Term) -> bool {
        let offset = self.terms.bv_const(self.terms.arg(read, 1));
        offset.is_some_and(|offset| offset.is_zero())
    }
}
