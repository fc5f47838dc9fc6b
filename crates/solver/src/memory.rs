//! The size of this process, for limits on memory that others allocate.

/// Bytes of this process that are in memory; zero where the system does not say.
pub(crate) fn resident_bytes() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm")
        .ok()
        .and_then(|statm| statm.split_whitespace().nth(1)?.parse::<u64>().ok());
    // Linux's pages are this large on the machines we know; a wrong guess only
    // moves a limit.
    4096 * pages.unwrap_or(0)
}
