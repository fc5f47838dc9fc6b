//! What snapshots say of each other: their digests, and which bytes changed. Both leave out
//! what states share without looking at it, so they are compared with states looked at whole.

mod common;

use attest_exec::concrete::memory::Memory;
use attest_exec::{CutTable, Go, Interpreter, Limits, Observer, Overflow, Snapshot, Val};
use attest_model::graph::{Graph, Loc};
use attest_model::*;
use common::pointers::POINTERS;
use common::programs::PROGRAMS;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Keeps the states of the program's own activation.
struct Keep<'g> {
    graph: &'g Graph,
    states: Vec<Snapshot>,
}

impl Observer for Keep<'_> {
    const CUTS: bool = true;

    fn cut(&mut self, run: &mut Interpreter<'_>, at: Loc) -> Go {
        if run.depth() == 0 {
            self.states.push(run.snapshot(self.graph, at));
        }
        if self.states.len() < 60 {
            Go::On
        } else {
            Go::Stop
        }
    }
}

fn states(program: &Program, inputs: &str) -> Vec<Snapshot> {
    let graph = Graph::of(program, Granularity::Large);
    let cuts = CutTable::of(program, &graph);
    let limits = Limits {
        steps: 5_000,
        ..Default::default()
    };
    let inputs = common::inputs(inputs, "");
    let mut keep = Keep {
        graph: &graph,
        states: Vec::new(),
    };
    Interpreter::new(program, inputs, Overflow::Wrap, limits).watch(&mut keep, &cuts);
    keep.states
}

/// Bytes and pointers of all objects.
type Contents = BTreeMap<(u32, u64), (u8, Option<Val>)>;

fn contents(memory: &Memory) -> Contents {
    let mut out = BTreeMap::new();
    for id in (1..memory.next_object().0).map(ObjectId) {
        let size = memory.object(id).map_or(0, |object| object.size);
        for at in 0..size.min(2_000) {
            out.insert((id.0, at), (memory.byte_at(id, at), memory.slot(id, at)));
        }
    }
    out
}

#[test]
fn states_that_differ_have_other_digests() {
    let calls = PROGRAMS.iter().map(|case| (case.source, case.inputs[0]));
    let mut differ = 0;
    for (source, inputs) in calls.chain(POINTERS.iter().map(|(_, source)| (*source, "1,2"))) {
        let states = states(&common::model(source), inputs);
        let start = states[0].memory();
        let whole = |state: &Snapshot| {
            let globals = format!("{:?}", state.regs());
            (state.loc, globals, contents(state.memory()))
        };
        let mut known: HashMap<u64, _> = HashMap::new();
        for state in &states {
            let here = whole(state);
            let other = known.entry(state.digest(start)).or_insert(here.clone());
            assert!(*other == here, "one digest of two states of {source}");
        }
        differ += known.len();
    }
    assert!(differ > 300, "{differ}");
}

#[test]
fn a_state_that_comes_again_has_the_same_digest() {
    let source = "int big[400]; int main(void) { int x = 0; int *p = &x; while (1) { *p ^= 1; big[300] = x; big[2] = 5 * x; } }";
    let states = states(&common::model(source), "");
    let last = states[states.len() - 1].loc;
    // Before the first turn nothing was written, which is told from zeros that were.
    let turns = states.iter().filter(|state| state.loc == last).skip(1);
    let digests: BTreeSet<u64> = turns
        .clone()
        .map(|state| state.digest(states[0].memory()))
        .collect();
    assert!(turns.count() > 20);
    assert_eq!(digests.len(), 2);
}

#[test]
fn bytes_that_changed_are_those_that_differ() {
    let source = "void *malloc(unsigned long); char big[1000]; int n; int main(void) {
        char *made = malloc(700); for (int i = 0; i < 25; i++) { big[37 * i] = i; made[600 - 20 * i] = 3 * i; n += i; } return n; }";
    let states = states(&common::model(source), "");
    let start = states[0].memory();
    let before = contents(start);
    let mut most = 0;
    for state in &states {
        let mut said = BTreeMap::new();
        let memory = state.memory();
        memory.changes(start, |object, at, value| {
            said.insert((object, at), value);
        });
        let differs = |(place, (byte, slot)): (&(u32, u64), &(u8, Option<Val>))| {
            let was = before.get(place).map_or(0, |(byte, _)| *byte);
            (slot.is_none() && was != *byte).then_some((*place, *byte))
        };
        let expected: BTreeMap<(u32, u64), u8> =
            contents(memory).iter().filter_map(differs).collect();
        said.retain(|(object, at), _| memory.slot(ObjectId(*object), *at).is_none());
        assert_eq!(said, expected);
        most = most.max(said.len());
    }
    assert!(most > 40, "{most}");
}
