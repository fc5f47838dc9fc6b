//! The benchmark of the solver issue: terms built and evaluated, then the same
//! questions to the embedded solver and to Z3, side by side in one run.
//!
//! `cargo run --release -p attest-bench --bin solvers`; a number as argument
//! divides the questions for a quick look, and a word after it selects the sets
//! with that word in their names. Seeds are fixed. `ATTEST_Z3` says where Z3 is.

mod states;
mod workload;

use std::time::{Duration, Instant};

use attest_solver::{Answer, Blaster, Cached, Limits, Solver, Z3};
use attest_term::{Term, Terms};

type Make = fn(&mut Terms, usize) -> workload::Questions;

const SETS: [(&str, Make, usize); 3] = [
    ("5,000 path-like queries", workload::paths, 5_000),
    ("500 cores over 40 assumptions", workload::cores, 500),
    ("500 memory queries", workload::memory, 500),
];

fn main() {
    let divisor = std::env::args().nth(1).and_then(|arg| arg.parse().ok());
    let divisor: usize = divisor.unwrap_or(1);
    states::run();
    match Z3::load() {
        Ok(z3) => println!("\nZ3 {}", z3.version()),
        Err(error) => println!("\nwithout Z3: {error}"),
    }
    println!(
        "{:<30} {:<9} {:>5} {:>5} {:>4} {:>10} {:>10} {:>10} {:>9}",
        "set", "solver", "sat", "unsat", "unk", "median", "99%", "total", "core size"
    );
    let word = std::env::args().nth(2).unwrap_or_default();
    let mut totals = [Duration::ZERO; 2];
    for (name, make, count) in SETS {
        if !name.contains(&word) {
            continue;
        }
        let mut terms = Terms::new();
        let questions = make(&mut terms, (count / divisor).max(1));
        let mut solvers: Vec<(&str, Box<dyn Solver>)> = vec![("default", Box::new(Blaster::new()))];
        if let Ok(z3) = Z3::load() {
            solvers.push(("z3", Box::new(z3)));
        }
        let mut verdicts: Vec<Vec<Option<bool>>> = Vec::new();
        for (i, (label, mut solver)) in solvers.into_iter().enumerate() {
            let run = Run::new(&mut solver, &terms, &questions);
            run.print(name, label);
            totals[i] += run.total();
            if i == 0 {
                println!("{:>40} {}", "", solver.statistics());
            }
            verdicts.push(run.verdicts);
        }
        if let [ours, z3] = &verdicts[..] {
            let clash = ours
                .iter()
                .zip(z3)
                .filter(|(a, b)| a.is_some() && b.is_some() && a != b);
            assert_eq!(clash.count(), 0, "the two solvers disagree");
        }
        let mut cached = Cached::new(Blaster::new());
        let run = Run::new(&mut cached, &terms, &questions);
        run.print(name, "cached");
    }
    let [ours, z3] = totals.map(|total| total.as_secs_f64());
    println!(
        "\nall sets: default {ours:.2} s, z3 {z3:.2} s, ratio default/z3 {:.2}",
        ours / z3
    );
}

/// The answers of one solver to one set.
struct Run {
    times: Vec<Duration>,
    verdicts: Vec<Option<bool>>,
    core_terms: usize,
}

impl Run {
    fn new(solver: &mut dyn Solver, terms: &Terms, questions: &[Vec<Term>]) -> Run {
        let limits = Limits::time(Duration::from_secs(10));
        let mut run = Run {
            times: Vec::new(),
            verdicts: Vec::new(),
            core_terms: 0,
        };
        for question in questions {
            let start = Instant::now();
            let answer = solver.check(terms, question, &limits);
            run.times.push(start.elapsed());
            run.verdicts.push(match answer {
                Answer::Sat(model) => {
                    assert!(model.satisfies(terms, question), "a model does not hold");
                    Some(true)
                }
                Answer::Unsat(core) => {
                    run.core_terms += core.len();
                    Some(false)
                }
                Answer::Unknown(_) => None,
            });
        }
        run
    }

    fn total(&self) -> Duration {
        self.times.iter().sum()
    }

    fn print(&self, name: &str, label: &str) {
        let mut times = self.times.clone();
        times.sort_unstable();
        let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)];
        let count = |verdict| self.verdicts.iter().filter(|v| **v == verdict).count();
        let unsat = count(Some(false));
        println!(
            "{name:<30} {label:<9} {:>5} {unsat:>5} {:>4} {:>10.3?} {:>10.3?} {:>10.3?} {:>9.1}",
            count(Some(true)),
            count(None),
            at(50),
            at(99),
            self.total(),
            self.core_terms as f64 / unsat.max(1) as f64
        );
    }
}
