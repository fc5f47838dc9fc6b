//! `attest horn`, which attest calls for itself: Z3's Spacer in a process of its own, since
//! Spacer ends the process where it makes a mistake.

use crate::args::HornArgs;
use crate::exit::{Failure, Status};
use crate::output;
use attest_solver::{HornProcess, Limits, solve_horn};
use std::io::Read;
use std::time::Duration;

/// The process that answers, if this program can be started again.
pub fn process() -> Option<HornProcess> {
    Some(HornProcess {
        program: std::env::current_exe().ok()?,
        args: vec!["horn".into()],
    })
}

/// Answers the script on standard input.
pub fn horn(args: &HornArgs) -> Result<Status, Failure> {
    let mut script = String::new();
    let read = std::io::stdin().read_to_string(&mut script);
    read.map_err(|error| Failure::input(format!("the script cannot be read: {error}")))?;
    let limits = Limits {
        time: Some(Duration::from_secs_f64(args.time)),
        ..Limits::default()
    };
    match solve_horn(&script, &limits) {
        Ok(answer) => output::print(answer),
        Err(attest_solver::Reason::Other(why)) => return Err(Failure::input(why)),
        Err(_) => {}
    }
    Ok(Status::Fine)
}
