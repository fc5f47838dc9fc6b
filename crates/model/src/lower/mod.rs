//! From LLVM IR to the program model.
//!
//! The order matters. The property is fixed first, because an error function may have an empty body
//! that later steps would remove. Then every global symbol gets its object or register, and only
//! then are bodies lowered, one function at a time. No LLVM pass runs before or in between.
//!
//! # Files
//!
//! - `promote`: the variables that become registers
//! - `function`: one function, its blocks and phis; `inst`: its instructions
//! - `access`: loads, stores and addresses; `constants`: constants and initial contents
//! - `types`: aggregates as scalars; `wide`: integers over 128 bits; `vector`: vectors and atomics
//! - `bits`: bitcasts; `intrinsics`: LLVM's intrinsics
//! - `call`: calls by name; `indirect`: calls through pointers
//! - `compare`: comparison functions of `qsort` and `bsearch`
//! - `libc`: primitive library functions; `heap`: allocation; `scan`: `scanf` by its format
//! - `assembly`: inline assembly
//! - `assume`: what stubs assume
//! - `start`: functions that run before and after `main`
//! - `entry/`: the caller of an entry other than `main`

mod access;
mod assembly;
mod assume;
mod bits;
mod call;
mod compare;
mod constants;
mod entry;
mod function;
mod heap;
mod indirect;
mod inst;
mod intrinsics;
mod libc;
mod promote;
mod scan;
mod start;
mod types;
mod vector;
mod wide;

pub use libc::is_primitive;

use crate::caller::Bounds;
use crate::leak::{self, Leaks};
use crate::program::*;
use attest_llvm::Layout;
use attest_llvm::ir::{self, GlobalId, GlobalKind, MdId, Module};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The options of the lowering.
#[derive(Clone, Debug)]
pub struct Options {
    /// The entry function.
    pub entry: String,
    /// Functions whose call violates the property, whether they have a body or not.
    pub errors: Vec<String>,
    /// The sizes of the arguments of an entry other than `main`.
    pub bounds: Bounds,
    /// Whether the program checks that no value that was never set decides a branch, an address or
    /// a result ([`crate::shadow`]).
    pub uninitialised: bool,
    /// Whether a quotient that does not fit, of the least number by minus one, is a signed overflow.
    /// It is one in C; usually it counts as a division that is undefined.
    pub quotients: bool,
    /// Where memory that is not freed is looked for.
    pub leaks: Leaks,
    /// Whether an allocation may fail.
    pub malloc: Malloc,
}

/// Whether `malloc` and its like may fail; for a size that no object can have they always do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Malloc {
    /// They return memory.
    #[default]
    Succeeds,
    /// Each call may return null, by an input.
    MayFail,
}

impl Default for Options {
    fn default() -> Options {
        let errors = [
            "reach_error",
            "__VERIFIER_error",
            "__assert_fail",
            "__assert_perror_fail",
            "__assert_rtn",
            "__assert",
        ];
        Options {
            entry: "main".into(),
            errors: errors.map(String::from).to_vec(),
            bounds: Bounds::default(),
            leaks: Leaks::Off,
            malloc: Malloc::default(),
            uninitialised: false,
            quotients: false,
        }
    }
}

/// Why there is no model at all. Unsupported constructs inside functions are no such error: they
/// become [`Terminator::Bail`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ModelError {
    /// The entry function has no body; the names are those that have one.
    NoEntry {
        /// The requested name.
        wanted: String,
        /// The functions with a body.
        defined: Vec<String>,
    },
    /// The data layout cannot be used.
    Layout(String),
    /// The module has more symbols than object numbers.
    TooLarge,
}

impl std::fmt::Display for ModelError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ModelError::NoEntry { wanted, defined } if defined.is_empty() => {
                write!(
                    f,
                    "there is no function `{wanted}`: the program defines no function at all"
                )
            }
            ModelError::NoEntry { wanted, defined } => {
                let some: Vec<&str> = defined.iter().take(8).map(String::as_str).collect();
                let more = if defined.len() > some.len() {
                    ", ..."
                } else {
                    ""
                };
                write!(
                    f,
                    "there is no function `{wanted}` with a body; choose one with --entry from: {}{more}",
                    some.join(", ")
                )
            }
            ModelError::Layout(why) => {
                write!(f, "the target of this program cannot be modelled: {why}")
            }
            ModelError::TooLarge => f.write_str("the program has too many global symbols"),
        }
    }
}

impl std::error::Error for ModelError {}

/// Makes the model of a module.
pub fn lower(module: &Module, options: &Options) -> Result<Program, ModelError> {
    let layout = Layout::parse(&module.data_layout).map_err(ModelError::Layout)?;
    if module.globals.len() >= u32::MAX as usize / 2 {
        return Err(ModelError::TooLarge);
    }
    let mut ctx = Ctx::new(module, layout, options);
    ctx.declare_symbols();
    let mut entry = ctx.entry(&options.entry)?;
    ctx.initialise_symbols();
    ctx.find_candidates();
    // Lowering a body may add wrappers of library functions at the end of the list.
    let mut functions = Vec::new();
    while let Some(job) = ctx.jobs.get(functions.len()).cloned() {
        functions.push(function::lower_function(&mut ctx, &job));
    }
    let is_main = options.entry == "main";
    if is_main {
        start::bound_arguments(&mut functions, entry);
    }
    start::bail_if_unsupported(&ctx.hooks, is_main, &mut functions, entry);
    let mut caller = None;
    let called = &functions[entry.0 as usize];
    if !is_main && (called.params > 0 || called.varargs) {
        let (function, plan) = entry::lower_caller(&mut ctx, entry);
        entry = FnId(functions.len() as u32);
        functions.push(function);
        caller = Some(Arc::new(plan));
    }
    let pointer_bits = ctx.pointer_bits();
    ctx.forget_environment(&functions);
    let assuming = assume::made(&functions, entry, &ctx.assuming);
    let mut program = Program {
        functions,
        objects: ctx.objects,
        globals: ctx.globals,
        places: ctx.places,
        variables: ctx.variables,
        pointer_bits,
        entry,
        caller,
        environment: ctx.environment,
        heap_count: None,
        assuming,
        shadows: false,
        metadata: Arc::new(module.metadata.clone()),
    };
    leak::instrument(&mut program, options.leaks);
    Ok(program)
}

/// A function to lower.
#[derive(Clone)]
pub(crate) struct Job {
    pub global: GlobalId,
    /// Whether it has no body: then it becomes a call of the model with its name.
    pub wrapper: bool,
}

/// The module's symbols and tables while its functions are lowered.
pub(crate) struct Ctx<'m> {
    pub module: &'m Module,
    pub layout: Layout,
    pub options: &'m Options,
    pub objects: Vec<StaticObject>,
    /// The environment's memory, once something needs it.
    environment: Option<ObjectId>,
    pub object_of: FxHashMap<GlobalId, ObjectId>,
    pub globals: Vec<GlobalInfo>,
    pub promoted: FxHashMap<GlobalId, GlobalReg>,
    pub jobs: Vec<Job>,
    pub fn_of: FxHashMap<GlobalId, FnId>,
    /// Functions whose address is taken, in the module's order.
    pub candidates: Vec<GlobalId>,
    places: Vec<Place>,
    place_of: FxHashMap<MdId, PlaceId>,
    place_ids: FxHashMap<Place, PlaceId>,
    variables: Vec<Variable>,
    variable_of: FxHashMap<MdId, VarId>,
    source: Arc<str>,
    hooks: start::MainHooks,
    /// Assumptions, with the functions that make them.
    assuming: Vec<assume::Assumption>,
}

impl<'m> Ctx<'m> {
    fn new(module: &'m Module, layout: Layout, options: &'m Options) -> Ctx<'m> {
        let source: Arc<str> = module
            .sources
            .first()
            .map(String::as_str)
            .unwrap_or("program")
            .into();
        let unknown = Place {
            file: source.clone(),
            line: 0,
            column: 0,
        };
        Ctx {
            module,
            layout,
            options,
            objects: Vec::new(),
            environment: None,
            object_of: FxHashMap::default(),
            globals: Vec::new(),
            promoted: FxHashMap::default(),
            jobs: Vec::new(),
            fn_of: FxHashMap::default(),
            candidates: Vec::new(),
            places: vec![unknown.clone()],
            place_of: FxHashMap::default(),
            place_ids: FxHashMap::from_iter([(unknown, PlaceId(0))]),
            variables: Vec::new(),
            variable_of: FxHashMap::default(),
            source,
            hooks: start::MainHooks::of(module),
            assuming: Vec::new(),
        }
    }

    pub fn pointer_bits(&self) -> u32 {
        self.layout.pointer_bits(0)
    }

    /// Whether a call of this name violates the property.
    pub fn is_error(&self, name: &str) -> bool {
        // The linker appends a number to distinguish static functions of the same name.
        let own = match name.split_once('.') {
            Some((own, number)) if number.bytes().all(|b| b.is_ascii_digit()) => own,
            _ => name,
        };
        self.options.errors.iter().any(|e| e == own)
    }

    /// Assigns every symbol its object or register, and every body its number.
    fn declare_symbols(&mut self) {
        let promotable = promote::promotable_globals(self);
        for (i, global) in self.module.globals.iter().enumerate() {
            let id = GlobalId(i as u32);
            let name: Arc<str> = global.name.as_str().into();
            match &global.kind {
                GlobalKind::Variable(variable) => {
                    let known = variable.dbg.first().and_then(|md| self.variable(*md));
                    if let Some(&sort) = promotable.get(&id) {
                        self.promoted
                            .insert(id, GlobalReg(self.globals.len() as u32));
                        self.globals.push(GlobalInfo {
                            name,
                            sort,
                            init: None,
                            variable: known,
                        });
                        continue;
                    }
                    let size = self.size_of(variable.ty).unwrap_or(0);
                    let align = self
                        .layout
                        .align_of(&self.module.types, variable.ty)
                        .unwrap_or(1);
                    let kind = if variable.init.is_none() && size == 0 {
                        // `extern int table[]` has the size of its definition elsewhere.
                        StaticKind::Unmodelled
                    } else if variable.constant {
                        StaticKind::Constant
                    } else {
                        StaticKind::Variable
                    };
                    let align = variable.align.unwrap_or(align).max(1);
                    self.new_object(
                        id,
                        StaticObject {
                            name,
                            kind,
                            size,
                            align,
                            init: None,
                            variable: known,
                        },
                    );
                }
                GlobalKind::Function(function) => {
                    let kind = StaticKind::Function;
                    self.new_object(
                        id,
                        StaticObject {
                            name,
                            kind,
                            size: 1,
                            align: 16,
                            init: None,
                            variable: None,
                        },
                    );
                    if !function.is_declaration() && !self.is_error(&global.name) {
                        self.fn_of.insert(id, FnId(self.jobs.len() as u32));
                        self.jobs.push(Job {
                            global: id,
                            wrapper: false,
                        });
                    }
                }
                GlobalKind::Alias { .. } | GlobalKind::Forward => {}
            }
        }
    }

    fn new_object(&mut self, id: GlobalId, object: StaticObject) {
        self.objects.push(object);
        self.object_of
            .insert(id, ObjectId(self.objects.len() as u32));
    }

    /// The environment's memory.
    pub fn environment(&mut self) -> ObjectId {
        if let Some(known) = self.environment {
            return known;
        }
        self.objects.push(crate::environment::object());
        let made = ObjectId(self.objects.len() as u32);
        self.environment = Some(made);
        made
    }

    /// Removes the environment's memory, which is the last object, if nothing uses it.
    fn forget_environment(&mut self, functions: &[Function]) {
        let Some(id) = self.environment else { return };
        let is_it = |i: &Inst| matches!(i, Inst::Foreign { environment, .. } if *environment == id);
        let mut insts = functions.iter().flat_map(|f| &f.blocks);
        if !insts.any(|block| block.insts.iter().any(is_it)) {
            self.objects.pop();
            self.environment = None;
        }
    }

    /// Sets initial values. An object whose initial contents the model cannot express is marked, so
    /// that every access to it bails.
    fn initialise_symbols(&mut self) {
        for (i, global) in self.module.globals.iter().enumerate() {
            let id = GlobalId(i as u32);
            let GlobalKind::Variable(variable) = &global.kind else {
                continue;
            };
            let Some(init) = variable.init.filter(|_| !variable.externally_initialized) else {
                continue;
            };
            if let Some(reg) = self.promoted.get(&id) {
                let constant = &self.module.constant(init).kind;
                let sort = self.globals[reg.0 as usize].sort;
                self.globals[reg.0 as usize].init = match self.const_scalar(init) {
                    Ok(Some(value)) => Some(value),
                    _ if matches!(constant, ir::ConstKind::Undef) => Some(Constant::zero(sort)),
                    _ => None,
                };
            } else if let Some(object) = self.object_of.get(&id) {
                let at = object.0 as usize - 1;
                let mut pieces = Vec::new();
                match self.init_pieces(init, 0, &mut pieces) {
                    Ok(()) => self.objects[at].init = Some(pieces),
                    Err(_) => self.objects[at].kind = StaticKind::Unmodelled,
                }
            }
        }
    }

    fn entry(&self, name: &str) -> Result<FnId, ModelError> {
        let found = self.module.lookup(name).and_then(|g| self.fn_of.get(&g));
        found.copied().ok_or_else(|| ModelError::NoEntry {
            wanted: name.into(),
            defined: self
                .jobs
                .iter()
                .map(|j| self.module.global(j.global).name.clone())
                .collect(),
        })
    }

    /// The number of a function; a function without a body gets a wrapper around its model.
    pub fn fn_for(&mut self, global: GlobalId) -> FnId {
        if let Some(&id) = self.fn_of.get(&global) {
            return id;
        }
        let id = FnId(self.jobs.len() as u32);
        self.jobs.push(Job {
            global,
            wrapper: true,
        });
        self.fn_of.insert(global, id);
        id
    }

    /// The place of an instruction: from its debug location, or else its line in the `.ll` file.
    pub fn place_at(&mut self, dbg: Option<MdId>, line: u32, fallback: PlaceId) -> PlaceId {
        if let Some(md) = dbg {
            if let Some(&id) = self.place_of.get(&md) {
                return id;
            }
            if let Some(place) = self.module.metadata.place(md) {
                let place = Place {
                    file: place.file.as_str().into(),
                    line: place.line,
                    column: place.column,
                };
                let id = self.intern_place(place);
                self.place_of.insert(md, id);
                return id;
            }
        }
        if fallback != PlaceId(0) {
            return fallback;
        }
        self.intern_place(Place {
            file: self.source.clone(),
            line,
            column: 0,
        })
    }

    /// The place of a function's definition.
    pub fn function_place(&mut self, dbg: Option<MdId>, line: u32) -> PlaceId {
        match dbg
            .and_then(|md| self.module.metadata.subprogram(md))
            .map(|s| s.place)
        {
            Some(Some(place)) => self.intern_place(Place {
                file: place.file.as_str().into(),
                line: place.line,
                column: place.column,
            }),
            _ => self.place_at(None, line, PlaceId(0)),
        }
    }

    fn intern_place(&mut self, place: Place) -> PlaceId {
        if let Some(&id) = self.place_ids.get(&place) {
            return id;
        }
        let id = PlaceId(self.places.len() as u32);
        self.places.push(place.clone());
        self.place_ids.insert(place, id);
        id
    }

    /// The C variable of a debug node.
    pub fn variable(&mut self, md: MdId) -> Option<VarId> {
        if let Some(&id) = self.variable_of.get(&md) {
            return Some(id);
        }
        let info = self.module.metadata.variable(md)?;
        let id = VarId(self.variables.len() as u32);
        self.variables.push(Variable {
            name: info.name.as_str().into(),
            ty: info.ty,
            declared: md,
        });
        self.variable_of.insert(md, id);
        Some(id)
    }

    /// The name of a variable.
    pub fn variable_name(&self, id: VarId) -> Arc<str> {
        self.variables[id.0 as usize].name.clone()
    }

    /// The type of an operand of a function.
    pub fn module_operand_type(
        &self,
        function: &ir::Function,
        operand: ir::Operand,
    ) -> Option<ir::Ty> {
        match operand {
            ir::Operand::Local(local) => function.locals.get(local.0 as usize).map(|l| l.ty),
            ir::Operand::Const(id) => Some(self.module.constant(id).ty),
        }
    }
}
