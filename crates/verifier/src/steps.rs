//! The engine's work in words, for a person with the paper in hand.
//!
//! A round of the main loop is a paragraph. It names the frontier, what the
//! solver was asked and said, and then the test that crossed the frontier or
//! the predicate that split the region before it. Regions are named by their
//! number, their place in the source, and their predicate in C.

use crate::messages;
use attest_engine::events::{Conclusion, Cut, Event, ProcedureEvent, Question, Reply, View, Why};
use attest_engine::frontier::Frontier;
use attest_engine::regions::RegionId;
use attest_exec::{InputValue, Inputs, Outcome, Rest};
use attest_model::graph::{Loc, LocKind};
use attest_term::{Limits, Term};

/// Predicates are cut beyond this.
const SHOWN: Limits = Limits {
    nodes: 60,
    depth: 12,
};
/// Inputs of a test that are shown.
const MOST_INPUTS: usize = 12;

/// An event in words, a line; a round begins with an empty one.
pub(crate) fn words(view: &View<'_>, event: &Event) -> String {
    match event {
        Event::Round => format!(
            "\nround {}: {}, {}",
            view.statistics.iterations,
            messages::count(view.statistics.tests as usize, "test"),
            messages::count(view.regions.count(), "region"),
        ),
        Event::Frontier { frontier, depth } => at_frontier(view, frontier, *depth),
        Event::Question { kind, answer, time } => format!(
            "  asked: {} {} ({:.3} s)",
            question(*kind),
            reply(*answer),
            time.as_secs_f64()
        ),
        Event::Test {
            why,
            inputs,
            outcome,
            place,
            nodes,
        } => format!(
            "  test: {}, on {}: {} at {}, through {}",
            purpose(*why),
            values(inputs),
            end(outcome),
            messages::place(view.program, *place),
            messages::count(*nodes, "state"),
        ),
        Event::Missed(frontier) => format!(
            "  diverged: the test did not reach region {}, as the solver predicted",
            frontier.to.0
        ),
        Event::Split {
            region: old,
            to,
            inside,
            outside,
            rho,
            generator,
        } => format!(
            "  split: region {} by {} ({})\n         into {}, where it holds, and {}, where it does not, which has no edge to {}",
            old.0,
            c(view, *rho),
            made(generator),
            inside.0,
            outside.0,
            to.0
        ),
        Event::Cut { from, to, why } => format!(
            "  cut: no edge from region {} to region {}: {}",
            from.0,
            to.0,
            cut(*why)
        ),
        Event::Invariant { loc, fact, .. } => {
            format!("  invariant: {}: {}", location(view, *loc), c(view, *fact))
        }
        Event::Predicate(predicate) => format!("  predicate: {}", c(view, *predicate)),
        Event::Procedure { what, function } => {
            format!(
                "  {}: {}",
                view.program.function(*function).name,
                deed(*what)
            )
        }
        Event::Stuck { frontier, why } => format!(
            "  stuck: the frontier from region {} to region {} is left for now: {why}",
            frontier.from.0, frontier.to.0
        ),
        Event::Conclusion(conclusion) => concluded(conclusion),
    }
}

fn at_frontier(view: &View<'_>, frontier: &Frontier, depth: Option<u32>) -> String {
    let witness = match depth {
        Some(depth) => format!(
            "a test comes to the first after {}",
            messages::count(depth as usize, "step")
        ),
        None => "the program starts there".into(),
    };
    let target = match frontier.distance {
        0 => String::new(),
        n => format!("; {} before a target", messages::count(n as usize, "step")),
    };
    format!(
        "  frontier: from {}\n            to   {}{target}\n            {witness}",
        region(view, frontier.from),
        region(view, frontier.to),
    )
}

fn concluded(conclusion: &Conclusion) -> String {
    match conclusion {
        Conclusion::Proof => "\nconclusion: no abstract path to the error is left; \
            the regions and invariants are a proof"
            .into(),
        Conclusion::Failure => "\nconclusion: a test reached the error".into(),
        Conclusion::Nothing(reason) => format!("\nconclusion: none, {reason}"),
    }
}

fn deed(what: ProcedureEvent) -> &'static str {
    match what {
        ProcedureEvent::Query => "what it can do is asked of the procedure alone",
        ProcedureEvent::NotMay => "a not-may summary: it cannot do what was asked",
        ProcedureEvent::NotMayUsed => "a not-may summary is used at the call",
        ProcedureEvent::Must => "a must summary: a test went through it by a new path",
        ProcedureEvent::MustUsed => "a must summary leads a test across the call",
        ProcedureEvent::Weaker => "must summaries make the query's post-condition weaker",
        ProcedureEvent::Refuted => "the weaker post-condition is given up",
        ProcedureEvent::Contract => "a contract: proved for every call, by induction",
    }
}

/// A region: `region 3, the loop at a.c:4:7: x < 10`.
fn region(view: &View<'_>, id: RegionId) -> String {
    let region = view.regions.region(id);
    let mut parts: Vec<String> = Vec::new();
    for conjunct in &region.predicate {
        let part = c(view, *conjunct);
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    let predicate = match parts.as_slice() {
        [] => "true".into(),
        [one] => one.clone(),
        some => {
            let is_choice = |part: &&String| part.contains(" || ") || part.contains(" ? ");
            let closed = |part: &String| match Some(part).filter(is_choice) {
                Some(part) => format!("({part})"),
                None => part.clone(),
            };
            some.iter().map(closed).collect::<Vec<_>>().join(" && ")
        }
    };
    format!(
        "region {}, {}: {predicate}",
        id.0,
        location(view, region.loc)
    )
}

fn location(view: &View<'_>, loc: Loc) -> String {
    let location = view.graph.location(loc);
    let kind = match location.kind {
        LocKind::Root => return "before the program".into(),
        LocKind::Error => return "the error".into(),
        LocKind::Halt => return "the end".into(),
        LocKind::Bail(kind) => return format!("undefined or unsupported ({})", kind.word()),
        LocKind::Entry => "the start",
        LocKind::Exit => "the return",
        LocKind::LoopHead => "the loop",
        LocKind::BeforeCall => "before the call",
        LocKind::AfterCall => "after the call",
        LocKind::Inner => "the point",
    };
    format!(
        "{kind} at {}",
        messages::place(view.program, location.place)
    )
}

fn c(view: &View<'_>, term: Term) -> String {
    view.terms.to_c_within(term, SHOWN)
}

fn question(kind: Question) -> &'static str {
    match kind {
        Question::Frontier => "can a test cross the frontier?",
        Question::Local => "can any state of the one region step into the other?",
        Question::Plain => "can a test cross it, if inputs are ignored?",
        Question::Facts => "is the step possible under the facts of the test's state?",
        Question::Generalise => "is a more general predicate too weak?",
        Question::Edge => "is there an edge between the new regions?",
        Question::Induction => "does a step lead out of the candidate invariant?",
        Question::Must => "does a path that a test took through the callee lead there?",
        Question::SelfCheck => "is the split wrong?",
        Question::Stable => "is there a state of the region that cannot step into the other?",
        Question::Post => "can the predicate have this value after the step?",
        Question::Path => "is there an execution along the abstract path?",
    }
}

fn reply(answer: Reply) -> &'static str {
    match answer {
        Reply::Sat => "yes",
        Reply::Unsat => "no",
        Reply::Unknown => "not decided",
    }
}

fn purpose(why: Why) -> &'static str {
    match why {
        Why::Recalled => "of an earlier run",
        Why::First => "one of the first",
        Why::Random => "a random one",
        Why::Shortcut => "a short path to where only a long one led",
        Why::Explore => "found by exploration",
        Why::Crossing => "to cross the frontier",
    }
}

fn values(inputs: &Inputs) -> String {
    let rest = match inputs.rest {
        Rest::Zero => "zeros".to_owned(),
        Rest::Random(seed) => format!("random inputs (seed {seed})"),
    };
    if inputs.nondet.is_empty() {
        return rest;
    }
    let shown = inputs.nondet.iter().take(MOST_INPUTS);
    let mut shown: Vec<String> = shown.map(value).collect();
    if inputs.nondet.len() > MOST_INPUTS {
        shown.push("...".into());
    }
    format!("{} and then {rest}", shown.join(", "))
}

fn value(input: &InputValue) -> String {
    match input {
        InputValue::Int(number) => number.to_string(),
        InputValue::Float(number) => format!("{number:?}"),
    }
}

fn end(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Returned(_) | Outcome::Exited(_) | Outcome::Aborted => "it ended normally",
        Outcome::Error(_) => "it reached the error",
        Outcome::Bailed(_) => "it stopped",
        Outcome::AssumeFailed => "it failed an assumption",
        Outcome::StepLimit | Outcome::MemoryLimit | Outcome::DepthLimit => "it hit a limit",
        Outcome::Stopped => "it was stopped",
    }
}

/// What made a predicate, and so why it is suitable.
fn made(generator: &str) -> String {
    match generator {
        "core" => "core: the part of the precondition that the solver used".into(),
        "facts" => "facts: what of the test's state excludes the step".into(),
        "stable" => "stable: the exact precondition, so that all of a part can step there".into(),
        "pre" => "pre: the exact precondition".into(),
        "wp-alpha" => "wp-alpha: the precondition under the aliasing of the test".into(),
        "ahead" => {
            "ahead: the precondition of the targets behind it, before a test reaches it".into()
        }
        "interpolant" => "interpolant: a part of the precondition that no test satisfied".into(),
        "candidates" => "candidates: inductive facts that the tests suggest".into(),
        other => other.to_owned(),
    }
}

fn cut(why: Cut) -> &'static str {
    match why {
        Cut::NoStep => "the program has no such step",
        Cut::Local => "the regions and the step exclude each other",
        Cut::Start => "the program cannot start there",
        Cut::Facts => "the step is impossible whatever the state",
        Cut::Edge => "the prover found none",
        Cut::Union => "the predicate is about this target as well",
    }
}
