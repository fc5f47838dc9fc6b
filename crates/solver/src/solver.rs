//! The interface of a solver: one check, three answers.
//!
//! A check decides whether the permanent facts and a set of assumptions can hold together. The
//! answer carries its evidence: a model if satisfiable, the conflicting assumptions if
//! unsatisfiable, and the reason if undecided. No answer can be read as another, so a time-out
//! never becomes a proof (algorithm notes 10.2, item 19).
//!
//! A solver serves one [`Terms`] arena for its whole life, since it keeps what it has learnt about
//! terms by their handles. The interface names no particular solver.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use attest_term::{Term, Terms};

use crate::clock::Clock;
use crate::model::Model;
use crate::statistics::Statistics;

/// The answer to a check.
#[derive(Clone, Debug)]
#[must_use = "an answer may be unknown, and that is neither of the others"]
pub enum Answer {
    /// The facts and assumptions hold together, for example on this state.
    Sat(Arc<Model>),
    /// They do not: the facts already exclude these assumptions.
    Unsat(Core),
    /// Not decided, and why.
    Unknown(Reason),
}

/// Assumptions that cannot hold together: a subset of the check's assumptions, in their order,
/// without repetition.
pub type Core = Vec<Term>;

impl Answer {
    /// Whether it is satisfiable.
    pub fn is_sat(&self) -> bool {
        matches!(self, Answer::Sat(_))
    }

    /// Whether it is unsatisfiable.
    pub fn is_unsat(&self) -> bool {
        matches!(self, Answer::Unsat(_))
    }

    /// Whether it is not decided.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Answer::Unknown(_))
    }
}

impl fmt::Display for Answer {
    /// Writes what SMT-LIB's `check-sat` would.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Sat(_) => write!(f, "sat"),
            Answer::Unsat(_) => write!(f, "unsat"),
            Answer::Unknown(reason) => write!(f, "unknown ({reason})"),
        }
    }
}

/// Why a check is undecided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The time limit.
    Time,
    /// The memory limit.
    Memory,
    /// The conflict limit.
    Conflicts,
    /// The limit of effort.
    Effort,
    /// The caller's flag.
    Interrupted,
    /// Floats, which this solver does not decide.
    Float,
    /// The solver gave up or failed, in its own words.
    Other(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Time => write!(f, "time limit"),
            Reason::Memory => write!(f, "memory limit"),
            Reason::Conflicts => write!(f, "conflict limit"),
            Reason::Effort => write!(f, "effort limit"),
            Reason::Interrupted => write!(f, "interrupted"),
            Reason::Float => write!(f, "floats"),
            Reason::Other(words) => write!(f, "{words}"),
        }
    }
}

/// The limits of a check; none by default.
#[derive(Clone, Default, Debug)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// The clock that the time goes by.
    pub clock: Clock,
    /// Bytes that this solver may hold, an estimate: the size of the encoding, and the growth of
    /// the process during a search for what the search learns.
    pub memory: Option<u64>,
    /// Work, as [`Statistics::effort`] measures it: the same limit stops the same search on
    /// every machine.
    pub effort: Option<Duration>,
    /// Conflicts of the underlying search.
    pub conflicts: Option<u32>,
    /// Another thread sets this to stop the solver.
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// A time limit and nothing else.
    pub fn time(time: Duration) -> Limits {
        Limits {
            time: Some(time),
            ..Limits::default()
        }
    }

    /// Whether the caller has asked to stop.
    pub fn interrupted(&self) -> bool {
        let flag = self.interrupt.as_ref();
        flag.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

/// A decision procedure for terms. It may move between threads; one at a time uses it.
pub trait Solver: Send {
    /// A short name for people and statistics.
    fn name(&self) -> &'static str;

    /// Makes a boolean term hold in every later check.
    fn assert(&mut self, terms: &Terms, fact: Term);

    /// Decides whether the facts and the assumptions, all boolean, hold together.
    fn check(&mut self, terms: &Terms, assumptions: &[Term], limits: &Limits) -> Answer;

    /// The number of checks and their cost so far.
    fn statistics(&self) -> Statistics;
}

impl<S: Solver + ?Sized> Solver for Box<S> {
    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn assert(&mut self, terms: &Terms, fact: Term) {
        (**self).assert(terms, fact);
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term], limits: &Limits) -> Answer {
        (**self).check(terms, assumptions, limits)
    }

    fn statistics(&self) -> Statistics {
        (**self).statistics()
    }
}

/// The assumptions without repetitions, in their order.
pub(crate) fn distinct(assumptions: &[Term]) -> Vec<Term> {
    let mut seen = rustc_hash::FxHashSet::default();
    let new = |term: &Term| seen.insert(*term);
    assumptions.iter().copied().filter(new).collect()
}
