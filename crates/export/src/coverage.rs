//! Which lines and branches of a program runs come to.

use attest_exec::{CutTable, Inputs, Interpreter, Limits, Observer, Outcome, Overflow};
use attest_model::*;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A way out of a block with a choice: function, block, and the number of the way.
pub type Branch = (FnId, BlockId, usize);

/// How many runs executed the lines of files; 0 for those that could be and were not.
pub type Lines = BTreeMap<String, BTreeMap<u32, u64>>;

/// What runs came to.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Coverage {
    /// Lines.
    pub lines: Lines,
    /// Branches that were taken.
    #[serde(skip)]
    pub branches: BTreeSet<Branch>,
}

/// All branches of a program's own functions.
pub fn branches(program: &Program) -> BTreeSet<Branch> {
    let mut out = BTreeSet::new();
    for (i, function) in program.functions.iter().enumerate() {
        if function.synthetic || (program.caller.is_some() && program.entry.0 as usize == i) {
            continue;
        }
        for (b, block) in function.blocks.iter().enumerate() {
            let mut ways = 0;
            if matches!(
                block.end,
                Terminator::Branch { .. } | Terminator::Switch { .. }
            ) {
                block.end.targets(|_| ways += 1);
            }
            out.extend((0..ways).map(|way| (FnId(i as u32), BlockId(b as u32), way)));
        }
    }
    out
}

impl Coverage {
    /// Nothing is covered yet; the lines of the program's own functions are known.
    pub fn new(program: &Program) -> Coverage {
        let mut coverage = Coverage::default();
        let own = program.functions.iter().filter(|f| !f.synthetic);
        for block in own.flat_map(|f| &f.blocks) {
            for place in block.places.iter().chain([&block.end_place]) {
                coverage.count(program, *place, 0);
            }
        }
        coverage
    }

    fn count(&mut self, program: &Program, place: PlaceId, times: u64) {
        let place = program.place(place);
        if place.line > 0 && !place.file.is_empty() {
            if !self.lines.contains_key(&*place.file) {
                self.lines.insert(place.file.to_string(), BTreeMap::new());
            }
            if let Some(lines) = self.lines.get_mut(&*place.file) {
                *lines.entry(place.line).or_default() += times;
            }
        }
    }

    /// Adds a run; how it ended, and whether it took a branch for the first time.
    pub fn add(
        &mut self,
        program: &Program,
        inputs: &Arc<Inputs>,
        overflow: Overflow,
        steps: u64,
    ) -> Run {
        let limits = Limits {
            steps,
            ..Limits::default()
        };
        let mut run = Interpreter::new(program, inputs.clone(), overflow, limits);
        let mut seen = Seen::default();
        let outcome = run.watch(&mut seen, &CutTable::default());
        let mut lines = BTreeSet::new();
        for id in seen.places {
            let place = program.place(id);
            let known = self.lines.get(&*place.file);
            if known.is_some_and(|known| known.contains_key(&place.line))
                && lines.insert((place.file.clone(), place.line))
            {
                self.count(program, id, 1);
            }
        }
        let before = self.branches.len();
        self.branches.extend(seen.branches);
        Run {
            outcome,
            steps: run.steps,
            taken: run.machine.taken.clone(),
            new: self.branches.len() - before,
        }
    }
}

/// A run that was added.
#[derive(Debug)]
pub struct Run {
    /// How it ended.
    pub outcome: Outcome,
    /// Its length.
    pub steps: u64,
    /// The inputs that it took.
    pub taken: Vec<attest_exec::inputs::Taken>,
    /// Branches that no run before it took.
    pub new: usize,
}

#[derive(Default)]
struct Seen {
    places: BTreeSet<PlaceId>,
    branches: BTreeSet<Branch>,
}

impl Observer for Seen {
    const STEPS: bool = true;

    fn executed(&mut self, _: &Interpreter<'_>, _: &Inst, place: PlaceId) {
        self.places.insert(place);
    }

    fn ended_block(&mut self, run: &mut Interpreter<'_>, end: &Terminator, place: PlaceId) {
        self.places.insert(place);
        let way = match end {
            Terminator::Branch { cond, .. } => usize::from(!run.read(*cond).is_true()),
            Terminator::Switch { value, cases, .. } => {
                let value = run.read(*value).int();
                let case = cases.iter().position(|(case, _)| *case == value);
                case.unwrap_or(cases.len())
            }
            _ => return,
        };
        self.branches
            .insert((run.frame.function, run.frame.block, way));
    }
}

/// The program in which taking a branch is the error, and nothing else is.
pub fn with_goal(program: &Program, (function, block, way): Branch) -> Program {
    let mut goal = program.clone();
    for function in &mut goal.functions {
        for block in &mut function.blocks {
            if let Terminator::Error(_) = block.end {
                block.end = Terminator::Halt(Halt::Abort, None);
            }
        }
    }
    let function = &mut goal.functions[function.0 as usize];
    let reached = BlockId(function.blocks.len() as u32);
    let from = &mut function.blocks[block.0 as usize];
    let place = from.end_place;
    let mut at = 0;
    from.end.targets_mut(|target| {
        if at == way {
            target.block = reached;
            target.copies.clear();
        }
        at += 1;
    });
    function.blocks.push(Block {
        insts: Vec::new(),
        places: Vec::new(),
        end: Terminator::Error("a branch".into()),
        end_place: place,
    });
    goal
}
