//! `attest suite`: programs, properties and configurations, each with each, under limits.
//!
//! `plan.rs` reads the suite and makes the list of runs, of `programs.rs`; `work.rs` does one
//! run in a process of its own, `table.rs` is the file of results and
//! `totals.rs` what it comes to. A row
//! is appended to the table as soon as its run has ended, with a stamp of all
//! that the run depends on. So a suite that was killed goes on where it was: rows
//! with the right stamp are taken over, and all others are made again. In the
//! end the table is written anew in the order of the suite.

mod plan;
mod programs;
pub mod table;
pub mod totals;
mod work;

use crate::args::SuiteArgs;
use crate::exit::{Failure, Status};
use crate::output;
use attest_verifier::messages;
use plan::{Plan, Run};
use std::collections::VecDeque;
use std::sync::Mutex;
use table::{Row, Table};

/// What the workers share.
struct Shared<'a> {
    plan: &'a Plan,
    left: Mutex<VecDeque<usize>>,
    done: Mutex<Done>,
    quiet: bool,
}

struct Done {
    table: Table,
    rows: Vec<Option<Row>>,
    trouble: Option<Failure>,
}

/// Runs a suite.
pub fn suite(args: &SuiteArgs) -> Result<Status, Failure> {
    let plan = Plan::read(args)?;
    for list in plan.left_out.iter().filter(|_| !args.quiet) {
        output::note(&format!("left out, since it is not there: {list}\n"));
    }
    let (table, known) = Table::open(&plan.table)?;
    let mut rows: Vec<Option<Row>> = Vec::with_capacity(plan.runs.len());
    for run in &plan.runs {
        let same = |row: &&Row| row.is_of(run) && row.stamp == run.stamp;
        rows.push(known.iter().find(same).cloned());
    }
    let left: VecDeque<usize> = (0..rows.len()).filter(|i| rows[*i].is_none()).collect();
    let kept = rows.iter().flatten().count();
    if kept > 0 && !args.quiet {
        output::note(&format!(
            "{} of {} are in {} already\n",
            kept,
            messages::count(rows.len(), "run"),
            plan.table.display()
        ));
    }
    let workers = plan.workers.min(left.len().max(1));
    let shared = Shared {
        plan: &plan,
        left: Mutex::new(left),
        done: Mutex::new(Done {
            table,
            rows,
            trouble: None,
        }),
        quiet: args.quiet,
    };
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| shared.work());
        }
    });
    let done = shared.done.into_inner().map_err(|_| lost())?;
    if let Some(trouble) = done.trouble {
        return Err(trouble);
    }
    let rows: Vec<Row> = done.rows.into_iter().flatten().collect();
    Table::write(&plan.table, &rows)?;
    output::print(table::summary(&rows));
    Ok(match rows.iter().any(Row::is_wrong) {
        true => Status::Error,
        false => Status::Fine,
    })
}

fn lost() -> Failure {
    Failure::input("a worker of the suite was lost; start it again, it goes on where it was")
}

impl Shared<'_> {
    /// Does runs until there are none left.
    fn work(&self) {
        while let Some(i) = self.left.lock().ok().and_then(|mut left| left.pop_front()) {
            let run = &self.plan.runs[i];
            let row = work::run(self.plan, run);
            let Ok(mut done) = self.done.lock() else {
                return;
            };
            if let Err(trouble) = done.table.append(&row) {
                done.trouble = Some(trouble);
                if let Ok(mut left) = self.left.lock() {
                    left.clear();
                }
                return;
            }
            done.rows[i] = Some(row);
            if !self.quiet {
                let count = done.rows.iter().flatten().count();
                let total = done.rows.len();
                if let Some(row) = &done.rows[i] {
                    output::note(&told(row, count, total, run));
                }
            }
        }
    }
}

/// `3/24 dash, lock.c: safe, 0.42 s`.
fn told(row: &Row, count: usize, total: usize, run: &Run) -> String {
    let wrong = if row.is_wrong() { ", WRONG" } else { "" };
    let reason = match row.reason.is_empty() {
        true => String::new(),
        false => format!(" ({})", row.reason),
    };
    format!(
        "{count}/{total} {}, {}: {}{reason}{wrong}, {:.2} s\n",
        row.configuration,
        run.label(),
        row.verdict,
        row.cpu
    )
}
