//! The registers that an instruction reads and writes, and the bails that it may cause.
//!
//! Every analysis over the model uses these functions; each is one exhaustive match.

use crate::program::*;

impl Inst {
    /// Calls `f` on each operand.
    pub fn uses(&self, mut f: impl FnMut(Operand)) {
        self.each_use(&mut f);
    }

    fn each_use(&self, f: &mut dyn FnMut(Operand)) {
        match self {
            Inst::GetGlobal { .. } | Inst::Input { .. } => {}
            Inst::Copy { src: a, .. }
            | Inst::SetGlobal { src: a, .. }
            | Inst::IntUnary { a, .. }
            | Inst::Resize { a, .. }
            | Inst::FloatUnary { a, .. }
            | Inst::FloatCast { a, .. }
            | Inst::PtrToInt { a, .. }
            | Inst::IntToPtr { a, .. }
            | Inst::Foreign { a, .. }
            | Inst::Load { ptr: a, .. }
            | Inst::Alloc { size: a, .. }
            | Inst::Free { ptr: a, .. }
            | Inst::EndLife { ptr: a }
            | Inst::Within { ptr: a, .. }
            | Inst::Shadow(Shadow::Load { ptr: a, .. } | Shadow::Require { shadow: a, .. })
            | Inst::Assume { cond: a } => f(*a),
            Inst::Int { a, b, .. }
            | Inst::Compare { a, b, .. }
            | Inst::Float { a, b, .. }
            | Inst::FloatCompare { a, b, .. }
            | Inst::PtrCompare { a, b, .. }
            | Inst::PtrAdd {
                base: a, index: b, ..
            }
            | Inst::PtrDiff { a, b, .. }
            | Inst::Store { ptr: a, src: b, .. }
            | Inst::Alive { ptr: a, len: b }
            | Inst::Shadow(Shadow::Store { ptr: a, src: b, .. })
            | Inst::Realloc {
                ptr: a, size: b, ..
            } => {
                f(*a);
                f(*b);
            }
            Inst::Select { cond, a, b, .. }
            | Inst::MemCopy {
                dst: cond,
                src: a,
                len: b,
                ..
            }
            | Inst::MemSet {
                dst: cond,
                byte: a,
                len: b,
            }
            | Inst::Shadow(Shadow::Fill {
                ptr: cond,
                byte: a,
                len: b,
            }) => {
                f(*cond);
                f(*a);
                f(*b);
            }
            Inst::VaStart { list, args } => {
                f(*list);
                args.iter().flatten().for_each(|(a, _)| f(*a));
            }
            Inst::Print { args, .. } => args.iter().for_each(|(a, _)| f(*a)),
            Inst::Call(call) => {
                call.args.iter().for_each(|a| f(*a));
                call.varargs.iter().for_each(|(a, _)| f(*a));
            }
        }
    }

    /// Calls `f` on each operand, mutably.
    pub fn uses_mut(&mut self, mut f: impl FnMut(&mut Operand)) {
        match self {
            Inst::GetGlobal { .. } | Inst::Input { .. } => {}
            Inst::Copy { src: a, .. }
            | Inst::SetGlobal { src: a, .. }
            | Inst::IntUnary { a, .. }
            | Inst::Resize { a, .. }
            | Inst::FloatUnary { a, .. }
            | Inst::FloatCast { a, .. }
            | Inst::PtrToInt { a, .. }
            | Inst::IntToPtr { a, .. }
            | Inst::Foreign { a, .. }
            | Inst::Load { ptr: a, .. }
            | Inst::Alloc { size: a, .. }
            | Inst::Free { ptr: a, .. }
            | Inst::EndLife { ptr: a }
            | Inst::Within { ptr: a, .. }
            | Inst::Shadow(Shadow::Load { ptr: a, .. } | Shadow::Require { shadow: a, .. })
            | Inst::Assume { cond: a } => f(a),
            Inst::Int { a, b, .. }
            | Inst::Compare { a, b, .. }
            | Inst::Float { a, b, .. }
            | Inst::FloatCompare { a, b, .. }
            | Inst::PtrCompare { a, b, .. }
            | Inst::PtrAdd {
                base: a, index: b, ..
            }
            | Inst::PtrDiff { a, b, .. }
            | Inst::Store { ptr: a, src: b, .. }
            | Inst::Alive { ptr: a, len: b }
            | Inst::Shadow(Shadow::Store { ptr: a, src: b, .. })
            | Inst::Realloc {
                ptr: a, size: b, ..
            } => {
                f(a);
                f(b);
            }
            Inst::Select { cond, a, b, .. }
            | Inst::MemCopy {
                dst: cond,
                src: a,
                len: b,
                ..
            }
            | Inst::MemSet {
                dst: cond,
                byte: a,
                len: b,
            }
            | Inst::Shadow(Shadow::Fill {
                ptr: cond,
                byte: a,
                len: b,
            }) => {
                f(cond);
                f(a);
                f(b);
            }
            Inst::VaStart { list, args } => {
                f(list);
                args.iter_mut().flatten().for_each(|(a, _)| f(a));
            }
            Inst::Print { args, .. } => args.iter_mut().for_each(|(a, _)| f(a)),
            Inst::Call(call) => {
                call.args.iter_mut().for_each(&mut f);
                call.varargs.iter_mut().for_each(|(a, _)| f(a));
            }
        }
    }

    /// The written register, for all instructions except calls.
    pub fn dst(&self) -> Option<Reg> {
        match self {
            Inst::Copy { dst, .. }
            | Inst::GetGlobal { dst, .. }
            | Inst::Int { dst, .. }
            | Inst::IntUnary { dst, .. }
            | Inst::Compare { dst, .. }
            | Inst::Resize { dst, .. }
            | Inst::Select { dst, .. }
            | Inst::Float { dst, .. }
            | Inst::FloatUnary { dst, .. }
            | Inst::FloatCompare { dst, .. }
            | Inst::FloatCast { dst, .. }
            | Inst::PtrCompare { dst, .. }
            | Inst::PtrAdd { dst, .. }
            | Inst::PtrDiff { dst, .. }
            | Inst::PtrToInt { dst, .. }
            | Inst::IntToPtr { dst, .. }
            | Inst::Foreign { dst, .. }
            | Inst::Load { dst, .. }
            | Inst::Alloc { dst, .. }
            | Inst::Realloc { dst, .. }
            | Inst::Shadow(Shadow::Load { dst, .. })
            | Inst::Input { dst, .. } => Some(*dst),
            Inst::Print { dst, .. } | Inst::Free { ended: dst, .. } => *dst,
            _ => None,
        }
    }

    /// The written register, mutably.
    pub fn dst_mut(&mut self) -> Option<&mut Reg> {
        match self {
            Inst::Copy { dst, .. }
            | Inst::GetGlobal { dst, .. }
            | Inst::Int { dst, .. }
            | Inst::IntUnary { dst, .. }
            | Inst::Compare { dst, .. }
            | Inst::Resize { dst, .. }
            | Inst::Select { dst, .. }
            | Inst::Float { dst, .. }
            | Inst::FloatUnary { dst, .. }
            | Inst::FloatCompare { dst, .. }
            | Inst::FloatCast { dst, .. }
            | Inst::PtrCompare { dst, .. }
            | Inst::PtrAdd { dst, .. }
            | Inst::PtrDiff { dst, .. }
            | Inst::PtrToInt { dst, .. }
            | Inst::IntToPtr { dst, .. }
            | Inst::Foreign { dst, .. }
            | Inst::Load { dst, .. }
            | Inst::Alloc { dst, .. }
            | Inst::Realloc { dst, .. }
            | Inst::Shadow(Shadow::Load { dst, .. })
            | Inst::Input { dst, .. } => Some(dst),
            Inst::Print { dst, .. } | Inst::Free { ended: dst, .. } => dst.as_mut(),
            _ => None,
        }
    }

    /// Calls `f` on each written register.
    pub fn defs(&self, mut f: impl FnMut(Reg)) {
        match self {
            Inst::Call(call) => call.results.iter().copied().for_each(f),
            other => {
                if let Some(dst) = other.dst() {
                    f(dst);
                }
            }
        }
    }

    /// Whether its only effect is to write its register, so that it can be removed if the register
    /// is never read. This includes inputs for unspecified values of the machine, but not
    /// environment inputs.
    pub fn is_pure(&self) -> bool {
        match self {
            Inst::Copy { .. }
            | Inst::GetGlobal { .. }
            | Inst::IntUnary { .. }
            | Inst::Compare { .. }
            | Inst::Resize { .. }
            | Inst::Select { .. }
            | Inst::Float { .. }
            | Inst::FloatUnary { .. }
            | Inst::FloatCompare { .. }
            | Inst::PtrAdd { .. }
            | Inst::PtrToInt { .. }
            | Inst::Shadow(Shadow::Load { .. })
            | Inst::Foreign { .. } => true,
            Inst::Int { .. } | Inst::FloatCast { .. } | Inst::PtrCompare { .. } => {
                self.bail_kinds().is_empty()
            }
            Inst::Input { kind, .. } => matches!(kind, InputKind::Uninit(_) | InputKind::Undef),
            _ => false,
        }
    }

    /// The pointer whose object this instruction ends.
    pub fn ended(&self) -> Option<Operand> {
        match self {
            Inst::Free { ptr, .. } | Inst::EndLife { ptr } => Some(*ptr),
            _ => None,
        }
    }

    /// The kinds of bails that this instruction itself may cause.
    pub fn bail_kinds(&self) -> &'static [BailKind] {
        use BailKind::*;
        const ACCESS: &[BailKind] = &[NullDeref, OutOfBounds, UseAfterFree, InvalidPointer, PtrPun];
        const WRITE: &[BailKind] = &[
            NullDeref,
            OutOfBounds,
            UseAfterFree,
            InvalidPointer,
            ConstWrite,
        ];
        match self {
            Inst::Int {
                op,
                no_signed_wrap,
                b,
                ..
            } => match op {
                IntOp::UDiv | IntOp::URem | IntOp::SDiv | IntOp::SRem => &[Division],
                IntOp::Shl | IntOp::LShr | IntOp::AShr => match b {
                    Operand::Const(Constant::Int { width, value })
                        if *value < u128::from(*width) =>
                    {
                        if *no_signed_wrap {
                            &[Overflow]
                        } else {
                            &[]
                        }
                    }
                    _ => &[Shift, Overflow],
                },
                _ if *no_signed_wrap => &[Overflow],
                _ => &[],
            },
            Inst::FloatCast {
                cast: FloatCast::ToInt {
                    saturating: false, ..
                },
                ..
            } => &[FloatToInt],
            Inst::PtrCompare { rel, .. } if !matches!(rel, Relation::Eq | Relation::Ne) => {
                &[PtrOrder]
            }
            Inst::PtrDiff { .. } => &[PtrOrder],
            Inst::Load { .. } => ACCESS,
            Inst::Store { .. } | Inst::MemSet { .. } | Inst::VaStart { .. } => WRITE,
            Inst::MemCopy { overlap: true, .. } => &[
                NullDeref,
                OutOfBounds,
                UseAfterFree,
                InvalidPointer,
                ConstWrite,
            ],
            Inst::MemCopy { overlap: false, .. } => &[
                NullDeref,
                OutOfBounds,
                UseAfterFree,
                InvalidPointer,
                ConstWrite,
                Overlap,
            ],
            Inst::Alive { .. } => &[UseAfterFree],
            Inst::Free { .. } | Inst::Realloc { .. } => &[BadFree],
            Inst::Shadow(Shadow::Require { kind, .. }) => match kind {
                Unsupported => &[Unsupported],
                _ => &[Uninitialised],
            },
            _ => &[],
        }
    }
}

impl Terminator {
    /// Calls `f` on each operand, including those of the phi copies.
    pub fn uses(&self, mut f: impl FnMut(Operand)) {
        self.own_uses(&mut f);
        self.targets(|t| t.copies.iter().for_each(|(_, a)| f(*a)));
    }

    /// Calls `f` on each operand except those of the phi copies.
    pub fn own_uses(&self, mut f: impl FnMut(Operand)) {
        match self {
            Terminator::Branch { cond: a, .. }
            | Terminator::Switch { value: a, .. }
            | Terminator::PtrSwitch { ptr: a, .. }
            | Terminator::Halt(_, Some(a)) => f(*a),
            Terminator::Return(values) => values.iter().copied().for_each(f),
            Terminator::Goto(_)
            | Terminator::Halt(_, None)
            | Terminator::Error(_)
            | Terminator::Bail(_) => {}
        }
    }

    /// Calls `f` on each operand except those of the phi copies, mutably.
    pub fn uses_mut(&mut self, mut f: impl FnMut(&mut Operand)) {
        match self {
            Terminator::Branch { cond: a, .. }
            | Terminator::Switch { value: a, .. }
            | Terminator::PtrSwitch { ptr: a, .. }
            | Terminator::Halt(_, Some(a)) => f(a),
            Terminator::Return(values) => values.iter_mut().for_each(f),
            _ => {}
        }
    }

    /// Calls `f` on each target.
    pub fn targets<'a>(&'a self, mut f: impl FnMut(&'a Target)) {
        match self {
            Terminator::Goto(t) => f(t),
            Terminator::Branch { then, other, .. } => {
                f(then);
                f(other);
            }
            Terminator::Switch { cases, default, .. } => {
                cases.iter().for_each(|(_, t)| f(t));
                f(default);
            }
            Terminator::PtrSwitch { cases, default, .. } => {
                cases.iter().for_each(|(_, _, t)| f(t));
                f(default);
            }
            Terminator::Return(_)
            | Terminator::Halt(..)
            | Terminator::Error(_)
            | Terminator::Bail(_) => {}
        }
    }

    /// Calls `f` on each target, mutably.
    pub fn targets_mut(&mut self, mut f: impl FnMut(&mut Target)) {
        match self {
            Terminator::Goto(t) => f(t),
            Terminator::Branch { then, other, .. } => {
                f(then);
                f(other);
            }
            Terminator::Switch { cases, default, .. } => {
                cases.iter_mut().for_each(|(_, t)| f(t));
                f(default);
            }
            Terminator::PtrSwitch { cases, default, .. } => {
                cases.iter_mut().for_each(|(_, _, t)| f(t));
                f(default);
            }
            Terminator::Return(_)
            | Terminator::Halt(..)
            | Terminator::Error(_)
            | Terminator::Bail(_) => {}
        }
    }
}
