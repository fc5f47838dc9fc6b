//! Functions without a body return any value and change nothing, if the user says so.
//!
//! Bodies that do so are written to a file of C and taken as stubs. So the proof,
//! the test and its native run are of one program, which names the file, and
//! the user can read what was assumed and put better bodies in its place. A
//! function whose type cannot be written so stays missing, and is named as before.

use crate::error::Error;
use crate::session::Session;
use crate::settings::Settings;
use crate::skeletons::Skeletons;
use crate::source::Source;
use crate::survey::Survey;
use attest_model::Program;
use attest_proof::sha256_of_bytes;
use attest_store::Store;
use std::path::PathBuf;

/// Bodies that were added to a program.
pub(crate) struct Havoc {
    functions: Vec<String>,
    file: PathBuf,
}

/// Adds bodies for what the program lacks, if that is asked for and there is something.
pub(crate) fn complete(
    session: &Session,
    source: &mut Source,
    settings: &Settings,
) -> Result<Option<Havoc>, Error> {
    if !settings.havoc {
        return Ok(None);
    }
    let made = Skeletons::unless(source, Some(session.stop_flag()))?;
    if made.functions.is_empty() {
        return Ok(None);
    }
    let folder = settings.cache.clone();
    let folder = folder.unwrap_or_else(|| std::env::temp_dir().join("attest"));
    let name = format!("extern-{:.16}.c", sha256_of_bytes(made.text.as_bytes()));
    let kept = Store::at(&folder).keep(&name, &made.text);
    let file = kept.map_err(|why| {
        let name = folder.join(&name);
        let name = name.display();
        Error::input(format!(
            "{name}: the bodies of missing functions cannot be written: {why}; \
             name another folder with --cache"
        ))
    })?;
    source.stubs.push(file.clone());
    Ok(Some(Havoc {
        functions: made.functions,
        file,
    }))
}

impl Havoc {
    /// What is assumed of the functions that the program calls, in words.
    pub fn assumption(&self, program: &Program) -> Option<String> {
        let called = Survey::of(program).functions;
        let called: Vec<&str> = called.iter().map(|f| &*program.function(*f).name).collect();
        let taken = self.functions.iter().map(String::as_str);
        let taken: Vec<&str> = taken.filter(|name| called.contains(name)).collect();
        let file = self.file.display();
        (!taken.is_empty()).then(|| {
            format!(
                "functions without a body return any value and change nothing: {} (see {file})",
                taken.join(", ")
            )
        })
    }
}
