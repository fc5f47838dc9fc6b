//! How an engine came to its conclusion, step by step, for a page that replays it.
//!
//! A [`Watcher`] that keeps the regions at the start and every change: splits,
//! cuts, invariants and tests, with the round and the frontier of each. Only
//! an engine over one procedure is recorded; SMASH has many region graphs.

use attest_engine::Event;
use attest_engine::events::{Conclusion, View, Watcher};
use attest_exec::Outcome;
use attest_model::graph::{Graph, Loc, LocKind};
use attest_term::Limits;
use serde::Serialize;

/// Changes that are kept.
const MOST_STEPS: usize = 600;
/// Locations of a graph that is worth a picture.
const MOST_LOCATIONS: usize = 400;

/// A location of the picture.
#[derive(Clone, Debug, Serialize)]
pub struct Spot {
    /// Its number.
    pub id: u32,
    /// What it is, in a word.
    pub kind: &'static str,
    /// The file,
    pub file: String,
    /// and line.
    pub line: u32,
    /// Its first region.
    pub region: u32,
}

/// A change.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "what", rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Step {
    /// A test ran.
    Test { ended: &'static str, nodes: usize },
    /// A region was split.
    Split {
        region: u32,
        to: u32,
        inside: u32,
        outside: u32,
        predicate: String,
        by: &'static str,
    },
    /// An edge between regions was deleted.
    Cut { from: u32, to: u32 },
    /// A fact was found to hold at a location.
    Invariant { loc: u32, fact: String },
}

/// A change with its round and frontier.
#[derive(Clone, Debug, Serialize)]
pub struct Change {
    /// The round of the main loop.
    pub round: u64,
    /// The frontier: from this region to that.
    pub frontier: Option<(u32, u32)>,
    /// What changed.
    #[serde(flatten)]
    pub step: Step,
}

/// What an engine did.
#[derive(Clone, Debug, Default, Serialize)]
pub struct History {
    /// The locations.
    pub spots: Vec<Spot>,
    /// Edges between them.
    pub edges: Vec<(u32, u32)>,
    /// The changes in order.
    pub changes: Vec<Change>,
    /// Changes after these that were not kept.
    pub left_out: u64,
    /// It ended with a verdict.
    pub decided: bool,
    #[serde(skip)]
    round: u64,
    #[serde(skip)]
    frontier: Option<(u32, u32)>,
}

fn kind(kind: LocKind) -> &'static str {
    match kind {
        LocKind::Root => "start",
        LocKind::Entry => "entry",
        LocKind::Exit => "return",
        LocKind::LoopHead => "loop",
        LocKind::BeforeCall | LocKind::AfterCall => "call",
        LocKind::Inner => "point",
        LocKind::Error => "error",
        LocKind::Halt => "end",
        LocKind::Bail(_) => "outside the model",
    }
}

fn ending(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Returned(_) | Outcome::Exited(_) | Outcome::Aborted => "normally",
        Outcome::Error(_) => "at the error",
        Outcome::Bailed(_) => "outside of the model",
        Outcome::AssumeFailed => "at an assumption that did not hold",
        _ => "at a limit",
    }
}

const SHORT: Limits = Limits {
    nodes: 40,
    depth: 8,
};

impl History {
    fn begin(&mut self, view: &View<'_>) {
        let graph: &Graph = view.graph;
        for (i, location) in graph.locations.iter().enumerate() {
            let place = view.program.place(location.place);
            let region = view.regions.at(Loc(i as u32)).first();
            let (Some(region), false) = (region, i == 0) else {
                continue;
            };
            self.spots.push(Spot {
                id: i as u32,
                kind: kind(location.kind),
                file: place.file.to_string(),
                line: place.line,
                region: region.0,
            });
        }
        self.edges = graph.edges.iter().map(|e| (e.src.0, e.dst.0)).collect();
        self.edges.sort_unstable();
        self.edges.dedup();
    }
}

impl Watcher for History {
    fn event(&mut self, view: &View<'_>, event: &Event) {
        if view.graph.has_calls() || view.graph.locations.len() > MOST_LOCATIONS {
            return;
        }
        if self.spots.is_empty() {
            self.begin(view);
        }
        let text = |term| view.terms.to_c_within(term, SHORT);
        let step = match event {
            Event::Round => {
                self.round += 1;
                self.frontier = None;
                return;
            }
            Event::Frontier { frontier, .. } => {
                self.frontier = Some((frontier.from.0, frontier.to.0));
                return;
            }
            Event::Test { outcome, nodes, .. } => Step::Test {
                ended: ending(outcome),
                nodes: *nodes,
            },
            Event::Split {
                region,
                to,
                inside,
                outside,
                rho,
                generator,
            } => Step::Split {
                region: region.0,
                to: to.0,
                inside: inside.0,
                outside: outside.0,
                predicate: text(*rho),
                by: generator,
            },
            Event::Cut { from, to, .. } => Step::Cut {
                from: from.0,
                to: to.0,
            },
            Event::Invariant { loc, fact, .. } => Step::Invariant {
                loc: loc.0,
                fact: text(*fact),
            },
            Event::Conclusion(Conclusion::Proof | Conclusion::Failure) => {
                self.decided = true;
                return;
            }
            _ => return,
        };
        if self.changes.len() >= MOST_STEPS {
            self.left_out += 1;
            return;
        }
        self.changes.push(Change {
            round: self.round,
            frontier: self.frontier,
            step,
        });
    }
}
