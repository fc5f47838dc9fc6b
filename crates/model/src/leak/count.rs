//! The count of heap objects: the instructions that keep it.
//!
//! An allocating instruction always makes an object: a call that fails is a path without it. A
//! `free` of null frees nothing, and neither does that of a pointer of the environment, whose
//! memory is not the program's: where points-to cannot exclude the latter, the instruction itself
//! says whether an object ended. A `realloc` is an allocation and a `free`.

use super::called_from_entry;
use crate::points_to::{self, PointsTo, SiteKind};
use crate::program::*;

/// Counts the heap objects of all functions in a global that is still to be added.
pub(super) fn count(program: &mut Program, count: GlobalReg) {
    let foreign = Foreign::of(program);
    let called = called_from_entry(program);
    let frees = |f: &Function| f.blocks.iter().flat_map(|b| &b.insts).any(is_freeing);
    let mut functions = program.functions.iter().zip(&called);
    let any_free = functions.any(|(f, called)| *called && frees(f));
    // Memory that the caller of the entry passes is not the program's to free. It is counted only
    // where the program may free it, so that the count cannot be too small.
    let uncounted = program
        .caller
        .is_some()
        .then_some(program.entry)
        .filter(|_| !any_free);
    let bits = program.pointer_bits;
    for (id, function) in program.functions.iter_mut().enumerate() {
        let id = FnId(id as u32);
        if uncounted == Some(id) {
            continue;
        }
        for at in 0..function.blocks.len() {
            let block = &mut function.blocks[at];
            if !block.insts.iter().any(is_counted) {
                continue;
            }
            let insts = std::mem::take(&mut block.insts);
            let places = std::mem::take(&mut block.places);
            let mut code = Code {
                regs: &mut function.regs,
                insts: Vec::with_capacity(insts.len() + 8),
                places: Vec::with_capacity(insts.len() + 8),
                place: PlaceId(0),
                count,
                bits,
            };
            code.rewrite(&insts, &places, |ptr| foreign.may_be(id, ptr));
            let (insts, places) = (code.insts, code.places);
            block.insts = insts;
            block.places = places;
        }
    }
}

fn is_freeing(inst: &Inst) -> bool {
    matches!(inst, Inst::Free { .. })
}

/// Whether an instruction makes a heap object.
pub(super) fn is_heap(inst: &Inst) -> bool {
    match inst {
        Inst::Alloc { storage, .. } => *storage == Storage::Heap,
        inst => matches!(inst, Inst::Realloc { .. }),
    }
}

fn is_counted(inst: &Inst) -> bool {
    is_heap(inst) || is_freeing(inst)
}

const NULL: Operand = Operand::Const(Constant::NULL);
const ONE: Operand = Operand::Const(Constant::Int { width: 1, value: 1 });

/// Which pointers may lead to memory of the environment.
struct Foreign(Option<(PointsTo, points_to::Site)>);

impl Foreign {
    fn of(program: &Program) -> Foreign {
        let mut insts = program.functions.iter().flat_map(|f| &f.blocks);
        if !insts.any(|block| block.insts.iter().any(is_freeing)) {
            return Foreign(None);
        }
        // The marks may add the environment, so they are needed before it is known.
        let mut marked = program.clone();
        points_to::provenance(&mut marked);
        let Some(environment) = marked.environment else {
            return Foreign(None);
        };
        let points_to = PointsTo::of(&marked);
        let site = points_to.site(SiteKind::Static(environment));
        Foreign(site.map(|site| (points_to, site)))
    }

    fn may_be(&self, function: FnId, ptr: Operand) -> bool {
        match (&self.0, ptr) {
            (Some((points_to, environment)), Operand::Reg(reg)) => {
                let places = points_to.register(function, reg);
                places.anywhere || places.list.iter().any(|place| place.site == *environment)
            }
            _ => false,
        }
    }
}

/// The code of a block while it is rewritten.
struct Code<'f> {
    regs: &'f mut Vec<RegInfo>,
    insts: Vec<Inst>,
    places: Vec<PlaceId>,
    place: PlaceId,
    count: GlobalReg,
    bits: u32,
}

impl Code<'_> {
    fn rewrite(
        &mut self,
        insts: &[Inst],
        places: &[PlaceId],
        is_foreign: impl Fn(Operand) -> bool,
    ) {
        for (inst, place) in insts.iter().zip(places) {
            self.place = *place;
            match inst {
                _ if is_heap(inst) => {
                    self.push(inst.clone());
                    self.add(IntOp::Add, ONE);
                }
                Inst::Free { ptr, .. } if *ptr != NULL && is_foreign(*ptr) => {
                    let (ptr, freed) = (*ptr, self.fresh(Sort::Int(1)));
                    let ended = Some(freed);
                    self.push(Inst::Free { ptr, ended });
                    self.add(IntOp::Sub, Operand::Reg(freed));
                }
                Inst::Free { ptr, .. } => {
                    self.push(inst.clone());
                    if *ptr != NULL {
                        let freed = self.is_null(Relation::Ne, *ptr);
                        self.add(IntOp::Sub, freed);
                    }
                }
                _ => self.push(inst.clone()),
            }
        }
    }

    /// Adds one bit to the count, or subtracts it.
    fn add(&mut self, op: IntOp, bit: Operand) {
        let bits = self.bits;
        let step = self.fresh(Sort::Int(bits));
        self.push(Inst::Resize {
            how: Resize::ZeroExtend,
            from: 1,
            to: bits,
            dst: step,
            a: bit,
        });
        let before = self.fresh(Sort::Int(bits));
        let global = self.count;
        self.push(Inst::GetGlobal {
            dst: before,
            global,
        });
        let src = self.binary(op, bits, Operand::Reg(before), Operand::Reg(step));
        self.push(Inst::SetGlobal { global, src });
    }

    fn binary(&mut self, op: IntOp, width: u32, a: Operand, b: Operand) -> Operand {
        let dst = self.fresh(Sort::Int(width));
        self.push(Inst::Int {
            op,
            width,
            dst,
            a,
            b,
            no_signed_wrap: false,
        });
        Operand::Reg(dst)
    }

    /// Whether a pointer is null, or is not.
    fn is_null(&mut self, rel: Relation, ptr: Operand) -> Operand {
        let dst = self.fresh(Sort::Int(1));
        self.push(Inst::PtrCompare {
            rel,
            dst,
            a: ptr,
            b: NULL,
            numbers: false,
        });
        Operand::Reg(dst)
    }

    fn fresh(&mut self, sort: Sort) -> Reg {
        self.regs.push(RegInfo {
            sort,
            name: "heap objects".into(),
            variable: None,
        });
        Reg(self.regs.len() as u32 - 1)
    }

    fn push(&mut self, inst: Inst) {
        self.insts.push(inst);
        self.places.push(self.place);
    }
}
