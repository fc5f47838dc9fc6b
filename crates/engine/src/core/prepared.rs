//! What is made once for a program and shared by all engines that work on it.

use attest_exec::CutTable;
use attest_model::{Effects, Graph, PointsTo, Program};
use std::rc::Rc;

/// A program, its graph, and what analyses say of them.
#[derive(Clone)]
pub struct Prepared<'p> {
    /// The program, its calls inlined.
    pub(crate) program: &'p Program,
    /// Its locations and edges.
    pub(crate) graph: &'p Graph,
    /// Where pointers lead.
    pub(crate) points_to: Rc<PointsTo>,
    /// What calls may change.
    pub(crate) effects: Rc<Vec<Effects>>,
    /// Where runs are watched.
    pub(crate) cuts: Rc<CutTable>,
}

impl<'p> Prepared<'p> {
    /// Analyses a program.
    pub fn new(program: &'p Program, graph: &'p Graph) -> Prepared<'p> {
        Prepared {
            program,
            graph,
            points_to: Rc::new(PointsTo::of(program)),
            effects: Rc::new(attest_model::effects(program)),
            cuts: Rc::new(CutTable::of(program, graph)),
        }
    }
}
