//! C programs through the engine: what the tests of the engine share.

#![allow(dead_code)]

use attest_checker::{CheckResult, Fresh, check_proof};
use attest_engine::strategy::Predicate;
use attest_engine::{Engine, Options, Statistics, Strategy, Technique, Verdict};
use attest_llvm::clang::{Clang, compile};
use attest_model::{BailKind, Granularity, Graph, InlineOptions, Program, inline, lower};
use attest_solver::{Blaster, Cached, Limits, Solver};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// What every program may call.
pub const PRELUDE: &str = "void reach_error(void) {}\n\
    int __VERIFIER_nondet_int(void);\n\
    unsigned char __VERIFIER_nondet_uchar(void);\n\
    double __VERIFIER_nondet_double(void);\n\
    void __VERIFIER_assume(int);\n\
    void *malloc(unsigned long);\n";

/// How far the tests' programs are inlined.
pub const INLINING: InlineOptions = InlineOptions {
    recursion: 4,
    most_insts: 50_000,
    partial: None,
};

/// Time for one question: what the engine finds must not depend on how busy the machine is.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A C file that lives as long as this.
pub struct Source {
    /// Where it is.
    pub file: PathBuf,
}

impl Source {
    /// A file with the prelude and this text.
    pub fn new(text: &str) -> Source {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("attest-engine-{}-{number}.c", std::process::id());
        let file = std::env::temp_dir().join(name);
        std::fs::write(&file, format!("{PRELUDE}{text}")).expect("a temporary file");
        Source { file }
    }

    /// The program, its calls inlined.
    pub fn load(&self) -> Program {
        self.inlined(&INLINING)
    }

    /// The program, its calls inlined as far as this says.
    pub fn inlined(&self, inlining: &InlineOptions) -> Program {
        inline(&self.lowered(&Default::default()), inlining)
    }

    /// The program before inlining.
    pub fn lowered(&self, options: &attest_model::Options) -> Program {
        let clang = Clang::find().expect("clang is installed");
        let text = compile(&clang, &Default::default(), &self.file);
        let text = text.unwrap_or_else(|e| panic!("{e}"));
        let module = attest_llvm::read_module(&text, "test.c").unwrap_or_else(|e| panic!("{e}"));
        lower(&module, options).unwrap_or_else(|e| panic!("{e}"))
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        std::fs::remove_file(&self.file).ok();
    }
}

/// The program of a text.
pub fn program(text: &str) -> Program {
    Source::new(text).load()
}

/// A run's verdict in a word, and what it cost.
pub struct Run {
    /// `safe`, `unsafe` or `unknown`.
    pub verdict: &'static str,
    /// What it cost.
    pub statistics: Statistics,
    /// How long it took.
    pub time: Duration,
}

impl Run {
    /// Rounds of the main loop.
    pub fn iterations(&self) -> u64 {
        self.statistics.iterations
    }

    /// Questions to the solver, those of the self-check aside.
    pub fn questions(&self) -> u64 {
        use attest_engine::events::Question;
        let all = self.statistics.questions.iter();
        all.filter(|(kind, _)| **kind != Question::SelfCheck)
            .map(|(_, tally)| tally.count())
            .sum()
    }
}

/// A verdict in a word.
pub fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Safe(_) => "safe",
        Verdict::Unsafe(_) => "unsafe",
        Verdict::Unknown(_) => "unknown",
    }
}

/// The solver of the tests.
pub fn solver() -> Box<dyn Solver> {
    Box::new(Cached::new(Blaster::new()))
}

/// Runs a strategy with everything checked that can be; without doubts, whose number is a
/// matter of time. The papers' languages have no way
/// out of the model, so their algorithms are asked about the error only.
pub fn run(program: &Program, strategy: Strategy, effort: Duration) -> Run {
    run_without(program, strategy, effort, &[])
}

/// The same without some techniques.
pub fn run_without(
    program: &Program,
    strategy: Strategy,
    effort: Duration,
    without: &[Technique],
) -> Run {
    let graph = Graph::of(program, strategy.granularity);
    let mut options = Options {
        strategy,
        without: without.to_vec(),
        most_effort: Some(effort),
        query_effort: PATIENCE,
        doubt: false,
        self_check: true,
        ..Default::default()
    };
    if strategy.predicate != Predicate::Core {
        options.assumed = BailKind::ALL.to_vec();
    }
    let clock = Instant::now();
    let mut engine = Engine::new(program, &graph, options, solver());
    let verdict = engine.run();
    Run {
        verdict: word(&verdict),
        statistics: engine.statistics().clone(),
        time: clock.elapsed(),
    }
}

/// The proof file of a proof about an inlined program.
pub fn written(
    source: &Source,
    program: &Program,
    graph: &Graph,
    terms: &attest_term::Terms,
    proof: &attest_engine::Proof,
) -> attest_proof::Proof {
    written_of(source, &INLINING, program, graph, terms, proof)
}

/// The proof file of a proof.
pub fn written_of(
    source: &Source,
    inlining: &InlineOptions,
    program: &Program,
    graph: &Graph,
    terms: &attest_term::Terms,
    proof: &attest_engine::Proof,
) -> attest_proof::Proof {
    let subject = attest_evidence::Subject {
        files: vec![source.file.clone()],
        inline: *inlining,
        assumed: proof.assumed.clone(),
        ..Default::default()
    };
    let parts = attest_evidence::ProofParts::of(proof, terms);
    let written = attest_evidence::proof_of(&subject, program, graph, terms, &parts);
    written.expect("the source is there")
}

/// What the independent checker says of a proof.
pub fn checked(program: &Program, graph: &Graph, proof: &attest_proof::Proof) -> CheckResult {
    let mut solver = Fresh::new(Blaster::new);
    let limits = Limits::time(Duration::from_secs(20));
    check_proof(program, graph, proof, &mut solver, &limits).expect("a proof of this program")
}

/// A strategy with steps of another size.
pub const fn at(strategy: Strategy, granularity: Granularity) -> Strategy {
    Strategy {
        granularity,
        ..strategy
    }
}
