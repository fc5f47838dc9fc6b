//! The shapes of SMASH's figures 1 to 4, with what the summaries did, and a family where one
//! procedure is called ever more often.

use crate::common::{self, INLINING, Run, Source};
use attest_checker::CheckResult;
use attest_engine::events::ProcedureEvent;
use attest_engine::{Engine, Options, Strategy, Technique, Verdict};
use attest_model::{Graph, InlineOptions, Partial};
use std::time::{Duration, Instant};

/// Nothing is inlined: the figures' procedures are small.
const APART: InlineOptions = InlineOptions {
    partial: Some(Partial {
        small: 0,
        once: 0,
        growth: 1,
    }),
    ..INLINING
};

/// Runs a program a procedure at a time; a proof is accepted by the checker.
#[track_caller]
fn smash(what: &str, source: &str, strategy: Strategy, expect: &str) -> Run {
    smash_without(what, source, strategy, expect, &[])
}

/// The same with some techniques switched off.
#[track_caller]
pub(crate) fn smash_without(
    what: &str,
    source: &str,
    strategy: Strategy,
    expect: &str,
    without: &[Technique],
) -> Run {
    let source = Source::new(source);
    let program = source.inlined(&APART);
    let graph = Graph::of(&program, strategy.granularity);
    let options = Options {
        strategy,
        most_effort: Some(Duration::from_secs(120)),
        query_effort: common::PATIENCE,
        self_check: true,
        without: without.to_vec(),
        ..Default::default()
    };
    let clock = Instant::now();
    let mut engine = Engine::new(&program, &graph, options, common::solver());
    let verdict = engine.run();
    let run = Run {
        verdict: common::word(&verdict),
        statistics: engine.statistics().clone(),
        time: clock.elapsed(),
    };
    println!(
        "{what:<20} {:<6} {:<7} {:>5} iterations {:?} {:.2?}",
        strategy.name,
        run.verdict,
        run.iterations(),
        run.statistics.procedures,
        run.time
    );
    assert_eq!(run.verdict, expect, "{what}: {:?}", run.statistics);
    if let Verdict::Safe(proof) = &verdict {
        let written = common::written_of(&source, &APART, &program, &graph, engine.terms(), proof);
        let result = common::checked(&program, &graph, &written);
        assert!(
            matches!(result, CheckResult::Accepted(_)),
            "{what}: {result:?}"
        );
    }
    run
}

/// Figure 1: one not-may summary serves all the calls of a distance that is never negative.
fn distances(calls: usize) -> String {
    let mut text = String::from(
        "int distance(int a) { if (a < -1000 || a > 1000) return 7; if (a > 0) return a; return -a; }\n\
         int main(void) { int far = 0;\n",
    );
    for i in 0..calls {
        text += &format!("int d{i} = distance(__VERIFIER_nondet_int()); if (d{i} < 0) far = 1;\n");
    }
    text + "if (far) reach_error(); return 0; }"
}

#[test]
fn one_not_may_summary_for_all_calls() {
    let run = smash("smash 1", &distances(3), Strategy::SMASH, "safe");
    assert!(run.statistics.did(ProcedureEvent::NotMay) >= 1);
    assert!(
        run.statistics.did(ProcedureEvent::NotMayUsed) > run.statistics.did(ProcedureEvent::NotMay)
    );
}

/// Figure 2: the way around the complicated part, found once, serves all the calls.
#[test]
fn one_must_summary_for_all_calls() {
    let run = smash(
        "smash 2",
        "unsigned mix(unsigned n) { for (int i = 0; i < 9; i++) n = (n ^ (n >> 3)) * 40503u + 7u; return n; }\n\
         int pick(int n) { if (n > 700123) return n; return (int) (mix((unsigned) n) >> 9) - 9000000; }\n\
         int main(void) {\n\
           int a = pick(__VERIFIER_nondet_int()), b = pick(__VERIFIER_nondet_int()), c = pick(__VERIFIER_nondet_int());\n\
           if (a > 0) if (b > a) if (c > b) if (c == 2000000000) reach_error();\n\
           return 0; }",
        Strategy::SMASH,
        "unsafe",
    );
    assert!(
        run.statistics.did(ProcedureEvent::MustUsed) >= 1,
        "{:?}",
        run.statistics
    );
}

/// Figure 3: that one branch cannot do it is a not-may summary, so the test goes by the other.
#[test]
fn a_not_may_summary_leads_to_a_test() {
    let run = smash(
        "smash 3",
        "int odd(int n) { int s = n; for (int i = 0; i < 6; i++) { if (__VERIFIER_nondet_int()) s += 4; else s -= 2; } return 2 * s + 1; }\n\
         int choose(int n, int how) { if (how != 123456789) return odd(n) + 1; while (n < 5) n++; while (n > 0) n--; return n + 1; }\n\
         int main(void) { int n = 0; int r = choose(n, __VERIFIER_nondet_int());\n\
           if (r == 1) reach_error(); return 0; }",
        Strategy::SMASH,
        "unsafe",
    );
    assert!(
        run.statistics.did(ProcedureEvent::NotMay) >= 1,
        "{:?}",
        run.statistics
    );
}

/// Figure 4: both branches are shown to be reachable by paths that tests took, so nobody
/// tries to prove the opposite, and the proof is about the rest.
#[test]
fn a_must_summary_leads_to_a_proof() {
    let run = smash(
        "smash 4",
        "int steps(int n) { int s = 0; if (n > 99) n = 99; while (n > 1) { n = n % 2 ? n / 3 : n / 2; s++; } return s & 63; }\n\
         int size(int n) { if (n > 0) return n; if (n == -2147483647 - 1) return 0; return -n; }\n\
         int both(int n, int m) { int r, y = steps(n); if (y > 3) r = size(m); else r = y; return r; }\n\
         int main(void) { int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();\n\
           if (n > 2 && m > 2) { int x = both(n, m); if (x < 0) reach_error(); }\n\
           return 0; }",
        Strategy::SMASH,
        "safe",
    );
    assert!(
        run.statistics.did(ProcedureEvent::NotMay) >= 1,
        "{:?}",
        run.statistics
    );
    assert!(
        run.statistics.did(ProcedureEvent::MustUsed) >= 1,
        "{:?}",
        run.statistics
    );
}

/// One procedure, n calls: sub-queries do not grow.
#[test]
fn sub_queries_do_not_grow_with_calls() {
    let queries = |n: usize| {
        let run = smash("smash calls", &distances(n), Strategy::SMASH, "safe");
        run.statistics.did(ProcedureEvent::Query)
    };
    let (few, many) = (queries(2), queries(16));
    assert!(many <= few + 1, "{few}, then {many}");
}

/// Its halves come to the same answer, and the one without not-may summaries asks more.
#[test]
fn the_halves_ask_more() {
    let asked = |strategy| {
        let run = smash("smash halves", &distances(8), strategy, "safe");
        run.statistics.did(ProcedureEvent::Query)
    };
    let (both, may, must) = (
        asked(Strategy::SMASH),
        asked(Strategy::MAY),
        asked(Strategy::MUST),
    );
    assert!(both <= may && may < must, "{both} {may} {must}");
}

/// Procedures with objects of their own, which none of the caller's is: the proof says so of
/// the ghosts that stand for the caller's, through two levels of calls.
#[test]
fn callees_have_objects_of_their_own() {
    let source = "extern int __VERIFIER_nondet_int(void);
        static int set(int *to, int k) {
          int own[2];
          int *last = &own[k & 1];
          own[0] = k;
          own[1] = 7;
          if (*last == 7) { *to = 1; return 1; }
          return 0;
        }
        static int around(int *to, int k) {
          int own[2] = {k, 8};
          int *last = &own[k & 1];
          *last = 9;
          return CALL;
        }
        int main(void) {
          int n = 5;
          if (!around(&n, __VERIFIER_nondet_int()) && n != 5) reach_error();
          return 0;
        }";
    for strategy in [Strategy::SMASH, Strategy::MAY, Strategy::MUST] {
        let right = source.replace("CALL", "set(to, k)");
        smash("smash own objects", &right, strategy, "safe");
        let wrong = source.replace("CALL", "set(to, k) & (k != 41)");
        smash("smash own objects", &wrong, strategy, "unsafe");
    }
}

/// Regions after a call say much of what the call is not about; what the paths of tests miss
/// is all that its not-may summary is about, so that it serves other regions.
const LIFT: &str = "int door, motor, at, light, bell;
    void ride(int n) {
      if (door) { motor = 0; bell = 0; return; }
      light = n;
      if (n > at) { at++; motor = 1; bell = 0; }
      else if (n < at) { at--; motor = 1; bell = 0; }
      else { motor = 0; door = 1; bell = n; }
    }
    void shut(void) { if (motor == 0) door = 0; light = 0; bell = 0; }
    int main(void) {
      while (__VERIFIER_nondet_int()) {
        int n = __VERIFIER_nondet_int();
        if (n < 0 || n > 4) continue;
        ride(n);
        if (door && motor && light == 3) reach_error();
        if (__VERIFIER_nondet_int()) { shut(); if (door && light == 0 && motor) reach_error(); }
        else { ride(4 - n); if (door && motor && bell == 2) reach_error(); ride(n); }
        if (at > 4 && door && bell) reach_error();
        if (at < 0 && light > 1) reach_error();
        if (door && motor) reach_error();
      }
      return 0;
    }";

#[test]
fn must_summaries_make_not_may_summaries_wider() {
    let with = smash("weaker", LIFT, Strategy::SMASH, "safe");
    let off = [Technique::QueryWeakening];
    let without = smash_without("weaker, off", LIFT, Strategy::SMASH, "safe", &off);
    let may = smash("weaker", LIFT, Strategy::MAY, "safe");
    for other in [without, may] {
        let made = |run: &Run| run.statistics.did(ProcedureEvent::NotMay);
        assert!(3 * made(&with) < 2 * made(&other), "{:?}", other.statistics);
    }
}

/// Parts that the tests so far missed, and that other tests have: such queries are asked
/// again with more parts, and nothing is lost.
#[test]
fn a_weaker_query_that_a_test_answers_is_asked_anew() {
    let text = "int mode, gate, fuse, heat;
        void set(int n) {
          heat = n & 3;
          if (n == 7001) gate = 1;
          if (n == 9002) fuse = 1;
          if (n == 12345) mode = n;
        }
        void work(int n) {
          if (gate) { fuse = 0; heat = n & 7; }
          if (n == 3003 && fuse) mode = 2;
        }
        int main(void) {
          while (__VERIFIER_nondet_int()) {
            set(__VERIFIER_nondet_int());
            if (gate && fuse && mode == 5) reach_error();
            work(__VERIFIER_nondet_int());
            if (gate && fuse && heat == 1) reach_error();
            if (gate && fuse) reach_error();
            if (mode == 2 && heat > MOST) reach_error();
            set(__VERIFIER_nondet_int());
            work(__VERIFIER_nondet_int());
            if (gate && fuse) reach_error();
          }
          return 0;
        }";
    let safe = smash(
        "refuted",
        &text.replace("MOST", "8"),
        Strategy::SMASH,
        "safe",
    );
    assert!(
        safe.statistics.did(ProcedureEvent::Refuted) >= 1,
        "{:?}",
        safe.statistics
    );
    smash(
        "refuted",
        &text.replace("MOST", "6"),
        Strategy::SMASH,
        "unsafe",
    );
}
