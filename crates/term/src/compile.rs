//! From terms to a [`Program`]: instruction selection.

use crate::arena::{Term, Terms};
use crate::op::Op;
use crate::program::{Code, Instr, Place, Program, WideInstr};
use crate::sort::{FloatSort, Sort};
use crate::traverse::Dense;
use crate::value::Value;

impl Program {
    /// Compiles one term.
    pub fn compile(terms: &Terms, root: Term) -> Program {
        Program::compile_all(terms, &[root])
    }

    /// Compiles several terms; shared parts are computed once.
    pub fn compile_all(terms: &Terms, roots: &[Term]) -> Program {
        Compiler::new(terms, roots).run(roots)
    }
}

/// One pass over the reachable terms in handle order.
struct Compiler<'a> {
    terms: &'a Terms,
    order: Dense,
    places: Vec<Place>,
    program: Program,
}

impl<'a> Compiler<'a> {
    fn new(terms: &'a Terms, roots: &[Term]) -> Compiler<'a> {
        let order = Dense::new(terms.reachable(roots));
        let program = Program {
            consts: Vec::new(),
            wide_consts: Vec::new(),
            code: Vec::new(),
            wide: Vec::new(),
            wide_slots: 0,
            roots: Vec::new(),
        };
        Compiler {
            terms,
            order,
            places: Vec::new(),
            program,
        }
    }

    fn run(mut self, roots: &[Term]) -> Program {
        let order = self.order.terms().to_vec();
        // Constants first, so that the number of their slots is known.
        let placeholder = Place::Wide(u32::MAX);
        for &term in &order {
            let place = self
                .terms
                .constant(term)
                .map(|value| self.place_const(value));
            self.places.push(place.unwrap_or(placeholder));
        }
        self.program.wide_slots = self.program.wide_consts.len();
        for (i, &term) in order.iter().enumerate() {
            if !self.terms.is_const(term) {
                self.places[i] = self.compile(term);
            }
        }
        self.program.roots = roots.iter().map(|&root| self.place(root)).collect();
        self.program
    }

    fn place(&self, term: Term) -> Place {
        self.places[self.order.index(term)]
    }

    fn place_const(&mut self, value: Value) -> Place {
        let sort = value.sort();
        if sort.bits() <= 64 {
            self.program.consts.push(value.low_u64());
            return Place::Narrow {
                slot: self.program.consts.len() as u32 - 1,
                sort,
            };
        }
        self.program.wide_consts.push(value);
        Place::Wide(self.program.wide_consts.len() as u32 - 1)
    }

    /// Adds an instruction and returns its slot.
    fn emit(&mut self, instr: Instr) -> u32 {
        self.program.code.push(instr);
        (self.program.consts.len() + self.program.code.len()) as u32 - 1
    }

    fn compile(&mut self, term: Term) -> Place {
        let sort = self.terms.sort(term);
        let args: Vec<Place> = self
            .terms
            .args(term)
            .iter()
            .map(|&arg| self.place(arg))
            .collect();
        let slots: Option<Vec<u32>> = args
            .iter()
            .map(|place| match place {
                Place::Narrow { slot, .. } => Some(*slot),
                Place::Wide(_) => None,
            })
            .collect();
        let narrow = slots.filter(|_| sort.bits() <= 64);
        if let Some(slots) = narrow
            && let Some(slot) = self.compile_narrow(term, sort, &slots)
        {
            return Place::Narrow { slot, sort };
        }
        self.compile_wide(term, sort, args)
    }

    fn compile_wide(&mut self, term: Term, sort: Sort, args: Vec<Place>) -> Place {
        let op = self.terms.op(term);
        let offset_width = if op.is_read() {
            self.terms.width(self.terms.arg(term, 1))
        } else {
            0
        };
        let dst = (sort.bits() > 64).then(|| {
            self.program.wide_slots += 1;
            self.program.wide_slots as u32 - 1
        });
        let c = self.program.wide.len() as u32;
        self.program.wide.push(WideInstr {
            op,
            args: args.into(),
            dst,
            offset_width,
            sort,
        });
        let slot = self.emit(Instr {
            code: Code::Wide,
            width: 0,
            a: 0,
            b: 0,
            c,
            imm: 0,
        });
        dst.map_or(Place::Narrow { slot, sort }, Place::Wide)
    }

    /// The slot of the result, or `None` if there is no narrow instruction for the operation.
    fn compile_narrow(&mut self, term: Term, sort: Sort, slots: &[u32]) -> Option<u32> {
        let op = self.terms.op(term);
        if let Op::And | Op::Or = op {
            let code = if op == Op::And { Code::And } else { Code::Or };
            let step = |acc, &b| {
                self.emit(Instr {
                    code,
                    width: 1,
                    a: acc,
                    b,
                    c: 0,
                    imm: 1,
                })
            };
            return Some(slots[1..].iter().fold(slots[0], step));
        }
        let slot = |i: usize| slots.get(i).copied().unwrap_or(0);
        let mut instr = Instr {
            code: Code::Copy,
            width: sort.bits() as u8,
            a: slot(0),
            b: slot(1),
            c: slot(2),
            imm: u64::MAX >> (64 - sort.bits()),
        };
        self.select(term, op, sort, &mut instr)?;
        Some(self.emit(instr))
    }

    /// Fills in the instruction's opcode and the fields that differ from the default.
    fn select(&self, term: Term, op: Op, sort: Sort, instr: &mut Instr) -> Option<()> {
        let arg_sort = |i: usize| self.terms.sort(self.terms.arg(term, i));
        let mut arg_width = |i: usize| instr.width = arg_sort(i).bits() as u8;
        instr.code = match op {
            Op::Bool(_) | Op::Const(_) | Op::And | Op::Or => return None,
            Op::Var(symbol) => {
                instr.c = symbol.0;
                if matches!(sort, Sort::Float(_)) {
                    Code::VarFloat
                } else {
                    Code::Var
                }
            }
            Op::Read { version, bytes } => {
                (instr.width, instr.c, instr.imm) =
                    (bytes as u8, version, arg_sort(1).bits() as u64);
                Code::Read
            }
            Op::ReadPtrObject { version }
            | Op::ReadPtrOffset { version }
            | Op::ReadTag { version } => {
                (instr.c, instr.imm) = (version, arg_sort(1).bits() as u64);
                match op {
                    Op::ReadPtrObject { .. } => Code::PtrObject,
                    Op::ReadPtrOffset { .. } => Code::PtrOffset,
                    _ => Code::Tag,
                }
            }
            Op::Base { .. } => Code::Base,
            Op::Not | Op::BvNot => Code::Not,
            Op::Xor | Op::BvXor => Code::Xor,
            Op::Eq => Code::Eq,
            Op::Ite => Code::Ite,
            Op::BvNeg => Code::Neg,
            Op::Add => Code::Add,
            Op::Sub => Code::Sub,
            Op::Mul => Code::Mul,
            Op::Udiv => Code::Udiv,
            Op::Sdiv => Code::Sdiv,
            Op::Urem => Code::Urem,
            Op::Srem => Code::Srem,
            Op::BvAnd => Code::And,
            Op::BvOr => Code::Or,
            Op::Shl => Code::Shl,
            Op::Lshr => Code::Lshr,
            Op::Ashr => Code::Ashr,
            Op::Concat => {
                arg_width(1);
                Code::Concat
            }
            Op::Extract { low, .. } => {
                instr.width = low as u8;
                Code::Extract
            }
            Op::ZeroExt { .. } | Op::FToBits => Code::Copy,
            // Encodings of NaN are made canonical.
            Op::FFromBits(_) => Code::CanonFloat,
            Op::SignExt { .. } => {
                arg_width(0);
                Code::SignExt
            }
            Op::Ult => Code::Ult,
            Op::Ule => Code::Ule,
            Op::Slt => {
                arg_width(0);
                Code::Slt
            }
            Op::Sle => {
                arg_width(0);
                Code::Sle
            }
            _ => return self.select_float(op, arg_sort(0), instr),
        };
        Some(())
    }

    fn select_float(&self, op: Op, sort: Sort, instr: &mut Instr) -> Option<()> {
        instr.code = match (op, sort) {
            (Op::FAdd, Sort::Float(FloatSort::F32)) => Code::Add32,
            (Op::FSub, Sort::Float(FloatSort::F32)) => Code::Sub32,
            (Op::FMul, Sort::Float(FloatSort::F32)) => Code::Mul32,
            (Op::FDiv, Sort::Float(FloatSort::F32)) => Code::Div32,
            (Op::FLt, Sort::Float(FloatSort::F32)) => Code::Lt32,
            (Op::FLe, Sort::Float(FloatSort::F32)) => Code::Le32,
            (Op::FEq, Sort::Float(FloatSort::F32)) => Code::Eq32,
            (Op::FAdd, Sort::Float(FloatSort::F64)) => Code::Add64,
            (Op::FSub, Sort::Float(FloatSort::F64)) => Code::Sub64,
            (Op::FMul, Sort::Float(FloatSort::F64)) => Code::Mul64,
            (Op::FDiv, Sort::Float(FloatSort::F64)) => Code::Div64,
            (Op::FLt, Sort::Float(FloatSort::F64)) => Code::Lt64,
            (Op::FLe, Sort::Float(FloatSort::F64)) => Code::Le64,
            (Op::FEq, Sort::Float(FloatSort::F64)) => Code::Eq64,
            _ => return None,
        };
        Some(())
    }
}
