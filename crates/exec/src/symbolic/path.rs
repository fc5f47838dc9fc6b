//! Paths of tests as terms: the symbolic state of a forest node.
//!
//! A path starts in the initial state of the program, where everything except inputs is known, and
//! follows the decisions of a test. The conditions that it collects are beta of the papers: they
//! describe all executions of that path.

use super::domain::{Sym, SymState};
use super::memory::{Pointer, SymMemory};
use super::step::{Stepper, Successor, Values, Vocabulary, guards, jump, operand};
use super::value::SymVal;
use crate::domain::Stop;
use crate::semantics::step;
use attest_model::*;
use attest_term::{SymbolKind, Term, Terms};
use std::sync::Arc;

/// A symbolic state on a path.
#[derive(Clone, Debug)]
pub struct PathState {
    /// The function that is executed.
    pub function: FnId,
    /// Its registers.
    pub regs: Vec<SymVal>,
    /// What the function returns, at its exit.
    pub returned: Vec<SymVal>,
    /// The activations below the current one.
    pub callers: Option<Arc<SymFrame>>,
    /// The rest of the state; its `path` and `inputs` belong to the last step only.
    pub state: SymState,
}

impl PathState {
    /// The values of the parts of the function's vocabulary.
    pub fn values(&self) -> Values<'_> {
        Values {
            regs: &self.regs,
            returned: &self.returned,
            state: &self.state,
        }
    }
}

/// An activation that waits for a call to return.
#[derive(Clone, Debug)]
pub struct SymFrame {
    function: FnId,
    regs: Vec<SymVal>,
    /// The position of the call.
    call: Position,
    below: Option<Arc<SymFrame>>,
}

/// The number of objects before the first instruction: `main`'s arguments take two.
pub fn initial_objects(program: &Program) -> u32 {
    let function = program.function(program.entry);
    let arguments = &*function.name == "main" && function.params >= 2;
    program.first_dynamic().0 + if arguments { 2 } else { 0 }
}

impl Stepper<'_> {
    /// The initial state: globals and static memory as initialised, registers empty, parameters
    /// arbitrary.
    pub fn initial(&self, terms: &mut Terms, vocabulary: &Vocabulary) -> PathState {
        let program = self.program;
        let bits = program.pointer_bits;
        let function = program.function(program.entry);
        let next_object = terms.bv_u128(32, initial_objects(program).into());
        let mut inputs = Vec::new();
        let mut arbitrary = |terms: &mut Terms, name: String, sort: Sort, kind: InputKind| {
            let value = SymVal::symbol(terms, &name, sort, SymbolKind::Input, bits);
            inputs.push(super::domain::SymInput { kind, sort, value });
            value
        };
        let mut globals = Vec::with_capacity(program.globals.len());
        for (i, global) in program.globals.iter().enumerate() {
            globals.push(match global.init {
                Some(constant) => SymVal::constant(terms, constant, bits),
                None => arbitrary(
                    terms,
                    format!("init.g{i}"),
                    global.sort,
                    InputKind::Uninit(global.name.clone()),
                ),
            });
        }
        let mut regs = Vec::with_capacity(function.regs.len());
        for (i, info) in function.regs.iter().enumerate() {
            regs.push(if (i as u32) < function.params {
                match (info.sort, i) {
                    (Sort::Ptr, 1) if &*function.name == "main" => SymVal::Ptr(Pointer {
                        object: terms.bv_u128(32, u128::from(program.first_dynamic().0) + 1),
                        offset: terms.bv_u128(bits, 0),
                    }),
                    _ => arbitrary(
                        terms,
                        format!("init.r{i}"),
                        info.sort,
                        InputKind::Nondet(info.name.clone()),
                    ),
                }
            } else {
                SymVal::constant(terms, Constant::zero(info.sort), bits)
            });
        }
        let mut memory =
            SymMemory::new(bits, vocabulary.next_object(), program.objects.len() as u32)
                .with_shadows(program.shadows)
                .all_set();
        if initial_objects(program) == program.first_dynamic().0 {
            memory = memory.without_pointers();
        }
        self.initial_memory(terms, &mut memory);
        let statics = program.objects.len() as u32;
        let state = SymState {
            memory,
            lives: SymMemory::lives(bits, vocabulary.next_object(), statics).without_pointers(),
            environment: program.environment,
            globals,
            next_object,
            path: Vec::new(),
            inputs,
            bails: Vec::new(),
            static_sizes: program.objects.iter().map(|o| o.size).collect(),
            new_sizes: Default::default(),
            at: None,
        };
        PathState {
            function: program.entry,
            regs,
            returned: Vec::new(),
            callers: None,
            state,
        }
    }

    fn initial_memory(&self, terms: &mut Terms, memory: &mut SymMemory) {
        let bits = self.program.pointer_bits;
        let zero = terms.bv_u128(8, 0);
        for (i, object) in self.program.objects.iter().enumerate() {
            let Some(pieces) = &object.init else { continue };
            let id = terms.bv_u128(32, i as u128 + 1);
            let place = |terms: &mut Terms, at: u64| Pointer {
                object: id,
                offset: terms.bv_u128(bits, at.into()),
            };
            let start = place(terms, 0);
            let size = terms.bv_u128(bits, object.size.into());
            memory.fill(terms, start, zero, size, None);
            for piece in pieces {
                match piece {
                    InitPiece::Bytes(at, bytes) => {
                        for (k, chunk) in bytes.chunks(8).enumerate() {
                            if chunk.iter().all(|b| *b == 0) {
                                continue;
                            }
                            let mut raw = [0; 16];
                            raw[..chunk.len()].copy_from_slice(chunk);
                            let value =
                                terms.bv_u128(chunk.len() as u32 * 8, u128::from_le_bytes(raw));
                            let at = place(terms, at + k as u64 * 8);
                            memory.store(terms, at, value, None);
                        }
                    }
                    InitPiece::Ptr(at, target, offset) => {
                        let at = place(terms, *at);
                        let value = Pointer {
                            object: terms.bv_u128(32, target.0.into()),
                            offset: terms.bv_u128(bits, (*offset).into()),
                        };
                        memory.store_pointer(terms, at, value, None);
                    }
                }
            }
        }
    }

    /// The inputs that a step from a cut point takes, in order, when `choose` selects the
    /// successors. The symbols are those of the location's transitions.
    pub fn inputs_on(
        &self,
        terms: &mut Terms,
        from: &PathState,
        src: attest_model::Loc,
        choose: &mut Choose<'_>,
    ) -> Vec<super::domain::SymInput> {
        let program = self.program;
        let bits = program.pointer_bits;
        let function = program.function(from.function);
        let cuts = &self.graph.functions[from.function.0 as usize].cuts;
        let Some(start) = self.graph.location(src).position else {
            return Vec::new();
        };
        let mut regs = from.regs.clone();
        let mut state = from.state.clone();
        state.inputs.clear();
        let mut at = start;
        loop {
            let block = function.block(at.block);
            let prefix = format!("{}b{}.", super::step::edge_inputs(src), at.block.0);
            let mut sym = Sym::new(terms, state, &prefix, bits, self.overflow);
            let first = at.index;
            while let Some(inst) = block.insts.get(at.index as usize) {
                if at != start && at.index > first && cuts.contains_key(&at) {
                    return sym.state.inputs;
                }
                if step(&mut sym, &mut regs, inst).is_err() {
                    return sym.state.inputs;
                }
                at.index += 1;
            }
            state = sym.state;
            let successors = guards(terms, &block.end, &regs, bits);
            let conditions: Vec<Term> = successors.iter().map(|(c, _)| *c).collect();
            let Some(choice) = choose(terms, &conditions) else {
                return state.inputs;
            };
            match successors.into_iter().nth(choice) {
                Some((_, Successor::Jump(target))) => {
                    jump(terms, &mut regs, target, bits);
                    at = Position::start(target.block);
                    if cuts.contains_key(&at) {
                        return state.inputs;
                    }
                }
                _ => return state.inputs,
            }
        }
    }

    /// The state after a step from a position (none at an exit) along these decisions, each an
    /// index into the successors of a block, to the next cut point. Entering a callee is a step,
    /// and so is its return.
    pub fn follow(
        &self,
        terms: &mut Terms,
        from: &PathState,
        start: Option<Position>,
        decisions: &[u32],
        prefix: &str,
    ) -> Result<PathState, Stop> {
        let mut state = from.state.clone();
        state.path.clear();
        state.inputs.clear();
        state.bails.clear();
        let next = PathState {
            state,
            ..from.clone()
        };
        let Some(start) = start else {
            return Ok(self.leave(next));
        };
        let block = self.program.function(from.function).block(start.block);
        match block.insts.get(start.index as usize) {
            Some(Inst::Call(call)) => Ok(self.enter(terms, next, start, call)),
            _ => self.walk(terms, next, start, decisions, prefix),
        }
    }

    /// Enters a callee.
    fn enter(&self, terms: &mut Terms, from: PathState, at: Position, call: &Call) -> PathState {
        let bits = self.program.pointer_bits;
        let callee = self.program.function(call.callee);
        let mut regs: Vec<SymVal> = Vec::with_capacity(callee.regs.len());
        for (i, info) in callee.regs.iter().enumerate() {
            regs.push(match call.args.get(i) {
                Some(arg) if (i as u32) < callee.params => operand(terms, &from.regs, *arg, bits),
                _ => SymVal::constant(terms, Constant::zero(info.sort), bits),
            });
        }
        PathState {
            function: call.callee,
            regs,
            returned: Vec::new(),
            callers: Some(Arc::new(SymFrame {
                function: from.function,
                regs: from.regs,
                call: at,
                below: from.callers,
            })),
            state: from.state,
        }
    }

    /// Returns to the caller.
    fn leave(&self, from: PathState) -> PathState {
        let Some(caller) = &from.callers else {
            return from;
        };
        let mut regs = caller.regs.clone();
        let block = self
            .program
            .function(caller.function)
            .block(caller.call.block);
        if let Some(Inst::Call(call)) = block.insts.get(caller.call.index as usize) {
            for (dst, value) in call.results.iter().zip(&from.returned) {
                regs[dst.0 as usize] = *value;
            }
        }
        PathState {
            function: caller.function,
            regs,
            returned: Vec::new(),
            callers: caller.below.clone(),
            state: from.state,
        }
    }

    fn walk(
        &self,
        terms: &mut Terms,
        from: PathState,
        start: Position,
        decisions: &[u32],
        prefix: &str,
    ) -> Result<PathState, Stop> {
        let bits = self.program.pointer_bits;
        let function = self.program.function(from.function);
        let cuts = &self.graph.functions[from.function.0 as usize].cuts;
        let PathState {
            mut regs, state, ..
        } = from;
        let mut sym = Sym::new(terms, state, prefix, bits, self.overflow);
        let mut returned = Vec::new();
        let mut at = start;
        let mut decisions = decisions.iter();
        let mut moved = false;
        'walk: loop {
            let block = function.block(at.block);
            while let Some(inst) = block.insts.get(at.index as usize) {
                if moved && at.index > 0 && decisions.len() == 0 && cuts.contains_key(&at) {
                    break 'walk;
                }
                step(&mut sym, &mut regs, inst)?;
                moved = true;
                at.index += 1;
            }
            if moved && at.index > 0 && decisions.len() == 0 {
                break;
            }
            let Some(decision) = decisions.next() else {
                break;
            };
            moved = true;
            let successors = guards(sym.terms, &block.end, &regs, bits);
            let Some((cond, successor)) = successors.into_iter().nth(*decision as usize) else {
                break;
            };
            if sym.terms.bool_const(cond) != Some(true) {
                sym.state.path.push(cond);
            }
            match successor {
                Successor::Outcome(_) => {
                    if let Terminator::Return(values) = &block.end {
                        for value in values {
                            returned.push(operand(sym.terms, &regs, *value, bits));
                        }
                    }
                    break;
                }
                Successor::Jump(target) => {
                    jump(sym.terms, &mut regs, target, bits);
                    at = Position::start(target.block);
                    if decisions.len() == 0 && cuts.contains_key(&at) {
                        break;
                    }
                }
            }
        }
        Ok(PathState {
            regs,
            returned,
            state: sym.state,
            function: from.function,
            callers: from.callers,
        })
    }
}

/// Selects the successor that a walk takes, given the conditions of all successors.
pub type Choose<'a> = dyn FnMut(&Terms, &[Term]) -> Option<usize> + 'a;

/// All conditions of a path as one list, for a solver call.
pub fn conditions<'a>(steps: impl Iterator<Item = &'a PathState>) -> Vec<Term> {
    steps.flat_map(|s| s.state.path.iter().copied()).collect()
}
