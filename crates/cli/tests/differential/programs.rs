//! The separately written programs.

use crate::native::{self, Native};
use crate::{Interpreted, Task, difference, in_parallel, interpret};
use attest_llvm::clang::DataModel;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

/// Programs by name: a C file, or a folder of them.
fn programs() -> Vec<(String, Vec<PathBuf>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut found: Vec<_> = list(&folder)
        .into_iter()
        .map(|path| {
            let name = path.file_stem().unwrap_or_default();
            let name = name.to_string_lossy().into_owned();
            let files = if path.is_dir() {
                list(&path)
            } else {
                vec![path]
            };
            (name, files)
        })
        .collect();
    if let Ok(only) = std::env::var("ATTEST_PROGRAM") {
        found.retain(|(name, _)| *name == only);
    }
    found
}

fn list(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder of programs");
    let mut paths: Vec<_> = entries
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| p.is_dir() || p.extension().is_some_and(|e| e == "c"))
        .collect();
    paths.sort();
    paths
}

fn only_lp64(files: &[PathBuf]) -> bool {
    files
        .iter()
        .any(|f| std::fs::read_to_string(f).is_ok_and(|text| text.starts_with("/* lp64 */")))
}

/// What is wrong with a program: a sentence, or nothing.
fn complaint(task: &Task) -> Option<String> {
    let folder = match tempfile::tempdir() {
        Ok(folder) => folder,
        Err(e) => return Some(e.to_string()),
    };
    let native = match native::run(task, folder.path(), Duration::from_secs(10)) {
        Ok(Native::Ended(shown)) => shown,
        Ok(Native::OverTime) => return Some("over 10 s natively".into()),
        Err(e) => return Some(e),
    };
    match interpret(task) {
        Interpreted::Ended(shown) => difference(&native, &shown),
        Interpreted::OverLimit => Some("over the limits of the interpreter".into()),
        Interpreted::Failed(why) => Some(why),
    }
}

fn check_all(data_model: DataModel) {
    let programs = programs();
    let complaints = Mutex::new(Vec::new());
    in_parallel(programs.len(), |i| {
        let (name, files) = &programs[i];
        if data_model == DataModel::Ilp32 && only_lp64(files) {
            return;
        }
        let task = Task {
            files: files.clone(),
            data_model,
            clang_args: Vec::new(),
        };
        if let Some(complaint) = complaint(&task) {
            let mut complaints = complaints.lock().expect("no panic holds it");
            complaints.push(format!("{name}: {complaint}"));
        }
    });
    let mut complaints = complaints.into_inner().expect("no panic held it");
    complaints.sort();
    assert!(
        complaints.is_empty(),
        "{} of {} programs differ:\n{}",
        complaints.len(),
        programs.len(),
        complaints.join("\n")
    );
}

#[test]
fn lp64() {
    check_all(DataModel::Lp64);
}

#[test]
fn ilp32() {
    if native::can_run(DataModel::Ilp32) {
        check_all(DataModel::Ilp32);
    } else {
        eprintln!(
            "skipped: 32-bit programs cannot be built and run here (apt install gcc-multilib)"
        );
    }
}
