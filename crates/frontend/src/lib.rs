//! The way from files to a program model, for every program that needs one.

mod load;
mod rule;

pub use load::{Interrupt, LoadError, Source, Texts, load, load_module, load_module_unless, model};
pub use rule::{RuleOptions, check_rule, folder_of, read_rule};
