//! Converts summaries between the terms of an engine and the text that stores them.

use crate::proof::{ProofParts, Subject, proof_of};
use attest_engine::{Engine, Learnt, Proof, Summary, Use};
use attest_model::graph::{Graph, Loc};
use attest_model::{FnId, Program};
use attest_term::{Sort, SymbolKind, Term};

/// The summaries as proofs write them, each with whether it is a contract.
pub fn written(
    program: &Program,
    graph: &Graph,
    engine: &Engine<'_>,
    learnt: &[Learnt],
) -> Vec<(bool, attest_proof::Summary)> {
    let summaries = learnt.iter();
    let proof = Proof {
        invariants: Vec::new(),
        uses: Vec::new(),
        summaries: summaries
            .map(|known| (known.number, known.summary.clone()))
            .collect(),
        assumed: Vec::new(),
        asserts: true,
        excused: Vec::new(),
    };
    let parts = ProofParts::of(&proof, engine.terms());
    let subject = Subject::default();
    // Without files there is nothing to read that could fail.
    let all = proof_of(&subject, program, graph, engine.terms(), &parts);
    let all = all.map(|proof| proof.summaries).unwrap_or_default();
    let is_contract = |id: u32| {
        let mut contracts = learnt.iter().filter(|known| known.contract);
        contracts.any(|known| known.number == id as usize)
    };
    all.into_iter()
        .map(|summary| (is_contract(summary.id), summary))
        .collect()
}

/// A summary in the engine's own terms. The checker has accepted it, so that its terms
/// are over the state of its function and its ghosts.
pub fn learnt(
    engine: &mut Engine<'_>,
    graph: &Graph,
    written: &attest_proof::Summary,
    contract: bool,
) -> Option<Learnt> {
    let function = FnId(written.number);
    engine.speak_of(function);
    let mut ghosts = Vec::with_capacity(written.ghosts.len());
    for ghost in &written.ghosts {
        let sort = Sort::parse(&ghost.sort)?;
        ghosts.push(engine.terms_mut().var(&ghost.name, sort, SymbolKind::Ghost));
    }
    let mut term = |text: &str| -> Option<Term> {
        let term = engine.terms_mut().parse_smtlib(text).ok()?;
        Some(engine.terms_mut().simplify(term))
    };
    let entry = graph.functions.get(written.number as usize)?.entry;
    let mut invariants = Vec::with_capacity(written.invariants.len());
    for invariant in &written.invariants {
        invariants.push((Loc(invariant.location), term(&invariant.smt)?));
    }
    let mut uses = Vec::with_capacity(written.calls.len());
    for used in &written.calls {
        let ghosts: Option<Vec<Term>> = used.ghosts.iter().map(|text| term(text)).collect();
        uses.push(Use {
            location: Loc(used.location),
            summary: used.summary as usize,
            ghosts: ghosts?,
        });
    }
    let pre = invariants.iter().find(|(loc, _)| *loc == entry);
    let pre = match pre {
        Some((_, pre)) => *pre,
        None => term("true")?,
    };
    let post = term(&written.post)?;
    Some(Learnt {
        number: written.id as usize,
        contract,
        summary: Summary {
            function,
            asker: None,
            outcome: written.outcome().ok()?,
            ghosts,
            pre,
            post,
            invariants,
            uses,
        },
    })
}
