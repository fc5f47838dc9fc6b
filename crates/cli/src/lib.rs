//! The command line of attest, as a library that its tests can call.

pub mod load;
