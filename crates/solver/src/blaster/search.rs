//! Search: gates as clauses in an instance of CaDiCaL.
//!
//! Only the gates that a check needs become clauses, each once per instance, with both directions
//! of its definition (Tseitin), so the same clauses serve a literal and its complement, and every
//! assignment of the inputs extends to the gates. A check is a set of assumed literals, so learnt
//! clauses do not depend on it, and CaDiCaL keeps them for the next check.

use std::sync::{Arc, Mutex};

use rustsat::solvers::{ControlSignal, Solve, SolveIncremental, SolverResult, Terminate};
use rustsat::types::{Cl, Lit as SatLit, TernaryVal};
use rustsat_cadical::{CaDiCaL, Limit};

use super::gates::{Gates, Kind, Lit};
use crate::budget::Budget;
use crate::memory::resident_bytes;
use crate::solver::Reason;

/// What the search found.
pub(crate) enum Found {
    /// An assignment, see [`Search::value`].
    Assignment,
    /// Assumed literals that exclude each other.
    Conflict(Vec<Lit>),
}

/// A clause set and its solver.
pub(crate) struct Search {
    solver: CaDiCaL<'static, 'static>,
    /// The variable of each gate, less one.
    variables: Vec<u32>,
    /// The gate of each variable.
    gates: Vec<u32>,
    clauses: u64,
    literals: u64,
    /// The groups of conditions that are asserted or pending.
    groups: Vec<bool>,
    /// Conditions to be asserted before the next search.
    pending: Vec<Lit>,
    /// The last round in which `cone` visited each gate.
    seen: Vec<u32>,
    round: u32,
    /// Gates defined since the limits were last checked.
    unlooked: u32,
}

fn other(error: impl std::fmt::Display) -> Reason {
    Reason::Other(error.to_string())
}

/// Options that differ from CaDiCaL's defaults. Checks are many and small, so per-call work before
/// the search itself is disabled.
const OPTIONS: &[(&str, i32)] = &[
    ("lucky", 0),
    ("walk", 0),
    ("preprocesslight", 0),
    ("compact", 0),
];

impl Search {
    pub fn new() -> Search {
        let mut solver = CaDiCaL::default();
        for (option, value) in OPTIONS {
            // A version of CaDiCaL that lacks an option does not need it.
            let _ = solver.set_option(option, *value);
        }
        Search {
            solver,
            variables: Vec::new(),
            gates: Vec::new(),
            clauses: 0,
            literals: 0,
            groups: Vec::new(),
            pending: Vec::new(),
            seen: Vec::new(),
            round: 0,
            unlooked: 0,
        }
    }

    pub fn variables(&self) -> usize {
        self.gates.len()
    }

    pub fn clauses(&self) -> u64 {
        self.clauses
    }

    /// An estimate of the bytes that the clause set takes in the solver.
    pub fn bytes(&self) -> u64 {
        300 * self.gates.len() as u64 + 56 * self.clauses + 4 * self.literals
    }

    /// Makes a literal hold from now on.
    pub fn assert(&mut self, gates: &Gates, lit: Lit, budget: &Budget) -> Result<(), Reason> {
        match lit.as_const() {
            Some(true) => Ok(()),
            Some(false) => self.clause(&[]),
            None => {
                let lit = self.define(gates, lit, budget)?;
                self.clause(&[lit])
            }
        }
    }

    /// Makes two words equal wherever a literal holds, from now on.
    pub fn equate(
        &mut self,
        gates: &Gates,
        condition: Lit,
        words: [&[Lit]; 2],
        budget: &Budget,
    ) -> Result<(), Reason> {
        let condition = match condition.as_const() {
            Some(false) => return Ok(()),
            Some(true) => None,
            None => Some(!self.define(gates, condition, budget)?),
        };
        for (&a, &b) in words[0].iter().zip(words[1]) {
            let (a, b) = (
                self.define(gates, a, budget)?,
                self.define(gates, b, budget)?,
            );
            for [a, b] in [[a, !b], [!a, b]] {
                let clause: Vec<SatLit> = condition.into_iter().chain([a, b]).collect();
                self.clause(&clause)?;
            }
        }
        Ok(())
    }

    /// The solver's literal, with clauses that define it and all below it.
    pub fn define(&mut self, gates: &Gates, lit: Lit, budget: &Budget) -> Result<SatLit, Reason> {
        if self.variables.len() < gates.len() {
            self.variables.resize(gates.len(), 0);
        }
        if self.variables[lit.gate()] == 0 {
            self.define_below(gates, lit.gate(), budget)?;
        }
        Ok(self.literal(lit))
    }

    /// Operands get lower variables than the gates over them. A gate gets its
    /// variable and its clauses at once, so a limit leaves a sound set of clauses.
    fn define_below(&mut self, gates: &Gates, root: usize, budget: &Budget) -> Result<(), Reason> {
        let mut stack = vec![(root, 0)];
        while let Some((gate, done)) = stack.pop() {
            if self.variables[gate] != 0 {
                continue;
            }
            if let Some(arg) = gates.args(gate).get(done) {
                stack.push((gate, done + 1));
                stack.push((arg.gate(), 0));
                continue;
            }
            self.look(budget)?;
            self.gates.push(gate as u32);
            self.variables[gate] = self.gates.len() as u32;
            self.define_gate(gates, gate)?;
            if let Some(group) = gates.condition_group(gate) {
                self.begin_group(gates, group);
            }
        }
        Ok(())
    }

    fn begin_group(&mut self, gates: &Gates, group: usize) {
        if self.groups.len() <= group {
            self.groups.resize(group + 1, false);
        }
        if !self.groups[group] {
            self.groups[group] = true;
            self.pending.extend_from_slice(gates.conditions(group));
        }
    }

    /// Asserts the conditions of all used inputs.
    fn settle(&mut self, gates: &Gates, budget: &Budget) -> Result<(), Reason> {
        while let Some(&condition) = self.pending.last() {
            let at = self.pending.len() - 1;
            self.assert(gates, condition, budget)?;
            // Defining the condition may have added further pending conditions.
            self.pending.remove(at);
        }
        Ok(())
    }

    fn define_gate(&mut self, gates: &Gates, gate: usize) -> Result<(), Reason> {
        let out = self.literal(Lit((gate as u32) << 1));
        let args = gates.args(gate);
        let arg = |i: usize| self.literal(args[i]);
        match gates.kind(gate) {
            Kind::False => self.clause(&[!out]),
            Kind::Input => Ok(()),
            Kind::And => {
                let args: Vec<SatLit> = (0..args.len()).map(arg).collect();
                for &arg in &args {
                    self.clause(&[!out, arg])?;
                }
                let mut last: Vec<SatLit> = args.iter().map(|&arg| !arg).collect();
                last.push(out);
                self.clause(&last)
            }
            Kind::Xor => {
                let (a, b) = (arg(0), arg(1));
                self.clause(&[!out, a, b])?;
                self.clause(&[!out, !a, !b])?;
                self.clause(&[out, !a, b])?;
                self.clause(&[out, a, !b])
            }
            Kind::Xor3 => {
                let (a, b, c) = (arg(0), arg(1), arg(2));
                // Each row of the table excludes the wrong result.
                for row in 0..8u32 {
                    let flip = |lit: SatLit, bit: u32| if row >> bit & 1 == 1 { !lit } else { lit };
                    let odd = row.count_ones() % 2 == 1;
                    let out = if odd { out } else { !out };
                    self.clause(&[flip(a, 0), flip(b, 1), flip(c, 2), out])?;
                }
                Ok(())
            }
            Kind::Mux => {
                let (c, t, e) = (arg(0), arg(1), arg(2));
                self.clause(&[!c, !t, out])?;
                self.clause(&[!c, t, !out])?;
                self.clause(&[c, !e, out])?;
                self.clause(&[c, e, !out])?;
                // Implied, but unit propagation alone does not see it.
                self.clause(&[!t, !e, out])?;
                self.clause(&[t, e, !out])
            }
            Kind::Majority => {
                let (a, b, c) = (arg(0), arg(1), arg(2));
                for [a, b] in [[a, b], [a, c], [b, c]] {
                    self.clause(&[!a, !b, out])?;
                    self.clause(&[a, b, !out])?;
                }
                Ok(())
            }
        }
    }

    fn clause(&mut self, clause: &[SatLit]) -> Result<(), Reason> {
        self.clauses += 1;
        self.literals += clause.len() as u64;
        // The only possible error is out of memory.
        let added = self.solver.add_clause_ref(Cl::new(clause));
        added.map_err(|_| Reason::Memory)
    }

    /// Searches for an assignment with these literals true; none is constant.
    pub fn solve(
        &mut self,
        gates: &Gates,
        assumed: &[Lit],
        held: u64,
        budget: &Budget,
    ) -> Result<Found, Reason> {
        let mut assumptions = Vec::with_capacity(assumed.len());
        for &lit in assumed {
            assumptions.push(self.define(gates, lit, budget)?);
        }
        self.settle(gates, budget)?;
        budget.check(held + self.bytes())?;
        if let Some(conflicts) = budget.conflicts(self.variables()) {
            let limit = Limit::Conflicts(conflicts.min(i32::MAX as u32) as i32);
            let _ = self.solver.set_limit(limit);
        }
        let stopped = self.watch(held, budget);
        let result = self.solver.solve_assumps(&assumptions);
        self.solver.detach_terminator();
        match result {
            Ok(SolverResult::Sat) => Ok(Found::Assignment),
            Ok(SolverResult::Unsat) => {
                let failed = self.solver.core().map_err(other)?;
                let gate = |lit: SatLit| self.gates[lit.var().idx() as u32 as usize];
                // The core is a clause: the complements of what failed.
                let lit = |lit: SatLit| Lit(gate(lit) << 1).xor(lit.is_pos());
                Ok(Found::Conflict(failed.into_iter().map(lit).collect()))
            }
            Ok(SolverResult::Interrupted) => {
                let stopped = stopped.lock().ok().and_then(|reason| reason.clone());
                Err(stopped.unwrap_or(Reason::Conflicts))
            }
            Err(_) => Err(Reason::Memory),
        }
    }

    /// Lets the limits stop the search; the cell then says which limit.
    fn watch(&mut self, held: u64, budget: &Budget) -> Arc<Mutex<Option<Reason>>> {
        let stopped = Arc::new(Mutex::new(None));
        if !budget.is_limited() {
            return stopped;
        }
        let (budget, reason) = (budget.clone(), stopped.clone());
        let clauses = held + self.bytes();
        let resident = resident_bytes();
        let mut calls = 0u32;
        let mut learnt = 0;
        self.solver.attach_terminator(move || {
            calls += 1;
            if calls.is_multiple_of(256) && budget.limits_memory() {
                // The growth of the process is the only measure of what the search learns.
                learnt = resident_bytes().saturating_sub(resident);
            }
            match budget.spent(clauses + learnt) {
                None => ControlSignal::Continue,
                spent => {
                    if let Ok(mut reason) = reason.lock() {
                        *reason = spent;
                    }
                    ControlSignal::Terminate
                }
            }
        });
        stopped
    }

    /// The value of a literal in the assignment found last; false where it is open.
    pub fn value(&self, lit: Lit) -> bool {
        if let Some(constant) = lit.as_const() {
            return constant;
        }
        let plain = match self.variables.get(lit.gate()) {
            None | Some(0) => false,
            Some(variable) => {
                let lit = SatLit::positive(variable - 1);
                matches!(self.solver.lit_val(lit), Ok(TernaryVal::True))
            }
        };
        plain ^ lit.is_complement()
    }

    /// How many gates the literals need: the size of the current check.
    pub fn cone(&mut self, gates: &Gates, roots: &[Lit]) -> usize {
        self.seen.resize(gates.len(), 0);
        self.round += 1;
        let mut groups = vec![];
        let mut stack: Vec<usize> = roots.iter().map(|lit| lit.gate()).collect();
        let mut count = 0;
        while let Some(gate) = stack.pop() {
            if std::mem::replace(&mut self.seen[gate], self.round) == self.round {
                continue;
            }
            count += 1;
            stack.extend(gates.args(gate).iter().map(|arg| arg.gate()));
            if let Some(group) = gates.condition_group(gate)
                && groups.last() != Some(&group)
            {
                // A group's inputs are consecutive; a repeated group does no harm.
                groups.push(group);
                stack.extend(gates.conditions(group).iter().map(|lit| lit.gate()));
            }
        }
        count
    }

    /// The work of all searches of this instance, in CaDiCaL's ticks.
    pub fn ticks(&self) -> u64 {
        self.solver.get_statistic(rustsat_cadical::Statistic::Ticks)
    }

    /// Conflicts of all searches of this instance.
    pub fn conflicts(&self) -> u64 {
        use rustsat::solvers::GetInternalStats;
        self.solver.conflicts() as u64
    }

    fn look(&mut self, budget: &Budget) -> Result<(), Reason> {
        self.unlooked += 1;
        if self.unlooked < 1 << 12 {
            return Ok(());
        }
        self.unlooked = 0;
        budget.check(self.bytes())
    }

    fn literal(&self, lit: Lit) -> SatLit {
        SatLit::new(self.variables[lit.gate()] - 1, lit.is_complement())
    }
}
