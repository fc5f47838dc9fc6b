//! How an engine reached its conclusion, step by step, for a page that replays it.
//!
//! A [`Watcher`] that keeps the regions at the start and every change: splits,
//! removed edges, invariants and tests, with the iteration and the frontier of each. DASH
//! has one graph of regions. SMASH has one for each query about a procedure,
//! which are the parts of the history; it also makes queries and learns summaries.

use attest_engine::Event;
use attest_engine::events::{Conclusion, ProcedureEvent, View, Watcher};
use attest_engine::regions::RegionId;
use attest_exec::Outcome;
use attest_model::FnId;
use attest_model::graph::{Graph, Loc, LocKind};
use attest_term::Limits;
use serde::Serialize;

/// Changes that are kept.
const MOST_STEPS: usize = 600;
/// Locations of a graph that is worth a picture.
const MOST_LOCATIONS: usize = 400;
/// Graphs that are kept.
const MOST_PARTS: usize = 60;

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
    /// Its first regions, with their predicates: one, or those of a query's goal.
    pub regions: Vec<(u32, String)>,
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
    /// An edge between regions was removed.
    Cut { from: u32, to: u32 },
    /// A fact was found to hold at a location.
    Invariant { loc: u32, fact: String },
    /// A query was made about a procedure, or a summary was learnt.
    Summary {
        deed: &'static str,
        function: String,
    },
}

/// A change with its iteration and frontier.
#[derive(Clone, Debug, Serialize)]
pub struct Change {
    /// The graph that it is about.
    pub part: usize,
    /// The iteration of the main loop.
    pub round: u64,
    /// The frontier: from this region to that.
    pub frontier: Option<(u32, u32)>,
    /// What changed.
    #[serde(flatten)]
    pub step: Step,
}

/// A graph of regions: that of the program, or of a query about a procedure.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Part {
    /// The procedure.
    pub function: String,
    /// The locations.
    pub spots: Vec<Spot>,
    /// Edges between them.
    pub edges: Vec<(u32, u32)>,
    #[serde(skip)]
    number: u32,
    #[serde(skip)]
    frontier: Option<(u32, u32)>,
}

/// What an engine did.
#[derive(Clone, Debug, Default, Serialize)]
pub struct History {
    /// The graphs, that of the program first.
    pub parts: Vec<Part>,
    /// The changes in order.
    pub changes: Vec<Change>,
    /// Changes after these that were not kept.
    pub left_out: u64,
    /// It ended with a verdict.
    pub decided: bool,
    #[serde(skip)]
    round: u64,
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
        LocKind::Bail(_) => "undefined or unsupported",
    }
}

fn ending(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Returned(_) | Outcome::Exited(_) | Outcome::Aborted => "normally",
        Outcome::Error(_) => "at the error",
        Outcome::Bailed(_) => "undefined or unsupported",
        Outcome::AssumeFailed => "at an assumption that did not hold",
        _ => "at a limit",
    }
}

const SHORT: Limits = Limits {
    nodes: 40,
    depth: 8,
};

fn deed(deed: ProcedureEvent) -> &'static str {
    match deed {
        ProcedureEvent::Query => "is queried",
        ProcedureEvent::NotMay => "has a new not-may summary",
        ProcedureEvent::NotMayUsed => "is passed by a not-may summary",
        ProcedureEvent::Must => "has a new must summary",
        ProcedureEvent::MustUsed => "is crossed by a must summary",
        ProcedureEvent::Weaker => "is queried for a weaker post-condition, by must summaries",
        ProcedureEvent::Refuted => "is queried for more than the weaker post-condition",
        ProcedureEvent::Contract => "has a new contract",
    }
}

impl Part {
    fn new(view: &View<'_>, (number, function): (u32, FnId)) -> Part {
        let graph: &Graph = view.graph;
        let locations = graph.locations_of(function);
        let mut part = Part {
            function: view.program.function(function).name.to_string(),
            number,
            ..Part::default()
        };
        for i in locations.clone() {
            let location = graph.location(Loc(i));
            let place = view.program.place(location.place);
            let regions = view.regions.at(Loc(i)).iter();
            let predicate = |region: &RegionId| {
                let parts = view.regions.region(*region).predicate.iter();
                let parts: Vec<String> = parts
                    .map(|term| view.terms.to_c_within(*term, SHORT))
                    .collect();
                match parts.is_empty() {
                    true => "true".into(),
                    false => parts.join(" && "),
                }
            };
            part.spots.push(Spot {
                id: i,
                kind: kind(location.kind),
                file: place.file.to_string(),
                line: place.line,
                regions: regions.map(|r| (r.0, predicate(r))).collect(),
            });
        }
        let edges = graph.edges.iter().map(|e| (e.src.0, e.dst.0));
        part.edges = edges
            .filter(|(from, to)| locations.contains(from) && locations.contains(to))
            .collect();
        part.edges.sort_unstable();
        part.edges.dedup();
        part
    }
}

impl History {
    /// The graph that the engine works on, if it is kept.
    fn part(&mut self, view: &View<'_>) -> Option<usize> {
        let known = self.parts.iter().position(|p| p.number == view.work.0);
        let size = view.graph.locations_of(view.work.1).len();
        if known.is_some() || size > MOST_LOCATIONS || self.parts.len() == MOST_PARTS {
            return known;
        }
        self.parts.push(Part::new(view, view.work));
        Some(self.parts.len() - 1)
    }
}

impl Watcher for History {
    fn event(&mut self, view: &View<'_>, event: &Event) {
        if let Event::Conclusion(Conclusion::Proof | Conclusion::Failure) = event {
            self.decided = true;
            return;
        }
        let Some(part) = self.part(view) else {
            self.left_out += u64::from(matches!(event, Event::Split { .. } | Event::Cut { .. }));
            return;
        };
        let text = |term| view.terms.to_c_within(term, SHORT);
        let step = match event {
            Event::Round => {
                self.round += 1;
                self.parts[part].frontier = None;
                return;
            }
            Event::Frontier { frontier, .. } => {
                self.parts[part].frontier = Some((frontier.from.0, frontier.to.0));
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
            Event::Procedure { what, function } => Step::Summary {
                deed: deed(*what),
                function: view.program.function(*function).name.to_string(),
            },
            _ => return,
        };
        if self.changes.len() >= MOST_STEPS {
            self.left_out += 1;
            return;
        }
        self.changes.push(Change {
            part,
            round: self.round,
            frontier: self.parts[part].frontier,
            step,
        });
    }
}
