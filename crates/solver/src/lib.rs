//! Solvers.

mod blaster;
mod budget;
mod memory;
mod model;
mod solver;
mod statistics;
mod z3;

pub use blaster::Blaster;
pub use model::{Model, ModelEnv};
pub use solver::{Answer, Core, Limits, Reason, Solver};
pub use statistics::Statistics;
pub use z3::Z3;
