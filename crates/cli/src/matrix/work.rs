//! One run of a suite, in processes of its own.
//!
//! A shell starts the command and says afterwards how much processor time it
//! took, which a busy machine does not change. A run that does not keep to its
//! limit is killed with all its children.

use super::plan::{How, Plan, Run};
use super::table::{COUNTS, Row};
use attest_verifier::answer::TIME;
use serde_json::Value;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Times of the command go to the file that is the first argument, the second is a limit
/// for its memory in kilobytes, and the third one for the processor time of each of its
/// processes in seconds.
const SHELL: &str = r#"to=$1; memory=$2; cpu=$3; shift 3
if [ -n "$memory" ]; then ulimit -v "$memory"; fi
if [ -n "$cpu" ]; then ulimit -t "$cpu"; fi
"$@"
status=$?
times > "$to"
exit $status"#;

/// Seconds beyond its limit before attest, which keeps to limits by itself, is killed.
const PATIENCE: f64 = 30.0;
/// What a shell says of a command that the system killed for its processor time: SIGKILL, SIGXCPU.
const KILLED: [i32; 2] = [128 + 9, 128 + 24];
/// Between two looks at a process.
const PACE: Duration = Duration::from_millis(10);
/// Characters of what a tool said that are looked at.
const MOST_SAID: u64 = 1 << 20;

/// Does a run.
pub fn run(plan: &Plan, run: &Run) -> Row {
    let mut row = Row {
        program: run.program.clone(),
        size: run.size,
        property: run.property.clone(),
        configuration: run.configuration.clone(),
        expected: run.expected.clone(),
        limit: plan.limit(),
        stamp: run.stamp.clone(),
        ..Row::default()
    };
    let begin = Instant::now();
    if let Err(why) = fill(plan, run, &mut row) {
        row.verdict = "error".into();
        row.reason = format!("it cannot be run: {why}");
    }
    row.wall = begin.elapsed().as_secs_f64();
    if row.cpu == 0.0 {
        row.cpu = row.wall;
    }
    row
}

fn fill(plan: &Plan, run: &Run, row: &mut Row) -> std::io::Result<()> {
    let folder = tempfile::tempdir()?;
    let (report, times) = (folder.path().join("report"), folder.path().join("times"));
    let said = folder.path().join("said");
    let (words, patience, memory) = match &run.how {
        How::Attest(before, after) => (attest(plan, before, after, &report)?, PATIENCE, None),
        How::Tool(words, _) => (words.clone(), 0.0, plan.memory),
    };
    let cpu = plan.cpu.map(|cpu| (cpu + patience).ceil());
    let mut command = Command::new("sh");
    command.args(["-c", SHELL, "sh"]).arg(&times);
    command.arg(memory.map(|mb| (mb << 10).to_string()).unwrap_or_default());
    command.arg(cpu.map(|s| s.to_string()).unwrap_or_default());
    command.args(&words).current_dir(&plan.folder);
    let out = File::create(&said)?;
    command
        .stdin(Stdio::null())
        .stdout(out.try_clone()?)
        .stderr(out);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn()?;
    let status = wait(&mut child, Duration::from_secs_f64(plan.time + patience))?;
    row.cpu = std::fs::read_to_string(&times).map_or(0.0, |text| children(&text));
    let mut text = Vec::new();
    File::open(&said)?.take(MOST_SAID).read_to_end(&mut text)?;
    let text = String::from_utf8_lossy(&text);
    // The account of a process that was killed may be a little below its limit.
    let killed = status.is_some_and(|status| KILLED.contains(&status));
    let late = plan
        .cpu
        .is_some_and(|cpu| row.cpu >= cpu || (killed && row.cpu >= cpu / 2.0));
    if status.is_none() || (late && !report.exists() && matches!(run.how, How::Attest(..))) {
        row.verdict = "unknown".into();
        row.reason = format!("{TIME} is used up, and it was killed");
        row.cpu = row.cpu.max(plan.limit());
        return Ok(());
    }
    match &run.how {
        How::Attest(..) => read_report(&report, &text, row),
        How::Tool(_, [safe, fails]) => {
            // A tool that says both has found something.
            let verdict = match (text.contains(fails.as_str()), text.contains(safe.as_str())) {
                (true, _) => "unsafe",
                (false, true) => "safe",
                _ => "unknown",
            };
            row.verdict = verdict.into();
            if verdict == "unknown" {
                row.reason = match late {
                    true => format!("{TIME} is used up"),
                    false => last_line(&text),
                };
            }
        }
    }
    Ok(())
}

/// The command of a check.
fn attest(
    plan: &Plan,
    before: &[String],
    after: &[String],
    report: &Path,
) -> std::io::Result<Vec<String>> {
    let me = std::env::current_exe()?;
    let mut words = vec![me.display().to_string(), "check".into()];
    words.extend(before.iter().cloned());
    words.extend(["--quiet".into(), "--no-cache".into(), "--json".into()]);
    words.push(report.display().to_string());
    words.extend(["--time-limit".into(), plan.time.to_string()]);
    if let Some(cpu) = plan.cpu {
        words.extend(["--cpu-limit".into(), cpu.to_string()]);
    }
    if let Some(memory) = plan.memory {
        words.extend(["--memory-limit".into(), memory.to_string()]);
    }
    words.extend(after.iter().cloned());
    Ok(words)
}

/// The status of a process that ended in time; if it did not, it is killed.
fn wait(child: &mut Child, limit: Duration) -> std::io::Result<Option<i32>> {
    let begin = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status.code().unwrap_or(-1)));
        }
        if begin.elapsed() >= limit {
            let group = format!("kill -9 -{}", child.id());
            let _ = Command::new("sh").args(["-c", &group]).status();
            let _ = child.kill();
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(PACE);
    }
}

/// The seconds in the second line of the shell's `times`: those of its children.
fn children(text: &str) -> f64 {
    let seconds = |word: &str| {
        let (minutes, seconds) = word.trim_end_matches('s').split_once('m')?;
        let minutes: f64 = minutes.parse().ok()?;
        Some(minutes * 60.0 + seconds.replace(',', ".").parse::<f64>().ok()?)
    };
    let line = text.lines().nth(1).unwrap_or_default();
    line.split_whitespace().filter_map(seconds).sum()
}

/// What a check said, from its report, or from its words if there is none.
fn read_report(report: &Path, said: &str, row: &mut Row) {
    let text = std::fs::read_to_string(report).unwrap_or_default();
    let Ok(report) = serde_json::from_str::<Value>(&text) else {
        row.verdict = "error".into();
        let mine = said.lines().find_map(|line| line.strip_prefix("attest: "));
        row.reason = mine.map_or_else(|| last_line(said), str::to_owned);
        return;
    };
    row.verdict = report["verdict"].as_str().unwrap_or("error").into();
    row.reason = report["reason"].as_str().unwrap_or_default().into();
    let numbers = &report["statistics"];
    let sum = |value: &Value| {
        value
            .as_object()
            .map(|map| map.values().filter_map(Value::as_u64).sum())
    };
    for (name, count) in COUNTS.iter().zip(&mut row.counts) {
        *count = match *name {
            "iterations" | "tests" | "regions" => numbers[*name].as_u64(),
            "splits" | "invariants" => sum(&numbers[*name]),
            "predicates" => Some(numbers["splits"]["predicate"].as_u64().unwrap_or(0)),
            "memory-mb" => numbers["peak_memory_mb"].as_u64(),
            "questions" => numbers["questions"].as_object().map(|kinds| {
                let answers = |kind: &Value| {
                    let of = |answer: &str| kind[answer].as_u64().unwrap_or(0);
                    of("sat") + of("unsat") + of("unknown")
                };
                kinds.values().map(answers).sum()
            }),
            deed => Some(numbers["procedures"][deed].as_u64().unwrap_or(0)),
        };
    }
}

fn last_line(text: &str) -> String {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let line = lines.next_back().unwrap_or("it ended without a word");
    line.trim().chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_shells() {
        assert_eq!(children("0m0.00s 0m0.00s\n1m2.50s 0m0.50s\n"), 63.0);
        assert_eq!(children("0m0,00s 0m0,00s\n0m0,25s 0m0,25s\n"), 0.5);
        assert_eq!(children(""), 0.0);
    }
}
