//! When a witness is made, as ISO 8601.

use std::time::SystemTime;

/// A time as `2024-02-29T12:34:56Z`.
pub fn iso(time: SystemTime) -> String {
    humantime::format_rfc3339_seconds(time).to_string()
}

/// Whether a text has the shape of such a time, with a fraction and any offset or none.
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, UNIX_EPOCH};

    #[test]
    fn times() {
        let at = |s| iso(UNIX_EPOCH + Duration::from_secs(s));
        assert_eq!(at(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert!(is_iso(&at(1_700_000_000)));
        assert!(is_iso("2024-01-01T00:00:00.25+01:00") && !is_iso("yesterday"));
    }
}
