//! How much memory this process has. Linux says it in `/proc`; elsewhere it is not known.

/// Bytes in use now.
pub fn now() -> Option<u64> {
    field("VmRSS:")
}

/// Most bytes that were in use at once.
pub fn peak() -> Option<u64> {
    field("VmHWM:")
}

/// A line of `/proc/self/status`, such as `VmRSS:   1234 kB`.
fn field(name: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    #[test]
    #[cfg(target_os = "linux")]
    fn memory_is_known() {
        let (now, peak) = (super::now(), super::peak());
        assert!(now.is_some_and(|bytes| bytes > 100_000), "{now:?}");
        assert!(peak >= now, "{peak:?} {now:?}");
    }
}
