//! From C text to a model and a run.
#![allow(dead_code)]

pub mod pointers;
pub mod programs;

use attest_exec::{InputValue, Inputs, Interpreter, Limits, Outcome, Overflow, Rest};
use attest_llvm::clang::{Clang, DataModel, Options, compile};
use attest_model::Program;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The IR that clang makes of a C text: the same on every machine and in every process.
pub fn ir(source: &str, data_model: DataModel) -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let file = std::env::temp_dir().join(format!("attest-exec-{}-{number}.c", std::process::id()));
    std::fs::write(&file, source).expect("a temporary file");
    let clang = Clang::find().expect("clang is installed");
    let options = Options {
        data_model,
        ..Default::default()
    };
    let text = compile(&clang, &options, &file);
    std::fs::remove_file(&file).ok();
    let text = text.unwrap_or_else(|e| panic!("{e}"));
    let folder = std::env::current_dir().expect("a folder to work in");
    let text = text.replace(&*file.to_string_lossy(), "test.c");
    text.replace(&*folder.to_string_lossy(), "here")
}

/// The model of a C text.
pub fn model(source: &str) -> Program {
    model_of(source, DataModel::Lp64)
}

/// The model of a C text in a data model.
pub fn model_of(source: &str, data_model: DataModel) -> Program {
    let text = ir(source, data_model);
    let module = attest_llvm::read_module(&text, "test.c").unwrap_or_else(|e| panic!("{e}"));
    let program = attest_model::lower(&module, &Default::default());
    with_unset(program.unwrap_or_else(|e| panic!("{e}")))
}

/// The program as the front end gives it: reads of pointers that nobody wrote are marked.
fn with_unset(mut program: Program) -> Program {
    attest_model::points_to::provenance(&mut program);
    program
}

/// The programs of the differential tests with the library's models, by name.
pub fn differential_programs() -> Vec<(String, Program)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../cli/tests/programs");
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries.map(|e| e.path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "c"));
    files.sort();
    let read = |text: &str| {
        let text = ir(text, DataModel::Lp64);
        attest_llvm::read_module(&text, "test.c").unwrap_or_else(|e| panic!("{e}"))
    };
    let library = read(attest_model::library::SOURCE);
    let with_library = |file: &std::path::PathBuf| {
        let source = std::fs::read_to_string(file).expect("it reads");
        let module = attest_llvm::link_missing(read(&source), library.clone());
        let module = module.unwrap_or_else(|e| panic!("{e}"));
        let program = attest_model::lower(&module, &Default::default());
        let name = file.display().to_string();
        (name, with_unset(program.unwrap_or_else(|e| panic!("{e}"))))
    };
    files.iter().map(with_library).collect()
}

/// Inputs from text.
pub fn inputs(nondet: &str, uninit: &str) -> Arc<Inputs> {
    let list = |text: &str| {
        let parts = text.split(',').filter(|t| !t.trim().is_empty());
        parts
            .map(|t| InputValue::parse(t).expect("a number"))
            .collect()
    };
    let (nondet, uninit) = (list(nondet), list(uninit));
    Arc::new(Inputs {
        nondet,
        uninit,
        rest: Rest::Zero,
        ..Default::default()
    })
}

/// How a program ends on these inputs.
pub fn outcome(program: &Program, inputs: Arc<Inputs>) -> Outcome {
    let limits = Limits {
        steps: 1_000_000,
        ..Default::default()
    };
    Interpreter::new(program, inputs, Overflow::Wrap, limits).run()
}

/// Runs a C text and compares how it ends, written as in `Returned(Some(3))`, with what is expected.
pub fn check(source: &str, nondet: &str, uninit: &str, expect: &str) {
    let program = model(source);
    let got = match outcome(&program, inputs(nondet, uninit)) {
        Outcome::Bailed(bail) => format!("bail {}", bail.kind.word()),
        Outcome::Returned(Some(n)) => format!("return {n}"),
        Outcome::Error(name) => format!("error {name}"),
        other => format!("{other:?}"),
    };
    assert_eq!(
        got, expect,
        "for inputs [{nondet}] and [{uninit}] of {source}"
    );
}
