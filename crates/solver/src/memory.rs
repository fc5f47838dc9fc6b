//! The size of this process, for limits on memory that libraries allocate.

/// The resident bytes of this process; zero where the system does not report them.
pub(crate) fn resident_bytes() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm")
        .ok()
        .and_then(|statm| statm.split_whitespace().nth(1)?.parse::<u64>().ok());
    // Linux has pages of this size on the supported machines; a wrong size only moves a limit.
    4096 * pages.unwrap_or(0)
}
