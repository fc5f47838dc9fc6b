//! Contracts of recursive procedures, guessed from tests and proved by induction.
//!
//! A contract relates what a call is given to what it returns: `ret = n`. Its
//! candidates are the facts that hold of every activation that a test has
//! completed. A candidate is assumed of inner calls and proved of the
//! function's own exit, by the same loop that answers every query, with the
//! arguments as ghosts, one fact after the other, the equations first. The
//! induction is on the depth of the recursion (algorithm notes 5.6), and it is
//! all or nothing: where the proof fails, whatever leant on the assumption goes.

use crate::dash::Progress;
use crate::engine::Engine;
use crate::events::{Cut, Deed, Event, Question};
use crate::forest::{ActivationId, NodeId};
use crate::frontier::{Bad, Frontier};
use crate::guess::{Column, facts};
use crate::look::Look;
use crate::procedures::{Ending, Key, Query, Summary, Use};
use crate::strategy::Candidates;
use attest_exec::symbolic::value::SymVal;
use attest_model::graph::{Loc, Outcome};
use attest_model::*;
use attest_solver::Answer;
use attest_term::{Op, Program as Compiled, Scratch, SymbolKind, Term, Value};
use rustc_hash::FxHashMap;

/// Rounds that the proof of a contract may take.
const ROUNDS: u32 = 150;
/// Complete activations that a contract is guessed from.
const LEAST: usize = 4;
/// Facts of one contract.
const MOST_FACTS: usize = 16;

/// The name of the ghost for a part of what a call is given.
pub(crate) fn given_name(callee: FnId, part: usize) -> String {
    format!("c{}.{part}", callee.0)
}

impl Engine<'_> {
    /// Whether a function can call itself.
    pub(crate) fn is_recursive(&self, function: FnId) -> bool {
        let mut seen = vec![false; self.program.functions.len()];
        let mut work = vec![function];
        while let Some(id) = work.pop() {
            let code = self.program.function(id).blocks.iter();
            for inst in code.flat_map(|b| &b.insts) {
                if let Inst::Call(call) = inst {
                    if call.callee == function {
                        return true;
                    }
                    if !std::mem::replace(&mut seen[call.callee.0 as usize], true) {
                        work.push(call.callee);
                    }
                }
            }
        }
        false
    }

    /// Starts the proof of a contract for a recursive function, if there is one to try.
    pub(crate) fn open_contract(&mut self, frontier: Frontier, callee: FnId) -> Option<Progress> {
        if self.options.strategy.candidates == Candidates::Never || !self.is_recursive(callee) {
            return None;
        }
        if self.in_contract() {
            return None;
        }
        let exit = self.graph.functions[callee.0 as usize].exit;
        let complete = self.forest.at(exit).len();
        let (before, waiting) = self.contracted.entry(callee).or_default();
        if waiting.is_empty() && complete >= LEAST && complete >= *before * 2 {
            *before = complete;
            let facts = self.guess_contract(callee).unwrap_or_default();
            self.contracted.insert(callee, (complete, facts));
        }
        let (_, waiting) = self.contracted.entry(callee).or_default();
        let fact = waiting.pop()?;
        let given = self.given(callee);
        let post = self.terms.not(fact);
        let number = self.summaries.len();
        let mut pre = Vec::with_capacity(given.len());
        for (ghost, term) in &given {
            pre.push(self.terms.eq(*ghost, *term));
        }
        let pre = self.terms.all(&pre);
        self.summaries.push(Summary {
            function: callee,
            asker: None,
            outcome: Outcome::Return,
            ghosts: given.iter().map(|(ghost, _)| *ghost).collect(),
            pre,
            post,
            invariants: Vec::new(),
            uses: Vec::new(),
        });
        self.contracts.push(number);
        let key = Key {
            function: callee,
            outcome: Outcome::Return,
            post,
            level: u32::MAX,
            asker: None,
        };
        let node = self.witness(frontier.from, frontier.to)?;
        let query = Query {
            key,
            ghosts: given,
            frame: Vec::new(),
            frontier,
            node,
            rounds: ROUNDS,
            contract: Some(number),
            is_weaker: false,
        };
        let mut instance = self.instance(callee, Some(query));
        let root = instance.regions.at(exit)[0];
        let (inside, _) = instance
            .regions
            .split(&mut self.terms, root, post, |_, _| false);
        self.exchange(&mut instance);
        self.stack.push(instance);
        self.bad = Bad::new(self.space(), [inside]);
        for node in self.forest.at(exit).to_vec() {
            let activation = self.forest.node(node).activation;
            self.adopt_for_contract(activation, number);
        }
        let (what, function) = (Deed::Query, callee);
        self.tell(Event::Procedure { what, function });
        Some(Progress::Made)
    }

    /// Whether the present work is for a contract.
    pub(crate) fn in_contract(&self) -> bool {
        let is = |query: &Option<Query>| query.as_ref().is_some_and(|q| q.contract.is_some());
        is(&self.query) || self.stack.iter().any(|i| is(&i.query))
    }

    /// What a call is given, each part with its ghost.
    fn given(&mut self, callee: FnId) -> Vec<(Term, Term)> {
        let (vocabulary, ..) = self.names_of(callee);
        let params = self.program.function(callee).params;
        let effects = self.effects[callee.0 as usize].clone();
        let mut parts: Vec<Term> = Vec::new();
        for reg in 0..params {
            parts.extend(vocabulary.reg(Reg(reg)).terms());
        }
        for global in &effects.globals {
            parts.extend(vocabulary.global(*global).terms());
        }
        let mut out = Vec::with_capacity(parts.len());
        for (i, part) in parts.into_iter().enumerate() {
            let name = given_name(callee, i);
            let sort = self.terms.sort(part);
            out.push((self.terms.var(&name, sort, SymbolKind::Ghost), part));
        }
        out
    }

    /// Facts that relate the results of completed activations to what they were given, the
    /// best last.
    fn guess_contract(&mut self, callee: FnId) -> Option<Vec<Term>> {
        let given = self.given(callee);
        let (vocabulary, symbols, objects) = self.names_of(callee);
        let exit = self.graph.functions[callee.0 as usize].exit;
        let effects = self.effects[callee.0 as usize].clone();
        let mut left: Vec<Term> = Vec::new();
        for value in vocabulary.results() {
            if !matches!(value, SymVal::Float(_)) {
                left.extend(value.terms());
            }
        }
        for global in &effects.globals {
            left.extend(vocabulary.global(*global).terms());
        }
        let ghosts = FxHashMap::default();
        let look = Look {
            forest: &self.forest,
            graph: self.graph,
            symbols: &symbols,
            ghosts: &ghosts,
            none: &self.no_ghosts,
            pointer_bits: self.program.pointer_bits,
        };
        let mut rows: Vec<(NodeId, NodeId)> = Vec::new();
        for node in self.forest.at(exit) {
            let activation = self.forest.activation(self.forest.node(*node).activation);
            rows.push((*activation.nodes.first()?, *node));
        }
        let before: Vec<Term> = given.iter().map(|(_, part)| *part).collect();
        let (at_entry, at_exit) = (
            Compiled::compile_all(&self.terms, &before),
            Compiled::compile_all(&self.terms, &left),
        );
        let column = |term: Term, of: Term| Column {
            term,
            width: self.terms.width(of),
            is_object: objects.contains(&of),
            varies: false,
            values: Vec::with_capacity(rows.len()),
        };
        let is_number = |t: Term| self.terms.sort(t).width().is_some_and(|w| w <= 64);
        let mut columns: Vec<(bool, usize, Column)> = Vec::new();
        for (i, (ghost, part)) in given.iter().enumerate() {
            if is_number(*part) {
                columns.push((true, i, column(*ghost, *part)));
            }
        }
        for (i, part) in left.iter().enumerate() {
            if is_number(*part) {
                columns.push((false, i, column(*part, *part)));
            }
        }
        let mut scratch = Scratch::default();
        let number = |v: Value| v.as_bv().and_then(|bv| bv.to_i128()).unwrap_or(0);
        for (entry, exit) in &rows {
            for (program, of_entry, node) in [(&at_entry, true, entry), (&at_exit, false, exit)] {
                program.run(&look.at(*node)?, &mut scratch);
                for (given, i, column) in &mut columns {
                    if *given == of_entry {
                        column.values.push(number(program.root(*i, &scratch)));
                    }
                }
            }
        }
        let columns: Vec<Column> = columns.into_iter().map(|(_, _, column)| column).collect();
        let numbers = self.numbers();
        let templates = self.options.strategy.templates;
        let mut found = facts(&mut self.terms, &columns, &numbers, templates);
        found.retain(|fact| {
            let parts = self.terms.reachable(&[*fact]);
            left.iter().any(|part| parts.contains(part))
        });
        let ghosts: Vec<Term> = given.iter().map(|(ghost, _)| *ghost).collect();
        found.sort_by_key(|fact| {
            let parts = self.terms.reachable(&[*fact]);
            let relates = ghosts.iter().any(|ghost| parts.contains(ghost));
            let equation = self.terms.op(*fact) == Op::Eq;
            (!(relates && equation), parts.len())
        });
        found.truncate(MOST_FACTS);
        found.reverse();
        Some(found)
    }

    /// An activation of the contract's function is a witness, with its own arguments.
    pub(crate) fn adopt_for_contract(&mut self, activation: ActivationId, contract: usize) {
        let function = self.summaries[contract].function;
        let given = self.given(function);
        let nodes = self.forest.activation(activation).nodes.clone();
        let Some(&entry) = nodes.first() else {
            return;
        };
        let Some(beta) = self
            .forest
            .beta(&mut self.terms, &self.stepper, &self.vocabulary, entry)
        else {
            return;
        };
        let mut values = FxHashMap::default();
        let mut terms = FxHashMap::default();
        for (ghost, part) in &given {
            let (Op::Var(symbol), Some(value)) =
                (self.terms.op(*ghost), self.value_at(entry, *part))
            else {
                return;
            };
            values.insert(symbol, value);
            self.focus = None;
            terms.insert(*ghost, self.all_along(&beta, &[*part])[0]);
        }
        self.ghosts.insert(activation, values);
        self.ghost_terms.insert(activation, terms);
        for node in nodes {
            let loc = self.forest.node(node).loc;
            self.own.entry(loc).or_default().push(node);
            self.sort_in(node);
        }
    }

    /// Every call satisfies the contract's precondition; what contradicts it is no start.
    pub(crate) fn enter_for_contract(&mut self, frontier: Frontier, contract: usize) -> Progress {
        let mut all = self.regions.region(frontier.to).predicate.clone();
        all.push(self.summaries[contract].pre);
        if let Answer::Unsat(_) = self.ask(Question::Local, &all) {
            self.cut(frontier, Cut::Start);
            return Progress::Made;
        }
        self.give_up(frontier, None, "a contract's start that no test has shown")
    }

    /// The proof of a contract has ended: it holds, or what leant on it goes.
    pub(crate) fn answer_contract(&mut self, contract: usize, ending: Ending) -> Progress {
        if ending == Ending::No {
            self.summaries[contract].invariants = self.certificate();
            self.summaries[contract].uses = self.uses.clone();
            let (what, function) = (Deed::Contract, self.function);
            self.tell(Event::Procedure { what, function });
        }
        let Some(mut caller) = self.stack.pop() else {
            return Progress::Stuck("no caller");
        };
        self.exchange(&mut caller);
        if ending != Ending::No {
            // Nothing below the present work knew of it: those waited meanwhile.
            self.summaries.truncate(contract);
            self.contracts.retain(|c| *c < contract);
            self.paused.clear();
        }
        Progress::Made
    }

    /// What the contracts of a callee say of this call, over fresh results, together with
    /// what is asked of the results.
    pub(crate) fn contracted(&mut self, src: Loc, callee: FnId, rest: &[Term]) -> Vec<Term> {
        let known: Vec<usize> = self.contracts.clone();
        let known: Vec<usize> = known
            .into_iter()
            .filter(|c| self.summaries[*c].function == callee)
            .collect();
        let Some(call) = self.call_at(src).cloned() else {
            return Vec::new();
        };
        if known.is_empty() {
            return Vec::new();
        }
        let effects = self.effects[callee.0 as usize].clone();
        let (of_callee, ..) = self.names_of(callee);
        let of_caller = self.vocabulary.clone();
        // Results and changed globals are anything that the contract allows.
        let mut after: FxHashMap<Term, Term> = FxHashMap::default();
        let mut of_results: FxHashMap<Term, Term> = FxHashMap::default();
        let fresh = |engine: &mut Self, part: Term, kind: String| {
            let sort = engine.terms.sort(part);
            let name = format!("after.{}.{kind}", src.0);
            engine.terms.var(&name, sort, SymbolKind::Input)
        };
        for (i, (reg, value)) in call.results.iter().zip(of_callee.results()).enumerate() {
            let own = of_caller.reg(*reg);
            for (k, (mine, theirs)) in own.terms().zip(value.terms()).enumerate() {
                let input = fresh(self, mine, format!("r{i}.{k}"));
                after.insert(mine, input);
                of_results.insert(theirs, input);
            }
        }
        for global in &effects.globals {
            for (k, part) in of_caller.global(*global).terms().enumerate() {
                let input = fresh(self, part, format!("g{}.{k}", global.0));
                after.insert(part, input);
                of_results.insert(part, input);
            }
        }
        let mut pieces = Vec::new();
        for piece in rest {
            // What is read from memory after the call is not known here, unless it is kept.
            let reads = self.terms.reads(&[*piece]);
            if reads.iter().all(|read| self.is_kept(src, *read)) {
                pieces.push(self.terms.substitute(*piece, &after));
            }
        }
        for number in known {
            let given = self.given(callee);
            let mut bindings = Vec::with_capacity(given.len());
            for (ghost, part) in &given {
                let Some(term) = self.at_call(src, *part, &[]) else {
                    return Vec::new();
                };
                bindings.push((*ghost, term));
            }
            // Its globals are those after the call, its ghosts what was before.
            let post = self.summaries[number].post;
            let post = self.terms.substitute(post, &of_results);
            let ghosts: FxHashMap<Term, Term> = bindings.iter().copied().collect();
            let post = self.terms.substitute(post, &ghosts);
            pieces.push(self.terms.not(post));
            let used = Use {
                location: src,
                summary: number,
                ghosts: bindings.iter().map(|(_, term)| *term).collect(),
            };
            if !self.uses.contains(&used) {
                self.uses.push(used);
            }
        }
        pieces
    }
}
