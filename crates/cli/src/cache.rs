//! `attest cache`: shows or clears what checks learnt, and where that is.

use crate::args::{CacheAction, CacheArgs, CheckArgs};
use crate::exit::{Failure, Status};
use crate::output;
use attest_store::{FOLDER, Store};
use attest_verifier::messages;
use std::path::PathBuf;

/// Set to anything, it is as `--no-cache`.
const OFF: &str = "ATTEST_NO_CACHE";

/// The folder of the store; none if there is to be no store.
pub fn folder(args: &CheckArgs) -> Option<PathBuf> {
    let on = !args.no_cache && std::env::var_os(OFF).is_none();
    on.then(|| args.cache.clone().unwrap_or_else(|| PathBuf::from(FOLDER)))
}

/// `attest cache`: shows or clears what is kept.
pub fn cache(args: &CacheArgs) -> Result<Status, Failure> {
    let folder = args.cache.clone().unwrap_or_else(|| PathBuf::from(FOLDER));
    let store = Store::at(&folder);
    let trouble = |why: std::io::Error| Failure::input(format!("{}: {why}", folder.display()));
    match args.action {
        CacheAction::Show => {
            let listed = store.list().map_err(trouble)?;
            let total: u64 = listed.iter().map(|one| one.size).sum();
            let count = messages::count(listed.len(), "program");
            let mut out = format!(
                "{}: {count}, {} kB\n",
                folder.display(),
                total.div_ceil(1000)
            );
            for one in listed {
                let what = match one.record {
                    Ok(known) => format!(
                        "{}, {}{}: {}",
                        messages::count(known.tests, "test"),
                        messages::summaries(known.summaries),
                        if known.proof { ", a proof" } else { "" },
                        known.subject,
                    ),
                    Err(why) => format!("not readable ({why}); it is ignored"),
                };
                let name = one.path.file_name().unwrap_or_default().to_string_lossy();
                out += &format!("  {name}: {what}\n");
            }
            output::print(&out);
        }
        CacheAction::Clear => {
            let count = store.clear().map_err(trouble)?;
            let count = messages::count(count, "program");
            output::print(format!("{}: forgot {count}\n", folder.display()));
        }
    }
    Ok(Status::Fine)
}
