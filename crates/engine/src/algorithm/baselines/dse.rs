//! Directed testing: every path by a test (DART, PLDI 2005), the baseline of DASH and the thesis.
//!
//! The tests so far are a tree: a branch is a path from the start, with the
//! symbolic state of its executions. A round takes a branch and one of the
//! steps from it that no test took, and asks for inputs that follow the path
//! and then that step. They are run, and the path of the run joins the tree.
//! [`Order`] says which branch is next.
//!
//! When no step is left, every execution is one of the tree's paths, and none
//! of them fails: a proof. Its evidence is a label for each branch, computed
//! from the leaves to the root: the states from which each step leads to the
//! label of a branch behind it, or where no branch is, is impossible. The
//! invariant of a location is the disjunction of the labels there. It is
//! inductive by construction, so one solver call is left: does the program start
//! in the label of the root? It may not where inputs could be taken out of a
//! label only from below (`eliminate`); then there is no verdict.
//!
//! A path that is longer than a bound, or that symbolic execution cannot
//! follow, makes the tree incomplete, and then there is no proof either.

use crate::algorithm::Algorithm;
use crate::algorithm::baselines::step_paths;
use crate::algorithm::baselines::step_paths::Way;
use crate::algorithm::strategy::Order;
use crate::certify::certificate;
use crate::core::Core;
use crate::events::{Event, Question, Why};
use crate::forest::{Most, NodeId};
use crate::refine::eliminate::eliminate;
use crate::search::Search;
use crate::testing;
use crate::verdict::{FailingTest, Reason, Verdict};
use attest_exec::symbolic::path::{PathState, conditions};
use attest_exec::{Inputs, Outcome};
use attest_model::graph::{Graph, Loc, LocKind};
use attest_solver::Answer;
use attest_term::Term;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// The paths of all tests.
#[derive(Default)]
pub(crate) struct Tree {
    branches: Vec<Branch>,
    /// Branches with ways that nobody looked at, by their place in the order; new ones come
    /// first, to get one.
    open: BTreeSet<(i64, u32)>,
    ways: FxHashMap<Loc, Arc<[Way]>>,
    /// Why some executions are in no path of it.
    incomplete: Option<&'static str>,
}

/// A path from the start.
struct Branch {
    parent: Option<u32>,
    loc: Loc,
    depth: usize,
    state: Arc<PathState>,
    /// The steps from its location, and how many of them were tried.
    ways: Arc<[Way]>,
    looked: usize,
    /// Branches one step longer, with the decisions of that step.
    children: Vec<(Box<[u32]>, u32)>,
}

impl Branch {
    fn child(&self, decisions: &[u32]) -> Option<u32> {
        let mut children = self.children.iter();
        let found = children.find(|(way, _)| **way == *decisions);
        found.map(|(_, child)| *child)
    }
}

/// Directed testing, in some order of branches.
pub(crate) struct Dse {
    order: Order,
    tree: Tree,
}

impl Dse {
    /// With no paths yet.
    pub fn new(order: Order) -> Dse {
        Dse {
            order,
            tree: Tree::default(),
        }
    }
}

impl Algorithm for Dse {
    fn step(&mut self, search: &mut Search<'_>, until: Option<Duration>) -> Option<Verdict> {
        dse(&mut self.tree, search, self.order, until)
    }
}

/// The loop, until there is a verdict or it is late.
fn dse(
    tree: &mut Tree,
    search: &mut Search<'_>,
    order: Order,
    until: Option<Duration>,
) -> Option<Verdict> {
    if search.core.forest.is_empty()
        && let Some(test) = explore(tree, search, Inputs::default(), Why::First)
    {
        return Some(Verdict::Unsafe(test));
    }
    while until.is_none_or(|until| search.core.effort() < until) {
        if let Some(reason) = search.core.out_of_limits(&search.task) {
            return Some(Verdict::Unknown(reason));
        }
        let Some((branch, way)) = untried(tree, search, order) else {
            return exhausted(tree, search);
        };
        search.core.tell(&search.task, Event::Round);
        if let Some(test) = flip(tree, search, branch, &way) {
            return Some(Verdict::Unsafe(test));
        }
    }
    None
}

/// The next way that no test took.
fn untried(tree: &mut Tree, search: &mut Search<'_>, order: Order) -> Option<(u32, Way)> {
    while let Some((place, id)) = tree.open.pop_first() {
        let branch = &tree.branches[id as usize];
        // What is behind it may have been visited meanwhile; then it waits longer.
        let now = place_in_order(&search.core, order, branch);
        if now > place {
            tree.open.insert((now, id));
            continue;
        }
        let branch = &mut tree.branches[id as usize];
        let way = branch.ways[branch.looked].clone();
        branch.looked += 1;
        if branch.looked < branch.ways.len() {
            tree.open.insert((place, id));
        }
        if branch.child(&way.decisions).is_none() {
            return Some((id, way));
        }
    }
    None
}

/// Smaller is earlier.
fn place_in_order(core: &Core<'_>, order: Order, branch: &Branch) -> i64 {
    let depth = branch.depth as i64;
    let news = |way: &Way| core.forest.at(way.dst).is_empty();
    match order {
        Order::Breadth => depth,
        Order::Depth => -depth,
        Order::Coverage if branch.ways[branch.looked..].iter().any(news) => {
            -depth - (core.options.tuning.search.dse_states as i64 + 1)
        }
        Order::Coverage => -depth,
    }
}

/// Asks for a test that follows a branch and then a way, and runs it.
fn flip(tree: &mut Tree, search: &mut Search<'_>, branch: u32, way: &Way) -> Option<FailingTest> {
    let mut path = path_of(tree, branch);
    let (state, loc) = {
        let branch = &tree.branches[branch as usize];
        (branch.state.clone(), branch.loc)
    };
    let prefix = format!("t{branch}");
    // Where the step cannot even be executed symbolically, no execution takes it to its end.
    let next = Arc::new(step_paths::take(
        &mut search.core,
        &state,
        loc,
        &way.decisions,
        &prefix,
    )?);
    path.push(next);
    let question = conditions(path.iter().map(|state| &**state));
    match search.core.ask(&search.task, Question::Frontier, &question) {
        Answer::Sat(model) => {
            let inputs = search.core.inputs_of(&model, &path, Vec::new());
            let failing = explore(tree, search, inputs, Why::Crossing);
            let branch = &tree.branches[branch as usize];
            if branch.child(&way.decisions).is_none() {
                search.core.statistics.missed += 1;
                give_up_on(tree, "a test did not take the way that it was made for");
            }
            failing
        }
        Answer::Unsat(_) => None,
        Answer::Unknown(_) => {
            give_up_on(tree, "the solver does not know whether a path is possible");
            None
        }
    }
}

/// Runs a test; its path joins the tree.
fn explore(
    tree: &mut Tree,
    search: &mut Search<'_>,
    inputs: Inputs,
    why: Why,
) -> Option<FailingTest> {
    let inputs = Arc::new(inputs);
    let most = Most {
        nodes: search.core.options.tuning.search.dse_states,
        steps: 0,
        limits: search.core.options.tuning.tests,
    };
    let run = testing::run_test(&mut search.core, inputs.clone(), None, most);
    let failing = testing::judge(search, inputs, &run, why);
    grow(tree, search, &run.nodes);
    match run.outcome {
        Outcome::Stopped => give_up_on(tree, "a path is longer than the bound"),
        Outcome::StepLimit | Outcome::MemoryLimit | Outcome::DepthLimit => {
            give_up_on(tree, "a test did not end");
        }
        _ => {}
    }
    failing
}

fn give_up_on(tree: &mut Tree, why: &'static str) {
    tree.incomplete.get_or_insert(why);
}

/// The states of a test become branches, where they are new.
fn grow(tree: &mut Tree, search: &mut Search<'_>, nodes: &[NodeId]) {
    let Some((first, rest)) = nodes.split_first() else {
        return;
    };
    if tree.branches.is_empty() {
        let loc = search.core.forest.node(*first).loc;
        let state = search.core.initial.clone();
        branch(tree, search, None, loc, state);
    }
    let mut at = 0;
    for node in rest {
        let node = search.core.forest.node(*node);
        let (loc, decisions) = (node.loc, Box::<[u32]>::from(node.ways()));
        if let LocKind::Bail(_) = search.core.graph.location(loc).kind {
            return;
        }
        let parent = &tree.branches[at as usize];
        if let Some(child) = parent.child(&decisions) {
            at = child;
            continue;
        }
        let (state, src) = (parent.state.clone(), parent.loc);
        let Some(next) =
            step_paths::take(&mut search.core, &state, src, &decisions, &format!("t{at}"))
        else {
            give_up_on(tree, "symbolic execution cannot follow a test");
            return;
        };
        let child = branch(tree, search, Some(at), loc, Arc::new(next));
        let parent = &mut tree.branches[at as usize];
        parent.children.push((decisions, child));
        at = child;
    }
}

fn branch(
    tree: &mut Tree,
    search: &mut Search<'_>,
    parent: Option<u32>,
    loc: Loc,
    state: Arc<PathState>,
) -> u32 {
    let ways = match tree.ways.get(&loc) {
        Some(known) => known.clone(),
        None => {
            let made: Arc<[Way]> = step_paths::ways(&search.core, loc).into();
            tree.ways.insert(loc, made.clone());
            made
        }
    };
    let id = tree.branches.len() as u32;
    let depth = parent.map_or(0, |p| tree.branches[p as usize].depth + 1);
    tree.branches.push(Branch {
        parent,
        loc,
        depth,
        state,
        ways,
        looked: 0,
        children: Vec::new(),
    });
    if !tree.branches[id as usize].ways.is_empty() {
        tree.open.insert((i64::MIN, id));
    }
    id
}

/// The symbolic states from the start to a branch.
fn path_of(tree: &Tree, branch: u32) -> Vec<Arc<PathState>> {
    let mut path = Vec::new();
    let mut at = Some(branch);
    while let Some(id) = at {
        let branch = &tree.branches[id as usize];
        path.push(branch.state.clone());
        at = branch.parent;
    }
    path.reverse();
    path
}

/// Every path was tested: the verdict.
fn exhausted(tree: &mut Tree, search: &mut Search<'_>) -> Option<Verdict> {
    if search.core.exits.leaves_model.is_some() {
        return certificate::conclude_by(&mut search.core, &mut search.task, Vec::new());
    }
    if let Some(why) = tree.incomplete {
        let why = format!("not every path could be tested: {why}");
        return Some(Verdict::Unknown(Reason::Stuck(why)));
    }
    let invariants = labels(tree, search);
    let entry = search.core.graph.functions[search.task.function.0 as usize].entry;
    let start = invariants.iter().find(|(loc, _)| *loc == entry);
    if let Some((_, label)) = start {
        let outside = search.core.terms.not(*label);
        let pieces = search
            .core
            .pre_of(&search.task, Graph::ROOT, entry, &[outside]);
        let excluded = pieces.is_none_or(|pieces| {
            search
                .core
                .ask(&search.task, Question::Induction, &pieces)
                .is_unsat()
        });
        if !excluded {
            let why = "every path was tested and none fails, but the tree's labels cannot \
                           do without inputs, so there is no evidence";
            return Some(Verdict::Unknown(Reason::Stuck(why.into())));
        }
    }
    certificate::conclude_by(&mut search.core, &mut search.task, invariants)
}

/// The invariants of an exhausted tree.
fn labels(tree: &mut Tree, search: &mut Search<'_>) -> Vec<(Loc, Term)> {
    let before_targets = step_paths::before_targets(&search.core);
    let mut at: FxHashMap<Loc, Vec<Term>> = FxHashMap::default();
    let mut labels = vec![search.core.terms.bool(true); tree.branches.len()];
    for id in (0..tree.branches.len()).rev() {
        let loc = tree.branches[id].loc;
        if !before_targets.contains(&loc) {
            continue;
        }
        let edges = search.core.graph.outgoing[loc.0 as usize].clone();
        let mut bad = Vec::new();
        for edge in edges {
            let dst = search.core.graph.edge(edge).dst;
            if !before_targets.contains(&dst) {
                continue;
            }
            let children = tree.branches[id].children.iter();
            let children = children.map(|(_, child)| *child as usize);
            let there = children.filter(|child| tree.branches[*child].loc == dst);
            let good: Vec<Term> = there.map(|child| labels[child]).collect();
            let good = search.core.terms.any(&good);
            let outside = search.core.terms.not(good);
            let Some(pieces) = search.core.pre_of(&search.task, loc, dst, &[outside]) else {
                continue;
            };
            // What no input and no state makes true needs no label.
            let with_inputs = pieces
                .iter()
                .any(|piece| search.core.mentions_input(*piece));
            if with_inputs
                && search
                    .core
                    .ask(&search.task, Question::Induction, &pieces)
                    .is_unsat()
            {
                continue;
            }
            let choices = search.core.options.tuning.refinement.choices;
            let plain = eliminate(&mut search.core.terms, &pieces, choices);
            let mut plain = search.core.flatten(plain);
            plain.retain(|piece| search.core.is_of_state(&search.task, *piece));
            bad.push(search.core.terms.all(&plain));
        }
        let bad = search.core.terms.any(&bad);
        labels[id] = search.core.terms.not(bad);
        let here = at.entry(loc).or_default();
        if !here.contains(&labels[id]) {
            here.push(labels[id]);
        }
    }
    let mut locations: Vec<Loc> = before_targets.into_iter().collect();
    locations.sort();
    let mut invariants = Vec::with_capacity(locations.len());
    for loc in locations {
        let here = at.remove(&loc).unwrap_or_default();
        if !search.core.targets.contains(&loc) {
            invariants.push((loc, search.core.terms.any(&here)));
        }
    }
    invariants
}
