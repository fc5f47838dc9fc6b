//! Names in the current body: local values and blocks.
//!
//! Both may be mentioned before they are defined, and both may be unnamed; then they share one
//! count with the parameters. Blocks get a handle at their first mention; at the end of the body
//! the handles are replaced by positions.

use super::{Reader, Res};
use crate::ir::{Block, BlockId, InstKind, Local, LocalId, Ty};
use crate::lexer::Pos;
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// A mentioned block.
struct Label {
    name: String,
    /// Its position, once it is defined.
    place: Option<BlockId>,
    first_use: Pos,
}

/// The names of one body.
#[derive(Default)]
pub(super) struct Body<'a> {
    /// Whether a body is being read.
    pub active: bool,
    pub locals: Vec<Local>,
    /// For each local: `None` once it is defined, or else its first use.
    waiting: Vec<Option<Pos>>,
    pub names: FxHashMap<Cow<'a, str>, LocalId>,
    labels: Vec<Label>,
    label_names: FxHashMap<Cow<'a, str>, BlockId>,
    next_number: u32,
}

impl<'a> Body<'a> {
    /// Starts the next body.
    pub fn reset(&mut self) {
        self.active = true;
        self.locals.clear();
        self.waiting.clear();
        self.names.clear();
        self.labels.clear();
        self.label_names.clear();
        self.next_number = 0;
    }

    /// A local that is used but not yet defined.
    pub fn mention(&mut self, name: Cow<'a, str>, ty: Ty, pos: Pos) -> LocalId {
        let id = LocalId(self.locals.len() as u32);
        self.locals.push(Local {
            name: name.clone().into_owned(),
            ty,
        });
        self.waiting.push(Some(pos));
        self.names.insert(name, id);
        id
    }

    /// The handle of a block.
    pub fn label(&mut self, name: Cow<'a, str>, first_use: Pos) -> BlockId {
        if let Some(&id) = self.label_names.get(&name) {
            return id;
        }
        let id = BlockId(self.labels.len() as u32);
        self.labels.push(Label {
            name: name.clone().into_owned(),
            place: None,
            first_use,
        });
        self.label_names.insert(name, id);
        id
    }

    /// The name of the next value or block, given the one in the text. A number may skip some but
    /// never decrease.
    fn name(&mut self, given: Option<Cow<'a, str>>) -> Result<Cow<'a, str>, String> {
        let number = match &given {
            None => self.next_number,
            Some(name) => match name.parse::<u32>() {
                Ok(number) if name.bytes().all(|b| b.is_ascii_digit()) => number,
                _ => return Ok(given.unwrap_or_default()),
            },
        };
        if number < self.next_number {
            return Err(format!(
                "expected the number {} or a larger one",
                self.next_number
            ));
        }
        self.next_number = number.checked_add(1).ok_or("this number is too large")?;
        Ok(given.unwrap_or_else(|| number.to_string().into()))
    }
}

impl<'a> Reader<'a> {
    /// Defines a local value, with the name in the text if it has one.
    pub(super) fn define_local(
        &mut self,
        given: Option<Cow<'a, str>>,
        ty: Ty,
        pos: Pos,
    ) -> Res<LocalId> {
        let name = match self.body.name(given) {
            Ok(name) => name,
            Err(message) => return Err(self.fail_at(pos, "%", &message)),
        };
        let Some(&id) = self.body.names.get(&name) else {
            let id = self.body.mention(name, ty, pos);
            self.body.waiting[id.0 as usize] = None;
            return Ok(id);
        };
        let index = id.0 as usize;
        if self.body.waiting[index].take().is_none() {
            return Err(self.fail_at(pos, &format!("%{name}"), "this value is defined twice"));
        }
        let used = self.body.locals[index].ty;
        if used != ty {
            let (used, ty) = (self.show(used), self.show(ty));
            let message = format!("this value has type {ty} but was used as {used}");
            return Err(self.fail_at(pos, &format!("%{name}"), &message));
        }
        Ok(id)
    }

    /// Starts the block at this position; returns its name.
    pub(super) fn define_block(
        &mut self,
        given: Option<Cow<'a, str>>,
        place: BlockId,
        pos: Pos,
    ) -> Res<String> {
        let name = match self.body.name(given) {
            Ok(name) => name,
            Err(message) => return Err(self.fail_at(pos, "block", &message)),
        };
        let text = name.clone().into_owned();
        let id = self.body.label(name, pos);
        let label = &mut self.body.labels[id.0 as usize];
        if label.place.is_some() {
            return Err(self.fail_at(pos, &text, "this block is defined twice"));
        }
        label.place = Some(place);
        Ok(text)
    }

    /// Ends a body: everything must be defined, and blocks become positions.
    pub(super) fn finish_body(&mut self, blocks: &mut [Block]) -> Res<Vec<Local>> {
        for (local, waiting) in self.body.locals.iter().zip(&self.body.waiting) {
            if let Some(pos) = *waiting {
                let name = format!("%{}", local.name);
                return Err(self.fail_at(pos, &name, "this value is not defined"));
            }
        }
        let mut places = Vec::with_capacity(self.body.labels.len());
        for label in &self.body.labels {
            let Some(place) = label.place else {
                let name = format!("%{}", label.name);
                return Err(self.fail_at(label.first_use, &name, "this block is not defined"));
            };
            places.push(place);
        }
        for block in blocks {
            for inst in &mut block.insts {
                inst.kind.for_each_block(|b| *b = places[b.0 as usize]);
            }
        }
        self.body.active = false;
        Ok(std::mem::take(&mut self.body.locals))
    }
}

impl InstKind {
    /// Calls `f` on every block that the instruction names: the incoming
    /// blocks of a phi, or the successors of a terminator.
    pub(crate) fn for_each_block(&mut self, mut f: impl FnMut(&mut BlockId)) {
        match self {
            InstKind::Phi { incoming, .. } => incoming.iter_mut().for_each(|(_, b)| f(b)),
            InstKind::Br(target) => f(target),
            InstKind::CondBr { then, other, .. } => {
                f(then);
                f(other);
            }
            InstKind::Switch { default, cases, .. } => {
                f(default);
                cases.iter_mut().for_each(|(_, b)| f(b));
            }
            InstKind::IndirectBr { targets, .. } | InstKind::ExceptionTerminator(_, targets) => {
                targets.iter_mut().for_each(f);
            }
            InstKind::Invoke { normal, unwind, .. } => {
                f(normal);
                f(unwind);
            }
            InstKind::CallBr {
                fallthrough,
                indirect,
                ..
            } => {
                f(fallthrough);
                indirect.iter_mut().for_each(f);
            }
            _ => {}
        }
    }

    /// The successors of a terminator; empty for other instructions.
    pub fn successors(&self) -> Vec<BlockId> {
        match self {
            InstKind::Br(target) => vec![*target],
            InstKind::CondBr { then, other, .. } => vec![*then, *other],
            InstKind::Switch { default, cases, .. } => std::iter::once(*default)
                .chain(cases.iter().map(|&(_, b)| b))
                .collect(),
            InstKind::IndirectBr { targets, .. } | InstKind::ExceptionTerminator(_, targets) => {
                targets.clone()
            }
            InstKind::Invoke { normal, unwind, .. } => vec![*normal, *unwind],
            InstKind::CallBr {
                fallthrough,
                indirect,
                ..
            } => std::iter::once(*fallthrough)
                .chain(indirect.iter().copied())
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Whether it is a terminator.
    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            InstKind::Ret(_)
                | InstKind::Br(_)
                | InstKind::CondBr { .. }
                | InstKind::Switch { .. }
                | InstKind::IndirectBr { .. }
                | InstKind::Invoke { .. }
                | InstKind::CallBr { .. }
                | InstKind::Unreachable
                | InstKind::ExceptionTerminator(..)
        )
    }
}
