//! What an engine finds, confirmed: its proof by the checker, its test by a run of the
//! program.

use crate::align;
use crate::case::Case;
use crate::confirm::{self, CheckedProof, ConfirmedTest};
use crate::report::Phase;
use crate::variant::Variant;
use attest_engine::{FailingTest, Proof};
use attest_evidence::{ProofParts, Subject, proof_of};
use attest_exec::Limits;
use attest_model::{BailKind, Checks, Class, Graph, Program};
use attest_term::Terms;

/// Has the checker look at a proof of a case with its calls inlined, and notes what it says.
pub(crate) fn accepted(
    case: &Case,
    inlined: (&Program, &Graph),
    proof: attest_proof::Proof,
) -> Result<CheckedProof, String> {
    let limits = case.session.solver_limits();
    let proof =
        confirm::check(&case.program, inlined, proof, &limits).map_err(|refused| refused.why)?;
    case.note_proof(&proof);
    Ok(proof)
}

/// Has the checker look at the proof that an engine found, or says why there is none.
pub(crate) fn confirm_proof(
    case: &Case,
    variant: &Variant,
    terms: &Terms,
    proof: &Proof,
    subject: &Subject,
) -> Result<CheckedProof, String> {
    case.session.phase(Phase::ProofCheck);
    let parts = ProofParts::of(proof, terms);
    let (program, graph) = (&variant.program, &variant.graph);
    let written = proof_of(subject, program, graph, terms, &parts);
    let written = written.map_err(|why| format!("the proof could not be written: {why}"))?;
    accepted(case, (program, graph), written)
        .map_err(|why| format!("a proof was found but not confirmed: {why}"))
}

/// A violation only if the program itself does so on the test; else why not.
pub(crate) fn confirm_test(
    case: &Case,
    inlined: &Program,
    test: &FailingTest,
) -> Result<ConfirmedTest, String> {
    let overflow = case.settings.overflow;
    let inputs = align::aligned(&case.program, inlined, &test.inputs, overflow);
    let inputs = inputs.unwrap_or_else(|| test.inputs.clone());
    let leak = test.check.kind == Some(BailKind::NotFreed);
    let asked = Checks {
        asserts: test.check.kind.is_none(),
        kinds: match leak {
            // Which kind of leak it is, only the program as it was loaded can tell.
            true => case.settings.checks.of_class(Class::Leak),
            false => vec![test.check.kind],
        }
        .into_iter()
        .flatten()
        .collect(),
    };
    let run = confirm::run(&case.program, &inputs, &asked, overflow, Limits::default());
    run.failing.ok_or_else(|| {
        "a test fails with the calls inlined, but the program itself does not fail on it".into()
    })
}
