//! A run that is too long for the interpreter, natively.
//!
//! Where every run takes some hundred million iterations of a loop, the program itself,
//! compiled, takes a second for them. What the machine does is what the model says as long
//! as no execution can leave the model, so only programs are run in this way that cannot:
//! numbers, and no memory whose bounds could be missed. The optimised program goes first,
//! since it is mostly done at once; what it says is a guess, and the program without
//! optimisation must fail as well before that is taken for an answer. The two say so with
//! two statuses, of which the program's own can be one at most.

use crate::case::Case;
use crate::confirm::{self, ConfirmedTest, LongRun};
use crate::evidence;
use crate::plain_runs::PlainRuns;
use crate::report::Phase;
use attest_evidence::{ErrorReached, ReplayOutcome};
use attest_model::{Constant, Inst, IntOp, Operand, PlaceId, Program, Terminator};
use std::sync::Arc;
use std::time::Duration;

/// Inputs of such a run.
const MOST_INPUTS: usize = 1_000;
/// Time for the optimised program,
const QUICK: Duration = Duration::from_secs(3);
/// this part of what is left at most.
const SHARE: u32 = 10;
/// Time for the other where no limit is given.
const USUAL_TIME: Duration = Duration::from_secs(60);

/// Continues natively a run that the plain runs gave up, if the program allows it.
pub(crate) fn search(case: &Case, plain: &PlainRuns) -> Option<ConfirmedTest> {
    let (given, taken) = plain.long.as_ref()?;
    let program = &*case.program;
    if !case.settings.checks.asserts {
        return None;
    }
    let (error, at) = only_error(program)?;
    let fits = case.source.model.entry == "main" && taken.len() <= MOST_INPUTS;
    if !fits || !stays_in_model(program) {
        return None;
    }
    let session = &*case.session;
    session.phase(Phase::Native);
    let reached = ErrorReached {
        function: error.to_string(),
        place: program.place(at).to_string(),
    };
    let test = evidence::test_of(&case.source, program, taken, given, Some(reached)).ok()?;
    let built = evidence::prepare(session, &test).ok()?.ok()?;
    let left = session.account().left();
    let quick = left.map_or(QUICK, |left| (left / SHARE).min(QUICK));
    let guess = built.run_optimised(&test, quick);
    if !matches!(guess, Ok(ReplayOutcome::Failed(_))) {
        return None;
    }
    let left = session.account().left();
    let time = left.map_or(USUAL_TIME, |left| left * 3 / 4);
    let run = LongRun {
        program,
        error,
        at,
        taken,
        given,
    };
    confirm::run_natively(&run, &built, &test, time)
}

/// The one call of the error that there is.
fn only_error(program: &Program) -> Option<(Arc<str>, PlaceId)> {
    let blocks = program.functions.iter().flat_map(|f| &f.blocks);
    let mut errors = blocks.filter_map(|block| match &block.end {
        Terminator::Error(name) => Some((name.clone(), block.end_place)),
        _ => None,
    });
    let error = errors.next()?;
    errors.next().is_none().then_some(error)
}

/// Whether no execution can do what the machine would do otherwise than the model.
fn stays_in_model(program: &Program) -> bool {
    let blocks = || program.functions.iter().flat_map(|f| &f.blocks);
    let leaves =
        |end: &Terminator| matches!(end, Terminator::Bail(_) | Terminator::PtrSwitch { .. });
    blocks().flat_map(|block| &block.insts).all(stays) && !blocks().any(|b| leaves(&b.end))
}

/// Whether an instruction is about numbers and defined for all of them.
fn stays(inst: &Inst) -> bool {
    match inst {
        Inst::Int { op, width, b, .. } => {
            let known = match b {
                Operand::Const(Constant::Int { value, .. }) => Some(*value),
                _ => None,
            };
            match op {
                IntOp::Add | IntOp::Sub | IntOp::Mul | IntOp::And | IntOp::Or | IntOp::Xor => true,
                IntOp::Shl | IntOp::LShr | IntOp::AShr => {
                    known.is_some_and(|by| by < u128::from(*width))
                }
                // The least number by minus one is undefined, too.
                IntOp::UDiv | IntOp::URem => known.is_some_and(|by| by != 0),
                IntOp::SDiv | IntOp::SRem => {
                    let most = (1u128 << (*width - 1)) - 1;
                    known.is_some_and(|by| (1..=most).contains(&by))
                }
            }
        }
        Inst::Copy { .. }
        | Inst::GetGlobal { .. }
        | Inst::SetGlobal { .. }
        | Inst::IntUnary { .. }
        | Inst::Compare { .. }
        | Inst::Resize { .. }
        | Inst::Select { .. }
        | Inst::Input { .. }
        | Inst::Assume { .. }
        | Inst::Call(_) => true,
        _ => false,
    }
}
