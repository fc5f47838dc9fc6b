//! What earlier checks of a program learnt, brought to a check and kept after it.
//!
//! Whatever is brought is looked at again before it counts: tests are run, and proofs and
//! summaries go through the checker. See [`attest_store`] for what is kept and where.

use crate::session::Session;
use crate::settings::Settings;
use crate::source::{Source, written_data_model};
use attest_checker::{Fresh, check_summaries};
use attest_engine::{Engine, Learnt};
use attest_evidence::{Subject, proof_of, recall};
use attest_exec::Inputs;
use attest_model::{FnId, Graph, Program};
use attest_proof::Proof;
use attest_solver::{Limits, WithFloats};
use attest_store::{
    KnownProof, KnownSummary, Record, Store, StoredTest, function_hash, program_hash, still_known,
};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Tests that are kept.
const MOST_TESTS: usize = 150;
/// Inputs of a test that is kept.
const MOST_INPUTS: usize = 10_000;
/// Summaries that are kept.
const MOST_SUMMARIES: usize = 4_000;
/// Effort of one solver call about a recalled summary.
const CALL: Duration = Duration::from_secs(1);
/// Recalled summaries are checked for this part of the effort that the search plans with.
const SHARE: u32 = 4;

/// The store's record of one program.
pub(crate) struct Cache {
    store: Option<Store>,
    record: Record,
    /// What this run adds.
    learnt: Vec<KnownSummary>,
    tests: Vec<Arc<Inputs>>,
}

impl Cache {
    /// What is known of a program; nothing without a store.
    pub fn of(settings: &Settings, source: &Source) -> Cache {
        let store = settings.cache.as_ref().map(Store::at);
        let subject = subject(settings, source);
        let known = store.as_ref().and_then(|store| store.load(&subject));
        let record = known.unwrap_or_else(|| Record {
            subject,
            ..Record::default()
        });
        Cache {
            store,
            record,
            learnt: Vec::new(),
            tests: Vec::new(),
        }
    }

    /// Nothing is known and nothing is kept.
    pub fn off() -> Cache {
        Cache {
            store: None,
            record: Record::default(),
            learnt: Vec::new(),
            tests: Vec::new(),
        }
    }

    /// Whether anything is kept.
    pub fn is_on(&self) -> bool {
        self.store.is_some()
    }

    /// The tests of earlier runs.
    pub fn tests(&self) -> Vec<Arc<Inputs>> {
        let tests = self.record.tests.iter();
        tests.filter_map(StoredTest::inputs).map(Arc::new).collect()
    }

    /// The last proof, if the program is still the same.
    pub fn proof(&self, program: &Program) -> Option<&Proof> {
        let known = self.record.proof.as_ref()?;
        (known.program == program_hash(program)).then_some(&known.proof)
    }

    /// Gives an engine the summaries of functions that have not changed, as far as the
    /// checker accepts them in a part of the effort; how many.
    pub fn recall(
        &self,
        session: &Session,
        engine: &mut Engine<'_>,
        about: &Subject,
        program: &Program,
        graph: &Graph,
    ) -> usize {
        let known = still_known(program, graph, &self.record.summaries);
        let Ok(proof) = proof_of(about, program, graph, engine.terms(), &Default::default()) else {
            return 0;
        };
        let proof = Proof {
            summaries: known.iter().map(|k| k.summary.clone()).collect(),
            ..proof
        };
        let limits = Limits {
            effort: Some(CALL),
            ..session.solver_limits()
        };
        // The clock only ends it: another course on a busy machine would be another verdict.
        let most = session.planned_effort() / SHARE;
        let clock = session.account().clock();
        let end = clock.now() + session.engine_time();
        let mut go_on = |effort| effort < most && clock.now() < end;
        let mut solver = Fresh::new(WithFloats::new);
        let holds = check_summaries(program, graph, &proof, &mut solver, &limits, &mut go_on);
        let holds = holds.unwrap_or_default();
        let mut all: Vec<Learnt> = Vec::new();
        for (known, _) in known.iter().zip(&holds).filter(|(_, holds)| **holds) {
            match recall::learnt(engine, graph, &known.summary, known.contract) {
                Some(learnt) => all.push(learnt),
                // Others may lean on it.
                None => return 0,
            }
        }
        let count = all.len();
        engine.recall(all);
        count
    }

    /// Notes what an engine learnt of procedures.
    pub fn learn(&mut self, engine: &mut Engine<'_>, program: &Program, graph: &Graph) {
        if self.store.is_none() {
            return;
        }
        let learnt = engine.learnt();
        let from = learnt.len().saturating_sub(MOST_SUMMARIES);
        let mut hashes: BTreeMap<u32, String> = BTreeMap::new();
        // Uses of those that are left out are seen when they are brought back.
        for (contract, summary) in recall::written(program, graph, engine, &learnt[from..]) {
            let hash = hashes
                .entry(summary.number)
                .or_insert_with(|| function_hash(program, FnId(summary.number)));
            self.learnt.push(KnownSummary {
                code: hash.clone(),
                contract,
                summary,
            });
        }
    }

    /// Notes the tests that were run.
    pub fn note_tests(&mut self, tests: Vec<Arc<Inputs>>) {
        self.tests = tests;
    }

    /// Notes a proof that the checker accepted.
    pub fn note_proof(&mut self, program: &Program, proof: Proof) {
        let program = program_hash(program);
        self.record.proof = Some(KnownProof { program, proof });
    }

    /// Keeps what this run learnt. Why it could not be kept, which changes no answer.
    pub fn keep(mut self, failing: Option<&Inputs>) -> Option<String> {
        let store = self.store.as_ref()?;
        let tests = failing.into_iter().chain(self.tests.iter().map(|t| &**t));
        let small = |t: &&Inputs| t.nondet.len() + t.unknown.len() <= MOST_INPUTS;
        let mut kept: Vec<StoredTest> = Vec::new();
        for test in tests.filter(small).map(StoredTest::from) {
            if kept.len() < MOST_TESTS && !kept.contains(&test) {
                kept.push(test);
            }
        }
        if !kept.is_empty() {
            self.record.tests = kept;
        }
        if !self.learnt.is_empty() {
            self.record.summaries = self.learnt;
        }
        let why = store.save(&self.record).err()?;
        Some(why.to_string())
    }
}

/// The program as it was named, with what changes its meaning.
fn subject(settings: &Settings, source: &Source) -> String {
    let names = |files: &[PathBuf]| -> String {
        let names: Vec<String> = files.iter().map(|f| f.display().to_string()).collect();
        names.join(" ")
    };
    let mut out = names(&source.files);
    if !source.stubs.is_empty() {
        out += &format!(" --stubs {}", names(&source.stubs));
    }
    if let Some(database) = &source.database {
        out += &format!(" --compile-commands {}", database.display());
    }
    if let Some(rule) = &source.rule {
        out += &format!(" --spec {}", rule.display());
    }
    out += &format!(
        " --entry {} --data-model {:?} --check {:?} --overflow {:?}",
        source.model.entry,
        written_data_model(source),
        settings
            .checks
            .classes()
            .map(|class| class.word())
            .collect::<Vec<_>>(),
        settings.overflow,
    );
    if source.model.leaks != attest_model::Leaks::Off {
        out += &format!(" leaks {:?}", source.model.leaks);
    }
    if source.model.uninitialised {
        out += " uninitialised";
    }
    if source.model.quotients {
        out += " quotients";
    }
    if source.model.malloc == attest_model::Malloc::MayFail {
        out += " --malloc may-fail";
    }
    out += &format!(" errors: {}", source.model.errors.join(" "));
    if !source.clang_args.is_empty() {
        out += &format!(" -- {}", source.clang_args.join(" "));
    }
    out
}
