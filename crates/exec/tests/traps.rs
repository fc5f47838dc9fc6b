//! The traps of C and LLVM that the algorithm notes list (1.4, 10.3), each as
//! a small program with the end it must have.

mod common;

use common::check;

#[test]
fn an_uninitialised_variable_is_any_value() {
    let source = "int __VERIFIER_nondet_int(void); void reach_error(void) {}
        int main(void) { int x; if (__VERIFIER_nondet_int()) x = 1; if (x != 1) reach_error(); return 0; }";
    check(source, "0", "7", "error reach_error");
    check(source, "0", "1", "return 0");
    check(source, "1", "7", "return 0");
}

#[test]
fn a_variable_in_a_loop_is_new_each_time() {
    let source = "int main(void) { int s = 0; for (int i = 0; i < 3; i++) { int x; s = s * 10 + x; x = 5; } return s; }";
    check(source, "", "1,2,3", "return 123");
}

#[test]
fn uninitialised_memory_is_any_value() {
    let source = "int main(void) { int a[2]; int *p = a; return p[1]; }";
    check(source, "", "", "return 0");
    let program = common::model(source);
    // The first dynamic object is `a`.
    let object = program.first_dynamic().0;
    let unknown = std::sync::Arc::new([((object, 4), 9u8)].into_iter().collect());
    let inputs = attest_exec::Inputs {
        unknown,
        ..Default::default()
    };
    let outcome = common::outcome(&program, std::sync::Arc::new(inputs));
    assert_eq!(outcome, attest_exec::Outcome::Returned(Some(9)));
}

#[test]
fn error_functions_count_whatever_their_body() {
    check(
        "void reach_error(void) {} int main(void) { reach_error(); return 0; }",
        "",
        "",
        "error reach_error",
    );
    check(
        "void __VERIFIER_error(void); int main(void) { __VERIFIER_error(); }",
        "",
        "",
        "error __VERIFIER_error",
    );
    let assert = "void __assert_fail(const char *, const char *, unsigned, const char *);
        int main(void) { __assert_fail(\"x\", \"f\", 1, \"main\"); }";
    check(assert, "", "", "error __assert_fail");
    // Through a pointer too.
    let pointer = "void reach_error(void) {} int main(void) { void (*f)(void) = reach_error; f(); return 0; }";
    check(pointer, "", "", "error reach_error");
}

#[test]
fn phis_are_parallel() {
    // clang -O1 without passes makes no swapping phis, so this one is written out.
    let text = "define i32 @main() {\nentry:\n  br label %loop\nloop:\n  %a = phi i32 [ 1, %entry ], [ %b, %loop ]\n  %b = phi i32 [ 2, %entry ], [ %a, %loop ]\n  %i = phi i32 [ 0, %entry ], [ %j, %loop ]\n  %j = add i32 %i, 1\n  %c = icmp ult i32 %j, 4\n  br i1 %c, label %loop, label %done\ndone:\n  %t = mul i32 %a, 10\n  %r = add i32 %t, %b\n  ret i32 %r\n}\n";
    let module = attest_llvm::read_module(text, "swap.ll").expect("it reads");
    let program = attest_model::lower(&module, &Default::default()).expect("it is modelled");
    let outcome = common::outcome(&program, Default::default());
    assert_eq!(outcome, attest_exec::Outcome::Returned(Some(21)));
}

#[test]
fn what_c_leaves_undefined_leaves_the_model() {
    let nondet =
        "int __VERIFIER_nondet_int(void); int main(void) { int n = __VERIFIER_nondet_int(); ";
    for (body, input, expect) in [
        ("return 5 / n; }", "0", "bail division"),
        ("return 5 % n; }", "0", "bail division"),
        ("return (-2147483647 - 1) / n; }", "-1", "bail division"),
        ("return 5 / n; }", "-1", "return -5"),
        ("return 1 << n; }", "32", "bail shift"),
        ("return 1 << n; }", "-1", "bail shift"),
        ("return 1 << n; }", "31", "return -2147483648"),
        ("return (int)(n * 1e300); }", "1", "bail float-to-int"),
        ("int *p = 0; return *p; }", "", "bail null-dereference"),
        (
            "struct s { int a, b; } *p = 0; return p->b; }",
            "",
            "bail null-dereference",
        ),
        (
            "int a[3]; int *p = a; return p[n]; }",
            "3",
            "bail out-of-bounds",
        ),
        (
            "int a[3]; int *p = a; p[n] = 1; return 0; }",
            "-1",
            "bail out-of-bounds",
        ),
        (
            "char *s = \"abc\"; s[n] = 'x'; return 0; }",
            "1",
            "bail constant-write",
        ),
        (
            "int a, b; int *p = &a, *q = &b; return p < q; }",
            "",
            "bail pointer-order",
        ),
        ("int a[2]; int *p = a; return p < p + n; }", "1", "return 1"),
        ("int a[2]; int *p = a + 2; return p - a; }", "", "return 2"),
        ("__builtin_unreachable(); }", "", "bail unreachable"),
        (
            "__asm__(\"nop\" : \"=r\"(n)); return n; }",
            "",
            "bail inline-assembly",
        ),
        (
            "__asm__ volatile(\"\" ::: \"memory\"); return n; }",
            "4",
            "return 4",
        ),
        ("long double x = n; return (int)x; }", "", "bail type"),
    ] {
        check(&format!("{nondet}{body}"), input, "", expect);
    }
}

/// Assembly has its exact meaning or none: what differs from what is known by a little is
/// outside of the model.
#[test]
#[cfg(target_arch = "x86_64")]
fn assembly_is_known_to_the_letter() {
    let bail = "bail inline-assembly";
    for (text, operands, expect) in [
        ("lock; addl $5,%0", ": \"+m\"(n)", "return 9"),
        ("lock; xaddl %0,%1", ": \"+r\"(m), \"+m\"(n)", "return 11"),
        ("", ": \"+r\"(n)", "return 4"),
        ("ud2", "", "Aborted"),
        (
            "1: ud2\\n.pushsection t\\n.long 1b\\n.popsection",
            "",
            "Aborted",
        ),
        // Nothing is known of the output.
        ("nop", ": \"=r\"(n)", bail),
        // Jumps, registers by name, other instructions.
        ("incl %0; jmp 1f; 1:", ": \"+m\"(n)", bail),
        ("incl %%eax", ": : : \"eax\"", bail),
        ("rep; movsb", "", bail),
        // Operands of another width, and an input that is written.
        ("incb %0", ": \"+m\"(n)", bail),
        ("addl %0,%1", ": : \"r\"(n), \"r\"(m)", bail),
        // A flag that nothing set, and a comparison with another register.
        ("setc %0", ": \"=r\"(c)", bail),
        ("cmpxchgl %1,%0", ": \"+m\"(n) : \"r\"(m)", bail),
        // An input that may be in the register of the output.
        (
            "xaddl %0,%1; addl %2,%1",
            ": \"+r\"(m), \"+m\"(n) : \"r\"(7)",
            bail,
        ),
        // A section that does not end.
        (".section t\\nincl %0", ": \"+m\"(n)", bail),
    ] {
        let source = format!(
            "int main(void) {{ int n = 4, m = 7; unsigned char c = 0; \
             __asm__ volatile(\"{text}\" {operands}); return n + c; }}"
        );
        check(&source, "", "", expect);
    }
}

#[test]
fn the_heap_is_guarded() {
    let heap = "void *malloc(unsigned long); void free(void *); void *calloc(unsigned long, unsigned long);
        void *realloc(void *, unsigned long); int main(void) { int *p = malloc(8); ";
    for (body, expect) in [
        ("free(p); return *p; }", "bail use-after-free"),
        ("free(p); free(p); return 0; }", "bail bad-free"),
        ("free(p + 1); return 0; }", "bail bad-free"),
        (
            "free(0); p[1] = 3; p = realloc(p, 16); p[3] = 4; return p[1] + p[3]; }",
            "return 7",
        ),
        (
            "int *q = realloc(p, 16); return *p; }",
            "bail use-after-free",
        ),
        ("int *q = calloc(3, 4); return q[2]; }", "return 0"),
        ("int x; free(&x); return 0; }", "bail bad-free"),
        ("return p[2]; }", "bail out-of-bounds"),
    ] {
        check(&format!("{heap}{body}"), "", "", expect);
    }
    let dangling =
        "int *f(void) { int x = 3; int *p = &x; return p; } int main(void) { return *f(); }";
    check(dangling, "", "", "bail use-after-free");
}

#[test]
fn calls_through_pointers_are_checked() {
    let table = "int one(void) { return 1; } int two(int n) { return n; } int missing(void);
        int __VERIFIER_nondet_int(void); int main(void) { int (*t[])(void) = { one, 0, (int (*)(void))two, missing,
        __VERIFIER_nondet_int }; return t[__VERIFIER_nondet_int()](); }";
    check(table, "0", "", "return 1");
    check(table, "1", "", "bail null-dereference");
    check(table, "2", "", "bail bad-call");
    check(table, "3", "", "bail missing-function");
    check(table, "4,42", "", "return 42");
}

#[test]
fn the_environment_ends_programs() {
    let prelude = "void abort(void); void exit(int); void __VERIFIER_assume(int); int __VERIFIER_nondet_int(void); ";
    check(
        &format!("{prelude} int main(void) {{ abort(); }}"),
        "",
        "",
        "Aborted",
    );
    check(
        &format!("{prelude} void f(void) {{ exit(3); }} int main(void) {{ f(); }}"),
        "",
        "",
        "Exited(3)",
    );
    let assume = format!(
        "{prelude} int main(void) {{ int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n > 4); return n; }}"
    );
    check(&assume, "4", "", "AssumeFailed");
    check(&assume, "5", "", "return 5");
    check(
        "int missing(int); int main(void) { return missing(3); }",
        "",
        "",
        "bail missing-function",
    );
}

#[test]
fn endless_recursion_reaches_a_limit() {
    let source = "int f(int n) { return f(n + 1) + 1; } int main(void) { return f(0); }";
    check(source, "", "", "DepthLimit");
}

#[test]
fn nondet_functions_give_their_type() {
    let source = "_Bool __VERIFIER_nondet_bool(void); unsigned char __VERIFIER_nondet_uchar(void);
        long __VERIFIER_nondet_long(void); double __VERIFIER_nondet_double(void); void *__VERIFIER_nondet_pointer(void);
        int main(void) { if (__VERIFIER_nondet_bool() > 1) return 1; if (__VERIFIER_nondet_uchar() != 200) return 2;
        if (__VERIFIER_nondet_long() != -5) return 3; if (__VERIFIER_nondet_double() != 2.5) return 4;
        if (__VERIFIER_nondet_pointer()) return 5; return 0; }";
    check(source, "3,200,-5,2.5,0", "", "return 0");
    let declared_wide =
        "int __VERIFIER_nondet_bool(); int main(void) { return __VERIFIER_nondet_bool(); }";
    check(declared_wide, "6", "", "return 0");
    check(declared_wide, "7", "", "return 1");
}

#[test]
fn pointers_survive_being_taken_apart() {
    let source = "typedef unsigned long size; void *malloc(size);
        int main(void) { int x = 5, *p = &x, *q; unsigned char *from = (void *)&p, *to = (void *)&q;
        for (size i = 0; i < sizeof p; i++) to[i] = from[i];
        union { int *p; size n; } u; u.p = q; u.n += 0; size n = (size)u.p; int *r = (int *)(n | 0);
        return q == p && r == p ? *r : -1; }";
    check(source, "", "", "return 5");
    check(
        "int main(void) { char *p = (char *)-1; return p == (char *)-1 && (long)p == -1; }",
        "",
        "",
        "return 1",
    );
}
