//! The tools that confirm violations, and how programs are built and run for them.
//!
//! clang compiles the program with its instrumentation. The libraries are gcc's, which come
//! with clang's own packages on Linux and name lines by themselves, or clang's if they are
//! installed. valgrind needs no instrumentation.

use crate::native::{Stopped, Words};
use attest_llvm::clang::{self, Clang};
use attest_model::BailKind;
use attest_proof::DataModel;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;

/// Whose words a report is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// AddressSanitizer.
    Address,
    /// UndefinedBehaviorSanitizer.
    Undefined,
    /// LeakSanitizer.
    Leak,
    /// MemorySanitizer.
    Memory,
    /// valgrind.
    Valgrind,
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Family::Address => "AddressSanitizer",
            Family::Undefined => "UndefinedBehaviorSanitizer",
            Family::Leak => "LeakSanitizer",
            Family::Memory => "MemorySanitizer",
            Family::Valgrind => "valgrind",
        })
    }
}

/// What a program is linked with, or run under.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Tool {
    /// AddressSanitizer and UndefinedBehaviorSanitizer with the libraries of gcc.
    Gcc,
    /// The same with the libraries of clang.
    Clang,
    /// MemorySanitizer.
    Memory,
    /// valgrind.
    Valgrind,
}

impl Tool {
    /// The tools that can see a violation, the best first.
    pub fn for_kind(kind: BailKind) -> &'static [Tool] {
        use BailKind::*;
        match kind {
            Uninitialised => &[Tool::Memory, Tool::Valgrind],
            // What is still reachable is no leak for a sanitizer.
            NotFreed => &[Tool::Valgrind],
            Overflow | Shift | FloatToInt | Unreachable => &[Tool::Gcc, Tool::Clang],
            _ => &[Tool::Gcc, Tool::Clang, Tool::Valgrind],
        }
    }

    /// Its name.
    pub fn family(self) -> Family {
        match self {
            Tool::Gcc | Tool::Clang => Family::Address,
            Tool::Memory => Family::Memory,
            Tool::Valgrind => Family::Valgrind,
        }
    }

    /// What to install where it is missing.
    fn package(self, clang: u32, model: DataModel) -> String {
        let (name, narrow) = (self.family(), model == DataModel::Ilp32);
        match self {
            Tool::Gcc if narrow => format!("{name} for 32 bits is missing: install gcc-multilib"),
            Tool::Gcc => format!("{name} is missing: install gcc or libclang-rt-{clang}-dev"),
            Tool::Memory if narrow => format!("{name} is for 64 bits only"),
            Tool::Clang | Tool::Memory => {
                format!("{name} is missing: install libclang-rt-{clang}-dev")
            }
            Tool::Valgrind if narrow => {
                format!("{name} for 32 bits is missing: install valgrind and libc6-dbg:i386")
            }
            Tool::Valgrind => format!("{name} is missing: install valgrind"),
        }
    }

    /// Why it does not work here, found by trying it once.
    pub fn missing(self, clang: &Clang, model: DataModel) -> Option<String> {
        type Tried = BTreeMap<(Tool, bool), bool>;
        static TRIED: Mutex<Tried> = Mutex::new(BTreeMap::new());
        let key = (self, model == DataModel::Ilp32);
        let known = TRIED.lock().ok().and_then(|t| t.get(&key).copied());
        let works = known.unwrap_or_else(|| {
            let works = self.works(clang, model).unwrap_or(false);
            if let Ok(mut tried) = TRIED.lock() {
                tried.insert(key, works);
            }
            works
        });
        (!works).then(|| self.package(clang.version, model))
    }

    /// Builds and runs a program that does nothing.
    fn works(self, clang: &Clang, model: DataModel) -> Result<bool, Stopped> {
        let error = |e| Stopped::Io(std::env::temp_dir(), e);
        let folder = tempfile::tempdir().map_err(error)?;
        let (source, binary) = (folder.path().join("try.c"), folder.path().join("try"));
        std::fs::write(&source, "int main(void) { return 0; }\n").map_err(error)?;
        let mut command = Command::new(&clang.path);
        if model == DataModel::Ilp32 {
            command.arg("-m32");
        }
        command
            .args(self.link())
            .arg(&source)
            .arg("-o")
            .arg(&binary);
        let built = clang::output(command, None).map_err(error)?;
        if !built.is_some_and(|built| built.status.success()) {
            return Ok(false);
        }
        let run = Instrument {
            tool: self,
            kind: BailKind::OutOfBounds,
            more: false,
        };
        let status = run.run(&binary, folder.path(), PROBE_TIME, None)?;
        Ok(status == Some(Some(0)))
    }

    /// What the linker is told.
    pub fn link(self) -> &'static [&'static str] {
        match self {
            Tool::Gcc => &[
                "-fsanitize=address",
                "-fno-sanitize-link-runtime",
                "-Wl,--no-as-needed",
                "-lasan",
                "-lubsan",
                "-Wl,--as-needed",
                "-ldl",
            ],
            Tool::Clang => &["-fsanitize=address,undefined"],
            Tool::Memory => &["-fsanitize=memory"],
            Tool::Valgrind => &[],
        }
    }
}

/// Time for a program that does nothing.
const PROBE_TIME: Duration = Duration::from_secs(20);
/// The name of a report in the folder of a program; the sanitizers append the process.
const REPORT: &str = "report";
/// The status of a run that a tool ends.
pub(crate) const FOUND: i32 = 86;

/// A way to build and run a program such that violations of a kind are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instrument {
    /// With this tool,
    pub tool: Tool,
    /// for violations of this kind;
    pub kind: BailKind,
    /// also with checks that find what attest does not take for a violation, and may thus end
    /// the run before.
    pub more: bool,
}

impl Instrument {
    /// The attempts to find violations of a kind, the most exact first.
    pub fn attempts(kind: BailKind) -> Vec<Instrument> {
        let mut out = Vec::new();
        for &tool in Tool::for_kind(kind) {
            let more = match (tool, kind) {
                (Tool::Gcc | Tool::Clang, BailKind::OutOfBounds | BailKind::Division) => {
                    &[false, true][..]
                }
                _ => &[false],
            };
            out.extend(more.iter().map(|&more| Instrument { tool, kind, more }));
        }
        out
    }

    /// The tool whose checks are for this kind.
    pub fn family(&self) -> Family {
        use BailKind::*;
        match (self.tool, self.kind) {
            (Tool::Gcc | Tool::Clang, Overflow | Division | Shift | FloatToInt | Unreachable) => {
                Family::Undefined
            }
            (Tool::Gcc | Tool::Clang, Leak) => Family::Leak,
            (tool, _) => tool.family(),
        }
    }

    /// The one that a user can build by hand.
    pub fn by_hand(kind: BailKind) -> Instrument {
        Instrument {
            tool: Tool::Gcc,
            kind,
            more: true,
        }
    }

    /// The checks that are compiled into the program. AddressSanitizer is always among them,
    /// to name the place of a signal. Only the check for the kind is, since others end a run
    /// at what is no violation for attest, such as `&p->member` of a null pointer.
    pub fn checks(&self) -> String {
        let with = |check: &str| format!("address,{check}");
        match (self.tool, self.kind, self.more) {
            (Tool::Valgrind, ..) => String::new(),
            (Tool::Memory, ..) => "memory".into(),
            (_, BailKind::OutOfBounds, true) => with("bounds"),
            (_, BailKind::Division, true) => with("integer-divide-by-zero,signed-integer-overflow"),
            (_, BailKind::Division, false) => with("integer-divide-by-zero"),
            (_, BailKind::Overflow, _) => with("signed-integer-overflow"),
            (_, BailKind::Shift, _) => with("shift-exponent"),
            (_, BailKind::FloatToInt, _) => with("float-cast-overflow"),
            (_, BailKind::Unreachable, _) => with("unreachable"),
            // It reads what lies before the function, so that a jump to nowhere is found at
            // the call.
            (_, BailKind::BadCall, _) => with("function"),
            _ => "address".into(),
        }
    }

    /// What the compiler is told besides, from C to IR. The passes of the sanitizers wait until
    /// the IR is linked, or they would be run twice.
    pub fn compile(&self) -> Vec<String> {
        let mut out: Vec<String> = ["-O0", "-g", "-gdwarf-4", "-fno-omit-frame-pointer"]
            .map(String::from)
            .into();
        let checks = self.checks();
        if !checks.is_empty() {
            out.push(format!("-fsanitize={checks}"));
            out.push("-fno-sanitize-recover=all".into());
            out.extend(["-Xclang", "-disable-llvm-passes"].map(String::from));
        }
        if self.kind == BailKind::Overflow {
            out.push("-fno-wrapv".into());
        }
        if self.needs_unset() {
            out.push("-ftrivial-auto-var-init=uninitialized".into());
        }
        out
    }

    /// What the linker is told, which has the IR compiled further.
    pub fn link(&self) -> Vec<&'static str> {
        let mut out = self.tool.link().to_vec();
        if self.kind == BailKind::BadCall && self.tool != Tool::Valgrind {
            out.push("-fsanitize-coverage=func,indirect-calls,trace-pc");
        }
        out
    }

    /// The same for the harness, in which nothing but accesses are looked at: where it stands
    /// for the library, it writes to the program's buffers.
    pub fn compile_harness(&self) -> Vec<&'static str> {
        let mut out = vec!["-g", "-gdwarf-4", "-fno-omit-frame-pointer", "-c"];
        match self.tool {
            Tool::Gcc | Tool::Clang => out.push("-fsanitize=address"),
            Tool::Memory => out.push("-fsanitize=memory"),
            Tool::Valgrind => {}
        }
        out
    }

    /// Whether what is not set must stay as it is, not zero.
    pub fn needs_unset(&self) -> bool {
        self.kind == BailKind::Uninitialised
    }

    /// What runs the program: it and its arguments, and the environment.
    fn command(&self, binary: &Path, folder: &Path) -> (String, Vec<String>, Environment) {
        let report = folder.join(REPORT);
        let report = report.display();
        let program = binary.display().to_string();
        let leaks = u8::from(self.kind == BailKind::Leak);
        if self.tool == Tool::Valgrind {
            let mut words: Vec<String> = [
                "-q",
                "--track-origins=no",
                "--fullpath-after=",
                "--child-silent-after-fork=yes",
            ]
            .map(String::from)
            .into();
            words.push(format!("--error-exitcode={FOUND}"));
            words.push(format!("--log-file={report}.log"));
            let kinds = match self.kind {
                BailKind::Leak => "definite,indirect,possible",
                BailKind::NotFreed => "all",
                _ => "",
            };
            if kinds.is_empty() {
                words.extend(["--leak-check=no", "--exit-on-first-error=yes"].map(String::from));
            } else {
                words.push("--leak-check=full".into());
                words.push(format!("--show-leak-kinds={kinds}"));
                words.push(format!("--errors-for-leak-kinds={kinds}"));
            }
            words.push(program);
            return ("valgrind".into(), words, Vec::new());
        }
        // The log's path comes last: nothing in it is taken for an option then.
        let common = format!(
            "halt_on_error=1:abort_on_error=0:exitcode={FOUND}:symbolize=1:color=never:\
             print_legend=0:allocator_may_return_null=1:handle_abort=0:log_path='{report}'"
        );
        let address = format!(
            "detect_leaks={leaks}:detect_stack_use_after_return=1:detect_invalid_pointer_pairs=0:\
             detect_odr_violation=0:alloc_dealloc_mismatch=0:handle_sigfpe=1:handle_sigill=1:\
             handle_sigbus=1:max_malloc_fill_size={FILLED}:malloc_fill_byte=0:{common}"
        );
        let environment = vec![
            ("ASAN_OPTIONS", address),
            ("UBSAN_OPTIONS", format!("print_stacktrace=1:{common}")),
            ("LSAN_OPTIONS", String::new()),
            ("MSAN_OPTIONS", common),
            ("ATTEST_REPORT", format!("{report}.u")),
        ];
        (program, Vec::new(), environment)
    }

    /// Runs a program that was built so: none if it does not end in time, else its status.
    pub(crate) fn run(
        &self,
        binary: &Path,
        folder: &Path,
        time: Duration,
        interrupt: Option<&std::sync::atomic::AtomicBool>,
    ) -> Result<Option<Option<i32>>, Stopped> {
        let (program, arguments, environment) = self.command(binary, folder);
        let words = Words {
            program: Path::new(&program),
            arguments: &arguments,
            environment: &environment,
            // A sanitizer's own memory has a fixed place, where a program at random addresses
            // may lie already.
            fixed: self.tool != Tool::Valgrind,
        };
        words.run(time, interrupt)
    }

    /// What the tool wrote in a folder.
    pub(crate) fn report(folder: &Path) -> String {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let is_report = |path: &std::path::PathBuf| {
            let name = path.file_name().map(|name| name.to_string_lossy());
            name.is_some_and(|name| name.starts_with(&format!("{REPORT}.")))
        };
        let mut paths: Vec<_> = entries
            .map(|entry| entry.path())
            .filter(is_report)
            .collect();
        paths.sort();
        let texts = paths.iter().filter_map(|path| std::fs::read(path).ok());
        texts
            .map(|text| String::from_utf8_lossy(&text).into_owned())
            .collect()
    }
}

/// What the harness has for a tool, as C.
pub(crate) fn handler(instrument: &Instrument) -> String {
    let mut c = String::new();
    if instrument.tool == Tool::Gcc {
        c.push_str(OWN_LOG);
    }
    let calls = matches!(instrument.tool, Tool::Gcc | Tool::Clang);
    if calls && instrument.kind == BailKind::BadCall {
        c.push_str(&CALLS.replace("FOUND", &FOUND.to_string()));
    }
    c
}

/// The libraries of gcc are two, of which the second does not read where to write.
const OWN_LOG: &str = include_str!("log.c");

/// Calls through pointers. Where one jumps to nowhere, no stack leads back to it, so the last
/// one is kept. And the libraries of gcc lack what a call of a function of another type ends
/// in; this writes in the words of the sanitizer.
const CALLS: &str = include_str!("calls.c");

/// Bytes of a new object that are zero, as in most tests.
const FILLED: u32 = 1 << 24;

type Environment = Vec<(&'static str, String)>;
