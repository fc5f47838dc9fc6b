//! Finds the reads of pointers where all other bytes were never written.
//!
//! The contents of memory before its first write are arbitrary. Read as a pointer they could be any
//! object's address, and a proof would have to exclude that for every pointer that is read. But a
//! program cannot know or follow such an address: C leaves it undefined. So where only whole
//! pointers, zeros and bytes that were never written can be, bytes that are no stored pointer are a
//! number of the environment ([`crate::environment`]), like a variable before its first assignment.
//! A verdict prints the assumption.
//!
//! Where data may be stored at the same place, or a pointer that is a number of the program's own,
//! there is no such assumption: the bytes may be an address that the program itself stored.
//!
//! The analysis finds these reads as a greatest fixpoint: it assumes that all reads qualify and
//! removes those that do not, until the rest is consistent.

use super::memory::Bytes;
use super::place::Place;
use super::sites::SiteKind;
use super::solve::{Node, Solver};
use crate::environment::{self, LAST_PAGE};
use crate::program::*;
use rustc_hash::FxHashSet;

/// The bytes that a read of a pointer may get besides stored pointers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Others {
    /// Only zeros.
    None,
    /// Some that were never written.
    Unset,
    /// The program's own data, which is no address,
    Own,
    /// and some that may be one.
    Address,
}

/// Marks such reads; returns their number.
pub fn unset(program: &mut Program) -> usize {
    let made = program.environment.is_none();
    if made {
        program.objects.push(environment::object());
        program.environment = Some(ObjectId(program.objects.len() as u32));
    }
    let reads = unset_reads(program);
    let environment = program.environment;
    for site in &reads {
        if let SiteKind::Made {
            function,
            block,
            index,
        } = site
        {
            let function = &mut program.functions[function.0 as usize];
            let inst = &mut function.blocks[block.0 as usize].insts[*index as usize];
            if let (Inst::Load { other, .. }, Some(environment)) = (inst, environment) {
                *other = Other::Foreign(environment);
            }
        }
    }
    if made && reads.is_empty() {
        program.objects.pop();
        program.environment = None;
    }
    reads.len()
}

fn unset_reads(program: &Program) -> FxHashSet<SiteKind> {
    let mut addresses: FxHashSet<SiteKind> = FxHashSet::default();
    loop {
        let mut solver = Solver::new(program);
        solver.addresses = Some(&addresses);
        solver.start();
        solver.solve();
        if solver.places(solver.stored_anywhere).is_none() {
            return FxHashSet::default();
        }
        let mut found = FxHashSet::default();
        let mut any = false;
        let mut own = Vec::new();
        for (site, ptr) in reads(program, &mut solver) {
            match solver.others(ptr) {
                _ if addresses.contains(&site) => {}
                Others::Own | Others::Address => own.push(site),
                // Zeros are null either way; marking the read avoids deriving it again.
                others => {
                    any |= others == Others::Unset;
                    found.insert(site);
                }
            }
        }
        if own.is_empty() {
            found.retain(|_| any);
            return found;
        }
        addresses.extend(own);
    }
}

/// The reads of pointers in reachable code, each with the node of its address.
pub(crate) fn reads(program: &Program, solver: &mut Solver<'_>) -> Vec<(SiteKind, Node)> {
    let mut out = Vec::new();
    for_each_active(program, &solver.active.clone(), |site, function, inst| {
        if let Inst::Load {
            sort: Sort::Ptr,
            ptr,
            ..
        } = inst
            && let Some(ptr) = solver.operand(function, *ptr)
        {
            out.push((site, ptr));
        }
    });
    out
}

/// Calls `f` on the instructions of reachable code.
pub(crate) fn for_each_active(
    program: &Program,
    active: &[Vec<bool>],
    mut f: impl FnMut(SiteKind, FnId, &Inst),
) {
    for (id, code) in program.functions.iter().enumerate() {
        let function = FnId(id as u32);
        for (number, code) in code.blocks.iter().enumerate() {
            if !active[id][number] {
                continue;
            }
            let block = BlockId(number as u32);
            for (index, inst) in code.insts.iter().enumerate() {
                let index = index as u32;
                let made = SiteKind::Made {
                    function,
                    block,
                    index,
                };
                f(made, function, inst);
            }
        }
    }
}

impl Solver<'_> {
    /// The bytes that a read of a pointer at a node's places may get besides stored pointers.
    pub(crate) fn others(&self, ptr: Node) -> Others {
        let Some(places) = self.places(ptr) else {
            return Others::Address;
        };
        let mut others = Others::None;
        for read in places.iter().filter(|place| !self.is_number(place.site)) {
            let Some(contents) = self.contents.get(read.site.0 as usize) else {
                continue;
            };
            for (at, node) in &contents.stored {
                let own = read.may_equal(*at) && self.has_own_numbers(*node);
                if own || self.may_be_partial(*at, *read) {
                    others = others.max(Others::Own);
                }
            }
            for raw in &contents.raw {
                others = others.max(match self.kind_of_raw(*raw, *read) {
                    None => Others::None,
                    Some(Bytes::Unset) => Others::Unset,
                    Some(Bytes::Zero | Bytes::Data) => Others::Own,
                    Some(Bytes::Whole | Bytes::Address) => Others::Address,
                });
            }
        }
        others
    }

    /// Whether a stored pointer may be a number that no pointer of the environment is.
    fn has_own_numbers(&self, node: Node) -> bool {
        let bits = self.program.pointer_bits;
        let own = |place: &Place| {
            let exact = place.shift >= bits;
            let error = place.offset.wrapping_add(LAST_PAGE) & (u64::MAX >> (64 - bits));
            place.site == self.none() && !(exact && error <= LAST_PAGE)
        };
        self.places(node).is_none_or(|all| all.iter().any(own))
    }
}
