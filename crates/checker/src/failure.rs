//! Descriptions of an edge that could not be confirmed.

use crate::check::Checker;
use crate::map::{Claim, Map};
use crate::session::{Session, Stop};
use crate::state::Value;
use crate::verdict::{Failure, describe};
use attest_model::Reg;
use attest_model::graph::Loc;
use attest_solver::Model;
use attest_term::{Term, Terms};
use std::sync::Arc;

impl Checker<'_> {
    pub(crate) fn stop(
        &self,
        session: &Session<'_>,
        map: &Map,
        mut failure: Failure,
        model: Option<Arc<Model>>,
        reason: Option<attest_solver::Reason>,
        goal: Option<Term>,
    ) -> Stop {
        if let Some(reason) = reason {
            failure.why = format!("not decided ({reason}): {}", failure.why);
            return Stop::Undecided(Box::new(failure));
        }
        if let Some(model) = model {
            let roots = self.named_parts(map, &failure, &session.terms, goal);
            failure.state = describe(self.semantics.program, &session.terms, &model, &roots);
        }
        Stop::Rejected(Box::new(failure))
    }

    /// The parts of the state that describe a counterexample: those that the source's invariant
    /// mentions or later code reads.
    fn named_parts(
        &self,
        map: &Map,
        failure: &Failure,
        terms: &Terms,
        goal: Option<Term>,
    ) -> Vec<(String, Value)> {
        let program = self.semantics.program;
        let mut roots: Vec<Term> = goal.into_iter().collect();
        roots.extend(map.invariants.get(&failure.source));
        let mentioned = terms.reachable(&roots);
        let live = &self.semantics.graph.location(failure.source).live;
        let function = program.function(map.function);
        let mut out = Vec::new();
        for (i, value) in map.symbols.regs.iter().enumerate() {
            let info = &function.regs[i];
            let wanted = live.contains(&Reg(i as u32))
                || value.terms().any(|t| mentioned.binary_search(&t).is_ok());
            if wanted {
                let name = info
                    .variable
                    .map_or(&*info.name, |v| &program.variable(v).name);
                out.push((format!("{name} (r{i})"), *value));
            }
        }
        for (value, info) in map.symbols.globals.iter().zip(&program.globals) {
            out.push((info.name.to_string(), *value));
        }
        if let Claim::Summary(at, _) = map.claim {
            let summary = &self.maps.summaries[at];
            for (i, ghost) in summary.ghosts.iter().enumerate() {
                out.push((format!("s{}.z{i}", summary.id), Value::One(*ghost)));
            }
        }
        out
    }

    pub(crate) fn failure(
        &self,
        map: &Map,
        source: Loc,
        target: Option<Loc>,
        why: &str,
    ) -> Failure {
        let program = self.semantics.program;
        let words = |at: Loc| {
            let location = self.semantics.graph.location(at);
            match location.position {
                Some(_) => format!("L{} ({})", at.0, program.place(location.place)),
                None => "the start".to_owned(),
            }
        };
        let whose = match map.claim {
            Claim::Main => String::new(),
            Claim::Summary(at, _) => {
                let name = &program.function(map.function).name;
                format!("summary {} of {name}, ", self.maps.summaries[at].id)
            }
        };
        Failure {
            source,
            from: format!("{whose}{}", words(source)),
            to: target.map_or_else(String::new, words),
            why: why.to_owned(),
            state: Vec::new(),
            inputs: Vec::new(),
        }
    }
}
