//! Joint frontiers: all regions that a step may reach and that may lead to an error are one
//! target.
//!
//! A location that n errors lie behind is split by n predicates, one for each, and every
//! location before it again by each of them, with a question each: the questions grow with the
//! square of the errors. And behind a branch that does not matter the same predicate comes
//! back over both sides, each time with the branch's condition, so that every such branch
//! doubles the regions. Here the union of all targets of a region is the target. If no test
//! can cross into the union, one predicate that follows from the union's precondition keeps
//! the states apart that can, and the edges to all of them go. That is the thesis's Definition
//! 1 with the union for `R_k`, and sound for the same reason: `R and (Pre(R_1) or ... or
//! Pre(R_m)) => rho` says as much of each of them. Where both sides of a branch lead to the
//! same predicate, its condition is no part of the union. The union is complete where the
//! latest location is refined first, so that is the order; the thesis leaves it open (sections
//! 3.1, 3.2 and 3.4).

use crate::core::{Core, conjuncts};
use crate::progress::Progress;
use crate::refine::eliminate::eliminate;
use crate::refine::low_bits;
use crate::refine::split;
use crate::regions::RegionId;
use crate::regions::frontier::Frontier;
use crate::task::Task;
use attest_model::graph::{Graph, Loc};
use attest_term::{Sort, Term, Terms};
use rustc_hash::FxHashMap;

/// What a frontier leads to.
pub(crate) struct Joint {
    /// The other regions besides its own target,
    pub others: Vec<RegionId>,
    /// and the precondition of all of them, in pieces; none if there is no such step.
    pub pre: Option<Vec<Term>>,
    /// The same with no more than the targets, for the check of targets: what a region has no edge
    /// to may be in the precondition above.
    pub exact: Option<Vec<Term>>,
}

/// What a frontier leads to.
pub(crate) fn joint(core: &mut Core<'_>, task: &Task, frontier: Frontier) -> Joint {
    let (src, _) = task.places(frontier.from, frontier.to);
    let own = core.pre_conjuncts(task, src, frontier.to);
    let alone = Joint {
        others: Vec::new(),
        pre: own.clone(),
        exact: own.clone(),
    };
    if !core.options.aims_at_locations() || src == Graph::ROOT || alone.pre.is_none() {
        return alone;
    }
    let (mut others, pre) = all_targets(core, task, frontier.from);
    others.retain(|to| *to != frontier.to);
    let size = pre.as_ref().map_or(0, |pre| core.terms.dag_size(pre));
    if size > core.options.tuning.refinement.joint_terms {
        return alone;
    }
    let exact = if others.is_empty() { own } else { pre.clone() };
    Joint { others, pre, exact }
}

/// The other regions behind a frontier that may lead to a target: a test that was to cross it
/// has its path, and may be in another region before it and so in one of these after it.
pub(crate) fn aside(core: &Core<'_>, task: &Task, frontier: Frontier) -> Vec<RegionId> {
    let (src, _) = task.places(frontier.from, frontier.to);
    if !core.options.aims_at_locations() || src == Graph::ROOT {
        return Vec::new();
    }
    let behind = steps(core, src);
    let behind = behind.iter().flat_map(|loc| task.regions.at(*loc));
    behind
        .copied()
        .filter(|to| task.regions.is_bad(*to))
        .collect()
}

/// All regions that may lead to a target and that a region has an edge to, with the
/// precondition of their union.
fn all_targets(
    core: &mut Core<'_>,
    task: &Task,
    from: RegionId,
) -> (Vec<RegionId>, Option<Vec<Term>>) {
    let src = task.regions.region(from).loc;
    let mut found = Vec::new();
    let mut union: Option<Vec<Term>> = None;
    for place in steps(core, src) {
        let targets = task.regions.targets(from, place);
        if targets.is_empty() {
            continue;
        }
        let partition = &task.regions.partition;
        let gone = &partition.region(from).cut;
        // No step leads to where an edge is gone: such a part may be in the union or not.
        let there = partition.union(&mut core.terms, place, |region| {
            (!gone.contains(&region)).then(|| targets.contains(&region))
        });
        let Some(pieces) = core.pre_of(task, src, place, &[there]) else {
            continue;
        };
        found.extend(targets);
        union = Some(match union {
            None => pieces,
            Some(others) => {
                let either = either(core, &others, &pieces);
                core.flatten(vec![either])
            }
        });
    }
    (found, union)
}

/// The locations that a step leads to.
fn steps(core: &Core<'_>, src: Loc) -> Vec<Loc> {
    let mut places: Vec<Loc> = Vec::new();
    for edge in &core.graph.outgoing[src.0 as usize] {
        let next = core.graph.edge(*edge).dst;
        if !places.contains(&next) && core.call_edge(src, next).is_none() {
            places.push(next);
        }
    }
    places
}

/// Splits the regions behind a frontier that no test and no split has come to: what leads from
/// them to a target is known already, and asks for no solver call. The split rule needs no
/// witness. Without this a location that was never visited would be a target as a whole, and
/// the branch that leads to it a part of every predicate before it.
pub(crate) fn refine_ahead(core: &mut Core<'_>, task: &mut Task, frontier: Frontier) -> bool {
    if !core.options.aims_at_locations() {
        return false;
    }
    let mut ahead: Vec<(u32, RegionId)> = Vec::new();
    let mut work = vec![task.regions.region(frontier.from).loc];
    while let Some(loc) = work.pop() {
        for next in steps(core, loc) {
            let [region] = task.regions.at(next)[..] else {
                continue;
            };
            let is_new = task.regions.is_ahead(region)
                && core.is_inner(task, next)
                && task.attempts.ahead.insert(next);
            if is_new {
                ahead.push((task.regions.lateness(next), region));
                work.push(next);
            }
        }
    }
    ahead.sort_unstable();
    let mut changed = false;
    for (_, from) in ahead {
        let (targets, pre) = all_targets(core, task, from);
        let (Some(pre), [to, others @ ..]) = (pre, &targets[..]) else {
            continue;
        };
        let pre_and_bits = low_bits::split_off(&mut core.terms, &pre);
        let choices = core.options.tuning.refinement.choices;
        let plain = eliminate(&mut core.terms, &pre_and_bits, choices);
        let mut plain = core.flatten(plain);
        plain.retain(|piece| core.is_of_state(task, *piece));
        let rho = core.terms.all(&plain);
        if core.terms.bool_const(rho) == Some(true) {
            continue;
        }
        let frontier = Frontier {
            from,
            to: *to,
            distance: 0,
        };
        changed |= matches!(
            split::apply_split(core, task, frontier, others, rho, &pre, "ahead"),
            Progress::Made
        );
    }
    changed
}

/// The disjunction of two conjunctions. What both have is said once, and of two sides whose
/// conditions exclude each other the disjuncts that both have are without condition.
fn either(core: &mut Core<'_>, left: &[Term], right: &[Term]) -> Term {
    let common: Vec<Term> = left.iter().copied().filter(|p| right.contains(p)).collect();
    let rest = |side: &[Term]| -> Vec<Term> {
        let rest = side.iter().copied();
        rest.filter(|p| !common.contains(p)).collect()
    };
    let (left, right) = (rest(left), rest(right));
    let condition = left.iter().copied().find(|p| {
        let other = core.terms.not(*p);
        right.contains(&other)
    });
    let either = match condition {
        Some(condition) => {
            let other = core.terms.not(condition);
            let of = |terms: &mut Terms, side: &[Term], without: Term| {
                let rest: Vec<Term> = side.iter().copied().filter(|p| *p != without).collect();
                terms.all(&rest)
            };
            let yes = of(&mut core.terms, &left, condition);
            let no = of(&mut core.terms, &right, other);
            choice(core, condition, yes, no)
        }
        None => {
            let (left, right) = (core.terms.all(&left), core.terms.all(&right));
            core.terms.any(&[left, right])
        }
    };
    let common = core.terms.all(&common);
    core.terms.all(&[common, either])
}

/// `condition ? yes : no`, with the disjuncts of both sides outside.
fn choice(core: &mut Core<'_>, condition: Term, yes: Term, no: Term) -> Term {
    let other = core.terms.not(condition);
    let constant = |core: &Core<'_>, term: Term| core.terms.bool_const(term);
    match (constant(core, yes), constant(core, no)) {
        (Some(true), _) => return core.terms.any(&[condition, no]),
        (_, Some(true)) => return core.terms.any(&[other, yes]),
        _ => {}
    }
    let (of_yes, of_no) = (
        conjuncts::disjuncts(core, yes),
        conjuncts::disjuncts(core, no),
    );
    let (both, only_yes): (Vec<Term>, Vec<Term>) =
        of_yes.into_iter().partition(|d| of_no.contains(d));
    let only_no: Vec<Term> = of_no.into_iter().filter(|d| !both.contains(d)).collect();
    let (yes, no) = (core.terms.any(&only_yes), core.terms.any(&only_no));
    let merged = merged(&mut core.terms, condition, yes, no);
    let (yes, no) = (
        core.terms.all(&[condition, yes]),
        core.terms.all(&[other, no]),
    );
    let apart = core.terms.any(&[yes, no]);
    let smaller = core.terms.dag_size(&[merged]) < core.terms.dag_size(&[apart]);
    let mut all = both;
    all.push(if smaller { merged } else { apart });
    core.terms.any(&all)
}

/// `condition ? yes : no` with the choice as far inside as the two are alike. Both sides of a
/// branch often set one variable before they meet: then this is one predicate about a chosen
/// value, where two predicates side by side would be four at the next branch.
fn merged(terms: &mut Terms, condition: Term, yes: Term, no: Term) -> Term {
    let mut done: FxHashMap<(Term, Term), Term> = FxHashMap::default();
    let mut work = vec![(yes, no)];
    while let Some((a, b)) = work.pop() {
        if done.contains_key(&(a, b)) {
            continue;
        }
        if a == b {
            done.insert((a, b), a);
            continue;
        }
        let (left, right) = (terms.args(a).to_vec(), terms.args(b).to_vec());
        let op = terms.op(a);
        let sorts = |terms: &Terms, args: &[Term]| -> Vec<Sort> {
            args.iter().map(|arg| terms.sort(*arg)).collect()
        };
        let alike = op == terms.op(b)
            && !op.is_read()
            && !left.is_empty()
            && left.len() == right.len()
            && sorts(terms, &left) == sorts(terms, &right);
        let pairs: Vec<(Term, Term)> = left.into_iter().zip(right).collect();
        if !alike || pairs.iter().filter(|(x, y)| x != y).count() > 2 {
            let chosen = terms.ite(condition, a, b);
            done.insert((a, b), chosen);
            continue;
        }
        let missing = pairs.iter().filter(|pair| !done.contains_key(pair));
        let missing: Vec<(Term, Term)> = missing.copied().collect();
        if missing.is_empty() {
            let args: Vec<Term> = pairs.iter().map(|pair| done[pair]).collect();
            let made = terms.make(op, &args);
            done.insert((a, b), made);
        } else {
            work.push((a, b));
            work.extend(missing);
        }
    }
    done[&(yes, no)]
}
