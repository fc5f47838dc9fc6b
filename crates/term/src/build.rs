//! Named constructors, the interface through which other crates build terms.
//!
//! Each constructor builds and rewrites one operation, or a predicate derived from several
//! operations. All panic, as [`Terms::make`] does, if the operands' sorts do not fit: this is a
//! programming error and does not depend on input.

use crate::arena::{Term, Terms};
use crate::bv::Bv;
use crate::op::Op;
use crate::sort::{FloatSort, Rounding, Sort};
use crate::value::Value;

macro_rules! constructors {
    ($($(#[$doc:meta])* $name:ident($($arg:ident),+) = $op:expr;)+) => {
        /// Constructors of one operation each.
        impl Terms {
            $($(#[$doc])* pub fn $name(&mut self, $($arg: Term),+) -> Term {
                self.make($op, &[$($arg),+])
            })+
        }
    };
}

constructors! {
    /// Negation of a truth value.
    not(a) = Op::Not;
    /// Conjunction of two; for more see [`Terms::all`].
    and(a, b) = Op::And;
    /// Disjunction of two; for more see [`Terms::any`].
    or(a, b) = Op::Or;
    /// Exclusive or.
    xor(a, b) = Op::Xor;
    /// Equality of values of any one sort; on floats NaN equals NaN and the zeros differ.
    eq(a, b) = Op::Eq;
    /// `c ? t : e` for any one sort.
    ite(c, t, e) = Op::Ite;
    /// Two's complement negation.
    neg(a) = Op::BvNeg;
    /// Bitwise complement.
    bvnot(a) = Op::BvNot;
    /// Sum, wrapping.
    add(a, b) = Op::Add;
    /// Difference, wrapping.
    sub(a, b) = Op::Sub;
    /// Product, wrapping.
    mul(a, b) = Op::Mul;
    /// Unsigned quotient.
    udiv(a, b) = Op::Udiv;
    /// Signed quotient towards zero.
    sdiv(a, b) = Op::Sdiv;
    /// Unsigned remainder.
    urem(a, b) = Op::Urem;
    /// Signed remainder with the dividend's sign.
    srem(a, b) = Op::Srem;
    /// Bitwise and.
    bvand(a, b) = Op::BvAnd;
    /// Bitwise or.
    bvor(a, b) = Op::BvOr;
    /// Bitwise exclusive or.
    bvxor(a, b) = Op::BvXor;
    /// Left shift.
    shl(a, b) = Op::Shl;
    /// Right shift that fills with zeros.
    lshr(a, b) = Op::Lshr;
    /// Right shift that fills with the sign.
    ashr(a, b) = Op::Ashr;
    /// `a` as the high bits above `b`.
    concat(a, b) = Op::Concat;
    /// Unsigned `a < b`.
    ult(a, b) = Op::Ult;
    /// Unsigned `a <= b`.
    ule(a, b) = Op::Ule;
    /// Signed `a < b`.
    slt(a, b) = Op::Slt;
    /// Signed `a <= b`.
    sle(a, b) = Op::Sle;
    /// Sum.
    fadd(a, b) = Op::FAdd;
    /// Difference.
    fsub(a, b) = Op::FSub;
    /// Product.
    fmul(a, b) = Op::FMul;
    /// Quotient.
    fdiv(a, b) = Op::FDiv;
    /// C's `fmod`.
    frem(a, b) = Op::FRem;
    /// `a * b + c`, rounded once.
    fma(a, b, c) = Op::FFma;
    /// Sign flipped.
    fneg(a) = Op::FNeg;
    /// Absolute value.
    fabs(a) = Op::FAbs;
    /// Square root.
    fsqrt(a) = Op::FSqrt;
    /// Ordered and equal: LLVM's `oeq`, C's `==`.
    foeq(a, b) = Op::FEq;
    /// Ordered and less: LLVM's `olt`.
    folt(a, b) = Op::FLt;
    /// Ordered and at most: LLVM's `ole`.
    fole(a, b) = Op::FLe;
    /// Whether it is NaN.
    is_nan(a) = Op::FIsNan;
    /// Whether it is an infinity.
    is_inf(a) = Op::FIsInf;
    /// Whether it is a zero of either sign.
    is_zero(a) = Op::FIsZero;
    /// Whether it is a normal number.
    is_normal(a) = Op::FIsNormal;
    /// Whether it is a subnormal number.
    is_subnormal(a) = Op::FIsSubnormal;
    /// Whether it is not NaN and its sign is minus.
    is_negative(a) = Op::FIsNegative;
    /// The IEEE encoding; NaN has one encoding.
    float_to_bits(a) = Op::FToBits;
}

/// Constructors with parameters that are not terms.
impl Terms {
    /// The truth value.
    pub fn bool(&mut self, b: bool) -> Term {
        self.value(Value::Bool(b))
    }

    /// The bit-vector constant with these low bits.
    pub fn bv_u128(&mut self, width: u32, bits: u128) -> Term {
        self.value(Value::bv(width, bits))
    }

    /// The bit-vector constant of a signed number, truncated to the width.
    pub fn bv_i128(&mut self, width: u32, number: i128) -> Term {
        if width <= 128 {
            return self.bv_u128(width, number as u128);
        }
        let low = Bv::new(128, number as u128);
        self.value(Value::Bv(low.sign_extend(width - 128)))
    }

    /// The binary32 constant.
    pub fn f32(&mut self, number: f32) -> Term {
        self.value(Value::f32(number))
    }

    /// The binary64 constant.
    pub fn f64(&mut self, number: f64) -> Term {
        self.value(Value::f64(number))
    }

    /// The conjunction of any number of terms; true for none.
    pub fn all(&mut self, args: &[Term]) -> Term {
        self.junction(Op::And, args)
    }

    /// The disjunction of any number of terms; false for none.
    pub fn any(&mut self, args: &[Term]) -> Term {
        self.junction(Op::Or, args)
    }

    fn junction(&mut self, op: Op, args: &[Term]) -> Term {
        match *args {
            [] => self.bool(op == Op::And),
            [only] => {
                assert_eq!(self.sort(only), Sort::Bool, "a junction is of truth values");
                only
            }
            _ => self.make(op, args),
        }
    }

    /// `a` implies `b`.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    /// `a` differs from `b`.
    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let same = self.eq(a, b);
        self.not(same)
    }

    /// The bits from `high` down to `low`, both included.
    pub fn extract(&mut self, high: u32, low: u32, a: Term) -> Term {
        self.make(Op::Extract { high, low }, &[a])
    }

    /// Zero-extended or truncated to the width.
    pub fn zext(&mut self, a: Term, width: u32) -> Term {
        self.resize(a, width, |by| Op::ZeroExt { by })
    }

    /// Sign-extended or truncated to the width.
    pub fn sext(&mut self, a: Term, width: u32) -> Term {
        self.resize(a, width, |by| Op::SignExt { by })
    }

    fn resize(&mut self, a: Term, width: u32, extend: impl Fn(u32) -> Op) -> Term {
        match width.checked_sub(self.width(a)) {
            Some(by) => self.make(extend(by), &[a]),
            None => self.extract(width - 1, 0, a),
        }
    }

    /// The truth value of a bit: whether `a`, of one bit, is one.
    pub fn bit_to_bool(&mut self, a: Term) -> Term {
        let one = self.bv_u128(1, 1);
        self.eq(a, one)
    }

    /// One or zero of this width for a truth value.
    pub fn bool_to_bv(&mut self, a: Term, width: u32) -> Term {
        let (one, zero) = (self.bv_u128(width, 1), self.bv_u128(width, 0));
        self.ite(a, one, zero)
    }

    /// The bytes at (object, offset) of a memory, as a little-endian word.
    pub fn read(&mut self, version: u32, object: Term, offset: Term, bytes: u32) -> Term {
        self.make(Op::Read { version, bytes }, &[object, offset])
    }

    /// The object half of the pointer stored at (object, offset).
    pub fn read_ptr_object(&mut self, version: u32, object: Term, offset: Term) -> Term {
        self.make(Op::ReadPtrObject { version }, &[object, offset])
    }

    /// The offset half of the pointer stored at (object, offset).
    pub fn read_ptr_offset(&mut self, version: u32, object: Term, offset: Term) -> Term {
        self.make(Op::ReadPtrOffset { version }, &[object, offset])
    }

    /// Whether a pointer is stored at (object, offset).
    pub fn read_tag(&mut self, version: u32, object: Term, offset: Term) -> Term {
        self.make(Op::ReadTag { version }, &[object, offset])
    }

    /// The rigid machine address of an object, of the pointers' width.
    pub fn base(&mut self, object: Term, width: u32) -> Term {
        self.make(Op::Base { width }, &[object])
    }

    /// Rounded to an integral number.
    pub fn fround(&mut self, mode: Rounding, a: Term) -> Term {
        self.make(Op::FRound(mode), &[a])
    }

    /// Whether the two are unordered: at least one is NaN. LLVM's `uno`.
    pub fn funordered(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (self.is_nan(a), self.is_nan(b));
        self.or(a, b)
    }

    /// A signed number as a float, to nearest.
    pub fn float_from_signed(&mut self, to: FloatSort, a: Term) -> Term {
        self.make(Op::FFromSigned(to), &[a])
    }

    /// An unsigned number as a float, to nearest.
    pub fn float_from_unsigned(&mut self, to: FloatSort, a: Term) -> Term {
        self.make(Op::FFromUnsigned(to), &[a])
    }

    /// A float as a signed number, towards zero, saturating; NaN is zero.
    pub fn float_to_signed(&mut self, width: u32, a: Term) -> Term {
        self.make(Op::FToSigned { width }, &[a])
    }

    /// A float as an unsigned number, towards zero, saturating; NaN is zero.
    pub fn float_to_unsigned(&mut self, width: u32, a: Term) -> Term {
        self.make(Op::FToUnsigned { width }, &[a])
    }

    /// A float in another format, to nearest.
    pub fn float_convert(&mut self, to: FloatSort, a: Term) -> Term {
        self.make(Op::FConvert(to), &[a])
    }

    /// The float with this IEEE encoding.
    pub fn float_from_bits(&mut self, to: FloatSort, a: Term) -> Term {
        self.make(Op::FFromBits(to), &[a])
    }
}

/// Overflow predicates, derived from the operations above.
impl Terms {
    fn is_minus(&mut self, a: Term) -> Term {
        let zero = self.bv_u128(self.width(a), 0);
        self.slt(a, zero)
    }

    /// Bits of a signed number that suffice for all values of a term, by its form.
    fn signed_bits(&self, a: Term) -> u32 {
        let width = self.width(a);
        if let Some(number) = self.bv_const(a).and_then(|k| k.to_i128()) {
            let magnitude = if number < 0 { !number } else { number };
            return width.min(129 - magnitude.leading_zeros());
        }
        match self.op(a) {
            Op::SignExt { by } => width - by,
            Op::ZeroExt { by } if by > 0 => width - by + 1,
            _ => width,
        }
    }

    /// Whether a number is below the least or above the greatest of a range of its width.
    fn is_outside(&mut self, a: Term, least: i128, greatest: i128) -> Term {
        let width = self.width(a);
        let (least, greatest) = (self.bv_i128(width, least), self.bv_i128(width, greatest));
        let (below, above) = (self.slt(a, least), self.slt(greatest, a));
        self.or(below, above)
    }

    /// The least and the greatest signed number of a width, and a constant of that width.
    fn bounds_and(&self, k: Term) -> Option<(i128, i128, i128)> {
        let width = self.width(k);
        let number = self.bv_const(k)?.to_i128()?;
        (2..=64).contains(&width).then(|| {
            let greatest = (1i128 << (width - 1)) - 1;
            (-greatest - 1, greatest, number)
        })
    }

    /// Whether the signed sum does not fit. Comparisons with bounds are easier to read and to
    /// solve than sums, so sums with a constant become these; so it is for all operations.
    pub fn sadd_overflow(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = if self.is_const(a) { (b, a) } else { (a, b) };
        if self.signed_bits(a).max(self.signed_bits(b)) < self.width(a) {
            return self.bool(false);
        }
        if let Some(k) = self.bv_const(b).cloned() {
            let width = k.width();
            return if k.is_negative() {
                let bound = self.value(Value::Bv(Bv::signed_min(width).sub(&k)));
                self.slt(a, bound)
            } else {
                let bound = self.value(Value::Bv(Bv::signed_max(width).sub(&k)));
                self.slt(bound, a)
            };
        }
        let sum = self.add(a, b);
        let (a, b) = (self.bvxor(a, sum), self.bvxor(b, sum));
        let both = self.bvand(a, b);
        self.is_minus(both)
    }

    /// Whether the unsigned sum does not fit.
    pub fn uadd_overflow(&mut self, a: Term, b: Term) -> Term {
        let rest = self.bvnot(b);
        self.ult(rest, a)
    }

    /// Whether the signed difference does not fit.
    pub fn ssub_overflow(&mut self, a: Term, b: Term) -> Term {
        if self.signed_bits(a).max(self.signed_bits(b)) < self.width(a) {
            return self.bool(false);
        }
        if let Some((min, max, k)) = self.bounds_and(b) {
            return self.is_outside(a, (min + k).max(min), (max + k).min(max));
        }
        if let Some((min, max, k)) = self.bounds_and(a) {
            return self.is_outside(b, (k - max).max(min), (k - min).min(max));
        }
        let difference = self.sub(a, b);
        let (b, sum) = (self.bvxor(a, b), self.bvxor(a, difference));
        let both = self.bvand(b, sum);
        self.is_minus(both)
    }

    /// Whether the unsigned difference does not fit.
    pub fn usub_overflow(&mut self, a: Term, b: Term) -> Term {
        self.ult(a, b)
    }

    /// Whether the signed product does not fit.
    pub fn smul_overflow(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if self.signed_bits(a) + self.signed_bits(b) <= width {
            return self.bool(false);
        }
        let (a, b) = if self.is_const(a) { (b, a) } else { (a, b) };
        if let Some((min, max, k)) = self.bounds_and(b) {
            let (least, greatest) = match k {
                0 => return self.bool(false),
                1.. => (min / k, max / k),
                _ => (max / k, (min / k).min(max)),
            };
            return self.is_outside(a, least, greatest);
        }
        let (a, b) = (self.sext(a, 2 * width), self.sext(b, 2 * width));
        let product = self.mul(a, b);
        if width <= 64 {
            // A range of the product decides this, and not whether its high bits are alike.
            let greatest = (1i128 << (width - 1)) - 1;
            return self.is_outside(product, -greatest - 1, greatest);
        }
        let low = self.extract(width - 1, 0, product);
        let fits = self.sext(low, 2 * width);
        self.ne(product, fits)
    }

    /// Whether the unsigned product does not fit.
    pub fn umul_overflow(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let (a, b) = (self.zext(a, 2 * width), self.zext(b, 2 * width));
        let product = self.mul(a, b);
        let high = self.extract(2 * width - 1, width, product);
        let zero = self.bv_u128(width, 0);
        self.ne(high, zero)
    }

    /// Whether the signed quotient does not fit: the least number by minus one.
    pub fn sdiv_overflow(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let least = self.value(Value::Bv(Bv::signed_min(width)));
        let minus_one = self.value(Value::Bv(Bv::ones(width)));
        let (a, b) = (self.eq(a, least), self.eq(b, minus_one));
        self.and(a, b)
    }
}
