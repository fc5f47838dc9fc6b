//! Merged states, as property simulation has them: one for each state of the rule.
//!
//! Of a merged state is known what each variable is in all of its states: one value, a few where
//! they are names, not zero, or anything. What grows too much is known less well, so that a
//! simulation ends.

use crate::simulation::tracked::{Followed, How};
use crate::tuning::SimulationLimits;
use attest_term::{Term, Value};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// What is known of a variable in merged states.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Merged {
    /// One value, or a few where they are names.
    Few(BTreeSet<Value>),
    NotZero,
    Any,
}

/// Merged states.
#[derive(Clone)]
pub(super) struct Merger {
    /// What is known of all that is tracked.
    pub known: Vec<Merged>,
    /// That in a term, once it is needed.
    pub fact: Option<Term>,
    /// When that changed last.
    pub changed: u64,
}

/// What is known of a location.
pub(super) struct Simulation {
    pub limits: SimulationLimits,
    pub followed: Vec<Followed>,
    /// The states for the values of what is kept apart, in the order of `followed`.
    pub states: BTreeMap<Vec<Value>, Merger>,
    pub mergers: usize,
}

/// Whether a value is zero; what is no number may be.
fn is_zero(value: &Value) -> bool {
    match value {
        Value::Bv(bits) => bits.is_zero(),
        _ => true,
    }
}

impl Simulation {
    pub fn key(&self, values: &[Value]) -> Vec<Value> {
        let all = self.followed.iter().zip(values);
        let apart = all.filter(|(followed, _)| followed.how == How::Apart);
        apart.map(|(_, value)| value.clone()).collect()
    }

    /// Takes up states of which this is one; whether they are new.
    pub fn merge(&mut self, values: &[Value], new: Vec<Merged>, clock: u64) -> bool {
        self.mergers += 1;
        let key = self.key(values);
        let new = Merger::new(new, clock);
        match self.states.get_mut(&key) {
            Some(state) => state.with(&new, &self.followed, self.limits.names, clock),
            None => {
                self.states.insert(key, new);
                true
            }
        }
    }

    /// Nothing is known any more but that the location may be reached.
    pub fn forget_all(&mut self, clock: u64) {
        self.followed.clear();
        let any = Merger::new(Vec::new(), clock);
        self.states = BTreeMap::from_iter([(Vec::new(), any)]);
    }

    /// Merges what has too many values.
    pub fn forget(&mut self, clock: u64) {
        if self.mergers > self.limits.mergers {
            self.mergers = 0;
            for state in self.states.values_mut() {
                for (merged, followed) in state.known.iter_mut().zip(&self.followed) {
                    if followed.how != How::Apart && *merged == Merged::NotZero {
                        *merged = Merged::Any;
                    }
                }
                (state.fact, state.changed) = (None, clock);
            }
        }
        loop {
            let apart = self.followed.iter().filter(|f| f.how == How::Apart);
            let apart = apart.count();
            let count = |i: usize| {
                let values: FxHashSet<&Value> = self.states.keys().map(|key| &key[i]).collect();
                values.len()
            };
            let most = (0..apart).map(|i| (count(i), i)).max();
            let Some((values, at)) = most else { return };
            if values <= self.limits.values && self.states.len() <= self.limits.states {
                return;
            }
            self.merge_all(at, clock);
        }
    }

    /// States that differ in one variable of the rule only are kept apart no more.
    pub fn merge_all(&mut self, at: usize, clock: u64) {
        let mut apart = self.followed.iter_mut().filter(|f| f.how == How::Apart);
        if let Some(followed) = apart.nth(at) {
            followed.how = How::Merged;
        }
        for (mut key, state) in std::mem::take(&mut self.states) {
            key.remove(at);
            match self.states.get_mut(&key) {
                None => {
                    self.states.insert(key, state);
                }
                Some(merged) => {
                    merged.with(&state, &self.followed, self.limits.names, clock);
                }
            }
        }
    }
}

impl Merger {
    pub fn new(known: Vec<Merged>, clock: u64) -> Merger {
        Merger {
            known,
            fact: None,
            changed: clock,
        }
    }

    /// Takes up others; whether that makes a difference.
    pub fn with(
        &mut self,
        new: &Merger,
        followed: &[Followed],
        most_names: usize,
        clock: u64,
    ) -> bool {
        let both = self.known.iter().zip(&new.known).zip(followed);
        let both = both.map(|((a, b), followed)| a.with(b, followed.how, most_names));
        let both: Vec<Merged> = both.collect();
        if both == self.known {
            return false;
        }
        *self = Merger::new(both, clock);
        true
    }
}

impl Merged {
    /// Each has the value that it has.
    pub fn each(values: &[Value]) -> Vec<Merged> {
        let one = |value: &Value| Merged::Few([value.clone()].into());
        values.iter().map(one).collect()
    }

    /// Whether all of these are among others.
    pub fn is_within(&self, other: &Merged) -> bool {
        match (self, other) {
            (_, Merged::Any) => true,
            (Merged::Few(a), Merged::Few(b)) => a.is_subset(b),
            (Merged::Few(a), Merged::NotZero) => !a.iter().any(is_zero),
            (Merged::NotZero, Merged::NotZero) => true,
            _ => false,
        }
    }

    /// What is known if it is one or the other.
    pub fn with(&self, other: &Merged, how: How, most_names: usize) -> Merged {
        let zero = |merged: &Merged| match merged {
            Merged::Few(values) => values.iter().any(is_zero),
            Merged::NotZero => false,
            Merged::Any => true,
        };
        match (self, other) {
            (a, b) if a == b => a.clone(),
            (Merged::Few(a), Merged::Few(b))
                if how == How::Few && a.union(b).count() <= most_names =>
            {
                Merged::Few(a.union(b).cloned().collect())
            }
            (a, b) if zero(a) || zero(b) => Merged::Any,
            _ => Merged::NotZero,
        }
    }
}
