//! Reads `.ll` files and prints size and speed: `read [--counts] FILE...`.
//!
//! With `--counts` it prints a line for each function with a body: its name, blocks, and
//! instructions without debug records, for comparison with other tools.

use attest_llvm::ir::{GlobalKind, InstKind};
use attest_llvm::read_module;
use std::process::ExitCode;
use std::time::{Duration, Instant};

fn main() -> ExitCode {
    let mut counts = false;
    let (mut files, mut failed, mut lines) = (0, 0, 0);
    let mut time = Duration::ZERO;
    for arg in std::env::args().skip(1) {
        if arg == "--counts" {
            counts = true;
            continue;
        }
        let text = match std::fs::read_to_string(&arg) {
            Ok(text) => text,
            Err(e) => {
                eprintln!("{arg}: {e}");
                failed += 1;
                continue;
            }
        };
        files += 1;
        lines += text.lines().count();
        let start = Instant::now();
        let result = read_module(&text, &arg);
        time += start.elapsed();
        match result {
            Err(e) => {
                failed += 1;
                eprintln!("{e}");
            }
            Ok(module) if counts => {
                for global in &module.globals {
                    let GlobalKind::Function(f) = &global.kind else {
                        continue;
                    };
                    if f.is_declaration() {
                        continue;
                    }
                    let insts = f.blocks.iter().flat_map(|b| &b.insts);
                    let insts = insts
                        .filter(|i| !matches!(i.kind, InstKind::Dbg(_)))
                        .count();
                    println!("{} {} {}", global.name, f.blocks.len(), insts);
                }
            }
            Ok(_) => {}
        }
    }
    let seconds = time.as_secs_f64();
    let rate = lines as f64 / seconds / 1e6;
    eprintln!("{files} files, {failed} failed, {lines} lines, {seconds:.2} s, {rate:.2} Mlines/s");
    if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
