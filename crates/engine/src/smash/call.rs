//! A frontier at a call: the rules of SMASH (algorithm notes 5; the paper's Fig. 7 and 10).
//!
//! The frontier asks whether the callee can bring the state before the call into the region
//! after it. What the callee cannot change concerns only the caller (the frame). The
//! rest is a post-condition over the callee's interface. In the words of the paper:
//!
//! - NOTMAY-PRE-USESUMMARY: what not-may summaries exclude cannot cross, and where
//!   nothing is left the region before the call is split, as in NOTMAY-PRE;
//! - MUST-POST-USESUMMARY: a path that a test took through the callee crosses again;
//! - MAYMUST-CALL: otherwise the callee gets a query.

use crate::algorithm::crossing::{self, Asked};
use crate::events::Cut;
use crate::progress::Progress;
use crate::refine;
use crate::refine::refusal::{Refusal, Witness};
use crate::regions::edges;
use crate::regions::frontier::Frontier;
use crate::search::Search;
use crate::smash::contracts;
use crate::smash::frame;
use crate::smash::interface;
use crate::smash::must;
use crate::smash::must::ByPath;
use crate::smash::not_may;
use crate::smash::query;
use crate::smash::weaken;
use crate::smash::{Key, Post, Query};
use attest_model::FnId;
use attest_model::graph::{Loc, Outcome};
use attest_solver::Answer;
use attest_term::Term;

/// A call at a frontier, and what must hold for its edge.
pub(crate) struct CallSite {
    pub frontier: Frontier,
    /// The location before the call.
    pub src: Loc,
    pub callee: FnId,
    pub outcome: Outcome,
    /// What must hold after the call and the callee cannot change,
    pub frame: Vec<Term>,
    /// and what else must hold after it.
    pub rest: Vec<Term>,
}

/// Works on a frontier at a call: a rule of the paper in each line.
pub(crate) fn cross_call(
    search: &mut Search<'_>,
    frontier: Frontier,
    callee: FnId,
    outcome: Outcome,
) -> Progress {
    let call = call_site(search, frontier, callee, outcome);
    let Some(post) = post_condition(search, &call) else {
        let node = search.task.witness(frontier.from, frontier.to);
        let task = &mut search.task;
        return task.give_up(frontier, node, "the call's post-condition is too large");
    };
    let pre = not_may_pre(search, &call, &post);
    let (core, task) = (&mut search.core, &mut search.task);
    if edges::excluded_locally(core, task, frontier, &pre) {
        edges::remove(core, task, frontier, Cut::Local);
        return Progress::Made;
    }
    match crossing::ask(core, task, frontier, &pre) {
        Asked::NoWitness => Progress::Stuck("every witness was tried"),
        Asked::Lost(node) => {
            let target = refine::Target {
                frontier,
                others: &[],
                pre: &pre,
            };
            refine::refine_by_facts(core, task, target, node)
        }
        Asked::Answered {
            answer,
            witness,
            question,
        } => match answer {
            Answer::Unsat(reason) => {
                let core = crossing::needed(&witness, &question, &pre, &reason);
                split_before(search, &call, &witness, &pre, core)
            }
            Answer::Sat(_) => must_post(search, &call, &witness, post),
            Answer::Unknown(_) => {
                task.give_up(frontier, Some(witness.node), "the solver does not know")
            }
        },
    }
}

/// The call, with the region after it divided into the frame and the rest.
fn call_site(search: &Search<'_>, frontier: Frontier, callee: FnId, outcome: Outcome) -> CallSite {
    let src = search.task.regions.region(frontier.from).loc;
    let predicate = &search.task.regions.region(frontier.to).predicate;
    let (frame, rest) = frame::frame(&search.core, &search.task, src, predicate);
    CallSite {
        frontier,
        src,
        callee,
        outcome,
        frame,
        rest,
    }
}

/// The query's post-condition; none if it is too large.
fn post_condition(search: &mut Search<'_>, call: &CallSite) -> Option<Post> {
    let (core, task) = (&mut search.core, &search.task);
    interface::post_condition(core, task, call.src, call.callee, &call.rest)
}

/// NOTMAY-PRE-USESUMMARY: what must hold before the call if it is to lead into the region, as
/// far as summaries and contracts tell.
fn not_may_pre(search: &mut Search<'_>, call: &CallSite, (post, ghosts): &Post) -> Vec<Term> {
    let (core, task) = (&mut search.core, &mut search.task);
    let mut pieces = call.frame.clone();
    pieces.extend(not_may::use_summaries(core, task, call, *post, ghosts));
    if call.outcome == Outcome::Return {
        let (src, callee) = (call.src, call.callee);
        pieces.extend(contracts::contracted(core, task, src, callee, &call.rest));
    }
    core.flatten(pieces)
}

/// NOTMAY-PRE: no test on the witness's path crosses, so the region before the call is split.
fn split_before(
    search: &mut Search<'_>,
    call: &CallSite,
    witness: &Witness,
    pre: &[Term],
    core: Vec<Term>,
) -> Progress {
    let refusal = Refusal {
        others: &[],
        frontier: call.frontier,
        core,
        witness,
        pre,
        is_call: true,
    };
    refine::refine(&mut search.core, &mut search.task, &refusal)
}

/// MUST-POST-USESUMMARY, and MAYMUST-CALL where no path that is known crosses.
fn must_post(search: &mut Search<'_>, call: &CallSite, witness: &Witness, post: Post) -> Progress {
    let (frontier, callee, node) = (call.frontier, call.callee, witness.node);
    if contracts::in_contract(search) && contracts::is_recursive(&search.core, callee) {
        let task = &mut search.task;
        return task.give_up(frontier, Some(node), "the contract is not inductive");
    }
    let mut missed = Vec::new();
    if call.outcome == Outcome::Return {
        match must::cross_by_path(search, frontier, node, callee) {
            ByPath::Crossed(progress) => return progress,
            ByPath::Missed(paths) => missed = paths,
        }
    }
    if let Some(progress) = contracts::open_contract(search, frontier, callee) {
        return progress;
    }
    let (core, task) = (&mut search.core, &search.task);
    let weaker = weaken::weaken(core, task, frontier, callee, &call.rest, &missed);
    let is_weaker = weaker.is_some();
    let (post, ghosts) = weaker.unwrap_or(post);
    let key = Key {
        function: callee,
        outcome: call.outcome,
        post,
        level: query::level(search, callee, call.outcome, post),
        asker: not_may::asker(&search.core, &search.task, call.src),
    };
    let query = Query {
        key,
        ghosts,
        frame: call.frame.clone(),
        frontier,
        node,
        rounds: 0,
        contract: None,
        is_weaker,
    };
    query::open(search, query)
}
