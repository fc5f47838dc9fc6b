//! Facts of the test's state: the other end of the interpolation (algorithm notes 6.2).
//!
//! Where the precondition speaks of inputs, what is true of the state serves
//! instead: a smallest set of equalities under which the step is impossible.
//! Inputs stay where they are, inside the question. Which pointers are the
//! same is asked before which object each of them is: as in alpha, a relation
//! of pointers stands for many states and an object's number for one.

use crate::dash::Progress;
use crate::engine::Engine;
use crate::events::{Cut, Question};
use crate::forest::NodeId;
use crate::frontier::Frontier;
use attest_exec::symbolic::memory::BASE;
use attest_exec::symbolic::path::PathState;
use attest_exec::symbolic::step::Part;
use attest_solver::{Answer, Model};
use attest_term::{Op, SymbolKind, Term};
use std::rc::Rc;

/// Facts of one state that a question may have,
const MOST_FACTS: usize = 400;
/// and questions that find more of them: where an input may choose any place, each model
/// reads another one.
const MOST_ROUNDS: u32 = 80;
/// Constants of the path that a predicate is made of (algorithm notes 6.2),
const MOST_CONSTANTS: usize = 3;
/// and the terms of a precondition that is left as it is.
const LEAST_TERMS: usize = 40;
/// Pointers that are compared with each other.
const MOST_POINTERS: usize = 12;

impl Engine<'_> {
    /// Splits by what is true of the witness.
    pub(crate) fn refine_by_facts(
        &mut self,
        frontier: Frontier,
        node: NodeId,
        pieces: &[Term],
    ) -> Progress {
        if self.excluded_at_outset(frontier, pieces) {
            self.cut(frontier, Cut::Start);
            return Progress::Made;
        }
        let mut facts = self.facts(node, pieces);
        if let Some(progress) = self.refine_by_aliasing(frontier, node, pieces, &facts) {
            return progress;
        }
        let mut rounds = 0;
        let core = loop {
            rounds += 1;
            let mut all = facts.clone();
            all.extend(self.known_at(frontier.from));
            all.extend(pieces);
            match self.ask_patiently(Question::Facts, &all) {
                Answer::Unsat(core) => break core,
                Answer::Sat(model) => {
                    // The model reads memory where no fact speaks yet.
                    let more = self.facts_at_reads(node, pieces, &model, &facts);
                    if !more.is_empty() && facts.len() < MOST_FACTS && rounds < MOST_ROUNDS {
                        facts.extend(more);
                        continue;
                    }
                }
                Answer::Unknown(_) => {}
            }
            return self.give_up(frontier, Some(node), "no facts exclude the step");
        };
        let used: Vec<Term> = facts.into_iter().filter(|f| core.contains(f)).collect();
        if used.is_empty() {
            self.cut(frontier, Cut::Facts);
            return Progress::Made;
        }
        let used = self.fewest(frontier, used, pieces);
        let fact = self.terms.all(&used);
        let rho = self.terms.not(fact);
        self.apply_split(frontier, rho, pieces, "facts")
    }

    /// Splits by parts of the state that are constant along the test's path, if a few of
    /// them exclude the step and say it in fewer terms than the precondition does: where
    /// control decides, that is the value of a control variable.
    pub(crate) fn refine_by_constants(
        &mut self,
        frontier: Frontier,
        node: NodeId,
        pieces: &[Term],
        plain: &[Term],
        beta: &Rc<PathState>,
    ) -> Option<Progress> {
        let size = self.terms.dag_size(plain);
        if size < LEAST_TERMS {
            return None;
        }
        let mut facts = self.facts(node, pieces);
        let along = self.all_along(beta, &facts);
        let mut along = along.iter();
        facts.retain(|_| {
            let constant = along.next().map(|f| self.terms.bool_const(*f));
            constant == Some(Some(true))
        });
        if facts.is_empty() {
            return None;
        }
        let mut all = facts.clone();
        all.extend(self.known_at(frontier.from));
        all.extend(pieces);
        let Answer::Unsat(core) = self.ask_briefly(Question::Facts, &all) else {
            return None;
        };
        facts.retain(|f| core.contains(f));
        if facts.is_empty() {
            self.cut(frontier, Cut::Facts);
            return Some(Progress::Made);
        }
        if facts.len() > 2 * MOST_CONSTANTS {
            return None;
        }
        let used = self.fewest(frontier, facts, pieces);
        if used.len() > MOST_CONSTANTS || self.terms.dag_size(&used) >= size {
            return None;
        }
        let fact = self.terms.all(&used);
        let rho = self.terms.not(fact);
        Some(self.apply_split(frontier, rho, pieces, "constants"))
    }

    /// Splits by which pointers are the same, and by what else is true of the witness
    /// except which objects they are, if that excludes the step.
    fn refine_by_aliasing(
        &mut self,
        frontier: Frontier,
        node: NodeId,
        pieces: &[Term],
        facts: &[Term],
    ) -> Option<Progress> {
        let objects: Vec<Term> = self.objects(pieces);
        let mut aliasing = Vec::new();
        for (i, a) in objects.iter().enumerate() {
            for b in &objects[i + 1..] {
                let same = self.terms.eq(*a, *b);
                match self.is_true_at(node, same) {
                    Some(true) => aliasing.push(same),
                    Some(false) => aliasing.push(self.terms.not(same)),
                    None => {}
                }
            }
        }
        if aliasing.is_empty() {
            return None;
        }
        let is_number = |f: &&Term| {
            let args = self.terms.args(**f);
            args.iter().any(|a| objects.contains(a))
        };
        aliasing.extend(facts.iter().filter(|f| !is_number(f)));
        let mut all = aliasing.clone();
        all.extend(self.known_at(frontier.from));
        all.extend(pieces);
        let Answer::Unsat(core) = self.ask_patiently(Question::Facts, &all) else {
            return None;
        };
        aliasing.retain(|f| core.contains(f));
        if aliasing.is_empty() {
            self.cut(frontier, Cut::Facts);
            return Some(Progress::Made);
        }
        let used = self.fewest(frontier, aliasing, pieces);
        let fact = self.terms.all(&used);
        let rho = self.terms.not(fact);
        Some(self.apply_split(frontier, rho, pieces, "aliasing"))
    }

    /// The terms that are objects of pointers, as far as the pieces mention them.
    fn objects(&self, pieces: &[Term]) -> Vec<Term> {
        let mut objects = self.terms.reachable(pieces);
        objects.retain(|term| match self.terms.op(*term) {
            Op::Var(_) => self.object_parts.contains(term),
            Op::ReadPtrObject { version: BASE } => self.is_of_state(*term),
            _ => false,
        });
        objects.truncate(MOST_POINTERS);
        objects
    }

    /// Facts that the others make superfluous are dropped, one question each.
    pub(crate) fn fewest(
        &mut self,
        frontier: Frontier,
        mut facts: Vec<Term>,
        pieces: &[Term],
    ) -> Vec<Term> {
        let mut at = facts.len();
        while at > 0 && facts.len() > 1 {
            at = (at - 1).min(facts.len() - 1);
            let mut rest = facts.clone();
            rest.remove(at);
            let mut all = rest.clone();
            all.extend(self.known_at(frontier.from));
            all.extend(pieces);
            if let Answer::Unsat(core) = self.ask_briefly(Question::Generalise, &all) {
                rest.retain(|f| core.contains(f));
                facts = rest;
            }
        }
        facts
    }

    /// Equalities true of a node's state, about what the pieces mention.
    fn facts(&mut self, node: NodeId, pieces: &[Term]) -> Vec<Term> {
        let mut facts = Vec::new();
        let about: Vec<Term> = self.terms.reachable(pieces);
        for term in about {
            let is_part = matches!(self.vocabulary.part(term), Some(p) if p != Part::NextObject);
            let is_read = self.terms.op(term).is_read() && self.is_of_state(term);
            let is_counter = self.vocabulary.part(term) == Some(Part::NextObject);
            let is_ghost = match self.terms.op(term) {
                Op::Var(symbol) => self.terms.symbol(symbol).kind == SymbolKind::Ghost,
                _ => false,
            };
            if !(is_part || is_read || is_counter || is_ghost) {
                continue;
            }
            if self.reads_an_address(node, term) {
                continue;
            }
            let Some(value) = self.value_at(node, term) else {
                continue;
            };
            let constant = self.terms.value(value);
            facts.push(self.terms.eq(term, constant));
        }
        facts.retain(|f| !matches!(self.terms.op(*f), Op::Bool(_)));
        facts
    }

    /// Whether a term reads a stored pointer as data: its value is a matter of the
    /// run's layout, so it is no fact to build on.
    pub(crate) fn reads_an_address(&mut self, node: NodeId, term: Term) -> bool {
        let Op::Read { version: BASE, .. } = self.terms.op(term) else {
            return false;
        };
        let (object, offset) = (self.terms.arg(term, 0), self.terms.arg(term, 1));
        let tag = self.terms.read_tag(BASE, object, offset);
        self.is_true_at(node, tag) == Some(true)
    }

    /// Facts about the places that reads with an input in their address have in a model.
    fn facts_at_reads(
        &mut self,
        node: NodeId,
        pieces: &[Term],
        model: &Model,
        known: &[Term],
    ) -> Vec<Term> {
        let mut facts = Vec::new();
        for read in self.terms.reads(pieces) {
            if self.is_of_state(read) {
                continue;
            }
            let (object, offset) = (self.terms.arg(read, 0), self.terms.arg(read, 1));
            let places = model.values(&self.terms, &[object, offset]);
            let counter = self.vocabulary.next_object();
            let next = self.value_at(node, counter).map_or(0, |v| v.low_u64());
            if places[0].low_u64() >= next {
                continue;
            }
            let args: Vec<Term> = places.into_iter().map(|v| self.terms.value(v)).collect();
            let place = self.terms.make(self.terms.op(read), &args);
            if self.reads_an_address(node, place) {
                continue;
            }
            let Some(value) = self.value_at(node, place) else {
                continue;
            };
            let constant = self.terms.value(value);
            let fact = self.terms.eq(place, constant);
            if !known.contains(&fact)
                && !facts.contains(&fact)
                && !matches!(self.terms.op(fact), Op::Bool(_))
            {
                facts.push(fact);
            }
        }
        facts
    }
}
