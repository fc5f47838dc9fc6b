//! What every installed clang writes for C programs is read, under several flags.

mod common;

use attest_llvm::ir::{GlobalKind, InstKind, Module};
use attest_llvm::{Clang, DataModel, Layout, link, read_module};
use std::path::PathBuf;
use std::process::Command;

/// All clangs that are installed; at least one must be.
fn clangs() -> Vec<Clang> {
    let mut found: Vec<Clang> = (16..=30)
        .filter_map(|v| Clang::named(&format!("clang-{v}").into()).ok())
        .collect();
    if found.is_empty() {
        found.extend(Clang::find());
    }
    assert!(!found.is_empty(), "no clang is installed");
    found
}

/// A C file in a directory of its own, removed at the end.
struct Source {
    directory: PathBuf,
    file: PathBuf,
}

impl Source {
    fn new(test: &str, name: &str, text: &str) -> Source {
        let directory =
            std::env::temp_dir().join(format!("attest-{}-{test}-{name}", std::process::id()));
        std::fs::create_dir_all(&directory).expect("a directory");
        let file = directory.join(format!("{name}.c"));
        std::fs::write(&file, text).expect("a file");
        Source { directory, file }
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

/// Sizes of all types that have one must be computable, and all that the
/// instructions refer to must exist.
fn examine(module: &Module) {
    let layout = Layout::parse(&module.data_layout).expect("a layout");
    for global in &module.globals {
        match &global.kind {
            GlobalKind::Variable(v) if v.init.is_some() => {
                layout.size_of(&module.types, v.ty).expect("a size");
            }
            GlobalKind::Function(f) => {
                for inst in f.blocks.iter().flat_map(|b| &b.insts) {
                    if let InstKind::Alloca { ty, .. } = inst.kind {
                        layout.size_of(&module.types, ty).expect("a size");
                    }
                    if let Some(id) = inst.dbg {
                        assert!(
                            module.metadata.place(id).is_some(),
                            "{:?}",
                            module.metadata.node(id)
                        );
                    }
                }
            }
            GlobalKind::Forward => panic!("{} is not defined", global.name),
            _ => {}
        }
    }
}

#[test]
fn the_driver_and_the_reader() {
    for clang in clangs() {
        let mut modules = Vec::new();
        for (name, text) in common::PROGRAMS {
            let source = Source::new("driver", name, text);
            for data_model in [DataModel::Lp64, DataModel::Ilp32] {
                // i386 has no 128-bit integers, and no half floats without SSE.
                let wide_only = text.contains("__int128") || text.contains("_Float16");
                if data_model == DataModel::Ilp32 && wide_only {
                    continue;
                }
                let options = attest_llvm::Options {
                    data_model,
                    ..Default::default()
                };
                let ll = attest_llvm::compile(&clang, &options, &source.file)
                    .unwrap_or_else(|e| panic!("clang {}: {name}: {e}", clang.version));
                let module = read_module(&ll, name).unwrap_or_else(|e| panic!("{e}"));
                examine(&module);
                if data_model == DataModel::Lp64 {
                    modules.push(module);
                }
            }
        }
        // `use` stands in two programs; all others go together.
        modules.retain(|m| !m.sources.iter().any(|s| s.contains("variadic")));
        examine(&link(modules).unwrap_or_else(|e| panic!("{e}")));
    }
}

#[test]
fn other_flags() {
    let flags: &[&[&str]] = &[
        &["-O0"],
        &["-O2"],
        &["-O3", "-g", "-mavx2", "-ffast-math"],
        &["-O2", "-g", "-fsanitize=address,undefined"],
        &["-O1", "-g", "-target", "aarch64-linux-gnu"],
    ];
    for clang in clangs() {
        for (name, text) in common::PROGRAMS {
            let source = Source::new("flags", name, text);
            for flags in flags {
                let native = !flags.contains(&"-target");
                if !native && (text.contains("asm") || text.contains("#include")) {
                    continue;
                }
                let output = Command::new(&clang.path)
                    .args(*flags)
                    .args(["-w", "-S", "-emit-llvm", "-o", "-"])
                    .arg(&source.file)
                    .output()
                    .expect("clang runs");
                let stderr = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success(), "{name} {flags:?}: {stderr}");
                let ll = String::from_utf8(output.stdout).expect("UTF-8");
                let module = read_module(&ll, name)
                    .unwrap_or_else(|e| panic!("clang {} {flags:?}: {e}", clang.version));
                examine(&module);
            }
        }
    }
}

#[test]
fn rejected_files_show_what_clang_says() {
    let source = Source::new("rejected", "bad", "int f( { }");
    let clang = clangs().remove(0);
    let error = attest_llvm::compile(&clang, &Default::default(), &source.file).expect_err("bad");
    assert!(error.to_string().contains("error:"), "{error}");
    let missing = source.directory.join("missing.c");
    let error = attest_llvm::compile(&clang, &Default::default(), &missing).expect_err("missing");
    assert!(error.to_string().contains("missing.c"), "{error}");
}

#[test]
fn uses_before_declarations_of_the_library() {
    let text = "typedef unsigned long size_t; void *f(void *p) { return memcpy(p, p, 3); }\n\
        extern void *memcpy(void *, const void *, size_t);\n\
        int linux; void *g(void *p) { return memcpy(p, p, 3); }\n";
    for kind in ["c", "i"] {
        let source = Source::new("before", kind, text);
        let file = source.file.with_extension(kind);
        std::fs::write(
            &file,
            text.replace("int linux;", if kind == "i" { "int linux;" } else { "" }),
        )
        .expect("a file");
        for clang in clangs() {
            let ll = attest_llvm::compile(&clang, &Default::default(), &file)
                .unwrap_or_else(|e| panic!("{e}"));
            assert!(
                ll.contains("declare ptr @memcpy(ptr") || ll.contains("ptr @memcpy("),
                "{ll}"
            );
        }
    }
}
