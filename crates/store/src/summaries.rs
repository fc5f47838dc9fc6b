//! Summaries of functions whose numbers may have changed since.
//!
//! The terms of a summary name registers by the function's number, and its
//! invariants stand at numbered locations. Both numbers change when other
//! functions do, so they are looked up again by name and position.

use attest_model::graph::{Graph, Loc};
use attest_model::{FnId, Program, show};
use attest_proof::{Invariant, Summary, SummaryUse, position_text, sha256_of_bytes};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A summary and the code that it was made for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownSummary {
    /// The hash of the function's code.
    pub code: String,
    /// Whether it is a contract, which holds for every call.
    pub contract: bool,
    /// The summary.
    pub summary: Summary,
}

/// The hash of a function's code, its places in the source left out.
pub fn function_hash(program: &Program, function: FnId) -> String {
    sha256_of_bytes(show::function_code(program, function).as_bytes())
}

/// The hash of a program: all code, and all data that it starts with.
pub fn program_hash(program: &Program) -> String {
    let mut text = String::new();
    for number in 0..program.functions.len() as u32 {
        text += &show::function_code(program, FnId(number));
    }
    text += &format!(
        "{:?} {:?} {:?} {:?}",
        program.entry, program.pointer_bits, program.objects, program.globals
    );
    sha256_of_bytes(text.as_bytes())
}

/// The summaries whose functions have not changed, with the numbers that these have now;
/// without those that use others that are gone.
pub fn still_known(program: &Program, graph: &Graph, all: &[KnownSummary]) -> Vec<KnownSummary> {
    let numbers = 0..program.functions.len() as u32;
    let by_name: BTreeMap<&str, FnId> = numbers
        .map(|n| (&*program.function(FnId(n)).name, FnId(n)))
        .collect();
    let mut hashes: BTreeMap<FnId, String> = BTreeMap::new();
    let mut kept: Vec<KnownSummary> = Vec::new();
    for known in all {
        let Some(&function) = by_name.get(&*known.summary.function) else {
            continue;
        };
        let hash = hashes
            .entry(function)
            .or_insert_with(|| function_hash(program, function));
        if *hash != known.code {
            continue;
        }
        let renewed = renewed(&known.summary, function, graph);
        kept.extend(renewed.map(|summary| KnownSummary {
            summary,
            ..known.clone()
        }));
    }
    loop {
        let there: Vec<u32> = kept.iter().map(|known| known.summary.id).collect();
        let before = kept.len();
        let stands = |known: &KnownSummary| {
            let mut uses = known.summary.calls.iter();
            uses.all(|used| there.contains(&used.summary))
        };
        kept.retain(stands);
        if kept.len() == before {
            return kept;
        }
    }
}

/// A summary with the numbers that its function and locations have now.
fn renewed(summary: &Summary, function: FnId, graph: &Graph) -> Option<Summary> {
    let cuts = &graph.functions.get(function.0 as usize)?.cuts;
    let at = |position: &str| -> Option<u32> {
        let mut places = cuts.iter();
        let Loc(number) = *places.find(|(p, _)| position_text(**p) == position)?.1;
        Some(number)
    };
    let (from, to) = (format!("f{}.", summary.number), format!("f{}.", function.0));
    let term = |text: &str| renamed(text, &from, &to);
    let mut out = summary.clone();
    out.number = function.0;
    out.post = term(&summary.post);
    for invariant in &mut out.invariants {
        let Invariant { location, smt, .. } = invariant;
        *location = at(&invariant.position)?;
        *smt = term(smt);
    }
    for used in &mut out.calls {
        let SummaryUse {
            location, ghosts, ..
        } = used;
        *location = at(&used.position)?;
        ghosts.iter_mut().for_each(|ghost| *ghost = term(ghost));
    }
    Some(out)
}

/// SMT-LIB text in which the names that start with `from` start with `to`.
fn renamed(text: &str, from: &str, to: &str) -> String {
    if from == to {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut starts = true;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if starts && rest.starts_with(from) {
            out.push_str(to);
            rest = &rest[from.len()..];
            starts = false;
            continue;
        }
        starts = matches!(c, ' ' | '(' | ')');
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_function_are_renamed() {
        let text = "(and (= f1.r2 f11.r2) (bvult (f1.x) xf1.r2) f1.ret0)";
        let expected = "(and (= f7.r2 f11.r2) (bvult (f7.x) xf1.r2) f7.ret0)";
        assert_eq!(renamed(text, "f1.", "f7."), expected);
    }
}
