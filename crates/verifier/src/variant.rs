//! The variants of a program that the strategies work on.
//!
//! Most strategies want everything in one procedure; SMASH wants procedures by themselves,
//! the small ones inlined. A variant is the program with its calls inlined in one way, and
//! the strategies that work on it. Proofs and tests are of a variant, and say how it is made.

use crate::messages;
use crate::settings::Settings;
use crate::source::{self, Source};
use attest_engine::{Calls, Proof, Strategy};
use attest_evidence::Subject;
use attest_exec::interpreter::Observer;
use attest_exec::{Interpreter, Limits, Outcome, Overflow};
use attest_model::graph::{Loc, LocKind};
use attest_model::{Graph, InlineOptions, Inst, Partial, PlaceId, Program, inline};

/// Recursion that is followed before the model is left.
const RECURSION: u32 = 4;
/// The same at most, where the only run of the program says how deep it goes.
const DEEPEST: u32 = 16;
/// Instructions of the program with its calls inlined.
const MOST_INSTS: usize = 100_000;

/// No procedure is inlined that can be by itself.
const APART: Partial = Partial {
    small: 0,
    once: 0,
    growth: 1,
};

/// The program with its calls inlined in one way, and who works on it.
pub(crate) struct Variant {
    /// How.
    pub inlining: InlineOptions,
    /// The program.
    pub program: Program,
    /// Its graph.
    pub graph: Graph,
    /// Who works on it.
    pub strategies: Vec<Strategy>,
}

impl Variant {
    /// What the strategies need. Where nothing is left to summarise, SMASH would only repeat
    /// the others.
    pub fn all(program: &Program, settings: &Settings) -> Vec<Variant> {
        let recursion = RECURSION.max(depth_of_only_run(program, settings.overflow));
        let of = |strategies: Vec<Strategy>, partial: Option<Partial>| {
            let inlining = InlineOptions {
                recursion,
                most_insts: MOST_INSTS,
                partial,
            };
            let program = inline(program, &inlining);
            let graph = Graph::of(&program, settings.granularity());
            Variant {
                inlining,
                program,
                graph,
                strategies,
            }
        };
        let is_inlined = |strategy: &Strategy| strategy.calls == Calls::Inlined;
        let (one, several): (Vec<_>, Vec<_>) =
            settings.strategies().into_iter().partition(is_inlined);
        let mut variants = Vec::new();
        let alone = one.is_empty();
        if !alone {
            variants.push(of(one, None));
        }
        if !several.is_empty() {
            let partial = match settings.apart {
                true => APART,
                false => Partial::default(),
            };
            let variant = of(several, Some(partial));
            if alone || variant.graph.has_calls() {
                variants.push(variant);
            }
        }
        variants
    }

    /// A location in words, if it is in a function.
    pub fn place(&self, loc: Loc) -> Option<String> {
        let location = self.graph.location(loc);
        let place = messages::place(&self.program, location.place);
        let what = match location.kind {
            LocKind::LoopHead => "the loop",
            LocKind::BeforeCall | LocKind::AfterCall => "the call",
            _ => "the code",
        };
        let function = self.program.function(location.function?);
        Some(format!("{what} at {place} in {}", function.name))
    }

    /// What a proof over this variant is about.
    pub fn subject(&self, source: &Source, overflow: Overflow, proof: &Proof) -> Subject {
        Subject {
            assumed: proof.assumed.clone(),
            asserts_end: !proof.asserts,
            excused: proof.excused.clone(),
            ..subject(source, self.inlining, written(overflow))
        }
    }
}

/// What a proof of the program with its calls inlined so is about.
pub(crate) fn subject(
    source: &Source,
    inline: InlineOptions,
    overflow: attest_proof::Overflow,
) -> Subject {
    Subject {
        files: source.files.clone(),
        stubs: source.stubs.clone(),
        database: source.database.clone(),
        rule: source.rule.clone(),
        data_model: source::written_data_model(source),
        clang_args: source.clang_args.clone(),
        model: source.model.clone(),
        inline,
        overflow,
        assumed: Vec::new(),
        asserts_end: false,
        excused: Vec::new(),
        unwinding: None,
    }
}

/// The overflow policy in the words of proofs.
pub(crate) fn written(overflow: Overflow) -> attest_proof::Overflow {
    match overflow {
        Overflow::Wrap => attest_proof::Overflow::Wrap,
        Overflow::Assume => attest_proof::Overflow::Assume,
        Overflow::Check => attest_proof::Overflow::Check,
    }
}

/// How deep the calls are nested in a program that takes no inputs and ends soon: calls up
/// to there are all that there are. 0 for any other.
fn depth_of_only_run(program: &Program, overflow: Overflow) -> u32 {
    struct Depth(u32);
    impl Observer for Depth {
        const STEPS: bool = true;
        fn executed(&mut self, run: &Interpreter<'_>, inst: &Inst, _: PlaceId) {
            if let Inst::Call(_) = inst {
                self.0 = self.0.max(run.depth() + 1);
            }
        }
    }
    let limits = Limits {
        steps: 100_000,
        depth: DEEPEST,
        ..Limits::default()
    };
    let mut run = Interpreter::new(program, Default::default(), overflow, limits);
    let mut depth = Depth(0);
    let outcome = run.watch(&mut depth, &Default::default());
    let ended = matches!(outcome, Outcome::Returned(_) | Outcome::Exited(_));
    match ended && run.machine.taken.is_empty() {
        true => depth.0,
        false => 0,
    }
}
