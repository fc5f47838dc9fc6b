//! attest as a library: is there a run of this C program that violates its property?
//!
//! A [`Source`] is the program, [`Settings`] say how it is checked, and [`check`] answers.
//! clang is needed, as for the command line. A proof says what holds at loops, as C
//! expressions:
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
//! use attest_verifier::{Answer, Settings, Silent, Source, check};
//!
//! let source = Source::of([&file]);
//! let checked = check(&source, &Settings::default(), &mut Silent)?;
//! match &checked.answer {
//!     Answer::Safe(proof) => {
//!         let invariant = &proof.explained().invariants[0];
//!         println!("{}:{}: {}", invariant.file, invariant.line, invariant.value);
//!     }
//!     Answer::Unsafe(test) => panic!("{} at {}", test.what(), test.place()),
//!     Answer::Unknown(why) => panic!("not known: {why}"),
//!     Answer::Nothing(why) => panic!("nothing to check: {why}"),
//! }
//! # assert!(checked.report.to_json().contains("\"verdict\": \"safe\""));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A test says on which inputs the program fails. [`Limits`] end a check in time, and a
//! [`Listener`] hears what happens meanwhile:
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
//! use attest_verifier::{Answer, Event, Limits, Settings, Source, check};
//! use std::time::Duration;
//!
//! let settings = Settings {
//!     limits: Limits::time(Duration::from_secs(60)),
//!     ..Settings::default()
//! };
//! let mut phases = Vec::new();
//! let mut listener = |event: &Event| {
//!     if let Event::Phase(phase) = event {
//!         phases.push(phase.words());
//!     }
//! };
//! let checked = check(&Source::of([&file]), &settings, &mut listener)?;
//! let Answer::Unsafe(test) = checked.answer else {
//!     panic!("{:?}", checked.answer);
//! };
//! // The smallest number has no absolute value: its negation overflows.
//! assert_eq!(test.inputs()[0].value, "-2147483648");
//! assert_eq!(test.word(), "overflow/overflow");
//! assert!(test.place().ends_with("abs.c:6:19"), "{}", test.place());
//! assert_eq!(phases[0], "compiling");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What holds
//!
//! - **An answer has its evidence.** [`CheckedProof`] is built where the independent checker
//!   is called and [`ConfirmedTest`] where the program is run, and nowhere else
//!   ([`answer`]).
//! - **A check ends.** When a limit is reached or [`Limits::interrupt`] is set, the parts of
//!   the work stop, clang and native runs are killed, and what does not stop in a short
//!   grace is left behind on its thread.
//! - **Checks are apart.** They may be started from any thread, several at a time. The work
//!   has a thread with a stack of its own. Memory and processor time are the process's, so
//!   limits of them count what other checks use.
//! - **Absent:** printing, exit statuses, options as text, signals, clocks for the whole
//!   process. The command line is one user of this crate.

mod align;
pub mod answer;
mod cache;
mod case;
mod check;
mod confirm;
mod error;
mod evidence;
mod explain;
mod files;
mod findings;
mod havoc;
mod instrumented_load;
mod known;
mod limits;
pub mod listener;
mod load;
mod memory;
pub mod messages;
mod native_search;
mod plain_runs;
mod portfolio;
mod processor;
pub mod property;
mod relevance;
pub mod report;
pub mod rules;
mod search;
mod session;
mod settings;
mod silence;
mod skeletons;
mod source;
mod sources;
pub mod stack;
mod stage;
pub mod standing;
mod steps;
mod supervise;
mod survey;
mod task;
mod unwinding;
mod validate;
mod variant;
mod watch;

pub use answer::{Answer, CheckedProof, ConfirmedTest, Limit, Why};
pub use check::{check, validate};
pub use error::{Error, ErrorKind};
pub use evidence::{native_words, test_of};
pub use limits::Limits;
pub use listener::{Event, Fails, Listener, Silent};
pub use plain_runs::{Tried, plans};
pub use portfolio::{Goal, reach};
pub use report::{Checked, Phase, Report};
pub use settings::{Algorithm, Order, Settings, Strategy, Technique, Tuning};
pub use silence::Silence;
pub use skeletons::Skeletons;
pub use source::{Named, Source};
pub use survey::Survey;
