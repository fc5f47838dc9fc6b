//! From files to a program model: compile, put in a rule, read, link, add the library's
//! models, lower, and leave out of calls through pointers what no pointer names.

use crate::rule::RuleOptions;
use attest_llvm::clang::{self, Clang, ClangError, DataModel};
use attest_llvm::compile_commands::{CompileCommand, Database};
use attest_llvm::{LinkError, Module, ReadError};
use attest_model::{ModelError, Program, points_to};
use attest_slic::{Rule, SlicError, Unit};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

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
    /// A rule of the API, whose violation is the error.
    pub rule: Option<PathBuf>,
    /// Entry and property.
    pub model: attest_model::Options,
}

impl Source {
    /// The program of these files, with failed assertions and the usual error functions as
    /// what must not happen.
    pub fn of<P: Into<PathBuf>>(files: impl IntoIterator<Item = P>) -> Source {
        Source {
            files: files.into_iter().map(Into::into).collect(),
            ..Source::default()
        }
    }
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
    /// The rule is wrong, or does not fit the program.
    Rule(SlicError),
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
            LoadError::Rule(e) => e.fmt(f),
            LoadError::Model(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for LoadError {}

/// Loads a program.
pub fn load(source: &Source) -> Result<Program, LoadError> {
    model(&load_module(source)?, source)
}

/// The model of a program's linked module, with what points-to knows of it.
pub fn model(module: &Module, source: &Source) -> Result<Program, LoadError> {
    let mut program = attest_model::lower(module, &source.model).map_err(LoadError::Model)?;
    points_to::provenance(&mut program);
    points_to::prune(&mut program);
    if source.model.uninitialised {
        attest_model::shadow::instrument(&mut program);
    }
    Ok(program)
}

/// Set by another thread to stop a load: clang is killed then.
pub type Interrupt = Option<Arc<AtomicBool>>;

/// Loads the linked module of a program, library models included.
pub fn load_module(source: &Source) -> Result<Module, LoadError> {
    load_module_unless(source, None)
}

/// The same, unless it is interrupted.
pub fn load_module_unless(source: &Source, interrupt: Interrupt) -> Result<Module, LoadError> {
    let texts = Texts::unless(source, interrupt)?;
    match &source.rule {
        Some(path) => texts.link_with(source, &crate::rule::read_rule(path)?),
        None => texts.link(source),
    }
}

/// The compiled files of a program, before they are linked: rules share them.
#[derive(Clone, Debug)]
pub struct Texts {
    program: Vec<Text>,
    stubs: Vec<Text>,
    interrupt: Interrupt,
}

/// A file as textual IR.
#[derive(Clone, Debug)]
struct Text {
    name: String,
    ir: String,
}

impl Text {
    fn unit(&self, stub: bool) -> Unit<'_> {
        Unit {
            name: &self.name,
            ir: &self.ir,
            stub,
        }
    }

    fn module(&self) -> Result<Module, LoadError> {
        attest_llvm::read_module(&self.ir, &self.name).map_err(LoadError::Read)
    }
}

impl Texts {
    /// Compiles the files of a program.
    pub fn of(source: &Source) -> Result<Texts, LoadError> {
        Texts::unless(source, None)
    }

    /// The same, unless it is interrupted.
    pub fn unless(source: &Source, interrupt: Interrupt) -> Result<Texts, LoadError> {
        let mut compiler = Compiler::new(source, interrupt.clone())?;
        let mut all = |files: &[PathBuf]| -> Result<Vec<Text>, LoadError> {
            files.iter().map(|f| compiler.text(f)).collect()
        };
        Ok(Texts {
            program: all(&source.files)?,
            stubs: all(&source.stubs)?,
            interrupt,
        })
    }

    /// The files as the instrumentation takes them.
    pub fn units(&self) -> Vec<Unit<'_>> {
        let program = self.program.iter().map(|text| text.unit(false));
        program
            .chain(self.stubs.iter().map(|text| text.unit(true)))
            .collect()
    }

    /// Links the program with the wrappers of a rule in it.
    pub fn link_with(&self, source: &Source, rule: &Rule) -> Result<Module, LoadError> {
        let clang = Compiler::new(source, self.interrupt.clone())?.clang()?;
        let options = RuleOptions {
            data_model: source.data_model,
            clang_args: &source.clang_args,
            interrupt: self.interrupt.clone(),
        };
        let entry = &source.model.entry;
        let made = crate::rule::with_rule(&clang, rule, &self.units(), entry, options)?;
        let names = self.program.iter().chain(&self.stubs).map(|t| &t.name);
        let mut texts = made.units.into_iter();
        let renewed = names.zip(&mut texts).map(|(name, ir)| Text {
            name: name.clone(),
            ir,
        });
        let mut program: Vec<Text> = renewed.collect();
        let stubs = program.split_off(self.program.len());
        program.extend(texts.map(|ir| Text {
            name: rule.file.clone(),
            ir,
        }));
        let interrupt = self.interrupt.clone();
        Texts {
            program,
            stubs,
            interrupt,
        }
        .link(source)
    }

    /// Links the program, its stubs and the library's models.
    pub fn link(&self, source: &Source) -> Result<Module, LoadError> {
        let mut compiler = Compiler::new(source, self.interrupt.clone())?;
        let modules = self.program.iter().map(Text::module);
        let modules = modules.collect::<Result<_, _>>()?;
        let mut program = attest_llvm::link(modules).map_err(LoadError::Link)?;
        for stub in &self.stubs {
            let library = stub.module()?;
            program = attest_llvm::link_missing(program, library).map_err(LoadError::Link)?;
        }
        attest_model::library::without_open_bodies(&mut program);
        if attest_model::library::lacks_any(&program) {
            let library = compiler.library(&program)?;
            let also = attest_model::library::uncalled(&program);
            program = attest_llvm::link_library(program, library, also).map_err(LoadError::Link)?;
        }
        Ok(program)
    }
}

/// Runs clang, which is looked for only once something needs it.
struct Compiler<'a> {
    source: &'a Source,
    database: Option<Database>,
    clang: Option<Clang>,
    interrupt: Interrupt,
}

impl<'a> Compiler<'a> {
    fn new(source: &'a Source, interrupt: Interrupt) -> Result<Compiler<'a>, LoadError> {
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
            interrupt,
        })
    }

    fn text(&mut self, file: &Path) -> Result<Text, LoadError> {
        let name = file.display().to_string();
        let ir = if file.extension().is_some_and(|e| e == "ll") {
            std::fs::read_to_string(file)
                .map_err(|e| LoadError::File(file.into(), e.to_string()))?
        } else {
            self.compile(file)?
        };
        Ok(Text { name, ir })
    }

    fn compile(&mut self, file: &Path) -> Result<String, LoadError> {
        let command = self.database.as_ref().and_then(|d| d.find(file));
        // Before arguments such as -O are left out.
        if let Some(refused) = command.and_then(CompileCommand::refused) {
            return Err(LoadError::Clang(ClangError::Refused(refused)));
        }
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
        options.interrupt = self.interrupt.clone();
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
            interrupt: self.interrupt.clone(),
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
