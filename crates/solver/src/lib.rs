//! Solvers.

mod blaster;
mod budget;
mod memory;
mod model;
mod solver;
mod statistics;

pub use blaster::Blaster;
pub use model::{Model, ModelEnv};
pub use solver::{Answer, Core, Limits, Reason, Solver};
pub use statistics::Statistics;
