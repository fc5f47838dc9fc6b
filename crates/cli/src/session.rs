//! One check from its start to its verdict: what is known so far, and who may say it.
//!
//! Two threads can end a check: the work itself, which is the usual way, and
//! the watchdog, when the work does not look at its limits in time. They share
//! a session. Whoever is first says the verdict, with the statistics and the
//! report of that moment; the other one waits for the end of the program.

use crate::exit::Status;
use crate::forms::{self, FormArgs};
use crate::progress::Progress;
use crate::report::{self, Phase, Report};
use crate::{memory, output, processor, stats, words};
use attest_engine::Statistics;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How the reason of a check begins that has used up its time.
pub const TIME: &str = "the time limit";

/// Why the work is asked to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// The time limit.
    Time,
    /// The memory limit.
    Memory,
    /// The user.
    Interrupt,
}

/// What is said in the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    /// No run fails.
    Safe,
    /// A run fails.
    Unsafe,
    /// Neither is known, and why.
    Unknown(String),
}

/// What the user wants to see and allows.
#[derive(Clone, Default, Debug)]
pub struct Settings {
    /// Statistics before the verdict.
    pub stats: bool,
    /// Where the report goes.
    pub json: Option<PathBuf>,
    /// The verdict only.
    pub quiet: bool,
    /// A line of progress.
    pub progress: bool,
    /// Where other reports go.
    pub forms: FormArgs,
    /// Limit on the clock.
    pub time: Option<Duration>,
    /// Limit of processor time.
    pub cpu: Option<Duration>,
    /// Most memory of the process, in bytes.
    pub memory: Option<u64>,
}

/// A check under way.
pub struct Session {
    started: Instant,
    settings: Settings,
    progress: Progress,
    stop: Arc<AtomicBool>,
    cause: Mutex<Option<(Cause, Instant)>>,
    ended: AtomicBool,
    known: Mutex<Known>,
}

/// What is known so far.
struct Known {
    report: Report,
    phase: Option<(Phase, Instant)>,
    /// A verdict that is certain while its evidence is still being looked at.
    certain: Option<Said>,
}

/// A lock whose value is of use even after a panic elsewhere.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Session {
    /// Begins a check.
    pub fn new(settings: Settings, report: Report) -> Arc<Session> {
        Arc::new(Session {
            started: Instant::now(),
            progress: Progress::new(settings.progress),
            settings,
            stop: Arc::default(),
            cause: Mutex::default(),
            ended: AtomicBool::new(false),
            known: Mutex::new(Known {
                report,
                phase: None,
                certain: None,
            }),
        })
    }

    /// The limits and wishes of the user.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Time until the nearest limit, if there is one.
    pub fn left(&self) -> Option<Duration> {
        let left = |limit: Option<Duration>, used| Some(limit?.saturating_sub(used));
        let clock = left(self.settings.time, self.elapsed());
        let processor = self.settings.cpu.map(|_| processor::used());
        let processor = left(self.settings.cpu, processor.unwrap_or_default());
        [clock, processor].into_iter().flatten().min()
    }

    /// The smaller of the limits of time.
    pub fn limit(&self) -> Option<Duration> {
        let limits = [self.settings.time, self.settings.cpu];
        limits.into_iter().flatten().min()
    }

    /// A new phase of the work begins.
    pub fn phase(&self, phase: Phase) {
        lock(&self.known).turn(Some(phase));
        self.progress.say(|| phase.words().to_owned());
    }

    /// Changes the report.
    pub fn note(&self, change: impl FnOnce(&mut Report)) {
        change(&mut lock(&self.known).report);
    }

    /// The proof in C, as text.
    pub fn explained(&self) -> String {
        lock(&self.known).report.proof.text()
    }

    /// Whether tests were counted by what they come to.
    pub fn has_coverage(&self) -> bool {
        lock(&self.known).report.details.coverage.is_some()
    }

    /// The engine has come so far.
    pub fn publish(&self, statistics: &Statistics) {
        self.note(|report| report.statistics.take(statistics));
        self.progress.say(|| {
            format!(
                "{}, {}, {}",
                words::count(statistics.iterations as usize, "iteration"),
                words::count(statistics.tests as usize, "test"),
                words::count(statistics.regions as usize, "region"),
            )
        });
    }

    /// A verdict that holds whatever happens from here on.
    pub fn certain(&self, said: Said) {
        // What is certain of a program with a witness in its text is not so of the program.
        if self.settings.forms.check_witness.is_none() {
            lock(&self.known).certain = Some(said);
        }
    }

    /// Says something about the work or its result.
    pub fn say(&self, text: &str) {
        if !self.settings.quiet {
            self.write(text);
        }
    }

    fn write(&self, text: &str) {
        let to_stdout = self.settings.json.as_deref() != Some("-".as_ref());
        self.progress.aside(|| {
            if to_stdout {
                output::print(text);
            } else {
                output::note(text);
            }
        });
    }

    /// The flag that the engine and the solver look at.
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        self.stop.clone()
    }

    /// Asks the work to stop; the first cause counts.
    pub fn ask_to_stop(&self, cause: Cause) {
        lock(&self.cause).get_or_insert_with(|| (cause, Instant::now()));
        self.stop.store(true, Ordering::SeqCst);
    }

    /// Why the work was asked to stop, and how long ago.
    pub fn asked(&self) -> Option<(Cause, Duration)> {
        lock(&self.cause).map(|(cause, at)| (cause, at.elapsed()))
    }

    /// A cause in the words of a verdict.
    pub fn why(&self, cause: Cause) -> String {
        match cause {
            Cause::Time => match (self.settings.cpu, self.settings.time) {
                (Some(limit), time) if time.is_none_or(|time| self.elapsed() < time) => {
                    let limit = words::seconds(limit);
                    format!("{TIME} of {limit} of processor time is used up")
                }
                (_, Some(limit)) => format!("{TIME} of {} is used up", words::seconds(limit)),
                (_, None) => "the usual time is used up; allow more with --time-limit".into(),
            },
            Cause::Memory => {
                let limit = self.settings.memory.unwrap_or_default() >> 20;
                format!("the memory limit of {limit} MB is used up; allow more with --memory-limit")
            }
            Cause::Interrupt => "interrupted".into(),
        }
    }

    /// Whether the verdict has been said.
    pub fn has_ended(&self) -> bool {
        self.ended.load(Ordering::SeqCst)
    }

    /// The work is done: says the verdict, the last line of a check.
    pub fn end(&self, said: Said) -> Status {
        let said = match (said, self.asked()) {
            (Said::Unknown(_), Some((cause, _))) => Said::Unknown(self.why(cause)),
            (said, _) => said,
        };
        self.conclude(said)
    }

    /// The work does not end by itself: says what is known and ends the program.
    pub fn give_up(&self, cause: Cause) -> ! {
        self.ask_to_stop(cause);
        let certain = lock(&self.known).certain.clone();
        let status = self.conclude(certain.unwrap_or_else(|| Said::Unknown(self.why(cause))));
        std::process::exit(status as i32);
    }

    fn conclude(&self, said: Said) -> Status {
        if self.ended.swap(true, Ordering::SeqCst) {
            // The other thread is about to end the program with its own verdict.
            loop {
                thread::park();
            }
        }
        self.progress.clear();
        let report = self.settle(said);
        let line = match &report.reason {
            Some(reason) => format!("verdict: {} ({reason})\n", report.verdict),
            None => format!("verdict: {}\n", report.verdict),
        };
        if self.settings.stats {
            self.write(&stats::table(&report));
        }
        if let (Some(next), Some(_), false) =
            (&report.next_step, &report.reason, self.settings.quiet)
        {
            self.write(&format!("next: {next}\n"));
        }
        let written = self.write_report(&report) & forms::write(&self.settings.forms, &report);
        self.write(&line);
        if written {
            report.outcome
        } else {
            Status::Input
        }
    }

    /// The report with its verdict; nothing is said or written.
    pub fn settle(&self, said: Said) -> Report {
        let (word, status, reason) = match said {
            Said::Safe => ("safe", Status::Fine, None),
            Said::Unsafe => ("unsafe", Status::Error, None),
            Said::Unknown(reason) => ("unknown", Status::Unknown, Some(reason)),
        };
        let mut known = lock(&self.known);
        known.turn(None);
        let report = &mut known.report;
        report.verdict = word;
        report.status = status as i32;
        report.outcome = status;
        report.reason = reason;
        let total = report::seconds(self.elapsed());
        report.seconds.insert(stats::TOTAL, total);
        report.statistics.peak_memory_mb = memory::peak().map(|bytes| bytes >> 20);
        report.clone()
    }

    /// Whether the report is where the user wants it.
    fn write_report(&self, report: &Report) -> bool {
        match &self.settings.json {
            None => true,
            Some(file) if file.as_os_str() == "-" => {
                output::print(report.to_json());
                true
            }
            Some(file) => match std::fs::write(file, report.to_json()) {
                Ok(()) => true,
                Err(why) => {
                    let name = file.display();
                    output::complain(&format!("{name}: the report cannot be written: {why}"));
                    false
                }
            },
        }
    }
}

impl Known {
    /// Ends the phase and begins the next.
    fn turn(&mut self, next: Option<Phase>) {
        let now = Instant::now();
        if let Some((phase, since)) = self.phase.take() {
            let time = self.report.seconds.entry(phase.key()).or_default();
            *time = report::seconds(Duration::from_secs_f64(*time) + (now - since));
        }
        self.phase = next.map(|phase| (phase, now));
    }
}
