//! The strict reader of textual LLVM IR.
//!
//! One pass over the tokens builds the [`Module`]. Names may be used before they are defined: the
//! first use makes the handle, and the definition fills it. Undefined handles at the end are
//! errors, as is all unknown syntax. Attribute groups (`#0`) stand at the end of a file and are
//! resolved last.
//!
//! # Files
//!
//! - `types`, `consts`, `values`: types, constants, operands
//! - `ints`, `floats`: number literals
//! - `globals`, `functions`, `attrs`: symbols, functions, attributes
//! - `body`: names of local values and blocks
//! - `insts`, `memory`, `calls`, `exceptions`: instructions
//! - `results`: operand and result types of operations
//! - `metadata`, `records`: metadata and debug records
//! - `verify`, `dominance`: checks of complete bodies

mod attrs;
mod body;
mod calls;
mod consts;
mod dominance;
mod exceptions;
mod floats;
mod functions;
mod globals;
mod insts;
mod ints;
mod memory;
mod metadata;
mod records;
mod results;
mod types;
mod values;
mod verify;

use crate::ir::{Const, ConstId, ConstKind, Global, GlobalId, GlobalKind, Linkage, Module, Ty};
use crate::lexer::{Lexer, Name, Pos, Tok};
use body::Body;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;

/// The maximum nesting depth of types, constants and metadata: enough for any program, and safe for
/// the stack.
const MAX_DEPTH: u32 = 500;

/// Why a text could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// The file, as named by the caller.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The offending token, shortened if it is long.
    pub token: String,
    /// The error.
    pub message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}:{}: ", self.file, self.line, self.column)?;
        match self.token.as_str() {
            "" => write!(f, "unexpected end of the file: {}", self.message),
            token => write!(f, "unexpected `{token}`: {}", self.message),
        }
    }
}

impl std::error::Error for ReadError {}

/// The reader's results: the error is boxed because it is rare.
type Res<T> = Result<T, Box<ReadError>>;

/// Reads one `.ll` text; `file` is only used in errors.
pub fn read_module(text: &str, file: &str) -> Result<Module, ReadError> {
    let mut reader = Reader::new(text, file).map_err(|e| *e)?;
    match reader.module() {
        Ok(()) => Ok(reader.module),
        Err(e) => Err(*e),
    }
}

/// The target of a group's attributes.
struct GroupUse {
    /// The function; none for a variable, whose attributes are not kept.
    function: Option<GlobalId>,
    /// Block and instruction of a call; none for the function itself.
    call: Option<(u32, u32)>,
    group: u32,
    pos: Pos,
}

/// A `blockaddress`, checked when all functions are known.
struct BlockUse {
    function: GlobalId,
    block: String,
    pos: Pos,
}

/// The state of the single pass.
struct Reader<'a> {
    lexer: Lexer<'a>,
    tok: Tok<'a>,
    file: &'a str,
    depth: u32,
    module: Module,
    /// Named types by name; the flag says whether the body is defined.
    type_names: FxHashMap<String, (Ty, bool)>,
    type_uses: Vec<(String, Pos)>,
    common: types::Common,
    ints: FxHashMap<(Ty, u64), ConstId>,
    simple: FxHashMap<Const, ConstId>,
    /// Address space of each global, and the place of its first mention.
    global_info: Vec<(u32, Pos)>,
    next_global: u32,
    groups: FxHashMap<u32, Vec<crate::ir::Attr>>,
    group_uses: Vec<GroupUse>,
    block_uses: Vec<BlockUse>,
    comdats: FxHashSet<String>,
    comdat_uses: Vec<(String, Pos)>,
    md: metadata::Numbers,
    body: Body<'a>,
    /// Whether the instruction that is read has a fast-math flag.
    is_fast: bool,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, file: &'a str) -> Res<Self> {
        let mut module = Module::default();
        let common = types::Common::new(&mut module.types);
        let mut reader = Reader {
            lexer: Lexer::new(text),
            tok: Tok::Eof,
            file,
            depth: 0,
            module,
            type_names: FxHashMap::default(),
            type_uses: Vec::new(),
            common,
            ints: FxHashMap::default(),
            simple: FxHashMap::default(),
            global_info: Vec::new(),
            next_global: 0,
            groups: FxHashMap::default(),
            group_uses: Vec::new(),
            block_uses: Vec::new(),
            comdats: FxHashSet::default(),
            comdat_uses: Vec::new(),
            md: metadata::Numbers::default(),
            body: Body::default(),
            is_fast: false,
        };
        reader.advance()?;
        Ok(reader)
    }

    /// The whole text.
    fn module(&mut self) -> Res<()> {
        while self.tok != Tok::Eof {
            self.top_level()?;
        }
        self.finish()
    }

    fn top_level(&mut self) -> Res<()> {
        match self.tok {
            Tok::Global(name) => self.global(Some(name)),
            Tok::Meta(_) | Tok::MetaNumber(_) => self.top_metadata(),
            Tok::Local(name) => self.type_definition(name),
            Tok::Comdat(name) => self.comdat_definition(name),
            Tok::Summary(_) => self.summary(),
            Tok::Word(word) => match word {
                "define" => self.define(),
                "declare" => self.declare(),
                "attributes" => self.attribute_group(),
                "source_filename" => {
                    self.advance()?;
                    self.punct(b'=')?;
                    let name = self.string()?;
                    self.module.sources.push(name);
                    Ok(())
                }
                "target" => self.target(),
                "module" => {
                    self.advance()?;
                    self.word("asm")?;
                    let text = self.string()?;
                    self.module.module_asm.push(text);
                    Ok(())
                }
                "uselistorder" => self.use_list_order(),
                "uselistorder_bb" => self.use_list_order_of_block(),
                // An unnamed global may lack its `@0 =`.
                _ => self.global(None),
            },
            _ => Err(self.fail("expected a definition")),
        }
    }

    fn target(&mut self) -> Res<()> {
        self.advance()?;
        let Tok::Word(what) = self.tok else {
            return Err(self.fail("expected `triple` or `datalayout`"));
        };
        if !matches!(what, "triple" | "datalayout") {
            return Err(self.fail("expected `triple` or `datalayout`"));
        }
        self.advance()?;
        self.punct(b'=')?;
        let text = self.string()?;
        match what {
            "triple" => self.module.triple = text,
            _ => self.module.data_layout = text,
        }
        Ok(())
    }

    fn comdat_definition(&mut self, name: Name<'a>) -> Res<()> {
        const KINDS: [&str; 5] = ["any", "exactmatch", "largest", "nodeduplicate", "samesize"];
        if !self.comdats.insert(name.text().into_owned()) {
            return Err(self.fail("this comdat is defined twice"));
        }
        self.advance()?;
        self.punct(b'=')?;
        self.word("comdat")?;
        match self.tok {
            Tok::Word(kind) if KINDS.contains(&kind) => self.advance(),
            _ => Err(self.fail("expected a comdat kind")),
        }
    }

    /// `^0 = module: (...)`: the summary index of ThinLTO does not affect the meaning of the
    /// program, so it is parsed and dropped.
    fn summary(&mut self) -> Res<()> {
        self.advance()?;
        self.punct(b'=')?;
        let Tok::Label(kind) = self.tok else {
            return Err(self.fail("expected the kind of a summary"));
        };
        match kind.raw {
            "module" | "gv" | "typeid" | "typeidCompatibleVTable" => {
                self.advance()?;
                self.balanced()
            }
            "flags" | "blockcount" => {
                self.advance()?;
                self.integer().map(drop)
            }
            _ => Err(self.fail("unknown kind of summary")),
        }
    }

    /// A parenthesised text whose contents are ignored.
    fn balanced(&mut self) -> Res<()> {
        let mut open = 0u64;
        loop {
            match self.tok {
                Tok::Punct(b'(') => open += 1,
                Tok::Punct(b')') if open == 1 => return self.advance(),
                Tok::Punct(b')') => open = open.saturating_sub(1),
                Tok::Eof => return Err(self.fail("expected `)`")),
                _ if open == 0 => return Err(self.fail("expected `(`")),
                _ => {}
            }
            if open == 0 {
                return Err(self.fail("expected `(`"));
            }
            self.advance()?;
        }
    }

    /// `uselistorder ptr @g, { 1, 0 }`: the order of use lists has no meaning.
    fn use_list_order(&mut self) -> Res<()> {
        self.advance()?;
        let ty = self.ty()?;
        if self.common.label == ty {
            self.label_name().map(drop)?;
        } else {
            self.operand(ty)?;
        }
        self.punct(b',')?;
        self.use_list_indices()
    }

    fn use_list_order_of_block(&mut self) -> Res<()> {
        self.advance()?;
        let pos = self.pos();
        let function = self.global_name()?;
        self.punct(b',')?;
        let Tok::Local(name) = self.tok else {
            return Err(self.fail("expected a block"));
        };
        self.advance()?;
        let block = name.text().into_owned();
        self.block_uses.push(BlockUse {
            function,
            block,
            pos,
        });
        self.punct(b',')?;
        self.use_list_indices()
    }

    fn use_list_indices(&mut self) -> Res<()> {
        self.punct(b'{')?;
        loop {
            self.integer()?;
            if !self.eat(b',')? {
                break;
            }
        }
        self.punct(b'}')
    }

    /// Resolves the groups, and checks that everything used is defined.
    fn finish(&mut self) -> Res<()> {
        self.place_groups()?;
        self.check_metadata_defined()?;
        for (name, pos) in std::mem::take(&mut self.type_uses) {
            if self
                .type_names
                .get(&name)
                .is_some_and(|&(_, defined)| !defined)
            {
                return Err(self.fail_at(pos, &format!("%{name}"), "this type is not defined"));
            }
        }
        for (name, pos) in std::mem::take(&mut self.comdat_uses) {
            if !self.comdats.contains(&name) {
                return Err(self.fail_at(pos, &format!("${name}"), "this comdat is not defined"));
            }
        }
        for (global, &(_, pos)) in self.module.globals.iter().zip(&self.global_info) {
            if matches!(global.kind, GlobalKind::Forward) {
                let name = format!("@{}", global.name);
                return Err(self.fail_at(pos, &name, "this symbol is not defined"));
            }
        }
        for used in std::mem::take(&mut self.block_uses) {
            let GlobalKind::Function(f) = &self.module.global(used.function).kind else {
                return Err(self.fail_at(used.pos, &used.block, "not a block of a function"));
            };
            if !f.blocks.iter().any(|b| b.name == used.block) {
                let name = format!("%{}", used.block);
                return Err(self.fail_at(used.pos, &name, "the function has no such block"));
            }
        }
        Ok(())
    }

    // Tokens.

    fn advance(&mut self) -> Res<()> {
        match self.lexer.next() {
            Ok(tok) => {
                self.tok = tok;
                Ok(())
            }
            Err(e) => Err(self.fail(&e.to_string())),
        }
    }

    fn pos(&self) -> Pos {
        self.lexer.pos()
    }

    /// An error at the current token.
    #[cold]
    fn fail(&self, message: &str) -> Box<ReadError> {
        self.fail_at(self.lexer.pos(), self.lexer.token_text(), message)
    }

    #[cold]
    fn fail_at(&self, pos: Pos, token: &str, message: &str) -> Box<ReadError> {
        const LONGEST: usize = 60;
        let mut token: String = token.to_owned();
        if let Some((cut, _)) = token.char_indices().nth(LONGEST) {
            token.truncate(cut);
            token.push_str("...");
        }
        Box::new(ReadError {
            file: self.file.to_owned(),
            line: pos.line,
            column: pos.column,
            token,
            message: message.to_owned(),
        })
    }

    fn is(&self, b: u8) -> bool {
        self.tok == Tok::Punct(b)
    }

    fn is_word(&self, word: &str) -> bool {
        self.tok == Tok::Word(word)
    }

    fn eat(&mut self, b: u8) -> Res<bool> {
        if self.is(b) {
            self.advance()?;
            return Ok(true);
        }
        Ok(false)
    }

    fn eat_word(&mut self, word: &str) -> Res<bool> {
        if self.is_word(word) {
            self.advance()?;
            return Ok(true);
        }
        Ok(false)
    }

    fn punct(&mut self, b: u8) -> Res<()> {
        if self.is(b) {
            return self.advance();
        }
        Err(self.fail(&format!("expected `{}`", char::from(b))))
    }

    fn word(&mut self, word: &str) -> Res<()> {
        if self.is_word(word) {
            return self.advance();
        }
        Err(self.fail(&format!("expected `{word}`")))
    }

    /// A comma before something that is not a metadata attachment.
    fn comma_not_metadata(&mut self) -> Res<bool> {
        if self.is(b',') && self.lexer.peek_byte() != b'!' {
            self.advance()?;
            return Ok(true);
        }
        Ok(false)
    }

    fn string(&mut self) -> Res<String> {
        let Tok::Str(raw) = self.tok else {
            return Err(self.fail("expected a string"));
        };
        self.advance()?;
        Ok(Name { raw, quoted: true }.text().into_owned())
    }

    fn integer(&mut self) -> Res<u64> {
        let Tok::Int(digits) = self.tok else {
            return Err(self.fail("expected a number"));
        };
        let Ok(value) = digits.parse() else {
            return Err(self.fail("expected a number from 0 to 2^64 - 1"));
        };
        self.advance()?;
        Ok(value)
    }

    fn integer32(&mut self) -> Res<u32> {
        let Tok::Int(digits) = self.tok else {
            return Err(self.fail("expected a number"));
        };
        let Ok(value) = digits.parse() else {
            return Err(self.fail("expected a number from 0 to 2^32 - 1"));
        };
        self.advance()?;
        Ok(value)
    }

    /// `(8)`.
    fn parenthesised_integer(&mut self) -> Res<u64> {
        self.punct(b'(')?;
        let value = self.integer()?;
        self.punct(b')')?;
        Ok(value)
    }

    /// `addrspace(1)` if present, else 0.
    fn address_space(&mut self) -> Res<u32> {
        if !self.eat_word("addrspace")? {
            return Ok(0);
        }
        self.punct(b'(')?;
        let space = match self.tok {
            // The data layout may name its spaces: alloca, globals, program.
            Tok::Str(_) => return Err(self.fail("address spaces by letter are not supported")),
            _ => self.integer32()?,
        };
        self.punct(b')')?;
        Ok(space)
    }

    /// Runs `f` one level deeper, unless this is too deep.
    fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.fail(&format!("nested more than {MAX_DEPTH} deep")));
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    // Handles.

    /// The symbol of a name, made at its first mention.
    fn symbol(&mut self, name: &str, space: u32, pos: Pos) -> GlobalId {
        if let Some(&id) = self.module.by_name.get(name) {
            return id;
        }
        let id = GlobalId(self.module.globals.len() as u32);
        self.module.globals.push(Global {
            name: name.to_owned(),
            linkage: Linkage::External,
            kind: GlobalKind::Forward,
            line: pos.line,
        });
        self.global_info.push((space, pos));
        self.module.by_name.insert(name.to_owned(), id);
        id
    }

    /// `@name`, mentioned in address space 0.
    fn global_name(&mut self) -> Res<GlobalId> {
        let Tok::Global(name) = self.tok else {
            return Err(self.fail("expected a global name"));
        };
        let pos = self.pos();
        self.advance()?;
        Ok(self.symbol(&name.text(), 0, pos))
    }

    /// A new constant; small ones that are likely to occur again are shared.
    fn constant(&mut self, ty: Ty, kind: ConstKind) -> ConstId {
        let shared = !matches!(
            kind,
            ConstKind::Bytes(_) | ConstKind::Aggregate(_) | ConstKind::Expr(_)
        );
        let constant = Const { ty, kind };
        if shared && let Some(&id) = self.simple.get(&constant) {
            return id;
        }
        let id = ConstId(self.module.consts.len() as u32);
        if shared {
            self.simple.insert(constant.clone(), id);
        }
        self.module.consts.push(constant);
        id
    }
}

#[cfg(test)]
mod tests;
