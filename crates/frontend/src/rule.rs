//! A rule on the way from files to a program: its text, its C file, its IR.

use crate::load::{Interrupt, LoadError};
use attest_llvm::clang::{self, Clang, ClangError, DataModel};
use attest_slic::{Instrumented, Rule, SlicError, Unit, instrument};
use std::path::{Path, PathBuf};

/// Types that do not fit are errors in a rule.
const STRICT: &[&str] = &[
    "-Wno-everything",
    "-Werror=int-conversion",
    "-Werror=incompatible-pointer-types",
    "-Werror=incompatible-function-pointer-types",
    "-Werror=compare-distinct-pointer-types",
    "-Werror=pointer-integer-compare",
    "-Werror=implicit-function-declaration",
    "-Werror=implicit-int",
    "-Werror=incompatible-library-redeclaration",
];

/// Reads a rule.
pub fn read_rule(path: &Path) -> Result<Rule, LoadError> {
    let text = std::fs::read_to_string(path)
        .map_err(|e| LoadError::File(path.into(), format!("the rule cannot be read: {e}")))?;
    attest_slic::parse(&path.display().to_string(), &text).map_err(LoadError::Rule)
}

/// How a rule's C file is compiled.
#[derive(Clone, Debug)]
pub struct RuleOptions<'a> {
    /// The widths of types.
    pub data_model: DataModel,
    /// The user's arguments for clang.
    pub clang_args: &'a [String],
    /// Set by another thread to stop clang.
    pub interrupt: Interrupt,
}

/// The textual IR of a rule's C file.
pub fn compile_rule(
    clang: &Clang,
    rule: &Rule,
    c: &str,
    options: RuleOptions<'_>,
) -> Result<String, LoadError> {
    let folder =
        tempfile::tempdir().map_err(|e| LoadError::File(std::env::temp_dir(), e.to_string()))?;
    let path = folder.path().join("rule.c");
    std::fs::write(&path, c).map_err(|e| LoadError::File(path.clone(), e.to_string()))?;
    let mut args = options.clang_args.to_vec();
    args.extend(["-iquote".into(), folder_of(&rule.file)]);
    args.extend(STRICT.iter().map(|s| (*s).to_owned()));
    let options = clang::Options {
        data_model: options.data_model,
        args,
        warnings: true,
        interrupt: options.interrupt,
        ..Default::default()
    };
    clang::compile(clang, &options, &path).map_err(|e| match e {
        ClangError::Rejected { stderr, .. } => LoadError::Rule(in_rule(rule, &stderr)),
        other => LoadError::Clang(other),
    })
}

/// The folder of a rule, where its headers are looked for.
pub fn folder_of(file: &str) -> String {
    let folder = Path::new(file).parent().map(Path::to_owned);
    let folder = folder.filter(|f| !f.as_os_str().is_empty());
    folder
        .unwrap_or_else(|| PathBuf::from("."))
        .display()
        .to_string()
}

/// The first thing that clang says, in its place of the rule.
fn in_rule(rule: &Rule, stderr: &str) -> SlicError {
    let line = stderr.lines().find(|l| l.contains("error: "));
    let line = line.unwrap_or_else(|| stderr.lines().next().unwrap_or("clang rejects it"));
    let (place, message) = line.split_once("error: ").unwrap_or(("", line));
    let message = message.split(" [-W").next().unwrap_or(message);
    let mut numbers = place.trim_end_matches(": ").rsplit(':');
    let column = numbers.next().and_then(|n| n.parse().ok()).unwrap_or(0);
    let line = numbers.next().and_then(|n| n.parse().ok()).unwrap_or(0);
    let file = numbers.collect::<Vec<_>>();
    let own = file.into_iter().rev().collect::<Vec<_>>().join(":");
    SlicError {
        file: if own.is_empty() {
            rule.file.clone()
        } else {
            own
        },
        line,
        column,
        message: message.into(),
    }
}

/// Puts a rule's wrappers into a program, and adds the IR of its C file as the last unit.
pub fn with_rule(
    clang: &Clang,
    rule: &Rule,
    units: &[Unit<'_>],
    entry: &str,
    options: RuleOptions<'_>,
) -> Result<Instrumented, LoadError> {
    let mut made = instrument(rule, units, entry).map_err(LoadError::Rule)?;
    let ir = compile_rule(clang, rule, &made.c, options)?;
    if let Some(conflict) = attest_slic::conflict(rule, &ir, units) {
        return Err(LoadError::Rule(conflict));
    }
    made.units.push(ir);
    Ok(made)
}

/// Looks at a rule by itself: all that can be wrong without a program.
pub fn check_rule(path: &Path, options: RuleOptions<'_>) -> Result<Rule, LoadError> {
    let rule = read_rule(path)?;
    // A program that uses every function, so that every event is compiled.
    let mut uses = String::from("define i32 @main() {\n");
    for prototype in &rule.prototypes {
        if prototype.variadic {
            let fixed = vec!["ptr null"; prototype.parameters.len()].join(", ");
            uses.push_str(&format!("  call void (...) @{}({fixed})\n", prototype.name));
        } else {
            uses.push_str(&format!("  store ptr @{}, ptr null\n", prototype.name));
        }
    }
    uses.push_str("}\n");
    let unit = Unit {
        name: "the rule",
        ir: &uses,
        stub: false,
    };
    let made = instrument(&rule, &[unit], "main").map_err(LoadError::Rule)?;
    let clang = Clang::find().map_err(LoadError::Clang)?;
    compile_rule(&clang, &rule, &made.c, options)?;
    Ok(rule)
}
