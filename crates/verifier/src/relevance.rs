//! The CD heuristic of the YOGI study (section 5.2), switched on by `--with cd`.
//!
//! The engines work on the program with arbitrary choices at the branches that
//! no event of the property depends on. A proof of that is one of the program:
//! its locations and registers are the same, and it is checked on the program.
//! A test that fails there is run on the program itself; if it does not fail,
//! the branches on its path are restored, and the engines start again. Where
//! that leads nowhere in its share of the time, the program is checked as it is.

use crate::case::Case;
use crate::findings::{confirm_proof, confirm_test};
use crate::known::Findings;
use crate::report::Phase;
use crate::rules;
use crate::stage;
use crate::variant::Variant;
use crate::watch::Board;
use attest_engine::{Engine, FailingTest, Options, Verdict, race};
use attest_exec::interpreter::Observer;
use attest_exec::{Interpreter, Limits};
use attest_model::relevance::{BranchId, abstracted};
use attest_model::{BlockId, FnId, Graph, Inst, PlaceId, Program, Terminator};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The part of the time that this may take.
const SHARE: u32 = 2;

/// Whether a proof or a violation is found this way.
pub(crate) fn decide(
    case: &Case,
    variant: &Variant,
    options: &Options,
    board: &Arc<Board>,
    findings: &mut Findings,
) -> bool {
    let session = &*case.session;
    let clock = session.account().clock();
    let until = clock.now() + session.engine_time() / SHARE;
    let state = rules::state(&case.source, &variant.program);
    let mut kept: BTreeSet<BranchId> = BTreeSet::new();
    loop {
        let left = until.saturating_duration_since(clock.now());
        let (loose, open) = abstracted(&variant.program, &state, &kept);
        if open.is_empty() || left.is_zero() {
            return false;
        }
        let graph = Graph::of(&loose, case.settings.granularity());
        if graph.locations.len() != variant.graph.locations.len() {
            return false;
        }
        let mut engines: Vec<Engine<'_>> = Vec::new();
        for strategy in &variant.strategies {
            let options = Options {
                strategy: *strategy,
                initial: state.clone(),
                time: Some(left),
                ..options.clone()
            };
            let solver = Box::new(attest_solver::standard());
            let engine = Engine::new(&loose, &graph, options, solver);
            engines.push(engine.watched_by(board.watch(strategy.name)));
        }
        let (winner, verdict) = race(&mut engines);
        match verdict {
            Verdict::Safe(proof) => {
                let subject = variant.subject(&case.source, options.overflow, &proof);
                let found = confirm_proof(case, variant, engines[winner].terms(), &proof, &subject);
                session.phase(Phase::Engine);
                return match found {
                    Ok(proof) => {
                        findings.proved(case, proof);
                        true
                    }
                    Err(_) => false,
                };
            }
            Verdict::Unsafe(test) => {
                if let Ok(test) = confirm_test(case, &loose, &test) {
                    return stage::violated(case, test, findings);
                }
                let before = kept.len();
                kept.extend(on_the_path(&loose, &open, &test, options));
                if kept.len() == before {
                    return false;
                }
            }
            Verdict::Unknown(_) => return false,
        }
    }
}

/// The open branches on the path of a test of the loose program.
fn on_the_path(
    loose: &Program,
    open: &BTreeSet<BranchId>,
    test: &FailingTest,
    options: &Options,
) -> BTreeSet<BranchId> {
    struct Passed<'a> {
        open: &'a BTreeSet<BranchId>,
        found: BTreeSet<BranchId>,
    }
    impl Observer for Passed<'_> {
        const STEPS: bool = true;
        fn executed(&mut self, _: &Interpreter<'_>, _: &Inst, _: PlaceId) {}
        fn ended_block(&mut self, run: &mut Interpreter<'_>, _: &Terminator, _: PlaceId) {
            let branch: (FnId, BlockId) = run.block();
            if self.open.contains(&branch) {
                self.found.insert(branch);
            }
        }
    }
    let limits = Limits::default();
    let mut run = Interpreter::new(loose, test.inputs.clone(), options.overflow, limits);
    let mut passed = Passed {
        open,
        found: BTreeSet::new(),
    };
    run.watch(&mut passed, &Default::default());
    passed.found
}
