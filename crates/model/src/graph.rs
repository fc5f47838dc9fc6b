//! The graph of locations and edges, the base of the regions.
//!
//! An edge is an acyclic call-free step between cut points, a call from the location before it to
//! the location after it, or Init from the virtual ROOT. Errors and bails inside a callee appear at
//! the call: there is an edge from before the call to the caller's own ERR or BAIL (the "exit
//! status" of the algorithm notes 1.7).

use crate::cuts::{Granularity, Position, cut_points, first_cut, loop_heads, step_blocks};
use crate::liveness::Liveness;
use crate::program::*;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A location.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Loc(pub u32);

/// An edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EdgeId(pub u32);

/// The kind of a location.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LocKind {
    /// The virtual start of the program.
    Root,
    /// The start of a function.
    Entry,
    /// The return of a function.
    Exit,
    /// The head of a loop.
    LoopHead,
    /// Before a call.
    BeforeCall,
    /// After a call.
    AfterCall,
    /// Another cut point.
    Inner,
    /// A violation of the property.
    Error,
    /// The end of the program without an error.
    Halt,
    /// Undefined behaviour or an unsupported construct.
    Bail(BailKind),
}

/// A location with its attributes.
#[derive(Clone, Debug)]
pub struct Location {
    /// The function; none for ROOT.
    pub function: Option<FnId>,
    /// Its kind.
    pub kind: LocKind,
    /// The position in the code, for cut points.
    pub position: Option<Position>,
    /// The place in the source.
    pub place: PlaceId,
    /// Registers that later code may read.
    pub live: Vec<Reg>,
}

/// The operation of an edge.
#[derive(Clone, PartialEq, Debug)]
pub enum EdgeOp {
    /// From ROOT to the entry of the program.
    Init,
    /// A step through these blocks, in topological order; it starts at the source's position and
    /// takes the paths that end at the target.
    Block(Vec<BlockId>),
    /// The call at the source's position, with this outcome.
    Call(FnId, Outcome),
}

/// The outcome of a call, as the caller sees it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Outcome {
    /// It returns.
    Return,
    /// The property is violated inside the call.
    Error,
    /// The program ends inside the call.
    Halt,
    /// The call bails.
    Bail(BailKind),
}

/// An edge.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The source.
    pub src: Loc,
    /// The target.
    pub dst: Loc,
    /// The operation.
    pub op: EdgeOp,
}

/// The locations of one function.
#[derive(Clone, Debug)]
pub struct FunctionGraph {
    /// Its start.
    pub entry: Loc,
    /// Its return.
    pub exit: Loc,
    /// The locations of its other outcomes, if it has them.
    pub ends: BTreeMap<Outcome, Loc>,
    /// Its cut points.
    pub cuts: BTreeMap<Position, Loc>,
}

/// The graph of a program at one granularity.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The granularity.
    pub granularity: Granularity,
    /// All locations; ROOT is number 0.
    pub locations: Vec<Location>,
    /// All edges.
    pub edges: Vec<Edge>,
    /// Edges out of each location.
    pub outgoing: Vec<Vec<EdgeId>>,
    /// Edges into each location.
    pub incoming: Vec<Vec<EdgeId>>,
    /// The functions.
    pub functions: Vec<FunctionGraph>,
}

impl Graph {
    /// Whether there are calls that are not inlined.
    pub fn has_calls(&self) -> bool {
        let is_call = |location: &Location| location.kind == LocKind::BeforeCall;
        self.locations.iter().any(is_call)
    }

    /// The virtual location before everything.
    pub const ROOT: Loc = Loc(0);

    /// Builds the graph of a program.
    pub fn of(program: &Program, granularity: Granularity) -> Graph {
        let mut graph = Graph {
            granularity,
            locations: Vec::new(),
            edges: Vec::new(),
            outgoing: Vec::new(),
            incoming: Vec::new(),
            functions: Vec::new(),
        };
        graph.add(None, LocKind::Root, None, PlaceId(0), Vec::new());
        let outcomes = outcomes(program);
        for id in 0..program.functions.len() {
            graph.add_function(program, FnId(id as u32), &outcomes, granularity);
        }
        let entry = graph.functions[program.entry.0 as usize].entry;
        graph.connect(Graph::ROOT, entry, EdgeOp::Init);
        graph
    }

    /// A location.
    pub fn location(&self, loc: Loc) -> &Location {
        &self.locations[loc.0 as usize]
    }

    /// The numbers of a function's locations, which have no gaps.
    pub fn locations_of(&self, function: FnId) -> std::ops::Range<u32> {
        let graph = &self.functions[function.0 as usize];
        let all = || {
            graph
                .cuts
                .values()
                .chain(graph.ends.values())
                .map(|loc| loc.0)
        };
        let first = all().min().unwrap_or(0);
        let last = all().max().unwrap_or(0);
        first..last + 1
    }

    /// An edge.
    pub fn edge(&self, edge: EdgeId) -> &Edge {
        &self.edges[edge.0 as usize]
    }

    fn add(
        &mut self,
        function: Option<FnId>,
        kind: LocKind,
        position: Option<Position>,
        place: PlaceId,
        live: Vec<Reg>,
    ) -> Loc {
        let loc = Loc(self.locations.len() as u32);
        self.locations.push(Location {
            function,
            kind,
            position,
            place,
            live,
        });
        self.outgoing.push(Vec::new());
        self.incoming.push(Vec::new());
        loc
    }

    fn connect(&mut self, src: Loc, dst: Loc, op: EdgeOp) {
        let id = EdgeId(self.edges.len() as u32);
        self.outgoing[src.0 as usize].push(id);
        self.incoming[dst.0 as usize].push(id);
        self.edges.push(Edge { src, dst, op });
    }

    fn add_function(
        &mut self,
        program: &Program,
        id: FnId,
        outcomes: &[BTreeSet<Outcome>],
        granularity: Granularity,
    ) {
        let function = program.function(id);
        let cuts = cut_points(function, granularity);
        let heads = loop_heads(function);
        let liveness = Liveness::of(function);
        let mut by_position = BTreeMap::new();
        let lives = live_at(function, &liveness, &cuts);
        for (&position, live) in cuts.iter().zip(lives) {
            let block = function.block(position.block);
            let index = position.index as usize;
            let place = block.places.get(index).copied().unwrap_or(block.end_place);
            let kind = if position == Position::start(BlockId(0)) && !heads.contains(&BlockId(0)) {
                LocKind::Entry
            } else if position.index == 0 && heads.contains(&position.block) {
                LocKind::LoopHead
            } else if matches!(block.insts.get(index), Some(Inst::Call(_))) {
                LocKind::BeforeCall
            } else if index > 0 && matches!(block.insts[index - 1], Inst::Call(_)) {
                LocKind::AfterCall
            } else {
                LocKind::Inner
            };
            by_position.insert(
                position,
                self.add(Some(id), kind, Some(position), place, live),
            );
        }
        let entry = by_position[&Position::start(BlockId(0))];
        let exit = self.add(Some(id), LocKind::Exit, None, function.place, Vec::new());
        let mut ends = BTreeMap::from([(Outcome::Return, exit)]);
        for &outcome in &outcomes[id.0 as usize] {
            let kind = match outcome {
                Outcome::Return => continue,
                Outcome::Error => LocKind::Error,
                Outcome::Halt => LocKind::Halt,
                Outcome::Bail(kind) => LocKind::Bail(kind),
            };
            ends.insert(
                outcome,
                self.add(Some(id), kind, None, function.place, Vec::new()),
            );
        }
        for &from in &cuts {
            let src = by_position[&from];
            match function.block(from.block).insts.get(from.index as usize) {
                Some(Inst::Call(call)) => {
                    let after = Position {
                        block: from.block,
                        index: from.index + 1,
                    };
                    for outcome in &outcomes[call.callee.0 as usize] {
                        let dst = match outcome {
                            Outcome::Return => by_position[&after],
                            other => ends[other],
                        };
                        self.connect(src, dst, EdgeOp::Call(call.callee, *outcome));
                    }
                }
                _ => self.add_steps(function, &cuts, from, &by_position, &ends),
            }
        }
        self.functions.push(FunctionGraph {
            entry,
            exit,
            ends,
            cuts: by_position,
        });
    }

    /// The steps from a cut point to the next ones.
    fn add_steps(
        &mut self,
        function: &Function,
        cuts: &BTreeSet<Position>,
        from: Position,
        by_position: &BTreeMap<Position, Loc>,
        ends: &BTreeMap<Outcome, Loc>,
    ) {
        let order = step_blocks(function, cuts, from);
        // Which blocks can reach each target, filled from the end of the order backwards.
        let mut reaching: FxHashMap<Loc, BTreeSet<BlockId>> = FxHashMap::default();
        let mut targets: BTreeMap<BlockId, BTreeSet<Loc>> = BTreeMap::new();
        for &block in order.iter().rev() {
            let mut found = BTreeSet::new();
            let code = function.block(block);
            let start = if block == from.block {
                from.index as usize
            } else {
                0
            };
            let cut = first_cut(function, cuts, from, block);
            let end = cut.map_or(code.insts.len(), |c| c.index as usize);
            for inst in &code.insts[start..end] {
                found.extend(inst.bail_kinds().iter().map(|k| ends[&Outcome::Bail(*k)]));
            }
            match cut {
                Some(cut) => {
                    found.insert(by_position[&cut]);
                }
                None => {
                    if let Some(outcome) = direct_outcome(&code.end) {
                        found.insert(ends[&outcome]);
                    }
                    code.end
                        .targets(|t| match by_position.get(&Position::start(t.block)) {
                            Some(loc) => {
                                found.insert(*loc);
                            }
                            None => found.extend(targets.get(&t.block).into_iter().flatten()),
                        });
                }
            }
            for loc in &found {
                reaching.entry(*loc).or_default().insert(block);
            }
            targets.insert(block, found);
        }
        let src = by_position[&from];
        for &dst in targets.get(&from.block).into_iter().flatten() {
            let blocks = order
                .iter()
                .copied()
                .filter(|b| reaching[&dst].contains(b))
                .collect();
            self.connect(src, dst, EdgeOp::Block(blocks));
        }
    }
}

/// The live registers at each cut point.
fn live_at(function: &Function, liveness: &Liveness, cuts: &BTreeSet<Position>) -> Vec<Vec<Reg>> {
    let cuts: Vec<Position> = cuts.iter().copied().collect();
    let in_blocks = cuts.chunk_by(|a, b| a.block == b.block);
    in_blocks
        .flat_map(|cuts| {
            let indices: Vec<usize> = cuts.iter().map(|c| c.index as usize).collect();
            liveness.before_each(function, cuts[0].block, &indices)
        })
        .collect()
}

/// The outcome of a terminator that ends the function.
fn direct_outcome(end: &Terminator) -> Option<Outcome> {
    match end {
        Terminator::Return(_) => Some(Outcome::Return),
        Terminator::Error(_) => Some(Outcome::Error),
        Terminator::Halt(..) => Some(Outcome::Halt),
        Terminator::Bail(bail) => Some(Outcome::Bail(bail.kind)),
        _ => None,
    }
}

/// The possible outcomes of each function, its callees included, as a fixpoint.
pub fn outcomes(program: &Program) -> Vec<BTreeSet<Outcome>> {
    let mut all = vec![BTreeSet::new(); program.functions.len()];
    let mut callers: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); program.functions.len()];
    for (id, function) in program.functions.iter().enumerate() {
        for block in &function.blocks {
            for inst in &block.insts {
                all[id].extend(inst.bail_kinds().iter().map(|k| Outcome::Bail(*k)));
                if let Inst::Call(call) = inst {
                    callers[call.callee.0 as usize].insert(id);
                }
            }
            all[id].extend(direct_outcome(&block.end));
        }
    }
    let mut work: Vec<usize> = (0..all.len()).collect();
    while let Some(callee) = work.pop() {
        let passed: Vec<Outcome> = all[callee]
            .iter()
            .copied()
            .filter(|o| *o != Outcome::Return)
            .collect();
        for &caller in &callers[callee] {
            let before = all[caller].len();
            all[caller].extend(&passed);
            if all[caller].len() > before {
                work.push(caller);
            }
        }
    }
    all
}
