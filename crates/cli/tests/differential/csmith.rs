//! Programs that csmith generates, with fixed seeds.
//!
//! `ATTEST_CSMITH` says how many (40 if not said). Programs that do not end
//! within the limits are counted apart. `scripts/csmith-diff` makes the large run.

use crate::native::{self, Native};
use crate::{Interpreted, Task, difference, in_parallel, interpret};
use attest_llvm::clang::DataModel;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// No new program is started after this time.
const BUDGET: Duration = Duration::from_secs(600);

/// How a comparison ended.
enum Verdict {
    Same,
    OverLimit,
    Differs(String),
}

fn compare(seed: usize) -> Result<Verdict, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let file = folder.path().join("program.c");
    generate(seed, &file)?;
    let task = Task {
        files: vec![file],
        data_model: DataModel::Lp64,
        clang_args: vec!["-I/usr/include/csmith".into()],
    };
    let native = match native::run(&task, folder.path(), Duration::from_secs(5))? {
        Native::Ended(shown) => shown,
        Native::OverTime => return Ok(Verdict::OverLimit),
    };
    Ok(match interpret(&task) {
        Interpreted::Ended(shown) => match difference(&native, &shown) {
            None => Verdict::Same,
            Some(what) => Verdict::Differs(what),
        },
        Interpreted::OverLimit => Verdict::OverLimit,
        Interpreted::Failed(why) => Verdict::Differs(why),
    })
}

fn generate(seed: usize, file: &Path) -> Result<(), String> {
    let status = Command::new("csmith")
        .args(["--seed", &seed.to_string(), "--output"])
        .arg(file)
        .output()
        .map_err(|e| e.to_string())?
        .status;
    if status.success() && file.exists() {
        Ok(())
    } else {
        Err("csmith made no program".into())
    }
}

#[test]
fn generated_programs() {
    if Command::new("csmith").arg("--version").output().is_err() {
        return attest_testing::tools::missing("csmith");
    }
    let wanted = std::env::var("ATTEST_CSMITH")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(40);
    let start = Instant::now();
    let verdicts = Mutex::new(Vec::new());
    in_parallel(wanted, |i| {
        let seed = i + 1;
        if start.elapsed() > BUDGET {
            return;
        }
        let verdict = compare(seed).unwrap_or_else(Verdict::Differs);
        verdicts
            .lock()
            .expect("no panic holds it")
            .push((seed, verdict));
    });
    let verdicts = verdicts.into_inner().expect("no panic held it");
    let over = verdicts
        .iter()
        .filter(|(_, v)| matches!(v, Verdict::OverLimit))
        .count();
    let differing: Vec<String> = verdicts
        .iter()
        .filter_map(|(seed, v)| match v {
            Verdict::Differs(what) => Some(format!("seed {seed}: {what}")),
            _ => None,
        })
        .collect();
    println!(
        "csmith: {} run of {wanted}, {over} over the limits, {} differ",
        verdicts.len(),
        differing.len()
    );
    assert!(differing.is_empty(), "{}", differing.join("\n"));
    assert!(over * 4 <= wanted, "{over} of {wanted} are over the limits");
}
