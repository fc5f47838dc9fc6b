//! Global variables, aliases, and the common parts of all symbols.

use super::{Reader, Res};
use crate::ir::{GlobalId, GlobalKind, Linkage, MdId, Ty, TypeKind, Variable};
use crate::lexer::{Name, Pos, Tok};

/// The part before `global`, `alias`, or the type of a function.
pub(super) struct Prefix {
    /// Linkage, if given.
    pub linkage: Option<Linkage>,
    pub thread_local: bool,
}

fn linkage(word: &str) -> Option<Linkage> {
    Some(match word {
        "external" => Linkage::External,
        "private" => Linkage::Private,
        "internal" => Linkage::Internal,
        "available_externally" => Linkage::AvailableExternally,
        "linkonce" => Linkage::LinkOnce,
        "linkonce_odr" => Linkage::LinkOnceOdr,
        "weak" => Linkage::Weak,
        "weak_odr" => Linkage::WeakOdr,
        "appending" => Linkage::Appending,
        "common" => Linkage::Common,
        "extern_weak" => Linkage::ExternWeak,
        _ => return None,
    })
}

impl<'a> Reader<'a> {
    /// Linkage, visibility etc., in LLVM's order.
    pub(super) fn symbol_prefix(&mut self) -> Res<Prefix> {
        let mut prefix = Prefix {
            linkage: None,
            thread_local: false,
        };
        if let Tok::Word(word) = self.tok
            && let Some(linkage) = linkage(word)
        {
            prefix.linkage = Some(linkage);
            self.advance()?;
        }
        for group in [
            ["dso_local", "dso_preemptable", ""],
            ["default", "hidden", "protected"],
            ["dllimport", "dllexport", ""],
        ] {
            if let Tok::Word(word) = self.tok
                && group.contains(&word)
            {
                self.advance()?;
            }
        }
        Ok(prefix)
    }

    fn thread_local(&mut self) -> Res<bool> {
        if !self.eat_word("thread_local")? {
            return Ok(false);
        }
        if self.eat(b'(')? {
            match self.tok {
                Tok::Word("localdynamic" | "initialexec" | "localexec") => self.advance()?,
                _ => return Err(self.fail("expected a thread-local model")),
            }
            self.punct(b')')?;
        }
        Ok(true)
    }

    pub(super) fn unnamed_addr(&mut self) -> Res<()> {
        if let Tok::Word("unnamed_addr" | "local_unnamed_addr") = self.tok {
            self.advance()?;
        }
        Ok(())
    }

    /// `@g = ...`: a variable, alias or ifunc. Without a name it gets the next number.
    pub(super) fn global(&mut self, name: Option<Name<'a>>) -> Res<()> {
        let pos = self.pos();
        let name = match name {
            Some(name) => {
                self.advance()?;
                self.punct(b'=')?;
                if !name.quoted
                    && let Ok(number) = name.raw.parse::<u32>()
                {
                    if number < self.next_global {
                        let token = format!("@{number}");
                        return Err(self.fail_at(pos, &token, "the numbers must rise"));
                    }
                    self.next_global = number.saturating_add(1);
                }
                name.text().into_owned()
            }
            None => {
                let number = self.next_global;
                self.next_global = number.saturating_add(1);
                number.to_string()
            }
        };
        let mut prefix = self.symbol_prefix()?;
        prefix.thread_local = self.thread_local()?;
        self.unnamed_addr()?;
        match self.tok {
            Tok::Word("alias") => self.alias(&name, &prefix, pos, false),
            Tok::Word("ifunc") => self.alias(&name, &prefix, pos, true),
            _ => self.variable(&name, &prefix, pos),
        }
    }

    /// Defines a symbol that may have been mentioned before.
    pub(super) fn define_symbol(
        &mut self,
        name: &str,
        space: u32,
        linkage: Linkage,
        kind: GlobalKind,
        pos: Pos,
    ) -> Res<GlobalId> {
        let id = self.symbol(name, space, pos);
        let global = &mut self.module.globals[id.0 as usize];
        if !matches!(global.kind, GlobalKind::Forward) {
            return Err(self.fail_at(pos, &format!("@{name}"), "this symbol is defined twice"));
        }
        global.kind = kind;
        global.linkage = linkage;
        global.line = pos.line;
        if self.global_info[id.0 as usize].0 != space {
            let message = "this symbol was used in another address space";
            return Err(self.fail_at(pos, &format!("@{name}"), message));
        }
        Ok(id)
    }

    fn variable(&mut self, name: &str, prefix: &Prefix, pos: Pos) -> Res<()> {
        let space = self.address_space()?;
        let externally_initialized = self.eat_word("externally_initialized")?;
        let constant = match self.tok {
            Tok::Word("global") => false,
            Tok::Word("constant") => true,
            _ => return Err(self.fail("expected `global`, `constant`, `alias` or `ifunc`")),
        };
        self.advance()?;
        let ty = self.ty()?;
        self.check_variable_type(ty)?;
        let declaration = matches!(
            prefix.linkage,
            Some(Linkage::External | Linkage::ExternWeak)
        );
        let init = if declaration {
            None
        } else {
            Some(self.const_value(ty)?)
        };
        let mut variable = Variable {
            ty,
            constant,
            init,
            align: None,
            thread_local: prefix.thread_local,
            externally_initialized,
            dbg: Vec::new(),
        };
        self.variable_suffix(name, &mut variable)?;
        let linkage = prefix.linkage.unwrap_or(Linkage::External);
        self.define_symbol(name, space, linkage, GlobalKind::Variable(variable), pos)?;
        Ok(())
    }

    fn check_variable_type(&self, ty: Ty) -> Res<()> {
        match self.module.types.kind(ty) {
            TypeKind::Void
            | TypeKind::Label
            | TypeKind::Metadata
            | TypeKind::Token
            | TypeKind::Function { .. } => Err(self.fail("no variable has this type")),
            _ => Ok(()),
        }
    }

    /// `, section "s", align 4, !dbg !7`.
    fn variable_suffix(&mut self, name: &str, variable: &mut Variable) -> Res<()> {
        loop {
            match self.tok {
                Tok::Punct(b',') => {}
                // Attributes of a variable do not affect the program's meaning.
                Tok::Group(number) => {
                    let pos = self.pos();
                    self.use_group(None, None, number, pos);
                    self.advance()?;
                    continue;
                }
                _ => return Ok(()),
            }
            self.advance()?;
            match self.tok {
                Tok::Word("section" | "partition" | "code_model") => {
                    self.advance()?;
                    self.string()?;
                }
                Tok::Word("align") => {
                    self.advance()?;
                    variable.align = Some(self.integer()?);
                }
                Tok::Word("comdat") => self.comdat(name)?,
                Tok::Word(
                    "no_sanitize_address"
                    | "no_sanitize_hwaddress"
                    | "sanitize_memtag"
                    | "sanitize_address_dyninit",
                ) => self.advance()?,
                Tok::Meta(_) => {
                    if let Some(node) = self.attachment()? {
                        variable.dbg.push(node);
                    }
                }
                _ => return Err(self.fail("expected a property of a variable")),
            }
        }
    }

    fn alias(&mut self, name: &str, prefix: &Prefix, pos: Pos, ifunc: bool) -> Res<()> {
        self.advance()?;
        self.ty()?;
        self.punct(b',')?;
        // A constant expression is not preceded by its type here.
        let (ty, target) = match self.tok {
            Tok::Word(word @ ("bitcast" | "getelementptr" | "addrspacecast" | "inttoptr")) => {
                let expr = self.nested(|r| r.const_expr(word))?;
                (expr.ty, self.constant(expr.ty, expr.kind))
            }
            _ => self.typed_const()?,
        };
        let TypeKind::Ptr(space) = *self.module.types.kind(ty) else {
            return Err(self.fail("the target is not a pointer"));
        };
        while self.eat(b',')? {
            match self.tok {
                Tok::Word("partition") => {
                    self.advance()?;
                    self.string()?;
                }
                Tok::Meta(_) => drop(self.attachment()?),
                _ => return Err(self.fail("expected a property of an alias")),
            }
        }
        let linkage = prefix.linkage.unwrap_or(Linkage::External);
        self.define_symbol(
            name,
            space,
            linkage,
            GlobalKind::Alias { target, ifunc },
            pos,
        )?;
        Ok(())
    }

    /// `!name !7`: the node if the name is `dbg`.
    pub(super) fn attachment(&mut self) -> Res<Option<MdId>> {
        let Tok::Meta(name) = self.tok else {
            return Err(self.fail("expected metadata"));
        };
        self.advance()?;
        let node = self.metadata_node()?;
        Ok((name == "dbg").then_some(node))
    }
}
