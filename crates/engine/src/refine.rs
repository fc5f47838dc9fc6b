//! Refinement: the predicate that splits the region before a frontier.
//!
//! No test crosses, so there is a predicate that follows from the target's
//! precondition and that the test's state does not satisfy. Which one is the
//! strategy's choice: SYNERGY takes the whole precondition, DASH the
//! precondition under the aliasing of the test ([`crate::alpha`]), and the
//! default the part that the solver used, if inputs can be kept out of it
//! ([`crate::eliminate`]), or else facts of the test's state
//! ([`crate::facts`]). Where a location is split again and again, candidates
//! that hold of all tests come first ([`crate::candidates`]).

use crate::alpha::{comparisons, restrict};
use crate::dash::Progress;
use crate::eliminate::eliminate;
use crate::engine::Engine;
use crate::events::Question;
use crate::forest::NodeId;
use crate::frontier::Frontier;
use crate::strategy::{Calls, Candidates, Predicate};
use crate::techniques::Technique;
use attest_exec::mutants::{Mutant, mutated};
use attest_exec::symbolic::path::PathState;
use attest_solver::Answer;
use attest_term::{Op, Sort, Term};
use std::rc::Rc;

/// Splits at a location before candidates are preferred there.
const PATIENCE: u32 = 2;
/// Terms in a predicate before a location with many splits refuses it.
const MOST_TERMS: usize = 400;
/// Address comparisons that a predicate may leave open before the test's answers are
/// taken (algorithm notes 2.6, policy).
const FEW_COMPARISONS: usize = 4;
/// Splits after which a location is taken to diverge.
const MANY_SPLITS: u32 = 60;

impl Engine<'_> {
    /// Splits the region before a frontier that no test along this path crosses. `used`
    /// are the pieces of the precondition that the solver needed to say so.
    pub(crate) fn refine(
        &mut self,
        frontier: Frontier,
        node: NodeId,
        pieces: &[Term],
        used: Vec<Term>,
        path: &[Term],
        beta: &Rc<PathState>,
    ) -> Progress {
        let cores = self.options.uses(Technique::Cores);
        if self.options.uses(Technique::Sp)
            && !(cores && self.options.strategy.predicate == Predicate::Core)
            && let Some(rest) = self.without_condition(frontier, pieces, path, beta)
        {
            return self.split_by(frontier, node, &rest, pieces, "sp");
        }
        match self.options.strategy.predicate {
            Predicate::Core if !cores => self.refine_by_pre(frontier, node, pieces, path, beta),
            Predicate::Pre => self.refine_by_pre(frontier, node, pieces, path, beta),
            Predicate::WpAlpha => self.refine_by_alpha(frontier, node, pieces, path, beta),
            Predicate::Core => self.refine_by_core(frontier, node, pieces, used, path, beta),
        }
    }

    /// The precondition without the condition of the step, if no test along the path
    /// satisfies that either (the SP heuristic of the YOGI study, section 5.1).
    fn without_condition(
        &mut self,
        frontier: Frontier,
        pieces: &[Term],
        path: &[Term],
        beta: &Rc<PathState>,
    ) -> Option<Vec<Term>> {
        let src = self.regions.region(frontier.from).loc;
        let dst = self.regions.region(frontier.to).loc;
        let condition = self.pre_of(src, dst, &[])?;
        let rest = pieces.iter().filter(|piece| !condition.contains(piece));
        let rest: Vec<Term> = rest.copied().collect();
        if rest.is_empty() || rest.len() == pieces.len() {
            return None;
        }
        let is_of_state = rest.iter().all(|piece| self.is_of_state(*piece));
        let mut all = self.all_along(beta, &rest);
        all.extend(path);
        (is_of_state && self.ask(Question::Generalise, &all).is_unsat()).then_some(rest)
    }

    /// By the whole precondition.
    fn refine_by_pre(
        &mut self,
        frontier: Frontier,
        node: NodeId,
        pieces: &[Term],
        path: &[Term],
        beta: &Rc<PathState>,
    ) -> Progress {
        match self.without_inputs(pieces, path, beta, false) {
            Some(plain) => self.split_by(frontier, node, &plain, pieces, "pre"),
            None => self.refine_by_facts(frontier, node, pieces),
        }
    }

    /// By `not alpha or T_alpha`: states with another aliasing than the test's stay
    /// together with those that can cross.
    fn refine_by_alpha(
        &mut self,
        frontier: Frontier,
        node: NodeId,
        pieces: &[Term],
        path: &[Term],
        beta: &Rc<PathState>,
    ) -> Progress {
        let Some(plain) = self.without_inputs(pieces, path, beta, false) else {
            return self.refine_by_facts(frontier, node, pieces);
        };
        let rho = self.under_alpha(node, &plain);
        self.split_by(frontier, node, &[rho], pieces, "wp-alpha")
    }

    /// `not alpha or T_alpha` of pieces over the state, with the test's aliasing.
    fn under_alpha(&mut self, node: NodeId, plain: &[Term]) -> Term {
        let mut alpha = Vec::new();
        let mut restricted = Vec::with_capacity(plain.len());
        for piece in plain {
            let mut answers = Vec::new();
            for cond in comparisons(&self.terms, *piece) {
                if let Some(value) = self.is_true_at(node, cond) {
                    let atom = self.atom(node, cond, value);
                    answers.push((cond, value, atom));
                }
            }
            let (atoms, piece) = restrict(&mut self.terms, *piece, &answers);
            alpha.extend(atoms);
            restricted.push(piece);
        }
        alpha.sort_unstable();
        alpha.dedup();
        if mutated(Mutant::AlphaAtomDropped) {
            alpha.pop();
        }
        let under = self.terms.all(&restricted);
        let alpha = self.terms.all(&alpha);
        let other = self.terms.not(alpha);
        self.terms.any(&[other, under])
    }

    /// What the test says about an address comparison: for one that fails because the
    /// objects differ, that they do.
    fn atom(&mut self, node: NodeId, cond: Term, holds: bool) -> Term {
        if holds {
            return cond;
        }
        let parts = match self.terms.op(cond) {
            Op::And => self.terms.args(cond).to_vec(),
            _ => vec![cond],
        };
        let differs = parts.into_iter().find(|part| {
            let objects = self.terms.op(*part) == Op::Eq
                && self.terms.sort(self.terms.arg(*part, 0)) == Sort::BitVec(32);
            objects && self.is_true_at(node, *part) == Some(false)
        });
        self.terms.not(differs.unwrap_or(cond))
    }

    /// By the pieces that the solver used.
    fn refine_by_core(
        &mut self,
        frontier: Frontier,
        node: NodeId,
        pieces: &[Term],
        used: Vec<Term>,
        path: &[Term],
        beta: &Rc<PathState>,
    ) -> Progress {
        let loc = self.regions.region(frontier.from).loc;
        let splits = self.splits.get(&loc).copied().unwrap_or(0);
        let candidates = self.options.strategy.candidates;
        if candidates >= Candidates::Invariants
            && self.options.uses(Technique::Houdini)
            && self.learn(loc, splits)
        {
            // The frontier may be gone by what is known now.
            return Progress::Made;
        }
        if candidates >= Candidates::Refinement
            && self.options.uses(Technique::Refinement)
            && splits >= PATIENCE
            && let Some(progress) = self.refine_by_candidates(frontier, node, pieces)
        {
            return progress;
        }
        let plain = if used.iter().all(|p| self.is_of_state(*p)) {
            Some(used)
        } else {
            self.without_inputs(pieces, path, beta, true)
        };
        let Some(plain) = plain else {
            return self.refine_by_facts(frontier, node, pieces);
        };
        let plain = match self.call_before(loc) {
            Some(call) if self.options.uses(Technique::Literals) => {
                self.without_idle_frame(call, plain, path, beta)
            }
            _ => plain,
        };
        if splits > MANY_SPLITS && self.terms.dag_size(&plain) > MOST_TERMS {
            return self.refine_by_facts(frontier, node, pieces);
        }
        let compared: usize = plain
            .iter()
            .map(|p| comparisons(&self.terms, *p).len())
            .sum();
        if compared > FEW_COMPARISONS {
            let rho = self.under_alpha(node, &plain);
            return self.split_by(frontier, node, &[rho], pieces, "wp-alpha");
        }
        if self.options.uses(Technique::Facts)
            && let Some(progress) = self.refine_by_constants(frontier, node, pieces, &plain, beta)
        {
            return progress;
        }
        if splits >= PATIENCE
            && self.options.uses(Technique::Lemmas)
            && self.options.strategy.candidates >= Candidates::Invariants
            && self.learn_lemma(loc, &plain)
        {
            return Progress::Made;
        }
        self.split_by(frontier, node, &plain, pieces, "core")
    }

    /// A split that separates the test's state, or one by facts if this does not.
    pub(crate) fn split_by(
        &mut self,
        frontier: Frontier,
        node: NodeId,
        plain: &[Term],
        pieces: &[Term],
        generator: &'static str,
    ) -> Progress {
        let rho = self.terms.all(plain);
        if plain.is_empty() || self.is_true_at(node, rho) != Some(false) {
            return self.refine_by_facts(frontier, node, pieces);
        }
        self.apply_split(frontier, rho, pieces, generator)
    }

    /// Weaker pieces that speak of the state alone and still exclude the path; only those
    /// that the solver uses, if `least`.
    fn without_inputs(
        &mut self,
        pieces: &[Term],
        path: &[Term],
        beta: &Rc<PathState>,
        least: bool,
    ) -> Option<Vec<Term>> {
        if pieces.iter().all(|p| self.is_of_state(*p)) {
            return Some(pieces.to_vec());
        }
        let possible: Vec<Term> = pieces.iter().map(|p| self.possible(*p)).collect();
        let plain = eliminate(&mut self.terms, &possible);
        let mut plain = self.flatten(plain);
        plain.retain(|p| self.is_of_state(*p));
        let questions = self.all_along(beta, &plain);
        let all: Vec<Term> = path.iter().chain(&questions).copied().collect();
        match self.ask(Question::Plain, &all) {
            Answer::Unsat(core) => {
                let kept = plain.iter().zip(&questions);
                let kept = kept.filter(|(_, q)| !least || core.contains(q));
                Some(kept.map(|(p, _)| *p).collect())
            }
            _ => None,
        }
    }

    /// A piece without those of its disjuncts that speak of inputs and that no input, and
    /// no state, makes true.
    fn possible(&mut self, piece: Term) -> Term {
        // Preconditions over calls have such disjuncts; those over steps seldom do.
        if self.options.strategy.calls == Calls::Inlined {
            return piece;
        }
        let parts = self.disjuncts(piece);
        if parts.len() < 2 {
            return piece;
        }
        let mut left = Vec::with_capacity(parts.len());
        for part in parts {
            let asked = self.mentions_input(part);
            if !asked || !self.ask_briefly(Question::Plain, &[part]).is_unsat() {
                left.push(part);
            }
        }
        self.terms.any(&left)
    }

    fn disjuncts(&mut self, piece: Term) -> Vec<Term> {
        match self.terms.op(piece) {
            Op::Or => self.terms.args(piece).to_vec(),
            Op::Not => {
                let inner = self.terms.arg(piece, 0);
                match self.terms.op(inner) {
                    Op::And => {
                        let parts = self.terms.args(inner).to_vec();
                        parts.into_iter().map(|p| self.terms.not(p)).collect()
                    }
                    _ => vec![piece],
                }
            }
            _ => vec![piece],
        }
    }

    /// The truth of a condition in a node's state.
    pub(crate) fn is_true_at(&self, node: NodeId, cond: Term) -> Option<bool> {
        self.value_at(node, cond).and_then(|v| v.as_bool())
    }
}
