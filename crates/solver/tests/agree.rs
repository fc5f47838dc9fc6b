//! Random questions: models hold, cores are unsatisfiable, the two solvers, the
//! cache and the pre-check agree. 20,000 terms of each kind.

mod common;

use attest_solver::{Answer, Blaster, Cached, Solver, Z3};
use attest_term::testing::{Family, Maker};
use attest_term::{Term, Terms};

/// Terms of each kind.
const TERMS: u64 = 20_000;
/// Questions to one solver, so that it is incremental and arenas stay small.
const BATCH: u64 = 100;

/// What is asked about one random question of a solver's batch.
fn for_questions(family: Family, mut check: impl FnMut(&mut Session, &[Term], u64)) {
    // Memory leaves most questions open, so it takes more terms to contradict.
    let each = if family == Family::Memory { 8 } else { 4 };
    let (mut sat, questions) = (0, common::cases(TERMS / each));
    for batch in 0..questions / BATCH {
        let mut maker = Maker::new(family, 1000 + batch);
        let mut session = Session {
            terms: Terms::new(),
            blaster: Blaster::new(),
            cached: Cached::new(Blaster::new()),
            z3: common::z3(),
            sat: 0,
        };
        for _ in 0..BATCH {
            let size = 2 + maker.rng.below(9) as u32;
            let set: Vec<Term> = (0..each)
                .map(|_| common::narrow(&mut session.terms, &mut maker, family, size))
                .collect();
            check(&mut session, &set, maker.rng.next_u64());
        }
        sat += session.sat;
    }
    let share = sat as f64 / questions as f64;
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

    /// The cache's answer to the set and to parts of it, checked against the blaster's.
    fn ask_cached(&mut self, set: &[Term]) {
        let mut flipped = set.to_vec();
        flipped[0] = self.terms.not(set[0]);
        let reversed: Vec<Term> = set.iter().rev().copied().collect();
        for set in [set, &flipped, &reversed, &set[..1], set] {
            let plain = self.blaster.check(&self.terms, set, &common::no_limits());
            match self.cached.check(&self.terms, set, &common::no_limits()) {
                Answer::Sat(model) => {
                    assert!(plain.is_sat(), "{}", self.text(set));
                    assert!(model.satisfies(&self.terms, set), "{}", self.text(set));
                }
                Answer::Unsat(core) => {
                    assert!(plain.is_unsat(), "{}", self.text(set));
                    assert!(core.iter().all(|term| set.contains(term)));
                    let core_alone = self.blaster.check(&self.terms, &core, &common::no_limits());
                    assert!(core_alone.is_unsat(), "{}", self.text(&core));
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
        session.ask_cached(set);
    });
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
