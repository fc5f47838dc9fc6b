//! What the tests of the command line share: a folder of files and a run of `attest` in it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A folder for the files of one test.
pub struct Folder(TempDir);

/// How a run of `attest` ended.
#[derive(Debug)]
#[allow(dead_code)]
pub struct Ended {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

#[allow(dead_code)]
impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a temporary folder"))
    }

    pub fn with(files: &[(&str, &str)]) -> Folder {
        let folder = Folder::new();
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), bytes).expect("a file of the test");
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn attest(&self, args: &[&str]) -> Ended {
        attest_in(self.0.path(), args)
    }

    /// The same, with what earlier runs in this folder have learnt.
    pub fn attest_again(&self, args: &[&str]) -> Ended {
        ended(&mut command(self.0.path(), args))
    }
}

/// Runs `attest` in a folder, without standard input, and as if for the first time.
pub fn attest_in(folder: &Path, args: &[&str]) -> Ended {
    ended(command(folder, args).env("ATTEST_NO_CACHE", "1"))
}

fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_attest"));
    command.args(args).current_dir(folder).stdin(Stdio::null());
    command
}

fn ended(command: &mut Command) -> Ended {
    let output = command.output().expect("attest starts");
    let ended = Ended {
        status: output.status.code().expect("attest ends by itself"),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    };
    assert!(!ended.stderr.contains("panicked"), "{ended:?}");
    ended
}

#[allow(dead_code)]
impl Ended {
    pub fn verdict(&self) -> &str {
        self.stdout.lines().last().unwrap_or_default()
    }
}

/// The root of the repository.
#[allow(dead_code)]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
