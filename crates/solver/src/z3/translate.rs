//! Translation: from terms to Z3's, each term once per context.
//!
//! Common operations map one to one. The others are translated as in `attest_term`'s SMT-LIB text:
//! memory is uninterpreted functions to bytes, base addresses narrower than 64 bits are truncated,
//! conversions to integers saturate by comparison, the encoding of NaN is fixed. C's `fmod` stays
//! uninterpreted, so models with it must be evaluated before they are returned.

use std::ffi::CString;
use std::ptr::null_mut;
use std::sync::Arc;

use attest_term::{Bv, FloatSort, NAN32, NAN64, Op, Rounding, Sort, Term, Terms, Value};
use rustc_hash::FxHashMap;

use super::api::{self, Api, Ast, Context, Decl};
use crate::budget::Budget;
use crate::solver::Reason;

/// An uninterpreted function: its name and the widths of its operands and result
/// (none for a truth value).
#[derive(Clone, PartialEq, Eq, Hash)]
struct Function {
    name: &'static str,
    version: u32,
    operands: Vec<Sort>,
    result: Sort,
}

/// A context of Z3 and the terms in it.
pub(super) struct Translator {
    pub api: Arc<Api>,
    pub context: Context,
    asts: Vec<Ast>,
    functions: FxHashMap<Function, Decl>,
    /// The number of translated terms, as a measure of the context's size.
    pub count: usize,
}

/// Errors are reported by a code, which is checked where errors can happen.
pub(super) unsafe extern "C" fn ignore(_: Context, _: std::ffi::c_int) {}

// Safety of all calls below: the context lives as long as `self`, every operand
// was made in it, and sorts fit because the arena has typed the terms.
impl Translator {
    pub fn new(api: Arc<Api>) -> Translator {
        let context = unsafe {
            let config = (api.mk_config)();
            let context = (api.mk_context)(config);
            (api.del_config)(config);
            (api.set_error_handler)(context, Some(ignore));
            context
        };
        Translator {
            api,
            context,
            asts: Vec::new(),
            functions: FxHashMap::default(),
            count: 0,
        }
    }

    /// The translation of a term.
    pub fn ast(&mut self, terms: &Terms, root: Term, budget: &Budget) -> Result<Ast, Reason> {
        if self.asts.len() <= root.index() {
            self.asts.resize(terms.len(), null_mut());
        }
        let mut stack = vec![(root, 0)];
        while let Some((term, done)) = stack.pop() {
            if !self.asts[term.index()].is_null() {
                continue;
            }
            if let Some(&arg) = terms.args(term).get(done) {
                stack.push((term, done + 1));
                stack.push((arg, 0));
                continue;
            }
            let args: Vec<Ast> = terms
                .args(term)
                .iter()
                .map(|a| self.asts[a.index()])
                .collect();
            let ast = self.translate(terms, term, &args);
            if ast.is_null() {
                return Err(Reason::Other(format!("Z3 refuses {:?}", terms.op(term))));
            }
            self.asts[term.index()] = ast;
            self.count += 1;
            if self.count.is_multiple_of(4096) {
                budget.check(unsafe { (self.api.get_estimated_alloc_size)() })?;
            }
        }
        Ok(self.asts[root.index()])
    }

    pub fn symbol(&self, name: &str) -> api::Handle {
        // A name with a zero byte would be truncated; the number makes the name unique.
        let name = CString::new(name.replace('\0', "?")).unwrap_or_default();
        unsafe { (self.api.mk_string_symbol)(self.context, name.as_ptr()) }
    }

    fn sort(&self, sort: Sort) -> api::Sort {
        let (api, c) = (&self.api, self.context);
        unsafe {
            match sort {
                Sort::Bool => (api.mk_bool_sort)(c),
                Sort::BitVec(width) => (api.mk_bv_sort)(c, width),
                Sort::Float(f) => (api.mk_fpa_sort)(c, f.exponent_bits(), f.significand_bits()),
            }
        }
    }

    fn numeral(&self, value: &Bv) -> Ast {
        // Z3 takes decimal numerals for bit vectors; `#x` and `#b` are its text's.
        let words = value.words();
        let text = if words.len() == 1 {
            words[0].to_string()
        } else {
            decimal(words)
        };
        let text = CString::new(text).unwrap_or_default();
        let sort = self.sort(Sort::BitVec(value.width()));
        unsafe { (self.api.mk_numeral)(self.context, text.as_ptr(), sort) }
    }

    pub fn value(&self, value: &Value) -> Ast {
        let (api, c) = (&self.api, self.context);
        unsafe {
            match value {
                Value::Bool(true) => (api.mk_true)(c),
                Value::Bool(false) => (api.mk_false)(c),
                Value::Bv(bv) => self.numeral(bv),
                float => {
                    let bits = self.numeral(&Bv::new(float.sort().bits(), float.low_u64() as u128));
                    (api.mk_fpa_to_fp_bv)(c, bits, self.sort(float.sort()))
                }
            }
        }
    }

    /// The variable of a number that no term has.
    pub fn proxy(&self, number: usize) -> Ast {
        let (api, c) = (&self.api, self.context);
        unsafe {
            let symbol = (api.mk_int_symbol)(c, number as std::ffi::c_int);
            (api.mk_const)(c, symbol, self.sort(Sort::Bool))
        }
    }

    fn call(&mut self, function: Function, args: &[Ast]) -> Ast {
        let decl = match self.functions.get(&function) {
            Some(&decl) => decl,
            None => {
                let name = format!(
                    "{}!{}!{}",
                    function.name,
                    function.version,
                    self.functions.len()
                );
                let symbol = self.symbol(&name);
                let sorts = function.operands.iter().map(|&sort| self.sort(sort));
                let operands: Vec<api::Sort> = sorts.collect();
                let result = self.sort(function.result);
                let (count, operands) = (operands.len() as u32, operands.as_ptr());
                let decl = unsafe {
                    (self.api.mk_func_decl)(self.context, symbol, count, operands, result)
                };
                self.functions.insert(function, decl);
                decl
            }
        };
        unsafe { (self.api.mk_app)(self.context, decl, args.len() as u32, args.as_ptr()) }
    }

    /// The byte at an object, an offset and a distance.
    pub fn byte(&mut self, version: u32, width: u32, args: &[Ast], distance: u32) -> Ast {
        let distance = self.numeral(&Bv::new(width, distance as u128));
        let at = unsafe { (self.api.mk_bvadd)(self.context, args[1], distance) };
        self.memory("byte", version, width, Sort::BitVec(8), &[args[0], at])
    }

    pub fn memory(
        &mut self,
        name: &'static str,
        version: u32,
        width: u32,
        result: Sort,
        args: &[Ast],
    ) -> Ast {
        let function = Function {
            name,
            version,
            operands: vec![Sort::BitVec(32), Sort::BitVec(width)],
            result,
        };
        self.call(function, args)
    }

    /// The 64 bits of an object's address.
    pub fn base(&mut self, object: Ast) -> Ast {
        let function = Function {
            name: "base",
            version: 0,
            operands: vec![Sort::BitVec(32)],
            result: Sort::BitVec(64),
        };
        self.call(function, &[object])
    }

    fn translate(&mut self, terms: &Terms, term: Term, args: &[Ast]) -> Ast {
        let offset = || terms.width(terms.arg(term, 1));
        match terms.op(term) {
            Op::Bool(_) | Op::Const(_) => match terms.constant(term) {
                Some(value) => self.value(&value),
                None => null_mut(),
            },
            Op::Var(symbol) => {
                let name =
                    self.symbol(&format!("{}!{}", terms.symbol(symbol).name, symbol.index()));
                let sort = self.sort(terms.sort(term));
                unsafe { (self.api.mk_const)(self.context, name, sort) }
            }
            Op::Read { version, bytes } => {
                let width = offset();
                let mut word = self.byte(version, width, args, 0);
                for i in 1..bytes {
                    let high = self.byte(version, width, args, i);
                    word = unsafe { (self.api.mk_concat)(self.context, high, word) };
                }
                word
            }
            Op::ReadPtrObject { version } => {
                self.memory("ptrobj", version, offset(), Sort::BitVec(32), args)
            }
            Op::ReadPtrOffset { version } => {
                self.memory("ptroff", version, offset(), Sort::BitVec(offset()), args)
            }
            Op::ReadTag { version } => self.memory("tag", version, offset(), Sort::Bool, args),
            Op::Base { width } => {
                let whole = self.base(args[0]);
                unsafe { (self.api.mk_extract)(self.context, width - 1, 0, whole) }
            }
            Op::FRem => {
                let sort = terms.sort(term);
                let function = Function {
                    name: "fmod",
                    version: 0,
                    operands: vec![sort, sort],
                    result: sort,
                };
                self.call(function, args)
            }
            op => self.operation(op, terms.sort(term), terms.sort(terms.arg(term, 0)), args),
        }
    }

    /// An operation that Z3 has, possibly with small differences.
    fn operation(&self, op: Op, result: Sort, operand: Sort, args: &[Ast]) -> Ast {
        let (api, c) = (&*self.api, self.context);
        unsafe {
            match (op, args) {
                (Op::And, _) => (api.mk_and)(c, args.len() as u32, args.as_ptr()),
                (Op::Or, _) => (api.mk_or)(c, args.len() as u32, args.as_ptr()),
                (Op::Extract { high, low }, [a]) => (api.mk_extract)(c, high, low, *a),
                (Op::ZeroExt { by }, [a]) => (api.mk_zero_ext)(c, by, *a),
                (Op::SignExt { by }, [a]) => (api.mk_sign_ext)(c, by, *a),
                (Op::FToBits, [a]) => self.open_bits(operand, *a),
                (Op::FToSigned { width }, [a]) => self.to_integer(*a, operand, width, true),
                (Op::FToUnsigned { width }, [a]) => self.to_integer(*a, operand, width, false),
                (Op::FFromBits(_), [a]) => (api.mk_fpa_to_fp_bv)(c, *a, self.sort(result)),
                (Op::Ite, [i, t, e]) => (api.mk_ite)(c, *i, *t, *e),
                (_, [a]) => match unary(api, op) {
                    Some(function) => function(c, *a),
                    None => self.rounded(op, self.sort(result), *a),
                },
                (_, [a, b]) => match (binary(api, op), rounded_binary(api, op)) {
                    (Some(function), _) => function(c, *a, *b),
                    (_, Some(function)) => function(c, (api.mk_fpa_rne)(c), *a, *b),
                    _ => null_mut(),
                },
                (Op::FFma, [x, y, z]) => (api.mk_fpa_fma)(c, (api.mk_fpa_rne)(c), *x, *y, *z),
                _ => null_mut(),
            }
        }
    }

    unsafe fn rounded(&self, op: Op, sort: api::Sort, a: Ast) -> Ast {
        let (api, c) = (&*self.api, self.context);
        unsafe {
            let nearest = (api.mk_fpa_rne)(c);
            match op {
                Op::FSqrt => (api.mk_fpa_sqrt)(c, nearest, a),
                Op::FRound(mode) => {
                    let mode = match mode {
                        Rounding::NearestEven => nearest,
                        Rounding::NearestAway => (api.mk_fpa_rna)(c),
                        Rounding::Up => (api.mk_fpa_rtp)(c),
                        Rounding::Down => (api.mk_fpa_rtn)(c),
                        Rounding::Zero => (api.mk_fpa_rtz)(c),
                    };
                    (api.mk_fpa_round_to_integral)(c, mode, a)
                }
                Op::FConvert(_) => (api.mk_fpa_to_fp_float)(c, nearest, a, sort),
                Op::FFromSigned(_) => (api.mk_fpa_to_fp_signed)(c, nearest, a, sort),
                Op::FFromUnsigned(_) => (api.mk_fpa_to_fp_unsigned)(c, nearest, a, sort),
                _ => null_mut(),
            }
        }
    }

    /// The encoding of a float, with the one NaN of ours.
    pub fn float_bits(&self, sort: Sort, a: Ast) -> Ast {
        let nan = match sort {
            Sort::Float(FloatSort::F32) => Bv::new(32, NAN32 as u128),
            _ => Bv::new(64, NAN64 as u128),
        };
        let (api, c) = (&*self.api, self.context);
        unsafe {
            let bits = (api.mk_fpa_to_ieee_bv)(c, a);
            (api.mk_ite)(c, (api.mk_fpa_is_nan)(c, a), self.numeral(&nan), bits)
        }
    }

    /// The encoding of a float as a program sees it: a NaN has any sign and payload. A single run
    /// may fix them, and a proof must hold for all.
    fn open_bits(&self, sort: Sort, a: Ast) -> Ast {
        let (width, exponent, quiet) = match sort {
            Sort::Float(FloatSort::F32) => (32, 0x7f80_0000, 0x40_0000),
            _ => (64, 0x7ff0_0000_0000_0000, 0x8_0000_0000_0000),
        };
        let number = |n: u128| self.numeral(&Bv::new(width, n));
        // The encodings of one float, which is one expression, are the same.
        let name = self.symbol(&format!("NaN!{:x}", a as usize));
        let (api, c) = (&*self.api, self.context);
        unsafe {
            let open = (api.mk_const)(c, name, self.sort(Sort::BitVec(width)));
            let nan = (api.mk_bvor)(c, open, number(exponent));
            let payload = (api.mk_bvand)(c, nan, number(2 * quiet - 1));
            let infinite = (api.mk_eq)(c, payload, number(0));
            let quietened = (api.mk_bvor)(c, nan, number(quiet));
            let nan = (api.mk_ite)(c, infinite, quietened, nan);
            let bits = (api.mk_fpa_to_ieee_bv)(c, a);
            (api.mk_ite)(c, (api.mk_fpa_is_nan)(c, a), nan, bits)
        }
    }

    /// Conversion towards zero, saturating, NaN to zero: Z3 leaves values that do not fit
    /// unspecified.
    fn to_integer(&self, a: Ast, sort: Sort, width: u32, signed: bool) -> Ast {
        let number = |x: f64| match sort {
            Sort::Float(FloatSort::F32) => self.value(&Value::f32(x as f32)),
            _ => self.value(&Value::f64(x)),
        };
        let (least, greatest, low, high) = if signed {
            let bound = 2f64.powi(width as i32 - 1);
            (Bv::signed_min(width), Bv::signed_max(width), -bound, bound)
        } else {
            let bound = 2f64.powi(width as i32);
            (Bv::zero(width), Bv::ones(width), 0.0, bound)
        };
        let (api, c) = (&*self.api, self.context);
        unsafe {
            let zero_mode = (api.mk_fpa_rtz)(c);
            let inside = if signed {
                (api.mk_fpa_to_sbv)(c, zero_mode, a, width)
            } else {
                (api.mk_fpa_to_ubv)(c, zero_mode, a, width)
            };
            let above = (api.mk_fpa_geq)(c, a, number(high));
            let inside = (api.mk_ite)(c, above, self.numeral(&greatest), inside);
            let below = (api.mk_fpa_leq)(c, a, number(low));
            let inside = (api.mk_ite)(c, below, self.numeral(&least), inside);
            let nan = (api.mk_fpa_is_nan)(c, a);
            (api.mk_ite)(c, nan, self.numeral(&Bv::zero(width)), inside)
        }
    }
}

impl Drop for Translator {
    fn drop(&mut self) {
        unsafe { (self.api.del_context)(self.context) }
    }
}

type Unary = unsafe extern "C" fn(Context, Ast) -> Ast;
type Binary = unsafe extern "C" fn(Context, Ast, Ast) -> Ast;
type Ternary = unsafe extern "C" fn(Context, Ast, Ast, Ast) -> Ast;

fn unary(api: &Api, op: Op) -> Option<Unary> {
    Some(match op {
        Op::Not => api.mk_not,
        Op::BvNeg => api.mk_bvneg,
        Op::BvNot => api.mk_bvnot,
        Op::FNeg => api.mk_fpa_neg,
        Op::FAbs => api.mk_fpa_abs,
        Op::FIsNan => api.mk_fpa_is_nan,
        Op::FIsInf => api.mk_fpa_is_infinite,
        Op::FIsZero => api.mk_fpa_is_zero,
        Op::FIsNormal => api.mk_fpa_is_normal,
        Op::FIsSubnormal => api.mk_fpa_is_subnormal,
        Op::FIsNegative => api.mk_fpa_is_negative,
        _ => return None,
    })
}

fn binary(api: &Api, op: Op) -> Option<Binary> {
    Some(match op {
        Op::Xor => api.mk_xor,
        Op::Eq => api.mk_eq,
        Op::Add => api.mk_bvadd,
        Op::Sub => api.mk_bvsub,
        Op::Mul => api.mk_bvmul,
        Op::Udiv => api.mk_bvudiv,
        Op::Sdiv => api.mk_bvsdiv,
        Op::Urem => api.mk_bvurem,
        Op::Srem => api.mk_bvsrem,
        Op::BvAnd => api.mk_bvand,
        Op::BvOr => api.mk_bvor,
        Op::BvXor => api.mk_bvxor,
        Op::Shl => api.mk_bvshl,
        Op::Lshr => api.mk_bvlshr,
        Op::Ashr => api.mk_bvashr,
        Op::Concat => api.mk_concat,
        Op::Ult => api.mk_bvult,
        Op::Ule => api.mk_bvule,
        Op::Slt => api.mk_bvslt,
        Op::Sle => api.mk_bvsle,
        Op::FEq => api.mk_fpa_eq,
        Op::FLt => api.mk_fpa_lt,
        Op::FLe => api.mk_fpa_leq,
        _ => return None,
    })
}

fn rounded_binary(api: &Api, op: Op) -> Option<Ternary> {
    Some(match op {
        Op::FAdd => api.mk_fpa_add,
        Op::FSub => api.mk_fpa_sub,
        Op::FMul => api.mk_fpa_mul,
        Op::FDiv => api.mk_fpa_div,
        _ => return None,
    })
}

/// Little-endian words as a decimal number.
fn decimal(mut words: Vec<u64>) -> String {
    const STEP: u128 = 10_000_000_000_000_000_000;
    let mut groups = Vec::new();
    while words.iter().any(|&word| word != 0) {
        let mut rest = 0u128;
        for word in words.iter_mut().rev() {
            let value = rest << 64 | *word as u128;
            *word = (value / STEP) as u64;
            rest = value % STEP;
        }
        groups.push(rest);
    }
    let Some(first) = groups.pop() else {
        return "0".to_owned();
    };
    let rest = groups.iter().rev().map(|group| format!("{group:019}"));
    rest.fold(first.to_string(), |text, group| text + &group)
}

#[cfg(test)]
mod tests {
    #[test]
    fn decimals() {
        assert_eq!(super::decimal(vec![0, 0]), "0");
        assert_eq!(super::decimal(vec![0, 1]), "18446744073709551616");
        assert_eq!(
            super::decimal(vec![u64::MAX, u64::MAX]),
            u128::MAX.to_string()
        );
    }
}
