//! Functions: `declare`, `define`, and the blocks of a body.

use super::{Reader, Res};
use crate::ir::{Attr, Block, BlockId, Function, GlobalId, GlobalKind, Inst, Linkage, Param};
use crate::lexer::{Pos, Tok};

/// Calling conventions by name. `cc 10` gives others by number.
const CONVENTIONS: &[&str] = &[
    "aarch64_sme_preservemost_from_x0",
    "aarch64_sme_preservemost_from_x1",
    "aarch64_sme_preservemost_from_x2",
    "aarch64_sve_vector_pcs",
    "aarch64_vector_pcs",
    "amdgpu_cs",
    "amdgpu_cs_chain",
    "amdgpu_cs_chain_preserve",
    "amdgpu_es",
    "amdgpu_gfx",
    "amdgpu_gfx_whole_wave",
    "amdgpu_gs",
    "amdgpu_hs",
    "amdgpu_kernel",
    "amdgpu_ls",
    "amdgpu_ps",
    "amdgpu_vs",
    "anyregcc",
    "arm_aapcs_vfpcc",
    "arm_aapcscc",
    "arm_apcscc",
    "avr_intrcc",
    "avr_signalcc",
    "ccc",
    "cfguard_checkcc",
    "coldcc",
    "cxx_fast_tlscc",
    "fastcc",
    "ghccc",
    "graalcc",
    "hhvm_ccc",
    "hhvmcc",
    "intel_ocl_bicc",
    "m68k_rtdcc",
    "msp430_intrcc",
    "preserve_allcc",
    "preserve_mostcc",
    "preserve_nonecc",
    "ptx_device",
    "ptx_kernel",
    "riscv_vector_cc",
    "riscv_vls_cc",
    "spir_func",
    "spir_kernel",
    "swiftcc",
    "swifttailcc",
    "tailcc",
    "webkit_jscc",
    "win64cc",
    "x86_64_sysvcc",
    "x86_fastcallcc",
    "x86_intrcc",
    "x86_regcallcc",
    "x86_stdcallcc",
    "x86_thiscallcc",
    "x86_vectorcallcc",
];

/// The head of a function, and the groups named in it.
struct Head {
    name: String,
    linkage: Linkage,
    space: u32,
    function: Function,
    groups: Vec<(u32, Pos)>,
    pos: Pos,
}

impl<'a> Reader<'a> {
    /// A calling convention, if there is one. It does not change the meaning of a call.
    pub(super) fn calling_convention(&mut self) -> Res<()> {
        match self.tok {
            Tok::Word("cc") => {
                self.advance()?;
                self.integer().map(drop)
            }
            Tok::Word("riscv_vls_cc") => {
                self.advance()?;
                if self.is(b'(') {
                    self.parenthesised_integer()?;
                }
                Ok(())
            }
            Tok::Word(word) if CONVENTIONS.binary_search(&word).is_ok() => self.advance(),
            _ => Ok(()),
        }
    }

    pub(super) fn declare(&mut self) -> Res<()> {
        self.advance()?;
        let mut dbg = None;
        while let Tok::Meta(_) = self.tok {
            dbg = self.attachment()?.or(dbg);
        }
        self.body.reset();
        let mut head = self.head()?;
        head.function.dbg = head.function.dbg.or(dbg);
        self.finish_head_locals(&mut head.function)?;
        self.add_function(head, Vec::new()).map(drop)
    }

    pub(super) fn define(&mut self) -> Res<()> {
        self.advance()?;
        self.body.reset();
        let mut head = self.head()?;
        while let Tok::Meta(_) = self.tok {
            let node = self.attachment()?;
            head.function.dbg = node.or(head.function.dbg);
        }
        if !self.is(b'{') {
            return Err(self.fail("expected `{`"));
        }
        self.advance()?;
        let mut calls = Vec::new();
        let ret = head.function.ret;
        let mut blocks = Vec::new();
        while !self.is(b'}') && !self.is_word("uselistorder") {
            let block = self.block(BlockId(blocks.len() as u32), ret, &mut calls)?;
            blocks.push(block);
        }
        if blocks.is_empty() {
            return Err(self.fail("a function has at least one block"));
        }
        while self.is_word("uselistorder") {
            self.use_list_order()?;
        }
        let end = self.pos();
        self.punct(b'}')?;
        head.function.locals = self.finish_body(&mut blocks)?;
        self.check_blocks(&head.name, &blocks, end)?;
        self.check_dominance(&head.function, &mut blocks)?;
        head.function.blocks = blocks;
        self.add_function(head, calls).map(drop)
    }

    fn finish_head_locals(&mut self, function: &mut Function) -> Res<()> {
        function.locals = self.finish_body(&mut [])?;
        Ok(())
    }

    fn add_function(&mut self, head: Head, calls: Vec<(u32, u32, u32, Pos)>) -> Res<GlobalId> {
        let kind = GlobalKind::Function(Box::new(head.function));
        let id = self.define_symbol(&head.name, head.space, head.linkage, kind, head.pos)?;
        for (group, pos) in head.groups {
            self.use_group(Some(id), None, group, pos);
        }
        for (block, inst, group, pos) in calls {
            self.use_group(Some(id), Some((block, inst)), group, pos);
        }
        Ok(id)
    }

    /// Everything from the linkage to the attributes.
    fn head(&mut self) -> Res<Head> {
        let prefix = self.symbol_prefix()?;
        self.calling_convention()?;
        let ret_attrs = self.attributes()?;
        let ret = self.ty()?;
        let pos = self.pos();
        let Tok::Global(name) = self.tok else {
            return Err(self.fail("expected the name of a function"));
        };
        if self.is_function_type(ret) || ret == self.common.label || ret == self.common.metadata {
            return Err(self.fail("no function returns this type"));
        }
        let name = name.text().into_owned();
        self.advance()?;
        let (params, varargs) = self.params()?;
        let function = Function {
            ret,
            ret_attrs,
            params,
            varargs,
            attrs: Vec::new(),
            blocks: Vec::new(),
            locals: Vec::new(),
            dbg: None,
        };
        let linkage = prefix.linkage.unwrap_or(Linkage::External);
        let mut head = Head {
            name,
            linkage,
            space: 0,
            function,
            groups: Vec::new(),
            pos,
        };
        self.head_suffix(&mut head)?;
        Ok(head)
    }

    fn params(&mut self) -> Res<(Vec<Param>, bool)> {
        self.punct(b'(')?;
        let mut params = Vec::new();
        let mut varargs = false;
        if !self.is(b')') {
            loop {
                if self.tok == Tok::Ellipsis {
                    self.advance()?;
                    varargs = true;
                    break;
                }
                let ty = self.ty()?;
                if ty == self.common.void || ty == self.common.label || self.is_function_type(ty) {
                    return Err(self.fail("not a type of a parameter"));
                }
                let attrs = self.attributes()?;
                let pos = self.pos();
                let name = match self.tok {
                    Tok::Local(name) => {
                        self.advance()?;
                        Some(name.text())
                    }
                    _ => None,
                };
                let local = self.define_local(name, ty, pos)?;
                params.push(Param { ty, attrs, local });
                if !self.eat(b',')? {
                    break;
                }
            }
        }
        self.punct(b')')?;
        Ok((params, varargs))
    }

    /// Attributes, section, prefix data etc., in any order.
    fn head_suffix(&mut self, head: &mut Head) -> Res<()> {
        loop {
            match self.tok {
                Tok::Group(number) => {
                    head.groups.push((number, self.pos()));
                    self.advance()?;
                }
                Tok::Word("unnamed_addr" | "local_unnamed_addr") => self.advance()?,
                Tok::Word("addrspace") => head.space = self.address_space()?,
                Tok::Word("section" | "partition" | "gc") => {
                    self.advance()?;
                    self.string()?;
                }
                Tok::Word("comdat") => {
                    let name = head.name.clone();
                    self.comdat(&name)?;
                }
                Tok::Word("prefix" | "prologue" | "personality") => {
                    self.advance()?;
                    self.typed_const()?;
                }
                _ => match self.attribute(false)? {
                    Some(attr) => head.function.attrs.push(attr),
                    None => return Ok(()),
                },
            }
        }
    }

    /// A label and instructions up to a terminator. Calls that name attribute groups are recorded
    /// with block, instruction, group and place.
    fn block(
        &mut self,
        id: BlockId,
        ret: crate::ir::Ty,
        calls: &mut Vec<(u32, u32, u32, Pos)>,
    ) -> Res<Block> {
        let pos = self.pos();
        let given = match self.tok {
            Tok::Label(name) => {
                self.advance()?;
                Some(name.text())
            }
            _ => None,
        };
        let name = self.define_block(given, id, pos)?;
        let mut insts: Vec<Inst> = Vec::new();
        let mut groups = Vec::new();
        loop {
            let inst = self.instruction(ret, &mut groups)?;
            let index = insts.len() as u32;
            calls.extend(
                groups
                    .drain(..)
                    .map(|(group, pos)| (id.0, index, group, pos)),
            );
            let last = inst.kind.is_terminator();
            insts.push(inst);
            if last {
                return Ok(Block { name, insts });
            }
        }
    }

    /// The attributes after a call: its own, and the groups that it names.
    pub(super) fn call_attributes(&mut self, groups: &mut Vec<(u32, Pos)>) -> Res<Vec<Attr>> {
        let mut attrs = Vec::new();
        loop {
            if let Tok::Group(number) = self.tok {
                groups.push((number, self.pos()));
                self.advance()?;
                continue;
            }
            match self.attribute(false)? {
                Some(attr) => attrs.push(attr),
                None => return Ok(attrs),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_conventions_are_sorted() {
        assert!(super::CONVENTIONS.is_sorted());
    }
}
