//! Proof files from the invariants and summaries that a search ends with.
//!
//! See [`attest_proof`] for the format; nothing else writes it.

use attest_model::graph::{Graph, Loc, Outcome};
use attest_model::{BailKind, Check, FnId, Program};
pub use attest_proof::*;
use attest_term::{Op, Sort, Term, Terms};
use std::path::PathBuf;

/// What a proof is about: the files and how they were loaded.
#[derive(Clone, Debug, Default)]
pub struct Subject {
    /// The program's files, in the order in which they were linked.
    pub files: Vec<PathBuf>,
    /// Files with bodies for functions that the program lacks.
    pub stubs: Vec<PathBuf>,
    /// A compilation database.
    pub database: Option<PathBuf>,
    /// The API rule that the program is instrumented with.
    pub rule: Option<PathBuf>,
    /// Widths of types.
    pub data_model: DataModel,
    /// Arguments for clang.
    pub clang_args: Vec<String>,
    /// Entry and property.
    pub model: attest_model::Options,
    /// How far calls were inlined.
    pub inline: attest_model::InlineOptions,
    /// The policy for signed overflow.
    pub overflow: Overflow,
    /// Kinds that are not excluded: a run ends there.
    pub assumed: Vec<BailKind>,
    /// Whether calls of error functions are not excluded either.
    pub asserts_end: bool,
    /// Single checks that are not excluded.
    pub excused: Vec<Check>,
    /// The bounds of a proof by unwinding.
    pub unwinding: Option<Unwinding>,
}

/// A summary that a map uses at a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallUse {
    /// Before the call.
    pub location: Loc,
    /// The summary's number.
    pub summary: u32,
    /// What its ghosts are, over the caller's state before the call.
    pub ghosts: Vec<Term>,
}

/// A not-may summary with its own map; see [`Summary`] for what it says and
/// for the names in its terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SummaryProof {
    /// Its number; the names of its ghosts have it.
    pub id: u32,
    /// Its function.
    pub function: FnId,
    /// The outcome that it excludes: not the end of the program.
    pub outcome: Outcome,
    /// Its ghosts, by name.
    pub ghosts: Vec<(String, Sort)>,
    /// The states that are not reached; true unless the outcome is a return.
    pub post: Term,
    /// The invariants; that of the entry is the precondition.
    pub invariants: Vec<(Loc, Term)>,
    /// The summaries that it uses.
    pub calls: Vec<CallUse>,
}

/// What a search found: terms of one arena over the names of proofs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProofParts {
    /// The invariants of the entry function.
    pub invariants: Vec<(Loc, Term)>,
    /// The summaries that they use.
    pub calls: Vec<CallUse>,
    /// All summaries.
    pub summaries: Vec<SummaryProof>,
}

impl ProofParts {
    /// The parts of a proof that the engine found.
    pub fn of(proof: &attest_engine::Proof, terms: &Terms) -> ProofParts {
        let uses = |uses: &[attest_engine::Use]| -> Vec<CallUse> {
            let convert = |used: &attest_engine::Use| CallUse {
                location: used.location,
                summary: used.summary as u32,
                ghosts: used.ghosts.clone(),
            };
            uses.iter().map(convert).collect()
        };
        let named = |ghost: &Term| match terms.op(*ghost) {
            Op::Var(symbol) => {
                let symbol = terms.symbol(symbol);
                Some((symbol.name.to_string(), symbol.sort))
            }
            _ => None,
        };
        let summaries = proof.summaries.iter();
        let summaries = summaries.map(|(id, summary)| SummaryProof {
            id: *id as u32,
            function: summary.function,
            outcome: summary.outcome,
            ghosts: summary.ghosts.iter().filter_map(named).collect(),
            post: summary.post,
            invariants: summary.invariants.clone(),
            calls: uses(&summary.uses),
        });
        ProofParts {
            invariants: proof.invariants.clone(),
            calls: uses(&proof.uses),
            summaries: summaries.collect(),
        }
    }

    /// A proof without summaries.
    pub fn of_invariants(invariants: &[(Loc, Term)]) -> ProofParts {
        ProofParts {
            invariants: invariants.to_vec(),
            ..ProofParts::default()
        }
    }
}

/// Prints the terms of a program.
struct Writer<'a> {
    program: &'a Program,
    graph: &'a Graph,
    terms: &'a Terms,
}

impl Writer<'_> {
    fn invariants(&self, invariants: &[(Loc, Term)]) -> Vec<Invariant> {
        let mut written: Vec<Invariant> = invariants
            .iter()
            .filter(|(_, term)| self.terms.bool_const(*term) != Some(true))
            .filter_map(|(at, term)| {
                let location = self.graph.location(*at);
                let (plain, forall) = self.parts(*term);
                Some(Invariant {
                    location: at.0,
                    position: position_text(location.position?),
                    place: self.program.place(location.place).to_string(),
                    smt: self.conjunction(&plain),
                    forall: (!forall.is_empty()).then(|| self.conjunction(&forall)),
                    c: self.terms.to_c(*term),
                })
            })
            .collect();
        written.sort_by_key(|invariant| invariant.location);
        written
    }

    /// The conjuncts about the state alone, and those that hold for every index.
    fn parts(&self, term: Term) -> (Vec<Term>, Vec<Term>) {
        let conjuncts = match self.terms.op(term) {
            Op::And => self.terms.args(term).to_vec(),
            _ => vec![term],
        };
        let index = self.terms.lookup(INDEX);
        let has_index = |term: &Term| {
            let symbols = self.terms.free_symbols(&[*term]);
            index.is_some_and(|index| symbols.contains(&index))
        };
        conjuncts.into_iter().partition(|term| !has_index(term))
    }

    fn conjunction(&self, terms: &[Term]) -> String {
        let texts: Vec<String> = terms.iter().map(|t| self.terms.to_smtlib(*t)).collect();
        match &*texts {
            [] => "true".to_owned(),
            [one] => one.clone(),
            many => format!("(and {})", many.join(" ")),
        }
    }

    fn uses(&self, calls: &[CallUse]) -> Vec<SummaryUse> {
        let mut written: Vec<SummaryUse> = calls
            .iter()
            .filter_map(|call| {
                let position = self.graph.location(call.location).position?;
                let ghosts = call.ghosts.iter().map(|term| self.terms.to_smtlib(*term));
                Some(SummaryUse {
                    location: call.location.0,
                    position: position_text(position),
                    summary: call.summary,
                    ghosts: ghosts.collect(),
                })
            })
            .collect();
        written.sort_by_key(|call| (call.location, call.summary));
        written
    }

    fn summary(&self, summary: &SummaryProof) -> Option<Summary> {
        let ghosts = summary.ghosts.iter().map(|(name, sort)| Ghost {
            name: name.clone(),
            sort: sort.to_string(),
        });
        Some(Summary {
            id: summary.id,
            function: self.program.function(summary.function).name.to_string(),
            number: summary.function.0,
            // A claim about the end of the program is no part of any proof.
            outcome: outcome_text(summary.outcome)?,
            ghosts: ghosts.collect(),
            post: self.terms.to_smtlib(summary.post),
            invariants: self.invariants(&summary.invariants),
            calls: self.uses(&summary.calls),
        })
    }
}

/// The proof with these parts. The program is the inlined one, and the terms
/// are over the state's own names.
pub fn proof_of(
    subject: &Subject,
    program: &Program,
    graph: &Graph,
    terms: &Terms,
    parts: &ProofParts,
) -> std::io::Result<Proof> {
    let hashed = |files: &[PathBuf]| -> std::io::Result<Vec<HashedFile>> {
        files.iter().map(|path| HashedFile::of(path)).collect()
    };
    let writer = Writer {
        program,
        graph,
        terms,
    };
    let summaries = parts.summaries.iter();
    Ok(Proof {
        format: FORMAT.to_owned(),
        tool: format!("attest {}", env!("CARGO_PKG_VERSION")),
        files: hashed(&subject.files)?,
        data_model: subject.data_model,
        clang_args: subject.clang_args.clone(),
        stubs: hashed(&subject.stubs)?,
        database: subject
            .database
            .as_deref()
            .map(HashedFile::of)
            .transpose()?,
        rule: subject.rule.as_deref().map(HashedFile::of).transpose()?,
        entry: subject.model.entry.clone(),
        arguments: program.caller.as_ref().map(|_| subject.model.bounds.into()),
        errors: subject.model.errors.clone(),
        malloc: subject.model.malloc.into(),
        leaks: subject.model.leaks.into(),
        uninitialised: subject.model.uninitialised,
        granularity: graph.granularity.into(),
        inline: subject.inline.into(),
        overflow: subject.overflow,
        assumed: subject
            .assumed
            .iter()
            .map(|kind| kind.word().to_owned())
            .collect(),
        asserts_end: subject.asserts_end,
        excused: subject
            .excused
            .iter()
            .map(|check| ExcusedCheck {
                check: attest_model::check_word(check.kind),
                place: program.place(check.place).to_string(),
            })
            .collect(),
        unwinding: subject.unwinding.clone(),
        invariants: writer.invariants(&parts.invariants),
        calls: writer.uses(&parts.calls),
        summaries: summaries.filter_map(|s| writer.summary(s)).collect(),
    })
}
