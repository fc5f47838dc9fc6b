//! What the engine tells the outside while it works: data, no output.
//!
//! The engine calls `tell` with an [`Event`] for each step that the papers have
//! a word for. Statistics are made from the same events
//! ([`Statistics::count`]), so what is counted and what is told cannot differ.
//! A [`Watcher`] sees every event with the engine's tables at that moment; it
//! can look, and it cannot change anything.

use crate::regions::frontier::Frontier;
use crate::regions::{RegionId, Regions};
use crate::statistics::Statistics;
use crate::verdict::Reason;
use attest_exec::{Inputs, Outcome};
use attest_model::{FnId, Graph, Loc, PlaceId, Program};
use attest_solver::Answer;
use attest_term::{Term, Terms};
use std::sync::Arc;
use std::time::Duration;

/// One step of the engine.
#[derive(Clone, Debug)]
pub enum Event {
    /// A round of the main loop begins.
    Round,
    /// The frontier of this round.
    Frontier {
        /// Its edge.
        frontier: Frontier,
        /// Steps from the start to the state before it; none where the program starts.
        depth: Option<u32>,
    },
    /// The solver was asked.
    Question {
        /// What for.
        kind: Question,
        /// What it said.
        answer: Reply,
        /// How long it took.
        time: Duration,
    },
    /// A test was run.
    Test {
        /// What for.
        why: Why,
        /// On what.
        inputs: Arc<Inputs>,
        /// How it ended.
        outcome: Outcome,
        /// Where it ended.
        place: PlaceId,
        /// States that it visited.
        nodes: usize,
    },
    /// The test did not go where the solver said.
    Missed(Frontier),
    /// A region was split, and the part outside of the predicate has no edge to `to`.
    Split {
        /// The region that was.
        region: RegionId,
        /// Where the edge led that is gone.
        to: RegionId,
        /// The part where the predicate holds.
        inside: RegionId,
        /// The part where it does not.
        outside: RegionId,
        /// The predicate.
        rho: Term,
        /// What made the predicate: `core`, `facts` and so on.
        generator: &'static str,
    },
    /// An edge was deleted without a split.
    Cut {
        /// From here.
        from: RegionId,
        /// To here.
        to: RegionId,
        /// Why.
        why: Cut,
    },
    /// A fact was found to hold whenever the location is reached; regions and proof have it from now on.
    Invariant {
        /// Where.
        loc: Loc,
        /// What.
        fact: Term,
        /// The technique that made it.
        maker: &'static str,
    },
    /// A predicate was found on an infeasible path, and is used everywhere from now on (CEGAR).
    Predicate(Term),
    /// Something was asked or learnt of a procedure (SMASH).
    Procedure {
        /// What.
        what: ProcedureEvent,
        /// Of which one.
        function: FnId,
    },
    /// Nothing could be done at a frontier with this witness; another is next.
    Stuck {
        /// The frontier.
        frontier: Frontier,
        /// Why, in words.
        why: &'static str,
    },
    /// The end of the run.
    Conclusion(Conclusion),
}

/// What happens to procedures and their summaries.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ProcedureEvent {
    /// A sub-query was opened or resumed.
    Query,
    /// A not-may summary was made,
    NotMay,
    /// or used at a call.
    NotMayUsed,
    /// A must summary was made,
    Must,
    /// or used to cross a call.
    MustUsed,
    /// Must summaries made the post-condition of a query weaker,
    Weaker,
    /// and it was not answered with no, so that more is asked for.
    Refuted,
    /// A contract of a recursive procedure was proved.
    Contract,
}

impl ProcedureEvent {
    /// All of them, in the order of a report.
    pub const ALL: [ProcedureEvent; 8] = [
        ProcedureEvent::Query,
        ProcedureEvent::NotMay,
        ProcedureEvent::NotMayUsed,
        ProcedureEvent::Must,
        ProcedureEvent::MustUsed,
        ProcedureEvent::Weaker,
        ProcedureEvent::Refuted,
        ProcedureEvent::Contract,
    ];

    /// Its name in reports.
    pub fn word(self) -> &'static str {
        match self {
            ProcedureEvent::Query => "queries",
            ProcedureEvent::NotMay => "not-may",
            ProcedureEvent::NotMayUsed => "not-may-used",
            ProcedureEvent::Must => "must",
            ProcedureEvent::MustUsed => "must-used",
            ProcedureEvent::Weaker => "weaker",
            ProcedureEvent::Refuted => "refuted",
            ProcedureEvent::Contract => "contracts",
        }
    }
}

/// What the solver is asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Question {
    /// Can a test cross the frontier?
    Frontier,
    /// Do region, step and region exclude each other?
    Local,
    /// The frontier's solver call again, without what mentions inputs.
    Plain,
    /// Which facts of the witness exclude the step?
    Facts,
    /// Does a weaker or simpler predicate do as well?
    Generalise,
    /// Is there an edge between two regions? (SYNERGY asks it of every new region.)
    Edge,
    /// Is a candidate inductive?
    Induction,
    /// Does a path that a test took through a callee lead across the call?
    Must,
    /// Does the side condition of a split hold?
    SelfCheck,
    /// Does every state of a region step into another? (Lee and Yannakakis.)
    Stable,
    /// What holds of a predicate after a step from an abstract state? (CEGAR.)
    Post,
    /// Is there an execution along an abstract path? (CEGAR.)
    Path,
}

impl Question {
    /// All of them, in the order of a report.
    pub const ALL: [Question; 12] = [
        Question::Frontier,
        Question::Local,
        Question::Plain,
        Question::Facts,
        Question::Generalise,
        Question::Edge,
        Question::Induction,
        Question::Must,
        Question::SelfCheck,
        Question::Stable,
        Question::Post,
        Question::Path,
    ];

    /// Its name in reports.
    pub fn word(self) -> &'static str {
        match self {
            Question::Frontier => "frontier",
            Question::Local => "local",
            Question::Plain => "plain",
            Question::Facts => "facts",
            Question::Generalise => "generalise",
            Question::Edge => "edge",
            Question::Induction => "induction",
            Question::Must => "must",
            Question::SelfCheck => "self-check",
            Question::Stable => "stable",
            Question::Post => "post",
            Question::Path => "path",
        }
    }
}

/// What the solver said, without its model or core.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reply {
    /// It is possible.
    Sat,
    /// It is not.
    Unsat,
    /// Not decided.
    Unknown,
}

impl From<&Answer> for Reply {
    fn from(answer: &Answer) -> Reply {
        match answer {
            Answer::Sat(_) => Reply::Sat,
            Answer::Unsat(_) => Reply::Unsat,
            Answer::Unknown(_) => Reply::Unknown,
        }
    }
}

/// What a test was run for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Why {
    /// An earlier run had it.
    Recalled,
    /// The first one, on zeros.
    First,
    /// Random inputs at the start.
    Random,
    /// A short way to where only long tests came.
    Shortcut,
    /// It continues from states of others, one iteration after the other.
    Explore,
    /// To cross the round's frontier.
    Crossing,
}

/// Why an edge is deleted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cut {
    /// There is no step between the locations.
    NoStep,
    /// Region, step and region exclude each other.
    Local,
    /// The program cannot start there.
    Start,
    /// No fact of the witness is needed to exclude the step.
    Facts,
    /// The prover found no edge between new regions (SYNERGY).
    Edge,
    /// A split was about several targets, and the part outside leads to none of them (LCT-D).
    Union,
}

impl Cut {
    /// All of them, in the order of a report.
    pub const ALL: [Cut; 6] = [
        Cut::NoStep,
        Cut::Local,
        Cut::Start,
        Cut::Facts,
        Cut::Edge,
        Cut::Union,
    ];

    /// Its name in reports.
    pub fn word(self) -> &'static str {
        match self {
            Cut::NoStep => "no-step",
            Cut::Local => "local",
            Cut::Start => "start",
            Cut::Facts => "facts",
            Cut::Edge => "edge",
            Cut::Union => "union",
        }
    }
}

/// What a run ends with, without the evidence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Conclusion {
    /// No region reaches a target.
    Proof,
    /// A test reached the error.
    Failure,
    /// Neither.
    Nothing(Reason),
}

/// The engine's tables at the moment of an event.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The program, its calls inlined.
    pub program: &'a Program,
    /// Its locations and edges.
    pub graph: &'a Graph,
    /// The arena of all terms.
    pub terms: &'a Terms,
    /// The regions, those that were split included.
    pub regions: &'a Regions,
    /// Whose regions these are: the number of the query, 0 for the program, and its procedure.
    pub work: (u32, FnId),
    /// What was done so far, this event included.
    pub statistics: &'a Statistics,
}

/// Who is told.
pub trait Watcher: Send {
    /// Something happened.
    fn event(&mut self, view: &View<'_>, event: &Event);
}

impl<F: FnMut(&View<'_>, &Event) + Send> Watcher for F {
    fn event(&mut self, view: &View<'_>, event: &Event) {
        self(view, event);
    }
}
