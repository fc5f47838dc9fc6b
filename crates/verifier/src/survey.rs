//! What is in the part of a program that its entry can call: functions,
//! inputs, missing functions, and constructs outside the model.

use crate::messages;
use attest_model::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

/// What was found.
#[derive(Debug, Default)]
pub struct Survey {
    /// Functions that the entry can call, itself included.
    pub functions: BTreeSet<FnId>,
    /// Places where the environment is asked for a value.
    pub inputs: usize,
    /// Calls of the property's error functions.
    pub errors: usize,
    /// Functions without a body or a model, with their call sites.
    pub missing: BTreeMap<Arc<str>, BTreeSet<(FnId, PlaceId)>>,
    /// Constructs of the program that the model has no meaning for.
    pub unsupported: BTreeMap<(PlaceId, Arc<str>), Bail>,
}

impl Survey {
    /// Looks at a program.
    pub fn of(program: &Program) -> Survey {
        let mut survey = Survey::default();
        let mut work = vec![program.entry];
        while let Some(id) = work.pop() {
            if survey.functions.insert(id) {
                survey.visit(program, id, &mut work);
            }
        }
        survey
    }

    fn visit(&mut self, program: &Program, id: FnId, work: &mut Vec<FnId>) {
        for block in &program.function(id).blocks {
            for inst in &block.insts {
                match inst {
                    Inst::Call(call) => work.push(call.callee),
                    Inst::Input {
                        kind: InputKind::Nondet(_) | InputKind::Argument(_),
                        ..
                    } => self.inputs += 1,
                    _ => {}
                }
            }
            match &block.end {
                Terminator::Error(_) => self.errors += 1,
                // What a model of the library leaves out is said if a run gets there.
                Terminator::Bail(_) if in_library(program, block.end_place) => {}
                Terminator::Bail(bail) => self.bail(id, bail, block.end_place),
                _ => {}
            }
        }
    }

    fn bail(&mut self, function: FnId, bail: &Bail, at: PlaceId) {
        match bail.kind {
            // The rule's wrapper gives up by itself, which is no gap of the program.
            BailKind::Extern if *bail.what == *attest_slic::emit::TOO_MANY => {}
            BailKind::Extern => {
                let sites = self.missing.entry(bail.what.clone()).or_default();
                sites.insert((function, at));
            }
            BailKind::Asm | BailKind::Exception | BailKind::Type | BailKind::Unsupported => {
                self.unsupported
                    .insert((at, bail.what.clone()), bail.clone());
            }
            _ => {}
        }
    }

    /// How many places have a check of each class, in what the entry can call.
    pub fn places(program: &Program) -> Vec<(Class, usize)> {
        let mut found: BTreeMap<Class, BTreeSet<PlaceId>> = BTreeMap::new();
        let survey = Survey::of(program);
        let blocks = survey
            .functions
            .iter()
            .flat_map(|f| &program.function(*f).blocks);
        for block in blocks {
            for (inst, place) in block.insts.iter().zip(&block.places) {
                for class in inst.bail_kinds().iter().filter_map(|kind| kind.class()) {
                    found.entry(class).or_default().insert(*place);
                }
            }
            let class = match &block.end {
                Terminator::Error(_) => Some(Class::Assert),
                Terminator::Bail(bail) => bail.kind.class(),
                _ => None,
            };
            if let Some(class) = class {
                found.entry(class).or_default().insert(block.end_place);
            }
        }
        let counts = found
            .into_iter()
            .map(|(class, places)| (class, places.len()));
        counts.collect()
    }

    /// Whether the entry can call code that the model has no meaning for, which may hide anything.
    pub(crate) fn has_gaps(program: &Program) -> bool {
        let survey = Survey::of(program);
        let functions = survey.functions.iter();
        let mut blocks = functions.flat_map(|f| &program.function(*f).blocks);
        blocks.any(|block| match &block.end {
            Terminator::Bail(bail) => {
                bail.kind.class().is_none() && bail.kind != BailKind::PtrOrder
            }
            _ => false,
        })
    }

    /// Whether a run left the model at one of the gaps.
    pub fn is_gap(&self, bail: &Bail, at: PlaceId) -> bool {
        bail.kind == BailKind::Extern || self.unsupported.contains_key(&(at, bail.what.clone()))
    }

    /// Missing functions with their call sites, and constructs without a model, a line each.
    pub fn gaps(&self, program: &Program) -> String {
        let mut out = String::new();
        for (name, sites) in &self.missing {
            let sites: Vec<String> = sites
                .iter()
                .map(|(f, at)| {
                    let caller = &program.function(*f).name;
                    format!("{} in {caller}", messages::place(program, *at))
                })
                .collect();
            let _ = writeln!(
                out,
                "missing function: {name}, called at {}; {}",
                sites.join(", "),
                messages::advice(BailKind::Extern)
            );
        }
        for ((at, _), bail) in &self.unsupported {
            let _ = writeln!(
                out,
                "unsupported: {}; {}",
                messages::bail(program, bail, *at),
                messages::advice(bail.kind)
            );
        }
        out
    }
}

fn in_library(program: &Program, at: PlaceId) -> bool {
    program.place(at).file.starts_with(library::FOLDER)
}
