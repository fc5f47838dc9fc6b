//! The frame of a call: what the callee leaves as it is, whatever it does.
//!
//! YOGI's modification analysis, the first thing that is tried at a call
//! (algorithm notes 5.4). Registers of the caller, promoted globals that the
//! callee does not write and, by the points-to analysis, reads of memory where
//! it does not write either. The checker works the same out for itself.

use crate::core::Core;
use crate::task::Task;
use crate::techniques::Technique;
use attest_exec::symbolic::memory::{BASE, LIVES, SHADOW};
use attest_exec::symbolic::step::{Part, Vocabulary};
use attest_exec::symbolic::value::SymVal;
use attest_model::graph::Loc;
use attest_model::points_to::{Leaf, Leaves, PointsTo};
use attest_term::{Op, Term};

/// The pointers of the present procedure's state.
struct Pointers<'v>(&'v Vocabulary);

impl Leaves for Pointers<'_> {
    fn leaf(&self, points_to: &PointsTo, object: Term) -> Option<Leaf> {
        let (value, places) = match self.0.part(object)? {
            Part::Reg(reg, false) => {
                let places = points_to.register(self.0.function, reg);
                (self.0.reg(reg), places)
            }
            Part::Global(global, false) => (self.0.global(global), points_to.global(global)),
            _ => return None,
        };
        let SymVal::Ptr(pointer) = value else {
            return None;
        };
        Some(Leaf {
            offset: pointer.offset,
            places: places.clone(),
        })
    }
}

/// Conjuncts that the call cannot change, and the others.
pub(crate) fn frame(
    core: &Core<'_>,
    task: &Task,
    src: Loc,
    predicate: &[Term],
) -> (Vec<Term>, Vec<Term>) {
    predicate
        .iter()
        .partition(|p| is_framed(core, task, src, **p))
}

/// Whether a call leaves the truth of a term about the caller's state as it is.
pub(crate) fn is_framed(core: &Core<'_>, task: &Task, src: Loc, term: Term) -> bool {
    let Some(call) = core.call_at(src) else {
        return false;
    };
    let effects = &core.effects[call.callee.0 as usize];
    let results = &call.results;
    core.terms
        .reachable(&[term])
        .iter()
        .all(|part| match task.names.vocabulary.part(*part) {
            Some(Part::Reg(reg, _)) => !results.contains(&reg),
            Some(Part::Global(global, _)) => !effects.globals.contains(&global),
            Some(Part::NextObject) => !effects.objects,
            Some(Part::Result(..)) => false,
            None => is_kept(core, task, src, *part),
        })
}

/// Whether a call leaves the contents of memory at the place of a read, or the life of
/// an object; true of all terms that are no reads.
pub(crate) fn is_kept(core: &Core<'_>, task: &Task, src: Loc, read: Term) -> bool {
    let op = core.terms.op(read);
    if !op.is_read() || !matches!(op.version(), Some(BASE | LIVES | SHADOW)) {
        return true;
    }
    if op.version() == Some(LIVES) {
        return is_life_kept(core, task, src, read);
    }
    let Some(callee) = core.call_at(src).map(|call| call.callee) else {
        return false;
    };
    if !core.effects[callee.0 as usize].memory {
        return true;
    }
    if !core.options.uses(Technique::Frame) {
        return false;
    }
    let bytes = match op {
        Op::Read { bytes, .. } => u64::from(bytes),
        _ => u64::from(core.program.pointer_bits / 8),
    };
    let address = [core.terms.arg(read, 0), core.terms.arg(read, 1)];
    let pointers = Pointers(&task.names.vocabulary);
    (core.points_to).keeps(&core.terms, &pointers, callee, address, bytes)
}

/// Whether a call cannot end the object that a read of its life is about.
fn is_life_kept(core: &Core<'_>, task: &Task, src: Loc, read: Term) -> bool {
    let Some(callee) = core.call_at(src).map(|call| call.callee) else {
        return false;
    };
    if !core.effects[callee.0 as usize].lives {
        return true;
    }
    if !core.options.uses(Technique::Frame) {
        return false;
    }
    let address = [core.terms.arg(read, 0), core.terms.arg(read, 1)];
    let pointers = Pointers(&task.names.vocabulary);
    (core.points_to).keeps_alive(&core.terms, &pointers, callee, address)
}
