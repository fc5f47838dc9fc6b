//! The clock of limits.
//!
//! It is the one on the wall unless the user limits processor time. Then it goes as fast as
//! the processor works for this process, all threads together, so that what a limit allows
//! does not depend on what else the machine does. Times that are only told are on the wall.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The moment from which processor time is counted, where it is what counts.
static ZERO: OnceLock<Instant> = OnceLock::new();

/// From here on the clock goes by processor time, for the whole process; whether it can.
pub fn count_processor_time() -> bool {
    let known = processor_time().is_some();
    if known {
        ZERO.get_or_init(Instant::now);
    }
    known
}

/// Now, to be compared with nothing but other moments of this clock.
pub fn now() -> Instant {
    match ZERO.get() {
        Some(zero) => *zero + processor_time().unwrap_or_default(),
        None => Instant::now(),
    }
}

/// What the threads of this process have used; nothing where the system does not say it.
#[cfg(unix)]
pub fn processor_time() -> Option<Duration> {
    let used = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(used).ok()
}

/// What the threads of this process have used; nothing where the system does not say it.
#[cfg(not(unix))]
pub fn processor_time() -> Option<Duration> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// It goes by what the processor did, and by nothing else.
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
