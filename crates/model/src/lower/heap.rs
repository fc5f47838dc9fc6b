//! Calls that allocate memory on the heap, and how they fail.
//!
//! A size that no object can have, more than `PTRDIFF_MAX`, makes every allocation fail: the
//! result is null, and `errno` is `ENOMEM`. Otherwise an allocation succeeds, unless the options
//! say that each may fail, by an input of its own. A failed call is a path of its own, on which no
//! object is made and none is freed.

use super::Malloc;
use super::function::{Builder, int};
use super::types::unsupported;
use crate::library::FAILURE;
use crate::program::*;

/// The result of an allocation that failed.
const NULL: Operand = Operand::Const(Constant::NULL);

/// `ENOMEM` of Linux.
const ENOMEM: u128 = 12;

/// Whether a call of an allocation fails.
#[derive(Clone, Copy)]
enum Fails {
    Never,
    Always,
    /// Where this bit is 1.
    If(Operand),
}

impl Builder<'_, '_> {
    /// Memory of this size.
    pub(super) fn heap_object(&mut self, size: Operand, zeroed: bool) -> Operand {
        let fails = self.is_too_large(size);
        self.fallible(fails, |b| b.allocate(Storage::Heap, size, zeroed))
    }

    /// Memory for `n` elements of `m` bytes, filled with zeros.
    pub(super) fn heap_array(&mut self, n: Operand, m: Operand) -> Result<Operand, Bail> {
        let (size, fails) = self.total(n, m)?;
        Ok(self.fallible(fails, |b| b.allocate(Storage::Heap, size, true)))
    }

    /// `realloc`. To the size 0 it may free the memory or not, and is left out.
    pub(super) fn heap_resized(&mut self, ptr: Operand, size: Operand) -> Result<Operand, Bail> {
        let nothing = unsupported(BailKind::Unsupported, "`realloc` to the size 0");
        let sort = Sort::Int(self.ctx.pointer_bits());
        match known(size) {
            Some(0) => return Err(nothing),
            Some(_) => {}
            None => {
                let zero = Operand::Const(Constant::zero(sort));
                let cond = self.int_compare(Relation::Eq, sort, size, zero);
                let then = goto(self.bail_block(nothing));
                let rest = self.new_block();
                let other = goto(rest);
                self.finish(Terminator::Branch { cond, then, other });
                self.current = rest;
            }
        }
        let fails = self.is_too_large(size);
        Ok(self.fallible(fails, |b| {
            let dst = b.temp(Sort::Ptr);
            b.emit(Inst::Realloc { dst, ptr, size });
            b.emit(Inst::Free { ptr, ended: None });
            Operand::Reg(dst)
        }))
    }

    /// The largest size of an object.
    fn largest(&self) -> u128 {
        (1 << (self.ctx.pointer_bits() - 1)) - 1
    }

    fn is_too_large(&mut self, size: Operand) -> Fails {
        let (bits, largest) = (self.ctx.pointer_bits(), self.largest());
        match known(size) {
            Some(size) if size > largest => Fails::Always,
            Some(_) => Fails::Never,
            None => {
                let limit = int(bits, largest);
                Fails::If(self.int_compare(Relation::Ugt, Sort::Int(bits), size, limit))
            }
        }
    }

    /// The product of two sizes, and whether it is too large.
    fn total(&mut self, n: Operand, m: Operand) -> Result<(Operand, Fails), Bail> {
        let (bits, largest) = (self.ctx.pointer_bits(), self.largest());
        let sort = Sort::Int(bits);
        Ok(match (known(n), known(m)) {
            (Some(n), Some(m)) => match n.checked_mul(m) {
                Some(size) if size <= largest => (int(bits, size), Fails::Never),
                _ => (int(bits, 0), Fails::Always),
            },
            (Some(0), None) | (None, Some(0)) => (int(bits, 0), Fails::Never),
            (Some(fixed), None) | (None, Some(fixed)) => {
                let other = if known(n).is_none() { n } else { m };
                let limit = int(bits, largest / fixed);
                let fails = self.int_compare(Relation::Ugt, sort, other, limit);
                let size = self.arith(IntOp::Mul, bits, n, m, false);
                (size, Fails::If(fails))
            }
            (None, None) => match self.with_overflow(IntOp::Mul, false, sort, n, m)?[..] {
                [size, wraps] => {
                    let limit = int(bits, largest);
                    let large = self.int_compare(Relation::Ugt, sort, size, limit);
                    (
                        size,
                        Fails::If(self.arith(IntOp::Or, 1, wraps, large, false)),
                    )
                }
                _ => return Err(unsupported(BailKind::Unsupported, "a product of sizes")),
            },
        })
    }

    /// What an allocation returns that may fail; `make` emits it for where it does not.
    fn fallible(&mut self, fails: Fails, make: impl FnOnce(&mut Self) -> Operand) -> Operand {
        let fails = match self.ctx.options.malloc {
            Malloc::Succeeds => fails,
            Malloc::MayFail => {
                let asked = self.temp(Sort::Int(1));
                self.emit(Inst::Input {
                    dst: asked,
                    sort: Sort::Int(1),
                    kind: InputKind::Nondet(FAILURE.name.into()),
                });
                let asked = Operand::Reg(asked);
                match fails {
                    Fails::Never => Fails::If(asked),
                    Fails::Always => Fails::Always,
                    Fails::If(cond) => Fails::If(self.arith(IntOp::Or, 1, cond, asked, false)),
                }
            }
        };
        let cond = match fails {
            Fails::Never => return make(self),
            Fails::Always => {
                self.set_errno();
                return NULL;
            }
            Fails::If(cond) => cond,
        };
        let dst = self.temp(Sort::Ptr);
        let (failed, made, join) = (self.new_block(), self.new_block(), self.new_block());
        let (then, other) = (goto(failed), goto(made));
        self.finish(Terminator::Branch { cond, then, other });
        self.current = failed;
        self.set_errno();
        self.emit(Inst::Copy { dst, src: NULL });
        self.finish(Terminator::Goto(goto(join)));
        self.current = made;
        let src = make(self);
        self.emit(Inst::Copy { dst, src });
        self.finish(Terminator::Goto(goto(join)));
        self.current = join;
        Operand::Reg(dst)
    }

    /// Sets `errno`, if the program can look at it.
    fn set_errno(&mut self) {
        let Some(global) = self.ctx.module.lookup("__errno_location") else {
            return;
        };
        let Some(callee) = self.ctx.fn_of.get(&global).copied() else {
            return;
        };
        let place = self.temp(Sort::Ptr);
        // With another type it is none that `errno` is made with.
        if self.direct_call(callee, global, &[], &[place]).is_err() {
            return;
        }
        self.emit(Inst::Store {
            sort: Sort::Int(32),
            ptr: Operand::Reg(place),
            src: int(32, ENOMEM),
        });
    }
}

/// The value of a size that is known.
fn known(size: Operand) -> Option<u128> {
    match size {
        Operand::Const(Constant::Int { value, .. }) => Some(value),
        _ => None,
    }
}

fn goto(block: BlockId) -> Target {
    let copies = Vec::new();
    Target { block, copies }
}
