//! Damaged proofs. Each mutant of a proof about small programs is judged twice:
//! by the checker, and by trying all states of a twin of the program written
//! here in Rust. The two must agree, so a mutant that is accepted is one whose
//! invariants really are inductive and exclude the error.

mod common;

use attest_checker::CheckResult;
use attest_model::graph::Loc;
use attest_term::{Address, Env, Sort, SymbolId, SymbolKind, Terms, Value};
use common::{Subject, accepted, rejected, subject};
use std::collections::HashMap;
use std::rc::Rc;

/// Where a step of the twin leads: a loop with its two variables, the error, or an end.
enum Next {
    At(usize, u8, u8),
    Error,
    End,
}

/// A program over bytes with up to two variables at each loop.
struct Twin {
    c: &'static str,
    /// The variables of each loop.
    variables: &'static [[&'static str; 2]],
    /// The right invariants.
    invariants: &'static [&'static [&'static str]],
    /// The states in which the first loop is entered.
    first: fn() -> Vec<Next>,
    step: fn(usize, u8, u8) -> Vec<Next>,
}

const COUNT: Twin = Twin {
    c: "int main(void) {
          unsigned char n = __VERIFIER_nondet_uchar(), i = 0;
          if (n > 200) return 0;
          while (i < n) i++;
          if (i != n || i > 200) reach_error();
        }",
    variables: &[["i", "n"]],
    invariants: &[&["(bvule {i} {n})", "(bvule {n} #xc8)"]],
    first: || (0..=200).map(|n| Next::At(0, 0, n)).collect(),
    step: |_, i, n| {
        vec![if i < n {
            Next::At(0, i.wrapping_add(1), n)
        } else if i != n || i > 200 {
            Next::Error
        } else {
            Next::End
        }]
    },
};

const DOWN_BY_TWO: Twin = Twin {
    c: "int main(void) {
          unsigned char x = __VERIFIER_nondet_uchar(), k = 0;
          if (x & 1) return 0;
          while (x != 0) { x -= 2; k += 2; if (k == 9) reach_error(); }
        }",
    variables: &[["x", "k"]],
    invariants: &[&[
        "(= ((_ extract 0 0) {x}) #b0)",
        "(= ((_ extract 0 0) {k}) #b0)",
    ]],
    first: || (0..=255).step_by(2).map(|x| Next::At(0, x, 0)).collect(),
    step: |_, x, k| {
        let (less, more) = (x.wrapping_sub(2), k.wrapping_add(2));
        vec![match (x, more) {
            (0, _) => Next::End,
            (_, 9) => Next::Error,
            _ => Next::At(0, less, more),
        }]
    },
};

const TWO_LOOPS: Twin = Twin {
    c: "int main(void) {
          unsigned char i = 0, j = 0;
          while (i < 10) i++;
          while (j < i) j++;
          if (j != 10) reach_error();
        }",
    variables: &[["i", "j"], ["i", "j"]],
    invariants: &[
        &["(bvule {i} #x0a)", "(= {j} #x00)"],
        &["(= {i} #x0a)", "(bvule {j} {i})"],
    ],
    first: || vec![Next::At(0, 0, 0)],
    step: |at, i, j| {
        vec![match at {
            0 if i < 10 => Next::At(0, i.wrapping_add(1), j),
            0 => Next::At(1, i, j),
            _ if j < i => Next::At(1, i, j.wrapping_add(1)),
            _ if j != 10 => Next::Error,
            _ => Next::End,
        }]
    },
};

const LOCK: Twin = Twin {
    c: "int main(void) {
          unsigned char lock = 0, held = 0;
          while (1) {
            if (__VERIFIER_nondet_uchar() & 1) {
              if (!lock) { lock = 1; held = 3; }
            } else {
              if (lock && held != 3) reach_error();
              if (!lock && held) reach_error();
              lock = 0; held = 0;
            }
          }
        }",
    variables: &[["lock", "held"]],
    invariants: &[&[
        "(or (= {lock} #x00) (= {held} #x03))",
        "(or (not (= {lock} #x00)) (= {held} #x00))",
    ]],
    first: || vec![Next::At(0, 0, 0)],
    step: |_, lock, held| {
        let acquire = match lock {
            0 => Next::At(0, 1, 3),
            _ => Next::At(0, lock, held),
        };
        let wrong = if lock != 0 { held != 3 } else { held != 0 };
        let release = if wrong {
            Next::Error
        } else {
            Next::At(0, 0, 0)
        };
        vec![acquire, release]
    },
};

const GAP: Twin = Twin {
    c: "int main(void) {
          unsigned char a = 0, b = 50;
          while (b < 250) {
            if (__VERIFIER_nondet_uchar() & 1) { a++; b++; }
            if ((unsigned char)(b - a) != 50) reach_error();
          }
          if (b != 250) reach_error();
        }",
    variables: &[["a", "b"]],
    invariants: &[&["(= (bvsub {b} {a}) #x32)", "(bvule {b} #xfa)"]],
    first: || vec![Next::At(0, 0, 50)],
    step: |_, a, b| {
        if b >= 250 {
            return vec![if b == 250 { Next::End } else { Next::Error }];
        }
        let apart = |a: u8, b: u8| match b.wrapping_sub(a) {
            50 => Next::At(0, a, b),
            _ => Next::Error,
        };
        vec![apart(a, b), apart(a.wrapping_add(1), b.wrapping_add(1))]
    },
};

const THREE_LOOPS: Twin = Twin {
    c: "int main(void) {
          unsigned char x = 4, y = 4;
          while (x < 100) x += 4;
          while (y != x) y += 4;
          while (y > 4) { y -= 4; if (x != 100) reach_error(); }
          if (y != 4) reach_error();
        }",
    variables: &[["x", "y"], ["x", "y"], ["x", "y"]],
    invariants: &[
        &[
            "(bvule {x} #x64)",
            "(= ((_ extract 1 0) {x}) #b00)",
            "(= {y} #x04)",
        ],
        &[
            "(= {x} #x64)",
            "(= ((_ extract 1 0) {y}) #b00)",
            "(bvuge {y} #x04)",
            "(bvule {y} {x})",
        ],
        &[
            "(= {x} #x64)",
            "(= ((_ extract 1 0) {y}) #b00)",
            "(bvuge {y} #x04)",
        ],
    ],
    first: || vec![Next::At(0, 4, 4)],
    step: |at, x, y| {
        vec![match at {
            0 if x < 100 => Next::At(0, x.wrapping_add(4), y),
            0 => Next::At(1, x, y),
            1 if y != x => Next::At(1, x, y.wrapping_add(4)),
            1 => Next::At(2, x, y),
            _ if y > 4 && x != 100 => Next::Error,
            _ if y > 4 => Next::At(2, x, y - 4),
            _ if y != 4 => Next::Error,
            _ => Next::End,
        }]
    },
};

/// Two bytes as a state.
struct Bytes([(SymbolId, u8); 2]);

impl Env for Bytes {
    fn var(&self, symbol: SymbolId) -> Value {
        let known = self.0.iter().find(|(s, _)| *s == symbol);
        Value::bv(8, known.map_or(0, |(_, byte)| *byte).into())
    }

    fn byte(&self, _: Address) -> u8 {
        0
    }

    fn pointer(&self, _: Address) -> (u32, u64) {
        (0, 0)
    }

    fn tag(&self, _: Address) -> bool {
        false
    }

    fn base(&self, _: u32) -> u64 {
        0
    }
}

type Invariants = Vec<Vec<String>>;
type Tables = HashMap<(Vec<String>, [&'static str; 2]), Rc<Vec<bool>>>;

/// Whether invariants are inductive and exclude the error, by trying all states.
fn holds_by_trying(twin: &Twin, invariants: &Invariants, known: &mut Tables) -> bool {
    let mut tables: Vec<Rc<Vec<bool>>> = Vec::new();
    for (conjuncts, names) in invariants.iter().zip(twin.variables) {
        let entry = known.entry((conjuncts.clone(), *names));
        tables.push(
            entry
                .or_insert_with(|| Rc::new(table(conjuncts, names)))
                .clone(),
        );
    }
    let inside = |at: usize, a: u8, b: u8| tables[at][usize::from(a) << 8 | usize::from(b)];
    let fine = |next: &Next| match *next {
        Next::At(at, a, b) => inside(at, a, b),
        Next::Error => false,
        Next::End => true,
    };
    let all = || (0..=255u8).flat_map(|a| (0..=255u8).map(move |b| (a, b)));
    let steps =
        |at: usize| all().all(|(a, b)| !inside(at, a, b) || (twin.step)(at, a, b).iter().all(fine));
    (twin.first)().iter().all(fine) && (0..tables.len()).all(steps)
}

/// The truth of an invariant for all values of its two variables.
fn table(conjuncts: &[String], names: &[&str; 2]) -> Vec<bool> {
    let mut terms = Terms::new();
    let symbols = names.map(|n| terms.declare(n, Sort::BitVec(8), SymbolKind::Register));
    let text = format!("(and true {})", conjuncts.join(" ")).replace(['{', '}'], "");
    let term = terms.parse_smtlib(&text).unwrap();
    let value = |a: u8, b: u8| {
        let env = Bytes([(symbols[0], a), (symbols[1], b)]);
        terms.eval(term, &env) == Value::Bool(true)
    };
    (0..=255)
        .flat_map(|a| (0..=255).map(move |b| (a, b)))
        .map(|(a, b)| value(a, b))
        .collect()
}

/// All mutants of a proof, each with what was done to it.
fn mutants(twin: &Twin) -> Vec<(String, Invariants)> {
    let right: Invariants = twin
        .invariants
        .iter()
        .map(|list| list.iter().map(|&c| c.to_owned()).collect())
        .collect();
    let mut out = Vec::new();
    for at in 0..right.len() {
        let mut mutant = |what: &str, change: &dyn Fn(&mut Vec<String>)| {
            let mut changed = right.clone();
            change(&mut changed[at]);
            if changed != right && !out.iter().any(|(_, known)| *known == changed) {
                out.push((format!("loop {at}: {what}"), changed));
            }
        };
        mutant("emptied", &|list| list.clear());
        mutant("false", &|list| list.push("false".into()));
        for k in 0..right[at].len() {
            mutant("conjunct dropped", &|list| {
                list.remove(k);
            });
            mutant("conjunct negated", &|list| {
                list[k] = format!("(not {})", list[k]);
            });
            for (from, to) in [
                ("bvule", "bvult"),
                ("bvule", "bvuge"),
                ("bvule", "bvugt"),
                ("bvule", "bvsle"),
                ("bvule", "="),
                ("(= ", "(distinct "),
                ("(= ", "(bvule "),
                ("(= ", "(bvuge "),
                ("(or ", "(and "),
                ("(not ", "(or "),
                ("bvuge", "bvule"),
                ("bvuge", "bvugt"),
                ("bvuge", "bvsge"),
                ("bvsub", "bvadd"),
                ("#b0", "#b1"),
                ("0 0", "1 1"),
                ("0 0", "7 7"),
            ] {
                mutant(&format!("{from} to {to}"), &|list| {
                    list[k] = list[k].replacen(from, to, 1);
                });
            }
            // Constants moved a little and a lot.
            for digits in ["00", "03", "04", "0a", "32", "64", "c8", "fa"] {
                let number = i32::from_str_radix(digits, 16).unwrap();
                for by in [-100, -3, -2, -1, 1, 2, 3, 55, 100] {
                    let moved = format!("#x{:02x}", (number + by) as u8);
                    mutant(&format!("{digits} moved by {by}"), &|list| {
                        list[k] = list[k].replacen(&format!("#x{digits}"), &moved, 1);
                    });
                }
            }
            // Variables exchanged.
            let [a, b] = twin.variables[at].map(|name| format!("{{{name}}}"));
            mutant("variables exchanged", &|list| {
                let swapped = list[k].replace(&a, "{}").replace(&b, &a).replace("{}", &b);
                list[k] = swapped;
            });
            mutant("one variable for the other", &|list| {
                list[k] = list[k].replace(&a, &b);
            });
            mutant("one variable for the other", &|list| {
                list[k] = list[k].replace(&b, &a);
            });
        }
    }
    for a in 0..right.len() {
        for b in 0..a {
            let mut swapped = right.clone();
            swapped.swap(a, b);
            out.push((format!("loops {a} and {b} exchanged"), swapped));
        }
    }
    out
}

fn judge(s: &Subject, loops: &[Loc], invariants: &Invariants) -> CheckResult {
    let list: Vec<(Loc, Vec<String>)> = loops
        .iter()
        .copied()
        .zip(invariants.iter().cloned())
        .collect();
    s.check(&s.proof(&list))
}

#[test]
fn the_checker_agrees_with_trying_all_states() {
    let mut count = [0; 2];
    let mut tables = Tables::new();
    for twin in [COUNT, DOWN_BY_TWO, TWO_LOOPS, LOCK, GAP, THREE_LOOPS] {
        let s = subject(twin.c, &[]);
        let loops = s.loops();
        assert_eq!(loops.len(), twin.variables.len());
        let right: Invariants = twin
            .invariants
            .iter()
            .map(|list| list.iter().map(|&c| c.to_owned()).collect())
            .collect();
        let result = judge(&s, &loops, &right);
        assert!(accepted(&result), "{}\n{result}", twin.c);
        assert!(holds_by_trying(&twin, &right, &mut tables), "{}", twin.c);
        for (what, mutant) in mutants(&twin) {
            let result = judge(&s, &loops, &mutant);
            let holds = holds_by_trying(&twin, &mutant, &mut tables);
            assert_eq!(accepted(&result), holds, "{what}: {mutant:?}\n{result}");
            assert_eq!(rejected(&result), !holds, "{what}: {mutant:?}\n{result}");
            count[usize::from(holds)] += 1;
        }
    }
    println!("{} rejected, {} still valid", count[0], count[1]);
    assert!(count[0] >= 200, "{count:?}");
}
