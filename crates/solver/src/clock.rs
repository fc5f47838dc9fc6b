//! The clock of limits.
//!
//! It is the wall clock unless the user limits processor time. Then it counts the processor time of
//! this process, all threads together, so that a limit does not depend on the load of the machine.
//! Times that are only reported are wall-clock times.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The moment from which processor time counts, if it does.
static ZERO: OnceLock<Instant> = OnceLock::new();

/// Switches the clock to processor time, for the whole process; false if that is unavailable.
pub fn count_processor_time() -> bool {
    let known = processor_time().is_some();
    if known {
        ZERO.get_or_init(Instant::now);
    }
    known
}

/// Now, comparable only with other moments of this clock.
pub fn now() -> Instant {
    match ZERO.get() {
        Some(zero) => *zero + processor_time().unwrap_or_default(),
        None => Instant::now(),
    }
}

/// The processor time of this process's threads; none where the system does not report it.
#[cfg(unix)]
pub fn processor_time() -> Option<Duration> {
    let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(used).ok()
}

/// The processor time of this process's threads; none where the system does not report it.
#[cfg(not(unix))]
pub fn processor_time() -> Option<Duration> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The clock advances with processor time only.
    #[test]
    #[cfg(unix)]
    fn it_goes_with_the_processor() {
        assert!(count_processor_time());
        let zero = *ZERO.get().expect("a beginning");
        for _ in 0..1000 {
            let before = processor_time().expect("a time");
            let moment = now() - zero;
            let after = processor_time().expect("a time");
            assert!(before <= moment && moment <= after);
        }
    }
}
