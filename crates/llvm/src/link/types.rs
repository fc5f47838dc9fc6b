//! Types of one module in the arena of another.
//!
//! Named structures of the same name are merged if their bodies agree, where structures inside them
//! are assumed to agree until shown otherwise; others are renamed. With opaque pointers only sizes
//! and names depend on this, so an unnecessary renaming only costs a longer name.

use crate::ir::{NamedType, StructBody, Ty, TypeKind, Types};
use rustc_hash::FxHashMap;

/// The depth up to which two types are compared; deeper ones count as different.
const MAX_DEPTH: u32 = 200;

/// Adds all types of `from` to `to`; returns the new handle of each.
pub(super) fn merge(from: &Types, to: &mut Types) -> Vec<Ty> {
    let by_name: FxHashMap<&str, u32> = to
        .named
        .iter()
        .zip(0..)
        .map(|(named, i)| (named.name.as_str(), i))
        .collect();
    let mut same: Vec<Option<u32>> = from
        .named
        .iter()
        .map(|named| by_name.get(named.name.as_str()).copied())
        .collect();
    loop {
        let mut changed = false;
        for (i, named) in from.named.iter().enumerate() {
            let Some(other) = same[i] else { continue };
            let agree = match (&named.body, &to.named[other as usize].body) {
                (Some(a), Some(b)) => Comparison {
                    from,
                    to,
                    same: &same,
                    memo: FxHashMap::default(),
                }
                .bodies(a, b, 0),
                _ => true,
            };
            if !agree {
                same[i] = None;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let mut taken: FxHashMap<String, u32> = to
        .named
        .iter()
        .zip(0..)
        .map(|(named, i)| (named.name.clone(), i))
        .collect();
    let numbers: Vec<u32> = from
        .named
        .iter()
        .zip(&same)
        .map(|(named, same)| {
            same.unwrap_or_else(|| {
                let number = to.named.len() as u32;
                let name = super::unused_name(&named.name, |name| taken.contains_key(name));
                taken.insert(name.clone(), number);
                to.named.push(NamedType { name, body: None });
                number
            })
        })
        .collect();
    let handles = map_kinds(from, to, &numbers);
    for (named, &number) in from.named.iter().zip(&numbers) {
        let place = &mut to.named[number as usize].body;
        if place.is_none() {
            *place = named.body.as_ref().map(|body| map_body(body, &handles));
        }
    }
    handles
}

/// The parts of a type precede it in the arena, so one pass is enough.
fn map_kinds(from: &Types, to: &mut Types, numbers: &[u32]) -> Vec<Ty> {
    let mut handles: Vec<Ty> = Vec::with_capacity(from.kinds.len());
    for kind in &from.kinds {
        let map = |ty: Ty| handles[ty.0 as usize];
        let kind = match kind {
            TypeKind::Array(n, element) => TypeKind::Array(*n, map(*element)),
            TypeKind::Vector(n, element, scalable) => {
                TypeKind::Vector(*n, map(*element), *scalable)
            }
            TypeKind::Struct(body) => TypeKind::Struct(map_body(body, &handles)),
            TypeKind::Named(number) => TypeKind::Named(numbers[*number as usize]),
            TypeKind::Function {
                ret,
                params,
                varargs,
            } => TypeKind::Function {
                ret: map(*ret),
                params: params.iter().map(|&p| map(p)).collect(),
                varargs: *varargs,
            },
            other => other.clone(),
        };
        handles.push(to.intern(kind));
    }
    handles
}

fn map_body(body: &StructBody, handles: &[Ty]) -> StructBody {
    StructBody {
        fields: body
            .fields
            .iter()
            .map(|ty| handles[ty.0 as usize])
            .collect(),
        packed: body.packed,
    }
}

/// Whether types of two arenas are equal, given equal structures.
struct Comparison<'a> {
    from: &'a Types,
    to: &'a Types,
    same: &'a [Option<u32>],
    memo: FxHashMap<(Ty, Ty), bool>,
}

impl Comparison<'_> {
    fn bodies(&mut self, a: &StructBody, b: &StructBody, depth: u32) -> bool {
        a.packed == b.packed && self.lists(&a.fields, &b.fields, depth)
    }

    fn lists(&mut self, a: &[Ty], b: &[Ty], depth: u32) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| self.types(a, b, depth + 1))
    }

    fn types(&mut self, a: Ty, b: Ty, depth: u32) -> bool {
        if depth > MAX_DEPTH {
            return false;
        }
        if let Some(&known) = self.memo.get(&(a, b)) {
            return known;
        }
        let (from, to) = (self.from, self.to);
        let equal = match (from.kind(a), to.kind(b)) {
            (TypeKind::Named(a), TypeKind::Named(b)) => self.same[*a as usize] == Some(*b),
            (TypeKind::Struct(a), TypeKind::Struct(b)) => self.bodies(a, b, depth),
            (TypeKind::Array(n, a), TypeKind::Array(m, b)) => {
                n == m && self.types(*a, *b, depth + 1)
            }
            (TypeKind::Vector(n, a, x), TypeKind::Vector(m, b, y)) => {
                n == m && x == y && self.types(*a, *b, depth + 1)
            }
            (
                TypeKind::Function {
                    ret: a,
                    params: p,
                    varargs: x,
                },
                TypeKind::Function {
                    ret: b,
                    params: q,
                    varargs: y,
                },
            ) => x == y && self.types(*a, *b, depth + 1) && self.lists(p, q, depth),
            (a, b) => a == b,
        };
        self.memo.insert((a, b), equal);
        equal
    }
}
