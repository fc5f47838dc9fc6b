//! Looking at the states of tests: predicates are evaluated here and nowhere else.

use crate::forest::{ActivationId, Forest, NodeId};
use attest_exec::Snapshot;
use attest_exec::symbolic::env::{StateEnv, SymbolTable};
use attest_model::graph::Graph;
use attest_term::{SymbolId, Value};
use rustc_hash::FxHashMap;

/// The values of a query's ghosts in each activation.
pub(crate) type Ghosts = FxHashMap<ActivationId, FxHashMap<SymbolId, Value>>;

/// What is needed to evaluate a predicate of one procedure on a test's state.
#[derive(Clone, Copy)]
pub(crate) struct StateView<'a> {
    pub forest: &'a Forest,
    pub graph: &'a Graph,
    pub symbols: &'a SymbolTable,
    pub ghosts: &'a Ghosts,
    pub none: &'a FxHashMap<SymbolId, Value>,
    pub pointer_bits: u32,
}

impl<'a> StateView<'a> {
    /// A node's state; none where the program had ended.
    pub fn at(self, node: NodeId) -> Option<StateEnv<'a>> {
        let node = self.forest.node(node);
        Some(StateEnv {
            returned: &node.returned,
            inputs: self.ghosts.get(&node.activation).unwrap_or(self.none),
            ..self.state(node.state.as_ref()?)
        })
    }

    /// A state of the program itself, before its end.
    pub fn state(self, state: &'a Snapshot) -> StateEnv<'a> {
        StateEnv {
            state,
            graph: self.graph,
            table: self.symbols,
            returned: &[],
            inputs: self.none,
            pointer_bits: self.pointer_bits,
            extents: None,
        }
    }
}
