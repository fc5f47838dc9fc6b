//! The frame by points-to, in the shapes of drivers: a callee that is hard to understand, and
//! memory that it cannot write.

use crate::smash::smash_without;
use attest_engine::events::ProcedureEvent;
use attest_engine::{Strategy, Technique};

/// Safe with the frame; without it they are not decided, or no proof is accepted.
#[track_caller]
fn needs_the_frame(what: &str, source: &str) {
    smash_without(what, source, Strategy::SMASH, "safe", &[]);
}

/// Safe with the frame and without it, but then more is asked of callees.
#[track_caller]
fn asks_less(what: &str, source: &str) {
    let queries = |without: &[Technique]| {
        let run = smash_without(what, source, Strategy::SMASH, "safe", without);
        run.statistics.did(ProcedureEvent::Query)
    };
    let (with, without) = (queries(&[]), queries(&[Technique::Frame]));
    assert!(with < without, "{what}: {with} and {without}");
}

/// The lock of a device, and a callee that writes its other fields.
#[test]
fn other_fields_of_a_global() {
    asks_less(
        "other fields",
        "struct dev { int lock; int count; int last; } dev;\n\
         void work(struct dev *d, int n) { unsigned x = n; for (int i = 0; i < n; i++) {\n\
           x = (x ^ (x >> 3)) * 40503u + 7u; if (x & 1) d->count = (int) x; else d->last = d->count * d->count; } }\n\
         int main(void) { dev.lock = 1; work(&dev, __VERIFIER_nondet_int()); if (dev.lock != 1) reach_error(); return 0; }",
    );
}

/// A device on the heap, and a callee that writes what the device points to.
#[test]
fn what_a_field_points_to() {
    needs_the_frame(
        "behind a field",
        "void *calloc(unsigned long, unsigned long); struct stats { int n; int sum; }; struct dev { int lock; struct stats *stats; };\n\
         void count(struct stats *s, int n) { s->n += n; s->sum ^= s->n * n; }\n\
         void tick(struct dev *d, int n) { while (n-- > 0) count(d->stats, n); }\n\
         int main(void) { struct dev *d = calloc(1, sizeof *d); d->stats = calloc(1, sizeof *d->stats); d->lock = 1;\n\
           tick(d, __VERIFIER_nondet_int()); if (d->lock != 1) reach_error(); return 0; }",
    );
}

/// Two devices of one kind: the callee works on the one that it is given.
#[test]
fn two_devices() {
    asks_less(
        "two devices",
        "struct dev { int lock; int users; } a, b; struct dev *now = &b;\n\
         void open(struct dev *d, int n) { d->lock = n; for (int i = 0; i < n; i++) { d->users += i * d->lock; d->lock ^= d->users; } }\n\
         int main(void) { a.lock = 1; open(now, __VERIFIER_nondet_int()); if (a.lock != 1) reach_error(); return 0; }",
    );
}

/// A table of functions: another one of that type would write the lock.
#[test]
fn a_table_of_functions() {
    needs_the_frame(
        "a table of functions",
        "void *calloc(unsigned long, unsigned long); struct dev; struct ops { int (*start)(struct dev *, int); int (*stop)(struct dev *, int); };\n\
         struct dev { int lock; int irq; int users; const struct ops *ops; };\n\
         int a_start(struct dev *d, int n) { for (int i = 0; i < n; i++) d->users += i * d->irq; return d->users; }\n\
         int a_stop(struct dev *d, int n) { while (d->users > n) d->users /= 2; return 0; }\n\
         int other(struct dev *d, int n) { d->lock = n; return n; }\n\
         const struct ops a_ops = { a_start, a_stop }; int (*hidden)(struct dev *, int) = other;\n\
         int main(void) { struct dev *d = calloc(1, sizeof *d); d->ops = &a_ops; d->lock = 1; d->ops->start(d, __VERIFIER_nondet_int());\n\
           if (d->lock != 1) reach_error(); return 0; }",
    );
}

/// A local whose address nobody else has.
#[test]
fn a_local_that_does_not_escape() {
    asks_less(
        "a local",
        "int total; struct box { int a; int b; } box;\n\
         void fill(struct box *b, int n) { for (int i = 0; i < n; i++) { b->a = i * b->b; total += b->a; b->b ^= total * 7; } }\n\
         int set(int *p, int v) { *p = v; return v; }\n\
         int main(void) { int state = 0; set(&state, 1); fill(&box, __VERIFIER_nondet_int()); if (state != 1) reach_error(); return 0; }",
    );
}

/// What is asked mixes the result with memory that the callee cannot write: to the callee
/// that memory is one more ghost.
#[test]
fn results_and_kept_memory_together() {
    needs_the_frame(
        "a result and a field",
        "struct dev { int lock; int count; int limit; } dev;\n\
         int step(struct dev *d, int n) { for (int i = 0; i < n; i++) { d->count ^= i; d->limit += d->count; } return d->count & 1; }\n\
         int main(void) { dev.lock = 1; int r = step(&dev, __VERIFIER_nondet_int() & 15);\n\
           if (r == dev.lock + 1) reach_error(); return 0; }",
    );
}
