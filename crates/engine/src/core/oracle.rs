//! Solver calls, and what their models mean as tests.

use crate::core::Core;
use crate::events::{Event, Question};
use crate::forest::NodeId;
use crate::invariants::universal;
use crate::regions::RegionId;
use crate::task::Task;
use attest_exec::mutants::{Mutant, mutated};
use attest_exec::symbolic::domain::SymInput;
use attest_exec::symbolic::memory::{BASE, LIVES};
use attest_exec::symbolic::path::PathState;
use attest_exec::symbolic::step::{Transition, substitute};
use attest_exec::symbolic::value::SymVal;
use attest_exec::{InputValue, Inputs, Rest};
use attest_model::environment::FIRST_ADDRESS;
use attest_model::graph::{Graph, Loc};
use attest_model::*;
use attest_solver::{Answer, Blaster, Limits, Model, Solver};
use attest_term::{Op, SymbolKind, Term, Value};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

impl Core<'_> {
    /// Asks whether these hold together, under the axioms that every state satisfies.
    pub(crate) fn ask(&mut self, task: &Task, kind: Question, assumptions: &[Term]) -> Answer {
        self.ask_with(task, kind, assumptions, None, false)
    }

    /// The same, where it is better to know soon than to know: so many conflicts of the
    /// search, which does not depend on how busy the machine is.
    pub(crate) fn ask_briefly(
        &mut self,
        task: &Task,
        kind: Question,
        assumptions: &[Term],
    ) -> Answer {
        let conflicts = self.options.tuning.search.brief_conflicts;
        self.ask_with(task, kind, assumptions, Some(conflicts), false)
    }

    /// The same with more patience.
    pub(crate) fn ask_patiently(
        &mut self,
        task: &Task,
        kind: Question,
        assumptions: &[Term],
    ) -> Answer {
        let conflicts = self.options.tuning.search.patient_conflicts;
        self.ask_with(task, kind, assumptions, Some(conflicts), false)
    }

    /// The same within so many conflicts.
    pub(crate) fn ask_within(
        &mut self,
        task: &Task,
        conflicts: u32,
        kind: Question,
        assumptions: &[Term],
    ) -> Answer {
        self.ask_with(task, kind, assumptions, Some(conflicts), false)
    }

    /// The same without anything of earlier calls: a small formula may be lost among
    /// what the solver keeps of them.
    pub(crate) fn ask_afresh(
        &mut self,
        task: &Task,
        kind: Question,
        assumptions: &[Term],
    ) -> Answer {
        self.ask_with(task, kind, assumptions, None, true)
    }

    fn ask_with(
        &mut self,
        task: &Task,
        kind: Question,
        assumptions: &[Term],
        conflicts: Option<u32>,
        afresh: bool,
    ) -> Answer {
        let mut all = assumptions.to_vec();
        let instances = universal::instances(self, assumptions);
        all.extend(instances.iter().map(|(instance, _)| *instance));
        let axioms = self.axioms(task, &all);
        all.extend(&axioms);
        let clock = self.options.clock;
        let left = |deadline: Instant| deadline.saturating_duration_since(clock.now());
        let mut effort = self.options.query_effort;
        if let Some(most) = self.options.most_effort {
            effort = effort.min(most.saturating_sub(self.effort()));
        }
        let limits = Limits {
            time: self.limits.deadline.map(left),
            clock,
            effort: Some(effort),
            conflicts,
            interrupt: self.options.interrupt.clone(),
            ..Limits::default()
        };
        let begin = Instant::now();
        let answer = match afresh {
            true => {
                let mut fresh = Blaster::new();
                let answer = fresh.check(&self.terms, &all, &limits);
                self.limits.counted.other_solvers += fresh.statistics().effort();
                answer
            }
            false => self.solver.check(&self.terms, &all, &limits),
        };
        self.tell(
            task,
            Event::Question {
                kind,
                answer: (&answer).into(),
                time: begin.elapsed(),
            },
        );
        match answer {
            // The axioms hold of every state, so they are no part of a reason, and an
            // instance stands for its fact.
            Answer::Unsat(mut reason) => {
                reason.retain(|t| !axioms.contains(t));
                let used = instances.iter().filter(|(i, _)| reason.contains(i));
                let used: Vec<Term> = used.map(|(_, fact)| *fact).collect();
                reason.extend(used);
                Answer::Unsat(reason)
            }
            other => other,
        }
    }

    /// No pointer from the future: every pointer of the state names an object below the
    /// counter, and the counter is past the static objects (algorithm notes 2.2). No object
    /// lies at a low address, and null does.
    fn axioms(&mut self, task: &Task, about: &[Term]) -> Vec<Term> {
        let counter = task.names.vocabulary.next_object();
        let mut pointers = Vec::new();
        let mut tags = Vec::new();
        let mut lives = Vec::new();
        let mut mentions_counter = false;
        let mut axioms = Vec::new();
        for term in self.terms.reachable(about) {
            mentions_counter |= term == counter;
            let is_object = match self.terms.op(term) {
                Op::Var(_) => {
                    task.names.vocabulary.part(term).is_some()
                        && self.terms.sort(term) == attest_term::Sort::BitVec(32)
                        && task.names.object_parts.contains(&term)
                }
                Op::ReadPtrObject { version: BASE } => !self.mentions_input(term),
                Op::Base { width } => {
                    axioms.push(self.low_address(term, width));
                    false
                }
                Op::ReadTag { version: BASE } => {
                    tags.push(term);
                    false
                }
                Op::Read { version: LIVES, .. } => {
                    lives.push(term);
                    false
                }
                _ => false,
            };
            if is_object {
                pointers.push(term);
            }
        }
        let first = self
            .terms
            .bv_u128(32, self.program.first_dynamic().0.into());
        // Static objects and null do not end.
        for life in &lives {
            let is_static = self.terms.ult(self.terms.arg(*life, 0), first);
            axioms.push(self.is_alive_if(*life, is_static));
        }
        if !mentions_counter {
            return axioms;
        }
        // What does not exist yet has not ended.
        for life in lives {
            let future = self.terms.ule(counter, self.terms.arg(life, 0));
            axioms.push(self.is_alive_if(life, future));
        }
        axioms.push(self.terms.ule(first, counter));
        for pointer in pointers {
            axioms.push(self.terms.ult(pointer, counter));
        }
        // Only objects that exist hold pointers.
        for tag in tags {
            let exists = self.terms.ult(self.terms.arg(tag, 0), counter);
            axioms.push(self.terms.implies(tag, exists));
        }
        axioms.retain(|a| self.terms.bool_const(*a) != Some(true));
        axioms
    }

    fn is_alive_if(&mut self, life: Term, cond: Term) -> Term {
        let zero = self.terms.bv_u128(8, 0);
        let alive = self.terms.eq(life, zero);
        self.terms.implies(cond, alive)
    }

    fn low_address(&mut self, base: Term, width: u32) -> Term {
        let object = self.terms.arg(base, 0);
        let null = self.terms.bv_u128(32, 0);
        let no_object = self.terms.eq(object, null);
        let zero = self.terms.bv_u128(width, 0);
        let is_zero = self.terms.eq(base, zero);
        let first = self.terms.bv_u128(width, FIRST_ADDRESS.into());
        let high = self.terms.ule(first, base);
        self.terms.ite(no_object, is_zero, high)
    }

    /// Whether a term depends on an input, so that no predicate may have it.
    pub(crate) fn mentions_input(&self, term: Term) -> bool {
        let symbols = self.terms.free_symbols(&[term]);
        symbols
            .iter()
            .any(|s| self.terms.symbol(*s).kind == SymbolKind::Input)
    }

    /// Whether a term may be part of a region's predicate: it depends on the state
    /// only, and on no input and no object that does not exist yet.
    pub(crate) fn is_of_state(&self, task: &Task, term: Term) -> bool {
        let counter = task.names.vocabulary.next_object();
        let about_future = |read: &Term| {
            self.terms
                .reachable(&[self.terms.arg(*read, 0)])
                .contains(&counter)
        };
        !self.mentions_input(term) && !self.terms.reads(&[term]).iter().any(about_future)
    }

    /// The transitions out of a location.
    pub(crate) fn transitions(&mut self, task: &Task, src: Loc) -> Arc<Vec<Transition>> {
        if let Some(known) = self.pre.transitions.get(&src) {
            return known.clone();
        }
        let made = Arc::new(
            self.stepper
                .transitions(&mut self.terms, &task.names.vocabulary, src),
        );
        self.pre.transitions.insert(src, made.clone());
        made
    }

    /// The precondition of a region over an edge, in pieces; `None` if the edge does not exist.
    pub(crate) fn pre_conjuncts(
        &mut self,
        task: &Task,
        src: Loc,
        to: RegionId,
    ) -> Option<Vec<Term>> {
        let region = task.regions.region(to);
        let (dst, mut predicate) = (region.loc, region.predicate.clone());
        if mutated(Mutant::ConjunctForgotten) {
            predicate.pop();
        }
        self.pre_of(task, src, dst, &predicate)
    }

    /// The condition of the step between two locations and the precondition of what should
    /// hold after it, in pieces; `None` if there is no such step.
    pub(crate) fn pre_of(
        &mut self,
        task: &Task,
        src: Loc,
        dst: Loc,
        after: &[Term],
    ) -> Option<Vec<Term>> {
        let mut pieces = if src == Graph::ROOT {
            self.initial.state.path.clone()
        } else {
            let transitions = self.transitions(task, src);
            let transition = transitions.iter().find(|t| t.dst == dst)?;
            transition.condition().to_vec()
        };
        for predicate in after {
            pieces.push(self.pre_of_one(task, src, dst, *predicate));
        }
        Some(self.flatten(pieces))
    }

    /// What must hold before a step for this to hold after it, the step's condition aside.
    pub(crate) fn pre_of_one(&mut self, task: &Task, src: Loc, dst: Loc, after: Term) -> Term {
        let mut memo = self.pre.memo.remove(&(src, dst)).unwrap_or_default();
        let (terms, vocabulary) = (&mut self.terms, &task.names.vocabulary);
        let before = if src == Graph::ROOT {
            let initial = &self.initial;
            substitute(terms, vocabulary, initial.values(), after, &mut memo)
        } else {
            match self
                .pre
                .transitions
                .get(&src)
                .and_then(|all| all.iter().find(|t| t.dst == dst))
            {
                Some(transition) => transition.pre_with(terms, vocabulary, after, &mut memo),
                None => terms.bool(false),
            }
        };
        self.pre.memo.insert((src, dst), memo);
        before
    }

    /// Conjunctions taken apart, truths dropped.
    pub(crate) fn flatten(&self, pieces: Vec<Term>) -> Vec<Term> {
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

    /// Evaluates a term without inputs on a node's state.
    pub(crate) fn value_at(&self, task: &Task, node: NodeId, term: Term) -> Option<Value> {
        let env = self.view(task).at(node)?;
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
        let states = match node {
            Some(node) => self.forest.states(node),
            None => vec![self.initial.clone()],
        };
        let mut more = Vec::new();
        if src != Graph::ROOT {
            let mut choose = |terms: &attest_term::Terms, ways: &[Term]| {
                ways.iter()
                    .position(|w| model.value(terms, *w).as_bool() == Some(true))
            };
            more = self
                .stepper
                .inputs_on(&mut self.terms, beta, src, &mut choose);
        }
        self.inputs_of(model, &states, more)
    }

    /// The inputs of the states of a path and some more, as a model has them.
    pub(crate) fn inputs_of(
        &self,
        model: &Model,
        path: &[Arc<PathState>],
        more: Vec<SymInput>,
    ) -> Inputs {
        let mut inputs = Inputs {
            rest: Rest::Zero,
            ..Default::default()
        };
        let first = path.first().map_or(0, |state| state.state.inputs.len());
        let on_path = path.iter().flat_map(|s| s.state.inputs.iter().cloned());
        let taken: Vec<SymInput> = on_path.chain(more).collect();
        let main = &*self.program.function(self.program.entry).name == "main";
        for (i, input) in taken.iter().enumerate() {
            let value = self.input_value(model, input.value);
            let is_argc = main && i < first && matches!(input.kind, InputKind::Nondet(_));
            match input.kind {
                InputKind::Nondet(_) if is_argc => {
                    if let InputValue::Int(n) = value {
                        inputs.argc = Some(n);
                    }
                }
                InputKind::Nondet(_) | InputKind::Argument(_) => inputs.nondet.push(value),
                InputKind::Result(_) => {}
                InputKind::Uninit(_) | InputKind::Undef => inputs.uninit.push(value),
            }
        }
        let unknown: BTreeMap<(u32, u64), u8> = model
            .memory()
            .filter(|(at, byte)| at.version == BASE && *byte != 0)
            .filter(|(at, _)| self.is_arbitrary(at.object, at.offset))
            .map(|(at, byte)| ((at.object, at.offset), byte))
            .collect();
        inputs.unknown = Arc::new(unknown);
        inputs
    }

    /// Whether nobody knows what is at a place at first. Behind the end of an object no program
    /// reads, but a predicate may.
    fn is_arbitrary(&self, object: u32, offset: u64) -> bool {
        match self.program.object(ObjectId(object)) {
            Some(known) if known.kind == StaticKind::Function => false,
            Some(known) => known.init.is_none() || offset >= known.size,
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
