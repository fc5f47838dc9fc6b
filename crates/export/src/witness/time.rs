//! The time of a witness, as ISO 8601 in UTC.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A time as `2024-02-29T12:34:56Z`.
pub fn iso(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    let seconds = since.as_secs();
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    let (mut year, mut left) = (1970, days);
    let leap = |y: u64| y.is_multiple_of(4) && (!y.is_multiple_of(100) || y.is_multiple_of(400));
    let length = |y: u64| if leap(y) { 366 } else { 365 };
    while left >= length(year) {
        left -= length(year);
        year += 1;
    }
    let february = if leap(year) { 29 } else { 28 };
    let months = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while left >= months[month] {
        left -= months[month];
        month += 1;
    }
    format!(
        "{year:04}-{:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z",
        month + 1,
        left + 1
    )
}

/// Whether a text is such a time, with any offset.
pub fn is_iso(text: &str) -> bool {
    let shape: String = text
        .chars()
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect();
    let zones = ["", "Z", "+00:00", "-00:00", "+0000", "-0000"];
    let rest = shape.strip_prefix("0000-00-00T00:00:00");
    let rest = rest.map(|r| match r.strip_prefix('.') {
        Some(fraction) => fraction.trim_start_matches('0'),
        None => r,
    });
    rest.is_some_and(|rest| zones.contains(&rest))
}

/// A name that no other witness has: random by its time and contents.
pub fn uuid(seed: &str) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let text = format!("{seed} {:?} {}", now, std::process::id());
    let hash = attest_proof::sha256_of_bytes(text.as_bytes());
    let digit = |i: usize| &hash[i..];
    format!(
        "{}-{}-4{}-8{}-{}",
        &digit(0)[..8],
        &digit(8)[..4],
        &digit(12)[..3],
        &digit(15)[..3],
        &digit(18)[..12]
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        let at = |s| iso(UNIX_EPOCH + Duration::from_secs(s));
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert!(is_iso(&at(1_700_000_000)));
        assert!(is_iso("2024-01-01T00:00:00+01:00") && !is_iso("yesterday"));
        assert_eq!(uuid("a").len(), 36);
    }
}
