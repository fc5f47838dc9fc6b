//! `attest compare`: tables of suites side by side, in words and as a page with plots.
//!
//! A column is a configuration of a table. `columns.rs` puts the rows of
//! several tables beside each other, `svg.rs` draws, and `page.rs` makes the
//! page, which needs nothing but itself.

mod columns;
mod page;
mod svg;

use crate::args::CompareArgs;
use crate::exit::{Failure, Status};
use crate::output;
use columns::Columns;

/// Compares tables.
pub fn compare(args: &CompareArgs) -> Result<Status, Failure> {
    let columns = Columns::read(&args.tables)?;
    if let Some(file) = &args.out {
        let name = file.display();
        std::fs::write(file, page::of(&columns))
            .map_err(|why| Failure::input(format!("{name}: the page cannot be written: {why}")))?;
    }
    output::print(columns.in_words());
    if let Some(file) = &args.out {
        output::print(format!("the page is {}\n", file.display()));
    }
    Ok(match columns.disagree().is_empty() {
        true => Status::Fine,
        false => Status::Error,
    })
}
