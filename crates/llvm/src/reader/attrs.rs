//! Attributes of functions, parameters, return values and calls.
//!
//! Every attribute of LLVM 16 to 22 is in a table here with the form of its argument; a word in no
//! table is an error. Text in parentheses, as in `memory(none)`, is kept.

use super::{GroupUse, Reader, Res};
use crate::ir::{Attr, GlobalId, GlobalKind, InstKind};
use crate::lexer::{Name, Pos, Tok};

/// Attributes that are one word.
const WORDS: &[&str] = &[
    "allocalign",
    "allocptr",
    "alwaysinline",
    "argmemonly",
    "builtin",
    "cold",
    "convergent",
    "coro_elide_safe",
    "coro_only_destroy_when_complete",
    "dead_on_return",
    "dead_on_unwind",
    "disable_sanitizer_instrumentation",
    "flatten",
    "fn_ret_thunk_extern",
    "hot",
    "hybrid_patchable",
    "immarg",
    "inaccessiblemem_or_argmemonly",
    "inaccessiblememonly",
    "inlinehint",
    "inreg",
    "jumptable",
    "minsize",
    "modular_format",
    "mustprogress",
    "naked",
    "nest",
    "noalias",
    "nobuiltin",
    "nocallback",
    "nocapture",
    "nocf_check",
    "nocreateundeforpoison",
    "nodivergencesource",
    "noduplicate",
    "noext",
    "nofree",
    "noimplicitfloat",
    "noinline",
    "nomerge",
    "nonlazybind",
    "nonnull",
    "nooutline",
    "noprofile",
    "norecurse",
    "noredzone",
    "noreturn",
    "nosanitize_bounds",
    "nosanitize_coverage",
    "nosync",
    "noundef",
    "nounwind",
    "null_pointer_is_valid",
    "optdebug",
    "optforfuzzing",
    "optnone",
    "optsize",
    "presplitcoroutine",
    "readnone",
    "readonly",
    "returned",
    "returns_twice",
    "safestack",
    "sanitize_address",
    "sanitize_alloc_token",
    "sanitize_hwaddress",
    "sanitize_memory",
    "sanitize_memtag",
    "sanitize_numerical_stability",
    "sanitize_realtime",
    "sanitize_realtime_blocking",
    "sanitize_thread",
    "sanitize_type",
    "shadowcallstack",
    "signext",
    "skipprofile",
    "speculatable",
    "speculative_load_hardening",
    "ssp",
    "sspreq",
    "sspstrong",
    "strictfp",
    "swiftasync",
    "swifterror",
    "swiftself",
    "uwtable",
    "willreturn",
    "writable",
    "writeonly",
    "zeroext",
];

/// Attributes with a type in parentheses.
const TYPES: &[&str] = &[
    "byref",
    "byval",
    "elementtype",
    "inalloca",
    "preallocated",
    "sret",
];

/// Attributes with a number: `align 4`, `align(4)`, in a group `align=4`.
const NUMBERS: &[&str] = &[
    "align",
    "alignstack",
    "dereferenceable",
    "dereferenceable_or_null",
    "prefalign",
];

/// Attributes with text in parentheses, which is optional for `uwtable` and `dead_on_return`.
const TEXTS: &[&str] = &[
    "allockind",
    "allocsize",
    "captures",
    "dead_on_return",
    "initializes",
    "memory",
    "nofpclass",
    "range",
    "uwtable",
    "vscale_range",
];

impl<'a> Reader<'a> {
    /// One attribute, if there is one here.
    pub(super) fn attribute(&mut self, in_group: bool) -> Res<Option<Attr>> {
        match self.tok {
            Tok::Word(word) => self.word_attribute(word, in_group),
            Tok::Str(_) => {
                let key = self.string()?;
                let value = if self.eat(b'=')? {
                    self.string()?
                } else {
                    String::new()
                };
                Ok(Some(Attr::Text(key, value)))
            }
            _ => Ok(None),
        }
    }

    fn word_attribute(&mut self, word: &str, in_group: bool) -> Res<Option<Attr>> {
        if TEXTS.contains(&word) {
            let start = self.lexer.start();
            if self.lexer.peek_byte() == b'(' {
                self.advance()?;
                return self.text_attribute(start).map(Some);
            }
            if WORDS.binary_search(&word).is_err() {
                return Err(self.fail("this attribute needs an argument"));
            }
        }
        if WORDS.binary_search(&word).is_ok() {
            self.advance()?;
            return Ok(Some(Attr::Word(word.to_owned())));
        }
        if NUMBERS.contains(&word) {
            self.advance()?;
            let value = match self.tok {
                Tok::Punct(b'(') => self.parenthesised_integer()?,
                Tok::Punct(b'=') if in_group => {
                    self.advance()?;
                    self.integer()?
                }
                _ => self.integer()?,
            };
            return Ok(Some(Attr::Number(word.to_owned(), value)));
        }
        if TYPES.contains(&word) {
            self.advance()?;
            self.punct(b'(')?;
            let ty = self.ty()?;
            self.punct(b')')?;
            return Ok(Some(Attr::Type(word.to_owned(), ty)));
        }
        Ok(None)
    }

    /// The text of an attribute from its word to the closing parenthesis; the opening one is the
    /// current token.
    fn text_attribute(&mut self, start: usize) -> Res<Attr> {
        let mut open = 0u32;
        loop {
            match self.tok {
                Tok::Punct(b'(') => open = open.saturating_add(1),
                Tok::Punct(b')') => open = open.saturating_sub(1),
                Tok::Eof => return Err(self.fail("expected `)`")),
                _ => {}
            }
            if open == 0 {
                let text = self.lexer.text_from(start).to_owned();
                self.advance()?;
                return Ok(Attr::Word(text));
            }
            self.advance()?;
        }
    }

    /// The attributes of a parameter or return value.
    pub(super) fn attributes(&mut self) -> Res<Vec<Attr>> {
        let mut attrs = Vec::new();
        while let Some(attr) = self.attribute(false)? {
            attrs.push(attr);
        }
        Ok(attrs)
    }

    /// `attributes #0 = { ... }`.
    pub(super) fn attribute_group(&mut self) -> Res<()> {
        self.advance()?;
        let Tok::Group(number) = self.tok else {
            return Err(self.fail("expected the number of an attribute group"));
        };
        if self.groups.contains_key(&number) {
            return Err(self.fail("this attribute group is defined twice"));
        }
        self.advance()?;
        self.punct(b'=')?;
        self.punct(b'{')?;
        let mut attrs = Vec::new();
        while !self.is(b'}') {
            match self.attribute(true)? {
                Some(attr) => attrs.push(attr),
                None => return Err(self.fail("expected an attribute")),
            }
        }
        self.groups.insert(number, attrs);
        self.advance()
    }

    /// Records that a function, a call in it, or a variable has the attributes of a group.
    pub(super) fn use_group(
        &mut self,
        function: Option<GlobalId>,
        call: Option<(u32, u32)>,
        group: u32,
        pos: Pos,
    ) {
        self.group_uses.push(GroupUse {
            function,
            call,
            group,
            pos,
        });
    }

    /// Adds the attributes of groups to the functions and calls that name them.
    pub(super) fn place_groups(&mut self) -> Res<()> {
        for used in std::mem::take(&mut self.group_uses) {
            let Some(attrs) = self.groups.get(&used.group) else {
                let token = format!("#{}", used.group);
                return Err(self.fail_at(used.pos, &token, "this attribute group is not defined"));
            };
            let Some(id) = used.function else { continue };
            let kind = &mut self.module.globals[id.0 as usize].kind;
            let GlobalKind::Function(function) = kind else {
                continue;
            };
            let place = match used.call {
                None => Some(&mut function.attrs),
                Some((block, inst)) => {
                    let block = &mut function.blocks[block as usize];
                    match &mut block.insts[inst as usize].kind {
                        InstKind::Call(call)
                        | InstKind::Invoke { call, .. }
                        | InstKind::CallBr { call, .. } => Some(&mut call.attrs),
                        _ => None,
                    }
                }
            };
            if let Some(place) = place {
                place.extend_from_slice(attrs);
            }
        }
        Ok(())
    }

    /// `comdat` or `comdat($c)`.
    pub(super) fn comdat(&mut self, own: &str) -> Res<()> {
        let pos = self.pos();
        self.word("comdat")?;
        if !self.eat(b'(')? {
            self.comdat_uses.push((own.to_owned(), pos));
            return Ok(());
        }
        let Tok::Comdat(name) = self.tok else {
            return Err(self.fail("expected a comdat"));
        };
        self.note_comdat(name, pos);
        self.advance()?;
        self.punct(b')')
    }

    fn note_comdat(&mut self, name: Name<'a>, pos: Pos) {
        self.comdat_uses.push((name.text().into_owned(), pos));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted() {
        for table in [WORDS, TYPES, NUMBERS, TEXTS] {
            assert!(table.is_sorted());
        }
    }
}
