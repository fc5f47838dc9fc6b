//! Limits of a check in a process that goes on: clang is killed, checks are apart.

use attest_verifier::{Answer, Error, Limit, Limits, Settings, Silent, Source, Why, check};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

/// The error is some 2^63 rounds of a generator away: there is neither a proof nor a test.
const ENDLESS: &str = "extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);
int main(void) {
  unsigned long x = 0, n = __VERIFIER_nondet_ulong();
  while (n-- > 0) x = x * 6364136223846793005ul + 1442695040888963407ul;
  if (x == 3141592653589793238ul) reach_error();
}
";

/// A run fails.
const FAILS: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) { if (__VERIFIER_nondet_int() == 1) reach_error(); }
";

fn file(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path
}

fn answer(file: &Path, limits: Limits) -> Result<Answer, Error> {
    let settings = Settings {
        limits,
        ..Settings::default()
    };
    check(&Source::of([file]), &settings, &mut Silent).map(|checked| checked.answer)
}

/// The limit that ended a check.
#[track_caller]
fn limit(answer: Result<Answer, Error>) -> Limit {
    match answer {
        Ok(Answer::Unknown(Why::Limit(limit))) => limit,
        other => panic!("{other:?}"),
    }
}

#[test]
fn checks_side_by_side_have_limits_of_their_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let endless = file(folder.path(), "endless.c", ENDLESS);
    let fails = file(folder.path(), "fails.c", FAILS);
    let cpu = Duration::from_millis(1500);
    let interrupted = Limits {
        interrupt: Some(Arc::new(AtomicBool::new(true))),
        ..Limits::default()
    };
    let of_processor = Limits {
        cpu: Some(cpu),
        ..Limits::default()
    };
    thread::scope(|scope| {
        let processor = scope.spawn(|| answer(&endless, of_processor));
        let stopped = scope.spawn(|| answer(&endless, interrupted));
        let free = scope.spawn(|| answer(&fails, Limits::default()));
        let ended = processor.join().expect("no panic");
        assert_eq!(limit(ended), Limit::Processor(cpu));
        let ended = stopped.join().expect("no panic");
        assert_eq!(limit(ended), Limit::Interrupt);
        let ended = free.join().expect("no panic");
        assert!(matches!(ended, Ok(Answer::Unsafe(_))), "{ended:?}");
    });
}

/// The work follows the nesting of C, on a stack that is not the caller's.
#[test]
fn a_caller_with_a_small_stack() {
    let folder = tempfile::tempdir().expect("a folder");
    let (open, close) = ("(x ^ ".repeat(200), ")".repeat(200));
    let text = format!(
        "extern unsigned __VERIFIER_nondet_uint(void);
        extern void reach_error(void);
        int main(void) {{
          unsigned x = __VERIFIER_nondet_uint();
          if (x == 3 && {open}x{close} == 0) reach_error();
        }}"
    );
    let nested = file(folder.path(), "nested.c", &text);
    let small = thread::Builder::new().stack_size(1 << 16);
    let caller = small.spawn(move || answer(&nested, Limits::time(Duration::from_secs(60))));
    let ended = caller.expect("a thread").join().expect("no panic");
    assert!(matches!(ended, Ok(Answer::Safe(_))), "{ended:?}");
}

/// clang waits for a header that nobody writes.
#[test]
#[cfg(target_os = "linux")]
fn the_time_limit_kills_clang() {
    use std::os::unix::fs::OpenOptionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let header = folder.path().join("never.h");
    let made = std::process::Command::new("mkfifo").arg(&header).status();
    assert!(made.expect("mkfifo").success());
    let waits = file(
        folder.path(),
        "waits.c",
        "#include \"never.h\"\nint main(void) {}\n",
    );
    let clock = Instant::now();
    let time = Duration::from_secs(2);
    let ended = answer(&waits, Limits::time(time));
    assert_eq!(limit(ended), Limit::Time(time));
    assert!(clock.elapsed() < Duration::from_secs(30));
    // A pipe without a reader refuses a writer that does not wait.
    const NONBLOCK: i32 = 0o4000;
    let mut writer = std::fs::OpenOptions::new();
    let writer = writer.write(true).custom_flags(NONBLOCK).open(&header);
    assert!(writer.is_err(), "clang still reads");
}
