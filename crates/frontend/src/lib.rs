//! The way from files to a program model, for every program that needs one.

mod load;

pub use load::{LoadError, Source, load, load_module};
