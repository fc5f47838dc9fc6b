//! The effect of a function's code between its cut points, for any state.

use crate::encode::{Definition, Encoder, Exit, Flow, Unsupported};
use crate::frame::addresses;
use crate::map::call_at;
use crate::memory::Memories;
use crate::open::Open;
use crate::state::State;
use crate::step::{Step, step};
use attest_model::graph::{Graph, Loc};
use attest_model::points_to::Addresses;
use attest_model::*;
use attest_proof::Overflow;
use attest_term::Terms;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The program with the policies of the check.
pub struct Semantics<'a> {
    /// The inlined program.
    pub program: &'a Program,
    /// Its graph.
    pub graph: &'a Graph,
    /// What the proof does not exclude.
    pub open: Open,
    /// The policy for signed overflow.
    pub overflow: Overflow,
    /// Which accesses may be to objects that have ended.
    pub lives: Lives,
    /// Where pointers may point, and what calls of each function may write.
    pub points_to: Arc<PointsTo>,
}

/// A step with the results of its encoding.
pub struct Encoded {
    /// Where it leads.
    pub step: Step,
    /// Bails and errors.
    pub exits: Vec<Exit>,
    /// Constructs whose effect is not encoded.
    pub unsupported: Vec<Unsupported>,
    /// Definitions of names in the other fields.
    pub definitions: Vec<Definition>,
    /// Versions of memory.
    pub memories: Memories,
}

/// How a function may end other than by a return, its callees included.
#[derive(Clone, Default)]
pub struct ExitKinds {
    /// Bails; none is the error.
    pub kinds: BTreeSet<Option<BailKind>>,
    /// An unknown construct, with its place. Then `kinds` has all exits.
    pub unknown: Option<(String, PlaceId)>,
}

impl Semantics<'_> {
    /// The step from a location of a function with these symbols and addresses.
    pub fn step_from(
        &self,
        terms: &mut Terms,
        function: FnId,
        symbols: &State,
        addresses: &Arc<Addresses>,
        at: Loc,
    ) -> Result<Encoded, String> {
        let graph = &self.graph.functions[function.0 as usize];
        let Some(position) = self.graph.location(at).position else {
            return Err("it has no position".into());
        };
        let path = terms.bool(true);
        let mut encoder = Encoder {
            program: self.program,
            function,
            terms,
            memories: Memories::new(self.program.pointer_bits, addresses.clone()),
            open: &self.open,
            overflow: self.overflow,
            lives: &self.lives,
            points_to: &self.points_to,
            run: None,
            exits: Vec::new(),
            unsupported: Vec::new(),
            definitions: Vec::new(),
            resolved: Default::default(),
            place: PlaceId(0),
            position,
        };
        let start = Flow {
            state: symbols.clone(),
            memory: Memories::START,
            path,
        };
        let step = step(&mut encoder, graph, position, start)?;
        Ok(Encoded {
            step,
            exits: encoder.exits,
            unsupported: encoder.unsupported,
            definitions: encoder.definitions,
            memories: encoder.memories,
        })
    }

    /// The exits of each function that the proof has to exclude. They do not come from the graph, whose
    /// edges are another interpretation of the code: they are those that this encoding can take
    /// from any state.
    pub fn exit_kinds(&self) -> Vec<ExitKinds> {
        let count = self.program.functions.len();
        let mut all = vec![ExitKinds::default(); count];
        let mut callers: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); count];
        let mut seen = vec![false; count];
        let mut work = vec![self.program.entry];
        let mut called = vec![false; count];
        while let Some(id) = work.pop() {
            if std::mem::replace(&mut seen[id.0 as usize], true) {
                continue;
            }
            for inst in (self.program.function(id).blocks.iter()).flat_map(|b| &b.insts) {
                if let Inst::Call(call) = inst {
                    callers[call.callee.0 as usize].insert(id.0 as usize);
                    called[call.callee.0 as usize] = true;
                    work.push(call.callee);
                }
            }
        }
        // Functions that are not called are not needed.
        for id in (0..count).filter(|id| called[*id]) {
            all[id] = self.own_exit_kinds(FnId(id as u32));
        }
        let mut work: Vec<usize> = (0..count).collect();
        while let Some(callee) = work.pop() {
            let passed = all[callee].clone();
            for &caller in callers[callee].iter().filter(|caller| called[**caller]) {
                let of_caller = &mut all[caller];
                let before = of_caller.kinds.len();
                of_caller.kinds.extend(&passed.kinds);
                // An unknown construct adds all kinds, so the kinds show whether anything is new.
                if of_caller.unknown.is_none() {
                    of_caller.unknown.clone_from(&passed.unknown);
                }
                if of_caller.kinds.len() > before {
                    work.push(caller);
                }
            }
        }
        all
    }

    /// The exits in a function's own code; all of them where some of it is unknown.
    fn own_exit_kinds(&self, function: FnId) -> ExitKinds {
        let mut terms = Terms::new();
        let symbols = State::symbols(&mut terms, self.program, function);
        let addresses = addresses(&self.points_to, function, &symbols);
        let mut found = ExitKinds::default();
        for &at in self.graph.functions[function.0 as usize].cuts.values() {
            if call_at(self.program, self.graph, at).is_some() {
                continue;
            }
            let unknown = match self.step_from(&mut terms, function, &symbols, &addresses, at) {
                Err(why) => Some((why, self.graph.location(at).place)),
                Ok(encoded) => {
                    let kinds = encoded.exits.iter().map(|exit| exit.kind);
                    found.kinds.extend(kinds);
                    let first = encoded.unsupported.first();
                    first.map(|construct| (construct.what.to_owned(), construct.place))
                }
            };
            found.unknown = found.unknown.or(unknown);
        }
        if found.unknown.is_some() {
            let kinds = BailKind::ALL
                .iter()
                .filter(|k| !self.open.kinds.contains(k));
            found.kinds.extend(kinds.map(|kind| Some(*kind)));
            found.kinds.insert(None);
        }
        found
    }
}
