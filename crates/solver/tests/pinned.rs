//! Every operation pinned to the evaluator: with all leaves fixed to a state's
//! values, a term equals its value there and nothing else. This is the test that
//! finds a wrong circuit, at any width. 20,000 terms of each kind.

mod common;

use attest_solver::{Answer, Blaster, Limits, Solver};
use attest_term::testing::{Family, Maker, RandomEnv, Rng};
use attest_term::{Op, Sort, SymbolKind, Term, Terms, Value};

const TERMS: u64 = 20_000;
const BATCH: u64 = 25;

/// The leaves and reads of a term, fixed to their values on a state.
fn fixed(terms: &mut Terms, root: Term, seed: u64) -> (Vec<Term>, Value) {
    let leaves: Vec<Term> = terms
        .reachable(&[root])
        .into_iter()
        .filter(|&term| {
            let op = terms.op(term);
            op.is_read() || matches!(op, Op::Var(_) | Op::Base { .. })
        })
        .collect();
    let (values, value) = {
        let env = RandomEnv::new(terms, seed);
        (terms.eval_all(&leaves, &env), terms.eval(root, &env))
    };
    let pairs = leaves.into_iter().zip(values);
    let fixed = pairs.map(|(leaf, value)| {
        let value = terms.value(value);
        terms.raw(Op::Eq, &[leaf, value])
    });
    (fixed.collect(), value)
}

/// Asks whether the term has its value (yes) and whether it has not (no).
fn pin(solver: &mut dyn Solver, terms: &mut Terms, root: Term, seed: u64, limits: &Limits) -> bool {
    let (mut set, value) = fixed(terms, root, seed);
    let value = terms.value(value);
    let equal = terms.raw(Op::Eq, &[root, value]);
    let differs = terms.raw(Op::Not, &[equal]);
    set.push(equal);
    let name = solver.name();
    match solver.check(terms, &set, limits) {
        Answer::Sat(model) => assert!(model.satisfies(terms, &set), "{name}: a wrong model"),
        Answer::Unsat(_) => panic!("{name}: not its value: {}", terms.to_smtlib(root)),
        Answer::Unknown(_) => return false,
    }
    *set.last_mut().expect("it was pushed") = differs;
    match solver.check(terms, &set, limits) {
        Answer::Sat(_) => panic!("{name}: another value: {}", terms.to_smtlib(root)),
        Answer::Unsat(_) => true,
        Answer::Unknown(_) => false,
    }
}

/// Whether a term multiplies or divides words that are not narrow: such a
/// circuit is as large as the square of the width.
fn is_dear(terms: &Terms, root: Term) -> bool {
    use Op::*;
    terms.reachable(&[root]).into_iter().any(|term| {
        let product = matches!(terms.op(term), Mul | Udiv | Sdiv | Urem | Srem);
        product && terms.width(term) > 16
    })
}

/// The terms of a family: up to this size, and of the dear ones one in so many.
struct Kind {
    family: Family,
    size: u64,
    dear: u64,
}

impl Kind {
    fn term(&self, terms: &mut Terms, maker: &mut Maker) -> Term {
        loop {
            let size = 1 + maker.rng.below(self.size) as u32;
            let root = maker.term(terms, size);
            if !is_dear(terms, root) || maker.rng.one_in(self.dear) {
                return root;
            }
        }
    }
}

fn pin_family(kind: Kind, count: u64, mut make: impl FnMut() -> Option<Box<dyn Solver>>) {
    let limits = Limits::time(std::time::Duration::from_secs(10));
    let (mut open, count) = (0, common::cases(count));
    for batch in 0..count / BATCH {
        let Some(mut solver) = make() else { return };
        let mut terms = Terms::new();
        let mut maker = Maker::new(kind.family, 77 + batch);
        for _ in 0..BATCH {
            let root = kind.term(&mut terms, &mut maker);
            let seed = maker.rng.next_u64();
            open += !pin(&mut *solver, &mut terms, root, seed, &limits) as u64;
        }
    }
    assert!(open * 100 <= count, "{open} of {count} are unknown");
}

fn blaster() -> Option<Box<dyn Solver>> {
    Some(Box::new(Blaster::new()))
}

fn z3() -> Option<Box<dyn Solver>> {
    common::z3().map(|z3| Box::new(z3) as Box<dyn Solver>)
}

fn pin_in_blaster(family: Family, size: u64, dear: u64) {
    let kind = Kind { family, size, dear };
    pin_family(kind, TERMS, blaster);
}

#[test]
fn truth_values() {
    pin_in_blaster(Family::Bool, 6, 1);
}

#[test]
fn bit_vectors() {
    pin_in_blaster(Family::Bv, 4, 6);
}

#[test]
fn memory() {
    pin_in_blaster(Family::Memory, 5, 6);
}

#[test]
fn long_words() {
    pin_in_blaster(Family::Long, 3, 40);
}

#[test]
fn wide_words() {
    pin_in_blaster(Family::Wide, 2, 120);
}

/// The term with its leaves, and `fmod`, which Z3 does not know, replaced by
/// their values on a state; nothing else is folded.
fn closed(terms: &mut Terms, root: Term, seed: u64) -> (Term, Value) {
    let value = terms.eval(root, &RandomEnv::new(terms, seed));
    let mut copies = rustc_hash::FxHashMap::default();
    let copy = terms.transform(root, &mut copies, |terms, old, args| {
        let op = terms.op(old);
        if op.is_read() || matches!(op, Op::Var(_) | Op::Base { .. } | Op::FRem) {
            let value = terms.eval(old, &RandomEnv::new(terms, seed));
            return Some(terms.value(value));
        }
        Some(terms.raw(op, args))
    });
    (copy, value)
}

/// A random closed term is its value, and is not.
fn closed_question(terms: &mut Terms, maker: &mut Maker, size: u64) -> [Term; 2] {
    let size = 1 + maker.rng.below(size) as u32;
    let root = maker.term(terms, size);
    let (root, value) = closed(terms, root, maker.rng.next_u64());
    let value = terms.value(value);
    let equal = terms.raw(Op::Eq, &[root, value]);
    [equal, terms.raw(Op::Not, &[equal])]
}

/// Z3 has the evaluator's values: closed terms, which it folds itself, many in
/// a question because a question costs more than a term.
fn closed_in_z3(family: Family) {
    let limits = Limits::time(std::time::Duration::from_secs(20));
    let (count, mut open) = (common::cases(TERMS), 0);
    for batch in 0..count / 500 {
        let Some(mut z3) = common::z3() else { return };
        let mut terms = Terms::new();
        let mut maker = Maker::new(family, 77 + batch);
        for _ in 0..10 {
            let pairs = (0..50).map(|_| closed_question(&mut terms, &mut maker, 6));
            let (equal, differ): (Vec<Term>, Vec<Term>) = pairs.map(|[e, d]| (e, d)).unzip();
            let all = terms.raw(Op::And, &equal);
            let yes = z3.check(&terms, &[all], &limits);
            let some = terms.raw(Op::Or, &differ);
            let no = z3.check(&terms, &[some], &limits);
            if yes.is_sat() && no.is_unsat() {
                continue;
            }
            for (equal, differs) in equal.into_iter().zip(differ) {
                let yes = z3.check(&terms, &[equal], &limits);
                let no = z3.check(&terms, &[differs], &limits);
                let right = !yes.is_unsat() && !no.is_sat();
                assert!(right, "not its value: {}", terms.to_smtlib(equal));
                open += (yes.is_unknown() || no.is_unknown()) as u64;
            }
        }
    }
    assert!(open * 100 <= count, "{open} of {count} are unknown");
}

#[test]
fn closed_words_in_z3() {
    for family in [Family::Bool, Family::Bv, Family::Long, Family::Wide] {
        closed_in_z3(family);
    }
}

#[test]
fn closed_floats_in_z3() {
    closed_in_z3(Family::Float);
}

/// Another reader of our text, if Z3's program is there, gives it our meaning:
/// what printing and parsing have wrong together is found here.
#[test]
fn scripts_in_z3() {
    let Some(program) = common::z3_program() else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("closed.smt2");
    for family in Family::ALL {
        let mut terms = Terms::new();
        let mut maker = Maker::new(family, 99);
        for _ in 0..common::cases(2_000) / 100 {
            let pairs = (0..100).map(|_| closed_question(&mut terms, &mut maker, 6));
            let (_, differ): (Vec<Term>, Vec<Term>) = pairs.map(|[e, d]| (e, d)).unzip();
            let some = terms.raw(Op::Or, &differ);
            std::fs::write(&file, terms.to_smtlib_script(&[some])).expect("a file");
            let run = std::process::Command::new(&program).arg(&file).output();
            let said = String::from_utf8_lossy(&run.expect("Z3 runs").stdout).into_owned();
            let script = || terms.to_smtlib_script(&[some]);
            assert_eq!(said.trim(), "unsat", "{family:?}: {}", script());
        }
    }
}

/// Models of floats hold; many such questions are too hard, so a share will do.
#[test]
fn open_floats_in_z3() {
    let Some(mut z3) = common::z3() else { return };
    let limits = Limits::time(std::time::Duration::from_millis(500));
    let (mut terms, mut maker) = (Terms::new(), Maker::new(Family::Float, 9));
    let mut decided = 0;
    for _ in 0..30 {
        let root = maker.term(&mut terms, 2);
        let seed = maker.rng.next_u64();
        decided += pin(&mut z3, &mut terms, root, seed, &limits) as u64;
    }
    assert!(decided >= 5, "only {decided} of 30 decided");
}

#[test]
fn bit_vectors_and_memory_in_z3() {
    for (family, size) in [(Family::Bv, 4), (Family::Memory, 6)] {
        let dear = 3;
        pin_family(Kind { family, size, dear }, 500, z3);
    }
}

/// Each operation of two words, on the values where conventions differ.
#[test]
fn every_operation_at_its_edges() {
    use Op::*;
    let ops = [
        Add, Sub, Mul, Udiv, Sdiv, Urem, Srem, BvAnd, BvOr, BvXor, Shl, Lshr, Ashr, Ult, Ule, Slt,
        Sle, Eq, Concat,
    ];
    for width in [1, 2, 3, 5, 8, 13, 16, 31, 32, 33, 64] {
        let mut terms = Terms::new();
        let mut solver = Blaster::new();
        let mut rng = Rng::new(width as u64);
        let sort = Sort::BitVec(width);
        let [x, y] = ["x", "y"].map(|name| terms.var(name, sort, SymbolKind::Plain));
        for op in ops {
            let root = terms.raw(op, &[x, y]);
            for _ in 0..20 {
                let [a, b] = [x, y].map(|var| {
                    let value = rng.bv(width);
                    let value = terms.value(value.into());
                    (terms.raw(Op::Eq, &[var, value]), value)
                });
                let folded = terms.make(op, &[a.1, b.1]);
                let equal = terms.raw(Op::Eq, &[root, folded]);
                let differs = terms.raw(Op::Not, &[equal]);
                let yes = solver.check(&terms, &[a.0, b.0, equal], &common::no_limits());
                let no = solver.check(&terms, &[a.0, b.0, differs], &common::no_limits());
                assert!(yes.is_sat() && no.is_unsat(), "{op:?} of {width} bits");
            }
        }
    }
}

/// Rewriting is proved, on all states at once: a term and its rewritten form
/// cannot differ.
#[test]
fn rewriting_is_proved() {
    for family in [Family::Bool, Family::Bv, Family::Memory] {
        for batch in 0..common::cases(500) / BATCH {
            let (mut terms, mut solver) = (Terms::new(), Blaster::new());
            let mut maker = Maker::new(family, 555 + batch);
            for _ in 0..BATCH {
                let size = 2 + maker.rng.below(6) as u32;
                let raw = common::truth(&mut terms, &mut maker, family, size);
                let rewritten = terms.simplify(raw);
                let differ = terms.raw(Op::Xor, &[raw, rewritten]);
                let answer = solver.check(&terms, &[differ], &common::no_limits());
                assert!(answer.is_unsat(), "{}", terms.to_smtlib(raw));
            }
        }
    }
}
