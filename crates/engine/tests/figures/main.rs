//! Programs of the shape of the papers' figures, written anew, each with the verdict that
//! it must get, and families of them with the growth that the papers claim.

#[path = "../common/mod.rs"]
mod common;

mod baselines;
mod dash;
mod frame;
mod own;
mod smash;
mod steps;
mod synergy;
mod synergy_steps;
mod thesis;

use attest_engine::Strategy;
use attest_model::Granularity;
use common::Run;
use std::time::Duration;

/// The default algorithm with all that it has, at two sizes of steps.
const FULL: [Strategy; 2] = [
    Strategy::DATA,
    Strategy {
        granularity: Granularity::Basic,
        ..Strategy::DATA
    },
];

/// The other half of the default, at two sizes of steps.
const CONTROL: [Strategy; 2] = [
    Strategy::CONTROL,
    Strategy {
        granularity: Granularity::Basic,
        ..Strategy::CONTROL
    },
];

/// Runs a program with a strategy and prints the row of the figure.
fn decide(what: &str, source: &str, strategy: Strategy) -> Run {
    let program = common::program(source);
    let run = common::run(&program, strategy, Duration::from_secs(200));
    println!(
        "{what:<28} {:<8} {:<6} {:<8} {:>6} iterations {:>7} questions {:>6} regions {:>8.2?}",
        strategy.name,
        format!("{:?}", strategy.granularity),
        run.verdict,
        run.iterations(),
        run.questions(),
        run.statistics.regions,
        run.time,
    );
    run
}

/// The verdict that each of the strategies must come to within so many iterations, no test
/// going astray.
#[track_caller]
fn check(what: &str, source: &str, expect: &str, most: u64, strategies: &[Strategy]) {
    for strategy in strategies {
        let run = decide(what, source, *strategy);
        let Run {
            verdict,
            statistics,
            ..
        } = run;
        assert_eq!(verdict, expect, "{strategy:?}: {statistics:?} of {source}");
        assert_eq!(statistics.missed, 0, "{strategy:?} of {source}");
        assert!(statistics.iterations <= most, "{statistics:?} of {source}");
    }
}

/// No run of a family has more iterations or questions for each of its parts, by more than a
/// quarter, than the worst of the smaller ones: twice the size at quadratic growth has twice
/// as many.
#[track_caller]
fn linear(what: &str, family: fn(usize) -> String, sizes: &[usize], strategy: Strategy) {
    let mut worst: Option<[f64; 2]> = None;
    for n in sizes {
        let run = decide(&format!("{what}, {n}"), &family(*n), strategy);
        assert_eq!(run.verdict, "safe", "{:?}", run.statistics);
        assert_eq!(run.statistics.missed, 0);
        let now = [run.iterations(), run.questions()].map(|all| all as f64 / *n as f64);
        let before = worst.unwrap_or(now);
        let fits = |i: usize| now[i] <= before[i] * 1.25;
        assert!(
            fits(0) && fits(1),
            "at {n}: {now:?} a part, {before:?} before"
        );
        worst = Some([0, 1].map(|i| now[i].max(before[i])));
    }
}
