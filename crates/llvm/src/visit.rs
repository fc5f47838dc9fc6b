//! Every handle inside a function, variable or constant, in one walk.
//!
//! The linker uses it to renumber handles and to find the symbols that a definition mentions, the
//! reader to check the uses of local values.

use crate::ir::{
    Arg, ArgValue, Attr, Call, Callee, Const, ConstExpr, ConstId, ConstKind, Function, GlobalId,
    GlobalKind, InstKind, MdId, Operand, Ty,
};

/// The operations on each handle.
pub(crate) trait Visit {
    /// A type.
    fn ty(&mut self, ty: &mut Ty);
    /// A constant.
    fn constant(&mut self, id: &mut ConstId);
    /// A metadata node.
    fn metadata(&mut self, id: &mut MdId);

    /// An operand, if it is a constant.
    fn operand(&mut self, operand: &mut Operand) {
        if let Operand::Const(id) = operand {
            self.constant(id);
        }
    }
}

pub(crate) fn global(kind: &mut GlobalKind, v: &mut impl Visit) {
    match kind {
        GlobalKind::Variable(variable) => {
            v.ty(&mut variable.ty);
            variable.init.iter_mut().for_each(|id| v.constant(id));
            variable.dbg.iter_mut().for_each(|id| v.metadata(id));
        }
        GlobalKind::Function(f) => function(f, v),
        GlobalKind::Alias { target, .. } => v.constant(target),
        GlobalKind::Forward => {}
    }
}

fn function(f: &mut Function, v: &mut impl Visit) {
    v.ty(&mut f.ret);
    attrs(&mut f.ret_attrs, v);
    attrs(&mut f.attrs, v);
    for param in &mut f.params {
        v.ty(&mut param.ty);
        attrs(&mut param.attrs, v);
    }
    f.locals.iter_mut().for_each(|local| v.ty(&mut local.ty));
    f.dbg.iter_mut().for_each(|id| v.metadata(id));
    for inst in f.blocks.iter_mut().flat_map(|block| &mut block.insts) {
        inst.dbg.iter_mut().for_each(|id| v.metadata(id));
        instruction(&mut inst.kind, v);
    }
}

fn attrs(attrs: &mut [Attr], v: &mut impl Visit) {
    for attr in attrs {
        if let Attr::Type(_, ty) = attr {
            v.ty(ty);
        }
    }
}

pub(crate) fn instruction(kind: &mut InstKind, v: &mut impl Visit) {
    match kind {
        InstKind::Bin { ty, lhs, rhs, .. }
        | InstKind::ICmp { ty, lhs, rhs, .. }
        | InstKind::FCmp { ty, lhs, rhs, .. } => {
            v.ty(ty);
            v.operand(lhs);
            v.operand(rhs);
        }
        InstKind::FNeg(ty, value) | InstKind::Freeze(ty, value) => {
            v.ty(ty);
            v.operand(value);
        }
        InstKind::Cast {
            from, value, to, ..
        } => {
            v.ty(from);
            v.operand(value);
            v.ty(to);
        }
        InstKind::Alloca { ty, count, .. } => {
            v.ty(ty);
            v.operand(count);
        }
        InstKind::Load { ty, ptr, .. } => {
            v.ty(ty);
            v.operand(ptr);
        }
        InstKind::Store { ty, value, ptr, .. } | InstKind::AtomicRmw { ty, value, ptr, .. } => {
            v.ty(ty);
            v.operand(value);
            v.operand(ptr);
        }
        InstKind::Gep {
            source,
            base,
            indices,
            ..
        } => {
            v.ty(source);
            v.operand(base);
            for (ty, index) in indices {
                v.ty(ty);
                v.operand(index);
            }
        }
        InstKind::Phi { ty, incoming } => {
            v.ty(ty);
            incoming.iter_mut().for_each(|(value, _)| v.operand(value));
        }
        InstKind::Select {
            cond_ty,
            cond,
            ty,
            on_true,
            on_false,
        } => {
            v.ty(cond_ty);
            v.operand(cond);
            v.ty(ty);
            v.operand(on_true);
            v.operand(on_false);
        }
        InstKind::Call(site) => call(site, v),
        InstKind::Invoke { call: site, .. } | InstKind::CallBr { call: site, .. } => call(site, v),
        InstKind::ExtractValue { ty, agg, .. } => {
            v.ty(ty);
            v.operand(agg);
        }
        InstKind::InsertValue {
            ty,
            agg,
            value_ty,
            value,
            ..
        } => {
            v.ty(ty);
            v.operand(agg);
            v.ty(value_ty);
            v.operand(value);
        }
        InstKind::ExtractElement { ty, vector, index } => {
            v.ty(ty);
            v.operand(vector);
            v.operand(index);
        }
        InstKind::InsertElement {
            ty,
            vector,
            value,
            index,
        } => {
            v.ty(ty);
            v.operand(vector);
            v.operand(value);
            v.operand(index);
        }
        InstKind::ShuffleVector { ty, lhs, rhs, mask } => {
            v.ty(ty);
            v.operand(lhs);
            v.operand(rhs);
            v.constant(mask);
        }
        InstKind::VaArg { list, ty } => {
            v.operand(list);
            v.ty(ty);
        }
        InstKind::CmpXchg {
            ptr,
            ty,
            expected,
            new,
            ..
        } => {
            v.operand(ptr);
            v.ty(ty);
            v.operand(expected);
            v.operand(new);
        }
        InstKind::Dbg(record) => {
            record.value.iter_mut().for_each(|value| v.operand(value));
            record.subject.iter_mut().for_each(|id| v.metadata(id));
        }
        InstKind::Ret(Some((ty, value))) => {
            v.ty(ty);
            v.operand(value);
        }
        InstKind::CondBr { cond, .. } => v.operand(cond),
        InstKind::Switch {
            ty, value, cases, ..
        } => {
            v.ty(ty);
            v.operand(value);
            cases.iter_mut().for_each(|(case, _)| v.constant(case));
        }
        InstKind::IndirectBr { address, .. } => v.operand(address),
        InstKind::Fence(_)
        | InstKind::Exception(_)
        | InstKind::Ret(None)
        | InstKind::Br(_)
        | InstKind::Unreachable
        | InstKind::ExceptionTerminator(..) => {}
    }
}

fn call(call: &mut Call, v: &mut impl Visit) {
    if let Callee::Value(callee) = &mut call.callee {
        v.operand(callee);
    }
    v.ty(&mut call.ret);
    call.fn_ty.iter_mut().for_each(|ty| v.ty(ty));
    attrs(&mut call.ret_attrs, v);
    attrs(&mut call.attrs, v);
    for Arg {
        ty,
        attrs: list,
        value,
    } in &mut call.args
    {
        v.ty(ty);
        attrs(list, v);
        match value {
            ArgValue::Value(value) => v.operand(value),
            ArgValue::Metadata(id) => v.metadata(id),
        }
    }
    for (ty, value) in call.bundles.iter_mut().flat_map(|(_, operands)| operands) {
        v.ty(ty);
        v.operand(value);
    }
}

/// The symbol that a constant itself names, not through its parts.
pub(crate) fn named_symbol(kind: &mut ConstKind) -> Option<&mut GlobalId> {
    match kind {
        ConstKind::Global(id) | ConstKind::BlockAddress(id, _) | ConstKind::Equivalent(id) => {
            Some(id)
        }
        _ => None,
    }
}

pub(crate) fn constant(constant: &mut Const, v: &mut impl Visit) {
    v.ty(&mut constant.ty);
    match &mut constant.kind {
        ConstKind::Aggregate(parts) => parts.iter_mut().for_each(|id| v.constant(id)),
        ConstKind::Splat(id) => v.constant(id),
        ConstKind::Expr(expr) => match expr {
            ConstExpr::Cast(_, a) => v.constant(a),
            ConstExpr::Gep {
                source,
                base,
                indices,
                ..
            } => {
                v.ty(source);
                v.constant(base);
                indices.iter_mut().for_each(|id| v.constant(id));
            }
            ConstExpr::Bin(_, a, b)
            | ConstExpr::ICmp(_, a, b)
            | ConstExpr::FCmp(_, a, b)
            | ConstExpr::ExtractElement(a, b) => {
                v.constant(a);
                v.constant(b);
            }
            ConstExpr::Select(a, b, c)
            | ConstExpr::InsertElement(a, b, c)
            | ConstExpr::ShuffleVector(a, b, c) => {
                v.constant(a);
                v.constant(b);
                v.constant(c);
            }
        },
        _ => {}
    }
}
