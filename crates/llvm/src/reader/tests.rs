//! Tests of the reader on small texts: what is accepted, with its result, and what is rejected,
//! with its message.

use super::read_module;
use crate::ir::*;

fn read(text: &str) -> Module {
    read_module(text, "t.ll").unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// The only function with a body.
fn function(module: &Module) -> &Function {
    let mut bodies = module.globals.iter().filter_map(|g| match &g.kind {
        GlobalKind::Function(f) if !f.is_declaration() => Some(f),
        _ => None,
    });
    bodies.next().expect("a body")
}

/// Reads a body after some declarations, and compares the types of the results.
fn check(body: &str, expected: &[&str]) {
    let text = format!(
        "%pair = type {{ i32, ptr }}\n@g = external global i32\n$c = comdat any\n\
         declare void @v(...)\ndeclare i32 @p()\n\
         define void @f(i32 %x, ptr %p, double %d, <4 x i32> %v, %pair %s, i1 %c) personality ptr @p {{\n{body}\n}}\n!0 = !{{}}\n"
    );
    let module = read(&text);
    let f = function(&module);
    let insts = f.blocks.iter().flat_map(|b| &b.insts);
    let types: Vec<_> = insts
        .filter_map(|i| i.result)
        .map(|id| module.types.show(f.locals[id.0 as usize].ty))
        .collect();
    assert_eq!(types, expected, "{body}");
}

#[test]
fn types_of_results() {
    check("%a = add nuw nsw i32 %x, -1\nret void", &["i32"]);
    check(
        "%a = or disjoint i32 %x, 1\n%b = icmp samesign ult i32 %a, 7\nret void",
        &["i32", "i1"],
    );
    check(
        "%a = icmp eq <4 x i32> %v, zeroinitializer\nret void",
        &["<4 x i1>"],
    );
    check(
        "%a = fcmp fast ult double %d, 1.0\n%b = fneg nnan double %d\nret void",
        &["i1", "double"],
    );
    check(
        "%a = trunc nuw nsw i32 %x to i8\n%b = zext nneg i8 %a to i128\nret void",
        &["i8", "i128"],
    );
    check(
        "%a = getelementptr inbounds nuw %pair, ptr %p, i64 0, i32 1\nret void",
        &["ptr"],
    );
    check(
        "%a = getelementptr i8, ptr %p, <4 x i32> %v\nret void",
        &["<4 x ptr>"],
    );
    check(
        "%a = getelementptr i8, <4 x ptr> splat (ptr @g), i64 3\nret void",
        &["<4 x ptr>"],
    );
    check(
        "%a = extractvalue %pair %s, 1\n%b = insertvalue %pair %s, i32 3, 0\nret void",
        &["ptr", "%pair"],
    );
    check(
        "%a = extractelement <4 x i32> %v, i64 1\nret void",
        &["i32"],
    );
    check(
        "%a = shufflevector <4 x i32> %v, <4 x i32> poison, <2 x i32> <i32 0, i32 5>\nret void",
        &["<2 x i32>"],
    );
    check(
        "%a = cmpxchg weak volatile ptr %p, i32 1, i32 2 syncscope(\"one\") acq_rel monotonic, align 4\nret void",
        &["{ i32, i1 }"],
    );
    check(
        "%a = atomicrmw umax ptr %p, i32 1 seq_cst, align 4\nfence acquire\nret void",
        &["i32"],
    );
    check(
        "%a = load atomic volatile i32, ptr %p acquire, align 4, !range !0\nret void",
        &["i32"],
    );
    check(
        "%a = alloca i8, i32 %x, align 1, addrspace(5)\nret void",
        &["ptr addrspace(5)"],
    );
    check(
        "%a = select i1 %c, <4 x i32> %v, <4 x i32> zeroinitializer\nret void",
        &["<4 x i32>"],
    );
    check(
        "%a = freeze double %d\n%b = va_arg ptr %p, x86_fp80\nret void",
        &["double", "x86_fp80"],
    );
}

#[test]
fn calls() {
    check("call void (...) @v(i32 1, ptr %p)\nret void", &[]);
    check(
        "%a = tail call fastcc noundef i32 asm sideeffect \"x\", \"=r,r\"(i32 %x) #1, !srcloc !0\nret void\n}\nattributes #1 = { nounwind }\ndefine void @h() {\nret void",
        &["i32"],
    );
    check(
        "%a = call ptr inttoptr (i64 7 to ptr)(ptr byval(%pair) align 8 %p) [ \"tag\"(i32 1, ptr null), \"t\"() ]\nret void",
        &["ptr"],
    );
    check(
        "invoke void @v() to label %ok unwind label %bad\nok:\nret void\nbad:\n\
         %e = landingpad { ptr, i32 } cleanup catch ptr @g filter [0 x ptr] zeroinitializer\nresume { ptr, i32 } %e",
        &["{ ptr, i32 }"],
    );
    check(
        "callbr void asm \"\", \"!i\"() to label %a [label %b]\na:\nret void\nb:\nunreachable",
        &[],
    );
}

#[test]
fn unnamed_values_and_blocks() {
    check(
        "br label %1\n1:\n%2 = add i32 %x, 1\nbr i1 %c, label %3, label %1\n3:\nret void",
        &["i32"],
    );
    check(
        "%1 = add i32 %x, 1\nadd i32 %1, 1\n%3 = add i32 %2, 1\nret void",
        &["i32", "i32", "i32"],
    );
    let module = read("define i32 @f(i32, i32 %n) {\n %2 = add i32 %0, %n\n ret i32 %2\n}");
    let f = function(&module);
    let names: Vec<_> = f.locals.iter().map(|l| l.name.as_str()).collect();
    assert_eq!(
        (names, f.blocks[0].name.as_str()),
        (vec!["0", "n", "2"], "1")
    );
}

#[test]
fn blocks_become_positions() {
    let module = read(
        "define void @f(i1 %c) {\nentry:\n br i1 %c, label %last, label %mid\nmid:\n br label %last\nlast:\n \
         %x = phi i32 [ 1, %mid ], [ 0, %entry ]\n ret void\n}",
    );
    let f = function(&module);
    let InstKind::CondBr { then, other, .. } = f.blocks[0].insts[0].kind else {
        panic!("a branch")
    };
    assert_eq!((then, other), (BlockId(2), BlockId(1)));
    let InstKind::Phi { incoming, .. } = &f.blocks[2].insts[0].kind else {
        panic!("a phi")
    };
    assert_eq!((incoming[0].1, incoming[1].1), (BlockId(1), BlockId(0)));
}

#[test]
fn both_forms_of_debug_records() {
    let common = "!1 = !DILocalVariable(name: \"x\")\n!2 = !DILocation(line: 1)\n";
    let new = "#dbg_declare(ptr %p, !1, !DIExpression(), !2)";
    let old = "call void @llvm.dbg.declare(metadata ptr %p, metadata !1, metadata !DIExpression()), !dbg !2";
    for record in [new, old] {
        let text = format!(
            "declare void @llvm.dbg.declare(metadata, metadata, metadata)\n\
             define void @f(ptr %p) {{\n{record}\nret void\n}}\n{common}"
        );
        let module = read(&text);
        let inst = &function(&module).blocks[0].insts[0];
        let InstKind::Dbg(record) = &inst.kind else {
            panic!("{text}")
        };
        assert_eq!(record.kind, DbgKind::Declare);
        assert_eq!(record.value, Some(Operand::Local(LocalId(0))));
        assert!(record.plain && record.subject.is_some());
        assert_eq!(
            module.metadata.kind(inst.dbg.expect("a place")),
            Some("DILocation")
        );
    }
    let text = format!(
        "define void @f() {{\n#dbg_value(!DIArgList(i32 1), !1, !DIExpression(DW_OP_LLVM_arg, 0), !2)\n\
         #dbg_assign(i32 1, !1, !DIExpression(), !3, ptr undef, !DIExpression(), !2)\n\
         #dbg_label(!1, !2)\nret void\n}}\n!3 = distinct !DIAssignID()\n{common}"
    );
    let module = read(&text);
    assert_eq!(function(&module).blocks[0].insts.len(), 4);
}

fn check_const(text: &str, expected: ConstKind) {
    let module = read(&format!("@g = global {text}\n"));
    let GlobalKind::Variable(v) = &module.globals[0].kind else {
        panic!("a variable")
    };
    assert_eq!(
        module.constant(v.init.expect("a value")).kind,
        expected,
        "{text}"
    );
}

#[test]
fn constants() {
    check_const("i32 -1", ConstKind::Int(vec![0xFFFF_FFFF]));
    check_const("i1 true", ConstKind::Int(vec![1]));
    check_const("i65 -1", ConstKind::Int(vec![u64::MAX, 1]));
    check_const("i8 u0xFF", ConstKind::Int(vec![255]));
    check_const(
        "[3 x i8] c\"a\\00\\FF\"",
        ConstKind::Bytes(vec![b'a', 0, 255]),
    );
    check_const(
        "float 0x3FB99999A0000000",
        ConstKind::Float(u128::from(0.1f32.to_bits())),
    );
    check_const("half 0xH3C00", ConstKind::Float(0x3C00));
    check_const("ptr null", ConstKind::Null);
    check_const("ptr @g", ConstKind::Global(GlobalId(0)));
    check_const("<2 x i8> splat (i8 7)", ConstKind::Splat(ConstId(0)));
    check_const("{} zeroinitializer", ConstKind::Zero);
    check_const(
        "i64 ptrtoint (ptr @g to i64)",
        ConstKind::Expr(ConstExpr::Cast(CastOp::PtrToInt, ConstId(0))),
    );
}

#[test]
fn top_level_syntax() {
    read(
        "source_filename = \"a.c\"\ntarget triple = \"x\"\nmodule asm \"nop\"\n\
         @\"a b\" = private unnamed_addr constant [1 x i8] zeroinitializer, section \"s\", partition \"p\", align 1\n\
         @al = weak hidden alias i8, ptr @\"a b\"\n@i = ifunc void (), ptr @r\n\
         define internal ptr @r() #0 section \"x\" align 16 gc \"g\" prefix i8 1 prologue i8 2 {\n ret ptr null\n}\n\
         @t = thread_local(localexec) externally_initialized global i32 0, no_sanitize_address\n\
         @ba = global ptr blockaddress(@r, %1)\n@d = global ptr dso_local_equivalent @r\n\
         @0 = global target(\"a.b\", i32, 7) zeroinitializer\n\
         %p = type <{ i8, %o }>\n%o = type opaque\n\
         attributes #0 = { nounwind \"a\"=\"b\" \"c\" memory(argmem: read) allocsize(0,1) uwtable(sync) range(i8 0, 5) }\n\
         uselistorder ptr @r, { 1, 0 }\n^0 = module: (path: \"x\", hash: (0, 1))\n^1 = flags: 8\n"
            .replace("%1)", "%0)")
            .as_str(),
    );
}

#[test]
fn attribute_groups_are_resolved() {
    let module = read(
        "declare void @a() #0\ndefine void @f() #1 {\n call void @a() #0\n ret void\n}\n\
         attributes #0 = { noreturn }\nattributes #1 = { \"k\"=\"v\" }\n",
    );
    let f = function(&module);
    assert_eq!(f.attrs, [Attr::Text("k".to_owned(), "v".to_owned())]);
    let InstKind::Call(call) = &f.blocks[0].insts[0].kind else {
        panic!("a call")
    };
    assert!(has_attr(&call.attrs, "noreturn"));
}

fn check_error(text: &str, expected: &str) {
    let error = read_module(text, "t.ll").expect_err(text);
    assert_eq!(error.to_string(), expected, "{text}");
}

#[test]
fn errors_name_place_and_token() {
    check_error(
        "\n  xyz",
        "t.ll:2:3: unexpected `xyz`: expected `global`, `constant`, `alias` or `ifunc`",
    );
    check_error(
        "@g = global i32",
        "t.ll:1:16: unexpected end of the file: expected a value",
    );
    check_error(
        "@g = global foo 1",
        "t.ll:1:13: unexpected `foo`: expected a type",
    );
    check_error(
        "@g = global i8 256",
        "t.ll:1:16: unexpected `256`: this number does not fit in its type",
    );
    check_error(
        "@g = global ptr @h",
        "t.ll:1:17: unexpected `@h`: this symbol is not defined",
    );
    check_error(
        "@g = global i8 0\n@g = global i8 0",
        "t.ll:2:1: unexpected `@g`: this symbol is defined twice",
    );
    check_error(
        "@g = global i8* null",
        "t.ll:1:15: unexpected `*`: typed pointers are not supported: use clang 16 or newer",
    );
    check_error(
        "!a = !{!7}",
        "t.ll:1:8: unexpected `!7`: this metadata is not defined",
    );
    check_error(
        "@g = external global %t",
        "t.ll:1:22: unexpected `%t`: this type is not defined",
    );
    check_error(
        "declare void @f() #3",
        "t.ll:1:19: unexpected `#3`: this attribute group is not defined",
    );
    check_error(
        "declare void @f() wibble",
        "t.ll:1:19: unexpected `wibble`: expected `global`, `constant`, `alias` or `ifunc`",
    );
    check_error(
        "declare void @f(i8 wibble)",
        "t.ll:1:20: unexpected `wibble`: expected `)`",
    );
    check_error(
        "@g = global i8 0, wibble",
        "t.ll:1:19: unexpected `wibble`: expected a property of a variable",
    );
}

fn check_body_error(body: &str, expected: &str) {
    let text = format!("define i32 @f(i32 %x, i1 %c) {{\n{body}\n}}");
    let error = read_module(&text, "t.ll").expect_err(body);
    assert_eq!(error.to_string(), expected, "{body}");
}

#[test]
fn bodies_are_checked() {
    check_body_error(
        "ret i32 %y",
        "t.ll:2:9: unexpected `%y`: this value is not defined",
    );
    check_body_error(
        "ret i64 0",
        "t.ll:2:5: unexpected `i64`: the function returns i32",
    );
    check_body_error(
        "br label %b",
        "t.ll:2:10: unexpected `%b`: this block is not defined",
    );
    check_body_error(
        "%a = add i64 %x, 1\nret i32 0",
        "t.ll:2:14: unexpected `%x`: this value has type i32, not i64",
    );
    check_body_error(
        "%a = frob i32 %x\nret i32 0",
        "t.ll:2:6: unexpected `frob`: expected an instruction",
    );
    check_body_error(
        "%a = add i32 %x, 1",
        "t.ll:3:1: unexpected `}`: expected an instruction",
    );
    check_body_error(
        "%x = add i32 1, 1\nret i32 0",
        "t.ll:2:1: unexpected `%x`: this value is defined twice",
    );
    check_body_error(
        "%5 = add i32 1, 1\n%4 = add i32 1, 1\nret i32 0",
        "t.ll:3:1: unexpected `%`: expected the number 6 or a larger one",
    );
    check_body_error(
        "%a = add exact i32 1, 1\nret i32 0",
        "t.ll:2:10: unexpected `exact`: expected a type",
    );
    check_body_error(
        "%a = add float 1.0, 1.0\nret i32 0",
        "t.ll:2:6: unexpected `add`: this operation is not for type float",
    );
    check_body_error(
        "%a = zext i32 %x to i8\nret i32 0",
        "t.ll:3:1: unexpected `ret`: this conversion is not possible from i32 to i8",
    );
    check_body_error(
        "e:\nbr label %e",
        "t.ll:3:1: unexpected `e`: in block %e of @f, control goes back to the entry",
    );
    check_body_error(
        "br label %b\nb:\n%a = phi i32 [ 0, %b ]\nret i32 0",
        "t.ll:4:1: unexpected `b`: in block %b of @f, a phi does not name each predecessor once",
    );
    check_body_error(
        "e:\nbr label %b\nb:\n%z = add i32 1, 1\n%a = phi i32 [ 0, %e ]\nret i32 0",
        "t.ll:6:1: unexpected `b`: in block %b of @f, a phi is not at the start",
    );
    check_body_error(
        "%a = add i32 %b, 1\n%b = add i32 %x, 1\nret i32 0",
        "t.ll:2:1: unexpected `%b`: this value is used where it may not be defined",
    );
    check_body_error(
        "br i1 %c, label %a, label %b\na:\n%v = add i32 %x, 1\nbr label %b\nb:\nret i32 %v",
        "t.ll:7:1: unexpected `%v`: this value is used where it may not be defined",
    );
    check_body_error(
        "e:\nbr i1 %c, label %a, label %b\na:\n%v = add i32 %x, 1\nbr label %b\nb:\n%p = phi i32 [ %v, %e ], [ 0, %a ]\nret i32 %p",
        "t.ll:8:1: unexpected `%v`: this value is used where it may not be defined",
    );
}
