//! The clock of limits.
//!
//! It is the one on the wall unless the user limits processor time. Then it goes as fast as
//! the processor works for this process, all threads together, so that what a limit allows
//! does not depend on what else the machine does. A clock is a value, so checks of one
//! process may go by different ones. Times that are only told are on the wall.

use std::time::{Duration, Instant};

/// What limits of time go by.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Clock {
    /// The moment from which processor time is counted, where it is what counts.
    zero: Option<Instant>,
}

impl Clock {
    /// The clock on the wall.
    pub const WALL: Clock = Clock { zero: None };

    /// The clock of the processor's work for this process; none where the system does not
    /// tell it.
    pub fn processor() -> Option<Clock> {
        let zero = Some(Instant::now());
        processor_time().map(|_| Clock { zero })
    }

    /// Now, to be compared with nothing but other moments of this clock.
    pub fn now(self) -> Instant {
        match self.zero {
            Some(zero) => zero + processor_time().unwrap_or_default(),
            None => Instant::now(),
        }
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
        let clock = Clock::processor().expect("a clock");
        let zero = clock.zero.expect("a beginning");
        for _ in 0..1000 {
            let before = processor_time().expect("a time");
            let moment = clock.now() - zero;
            let after = processor_time().expect("a time");
            assert!(before <= moment && moment <= after);
        }
    }
}
