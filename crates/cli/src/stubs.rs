//! `attest stubs FILE...`: skeletons of the functions that a program lacks.

use crate::args::StubsArgs;
use crate::exit::{Failure, Status};
use crate::output;
use attest_verifier::Skeletons;

/// Prints the skeletons.
pub fn stubs(args: &StubsArgs) -> Result<Status, Failure> {
    let made = Skeletons::of(&args.program.source()?)?;
    match made.text.is_empty() {
        true => output::complain("the program lacks no function"),
        false => output::print(made.text),
    }
    Ok(Status::Fine)
}
