//! Compiles C files the way attest does and reads the result:
//! `compile [-m32] FILE... [-- CLANG-ARGS]`.

use attest_llvm::{Clang, DataModel, Options, compile, link, read_module};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut options = Options::default();
    let mut files = Vec::new();
    let mut args = std::env::args().skip(1);
    for arg in args.by_ref() {
        match arg.as_str() {
            "-m32" => options.data_model = DataModel::Ilp32,
            "--" => break,
            _ => files.push(arg),
        }
    }
    options.args.extend(args);
    match run(&options, &files) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options, files: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let clang = Clang::find()?;
    let mut modules = Vec::new();
    for file in files {
        let text = compile(&clang, options, Path::new(file))?;
        modules.push(read_module(&text, file)?);
    }
    let module = link(modules)?;
    println!(
        "{} symbols, {} constants",
        module.globals.len(),
        module.consts.len()
    );
    Ok(())
}
