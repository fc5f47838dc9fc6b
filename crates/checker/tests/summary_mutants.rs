//! Damaged proofs with summaries: each of them is rejected, or its text is an
//! error, but for the few that the cases name as right in their own way. And
//! proofs, damaged or not, of programs that were made wrong: not one is accepted.

mod common;

use attest_checker::CheckResult;
use attest_proof::Proof;
use common::Subject;
use common::calls::{Case, MapText, subject_with_calls};
use common::cases::cases;

/// A map of a case: main, or that of a summary.
fn map_of(case: &mut Case, at: usize) -> &mut MapText {
    match at.checked_sub(1) {
        None => &mut case.main,
        Some(at) => &mut case.summaries[at].map,
    }
}

fn name_of(at: usize) -> String {
    match at.checked_sub(1) {
        None => "main".into(),
        Some(at) => format!("summary {at}"),
    }
}

/// A term with each of its hexadecimal numbers made one more, in turn.
fn numbers_changed(text: &str) -> Vec<(String, String)> {
    let mut out = Vec::new();
    for (at, _) in text.match_indices("#x") {
        let digits: String = text[at + 2..]
            .chars()
            .take_while(char::is_ascii_hexdigit)
            .collect();
        let number = u64::from_str_radix(&digits, 16).unwrap();
        let more = format!("{:0width$x}", number + 1, width = digits.len());
        let end = at + 2 + digits.len();
        let changed = format!("{}#x{more}{}", &text[..at], &text[end..]);
        out.push((format!("a number {number:x} is {:x}", number + 1), changed));
    }
    out
}

/// Changes of the terms of a map.
fn mutants_of_map(case: &Case, at: usize) -> Vec<(String, Case)> {
    let map = map_of(&mut case.clone(), at).clone();
    let mut out = Vec::new();
    let mut mutant = |what: String, change: &dyn Fn(&mut MapText)| {
        let mut changed = case.clone();
        change(map_of(&mut changed, at));
        out.push((what, changed));
    };
    for (i, (spot, conjuncts)) in map.at.iter().enumerate() {
        let place = format!("in {} at {spot}", name_of(at));
        for (k, conjunct) in conjuncts.iter().enumerate() {
            mutant(format!("no {conjunct} {place}"), &|map| {
                map.at[i].1.remove(k);
            });
            mutant(format!("not {conjunct} {place}"), &|map| {
                map.at[i].1[k] = format!("(not {conjunct})");
            });
            for (what, changed) in numbers_changed(conjunct) {
                mutant(format!("{what} in conjunct {k} {place}"), &|map| {
                    map.at[i].1[k].clone_from(&changed);
                });
            }
        }
    }
    for (i, (spot, id, ghosts)) in map.uses.iter().enumerate() {
        let place = format!("in {} {spot}", name_of(at));
        mutant(format!("summary {id} is not used {place}"), &|map| {
            map.uses.remove(i);
        });
        mutant(format!("another than summary {id} {place}"), &|map| {
            map.uses[i].1 = if *id == 0 { 1 } else { 0 };
        });
        for (k, ghost) in ghosts.iter().enumerate() {
            let wide = ghost.ends_with(".a") || ghost.len() == "#x0000000000000000".len();
            let one = if wide {
                "#x0000000000000001"
            } else {
                "#x00000001"
            };
            mutant(
                format!("{ghost} is more as ghost {k} of {id} {place}"),
                &|map| {
                    map.uses[i].2[k] = format!("(bvadd {ghost} {one})");
                },
            );
            mutant(format!("no ghost {k} of {id} {place}"), &|map| {
                map.uses[i].2.remove(k);
            });
            mutant(
                format!("a truth value as ghost {k} of {id} {place}"),
                &|map| {
                    map.uses[i].2[k] = "true".into();
                },
            );
        }
    }
    out
}

/// Changes of what a summary says.
fn mutants_of_summary(case: &Case, at: usize) -> Vec<(String, Case)> {
    let mut out = Vec::new();
    let mut mutant = |what: &str, change: &dyn Fn(&mut Case)| {
        let mut changed = case.clone();
        change(&mut changed);
        out.push((format!("{what} in summary {at}"), changed));
    };
    let summary = &case.summaries[at];
    if summary.post != "true" {
        mutant("post true", &|case| case.summaries[at].post = "true".into());
    }
    mutant("post false", &|case| {
        case.summaries[at].post = "false".into();
    });
    mutant("post denied", &|case| {
        case.summaries[at].post = format!("(not {})", summary.post);
    });
    for (what, changed) in numbers_changed(&summary.post) {
        mutant(&format!("post: {what}"), &|case| {
            case.summaries[at].post.clone_from(&changed);
        });
    }
    for outcome in ["return", "error", "bail:division", "halt", "bail:none"] {
        if summary.outcome != outcome {
            mutant(&format!("outcome {outcome}"), &|case| {
                case.summaries[at].outcome = outcome.into();
            });
        }
    }
    for k in 0..summary.ghosts.len() {
        mutant(&format!("a narrow ghost {k}"), &|case| {
            case.summaries[at].ghosts[k] = "(_ BitVec 8)".into();
        });
        mutant(&format!("no ghost {k}"), &|case| {
            case.summaries[at].ghosts.remove(k);
        });
    }
    mutant("one ghost more", &|case| {
        case.summaries[at].ghosts.push("Bool".into());
    });
    out
}

/// Changes of the file itself.
fn mutants_of_file(s: &Subject, proof: &Proof) -> Vec<(String, Proof)> {
    let mut out = Vec::new();
    for i in 0..proof.calls.len() {
        let entry = s.graph.functions[s.program.entry.0 as usize].entry;
        let mut changed = proof.clone();
        changed.calls[i].location = entry.0;
        changed.calls[i].position = "B0.0".into();
        out.push((format!("use {i} elsewhere"), changed));
    }
    for at in 0..proof.summaries.len() {
        let mut mutant = |what: &str, change: &dyn Fn(&mut Proof)| {
            let mut changed = proof.clone();
            change(&mut changed);
            out.push((format!("{what} of summary {at}"), changed));
        };
        mutant("without the whole", &|proof| {
            proof.summaries.remove(at);
        });
        mutant("a second one", &|proof| {
            let again = proof.summaries[at].clone();
            proof.summaries.push(again);
        });
        mutant("another number of the function", &|proof| {
            proof.summaries[at].number += 1;
        });
        mutant("another name of the function", &|proof| {
            proof.summaries[at].function = "nobody".into();
        });
        mutant("the old format", &|proof| {
            proof.format = attest_proof::OLD_FORMAT.into();
        });
        mutant("main's invariant inside", &|proof| {
            let entry = s.graph.functions[s.program.entry.0 as usize].entry;
            let other = (0..s.graph.functions.len())
                .map(|f| s.graph.functions[f].entry)
                .find(|at| *at != entry);
            let number = proof.summaries[at].number as usize;
            let foreign = match s.graph.functions[number].entry == entry {
                true => other.unwrap_or(attest_model::graph::Loc(0)),
                false => entry,
            };
            proof.summaries[at]
                .invariants
                .push(attest_proof::Invariant {
                    location: foreign.0,
                    position: "B0.0".into(),
                    place: String::new(),
                    smt: "true".into(),
                    forall: None,
                    c: String::new(),
                });
        });
        if !proof.summaries[at].ghosts.is_empty() {
            mutant("a ghost in main", &|proof| {
                let ghost = proof.summaries[at].ghosts[0].name.clone();
                for invariant in &mut proof.invariants {
                    invariant.smt = format!("(and (= {ghost} {ghost}) {})", invariant.smt);
                }
            });
        }
    }
    out
}

/// Every damaged proof of a case.
fn damaged(s: &Subject, case: &Case) -> Vec<(String, Proof)> {
    let mut mutants = Vec::new();
    for at in 0..=case.summaries.len() {
        mutants.extend(mutants_of_map(case, at));
    }
    for at in 0..case.summaries.len() {
        mutants.extend(mutants_of_summary(case, at));
    }
    let written = mutants.into_iter();
    let mut all: Vec<(String, Proof)> = written
        .map(|(what, case)| (what, s.proof_with_calls(&case.main, &case.summaries)))
        .collect();
    let whole = s.proof_with_calls(&case.main, &case.summaries);
    all.extend(mutants_of_file(s, &whole));
    all
}

#[test]
fn no_damaged_proof_is_accepted() {
    let (mut rejected, mut errors, mut right) = (0, 0, 0);
    let mut wrong = Vec::new();
    for case in cases() {
        let s = subject_with_calls(case.c, case.assumed);
        for (what, proof) in damaged(&s, &case) {
            let fine = case.right_too.iter().any(|known| what.starts_with(known));
            match s.try_check(&proof) {
                Err(_) => errors += 1,
                Ok(CheckResult::Rejected(_)) if !fine => rejected += 1,
                Ok(CheckResult::Accepted(_)) if fine => right += 1,
                Ok(other) => wrong.push(format!("{}: {what}: {other}", case.name)),
            }
        }
    }
    println!("{rejected} rejected, {errors} errors, {right} right too");
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
    assert!(rejected >= 300, "{rejected} rejected");
}

/// Whatever a proof says: of a program that is wrong it proves nothing.
#[test]
fn no_proof_of_a_wrong_program_is_accepted() {
    let mut tried = 0;
    for case in cases() {
        for edits in case.wrong {
            let mut c = case.c.to_owned();
            for (from, to) in *edits {
                assert!(c.contains(from), "{from} in {c}");
                c = c.replace(from, to);
            }
            let s = subject_with_calls(&c, case.assumed);
            let mut proofs = damaged(&s, &case);
            let right_once = s.proof_with_calls(&case.main, &case.summaries);
            proofs.push(("nothing".into(), right_once));
            for (what, proof) in proofs {
                let result = s.try_check(&proof);
                let fine = !matches!(result, Ok(CheckResult::Accepted(_)));
                assert!(fine, "{c}\nis accepted with {what} changed: {proof:#?}");
                tried += usize::from(result.is_ok());
            }
        }
    }
    println!("{tried} not accepted");
    assert!(tried >= 500, "{tried}");
}
