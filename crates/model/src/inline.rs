//! Inlining: bodies of callees in place of their calls.
//!
//! There are two modes. SYNERGY and DASH work on one procedure: everything is inlined into the
//! entry, and a call beyond the bound on recursion or size becomes a [`Terminator::Bail`], so it is
//! never ignored. For SMASH, calls are edges, and only callees that are not worth a summary are
//! inlined (`partial`); no call becomes a bail there.
//!
//! Both are exact: a run of the result takes the same environment inputs and has the same outcome
//! as a run of the program (unspecified machine values that only a removed call read are no longer
//! inputs). An activation becomes a copy of the callee's registers and blocks (`template`), entered
//! and left by parallel copies on edges (`body`), so nothing is read after it was overwritten.
//!
//! At the end, facts of the points-to analysis and checks of lifetimes are put before accesses
//! (`points_to`, `lives`).
//!
//! One difference remains. An activation that executes the same `alloca` several times has several
//! objects, and only the lifetime of the last one ends with the activation.

mod body;
mod partial;
mod template;

use crate::points_to::PointsTo;
use crate::program::*;
use crate::tidy::tidy;
use body::{Body, Site};
pub use partial::Partial;
use std::collections::BTreeMap;
use std::rc::Rc;
use template::Template;
pub(crate) use template::end_activation;

/// The bounds of inlining.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InlineOptions {
    /// The number of activations of one function on a call chain.
    pub recursion: u32,
    /// The number of instructions and terminators of the result, before it is tidied.
    pub most_insts: usize,
    /// The bounds of partial inlining, which keeps other calls. `None`: everything is inlined into
    /// the entry.
    pub partial: Option<Partial>,
}

impl Default for InlineOptions {
    fn default() -> InlineOptions {
        InlineOptions {
            recursion: 8,
            most_insts: 200_000,
            partial: None,
        }
    }
}

impl InlineOptions {
    /// The usual bounds of partial inlining.
    pub fn partial() -> InlineOptions {
        InlineOptions {
            partial: Some(Partial::default()),
            ..InlineOptions::default()
        }
    }
}

/// The program with its calls inlined as the options say. With full inlining the entry is the only
/// function; the addresses of the others stay among the objects. With partial inlining, functions
/// keep their numbers.
pub fn inline(program: &Program, options: &InlineOptions) -> Program {
    let mut program = match &options.partial {
        Some(partial) => partial::inline_small(program, partial, options.most_insts),
        None => inline_all(program, options),
    };
    let mut points_to = PointsTo::of(&program);
    if options.partial.is_some() && crate::lives::end_activations(&mut program, &points_to) {
        points_to = PointsTo::of(&program);
    }
    crate::lives::mark(&mut program, &points_to);
    program
}

fn inline_all(program: &Program, options: &InlineOptions) -> Program {
    let mut inliner = Inliner::new(program, options);
    inliner.add_entry();
    while let Some((_, call)) = inliner.pending.pop_first() {
        inliner.expand(call);
    }
    let mut function = inliner.body.out;
    tidy(&mut function);
    Program {
        functions: vec![function],
        objects: program.objects.clone(),
        globals: program.globals.clone(),
        places: program.places.clone(),
        variables: program.variables.clone(),
        pointer_bits: program.pointer_bits,
        entry: FnId(0),
        caller: program.caller.clone(),
        environment: program.environment,
        heap_count: program.heap_count,
        assuming: program.assuming.clone(),
        shadows: program.shadows,
        metadata: program.metadata.clone(),
    }
}

/// An inlined activation.
struct Activation {
    function: FnId,
    caller: Option<usize>,
    /// The greatest number of activations of one function on the call chain down to here.
    recursion: u32,
}

/// A call that is not inlined yet.
struct Pending {
    site: Site,
    /// The calling activation.
    caller: usize,
}

struct Inliner<'a> {
    program: &'a Program,
    options: &'a InlineOptions,
    templates: Vec<Option<Rc<Template>>>,
    activations: Vec<Activation>,
    /// Calls by their recursion depth, then by age: a bound on size stops recursion first.
    pending: BTreeMap<(u32, usize), Pending>,
    calls: usize,
    body: Body,
}

impl<'a> Inliner<'a> {
    fn new(program: &'a Program, options: &'a InlineOptions) -> Inliner<'a> {
        let entry = program.function(program.entry);
        Inliner {
            program,
            options,
            templates: vec![None; program.functions.len()],
            activations: Vec::new(),
            pending: BTreeMap::new(),
            calls: 0,
            body: Body::new(entry),
        }
    }

    fn template(&mut self, function: FnId) -> Rc<Template> {
        let slot = &mut self.templates[function.0 as usize];
        let (code, bits) = (self.program.function(function), self.program.pointer_bits);
        let make = || Rc::new(Template::of_callee(code, bits, |_| true));
        slot.get_or_insert_with(make).clone()
    }

    /// The entry's activation, which starts and ends with the program.
    fn add_entry(&mut self) {
        let entry = self.program.entry;
        let template = Template::of_caller(self.program.function(entry), |_| true);
        self.activations.push(Activation {
            function: entry,
            caller: None,
            recursion: 1,
        });
        let sites = self.body.place(&template, None, &[]);
        self.add_pending(0, sites);
    }

    /// Replaces a call by the callee's body, within the bounds.
    fn expand(&mut self, pending: Pending) {
        let callee = pending.site.call.callee;
        let name = &self.program.function(callee).name;
        let depth = self.activations_of(callee, pending.caller) + 1;
        let limit = self.options.recursion;
        if depth > limit {
            let what = format!(
                "`{name}` is called more than {limit} deep; calls beyond that are not followed"
            );
            return self.body.bail(&pending.site, BailKind::Recursion, what);
        }
        let template = self.template(callee);
        if self.body.size + template.size > self.options.most_insts {
            let what =
                format!("the program is too large to inline; calls of `{name}` are not analysed");
            return self.body.bail(&pending.site, BailKind::Unsupported, what);
        }
        let recursion = self.activations[pending.caller].recursion.max(depth);
        self.activations.push(Activation {
            function: callee,
            caller: Some(pending.caller),
            recursion,
        });
        let activation = self.activations.len() - 1;
        let sites = self.body.expand(&pending.site, &template);
        self.add_pending(activation, sites);
    }

    /// The number of activations of a function on a call chain.
    fn activations_of(&self, function: FnId, caller: usize) -> u32 {
        let mut count = 0;
        let mut at = Some(caller);
        while let Some(activation) = at.map(|at| &self.activations[at]) {
            count += u32::from(activation.function == function);
            at = activation.caller;
        }
        count
    }

    fn add_pending(&mut self, caller: usize, sites: Vec<Site>) {
        for site in sites {
            let depth = self.activations_of(site.call.callee, caller) + 1;
            let recursion = self.activations[caller].recursion.max(depth);
            let pending = Pending { site, caller };
            self.pending.insert((recursion, self.calls), pending);
            self.calls += 1;
        }
    }
}
