//! The memory limit of a search. It is alone in its process, because what a
//! search learns is measured by the growth of the process.

mod common;

use std::time::Duration;

use attest_solver::{Answer, Blaster, Limits, Reason, Solver};
use attest_term::Terms;

#[test]
fn memory_in_search() {
    let mut terms = Terms::new();
    let set = common::hard(&mut terms);
    let limits = Limits {
        memory: Some(8 << 20),
        time: Some(Duration::from_secs(60)),
        ..Limits::default()
    };
    match Blaster::new().check(&terms, &set, &limits) {
        Answer::Unknown(reason) => assert_eq!(reason, Reason::Memory),
        answer => panic!("{answer}"),
    }
}
