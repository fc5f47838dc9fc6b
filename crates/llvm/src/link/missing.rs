//! Definitions from a library for symbols that a program only declares.
//!
//! Only the missing definitions and their dependencies are linked, so an unused library of C stubs
//! costs nothing, and a program may define any of its functions itself.

use super::{LinkError, Part, is_declaration, is_local, merge};
use crate::ir::{ConstId, GlobalId, GlobalKind, Linkage, MdId, Module, Ty};
use crate::visit::{self, Visit};
use rustc_hash::FxHashSet;

/// Adds the definitions from `library`, transitively, that `program` declares but does not define.
/// If the program has its own definition, `library` uses it too.
pub fn link_missing(program: Module, library: Module) -> Result<Module, LinkError> {
    link_with(program, library, &[], declare_only)
}

/// The same for the C library, whose functions call each other and not functions of the program
/// with the same names; `also` lists symbols that are needed without being declared.
pub fn link_library(program: Module, library: Module, also: &[&str]) -> Result<Module, LinkError> {
    link_with(program, library, also, keep_apart)
}

/// Links the missing definitions. `taken` handles a symbol of the library that the program also
/// defines, and returns whether it stays a definition.
fn link_with(
    program: Module,
    mut library: Module,
    also: &[&str],
    taken: fn(&mut Module, GlobalId) -> bool,
) -> Result<Module, LinkError> {
    let defined: FxHashSet<&str> = program
        .globals
        .iter()
        .filter(|g| !is_local(g) && !is_declaration(g))
        .map(|g| g.name.as_str())
        .collect();
    let missing: FxHashSet<&str> = program
        .globals
        .iter()
        .filter(|g| !is_local(g) && is_declaration(g))
        .map(|g| g.name.as_str())
        .chain(also.iter().copied())
        .collect();
    let mut wanted = vec![false; library.globals.len()];
    let mut work: Vec<GlobalId> = Vec::new();
    for (i, global) in library.globals.iter().enumerate() {
        if !is_local(global) && !is_declaration(global) && missing.contains(global.name.as_str()) {
            wanted[i] = true;
            work.push(GlobalId(i as u32));
        }
    }
    let mut seen = vec![false; library.consts.len()];
    while let Some(id) = work.pop() {
        let index = id.0 as usize;
        if !is_local(&library.globals[index])
            && defined.contains(library.globals[index].name.as_str())
            && !taken(&mut library, id)
        {
            continue;
        }
        for used in symbols_used(&mut library, id, &mut seen) {
            if !std::mem::replace(&mut wanted[used.0 as usize], true) {
                work.push(used);
            }
        }
    }
    drop((defined, missing));
    merge(vec![
        Part {
            module: program,
            wanted: None,
        },
        Part {
            module: library,
            wanted: Some(wanted),
        },
    ])
}

/// The program has its own definition: the library's function becomes private to the library.
fn keep_apart(library: &mut Module, id: GlobalId) -> bool {
    let global = &mut library.globals[id.0 as usize];
    match &global.kind {
        GlobalKind::Function(f) if !f.blocks.is_empty() => {
            global.linkage = Linkage::Internal;
            true
        }
        _ => declare_only(library, id),
    }
}

/// The program has its own definition: the library's becomes a declaration.
fn declare_only(library: &mut Module, id: GlobalId) -> bool {
    let global = &mut library.globals[id.0 as usize];
    global.linkage = Linkage::External;
    match &mut global.kind {
        GlobalKind::Function(f) => f.blocks.clear(),
        GlobalKind::Variable(v) => v.init = None,
        kind @ (GlobalKind::Alias { .. } | GlobalKind::Forward) => *kind = GlobalKind::Forward,
    }
    false
}

/// Collects the constants that a symbol mentions.
struct Mentioned(Vec<ConstId>);

impl Visit for Mentioned {
    fn ty(&mut self, _: &mut Ty) {}

    fn constant(&mut self, id: &mut ConstId) {
        self.0.push(*id);
    }

    fn metadata(&mut self, _: &mut MdId) {}
}

/// The symbols that a definition mentions. Each constant is followed only once for the whole
/// library, which `seen` records: its symbols are then already known to be needed.
fn symbols_used(library: &mut Module, id: GlobalId, seen: &mut [bool]) -> Vec<GlobalId> {
    let mut mentioned = Mentioned(Vec::new());
    visit::global(&mut library.globals[id.0 as usize].kind, &mut mentioned);
    let mut symbols = Vec::new();
    while let Some(id) = mentioned.0.pop() {
        if std::mem::replace(&mut seen[id.0 as usize], true) {
            continue;
        }
        let constant = &mut library.consts[id.0 as usize];
        visit::constant(constant, &mut mentioned);
        if let Some(symbol) = visit::named_symbol(&mut constant.kind) {
            symbols.push(*symbol);
        }
    }
    symbols
}
