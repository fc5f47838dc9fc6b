//! `attest tests`: a suite of tests that covers the branches of a program.
//!
//! First come plain and random runs; those that take a new branch are kept. Then the engine
//! searches for a failing test, and for a test of each branch that is left: the same engine
//! on the same program, with that branch as the error. A branch that it finds unreachable is
//! counted so, and one that it does not decide in time is left.

use crate::args::TestsArgs;
use crate::exit::{Failure, Status};
use crate::{forms, load, output};
use attest_evidence::{ErrorReached, Test};
use attest_exec::{Inputs, Outcome, Overflow};
use attest_export::coverage::{Branch, Coverage, branches, with_goal};
use attest_export::testcomp;
use attest_model::Program;
use attest_verifier::{Goal, Source, messages, plans, reach, test_of};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Time for all branches together where no limit is given,
const USUAL_TIME: Duration = Duration::from_secs(60);
/// and for one of them.
const FOR_ONE: Duration = Duration::from_secs(4);
/// Instructions of one run.
const STEPS: u64 = 10_000_000;
/// Instructions of all plain runs.
const ALL_STEPS: u64 = 20_000_000;

/// Makes a suite.
pub fn tests(args: &TestsArgs) -> Result<Status, Failure> {
    let source = args.program.source()?;
    let program = load::load(&source)?;
    let time = args
        .time_limit
        .and_then(|s| Duration::try_from_secs_f64(s).ok());
    let deadline = Instant::now() + time.unwrap_or(USUAL_TIME);
    let mut suite = Suite {
        program: &program,
        overflow: args.exec.overflow(),
        seed: args.exec.seed.unwrap_or(1),
        deadline,
        coverage: Coverage::new(&program),
        kept: Vec::new(),
    };
    suite.plain_runs();
    suite.search_error();
    let all = branches(&program);
    let unreachable = suite.search_branches(&all);
    write(&args.out, &suite.files(&source)?)?;
    let taken = |branch: &&Branch| suite.coverage.branches.contains(branch);
    let covered = all.iter().filter(taken).count();
    let name = args.out.display();
    output::print(format!(
        "written to {name}: {}\nbranches: {covered} of {} are taken{}{}\n",
        messages::count(suite.kept.len(), "test"),
        all.len(),
        match unreachable {
            0 => String::new(),
            n => format!(", {n} cannot be, the engine finds"),
        },
        match all.len() - covered - unreachable {
            0 => String::new(),
            open => format!(", {open} are not decided"),
        }
    ));
    Ok(Status::Fine)
}

/// What a run took, and the error that it reached.
type Kept = (Vec<attest_exec::inputs::Taken>, Option<ErrorReached>);

struct Suite<'a> {
    program: &'a Program,
    overflow: Overflow,
    seed: u64,
    deadline: Instant,
    coverage: Coverage,
    kept: Vec<(Kept, Arc<Inputs>)>,
}

impl Suite<'_> {
    /// Time until the deadline.
    fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    /// Keeps the plain and random runs that take a new branch.
    fn plain_runs(&mut self) {
        let mut left = ALL_STEPS;
        for inputs in plans(self.seed) {
            if left == 0 || self.left().is_zero() {
                break;
            }
            let steps = self.try_run(&Arc::new(inputs));
            left = left.saturating_sub(steps.max(1));
            if steps == u64::MAX {
                break;
            }
        }
    }

    /// Searches for a test that reaches the error, which is worth more time than a branch.
    fn search_error(&mut self) {
        let time = (FOR_ONE * 5).min(self.left() / 3);
        if !self.fails()
            && let Goal::Reached(inputs) = reach(self.program, self.overflow, self.seed, time)
        {
            self.try_run(&inputs);
        }
    }

    /// Searches for a test for each branch that is left; how many the engine finds
    /// unreachable.
    fn search_branches(&mut self, all: &BTreeSet<Branch>) -> usize {
        let mut unreachable = 0;
        for goal in all {
            if self.left().is_zero() {
                break;
            }
            if self.coverage.branches.contains(goal) {
                continue;
            }
            let time = FOR_ONE.min(self.left());
            let program = with_goal(self.program, *goal);
            match reach(&program, self.overflow, self.seed, time) {
                Goal::Reached(inputs) => {
                    self.try_run(&inputs);
                }
                Goal::Unreachable => unreachable += 1,
                Goal::Open => {}
            }
        }
        unreachable
    }

    /// The files of the suite.
    fn files(&self, source: &Source) -> Result<Vec<testcomp::File>, Failure> {
        let names = source.files.iter().map(|f| f.display().to_string());
        let ilp32 = source.data_model == attest_llvm::DataModel::Ilp32;
        let (entry, errors) = (&source.model.entry, &source.model.errors);
        let mut about = forms::about(&names.collect::<Vec<_>>(), ilp32, entry, errors);
        about.specification = format!("COVER( init({entry}()), FQL(COVER EDGES(@DECISIONEDGE)) )");
        let mut files = vec![testcomp::metadata(&about)];
        for (i, ((taken, error), inputs)) in self.kept.iter().enumerate() {
            let test: Test = test_of(source, self.program, taken, inputs, error.clone())
                .map_err(|why| Failure::input(format!("a file cannot be read: {why}")))?;
            files.push(testcomp::testcase(i + 1, &test));
        }
        Ok(files)
    }

    /// Whether a test reaches the error.
    fn fails(&self) -> bool {
        self.kept.iter().any(|((_, error), _)| error.is_some())
    }

    /// Runs a test and keeps it if it is of use; its length, or the most if every run is this one.
    fn try_run(&mut self, inputs: &Arc<Inputs>) -> u64 {
        let run = self
            .coverage
            .add(self.program, inputs, self.overflow, STEPS);
        let error = match &run.outcome {
            Outcome::Error(name) => Some(ErrorReached {
                function: name.to_string(),
                place: String::new(),
            }),
            _ => None,
        };
        let first_failing = error.is_some() && !self.fails();
        let same = run.taken.is_empty();
        if run.new > 0 || first_failing || self.kept.is_empty() {
            self.kept.push(((run.taken, error), inputs.clone()));
        }
        if same { u64::MAX } else { run.steps }
    }
}

fn write(out: &Path, files: &[testcomp::File]) -> Result<(), Failure> {
    let failed = |why: std::io::Error| {
        let name = out.display();
        Failure::input(format!("{name}: the suite cannot be written: {why}"))
    };
    if out.extension().is_some_and(|e| e == "zip") {
        return std::fs::write(out, testcomp::zip(files)).map_err(failed);
    }
    std::fs::create_dir_all(out).map_err(failed)?;
    for (name, text) in files {
        std::fs::write(out.join(name), text).map_err(failed)?;
    }
    Ok(())
}
