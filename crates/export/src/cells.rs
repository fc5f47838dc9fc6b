//! Reads of memory as C: which member or element of which variable a term reads.
//!
//! Said is only what C defines wherever it is evaluated. A member of a
//! variable in scope is that; an element of an array has a guard for its
//! index; and what a pointer leads to is said of the variable that it points
//! to, with the guard that it does so, if points-to knows of one only. So a
//! reader or another verifier never evaluates what has no value.

use crate::cexpr::{Cell, Index};
use crate::scope::Scope;
use attest_llvm::ctype::{CType, Encoding};
use attest_llvm::ir::MdId;
use attest_model::graph::Loc;
use attest_model::points_to::{PointsTo, SiteKind};
use attest_model::{Inst, ObjectId, Program, Reg, VarId};
use attest_term::{Op, Term};
use std::cell::OnceCell;

/// Structures inside structures that are looked into.
const DEEPEST: u32 = 8;

/// What is known of the memory of a program, worked out when it is first asked for.
#[derive(Default)]
pub(crate) struct Memory {
    points_to: OnceCell<PointsTo>,
    /// The variable whose address a register of the entry function always is.
    addresses: OnceCell<Vec<Option<VarId>>>,
}

impl Memory {
    fn points_to(&self, program: &Program) -> &PointsTo {
        self.points_to.get_or_init(|| PointsTo::of(program))
    }

    fn addresses(&self, program: &Program) -> &[Option<VarId>] {
        self.addresses.get_or_init(|| {
            let function = program.function(program.entry);
            let mut count = vec![0u32; function.regs.len()];
            let mut made = vec![None; function.regs.len()];
            for reg in 0..function.params {
                count[reg as usize] += 1;
            }
            for block in &function.blocks {
                for inst in &block.insts {
                    inst.defs(|dst| count[dst.0 as usize] += 1);
                    if let Inst::Alloc { dst, name, .. } = inst {
                        made[dst.0 as usize] = *name;
                    }
                }
                block.end.targets(|t| {
                    let written = t.copies.iter();
                    written.for_each(|(dst, _)| count[dst.0 as usize] += 1);
                });
            }
            let once = made.into_iter().zip(count);
            once.map(|(name, n)| name.filter(|_| n == 1)).collect()
        })
    }
}

/// An offset: what is left of the base, a number, and a term that counts elements.
struct Offset {
    base: bool,
    number: u64,
    scaled: Option<(Term, u64)>,
}

/// A scalar inside of a variable.
struct Scalar {
    path: String,
    signed: bool,
}

impl Scope<'_> {
    /// What a read of this many bytes reads, if C can say it at the loop.
    pub(crate) fn cell(&self, head: Loc, object: Term, offset: Term, bytes: u32) -> Option<Cell> {
        let program = self.subject.program;
        let (variable, start, base, guard) = match self.terms.op(object) {
            Op::Const(_) => {
                let number = self.terms.bv_const(object)?.to_u128()?;
                let object = program.object(ObjectId(u32::try_from(number).ok()?))?;
                (object.variable?, 0, None, None)
            }
            Op::Var(symbol) => {
                let name = &self.terms.symbol(symbol).name;
                let reg = name.strip_prefix('r')?.strip_suffix(".o")?;
                let reg = Reg(reg.parse().ok()?);
                let (variable, start, guard) = self.pointee(head, reg)?;
                (variable, start, Some(format!("r{}.a", reg.0)), guard)
            }
            _ => return None,
        };
        self.in_scope(variable)?;
        let offset = self.offset(offset, base.as_deref())?;
        if offset.base != base.is_some() {
            return None;
        }
        let at = offset.number.wrapping_add(start);
        let variable = program.variable(variable);
        let (name, ty) = (variable.name.to_string(), variable.ty?);
        let Some((term, scale)) = offset.scaled else {
            let scalar = self.scalar(ty, at, u64::from(bytes), 0)?;
            return Some(Cell {
                name: name + &scalar.path,
                index: None,
                signed: scalar.signed,
                guard,
            });
        };
        // An element of an array, by an index that may be anything.
        let CType::Array {
            element: Some(element),
            counts,
            bits,
        } = program.metadata.ctype(ty)?
        else {
            return None;
        };
        let [Some(count)] = counts.as_slice() else {
            return None;
        };
        let each = (bits / 8).checked_div(*count)?;
        let element = self.scalar(element, 0, u64::from(bytes), 0)?;
        // The number may be negative; a scalar's size divides the modulus.
        let unused = 64 - program.pointer_bits;
        let at = ((at << unused) as i64) >> unused;
        let size = i64::from(bytes);
        let fits = each == u64::from(bytes) && scale == each && at % size == 0;
        let fits = fits && (-0x4000_0000..0x4000_0000).contains(&at);
        fits.then(|| Cell {
            name,
            index: Some(Index {
                term,
                plus: at / size,
                below: *count,
            }),
            signed: element.signed,
            guard,
        })
    }

    /// The variable that a register is the address of, or points to under a guard, and where
    /// in it.
    fn pointee(&self, head: Loc, reg: Reg) -> Option<(VarId, u64, Option<String>)> {
        let program = self.subject.program;
        let location = self.subject.graph.location(head);
        if location.function != Some(program.entry) || !location.live.contains(&reg) {
            return None;
        }
        let addresses = self.memory.addresses(program);
        if let Some(variable) = addresses.get(reg.0 as usize).copied().flatten() {
            // Two living objects of one variable would be two activations.
            let live = location.live.iter();
            let same = live.filter(|r| addresses[r.0 as usize] == Some(variable));
            return (same.count() == 1).then_some((variable, 0, None));
        }
        let function = program.function(program.entry);
        let pointer = function.regs.get(reg.0 as usize)?.variable?;
        let live = location.live.iter();
        let twins = live.filter(|r| function.regs[r.0 as usize].variable == Some(pointer));
        if twins.count() != 1 {
            return None;
        }
        self.in_scope(pointer)?;
        let pointer = program.variable(pointer);
        if !matches!(program.metadata.ctype(pointer.ty?)?, CType::Pointer { .. }) {
            return None;
        }
        let points_to = self.memory.points_to(program);
        let places = points_to.register(program.entry, reg);
        let ([place], false) = (places.list.as_slice(), places.anywhere) else {
            return None;
        };
        if place.shift < program.pointer_bits {
            return None;
        }
        let variable = match *points_to.sites.get(place.site.0 as usize)? {
            SiteKind::Static(object) => program.object(object)?.variable?,
            SiteKind::Made {
                function: made_in,
                block,
                index,
            } => {
                let code = program.function(made_in);
                let block = code.blocks.get(block.0 as usize)?;
                let Inst::Alloc { dst, name, .. } = block.insts.get(index as usize)? else {
                    return None;
                };
                let own = made_in == program.entry && addresses[dst.0 as usize] == *name;
                // The object of this activation, and of no other.
                let live = location.live.iter();
                let same = live.filter(|r| addresses[r.0 as usize] == *name);
                if !own || name.is_none() || same.count() > 1 {
                    return None;
                }
                (*name)?
            }
            _ => return None,
        };
        self.in_scope(variable)?;
        let name = &program.variable(variable).name;
        let address = match place.offset {
            0 => format!("(char *)&{name}"),
            n => format!("(char *)&{name} + {n}"),
        };
        let guard = format!("(char *){} == {address}", pointer.name);
        Some((variable, place.offset, Some(guard)))
    }

    /// An offset in parts; `base` is the symbol of the pointer's own offset.
    fn offset(&self, term: Term, base: Option<&str>) -> Option<Offset> {
        let terms = self.terms;
        let mut found = Offset {
            base: false,
            number: 0,
            scaled: None,
        };
        let mut work = vec![term];
        while let Some(term) = work.pop() {
            let number = |t: Term| terms.bv_const(t).and_then(|c| c.to_u128());
            match (terms.op(term), terms.args(term)) {
                (Op::Add, args) => work.extend(args),
                (Op::Const(_), _) => {
                    let value = number(term)? as u64;
                    found.number = found.number.wrapping_add(value);
                }
                (Op::Var(symbol), _) if base == Some(&*terms.symbol(symbol).name) => {
                    if std::mem::replace(&mut found.base, true) {
                        return None;
                    }
                }
                (op, args) => {
                    let part = match (op, args) {
                        (Op::Mul, &[x, n]) if number(n).is_some() => {
                            (x, u64::try_from(number(n)?).ok()?)
                        }
                        (Op::Shl, &[x, n]) if number(n).is_some_and(|n| n < 16) => {
                            (x, 1 << number(n)?)
                        }
                        _ => (term, 1),
                    };
                    if found.scaled.replace(part).is_some() {
                        return None;
                    }
                }
            }
        }
        // A pointer's width may be less than that of the sum here.
        let bits = self.subject.program.pointer_bits;
        if bits < 64 {
            found.number &= (1 << bits) - 1;
        }
        Some(found)
    }

    /// The member or element of this size at an offset of a type.
    fn scalar(&self, ty: MdId, at: u64, bytes: u64, depth: u32) -> Option<Scalar> {
        if depth > DEEPEST {
            return None;
        }
        let metadata = &self.subject.program.metadata;
        let within = |inner: Option<Scalar>, step: String| {
            inner.map(|found| Scalar {
                path: step + &found.path,
                ..found
            })
        };
        let plain = |signed: bool| Scalar {
            path: String::new(),
            signed,
        };
        match metadata.ctype(ty)? {
            CType::Basic { bits, encoding, .. } if at == 0 && bits == 8 * bytes => match encoding {
                Encoding::Signed | Encoding::SignedChar => Some(plain(true)),
                Encoding::Unsigned | Encoding::UnsignedChar => Some(plain(false)),
                Encoding::Bool | Encoding::Float | Encoding::Other => None,
            },
            CType::Enum { bits, signed, .. } if at == 0 && bits == 8 * bytes => Some(plain(signed)),
            CType::Struct {
                union: false,
                fields,
                ..
            } => {
                let field = fields
                    .iter()
                    .find(|f| !f.bit_field && f.offset <= 8 * at && 8 * at < f.offset + f.bits)?;
                let inner = self.scalar(field.ty?, at - field.offset / 8, bytes, depth + 1);
                within(inner, format!(".{}", field.name.as_ref()?))
            }
            CType::Array {
                element: Some(element),
                counts,
                bits,
            } => {
                let [Some(count)] = counts.as_slice() else {
                    return None;
                };
                let each = (bits / 8).checked_div(*count).filter(|n| *n > 0)?;
                let index = at / each;
                if index >= *count {
                    return None;
                }
                let inner = self.scalar(element, at % each, bytes, depth + 1);
                within(inner, format!("[{index}]"))
            }
            _ => None,
        }
    }
}
