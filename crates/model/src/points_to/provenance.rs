//! Marks pointer reads and conversions whose value is a number without an address in it.
//!
//! In C a number leads to an object only if it was computed from a pointer to it; the target of a
//! guessed number is undefined. So data that is read as a pointer, and a number that is converted
//! to one, stay numbers where the analysis knows that they contain no address ([`super::numbers`]).
//! Interpreter, engine and checker take the marks from the code, and an access through such a
//! number bails. A comparison with a pointer may still find that the number equals its address, and
//! such comparisons are marked too.
//!
//! Without the marks every pointer that is stored next to data could be any object's address, and a
//! proof would have to exclude it.

use super::SiteKind;
use super::place::Place;
use super::solve::{Node, Solver};
use super::unset::{Others, for_each_active, reads, unset};
use crate::environment;
use crate::program::*;

/// Marks reads of bytes that were never written, and reads, conversions and comparisons of numbers
/// that are no address; returns how many of the latter.
pub fn provenance(program: &mut Program) -> usize {
    unset(program);
    let mut solver = Solver::new(program);
    solver.start();
    solver.solve();
    let mut plain = casts(program, &mut solver);
    plain.extend(comparisons(program, &mut solver));
    // After a store to an unknown place, nothing is known about memory.
    if solver.places(solver.stored_anywhere).is_some() {
        let reads = reads(program, &mut solver).into_iter();
        let read = reads.filter(|(_, ptr)| solver.others(*ptr) < Others::Address);
        plain.extend(read.map(|(site, _)| site));
    }
    let marked = plain.into_iter();
    marked.map(|site| usize::from(mark(program, site))).sum()
}

/// Conversions of numbers that are no address, in reachable code.
fn casts(program: &Program, solver: &mut Solver<'_>) -> Vec<SiteKind> {
    let mut out = Vec::new();
    for_each_active(program, &solver.active.clone(), |made, function, inst| {
        if let Inst::IntToPtr { a, .. } = inst {
            let node = solver.operand(function, *a);
            if node.is_none_or(|node| solver.is_no_address(node)) {
                out.push(made);
            }
        }
    });
    out
}

/// Comparisons of a possible plain number with a possible pointer.
fn comparisons(program: &Program, solver: &mut Solver<'_>) -> Vec<SiteKind> {
    let mut out = Vec::new();
    for_each_active(program, &solver.active.clone(), |made, function, inst| {
        if let Inst::PtrCompare {
            rel: Relation::Eq | Relation::Ne,
            a,
            b,
            ..
        } = inst
        {
            let sides = [*a, *b].map(|side| solver.operand(function, side));
            let number = sides.map(|side| side.is_some_and(|node| solver.may_be_plain(node)));
            let object = sides.map(|side| side.is_some_and(|node| !solver.is_no_address(node)));
            if number[0] && object[1] || number[1] && object[0] {
                out.push(made);
            }
        }
    });
    out
}

impl Solver<'_> {
    /// Whether a value may be a number at which something may be mapped.
    fn may_be_plain(&self, node: Node) -> bool {
        let bits = self.program.pointer_bits;
        let plain = |place: &Place| {
            let traps = place.shift == bits && environment::traps(place.offset, bits);
            place.site == self.pieces() || place.site == self.none() && !traps
        };
        self.places(node).is_none_or(|all| all.iter().any(plain))
    }

    /// Whether a value is a number with at most one piece of an address in it.
    fn is_no_address(&self, node: Node) -> bool {
        let places = self.places(node);
        places.is_some_and(|all| all.iter().all(|place| self.is_number(place.site)))
    }
}

fn mark(program: &mut Program, site: SiteKind) -> bool {
    let SiteKind::Made {
        function,
        block,
        index,
    } = site
    else {
        return false;
    };
    let function = &mut program.functions[function.0 as usize];
    match &mut function.blocks[block.0 as usize].insts[index as usize] {
        Inst::Load { other, .. } if *other == Other::Address => *other = Other::Number,
        Inst::IntToPtr { plain, .. } => *plain = true,
        Inst::PtrCompare { numbers, .. } => *numbers = true,
        _ => return false,
    }
    true
}
