//! The CD heuristic of the YOGI study (section 5.2), switched on by `--with cd`.
//!
//! The engines work on the program with arbitrary choices at the branches that
//! no event of the property depends on. A proof of that is one of the program:
//! its locations and registers are the same, and it is checked on the program.
//! A test that fails there is run on the program itself; if it does not fail,
//! the branches on its way are put back, and the engines start again. Where
//! that leads nowhere in its share of the time, the program is checked as it is.

use super::{Decision, Form, Found, confirm_test, engine_time};
use crate::args::CheckArgs;
use crate::load::Source;
use crate::report::Phase;
use crate::session::Session;
use crate::watch::Board;
use attest_engine::{Engine, FailingTest, Options, Verdict, race};
use attest_exec::interpreter::Observer;
use attest_exec::{Interpreter, Limits};
use attest_model::relevance::{BranchId, abstracted};
use attest_model::{BlockId, FnId, Graph, Inst, PlaceId, Program, Terminator};
use attest_solver::clock;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The part of the time that this may take.
const SHARE: u32 = 2;

/// The decision, if it is found this way.
pub(super) fn decide(
    session: &Session,
    args: &CheckArgs,
    source: &Source,
    program: &Program,
    form: &Form,
    options: &Options,
    board: &Rc<Board>,
) -> Option<Decision> {
    let until = clock::now() + engine_time(session) / SHARE;
    let state = crate::rules::state(source, &form.program);
    let mut kept: BTreeSet<BranchId> = BTreeSet::new();
    loop {
        let left = until.saturating_duration_since(clock::now());
        let (loose, open) = abstracted(&form.program, &state, &kept);
        if open.is_empty() || left.is_zero() {
            return None;
        }
        let graph = Graph::of(&loose, args.granularity());
        if graph.locations.len() != form.graph.locations.len() {
            return None;
        }
        let mut engines: Vec<Engine<'_>> = Vec::new();
        for strategy in &form.strategies {
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
                session.phase(Phase::ProofCheck);
                let subject = form.subject(source, options.overflow, &proof.assumed);
                let found = Found {
                    program: &form.program,
                    graph: &form.graph,
                    engine: &engines[winner],
                    proof: &proof,
                    original: program,
                };
                let confirmed = found.confirm(session, &subject, args.proof.as_deref());
                session.phase(Phase::Engine);
                return confirmed.ok().map(|(words, _)| Decision::Safe(words));
            }
            Verdict::Unsafe(test) => {
                let decision = confirm_test(program, &loose, &test, options.overflow);
                if matches!(decision, Decision::Unsafe(_)) {
                    return Some(decision);
                }
                let before = kept.len();
                kept.extend(on_the_way(&loose, &open, &test, options));
                if kept.len() == before {
                    return None;
                }
            }
            Verdict::Unknown(_) => return None,
        }
    }
}

/// The open branches that a test of the loose program comes by.
fn on_the_way(
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
