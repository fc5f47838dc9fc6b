//! Linking: several modules become one.
//!
//! First the shared symbols are resolved by the rules of linkers: a strong definition beats a
//! common one, which beats a weak one, then `linkonce`, then `available_externally`, then a
//! declaration; two strong definitions are an error. Symbols local to a module keep their names if
//! possible and are renamed otherwise. Then the parts are combined: types are interned again
//! (`types`), and all other handles are shifted. `missing` links only the definitions that a
//! program lacks.

mod missing;
mod types;

pub use missing::{link_library, link_missing};

use crate::debug::{MdNode, MdValue};
use crate::ir::{
    Const, ConstId, ConstKind, Global, GlobalId, GlobalKind, Linkage, MdId, Module, Ty, TypeKind,
};
use crate::layout::Layout;
use crate::visit::{self, Visit};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;

/// Why modules could not be linked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LinkError {
    /// Two strong definitions of one symbol.
    Duplicate {
        /// The symbol.
        symbol: String,
        /// The file that defines it first.
        first: String,
        /// The file that defines it again.
        second: String,
    },
    /// Two modules are for different targets.
    DataLayout {
        /// A file.
        first: String,
        /// Another, with another data layout.
        second: String,
    },
    /// Lists to be concatenated, such as `llvm.global_ctors`, differ in type.
    Appending {
        /// The symbol.
        symbol: String,
    },
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            LinkError::Duplicate {
                symbol,
                first,
                second,
            } => {
                write!(f, "`{symbol}` is defined in both {first} and {second}")
            }
            LinkError::DataLayout { first, second } => {
                write!(f, "{first} and {second} are compiled for different targets")
            }
            LinkError::Appending { symbol } => {
                write!(f, "the parts of `{symbol}` are not arrays of the same type")
            }
        }
    }
}

impl std::error::Error for LinkError {}

/// Links modules, in the order of the list.
pub fn link(modules: Vec<Module>) -> Result<Module, LinkError> {
    merge(
        modules
            .into_iter()
            .map(|module| Part {
                module,
                wanted: None,
            })
            .collect(),
    )
}

/// A module with the symbols to link (all, if there is no list).
struct Part {
    module: Module,
    wanted: Option<Vec<bool>>,
}

impl Part {
    fn wants(&self, index: usize) -> bool {
        self.wanted.as_ref().is_none_or(|wanted| wanted[index])
    }

    fn file(&self) -> String {
        self.module
            .sources
            .first()
            .cloned()
            .unwrap_or_else(|| "<unnamed module>".to_owned())
    }
}

fn merge(parts: Vec<Part>) -> Result<Module, LinkError> {
    check_layouts(&parts)?;
    let winners = resolve(&parts)?;
    let mut linker = Linker {
        out: Module::default(),
        locals: FxHashSet::default(),
    };
    for (i, part) in parts.into_iter().enumerate() {
        linker.add(i, part, &winners)?;
    }
    Ok(linker.out)
}

fn check_layouts(parts: &[Part]) -> Result<(), LinkError> {
    let mut first: Option<&Part> = None;
    for part in parts
        .iter()
        .filter(|part| !part.module.data_layout.is_empty())
    {
        match first {
            None => first = Some(part),
            Some(first) if first.module.data_layout != part.module.data_layout => {
                let (first, second) = (first.file(), part.file());
                return Err(LinkError::DataLayout { first, second });
            }
            Some(_) => {}
        }
    }
    Ok(())
}

fn is_local(global: &Global) -> bool {
    matches!(global.linkage, Linkage::Private | Linkage::Internal)
}

fn is_declaration(global: &Global) -> bool {
    match &global.kind {
        GlobalKind::Variable(v) => v.init.is_none(),
        GlobalKind::Function(f) => f.is_declaration(),
        GlobalKind::Alias { .. } => false,
        GlobalKind::Forward => true,
    }
}

/// The strength of a definition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    WeakDeclaration,
    Declaration,
    AvailableExternally,
    LinkOnce,
    Weak,
    Common,
    Strong,
}

fn rank(global: &Global) -> Rank {
    match global.linkage {
        Linkage::ExternWeak => Rank::WeakDeclaration,
        _ if is_declaration(global) => Rank::Declaration,
        Linkage::AvailableExternally => Rank::AvailableExternally,
        Linkage::LinkOnce | Linkage::LinkOnceOdr => Rank::LinkOnce,
        Linkage::Weak | Linkage::WeakOdr => Rank::Weak,
        Linkage::Common => Rank::Common,
        Linkage::External | Linkage::Private | Linkage::Internal | Linkage::Appending => {
            Rank::Strong
        }
    }
}

/// For each shared symbol, the part that defines it.
fn resolve(parts: &[Part]) -> Result<FxHashMap<String, usize>, LinkError> {
    let mut winners: FxHashMap<String, (usize, Rank, u64)> = FxHashMap::default();
    for (i, part) in parts.iter().enumerate() {
        for (index, global) in part.module.globals.iter().enumerate() {
            if !part.wants(index) || is_local(global) || global.linkage == Linkage::Appending {
                continue;
            }
            let (rank, size) = (rank(global), common_size(&part.module, global));
            let Some(old) = winners.get_mut(&global.name) else {
                winners.insert(global.name.clone(), (i, rank, size));
                continue;
            };
            if rank == Rank::Strong && old.1 == Rank::Strong {
                return Err(LinkError::Duplicate {
                    symbol: global.name.clone(),
                    first: parts[old.0].file(),
                    second: part.file(),
                });
            }
            // The largest of several common definitions wins.
            if (rank, size) > (old.1, old.2) {
                *old = (i, rank, size);
            }
        }
    }
    Ok(winners
        .into_iter()
        .map(|(name, (part, ..))| (name, part))
        .collect())
}

fn common_size(module: &Module, global: &Global) -> u64 {
    match &global.kind {
        GlobalKind::Variable(v) if global.linkage == Linkage::Common => {
            let layout = Layout::parse(&module.data_layout);
            layout
                .and_then(|layout| layout.size_of(&module.types, v.ty))
                .unwrap_or(0)
        }
        _ => 0,
    }
}

/// An unused name: the name itself, or with a number after it.
fn unused_name(name: &str, taken: impl Fn(&str) -> bool) -> String {
    if !taken(name) {
        return name.to_owned();
    }
    let mut number = 1u64;
    loop {
        let candidate = format!("{name}.{number}");
        if !taken(&candidate) {
            return candidate;
        }
        number += 1;
    }
}

struct Linker {
    out: Module,
    /// Names given to symbols of one module.
    locals: FxHashSet<String>,
}

impl Linker {
    fn add(
        &mut self,
        number: usize,
        part: Part,
        winners: &FxHashMap<String, usize>,
    ) -> Result<(), LinkError> {
        let wanted: Vec<bool> = (0..part.module.globals.len())
            .map(|i| part.wants(i))
            .collect();
        let module = part.module;
        let out = &mut self.out;
        out.sources.extend(module.sources);
        out.module_asm.extend(module.module_asm);
        if out.triple.is_empty() {
            out.triple = module.triple;
        }
        if out.data_layout.is_empty() {
            out.data_layout = module.data_layout;
        }
        let mut shift = Shift {
            types: types::merge(&module.types, &mut out.types),
            consts: out.consts.len() as u32,
            nodes: out.metadata.nodes.len() as u32,
        };
        let globals = self.place_symbols(&module.globals, &wanted, winners);
        for mut constant in module.consts {
            shift_constant(&mut constant, &mut shift, &globals);
            self.out.consts.push(constant);
        }
        self.add_metadata(module.metadata, &mut shift);
        for (mut global, place) in module.globals.into_iter().zip(&globals) {
            let Some(place) = *place else { continue };
            visit::global(&mut global.kind, &mut shift);
            let slot = &mut self.out.globals[place.0 as usize];
            if global.linkage == Linkage::Appending && !matches!(slot.kind, GlobalKind::Forward) {
                self.append(place, global)?;
            } else if is_local(&global)
                || global.linkage == Linkage::Appending
                || winners.get(&global.name) == Some(&number)
            {
                slot.kind = global.kind;
                slot.linkage = global.linkage;
                slot.line = global.line;
            }
        }
        Ok(())
    }

    /// Reserves a place in the result for every linked symbol.
    fn place_symbols(
        &mut self,
        globals: &[Global],
        wanted: &[bool],
        winners: &FxHashMap<String, usize>,
    ) -> Vec<Option<GlobalId>> {
        let mut places = Vec::with_capacity(globals.len());
        for (global, wanted) in globals.iter().zip(wanted) {
            if !wanted {
                places.push(None);
                continue;
            }
            let out = &mut self.out;
            let local = is_local(global);
            if !local && let Some(&id) = out.by_name.get(&global.name) {
                places.push(Some(id));
                continue;
            }
            let name = if local {
                unused_name(&global.name, |name| {
                    winners.contains_key(name)
                        || out.by_name.contains_key(name)
                        || self.locals.contains(name)
                })
            } else {
                global.name.clone()
            };
            if local {
                self.locals.insert(name.clone());
            }
            let id = GlobalId(out.globals.len() as u32);
            out.by_name.insert(name.clone(), id);
            out.globals.push(Global {
                name,
                linkage: global.linkage,
                kind: GlobalKind::Forward,
                line: global.line,
            });
            places.push(Some(id));
        }
        places
    }

    fn add_metadata(&mut self, metadata: crate::debug::Metadata, shift: &mut Shift) {
        for mut node in metadata.nodes {
            match &mut node {
                MdNode::Forward => {}
                MdNode::Tuple(values) => values.iter_mut().for_each(|v| shift_value(v, shift)),
                MdNode::Special(_, fields) => {
                    fields.iter_mut().for_each(|(_, v)| shift_value(v, shift));
                }
            }
            self.out.metadata.nodes.push(node);
        }
        for (name, mut nodes) in metadata.named {
            nodes.iter_mut().for_each(|id| shift.metadata(id));
            self.out
                .metadata
                .named
                .entry(name)
                .or_default()
                .extend(nodes);
        }
    }

    /// Appends the elements of one list, such as `llvm.global_ctors`, to another's.
    fn append(&mut self, place: GlobalId, global: Global) -> Result<(), LinkError> {
        let error = || LinkError::Appending {
            symbol: global.name.clone(),
        };
        let out = &mut self.out;
        let GlobalKind::Variable(old) = &out.globals[place.0 as usize].kind else {
            return Err(error());
        };
        let GlobalKind::Variable(new) = &global.kind else {
            return Err(error());
        };
        let elements = |ty: Ty, init: Option<ConstId>| {
            let TypeKind::Array(_, element) = *out.types.kind(ty) else {
                return None;
            };
            match &out.constant(init?).kind {
                ConstKind::Aggregate(parts) => Some((element, parts.clone())),
                ConstKind::Zero if *out.types.kind(ty) == TypeKind::Array(0, element) => {
                    Some((element, Vec::new()))
                }
                _ => None,
            }
        };
        let (old_ty, mut parts) = elements(old.ty, old.init).ok_or_else(error)?;
        let (new_ty, more) = elements(new.ty, new.init).ok_or_else(error)?;
        if old_ty != new_ty {
            return Err(error());
        }
        parts.extend(more);
        let ty = out
            .types
            .intern(TypeKind::Array(parts.len() as u64, old_ty));
        let init = ConstId(out.consts.len() as u32);
        out.consts.push(Const {
            ty,
            kind: ConstKind::Aggregate(parts),
        });
        if let GlobalKind::Variable(old) = &mut out.globals[place.0 as usize].kind {
            old.ty = ty;
            old.init = Some(init);
        }
        Ok(())
    }
}

/// The mapping from the handles of a part to those of the result.
struct Shift {
    types: Vec<Ty>,
    consts: u32,
    nodes: u32,
}

impl Visit for Shift {
    fn ty(&mut self, ty: &mut Ty) {
        *ty = self.types[ty.0 as usize];
    }

    fn constant(&mut self, id: &mut ConstId) {
        id.0 += self.consts;
    }

    fn metadata(&mut self, id: &mut MdId) {
        id.0 += self.nodes;
    }
}

fn shift_value(value: &mut MdValue, shift: &mut Shift) {
    match value {
        MdValue::Node(id) => shift.metadata(id),
        MdValue::Const(ty, id) => {
            shift.ty(ty);
            shift.constant(id);
        }
        // Lists nest no deeper than the reader allows.
        MdValue::List(values) => values.iter_mut().for_each(|v| shift_value(v, shift)),
        MdValue::Null
        | MdValue::Text(_)
        | MdValue::Number(_)
        | MdValue::Word(_)
        | MdValue::Local => {}
    }
}

/// Nothing that is linked uses a constant that names an unlinked symbol; it becomes `undef` so that
/// all handles stay valid.
fn shift_constant(constant: &mut Const, shift: &mut Shift, globals: &[Option<GlobalId>]) {
    visit::constant(constant, shift);
    if let Some(id) = visit::named_symbol(&mut constant.kind) {
        match globals[id.0 as usize] {
            Some(place) => *id = place,
            None => constant.kind = ConstKind::Undef,
        }
    }
}

#[cfg(test)]
mod tests;
