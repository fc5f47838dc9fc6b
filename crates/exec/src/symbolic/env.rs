//! A concrete state as an environment for evaluating terms.

use super::memory::{BASE, LIVES, SHADOW, SIZES};
use super::step::{Part, Vocabulary};
use crate::concrete::memory::Memory;
use crate::concrete::value::Val;
use crate::snapshot::Snapshot;
use attest_model::{Graph, ObjectId, Program, Sort};
use attest_term::{Address, Env, SymbolId, Terms, Value};
use rustc_hash::FxHashMap;

/// The part of the state that a symbol names, by the symbol's number.
#[derive(Clone, Debug, Default)]
pub struct SymbolTable {
    parts: Vec<Option<(Part, Sort)>>,
}

impl SymbolTable {
    /// The table for a vocabulary.
    pub fn new(terms: &Terms, vocabulary: &Vocabulary, program: &Program) -> SymbolTable {
        let function = program.function(vocabulary.function);
        let mut parts = vec![None; terms.symbols().len()];
        for (term, part) in vocabulary.parts() {
            let attest_term::Op::Var(symbol) = terms.op(term) else {
                continue;
            };
            let sort = match part {
                Part::Reg(reg, _) => function.regs[reg.0 as usize].sort,
                Part::Global(global, _) => program.globals[global.0 as usize].sort,
                Part::Result(i, _) => function.results[i as usize],
                Part::NextObject => Sort::Int(32),
            };
            parts[symbol.index()] = Some((part, sort));
        }
        SymbolTable { parts }
    }
}

/// A state at a location, with values for the inputs of an outgoing edge.
pub struct StateEnv<'s> {
    /// The state.
    pub state: &'s Snapshot,
    /// The graph it belongs to.
    pub graph: &'s Graph,
    /// The meaning of symbols.
    pub table: &'s SymbolTable,
    /// What the function returned, at its exit.
    pub returned: &'s [Val],
    /// Values of other symbols; missing ones are 0.
    pub inputs: &'s FxHashMap<SymbolId, Value>,
    /// Bits of a pointer.
    pub pointer_bits: u32,
    /// The memory with the sizes and addresses of objects, if not the state's: they are fixed for a
    /// whole run, including objects made later.
    pub extents: Option<&'s Memory>,
}

impl StateEnv<'_> {
    fn extents(&self) -> &Memory {
        self.extents.unwrap_or_else(|| self.state.memory())
    }
}

/// A part of a machine value as a value of terms.
pub fn part_value(value: Val, sort: Sort, second: bool, pointer_bits: u32) -> Value {
    match sort {
        Sort::Int(w) => Value::bv(w, value.int()),
        Sort::F32 => Value::f32(f32::from_bits(value.lo as u32)),
        Sort::F64 => Value::f64(f64::from_bits(value.lo)),
        Sort::Ptr if second => Value::bv(pointer_bits, value.lo.into()),
        Sort::Ptr => Value::bv(32, value.hi.into()),
    }
}

impl Env for StateEnv<'_> {
    fn var(&self, symbol: SymbolId) -> Value {
        if let Some(value) = self.inputs.get(&symbol) {
            return value.clone();
        }
        let Some(Some((part, sort))) = self.table.parts.get(symbol.index()).copied() else {
            return Value::bv(1, 0);
        };
        match part {
            Part::Reg(reg, second) => {
                let value = self.state.reg(self.graph, reg).unwrap_or_default();
                part_value(value, sort, second, self.pointer_bits)
            }
            Part::Global(global, second) => {
                part_value(self.state.global(global), sort, second, self.pointer_bits)
            }
            Part::Result(i, second) => {
                let value = self.returned.get(i as usize).copied().unwrap_or_default();
                part_value(value, sort, second, self.pointer_bits)
            }
            Part::NextObject => Value::bv(32, self.state.memory().next_object().0.into()),
        }
    }

    fn byte(&self, at: Address) -> u8 {
        let object = ObjectId(at.object);
        match at.version {
            BASE => self.state.memory().byte_at(object, at.offset),
            SHADOW => self.state.memory().shadow_at(object, at.offset),
            SIZES => {
                let size = self.extents().size_of(object);
                size.to_le_bytes()
                    .get(at.offset as usize)
                    .copied()
                    .unwrap_or(0)
            }
            LIVES => u8::from(at.offset == 0 && self.state.memory().has_ended(object)),
            _ => 0,
        }
    }

    fn pointer(&self, at: Address) -> (u32, u64) {
        match self.state.memory().slot(ObjectId(at.object), at.offset) {
            Some(target) => (target.hi as u32, target.lo),
            None => (0, 0),
        }
    }

    fn tag(&self, at: Address) -> bool {
        self.state
            .memory()
            .slot(ObjectId(at.object), at.offset)
            .is_some()
    }

    fn base(&self, object: u32) -> u64 {
        self.extents().base_of(ObjectId(object))
    }
}
