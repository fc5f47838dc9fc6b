//! Damaged proofs. The proofs that the engine finds for small programs are damaged in every
//! simple way, and the checker must reject what is no proof any more. Whether it is one is
//! judged a second time, by the engine's own semantics (which the checker does not share)
//! and, where it is installed, by Z3.

mod common;

use attest_checker::CheckResult;
use attest_engine::{Engine, Options, Strategy, Verdict};
use attest_exec::symbolic::domain::SymState;
use attest_exec::symbolic::memory::SIZES;
use attest_exec::symbolic::step::{Stepper, Values, Vocabulary, substitute};
use attest_exec::symbolic::value::SymVal;
use attest_model::graph::{Graph, Loc, LocKind};
use attest_model::{BailKind, Granularity, Program, Reg};
use attest_solver::{Answer, Blaster, Limits, Solver, Z3};
use attest_term::{Op, Term, Terms};
use common::{Source, at, checked, solver, written};
use rustc_hash::FxHashMap;
use std::time::Duration;

const SAFE: &[&str] = &[
    "int main(void) { int n = __VERIFIER_nondet_int(), i = 0; if (n < 0 || n > 50) return 0;
     while (i < n) i++; if (i != n) reach_error(); return 0; }",
    "int main(void) { int held = 0, before, count = __VERIFIER_nondet_int();
     do { if (held) reach_error(); held = 1; before = count;
       if (__VERIFIER_nondet_int()) { held = 0; count++; } } while (count != before);
     if (!held) reach_error(); return 0; }",
    "int main(void) { unsigned s = 0; while (__VERIFIER_nondet_int()) s += 2;
     if (s & 1) reach_error(); return 0; }",
    "int main(void) { int x = 0, y = 7; while (__VERIFIER_nondet_int() && x < 1000) { x++; y++; }
     if (y - x != 7) reach_error(); return 0; }",
    "int main(void) { int state = 1, opened = 0, n = 0;
     while (n < 1000) { n++; switch (state) { case 1: opened = 1; state = 2; break;
       case 2: if (!opened) reach_error(); state = 3; break;
       case 3: opened = 0; state = __VERIFIER_nondet_int() ? 1 : 4; break;
       default: return 0; } } return 0; }",
    "int main(void) { int x = __VERIFIER_nondet_int(), y = 4; if (x != 0) return 1;
     while (y >= 0) y = y + x; reach_error(); return 0; }",
    "int main(void) { int a = 6, b = a;
     while (a == b) { a = a + 2; if (a == b) reach_error(); b = __VERIFIER_nondet_int(); }
     return 0; }",
    "int main(void) { int k = __VERIFIER_nondet_int(), x = 0; if (k != 6) return 0;
     if (__VERIFIER_nondet_int()) x = 1; else x = 2;
     if (__VERIFIER_nondet_int()) x += 3; else x += 4;
     if (k != 6 || x > 6) reach_error(); return 0; }",
    "int main(void) { unsigned char i = 0, j = 0; while (i < 10) i++; while (j < i) j++;
     if (j != 10) reach_error(); return 0; }",
    "int main(void) { unsigned char x = 4, y = 4; while (x < 100) x += 4; while (y != x) y += 4;
     while (y > 4) { y -= 4; if (x != 100) reach_error(); } if (y != 4) reach_error(); return 0; }",
    "int main(void) { unsigned char lock = 0, held = 0;
     while (1) { if (__VERIFIER_nondet_uchar() & 1) { if (!lock) { lock = 1; held = 3; } }
       else { if (lock && held != 3) reach_error(); if (!lock && held) reach_error();
         lock = 0; held = 0; } } }",
    "int main(void) { int x = __VERIFIER_nondet_int();
     if (x > 35) { x = x - 35; if (x == 0) reach_error(); } return 0; }",
    "int main(void) { int a = 0, b = 0, n = __VERIFIER_nondet_int();
     while (a < n) { a++; b = b + 1; if (a != b) reach_error(); }
     if (a != b) reach_error(); return 0; }",
    "int full; int main(void) { int n = 0; full = 1;
     while (__VERIFIER_nondet_int()) { if (full != 1) reach_error(); full = 0; n = 5; full = 1; }
     if (n != 0 && n != 5) reach_error(); return 0; }",
    "int one, two; int main(void) { int *p = __VERIFIER_nondet_int() ? &one : &two;
     one = 3; two = 3; while (__VERIFIER_nondet_int()) *p = 3;
     if (one != 3) reach_error(); return 0; }",
    "int main(void) { int x = 3, y = 9, c = __VERIFIER_nondet_int();
     while (__VERIFIER_nondet_int()) { int z = x; x = y; y = z; if (c > 0) c = -c; }
     if (x + y != 12 || x == y) reach_error(); return 0; }",
];

/// Conjuncts of a term.
fn conjuncts(terms: &Terms, term: Term) -> Vec<Term> {
    match terms.op(term) {
        Op::And => {
            let args = terms.args(term);
            args.iter().flat_map(|a| conjuncts(terms, *a)).collect()
        }
        _ => vec![term],
    }
}

/// A term with one of its parts replaced.
fn replaced(terms: &mut Terms, term: Term, old: Term, new: Term) -> Term {
    terms.substitute(term, &FxHashMap::from_iter([(old, new)]))
}

/// All damaged forms of one invariant, each with what was done.
fn damaged(terms: &mut Terms, invariant: Term) -> Vec<(&'static str, Term)> {
    let mut out = vec![
        ("made true", terms.bool(true)),
        ("made false", terms.bool(false)),
    ];
    let parts = conjuncts(terms, invariant);
    for (i, part) in parts.iter().enumerate() {
        let mut rest = parts.clone();
        rest.remove(i);
        out.push(("conjunct dropped", terms.all(&rest)));
        rest.push(terms.not(*part));
        out.push(("conjunct negated", terms.all(&rest)));
    }
    for atom in terms.reachable(&[invariant]) {
        let args = terms.args(atom).to_vec();
        let (what, new) = match terms.op(atom) {
            Op::Ult => ("< to <=", terms.ule(args[0], args[1])),
            Op::Ule => ("<= to <", terms.ult(args[0], args[1])),
            Op::Slt => ("< to <=", terms.sle(args[0], args[1])),
            Op::Sle => ("<= to <", terms.slt(args[0], args[1])),
            Op::Eq => ("= to !=", terms.ne(args[0], args[1])),
            _ => continue,
        };
        out.push((what, replaced(terms, invariant, atom, new)));
        for constant in args {
            let Some(value) = terms.bv_const(constant).cloned() else {
                continue;
            };
            let one = terms.bv_u128(value.width(), 1);
            let (more, less) = (terms.add(constant, one), terms.sub(constant, one));
            for (what, other) in [("constant + 1", more), ("constant - 1", less)] {
                let moved = replaced(terms, atom, constant, other);
                out.push((what, replaced(terms, invariant, atom, moved)));
            }
        }
    }
    out
}

/// A second judge of proofs: the engine's semantics and another solver.
struct Judge<'p> {
    stepper: Stepper<'p>,
    vocabulary: Vocabulary,
    assumed: Vec<BailKind>,
    /// What holds in every state: pointers name objects that exist, and those of the
    /// program have the size that they have. The checker takes this for granted too.
    axioms: Vec<Term>,
    solver: Box<dyn Solver>,
}

fn axioms(terms: &mut Terms, program: &Program, vocabulary: &Vocabulary) -> Vec<Term> {
    let counter = vocabulary.next_object();
    let first = terms.bv_u128(32, program.first_dynamic().0.into());
    let mut axioms = vec![terms.ule(first, counter)];
    for i in 0..program.function(program.entry).regs.len() as u32 {
        if let SymVal::Ptr(p) = vocabulary.reg(Reg(i)) {
            axioms.push(terms.ult(p.object, counter));
        }
    }
    let bits = program.pointer_bits;
    let zero = terms.bv_u128(bits, 0);
    for (i, object) in program.objects.iter().enumerate() {
        let number = terms.bv_u128(32, i as u128 + 1);
        let size = terms.read(SIZES, number, zero, bits / 8);
        let known = terms.bv_u128(bits, object.size.into());
        axioms.push(terms.eq(size, known));
    }
    axioms
}

impl Judge<'_> {
    /// Whether invariants hold at the start, are inductive and exclude the error; none if
    /// the solver does not know.
    fn holds(&mut self, terms: &mut Terms, invariants: &[(Loc, Term)]) -> Option<bool> {
        let graph = self.stepper.graph;
        let map: FxHashMap<Loc, Term> = invariants.iter().copied().collect();
        let yes = terms.bool(true);
        let initial = self.stepper.initial(terms, &self.vocabulary);
        for edge in graph.edges.iter().filter(|e| e.src == Graph::ROOT) {
            let goal = map.get(&edge.dst).copied().unwrap_or(yes);
            let path = initial.state.path.clone();
            if !self.implies(terms, path, &initial.regs, &initial.state, goal)? {
                return Some(false);
            }
        }
        for at in 0..graph.locations.len() as u32 {
            for step in self.stepper.transitions(terms, &self.vocabulary, Loc(at)) {
                let goal = match graph.location(step.dst).kind {
                    LocKind::Error => terms.bool(false),
                    LocKind::Bail(kind) if !self.assumed.contains(&kind) => terms.bool(false),
                    LocKind::Bail(_) => yes,
                    _ => map.get(&step.dst).copied().unwrap_or(yes),
                };
                let mut known = step.condition().to_vec();
                known.extend(map.get(&Loc(at)));
                if !self.implies(terms, known, &step.regs, &step.state, goal)? {
                    return Some(false);
                }
            }
        }
        Some(true)
    }

    fn implies(
        &mut self,
        terms: &mut Terms,
        mut known: Vec<Term>,
        regs: &[SymVal],
        state: &SymState,
        goal: Term,
    ) -> Option<bool> {
        known.extend(&self.axioms);
        let mut memo = FxHashMap::default();
        let values = Values {
            regs,
            returned: &[],
            state,
        };
        let goal = substitute(terms, &self.vocabulary, values, goal, &mut memo);
        known.push(terms.not(goal));
        let limits = Limits::time(Duration::from_secs(10));
        match self.solver.check(terms, &known, &limits) {
            Answer::Unsat(_) => Some(true),
            Answer::Sat(_) => Some(false),
            Answer::Unknown(_) => None,
        }
    }
}

/// What became of the damaged proofs.
#[derive(Default, Debug)]
struct Count {
    rejected: u32,
    still_valid: u32,
    undecided: u32,
    proofs: u32,
}

fn damage(code: &str, strategy: Strategy, count: &mut Count) {
    let source = Source::new(code);
    let program: Program = source.load();
    let graph = Graph::of(&program, strategy.granularity);
    let options = Options {
        strategy,
        most_effort: Some(Duration::from_secs(20)),
        ..Default::default()
    };
    let mut engine = Engine::new(&program, &graph, options, solver());
    let proof = match engine.run() {
        Verdict::Safe(proof) => proof,
        other => panic!("{other:?} of {code}"),
    };
    let right = written(&source, &program, &graph, engine.terms(), &proof);
    let result = checked(&program, &graph, &right);
    assert!(
        matches!(result, CheckResult::Accepted(_)),
        "{result} of {code}"
    );
    count.proofs += 1;
    let terms = engine.terms_mut();
    let second: Box<dyn Solver> = match Z3::load() {
        Ok(z3) => Box::new(z3),
        Err(_) => Box::new(Blaster::new()),
    };
    let vocabulary = Vocabulary::new(terms, &program);
    let mut judge = Judge {
        axioms: axioms(terms, &program, &vocabulary),
        vocabulary,
        stepper: Stepper {
            program: &program,
            graph: &graph,
            overflow: Default::default(),
            excused: Default::default(),
        },
        assumed: proof.assumed.clone(),
        solver: second,
    };
    // Ends of the program have no invariant of their own in a proof file.
    let has_place = |loc: &Loc| graph.location(*loc).position.is_some();
    let invariants: Vec<(Loc, Term)> = proof.invariants.clone();
    let mut mutants: Vec<(String, Vec<(Loc, Term)>)> = Vec::new();
    let mut add = |what: String, mutant: Vec<(Loc, Term)>| {
        let known = mutants.iter().any(|(_, known)| *known == mutant);
        if mutant != invariants && !known {
            mutants.push((what, mutant));
        }
    };
    for (i, (loc, invariant)) in invariants.iter().enumerate() {
        if !has_place(loc) {
            continue;
        }
        for (what, changed) in damaged(terms, *invariant) {
            let mut mutant = invariants.clone();
            mutant[i].1 = changed;
            add(format!("{what} at {loc:?}"), mutant);
        }
        for j in 0..i {
            if has_place(&invariants[j].0) {
                let mut mutant = invariants.clone();
                (mutant[i].1, mutant[j].1) = (invariants[j].1, invariants[i].1);
                add(
                    format!("{loc:?} and {:?} exchanged", invariants[j].0),
                    mutant,
                );
            }
        }
    }
    for (what, mutant) in mutants {
        let mutant_proof = attest_engine::Proof {
            invariants: mutant.clone(),
            ..proof.clone()
        };
        // Through the file's text, as a user would damage it.
        let text = written(&source, &program, &graph, terms, &mutant_proof).to_json();
        let read = attest_proof::Proof::parse(&text).expect("it is well-formed");
        let result = checked(&program, &graph, &read);
        let holds = judge.holds(terms, &mutant);
        match (&result, holds) {
            (CheckResult::Accepted(_), Some(true)) => count.still_valid += 1,
            (CheckResult::Accepted(_), _) => panic!("accepted: {what}, {holds:?}\n{text}\n{code}"),
            (CheckResult::Rejected(_), Some(true)) => {
                panic!("rejected though valid: {what}\n{result}\n{text}\n{code}")
            }
            (CheckResult::Rejected(_), _) => count.rejected += 1,
            _ => count.undecided += 1,
        }
    }
}

#[test]
fn damaged_proofs_are_rejected() {
    let mut count = Count::default();
    for code in SAFE {
        damage(code, Strategy::DATA, &mut count);
        damage(code, at(Strategy::DATA, Granularity::Basic), &mut count);
    }
    println!("{count:?}");
    assert!(count.proofs >= 15 && count.rejected >= 200, "{count:?}");
    assert_eq!(count.undecided, 0, "{count:?}");
}
