//! How much processor time a check has used: its threads, and the processes that it waited for.

use attest_solver::clock;
use std::time::Duration;

/// Linux counts the time of processes in hundredths of a second for its users.
const TICKS: f64 = 100.0;

/// What is used now.
pub fn used() -> Duration {
    clock::processor_time().unwrap_or_default() + children().unwrap_or_default()
}

/// What clang, native runs and other processes used that have ended. Linux says it in
/// `/proc`; elsewhere it is not known.
fn children() -> Option<Duration> {
    ended(&std::fs::read_to_string("/proc/self/stat").ok()?)
}

/// The 16th and 17th field of `/proc/self/stat`, counted behind the name, which may contain
/// anything.
fn ended(text: &str) -> Option<Duration> {
    let (_, rest) = text.rsplit_once(')')?;
    let mut fields = rest.split_whitespace().skip(13);
    let mut ticks = || fields.next()?.parse::<u32>().ok();
    let all = f64::from(ticks()?) + f64::from(ticks()?);
    Duration::try_from_secs_f64(all / TICKS).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_behind_any_name() {
        let stat = "12 (a) b) R 1 2 3 4 5 6 7 8 9 10 500 600 150 50 20 0 1";
        assert_eq!(ended(stat), Some(Duration::from_secs(2)));
        assert_eq!(ended("12 (a) R 1 2"), None);
        assert_eq!(ended(""), None);
    }
}
