//! Programs with calls, each with a right proof.

use super::calls::{Case, map, summary};
use super::memory_cases::{frame, make, put};

pub const WORD: &str = "(_ BitVec 32)";
/// All cases.
pub fn cases() -> Vec<Case> {
    vec![
        identity(),
        set_global(),
        frame(),
        put(),
        count_down(),
        parity(),
        error_inside(),
        division_inside(),
        make(),
        loop_inside(),
        depth(),
        main_again(),
        never_returns(),
    ]
}

fn identity() -> Case {
    Case {
        name: "identity",
        c: "int same(int x) { return x; }
            int main(void) { int n = __VERIFIER_nondet_int(); if (same(n) != n) reach_error(); return 0; }",
        assumed: &[],
        main: map(
            &[("after same", &["(= {result} {n})"])],
            &[("before same", 0, &["{n}"])],
        ),
        summaries: vec![summary(
            "same",
            "return",
            &[WORD],
            "(not (= {ret} {z0}))",
            map(&[("entry", &["(= {x} {z0})"])], &[]),
        )],
        wrong: &[
            &[("return x;", "return x + 1;")],
            &[("return x;", "return x == 77 ? 0 : x;")],
        ],
        right_too: &[],
    }
}

fn set_global() -> Case {
    Case {
        name: "a callee that sets a global",
        c: "int g; void set(int v) { g = v; }
            int main(void) { int n = __VERIFIER_nondet_int(); set(n + 1); if (g != n + 1) reach_error(); return 0; }",
        assumed: &[],
        main: map(
            &[
                ("before set", &["(= {arg0} (bvadd {n} #x00000001))"]),
                ("after set", &["(= {g} (bvadd {n} #x00000001))"]),
            ],
            &[("before set", 0, &["{arg0}"])],
        ),
        summaries: vec![summary(
            "set",
            "return",
            &[WORD],
            "(not (= {g} {z0}))",
            map(&[("entry", &["(= {v} {z0})"])], &[]),
        )],
        wrong: &[
            &[("g = v;", "g = v; if (v == 9) g = 8;")],
            &[("g = v;", "")],
        ],
        right_too: &[],
    }
}

fn count_down() -> Case {
    let minus = "(bvsub {z0} #x00000001)";
    let before = format!("(= {{arg0}} {minus})");
    let after = format!("(= {{result}} {minus})");
    Case {
        name: "recursion with a ghost",
        c: "int id(int n) { return n == 0 ? 0 : id(n - 1) + 1; }
            int main(void) { int n = __VERIFIER_nondet_int(); if (id(n) != n) reach_error(); return 0; }",
        assumed: &[],
        main: map(
            &[("after id", &["(= {result} {n})"])],
            &[("before id", 0, &["{n}"])],
        ),
        summaries: vec![summary(
            "id",
            "return",
            &[WORD],
            "(not (= {ret} {z0}))",
            map(
                &[
                    ("entry", &["(= {n} {z0})"]),
                    ("before id", &[&before]),
                    ("after id", &[&after]),
                ],
                &[("before id", 0, &[minus])],
            ),
        )],
        wrong: &[
            &[("+ 1;", "+ 2;")],
            &[("? 0 :", "? 1 :")],
        ],
        right_too: &[],
    }
}

fn parity() -> Case {
    let minus = "(bvsub {z0} #x00000001)";
    let before = format!("(= {{arg0}} {minus})");
    let bit = |zero: &str, one: &str, of: &str| {
        format!("(ite (= ((_ extract 0 0) {of}) #b0) #x0000000{zero} #x0000000{one})")
    };
    let (even, odd) = (bit("1", "0", "{z0}"), bit("0", "1", "{z0}"));
    let not = |value: &str| format!("(not (= {{ret}} {value}))");
    let of_odd = format!("(= {{result}} {})", bit("0", "1", minus));
    let of_even = format!("(= {{result}} {})", bit("1", "0", minus));
    let inner = |callee: &str, after: &str| {
        let (at, to) = (format!("before {callee}"), format!("after {callee}"));
        let id = u32::from(callee == "odd");
        map(
            &[
                ("entry", &["(= {n} {z0})"]),
                (&at, &[&before]),
                (&to, &[after]),
            ],
            &[(&at, id, &[minus])],
        )
    };
    let in_main = format!("(= {{result}} {})", bit("1", "0", "{n}"));
    Case {
        name: "mutual recursion",
        c: "int odd(int n); int even(int n) { return n == 0 ? 1 : odd(n - 1); }
            int odd(int n) { return n == 0 ? 0 : even(n - 1); }
            int main(void) { int n = __VERIFIER_nondet_int(); if (even(n) == (n & 1)) reach_error(); return 0; }",
        assumed: &[],
        main: map(
            &[("after even", &[&in_main])],
            &[("before even", 0, &["{n}"])],
        ),
        summaries: vec![
            summary("even", "return", &[WORD], &not(&even), inner("odd", &of_odd)),
            summary("odd", "return", &[WORD], &not(&odd), inner("even", &of_even)),
        ],
        wrong: &[
            &[("n == 0 ? 1", "n == 0 ? 0")],
            &[("? 0 : even(n - 1)", "? 0 : even(n - 2)")],
        ],
        right_too: &[],
    }
}

fn error_inside() -> Case {
    Case {
        name: "an error inside a callee",
        c: "void check(int c) { if (c < 3) reach_error(); } void twice(int c) { check(c); check(c + 1); }
            int main(void) { int n = __VERIFIER_nondet_int(); if (n > 3 && n < 100) twice(n); return 0; }",
        assumed: &[],
        main: map(
            &[("before twice", &["(bvsgt {n} #x00000003)", "(bvslt {n} #x00000064)"])],
            &[("before twice", 1, &[])],
        ),
        summaries: vec![
            summary(
                "check",
                "error",
                &[],
                "true",
                map(&[("entry", &["(not (bvslt {c} #x00000003))"])], &[]),
            ),
            summary(
                "twice",
                "error",
                &[],
                "true",
                map(
                    &[
                        ("entry", &["(bvsge {c} #x00000003)", "(bvslt {c} #x00000064)"]),
                        ("before check", &["(bvsge {c} #x00000003)", "(bvslt {c} #x00000064)"]),
                        ("after check", &["(bvsge {c} #x00000003)", "(bvslt {c} #x00000064)"]),
                        ("before check 2", &["(bvsge {arg0} #x00000003)"]),
                    ],
                    &[("before check", 0, &[]), ("before check 2", 0, &[])],
                ),
            ),
        ],
        wrong: &[
            &[("c < 3", "c < 5")],
            &[("check(c + 1)", "check(c - 2)")],
            &[("n > 3", "n > 1")],
        ],
        right_too: &[
            // One more than wanted holds there, or is asked of main, which has it.
            "a number 3 is 4 in conjunct 0 in summary 1 at entry",
            "a number 64 is 65 in conjunct 1 in summary 1 at after check",
            "a number 3 is 4 in conjunct 0 in summary 1 at before check 2",
        ],
    }
}

fn division_inside() -> Case {
    Case {
        name: "a way out of the model inside a callee",
        c: "int part(int a, int b) { return a / b; } int half(int n) { int k = n * 2; return part(k, 2) + part(10, n); }
            int main(void) { int n = __VERIFIER_nondet_int(); if (n > 1) return half(n); return 0; }",
        assumed: &[],
        main: map(
            &[("before half", &["(bvsgt {n} #x00000001)"])],
            &[("before half", 1, &[])],
        ),
        summaries: vec![
            summary(
                "part",
                "bail:division",
                &[],
                "true",
                map(&[("entry", &["(bvsgt {b} #x00000000)"])], &[]),
            ),
            summary(
                "half",
                "bail:division",
                &[],
                "true",
                map(
                    &[
                        ("entry", &["(bvsgt {n} #x00000001)"]),
                        ("before part", &["(bvsgt {n} #x00000001)"]),
                        ("before part 2", &["(bvsgt {n} #x00000001)"]),
                    ],
                    &[("before part", 0, &[]), ("before part 2", 0, &[])],
                ),
            ),
        ],
        wrong: &[
            &[("n > 1)", "n > -1)")],
            &[("a / b", "a / (b - 2)")],
        ],
        right_too: &[
            // All that it is called with is more than 1.
            "a number 0 is 1 in conjunct 0 in summary 0 at entry",
        ],
    }
}

fn loop_inside() -> Case {
    Case {
        name: "a loop inside a callee",
        c: "int up(int n) { int i = 0; while (i < n) i++; return i; }
            int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0) return 0; if (up(n) != n) reach_error(); return 0; }",
        assumed: &[],
        main: map(
            &[
                ("before up", &["(bvsge {n} #x00000000)"]),
                ("after up", &["(= {result} {n})"]),
            ],
            &[("before up", 0, &["{n}"])],
        ),
        summaries: vec![summary(
            "up",
            "return",
            &[WORD],
            "(not (= {ret} {z0}))",
            map(
                &[
                    ("entry", &["(= {n} {z0})", "(bvsge {z0} #x00000000)"]),
                    ("loop", &["(= {n} {z0})", "(bvsle {i} {n})"]),
                ],
                &[],
            ),
        )],
        wrong: &[
            &[("i < n) i++;", "i < n) i += 2;")],
            &[("n < 0)", "n < -5)")],
        ],
        right_too: &[],
    }
}

fn depth() -> Case {
    let plus = "(bvadd {z0} #x00000001)";
    let deeper = format!("(= {{depth}} {plus})");
    Case {
        name: "a global that recursion restores",
        c: "int depth; void walk(int n) { if (n <= 0) return; depth++; walk(n - 1); depth--; }
            int main(void) { walk(__VERIFIER_nondet_int()); if (depth != 0) reach_error(); return 0; }",
        assumed: &[],
        main: map(
            &[
                ("entry", &["(= {depth} #x00000000)"]),
                ("before walk", &["(= {depth} #x00000000)"]),
                ("after walk", &["(= {depth} #x00000000)"]),
            ],
            &[("before walk", 0, &["{depth}"])],
        ),
        summaries: vec![summary(
            "walk",
            "return",
            &[WORD],
            "(not (= {depth} {z0}))",
            map(
                &[
                    ("entry", &["(= {depth} {z0})"]),
                    ("before walk", &[&deeper]),
                    ("after walk", &[&deeper]),
                ],
                &[("before walk", 0, &[plus])],
            ),
        )],
        wrong: &[
            &[("depth--;", "if (n != 5) depth--;")],
            &[("depth++;", "depth += 2;")],
        ],
        // The first state has it.
        right_too: &["no (= {depth} #x00000000) in main at entry"],
    }
}

fn main_again() -> Case {
    let after: &[(&str, &[&str])] = &[("after main", &["(= {g} #x00000005)"])];
    Case {
        name: "main called again",
        c: "int g; int main(void) { g = 5; if (__VERIFIER_nondet_int()) { main(); if (g != 5) reach_error(); } return 0; }",
        assumed: &[],
        main: map(after, &[("before main", 0, &[]), ("before main", 1, &[])]),
        summaries: vec![
            summary(
                "main",
                "return",
                &[],
                "(not (= {g} #x00000005))",
                // It returns with another number in no way: that way is the error.
                map(&[], &[]),
            ),
            summary(
                "main",
                "error",
                &[],
                "true",
                map(after, &[("before main", 0, &[]), ("before main", 1, &[])]),
            ),
        ],
        wrong: &[
            &[("g = 5;", "g = __VERIFIER_nondet_int() ? 5 : 6;")],
            &[("return 0;", "g = 4; return 0;")],
        ],
        right_too: &[],
    }
}

fn never_returns() -> Case {
    Case {
        name: "a callee that ends the program",
        c: "extern void exit(int); void stop(int n) { if (n > 4) exit(1); }
            int main(void) { int n = __VERIFIER_nondet_int(); if (n > 9) { stop(n); reach_error(); } return 0; }",
        assumed: &[],
        main: map(
            &[
                ("before stop", &["(bvsgt {n} #x00000009)"]),
                ("after stop", &["false"]),
            ],
            &[("before stop", 0, &[])],
        ),
        summaries: vec![summary(
            "stop",
            "return",
            &[],
            "true",
            map(&[("entry", &["(bvsgt {n} #x00000009)"])], &[]),
        )],
        wrong: &[
            &[("n > 4", "n > 40")],
            &[("exit(1);", "n = 0;")],
        ],
        right_too: &[],
    }
}
