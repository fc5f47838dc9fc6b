//! From files to a program model: compile, read, link, add the library's models, lower,
//! and leave out of calls through pointers what no pointer names.

use attest_llvm::clang::{self, Clang, ClangError, DataModel};
use attest_llvm::compile_commands::Database;
use attest_llvm::{LinkError, Module, ReadError};
use attest_model::{ModelError, Program};
use std::fmt;
use std::path::{Path, PathBuf};

/// What to load and how.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// C, preprocessed C and `.ll` files; several are linked.
    pub files: Vec<PathBuf>,
    /// C files with bodies for functions that the program lacks.
    pub stubs: Vec<PathBuf>,
    /// The widths of types; a compilation database or the `.ll` itself may say otherwise.
    pub data_model: DataModel,
    /// Arguments for clang.
    pub clang_args: Vec<String>,
    /// A `compile_commands.json`.
    pub database: Option<PathBuf>,
    /// Entry and property.
    pub model: attest_model::Options,
}

/// Why there is no model.
#[derive(Debug)]
pub enum LoadError {
    /// A file cannot be read, or is not what it should be.
    File(PathBuf, String),
    /// clang is missing or rejects a file.
    Clang(ClangError),
    /// A `.ll` file has unknown syntax.
    Read(ReadError),
    /// The files do not fit together.
    Link(LinkError),
    /// There is nothing to model.
    Model(ModelError),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::File(path, why) => write!(f, "{}: {why}", path.display()),
            LoadError::Clang(e) => e.fmt(f),
            LoadError::Read(e) => e.fmt(f),
            LoadError::Link(e) => e.fmt(f),
            LoadError::Model(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for LoadError {}

/// Loads a program.
pub fn load(source: &Source) -> Result<Program, LoadError> {
    let module = load_module(source)?;
    let mut program = attest_model::lower(&module, &source.model).map_err(LoadError::Model)?;
    attest_model::points_to::prune(&mut program);
    Ok(program)
}

/// Loads the linked module of a program, library models included.
pub fn load_module(source: &Source) -> Result<Module, LoadError> {
    let mut compiler = Compiler::new(source)?;
    let modules = source
        .files
        .iter()
        .map(|f| compiler.module(f))
        .collect::<Result<_, _>>()?;
    let mut program = attest_llvm::link(modules).map_err(LoadError::Link)?;
    for stub in &source.stubs {
        let library = compiler.module(stub)?;
        program = attest_llvm::link_missing(program, library).map_err(LoadError::Link)?;
    }
    if attest_model::library::lacks_any(&program) {
        let library = compiler.library(&program)?;
        program = attest_llvm::link_missing(program, library).map_err(LoadError::Link)?;
    }
    Ok(program)
}

/// Runs clang, which is looked for only once something needs it.
struct Compiler<'a> {
    source: &'a Source,
    database: Option<Database>,
    clang: Option<Clang>,
}

impl<'a> Compiler<'a> {
    fn new(source: &'a Source) -> Result<Compiler<'a>, LoadError> {
        let database = match &source.database {
            Some(path) => {
                let read = Database::read(path);
                Some(read.map_err(|e| LoadError::File(path.clone(), e.to_string()))?)
            }
            None => None,
        };
        Ok(Compiler {
            source,
            database,
            clang: None,
        })
    }

    fn module(&mut self, file: &Path) -> Result<Module, LoadError> {
        let name = file.display().to_string();
        let text = if file.extension().is_some_and(|e| e == "ll") {
            std::fs::read_to_string(file)
                .map_err(|e| LoadError::File(file.into(), e.to_string()))?
        } else {
            self.compile(file)?
        };
        attest_llvm::read_module(&text, &name).map_err(LoadError::Read)
    }

    fn compile(&mut self, file: &Path) -> Result<String, LoadError> {
        let command = self.database.as_ref().and_then(|d| d.find(file));
        let mut options = match command {
            Some(command) => {
                let mut options = command.options();
                options.data_model = command.data_model().unwrap_or(self.source.data_model);
                options
            }
            None => clang::Options {
                data_model: self.source.data_model,
                ..Default::default()
            },
        };
        options.args.extend(self.source.clang_args.iter().cloned());
        let path = std::path::absolute(file).unwrap_or_else(|_| file.into());
        let file = if options.directory.is_some() {
            &path
        } else {
            file
        };
        let clang = self.clang()?;
        clang::compile(&clang, &options, file).map_err(LoadError::Clang)
    }

    /// The library's models, compiled for the same machine as the program.
    fn library(&mut self, program: &Module) -> Result<Module, LoadError> {
        let folder = tempfile::tempdir()
            .map_err(|e| LoadError::File(std::env::temp_dir(), e.to_string()))?;
        let path = folder.path().join("libc.c");
        std::fs::write(&path, attest_model::library::SOURCE)
            .map_err(|e| LoadError::File(path.clone(), e.to_string()))?;
        let pointers = attest_llvm::Layout::parse(&program.data_layout).map(|l| l.pointer_bits(0));
        let data_model = if pointers == Ok(32) {
            DataModel::Ilp32
        } else {
            DataModel::Lp64
        };
        let options = clang::Options {
            data_model,
            // Else clang takes the builtins of `sqrt` and `fmod` for calls of the functions.
            args: vec!["-fno-math-errno".into()],
            ..Default::default()
        };
        let text = clang::compile(&self.clang()?, &options, &path).map_err(LoadError::Clang)?;
        attest_llvm::read_module(&text, "attest's libc.c").map_err(LoadError::Read)
    }

    fn clang(&mut self) -> Result<Clang, LoadError> {
        if self.clang.is_none() {
            self.clang = Some(Clang::find().map_err(LoadError::Clang)?);
        }
        self.clang
            .clone()
            .ok_or_else(|| LoadError::File("clang".into(), "not found".into()))
    }
}
