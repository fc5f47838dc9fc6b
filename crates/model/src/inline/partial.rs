//! Partial inlining: callees that are not worth a summary.
//!
//! Algorithm notes 5.7: a small callee, or one with a single call, is cheaper to analyse in its
//! caller than to summarise. Callees are processed before their callers, so that each copy is
//! final. A recursive function is never copied: no call becomes a bail, and no bound on recursion
//! is needed. Functions keep their numbers; the body of a function that is no longer called is
//! dropped.

use super::body::Body;
use super::template::Template;
use crate::program::*;
use crate::tidy::tidy;
use std::rc::Rc;

/// The bounds of partial inlining. Sizes count instructions and terminators, including those of
/// bodies inlined into the callee.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Partial {
    /// The size up to which any callee is copied.
    pub small: usize,
    /// The size up to which a callee with one call site is copied, or one that reads variable
    /// arguments, which only the caller knows.
    pub once: usize,
    /// The factor by which the program may grow.
    pub growth: usize,
}

impl Default for Partial {
    fn default() -> Partial {
        Partial {
            small: 60,
            once: 60,
            growth: 3,
        }
    }
}

/// The growth that is always allowed, however small the program is.
const HEADROOM: usize = 2_000;

/// The program with small callees inlined in all functions.
pub fn inline_small(program: &Program, partial: &Partial, most_insts: usize) -> Program {
    let mut out = program.clone();
    let calls = CallGraph::of(program);
    let reached = reached(program);
    let size_before: usize = sum_sizes(program, &reached);
    let grown = size_before.saturating_mul(partial.growth);
    let limit = grown.saturating_add(HEADROOM).min(most_insts);
    let mut total = size_before;
    let mut templates: Vec<Option<Rc<Template>>> = vec![None; program.functions.len()];
    for id in calls
        .callees_first
        .iter()
        .filter(|id| reached[id.0 as usize])
    {
        let mut chosen = |call: &Call| {
            let callee = call.callee.0 as usize;
            let template = templates[callee].as_ref();
            let Some(template) = template.filter(|_| !calls.recursive[callee]) else {
                return false;
            };
            let once = calls.sites[callee] == 1;
            let bound = if once || template.starts_varargs {
                partial.small.max(partial.once)
            } else {
                partial.small
            };
            // The only call site takes the callee's place.
            let added = if once { 0 } else { template.size };
            let fits = template.size <= bound && total + added <= limit;
            total += if fits { added } else { 0 };
            fits
        };
        let function = &mut out.functions[id.0 as usize];
        let own = Template::of_caller(function, &mut chosen);
        let mut body = Body::new(function);
        let sites = body.place(&own, None, &[]);
        for site in &sites {
            if let Some(template) = templates[site.call.callee.0 as usize].clone() {
                body.expand(site, &template);
            }
        }
        if !sites.is_empty() {
            *function = body.out;
            tidy(function);
        }
        let template = Template::of_callee(function, program.pointer_bits, |_| false);
        templates[id.0 as usize] = Some(Rc::new(template));
    }
    drop_unreached(&mut out);
    out
}

/// The call graph.
struct CallGraph {
    /// All functions, callees before callers except in cycles.
    callees_first: Vec<FnId>,
    /// Whether a function may call itself, directly or not.
    recursive: Vec<bool>,
    /// The number of call sites of each function, in reachable functions.
    sites: Vec<usize>,
}

impl CallGraph {
    fn of(program: &Program) -> CallGraph {
        let count = program.functions.len();
        let reached = reached(program);
        let mut graph = CallGraph {
            callees_first: Vec::with_capacity(count),
            recursive: vec![false; count],
            sites: vec![0; count],
        };
        for (function, _) in program.functions.iter().zip(reached).filter(|(_, r)| *r) {
            for callee in callees(function) {
                graph.sites[callee.0 as usize] += 1;
            }
        }
        let mut tarjan = Tarjan::new(count);
        for id in 0..count {
            tarjan.walk(program, FnId(id as u32), &mut graph);
        }
        graph
    }
}

/// Tarjan's strongly connected components, callees first.
struct Tarjan {
    number: Vec<Option<usize>>,
    lowest: Vec<usize>,
    open: Vec<bool>,
    stack: Vec<FnId>,
    next: usize,
}

impl Tarjan {
    fn new(count: usize) -> Tarjan {
        Tarjan {
            number: vec![None; count],
            lowest: vec![0; count],
            open: vec![false; count],
            stack: Vec::new(),
            next: 0,
        }
    }

    fn enter(&mut self, id: FnId) {
        let at = id.0 as usize;
        self.number[at] = Some(self.next);
        self.lowest[at] = self.next;
        self.open[at] = true;
        self.stack.push(id);
        self.next += 1;
    }

    fn walk(&mut self, program: &Program, root: FnId, graph: &mut CallGraph) {
        if self.number[root.0 as usize].is_some() {
            return;
        }
        self.enter(root);
        let mut path = vec![(root, callees(program.function(root)))];
        while let Some((id, rest)) = path.last_mut() {
            let at = id.0 as usize;
            if let Some(callee) = rest.pop() {
                let to = callee.0 as usize;
                graph.recursive[at] |= to == at;
                match self.number[to] {
                    None => {
                        self.enter(callee);
                        path.push((callee, callees(program.function(callee))));
                    }
                    Some(number) if self.open[to] => {
                        self.lowest[at] = self.lowest[at].min(number);
                    }
                    Some(_) => {}
                }
                continue;
            }
            path.pop();
            if let Some((caller, _)) = path.last() {
                let caller = caller.0 as usize;
                self.lowest[caller] = self.lowest[caller].min(self.lowest[at]);
            }
            if self.number[at] == Some(self.lowest[at]) {
                self.close(at, graph);
            }
        }
    }

    /// Pops a whole component off the stack.
    fn close(&mut self, root: usize, graph: &mut CallGraph) {
        let begin = self.stack.iter().rposition(|id| id.0 as usize == root);
        let component = self.stack.split_off(begin.unwrap_or_default());
        for id in &component {
            self.open[id.0 as usize] = false;
            graph.recursive[id.0 as usize] |= component.len() > 1;
        }
        graph.callees_first.extend(component);
    }
}

/// The callees of a function, once per call.
fn callees(function: &Function) -> Vec<FnId> {
    let insts = function.blocks.iter().flat_map(|b| &b.insts);
    let calls = insts.filter_map(|inst| match inst {
        Inst::Call(call) => Some(call.callee),
        _ => None,
    });
    calls.collect()
}

/// The functions reachable from the entry, itself included.
fn reached(program: &Program) -> Vec<bool> {
    let mut reached = vec![false; program.functions.len()];
    reached[program.entry.0 as usize] = true;
    let mut work = vec![program.entry];
    while let Some(id) = work.pop() {
        for callee in callees(program.function(id)) {
            if !std::mem::replace(&mut reached[callee.0 as usize], true) {
                work.push(callee);
            }
        }
    }
    reached
}

fn sum_sizes(program: &Program, reached: &[bool]) -> usize {
    let functions = program.functions.iter().zip(reached);
    let blocks = functions.filter(|(_, r)| **r).flat_map(|(f, _)| &f.blocks);
    blocks.map(|b| b.insts.len() + 1).sum()
}

/// Replaces the bodies of unreachable functions by a bail.
fn drop_unreached(program: &mut Program) {
    let reached = reached(program);
    for (function, _) in program.functions.iter_mut().zip(reached).filter(|f| !f.1) {
        let what = format!("`{}` is never called and was dropped", function.name);
        function.regs.truncate(function.params as usize);
        function.blocks = vec![Block {
            insts: Vec::new(),
            places: Vec::new(),
            end: Terminator::Bail(Bail {
                kind: BailKind::Unsupported,
                what: what.into(),
            }),
            end_place: function.place,
        }];
    }
}
