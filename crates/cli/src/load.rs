//! From files to a program model; see [`attest_frontend`].

pub use attest_frontend::*;
