//! Proofs with facts for every index: right ones are accepted, damaged ones are not.

mod common;

use attest_checker::{Fresh, check_proof};
use attest_proof::{Proof, Summary};
use attest_solver::{Blaster, Limits};
use common::{Subject, accepted, rejected, subject};
use std::time::Duration;

const ASSUMED: &[&str] = &[
    "null-dereference",
    "out-of-bounds",
    "use-after-free",
    "constant-write",
    "invalid-pointer",
    "pointer-punning",
    "overflow",
];

/// All elements are 7 after the first loop, or all but what the hole says.
fn filled(hole: &str) -> Subject {
    let c = format!(
        "int a[64];
         int main(void) {{
           int i = 0, j;
           while (i < 64) {{ a[i] = 7; {hole} i++; }}
           j = 0;
           while (j < 64) {{ if (a[j] != 7) reach_error(); j++; }}
         }}"
    );
    subject(&c, ASSUMED)
}

/// "From `from` up to `to` every element is `value`."
fn every(from: &str, to: &str, value: u32) -> String {
    format!(
        "(=> (and (bvsle {from} k) (bvslt k {to}))
             (= (read4.v0.w64 {{&a}} (bvmul k #x0000000000000004)) #x{value:08x}))"
    )
}

const ZERO: &str = "#x0000000000000000";
const ALL: &str = "#x0000000000000040";
const UP_TO_I: &str = "((_ sign_extend 32) {i})";

/// A proof with facts for every index at the two loops.
fn proof(subject: &Subject, first: Option<&str>, second: Option<&str>) -> Proof {
    let heads = subject.loops();
    let bounds = |x: &str| {
        let low = format!("(bvsle #x00000000 {x})");
        vec![low, format!("(bvsle {x} #x00000040)")]
    };
    let plain = [(heads[0], bounds("{i}")), (heads[1], bounds("{j}"))];
    let mut proof = subject.proof(&plain);
    for (at, fact) in [first, second].into_iter().enumerate() {
        proof.invariants[at].forall = fact.map(|fact| subject.fill(heads[at], fact));
    }
    proof
}

#[test]
fn every_element_that_was_written_has_its_value() {
    let subject = filled("");
    let right = proof(
        &subject,
        Some(&every(ZERO, UP_TO_I, 7)),
        Some(&every(ZERO, ALL, 7)),
    );
    let result = subject.check(&right);
    assert!(accepted(&result), "{result}");
    assert_eq!(Proof::parse(&right.to_json()), Ok(right));
}

#[test]
fn damaged_facts_are_rejected() {
    let subject = filled("");
    let (first, second) = (every(ZERO, UP_TO_I, 7), every(ZERO, ALL, 7));
    let one_more = format!("(bvadd #x0000000000000001 {UP_TO_I})");
    let below = "#xffffffffffffffff";
    let mutants = [
        // One too far, another value, before the array, the wrong way round.
        (Some(every(ZERO, &one_more, 7)), Some(second.clone())),
        (Some(every(ZERO, UP_TO_I, 8)), Some(every(ZERO, ALL, 8))),
        (Some(every(below, UP_TO_I, 7)), Some(second.clone())),
        (Some(every(UP_TO_I, ALL, 7)), Some(second.clone())),
        // Too little to be inductive, or to exclude the error.
        (None, Some(second.clone())),
        (Some(first.clone()), None),
        (
            Some(every("#x0000000000000001", UP_TO_I, 7)),
            Some(second.clone()),
        ),
        (
            Some(first.clone()),
            Some(every("#x0000000000000001", ALL, 7)),
        ),
        // For one index only.
        (
            Some(first.clone()),
            Some(format!(
                "(=> (= k #x0000000000000003) {})",
                every(ZERO, ALL, 7)
            )),
        ),
    ];
    for (at, (one, two)) in mutants.iter().enumerate() {
        let result = subject.check(&proof(&subject, one.as_deref(), two.as_deref()));
        assert!(rejected(&result), "{at}: {result}");
    }
}

#[test]
fn what_is_not_so_is_not_accepted() {
    let (first, second) = (every(ZERO, UP_TO_I, 7), every(ZERO, ALL, 7));
    for hole in [
        "if (i == 5) a[i] = 8;",
        "a[3] = 8;",
        "*(char *)&a[i] = 8;",
        "*((char *)&a[i] + 1) = 1;",
        "if (i > 0) a[i - 1] = 6;",
    ] {
        let subject = filled(hole);
        let result = subject.check(&proof(&subject, Some(&first), Some(&second)));
        assert!(rejected(&result), "{hole}: {result}");
    }
}

#[test]
fn the_index_is_no_part_of_the_state() {
    let subject = filled("");
    let fact = every(ZERO, ALL, 7);
    let mut wrong = proof(&subject, None, Some(&fact));
    wrong.invariants[0].smt = "(= k #x0000000000000000)".into();
    let mut solver = Fresh::new(Blaster::new);
    let limits = Limits::time(Duration::from_secs(60));
    let mut check = |proof: &Proof| {
        check_proof(
            &subject.program,
            &subject.graph,
            proof,
            &mut solver,
            &limits,
        )
    };
    assert!(
        check(&wrong)
            .unwrap_err()
            .0
            .contains("no part of the state")
    );
    // A summary's precondition is used negated, so it has no such facts.
    let mut summary = proof(&subject, None, Some(&fact));
    summary.summaries.push(Summary {
        id: 0,
        function: "main".into(),
        number: subject.program.entry.0,
        outcome: "error".into(),
        ghosts: Vec::new(),
        post: "true".into(),
        invariants: summary.invariants.clone(),
        calls: Vec::new(),
    });
    assert!(check(&summary).unwrap_err().0.contains("every index"));
}
