//! Questions to the solver and what their models mean as tests.

use crate::dash::Engine;
use crate::forest::NodeId;
use crate::regions::RegionId;
use attest_exec::symbolic::env::StateEnv;
use attest_exec::symbolic::memory::BASE;
use attest_exec::symbolic::path::PathState;
use attest_exec::symbolic::step::{Transition, substitute};
use attest_exec::symbolic::value::SymVal;
use attest_exec::{InputValue, Inputs, Rest};
use attest_model::graph::{Graph, Loc};
use attest_model::*;
use attest_solver::{Answer, Limits, Model};
use attest_term::{Op, SymbolKind, Term, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

impl Engine<'_> {
    /// Asks whether these hold together, under the axioms that every state satisfies.
    pub(crate) fn ask(&mut self, assumptions: &[Term]) -> Answer {
        let mut all = assumptions.to_vec();
        let axioms = self.axioms(assumptions);
        all.extend(&axioms);
        let mut time = self.options.query_time;
        if let Some(deadline) = self.deadline {
            time = time.min(deadline.saturating_duration_since(Instant::now()));
        }
        let limits = Limits {
            time: Some(time),
            interrupt: self.options.interrupt.clone(),
            ..Limits::default()
        };
        let clock = Instant::now();
        let answer = self.solver.check(&self.terms, &all, &limits);
        self.statistics.solver_time += clock.elapsed();
        match answer {
            // The axioms hold of every state, so they are no part of a reason.
            Answer::Unsat(core) => {
                Answer::Unsat(core.into_iter().filter(|t| !axioms.contains(t)).collect())
            }
            other => other,
        }
    }

    /// No pointer from the future: every pointer of the state names an object below the
    /// counter, and the counter is past the static objects (algorithm notes 2.2).
    fn axioms(&mut self, about: &[Term]) -> Vec<Term> {
        let counter = self.vocabulary.next_object();
        let mut pointers = Vec::new();
        let mut mentions_counter = false;
        for term in self.terms.reachable(about) {
            mentions_counter |= term == counter;
            let is_object = match self.terms.op(term) {
                Op::Var(_) => {
                    self.vocabulary.part(term).is_some()
                        && self.terms.sort(term) == attest_term::Sort::BitVec(32)
                        && self.object_parts.contains(&term)
                }
                Op::ReadPtrObject { version: BASE } => !self.mentions_input(term),
                _ => false,
            };
            if is_object {
                pointers.push(term);
            }
        }
        if !mentions_counter {
            return Vec::new();
        }
        let first = self
            .terms
            .bv_u128(32, self.program.first_dynamic().0.into());
        let mut axioms = vec![self.terms.ule(first, counter)];
        for pointer in pointers {
            axioms.push(self.terms.ult(pointer, counter));
        }
        axioms.retain(|a| self.terms.bool_const(*a) != Some(true));
        axioms
    }

    /// Whether a term depends on an input, so that no predicate may have it.
    pub(crate) fn mentions_input(&self, term: Term) -> bool {
        let symbols = self.terms.free_symbols(&[term]);
        symbols
            .iter()
            .any(|s| self.terms.symbol(*s).kind == SymbolKind::Input)
    }

    /// Whether a term may be part of a region's predicate: it depends on the state
    /// alone, so on no input and on no object that does not exist yet.
    pub(crate) fn is_of_state(&self, term: Term) -> bool {
        let counter = self.vocabulary.next_object();
        let about_future = |read: &Term| {
            self.terms
                .reachable(&[self.terms.arg(*read, 0)])
                .contains(&counter)
        };
        !self.mentions_input(term) && !self.terms.reads(&[term]).iter().any(about_future)
    }

    /// The transitions out of a location.
    pub(crate) fn transitions(&mut self, src: Loc) -> Rc<Vec<Transition>> {
        if let Some(known) = self.transitions.get(&src) {
            return known.clone();
        }
        let made = Rc::new(
            self.stepper
                .transitions(&mut self.terms, &self.vocabulary, src),
        );
        self.transitions.insert(src, made.clone());
        made
    }

    /// The precondition of a region over an edge, in pieces; `None` if the edge does not exist.
    pub(crate) fn pieces(&mut self, src: Loc, to: RegionId) -> Option<Vec<Term>> {
        let dst = self.regions.region(to).loc;
        let predicate = self.regions.region(to).predicate.clone();
        let mut pieces = Vec::new();
        if src == Graph::ROOT {
            let initial = self.initial.clone();
            let mut memo = FxHashMap::default();
            pieces.extend(&initial.state.path);
            for p in predicate {
                pieces.push(substitute(
                    &mut self.terms,
                    &self.vocabulary,
                    &initial.regs,
                    &initial.state,
                    p,
                    &mut memo,
                ));
            }
        } else {
            let transitions = self.transitions(src);
            let transition = transitions.iter().find(|t| t.dst == dst)?;
            pieces.extend(transition.condition());
            let memo = self.pre_memo.entry((src, dst)).or_default();
            for p in predicate {
                pieces.push(transition.pre_with(&mut self.terms, &self.vocabulary, p, memo));
            }
        }
        Some(self.flatten(pieces))
    }

    /// Conjunctions taken apart, truths dropped.
    fn flatten(&self, pieces: Vec<Term>) -> Vec<Term> {
        let mut out = Vec::new();
        let mut work: Vec<Term> = pieces.into_iter().rev().collect();
        while let Some(piece) = work.pop() {
            match self.terms.op(piece) {
                Op::And => work.extend(self.terms.args(piece).iter().rev()),
                Op::Bool(true) => {}
                _ if out.contains(&piece) => {}
                _ => out.push(piece),
            }
        }
        out
    }

    /// A term over the state of a path, as one over the inputs of the path.
    pub(crate) fn along(
        &mut self,
        beta: &PathState,
        term: Term,
        memo: &mut FxHashMap<Term, Term>,
    ) -> Term {
        substitute(
            &mut self.terms,
            &self.vocabulary,
            &beta.regs,
            &beta.state,
            term,
            memo,
        )
    }

    /// Evaluates a term without inputs on a node's state.
    pub(crate) fn value_at(&self, node: NodeId, term: Term) -> Option<Value> {
        let none = FxHashMap::default();
        let env = StateEnv {
            state: self.forest.node(node).state.as_ref()?,
            graph: self.graph,
            table: &self.symbols,
            inputs: &none,
            pointer_bits: self.program.pointer_bits,
            extents: None,
        };
        Some(self.terms.eval(term, &env))
    }

    /// The test that a model describes: the inputs of the path to a node, and then those of
    /// an edge out of it.
    pub(crate) fn test_of(
        &mut self,
        model: &Model,
        node: Option<NodeId>,
        beta: &PathState,
        src: Loc,
    ) -> Inputs {
        let mut inputs = Inputs {
            rest: Rest::Zero,
            ..Default::default()
        };
        let states = match node {
            Some(node) => self.forest.states(node),
            None => vec![self.initial.clone()],
        };
        let mut taken: Vec<_> = states
            .iter()
            .flat_map(|s| s.state.inputs.iter().cloned())
            .collect();
        if src != Graph::ROOT {
            let mut choose = |terms: &attest_term::Terms, ways: &[Term]| {
                ways.iter()
                    .position(|w| model.value(terms, *w).as_bool() == Some(true))
            };
            taken.extend(
                self.stepper
                    .inputs_on(&mut self.terms, beta, src, &mut choose),
            );
        }
        let main = &*self.program.function(self.program.entry).name == "main";
        for (i, input) in taken.iter().enumerate() {
            let value = self.input_value(model, input.value);
            let is_argc = main
                && i < states[0].state.inputs.len()
                && matches!(input.kind, InputKind::Nondet(_));
            match input.kind {
                InputKind::Nondet(_) if is_argc => {
                    if let InputValue::Int(n) = value {
                        inputs.argc = Some(n);
                    }
                }
                InputKind::Nondet(_) => inputs.nondet.push(value),
                InputKind::Result(_) => {}
                InputKind::Uninit(_) | InputKind::Undef => inputs.uninit.push(value),
            }
        }
        let unknown: BTreeMap<(u32, u64), u8> = model
            .memory()
            .filter(|(at, byte)| at.version == BASE && *byte != 0 && self.is_arbitrary(at.object))
            .map(|(at, byte)| ((at.object, at.offset), byte))
            .collect();
        inputs.unknown = Arc::new(unknown);
        inputs
    }

    /// Whether an object starts with contents that nobody knows.
    fn is_arbitrary(&self, object: u32) -> bool {
        match self.program.object(ObjectId(object)) {
            Some(known) => known.init.is_none() && known.kind != StaticKind::Function,
            None => object != 0,
        }
    }

    fn input_value(&self, model: &Model, value: SymVal) -> InputValue {
        let bits = |v: Value| match &v {
            Value::Bv(bv) => InputValue::Int(bv.to_i128().unwrap_or(0)),
            Value::F32(raw) => InputValue::Float(f32::from_bits(*raw).into()),
            Value::F64(raw) => InputValue::Float(f64::from_bits(*raw)),
            Value::Bool(b) => InputValue::Int((*b).into()),
        };
        let term = match value {
            SymVal::Bits(t) | SymVal::Float(t) => t,
            SymVal::Ptr(p) => p.offset,
        };
        bits(model.value(&self.terms, term))
    }
}
