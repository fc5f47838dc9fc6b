//! Aggregates as scalars: the scalars of a value of an LLVM type, and their offsets.

use super::Ctx;
use crate::program::{Bail, BailKind, FloatFormat, Sort};
use attest_llvm::ir::{FloatKind, Ty, TypeKind};

/// A scalar inside a value, with its byte offset in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Leaf {
    pub sort: Sort,
    pub offset: u64,
}

/// The number of scalars in one SSA value above which it is refused rather than split.
const MOST_LEAVES: usize = 1024;

/// A bail for an unsupported construct.
pub(crate) fn unsupported(kind: BailKind, what: impl Into<String>) -> Bail {
    Bail {
        kind,
        what: what.into().into(),
    }
}

/// Bits of a limb of an integer of more than 128 bits (see `wide`).
pub(crate) const LIMB: u32 = 64;

/// The width above which integers are refused.
const WIDEST: u32 = 1 << 14;

/// The limbs of an integer of this many bits, placed as in memory.
pub(crate) fn limbs(width: u32, at: u64) -> Result<impl Iterator<Item = Leaf>, Bail> {
    if width > WIDEST {
        return Err(unsupported(
            BailKind::Type,
            format!("integer of {width} bits"),
        ));
    }
    Ok((0..width.div_ceil(LIMB)).map(move |i| Leaf {
        sort: Sort::Int((width - i * LIMB).min(LIMB)),
        offset: at.wrapping_add(u64::from(i) * 8),
    }))
}

impl Ctx<'_> {
    /// The scalars of a type in order. `Void` has none.
    pub fn leaves(&self, ty: Ty) -> Result<Vec<Leaf>, Bail> {
        let mut out = Vec::new();
        self.collect_leaves(ty, 0, &mut out)?;
        Ok(out)
    }

    /// The one scalar of a type.
    pub fn scalar(&self, ty: Ty) -> Result<Sort, Bail> {
        match self.module.types.kind(ty) {
            TypeKind::Int(w @ 1..=128) => Ok(Sort::Int(*w)),
            TypeKind::Int(w) => Err(unsupported(BailKind::Type, format!("integer of {w} bits"))),
            TypeKind::Ptr(_) => Ok(Sort::Ptr),
            TypeKind::Float(FloatKind::Float) => Ok(Sort::F32),
            TypeKind::Float(FloatKind::Double) => Ok(Sort::F64),
            TypeKind::Float(kind) => Err(unsupported(BailKind::Type, float_name(*kind))),
            other => Err(unsupported(
                BailKind::Type,
                format!("a scalar was expected, not {other:?}"),
            )),
        }
    }

    fn collect_leaves(&self, ty: Ty, at: u64, out: &mut Vec<Leaf>) -> Result<(), Bail> {
        if out.len() > MOST_LEAVES {
            return Err(unsupported(
                BailKind::Type,
                "a very large aggregate as one value",
            ));
        }
        let types = &self.module.types;
        match types.kind(ty) {
            TypeKind::Void => Ok(()),
            TypeKind::Int(width) if *width > 128 => {
                out.extend(limbs(*width, at)?);
                Ok(())
            }
            TypeKind::Array(n, element) | TypeKind::Vector(n, element, false) => {
                let size = self.size_of(*element)?;
                for i in 0..*n {
                    self.collect_leaves(*element, at.wrapping_add(i.wrapping_mul(size)), out)?;
                }
                Ok(())
            }
            TypeKind::Struct(_) | TypeKind::Named(_) => {
                let Some(body) = types.struct_body(ty) else {
                    return Err(unsupported(
                        BailKind::Type,
                        "a structure of unknown contents",
                    ));
                };
                for (i, field) in body.fields.iter().enumerate() {
                    let offset = self.field_offset(ty, i)?;
                    self.collect_leaves(*field, at.wrapping_add(offset), out)?;
                }
                Ok(())
            }
            _ => {
                out.push(Leaf {
                    sort: self.scalar(ty)?,
                    offset: at,
                });
                Ok(())
            }
        }
    }

    /// The number of scalars before field `index` of an aggregate, and the field's type.
    pub fn leaf_range(&self, ty: Ty, index: u64) -> Result<(usize, Ty), Bail> {
        match self.module.types.kind(ty) {
            TypeKind::Array(n, element) | TypeKind::Vector(n, element, _) if index < *n => {
                let each = self.leaves(*element)?.len();
                Ok((each.saturating_mul(index as usize), *element))
            }
            _ => {
                let body = self.module.types.struct_body(ty);
                let Some(&field) = body.and_then(|b| b.fields.get(index as usize)) else {
                    return Err(unsupported(
                        BailKind::Unsupported,
                        "an index outside its aggregate",
                    ));
                };
                let mut before = 0;
                for f in body
                    .into_iter()
                    .flat_map(|b| &b.fields)
                    .take(index as usize)
                {
                    before += self.leaves(*f)?.len();
                }
                Ok((before, field))
            }
        }
    }

    /// Size of a type in memory, padding included.
    pub fn size_of(&self, ty: Ty) -> Result<u64, Bail> {
        self.layout
            .size_of(&self.module.types, ty)
            .map_err(|e| unsupported(BailKind::Type, e))
    }

    /// Offset of a field of a structure.
    pub fn field_offset(&self, ty: Ty, index: usize) -> Result<u64, Bail> {
        self.layout
            .field_offset(&self.module.types, ty, index as u64)
            .map_err(|e| unsupported(BailKind::Type, e))
    }
}

/// The format of a float sort.
pub(crate) fn format_of(sort: Sort) -> Result<FloatFormat, Bail> {
    match sort {
        Sort::F32 => Ok(FloatFormat::Single),
        Sort::F64 => Ok(FloatFormat::Double),
        _ => Err(unsupported(BailKind::Type, "a float was expected")),
    }
}

/// The width of an integer sort.
pub(crate) fn width_of(sort: Sort) -> Result<u32, Bail> {
    match sort {
        Sort::Int(w) => Ok(w),
        _ => Err(unsupported(BailKind::Type, "an integer was expected")),
    }
}

fn float_name(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Half => "half-precision float",
        FloatKind::BFloat => "bfloat",
        FloatKind::Float => "float",
        FloatKind::Double => "double",
        FloatKind::X86Fp80 => "long double (x86_fp80)",
        FloatKind::Fp128 => "quad-precision float (fp128)",
        FloatKind::PpcFp128 => "ppc_fp128",
    }
}
