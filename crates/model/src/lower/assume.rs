//! What stubs assume of the world.
//!
//! A stub that models only some of what can happen says so: it calls a function whose name begins
//! with `__attest_assuming_` and goes on with the assumption, such as
//! `__attest_assuming_threads_run_one_after_the_other`. The call does nothing. A program that can
//! call the stub has the assumption, and every verdict of safety that is given on it names it.

use super::function::Builder;
use crate::library::ASSUMING;
use crate::program::*;
use std::sync::Arc;

/// An assumption, and the function that makes it.
pub(crate) struct Assumption {
    function: Arc<str>,
    words: Arc<str>,
}

impl Builder<'_, '_> {
    /// Notes the assumption that a function's name says; whether it says one.
    pub(super) fn assumes(&mut self, name: &str) -> bool {
        let Some(words) = name.strip_prefix(ASSUMING) else {
            return false;
        };
        self.ctx.assuming.push(Assumption {
            function: self.name.clone(),
            words: words.replace('_', " ").into(),
        });
        true
    }
}

/// The assumptions of the functions that the entry can call.
pub(super) fn made(functions: &[Function], entry: FnId, all: &[Assumption]) -> Arc<[Arc<str>]> {
    if all.is_empty() {
        return Arc::default();
    }
    let mut reached = vec![false; functions.len()];
    let mut left = vec![entry];
    while let Some(id) = left.pop() {
        if std::mem::replace(&mut reached[id.0 as usize], true) {
            continue;
        }
        let insts = functions[id.0 as usize].blocks.iter();
        for inst in insts.flat_map(|block| &block.insts) {
            if let Inst::Call(call) = inst {
                left.push(call.callee);
            }
        }
    }
    let is_reached = |name: &str| {
        let mut known = functions.iter().zip(&reached);
        known.any(|(function, reached)| *reached && *function.name == *name)
    };
    let mut words: Vec<Arc<str>> = Vec::new();
    for assumption in all.iter().filter(|a| is_reached(&a.function)) {
        if !words.contains(&assumption.words) {
            words.push(assumption.words.clone());
        }
    }
    words.into()
}
