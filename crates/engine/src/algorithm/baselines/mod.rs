//! The algorithms that the papers compare themselves with, over the same core.

pub(crate) mod cegar;
pub(crate) mod dse;
pub(crate) mod lee_yannakakis;
pub(crate) mod step_paths;
