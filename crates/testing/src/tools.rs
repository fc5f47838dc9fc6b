//! Programs and libraries that some tests need and a machine may lack.

/// Whether tests must have their tools: `ATTEST_REQUIRE_TOOLS` or `CI` says so, with any
/// value but nothing, `0` and `false`. The first has the last word.
fn required() -> bool {
    let said = |name: &str| std::env::var(name).ok();
    let value = said("ATTEST_REQUIRE_TOOLS").or_else(|| said("CI"));
    value.is_some_and(|value| !matches!(value.as_str(), "" | "0" | "false"))
}

/// Says that a test is left out because a tool is missing.
///
/// # Panics
///
/// Where tools are required: a test that checks nothing does not pass there.
pub fn missing(tool: &str) {
    assert!(
        !required(),
        "this test needs {tool}; ./x setup installs it, ATTEST_REQUIRE_TOOLS=0 does without"
    );
    eprintln!("left out: there is no {tool}");
}
