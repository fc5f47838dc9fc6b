//! The shadow of the result of each operation, as instructions.
//!
//! A bit of a result is set if it is the same for all values of the unset bits of the operands.
//! The rules are exact for logic, shifts by a set amount, changes of width, sums, differences and
//! comparisons; so a bit-field that is set in a word that is not, or the test of one flag, is no
//! use of an unset value. For the other operations the whole result is unset where any bit of an
//! operand is, except for products with zero and for powers of two.

use crate::program::*;

/// The bits of a shadow of this sort.
pub(super) fn bits(sort: Sort, pointer_bits: u32) -> u32 {
    match sort {
        Sort::Int(width) => width,
        Sort::Ptr => pointer_bits,
        Sort::F32 => 32,
        Sort::F64 => 64,
    }
}

/// Code under construction.
pub(super) struct Code {
    /// All registers of the function.
    pub regs: Vec<RegInfo>,
    /// The instructions of the current block, with their places.
    pub insts: Vec<Inst>,
    /// See `insts`.
    pub places: Vec<PlaceId>,
    /// The place of the next instruction.
    pub place: PlaceId,
    /// Bits of a pointer.
    pub pointer_bits: u32,
}

/// A constant shadow.
pub(super) fn number(width: u32, value: u128) -> Operand {
    let value = value & ones(width);
    Operand::Const(Constant::Int { width, value })
}

fn ones(width: u32) -> u128 {
    u128::MAX >> (128 - width.clamp(1, 128))
}

fn known(operand: Operand) -> Option<u128> {
    match operand {
        Operand::Const(Constant::Int { value, .. }) => Some(value),
        _ => None,
    }
}

pub(super) fn is_zero(operand: Operand) -> bool {
    known(operand) == Some(0)
}

impl Code {
    pub fn emit(&mut self, inst: Inst) {
        self.insts.push(inst);
        self.places.push(self.place);
    }

    /// A new register for a shadow or a part of its computation.
    pub fn temp(&mut self, width: u32) -> Reg {
        let reg = Reg(self.regs.len() as u32);
        self.regs.push(RegInfo {
            sort: Sort::Int(width),
            name: "shadow".into(),
            variable: None,
        });
        reg
    }

    fn sort_of(&self, operand: Operand) -> Sort {
        match operand {
            Operand::Reg(reg) => self.regs[reg.0 as usize].sort,
            Operand::Const(constant) => constant.sort(),
        }
    }

    /// The bits of an operand's shadow.
    pub fn width_of(&self, operand: Operand) -> u32 {
        bits(self.sort_of(operand), self.pointer_bits)
    }

    pub fn int(&mut self, op: IntOp, width: u32, a: Operand, b: Operand) -> Operand {
        match (op, known(a), known(b)) {
            (IntOp::And, Some(0), _) | (IntOp::And, _, Some(0)) => return number(width, 0),
            (IntOp::And, Some(x), Some(y)) => return number(width, x & y),
            (IntOp::Or, Some(x), Some(y)) => return number(width, x | y),
            (IntOp::Xor, Some(x), Some(y)) => return number(width, x ^ y),
            (IntOp::And, Some(x), _) if x == ones(width) => return b,
            (IntOp::And, _, Some(x)) if x == ones(width) => return a,
            (IntOp::Or | IntOp::Xor | IntOp::Add, Some(0), _) => return b,
            (IntOp::Or | IntOp::Xor | IntOp::Add | IntOp::Sub, _, Some(0)) => return a,
            (IntOp::Shl | IntOp::LShr | IntOp::AShr, Some(0), _) => return number(width, 0),
            _ => {}
        }
        let dst = self.temp(width);
        self.emit(Inst::Int {
            op,
            width,
            dst,
            a,
            b,
            no_signed_wrap: false,
        });
        Operand::Reg(dst)
    }

    fn not(&mut self, width: u32, a: Operand) -> Operand {
        self.int(IntOp::Xor, width, a, number(width, u128::MAX))
    }

    pub fn compare(&mut self, rel: Relation, width: u32, a: Operand, b: Operand) -> Operand {
        let dst = self.temp(1);
        self.emit(Inst::Compare {
            rel,
            width,
            dst,
            a,
            b,
        });
        Operand::Reg(dst)
    }

    fn resize(&mut self, how: Resize, from: u32, to: u32, a: Operand) -> Operand {
        if from == to {
            return a;
        }
        if is_zero(a) {
            return number(to, 0);
        }
        let dst = self.temp(to);
        self.emit(Inst::Resize {
            how,
            from,
            to,
            dst,
            a,
        });
        Operand::Reg(dst)
    }

    fn select(&mut self, cond: Operand, a: Operand, b: Operand, width: u32) -> Operand {
        if a == b {
            return a;
        }
        let dst = self.temp(width);
        self.emit(Inst::Select { dst, cond, a, b });
        Operand::Reg(dst)
    }

    /// One bit: whether a shadow has any.
    fn any(&mut self, shadow: Operand) -> Operand {
        let width = self.width_of(shadow);
        match known(shadow) {
            Some(value) => number(1, u128::from(value != 0)),
            None if width == 1 => shadow,
            None => self.compare(Relation::Ne, width, shadow, number(width, 0)),
        }
    }

    /// All bits if one of the shadows has any.
    fn all_or_none(&mut self, shadows: &[Operand], width: u32) -> Operand {
        let mut any = number(1, 0);
        for shadow in shadows {
            let one = self.any(*shadow);
            any = self.int(IntOp::Or, 1, any, one);
        }
        self.resize(Resize::SignExtend, 1, width, any)
    }

    /// The least and the greatest value of unsigned numbers.
    fn range(&mut self, width: u32, a: Operand, shadow: Operand) -> (Operand, Operand) {
        let set = self.not(width, shadow);
        let least = self.int(IntOp::And, width, a, set);
        (least, self.int(IntOp::Or, width, a, shadow))
    }

    /// The least and the greatest value of signed numbers.
    fn signed_range(&mut self, width: u32, a: Operand, shadow: Operand) -> (Operand, Operand) {
        let (least, greatest) = self.range(width, a, shadow);
        let sign = number(width, 1 << (width - 1));
        let sign = self.int(IntOp::And, width, shadow, sign);
        let least = self.int(IntOp::Or, width, least, sign);
        let positive = self.not(width, sign);
        (least, self.int(IntOp::And, width, greatest, positive))
    }

    /// Shadows of a sum or difference: a bit is set if the carries into it are the same for the
    /// least and the greatest operands.
    fn sum(&mut self, op: IntOp, width: u32, (a, s): Shadowed, (b, t): Shadowed) -> Operand {
        let (a_least, a_greatest) = self.range(width, a, s);
        let (mut b_first, mut b_last) = self.range(width, b, t);
        if op == IntOp::Sub {
            (b_first, b_last) = (b_last, b_first);
        }
        let least = self.int(op, width, a_least, b_first);
        let greatest = self.int(op, width, a_greatest, b_last);
        let carried = self.int(IntOp::Xor, width, least, greatest);
        let either = self.int(IntOp::Or, width, s, t);
        self.int(IntOp::Or, width, carried, either)
    }

    /// Shadows of a product: all bits from the lowest unset one, unless a factor is zero.
    fn product(&mut self, width: u32, (a, s): Shadowed, (b, t): Shadowed) -> Operand {
        let either = self.int(IntOp::Or, width, s, t);
        let negative = self.int(IntOp::Sub, width, number(width, 0), either);
        let mut left = self.int(IntOp::Or, width, either, negative);
        for (factor, own) in [(a, s), (b, t)] {
            if let (Some(factor), true) = (known(factor), is_zero(own)) {
                let zeros = factor.trailing_zeros();
                if factor == 0 || zeros >= width {
                    return number(width, 0);
                }
                left = self.int(IntOp::Shl, width, left, number(width, zeros.into()));
            } else {
                let largest = self.int(IntOp::Or, width, factor, own);
                let nothing = self.compare(Relation::Eq, width, largest, number(width, 0));
                left = self.select(nothing, number(width, 0), left, width);
            }
        }
        left
    }

    fn arithmetic(&mut self, op: IntOp, width: u32, x: Shadowed, y: Shadowed) -> Operand {
        let ((a, s), (b, t)) = (x, y);
        match op {
            IntOp::Add | IntOp::Sub => self.sum(op, width, x, y),
            IntOp::Mul => self.product(width, x, y),
            IntOp::And | IntOp::Or => {
                // A set bit of one operand that decides hides the other's.
                let (p, q) = match op {
                    IntOp::And => (a, b),
                    _ => (self.not(width, a), self.not(width, b)),
                };
                let p = self.int(IntOp::Or, width, p, s);
                let q = self.int(IntOp::Or, width, q, t);
                let either = self.int(IntOp::Or, width, s, t);
                let both = self.int(IntOp::And, width, p, q);
                self.int(IntOp::And, width, both, either)
            }
            IntOp::Xor => self.int(IntOp::Or, width, s, t),
            IntOp::Shl | IntOp::LShr | IntOp::AShr => {
                let moved = match is_zero(s) {
                    true => number(width, 0),
                    false => self.int(op, width, s, b),
                };
                let amount = self.all_or_none(&[t], width);
                self.int(IntOp::Or, width, moved, amount)
            }
            IntOp::UDiv | IntOp::URem | IntOp::SDiv | IntOp::SRem => match known(b) {
                Some(by) if by.is_power_of_two() && is_zero(t) && op == IntOp::UDiv => {
                    let by = number(width, by.trailing_zeros().into());
                    self.int(IntOp::LShr, width, s, by)
                }
                Some(by) if by.is_power_of_two() && is_zero(t) && op == IntOp::URem => {
                    self.int(IntOp::And, width, s, number(width, by - 1))
                }
                _ => self.all_or_none(&[s, t], width),
            },
        }
    }

    fn comparison(&mut self, rel: Relation, width: u32, x: Shadowed, y: Shadowed) -> Operand {
        let ((a, s), (b, t)) = (x, y);
        let (x, y) = match rel {
            Relation::Eq | Relation::Ne => {
                // A set bit that differs decides.
                let either = self.int(IntOp::Or, width, s, t);
                let differ = self.int(IntOp::Xor, width, a, b);
                let set = self.not(width, either);
                let differ = self.int(IntOp::And, width, differ, set);
                let open = self.compare(Relation::Eq, width, differ, number(width, 0));
                let any = self.any(either);
                return self.int(IntOp::And, 1, open, any);
            }
            Relation::Ult | Relation::Ule | Relation::Ugt | Relation::Uge => {
                (self.range(width, a, s), self.range(width, b, t))
            }
            Relation::Slt | Relation::Sle | Relation::Sgt | Relation::Sge => (
                self.signed_range(width, a, s),
                self.signed_range(width, b, t),
            ),
        };
        let first = self.compare(rel, width, x.0, y.1);
        let last = self.compare(rel, width, x.1, y.0);
        self.int(IntOp::Xor, 1, first, last)
    }

    /// The shadow of the result of an instruction that only computes; `shadow` gives those of its
    /// operands. None for other instructions.
    pub fn result(&mut self, inst: &Inst, shadow: &dyn Fn(Operand) -> Operand) -> Option<Operand> {
        let with = |a: &Operand| (*a, shadow(*a));
        let pointer = self.pointer_bits;
        Some(match inst {
            Inst::Copy { src, .. } => shadow(*src),
            Inst::Foreign { a, .. } => shadow(*a),
            Inst::Int {
                op, width, a, b, ..
            } => self.arithmetic(*op, *width, with(a), with(b)),
            Inst::IntUnary { op, width, a, .. } => match op {
                IntUnary::ByteSwap | IntUnary::BitReverse => {
                    let dst = self.temp(*width);
                    self.emit(Inst::IntUnary {
                        op: *op,
                        width: *width,
                        dst,
                        a: shadow(*a),
                    });
                    Operand::Reg(dst)
                }
                _ => self.all_or_none(&[shadow(*a)], *width),
            },
            Inst::Compare {
                rel, width, a, b, ..
            } => self.comparison(*rel, *width, with(a), with(b)),
            Inst::Resize {
                how, from, to, a, ..
            } => self.resize(*how, *from, *to, shadow(*a)),
            Inst::Select { cond, a, b, dst } => {
                let width = self.width_of(Operand::Reg(*dst));
                let (c, s, t) = (shadow(*cond), shadow(*a), shadow(*b));
                let chosen = self.select(*cond, s, t, width);
                if is_zero(c) {
                    return Some(chosen);
                }
                // Where both choices are the same, the choice does not matter.
                let differ = match self.sort_of(*a) {
                    Sort::Int(_) => {
                        let differ = self.int(IntOp::Xor, width, *a, *b);
                        let either = self.int(IntOp::Or, width, s, t);
                        self.int(IntOp::Or, width, differ, either)
                    }
                    _ => number(width, u128::MAX),
                };
                self.select(c, differ, chosen, width)
            }
            Inst::Float { format, a, b, .. } => {
                let width = bits(format.sort(), pointer);
                self.all_or_none(&[shadow(*a), shadow(*b)], width)
            }
            Inst::FloatUnary { op, format, a, .. } => match op {
                FloatUnary::Neg => shadow(*a),
                _ => self.all_or_none(&[shadow(*a)], bits(format.sort(), pointer)),
            },
            Inst::FloatCompare { a, b, .. } => self.all_or_none(&[shadow(*a), shadow(*b)], 1),
            Inst::FloatCast { cast, a, dst } => match cast {
                FloatCast::ToBits(_) | FloatCast::FromBits(_) => shadow(*a),
                _ => {
                    let width = self.width_of(Operand::Reg(*dst));
                    self.all_or_none(&[shadow(*a)], width)
                }
            },
            Inst::InObject { a, .. } => self.all_or_none(&[shadow(*a)], 1),
            Inst::PtrCompare { a, b, .. } => self.all_or_none(&[shadow(*a), shadow(*b)], 1),
            Inst::PtrAdd {
                base, index, scale, ..
            } => {
                let index = if *scale == 0 {
                    number(1, 0)
                } else {
                    shadow(*index)
                };
                self.all_or_none(&[shadow(*base), index], pointer)
            }
            Inst::PtrDiff { width, a, b, .. } => {
                self.all_or_none(&[shadow(*a), shadow(*b)], *width)
            }
            Inst::PtrToInt { width, a, .. } => self.fitted(pointer, *width, shadow(*a)),
            Inst::IntToPtr { width, a, .. } => self.fitted(*width, pointer, shadow(*a)),
            _ => return None,
        })
    }

    fn fitted(&mut self, from: u32, to: u32, shadow: Operand) -> Operand {
        let how = match from > to {
            true => Resize::Truncate,
            false => Resize::ZeroExtend,
        };
        self.resize(how, from, to, shadow)
    }
}

/// A value and its shadow.
type Shadowed = (Operand, Operand);
