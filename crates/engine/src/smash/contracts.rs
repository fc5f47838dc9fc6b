//! Contracts of recursive procedures, guessed from tests and proved by induction.
//!
//! A contract relates what a call is given to what it returns: `ret = n`. Its
//! candidates are the facts that hold of every activation that a test has
//! completed. A candidate is assumed of inner calls and proved of the
//! function's own exit, by the same loop that answers every query, with the
//! arguments as ghosts, one fact after the other, the equations first. The
//! induction is on the depth of the recursion (algorithm notes 5.6), and it is
//! all or nothing: where the proof fails, whatever leant on the assumption goes.

use crate::algorithm::strategy::Candidates;
use crate::certify::certificate;
use crate::core::Core;
use crate::core::names::Names;
use crate::core::state_view::StateView;
use crate::events::{Cut, Event, ProcedureEvent, Question};
use crate::forest::NodeId;
use crate::invariants::candidates;
use crate::invariants::templates::{Column, facts};
use crate::progress::Progress;
use crate::regions::edges;
use crate::regions::frontier::Frontier;
use crate::search::Search;
use crate::smash::Ending;
use crate::smash::Key;
use crate::smash::Query;
use crate::smash::context;
use crate::smash::frame;
use crate::smash::interface;
use crate::smash::summaries::Summary;
use crate::smash::summaries::Use;
use crate::smash::task_of_query;
use crate::task::Task;
use attest_exec::symbolic::value::SymVal;
use attest_model::graph::{Loc, Outcome};
use attest_model::*;
use attest_solver::Answer;
use attest_term::{Op, Program as Compiled, Scratch, SymbolKind, Term, Value};
use rustc_hash::FxHashMap;

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
    search: &mut Search<'_>,
    frontier: Frontier,
    callee: FnId,
) -> Option<Progress> {
    if search.core.options.strategy.candidates == Candidates::Never
        || !is_recursive(&search.core, callee)
    {
        return None;
    }
    if in_contract(search) {
        return None;
    }
    let least = search.core.options.tuning.smash.contract_activations;
    let exit = search.core.graph.functions[callee.0 as usize].exit;
    let complete = search.core.forest.at(exit).len();
    let (before, waiting) = search.core.smash.contracted.entry(callee).or_default();
    if waiting.is_empty() && complete >= least && complete >= *before * 2 {
        *before = complete;
        let facts = guess_contract(&mut search.core, &mut search.task, callee).unwrap_or_default();
        search
            .core
            .smash
            .contracted
            .insert(callee, (complete, facts));
    }
    let (_, waiting) = search.core.smash.contracted.entry(callee).or_default();
    let fact = waiting.pop()?;
    let given = context::given(&mut search.core, callee);
    let post = search.core.terms.not(fact);
    let number = search.core.smash.summaries.len();
    let mut pre = Vec::with_capacity(given.len());
    for (ghost, term) in &given {
        pre.push(search.core.terms.eq(*ghost, *term));
    }
    let pre = search.core.terms.all(&pre);
    search.core.smash.summaries.push(Summary {
        function: callee,
        asker: None,
        outcome: Outcome::Return,
        ghosts: given.iter().map(|(ghost, _)| *ghost).collect(),
        pre,
        post,
        invariants: Vec::new(),
        uses: Vec::new(),
    });
    search.core.smash.contracts.push(number);
    let key = Key {
        function: callee,
        outcome: Outcome::Return,
        post,
        level: u32::MAX,
        asker: None,
    };
    let node = search.task.witness(frontier.from, frontier.to)?;
    let query = Query {
        key,
        ghosts: given,
        frame: Vec::new(),
        frontier,
        node,
        rounds: search.core.options.tuning.smash.contract_rounds,
        contract: Some(number),
        is_weaker: false,
    };
    let mut task = task_of_query::new_task(&mut search.core, callee, Some(query));
    let root = task.regions.at(exit)[0];
    let partition = &mut task.regions.partition;
    let (inside, _) = partition.split(&mut search.core.terms, root, post, |_, _| false);
    task.regions.set_goals(search.core.graph, [inside]);
    search.enter(task);
    for node in search.core.forest.at(exit).to_vec() {
        let activation = search.core.forest.node(node).activation;
        context::adopt_for_contract(&mut search.core, &mut search.task, activation, number);
    }
    let (what, function) = (ProcedureEvent::Query, callee);
    search
        .core
        .tell(&search.task, Event::Procedure { what, function });
    Some(Progress::Made)
}

/// Whether the present work is for a contract.
pub(crate) fn in_contract(search: &Search<'_>) -> bool {
    let is = |query: &Option<Query>| query.as_ref().is_some_and(|q| q.contract.is_some());
    is(&search.task.query) || search.waiting.iter().any(|i| is(&i.query))
}

/// Facts that relate the results of completed activations to what they were given, the
/// best last.
fn guess_contract(core: &mut Core<'_>, task: &mut Task, callee: FnId) -> Option<Vec<Term>> {
    let given = context::given(core, callee);
    let Names {
        vocabulary,
        symbols,
        object_parts: objects,
        ..
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
    let look = StateView {
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
    let mut found = facts(
        &mut core.terms,
        &columns,
        &numbers,
        templates,
        &core.options.tuning.templates,
    );
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
    found.truncate(core.options.tuning.smash.contract_facts);
    found.reverse();
    Some(found)
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
        edges::remove(core, task, frontier, Cut::Start);
        return Progress::Made;
    }
    task.give_up(frontier, None, "a contract's start that no test has shown")
}

/// The proof of a contract has ended: it holds, or what leant on it goes.
pub(crate) fn answer_contract(
    search: &mut Search<'_>,
    contract: usize,
    ending: Ending,
) -> Progress {
    if ending == Ending::No {
        search.core.smash.summaries[contract].invariants =
            certificate::certificate(&mut search.core, &search.task);
        search.core.smash.summaries[contract].uses = search.task.uses.clone();
        let (what, function) = (ProcedureEvent::Contract, search.task.function);
        search
            .core
            .tell(&search.task, Event::Procedure { what, function });
    }
    if search.leave().is_none() {
        return Progress::Stuck("no caller");
    }
    if ending != Ending::No {
        // Nothing below the present work knew of it: those waited meanwhile.
        search.core.smash.summaries.truncate(contract);
        search.core.smash.contracts.retain(|c| *c < contract);
        search.core.smash.paused.clear();
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
        let given = context::given(core, callee);
        let mut bindings = Vec::with_capacity(given.len());
        for (ghost, part) in &given {
            let Some(term) = interface::at_call(core, task, src, *part, &[]) else {
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
