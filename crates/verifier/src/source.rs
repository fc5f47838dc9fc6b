//! Which program is checked, and against what.
//!
//! A [`Source`] is what is loaded. A user often names less: a task definition instead of
//! files, or a property file instead of error functions. [`Named`] becomes a [`Source`] by
//! reading those.

use crate::error::Error;
use crate::{files, property, task};
use attest_llvm::DataModel;
use attest_model::{Checks, Malloc};
use std::path::PathBuf;

pub use attest_frontend::Source;

/// A program as a user names it.
#[derive(Clone, Default, Debug)]
pub struct Named {
    /// C, preprocessed C and LLVM IR files, or one task definition of SV-COMP.
    pub files: Vec<PathBuf>,
    /// C files with bodies for functions that the program lacks.
    pub stubs: Vec<PathBuf>,
    /// What must not happen: `unreach-call`, or the path of a property file of SV-COMP.
    /// Without it: failed assertions, and calls of `reach_error` or `__VERIFIER_error`.
    pub property: Option<String>,
    /// A rule of the API that must not be violated, instead of a property.
    pub rule: Option<PathBuf>,
    /// Where the program starts, if it is not `main`; such a function gets arbitrary
    /// arguments.
    pub entry: Option<String>,
    /// Whether allocations may fail.
    pub malloc: Malloc,
    /// The widths of types.
    pub data_model: DataModel,
    /// Arguments for clang.
    pub clang_args: Vec<String>,
    /// A `compile_commands.json`.
    pub database: Option<PathBuf>,
}

impl Named {
    /// What the property asks for, if one is named, here or in a task definition.
    pub fn property_checks(&self) -> Result<Option<Checks>, Error> {
        let task = task::of(&self.files, self.property.as_ref(), self.data_model)?;
        let property = task.property.as_deref().map(property::named).transpose()?;
        Ok(property.map(|property| property.checks))
    }

    /// What to load, with every file looked at first.
    pub fn source(&self) -> Result<Source, Error> {
        let task = task::of(&self.files, self.property.as_ref(), self.data_model)?;
        let property = task.property.as_deref().map(property::named).transpose()?;
        for file in task.files.iter().chain(&self.stubs) {
            files::inspect(file)?;
        }
        let mut model = attest_model::Options::default();
        if let Some(property) = property {
            // Where they are not asked for, error functions end the program like `abort`.
            model.errors = property.errors;
            model.entry = property.entry.unwrap_or(model.entry);
        }
        if let Some(entry) = &self.entry {
            model.entry.clone_from(entry);
        }
        model.malloc = self.malloc;
        if self.rule.is_some() {
            model.errors = vec![attest_slic::ABORT.into()];
        }
        Ok(Source {
            files: task.files,
            stubs: self.stubs.clone(),
            data_model: task.data_model,
            clang_args: self.clang_args.clone(),
            database: self.database.clone(),
            rule: self.rule.clone(),
            model,
        })
    }
}

/// The program's widths of types, in the words of proofs and tests.
pub(crate) fn written_data_model(source: &Source) -> attest_proof::DataModel {
    match source.data_model {
        DataModel::Ilp32 => attest_proof::DataModel::Ilp32,
        DataModel::Lp64 => attest_proof::DataModel::Lp64,
    }
}
