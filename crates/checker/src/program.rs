//! From a proof and files to the program that the proof is about.

use attest_frontend::{LoadError, Source, load};
use attest_llvm::clang;
use attest_model::{Options, Program, inline};
use attest_proof::{DataModel, HashedFile, Proof, sha256_of_file};
use std::fmt;
use std::path::{Path, PathBuf};

/// Why a proof cannot be checked against these files.
#[derive(Debug)]
pub enum InputError {
    /// A file cannot be read.
    File(PathBuf, std::io::Error),
    /// The number of files differs from the proof's.
    Count {
        /// The number in the proof.
        wanted: usize,
        /// The number of the given files.
        given: usize,
    },
    /// A file's contents differ from those that the proof names.
    Hash(PathBuf),
    /// The program cannot be loaded.
    Load(LoadError),
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputError::File(path, why) => write!(f, "{}: {why}", path.display()),
            InputError::Count { wanted, given } => write!(
                f,
                "the proof is about {wanted} files, and {given} are given"
            ),
            InputError::Hash(path) => write!(
                f,
                "{}: its contents are not those that the proof is about",
                path.display()
            ),
            InputError::Load(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for InputError {}

/// Loads and inlines the program of a proof from these files, which must have the contents that the
/// proof names, in its order.
pub fn load_for(proof: &Proof, files: &[PathBuf]) -> Result<Program, InputError> {
    if files.len() != proof.files.len() {
        return Err(InputError::Count {
            wanted: proof.files.len(),
            given: files.len(),
        });
    }
    for (path, known) in files.iter().zip(&proof.files) {
        check_hash(path, known)?;
    }
    // The proof says where stubs, the database and the rule are.
    let named = |file: &HashedFile| -> Result<PathBuf, InputError> {
        let path = PathBuf::from(&file.path);
        check_hash(&path, file)?;
        Ok(path)
    };
    let source = Source {
        files: files.to_vec(),
        stubs: proof.stubs.iter().map(named).collect::<Result<_, _>>()?,
        data_model: match proof.data_model {
            DataModel::Ilp32 => clang::DataModel::Ilp32,
            DataModel::Lp64 => clang::DataModel::Lp64,
        },
        clang_args: proof.clang_args.clone(),
        database: proof.database.as_ref().map(named).transpose()?,
        rule: proof.rule.as_ref().map(named).transpose()?,
        model: Options {
            entry: proof.entry.clone(),
            errors: proof.errors.clone(),
            bounds: proof.bounds(),
            malloc: proof.malloc.into(),
            leaks: proof.leaks.into(),
            uninitialised: proof.uninitialised,
            quotients: proof.quotients,
        },
    };
    let program = load(&source).map_err(InputError::Load)?;
    if proof.unwinding.is_some() {
        // An unwinding executes calls as they are.
        return Ok(program);
    }
    Ok(inline(&program, &proof.inline.into()))
}

fn check_hash(path: &Path, known: &HashedFile) -> Result<(), InputError> {
    match sha256_of_file(path) {
        Err(e) => Err(InputError::File(path.into(), e)),
        Ok(hash) if hash == known.sha256 => Ok(()),
        Ok(_) => Err(InputError::Hash(path.into())),
    }
}
