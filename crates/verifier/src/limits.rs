//! What a check may use: time, memory, and the patience of its caller.
//!
//! The work looks at its deadline and at one flag by itself, and so ends with all that it
//! knows. Who waits for it raises the flag when time or memory runs out or when the caller
//! asks, and leaves the work behind where it does not look: inside the encoding of a large
//! question, for example. All of this belongs to one check, so several can run in a process
//! side by side; only the memory and the processor time that are used are the process's.

use crate::{memory, processor};
use attest_solver::Clock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long the work may take to stop once the flag is set.
const GRACE: Duration = Duration::from_secs(2);
/// The same when its time is used up, of which it knew before, or when its memory grows on:
/// enough to kill clang.
const LAST_MOMENT: Duration = Duration::from_millis(200);

/// What a check may use; the default is without limits.
#[derive(Clone, Default, Debug)]
pub struct Limits {
    /// Time on the wall.
    pub time: Option<Duration>,
    /// Processor time of the process and of the programs that it waited for.
    pub cpu: Option<Duration>,
    /// Memory of the process, in bytes.
    pub memory: Option<u64>,
    /// Set by another thread to stop the check, which then ends with what it knows.
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// A limit of time on the wall and nothing else.
    pub fn time(time: Duration) -> Limits {
        Limits {
            time: Some(time),
            ..Limits::default()
        }
    }

    /// The smaller of the limits of time.
    pub(crate) fn shortest(&self) -> Option<Duration> {
        [self.time, self.cpu].into_iter().flatten().min()
    }
}

/// Why a check is asked to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cause {
    /// The time limit.
    Time,
    /// The memory limit.
    Memory,
    /// The caller.
    Interrupt,
}

/// What one check has used of its limits.
pub(crate) struct Account {
    limits: Limits,
    clock: Clock,
    started: Instant,
    /// Processor time that was used before it began.
    before: Duration,
    stop: Arc<AtomicBool>,
    cause: Mutex<Option<(Cause, Instant)>>,
}

impl Account {
    /// Opens an account; none where processor time is limited and the system does not tell it.
    pub fn open(limits: Limits) -> Option<Account> {
        let (clock, before) = match limits.cpu {
            Some(_) => (Clock::processor()?, processor::used()),
            None => (Clock::WALL, Duration::ZERO),
        };
        Some(Account {
            limits,
            clock,
            started: Instant::now(),
            before,
            stop: Arc::default(),
            cause: Mutex::default(),
        })
    }

    /// What is allowed.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The clock that the limits of time go by.
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Time until the nearest limit, if there is one.
    pub fn left(&self) -> Option<Duration> {
        let on_the_wall = self.limits.time.map(|limit| (limit, self.elapsed()));
        let of_processor = self.limits.cpu.map(|limit| {
            let used = processor::used().saturating_sub(self.before);
            (limit, used)
        });
        let left = [on_the_wall, of_processor].into_iter().flatten();
        left.map(|(limit, used)| limit.saturating_sub(used)).min()
    }

    /// The flag that the parts of the work look at.
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        self.stop.clone()
    }

    /// Why the work was asked to stop.
    pub fn asked(&self) -> Option<Cause> {
        self.first_cause().map(|(cause, _)| cause)
    }

    fn first_cause(&self) -> Option<(Cause, Instant)> {
        *self.cause.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the work to stop; the first cause counts.
    pub fn ask_to_stop(&self, cause: Cause) {
        let mut known = self.cause.lock().unwrap_or_else(PoisonError::into_inner);
        known.get_or_insert_with(|| (cause, Instant::now()));
        self.stop.store(true, Ordering::SeqCst);
    }

    /// Looks at all limits and asks the work to stop if one is reached. The cause, once it
    /// makes no sense to wait for the work any longer.
    pub fn look(&self) -> Option<Cause> {
        let flag = self.limits.interrupt.as_ref();
        if flag.is_some_and(|flag| flag.load(Ordering::SeqCst)) {
            self.ask_to_stop(Cause::Interrupt);
        }
        let mut grows = false;
        if let Some(limit) = self.limits.memory {
            let used = memory::now().unwrap_or_default();
            if used > limit {
                self.ask_to_stop(Cause::Memory);
            }
            // It would not help to wait for long while it grows.
            grows = used > limit.saturating_add(limit / 4);
        }
        if self.left().is_some_and(|left| left.is_zero()) {
            self.ask_to_stop(Cause::Time);
        }
        let (cause, since) = self.first_cause()?;
        let grace = match cause {
            Cause::Time => LAST_MOMENT,
            _ if grows => LAST_MOMENT,
            Cause::Memory | Cause::Interrupt => GRACE,
        };
        (since.elapsed() > grace).then_some(cause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_cause_counts() {
        let account = Account::open(Limits::default()).expect("no processor time is limited");
        assert_eq!(account.look(), None);
        account.ask_to_stop(Cause::Memory);
        account.ask_to_stop(Cause::Interrupt);
        assert_eq!(account.asked(), Some(Cause::Memory));
        assert!(account.stop_flag().load(Ordering::SeqCst));
    }

    #[test]
    fn two_checks_have_two_accounts() {
        let none = Account::open(Limits::time(Duration::ZERO)).expect("an account");
        let much = Account::open(Limits::time(Duration::from_secs(1000))).expect("an account");
        none.look();
        much.look();
        assert_eq!((none.asked(), much.asked()), (Some(Cause::Time), None));
    }
}
