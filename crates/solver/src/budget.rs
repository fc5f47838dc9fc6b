//! A running account of one check's limits.
//!
//! Long-running code calls [`Budget::spent`] from time to time: encoding every few thousand gates,
//! the search through its callback. Each call reads the clock and the flag, so callers space the
//! calls out.

use std::time::{Duration, Instant};

use crate::solver::{Limits, Reason};

/// What a conflict costs, in nanoseconds of [`crate::Statistics::effort`],
const CONFLICT: u128 = 60_000;
/// and for each variable of the clause set.
const CONFLICT_PER_VARIABLE: u128 = 10;

/// The limits of a check, and when it began.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    limits: Limits,
    /// On the wall,
    start: Instant,
    /// and on the clock of limits.
    since: Instant,
}

impl Budget {
    pub fn new(limits: &Limits) -> Budget {
        Budget {
            limits: limits.clone(),
            start: Instant::now(),
            since: limits.clock.now(),
        }
    }

    /// When the check began, on the wall clock.
    pub fn start(&self) -> Instant {
        self.start
    }

    /// The conflicts that a search over so many variables may have: the caller's limit, or
    /// as many as its effort allows. A conflict costs more where there is more to propagate.
    pub fn conflicts(&self, variables: usize) -> Option<u32> {
        let allowed = self.limits.effort.map(|effort| {
            let nanos = CONFLICT + CONFLICT_PER_VARIABLE * variables as u128;
            u32::try_from(effort.as_nanos() / nanos).unwrap_or(u32::MAX)
        });
        match (self.limits.conflicts, allowed) {
            (Some(limit), Some(allowed)) => Some(limit.min(allowed)),
            (limit, allowed) => limit.or(allowed),
        }
    }

    /// The effort that is allowed, if it is limited.
    pub fn effort(&self) -> Option<Duration> {
        self.limits.effort
    }

    /// The limit that is reached, if `bytes` are held now.
    pub fn spent(&self, bytes: u64) -> Option<Reason> {
        if self.limits.interrupted() {
            return Some(Reason::Interrupted);
        }
        if self.limits.time.is_some_and(|t| self.used() >= t) {
            return Some(Reason::Time);
        }
        let over = self.limits.memory.is_some_and(|memory| bytes > memory);
        over.then_some(Reason::Memory)
    }

    /// As [`Budget::spent`], to be used with `?`.
    pub fn check(&self, bytes: u64) -> Result<(), Reason> {
        self.spent(bytes).map_or(Ok(()), Err)
    }

    /// Whether memory is limited, which is the costliest to look at.
    pub fn limits_memory(&self) -> bool {
        self.limits.memory.is_some()
    }

    fn used(&self) -> Duration {
        self.limits
            .clock
            .now()
            .saturating_duration_since(self.since)
    }

    /// The time that is left, if it is limited.
    pub fn left(&self) -> Option<Duration> {
        let time = self.limits.time?;
        Some(time.saturating_sub(self.used()))
    }

    /// Whether there are limits other than time.
    pub fn needs_watching(&self) -> bool {
        self.limits.memory.is_some() || self.limits.interrupt.is_some()
    }

    /// Whether there is any limit to check during a search.
    pub fn is_limited(&self) -> bool {
        let Limits {
            time,
            memory,
            interrupt,
            ..
        } = &self.limits;
        time.is_some() || memory.is_some() || interrupt.is_some()
    }
}
