//! The one place where regions are split (algorithm notes 0).
//!
//! `rho` must follow from the region, what is invariant there, and the
//! precondition of the target. Then the states outside of `rho` cannot step
//! into the target and their edge may go. That is the only condition, it
//! speaks of one edge, and whoever made `rho` need not be trusted: with
//! `self_check` the solver discharges it here.

use crate::dash::Progress;
use crate::engine::Engine;
use crate::events::{Cut, Event, Question};
use crate::forest::NodeId;
use crate::frontier::Frontier;
use crate::look::Look;
use attest_exec::mutants::{Mutant, mutated};
use attest_solver::Answer;
use attest_term::{Program as Compiled, Scratch, Term};

impl Engine<'_> {
    /// Splits the region before a frontier by `rho` and deletes the edge from the part
    /// outside of it. `pieces` are the precondition of the frontier's target.
    pub(crate) fn apply_split(
        &mut self,
        frontier: Frontier,
        rho: Term,
        pieces: &[Term],
        generator: &'static str,
    ) -> Progress {
        let rho = match mutated(Mutant::SplitNegated) {
            true => self.terms.not(rho),
            false => rho,
        };
        if self.terms.bool_const(rho) == Some(false) {
            self.cut(frontier, Cut::Facts);
            return Progress::Made;
        }
        if self.options.self_check {
            let mut all = self.known_at(frontier.from);
            all.extend(pieces);
            all.push(self.terms.not(rho));
            match self.ask(Question::SelfCheck, &all) {
                Answer::Unsat(_) => {}
                Answer::Sat(_) => panic!(
                    "the split rule is violated by {generator}: {}",
                    self.terms.to_c(rho)
                ),
                // Not confirmed, not applied.
                Answer::Unknown(_) => {
                    for witness in self.regions.region(frontier.from).witnesses.clone() {
                        self.tried
                            .insert((frontier.from, frontier.to, Some(witness)));
                    }
                    return Progress::Stuck("the split could not be confirmed");
                }
            }
        }
        let (inside, outside) = self.divide(frontier, rho);
        let loc = self.regions.region(inside).loc;
        *self.splits.entry(loc).or_default() += 1;
        let without = match mutated(Mutant::SplitOfWrongPart) {
            true => inside,
            false => outside,
        };
        self.regions.cut(without, frontier.to);
        let mut bad = std::mem::take(&mut self.bad);
        bad.split(self.space(), frontier.from, [inside, outside]);
        self.bad = bad;
        self.statistics.regions = self.regions.count() as u64;
        self.tell(Event::Split {
            region: frontier.from,
            to: frontier.to,
            inside,
            outside,
            rho,
            generator,
        });
        self.check_edges([inside, outside]);
        Progress::Made
    }

    fn divide(
        &mut self,
        frontier: Frontier,
        rho: Term,
    ) -> (crate::regions::RegionId, crate::regions::RegionId) {
        let look = Look {
            forest: &self.forest,
            graph: self.graph,
            symbols: &self.symbols,
            ghosts: &self.ghosts,
            none: &self.no_ghosts,
            pointer_bits: self.program.pointer_bits,
        };
        let mut scratch = Scratch::default();
        let holds = |rho: &Compiled, node: NodeId| {
            let env = look.at(node);
            env.is_some_and(|env| rho.eval_bool(&env, &mut scratch))
        };
        self.regions
            .split(&mut self.terms, frontier.from, rho, holds)
    }
}
