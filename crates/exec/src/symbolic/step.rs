//! Steps of the graph as terms: forward execution from one cut point to the next, from a symbolic
//! state.
//!
//! The acyclic code behind a cut point is executed once in topological order, and states that meet
//! are merged. The state that reaches each next location is its [`Transition`]: the conjuncts of
//! the condition and the new value of every part of the state. `Pre` of a predicate is then plain
//! substitution ([`Transition::pre`]); there are no backward rules (algorithm notes 1.1, 2.4).

use super::domain::{Sym, SymState};
use super::memory::{LIVES, SIZES, SymMemory};
use super::value::SymVal;
use crate::domain::{Overflow, Stop};
use crate::mutants::{Mutant, mutated};
use crate::semantics::step;
use attest_model::graph::{Graph, Loc, LocKind, Outcome};
use attest_model::points_to::{Addresses, Holder};
use attest_model::*;
use attest_term::{Op, SymbolKind, Term, Terms};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The state of a location as symbols: the vocabulary of predicates.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    /// The function whose registers these are.
    pub function: FnId,
    regs: Vec<SymVal>,
    /// What the function returns, at its exit.
    results: Vec<SymVal>,
    globals: Vec<SymVal>,
    next_object: Term,
    /// The part of the state that each symbol's term names.
    parts: FxHashMap<Term, Part>,
    pointer_bits: u32,
    static_sizes: Arc<[u64]>,
    environment: Option<ObjectId>,
    shadows: bool,
    /// Facts about which addresses over these symbols are never equal.
    addresses: Option<Arc<Addresses>>,
}

/// A part of the state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// A register; for a pointer its object (false) or offset (true).
    Reg(Reg, bool),
    /// A promoted global, likewise.
    Global(GlobalReg, bool),
    /// A result of the function, at its exit, likewise.
    Result(u32, bool),
    /// The object counter.
    NextObject,
}

impl Vocabulary {
    /// The symbols of a program's entry function.
    pub fn new(terms: &mut Terms, program: &Program) -> Vocabulary {
        Vocabulary::of(terms, program, program.entry)
    }

    /// The symbols of a function; symbols that do not belong to it have the same names in all
    /// functions.
    pub fn of(terms: &mut Terms, program: &Program, id: FnId) -> Vocabulary {
        let bits = program.pointer_bits;
        let function = program.function(id);
        let prefix = match id == program.entry {
            true => String::new(),
            false => format!("f{}.", id.0),
        };
        let mut parts = FxHashMap::default();
        let kind = SymbolKind::Register;
        let mut regs = Vec::with_capacity(function.regs.len());
        for (i, info) in function.regs.iter().enumerate() {
            let value = SymVal::symbol(terms, &format!("{prefix}r{i}"), info.sort, kind, bits);
            for (second, term) in value.terms().enumerate() {
                parts.insert(term, Part::Reg(Reg(i as u32), second == 1));
                if let (Some(variable), Op::Var(symbol)) = (info.variable, terms.op(term)) {
                    terms.set_source(symbol, &program.variable(variable).name);
                }
            }
            regs.push(value);
        }
        let mut results = Vec::with_capacity(function.results.len());
        for (i, sort) in function.results.iter().enumerate() {
            let name = format!("f{}.ret{i}", id.0);
            let value = SymVal::symbol(terms, &name, *sort, kind, bits);
            for (second, term) in value.terms().enumerate() {
                parts.insert(term, Part::Result(i as u32, second == 1));
            }
            results.push(value);
        }
        let mut globals = Vec::with_capacity(program.globals.len());
        for (i, info) in program.globals.iter().enumerate() {
            let value = SymVal::symbol(terms, &format!("g{i}"), info.sort, kind, bits);
            for (second, term) in value.terms().enumerate() {
                parts.insert(term, Part::Global(GlobalReg(i as u32), second == 1));
                if let Op::Var(symbol) = terms.op(term) {
                    terms.set_source(symbol, &info.name);
                }
            }
            globals.push(value);
        }
        let next_object = terms.var(
            "nobj",
            attest_term::Sort::BitVec(32),
            SymbolKind::ObjectCounter,
        );
        parts.insert(next_object, Part::NextObject);
        Vocabulary {
            function: id,
            regs,
            results,
            globals,
            next_object,
            parts,
            pointer_bits: bits,
            static_sizes: program.objects.iter().map(|o| o.size).collect(),
            environment: program.environment,
            shadows: program.shadows,
            addresses: None,
        }
    }

    /// The same vocabulary, with points-to facts about which addresses are never equal. What steps
    /// then say holds from every reachable state.
    pub fn with_points_to(mut self, points_to: &Arc<PointsTo>) -> Vocabulary {
        let regs = self.regs.iter().enumerate();
        let regs = regs.map(|(i, value)| (Holder::Reg(Reg(i as u32)), value));
        let globals = self.globals.iter().enumerate();
        let globals = globals.map(|(i, value)| (Holder::Global(GlobalReg(i as u32)), value));
        let pointers = regs
            .chain(globals)
            .filter_map(|(holder, value)| match value {
                SymVal::Ptr(p) => Some((holder, [p.object, p.offset])),
                _ => None,
            });
        let addresses = Addresses::new(points_to, self.function, pointers);
        self.addresses = Some(Arc::new(addresses));
        self
    }

    /// The part of the state that a term names, if it names one.
    pub fn part(&self, term: Term) -> Option<Part> {
        self.parts.get(&term).copied()
    }

    /// All parts of the state with their terms.
    pub fn parts(&self) -> impl Iterator<Item = (Term, Part)> + '_ {
        self.parts.iter().map(|(term, part)| (*term, *part))
    }

    /// The symbols of a register.
    pub fn reg(&self, reg: Reg) -> SymVal {
        self.regs[reg.0 as usize]
    }

    /// The symbols of the function's results.
    pub fn results(&self) -> &[SymVal] {
        &self.results
    }

    /// The symbols of a promoted global.
    pub fn global(&self, global: GlobalReg) -> SymVal {
        self.globals[global.0 as usize]
    }

    /// The symbol of the object counter.
    pub fn next_object(&self) -> Term {
        self.next_object
    }

    /// The fully symbolic state.
    pub fn state(&self) -> (Vec<SymVal>, SymState) {
        let statics = self.static_sizes.len() as u32;
        let state = SymState {
            memory: SymMemory::new(self.pointer_bits, self.next_object, statics)
                .with_shadows(self.shadows)
                .with_addresses(self.addresses.clone()),
            lives: SymMemory::lives(self.pointer_bits, self.next_object, statics)
                .with_addresses(self.addresses.clone()),
            environment: self.environment,
            globals: self.globals.clone(),
            next_object: self.next_object,
            path: Vec::new(),
            inputs: Vec::new(),
            bails: Vec::new(),
            static_sizes: self.static_sizes.clone(),
            new_sizes: FxHashMap::default(),
            at: None,
        };
        (self.regs.clone(), state)
    }
}

/// The effect of an edge of the graph on a symbolic state.
#[derive(Clone, Debug)]
pub struct Transition {
    /// The edge's target.
    pub dst: Loc,
    /// Registers at the target.
    pub regs: Vec<SymVal>,
    /// The returned values, at the exit.
    pub returned: Vec<SymVal>,
    /// The rest of the state there; its `path` has the conjuncts of the edge's condition.
    pub state: SymState,
}

impl Transition {
    /// The conjuncts of the edge's condition.
    pub fn condition(&self) -> &[Term] {
        &self.state.path
    }

    /// The precondition of a predicate over the target's state: a predicate over the source's state
    /// and the edge's inputs.
    pub fn pre(&self, terms: &mut Terms, vocabulary: &Vocabulary, predicate: Term) -> Term {
        let mut memo = FxHashMap::default();
        self.pre_with(terms, vocabulary, predicate, &mut memo)
    }

    /// As [`Transition::pre`], with results kept for the next predicate.
    pub fn pre_with(
        &self,
        terms: &mut Terms,
        vocabulary: &Vocabulary,
        predicate: Term,
        memo: &mut FxHashMap<Term, Term>,
    ) -> Term {
        let values = Values {
            regs: &self.regs,
            returned: &self.returned,
            state: &self.state,
        };
        substitute(terms, vocabulary, values, predicate, memo)
    }
}

/// The values of the parts of a vocabulary.
#[derive(Clone, Copy)]
pub struct Values<'a> {
    /// Registers.
    pub regs: &'a [SymVal],
    /// What was returned, at an exit.
    pub returned: &'a [SymVal],
    /// The rest.
    pub state: &'a SymState,
}

/// A predicate over the vocabulary, over these values instead.
pub fn substitute(
    terms: &mut Terms,
    vocabulary: &Vocabulary,
    values: Values<'_>,
    predicate: Term,
    memo: &mut FxHashMap<Term, Term>,
) -> Term {
    let Values {
        regs,
        returned,
        state,
    } = values;
    let pick = |value: SymVal, second: bool| match (value, second) {
        (SymVal::Bits(t) | SymVal::Float(t), _) => t,
        (SymVal::Ptr(p), false) => p.object,
        (SymVal::Ptr(p), true) => p.offset,
    };
    terms.transform(predicate, memo, |terms, term, args| {
        match vocabulary.part(term) {
            Some(Part::Reg(reg, second)) => Some(pick(regs[reg.0 as usize], second)),
            Some(Part::Global(global, second)) => {
                Some(pick(state.globals[global.0 as usize], second))
            }
            Some(Part::Result(i, second)) => {
                returned.get(i as usize).map(|value| pick(*value, second))
            }
            Some(Part::NextObject) => Some(state.next_object),
            None => match terms.op(term) {
                Op::Read {
                    version: SIZES,
                    bytes,
                } => state.known_size(terms, args[0], bytes * 8),
                op => match op.version() {
                    Some(LIVES) => state.lives.resolve(terms, op, args),
                    _ => state.memory.resolve(terms, op, args),
                },
            },
        }
    })
}

/// The prefix of the names of the inputs of the edges out of a location, before block and number.
pub fn edge_inputs(src: Loc) -> String {
    format!("in.{}.", src.0)
}

/// A state in the middle of a step.
#[derive(Clone)]
struct Flow {
    regs: Vec<SymVal>,
    returned: Vec<SymVal>,
    state: SymState,
}

/// The parameters of a program's symbolic execution.
pub struct Stepper<'p> {
    /// The program.
    pub program: &'p Program,
    /// Its graph.
    pub graph: &'p Graph,
    /// The policy for signed overflow.
    pub overflow: Overflow,
    /// Checks whose violation ends a run silently.
    pub excused: BTreeSet<Check>,
}

impl Stepper<'_> {
    /// Whether a violation of this kind ends a run silently there.
    pub fn excuses(&self, place: PlaceId, kind: Option<BailKind>) -> bool {
        !self.excused.is_empty() && self.excused.contains(&Check { place, kind })
    }

    /// All transitions out of a location, from the fully symbolic state.
    pub fn transitions(
        &self,
        terms: &mut Terms,
        vocabulary: &Vocabulary,
        src: Loc,
    ) -> Vec<Transition> {
        self.walked(terms, vocabulary, src).0
    }

    /// The instructions of the steps from a location that may bail.
    pub fn hazards(&self, terms: &mut Terms, vocabulary: &Vocabulary, src: Loc) -> Vec<Hazard> {
        self.walked(terms, vocabulary, src).1
    }

    fn walked(
        &self,
        terms: &mut Terms,
        vocabulary: &Vocabulary,
        src: Loc,
    ) -> (Vec<Transition>, Vec<Hazard>) {
        let location = self.graph.location(src);
        let (Some(position), Some(function)) = (location.position, location.function) else {
            return Default::default();
        };
        if location.kind == LocKind::BeforeCall {
            return Default::default();
        }
        let (regs, state) = vocabulary.state();
        let prefix = edge_inputs(src);
        let mut walk = Walk {
            stepper: self,
            function,
            terms,
            prefix: &prefix,
            arrived: BTreeMap::new(),
            waiting: FxHashMap::default(),
            hazards: Vec::new(),
        };
        let blocks = self.step_order(src);
        for (i, block) in blocks.iter().enumerate() {
            let (flow, index) = if i == 0 {
                (
                    Flow {
                        regs: regs.clone(),
                        returned: Vec::new(),
                        state: state.clone(),
                    },
                    position.index,
                )
            } else {
                match walk.waiting.remove(block) {
                    Some(flows) => (walk.join(flows), 0),
                    None => continue,
                }
            };
            walk.block(*block, index, flow, i == 0);
        }
        let arrived = std::mem::take(&mut walk.arrived);
        let mut out = Vec::with_capacity(arrived.len());
        for (dst, flows) in arrived {
            let joined = walk.join(flows);
            out.push(Transition {
                dst,
                regs: joined.regs,
                returned: joined.returned,
                state: joined.state,
            });
        }
        (out, walk.hazards)
    }

    /// The blocks of all steps from a location, in topological order.
    fn step_order(&self, src: Loc) -> Vec<BlockId> {
        let location = self.graph.location(src);
        let (Some(position), Some(id)) = (location.position, location.function) else {
            return Vec::new();
        };
        let graph = &self.graph.functions[id.0 as usize];
        let cuts = graph.cuts.keys().copied().collect();
        attest_model::cuts::step_blocks(self.program.function(id), &cuts, position)
    }
}

/// An instruction on the steps from a location that may bail.
#[derive(Clone, Debug)]
pub struct Hazard {
    /// The kinds of the bails, and their conditions.
    pub leaves: Vec<(BailKind, Term)>,
    /// The place of the instruction.
    pub place: PlaceId,
    /// The condition under which a step continues after it.
    pub survives: Term,
}

/// A walk over the blocks behind a cut point.
struct Walk<'s, 't> {
    stepper: &'s Stepper<'s>,
    function: FnId,
    terms: &'t mut Terms,
    prefix: &'s str,
    arrived: BTreeMap<Loc, Vec<Flow>>,
    waiting: FxHashMap<BlockId, Vec<Flow>>,
    hazards: Vec<Hazard>,
}

impl Walk<'_, '_> {
    fn block(&mut self, id: BlockId, from: u32, flow: Flow, first: bool) {
        let program = self.stepper.program;
        let function = program.function(self.function);
        let block = function.block(id);
        let graph = &self.stepper.graph.functions[self.function.0 as usize];
        let Flow {
            mut regs, state, ..
        } = flow;
        let prefix = format!("{}b{}.", self.prefix, id.0);
        let mut sym = Sym::new(
            self.terms,
            state,
            &prefix,
            program.pointer_bits,
            self.stepper.overflow,
        );
        let mut stopped = None;
        let mut cut = None;
        for index in from as usize..=block.insts.len() {
            let position = Position {
                block: id,
                index: index as u32,
            };
            if !(first && index == from as usize)
                && let Some(loc) = graph.cuts.get(&position)
                && index > 0
            {
                cut = Some(*loc);
                break;
            }
            let Some(inst) = block.insts.get(index) else {
                break;
            };
            let known = sym.state.bails.len();
            let done = step(&mut sym, &mut regs, inst);
            let place = block.places[index];
            if !self.stepper.excused.is_empty() {
                let new = sym.state.bails.split_off(known);
                let said = |(kind, _): &(BailKind, Term)| !self.stepper.excuses(place, Some(*kind));
                sym.state.bails.extend(new.into_iter().filter(said));
            }
            let mut leaves = sym.state.bails[known..].to_vec();
            let now = sym.path_condition();
            let done = match done {
                Err(Stop::Bail(bail)) if self.stepper.excuses(place, Some(bail.kind)) => {
                    Err(Stop::Assume)
                }
                done => done,
            };
            if let Err(Stop::Bail(bail)) = &done {
                leaves.push((bail.kind, now));
            }
            if !leaves.is_empty() {
                let never = sym.terms.bool(false);
                self.hazards.push(Hazard {
                    leaves,
                    place,
                    survives: if done.is_ok() { now } else { never },
                });
            }
            if let Err(stop) = done {
                stopped = Some(stop);
                break;
            }
        }
        let mut state = sym.state;
        for (kind, cond) in std::mem::take(&mut state.bails) {
            let mut ended = Flow {
                regs: regs.clone(),
                returned: Vec::new(),
                state: state.clone(),
            };
            ended.state.path = vec![cond];
            self.arrive(Outcome::Bail(kind), ended);
        }
        let flow = Flow {
            regs,
            returned: Vec::new(),
            state,
        };
        match (stopped, cut) {
            (Some(Stop::Bail(bail)), _) => self.arrive(Outcome::Bail(bail.kind), flow),
            (Some(_), _) => {}
            (None, Some(loc)) => self.arrived.entry(loc).or_default().push(flow),
            (None, None) => self.end(&block.end, block.end_place, flow),
        }
    }

    fn arrive(&mut self, outcome: Outcome, flow: Flow) {
        let ends = &self.stepper.graph.functions[self.function.0 as usize].ends;
        if let Some(loc) = ends.get(&outcome) {
            self.arrived.entry(*loc).or_default().push(flow);
        }
    }

    fn end(&mut self, end: &Terminator, place: PlaceId, flow: Flow) {
        for (cond, target) in guards(
            self.terms,
            end,
            &flow.regs,
            self.stepper.program.pointer_bits,
        ) {
            match target {
                Successor::Outcome(outcome) => {
                    let kind = match outcome {
                        Outcome::Bail(kind) => Some(Some(kind)),
                        Outcome::Error => Some(None),
                        _ => None,
                    };
                    if kind.is_some_and(|kind| self.stepper.excuses(place, kind)) {
                        continue;
                    }
                    let mut ended = flow.clone();
                    ended.returned = self.returned(end, &flow.regs);
                    self.arrive(outcome, ended);
                }
                Successor::Jump(target) => {
                    if self.terms.bool_const(cond) == Some(false) {
                        continue;
                    }
                    let mut next = flow.clone();
                    if self.terms.bool_const(cond) != Some(true) && !mutated(Mutant::GuardForgotten)
                    {
                        next.state.path.push(cond);
                    }
                    jump(
                        self.terms,
                        &mut next.regs,
                        target,
                        self.stepper.program.pointer_bits,
                    );
                    let graph = &self.stepper.graph.functions[self.function.0 as usize];
                    match graph.cuts.get(&Position::start(target.block)) {
                        Some(loc) => self.arrived.entry(*loc).or_default().push(next),
                        None => self.waiting.entry(target.block).or_default().push(next),
                    }
                }
            }
        }
    }

    fn returned(&mut self, end: &Terminator, regs: &[SymVal]) -> Vec<SymVal> {
        let Terminator::Return(values) = end else {
            return Vec::new();
        };
        let bits = self.stepper.program.pointer_bits;
        values
            .iter()
            .map(|a| operand(self.terms, regs, *a, bits))
            .collect()
    }

    /// Merges the states that reach one place.
    fn join(&mut self, mut flows: Vec<Flow>) -> Flow {
        let Some(mut last) = flows.pop() else {
            unreachable!("only reached places are joined")
        };
        if flows.is_empty() {
            return last;
        }
        flows.push(last.clone());
        let shared = |t: &Term| flows.iter().all(|w| w.state.path.contains(t));
        let common: Vec<Term> = last.state.path.iter().copied().filter(shared).collect();
        let mut conditions = Vec::with_capacity(flows.len());
        for flow in &flows {
            let own: Vec<Term> = flow
                .state
                .path
                .iter()
                .copied()
                .filter(|t| !common.contains(t))
                .collect();
            conditions.push(self.terms.all(&own));
        }
        let memories: Vec<(Term, &SymMemory)> = conditions
            .iter()
            .copied()
            .zip(flows.iter().map(|w| &w.state.memory))
            .collect();
        let memory = SymMemory::join(self.terms, &memories);
        let lives = flows.iter().map(|w| &w.state.lives);
        let lives: Vec<(Term, &SymMemory)> = conditions.iter().copied().zip(lives).collect();
        let lives = SymMemory::join(self.terms, &lives);
        for (flow, cond) in flows.iter().zip(&conditions).rev().skip(1) {
            for (mine, theirs) in last.regs.iter_mut().zip(&flow.regs) {
                if mine != theirs {
                    *mine = theirs.merge(self.terms, *cond, *mine);
                }
            }
            for (mine, theirs) in last.returned.iter_mut().zip(&flow.returned) {
                if mine != theirs {
                    *mine = theirs.merge(self.terms, *cond, *mine);
                }
            }
            for (mine, theirs) in last.state.globals.iter_mut().zip(&flow.state.globals) {
                if mine != theirs {
                    *mine = theirs.merge(self.terms, *cond, *mine);
                }
            }
            last.state.next_object =
                self.terms
                    .ite(*cond, flow.state.next_object, last.state.next_object);
            last.state.inputs.extend(flow.state.inputs.iter().cloned());
        }
        last.state.memory = memory;
        last.state.lives = lives;
        last.state.path = common;
        let any = self.terms.any(&conditions);
        if self.terms.bool_const(any) != Some(true) {
            last.state.path.push(any);
        }
        last
    }
}

/// The value of an operand.
pub fn operand(terms: &mut Terms, regs: &[SymVal], a: Operand, pointer_bits: u32) -> SymVal {
    match a {
        Operand::Reg(reg) => regs[reg.0 as usize],
        Operand::Const(c) => SymVal::constant(terms, c, pointer_bits),
    }
}

/// A successor of a terminator.
pub enum Successor<'p> {
    /// To a block.
    Jump(&'p Target),
    /// The end of the function or the run.
    Outcome(Outcome),
}

/// The successors of a block with their conditions.
pub fn guards<'p>(
    terms: &mut Terms,
    end: &'p Terminator,
    regs: &[SymVal],
    pointer_bits: u32,
) -> Vec<(Term, Successor<'p>)> {
    let value = |terms: &mut Terms, a: Operand| operand(terms, regs, a, pointer_bits);
    let yes = terms.bool(true);
    match end {
        Terminator::Goto(target) => vec![(yes, Successor::Jump(target))],
        Terminator::Branch { cond, then, other } => {
            let bit = value(terms, *cond).bits();
            let cond = terms.bit_to_bool(bit);
            let not = terms.not(cond);
            vec![(cond, Successor::Jump(then)), (not, Successor::Jump(other))]
        }
        Terminator::Switch {
            width,
            value: v,
            cases,
            default,
        } => {
            let v = value(terms, *v).bits();
            let mut out = Vec::with_capacity(cases.len() + 1);
            let mut none = Vec::with_capacity(cases.len());
            for (case, target) in cases {
                let case = terms.bv_u128(*width, *case);
                let here = terms.eq(v, case);
                none.push(terms.not(here));
                out.push((here, Successor::Jump(target)));
            }
            let none = terms.all(&none);
            out.push((none, Successor::Jump(default)));
            out
        }
        Terminator::PtrSwitch {
            ptr,
            cases,
            default,
        } => {
            let p = value(terms, *ptr).ptr();
            let mut out = Vec::with_capacity(cases.len() + 1);
            let mut none = Vec::with_capacity(cases.len());
            for (object, offset, target) in cases {
                let object = terms.bv_u128(32, object.0.into());
                let offset = terms.bv_u128(pointer_bits, (*offset).into());
                let (a, b) = (terms.eq(p.object, object), terms.eq(p.offset, offset));
                let here = terms.all(&[a, b]);
                none.push(terms.not(here));
                out.push((here, Successor::Jump(target)));
            }
            let none = terms.all(&none);
            out.push((none, Successor::Jump(default)));
            out
        }
        Terminator::Return(_) => vec![(yes, Successor::Outcome(Outcome::Return))],
        Terminator::Halt(..) => vec![(yes, Successor::Outcome(Outcome::Halt))],
        Terminator::Error(_) => vec![(yes, Successor::Outcome(Outcome::Error))],
        Terminator::Bail(bail) => vec![(yes, Successor::Outcome(Outcome::Bail(bail.kind)))],
    }
}

/// The parallel copies of a jump.
pub fn jump(terms: &mut Terms, regs: &mut [SymVal], target: &Target, pointer_bits: u32) {
    let values: Vec<SymVal> = target
        .copies
        .iter()
        .map(|(_, src)| operand(terms, regs, *src, pointer_bits))
        .collect();
    let skipped = usize::from(mutated(Mutant::PhiSkipped));
    let copies = target.copies.len().saturating_sub(skipped);
    for ((dst, _), value) in target.copies.iter().zip(values).take(copies) {
        regs[dst.0 as usize] = value;
    }
}
