//! The way from files to a program model, for every program that needs one.

mod load;
mod rule;

pub use load::{LoadError, Source, Texts, load, load_module, model};
pub use rule::{RuleOptions, check_rule, folder_of, read_rule};
