//! Limits and interruption are obeyed, and depth costs no stack.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use attest_solver::{
    Answer, Blaster, Cached, Limits, Portfolio, Reason, Recorded, Solver, Z3, minimise_core,
};
use attest_term::{Op, Sort, SymbolKind, Term, Terms};

fn var(terms: &mut Terms, name: &str, width: u32) -> Term {
    terms.var(name, Sort::BitVec(width), SymbolKind::Input)
}

/// The set is beyond any solver for hours, so that an answer at all is the limit's doing.
fn stops_in_time(solver: &mut dyn Solver) {
    let mut terms = Terms::new();
    let set = common::hard(&mut terms);
    for millis in [300, 1000] {
        let limit = Duration::from_millis(millis);
        match solver.check(&terms, &set, &Limits::time(limit)) {
            Answer::Unknown(reason) => assert_eq!(reason, Reason::Time),
            answer => panic!("{answer} within {limit:?}"),
        }
    }
}

#[test]
fn time() {
    stops_in_time(&mut Blaster::new());
    if let Some(mut z3) = common::z3() {
        stops_in_time(&mut z3);
    }
}

fn stops_when_asked(solver: &mut dyn Solver) {
    let mut terms = Terms::new();
    let set = common::hard(&mut terms);
    let flag = Arc::new(AtomicBool::new(false));
    let limits = Limits {
        interrupt: Some(flag.clone()),
        ..Limits::default()
    };
    let asker = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        flag.store(true, Ordering::Relaxed);
    });
    match solver.check(&terms, &set, &limits) {
        Answer::Unknown(reason) => assert_eq!(reason, Reason::Interrupted),
        answer => panic!("{answer}"),
    }
    asker.join().expect("it only sleeps");
}

#[test]
fn interruption() {
    stops_when_asked(&mut Blaster::new());
    if let Some(mut z3) = common::z3() {
        stops_when_asked(&mut z3);
    }
}

#[test]
fn conflicts() {
    let mut terms = Terms::new();
    let set = common::hard(&mut terms);
    let limits = Limits {
        conflicts: Some(100),
        ..Limits::default()
    };
    match Blaster::new().check(&terms, &set, &limits) {
        Answer::Unknown(reason) => assert_eq!(reason, Reason::Conflicts),
        answer => panic!("{answer}"),
    }
}

/// A limit of effort ends a search whose time is not limited.
#[test]
fn effort() {
    let mut solvers: Vec<Box<dyn Solver>> = vec![Box::new(Blaster::new())];
    solvers.extend(common::z3().map(|z3| Box::new(z3) as Box<dyn Solver>));
    for mut solver in solvers {
        let mut terms = Terms::new();
        let set = common::hard(&mut terms);
        let limits = Limits {
            effort: Some(Duration::from_millis(300)),
            ..Limits::default()
        };
        match solver.check(&terms, &set, &limits) {
            Answer::Unknown(Reason::Effort | Reason::Conflicts) => {}
            answer => panic!("{}: {answer}", solver.name()),
        }
    }
}

/// A product of a million bits is refused, not attempted.
#[test]
fn memory_in_encoding() {
    let mut terms = Terms::new();
    let (x, y) = (var(&mut terms, "x", 1 << 20), var(&mut terms, "y", 1 << 20));
    let product = terms.mul(x, y);
    let hard = terms.eq(product, x);
    let limits = Limits {
        memory: Some(200 << 20),
        ..Limits::default()
    };
    let mut solver = Blaster::new();
    match solver.check(&terms, &[hard], &limits) {
        Answer::Unknown(reason) => assert_eq!(reason, Reason::Memory),
        answer => panic!("{answer}"),
    }
    // The solver is of use after that.
    let (x, y) = (var(&mut terms, "a", 32), var(&mut terms, "b", 32));
    let small = terms.eq(x, y);
    assert!(solver.check(&terms, &[small], &limits).is_sat());
}

const DEPTH: usize = 1_000_000;

fn deep(
    depth: usize,
    width: u32,
    mut step: impl FnMut(&mut Terms, Term, usize) -> Term,
) -> (Terms, Term) {
    let mut terms = Terms::new();
    let mut term = var(&mut terms, "x", width);
    for i in 0..depth {
        term = step(&mut terms, term, i);
    }
    let zero = terms.bv_u128(width, 0);
    let root = terms.raw(Op::Eq, &[term, zero]);
    (terms, root)
}

/// Sums and bitwise operations in turn.
fn deep_word(depth: usize) -> (Terms, Term) {
    deep(depth, 2, |terms, term, i| {
        let x = var(terms, "x", 2);
        let op = [Op::Add, Op::BvXor, Op::BvAnd, Op::BvOr][i % 4];
        let y = if i % 3 == 0 { var(terms, "y", 2) } else { x };
        terms.raw(op, &[term, y])
    })
}

/// A million deep is sent and answered without recursion, in linear time.
#[test]
fn deep_terms() {
    let (terms, root) = deep_word(DEPTH);
    match Blaster::new().check(&terms, &[root], &common::no_limits()) {
        Answer::Sat(model) => assert!(model.satisfies(&terms, &[root])),
        answer => panic!("{answer}"),
    }
}

/// Z3 gives up on the same within its limit, whatever it would do by itself; and
/// what is just not too deep it gets, and answers or gives up.
#[test]
fn deep_terms_in_z3() {
    let Some(mut z3) = common::z3() else { return };
    for depth in [DEPTH, 20_000 - 2] {
        let (terms, root) = deep_word(depth);
        let limit = Duration::from_secs(10);
        match z3.check(&terms, &[root], &Limits::time(limit)) {
            Answer::Sat(model) => assert!(model.satisfies(&terms, &[root])),
            Answer::Unsat(_) => panic!("it holds where x and y are zero"),
            Answer::Unknown(_) => {}
        }
        // A solver serves one arena.
        z3 = common::z3().expect("it was there");
    }
}

/// Reads of reads, and sums and products, which no machine can hold: unknown, not a crash.
#[test]
fn deep_terms_beyond_the_limits() {
    let limits = Limits {
        time: Some(Duration::from_secs(10)),
        memory: Some(1 << 30),
        ..Limits::default()
    };
    let (terms, root) = deep(DEPTH, 32, |terms, term, _| {
        let x = var(terms, "x", 32);
        let product = terms.raw(Op::Mul, &[term, x]);
        terms.raw(Op::BvXor, &[product, x])
    });
    assert!(Blaster::new().check(&terms, &[root], &limits).is_unknown());
    let (terms, root) = deep(DEPTH, 32, |terms, term, i| {
        let k = terms.bv_u128(32, i as u128 % 2);
        terms.raw(
            Op::Read {
                version: 0,
                bytes: 4,
            },
            &[term, k],
        )
    });
    let _any = Blaster::new().check(&terms, &[root], &limits);
}

#[test]
fn facts_cores_and_replay() {
    let mut terms = Terms::new();
    let (x, y) = (var(&mut terms, "x", 32), var(&mut terms, "y", 32));
    let (three, five) = (terms.bv_u128(32, 3), terms.bv_u128(32, 5));
    let fact = terms.ult(x, three);
    let above = terms.ult(five, y);
    let equal = terms.eq(x, y);
    let noise = terms.ne(y, three);
    let folder = tempfile::tempdir().expect("a folder");
    let portfolio = Portfolio::new(Blaster::new(), None::<Z3>);
    let mut solver = Recorded::new(Cached::new(portfolio), folder.path()).expect("a folder");
    assert!(
        solver
            .check(&terms, &[above, equal], &common::no_limits())
            .is_sat()
    );
    solver.assert(&terms, fact);
    let set = [noise, above, equal, noise];
    match solver.check(&terms, &set, &common::no_limits()) {
        Answer::Unsat(core) => {
            let least = minimise_core(&mut solver, &terms, &core, &common::no_limits());
            assert_eq!(least, [above, equal]);
        }
        answer => panic!("{answer}"),
    }
    let first = std::fs::read_to_string(folder.path().join("000001.smt2")).expect("a file");
    assert!(first.starts_with("; blaster said sat") || first.starts_with("; portfolio said sat"));
    assert_eq!(terms.parse_smtlib_script(&first), Ok(vec![above, equal]));
    assert!(folder.path().join("000002.smt2").exists());
    assert!(solver.error().is_none());
    assert!(
        solver.statistics().propagated >= 1,
        "{}",
        solver.statistics()
    );
}

#[test]
fn floats_go_to_the_second_solver() {
    let mut terms = Terms::new();
    let x = terms.var(
        "f",
        Sort::Float(attest_term::FloatSort::F32),
        SymbolKind::Input,
    );
    let (one, two) = (terms.f32(1.0), terms.f32(2.0));
    let sum = terms.fadd(x, one);
    let equal = terms.foeq(sum, two);
    match Blaster::new().check(&terms, &[equal], &common::no_limits()) {
        Answer::Unknown(reason) => assert_eq!(reason, Reason::Float),
        answer => panic!("{answer}"),
    }
    if let Some(z3) = common::z3() {
        let mut both = Portfolio::new(Blaster::new(), Some(z3));
        let answer = both.check(&terms, &[equal], &common::no_limits());
        assert!(answer.is_sat(), "{answer}");
    }
}
