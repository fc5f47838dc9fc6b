//! Replaying a failing test: in the interpreter, and natively.
//!
//! Natively the original C is compiled by clang without optimisation. The
//! error function is often defined in the same file as its callers, even as an
//! empty or static one, so no linker option gets in between. Therefore each
//! file is compiled to textual IR first, and there the *definition* of an
//! error function is renamed; all calls then go to the harness. Nothing else
//! is changed.

use crate::harness::{ASSUMPTION, REACHED, harness};
use crate::test::{Test, TestError};
use attest_exec::{Interpreter, Limits, Outcome, Overflow};
use attest_llvm::clang::Clang;
use attest_model::Program;
use attest_proof::{DataModel, sha256_of_file};
use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How a native run of a test ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplayOutcome {
    /// It reached the error; the words say where.
    Failed(String),
    /// It ended otherwise, with this status; none if a signal ended it.
    Passed(Option<i32>),
    /// It did not end in time.
    Timeout,
    /// clang or the linker rejected it, in their words.
    DidNotBuild(String),
}

impl fmt::Display for ReplayOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayOutcome::Failed(place) => write!(f, "fails natively: {place}"),
            ReplayOutcome::Passed(Some(ASSUMPTION)) => {
                f.write_str("does not fail natively: an assumption did not hold")
            }
            ReplayOutcome::Passed(Some(status)) => {
                write!(f, "does not fail natively: it ended with status {status}")
            }
            ReplayOutcome::Passed(None) => f.write_str("does not fail natively: a signal ended it"),
            ReplayOutcome::Timeout => f.write_str("does not end natively within the time limit"),
            ReplayOutcome::DidNotBuild(why) => write!(f, "does not build natively:\n{why}"),
        }
    }
}

/// Why a test cannot be replayed at all.
#[derive(Debug)]
pub enum ReplayError {
    /// A file cannot be read or started.
    Io(PathBuf, std::io::Error),
    /// A file's contents are not those that the test is about.
    Hash(PathBuf),
    /// The test is malformed.
    Test(TestError),
    /// There is no clang.
    Clang(attest_llvm::clang::ClangError),
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::Io(path, why) => write!(f, "{}: {why}", path.display()),
            ReplayError::Hash(path) => write!(
                f,
                "{}: its contents are not those that the test is about",
                path.display()
            ),
            ReplayError::Test(e) => e.fmt(f),
            ReplayError::Clang(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for ReplayError {}

/// Runs a test in the interpreter.
pub fn confirm(
    program: &Program,
    test: &Test,
    overflow: Overflow,
    limits: Limits,
) -> Result<Outcome, TestError> {
    let inputs = Arc::new(test.to_inputs()?);
    Ok(Interpreter::new(program, inputs, overflow, limits).run())
}

/// Builds the program of a test with its harness, runs it, and says whether it fails.
pub fn replay(test: &Test, time: Duration) -> Result<ReplayOutcome, ReplayError> {
    let mut paths = Vec::new();
    for file in test.files.iter().chain(&test.stubs) {
        let path = PathBuf::from(&file.path);
        let hash = sha256_of_file(&path).map_err(|e| ReplayError::Io(path.clone(), e))?;
        if hash != file.sha256 {
            return Err(ReplayError::Hash(path));
        }
        paths.push(path);
    }
    if test.entry != "main" {
        let why = format!(
            "the entry is `{}`, and only `main` can be run natively",
            test.entry
        );
        return Ok(ReplayOutcome::DidNotBuild(why));
    }
    let clang = Clang::find().map_err(ReplayError::Clang)?;
    let folder = tempfile::tempdir().map_err(|e| ReplayError::Io(std::env::temp_dir(), e))?;
    let built = Build {
        clang: &clang,
        test,
        folder: folder.path(),
    };
    match built.program(&paths)? {
        Ok(binary) => run(&binary, test, time),
        Err(why) => Ok(ReplayOutcome::DidNotBuild(why)),
    }
}

/// Flags for old C and for the machine that the model is of.
const FLAGS: &[&str] = &[
    "-O0",
    "-w",
    "-fno-strict-aliasing",
    "-fwrapv",
    "-fno-builtin",
    "-fno-delete-null-pointer-checks",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=implicit-int",
    "-Wno-error=return-type",
    "-fbracket-depth=4096",
];

struct Build<'a> {
    clang: &'a Clang,
    test: &'a Test,
    folder: &'a Path,
}

impl Build<'_> {
    /// The binary, or what clang said.
    fn program(&self, files: &[PathBuf]) -> Result<Result<PathBuf, String>, ReplayError> {
        let mut defined = BTreeSet::new();
        let mut called = BTreeSet::new();
        let mut parts: Vec<PathBuf> = Vec::new();
        for (i, file) in files.iter().enumerate() {
            let ir = match self.ir(file)? {
                Ok(ir) => ir,
                Err(why) => return Ok(Err(why)),
            };
            let ir = redirect(&ir, &self.test.errors);
            symbols(&ir, &mut defined, &mut called);
            parts.push(self.write(&format!("{i}.ll"), &ir)?);
        }
        let undefined: BTreeSet<String> = called.difference(&defined).cloned().collect();
        parts.push(self.write("harness.c", &harness(self.test, &undefined))?);
        let binary = self.folder.join("program");
        let mut command = self.command();
        command.args(&parts).arg("-lm").arg("-o").arg(&binary);
        Ok(self.output(command)?.map(|_| binary))
    }

    fn ir(&self, file: &Path) -> Result<Result<String, String>, ReplayError> {
        if file.extension().is_some_and(|e| e == "ll") {
            let text = std::fs::read_to_string(file);
            return text
                .map(Ok)
                .map_err(|e| ReplayError::Io(file.to_owned(), e));
        }
        let mut command = self.command();
        command.args(&self.test.clang_args);
        command.args(["-x", "c", "-S", "-emit-llvm", "-o", "-"]);
        self.output(command_with(command, file))
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.clang.path);
        command.args(FLAGS);
        if self.test.data_model == DataModel::Ilp32 {
            command.args(["-m32", "-msse2", "-mfpmath=sse"]);
        }
        command
    }

    fn output(&self, mut command: Command) -> Result<Result<String, String>, ReplayError> {
        let output = command.stdin(Stdio::null()).output();
        let output = output.map_err(|e| ReplayError::Io(self.clang.path.clone(), e))?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ok(if output.status.success() {
            Ok(text(&output.stdout))
        } else {
            Err(text(&output.stderr))
        })
    }

    fn write(&self, name: &str, text: &str) -> Result<PathBuf, ReplayError> {
        let path = self.folder.join(name);
        std::fs::write(&path, text).map_err(|e| ReplayError::Io(path.clone(), e))?;
        Ok(path)
    }
}

fn command_with(mut command: Command, file: &Path) -> Command {
    command.arg(file);
    command
}

/// The name that a line of IR defines or declares, if it does.
fn subject<'a>(line: &'a str, keyword: &str) -> Option<&'a str> {
    let rest = line.strip_prefix(keyword)?;
    let name = &rest[rest.find('@')? + 1..];
    match name.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => name.split('(').next(),
    }
}

/// IR whose calls of the error functions leave the module.
fn redirect(ir: &str, errors: &[String]) -> String {
    let mut out = String::with_capacity(ir.len());
    let mut moved: Vec<&str> = Vec::new();
    for line in ir.lines() {
        match subject(line, "define ") {
            Some(name) if errors.iter().any(|e| e == name) => {
                let renamed = format!("@attest.defined.{name}(");
                out.push_str(&line.replacen(&format!("@{name}("), &renamed, 1));
                moved.push(name);
            }
            _ => out.push_str(line),
        }
        out.push('\n');
    }
    for name in moved {
        out.push_str(&format!("declare void @{name}(...)\n"));
    }
    out
}

/// The functions that IR defines, and those that it only declares.
fn symbols(ir: &str, defined: &mut BTreeSet<String>, declared: &mut BTreeSet<String>) {
    for line in ir.lines() {
        if let Some(name) = subject(line, "define ") {
            defined.insert(name.to_owned());
        } else if let Some(name) = subject(line, "declare ") {
            declared.insert(name.to_owned());
        }
    }
}

fn run(binary: &Path, test: &Test, time: Duration) -> Result<ReplayOutcome, ReplayError> {
    let error = |e| ReplayError::Io(binary.to_owned(), e);
    let mut child = Command::new(binary)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(error)?;
    let end = Instant::now() + time;
    loop {
        if let Some(status) = child.try_wait().map_err(error)? {
            return Ok(match status.code() {
                Some(REACHED) => ReplayOutcome::Failed(test.error.place.clone()),
                code => ReplayOutcome::Passed(code),
            });
        }
        if Instant::now() >= end {
            let _ = child.kill();
            let _ = child.wait();
            return Ok(ReplayOutcome::Timeout);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
