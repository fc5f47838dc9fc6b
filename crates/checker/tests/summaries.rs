//! Proofs with summaries, written by hand: right ones are accepted.

mod common;

use attest_checker::CheckResult;
use common::calls::{MapText, SummaryText, map, subject_with_calls, summary};
use common::cases::cases;
use common::{accepted, rejected};

#[test]
fn right_proofs_are_accepted() {
    for case in cases() {
        let s = subject_with_calls(case.c, case.assumed);
        let result = s.try_check(&s.proof_with_calls(&case.main, &case.summaries));
        let text = attest_model::show::text(&s.program, &s.graph);
        match result {
            Ok(result) => assert!(accepted(&result), "{}: {result}\n{text}", case.name),
            Err(why) => panic!("{}: {why}\n{text}", case.name),
        }
    }
}

/// How a proof of a program is judged.
fn judge(c: &str, assumed: &[&str], main: MapText, summaries: &[SummaryText]) -> CheckResult {
    let s = subject_with_calls(c, assumed);
    let proof = s.proof_with_calls(&main, summaries);
    s.try_check(&proof).unwrap_or_else(|e| panic!("{e}\n{c}"))
}

const NOTHING: MapText = MapText {
    at: Vec::new(),
    uses: Vec::new(),
};

/// The first state is that of the program, and not of calls of its entry.
#[test]
fn a_call_of_main_does_not_start_in_the_first_state() {
    let c = "int lock; int main(void) { int n = __VERIFIER_nondet_int();
        if (lock) reach_error(); lock = 1; if (n) main(); return 0; }";
    let never = || summary("main", "error", &[], "true", NOTHING);
    let uses = |spots: &[(&str, u32, &[&str])]| map(&[], spots);
    let main = uses(&[("before main", 0, &[])]);
    let mut inner = never();
    inner.map = uses(&[("before main", 0, &[])]);
    for summaries in [vec![never()], vec![inner]] {
        let result = judge(c, &[], main.clone(), &summaries);
        assert!(rejected(&result), "{result}");
    }
}

#[test]
fn what_a_callee_may_write_is_not_known_after_it() {
    let h = "(= {h} #x00000007)";
    let cell = "(= (read4.v0.w64 {&a} #x0000000000000004) #x00000005)";
    let program = |body: &str| {
        format!(
            "int h; int a[2]; int *where = a; int b[2]; struct two {{ int *p, *q; }} two = {{ b, a + 1 }}, other;
             extern void *memset(void *, int, unsigned long), *memcpy(void *, const void *, unsigned long);
             int *moved(int *p, int by) {{ return p + by; }}
             void inner(void) {{ {body} }}
             void set(void) {{ inner(); }}
             int main(void) {{ h = 7; a[1] = 5; set(); if (h != 7 || a[1] != 5) reach_error(); return 0; }}"
        )
    };
    let access = [
        "null-dereference",
        "out-of-bounds",
        "invalid-pointer",
        "constant-write",
        "pointer-punning",
        "use-after-free",
        "overlapping-copy",
    ];
    let both = || {
        map(
            &[("before set", &[h, cell]), ("after set", &[h, cell])],
            &[],
        )
    };
    for (body, kept) in [
        ("", true),
        ("if (__VERIFIER_nondet_int()) inner();", true),
        ("int x = h + a[1]; x++;", true),
        ("h = 7;", false),
        ("if (h != 7) h = 8;", false),
        // It writes next to it, or somewhere else.
        ("a[0] = 1;", true),
        ("if (__VERIFIER_nondet_int() == 3) *where = 1;", true),
        ("memset(a, 0, 4);", true),
        ("*two.p = 1;", true),
        ("other = two; *other.p = 1;", true),
        ("b[__VERIFIER_nondet_int()] = 1;", true),
        ("int x; *moved(&x, 0) = 1;", true),
        ("*(int *)((unsigned long)b + 4) = 1;", true),
        ("struct two *n = malloc(sizeof *n); *n->p = 1;", true),
        // It writes there, in many ways.
        ("a[1] = 1;", false),
        ("*(char *)(a + 1) = 1;", false),
        ("((char *)a)[7] = 1;", false),
        ("*(long *)a = 1;", false),
        ("where[1] = 1;", false),
        ("where++; *where = 1;", false),
        ("a[__VERIFIER_nondet_int() & 1] = 1;", false),
        ("memset(a, 0, 5);", false),
        ("memset(a, 0, __VERIFIER_nondet_int() & 7);", false),
        ("memcpy(a + 1, b, 4);", false),
        ("*two.q = 1;", false),
        ("other = two; *other.q = 1;", false),
        ("memcpy(&other, &two, sizeof two); *other.q = 1;", false),
        ("two.p = two.q; *two.p = 1;", false),
        ("*moved(a, 1) = 1;", false),
        ("moved(a, 2)[-1] = 1;", false),
        ("*(int *)((unsigned long)a + 4) = 1;", false),
        ("*(int *)((unsigned long)b ^ 8) = 1;", false),
        // Numbers that no address went into are none, whatever they are.
        (
            "unsigned long n = 0; while (__VERIFIER_nondet_int()) n += 4; *(int *)n = 1;",
            true,
        ),
        (
            "unsigned long n = (unsigned long)__VERIFIER_nondet_pointer(); *(int *)n = 1;",
            true,
        ),
        (
            "int *p; memset(&p, __VERIFIER_nondet_int(), sizeof p); *p = 1;",
            true,
        ),
        (
            "struct two *n = malloc(sizeof *n); *(long *)n = (long)a + __VERIFIER_nondet_int(); *n->p = 1;",
            false,
        ),
        ("*(char *)&two.p = 1; *two.p = 1;", true),
        ("int *p; *(int *)&p = 4; ((int *)&p)[1] = 0; *p = 1;", true),
        ("int low = (int)(long)two.q; *(int *)(long)low = 1;", true),
        // Those that it was put together of are.
        (
            "*(int *)(__VERIFIER_nondet_int() + (long)two.q) = 1;",
            false,
        ),
        (
            "unsigned low = (long)two.q, high = (unsigned long)two.q >> 32; *(int *)((long)high << 32 | low) = 1;",
            false,
        ),
        (
            "unsigned part[2]; part[0] = (long)two.q; part[1] = (unsigned long)two.q >> 32; **(int **)part = 1;",
            false,
        ),
        ("long n[2]; n[1] = (long)two.q; *(int *)n[1] = 1;", false),
        ("long n[2]; n[1] = (long)two.q; **(int **)&n[1] = 1;", false),
        ("int *p; *(double *)&p = *(double *)&two.q; *p = 1;", false),
        (
            "int *p; for (int i = 0; i < 8; i++) ((char *)&p)[i] = ((char *)&two.q)[i]; *p = 1;",
            false,
        ),
        (
            "int *p; memcpy(&p, &two.q, 3); memcpy((char *)&p + 3, (char *)&two.q + 3, 5); *p = 1;",
            false,
        ),
        (
            "int *p; unsigned n = __VERIFIER_nondet_int() & 7; memcpy(&p, &two.q, n); memcpy((char *)&p + n, (char *)&two.q + n, 8 - n); *p = 1;",
            false,
        ),
        (
            "long n = (long)two.q; struct two t; memcpy(&t.q, &n, 8); *t.q = 1;",
            false,
        ),
    ] {
        let result = judge(&program(body), &access, both(), &[]);
        assert_eq!(accepted(&result), kept, "{body}: {result}");
        let said = result.to_string();
        let for_the_frame = rejected(&result) && said.contains("the call of set may lead out");
        assert_eq!(for_the_frame, !kept, "{body}: {result}");
    }
}

#[test]
fn the_counter_after_a_call() {
    let c = |body: &str| {
        format!(
            "int *f(void) {{ {body} }}
             int main(void) {{ int *p = malloc(4); int *q = f(); if (p == q) reach_error(); return 0; }}"
        )
    };
    let claim = |fact: &str| {
        map(
            &[
                ("before f", &["(= {p}.o (bvsub nobj #x00000001))"]),
                ("after f", &[fact, "(not (= {p}.o {result}.o))"]),
            ],
            &[("before f", 0, &["(bvsub nobj #x00000001)"])],
        )
    };
    let fresh = summary(
        "f",
        "return",
        &["(_ BitVec 32)"],
        "(= {ret}.o {z0})",
        map(&[("entry", &["(bvult {z0} nobj)"])], &[]),
    );
    let (new, old) = (c("return malloc(8);"), c("return 0;"));
    // No pointer from the future, after the call either.
    let result = judge(
        &new,
        &[],
        claim("(bvult {result}.o nobj)"),
        std::slice::from_ref(&fresh),
    );
    assert!(accepted(&result), "{result}");
    let result = judge(
        &new,
        &[],
        claim("(bvult {p}.o nobj)"),
        std::slice::from_ref(&fresh),
    );
    assert!(accepted(&result), "{result}");
    // The counter may have grown by any number.
    let same = "(= {p}.o (bvsub nobj #x00000001))";
    for wrong in [
        same,
        "(= {p}.o (bvsub nobj #x00000002))",
        "(bvult {result}.o {p}.o)",
    ] {
        let result = judge(&new, &[], claim(wrong), std::slice::from_ref(&fresh));
        assert!(rejected(&result), "{wrong}: {result}");
    }
    let mut alone = claim("true");
    alone.uses.clear();
    let result = judge(&new, &[], alone, &[]);
    assert!(rejected(&result), "{result}");
    // A callee that makes nothing leaves it as it was. Null is no object of p's.
    let null = summary(
        "f",
        "return",
        &["(_ BitVec 32)"],
        "(= {ret}.o {z0})",
        map(&[("entry", &["(not (= {z0} #x00000000))"])], &[]),
    );
    let result = judge(&old, &[], claim(same), &[null]);
    assert!(accepted(&result), "{result}");
}

#[test]
fn errors_and_ways_out_inside_are_the_callers_business() {
    let c = "int part(int a, int b) { if (b == 7) reach_error(); return a / b; }
        int main(void) { int n = __VERIFIER_nondet_int(); if (n == 5) return part(10, n); return 0; }";
    let exact = |claims: &[(&str, &str, &str)]| {
        let uses: Vec<(&str, u32, &[&str])> = (0..claims.len() as u32)
            .map(|id| ("before part", id, &[] as &[&str]))
            .collect();
        let summaries: Vec<SummaryText> = claims
            .iter()
            .map(|(outcome, post, pre)| {
                summary("part", outcome, &[], post, map(&[("entry", &[pre])], &[]))
            })
            .collect();
        let main = map(&[("before part", &["(= {arg1} #x00000005)"])], &uses);
        (main, summaries)
    };
    let (error, bail) = (
        ("error", "true", "(not (= {b} #x00000007))"),
        ("bail:division", "true", "(= {b} #x00000005)"),
    );
    let result = |claims: &[(&str, &str, &str)], assumed: &[&str]| {
        let (main, summaries) = exact(claims);
        judge(c, assumed, main, &summaries)
    };
    assert!(accepted(&result(&[error, bail], &[])));
    // Each is wanted for itself.
    let no_bail = result(&[error], &[]);
    assert!(
        no_bail.to_string().contains("(division) inside part"),
        "{no_bail}"
    );
    let no_error = result(&[bail], &[]);
    assert!(
        no_error.to_string().contains("the error inside part"),
        "{no_error}"
    );
    // One that is assumed away is wanted no more.
    assert!(accepted(&result(&[error], &["division"])));
    // A summary of returns says nothing of them.
    let returns = ("return", "false", "true");
    assert!(rejected(&result(&[returns, bail], &[])));
    assert!(rejected(&result(&[returns, error], &[])));
    // Several may share the work: some precondition holds in each state.
    let low = ("error", "true", "(bvult {b} #x00000005)");
    let high = (
        "error",
        "true",
        "(and (bvuge {b} #x00000005) (not (= {b} #x00000007)))",
    );
    assert!(accepted(&result(&[low, high, bail], &[])));
    assert!(rejected(&result(&[low, bail], &[])));
    // A precondition that lets the error happen is no summary.
    let lax = ("error", "true", "(bvuge {b} #x00000005)");
    let result = result(&[lax, bail], &[]);
    assert!(result.to_string().contains("summary 0 of part"), "{result}");
}

#[test]
fn an_object_may_end_with_its_activation() {
    let c = "int *leak(void) { int x[2]; x[0] = 3; return x; }
        int main(void) { int *p = leak(); return *p; }";
    let others: Vec<&str> = attest_model::BailKind::ALL
        .iter()
        .map(|kind| kind.word())
        .filter(|word| *word != "use-after-free")
        .collect();
    let result = judge(c, &others, NOTHING, &[]);
    assert!(rejected(&result), "{result}");
    assert!(result.to_string().contains("use-after-free"), "{result}");
}

#[test]
fn a_proof_about_nothing_is_warned_of_before_calls_too() {
    let c = "void f(void) { reach_error(); }
        int main(void) { __VERIFIER_assume(0); f(); return 0; }";
    let main = map(&[("before f", &["false"])], &[]);
    let result = judge(c, &[], main, &[]);
    assert!(accepted(&result), "{result}");
    assert!(result.to_string().contains("vacuous"), "{result}");
}

#[test]
fn what_never_returns_may_have_any_summary() {
    let c = "int spin(int n) { return spin(n); }
        int main(void) { if (spin(1)) reach_error(); return 0; }";
    let spin = summary(
        "spin",
        "return",
        &[],
        "true",
        map(&[("after spin", &["false"])], &[("before spin", 0, &[])]),
    );
    let main = || map(&[("after spin", &["false"])], &[("before spin", 0, &[])]);
    let result = judge(c, &[], main(), std::slice::from_ref(&spin));
    assert!(accepted(&result), "{result}");
    // But not one that sometimes does.
    let c = c.replace("return spin(n);", "return n ? spin(n) : 0;");
    let result = judge(&c, &[], main(), &[spin]);
    assert!(rejected(&result), "{result}");
}

#[test]
fn variable_arguments_of_a_callee_are_not_decided() {
    let c = "int first(int n, ...) { __builtin_va_list ap; __builtin_va_start(ap, n);
          int x = n ? __builtin_va_arg(ap, int) : 0; __builtin_va_end(ap); return x; }
        int main(void) { if (first(0, 3) != 0) reach_error(); return 0; }";
    let kinds: Vec<&str> = attest_model::BailKind::ALL
        .iter()
        .map(|k| k.word())
        .collect();
    let main = || {
        map(
            &[("after first", &["(= {result} #x00000000)"])],
            &[("before first", 0, &[])],
        )
    };
    let claim = |outcome: &str, post: &str, pre: &str| {
        summary("first", outcome, &[], post, map(&[("entry", &[pre])], &[]))
    };
    let undecided = |result: &CheckResult| {
        assert!(matches!(result, CheckResult::Undecided(_)), "{result}");
        let words = result.to_string();
        assert!(words.contains("variable arguments"), "{words}");
        assert!(words.contains("program.c:"), "{words}");
    };
    // Whatever is assumed away, nothing is accepted of a construct that is not known.
    let post = "(not (= {ret} #x00000000))";
    let wanted = claim("return", post, "(= {n} #x00000000)");
    let result = judge(c, &kinds, main(), std::slice::from_ref(&wanted));
    undecided(&result);
    let mut with_error = main();
    with_error.uses.push(("before first".into(), 1, Vec::new()));
    let error = claim("error", "true", "true");
    let result = judge(c, &kinds, with_error, &[wanted, error]);
    undecided(&result);
    // Inlined, they are known.
    let s = common::subject(c, &kinds);
    let proof = s.proof_with_calls(&NOTHING, &[]);
    assert!(accepted(&s.try_check(&proof).unwrap()));
}

#[test]
fn names_of_other_maps_are_errors() {
    let c = "int f(int x) { return x; } int g(int x) { return f(x); }
        int main(void) { int n = __VERIFIER_nondet_int(); return g(n); }";
    let s = subject_with_calls(c, &[]);
    let ghost = &["(_ BitVec 32)"];
    let of = |name: &str| s.program.lookup(name).unwrap().0;
    let error = |main: MapText, of_f: (&str, &str)| {
        let inside = map(&[("entry", &[of_f.0])], &[]);
        let summary = summary("f", "return", ghost, of_f.1, inside);
        match s.try_check(&s.proof_with_calls(&main, &[summary])) {
            Ok(result) => result.to_string(),
            Err(why) => why.to_string(),
        }
    };
    let foreign = format!("(= f{}.r0 #x00000000)", of("f"));
    let result = format!("(= f{}.ret0 #x00000000)", of("f"));
    for (main, pre, post, why) in [
        (&*foreign, "true", "true", "no part of the state here"),
        (
            "(= s0.z0 #x00000000)",
            "true",
            "true",
            "no part of the state here",
        ),
        (&*result, "true", "true", "no part of the state here"),
        (
            "true",
            "(= r0 #x00000000)",
            "true",
            "no part of the state here",
        ),
        ("true", &*result, "true", "no part of the state here"),
        ("true", "true", &*foreign, "no part of the state here"),
        ("true", "true", "(= {ret} #x00)", ""),
        ("true", "true", "{ret}", "no truth value"),
        (
            "true",
            "true",
            "(= (read4.v2.w64 nobj #x0000000000000000) {ret})",
            "not of this program",
        ),
    ] {
        let found = error(map(&[("entry", &[main])], &[]), (pre, post));
        let unknown = why.contains("part") && found.contains("unknown symbol");
        assert!(
            found.contains(why) || unknown,
            "{main} {pre} {post}: {found}"
        );
        assert!(!found.contains("accepted"), "{main} {pre} {post}: {found}");
    }
    // A summary is used for the function that is called, and at its call.
    for (spot, why) in [("before g", "another function"), ("entry", "no call")] {
        let main = map(&[], &[(spot, 0, &["#x00000000"])]);
        let found = error(main, ("(= {x} {z0})", "(not (= {ret} {z0}))"));
        assert!(
            found.contains(why) || found.contains("another function"),
            "{spot}: {found}"
        );
    }
}
