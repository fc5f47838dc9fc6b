//! Damaged files: whatever the text, the reader returns and does not panic.

mod common;

use attest_llvm::ir::GlobalKind;
use attest_llvm::{Clang, Layout, link, read_module};
use attest_testing::{Rng, mutate};
use std::process::Command;

const SNIPPETS: &[&str] = &[
    "%s = type { i8, [2 x %s*] }\n@g = global <{ i8, x86_fp80 }> <{ i8 -1, x86_fp80 0xK3FFF8000000000000000 }>\n",
    "define void @f(i128 %0) {\n  %2 = add nsw i128 %0, -170141183460469231731687303715884105728\n  ret void\n}\n",
    "@a = global [2 x i8] c\"\\00\\FF\"\n@b = alias i8, getelementptr inbounds ([2 x i8], ptr @a, i64 0, i64 1)\n",
    "define i32 @f(<4 x ptr> %p) personality ptr null {\n  %q = getelementptr {i32, [3 x i8]}, <4 x ptr> %p, i64 0, i32 1, i64 2\n  br label %l\nl:\n  %x = phi i32 [ 0, %0 ], [ %y, %l ]\n  %y = add i32 %x, 1\n  %c = icmp samesign ult i32 %y, 10\n  br i1 %c, label %l, label %e\ne:\n  switch i32 %x, label %r [ i32 1, label %r\n i32 -2, label %u ]\nr:\n  ret i32 %y\nu:\n  unreachable\n}\n",
    "!0 = distinct !DICompileUnit(file: !1, flags: A | B)\n!1 = !DIFile(filename: \"a\")\n!llvm.dbg.cu = !{!0}\n!2 = !{null, !\"x\", i32 7, !{!2}, !DIExpression(DW_OP_deref, 1)}\n",
    "attributes #0 = { nounwind memory(none) \"k\"=\"v\" alignstack=8 }\ndeclare void @f(ptr byval({i8}) align 4, ...) #0\n$c = comdat any\n@x = linkonce_odr thread_local(initialexec) unnamed_addr global i32 undef, comdat($c), section \"s\", align 4\n",
];

/// Small real files.
fn corpus() -> Vec<String> {
    let mut corpus: Vec<String> = SNIPPETS.iter().map(|s| (*s).to_owned()).collect();
    let Ok(clang) = Clang::find() else {
        return corpus;
    };
    let file = std::env::temp_dir().join(format!("attest-fuzz-{}.c", std::process::id()));
    for (_, text) in common::PROGRAMS {
        std::fs::write(&file, text).expect("a file");
        for flags in [["-O1", "-g"], ["-O2", "-g0"]] {
            let output = Command::new(&clang.path)
                .args(flags)
                .args(["-w", "-S", "-emit-llvm", "-o", "-"])
                .arg(&file)
                .output()
                .expect("clang runs");
            let text = String::from_utf8(output.stdout).expect("IR is text");
            corpus.push(text.replace(&*file.to_string_lossy(), "fuzz.c"));
        }
    }
    let _ = std::fs::remove_file(&file);
    corpus
}

#[test]
fn damaged_files_never_panic() {
    let corpus = corpus();
    let mut rng = Rng(0x5eed_1234_5678_9abc);
    let mut accepted = 0;
    for i in 0..10_000 {
        let text = mutate(&corpus[i % corpus.len()], &mut rng);
        let Ok(module) = read_module(&text, "fuzz.ll") else {
            continue;
        };
        accepted += 1;
        let layout = Layout::parse(&module.data_layout).unwrap_or_default();
        for global in &module.globals {
            if let GlobalKind::Variable(v) = &global.kind {
                let _ = layout.size_of(&module.types, v.ty);
                let _ = layout.field_offset(&module.types, v.ty, 1);
            }
        }
        for id in (0..module.metadata.nodes.len()).map(|i| attest_llvm::ir::MdId(i as u32)) {
            let _ = module.metadata.place(id);
            let _ = module.metadata.variable(id);
            let _ = module.metadata.ctype(id);
            let _ = module.metadata.ctype_name(id);
        }
        let _ = link(vec![module.clone(), module]);
    }
    assert!(accepted > 100, "only {accepted} files were accepted");
}

#[test]
fn deep_nesting_is_an_error() {
    let deep = 100_000;
    let texts = [
        format!(
            "@g = external global {}i8{}",
            "[1 x ".repeat(deep),
            "]".repeat(deep)
        ),
        format!("@g = external global {}", "{".repeat(deep)),
        format!("@g = global i8 {}", "trunc (i16 ".repeat(deep)),
        format!("@g = global i8 {}", "add (i8 ".repeat(deep)),
        format!("@g = global ptr {}", "getelementptr (i8, ptr ".repeat(deep)),
        format!("@g = external global void {}", "()".repeat(deep)),
        format!("!0 = !{{{}", "!{".repeat(deep)),
        format!("!0 = !DIX(a: {}", "!DIX(a: ".repeat(deep)),
        format!("!0 = !DIX(a: {}", "{".repeat(deep)),
        format!("!0 = {}", "distinct ".repeat(deep)),
        format!("@g = global [1 x i8] {}", "[[1 x i8] ".repeat(deep)),
    ];
    for text in texts {
        let error = read_module(&text, "deep.ll").expect_err("too deep");
        assert!(error.token.chars().count() < 100, "{error}");
    }
    let chain: String = (1..deep)
        .map(|i| format!("%t{i} = type {{ %t{} }}\n", i - 1))
        .collect();
    let text = format!(
        "%t0 = type {{ i8 }}\n{chain}@g = external global %t{}\n",
        deep - 1
    );
    let module = read_module(&text, "chain.ll").expect("a module");
    let GlobalKind::Variable(v) = &module.globals[0].kind else {
        panic!("a variable")
    };
    assert!(Layout::default().size_of(&module.types, v.ty).is_err());
}
