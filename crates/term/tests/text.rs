//! Texts: what the two printers write, and what the parser accepts and rejects.

use attest_term::{FloatSort, Limits, Op, Sort, SymbolKind, Term, Terms};

fn arena() -> Terms {
    let mut terms = Terms::new();
    for name in ["x", "y", "z"] {
        terms.declare(name, Sort::BitVec(32), SymbolKind::Register);
    }
    terms.declare("b", Sort::Bool, SymbolKind::Input);
    terms.declare("o", Sort::BitVec(32), SymbolKind::Ghost);
    terms.declare("p", Sort::BitVec(64), SymbolKind::Register);
    terms.declare("f", Sort::Float(FloatSort::F64), SymbolKind::Plain);
    let y = terms.lookup("y").unwrap();
    terms.set_source(y, "count");
    terms
}

/// The C-like text of what an SMT-LIB text becomes when rewritten.
#[track_caller]
fn check_c(smtlib: &str, expected: &str) {
    let mut terms = arena();
    let raw = terms.parse_smtlib(smtlib).unwrap();
    let term = terms.simplify(raw);
    assert_eq!(terms.to_c(term), expected);
}

#[test]
fn c_like() {
    check_c("(bvsle x #x00000005)", "x <= 5");
    check_c("(bvule x #x00000005)", "(uint32_t)x <= 5u");
    check_c("(not (= x y))", "x != count");
    check_c("(bvadd x #xffffffff)", "x - 1");
    check_c("(bvmul (bvadd x y) z)", "(x + count) * z");
    check_c("(bvsub x (bvsub y z))", "x - (count - z)");
    check_c("(bvand x #x000000ff)", "x & 255");
    check_c("(bvshl x #x00000003)", "x << 3");
    check_c("(bvlshr x #x00000003)", "(uint32_t)x >> 3");
    check_c("(bvashr x #x00000003)", "x >> 3");
    check_c("(= ((_ sign_extend 32) x) p)", "(int64_t)x == p");
    check_c(
        "(and b (or (= x y) (bvslt x z)))",
        "b && (x == count || x < z)",
    );
    check_c(
        "(ite b x (ite (= x y) y z))",
        "b ? x : x == count ? count : z",
    );
    check_c(
        "(read4.v0.w64 o (bvadd p #x0000000000000004))",
        "mem32[o, p + 4]",
    );
    check_c(
        "(fp.lt f (fp #b0 #b01111111111 #x8000000000000))",
        "f < 1.5",
    );
    check_c("(bvudiv x y)", "(uint32_t)x / count");
}

#[test]
fn c_like_is_cut() {
    let mut terms = arena();
    let x = terms.parse_smtlib("x").unwrap();
    let mut term = x;
    for _ in 0..100 {
        term = terms.raw(Op::Mul, &[term, term]);
    }
    let text = terms.to_c(term);
    assert!(text.contains("...") && text.len() < 5_000, "{}", text.len());
    let limits = Limits { nodes: 3, depth: 9 };
    assert_eq!(terms.to_c_within(term, limits), "... * ... * ... * ...");
}

/// What the rewriting constructors make of a text.
#[track_caller]
fn check_rewrite(smtlib: &str, expected: &str) {
    let mut terms = arena();
    let raw = terms.parse_smtlib(smtlib).unwrap();
    let term: Term = terms.simplify(raw);
    assert_eq!(terms.to_smtlib(term), expected);
}

#[test]
fn rewriting() {
    check_rewrite(
        "(bvsub (bvadd x #x00000008) (bvadd x #x00000004))",
        "#x00000004",
    );
    check_rewrite(
        "(bvadd (bvadd #x00000001 x) (bvadd y #x00000002))",
        "(bvadd (bvadd x y) #x00000003)",
    );
    check_rewrite("(= ((_ zero_extend 32) x) #x0000000100000000)", "false");
    check_rewrite("(= (ite b #x00000001 #x00000000) #x00000000)", "(not b)");
    check_rewrite("(and b x)".replace(" x", " (not b)").as_str(), "false");
    check_rewrite("(or (= x y) b (not (= y x)))", "true");
    check_rewrite("(concat ((_ extract 31 8) x) ((_ extract 7 0) x))", "x");
    check_rewrite("(bvult x #x00000001)", "(= x #x00000000)");
    check_rewrite(
        "((_ extract 15 8) (read4.v0.w64 o p))",
        "(read1.v0.w64 o (bvadd p #x0000000000000001))",
    );
    check_rewrite(
        "(bvor (bvshl ((_ zero_extend 24) ((_ extract 7 0) x)) #x00000008) ((_ zero_extend 24) ((_ extract 7 0) y)))",
        "((_ zero_extend 16) (concat ((_ extract 7 0) x) ((_ extract 7 0) y)))",
    );
    check_rewrite("(bvslt ((_ sign_extend 32) x) #x0000000080000000)", "true");
    check_rewrite(
        "((_ extract 31 0) (bvadd ((_ sign_extend 32) x) ((_ sign_extend 32) y)))",
        "(bvadd x y)",
    );
}

#[test]
fn scripts_carry_kinds_names_and_definitions() {
    let mut terms = arena();
    let text = "(let ((s (bvadd x y))) (and (bvult s (bvmul s s)) (= (read4.v1.w64 o p) s) \
                (= (fp.to_sbv_sat.w32.f64 f) x) b))";
    let root = terms.parse_smtlib(text).unwrap();
    let script = terms.to_smtlib_script(&[root]);
    let mut other = Terms::new();
    let read = other.parse_smtlib_script(&script).unwrap();
    assert_eq!(other.to_smtlib(read[0]), terms.to_smtlib(root));
    let y = other.symbol(other.lookup("y").unwrap());
    assert_eq!(
        (y.kind, y.source.as_deref()),
        (SymbolKind::Register, Some("count"))
    );
    assert!(script.contains("(declare-fun byte.v1.w64"), "{script}");
}

#[test]
fn wrong_text_is_an_error_with_its_place() {
    for (text, line, column) in [
        ("", 1, 1),
        ("(bvadd x", 1, 1),
        (")", 1, 1),
        ("x y", 1, 3),
        ("(bvadd x\n b)", 1, 1),
        ("(not\n  nothing)", 2, 3),
        ("()", 1, 1),
        ("((_ extract 40 0) x)", 1, 1),
        ("((_ extract 99999999999 0) x)", 1, 2),
        ("((_ zero_extend 4294967295) x)", 1, 1),
        ("(_ bv1 0)", 1, 1),
        ("#b", 1, 1),
        ("#xfg", 1, 1),
        ("(let ((a)) a)", 1, 7),
        ("(let x y)", 1, 1),
        ("(and)", 1, 1),
        ("(|and| b b)", 1, 3),
        ("\"b\"", 1, 2),
        ("(read0.v0.w64 o p)", 1, 1),
        ("(read4.v0.w32 o p)", 1, 1),
        ("(fp x x x)", 1, 1),
        ("(fp.add RTZ f f)", 1, 1),
        ("((_ to_fp 5 11) RNE f)", 1, 2),
        ("|x", 1, 1),
        ("é", 1, 1),
    ] {
        match arena().parse_smtlib(text) {
            Err(error) => assert_eq!(
                (error.line, error.column),
                (line, column),
                "{text}: {error}"
            ),
            Ok(_) => panic!("{text:?} was read"),
        }
    }
}

#[test]
fn damaged_text_never_panics() {
    let text = "(let (($0 (bvadd x y))) (and b (bvult $0 ((_ extract 31 0) (concat x #x1))) \
                (= (fp.add RNE f (fp #b0 #b01111111111 #x8000000000000)) f) (tag.v0.w64 o p)))";
    let mut rng = attest_term::testing::Rng::new(1);
    for _ in 0..20_000 {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..1 + rng.below(4) {
            let at = rng.below(bytes.len() as u64) as usize;
            match rng.below(3) {
                0 => drop(bytes.remove(at)),
                1 => bytes.insert(at, rng.pick(b"()_|\"#bx0 9.$")),
                _ => bytes.swap(at, 0),
            }
        }
        let _ = arena().parse_smtlib(&String::from_utf8_lossy(&bytes));
    }
}
