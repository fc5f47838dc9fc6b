//! What functions write and where pointers point, in words: how precise the analysis is.
//! That it is right is for the tests of `exec`, which watch runs.

use attest_model::points_to::{Places, PointsTo, SiteKind, prune};
use attest_model::*;

const PROGRAM: &str = "
%dev = type { i32, i32, ptr, [4 x i32] }
@dev = global %dev zeroinitializer
@other = global %dev zeroinitializer
@indexed = global %dev zeroinitializer
@table = global [2 x ptr] [ptr @set_lock, ptr @set_count]
@hidden = global ptr @unused
@slot = global [3 x ptr] zeroinitializer
declare ptr @malloc(i64)
declare ptr @calloc(i64, i64)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @set_lock(ptr %d) { store i32 1, ptr %d ret void }
define void @set_count(ptr %d) {
  %p = getelementptr %dev, ptr %d, i32 0, i32 1
  store i32 1, ptr %p
  ret void
}
define void @unused(ptr %d) { store i32 7, ptr %d ret void }
define void @element(ptr %d, i64 %i) {
  %p = getelementptr %dev, ptr %d, i64 0, i32 3, i64 %i
  store i32 1, ptr %p
  ret void
}
define void @behind(ptr %d) {
  %f = getelementptr %dev, ptr %d, i32 0, i32 2
  %p = load ptr, ptr %f
  store i32 1, ptr %p
  ret void
}
define void @number(i64 %n) {
  %p = inttoptr i64 %n to ptr
  store i8 1, ptr %p
  ret void
}
define void @twice(ptr %d) {
  call void @set_lock(ptr %d)
  call void @set_count(ptr %d)
  ret void
}
define void @through(i64 %i, ptr %d) {
  %q = getelementptr [2 x ptr], ptr @table, i64 0, i64 %i
  %f = load ptr, ptr %q
  call void %f(ptr %d)
  ret void
}
define ptr @filled(ptr %p) {
  %n = call ptr @malloc(i64 16)
  store ptr %p, ptr %n
  %m = getelementptr i8, ptr %n, i64 8
  store i64 5, ptr %m
  ret ptr %n
}
define ptr @bare() {
  %n = call ptr @malloc(i64 16)
  ret ptr %n
}
define void @copied() {
  call void @llvm.memcpy.p0.p0.i64(ptr @other, ptr @dev, i64 16, i1 false)
  call void @behind(ptr @other)
  ret void
}
define i32 @main(i32 %argc, ptr %argv) {
  %i = sext i32 %argc to i64
  call void @set_lock(ptr @dev)
  call void @twice(ptr @dev)
  call void @element(ptr @indexed, i64 %i)
  %f = getelementptr %dev, ptr @dev, i32 0, i32 2
  store ptr @slot, ptr %f
  call void @behind(ptr @dev)
  call void @copied()
  call void @through(i64 %i, ptr @other)
  %n = call ptr @filled(ptr @dev)
  %p = load ptr, ptr %n
  %b = call ptr @bare()
  %q = load ptr, ptr %b
  %pc = getelementptr i8, ptr %p, i64 4
  %same = icmp eq ptr %pc, %q
  %r = zext i1 %same to i32
  ret i32 %r
}";

fn model(text: &str) -> Program {
    let module = attest_llvm::read_module(text, "points.ll").expect("it reads");
    lower(&module, &Default::default()).expect("it is modelled")
}

/// Abstract objects by their names; those that are made, by their function's.
fn name(program: &Program, kind: SiteKind) -> String {
    match kind {
        SiteKind::Static(object) => {
            let object = program.object(object);
            object.map_or("?".into(), |o| o.name.to_string())
        }
        SiteKind::Made { function, .. } => format!("new {}", program.function(function).name),
        other => format!("{other:?}"),
    }
}

fn offset(at: u64, shift: u32) -> String {
    match shift {
        0 => "*".into(),
        64 => format!("{at}"),
        _ => format!("{at}/{}", 1 << shift),
    }
}

fn written(program: &Program, points_to: &PointsTo, function: &str) -> String {
    let id = program.lookup(function).expect("there is such a function");
    let writes = points_to.writes(id);
    if writes.anywhere {
        return "anywhere".into();
    }
    let ranges = writes.ranges.values().flatten();
    let words = ranges.map(|range| {
        let site = name(program, points_to.sites[range.at.site.0 as usize]);
        let bytes = range.bytes.map_or("".into(), |b| format!(":{b}"));
        format!("{site}+{}{bytes}", offset(range.at.offset, range.at.shift))
    });
    words.collect::<Vec<_>>().join(", ")
}

fn pointed(program: &Program, points_to: &PointsTo, places: &Places) -> String {
    if places.anywhere {
        return "anywhere".into();
    }
    let words = places.list.iter().map(|place| {
        let site = name(program, points_to.sites[place.site.0 as usize]);
        format!("{site}+{}", offset(place.offset, place.shift))
    });
    words.collect::<Vec<_>>().join(", ")
}

#[test]
fn writes_are_those_of_fields() {
    let program = model(PROGRAM);
    let points_to = PointsTo::of(&program);
    for (function, expected) in [
        ("set_lock", "dev+0:4, other+0:4"),
        ("set_count", "dev+4:4, other+4:4"),
        ("twice", "dev+0:4, dev+4:4, other+0:4, other+4:4"),
        // An index may be negative: all that is as far from the start as an element.
        ("element", "indexed+0/4:4"),
        ("behind", "slot+0:4"),
        ("copied", "other+0:16, slot+0:4"),
        ("through", "dev+0:4, dev+4:4, other+0:4, other+4:4"),
        ("filled", "new filled+0:8, new filled+8:8"),
        ("bare", ""),
        // They are never called.
        ("unused", ""),
        ("number", ""),
    ] {
        assert_eq!(
            written(&program, &points_to, function),
            expected,
            "{function}"
        );
    }
}

#[test]
fn pointers_in_memory_are_known_unless_nobody_wrote_them() {
    let program = model(PROGRAM);
    let points_to = PointsTo::of(&program);
    let main = program.lookup("main").expect("main is there");
    let insts = program.function(main).blocks.iter().flat_map(|b| &b.insts);
    let loaded = insts.filter_map(|inst| match inst {
        Inst::Load {
            dst,
            sort: Sort::Ptr,
            ..
        } => Some(points_to.register(main, *dst)),
        _ => None,
    });
    let words: Vec<String> = loaded.map(|p| pointed(&program, &points_to, p)).collect();
    // Out of what `filled` made, and out of what `bare` did.
    assert_eq!(words, ["dev+0", ""]);
}

#[test]
fn cases_that_no_pointer_reaches_are_pruned() {
    let mut program = model(PROGRAM);
    let cases = |program: &Program| {
        let blocks = program.functions.iter().flat_map(|f| &f.blocks);
        let cases = blocks.map(|block| match &block.end {
            Terminator::PtrSwitch { cases, .. } => cases.len(),
            _ => 0,
        });
        cases.sum::<usize>()
    };
    // Three functions whose type fits, and null.
    assert_eq!(cases(&program), 4);
    assert_eq!(prune(&mut program), 1);
    assert_eq!(cases(&program), 3);
    // The functions are the same, so their numbers are.
    assert!(program.lookup("unused").is_some());
}

#[test]
fn a_number_points_to_no_object_unless_pieces_of_an_address_are_in_it() {
    let main = |number: &str| {
        let call = format!("{number}\n  call void @twice");
        model(&PROGRAM.replace("call void @set_lock(ptr @dev)\n  call void @twice", &call))
    };
    let program = main("call void @number(i64 %i)");
    let points_to = PointsTo::of(&program);
    assert_eq!(written(&program, &points_to, "number"), "");
    let program = main(
        "%address = ptrtoint ptr @dev to i64
  %mixed = xor i64 %address, %i
  call void @number(i64 %mixed)",
    );
    let points_to = PointsTo::of(&program);
    assert_eq!(written(&program, &points_to, "number"), "anywhere");
    assert_eq!(written(&program, &points_to, "main"), "anywhere");
    // It may also have changed what pointers in memory are.
    assert_eq!(written(&program, &points_to, "behind"), "anywhere");
    assert_eq!(
        written(&program, &points_to, "set_lock"),
        "dev+0:4, other+0:4"
    );
}
