//! Random questions: models hold, cores are unsatisfiable, the two solvers, the
//! cache and the pre-check agree. 20,000 terms of each kind but floats, which
//! one of the two does not decide.

mod common;

use attest_solver::{Answer, Blaster, Cached, Solver, Z3};
use attest_term::testing::{Family, Maker, Rng};
use attest_term::{Address, Env, Op, Sort, SymbolId, SymbolKind, Term, Terms, Value};

/// Terms of each kind.
const TERMS: u64 = 20_000;
/// Questions to one solver, so that it is incremental and arenas stay small.
const BATCH: u64 = 100;

/// What is asked about one random question of a solver's batch.
fn for_questions(family: Family, mut check: impl FnMut(&mut Session, &[Term], u64)) {
    // Memory leaves most questions open, so it takes more terms to contradict;
    // long words are dear, so most of them are only compared.
    let (each, sizes): (u64, &[u32]) = match family {
        Family::Bool | Family::Bv => (8, &[1, 2, 3, 4, 5]),
        Family::Memory => (12, &[2, 3, 4, 5, 6, 7]),
        _ => (6, &[1, 1, 1, 1, 2]),
    };
    let (mut sat, batches) = (0, common::cases(TERMS).div_ceil(each * BATCH));
    for batch in 0..batches {
        let mut maker = Maker::new(family, 1000 + batch);
        let mut session = Session {
            terms: Terms::new(),
            blaster: Blaster::new(),
            cached: Cached::new(Blaster::new()),
            z3: common::z3(),
            sat: 0,
        };
        for _ in 0..BATCH {
            let size = maker.rng.pick(sizes);
            let set: Vec<Term> = (0..each)
                .map(|_| common::truth(&mut session.terms, &mut maker, family, size))
                .collect();
            check(&mut session, &set, maker.rng.next_u64());
        }
        sat += session.sat;
    }
    let share = sat as f64 / (batches * BATCH) as f64;
    assert!(
        (0.2..0.97).contains(&share),
        "too many of one answer: {share}"
    );
}

struct Session {
    terms: Terms,
    blaster: Blaster,
    cached: Cached<Blaster>,
    z3: Option<Z3>,
    sat: u64,
}

impl Session {
    fn text(&self, set: &[Term]) -> String {
        self.terms.to_smtlib_script(set)
    }

    /// The blaster's answer, with its evidence checked.
    fn ask(&mut self, set: &[Term], seed: u64) -> bool {
        match self.blaster.check(&self.terms, set, &common::no_limits()) {
            Answer::Sat(model) => {
                assert!(model.satisfies(&self.terms, set), "{}", self.text(set));
                self.sat += 1;
                true
            }
            Answer::Unsat(core) => {
                assert!(core.iter().all(|term| set.contains(term)));
                for i in 0..10 {
                    let holds = common::all_hold(&self.terms, &core, seed ^ i);
                    assert!(!holds, "a core holds: {}", self.text(&core));
                }
                let again = self.blaster.check(&self.terms, &core, &common::no_limits());
                assert!(
                    again.is_unsat(),
                    "a core is satisfiable: {}",
                    self.text(&core)
                );
                false
            }
            Answer::Unknown(reason) => panic!("unknown without limits: {reason}"),
        }
    }

    /// Z3's answer, with its evidence checked.
    fn ask_z3(&mut self, set: &[Term]) -> Option<bool> {
        match self
            .z3
            .as_mut()?
            .check(&self.terms, set, &common::no_limits())
        {
            Answer::Sat(model) => {
                assert!(model.satisfies(&self.terms, set), "z3: {}", self.text(set));
                Some(true)
            }
            Answer::Unsat(core) => {
                assert!(core.iter().all(|term| set.contains(term)));
                Some(false)
            }
            Answer::Unknown(reason) => panic!("z3 is unknown: {reason}"),
        }
    }

    /// The cache's answer to the set and to parts of it, checked against the
    /// blaster's, which to the set itself is `ours`.
    fn ask_cached(&mut self, set: &[Term], ours: bool) {
        let mut flipped = set.to_vec();
        flipped[0] = self.terms.not(set[0]);
        let reversed: Vec<Term> = set.iter().rev().copied().collect();
        let first = &set[..1];
        let [other, part] = [&flipped[..], first].map(|set| {
            let answer = self.blaster.check(&self.terms, set, &common::no_limits());
            answer.is_sat()
        });
        let mut cores: Vec<Vec<Term>> = Vec::new();
        for (set, expected) in [
            (set, ours),
            (&flipped, other),
            (&reversed, ours),
            (first, part),
            (set, ours),
        ] {
            match self.cached.check(&self.terms, set, &common::no_limits()) {
                Answer::Sat(model) => {
                    assert!(expected, "{}", self.text(set));
                    assert!(model.satisfies(&self.terms, set), "{}", self.text(set));
                }
                Answer::Unsat(mut core) => {
                    assert!(!expected, "{}", self.text(set));
                    assert!(core.iter().all(|term| set.contains(term)));
                    core.sort_unstable();
                    if !cores.contains(&core) {
                        let alone = self.blaster.check(&self.terms, &core, &common::no_limits());
                        assert!(alone.is_unsat(), "{}", self.text(&core));
                        cores.push(core);
                    }
                }
                Answer::Unknown(reason) => panic!("unknown without limits: {reason}"),
            }
        }
    }
}

fn agree(family: Family) {
    for_questions(family, |session, set, seed| {
        let ours = session.ask(set, seed);
        if let Some(theirs) = session.ask_z3(set) {
            assert_eq!(ours, theirs, "{}", session.text(set));
        }
        // The cache does not look inside terms, so it need not see all of them.
        if !matches!(family, Family::Long | Family::Wide) && seed % 3 == 0 {
            session.ask_cached(set, ours);
        }
    });
}

/// Facts are assumptions that stay: a solver with facts, and a cache with what it
/// knew before them, answer as one that is asked about the facts too.
#[test]
fn facts() {
    for family in [Family::Bool, Family::Bv, Family::Memory] {
        for batch in 0..common::cases(25) {
            let (mut terms, mut maker) = (Terms::new(), Maker::new(family, 2000 + batch));
            let mut plain = Blaster::new();
            let mut solvers: Vec<Box<dyn Solver>> = vec![
                Box::new(Blaster::new()),
                Box::new(Cached::new(Blaster::new())),
            ];
            solvers.extend(common::z3().map(|z3| Box::new(z3) as Box<dyn Solver>));
            let mut facts: Vec<Term> = Vec::new();
            let mut asked: Vec<Vec<Term>> = Vec::new();
            for _ in 0..20 {
                let set: Vec<Term> = if asked.is_empty() || maker.rng.one_in(3) {
                    (0..3)
                        .map(|_| common::truth(&mut terms, &mut maker, family, 4))
                        .collect()
                } else {
                    asked[maker.rng.below(asked.len() as u64) as usize].clone()
                };
                let all = [&facts[..], &set].concat();
                let expected = plain.check(&terms, &all, &common::no_limits()).is_sat();
                let text = || terms.to_smtlib_script(&all);
                for solver in &mut solvers {
                    match solver.check(&terms, &set, &common::no_limits()) {
                        Answer::Sat(model) => {
                            assert!(expected && model.satisfies(&terms, &all), "{}", text());
                        }
                        Answer::Unsat(core) => {
                            assert!(!expected && core.iter().all(|term| set.contains(term)));
                            let all = [&facts[..], &core].concat();
                            let alone = plain.check(&terms, &all, &common::no_limits());
                            assert!(alone.is_unsat(), "{}", text());
                        }
                        Answer::Unknown(reason) => panic!("unknown without limits: {reason}"),
                    }
                }
                asked.push(set);
                if maker.rng.one_in(4) {
                    let fact = common::truth(&mut terms, &mut maker, family, 4);
                    solvers.iter_mut().for_each(|s| s.assert(&terms, fact));
                    facts.push(fact);
                }
            }
        }
    }
}

/// The values of `x` and `y`, three bits each.
struct Small(u8);

impl Env for Small {
    fn var(&self, symbol: SymbolId) -> Value {
        Value::bv(3, (self.0 >> (3 * symbol.index()) & 7) as u128)
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

/// What the pre-check is for: orders and equalities of words and constants, of
/// which all states are tried.
#[test]
fn orders_and_equalities() {
    let mut rng = Rng::new(3);
    let mut propagated = 0;
    let count = common::cases(4_000);
    for _ in 0..count / 10 {
        let (mut terms, mut solver) = (Terms::new(), Cached::new(Blaster::new()));
        let sort = Sort::BitVec(3);
        let vars = ["x", "y"].map(|name| terms.var(name, sort, SymbolKind::Plain));
        let mut words: Vec<Term> = (0..8).map(|k| terms.bv_u128(3, k)).collect();
        words.extend(vars.iter().cycle().take(8));
        for _ in 0..10 {
            let set: Vec<Term> = (0..2 + rng.below(3))
                .map(|_| {
                    let op = rng.pick(&[Op::Eq, Op::Ult, Op::Ule, Op::Slt, Op::Sle]);
                    let term = terms.raw(op, &[rng.pick(&words), rng.pick(&words)]);
                    match rng.one_in(3) {
                        true => terms.raw(Op::Not, &[term]),
                        false => term,
                    }
                })
                .collect();
            let can_hold = |set: &[Term]| {
                let mut states = (0..64).map(|state| terms.eval_all(set, &Small(state)));
                states.any(|values| values.iter().all(|value| *value == Value::Bool(true)))
            };
            match solver.check(&terms, &set, &common::no_limits()) {
                Answer::Sat(model) => assert!(model.satisfies(&terms, &set)),
                Answer::Unsat(core) => {
                    let text = terms.to_smtlib_script(&core);
                    assert!(!can_hold(&core), "a core holds: {text}");
                }
                Answer::Unknown(reason) => panic!("unknown without limits: {reason}"),
            }
        }
        propagated += solver.statistics().propagated;
    }
    assert!(propagated * 10 > count, "only {propagated} refuted");
}

#[test]
fn truth_values() {
    agree(Family::Bool);
}

#[test]
fn bit_vectors() {
    agree(Family::Bv);
}

#[test]
fn memory() {
    agree(Family::Memory);
}

#[test]
fn long_words() {
    agree(Family::Long);
}

#[test]
fn wide_words() {
    agree(Family::Wide);
}
