//! Cases about memory: what callees write, leave alone and make.

use super::calls::{Case, map, summary};
use super::cases::WORD;

const OFFSET: &str = "(_ BitVec 64)";
/// What an access through a pointer may do besides.
const ACCESS: &[&str] = &[
    "null-dereference",
    "out-of-bounds",
    "invalid-pointer",
    "constant-write",
];

/// What a callee does not write stays, and no summary is needed for that.
pub fn frame() -> Case {
    Case {
        name: "a global that the callee leaves alone",
        c: "int g, h; int get(void) { return g; } void set(int v) { if (get() != v) g = v; }
            int a[2];
            int main(void) { int n = __VERIFIER_nondet_int(); h = 7; a[1] = 5; set(n); if (h != 7 || a[1] != 5) reach_error(); return 0; }",
        assumed: &[],
        main: map(
            &[
                (
                    "before set",
                    &[
                        "(= {h} #x00000007)",
                        "(= (read4.v0.w64 {&a} #x0000000000000004) #x00000005)",
                    ],
                ),
                (
                    "after set",
                    &[
                        "(= {h} #x00000007)",
                        "(= (read4.v0.w64 {&a} #x0000000000000004) #x00000005)",
                    ],
                ),
            ],
            &[],
        ),
        summaries: vec![],
        wrong: &[
            &[("!= v) g = v;", "!= v) h = v;")],
            &[("int a[2];", ""), ("int g, h;", "int g, h, a[2];"), ("!= v) g = v;", "!= v) a[1] = v;")],
        ],
        right_too: &[],
    }
}

pub fn put() -> Case {
    let there = ["(= {p}.o {z0})", "(= {p}.a {z1})", "(= {v} {z2})"];
    // Offset 0 is safe from a write at offset 4, whichever object that is to.
    let other = [
        "(= {p}.a #x0000000000000004)",
        "(= (read4.v0.w64 {z0} #x0000000000000000) {z1})",
    ];
    Case {
        name: "a callee that writes through a pointer",
        // The index hides from the frame that it writes next to `a[0]`.
        c: "int a[4]; void put(int *p, int v) { p += v - v; *p = v; }
            int main(void) { int n = __VERIFIER_nondet_int(); a[0] = 3; put(&a[1], n);
              if (a[1] != n) reach_error(); if (a[0] != 3) reach_error(); return 0; }",
        assumed: ACCESS,
        main: map(
            &[
                (
                    "before put",
                    &["(= (read4.v0.w64 {&a} #x0000000000000000) #x00000003)"],
                ),
                (
                    "after put",
                    &[
                        "(= (read4.v0.w64 {&a} #x0000000000000004) {n})",
                        "(= (read4.v0.w64 {&a} #x0000000000000000) #x00000003)",
                    ],
                ),
            ],
            &[
                ("before put", 0, &["{&a}", "#x0000000000000004", "{n}"]),
                ("before put", 1, &["{&a}", "#x00000003"]),
            ],
        ),
        summaries: vec![
            summary(
                "put",
                "return",
                &[WORD, OFFSET, WORD],
                "(not (= (read4.v0.w64 {z0} {z1}) {z2}))",
                map(&[("entry", &there)], &[]),
            ),
            summary(
                "put",
                "return",
                &[WORD, WORD],
                "(not (= (read4.v0.w64 {z0} #x0000000000000000) {z1}))",
                map(&[("entry", &other)], &[]),
            ),
        ],
        wrong: &[
            &[("*p = v;", "p[-1] = v;")],
            &[("*p = v;", "*p = v + 1;")],
            &[("*p = v;", "*p = v; a[0] = v;")],
        ],
        right_too: &[],
    }
}

pub fn make() -> Case {
    let fresh = "(or (not (= {ret}.a #x0000000000000000)) \
        (not (= (read8.v1.w64 {ret}.o #x0000000000000000) #x0000000000000004)) \
        (not (= (read4.v0.w64 {ret}.o #x0000000000000000) {z0})) (bvult {ret}.o {z1}))";
    let kept = [
        "(bvult {z0} nobj)",
        "(= (read4.v0.w64 {z0} #x0000000000000000) {z1})",
    ];
    // That it is not null follows from its size: null has none.
    let pointer = [
        "(= {result}.a #x0000000000000000)",
        "(= (read8.v1.w64 {result}.o #x0000000000000000) #x0000000000000004)",
        "(= (read4.v0.w64 {result}.o #x0000000000000000) {n})",
    ];
    let p = |text: &str| text.replace("{result}", "{p}");
    let later: Vec<String> = pointer.iter().map(|text| p(text)).collect();
    let mut at_end: Vec<&str> = later.iter().map(|text| &**text).collect();
    let other = "(not (= {result}.o {p}.o))";
    let before = at_end.clone();
    at_end.push(other);
    let mut uses: Vec<(&str, u32, &[&str])> = vec![
        ("before make", 0, &["{n}", "nobj"]),
        ("before make 2", 0, &["#x00000007", "nobj"]),
        ("before make 2", 1, &["{p}.o", "{n}"]),
    ];
    let bails = ["null-dereference", "out-of-bounds"];
    for id in 2..2 + bails.len() as u32 {
        uses.extend([
            ("before make", id, &[] as &[&str]),
            ("before make 2", id, &[]),
        ]);
    }
    let mut summaries = vec![
        summary(
            "make",
            "return",
            &[WORD, WORD],
            fresh,
            map(&[("entry", &["(= {v} {z0})", "(= nobj {z1})"])], &[]),
        ),
        summary(
            "make",
            "return",
            &[WORD, WORD],
            "(not (= (read4.v0.w64 {z0} #x0000000000000000) {z1}))",
            map(&[("entry", &kept)], &[]),
        ),
    ];
    for kind in bails {
        let outcome = format!("bail:{kind}");
        summaries.push(summary("make", &outcome, &[], "true", map(&[], &[])));
    }
    Case {
        name: "a callee that allocates",
        c: "int *make(int v) { int *p = malloc(4); *p = v; return p; }
            int main(void) { int n = __VERIFIER_nondet_int(); int *p = make(n), *q = make(7);
              if (*p != n || p == q) reach_error(); return 0; }",
        assumed: &[],
        main: map(
            &[
                ("after make", &pointer),
                ("before make 2", &before),
                ("after make 2", &at_end),
            ],
            &uses,
        ),
        summaries,
        wrong: &[
            &[("*p = v;", "*p = v + 1;")],
            &[
                ("int *make", "int *last; int *make"),
                ("*p = v;", "*p = v; if (last) *last = v; last = p;"),
            ],
            &[
                ("int *make", "int *last; int *make"),
                ("return p;", "if (last) return last; last = p; return p;"),
            ],
        ],
        // That the pointer is the start of its object is known from the code.
        right_too: &["no (= {p}.a #x0000000000000000) in main at after make 2"],
    }
}
