//! Texts of a test that become a part of a C file.

/// Whether a name can be written in C: a test file is not trusted to be one of ours.
pub(crate) fn is_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.chars().all(plain) && name.starts_with(|c: char| !c.is_ascii_digit())
}

/// Text inside a comment.
pub(crate) fn comment(text: &str) -> String {
    text.replace("*/", "* /").replace(['\n', '\r'], " ")
}
