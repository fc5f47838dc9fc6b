//! The body of a function, prepared for copying into its callers.
//!
//! Blocks are split after the calls to expand, so that such a call ends a piece. Register names say
//! which function they come from. The end of an activation becomes explicit for its variables in
//! memory: an `EndLife` before each return for every stack object that may be live there.

use crate::liveness::Liveness;
use crate::program::*;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A function prepared for copying.
pub struct Template {
    /// Its registers.
    pub regs: Vec<RegInfo>,
    /// The number of parameters.
    pub params: u32,
    /// Registers that may be read before they are written. In a fresh activation they are zero.
    pub read_first: Vec<Reg>,
    /// Whether it uses its variable arguments.
    pub starts_varargs: bool,
    /// The name of a register with one of them.
    pub vararg_name: Arc<str>,
    /// The blocks in pieces, the entry first.
    pub pieces: Vec<Piece>,
    /// The number of instructions and ends of pieces.
    pub size: usize,
}

/// A piece of a block.
pub struct Piece {
    /// Its code; targets are pieces.
    pub block: Block,
    /// The call that ends it; the next piece comes after the call.
    pub call: Option<Call>,
}

impl Template {
    /// The function that others are copied into; it keeps its returns and is split at the calls
    /// that `split` selects.
    pub fn of_caller(function: &Function, split: impl FnMut(&Call) -> bool) -> Template {
        Template::of(function, split)
    }

    /// A function that is called.
    pub fn of_callee(
        function: &Function,
        pointer_bits: u32,
        split: impl FnMut(&Call) -> bool,
    ) -> Template {
        let mut function = function.clone();
        for info in &mut function.regs {
            info.name = format!("{}.{}", function.name, info.name).into();
        }
        end_activation(&mut function, pointer_bits);
        Template::of(&function, split)
    }

    fn of(function: &Function, split: impl FnMut(&Call) -> bool) -> Template {
        let read_first = Liveness::of(function).live_in(BlockId(0)).to_vec();
        let pieces = split_at_calls(function, split);
        Template {
            regs: function.regs.clone(),
            params: function.params,
            read_first,
            starts_varargs: pieces.iter().any(|p| {
                let mut insts = p.block.insts.iter();
                insts.any(|inst| matches!(inst, Inst::VaStart { args: None, .. }))
            }),
            vararg_name: format!("{}.vararg", function.name).into(),
            size: pieces.iter().map(|p| p.block.insts.len() + 1).sum(),
            pieces,
        }
    }
}

/// Makes the end of an activation explicit for its variables in memory.
pub(crate) fn end_activation(function: &mut Function, pointer_bits: u32) {
    let owners = name_owners(function, pointer_bits);
    end_objects(function, &owners);
}

/// Splits blocks so that each call that `split` selects ends a piece.
fn split_at_calls(function: &Function, mut split: impl FnMut(&Call) -> bool) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut first_piece = Vec::with_capacity(function.blocks.len());
    for block in &function.blocks {
        first_piece.push(BlockId(pieces.len() as u32));
        let (mut insts, mut places) = (Vec::new(), Vec::new());
        for (inst, place) in block.insts.iter().zip(&block.places) {
            match inst {
                Inst::Call(call) if split(call) => pieces.push(Piece {
                    block: Block {
                        insts: std::mem::take(&mut insts),
                        places: std::mem::take(&mut places),
                        // A placeholder until the call is expanded.
                        end: Terminator::Return(Vec::new()),
                        end_place: *place,
                    },
                    call: Some((**call).clone()),
                }),
                other => {
                    insts.push(other.clone());
                    places.push(*place);
                }
            }
        }
        pieces.push(Piece {
            block: Block {
                insts,
                places,
                end: block.end.clone(),
                end_place: block.end_place,
            },
            call: None,
        });
    }
    for piece in &mut pieces {
        let end = &mut piece.block.end;
        end.targets_mut(|t| t.block = first_piece[t.block.0 as usize]);
    }
    pieces
}

/// Gives every stack object a register that holds nothing else, right after its allocation. Returns
/// those registers.
fn name_owners(function: &mut Function, pointer_bits: u32) -> Vec<Reg> {
    let by_alloc_only = written_by_alloc_only(function);
    let mut owners = Vec::new();
    let mut regs = std::mem::take(&mut function.regs);
    let mut fresh = |what: &str| {
        regs.push(RegInfo {
            sort: Sort::Ptr,
            name: format!("{}.{what}", function.name).into(),
            variable: None,
        });
        Reg(regs.len() as u32 - 1)
    };
    for block in &mut function.blocks {
        let mut insts = Vec::with_capacity(block.insts.len());
        let mut places = Vec::with_capacity(block.insts.len());
        for (inst, place) in std::mem::take(&mut block.insts)
            .into_iter()
            .zip(&block.places)
        {
            let mut after = Vec::new();
            match inst {
                Inst::Alloc {
                    dst,
                    storage: Storage::Stack,
                    ..
                } => {
                    if by_alloc_only[dst.0 as usize] {
                        owners.push(dst);
                    } else {
                        let owner = fresh("object");
                        after.push(Inst::Copy {
                            dst: owner,
                            src: Operand::Reg(dst),
                        });
                        owners.push(owner);
                    }
                }
                Inst::VaStart { list, args: None } => {
                    let owner = fresh("arguments");
                    after = read_argument_area(list, owner, pointer_bits, &mut fresh);
                    owners.push(owner);
                }
                _ => {}
            }
            insts.push(inst);
            insts.append(&mut after);
            places.resize(insts.len(), *place);
        }
        block.insts = insts;
        block.places = places;
    }
    function.regs = regs;
    owners.sort_unstable();
    owners.dedup();
    owners
}

/// The registers that hold only stack objects.
fn written_by_alloc_only(function: &Function) -> Vec<bool> {
    let mut only = vec![true; function.regs.len()];
    only[..function.params as usize].fill(false);
    for block in &function.blocks {
        for inst in &block.insts {
            let stack = matches!(inst, Inst::Alloc { storage, .. } if *storage == Storage::Stack);
            inst.defs(|dst| only[dst.0 as usize] &= stack);
        }
        block.end.targets(|t| {
            for (dst, _) in &t.copies {
                only[dst.0 as usize] = false;
            }
        });
    }
    only
}

/// Reads the object with the variable arguments back from the new `va_list`.
fn read_argument_area(
    list: Operand,
    dst: Reg,
    pointer_bits: u32,
    fresh: &mut impl FnMut(&str) -> Reg,
) -> Vec<Inst> {
    let load = |ptr| Inst::Load {
        dst,
        sort: Sort::Ptr,
        ptr,
        other: Other::Address,
    };
    if pointer_bits == 32 {
        return vec![load(list)];
    }
    let field = fresh("overflow_arg_area");
    let none = Constant::Int {
        width: pointer_bits,
        value: 0,
    };
    let add = Inst::PtrAdd {
        dst: field,
        base: list,
        offset: 8,
        index: Operand::Const(none),
        width: pointer_bits,
        scale: 0,
    };
    vec![add, load(Operand::Reg(field))]
}

/// Ends the lifetimes of stack objects before the returns where they may be live.
fn end_objects(function: &mut Function, owners: &[Reg]) {
    if owners.is_empty() {
        return;
    }
    let mut begins: FxHashMap<Reg, Vec<(usize, usize)>> = FxHashMap::default();
    for (b, block) in function.blocks.iter().enumerate() {
        for (i, inst) in block.insts.iter().enumerate() {
            inst.defs(|dst| {
                if owners.binary_search(&dst).is_ok() {
                    begins.entry(dst).or_default().push((b, i + 1));
                }
            });
        }
    }
    let mut ends: Vec<Vec<Reg>> = vec![Vec::new(); function.blocks.len()];
    for &owner in owners {
        for b in returns_reached(function, owner, &begins[&owner]) {
            ends[b].push(owner);
        }
    }
    for (block, ends) in function.blocks.iter_mut().zip(ends) {
        // The youngest first, as on a stack.
        for owner in ends.into_iter().rev() {
            block.insts.push(Inst::EndLife {
                ptr: Operand::Reg(owner),
            });
            block.places.push(block.end_place);
        }
    }
}

/// The returning blocks that an object can reach before an `EndLife` of its register.
fn returns_reached(function: &Function, owner: Reg, begins: &[(usize, usize)]) -> Vec<usize> {
    let end_life = Inst::EndLife {
        ptr: Operand::Reg(owner),
    };
    let mut found = Vec::new();
    let mut seen = vec![false; function.blocks.len()];
    let mut work = begins.to_vec();
    while let Some((b, from)) = work.pop() {
        let block = &function.blocks[b];
        if block.insts[from..].contains(&end_life) {
            continue;
        }
        if let Terminator::Return(_) = block.end {
            found.push(b);
        }
        block.end.targets(|t| {
            let to = t.block.0 as usize;
            if !std::mem::replace(&mut seen[to], true) {
                work.push((to, 0));
            }
        });
    }
    found.sort_unstable();
    found.dedup();
    found
}
