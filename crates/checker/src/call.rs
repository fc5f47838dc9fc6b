//! The edges of a call that is not inlined.
//!
//! A call may do what the may-relation of algorithm notes 5.4 allows: its frame, and the summaries
//! that the map lists there. After a return, the results, the globals that the callee may write,
//! memory where it may write, and which of the objects that it may end have, are arbitrary; the
//! counter is at least the old one, and equal if
//! the callee allocates nothing; registers of the caller stay. Sizes and addresses of objects never
//! change. For each listed summary of returns, the precondition
//! before the call and the post after it do not both hold.
//!
//! The error and bails inside the callee are excluded if in every state before the call the
//! precondition of some listed summary with that outcome holds. Kinds that are assumed away need no
//! check here: executions with such a bail are ignored, in callees as in callers.

use crate::background::Background;
use crate::check::Checker;
use crate::frame::Frame;
use crate::map::{Map, Use};
use crate::memory::{Memories, Version};
use crate::session::{Session, Stop};
use crate::state::{State, Value};
use attest_model::graph::{Loc, Outcome};
use attest_model::*;
use attest_solver::Answer;
use attest_term::{SymbolKind, Term, Terms};
use rustc_hash::FxHashMap;

/// A state after a call.
struct After {
    state: State,
    results: Vec<Value>,
    /// The values that are new in it.
    new: Vec<Value>,
    memories: Memories,
    memory: Version,
}

impl Checker<'_> {
    /// Checks all edges of a call; returns their number.
    pub(crate) fn check_call(
        &self,
        session: &mut Session<'_>,
        map: &Map,
        background: &Background<'_>,
        at: Loc,
        call: &Call,
    ) -> Result<usize, Stop> {
        let invariant = map.invariant(&mut session.terms, at);
        let inside = self.exit_kinds[call.callee.0 as usize].kinds.iter();
        let kinds: Vec<Option<BailKind>> = inside
            .filter(|kind| map.excludes(**kind))
            .copied()
            .collect();
        let edges = 1 + kinds.len();
        if session.terms.bool_const(invariant) == Some(false) {
            return Ok(edges);
        }
        if let Some(why) = self.misfit(map.function, call) {
            return Err(Stop::Undecided(Box::new(self.failure(map, at, None, &why))));
        }
        let args: Vec<Value> = call
            .args
            .iter()
            .map(|arg| match arg {
                Operand::Reg(reg) => map.symbols.regs[reg.0 as usize],
                Operand::Const(constant) => {
                    let bits = self.semantics.program.pointer_bits;
                    Value::constant(&mut session.terms, *constant, bits)
                }
            })
            .collect();
        for kind in kinds {
            self.check_end_inside(session, map, background, at, call, &args, kind)?;
        }
        self.check_return_of(session, map, background, at, call, &args)?;
        Ok(edges)
    }

    /// Why the arguments and results of a call do not fit. The model makes no such calls; if it
    /// did, nothing would be known of them.
    fn misfit(&self, caller: FnId, call: &Call) -> Option<String> {
        let program = self.semantics.program;
        let (caller, callee) = (program.function(caller), program.function(call.callee));
        let sort_of = |arg: &Operand| match arg {
            Operand::Reg(reg) => caller.regs[reg.0 as usize].sort,
            Operand::Const(constant) => constant.sort(),
        };
        let params = callee.regs.iter().take(callee.params as usize);
        let wanted: Vec<Sort> = params.map(|info| info.sort).collect();
        let given: Vec<Sort> = call.args.iter().map(sort_of).collect();
        let results = call.results.iter();
        let results: Vec<Sort> = results.map(|r| caller.regs[r.0 as usize].sort).collect();
        let name = &callee.name;
        if given != wanted {
            return Some(format!("a call of {name} with arguments of other sorts"));
        }
        if results != callee.results {
            return Some(format!("a call of {name} with results of other sorts"));
        }
        None
    }

    /// Checks that the callee cannot reach the error or bail.
    #[allow(clippy::too_many_arguments)]
    fn check_end_inside(
        &self,
        session: &mut Session<'_>,
        map: &Map,
        background: &Background<'_>,
        at: Loc,
        call: &Call,
        args: &[Value],
        kind: Option<BailKind>,
    ) -> Result<(), Stop> {
        let outcome = kind.map_or(Outcome::Error, Outcome::Bail);
        let mut formulas = vec![map.invariant(&mut session.terms, at)];
        for used in self.uses_of(map, at, outcome) {
            let pre = self.before(&mut session.terms, used, args);
            formulas.push(session.terms.not(pre));
        }
        let (model, reason) = match background.check(session, &formulas) {
            Answer::Unsat(_) => return Ok(()),
            Answer::Sat(model) => (Some(model), None),
            Answer::Unknown(reason) => (None, Some(reason)),
        };
        let name = &self.semantics.program.function(call.callee).name;
        let end = match kind {
            None => "the error".to_owned(),
            Some(kind) => format!(
                "undefined behaviour or unsupported construct ({})",
                kind.word()
            ),
        };
        let why = format!("no summary that is used here excludes it inside {name}");
        let mut failure = self.failure(map, at, None, &why);
        failure.to = format!("{end} inside {name}");
        if let Some((what, place)) = &self.exit_kinds[call.callee.0 as usize].unknown {
            let place = self.semantics.program.place(*place);
            failure.why = format!("not supported: {what} ({place})");
            return Err(Stop::Undecided(Box::new(failure)));
        }
        Err(self.stop(session, map, failure, model, reason, None))
    }

    /// Checks that the invariant after the call holds wherever it may return.
    fn check_return_of(
        &self,
        session: &mut Session<'_>,
        map: &Map,
        background: &Background<'_>,
        at: Loc,
        call: &Call,
        args: &[Value],
    ) -> Result<(), Stop> {
        let callee = self.semantics.program.function(call.callee);
        let is_return = |block: &Block| matches!(block.end, Terminator::Return(_));
        if !callee.blocks.iter().any(is_return) {
            // The callee never returns.
            return Ok(());
        }
        let Some(to) = self.after_location(at) else {
            let why = "there is no location after the call";
            return Err(Stop::Undecided(Box::new(self.failure(map, at, None, why))));
        };
        let target = map.invariant(&mut session.terms, to);
        if session.terms.bool_const(target) == Some(true) {
            return Ok(());
        }
        let mut after = self.after_call(&mut session.terms, map, call);
        let mut formulas = vec![map.invariant(&mut session.terms, at)];
        for used in self.uses_of(map, at, Outcome::Return) {
            let pre = self.before(&mut session.terms, used, args);
            let post = self.post(&mut session.terms, used, &mut after);
            let both = session.terms.all(&[pre, post]);
            formulas.push(session.terms.not(both));
        }
        let now: FxHashMap<Term, Term> = map
            .symbols
            .parts()
            .into_iter()
            .zip(after.state.parts())
            .collect();
        let holds = resolve(
            &mut session.terms,
            target,
            &now,
            &mut after.memories,
            after.memory,
        );
        let goal = session.terms.not(holds);
        formulas.push(goal);
        let background = background.after_call(&after.new, after.state.counter);
        let name = &self.semantics.program.function(call.callee).name;
        let why = format!("the call of {name} may lead out of it");
        let failure = self.failure(map, at, Some(to), &why);
        self.refuted(session, map, &background, formulas, failure, goal)
    }

    fn after_location(&self, at: Loc) -> Option<Loc> {
        let graph = self.semantics.graph;
        let location = graph.location(at);
        let (function, position) = (location.function?, location.position?);
        let after = Position {
            index: position.index + 1,
            ..position
        };
        graph.functions[function.0 as usize]
            .cuts
            .get(&after)
            .copied()
    }

    /// The summaries with this outcome that a map uses at a call.
    fn uses_of<'m>(
        &'m self,
        map: &'m Map,
        at: Loc,
        outcome: Outcome,
    ) -> impl Iterator<Item = &'m Use> {
        let uses = map.uses.get(&at).into_iter().flatten();
        uses.filter(move |used| self.maps.summaries[used.summary].outcome == outcome)
    }

    /// The precondition of a summary before a call with these arguments. The other registers of a
    /// new activation are zero.
    fn before(&self, terms: &mut Terms, used: &Use, args: &[Value]) -> Term {
        let program = self.semantics.program;
        let summary = &self.maps.summaries[used.summary];
        let map = &summary.map;
        let entry = self.semantics.graph.functions[map.function.0 as usize].entry;
        let pre = map.invariant(terms, entry);
        let infos = &program.function(map.function).regs;
        let mut now: FxHashMap<Term, Term> = FxHashMap::default();
        for (i, (symbol, info)) in map.symbols.regs.iter().zip(infos).enumerate() {
            let zero = Constant::zero(info.sort);
            let value = args.get(i).copied();
            let value = value.unwrap_or_else(|| Value::constant(terms, zero, program.pointer_bits));
            now.extend(symbol.terms().zip(value.terms()));
        }
        now.extend(summary.ghosts.iter().copied().zip(used.ghosts.clone()));
        // Globals, memory and counter have the same names in caller and callee.
        terms.substitute(pre, &now)
    }

    /// The post of a summary after the call.
    fn post(&self, terms: &mut Terms, used: &Use, after: &mut After) -> Term {
        let summary = &self.maps.summaries[used.summary];
        let symbols = &summary.map.symbols;
        let mut now: FxHashMap<Term, Term> = FxHashMap::default();
        let pairs = (summary.results.iter().zip(&after.results))
            .chain(symbols.globals.iter().zip(&after.state.globals));
        for (symbol, value) in pairs {
            now.extend(symbol.terms().zip(value.terms()));
        }
        now.insert(symbols.counter, after.state.counter);
        now.extend(summary.ghosts.iter().copied().zip(used.ghosts.clone()));
        resolve(terms, summary.post, &now, &mut after.memories, after.memory)
    }

    /// The state after a call: everything that the callee may change is new.
    fn after_call(&self, terms: &mut Terms, map: &Map, call: &Call) -> After {
        let program = self.semantics.program;
        let effects = &self.effects[call.callee.0 as usize];
        let mut new = Vec::new();
        let mut fresh = |terms: &mut Terms, sort| {
            let name = format!("call.{}", terms.symbols().len());
            let kind = SymbolKind::Register;
            let value = Value::symbol(terms, &name, sort, program.pointer_bits, kind);
            new.push(value);
            value
        };
        let sorts = &program.function(call.callee).results;
        let results: Vec<Value> = sorts.iter().map(|sort| fresh(terms, *sort)).collect();
        let mut state = map.symbols.clone();
        for (dst, value) in call.results.iter().zip(&results) {
            state.regs[dst.0 as usize] = *value;
        }
        for global in &effects.globals {
            let at = global.0 as usize;
            state.globals[at] = fresh(terms, program.globals[at].sort);
        }
        if effects.objects {
            state.counter = fresh(terms, Sort::Int(32)).one();
        }
        let mut memories = Memories::new(program.pointer_bits, map.addresses.clone());
        let memory = match effects.memory || effects.lives {
            true => {
                let states = [&map.symbols, &state];
                let callee = (call.callee, effects);
                let frame = Frame::of(&self.semantics.points_to, map.function, callee, states);
                memories.after_call(frame)
            }
            false => Memories::START,
        };
        After {
            state,
            results,
            new,
            memories,
            memory,
        }
    }
}

/// A term over one state rewritten over another: its symbols replaced simultaneously, and its reads
/// applied to that version of memory.
pub(crate) fn resolve(
    terms: &mut Terms,
    root: Term,
    now: &FxHashMap<Term, Term>,
    memories: &mut Memories,
    version: Version,
) -> Term {
    let mut memo = FxHashMap::default();
    terms.transform(root, &mut memo, |terms, term, args| {
        let part = now.get(&term).copied();
        part.or_else(|| memories.resolve(terms, version, terms.op(term), args))
    })
}
