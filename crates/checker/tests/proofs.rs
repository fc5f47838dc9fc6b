//! Proofs written by hand: right ones are accepted, others rejected with the edge.

mod common;

use attest_checker::{CheckResult, check_proof};
use attest_solver::{Answer, Limits, Reason, Solver, Statistics};
use attest_term::{Term, Terms};
use common::{accepted, rejected, subject};

const COUNT: &str = "int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  if (n < 0) return 0;
  while (i < n) i++;
  if (i != n) reach_error();
}";

#[test]
fn a_counting_loop() {
    let s = subject(COUNT, &[]);
    let right = s.check_loops(&[&["(bvsle {i} {n})"]]);
    assert!(accepted(&right), "{right}");
    let none = s.check_loops(&[&[]]);
    assert!(rejected(&none), "{none}");
    assert!(none.to_string().contains("the error"), "{none}");
    let strict = s.check_loops(&[&["(bvslt {i} {n})"]]);
    assert!(rejected(&strict), "{strict}");
    let CheckResult::Rejected(failure) = strict else {
        return;
    };
    assert!(failure.to_string().contains("program.c:"), "{failure}");
}

/// What the first state does not fix is anything at the entry.
#[test]
fn the_first_state_says_no_more_than_it_is() {
    let program = |global: &str| {
        format!(
            "{global}
             int main(void) {{
               do {{ if (lock) reach_error(); }} while (__VERIFIER_nondet_int());
               return 0;
             }}"
        )
    };
    for (global, holds) in [
        ("int lock;", true),
        ("int lock = 0;", true),
        ("int lock = 1;", false),
        ("extern int lock;", false),
    ] {
        let s = subject(&program(global), &[]);
        let head = "(= {lock} #x00000000)".to_owned();
        let result = s.check(&s.proof(&[(s.loops()[0], vec![head])]));
        assert_eq!(accepted(&result), holds, "{global}: {result}");
    }
}

#[test]
fn a_lock_that_alternates() {
    let s = subject(
        "int lock, new, old;
         int main(void) {
           do {
             if (lock) reach_error();
             lock = 1; old = new;
             if (__VERIFIER_nondet_int()) { if (!lock) reach_error(); lock = 0; new++; }
           } while (new != old);
           if (!lock) reach_error();
         }",
        &[],
    );
    let zero = "#x00000000";
    let head = format!("(= {{lock}} {zero})");
    let right = s.proof(&[
        (s.entry(), vec![head.clone()]),
        (s.loops()[0], vec![head.clone()]),
    ]);
    let result = s.check(&right);
    assert!(accepted(&result), "{result}");
    // Nothing leads back to the entry, so its states are the first ones without an invariant too.
    let open = s.proof(&[(s.loops()[0], vec![head])]);
    let result = s.check(&open);
    assert!(accepted(&result), "{result}");
    // Only the step out of the entry starts there.
    let nothing = s.proof(&[]);
    assert!(rejected(&s.check(&nothing)));
    let wrong = s.proof(&[
        (s.entry(), vec!["(= {lock} #x00000001)".into()]),
        (s.loops()[0], vec![]),
    ]);
    let result = s.check(&wrong);
    assert!(result.to_string().contains("from the start"), "{result}");
}

const ARRAY: &str = "int g[4];
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0;
  g[0] = 1;
  while (i < n) { g[1 + (i & 1)] = i; i++; }
  if (g[0] != 1) reach_error();
}";

#[test]
fn an_array_with_an_unknown_index() {
    let s = subject(ARRAY, &[]);
    let read = "(= (read4.v0.w64 {&g} #x0000000000000000) #x00000001)";
    let result = s.check_loops(&[&[read]]);
    assert!(accepted(&result), "{result}");
    let result = s.check_loops(&[&["(= (read4.v0.w64 {&g} #x0000000000000004) #x00000001)"]]);
    assert!(rejected(&result), "{result}");
    // The same fact by its bytes.
    let bytes = [
        "(= (read1.v0.w64 {&g} #x0000000000000000) #x01)",
        "(= (read1.v0.w64 {&g} #x0000000000000001) #x00)",
        "(= (read2.v0.w64 {&g} #x0000000000000002) #x0000)",
    ];
    let result = s.check_loops(&[&bytes]);
    assert!(accepted(&result), "{result}");
    let result = s.check_loops(&[&bytes[..2]]);
    assert!(rejected(&result), "{result}");
}

#[test]
fn an_array_index_that_may_be_outside() {
    let c = ARRAY.replace("(i & 1)", "i");
    let read = "(= (read4.v0.w64 {&g} #x0000000000000000) #x00000001)";
    let nonnegative = "(bvsge {i} #x00000000)";
    let result = subject(&c, &[]).check_loops(&[&[read, nonnegative]]);
    assert!(result.to_string().contains("out-of-bounds"), "{result}");
    let result = subject(&c, &["out-of-bounds"]).check_loops(&[&[read, nonnegative]]);
    assert!(accepted(&result), "{result}");
    assert!(result.to_string().contains("out-of-bounds"), "{result}");
    // i may wrap to -1, and then 1 + i is 0.
    let result = subject(&c, &["out-of-bounds"]).check_loops(&[&[read]]);
    assert!(rejected(&result), "{result}");
}

const LIST: &str = "struct node { int v; struct node *next; };
int main(void) {
  struct node *p = malloc(sizeof *p);
  p->v = 3;
  p->next = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *q = malloc(sizeof *q);
    q->v = 3;
    q->next = p;
    p = q;
  }
  if (p->v != 3) reach_error();
}";

#[test]
fn a_list_on_the_heap() {
    let s = subject(LIST, &[]);
    let facts = [
        "(not (= {p}.o #x00000000))",
        "(= {p}.a #x0000000000000000)",
        "(= (read8.v1.w64 {p}.o #x0000000000000000) #x0000000000000010)",
        "(= (read4.v0.w64 {p}.o {p}.a) #x00000003)",
    ];
    let result = s.check_loops(&[&facts]);
    assert!(accepted(&result), "{result}");
    for left_out in 0..facts.len() {
        let mut fewer = facts.to_vec();
        fewer.remove(left_out);
        let result = s.check_loops(&[&fewer]);
        // That it is not null follows from its size: null has none. That it is the start
        // of its object is known from the code.
        assert_eq!(accepted(&result), left_out <= 1, "{left_out}: {result}");
    }
    // What next points to: null is stored as a pointer too.
    let next = "(tag.v0.w64 {p}.o #x0000000000000008)";
    let below = "(bvult (ptrobj.v0.w64 {p}.o #x0000000000000008) {p}.o)";
    let more: Vec<&str> = facts.iter().copied().chain([next, below]).collect();
    let result = s.check_loops(&[&more]);
    assert!(accepted(&result), "{result}");
}

#[test]
fn a_pointer_that_is_one_of_two() {
    let s = subject(
        "int x, y;
         int main(void) {
           int *p = __VERIFIER_nondet_int() ? &x : &y;
           int i = 0;
           x = 0; y = 0;
           while (__VERIFIER_nondet_int()) { *p = 5; i = 1; }
           if (i && x + y != 5) reach_error();
         }",
        &[],
    );
    let x = "(read4.v0.w64 {&x} #x0000000000000000)";
    let y = "(read4.v0.w64 {&y} #x0000000000000000)";
    let one = "(or (= {p}.o {&x}) (= {p}.o {&y}))".to_owned();
    let start = "(= {p}.a #x0000000000000000)".to_owned();
    let other = format!("(= (ite (= {{p}}.o {{&x}}) {y} {x}) #x00000000)");
    let this = format!("(or (= {{i}} #x00000000) (= (ite (= {{p}}.o {{&x}}) {x} {y}) #x00000005))");
    let all = [&*one, &*start, &*other, &*this];
    let result = s.check_loops(&[&all]);
    assert!(accepted(&result), "{result}");
    // Where it points is known from the code.
    for left_out in 2..all.len() {
        let mut fewer = all.to_vec();
        fewer.remove(left_out);
        let result = s.check_loops(&[&fewer]);
        assert!(rejected(&result), "{left_out}: {result}");
    }
}

#[test]
fn undefined_operations_are_named() {
    let c = "int main(void) { int n = __VERIFIER_nondet_int(); return 10 / n; }";
    let result = subject(c, &[]).check_loops(&[]);
    assert!(result.to_string().contains("division"), "{result}");
    assert!(accepted(&subject(c, &["division"]).check_loops(&[])));
}

#[test]
fn lives_of_objects_are_followed() {
    // Each program with the kind that no proof excludes, if there is one.
    let cases = [
        ("int *p = malloc(4); *p = 1; free(p); return 0;", ""),
        ("int *p = malloc(4); free(p); return *p;", "use-after-free"),
        (
            "int *p = malloc(4); free(p); free(p); return 0;",
            "bad-free",
        ),
        ("int *p = malloc(4); free(p + 1); return 0;", "bad-free"),
        ("static int x; int *p = &x; free(p); return 0;", "bad-free"),
        ("int x; int *p = &x; free(p); return 0;", "bad-free"),
        ("free((void *)0); return 0;", ""),
        (
            "int *p = 0; if (__VERIFIER_nondet_int()) p = malloc(4); free(p); return 0;",
            "",
        ),
        (
            "int *p = malloc(4); if (__VERIFIER_nondet_int() == 5) free(p); *p = 1; return 0;",
            "use-after-free",
        ),
        (
            "int *p = malloc(4); if (__VERIFIER_nondet_int() == 5) free(p); free(p); return 0;",
            "bad-free",
        ),
        (
            "int *p = malloc(4), *q = malloc(4); free(p); *q = 1; free(q); return 0;",
            "",
        ),
        (
            "int *p = malloc(4), *q = realloc(p, 8); *q = 1; free(q); return 0;",
            "",
        ),
        (
            "int *p = malloc(4), *q = realloc(p, 8); *p = 1; free(q); return 0;",
            "use-after-free",
        ),
        (
            "int *p = malloc(4), *q = realloc(p, 8); *q = 1; free(p); return 0;",
            "bad-free",
        ),
        (
            "int *p = malloc(4), *q; free(p); q = realloc(p, 8); return 0;",
            "bad-free",
        ),
        ("int *p; { int x = 1; p = &x; } return 0;", ""),
        ("int *p = local(); return *p;", "use-after-free"),
        ("int *p = local(); return p == 0;", ""),
        ("int x = 0; set(&x); set(&x); return x;", ""),
        // The last object is dead, whatever became of the one before.
        (
            "int *p = local(), *q = local(); return *q;",
            "use-after-free",
        ),
        (
            "int *p = local(), *q = malloc(4); *q = 1; free(q); return *p;",
            "use-after-free",
        ),
        // An access of no bytes is none.
        (
            "int *p = malloc(4); free(p); memset(p, 0, __VERIFIER_nondet_int() & 0); return 0;",
            "",
        ),
        (
            "int *p = malloc(4); free(p); memset(p, 0, __VERIFIER_nondet_int() & 1); return 0;",
            "use-after-free",
        ),
        (
            "int *p = malloc(4), x; free(p); memcpy(&x, p, 4); return 0;",
            "use-after-free",
        ),
    ];
    for (body, wrong) in cases {
        let c = format!(
            "void free(void *); void *realloc(void *, unsigned long);
             void *memset(void *, int, unsigned long); void *memcpy(void *, const void *, unsigned long);
             static int *local(void) {{ int x = 1; int *p = &x; return p; }}
             static void set(int *p) {{ int y = 1; int *q = &y; *p = *q; }}
             int main(void) {{ {body} }}"
        );
        let assumed = ["null-dereference"];
        let result = subject(&c, &assumed).check_loops(&[]);
        match wrong {
            "" => assert!(accepted(&result), "{body}: {result}"),
            wrong => assert!(result.to_string().contains(wrong), "{body}: {result}"),
        }
        let assumed = ["null-dereference", "use-after-free", "bad-free"];
        let result = subject(&c, &assumed).check_loops(&[]);
        assert!(accepted(&result), "{body}: {result}");
    }
}

#[test]
fn an_invariant_may_speak_of_lives() {
    let s = subject(
        "void free(void *);
         int main(void) {
           int *p = malloc(4);
           while (__VERIFIER_nondet_int()) *p = 5;
           free(p);
           while (__VERIFIER_nondet_int()) ;
           return p != 0;
         }",
        &["null-dereference", "invalid-pointer", "out-of-bounds"],
    );
    let alive = "(= (read1.v2.w64 {p}.o #x0000000000000000) #x00)";
    let start = "(= {p}.a #x0000000000000000)";
    let result = s.check_loops(&[&[alive, start], &[]]);
    assert!(accepted(&result), "{result}");
    assert!(rejected(&s.check_loops(&[&[start], &[]])), "it may be dead");
    let dead = "(= (read1.v2.w64 {p}.o #x0000000000000000) #x01)";
    let result = s.check_loops(&[&[alive, start], &[dead]]);
    assert!(accepted(&result), "{result}");
    let result = s.check_loops(&[&[alive, start], &[alive]]);
    assert!(rejected(&result), "{result}");
    // Only whole lives are part of the state.
    for wrong in [
        "(= (read1.v2.w64 {p}.o #x0000000000000001) #x00)",
        "(= (read2.v2.w64 {p}.o #x0000000000000000) #x0000)",
        "(= (read1.v4.w64 {p}.o #x0000000000000000) #x00)",
    ] {
        assert!(s.try_check_loops(&[&[wrong], &[]]).is_err(), "{wrong}");
    }
}

#[test]
fn assumptions_about_lives_restrict_no_state() {
    // The life of `local` ends, so its accesses may be after that as far as the
    // state knows. Assuming that they are not must not assume the program away.
    let s = subject(
        "static void set(int *p) { *p = __VERIFIER_nondet_int(); }
         int main(void) { { int local = 0; set(&local); if (local == 5) reach_error(); } return 0; }",
        &["use-after-free", "bad-free", "null-dereference", "out-of-bounds"],
    );
    let result = s.check(&s.proof(&[]));
    assert!(rejected(&result), "{result}");
    let heap = subject(
        "void *malloc(unsigned long); void free(void *);
         int main(void) { int *p = malloc(4); *p = __VERIFIER_nondet_int(); free(p);
           if (__VERIFIER_nondet_int() == 5) reach_error(); return 0; }",
        &[
            "use-after-free",
            "bad-free",
            "null-dereference",
            "out-of-bounds",
        ],
    );
    let result = heap.check(&heap.proof(&[]));
    assert!(rejected(&result), "{result}");
}

#[test]
fn a_proof_about_nothing_is_warned_of() {
    let c = "int main(void) {
        __VERIFIER_assume(0);
        reach_error();
    }";
    let result = subject(c, &[]).check_loops(&[]);
    assert!(accepted(&result), "{result}");
    assert!(result.to_string().contains("vacuous"), "{result}");
    let result = subject("int main(void) { return 0; }", &[]).check_loops(&[]);
    assert!(accepted(&result) && !result.to_string().contains("vacuous"));
}

#[test]
fn calls_are_inlined() {
    let s = subject(
        "static int twice(int x) { return x + x; }
         int main(void) {
           int n = __VERIFIER_nondet_int();
           if (twice(n) & 1) reach_error();
         }",
        &[],
    );
    let result = s.check_loops(&[]);
    assert!(accepted(&result), "{result}");
}

#[test]
fn static_contents_are_known_at_first() {
    let s = subject(
        "const int table[3] = {1, 2, 3};
         int other[3] = {4, 5, 6};
         int main(void) {
           int i = __VERIFIER_nondet_int() & 1;
           if (table[i] > 2) reach_error();
           if (other[i] > 5) reach_error();
           other[0] = 0;
         }",
        &[],
    );
    let first = |at: u32| format!("(read4.v0.w64 {{&other}} #x{at:016x})");
    let facts = vec![
        format!("(= {} #x00000004)", first(0)),
        format!("(= {} #x00000005)", first(4)),
    ];
    let result = s.check(&s.proof(&[(s.entry(), facts)]));
    assert!(accepted(&result), "{result}");
    let result = s.check(&s.proof(&[(s.entry(), vec![format!("(= {} #x00000007)", first(8))])]));
    assert!(result.to_string().contains("from the start"), "{result}");
}

/// A solver that never knows.
struct Shrug;

impl Solver for Shrug {
    fn name(&self) -> &'static str {
        "shrug"
    }

    fn assert(&mut self, _: &Terms, _: Term) {}

    fn check(&mut self, _: &Terms, _: &[Term], _: &Limits) -> Answer {
        Answer::Unknown(Reason::Time)
    }

    fn statistics(&self) -> Statistics {
        Statistics::default()
    }
}

#[test]
fn an_unknown_answer_is_never_an_acceptance() {
    let s = subject(COUNT, &[]);
    let proof = s.loop_proof(&[&["(bvsle {i} {n})"]]);
    let limits = Limits::default();
    let result = check_proof(&s.program, &s.graph, &proof, &mut Shrug, &limits).unwrap();
    assert!(matches!(result, CheckResult::Undecided(_)), "{result}");
    assert!(result.to_string().contains("time limit"), "{result}");
}

#[test]
fn texts_that_are_no_invariants_are_errors() {
    let s = subject(COUNT, &[]);
    let head = s.loops()[0];
    let error = |smt: &str| {
        let mut proof = s.proof(&[(head, vec![])]);
        proof.invariants[0].smt = smt.into();
        let limits = Limits::default();
        let result = check_proof(&s.program, &s.graph, &proof, &mut Shrug, &limits);
        result.expect_err(smt).to_string()
    };
    for (smt, why) in [
        ("", "no term"),
        ("(and", ""),
        ("(= nobody #x00)", "unknown symbol"),
        ("nobj", "no truth value"),
        ("(= nobj #x00)", ""),
        (
            "(tag.v7.w64 nobj #x0000000000000000)",
            "not of this program",
        ),
        ("(tag.v0.w32 nobj #x00000000)", "not of this program"),
        ("(= (base.w8 nobj) #x00)", "not of this program"),
    ] {
        let message = error(smt);
        assert!(message.contains(why), "{smt}: {message}");
    }
    let mut twice = s.proof(&[(head, vec![]), (head, vec![])]);
    let limits = Limits::default();
    let result = check_proof(&s.program, &s.graph, &twice, &mut Shrug, &limits);
    assert!(result.unwrap_err().to_string().contains("two"));
    twice.invariants.pop();
    twice.invariants[0].position = "B77.0".into();
    let result = check_proof(&s.program, &s.graph, &twice, &mut Shrug, &limits);
    assert!(result.unwrap_err().to_string().contains("another program"));
}

#[test]
fn pointers_of_32_bits() {
    let mut s = subject(ARRAY, &[]);
    s.blank.data_model = attest_proof::DataModel::Ilp32;
    s.program = attest_checker::load_for(&s.blank, std::slice::from_ref(&s.file)).unwrap();
    s.graph = attest_model::Graph::of(&s.program, s.blank.granularity.into());
    let result = s.check_loops(&[&["(= (read4.v0.w32 {&g} #x00000000) #x00000001)"]]);
    assert!(accepted(&result), "{result}");
}

#[test]
fn every_granularity_has_its_own_locations() {
    for steps in [attest_proof::Steps::Insn, attest_proof::Steps::Basic] {
        let mut s = subject(COUNT, &[]);
        s.blank.granularity = steps;
        s.graph = attest_model::Graph::of(&s.program, steps.into());
        // Finer locations need invariants of their own.
        let result = s.check_loops(&[&["(bvsle {i} {n})"]]);
        assert!(rejected(&result), "{result}");
    }
}
