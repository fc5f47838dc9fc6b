//! The clang driver: C in, textual LLVM IR out.
//!
//! clang is asked for the IR of its front end with no pass run over it, since
//! passes use undefined behaviour to change what a program means. Old C that
//! newer versions reject by default is let through. What clang prints is part
//! of the error, so that the user sees it as it was.

use crate::flags::{self, Refused};
use std::ffi::OsString;
use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// The oldest version whose output the reader knows (opaque pointers).
pub const OLDEST: u32 = 16;
/// The newest version that is looked for by name.
const NEWEST: u32 = 30;

/// Flags that decide what is compiled to; they come after the user's.
const FIXED: &[&str] = &[
    "-O1",
    "-Xclang",
    "-disable-llvm-passes",
    "-fno-strict-aliasing",
    "-fno-delete-null-pointer-checks",
    "-fno-builtin",
    "-fno-discard-value-names",
    "-g",
    "-S",
    "-emit-llvm",
];

/// Flags that let old C through; they come before the user's.
const TOLERANT: &[&str] = &[
    "-Wno-unknown-warning-option",
    "-Qunused-arguments",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=implicit-int",
    "-Wno-error=return-type",
    "-fbracket-depth=4096",
];

/// A clang that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clang {
    /// How it is started.
    pub path: PathBuf,
    /// Its major version.
    pub version: u32,
}

/// The widths of C's types.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum DataModel {
    /// `int`, `long` and pointers of 32 bits.
    Ilp32,
    /// `int` of 32 bits, `long` and pointers of 64.
    #[default]
    Lp64,
}

/// How a file is compiled.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// The widths of types.
    pub data_model: DataModel,
    /// The user's arguments for clang.
    pub args: Vec<String>,
    /// Where clang runs; the current directory if not said.
    pub directory: Option<PathBuf>,
    /// Keep clang's warnings instead of quieting them all.
    pub warnings: bool,
    /// Leave out arguments that clang does not know: those of a compilation
    /// database may be for another compiler.
    pub drop_unknown: bool,
    /// Set by another thread to stop: clang is killed then.
    pub interrupt: Option<Arc<AtomicBool>>,
}

/// Why there is no IR.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClangError {
    /// No clang, or none that is new enough; the text says what to do.
    NotFound(String),
    /// A program or file could not be started or read.
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        message: String,
    },
    /// clang rejected the file.
    Rejected {
        /// The file.
        file: PathBuf,
        /// What clang printed.
        stderr: String,
        /// What may help.
        advice: Option<String>,
    },
    /// An argument gives the program a meaning that the model has not.
    Refused(Refused),
    /// The caller's flag was set.
    Interrupted,
}

impl fmt::Display for ClangError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ClangError::NotFound(message) => f.write_str(message),
            ClangError::Refused(refused) => refused.fmt(f),
            ClangError::Interrupted => f.write_str("interrupted"),
            ClangError::Io { path, message } => write!(f, "{}: {message}", path.display()),
            ClangError::Rejected {
                file,
                stderr,
                advice,
            } => {
                write!(
                    f,
                    "{} does not compile:\n{}",
                    file.display(),
                    stderr.trim_end()
                )?;
                match advice {
                    Some(advice) => write!(f, "\n{advice}"),
                    None => Ok(()),
                }
            }
        }
    }
}

impl std::error::Error for ClangError {}

impl Clang {
    /// The clang named by `ATTEST_CLANG`, or else the newest on the path.
    pub fn find() -> Result<Clang, ClangError> {
        if let Some(name) = std::env::var_os("ATTEST_CLANG") {
            return Clang::named(&name);
        }
        let by_number = (OLDEST..=NEWEST)
            .rev()
            .find_map(|version| Clang::try_named(&format!("clang-{version}").into()));
        let plain = Clang::try_named(&"clang".into());
        let newest = match (by_number, plain) {
            (Some(a), Some(b)) if b.version > a.version => Some(b),
            (Some(a), _) => Some(a),
            (None, plain) => plain,
        };
        match newest {
            Some(clang) if clang.version >= OLDEST => Ok(clang),
            Some(clang) => Err(ClangError::NotFound(format!(
                "{} is version {}, but {OLDEST} or newer is needed; {INSTALL}",
                clang.path.display(),
                clang.version
            ))),
            None => Err(ClangError::NotFound(format!(
                "clang was not found; {INSTALL}"
            ))),
        }
    }

    /// A clang by name or path, which must be new enough.
    pub fn named(name: &OsString) -> Result<Clang, ClangError> {
        let shown = Path::new(name).display().to_string();
        match Clang::try_named(name) {
            Some(clang) if clang.version >= OLDEST => Ok(clang),
            Some(clang) => Err(ClangError::NotFound(format!(
                "{shown} is version {}, but {OLDEST} or newer is needed",
                clang.version
            ))),
            None => Err(ClangError::NotFound(format!(
                "{shown} is not a clang that can be run"
            ))),
        }
    }

    fn try_named(name: &OsString) -> Option<Clang> {
        let output = Command::new(name).arg("--version").output().ok()?;
        let version = parse_version(&String::from_utf8_lossy(&output.stdout))?;
        Some(Clang {
            path: PathBuf::from(name),
            version,
        })
    }
}

const INSTALL: &str = "install it with `apt install clang` (Debian, Ubuntu), `dnf install clang` \
    (Fedora) or `brew install llvm` (macOS), or name one in the variable ATTEST_CLANG";

/// The major version in what `clang --version` prints.
fn parse_version(text: &str) -> Option<u32> {
    let (_, rest) = text.split_once("clang version ")?;
    let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

/// The textual IR of a C file; a `.ll` file is only read.
pub fn compile(clang: &Clang, options: &Options, file: &Path) -> Result<String, ClangError> {
    let path = match &options.directory {
        Some(directory) => directory.join(file),
        None => file.to_owned(),
    };
    if extension(file) == "ll" {
        return std::fs::read_to_string(&path).map_err(|e| ClangError::Io {
            path,
            message: e.to_string(),
        });
    }
    if let Err(e) = std::fs::metadata(&path) {
        return Err(ClangError::Io {
            path,
            message: e.to_string(),
        });
    }
    let (args, directory) = (&options.args, options.directory.as_deref());
    if let Some(refused) = flags::refused(args, directory, Some(options.data_model)) {
        return Err(ClangError::Refused(refused));
    }
    let mut attempt = Attempt {
        options: options.clone(),
        undefine: false,
        declarations: None,
        sanitize: false,
    };
    let first = attempt.run(clang, file);
    let Err(ClangError::Rejected { stderr, .. }) = &first else {
        return first;
    };
    if !attempt.amend(stderr, extension(file)) {
        return first;
    }
    // A second round, for what the first has uncovered. If nothing helps the
    // user sees what clang said at first.
    match attempt.run(clang, file) {
        Err(ClangError::Rejected { stderr, .. }) if attempt.amend(&stderr, extension(file)) => {
            attempt.run(clang, file).or(first)
        }
        Err(_) => first,
        ok => ok,
    }
}

fn extension(file: &Path) -> &str {
    file.extension()
        .and_then(|e| e.to_str())
        .unwrap_or_default()
}

/// One run of clang, and what was changed to have the file accepted. No
/// change gives the file another meaning.
struct Attempt {
    options: Options,
    /// Take away the predefined macros.
    undefine: bool,
    /// Put these before the file.
    declarations: Option<Declarations>,
    /// Keep the operations that clang would evaluate although they overflow.
    sanitize: bool,
}

/// Has clang say that it evaluated an operation that overflows, and nothing else.
const OVERFLOW_ONLY: &[&str] = &["-Wno-everything", "-Wno-error", "-Winteger-overflow"];
/// What it says then.
const OVERFLOWS: &str = "[-Winteger-overflow]";
/// Has clang keep operations on signed constants that overflow, as intrinsics like all others.
const SANITIZE: &[&str] = &[
    "-fsanitize=signed-integer-overflow",
    "-fsanitize-trap=signed-integer-overflow",
];

impl Attempt {
    /// Answers what clang rejected; says whether there was something to change.
    fn amend(&mut self, stderr: &str, kind: &str) -> bool {
        let mut changed = false;
        if self.options.drop_unknown {
            let unknown = unknown_arguments(stderr);
            let before = self.options.args.len();
            self.options.args.retain(|arg| !unknown.contains(arg));
            changed |= self.options.args.len() < before;
        }
        // clang replaces its own macros, such as `linux`, even in text that is
        // preprocessed.
        if kind == "i" && !self.undefine && stderr.contains("expanded from macro") {
            self.undefine = true;
            changed = true;
        }
        if self.declarations.is_none() {
            self.declarations = declarations_for(stderr);
            changed |= self.declarations.is_some();
        }
        changed
    }

    /// The IR. Where clang has evaluated an operation that overflows, so that nothing is left of
    /// it, that of another run which keeps it.
    fn run(&self, clang: &Clang, file: &Path) -> Result<String, ClangError> {
        let (text, stderr) = self.run_once(clang, file)?;
        if self.sanitize || !stderr.contains(OVERFLOWS) {
            return Ok(text);
        }
        let keeps = Attempt {
            options: self.options.clone(),
            undefine: self.undefine,
            declarations: self.declarations.clone(),
            sanitize: true,
        };
        Ok(keeps.run_once(clang, file)?.0)
    }

    fn run_once(&self, clang: &Clang, file: &Path) -> Result<(String, String), ClangError> {
        let io = |path: &Path, e: std::io::Error| ClangError::Io {
            path: path.to_owned(),
            message: e.to_string(),
        };
        let options = &self.options;
        let mut command = Command::new(&clang.path);
        command.args(TOLERANT);
        // `-w` cannot be taken back.
        let silences = |arg: &&String| *arg != "-w" || options.warnings;
        command.args(options.args.iter().filter(silences));
        command.args(FIXED);
        if !options.warnings {
            command.args(OVERFLOW_ONLY);
        }
        if self.sanitize {
            command.args(SANITIZE);
        }
        command.arg(match options.data_model {
            DataModel::Ilp32 => "-m32",
            DataModel::Lp64 => "-m64",
        });
        if let Some(directory) = &options.directory {
            command.current_dir(directory);
            // Places are named as seen from here, where the files are read again for a trace.
            if let Ok(here) = std::env::current_dir() {
                command.arg(format!("-fdebug-compilation-dir={}", here.display()));
            }
        }
        let header = match &self.declarations {
            Some(declarations) => Some(declarations.write().map_err(|e| io(file, e))?),
            None => None,
        };
        let kind = extension(file);
        if kind == "i" && (self.undefine || header.is_some()) {
            command.arg("-undef");
        }
        match (&header, kind) {
            // Preprocessed text takes no header, so it is preprocessed again.
            (Some(header), _) => drop(command.arg("-include").arg(&header.path).args(["-x", "c"])),
            (None, "i") => drop(command.args(["-x", "cpp-output"])),
            (None, "c" | "h") => drop(command.args(["-x", "c"])),
            (None, _) => {}
        }
        command.arg("-o").arg("-").arg(file);
        let output = output(command, options.interrupt.as_deref());
        let output = output.map_err(|e| io(&clang.path, e))?;
        let output = output.ok_or(ClangError::Interrupted)?;
        let mut stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() {
            let text = String::from_utf8(output.stdout).map_err(|_| ClangError::Io {
                path: file.to_owned(),
                message: "clang's output is not UTF-8".to_owned(),
            })?;
            return Ok((text, stderr));
        }
        if stderr.trim().is_empty() {
            // A clang that crashes may say nothing, for example on code nested too deeply.
            stderr = format!("clang itself failed with {}", output.status);
        }
        let advice = advice(&stderr, options);
        Err(ClangError::Rejected {
            file: file.to_owned(),
            stderr,
            advice,
        })
    }
}

/// Between two looks at the flag of who waits for a command.
const LOOK: Duration = Duration::from_millis(10);

/// Runs a command without input to its end, for what it wrote. If the flag is set before that
/// it is killed, and there is nothing.
pub fn output(
    mut command: Command,
    interrupt: Option<&AtomicBool>,
) -> std::io::Result<Option<Output>> {
    let is_set = || interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed));
    if is_set() {
        return Ok(None);
    }
    command.stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let (sender, pipes) = channel();
    let read = |of_stdout: bool, mut pipe: Box<dyn Read + Send>| {
        let sender = sender.clone();
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let read = pipe.read_to_end(&mut bytes);
            // Nobody waits for what a killed command wrote.
            let _ = sender.send((of_stdout, read.map(|_| bytes)));
        });
    };
    if let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) {
        read(true, Box::new(stdout));
        read(false, Box::new(stderr));
    }
    drop(sender);
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    loop {
        match pipes.recv_timeout(LOOK) {
            Ok((true, bytes)) => stdout = bytes?,
            Ok((false, bytes)) => stderr = bytes?,
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) if is_set() => {
                // It may have ended by itself meanwhile.
                let _ = child.kill();
                child.wait()?;
                return Ok(None);
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
    Ok(Some(Output {
        status: child.wait()?,
        stdout,
        stderr,
    }))
}

fn advice(stderr: &str, options: &Options) -> Option<String> {
    let header = stderr.contains("bits/libc-header-start.h")
        || stderr.contains("gnu/stubs-32.h")
        || stderr.contains("sys/cdefs.h") && stderr.contains("file not found")
        || stderr.contains("asm/errno.h") && stderr.contains("file not found");
    (options.data_model == DataModel::Ilp32 && header).then(|| {
        "the 32-bit headers of the C library are missing: install them with \
         `apt install gcc-multilib`, or check with `--data-model lp64`"
            .to_owned()
    })
}

/// The arguments that clang says it does not know.
fn unknown_arguments(stderr: &str) -> Vec<String> {
    let quoted = |rest: &str| rest.split('\'').nth(1).map(str::to_owned);
    stderr
        .lines()
        .filter_map(|line| {
            let (_, rest) = line
                .split_once("unknown argument")
                .or_else(|| line.split_once("unsupported option"))
                .or_else(|| line.split_once("unsupported argument"))?;
            quoted(rest)
        })
        .collect()
}

/// Prototypes of functions of the C library that a program uses before it
/// declares them. Under `-fno-builtin` clang takes such a use for
/// `int f()` and then rejects the declaration; every compiler with its
/// builtins on takes it for the library's function, which these say.
const PROTOTYPES: &[(&str, &str)] = &[
    ("abort", "void abort(void)"),
    (
        "calloc",
        "void *calloc(__typeof__(sizeof 0), __typeof__(sizeof 0))",
    ),
    ("exit", "void exit(int)"),
    ("free", "void free(void *)"),
    ("malloc", "void *malloc(__typeof__(sizeof 0))"),
    (
        "memchr",
        "void *memchr(const void *, int, __typeof__(sizeof 0))",
    ),
    (
        "memcmp",
        "int memcmp(const void *, const void *, __typeof__(sizeof 0))",
    ),
    (
        "memcpy",
        "void *memcpy(void *, const void *, __typeof__(sizeof 0))",
    ),
    (
        "memmove",
        "void *memmove(void *, const void *, __typeof__(sizeof 0))",
    ),
    ("memset", "void *memset(void *, int, __typeof__(sizeof 0))"),
    ("realloc", "void *realloc(void *, __typeof__(sizeof 0))"),
    ("strcat", "char *strcat(char *, const char *)"),
    ("strchr", "char *strchr(const char *, int)"),
    ("strcpy", "char *strcpy(char *, const char *)"),
    ("strlen", "__typeof__(sizeof 0) strlen(const char *)"),
    (
        "strncat",
        "char *strncat(char *, const char *, __typeof__(sizeof 0))",
    ),
    (
        "strncpy",
        "char *strncpy(char *, const char *, __typeof__(sizeof 0))",
    ),
    ("strrchr", "char *strrchr(const char *, int)"),
    ("strstr", "char *strstr(const char *, const char *)"),
];

/// The text of a header to be put before a file.
#[derive(Clone)]
struct Declarations(String);

/// A header on disk, removed at the end.
struct Header {
    path: PathBuf,
}

impl Drop for Header {
    fn drop(&mut self) {
        // Nothing depends on the file being gone.
        let _ = std::fs::remove_file(&self.path);
    }
}

impl Declarations {
    fn write(&self) -> std::io::Result<Header> {
        use std::sync::atomic::{AtomicU32, Ordering};
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("attest-{}-{number}.h", std::process::id());
        let path = std::env::temp_dir().join(name);
        let mut file = std::fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&path)?;
        let header = Header { path };
        std::io::Write::write_all(&mut file, self.0.as_bytes())?;
        Ok(header)
    }
}

/// The prototypes that the rejected file needs.
fn declarations_for(stderr: &str) -> Option<Declarations> {
    let mut text = String::new();
    for line in stderr.lines() {
        let Some((_, rest)) = line.split_once(": error: conflicting types for '") else {
            continue;
        };
        let (name, _) = rest.split_once('\'')?;
        let (_, prototype) = PROTOTYPES.iter().find(|(known, _)| *known == name)?;
        text.push_str(prototype);
        text.push_str(";\n");
    }
    (!text.is_empty()).then_some(Declarations(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions() {
        let check = |text, expected| assert_eq!(parse_version(text), expected, "{text}");
        check(
            "Debian clang version 22.1.8 (1~deb12u1)\nTarget: x86_64",
            Some(22),
        );
        check("clang version 16.0.0", Some(16));
        check("Ubuntu clang version 19.1.1-1ubuntu1", Some(19));
        check("gcc (Debian 12.2.0) 12.2.0", None);
    }

    #[test]
    fn unknown_arguments_are_found() {
        let stderr = "clang: error: unknown argument: '-fconserve-stack'\n\
            clang: error: unknown argument '-fa'; did you mean '-fb'?\n";
        assert_eq!(unknown_arguments(stderr), ["-fconserve-stack", "-fa"]);
    }

    #[test]
    fn prototypes_only_for_conflicts() {
        let conflict = "a.i:3:1: error: conflicting types for 'memcpy'\na.i:1:1: note: x\n";
        assert!(declarations_for(conflict).is_some());
        assert!(declarations_for("a.i:9:9: error: other\n").is_none());
        assert!(declarations_for("a.i:3:1: error: conflicting types for 'f'\n").is_none());
        assert!(PROTOTYPES.is_sorted());
    }

    #[test]
    fn missing_clangs_are_explained() {
        let error = Clang::named(&"no-such-clang".into()).expect_err("no clang");
        assert!(error.to_string().contains("no-such-clang"));
    }

    #[test]
    #[cfg(unix)]
    fn a_command_is_killed_when_the_flag_is_set() {
        let flag = Arc::new(AtomicBool::new(false));
        let setter = flag.clone();
        thread::spawn(move || {
            thread::sleep(Duration::from_millis(50));
            setter.store(true, Ordering::Relaxed);
        });
        let mut command = Command::new("sleep");
        command.arg("1000");
        let ended = output(command, Some(&flag)).expect("sleep starts");
        assert!(ended.is_none());
    }

    #[test]
    #[cfg(unix)]
    fn what_a_command_writes() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo out; echo err >&2; exit 3"]);
        let ended = output(command, None).expect("sh starts").expect("no flag");
        assert_eq!(ended.status.code(), Some(3));
        assert_eq!(
            (&ended.stdout[..], &ended.stderr[..]),
            (&b"out\n"[..], &b"err\n"[..])
        );
    }

    #[test]
    fn advice_on_headers() {
        let stderr = "fatal error: 'bits/libc-header-start.h' file not found";
        let ilp32 = Options {
            data_model: DataModel::Ilp32,
            ..Options::default()
        };
        assert!(advice(stderr, &ilp32).is_some_and(|a| a.contains("gcc-multilib")));
        assert!(advice(stderr, &Options::default()).is_none());
    }
}
