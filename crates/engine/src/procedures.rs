//! Procedures: queries at call edges and the summaries they leave (SMASH; algorithm notes 5).
//!
//! A frontier at a call asks whether the callee can bring the state before the
//! call into the region after it. What the callee cannot change is a matter of
//! the caller alone (the frame). The rest becomes a query over the callee's
//! interface: the caller's terms in it are rigid ghosts, so that the answer
//! holds for every caller. A `no` is a not-may summary: entry states from which
//! no execution ends in the post-condition. A `yes` is a test of the whole
//! program.
//!
//! Soundness: a summary's invariants come from the callee's own splits and
//! cuts, each justified by one edge, whatever the context was that asked.

use crate::dash::Progress;
use crate::engine::Engine;
use crate::events::{Deed, Event, Question};
use crate::forest::{ActivationId, NodeId};
use crate::frontier::{Bad, Frontier};
use crate::must::ByPath;
use attest_exec::symbolic::memory::SIZES;
use attest_exec::symbolic::step::{Part, operand};
use attest_exec::symbolic::value::SymVal;
use attest_model::graph::{EdgeOp, Graph, Loc, Outcome};
use attest_model::*;
use attest_solver::Answer;
use attest_term::{Op, Sort as TermSort, SymbolKind, Term};
use rustc_hash::FxHashMap;

/// A call that asks: the work on its procedure, by number, and the location before it.
pub type Asker = (u32, Loc);

/// What is asked of a procedure: can it end like this, in such a state?
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Key {
    pub function: FnId,
    pub outcome: Outcome,
    /// Over the exit's vocabulary and ghosts.
    pub post: Term,
    /// How many queries with the same question wait for this one.
    pub level: u32,
    /// The only call that it is asked for, where calls share nothing.
    pub asker: Option<Asker>,
}

/// A query and the call that asks it.
pub(crate) struct Query {
    pub key: Key,
    /// Ghosts, each with the caller's term that it stands for.
    pub ghosts: Vec<(Term, Term)>,
    /// What must hold before the call besides.
    pub frame: Vec<Term>,
    /// The caller's frontier and witness.
    pub frontier: Frontier,
    pub node: NodeId,
    /// Rounds that are left before the caller goes on with something else.
    pub rounds: u32,
    /// It is asked for every call there is: the number of the contract that it would prove.
    pub contract: Option<usize>,
    /// Its post-condition is weaker than what the caller wants to know.
    pub is_weaker: bool,
}

/// A not-may summary: from states in `pre` no execution of the function has this outcome
/// in a state of `post`, whatever the ghosts are.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The function.
    pub function: FnId,
    /// The only call that it serves, where calls share nothing.
    pub asker: Option<Asker>,
    /// How it ends.
    pub outcome: Outcome,
    /// The ghosts in pre- and post-condition.
    pub ghosts: Vec<Term>,
    /// Over the entry's vocabulary.
    pub pre: Term,
    /// Over the exit's vocabulary.
    pub post: Term,
    /// Why: an invariant a location.
    pub invariants: Vec<(Loc, Term)>,
    /// The summaries that these lean on.
    pub uses: Vec<Use>,
}

/// The use of a summary at a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Use {
    /// Before the call.
    pub location: Loc,
    /// The summary's number.
    pub summary: usize,
    /// The caller's terms for its ghosts.
    pub ghosts: Vec<Term>,
}

/// How a sub-query ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    Yes,
    No,
    Later,
    Unknown,
}

/// Rounds of a sub-query before its caller may go on with something else.
const SLICE: u32 = 100;
/// Queries of one question inside each other.
const MOST_LEVELS: u32 = 6;
/// Ghosts of one query.
const MOST_GHOSTS: usize = 24;
/// Summaries of one function and outcome that are tried at a call.
const MOST_SUMMARIES: usize = 24;

/// The name of a query's ghost: the same question has the same names everywhere.
pub(crate) fn ghost_name(number: usize, sort: TermSort) -> String {
    let kind = match sort {
        TermSort::Bool => "bool".to_owned(),
        TermSort::BitVec(width) => format!("i{width}"),
        TermSort::Float(float) => format!("f{}", float.bits()),
    };
    format!("z{number}.{kind}")
}

impl Engine<'_> {
    /// The call on an edge, if it is a call's.
    pub(crate) fn call_edge(&self, src: Loc, dst: Loc) -> Option<(FnId, Outcome)> {
        let edges = self.graph.outgoing[src.0 as usize].iter();
        edges
            .map(|edge| self.graph.edge(*edge))
            .find_map(|edge| match edge.op {
                EdgeOp::Call(callee, outcome) if edge.dst == dst => Some((callee, outcome)),
                _ => None,
            })
    }

    pub(crate) fn call_at(&self, loc: Loc) -> Option<&Call> {
        let location = self.graph.location(loc);
        let position = location.position?;
        let function = self.program.function(location.function?);
        match function
            .block(position.block)
            .insts
            .get(position.index as usize)
        {
            Some(Inst::Call(call)) => Some(call),
            _ => None,
        }
    }

    /// A frontier at a call: summaries first, then a sub-query.
    pub(crate) fn cross_call(
        &mut self,
        frontier: Frontier,
        callee: FnId,
        outcome: Outcome,
    ) -> Progress {
        let src = self.regions.region(frontier.from).loc;
        let predicate = self.regions.region(frontier.to).predicate.clone();
        let (frame, rest) = self.frame(src, &predicate);
        let Some((post, ghosts)) = self.post_condition(src, callee, &rest) else {
            let node = self.witness(frontier.from, frontier.to);
            return self.give_up(frontier, node, "the call's post-condition is too large");
        };
        let mut pieces = frame.clone();
        let mut known = self.applicable(src, callee, outcome, post, &ghosts);
        if let Some((post, ghosts)) = self.weaker(src, callee, &rest) {
            known.extend(self.applicable(src, callee, outcome, post, &ghosts));
        }
        for (number, bindings) in known {
            if let Some(pre) = self.at_call(src, self.summaries[number].pre, &bindings) {
                pieces.push(self.terms.not(pre));
                let used = Use {
                    location: src,
                    summary: number,
                    ghosts: bindings.iter().map(|(_, term)| *term).collect(),
                };
                if !self.uses.contains(&used) {
                    self.uses.push(used);
                    let (what, function) = (Deed::NotMayUsed, callee);
                    self.tell(Event::Procedure { what, function });
                }
            }
        }
        if outcome == Outcome::Return {
            let contracted = self.contracted(src, callee, &rest);
            pieces.extend(contracted);
        }
        let pieces = self.flatten(pieces);
        if self.excluded_locally(frontier, &pieces) {
            self.cut(frontier, crate::events::Cut::Local);
            return Progress::Made;
        }
        let Some(node) = self.witness(frontier.from, frontier.to) else {
            return Progress::Stuck("every witness was tried");
        };
        self.focus = Some(self.forest.node(node).activation);
        let Some(beta) = self
            .forest
            .beta(&mut self.terms, &self.stepper, &self.vocabulary, node)
        else {
            return self.refine_by_facts(frontier, node, &pieces);
        };
        let questions = self.all_along(&beta, &pieces);
        let path = self.path_to(node);
        let all: Vec<Term> = path.iter().chain(&questions).copied().collect();
        match self.ask(Question::Frontier, &all) {
            Answer::Unsat(core) => {
                let used = pieces.iter().zip(&questions);
                let used: Vec<Term> = used
                    .filter(|(_, q)| core.contains(q))
                    .map(|(p, _)| *p)
                    .collect();
                if used.iter().all(|p| self.is_of_state(*p)) {
                    self.split_by(frontier, node, &used, &pieces, "summary")
                } else {
                    self.refine(frontier, node, &pieces, used, &path, &beta)
                }
            }
            Answer::Sat(_) if self.in_contract() && self.is_recursive(callee) => {
                self.give_up(frontier, Some(node), "the contract is not inductive")
            }
            Answer::Sat(_) => {
                let mut missed = Vec::new();
                if outcome == Outcome::Return {
                    match self.cross_by_path(frontier, node, callee) {
                        ByPath::Crossed(progress) => return progress,
                        ByPath::Missed(paths) => missed = paths,
                    }
                }
                if let Some(progress) = self.open_contract(frontier, callee) {
                    return progress;
                }
                let weaker = self.weaken(frontier, callee, &rest, &missed);
                let is_weaker = weaker.is_some();
                let (post, ghosts) = weaker.unwrap_or((post, ghosts));
                let key = Key {
                    function: callee,
                    outcome,
                    post,
                    level: self.level(callee, outcome, post),
                    asker: self.asker(src),
                };
                self.open(Query {
                    key,
                    ghosts,
                    frame,
                    frontier,
                    node,
                    rounds: 0,
                    contract: None,
                    is_weaker,
                })
            }
            Answer::Unknown(_) => self.give_up(frontier, Some(node), "the solver does not know"),
        }
    }

    /// The query's post-condition over the callee's exit and ghosts, each with the
    /// caller's term that it stands for.
    pub(crate) fn post_condition(
        &mut self,
        src: Loc,
        callee: FnId,
        rest: &[Term],
    ) -> Option<(Term, Vec<(Term, Term)>)> {
        let results = self.call_at(src)?.results.clone();
        let (vocabulary, ..) = self.names_of(callee);
        let all = self.terms.all(rest);
        // What only the caller knows is rigid for the callee.
        let mut rigid: FxHashMap<Term, bool> = FxHashMap::default();
        for part in self.terms.reachable(&[all]) {
            let own = match self.vocabulary.part(part) {
                Some(Part::Reg(reg, _)) => !results.contains(&reg),
                Some(_) => false,
                None => {
                    let op = self.terms.op(part);
                    !op.is_read() || op.version() == Some(SIZES) || self.is_kept(src, part)
                }
            };
            let args = self.terms.args(part).iter();
            let fixed = own && args.clone().all(|a| rigid[a]);
            rigid.insert(part, fixed);
        }
        let mut map: FxHashMap<Term, Term> = FxHashMap::default();
        let mut ghosts: Vec<(Term, Term)> = Vec::new();
        for part in self.terms.reachable(&[all]) {
            if let Some(Part::Reg(reg, second)) = self.vocabulary.part(part)
                && let Some(at) = results.iter().position(|r| *r == reg)
            {
                let value = vocabulary.results().get(at)?;
                map.insert(part, value.terms().nth(usize::from(second))?);
            }
        }
        // The largest rigid terms, in the order in which they are met.
        for part in self.terms.reachable(&[all]) {
            if rigid[&part] {
                continue;
            }
            for arg in self.terms.args(part).to_vec() {
                if rigid[&arg] && !self.terms.is_const(arg) && !map.contains_key(&arg) {
                    let sort = self.terms.sort(arg);
                    let ghost = self.ghost(ghosts.len(), sort);
                    ghosts.push((ghost, arg));
                    map.insert(arg, ghost);
                }
            }
        }
        if ghosts.len() > MOST_GHOSTS {
            return None;
        }
        Some((self.terms.substitute(all, &map), ghosts))
    }

    fn ghost(&mut self, number: usize, sort: TermSort) -> Term {
        let name = ghost_name(number, sort);
        self.terms.var(&name, sort, SymbolKind::Ghost)
    }

    /// Who asks at a call, where what is known of a procedure serves one call alone.
    fn asker(&self, src: Loc) -> Option<Asker> {
        let shared = self.options.strategy.calls.not_may();
        (!shared).then_some((self.number, src))
    }

    /// Summaries that exclude this outcome and post-condition for some entry states.
    fn applicable(
        &mut self,
        src: Loc,
        callee: FnId,
        outcome: Outcome,
        post: Term,
        ghosts: &[(Term, Term)],
    ) -> Vec<(usize, Vec<(Term, Term)>)> {
        let mut found = Vec::new();
        let asker = self.asker(src);
        let known: Vec<usize> = (0..self.summaries.len())
            .rev()
            .filter(|i| {
                let summary = &self.summaries[*i];
                let offered = asker.is_none() || summary.asker == asker;
                summary.function == callee && summary.outcome == outcome && offered
            })
            .take(MOST_SUMMARIES)
            .collect();
        for number in known {
            let summary = &self.summaries[number];
            if self.contracts.contains(&number) {
                continue;
            }
            if summary.post == post {
                found.push((number, ghosts.to_vec()));
            } else if summary.ghosts.is_empty() {
                let wider = summary.post;
                if self.is_within(post, wider) {
                    found.push((number, Vec::new()));
                }
            }
        }
        found
    }

    /// Whether one post-condition implies another; the same two meet at many frontiers.
    fn is_within(&mut self, post: Term, wider: Term) -> bool {
        if let Some(known) = self.within.get(&(post, wider)) {
            return *known;
        }
        let outside = self.terms.not(wider);
        let within = self.ask(Question::Generalise, &[post, outside]).is_unsat();
        self.within.insert((post, wider), within);
        within
    }

    /// A term over the callee's entry and ghosts, as one over the caller's state before
    /// the call; none if it speaks of registers that have no value there.
    pub(crate) fn at_call(
        &mut self,
        src: Loc,
        term: Term,
        ghosts: &[(Term, Term)],
    ) -> Option<Term> {
        let call = self.call_at(src)?.clone();
        let params = self.program.function(call.callee).params;
        let (vocabulary, ..) = self.names_of(call.callee);
        let caller = self.vocabulary.clone();
        let bits = self.program.pointer_bits;
        let mut map: FxHashMap<Term, Term> = ghosts.iter().copied().collect();
        let regs: Vec<SymVal> = (0..self.program.function(caller.function).regs.len() as u32)
            .map(|reg| caller.reg(Reg(reg)))
            .collect();
        for part in self.terms.reachable(&[term]) {
            if let Some(Part::Reg(reg, second)) = vocabulary.part(part) {
                if reg.0 >= params {
                    return None;
                }
                let arg = *call.args.get(reg.0 as usize)?;
                let value = operand(&mut self.terms, &regs, arg, bits);
                map.insert(part, value.terms().nth(usize::from(second))?);
            }
        }
        Some(self.terms.substitute(term, &map))
    }

    /// How many queries with this question wait for the next one.
    fn level(&self, callee: FnId, outcome: Outcome, post: Term) -> u32 {
        let same = |query: &Option<Query>| {
            query.as_ref().is_some_and(|q| {
                (q.key.function, q.key.outcome, q.key.post) == (callee, outcome, post)
            })
        };
        let waiting = self.stack.iter().filter(|i| same(&i.query)).count() as u32;
        waiting + u32::from(same(&self.query))
    }

    /// Starts or resumes the work on a sub-query.
    fn open(&mut self, mut query: Query) -> Progress {
        let (key, node) = (query.key, query.node);
        if key.level >= MOST_LEVELS {
            return self.give_up(query.frontier, Some(node), "the recursion is too deep");
        }
        let tried = self.opened.entry(key).or_default();
        *tried += 1;
        query.rounds = SLICE.saturating_mul(1 << (*tried).min(12));
        let mut instance = match self.paused.remove(&key) {
            Some(mut known) => {
                known.query = Some(query);
                known.regions.forget_context();
                known.tried.clear();
                known.astray.clear();
                known
            }
            None => self.new_instance(query),
        };
        self.exchange(&mut instance);
        self.stack.push(instance);
        self.set_goals(key.outcome);
        if let Some(activation) = self.forest.called(node) {
            self.adopt(activation, node);
        }
        let (what, function) = (Deed::Query, key.function);
        self.tell(Event::Procedure { what, function });
        Progress::Made
    }

    fn new_instance(&mut self, query: Query) -> crate::instance::Instance {
        let Key {
            function: callee,
            outcome,
            post,
            ..
        } = query.key;
        let mut instance = self.instance(callee, Some(query));
        let exit = self.graph.functions[callee.0 as usize].exit;
        if outcome == Outcome::Return && self.terms.bool_const(post) != Some(true) {
            let root = instance.regions.at(exit)[0];
            instance
                .regions
                .split(&mut self.terms, root, post, |_, _| false);
        }
        instance
    }

    /// B of the present query: the exit's regions inside of the post-condition.
    fn set_goals(&mut self, outcome: Outcome) {
        let graph = &self.graph.functions[self.function.0 as usize];
        let goals = match graph.ends.get(&outcome) {
            None => Vec::new(),
            Some(loc) => {
                let post = self.query.as_ref().map(|q| q.key.post);
                let inside = |region: &crate::regions::RegionId| {
                    let predicate = &self.regions.region(*region).predicate;
                    outcome != Outcome::Return
                        || predicate.is_empty()
                        || predicate.first() == post.as_ref()
                };
                self.regions
                    .at(*loc)
                    .iter()
                    .copied()
                    .filter(inside)
                    .collect()
            }
        };
        self.bad = Bad::new(self.space(), goals);
    }

    /// Takes an activation that belongs to the present query: its states are witnesses.
    pub(crate) fn adopt(&mut self, activation: ActivationId, before: NodeId) {
        let Some(query) = &self.query else {
            return;
        };
        if let Some(contract) = query.contract {
            self.adopt_for_contract(activation, contract);
            return;
        }
        let (ghosts, frame) = (query.ghosts.clone(), query.frame.clone());
        let context = self.in_caller(|engine| engine.context(before, &ghosts, &frame));
        let Some(Some((values, terms, conditions))) = context else {
            return;
        };
        self.ghosts.insert(activation, values);
        self.ghost_terms.insert(activation, terms);
        self.conditions.insert(activation, conditions);
        for node in self.forest.activation(activation).nodes.clone() {
            let loc = self.forest.node(node).loc;
            self.own.entry(loc).or_default().push(node);
            self.sort_in(node);
        }
    }

    /// In the caller: what ghosts are, and the frame's conditions, at a state before the call.
    #[allow(clippy::type_complexity)] // Values, terms, conditions.
    fn context(
        &mut self,
        before: NodeId,
        ghosts: &[(Term, Term)],
        frame: &[Term],
    ) -> Option<(
        FxHashMap<attest_term::SymbolId, attest_term::Value>,
        FxHashMap<Term, Term>,
        Vec<Term>,
    )> {
        self.focus = Some(self.forest.node(before).activation);
        // A test that does not satisfy the frame says nothing about the query.
        if frame
            .iter()
            .any(|f| self.is_true_at(before, *f) != Some(true))
        {
            return None;
        }
        let beta = self
            .forest
            .beta(&mut self.terms, &self.stepper, &self.vocabulary, before)?;
        let mut values = FxHashMap::default();
        let mut terms = FxHashMap::default();
        for (ghost, binding) in ghosts {
            if let Op::Var(symbol) = self.terms.op(*ghost) {
                values.insert(symbol, self.value_at(before, *binding)?);
            }
            terms.insert(*ghost, self.all_along(&beta, &[*binding])[0]);
        }
        let mut conditions = self.all_along(&beta, frame);
        let outer = self.forest.node(before).activation;
        conditions.extend(self.conditions.get(&outer).into_iter().flatten());
        Some((values, terms, conditions))
    }

    /// The frontier is the start of the callee: is there a test that enters it there?
    pub(crate) fn enter_there(&mut self, frontier: Frontier) -> Progress {
        let Some(query) = &self.query else {
            return Progress::Stuck("no query");
        };
        if let Some(contract) = query.contract {
            return self.enter_for_contract(frontier, contract);
        }
        let (before, ghosts) = (query.node, query.ghosts.clone());
        let frame = query.frame.clone();
        let predicate = self.regions.region(frontier.to).predicate.clone();
        let asked = self.in_caller(|engine| {
            let src = engine.forest.node(before).loc;
            let mut pieces = frame;
            for p in predicate {
                pieces.push(engine.at_call(src, p, &ghosts)?);
            }
            engine.focus = Some(engine.forest.node(before).activation);
            let beta = engine.forest.beta(
                &mut engine.terms,
                &engine.stepper,
                &engine.vocabulary,
                before,
            )?;
            let mut all = engine.all_along(&beta, &pieces);
            all.extend(engine.path_to(before));
            Some((engine.ask(Question::Frontier, &all), beta))
        });
        match asked.flatten() {
            Some((Answer::Sat(model), beta)) => {
                let inputs = self.test_of(&model, Some(before), &beta, Graph::ROOT);
                self.cross(frontier, None, inputs)
            }
            Some((Answer::Unsat(_), _)) => {
                self.cut(frontier, crate::events::Cut::Start);
                Progress::Made
            }
            _ => self.give_up(frontier, None, "the solver does not know"),
        }
    }

    /// The present query has its answer: back to the caller.
    pub(crate) fn answer(&mut self, ending: Ending) -> Progress {
        if let Some(contract) = self.query.as_ref().and_then(|q| q.contract) {
            return self.answer_contract(contract, ending);
        }
        if ending == Ending::No {
            self.summarise();
        }
        let Some(mut caller) = self.stack.pop() else {
            return Progress::Stuck("no caller");
        };
        self.exchange(&mut caller);
        let Some(query) = caller.query.take() else {
            return Progress::Stuck("no query");
        };
        if ending != Ending::No && query.is_weaker {
            self.refute_weaker(query.key.function, query.key.post);
            return Progress::Made;
        }
        if ending != Ending::No {
            self.paused.insert(query.key, caller);
        }
        let (frontier, node) = (query.frontier, query.node);
        match ending {
            Ending::No | Ending::Later => Progress::Made,
            Ending::Yes if self.regions.visited(frontier.to) => Progress::Made,
            Ending::Yes => self.give_up(frontier, Some(node), "the test went elsewhere"),
            Ending::Unknown => {
                self.give_up(frontier, Some(node), "the callee could not be decided")
            }
        }
    }

    /// The callee's finished region graph as a not-may summary.
    fn summarise(&mut self) {
        let Some(query) = &self.query else {
            return;
        };
        let (key, ghosts) = (query.key, query.ghosts.clone());
        let mut invariants = self.certificate();
        let entry = self.graph.functions[self.function.0 as usize].entry;
        let mut pre = self.terms.bool(true);
        if let Some((_, term)) = invariants.iter_mut().find(|(loc, _)| *loc == entry) {
            *term = self.without_truisms(*term);
            pre = *term;
        }
        self.summaries.push(Summary {
            function: key.function,
            asker: key.asker,
            outcome: key.outcome,
            ghosts: ghosts.into_iter().map(|(ghost, _)| ghost).collect(),
            pre,
            post: key.post,
            invariants,
            uses: self.uses.clone(),
        });
        let (what, function) = (Deed::NotMay, key.function);
        self.tell(Event::Procedure { what, function });
    }

    /// A predicate without the conjuncts that follow from the others: a caller would have
    /// to carry them to where they are seen to be true.
    fn without_truisms(&mut self, predicate: Term) -> Term {
        let mut parts = self.flatten(vec![predicate]);
        parts.sort_by_key(|part| self.terms.dag_size(&[*part]));
        let mut at = parts.len();
        while at > 0 {
            at -= 1;
            let mut all = parts.clone();
            let part = all.remove(at);
            all.push(self.terms.not(part));
            if self.ask_briefly(Question::Generalise, &all).is_unsat() {
                parts.remove(at);
            }
        }
        self.terms.all(&parts)
    }

    /// The conditions of the path to a node, with those of its query's context.
    pub(crate) fn path_to(&self, node: NodeId) -> Vec<Term> {
        let mut path = self.forest.path_condition(node);
        let activation = self.forest.node(node).activation;
        path.extend(self.conditions.get(&activation).into_iter().flatten());
        path
    }
}
