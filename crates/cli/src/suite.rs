//! `attest tests`: a suite of tests that covers the branches of a program.
//!
//! First plain and random runs, of which those that take a new branch are
//! kept. Then the engine is asked for a failing test, and, for each branch that is left, for a test
//! that takes it: the same engine on the same program, with that branch as the
//! error. What it proves unreachable is said to be so, as far as its proof
//! goes, and what it does not decide in time is left.

use crate::args::TestsArgs;
use crate::exit::{Failure, Status};
use crate::{failure, forms, load, output, search, words};
use attest_engine::{Engine, Options, Strategy, Verdict};
use attest_evidence::{ErrorReached, Test};
use attest_exec::{Inputs, Outcome};
use attest_export::coverage::{Coverage, branches, with_goal};
use attest_export::testcomp;
use attest_model::{Graph, InlineOptions, Program, inline};
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
        args,
        coverage: Coverage::new(&program),
        kept: Vec::new(),
    };
    let seed = args.exec.seed.unwrap_or(1);
    let mut left = ALL_STEPS;
    for inputs in search::plans(seed) {
        if left == 0 || Instant::now() >= deadline {
            break;
        }
        let steps = suite.try_run(&Arc::new(inputs));
        left = left.saturating_sub(steps.max(1));
        if steps == u64::MAX {
            break;
        }
    }
    // The error itself is worth more time than a branch.
    let time = (FOR_ONE * 5).min(deadline.saturating_duration_since(Instant::now()) / 3);
    if !suite.fails()
        && let Verdict::Unsafe(test) = ask(&program, args, seed, time)
    {
        suite.try_run(&test.inputs);
    }
    let all = branches(&program);
    let mut unreachable = 0;
    for goal in &all {
        if Instant::now() >= deadline {
            break;
        }
        if suite.coverage.branches.contains(goal) {
            continue;
        }
        let time = FOR_ONE.min(deadline.saturating_duration_since(Instant::now()));
        match ask(&with_goal(&program, *goal), args, seed, time) {
            Verdict::Unsafe(test) => {
                suite.try_run(&test.inputs);
            }
            Verdict::Safe(_) => unreachable += 1,
            Verdict::Unknown(_) => {}
        }
    }
    let mut about = forms::about(
        &source
            .files
            .iter()
            .map(|f| f.display().to_string())
            .collect::<Vec<_>>(),
        source.data_model == attest_llvm::DataModel::Ilp32,
        &source.model.entry,
        &source.model.errors,
    );
    let entry = &source.model.entry;
    about.specification = format!("COVER( init({entry}()), FQL(COVER EDGES(@DECISIONEDGE)) )");
    let mut files = vec![testcomp::metadata(&about)];
    for (i, (test, inputs)) in suite.kept.iter().enumerate() {
        let (taken, error) = test;
        let test: Test = failure::test_of(&source, &program, taken, inputs, error.clone())
            .map_err(|why| Failure::input(format!("a file cannot be read: {why}")))?;
        files.push(testcomp::testcase(i + 1, &test));
    }
    write(&args.out, &files)?;
    let covered = all
        .iter()
        .filter(|b| suite.coverage.branches.contains(b))
        .count();
    let name = args.out.display();
    output::print(format!(
        "written to {name}: {}\nbranches: {covered} of {} are taken{}{}\n",
        words::count(suite.kept.len(), "test"),
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
    args: &'a TestsArgs,
    coverage: Coverage,
    kept: Vec<(Kept, Arc<Inputs>)>,
}

impl Suite<'_> {
    /// Whether a test reaches the error.
    fn fails(&self) -> bool {
        self.kept.iter().any(|((_, error), _)| error.is_some())
    }

    /// Runs a test and keeps it if it is of use; its length, or the most if every run is this one.
    fn try_run(&mut self, inputs: &Arc<Inputs>) -> u64 {
        let overflow = self.args.exec.overflow();
        let run = self.coverage.add(self.program, inputs, overflow, STEPS);
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

/// A test that reaches the error of a program.
fn ask(program: &Program, args: &TestsArgs, seed: u64, time: Duration) -> Verdict {
    let goal = inline(program, &InlineOptions::default());
    let graph = Graph::of(&goal, Strategy::CONTROL.granularity);
    let options = Options {
        strategy: Strategy::CONTROL,
        overflow: args.exec.overflow(),
        time: Some(time),
        seed,
        self_check: false,
        ..Options::default()
    };
    Engine::new(&goal, &graph, options, Box::new(attest_solver::standard())).run()
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
