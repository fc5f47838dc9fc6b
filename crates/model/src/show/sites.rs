//! Certain bails: missing functions and unsupported constructs, with their places.

use crate::program::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// An unsupported construct with all its places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// The kind.
    pub kind: BailKind,
    /// The construct; for a missing function its name.
    pub what: Arc<str>,
    /// Its places.
    pub at: Vec<PlaceId>,
}

impl Site {
    /// The first places as text.
    pub fn places(&self, program: &Program) -> String {
        let some: Vec<String> = self
            .at
            .iter()
            .take(3)
            .map(|p| program.place(*p).to_string())
            .collect();
        let more = self.at.len() - some.len();
        let tail = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        some.join(", ") + &tail
    }
}

/// Functions that are called and have neither a body nor a model, by name.
pub fn missing_functions(program: &Program) -> Vec<Site> {
    sites(program)
        .into_iter()
        .filter(|s| s.kind == BailKind::Extern)
        .collect()
}

/// Other unsupported constructs. Bails that every program has (calls through a wild pointer, the
/// compiler's `unreachable`) are not listed.
pub fn bail_sites(program: &Program) -> Vec<Site> {
    let common = [BailKind::Extern, BailKind::BadCall, BailKind::Unreachable];
    sites(program)
        .into_iter()
        .filter(|s| !common.contains(&s.kind))
        .collect()
}

fn sites(program: &Program) -> Vec<Site> {
    let mut all: BTreeMap<(BailKind, Arc<str>), Vec<PlaceId>> = BTreeMap::new();
    for function in &program.functions {
        for block in &function.blocks {
            if let Terminator::Bail(bail) = &block.end {
                let places = all.entry((bail.kind, bail.what.clone())).or_default();
                if !places.contains(&block.end_place) {
                    places.push(block.end_place);
                }
            }
        }
    }
    all.into_iter()
        .map(|((kind, what), at)| Site { kind, what, at })
        .collect()
}
