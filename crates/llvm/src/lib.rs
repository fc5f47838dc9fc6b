//! clang driver and strict reader of textual LLVM IR.
pub mod debug;
pub mod ir;
