//! `attest stubs FILE...`: skeletons of the functions that a program lacks.
//!
//! A skeleton returns any value, and does nothing else. That is rarely all
//! that the function does, so it is the user who decides to take it.

use crate::args::StubsArgs;
use crate::exit::{Failure, Status};
use crate::load::Texts;
use crate::survey::Survey;
use crate::{load, output, words};
use attest_slic::stub;

/// Prints the skeletons.
pub fn stubs(args: &StubsArgs) -> Result<Status, Failure> {
    let source = args.program.source()?;
    let program = load::load(&source)?;
    let texts = Texts::of(&source)?;
    let survey = Survey::of(&program);
    let mut out = String::new();
    for (name, sites) in &survey.missing {
        let sites: Vec<String> = sites
            .iter()
            .map(|(_, at)| words::place(&program, *at))
            .collect();
        let called = sites.join(", ");
        let made = texts
            .units()
            .iter()
            .find_map(|unit| stub::skeleton(unit.ir, name, &called));
        out.push('\n');
        out.push_str(&made.unwrap_or_else(|| {
            format!("/* {name}: called at {called}; its type is for you to write. */\n")
        }));
    }
    if out.is_empty() {
        output::complain("the program lacks no function");
        return Ok(Status::Fine);
    }
    output::print(format!(
        "/* Functions that the program lacks. Each returns any value and changes nothing:\n   \
         write what else they do, and pass the file with --stubs. */\n\n{}{out}",
        stub::inputs(&out)
    ));
    Ok(Status::Fine)
}
