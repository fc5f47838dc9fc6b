//! attest as a library: check a C program from Rust.
//!
//! A [`Checker`] has the program and the options, [`Checker::check`] does the
//! work, and an [`Answer`] is the verdict with its evidence as values. What
//! `attest check` prints is made of the same values. clang is needed, as for
//! the command.
//!
//! ```
//! # let folder = tempfile::tempdir()?;
//! # let file = folder.path().join("abs.c");
//! # std::fs::write(&file, "
//! # int __VERIFIER_nondet_int(void);
//! # void reach_error(void);
//! # int main(void) {
//! #   int x = __VERIFIER_nondet_int();
//! #   int y = x < 0 ? -x : x;
//! #   if (y < 0) reach_error();
//! # }")?;
//! use attest_api::{Checker, Verdict};
//! use std::time::Duration;
//!
//! let answer = Checker::new([&file])
//!     .time_limit(Duration::from_secs(60))
//!     .check()?;
//! match answer.verdict() {
//!     Verdict::Unsafe(failure) => {
//!         // The absolute value of the smallest number is negative.
//!         assert_eq!(failure.inputs[0].value, "-2147483648");
//!         assert!(failure.place.ends_with("abs.c:7:14"), "{}", failure.place);
//!     }
//!     other => panic!("{other:?}"),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A proof says what holds at loops, as C expressions:
//!
//! ```
//! # let folder = tempfile::tempdir()?;
//! # let file = folder.path().join("count.c");
//! # std::fs::write(&file, "
//! # unsigned __VERIFIER_nondet_uint(void);
//! # void reach_error(void);
//! # int main(void) {
//! #   unsigned n = __VERIFIER_nondet_uint(), i = 0;
//! #   while (i < n) i++;
//! #   if (i != n) reach_error();
//! # }")?;
//! use attest_api::{Checker, Verdict};
//!
//! let answer = Checker::new([&file]).check()?;
//! let Verdict::Safe(proof) = answer.verdict() else {
//!     panic!("{answer:?}");
//! };
//! assert_eq!(proof.invariants[0].function, "main");
//! assert!(answer.to_json().contains("\"verdict\": \"safe\""));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The items of this crate are what stays: other crates of attest change as
//! they must.

use attest::args::{Cli, Command};
use attest::report::Report;
use attest::session::{Session, Settings};
use clap::Parser;
use std::ffi::OsString;
use std::fmt;
use std::path::Path;
use std::time::Duration;

/// A program to check, and how.
#[derive(Clone, Debug)]
pub struct Checker {
    files: Vec<OsString>,
    options: Vec<OsString>,
    clang_args: Vec<OsString>,
    time: Option<Duration>,
}

/// The widths of C's types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DataModel {
    /// `int`, `long` and pointers of 32 bits.
    Ilp32,
    /// `int` of 32 bits, `long` and pointers of 64: the default.
    Lp64,
}

/// What signed overflow does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overflow {
    /// It wraps around: the default.
    Wrap,
    /// It is assumed not to happen.
    Assume,
    /// It leaves the model.
    Check,
}

impl Checker {
    /// A program of C, preprocessed C or LLVM IR files, or one SV-COMP task definition.
    pub fn new<P: AsRef<Path>>(files: impl IntoIterator<Item = P>) -> Checker {
        let files = files.into_iter();
        Checker {
            files: files.map(|f| f.as_ref().as_os_str().to_owned()).collect(),
            options: Vec::new(),
            clang_args: Vec::new(),
            time: None,
        }
    }

    fn option(mut self, name: &str, value: impl Into<OsString>) -> Checker {
        self.options.extend([name.into(), value.into()]);
        self
    }

    /// Where the program starts, if it is not `main`; such a function gets arbitrary arguments.
    pub fn entry(self, function: &str) -> Checker {
        self.option("--entry", function)
    }

    /// What must not happen: `unreach-call`, or the path of an SV-COMP property file. Without
    /// it: failed assertions, and calls of `reach_error` or `__VERIFIER_error`.
    pub fn property(self, property: &str) -> Checker {
        self.option("--property", property)
    }

    /// The widths of types.
    pub fn data_model(self, model: DataModel) -> Checker {
        let word = match model {
            DataModel::Ilp32 => "ilp32",
            DataModel::Lp64 => "lp64",
        };
        self.option("--data-model", word)
    }

    /// What signed overflow does.
    pub fn overflow(self, policy: Overflow) -> Checker {
        let word = match policy {
            Overflow::Wrap => "wrap",
            Overflow::Assume => "assume",
            Overflow::Check => "check",
        };
        self.option("--overflow", word)
    }

    /// A C file with bodies for functions that the program lacks; may be given again.
    pub fn stubs(self, file: impl AsRef<Path>) -> Checker {
        self.option("--stubs", file.as_ref().as_os_str())
    }

    /// An argument for clang, such as `-DDEBUG`; may be given again.
    pub fn clang_arg(mut self, arg: &str) -> Checker {
        self.clang_args.push(arg.into());
        self
    }

    /// Give up after this long.
    pub fn time_limit(mut self, time: Duration) -> Checker {
        self.time = Some(time);
        self
    }

    /// Checks the program. Nothing is printed; the error is one line for the user.
    pub fn check(&self) -> Result<Answer, Error> {
        let mut words: Vec<OsString> = vec![
            "attest".into(),
            "check".into(),
            "--quiet".into(),
            "--no-cache".into(),
        ];
        words.extend(self.options.iter().cloned());
        words.extend(self.files.iter().cloned());
        words.push("--".into());
        words.extend(self.clang_args.iter().cloned());
        let cli = Cli::try_parse_from(words).map_err(|e| Error(e.to_string()))?;
        let Command::Check(args) = cli.command else {
            return Err(Error("this is no check".into()));
        };
        let source = args.program.source().map_err(|e| Error(e.message))?;
        let settings = Settings {
            quiet: true,
            time: self.time,
            ..Settings::default()
        };
        let session = Session::new(settings, Report::new(&args, &source));
        let said = attest::check::work(&session, &args, &source).map_err(|e| Error(e.message))?;
        Ok(Answer(session.settle(said)))
    }
}

/// Why a program could not be checked at all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

/// The end of a check.
#[derive(Clone, Debug)]
pub struct Answer(Report);

/// A verdict with its evidence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// No run violates the property; the independent checker accepted the proof.
    Safe(Proof),
    /// A run violates it; the interpreter ran it again.
    Unsafe(Failure),
    /// Neither is known.
    Unknown {
        /// Why.
        reason: String,
        /// What to do about it, if something can be said.
        next_step: Option<String>,
    },
}

/// A proof, as far as it can be said in C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// Invariants of loops.
    pub invariants: Vec<LoopInvariant>,
    /// Ways out of the model that were assumed not to be taken, such as `out-of-bounds`.
    pub assumptions: Vec<String>,
}

/// An invariant of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopInvariant {
    /// The file.
    pub file: String,
    /// The line of the loop's keyword.
    pub line: u32,
    /// Its column.
    pub column: u32,
    /// The function around it.
    pub function: String,
    /// A C expression that holds whenever the loop's condition is about to be evaluated.
    pub value: String,
}

/// A failing run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The error function that is called.
    pub function: String,
    /// Where, as `file:line:column`.
    pub place: String,
    /// What the environment answered, in order.
    pub inputs: Vec<Input>,
    /// The lines of C that lead to the error.
    pub trace: Vec<Step>,
}

/// An answer of the environment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// The function that was called.
    pub call: String,
    /// Its type in C.
    pub ty: String,
    /// The value, as C writes it.
    pub value: String,
}

/// A line that a failing run came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The file.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The function.
    pub function: String,
    /// How deep in calls.
    pub depth: u32,
    /// What happened: `x = 3`, `condition is true`.
    pub notes: Vec<String>,
}

impl Answer {
    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        let report = &self.0;
        match (report.verdict, &report.failure) {
            ("safe", _) => Verdict::Safe(self.proof()),
            ("unsafe", Some(failure)) => Verdict::Unsafe(Failure {
                function: failure.function.clone(),
                place: failure.place.clone(),
                inputs: failure
                    .inputs
                    .iter()
                    .map(|input| Input {
                        call: input.call.clone(),
                        ty: input.ty.clone(),
                        value: input.value.clone(),
                    })
                    .collect(),
                trace: failure
                    .trace
                    .iter()
                    .map(|line| Step {
                        file: line.file.clone(),
                        line: line.line,
                        function: line.function.clone(),
                        depth: line.depth,
                        notes: line.notes.clone(),
                    })
                    .collect(),
            }),
            ("unsafe", None) => Verdict::Unsafe(Failure {
                function: String::new(),
                place: String::new(),
                inputs: Vec::new(),
                trace: Vec::new(),
            }),
            _ => Verdict::Unknown {
                reason: report.reason.clone().unwrap_or_default(),
                next_step: report.next_step.clone(),
            },
        }
    }

    fn proof(&self) -> Proof {
        let invariants = self.0.proof.invariants.iter();
        Proof {
            invariants: invariants
                .map(|invariant| LoopInvariant {
                    file: invariant.file.clone(),
                    line: invariant.line,
                    column: invariant.column,
                    function: invariant.function.clone(),
                    value: invariant.value.clone(),
                })
                .collect(),
            assumptions: self.0.assumptions.iter().map(|a| (*a).to_owned()).collect(),
        }
    }

    /// Everything, as `attest check --json` writes it; the format is in `docs/json.md`.
    pub fn to_json(&self) -> String {
        self.0.to_json()
    }
}
