//! The native program of a test: its files and its harness.
//!
//! The original C is compiled by clang without optimisation. The error
//! function is often defined in the same file as its callers, even as an empty
//! or static one, so no linker option can intercept the calls. Therefore each file is
//! compiled to textual IR first, and there the *definition* of an error
//! function is renamed; all calls then go to the harness. For an entry other
//! than `main` its call is appended there too. Nothing else is changed.
//!
//! With an [`Instrument`] the program is built for a sanitizer, whose passes work on that IR.

use crate::allocation;
use crate::arguments::Arguments;
use crate::harness::{self, GUESSED, REACHED, harness};
use crate::replay::{ReplayError, ReplayOutcome, run};
use crate::sanitize::tool::{self as sanitize, Instrument};
use crate::test::Test;
use attest_llvm::clang::{self, Clang};
use attest_llvm::compile_commands::Database;
use attest_proof::{DataModel, HashedFile, sha256_of_file};
use attest_slic::Unit;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A test whose files are compiled and whose harness is made.
pub struct Prepared {
    folder: tempfile::TempDir,
    clang: Clang,
    data_model: DataModel,
    parts: Vec<PathBuf>,
    undefined: BTreeSet<String>,
    /// The argument that says whether `char` is signed.
    chars: Option<String>,
    interrupt: Option<Arc<AtomicBool>>,
    instrument: Option<Instrument>,
}

/// Arguments that say whether `char` is signed.
const CHARS: [&str; 4] = [
    "-funsigned-char",
    "-fsigned-char",
    "-fno-unsigned-char",
    "-fno-signed-char",
];

/// Compiles the files of a test; if clang rejects one, its message.
pub fn prepare(test: &Test) -> Result<Result<Prepared, String>, ReplayError> {
    prepare_unless(test, None)
}

/// The same, unless another thread sets the flag: then clang and the program are killed.
pub fn prepare_unless(
    test: &Test,
    interrupt: Option<Arc<AtomicBool>>,
) -> Result<Result<Prepared, String>, ReplayError> {
    prepare_for(test, interrupt, None)
}

/// The same for a tool that looks for violations.
pub(crate) fn prepare_for(
    test: &Test,
    interrupt: Option<Arc<AtomicBool>>,
    instrument: Option<Instrument>,
) -> Result<Result<Prepared, String>, ReplayError> {
    let environment = test.stubs.iter().chain(&test.database).chain(&test.rule);
    for file in test.files.iter().chain(environment) {
        unchanged(file)?;
    }
    let database = match &test.database {
        Some(file) => match Database::read(Path::new(&file.path)) {
            Ok(database) => Some(database),
            Err(why) => return Ok(Err(why.to_string())),
        },
        None => None,
    };
    let clang = Clang::find().map_err(ReplayError::Clang)?;
    let folder = tempfile::tempdir().map_err(|e| ReplayError::Io(std::env::temp_dir(), e))?;
    let mut prepared = Prepared {
        folder,
        clang,
        data_model: test.data_model,
        parts: Vec::new(),
        undefined: BTreeSet::new(),
        chars: None,
        interrupt,
        instrument,
    };
    let compiled = prepared.compile(test, database.as_ref())?;
    Ok(compiled.map(|()| prepared))
}

fn unchanged(file: &HashedFile) -> Result<(), ReplayError> {
    let path = PathBuf::from(&file.path);
    let hash = sha256_of_file(&path).map_err(|e| ReplayError::Io(path.clone(), e))?;
    if hash == file.sha256 {
        Ok(())
    } else {
        Err(ReplayError::Hash(path))
    }
}

/// The harness while it is built.
const HARNESS: &str = "harness.c";
/// What it includes for a sanitizer.
const HANDLER: &str = "handler.h";

/// Flags for old C and for the machine that the model is of.
const FLAGS: &[&str] = &[
    "-O0",
    // What is compiled further with optimisation may be optimised.
    "-Xclang",
    "-disable-O0-optnone",
    "-fno-finite-loops",
    "-w",
    "-fno-strict-aliasing",
    "-fwrapv",
    "-fno-builtin",
    "-fno-delete-null-pointer-checks",
    // Variables without a value are zero, as in most tests, and not what the stack holds.
    "-ftrivial-auto-var-init=zero",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=implicit-int",
    "-Wno-error=return-type",
    "-fbracket-depth=4096",
];

impl Prepared {
    /// Links the program with its harness and runs it.
    pub fn run(&self, test: &Test, time: Duration) -> Result<ReplayOutcome, ReplayError> {
        self.run_with(&[], &self.parts, REACHED, test, time)
    }

    /// The same with optimisation, which assumes that loops terminate and that undefined
    /// behaviour does not occur, so the result is a guess. The error has another status here
    /// than without optimisation, so that a program that fails in both runs does not merely
    /// exit with that status.
    pub fn run_optimised(&self, test: &Test, time: Duration) -> Result<ReplayOutcome, ReplayError> {
        let text = self.harness(test, HARNESS);
        let text = text.replace(&harness::end(REACHED), &harness::end(GUESSED));
        let path = self.folder.path().join("guess.c");
        std::fs::write(&path, text).map_err(|e| ReplayError::Io(path.clone(), e))?;
        let mut parts = self.parts.clone();
        // The harness is the last part.
        parts.pop();
        parts.push(path);
        self.run_with(&["-O2"], &parts, GUESSED, test, time)
    }

    fn run_with(
        &self,
        options: &[&str],
        parts: &[PathBuf],
        reached: i32,
        test: &Test,
        time: Duration,
    ) -> Result<ReplayOutcome, ReplayError> {
        match self.link(options, parts, test)? {
            Ok(binary) => run(&binary, test, reached, time, self.interrupt.as_deref()),
            Err(why) => Ok(ReplayOutcome::DidNotBuild(why)),
        }
    }

    /// Links a program of these parts, or says why that cannot be done.
    fn link(
        &self,
        options: &[&str],
        parts: &[PathBuf],
        test: &Test,
    ) -> Result<Result<PathBuf, String>, ReplayError> {
        let binary = self.folder.path().join("program");
        let link = |flags: &[&str]| {
            let mut command = self.command();
            command.args(options).args(&self.chars);
            command.args(parts).args(flags).arg("-lm");
            command.args(allocation::options(test, &self.undefined));
            self.output({
                command.arg("-o").arg(&binary);
                command
            })
        };
        let Err(why) = link(&[])? else {
            return Ok(Ok(binary));
        };
        // What the files only declare is null then; the test need not reach it.
        let declared = link(&["-no-pie", "-Wl,--unresolved-symbols=ignore-all"])?;
        Ok(declared.map(|_| binary).map_err(|_| why))
    }

    /// Links the program with the libraries of the tool that it is prepared for.
    pub(crate) fn link_for(
        &self,
        instrument: &Instrument,
        test: &Test,
    ) -> Result<Result<PathBuf, String>, ReplayError> {
        self.link(&instrument.link(), &self.parts, test)
    }

    /// Where it is built.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The other files that the command in a harness of this name is about: of a test of a
    /// rule, the rule in C and the program in assembly, with the wrappers in it.
    pub fn beside(&self, test: &Test, name: &str) -> Result<Vec<(String, String)>, ReplayError> {
        if test.rule.is_none() || test.entry != "main" {
            return Ok(Vec::new());
        }
        let rule = self.folder.path().join(harness::RULE);
        let text = std::fs::read_to_string(&rule).map_err(|e| ReplayError::Io(rule, e))?;
        let mut files = vec![(harness::beside(name, harness::RULE), text)];
        // The last parts are the rule and the harness.
        let program = test.files.len() + test.stubs.len();
        for (i, part) in self.parts.iter().take(program).enumerate() {
            let mut command = self.command();
            command
                .args(["-fPIC", "-fno-addrsig", "-S", "-o", "-"])
                .arg(part);
            let text = match self.output(command)? {
                Ok(text) => text,
                Err(_) => return Ok(Vec::new()),
            };
            files.push((harness::beside(name, &harness::assembly(i + 1)), text));
        }
        Ok(files)
    }

    /// The harness, a C file that will have this name.
    pub fn harness(&self, test: &Test, name: &str) -> String {
        harness(test, &self.undefined, name)
    }

    fn compile(
        &mut self,
        test: &Test,
        database: Option<&Database>,
    ) -> Result<Result<(), String>, ReplayError> {
        let mut defined = BTreeSet::new();
        let mut called = BTreeSet::new();
        let mut calls = 0;
        let irs = match self.irs(test, database)? {
            Ok(irs) => irs,
            Err(why) => return Ok(Err(why)),
        };
        for (i, ir) in irs.iter().enumerate() {
            let ir = redirect(ir, &test.errors);
            let ir = match with_call(test, ir, &mut calls) {
                Ok(ir) => ir,
                Err(why) => return Ok(Err(why)),
            };
            symbols(&ir, &mut defined, &mut called);
            self.part(&format!("{i}.ll"), &ir)?;
        }
        if test.entry != "main" && calls != 1 {
            let entry = &test.entry;
            return Ok(Err(format!("`{entry}` is defined {calls} times")));
        }
        self.undefined = called.difference(&defined).cloned().collect();
        if harness::reads_input(&self.undefined) {
            let own = harness::ALLOCATE.iter().map(|name| (*name).to_owned());
            self.undefined
                .extend(own.filter(|name| !defined.contains(name)));
        }
        // Both must agree on how a `char` is returned.
        let last = test.clang_args.iter().rev();
        let chars = last.into_iter().find(|arg| CHARS.contains(&arg.as_str()));
        self.chars = chars.cloned();
        self.part(HARNESS, &self.harness(test, HARNESS))?;
        match self.instrument {
            Some(instrument) => self.compile_harness(&instrument),
            None => Ok(Ok(())),
        }
    }

    /// Compiles the harness by itself, with less instrumentation than the program.
    fn compile_harness(
        &mut self,
        instrument: &Instrument,
    ) -> Result<Result<(), String>, ReplayError> {
        let handler = sanitize::handler(instrument);
        if !handler.is_empty() {
            self.part(HANDLER, &handler)?;
            self.parts.pop();
        }
        let source = self.folder.path().join(HARNESS);
        let object = self.folder.path().join("harness.o");
        let mut command = self.command();
        command.args(instrument.compile_harness());
        if !handler.is_empty() {
            command
                .arg("-include")
                .arg(self.folder.path().join(HANDLER));
        }
        command.arg("-o").arg(&object).arg(&source);
        let made = self.output(command)?;
        self.parts.pop();
        self.parts.push(object);
        Ok(made.map(|_| ()))
    }

    /// The IR of all files, with the wrappers of the rule in it.
    fn irs(
        &self,
        test: &Test,
        database: Option<&Database>,
    ) -> Result<Result<Vec<String>, String>, ReplayError> {
        let mut irs = Vec::new();
        for file in test.files.iter().chain(&test.stubs) {
            match self.ir(test, database, Path::new(&file.path))? {
                Ok(ir) => irs.push(ir),
                Err(why) => return Ok(Err(why)),
            }
        }
        let Some(rule) = &test.rule else {
            return Ok(Ok(irs));
        };
        let path = Path::new(&rule.path);
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|e| ReplayError::Io(path.into(), e))?;
        let unit = |(i, ir)| Unit {
            name: "the program",
            ir,
            stub: i >= test.files.len(),
        };
        let units: Vec<Unit<'_>> = irs
            .iter()
            .map(String::as_str)
            .enumerate()
            .map(unit)
            .collect();
        let made = attest_slic::parse(&rule.path, &text)
            .and_then(|rule| attest_slic::instrument(&rule, &units, &test.entry));
        let made = match made {
            Ok(made) => made,
            Err(why) => return Ok(Err(why.to_string())),
        };
        let file = self.folder.path().join(harness::RULE);
        std::fs::write(&file, &made.c).map_err(|e| ReplayError::Io(file.clone(), e))?;
        irs = made.units;
        let mut command = self.command();
        command.arg("-iquote").arg(harness::rule_folder(&rule.path));
        command.args(&test.clang_args);
        command.args(["-S", "-emit-llvm", "-o", "-"]).arg(&file);
        Ok(self.output(command)?.map(|ir| {
            irs.push(ir);
            irs
        }))
    }

    fn ir(
        &self,
        test: &Test,
        database: Option<&Database>,
        file: &Path,
    ) -> Result<Result<String, String>, ReplayError> {
        if file.extension().is_some_and(|e| e == "ll") {
            let text = std::fs::read_to_string(file);
            return text
                .map(Ok)
                .map_err(|e| ReplayError::Io(file.to_owned(), e));
        }
        let mut command = self.command();
        let mut file = file.to_owned();
        if let Some(entry) = database.and_then(|d| d.find(&file)) {
            file = std::path::absolute(&file).unwrap_or(file);
            command.current_dir(&entry.directory);
            command.args(entry.clang_args());
        }
        command.args(&test.clang_args);
        if let Some(instrument) = &self.instrument {
            command.args(instrument.compile());
        }
        command.args(["-x", "c", "-S", "-emit-llvm", "-o", "-"]);
        command.arg(file);
        self.output(command)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.clang.path);
        command.args(FLAGS);
        if self.data_model == DataModel::Ilp32 {
            command.args(["-m32", "-msse2", "-mfpmath=sse"]);
        }
        command
    }

    fn output(&self, command: Command) -> Result<Result<String, String>, ReplayError> {
        let output = clang::output(command, self.interrupt.as_deref());
        let output = output.map_err(|e| ReplayError::Io(self.clang.path.clone(), e))?;
        let output = output.ok_or(ReplayError::Interrupted)?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ok(if output.status.success() {
            Ok(text(&output.stdout))
        } else {
            Err(text(&output.stderr))
        })
    }

    fn part(&mut self, name: &str, text: &str) -> Result<(), ReplayError> {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).map_err(|e| ReplayError::Io(path.clone(), e))?;
        self.parts.push(path);
        Ok(())
    }
}

/// IR whose `main` is renamed, and with the call of another entry if it is defined here.
fn with_call(test: &Test, ir: String, calls: &mut u32) -> Result<String, String> {
    let entry = test.entry.as_str();
    if entry == "main" {
        return Ok(ir);
    }
    let arguments = test.arguments.as_ref();
    let pointed = arguments.map(Arguments::functions).unwrap_or_default();
    let mut out = String::with_capacity(ir.len());
    let mut call = String::new();
    for line in redirect(&ir, &["main".to_owned()]).lines() {
        let name = subject(line, "define ");
        if name == Some(entry) {
            *calls += 1;
            let why = || format!("the call of `{entry}` cannot be written: {line}");
            call = crate::arguments::call(line, entry).ok_or_else(why)?;
        }
        // What a pointer names must be visible from the harness.
        match name.filter(|name| pointed.contains(name)) {
            Some(_) => out.push_str(&line.replacen("define internal ", "define ", 1)),
            None => out.push_str(line),
        }
        out.push('\n');
    }
    Ok(out + &call)
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
