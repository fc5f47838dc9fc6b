//! Contracts of recursive procedures, guessed from tests and proved by induction.
//!
//! A contract relates what a call is given to what it returns: `ret = n`. Its
//! candidates are the facts that hold of every activation that a test has
//! completed. A candidate is assumed of inner calls and proved of the
//! function's own exit, by the same loop that answers every query, with the
//! arguments as ghosts, one fact after the other, the equations first. The
//! induction is on the depth of the recursion (algorithm notes 5.6), and it is
//! all or nothing: where the proof fails, whatever leant on the assumption goes.

use crate::candidates;
use crate::certificate;
use crate::core::{Core, Names};
use crate::dash;
use crate::engine::Engine;
use crate::events::{Cut, Deed, Event, Question};
use crate::forest::{ActivationId, NodeId};
use crate::frame;
use crate::frontier::Frontier;
use crate::guess::{Column, facts};
use crate::instance;
use crate::look::Look;
use crate::procedures;
use crate::procedures::{Ending, Key, Query, Summary, Use};
use crate::progress::Progress;
use crate::strategy::Candidates;
use crate::task::Task;
use crate::testing;
use attest_exec::symbolic::value::SymVal;
use attest_model::graph::{Loc, Outcome};
use attest_model::*;
use attest_solver::Answer;
use attest_term::{Op, Program as Compiled, Scratch, SymbolKind, Term, Value};
use rustc_hash::FxHashMap;

/// Rounds that the proof of a contract may take.
const ROUNDS: u32 = 150;
/// Complete activations that a contract is guessed from.
const LEAST: usize = 4;
/// Facts of one contract.
const MOST_FACTS: usize = 16;

/// The name of the ghost for a part of what a call is given.
pub(crate) fn given_name(callee: FnId, part: usize) -> String {
    format!("c{}.{part}", callee.0)
}

/// Whether a function can call itself.
pub(crate) fn is_recursive(core: &Core<'_>, function: FnId) -> bool {
    let mut seen = vec![false; core.program.functions.len()];
    let mut work = vec![function];
    while let Some(id) = work.pop() {
        let code = core.program.function(id).blocks.iter();
        for inst in code.flat_map(|b| &b.insts) {
            if let Inst::Call(call) = inst {
                if call.callee == function {
                    return true;
                }
                if !std::mem::replace(&mut seen[call.callee.0 as usize], true) {
                    work.push(call.callee);
                }
            }
        }
    }
    false
}

/// Starts the proof of a contract for a recursive function, if there is one to try.
pub(crate) fn open_contract(
    engine: &mut Engine<'_>,
    frontier: Frontier,
    callee: FnId,
) -> Option<Progress> {
    if engine.core.options.strategy.candidates == Candidates::Never
        || !is_recursive(&engine.core, callee)
    {
        return None;
    }
    if in_contract(engine) {
        return None;
    }
    let exit = engine.core.graph.functions[callee.0 as usize].exit;
    let complete = engine.core.forest.at(exit).len();
    let (before, waiting) = engine.core.smash.contracted.entry(callee).or_default();
    if waiting.is_empty() && complete >= LEAST && complete >= *before * 2 {
        *before = complete;
        let facts = guess_contract(&mut engine.core, &mut engine.task, callee).unwrap_or_default();
        engine
            .core
            .smash
            .contracted
            .insert(callee, (complete, facts));
    }
    let (_, waiting) = engine.core.smash.contracted.entry(callee).or_default();
    let fact = waiting.pop()?;
    let given = given(&mut engine.core, callee);
    let post = engine.core.terms.not(fact);
    let number = engine.core.smash.summaries.len();
    let mut pre = Vec::with_capacity(given.len());
    for (ghost, term) in &given {
        pre.push(engine.core.terms.eq(*ghost, *term));
    }
    let pre = engine.core.terms.all(&pre);
    engine.core.smash.summaries.push(Summary {
        function: callee,
        asker: None,
        outcome: Outcome::Return,
        ghosts: given.iter().map(|(ghost, _)| *ghost).collect(),
        pre,
        post,
        invariants: Vec::new(),
        uses: Vec::new(),
    });
    engine.core.smash.contracts.push(number);
    let key = Key {
        function: callee,
        outcome: Outcome::Return,
        post,
        level: u32::MAX,
        asker: None,
    };
    let node = engine.task.witness(frontier.from, frontier.to)?;
    let query = Query {
        key,
        ghosts: given,
        frame: Vec::new(),
        frontier,
        node,
        rounds: ROUNDS,
        contract: Some(number),
        is_weaker: false,
    };
    let mut task = instance::new_task(&mut engine.core, callee, Some(query));
    let root = task.regions.at(exit)[0];
    let partition = &mut task.regions.partition;
    let (inside, _) = partition.split(&mut engine.core.terms, root, post, |_, _| false);
    task.regions.set_goals(engine.core.graph, [inside]);
    engine.enter(task);
    for node in engine.core.forest.at(exit).to_vec() {
        let activation = engine.core.forest.node(node).activation;
        adopt_for_contract(&mut engine.core, &mut engine.task, activation, number);
    }
    let (what, function) = (Deed::Query, callee);
    engine
        .core
        .tell(&engine.task, Event::Procedure { what, function });
    Some(Progress::Made)
}

/// Whether the present work is for a contract.
pub(crate) fn in_contract(engine: &Engine<'_>) -> bool {
    let is = |query: &Option<Query>| query.as_ref().is_some_and(|q| q.contract.is_some());
    is(&engine.task.query) || engine.waiting.iter().any(|i| is(&i.query))
}

/// What a call is given, each part with its ghost.
fn given(core: &mut Core<'_>, callee: FnId) -> Vec<(Term, Term)> {
    let vocabulary = core.names_of(callee).vocabulary;
    let params = core.program.function(callee).params;
    let effects = core.effects[callee.0 as usize].clone();
    let mut parts: Vec<Term> = Vec::new();
    for reg in 0..params {
        parts.extend(vocabulary.reg(Reg(reg)).terms());
    }
    for global in &effects.globals {
        parts.extend(vocabulary.global(*global).terms());
    }
    let mut out = Vec::with_capacity(parts.len());
    for (i, part) in parts.into_iter().enumerate() {
        let name = given_name(callee, i);
        let sort = core.terms.sort(part);
        out.push((core.terms.var(&name, sort, SymbolKind::Ghost), part));
    }
    out
}

/// Facts that relate the results of completed activations to what they were given, the
/// best last.
fn guess_contract(core: &mut Core<'_>, task: &mut Task, callee: FnId) -> Option<Vec<Term>> {
    let given = given(core, callee);
    let Names {
        vocabulary,
        symbols,
        object_parts: objects,
    } = core.names_of(callee);
    let exit = core.graph.functions[callee.0 as usize].exit;
    let effects = core.effects[callee.0 as usize].clone();
    let mut left: Vec<Term> = Vec::new();
    for value in vocabulary.results() {
        if !matches!(value, SymVal::Float(_)) {
            left.extend(value.terms());
        }
    }
    for global in &effects.globals {
        left.extend(vocabulary.global(*global).terms());
    }
    let ghosts = FxHashMap::default();
    let look = Look {
        forest: &core.forest,
        graph: core.graph,
        symbols: &symbols,
        ghosts: &ghosts,
        none: &task.context.none,
        pointer_bits: core.program.pointer_bits,
    };
    let mut rows: Vec<(NodeId, NodeId)> = Vec::new();
    for node in core.forest.at(exit) {
        let activation = core.forest.activation(core.forest.node(*node).activation);
        rows.push((*activation.nodes.first()?, *node));
    }
    let before: Vec<Term> = given.iter().map(|(_, part)| *part).collect();
    let (at_entry, at_exit) = (
        Compiled::compile_all(&core.terms, &before),
        Compiled::compile_all(&core.terms, &left),
    );
    let column = |term: Term, of: Term| Column {
        term,
        width: core.terms.width(of),
        is_object: objects.contains(&of),
        varies: false,
        values: Vec::with_capacity(rows.len()),
    };
    let is_number = |t: Term| core.terms.sort(t).width().is_some_and(|w| w <= 64);
    let mut columns: Vec<(bool, usize, Column)> = Vec::new();
    for (i, (ghost, part)) in given.iter().enumerate() {
        if is_number(*part) {
            columns.push((true, i, column(*ghost, *part)));
        }
    }
    for (i, part) in left.iter().enumerate() {
        if is_number(*part) {
            columns.push((false, i, column(*part, *part)));
        }
    }
    let mut scratch = Scratch::default();
    let number = |v: Value| v.as_bv().and_then(|bv| bv.to_i128()).unwrap_or(0);
    for (entry, exit) in &rows {
        for (program, of_entry, node) in [(&at_entry, true, entry), (&at_exit, false, exit)] {
            program.run(&look.at(*node)?, &mut scratch);
            for (given, i, column) in &mut columns {
                if *given == of_entry {
                    column.values.push(number(program.root(*i, &scratch)));
                }
            }
        }
    }
    let columns: Vec<Column> = columns.into_iter().map(|(_, _, column)| column).collect();
    let numbers = candidates::numbers(core, task);
    let templates = core.options.strategy.templates;
    let mut found = facts(&mut core.terms, &columns, &numbers, templates);
    found.retain(|fact| {
        let parts = core.terms.reachable(&[*fact]);
        left.iter().any(|part| parts.contains(part))
    });
    let ghosts: Vec<Term> = given.iter().map(|(ghost, _)| *ghost).collect();
    found.sort_by_key(|fact| {
        let parts = core.terms.reachable(&[*fact]);
        let relates = ghosts.iter().any(|ghost| parts.contains(ghost));
        let equation = core.terms.op(*fact) == Op::Eq;
        (!(relates && equation), parts.len())
    });
    found.truncate(MOST_FACTS);
    found.reverse();
    Some(found)
}

/// An activation of the contract's function is a witness, with its own arguments.
pub(crate) fn adopt_for_contract(
    core: &mut Core<'_>,
    task: &mut Task,
    activation: ActivationId,
    contract: usize,
) {
    let function = core.smash.summaries[contract].function;
    let given = given(core, function);
    let nodes = core.forest.activation(activation).nodes.clone();
    let Some(&entry) = nodes.first() else {
        return;
    };
    let Some(beta) = core.beta(task, entry) else {
        return;
    };
    let mut values = FxHashMap::default();
    let mut terms = FxHashMap::default();
    for (ghost, part) in &given {
        let (Op::Var(symbol), Some(value)) =
            (core.terms.op(*ghost), core.value_at(task, entry, *part))
        else {
            return;
        };
        values.insert(symbol, value);
        task.context.focus = None;
        terms.insert(*ghost, core.all_along(task, &beta, &[*part])[0]);
    }
    task.context.values.insert(activation, values);
    task.context.terms.insert(activation, terms);
    for node in nodes {
        let loc = core.forest.node(node).loc;
        task.context.nodes.entry(loc).or_default().push(node);
        testing::sort_in(core, task, node);
    }
}

/// Every call satisfies the contract's precondition; what contradicts it is no start.
pub(crate) fn enter_for_contract(
    core: &mut Core<'_>,
    task: &mut Task,
    frontier: Frontier,
    contract: usize,
) -> Progress {
    let mut all = task.regions.region(frontier.to).predicate.clone();
    all.push(core.smash.summaries[contract].pre);
    if let Answer::Unsat(_) = core.ask(task, Question::Local, &all) {
        dash::cut(core, task, frontier, Cut::Start);
        return Progress::Made;
    }
    task.give_up(frontier, None, "a contract's start that no test has shown")
}

/// The proof of a contract has ended: it holds, or what leant on it goes.
pub(crate) fn answer_contract(
    engine: &mut Engine<'_>,
    contract: usize,
    ending: Ending,
) -> Progress {
    if ending == Ending::No {
        engine.core.smash.summaries[contract].invariants =
            certificate::certificate(&mut engine.core, &engine.task);
        engine.core.smash.summaries[contract].uses = engine.task.uses.clone();
        let (what, function) = (Deed::Contract, engine.task.function);
        engine
            .core
            .tell(&engine.task, Event::Procedure { what, function });
    }
    if engine.leave().is_none() {
        return Progress::Stuck("no caller");
    }
    if ending != Ending::No {
        // Nothing below the present work knew of it: those waited meanwhile.
        engine.core.smash.summaries.truncate(contract);
        engine.core.smash.contracts.retain(|c| *c < contract);
        engine.core.smash.paused.clear();
    }
    Progress::Made
}

/// What the contracts of a callee say of this call, over fresh results, together with
/// what is asked of the results.
pub(crate) fn contracted(
    core: &mut Core<'_>,
    task: &mut Task,
    src: Loc,
    callee: FnId,
    rest: &[Term],
) -> Vec<Term> {
    let known: Vec<usize> = core.smash.contracts.clone();
    let known: Vec<usize> = known
        .into_iter()
        .filter(|c| core.smash.summaries[*c].function == callee)
        .collect();
    let Some(call) = core.call_at(src).cloned() else {
        return Vec::new();
    };
    if known.is_empty() {
        return Vec::new();
    }
    let effects = core.effects[callee.0 as usize].clone();
    let of_callee = core.names_of(callee).vocabulary;
    let of_caller = task.names.vocabulary.clone();
    // Results and changed globals are anything that the contract allows.
    let mut after: FxHashMap<Term, Term> = FxHashMap::default();
    let mut of_results: FxHashMap<Term, Term> = FxHashMap::default();
    let fresh = |core: &mut Core<'_>, part: Term, kind: String| {
        let sort = core.terms.sort(part);
        let name = format!("after.{}.{kind}", src.0);
        core.terms.var(&name, sort, SymbolKind::Input)
    };
    for (i, (reg, value)) in call.results.iter().zip(of_callee.results()).enumerate() {
        let own = of_caller.reg(*reg);
        for (k, (mine, theirs)) in own.terms().zip(value.terms()).enumerate() {
            let input = fresh(core, mine, format!("r{i}.{k}"));
            after.insert(mine, input);
            of_results.insert(theirs, input);
        }
    }
    for global in &effects.globals {
        for (k, part) in of_caller.global(*global).terms().enumerate() {
            let input = fresh(core, part, format!("g{}.{k}", global.0));
            after.insert(part, input);
            of_results.insert(part, input);
        }
    }
    let mut pieces = Vec::new();
    for piece in rest {
        // What is read from memory after the call is not known here, unless it is kept.
        let reads = core.terms.reads(&[*piece]);
        if reads
            .iter()
            .all(|read| frame::is_kept(core, task, src, *read))
        {
            pieces.push(core.terms.substitute(*piece, &after));
        }
    }
    for number in known {
        let given = given(core, callee);
        let mut bindings = Vec::with_capacity(given.len());
        for (ghost, part) in &given {
            let Some(term) = procedures::at_call(core, task, src, *part, &[]) else {
                return Vec::new();
            };
            bindings.push((*ghost, term));
        }
        // Its globals are those after the call, its ghosts what was before.
        let post = core.smash.summaries[number].post;
        let post = core.terms.substitute(post, &of_results);
        let ghosts: FxHashMap<Term, Term> = bindings.iter().copied().collect();
        let post = core.terms.substitute(post, &ghosts);
        pieces.push(core.terms.not(post));
        let used = Use {
            location: src,
            summary: number,
            ghosts: bindings.iter().map(|(_, term)| *term).collect(),
        };
        if !task.uses.contains(&used) {
            task.uses.push(used);
        }
    }
    pieces
}
