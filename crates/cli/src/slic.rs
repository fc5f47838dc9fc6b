//! `attest slic check RULE [FILE...]`: whether a rule can be used.

use crate::args::SlicCheckArgs;
use crate::exit::{Failure, Status};
use crate::output;
use attest_verifier::{Source, messages, rules};

/// Looks at a rule, and at the program that it is for, if one is given.
pub fn check(args: &SlicCheckArgs) -> Result<Status, Failure> {
    let source = Source {
        files: args.files.clone(),
        stubs: args.stubs.clone(),
        clang_args: args.clang_args.clone(),
        ..Source::default()
    };
    let rule = rules::examine(&args.rule, &source)?;
    let events: usize = rule.events.iter().map(|e| e.patterns.len()).sum();
    output::print(format!(
        "{}: {} of {}\n",
        rule.file,
        messages::count(events, "event"),
        messages::count(rule.functions().len(), "function"),
    ));
    Ok(Status::Fine)
}
