//! `attest check`: has the library check a program, prints what it tells and answers, and
//! writes the files that are asked for.

use crate::args::{CheckArgs, External};
use crate::exit::{Failure, Status};
use crate::printer::Printer;
use crate::{cache, config, forms, interrupt, output, rules, stats};
use attest_exec::Overflow;
use attest_llvm::clang::Clang;
use attest_verifier::property::violated_word;
use attest_verifier::report;
use attest_verifier::standing::Verdict;
use attest_verifier::{Answer, Checked, CheckedProof, Limits, Report, Settings, Why, messages};
use std::path::Path;
use std::time::Duration;

/// Checks a program.
pub fn check(args: &CheckArgs) -> Result<Status, Failure> {
    if let Some(rules) = attest_verifier::rules::several(&args.program.spec)? {
        return rules::check_all(args, &rules);
    }
    let source = args.program.source()?;
    if let Some(folder) = &args.tests {
        make_folder(folder)?;
    }
    let clang = args.json.as_ref().and_then(|_| Clang::find().ok());
    let settings = settings(args)?;
    let mut printer = Printer::new(args);
    let checked = match &args.forms.check_witness {
        Some(witness) => attest_verifier::validate(&source, &settings, witness, &mut printer),
        None => attest_verifier::check(&source, &settings, &mut printer),
    };
    let Checked { answer, mut report } = checked?;
    report.versions.clang = clang.map(|clang| clang.version);
    let answer = match answer {
        Answer::Safe(proof) if args.forms.check_witness.is_none() => {
            safe(args, &mut printer, proof, &report)
        }
        answer => answer,
    };
    // The limits as the user wrote them.
    report.options.time_limit = args.time_limit;
    report.options.cpu_limit = args.cpu_limit;
    report.options.memory_limit = args.exec.memory_limit;
    report.property.name.clone_from(&args.program.property);
    report.evidence = std::mem::take(&mut printer.evidence);
    report.say(&answer);
    conclude(args, &printer, &answer, &report)
}

/// How the library is to check.
fn settings(args: &CheckArgs) -> Result<Settings, Failure> {
    let has_property = args.has_property()?;
    let silenced = config::silenced()?;
    let time = |seconds| Duration::try_from_secs_f64(seconds).ok();
    let memory = args.exec.memory_limit;
    Ok(Settings {
        algorithm: args.algorithm.into(),
        order: args.order.into(),
        apart: args.apart,
        test_states: args.test_states,
        tuning: args.tuning(),
        without: args.without.clone(),
        with: args.with.clone(),
        blocks: args.blocks.map(Into::into),
        checks: args.checks()?,
        silenced,
        first: args.first || has_property,
        notices: !has_property,
        overflow: match args.exec.overflow() {
            Overflow::Check => Overflow::Wrap,
            other => other,
        },
        seed: args.exec.seed.unwrap_or(1),
        limits: Limits {
            time: args.time_limit.and_then(time),
            cpu: args.cpu_limit.and_then(time),
            memory: memory.map(|mb| mb.saturating_mul(1 << 20)),
            interrupt: Some(interrupt::flag()),
        },
        cache: cache::folder(args),
        havoc: args.external == External::Havoc,
        keep_tests: args.tests.is_some(),
        keep_history: args.forms.report.is_some(),
        steps: args.trace_steps,
    })
}

/// Makes the folder of `--tests`, before any work is done for it.
fn make_folder(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|why| {
        let name = folder.display();
        Failure::input(format!(
            "{name}: the folder for tests cannot be made: {why}"
        ))
    })
}

/// Writes the proof where it is wanted and says it. Who asked for a file with the proof gets
/// no `safe` without it.
fn safe(
    args: &CheckArgs,
    printer: &mut Printer<'_>,
    proof: CheckedProof,
    report: &Report,
) -> Answer {
    for (number, proof) in proof.all().enumerate() {
        if let Some(file) = &args.proof {
            let name = match number {
                0 => report::text(file),
                n => format!("{}.{}", report::text(file), n + 1),
            };
            if let Err(why) = std::fs::write(&name, proof.proof().to_json()) {
                let why = format!("the proof could not be written to {name}: {why}");
                return Answer::Unknown(Why::Unconfirmed(why));
            }
            printer.evidence.proof.get_or_insert(name);
        }
    }
    for line in &report.entry_assumptions {
        printer.say(&format!("assumed: {line}\n"));
    }
    printer.say(&report.proof.text());
    for proof in proof.all() {
        printer.say(&(proof.accepted().trim_end().to_owned() + "\n"));
    }
    Answer::Safe(proof)
}

/// The classes that were asked for, each with its verdict.
fn classes(report: &Report) -> String {
    let mut out = String::new();
    let width = report.classes.iter().map(|c| c.class.len()).max();
    let width = width.unwrap_or(0);
    for class in &report.classes {
        let verdict = match (class.verdict, class.violations) {
            (Verdict::Violated, 1) => "violated at 1 place".to_owned(),
            (Verdict::Violated, n) => format!("violated at {n} places"),
            (verdict, _) => verdict.word().to_owned(),
        };
        out.push_str(&format!("{:width$}  {verdict}\n", class.class));
    }
    out
}

/// The verdict, the last line of a check.
fn verdict(args: &CheckArgs, answer: &Answer, report: &Report) -> Result<String, Failure> {
    // Other properties of SV-COMP have their own words, which name what is violated.
    let own_words = args.has_property()? && !args.checks()?.asserts;
    let mut about = Vec::new();
    match answer {
        Answer::Unsafe(test) if own_words => {
            let word = violated_word(test.check().kind, &args.checks()?);
            return Ok(format!("verdict: false({word})\n"));
        }
        Answer::Unknown(why) => about.push(why.to_string()),
        Answer::Nothing(why) => about.push(format!("nothing to check: {why}")),
        Answer::Safe(_) | Answer::Unsafe(_) => {}
    }
    match answer {
        Answer::Safe(_) | Answer::Nothing(_) => {
            if let Some(notice) = report.notices.first() {
                let others = match report.notices.len() {
                    1 => String::new(),
                    n => format!(" and {} more", n - 1),
                };
                about.push(format!(
                    "until {} at {}{others}",
                    notice.check, notice.place
                ));
            }
        }
        Answer::Unsafe(_) | Answer::Unknown(_) => {}
    }
    if matches!(answer, Answer::Safe(_) | Answer::Nothing(_)) {
        let assuming = report.assuming.iter();
        about.extend(assuming.map(|what| format!("assuming {what}")));
    }
    match report.silenced {
        0 => {}
        n => about.push(format!("{} silenced", messages::count(n, "finding"))),
    }
    let word = match (own_words, report.verdict()) {
        (true, "safe") => "true",
        (_, word) => word,
    };
    Ok(match about.is_empty() {
        true => format!("verdict: {word}\n"),
        false => format!("verdict: {word} ({})\n", about.join("; ")),
    })
}

/// Says the verdict, the last line of a check, and writes the reports.
fn conclude(
    args: &CheckArgs,
    printer: &Printer<'_>,
    answer: &Answer,
    report: &Report,
) -> Result<Status, Failure> {
    printer.clear();
    if args.stats {
        printer.write(&stats::table(report));
    }
    if let (Some(next), Answer::Unknown(_)) = (&report.next_step, answer) {
        printer.say(&format!("next: {next}\n"));
    }
    printer.say(&classes(report));
    let written = write_report(args, report) & forms::write(&args.forms, report, &args.checks()?);
    printer.write(&verdict(args, answer, report)?);
    Ok(match (written, answer) {
        (false, _) => Status::Input,
        (true, Answer::Safe(_)) => Status::Fine,
        (true, Answer::Nothing(_)) if args.allow_empty => Status::Fine,
        (true, Answer::Nothing(_)) => Status::Nothing,
        (true, Answer::Unsafe(_)) => Status::Error,
        (true, Answer::Unknown(_)) => Status::Unknown,
    })
}

/// Whether the report is where the user wants it.
fn write_report(args: &CheckArgs, report: &Report) -> bool {
    match &args.json {
        None => true,
        Some(file) if file.as_os_str() == "-" => {
            output::print(report.to_json());
            true
        }
        Some(file) => match std::fs::write(file, report.to_json()) {
            Ok(()) => true,
            Err(why) => {
                let name = file.display();
                output::complain(&format!("{name}: the report cannot be written: {why}"));
                false
            }
        },
    }
}
