//! Z3, the second solver, loaded at run time where its library is found.
//!
//! It cross-checks the embedded solver, decides floats, and tries what the embedded solver does not
//! decide. Each check gets a fresh solver (algorithm notes 10.4, item 38: pushing, popping or
//! keeping assumptions leaves Z3's fast path); terms stay in the context. A fresh variable implies
//! each assumption, so that the unsat core names assumptions. Models are read back as ours, and
//! models with floats are evaluated before they are returned. `api` has the foreign functions,
//! `translate` the terms.

mod api;
mod translate;

use std::ffi::CStr;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use attest_term::{Bv, Op, Sort, Term, Terms, Value};
use rustc_hash::FxHashMap;

use crate::budget::Budget;
use crate::model::Model;
use crate::solver::{Answer, Core, Limits, Reason, Solver, distinct};
use crate::statistics::Statistics;
use api::{Api, Ast, Context, Handle};
use translate::Translator;

/// A loaded Z3 with a context of its own.
pub struct Z3 {
    translator: Translator,
    facts: Vec<Term>,
    shapes: FxHashMap<Term, Shape>,
    statistics: Statistics,
}

// Safety: a context may move between threads, as long as one at a time uses it;
// all use goes through `&mut self`, but for `interrupt`, which Z3 allows.
unsafe impl Send for Z3 {}

/// What must be known of a term before it is sent to Z3.
#[derive(Clone, Copy)]
struct Shape {
    /// Whether floats occur in it.
    floats: bool,
    /// The nesting depth of operations.
    depth: u32,
}

/// The size of a question that Z3's conflicts are counted for: its own is not known.
const Z3_VARIABLES: usize = 10_000;
/// The steps that Z3 counts in a microsecond of effort: from 4 to 7 in searches over bits and
/// floats on a machine of 2024.
const Z3_STEPS: u128 = 7;
/// Deeper terms are not sent: Z3's set-up takes time that is quadratic in the depth and checks no
/// limit meanwhile (minutes at a million).
const DEEPEST: u32 = 20_000;

/// A context with more terms than this is replaced.
const MANY_TERMS: usize = 5_000_000;

impl Z3 {
    /// Loads Z3; an error says why it is unavailable.
    pub fn load() -> Result<Z3, String> {
        let api = Arc::new(api::find()?);
        Ok(Z3 {
            translator: Translator::new(api),
            facts: Vec::new(),
            shapes: FxHashMap::default(),
            statistics: Statistics::default(),
        })
    }

    /// The version that the library gives.
    pub fn version(&self) -> String {
        // Safety: the function returns a static string.
        text(unsafe { (self.translator.api.get_full_version)() })
    }

    /// Whether floats occur in a term; an error if it is too deep.
    fn has_floats(&mut self, terms: &Terms, root: Term) -> Result<bool, Reason> {
        let shape = self.shapes.entry(root);
        let shape = *shape.or_insert_with(|| Shape::of(terms, root));
        if shape.depth > DEEPEST {
            let words = format!("nested {} deep, too deep for Z3", shape.depth);
            return Err(Reason::Other(words));
        }
        Ok(shape.floats)
    }

    fn decide(&mut self, terms: &Terms, roots: &[Term], budget: &Budget) -> Result<Answer, Reason> {
        if self.translator.count > MANY_TERMS {
            self.translator = Translator::new(self.translator.api.clone());
        }
        let mut floats = false;
        let mut facts = Vec::new();
        for index in 0..self.facts.len() {
            let fact = self.facts[index];
            floats |= self.has_floats(terms, fact)?;
            facts.push(self.translator.ast(terms, fact, budget)?);
        }
        let mut asts = Vec::new();
        for &root in roots {
            floats |= self.has_floats(terms, root)?;
            asts.push(self.translator.ast(terms, root, budget)?);
        }
        let query = Query::new(&self.translator, budget);
        facts.into_iter().for_each(|fact| query.assert(fact));
        let proxies: Vec<Ast> = (0..asts.len()).map(|i| self.translator.proxy(i)).collect();
        for (proxy, ast) in proxies.iter().zip(asts) {
            query.imply(*proxy, ast);
        }
        match query.check(&proxies, budget)? {
            false => Ok(Answer::Unsat(query.core(&proxies, roots))),
            true => {
                let handle = query.model();
                drop(query);
                let model = self.model(terms, roots, &handle, budget);
                handle.release(&self.translator);
                let model = model?;
                let all = [&self.facts[..], roots].concat();
                if floats && !model.satisfies(terms, &all) {
                    return Err(Reason::Other("Z3's model of floats does not hold".into()));
                }
                Ok(Answer::Sat(Arc::new(model)))
            }
        }
    }

    /// Z3's model as ours: the values of all leaves and reads of the check.
    fn model(
        &mut self,
        terms: &Terms,
        roots: &[Term],
        handle: &ModelHandle,
        budget: &Budget,
    ) -> Result<Model, Reason> {
        let mut model = Model::default();
        let all = [&self.facts[..], roots].concat();
        for term in terms.reachable(&all) {
            let op = terms.op(term);
            if let Op::Var(symbol) = op {
                let ast = self.translator.ast(terms, term, budget)?;
                let value = self.value(handle, ast, terms.sort(term))?;
                model.vars.insert(symbol, value);
            } else if op.is_read() || matches!(op, Op::Base { .. }) {
                self.read(terms, term, handle, budget, &mut model)?;
            }
        }
        Ok(model)
    }

    fn read(
        &mut self,
        terms: &Terms,
        term: Term,
        handle: &ModelHandle,
        budget: &Budget,
        model: &mut Model,
    ) -> Result<(), Reason> {
        let mut args = Vec::new();
        let mut numbers = Vec::new();
        for &arg in terms.args(term) {
            let ast = self.translator.ast(terms, arg, budget)?;
            args.push(ast);
            numbers.push(self.value(handle, ast, terms.sort(arg))?.low_u64());
        }
        let object = numbers[0] as u32;
        let op = terms.op(term);
        if let Op::Base { .. } = op {
            let ast = self.translator.base(args[0]);
            let base = self.value(handle, ast, Sort::BitVec(64))?;
            model.bases.insert(object, base.low_u64());
            return Ok(());
        }
        let (version, width) = (op.version().unwrap_or(0), terms.width(terms.arg(term, 1)));
        let place = (version, width, object, numbers[1]);
        if let Op::Read { bytes, .. } = op {
            for i in 0..bytes {
                let ast = self.translator.byte(version, width, &args, i);
                let byte = self.value(handle, ast, Sort::BitVec(8))?.low_u64() as u8;
                let offset = numbers[1].wrapping_add(i as u64) & u64::MAX >> (64 - width);
                model.bytes.insert((version, width, object, offset), byte);
            }
            return Ok(());
        }
        let ast = self.translator.ast(terms, term, budget)?;
        let value = self.value(handle, ast, terms.sort(term))?.low_u64();
        match op {
            Op::ReadPtrObject { .. } => drop(model.objects.insert(place, value as u32)),
            Op::ReadPtrOffset { .. } => drop(model.offsets.insert(place, value)),
            _ => drop(model.tags.insert(place, value == 1)),
        }
        Ok(())
    }

    fn value(&self, handle: &ModelHandle, ast: Ast, sort: Sort) -> Result<Value, Reason> {
        let (api, c) = (&self.translator.api, self.translator.context);
        let (ast, width) = match sort {
            Sort::Float(_) => (self.translator.float_bits(sort, ast), sort.bits()),
            _ => (ast, sort.bits()),
        };
        let mut result = std::ptr::null_mut();
        // Safety: the model is held, and the term is of this context.
        let done = unsafe { (api.model_eval)(c, handle.0, ast, true, &mut result) };
        if !done {
            return Err(Reason::Other("Z3 does not evaluate its model".into()));
        }
        if sort == Sort::Bool {
            // Safety: the result is a term of this context.
            let truth = unsafe { (api.get_bool_value)(c, result) };
            return Ok(Value::Bool(truth == 1));
        }
        // Safety: the result is a term of this context; a term that is not a numeral gives null.
        let digits = unsafe { text_or_empty((api.get_numeral_string)(c, result)) };
        let bits = Bv::parse(width, &digits, 10);
        let bits = bits.ok_or_else(|| Reason::Other(format!("Z3's value {digits:?} is open")))?;
        Ok(match sort {
            Sort::Float(_) => Value::from_bits(sort, bits.low_u64()),
            _ => Value::Bv(bits),
        })
    }
}

impl Shape {
    fn of(terms: &Terms, root: Term) -> Shape {
        let reachable = terms.reachable(&[root]);
        let float = |term: &Term| matches!(terms.sort(*term), Sort::Float(_));
        let floats = reachable.iter().any(float);
        // The depth of a term is at most its size.
        let mut depth = reachable.len() as u32;
        if depth > DEEPEST {
            let mut depths: FxHashMap<Term, u32> = FxHashMap::default();
            for &term in &reachable {
                let below = terms.args(term).iter().map(|arg| depths[arg]).max();
                depth = below.map_or(0, |below| below + 1);
                depths.insert(term, depth);
            }
            depth = depths[&root];
        }
        Shape { floats, depth }
    }
}

fn text(text: api::Text) -> String {
    // Safety: Z3's strings end with a zero and live until the next call.
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}

unsafe fn text_or_empty(string: api::Text) -> String {
    if string.is_null() {
        return String::new();
    }
    text(string)
}

/// A Z3 solver for one check.
struct Query {
    api: Arc<Api>,
    context: Context,
    solver: Handle,
}

struct ModelHandle(Handle);

impl ModelHandle {
    fn release(self, translator: &Translator) {
        // Safety: the reference was taken when the model was made.
        unsafe { (translator.api.model_dec_ref)(translator.context, self.0) }
    }
}

// Safety of the calls: the solver is referenced until the query is dropped, and
// the query does not outlive the translator's context within `decide`.
impl Query {
    fn new(translator: &Translator, budget: &Budget) -> Query {
        let (api, context) = (translator.api.clone(), translator.context);
        let solver = unsafe {
            // Measured on `bench`: the solver for QF_BV is five times slower with
            // assumptions, and the combined one is no faster.
            let solver = (api.mk_simple_solver)(context);
            (api.solver_inc_ref)(context, solver);
            solver
        };
        let query = Query {
            api,
            context,
            solver,
        };
        if let Some(left) = budget.left() {
            query.set(
                "timeout",
                left.as_millis().clamp(1, u32::MAX as u128) as u32,
                translator,
            );
        }
        if let Some(effort) = budget.effort() {
            let most = effort.as_micros().saturating_mul(Z3_STEPS);
            query.set("rlimit", most.clamp(1, u32::MAX.into()) as u32, translator);
        }
        if let Some(conflicts) = budget.conflicts(Z3_VARIABLES) {
            query.set("max_conflicts", conflicts, translator);
        }
        query
    }

    fn set(&self, name: &str, value: u32, translator: &Translator) {
        let (api, c) = (&self.api, self.context);
        unsafe {
            let params = (api.mk_params)(c);
            (api.params_inc_ref)(c, params);
            (api.params_set_uint)(c, params, translator.symbol(name), value);
            (api.solver_set_params)(c, self.solver, params);
            (api.params_dec_ref)(c, params);
        }
    }

    fn assert(&self, fact: Ast) {
        unsafe { (self.api.solver_assert)(self.context, self.solver, fact) }
    }

    fn imply(&self, proxy: Ast, ast: Ast) {
        unsafe { self.assert((self.api.mk_implies)(self.context, proxy, ast)) }
    }

    /// Whether the assertions hold together with the proxies.
    fn check(&self, proxies: &[Ast], budget: &Budget) -> Result<bool, Reason> {
        let (api, c) = (&self.api, self.context);
        let check = || unsafe {
            (api.solver_check_assumptions)(c, self.solver, proxies.len() as u32, proxies.as_ptr())
        };
        let stopped = AtomicU8::new(0);
        let result = if budget.needs_watching() {
            watched(api, c, budget, &stopped, check)
        } else {
            check()
        };
        match result {
            1 => Ok(true),
            -1 => Ok(false),
            _ => Err(self.reason(budget, stopped.into_inner())),
        }
    }

    fn reason(&self, budget: &Budget, stopped: u8) -> Reason {
        let reason = match stopped {
            1 => Some(Reason::Interrupted),
            2 => Some(Reason::Memory),
            _ => budget.spent(0),
        };
        let words = unsafe {
            text((self.api.solver_get_reason_unknown)(
                self.context,
                self.solver,
            ))
        };
        reason.unwrap_or_else(|| match &words[..] {
            "timeout" | "canceled" => Reason::Time,
            words if words.contains("resource limit") => Reason::Effort,
            words if words.contains("conflicts") => Reason::Conflicts,
            words if words.contains("memory") || words.contains("memout") => Reason::Memory,
            _ => Reason::Other(words),
        })
    }

    fn core(&self, proxies: &[Ast], roots: &[Term]) -> Core {
        let (api, c) = (&self.api, self.context);
        let failed: Vec<Ast> = unsafe {
            let vector = (api.solver_get_unsat_core)(c, self.solver);
            (api.ast_vector_inc_ref)(c, vector);
            let size = (api.ast_vector_size)(c, vector);
            let failed = (0..size)
                .map(|i| (api.ast_vector_get)(c, vector, i))
                .collect();
            (api.ast_vector_dec_ref)(c, vector);
            failed
        };
        let pairs = proxies.iter().zip(roots);
        let failed = pairs.filter(|(proxy, _)| failed.contains(proxy));
        failed.map(|(_, root)| *root).collect()
    }

    fn model(&self) -> ModelHandle {
        unsafe {
            let model = (self.api.solver_get_model)(self.context, self.solver);
            (self.api.model_inc_ref)(self.context, model);
            ModelHandle(model)
        }
    }
}

impl Drop for Query {
    fn drop(&mut self) {
        unsafe { (self.api.solver_dec_ref)(self.context, self.solver) }
    }
}

/// Runs a check while a second thread watches the flag and the memory, and interrupts it: Z3 itself
/// only checks the clock, and not everywhere.
fn watched<T>(
    api: &Api,
    context: Context,
    budget: &Budget,
    stopped: &AtomicU8,
    check: impl FnOnce() -> T,
) -> T {
    struct Shared(Context);
    // Safety: `interrupt` is the one function that Z3 allows from other threads.
    unsafe impl Sync for Shared {}
    let (shared, done) = (Shared(context), (Mutex::new(false), Condvar::new()));
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (shared, wait) = (&shared, Duration::from_millis(5));
            let Ok(mut finished) = done.0.lock() else {
                return;
            };
            while !*finished {
                // Safety: the function has no conditions.
                let bytes = unsafe { (api.get_estimated_alloc_size)() };
                let reason = match budget.spent(bytes) {
                    Some(Reason::Interrupted) => 1,
                    Some(Reason::Memory) => 2,
                    Some(_) => 3,
                    None => 0,
                };
                if reason != 0 && !over.swap(true, Ordering::Relaxed) {
                    stopped.store(reason, Ordering::Relaxed);
                }
                if over.load(Ordering::Relaxed) {
                    // Repeated, since an interrupt before the check began is lost. Safety: see
                    // `Shared`.
                    unsafe { (api.interrupt)(shared.0) }
                }
                match done.1.wait_timeout(finished, wait) {
                    Ok((guard, _)) => finished = guard,
                    Err(_) => return,
                }
            }
        });
        let result = check();
        if let Ok(mut finished) = done.0.lock() {
            *finished = true;
        }
        done.1.notify_all();
        result
    })
}

impl Solver for Z3 {
    fn name(&self) -> &'static str {
        "z3"
    }

    fn assert(&mut self, terms: &Terms, fact: Term) {
        assert_eq!(terms.sort(fact), Sort::Bool, "a fact has a truth value");
        self.facts.push(fact);
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term], limits: &Limits) -> Answer {
        let budget = Budget::new(limits);
        let answer = self.decide(terms, &distinct(assumptions), &budget);
        let answer = answer.unwrap_or_else(Answer::Unknown);
        self.statistics.count(&answer, budget.start());
        answer
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}
