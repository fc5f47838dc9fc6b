use attest_solver::{Answer, Blaster, Limits, Solver, Z3};
use attest_term::testing::{Family, Maker, RandomEnv};
use attest_term::{Sort, Terms, Value};

#[test]
fn smoke_z3() {
    for family in [Family::Bool, Family::Bv, Family::Memory, Family::Float] {
        if family == Family::Float {
            let z = Z3::load().unwrap();
            println!("{}", z.version());
        }
        let start = std::time::Instant::now();
        let (mut sat, mut unsat) = (0, 0);
        for batch in 0..5 {
            let mut terms = Terms::new();
            let mut maker = Maker::new(family, batch);
            let mut solver = Z3::load().unwrap();
            for _ in 0..50 {
                let size = 1 + maker.rng.below(6) as u32;
                let a = maker.term_of(&mut terms, Sort::Bool, size);
                let b = maker.term_of(&mut terms, Sort::Bool, size);
                match solver.check(
                    &terms,
                    &[a, b],
                    &Limits::time(std::time::Duration::from_millis(100)),
                ) {
                    Answer::Sat(model) => {
                        sat += 1;
                        assert!(
                            model.satisfies(&terms, &[a, b]),
                            "{}\n{}",
                            terms.to_smtlib(a),
                            terms.to_smtlib(b)
                        );
                    }
                    Answer::Unsat(core) => {
                        unsat += 1;
                        for seed in 0..5 {
                            let env = RandomEnv::new(&terms, seed);
                            assert!(
                                core.iter()
                                    .any(|&c| terms.eval(c, &env) == Value::Bool(false))
                            );
                        }
                    }
                    Answer::Unknown(r) => println!("{r}"),
                }
            }
            if batch == 0 {
                println!("{}", solver.statistics());
            }
        }
        println!("{family:?} {sat} {unsat} {:?}", start.elapsed());
    }
}
