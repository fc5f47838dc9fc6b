//! Solvers: deciding whether terms can hold together.
//!
//! The one interface is [`Solver`]; its answers carry their evidence. The default is [`Blaster`],
//! built from crates alone; [`Z3`] is loaded where its library is found. The wrappers are solvers
//! too and compose: [`Cached`] keeps answers and refutes easy checks itself, [`Portfolio`] passes
//! what the first solver does not decide to a second one, [`Recorded`] writes every check to a
//! file. [`standard`] is the solver that attest uses.
//!
//! ```
//! use attest_solver::{Answer, Blaster, Limits, Solver};
//! use attest_term::{Sort, SymbolKind, Terms};
//!
//! let mut terms = Terms::new();
//! let x = terms.var("x", Sort::BitVec(32), SymbolKind::Register);
//! let (three, seven) = (terms.bv_u128(32, 3), terms.bv_u128(32, 7));
//! let square = terms.mul(x, x);
//! let (odd, big) = (terms.eq(square, seven), terms.ult(x, three));
//! let mut solver = Blaster::new();
//! match solver.check(&terms, &[odd, big], &Limits::default()) {
//!     Answer::Sat(model) => panic!("no square ends in 111: {model:?}"),
//!     Answer::Unsat(core) => assert!(core.contains(&odd)),
//!     Answer::Unknown(reason) => panic!("{reason}"),
//! }
//! ```
//!
//! # Files
//!
//! - `solver`: the trait, its answers and limits
//! - `model`: models as states on which terms are evaluated
//! - `blaster/`: the embedded solver, bit-blasting over CaDiCaL
//! - `z3/`: the second solver, loaded at run time
//! - `floats`: the embedded solver, with Z3 for floats
//! - `cache`: a cache of answers
//! - `propagate`: equality propagation, a check before the search
//! - `portfolio`: two solvers one after the other
//! - `record`: every check as an SMT-LIB file
//! - `cores`: minimising cores
//! - `budget`: the running account of one check's limits
//! - `clock`, `memory`: the clock and the memory size that limits use
//! - `statistics`: counters and cost
//!
//! **Invariant:** a solver serves one arena. **Invariant:** answers depend only on the earlier
//! checks, so runs repeat, unless a time or memory limit strikes. **Absent:** push and pop: a check
//! takes a set of assumptions.

mod blaster;
mod budget;
mod cache;
pub mod clock;
mod cores;
mod floats;
mod memory;
mod model;
mod portfolio;
mod propagate;
mod record;
mod solver;
mod statistics;
mod z3;

pub use blaster::Blaster;
pub use cache::Cached;
pub use clock::Clock;
pub use cores::minimise_core;
pub use floats::WithFloats;
pub use model::{Model, ModelEnv};
pub use portfolio::Portfolio;
pub use record::Recorded;
pub use solver::{Answer, Core, Limits, Reason, Solver};
pub use statistics::Statistics;
pub use z3::Z3;

/// The solver that attest uses: the embedded one behind a cache, with Z3, if it is available, for
/// floats.
pub fn standard() -> Cached<WithFloats> {
    Cached::new(WithFloats::new())
}
