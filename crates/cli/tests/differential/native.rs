//! Compiling and running on the machine itself.

use crate::{Shown, Task, machine_args};
use attest_llvm::clang::{Clang, DataModel};
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// What running a program natively comes to.
pub enum Native {
    Ended(Shown),
    OverTime,
}

/// The clang that attest itself takes.
pub fn clang() -> &'static Clang {
    static CLANG: OnceLock<Clang> = OnceLock::new();
    CLANG.get_or_init(|| Clang::find().expect("a clang"))
}

/// Compiles a program without optimisation into `folder` and runs it.
pub fn run(task: &Task, folder: &Path, limit: Duration) -> Result<Native, String> {
    let exe = folder.join("program");
    let output = Command::new(&clang().path)
        .args([
            "-w",
            "-O0",
            "-fwrapv",
            "-Wno-error=incompatible-pointer-types",
        ])
        .args(machine_args(task.data_model))
        .args(&task.clang_args)
        .args(&task.files)
        .arg("-o")
        .arg(&exe)
        .arg("-lm")
        .output()
        .map_err(|e| e.to_string())?;
    if !output.status.success() {
        return Err(format!(
            "does not compile natively:\n{}",
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    execute(&exe, limit)
}

fn execute(exe: &Path, limit: Duration) -> Result<Native, String> {
    let mut child = Command::new(exe)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| e.to_string())?;
    let mut pipe = child.stdout.take().ok_or("no output pipe")?;
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        pipe.read_to_end(&mut text).map(|_| text)
    });
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            break status;
        }
        if start.elapsed() > limit {
            child.kill().map_err(|e| e.to_string())?;
            child.wait().map_err(|e| e.to_string())?;
            return Ok(Native::OverTime);
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let stdout = reader
        .join()
        .map_err(|_| "the reader of the output failed")?
        .map_err(|e| e.to_string())?;
    let status = status
        .code()
        .unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
    Ok(Native::Ended(Shown { stdout, status }))
}

/// Whether this machine compiles and runs programs of a data model.
pub fn can_run(data_model: DataModel) -> bool {
    let Ok(folder) = tempfile::tempdir() else {
        return false;
    };
    let file = folder.path().join("one.c");
    let text = "#include <stdio.h>\nint main(void) { puts(\"one\"); return 7; }\n";
    if std::fs::write(&file, text).is_err() {
        return false;
    }
    let task = Task {
        files: vec![file],
        data_model,
        clang_args: Vec::new(),
    };
    let result = run(&task, folder.path(), Duration::from_secs(5));
    matches!(result, Ok(Native::Ended(shown)) if shown.status == 7)
}
