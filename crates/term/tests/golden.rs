//! Every bit-vector operation at its edges, against arithmetic on `u128` and
//! `i128` that is written here anew; beyond 128 bits against schoolbook
//! arithmetic on lists of bits. All ways to compute are checked: constant
//! folding, plain evaluation, and the compiled program.

use attest_term::testing::Rng;
use attest_term::{
    Address, Bv, Env, FloatSort, Op, Program, Rounding, Scratch, Sort, SymbolId, SymbolKind, Term,
    Terms, Value,
};

/// The operands are the first two symbols.
struct Pair(Value, Value);

impl Env for Pair {
    fn var(&self, symbol: SymbolId) -> Value {
        if symbol.index() == 0 {
            self.0.clone()
        } else {
            self.1.clone()
        }
    }
    fn byte(&self, _: Address) -> u8 {
        0
    }
    fn pointer(&self, _: Address) -> (u32, u64) {
        (0, 0)
    }
    fn tag(&self, _: Address) -> bool {
        false
    }
    fn base(&self, _: u32) -> u64 {
        0
    }
}

/// Computes an operation in every way there is and expects one value of all.
#[track_caller]
fn check(op: Op, args: &[Value], expected: &Value) {
    let mut terms = Terms::new();
    let vars: Vec<Term> = args
        .iter()
        .enumerate()
        .map(|(i, arg)| terms.var(&format!("v{i}"), arg.sort(), SymbolKind::Plain))
        .collect();
    let consts: Vec<Term> = args.iter().map(|arg| terms.value(arg.clone())).collect();
    let mut roots = vec![
        terms.raw(op, &vars),
        terms.make(op, &vars),
        terms.make(op, &consts),
    ];
    if let ([x, y], [j, k]) = (&vars[..], &consts[..]) {
        roots.push(terms.make(op, &[*x, *k]));
        roots.push(terms.make(op, &[*j, *y]));
    }
    let env = Pair(args[0].clone(), args.get(1).unwrap_or(&args[0]).clone());
    for root in roots {
        let text = || format!("{op:?} {args:?} as {}", terms.to_smtlib(root));
        assert_eq!(terms.eval(root, &env), *expected, "evaluating {}", text());
        let fast = Program::compile(&terms, root).eval(&env, &mut Scratch::default());
        assert_eq!(fast, *expected, "running {}", text());
    }
}

fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

fn signed(x: u128, width: u32) -> i128 {
    if x >> (width - 1) & 1 == 1 {
        (x | !mask(width)) as i128
    } else {
        x as i128
    }
}

/// The independent meaning of the binary operations.
fn expected(op: Op, w: u32, x: u128, y: u128) -> Value {
    let (m, i, j) = (mask(w), signed(x, w), signed(y, w));
    let minus_one_or_one = if i < 0 { 1 } else { m };
    let word = match op {
        Op::Add => x.wrapping_add(y),
        Op::Sub => x.wrapping_sub(y),
        Op::Mul => x.wrapping_mul(y),
        Op::Udiv => x.checked_div(y).unwrap_or(m),
        Op::Urem => x.checked_rem(y).unwrap_or(x),
        Op::Sdiv if y == 0 => minus_one_or_one,
        Op::Sdiv => i.wrapping_div(j) as u128,
        Op::Srem if y == 0 => x,
        Op::Srem => i.wrapping_rem(j) as u128,
        Op::BvAnd => x & y,
        Op::BvOr => x | y,
        Op::BvXor => x ^ y,
        Op::Shl if y >= w as u128 => 0,
        Op::Shl => x << y,
        Op::Lshr if y >= w as u128 => 0,
        Op::Lshr => x >> y,
        Op::Ashr if y >= w as u128 => m * u128::from(i < 0),
        Op::Ashr => (i >> y) as u128,
        Op::Ult => return Value::Bool(x < y),
        Op::Ule => return Value::Bool(x <= y),
        Op::Slt => return Value::Bool(i < j),
        Op::Sle => return Value::Bool(i <= j),
        Op::Eq => return Value::Bool(x == y),
        _ => unreachable!(),
    };
    Value::bv(w, word & m)
}

const BINARY: [Op; 18] = [
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::Udiv,
    Op::Urem,
    Op::Sdiv,
    Op::Srem,
    Op::BvAnd,
    Op::BvOr,
    Op::BvXor,
    Op::Shl,
    Op::Lshr,
    Op::Ashr,
    Op::Ult,
    Op::Ule,
    Op::Slt,
    Op::Sle,
    Op::Eq,
];

#[test]
fn all_pairs_of_narrow_words() {
    for width in 1..=3 {
        for (x, y) in (0..1 << width).flat_map(|x| (0..1 << width).map(move |y| (x, y))) {
            for op in BINARY {
                let args = [Value::bv(width, x), Value::bv(width, y)];
                check(op, &args, &expected(op, width, x, y));
            }
        }
    }
}

#[test]
fn edges_of_usual_and_long_words() {
    for width in [8, 31, 32, 63, 64, 65, 127, 128] {
        let (m, top, w) = (mask(width), 1 << (width - 1), width as u128);
        let edges = [
            0,
            1,
            2,
            w - 1,
            w,
            w + 1,
            top - 1,
            top,
            top + 1,
            m - 1,
            m,
            0x55 & m,
        ];
        for (&x, &y) in edges.iter().flat_map(|x| edges.iter().map(move |y| (x, y))) {
            let (x, y) = (x & m, y & m);
            for op in BINARY {
                let args = [Value::bv(width, x), Value::bv(width, y)];
                check(op, &args, &expected(op, width, x, y));
            }
        }
        for &x in &edges {
            let (x, arg) = (x & m, [Value::bv(width, x)]);
            check(Op::BvNeg, &arg, &Value::bv(width, x.wrapping_neg() & m));
            check(Op::BvNot, &arg, &Value::bv(width, !x & m));
            for (high, low) in [(width - 1, 0), (width - 1, width - 1), (0, 0), (6, 3)] {
                let bits = x >> low & mask(high - low + 1);
                check(
                    Op::Extract { high, low },
                    &arg,
                    &Value::bv(high - low + 1, bits),
                );
            }
            if width < 128 {
                let wider = width + 1;
                check(Op::ZeroExt { by: 1 }, &arg, &Value::bv(wider, x));
                let copied = signed(x, width) as u128 & mask(wider);
                check(Op::SignExt { by: 1 }, &arg, &Value::bv(wider, copied));
            }
        }
    }
}

#[test]
fn overflow_predicates() {
    type Build = fn(&mut Terms, Term, Term) -> Term;
    type Exact = fn(i128, i128, i128, i128) -> i128;
    // The exact result, as a function of the signed and the unsigned operands, and its sign.
    let table: [(Build, Exact, bool); 6] = [
        (Terms::sadd_overflow, |i, j, _, _| i + j, true),
        (Terms::ssub_overflow, |i, j, _, _| i - j, true),
        (Terms::smul_overflow, |i, j, _, _| i * j, true),
        (Terms::uadd_overflow, |_, _, x, y| x + y, false),
        (Terms::usub_overflow, |_, _, x, y| x - y, false),
        (Terms::umul_overflow, |_, _, x, y| x * y, false),
    ];
    for width in [1u32, 3, 4, 32] {
        let (m, top) = (mask(width), 1u128 << (width - 1));
        let edges: Vec<u128> = match width {
            32 => vec![0, 1, 2, 0xffff, 0x10000, top - 1, top, top + 1, m - 1, m],
            _ => (0..=m).collect(),
        };
        for (&x, &y) in edges.iter().flat_map(|x| edges.iter().map(move |y| (x, y))) {
            for (build, exact, is_signed) in table {
                let (i, j) = (signed(x, width), signed(y, width));
                let exact = exact(i, j, x as i128, y as i128);
                let range = if is_signed {
                    -(top as i128)..top as i128
                } else {
                    0..m as i128 + 1
                };
                let mut terms = Terms::new();
                let sort = Sort::BitVec(width);
                let vars = ["a", "b"].map(|name| terms.var(name, sort, SymbolKind::Plain));
                let numbers = [x, y].map(|n| terms.bv_u128(width, n));
                let env = Pair(Value::bv(width, x), Value::bv(width, y));
                for [a, b] in [vars, [vars[0], numbers[1]], [numbers[0], vars[1]], numbers] {
                    let root = build(&mut terms, a, b);
                    let value = terms.eval(root, &env);
                    assert_eq!(
                        value,
                        Value::Bool(!range.contains(&exact)),
                        "{width} {x} {y}"
                    );
                }
            }
        }
    }
}

/// Operands of fewer bits, of which some operations never overflow.
#[test]
fn overflow_of_extended_operands() {
    type Build = fn(&mut Terms, Term, Term) -> Term;
    type Exact = fn(i128, i128) -> i128;
    let table: [(Build, Exact); 3] = [
        (Terms::sadd_overflow, |i, j| i + j),
        (Terms::ssub_overflow, |i, j| i - j),
        (Terms::smul_overflow, |i, j| i * j),
    ];
    let (narrow, wide) = (3, 5);
    let extended = |terms: &mut Terms, a: Term, is_signed: bool| match is_signed {
        true => terms.sext(a, wide),
        false => terms.zext(a, wide),
    };
    for (x, y) in (0..8).flat_map(|x| (0..8).map(move |y| (x, y))) {
        for (i, (build, exact)) in (0..4).flat_map(|i| table.map(|row| (i, row))) {
            let is_signed = [i & 1 == 1, i & 2 == 2];
            let value = |n: u128, is_signed: bool| match is_signed {
                true => signed(n, narrow),
                false => n as i128,
            };
            let exact = exact(value(x, is_signed[0]), value(y, is_signed[1]));
            let mut terms = Terms::new();
            let sort = Sort::BitVec(narrow);
            let [a, b] = ["a", "b"].map(|name| terms.var(name, sort, SymbolKind::Plain));
            let (a, b) = (
                extended(&mut terms, a, is_signed[0]),
                extended(&mut terms, b, is_signed[1]),
            );
            let root = build(&mut terms, a, b);
            let env = Pair(Value::bv(narrow, x), Value::bv(narrow, y));
            let expected = Value::Bool(!(-16..16).contains(&exact));
            assert_eq!(terms.eval(root, &env), expected, "{is_signed:?} {x} {y}");
        }
    }
}

// Beyond 128 bits: lists of bits, least significant first.

fn bits(bv: &Bv) -> Vec<bool> {
    (0..bv.width()).map(|i| bv.bit(i)).collect()
}

fn add(a: &[bool], b: &[bool]) -> Vec<bool> {
    let mut carry = false;
    let digit = |(&x, &y): (&bool, &bool)| {
        let sum = x ^ y ^ carry;
        carry = (x & y) | (x & carry) | (y & carry);
        sum
    };
    a.iter().zip(b).map(digit).collect()
}

fn neg(a: &[bool]) -> Vec<bool> {
    let not: Vec<bool> = a.iter().map(|x| !x).collect();
    let one: Vec<bool> = (0..a.len()).map(|i| i == 0).collect();
    add(&not, &one)
}

fn mul(a: &[bool], b: &[bool]) -> Vec<bool> {
    let mut product = vec![false; a.len()];
    for shift in (0..b.len()).filter(|&i| b[i]) {
        let shifted: Vec<bool> = (0..a.len()).map(|i| i >= shift && a[i - shift]).collect();
        product = add(&product, &shifted);
    }
    product
}

#[test]
fn wide_words_against_lists_of_bits() {
    let mut rng = Rng::new(3);
    for _ in 0..400 {
        let width = rng.pick(&[129, 160, 192, 200, 256]);
        let (x, y) = (rng.bv(width), rng.bv(width));
        let (a, b) = (bits(&x), bits(&y));
        assert_eq!(bits(&x.add(&y)), add(&a, &b));
        assert_eq!(bits(&x.sub(&y)), add(&a, &neg(&b)));
        assert_eq!(bits(&x.mul(&y)), mul(&a, &b));
        let less = a.iter().rev().lt(b.iter().rev());
        assert_eq!(x.ult(&y), less);
        let (sa, sb) = (a[a.len() - 1], b[b.len() - 1]);
        assert_eq!(x.slt(&y), if sa == sb { less } else { sa });
        let n = y.to_u128().map_or(usize::MAX, |n| n.min(1 << 20) as usize);
        let at = |i: usize, fill: bool| a.get(i).copied().unwrap_or(fill);
        let right = |fill| {
            (0..a.len())
                .map(|i| at(i.saturating_add(n), fill))
                .collect::<Vec<_>>()
        };
        assert_eq!(bits(&x.lshr(&y)), right(false));
        assert_eq!(bits(&x.ashr(&y)), right(sa));
        let left: Vec<bool> = (0..a.len()).map(|i| i >= n && a[i - n]).collect();
        assert_eq!(bits(&x.shl(&y)), left);
        // Division by its defining equation: x = q * y + r and r < y.
        if !y.is_zero() {
            let (q, r) = (x.udiv(&y), x.urem(&y));
            assert!(r.ult(&y));
            assert_eq!(q.mul(&y).add(&r), x);
            assert!(x.ult(&y) || !q.is_zero());
            let (q, r) = (x.sdiv(&y), x.srem(&y));
            assert_eq!(q.mul(&y).add(&r), x);
            assert!(r.is_zero() || r.is_negative() == x.is_negative());
        }
        assert_eq!(
            Bv::parse(
                width,
                &x.to_string()[2..],
                if width.is_multiple_of(4) { 16 } else { 2 }
            ),
            Some(x)
        );
    }
}

#[test]
fn floats_at_their_edges() {
    let f = Value::f64;
    let nan = f64::NAN;
    let bv = |width, number: i128| Value::bv(width, number as u128);
    let to_signed = Op::FToSigned { width: 32 };
    let to_unsigned = Op::FToUnsigned { width: 8 };
    for (op, args, result) in [
        (Op::Eq, vec![f(0.0), f(-0.0)], false.into()),
        (Op::FEq, vec![f(0.0), f(-0.0)], true.into()),
        (Op::Eq, vec![f(nan), f(-nan)], true.into()),
        (Op::FEq, vec![f(nan), f(nan)], false.into()),
        (Op::FLe, vec![f(nan), f(nan)], false.into()),
        (Op::FLt, vec![f(-0.0), f(0.0)], false.into()),
        (Op::FDiv, vec![f(1.0), f(-0.0)], f(f64::NEG_INFINITY)),
        (Op::FRem, vec![f(-5.5), f(2.0)], f(-1.5)),
        (Op::FRem, vec![f(5.0), f(0.0)], f(nan)),
        (Op::FSqrt, vec![f(-0.0)], f(-0.0)),
        (Op::FNeg, vec![f(0.0)], f(-0.0)),
        (Op::FIsNegative, vec![f(-0.0)], true.into()),
        (Op::FIsNegative, vec![f(-nan)], false.into()),
        (Op::FIsSubnormal, vec![f(5e-324)], true.into()),
        (Op::FRound(Rounding::NearestEven), vec![f(2.5)], f(2.0)),
        (Op::FRound(Rounding::NearestAway), vec![f(2.5)], f(3.0)),
        (Op::FRound(Rounding::Up), vec![f(-0.5)], f(-0.0)),
        (Op::FRound(Rounding::Down), vec![f(-0.5)], f(-1.0)),
        (Op::FRound(Rounding::Zero), vec![f(-1.5)], f(-1.0)),
        (to_signed, vec![f(-1.9)], bv(32, -1)),
        (to_signed, vec![f(2147483648.0)], bv(32, 2147483647)),
        (to_signed, vec![f(-1e300)], bv(32, -2147483648)),
        (to_signed, vec![f(nan)], bv(32, 0)),
        (to_unsigned, vec![f(-0.9)], bv(8, 0)),
        (to_unsigned, vec![f(255.9)], bv(8, 255)),
        (to_unsigned, vec![f(256.0)], bv(8, 255)),
        (
            Op::FFromSigned(FloatSort::F32),
            vec![bv(32, 16777217)],
            Value::f32(16777216.0),
        ),
        (Op::FFromUnsigned(FloatSort::F64), vec![bv(8, -1)], f(255.0)),
        (Op::FFromSigned(FloatSort::F64), vec![bv(8, -1)], f(-1.0)),
        (
            Op::FConvert(FloatSort::F32),
            vec![f(1e300)],
            Value::f32(f32::INFINITY),
        ),
        (Op::FToBits, vec![f(-nan)], bv(64, 0x7ff8 << 48)),
        (
            Op::FFromBits(FloatSort::F32),
            vec![bv(32, 0x7f80_0001)],
            Value::f32(f32::NAN),
        ),
    ] {
        check(op, &args, &result);
    }
}
