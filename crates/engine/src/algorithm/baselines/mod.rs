//! The algorithms that the papers compare themselves with, over the same core.
//!
//! - `cegar`: predicate abstraction, refined by infeasible paths (SLAM);
//! - `dse`: a test for each path (DART);
//! - `lee_yannakakis`: the bisimulation quotient, as SYNERGY's figure 5 has it;
//! - `step_paths`: the decisions that lead from a cut point to the next.

pub(crate) mod cegar;
pub(crate) mod dse;
pub(crate) mod lee_yannakakis;
pub(crate) mod step_paths;
