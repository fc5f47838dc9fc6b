//! The interpreter against the machine: the same C source compiled and run
//! natively, and loaded and interpreted, must print the same and end with the
//! same status.
//!
//! `programs/` has what csmith does not make: one file is one program, a
//! folder is a program of several files. A first line of `/* lp64 */` keeps a
//! program from the 32-bit run. `csmith` runs generated programs of fixed seeds.

mod csmith;
mod native;
mod programs;

use attest::load::{Source, load};
use attest_exec::{Inputs, Interpreter, Limits, Outcome, Overflow};
use attest_llvm::clang::DataModel;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What a run of a program shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// What it printed.
    pub stdout: Vec<u8>,
    /// Its exit status; of a signal, the shell's number for it.
    pub status: i32,
}

/// What interpreting a program comes to.
pub enum Interpreted {
    /// It ended.
    Ended(Shown),
    /// It reached a limit.
    OverLimit,
    /// It cannot be loaded, or left the model.
    Failed(String),
}

/// A program to compare.
pub struct Task {
    /// Its sources.
    pub files: Vec<PathBuf>,
    /// The machine.
    pub data_model: DataModel,
    /// What both compilations get.
    pub clang_args: Vec<String>,
}

const STEPS: u64 = 20_000_000;

/// Flags that both compilations need for a data model.
pub fn machine_args(data_model: DataModel) -> &'static [&'static str] {
    match data_model {
        DataModel::Lp64 => &["-m64"],
        DataModel::Ilp32 => &["-m32", "-msse2", "-mfpmath=sse"],
    }
}

/// Loads and interprets a program.
pub fn interpret(task: &Task) -> Interpreted {
    let machine = machine_args(task.data_model).iter().map(|a| a.to_string());
    let source = Source {
        files: task.files.clone(),
        data_model: task.data_model,
        clang_args: task.clang_args.iter().cloned().chain(machine).collect(),
        ..Source::default()
    };
    let program = match load(&source) {
        Ok(program) => program,
        Err(e) => return Interpreted::Failed(e.to_string()),
    };
    let limits = Limits {
        steps: STEPS,
        ..Limits::default()
    };
    let inputs = Arc::new(Inputs::default());
    let mut run = Interpreter::new(&program, inputs, Overflow::Wrap, limits);
    run.machine.output = Some(Vec::new());
    let outcome = run.run();
    let status = match outcome {
        Outcome::Returned(value) => value.unwrap_or(0) as i32 & 0xff,
        Outcome::Exited(value) => value as i32 & 0xff,
        Outcome::Aborted => 128 + 6,
        Outcome::StepLimit | Outcome::MemoryLimit | Outcome::DepthLimit => {
            return Interpreted::OverLimit;
        }
        other => {
            let place = program.place(run.place());
            return Interpreted::Failed(format!("{other:?} at {place}"));
        }
    };
    let stdout = run.machine.output.take().unwrap_or_default();
    Interpreted::Ended(Shown { stdout, status })
}

/// The first difference of two runs, in words.
pub fn difference(native: &Shown, interpreted: &Shown) -> Option<String> {
    let mut lines = (
        native.stdout.split(|b| *b == b'\n'),
        interpreted.stdout.split(|b| *b == b'\n'),
    );
    for number in 1.. {
        match (lines.0.next(), lines.1.next()) {
            (None, None) => break,
            (a, b) if a == b => {}
            (a, b) => {
                let text = |line: Option<&[u8]>| match line {
                    Some(line) => format!("`{}`", String::from_utf8_lossy(line)),
                    None => "nothing".to_string(),
                };
                return Some(format!(
                    "line {number}: native {}, interpreted {}",
                    text(a),
                    text(b)
                ));
            }
        }
    }
    (native.status != interpreted.status).then(|| {
        format!(
            "status: native {}, interpreted {}",
            native.status, interpreted.status
        )
    })
}

/// Does a job for each number below `count`, on all cores.
pub fn in_parallel(count: usize, job: impl Fn(usize) + Sync) {
    let workers = std::thread::available_parallelism().map_or(1, |n| n.get());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    if i >= count {
                        break;
                    }
                    job(i);
                }
            });
        }
    });
}
