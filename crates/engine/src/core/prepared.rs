//! What is made once for a program and shared by all engines that work on it.

use attest_exec::CutTable;
use attest_model::{Effects, Graph, PointsTo, Program};
use std::sync::Arc;

/// A program, its graph, and what analyses say of them.
#[derive(Clone)]
pub struct Prepared<'p> {
    /// The program, its calls inlined.
    pub(crate) program: &'p Program,
    /// Its locations and edges.
    pub(crate) graph: &'p Graph,
    /// Where pointers lead.
    pub(crate) points_to: Arc<PointsTo>,
    /// What calls may change.
    pub(crate) effects: Arc<Vec<Effects>>,
    /// Where runs are watched.
    pub(crate) cuts: Arc<CutTable>,
}

impl<'p> Prepared<'p> {
    /// Analyses a program.
    pub fn new(program: &'p Program, graph: &'p Graph) -> Prepared<'p> {
        Prepared {
            program,
            graph,
            points_to: Arc::new(PointsTo::of(program)),
            effects: Arc::new(attest_model::effects(program)),
            cuts: Arc::new(CutTable::of(program, graph)),
        }
    }
}
