//! Who listens to a check for the command line: prints what happens, shows the progress, and
//! writes the tests to files.

use crate::args::CheckArgs;
use crate::progress::Progress;
use crate::{forms, output, telling};
use attest_evidence::{Prepared, Test};
use attest_verifier::report::{self, Evidence};
use attest_verifier::{Event, Fails, Listener, messages};
use std::path::Path;

/// Prints a check.
pub struct Printer<'a> {
    args: &'a CheckArgs,
    progress: Progress,
    /// The files that were written.
    pub evidence: Evidence,
}

impl Listener for Printer<'_> {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Phase(phase) => self.progress.say(|| phase.words().to_owned()),
            Event::Progress {
                iterations,
                tests,
                regions,
            } => self.progress.say(|| {
                let count = |n: u64, what: &str| messages::count(n as usize, what);
                let (iterations, tests) = (count(*iterations, "iteration"), count(*tests, "test"));
                format!("{iterations}, {tests}, {}", count(*regions, "region"))
            }),
            Event::Step(words) => output::note(&format!("{words}\n")),
            Event::Modelled { program, survey } => self.say(&telling::describe(program, survey)),
            Event::Tried {
                program,
                survey,
                tried,
            } => self.say(&telling::tried(program, survey, tried)),
            Event::RecalledProof => self.say("recalled: the proof of an earlier check\n"),
            Event::Recalled { tests, summaries } => {
                let (tests, summaries) = (
                    messages::count(*tests, "test"),
                    messages::summaries(*summaries),
                );
                self.say(&format!("recalled: {tests}, {summaries}\n"));
            }
            Event::NotKept(why) => {
                self.say(&format!("what was learnt could not be kept: {why}\n"));
            }
            Event::LeftOut { claim, why } => self.say(&format!("left out: {claim}: {why}\n")),
            Event::WitnessAccepted => {
                if let Some(file) = &self.args.forms.check_witness {
                    self.say(&format!("{}: the witness is accepted\n", file.display()));
                }
            }
            Event::Tests { tests, trouble } => self.passing(tests, trouble.as_deref()),
            Event::Fails(fails) => self.fails(fails),
            Event::Evidence {
                test,
                prepared,
                number,
            } => {
                if let Some(folder) = &self.args.tests {
                    self.failing(test, prepared.as_deref(), folder, *number);
                }
            }
            Event::Natively(words) => self.say(&format!("{words}\n")),
        }
    }
}

impl<'a> Printer<'a> {
    /// A printer with a line of progress, if it is wanted.
    pub fn new(args: &'a CheckArgs) -> Printer<'a> {
        Printer {
            args,
            progress: Progress::new(!args.quiet && !args.trace_steps),
            evidence: Evidence::default(),
        }
    }

    /// Says something about the work or its result.
    pub fn say(&self, text: &str) {
        if !self.args.quiet {
            self.write(text);
        }
    }

    /// The same, however quiet it is to be.
    pub fn write(&self, text: &str) {
        let to_stdout = self.args.json.as_deref() != Some("-".as_ref());
        self.progress.aside(|| {
            if to_stdout {
                output::print(text);
            } else {
                output::note(text);
            }
        });
    }

    /// Takes the line of progress away.
    pub fn clear(&self) {
        self.progress.clear();
    }

    fn fails(&self, fails: &Fails) {
        self.say(&telling::fails(self.args, fails));
        if let Some(words) = &fails.violated {
            self.say(&format!("the rule is violated: {words}\n"));
        }
        if let Some(line) = &fails.assumed {
            self.say(&format!("assumed: {line}\n"));
        }
    }

    /// Writes the tests that do not fail.
    fn passing(&mut self, tests: &[Test], trouble: Option<&str>) {
        let Some(folder) = &self.args.tests else {
            return;
        };
        let file = |number: usize| folder.join(format!("test-{number:04}.json"));
        let refused = |number: usize, why: &dyn std::fmt::Display| {
            let name = file(number);
            let name = name.display();
            self.say(&format!("{name}: the test cannot be written: {why}\n"));
        };
        for (test, number) in tests.iter().zip(1..) {
            if let Err(why) = std::fs::write(file(number), test.to_json()) {
                return refused(number, &why);
            }
        }
        if let Some(why) = trouble {
            return refused(tests.len() + 1, &why);
        }
        if !tests.is_empty() {
            let count = messages::count(tests.len(), "test");
            let name = folder.display();
            self.say(&format!("written to {name}: {count} that do not fail\n"));
        }
        self.evidence.tests = tests.len();
    }

    /// Writes the failing test and its harness.
    fn failing(&mut self, test: &Test, built: Option<&Prepared>, folder: &Path, number: usize) {
        let base = match number {
            0 => "failing".to_owned(),
            n => format!("failing-{}", n + 1),
        };
        let file = folder.join(format!("{base}.json"));
        let name = report::text(&file);
        if let Err(why) = std::fs::write(&file, test.to_json()) {
            return self.say(&format!("{name}: the test cannot be written: {why}\n"));
        }
        let command = messages::quoted(&name);
        self.say(&format!(
            "the test is in {name}; to run it natively: attest replay {command}\n"
        ));
        self.evidence.test.get_or_insert(name);
        if let Some(suite) = forms::suite_of(test) {
            let file = folder.join(format!("{base}.zip"));
            let name = report::text(&file);
            self.say(&match std::fs::write(&file, suite) {
                Ok(()) => format!("as a suite of Test-Comp it is {name}\n"),
                Err(why) => format!("{name}: the suite cannot be written: {why}\n"),
            });
        }
        if let Some(built) = built {
            self.harness(test, built, &folder.join(format!("{base}.c")));
        }
    }

    fn harness(&mut self, test: &Test, built: &Prepared, file: &Path) {
        let name = report::text(file);
        let others = built.beside(test, &name).unwrap_or_default();
        for (name, text) in others {
            if let Err(why) = std::fs::write(&name, text) {
                self.say(&format!("{name}: the file cannot be written: {why}\n"));
            }
        }
        if let Err(why) = std::fs::write(file, built.harness(test, &name)) {
            return self.say(&format!("{name}: the harness cannot be written: {why}\n"));
        }
        let how = match test.entry.as_str() {
            "main" => ", with the command that builds it",
            _ => "",
        };
        self.say(&format!("its environment in C is in {name}{how}\n"));
        self.evidence.harness.get_or_insert(name);
    }
}
