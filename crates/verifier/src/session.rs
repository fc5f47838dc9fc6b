//! One check under way: what is known so far.
//!
//! Two threads share a session: the worker, which learns, and the caller's, which hears of
//! it and may have to end the check with what was known last.

use crate::answer::{Answer, Limit, Why};
use crate::confirm::{CheckedProof, ConfirmedTest};
use crate::limits::{Account, Cause};
use crate::listener::Event;
use crate::report::{Phase, Report};
use attest_engine::Statistics;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Time for the search where no limit is given.
pub(crate) const USUAL_TIME: Duration = Duration::from_secs(120);

/// Takes events to the listener.
pub(crate) type Teller = Box<dyn Fn(Event) + Send + Sync>;

/// A check under way.
pub(crate) struct Session {
    account: Account,
    listener: Teller,
    known: Mutex<Known>,
}

/// What is known so far.
struct Known {
    report: Report,
    phase: Option<(Phase, Instant)>,
    /// An answer that is certain while its evidence is still being looked at.
    certain: Option<Answer>,
}

impl Session {
    /// Begins a check.
    pub fn new(account: Account, report: Report, listener: Teller) -> Session {
        Session {
            account,
            listener,
            known: Mutex::new(Known {
                report,
                phase: None,
                certain: None,
            }),
        }
    }

    /// What is known, of use even after a panic elsewhere.
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Its limits and what was used of them.
    pub fn account(&self) -> &Account {
        &self.account
    }

    /// The flag that the engine, the solver and clang look at.
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        self.account.stop_flag()
    }

    /// Whether the work was asked to stop.
    pub fn is_stopping(&self) -> bool {
        self.account.asked().is_some()
    }

    /// Time for the engine: what is left, but for a little in which to say so.
    pub fn engine_time(&self) -> Duration {
        let limit = self.account.limits().shortest();
        let (Some(limit), Some(left)) = (limit, self.account.left()) else {
            return USUAL_TIME;
        };
        let margin = (limit / 10).clamp(Duration::from_millis(100), Duration::from_secs(5));
        left.saturating_sub(margin)
    }

    /// The effort that the search plans with. It depends on what the user allows, and not on
    /// how much of that is left, so that a check takes the same course on every machine.
    pub fn planned_effort(&self) -> Duration {
        self.account.limits().shortest().unwrap_or(USUAL_TIME)
    }

    /// Limits of one question to a solver.
    pub fn solver_limits(&self) -> attest_solver::Limits {
        attest_solver::Limits {
            time: Some(self.account.left().unwrap_or(USUAL_TIME)),
            clock: self.account.clock(),
            interrupt: Some(self.stop_flag()),
            ..attest_solver::Limits::default()
        }
    }

    /// Tells the listener.
    pub fn tell(&self, event: Event) {
        (self.listener)(event);
    }

    /// A new phase of the work begins.
    pub fn phase(&self, phase: Phase) {
        self.known().turn(Some(phase));
        self.tell(Event::Phase(phase));
    }

    /// Changes the report.
    pub fn note(&self, change: impl FnOnce(&mut Report)) {
        change(&mut self.known().report);
    }

    /// The engine has come so far.
    pub fn publish(&self, statistics: &Statistics) {
        self.note(|report| report.statistics.take(statistics));
        self.tell(Event::Progress {
            iterations: statistics.iterations,
            tests: statistics.tests,
            regions: statistics.regions,
        });
    }

    /// The program is safe, whatever happens from here on.
    pub fn is_safe(&self, proof: &CheckedProof) {
        self.known().certain = Some(Answer::Safe(proof.clone()));
    }

    /// The program is unsafe, whatever happens from here on.
    pub fn is_unsafe(&self, test: &ConfirmedTest) {
        self.known().certain = Some(Answer::Unsafe(test.clone()));
    }

    /// Nothing is certain after all.
    pub fn is_open(&self) {
        self.known().certain = None;
    }

    /// The answer where a limit ends the check.
    pub fn stopped(&self, cause: Cause) -> Answer {
        Answer::Unknown(Why::Limit(self.limit(cause)))
    }

    /// The limit that a cause is about.
    pub fn limit(&self, cause: Cause) -> Limit {
        let limits = self.account.limits();
        match cause {
            Cause::Time => match (limits.cpu, limits.time) {
                (Some(cpu), time) if time.is_none_or(|time| self.account.elapsed() < time) => {
                    Limit::Processor(cpu)
                }
                (_, Some(time)) => Limit::Time(time),
                (_, None) => Limit::UsualTime,
            },
            Cause::Memory => Limit::Memory(limits.memory.unwrap_or_default()),
            Cause::Interrupt => Limit::Interrupt,
        }
    }

    /// The answer where the work does not end by itself: what is known.
    pub fn given_up(&self, cause: Cause) -> Answer {
        self.account.ask_to_stop(cause);
        let certain = self.known().certain.clone();
        certain.unwrap_or_else(|| self.stopped(cause))
    }

    /// The report with its answer.
    pub fn settle(&self, answer: &Answer) -> Report {
        let mut known = self.known();
        known.turn(None);
        known.report.settle(answer, self.account.elapsed());
        known.report.clone()
    }
}

impl Known {
    /// Ends the phase and begins the next.
    fn turn(&mut self, next: Option<Phase>) {
        let now = Instant::now();
        if let Some((phase, since)) = self.phase.take() {
            self.report.add_time(phase, now - since);
        }
        self.phase = next.map(|phase| (phase, now));
    }
}
