//! Tests of linking: modules as text in, symbols with their linkage out.

use super::*;
use crate::read_module;

fn read(text: &str, file: &str) -> Module {
    let text = format!("source_filename = \"{file}\"\n{text}");
    read_module(&text, file).unwrap_or_else(|e| panic!("{e}"))
}

fn describe(module: &Module) -> Vec<String> {
    let mut lines: Vec<String> = module
        .globals
        .iter()
        .map(|g| {
            let what = match &g.kind {
                GlobalKind::Function(f) if f.is_declaration() => "declare".to_owned(),
                GlobalKind::Function(f) => format!("define {}", module.types.show(f.ret)),
                GlobalKind::Variable(v) if v.init.is_none() => "extern".to_owned(),
                GlobalKind::Variable(v) => format!("var {}", module.types.show(v.ty)),
                GlobalKind::Alias { .. } => "alias".to_owned(),
                GlobalKind::Forward => "FORWARD".to_owned(),
            };
            format!("{}: {what}", g.name)
        })
        .collect();
    lines.sort();
    lines
}

fn check(texts: &[&str], expected: &[&str]) {
    let modules = texts
        .iter()
        .zip('a'..)
        .map(|(t, c)| read(t, &format!("{c}.c")))
        .collect();
    let module = link(modules).unwrap_or_else(|e| panic!("{e}"));
    for (name, id) in &module.by_name {
        assert_eq!(&module.global(*id).name, name);
    }
    assert_eq!(describe(&module), expected, "{texts:?}");
}

fn check_error(texts: &[&str], expected: &str) {
    let modules = texts
        .iter()
        .zip('a'..)
        .map(|(t, c)| read(t, &format!("{c}.c")))
        .collect();
    let error = link(modules).expect_err("an error");
    assert_eq!(error.to_string(), expected);
}

#[test]
fn definitions_beat_declarations() {
    let define = "define i32 @f() {\n ret i32 0\n}";
    check(&["declare i32 @f()", define], &["f: define i32"]);
    check(&[define, "declare i32 @f()"], &["f: define i32"]);
    check(
        &["@x = external global i32", "@x = global i32 1"],
        &["x: var i32"],
    );
    check(
        &["@x = extern_weak global i32", "@x = external global i32"],
        &["x: extern"],
    );
}

#[test]
fn strength() {
    check(
        &["@x = weak global i32 1", "@x = global i64 1"],
        &["x: var i64"],
    );
    check(
        &["@x = global i64 1", "@x = weak global i32 1"],
        &["x: var i64"],
    );
    check(
        &["@x = linkonce_odr global i8 1", "@x = weak global i16 1"],
        &["x: var i16"],
    );
    check(
        &["@x = common global i8 0", "@x = common global i32 0"],
        &["x: var i32"],
    );
    check(
        &["@x = weak global i8 1", "@x = common global i16 0"],
        &["x: var i16"],
    );
    check(
        &[
            "@x = available_externally global i8 1",
            "@x = linkonce global i16 0",
        ],
        &["x: var i16"],
    );
    check_error(
        &["@x = global i8 1", "@x = global i8 1"],
        "`x` is defined in both a.c and b.c",
    );
}

#[test]
fn locals_are_renamed_apart() {
    check(
        &[
            "@x = internal global i8 1",
            "@x = internal global i16 1",
            "@x = global i32 1",
        ],
        &["x.1: var i8", "x.2: var i16", "x: var i32"],
    );
    check(&["@x = private global i8 1"], &["x: var i8"]);
}

#[test]
fn references_follow() {
    let a = "@x = internal global i32 1\n@p = global ptr @x\n";
    let b = "@x = internal global i64 2\n@q = global ptr @x\n";
    let module = link(vec![read(a, "a.c"), read(b, "b.c")]).expect("a module");
    let target = |name: &str| {
        let GlobalKind::Variable(v) = &module.global(module.lookup(name)?).kind else {
            return None;
        };
        match module.constant(v.init?).kind {
            ConstKind::Global(id) => match &module.global(id).kind {
                GlobalKind::Variable(v) => Some(module.types.show(v.ty)),
                _ => None,
            },
            _ => None,
        }
    };
    assert_eq!(target("p").as_deref(), Some("i32"));
    assert_eq!(target("q").as_deref(), Some("i64"));
}

#[test]
fn structures_merge_or_are_renamed() {
    let list = "%s = type { i32, ptr }\n@a = global %s zeroinitializer";
    check(
        &[list, &list.replace("@a", "@b")],
        &["a: var %s", "b: var %s"],
    );
    let other = "%s = type { i64 }\n@b = global %s zeroinitializer";
    check(&[list, other], &["a: var %s", "b: var %s.1"]);
    let opaque = "%s = type opaque\n@b = external global %s";
    let module = link(vec![read(opaque, "a.c"), read(list, "b.c")]).expect("a module");
    assert_eq!(module.types.named.len(), 1);
    assert!(module.types.named[0].body.is_some());
}

#[test]
fn appending() {
    let ctor = "@llvm.global_ctors = appending global [1 x i32] [i32 7]";
    check(&[ctor, ctor, ctor], &["llvm.global_ctors: var [3 x i32]"]);
    check_error(
        &[
            ctor,
            "@llvm.global_ctors = appending global [1 x i64] [i64 7]",
        ],
        "the parts of `llvm.global_ctors` are not arrays of the same type",
    );
}

#[test]
fn targets_must_agree() {
    check_error(
        &[
            "target datalayout = \"e-p:32:32\"",
            "target datalayout = \"e\"",
        ],
        "a.c and b.c are compiled for different targets",
    );
}

#[test]
fn metadata_is_shifted() {
    let text = "!llvm.ident = !{!0}\n!0 = !{!\"NAME\", !0, i32 7}\n";
    let module = link(vec![
        read(&text.replace("NAME", "a"), "a.c"),
        read(&text.replace("NAME", "b"), "b.c"),
    ])
    .expect("a module");
    let nodes = &module.metadata.named["llvm.ident"];
    for (&id, name) in nodes.iter().zip(["a", "b"]) {
        let tuple = module.metadata.tuple(id);
        assert_eq!(tuple[0], MdValue::Text(name.to_owned()));
        assert_eq!(tuple[1], MdValue::Node(id));
    }
}

#[test]
fn only_what_is_missing() {
    let program = "declare i32 @f()\ndefine i32 @own() {\n ret i32 1\n}\n";
    let library = "@state = internal global i32 0\n\
        @unused = global i32 0\n\
        declare i32 @other()\n\
        define i32 @f() {\n %1 = call i32 @helper()\n ret i32 %1\n}\n\
        define internal i32 @helper() {\n %1 = load i32, ptr @state\n %2 = call i32 @own()\n\
        %3 = call i32 @other()\n ret i32 %1\n}\n\
        define i32 @own() {\n %1 = load i32, ptr @unused\n ret i32 2\n}\n\
        define i32 @nobody() {\n ret i32 2\n}\n";
    let module = link_missing(read(program, "p.c"), read(library, "l.c")).expect("a module");
    assert_eq!(
        describe(&module),
        [
            "f: define i32",
            "helper: define i32",
            "other: declare",
            "own: define i32",
            "state: var i32"
        ]
    );
    let GlobalKind::Function(own) = &module.global(module.lookup("own").expect("own")).kind else {
        panic!("own is a function");
    };
    assert_eq!(own.blocks[0].insts.len(), 1);
}
