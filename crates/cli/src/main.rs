//! The command line of attest.
fn main() {}
