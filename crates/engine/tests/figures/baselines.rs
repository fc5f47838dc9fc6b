//! The algorithms that the papers compare themselves with: the same verdicts where they end,
//! and the growth that the papers say they have. Limits are numbers of rounds, never time.

use crate::common::{self, INLINING, Run, Source, checked, solver, word};
use attest_checker::CheckResult;
use attest_engine::events::Question;
use attest_engine::strategy::Search;
use attest_engine::{Engine, Options, Order, Strategy, Verdict};
use attest_model::{BailKind, Graph};

/// Rounds for those that end.
const MANY: u64 = 2_000;

const BASELINES: [Strategy; 5] = [
    Strategy::LEE_YANNAKAKIS,
    Strategy::DSE,
    Strategy {
        search: Search::Dse(Order::Breadth),
        ..Strategy::DSE
    },
    Strategy {
        search: Search::Dse(Order::Coverage),
        ..Strategy::DSE
    },
    Strategy::CEGAR,
];

/// Runs a strategy for so many rounds from one test; a proof must be one to the checker.
fn rounds(source: &str, strategy: Strategy, rounds: u64) -> Run {
    let source = Source::new(source);
    let program = source.inlined(&INLINING);
    let graph = Graph::of(&program, strategy.granularity);
    let options = Options {
        strategy,
        rounds: Some(rounds),
        query_effort: common::PATIENCE,
        doubt: false,
        self_check: true,
        first_tests: 1,
        assumed: BailKind::ALL.to_vec(),
        ..Default::default()
    };
    let clock = std::time::Instant::now();
    let mut engine = Engine::new(&program, &graph, options, solver());
    let verdict = engine.run();
    if let Verdict::Safe(proof) = &verdict {
        let written = common::written(&source, &program, &graph, engine.terms(), proof);
        let said = checked(&program, &graph, &written);
        let accepted = matches!(said, CheckResult::Accepted(_));
        assert!(accepted, "{}: {said}", strategy.name);
    }
    let run = Run {
        verdict: word(&verdict),
        statistics: engine.statistics().clone(),
        time: clock.elapsed(),
    };
    println!(
        "{:<16} {:<8} {:>5} rounds {:>5} tests {:>6} questions {:>5} regions {:>3} predicates {verdict:.60?}",
        strategy.name,
        run.verdict,
        run.iterations(),
        run.statistics.tests,
        run.questions(),
        run.statistics.regions,
        predicates(&run),
    );
    run
}

fn predicates(run: &Run) -> u64 {
    let found = run.statistics.splits.get("predicate");
    found.copied().unwrap_or_default()
}

#[track_caller]
fn check(source: &str, expect: &str, strategies: &[Strategy]) {
    for strategy in strategies {
        let run = rounds(source, *strategy, MANY);
        assert_eq!(run.verdict, expect, "{}: {source}", strategy.name);
        assert_eq!(run.statistics.missed, 0, "{}: {source}", strategy.name);
    }
}

/// A loop whose proof is its graph, but whose states step apart for ever.
const NO_ERROR_BEHIND: &str = "int main(void) { int left = __VERIFIER_nondet_int();
    while (left > 0) left = left - 3; __VERIFIER_assume(0); reach_error(); return 0; }";

/// The property fails only after a loop with a fixed number of turns.
fn counted(turns: u32) -> String {
    format!(
        "int main(void) {{ int key = __VERIFIER_nondet_int(), turn = 0, sum = 0;
         while (turn < {turns}) {{ sum = sum + turn; turn = turn + 1; }}
         if (key == 77001) reach_error(); return sum; }}"
    )
}

/// Choices that do not matter, one after the other.
fn diamonds(count: u32) -> String {
    let one = "if (__VERIFIER_nondet_int()) left = left + 1; else right = right + 1;\n";
    format!(
        "int main(void) {{ int left = 0, right = 0, held = 1;\n{}
         if (held != 1) reach_error(); return left + right; }}",
        one.repeat(count as usize)
    )
}

#[test]
fn simple_programs_get_the_verdict_of_everybody() {
    let few = "int main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
        if (a != b) { if (3 * a == a + 24) reach_error(); } return 0; }";
    check(few, "unsafe", &BASELINES);
    let never = "int main(void) { int a = __VERIFIER_nondet_int(), b = a + 1;
        if (a > 10 && b < 5 && b > -2000000000) reach_error(); return 0; }";
    check(never, "safe", &BASELINES);
    let cases = "int main(void) { int s = __VERIFIER_nondet_int(), t = 0;
        switch (s) { case 1: case 2: t = 5; break; case 3: t = 6; break;
          case 9: t = 7; break; default: return 0; }
        if (t + s == 16) reach_error(); if (t < 5) reach_error(); return 0; }";
    check(cases, "unsafe", &BASELINES);
    let fixed = "int main(void) { int n = 0; while (n < 4) n++; if (n != 4) reach_error();
        return 0; }";
    check(fixed, "safe", &BASELINES);
    let memory = "int one = 4, two = 9; int main(void) {
        int *p = __VERIFIER_nondet_int() ? &one : &two; *p = 4;
        if (one != 4) reach_error(); return 0; }";
    check(memory, "safe", &BASELINES);
}

/// SYNERGY's section 4: no finite bisimulation quotient, and a proof without any split.
#[test]
fn lee_yannakakis_does_not_end_where_synergy_does() {
    let stuck = rounds(NO_ERROR_BEHIND, Strategy::LEE_YANNAKAKIS, 150);
    assert_eq!((stuck.verdict, stuck.iterations()), ("unknown", 150));
    let fewer = rounds(NO_ERROR_BEHIND, Strategy::LEE_YANNAKAKIS, 75);
    assert!(fewer.statistics.regions < stuck.statistics.regions);
    let synergy = rounds(NO_ERROR_BEHIND, Strategy::SYNERGY, 20);
    assert_eq!(synergy.verdict, "safe");
    assert!(synergy.statistics.split() <= 1);
}

/// One witness a region: the loop has to be taken apart, turn by turn.
#[test]
fn lee_yannakakis_unrolls_loops() {
    let splits = |turns| {
        let run = rounds(&counted(turns), Strategy::LEE_YANNAKAKIS, MANY);
        assert_eq!(run.verdict, "unsafe");
        run.statistics.split()
    };
    let (three, six) = (splits(3), splits(6));
    assert!(six >= three + 3, "{three} splits, then {six}");
    let synergy = rounds(&counted(6), Strategy::SYNERGY, 20);
    assert_eq!((synergy.verdict, synergy.statistics.split()), ("unsafe", 0));
}

/// Thesis, table 5.3: a test a path.
#[test]
fn dse_is_exponential_in_diamonds() {
    for count in 1..=6 {
        let run = rounds(&diamonds(count), Strategy::DSE, MANY);
        assert_eq!(run.verdict, "safe");
        assert_eq!(run.statistics.tests, 1 << count);
    }
    let growth = |strategy| {
        let questions = |count| rounds(&diamonds(count), strategy, MANY).questions();
        questions(6) - questions(3)
    };
    assert!(growth(Strategy::DSE) > 100);
    assert!(growth(Strategy::LCTD) < 60);
    assert!(growth(Strategy::CEGAR) < 60);
}

/// SYNERGY's section 2: an infeasible path and a predicate for each turn of the loop.
#[test]
fn cegar_needs_a_predicate_a_turn_and_dash_none() {
    let needed = |turns| {
        let run = rounds(&counted(turns), Strategy::CEGAR, MANY);
        assert_eq!(run.verdict, "unsafe");
        assert!(run.iterations() > u64::from(turns));
        predicates(&run)
    };
    let (three, six) = (needed(3), needed(6));
    assert!(six >= three + 3, "{three} predicates, then {six}");
    for turns in [3, 6, 60] {
        let dash = rounds(&counted(turns), Strategy::DASH, 20);
        assert_eq!((dash.verdict, dash.statistics.split()), ("unsafe", 0));
        assert!(dash.iterations() <= 3);
    }
}

/// SYNERGY's figure 3: where SLAM works well.
#[test]
fn cegar_proves_the_lock_in_few_rounds() {
    let lock = "int main(void) { int held, before, now = __VERIFIER_nondet_int();
        do { held = 1; before = now; if (__VERIFIER_nondet_int()) { held = 0; now++; } }
        while (before != now); if (!held) reach_error(); return 0; }";
    let run = rounds(lock, Strategy::CEGAR, 40);
    assert_eq!(run.verdict, "safe");
    let stuck = rounds(lock, Strategy::LEE_YANNAKAKIS, 300);
    println!("lee-yannakakis on the lock: {}", stuck.verdict);
}

/// Loops without a bound have no last path.
#[test]
fn dse_proves_nothing_about_open_loops() {
    let source = "int main(void) { int n = 0; while (__VERIFIER_nondet_int()) n = n ^ 2;
        if (n & 1) reach_error(); return 0; }";
    let run = rounds(source, Strategy::DSE, 30);
    assert_eq!(run.verdict, "unknown");
    let asked = run.statistics.questions[&Question::Frontier];
    assert!(asked.sat >= 10, "{asked:?}");
}
