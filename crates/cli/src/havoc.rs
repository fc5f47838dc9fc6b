//! `--extern havoc`: functions without a body return any value and change nothing.
//!
//! Bodies that do so are written to a file of C and taken as stubs. So the proof,
//! the test and its native run are of one program, which names the file, and
//! the user can read what was assumed and put better bodies in its place. A
//! function whose type cannot be written so stays missing, and is named as before.

use crate::args::{CheckArgs, External};
use crate::cache;
use crate::exit::Failure;
use crate::stubs::Skeletons;
use crate::survey::Survey;
use attest_model::Program;
use attest_proof::sha256_of_bytes;
use attest_store::Store;

/// The arguments with bodies for what the program lacks; none if nothing is to be added.
pub fn completed(args: &CheckArgs) -> Result<Option<CheckArgs>, Failure> {
    if args.external == External::Reject {
        return Ok(None);
    }
    let made = Skeletons::of(&args.program.source()?)?;
    if made.functions.is_empty() {
        return Ok(None);
    }
    let folder = cache::folder(args).unwrap_or_else(|| std::env::temp_dir().join("attest"));
    let name = format!("extern-{:.16}.c", sha256_of_bytes(made.text.as_bytes()));
    let kept = Store::at(&folder).keep(&name, &made.text);
    let file = kept.map_err(|why| {
        let name = folder.join(&name);
        let name = name.display();
        Failure::input(format!(
            "{name}: the bodies of missing functions cannot be written: {why}; \
             name another folder with --cache"
        ))
    })?;
    let mut args = args.clone();
    args.program.stubs.push(file);
    args.havocked = made.functions;
    Ok(Some(args))
}

/// What is assumed of the functions that the program calls, in words.
pub fn assumption(args: &CheckArgs, program: &Program) -> Option<String> {
    let called = Survey::of(program).functions;
    let called: Vec<&str> = called.iter().map(|f| &*program.function(*f).name).collect();
    let taken = args.havocked.iter().map(String::as_str);
    let taken: Vec<&str> = taken.filter(|name| called.contains(name)).collect();
    let file = args.program.stubs.last()?.display();
    (!taken.is_empty()).then(|| {
        format!(
            "functions without a body return any value and change nothing: {} (see {file})",
            taken.join(", ")
        )
    })
}
