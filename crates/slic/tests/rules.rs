//! Rules as texts: what is read, what is refused and where, and what becomes of IR.

use attest_slic::{Unit, instrument, parse};

/// A rule that is refused, with the place and a part of the message.
fn refused(text: &str, place: &str, why: &str) {
    let error = parse("r.slic", text).expect_err(text).to_string();
    assert!(error.starts_with(&format!("r.slic:{place}: ")), "{error}");
    assert!(error.contains(why), "{error}");
    assert!(!error.contains('\n'), "{error}");
}

#[test]
fn refusals() {
    let f = "int f(int a, void *b);\nvoid g(void);\n";
    let with = |rest: &str| format!("{f}{rest}");
    refused("", "1:1", "no events");
    refused(&with("f.entry {"), "3:10", "the rule ends");
    refused(&with("f.enter { }"), "3:3", "`call`, `entry`");
    refused(&with("h.entry { }"), "3:1", "`h` is not declared");
    refused(&with("f.entry [$3] { }"), "3:10", "has 2 parameters");
    refused(&with("f.entry [$0] { }"), "3:10", "from 1");
    refused(
        &with("f.entry [$return] { }"),
        "3:10",
        "no `$return` before",
    );
    refused(&with("g.exit [$return] { }"), "3:9", "returns nothing");
    refused(&with("main.exit [$1] { }"), "3:12", "no parameters");
    refused(&with("f.entry on $2 { }"), "3:12", "watches no object");
    refused(&with("f.entry { x = 1; }"), "3:11", "its state only");
    refused(
        &with("state { int *p = 0; }\nf.entry { *p = 1; }"),
        "4:11",
        "its state",
    );
    refused(
        &with("state { int *p = 0; }\nf.entry { p[0] = 1; }"),
        "4:11",
        "its state",
    );
    refused(&with("f.entry { g(); }"), "3:12", "calls no functions");
    refused(&with("f.entry { abort \"x; }"), "3:17", "quotes");
    refused(&with("f.entry { abort \"x\" }"), "3:21", "expected `;`");
    refused(
        &with("state { int a, b; }\nf.entry { }"),
        "3:14",
        "by itself",
    );
    refused(
        &with("watch int x { int a[3]; }\nf.entry { }"),
        "3:15",
        "scalars",
    );
    refused(&with("f.entry { s == 1; }"), "3:17", "an assignment");
    refused(&with("/* f.entry"), "3:1", "no end");
    refused("@", "1:1", "no meaning");
    refused("int f(int a[3]);\nf.entry { }", "1:7", "pointer");
    let deep = format!("{f}f.entry [{}1{}] {{ }}", "(".repeat(999), ")".repeat(999));
    let error = parse("r.slic", &deep).expect_err("it nests").to_string();
    assert!(error.contains("deeply"), "{error}");
}

const RULE: &str = "#include <stddef.h>
typedef struct lock lock_t;
int f(lock_t *l, void (*then)(int), unsigned n, const char *);
int v(const char *format, ...);
state { enum { a, b } s = a; int n[2]; }
f.call, f.entry [s == a && $3 > 1u] { if ($return_unused == 0) ; s = b; }
";

#[test]
fn rules_are_read() {
    let text = RULE.replace("if ($return_unused == 0) ; ", "");
    let text = text + "v.return [nondet] { n[0]++; if (s == b) { abort; } else error \"no\"; }\n";
    let rule = parse("r.slic", &text).expect("a rule");
    assert_eq!(rule.functions(), ["f", "v"]);
    let f = &rule.prototypes[0];
    assert_eq!(
        f.parameters,
        [
            "lock_t * $1",
            "void ( * $2 ) ( int )",
            "unsigned $3",
            "const char * $4"
        ]
    );
    assert!(rule.prototypes[1].variadic);
    assert_eq!(rule.state[0].name, "s");
    assert_eq!(rule.state[1].name, "n");
    assert_eq!(rule.message_at(7), Some("no"));
    let predicates = rule.predicates();
    let predicates: Vec<&str> = predicates.iter().map(|e| rule.slice(e.span)).collect();
    assert_eq!(predicates, ["s == a", "s == b"]);
}

/// The IR of a unit under the rule about `f`, `v` and `main`.
fn instrumented(ir: &str) -> Result<(String, String), String> {
    let text = "int f(int n);\nint v(const char *format, ...);\n\
        f.entry { abort; }\nv.entry { abort; }\nmain.exit { abort; }\n";
    let rule = parse("r.slic", text).expect("a rule");
    let unit = Unit {
        name: "a.c",
        ir,
        stub: false,
    };
    let mut made = instrument(&rule, &[unit], "main").map_err(|e| e.to_string())?;
    Ok((made.units.remove(0), made.c))
}

#[test]
fn uses_name_the_wrappers() {
    let ir = "@table = global [2 x ptr] [ptr @f, ptr @ff]\n\
        @text = constant [3 x i8] c\"@f\\00\"\n\
        define internal i32 @f(i32 noundef %n) #0 {\n  %a = call i32 @f(i32 noundef 1), !dbg !3\n}\n\
        define i32 @main() {\n  %b = call i32 (ptr, ...) @v(ptr noundef @text, i32 noundef 3)\n}\n\
        declare i32 @v(ptr noundef, ...)\n; @f in a comment\n";
    let (ir, c) = instrumented(ir).expect("IR");
    assert!(ir.contains("[ptr @__slic_f, ptr @ff]"), "{ir}");
    assert!(ir.contains("c\"@f\\00\""), "{ir}");
    assert!(ir.contains("\ndefine i32 @f(i32 noundef %n) #0 {"), "{ir}");
    assert!(
        ir.contains("call i32 @__slic_f(i32 noundef 1), !dbg"),
        "{ir}"
    );
    assert!(ir.contains("define i32 @__slic_of_main()"), "{ir}");
    assert!(
        ir.contains("call i32 @__slic_v_i(ptr noundef @text, i32 noundef 3)"),
        "{ir}"
    );
    assert!(ir.contains("declare i32 @__slic_f(i32 noundef)"), "{ir}");
    assert!(ir.contains("declare i32 @__slic_v_i(ptr, i32)"), "{ir}");
    assert!(ir.contains("; @f in a comment"), "{ir}");
    assert!(c.contains("int main(void) {"), "{c}");
    assert!(
        c.contains("int __slic_v_i(const char * $1, int __slic_0) {"),
        "{c}"
    );
}

#[test]
fn what_cannot_be_watched_is_said() {
    let pointer = "define i32 @main() {\n  store ptr @v, ptr %p\n}\n";
    let why = instrumented(pointer).expect_err("a pointer to a variadic function");
    assert!(
        why.starts_with("r.slic:4:1: `v` cannot be watched"),
        "{why}"
    );
    let structure = "define i32 @main() {\n  call i32 (ptr, ...) @v(ptr null, %struct.s %x)\n}\n";
    assert!(instrumented(structure).is_err());
}
