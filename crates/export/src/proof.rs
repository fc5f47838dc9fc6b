//! A proof as people read it: invariants of loops and summaries of functions, in C.
//!
//! A loop invariant is exported only if it certainly holds of the C program. The
//! jump back to the loop's head has the place of the loop's keyword, which
//! identifies the loop. Every copy of the loop that inlining made has an
//! invariant, and the disjunction of these holds at the loop. Every name denotes,
//! at the loop, the variable that the term is about. A conjunct that cannot be
//! written in C is left out, which makes an invariant weaker and never wrong.

use crate::cells::Memory;
use crate::csource::{CSource, Form};
use crate::scope::{Scope, is_word};
use attest_exec::symbolic::step::Vocabulary;
use attest_model::graph::{Graph, Loc, LocKind, Outcome};
use attest_model::{BlockId, FnId, Program, Terminator};
use attest_proof::{Proof, Summary};
use attest_term::{Sort, SymbolKind, Term, Terms};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// An invariant of a loop.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LoopInvariant {
    /// The file.
    pub file: String,
    /// The line of the loop's keyword.
    pub line: u32,
    /// Its column.
    pub column: u32,
    /// The function around it.
    pub function: String,
    /// A C expression that holds whenever the loop's condition is about to be evaluated.
    pub value: String,
}

/// What was proved of a function that is called.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FunctionSummary {
    /// The function.
    pub function: String,
    /// What holds before the call, as C would put it, for people.
    pub before: String,
    /// The outcome that is excluded then.
    pub never: String,
}

/// A proof in C.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Explained {
    /// Invariants of loops.
    pub invariants: Vec<LoopInvariant>,
    /// Loops of the program whose invariant cannot be written in C, as `file:line`.
    pub unsaid: Vec<String>,
    /// Summaries of functions.
    pub summaries: Vec<FunctionSummary>,
}

/// File, line and column of a loop's keyword, or of its head.
type Keyword = (String, u32, u32);

/// What a proof is about.
pub struct Subject<'a> {
    /// The program, its calls inlined as for the proof.
    pub program: &'a Program,
    /// Its graph.
    pub graph: &'a Graph,
    /// The program as it was loaded.
    pub original: &'a Program,
    /// Its source files by the names that places use.
    pub sources: &'a BTreeMap<String, CSource>,
}

impl Subject<'_> {
    /// Writes a proof in C.
    pub fn explain(&self, proof: &Proof) -> Explained {
        let mut terms = Terms::new();
        Vocabulary::new(&mut terms, self.program);
        let mut known: FxHashMap<Loc, Term> = FxHashMap::default();
        for invariant in &proof.invariants {
            // A term that cannot be read is left out.
            if let Ok(term) = terms.parse_smtlib(&invariant.smt) {
                known.insert(Loc(invariant.location), term);
            }
        }
        let summaries = proof.summaries.iter();
        let summaries: Vec<FunctionSummary> = summaries
            .filter_map(|s| self.summary(&mut terms, s))
            .collect();
        let terms = &terms;
        let recursive = recursive_functions(self.original);
        let memory = Memory::default();
        let mut explained = Explained::default();
        for (place, heads) in self.loops() {
            let Some((file, line, column)) = place else {
                continue;
            };
            let source = &self.sources[&file];
            let function = match source.at(line, column).and_then(|t| source.function_at(t)) {
                Some(function) if !recursive.contains(&function.name) => function.name.clone(),
                _ => {
                    explained.unsaid.push(format!("{file}:{line}"));
                    continue;
                }
            };
            let scope = Scope {
                subject: self,
                terms,
                source,
                function: &function,
                keyword: (line, column),
                memory: &memory,
            };
            let expressions: Option<BTreeSet<String>> = heads
                .iter()
                .map(|head| scope.in_c(*head, known.get(head).copied()))
                .collect();
            let values: Vec<String> = expressions.into_iter().flatten().collect();
            let value = match values.as_slice() {
                [] => {
                    explained.unsaid.push(format!("{file}:{line}"));
                    continue;
                }
                [one] => one.clone(),
                many if many.iter().any(|v| v == "0") => {
                    let rest: Vec<&String> = many.iter().filter(|v| *v != "0").collect();
                    disjunction(&rest)
                }
                many => disjunction(&many.iter().collect::<Vec<_>>()),
            };
            explained.invariants.push(LoopInvariant {
                file: file.clone(),
                line,
                column,
                function,
                value,
            });
        }
        explained.summaries = summaries;
        explained.summaries.dedup();
        explained
    }

    /// The heads of all loops by the place of their keyword, where that is known.
    fn loops(&self) -> BTreeMap<Option<Keyword>, Vec<Loc>> {
        // Copies of a loop begin at the same place, so one that is found names the others.
        let mut keyword_of: BTreeMap<Keyword, BTreeSet<Keyword>> = BTreeMap::new();
        let mut heads: Vec<(Loc, Keyword)> = Vec::new();
        for (i, location) in self.graph.locations.iter().enumerate() {
            let (LocKind::LoopHead, Some(position), Some(function)) =
                (location.kind, location.position, location.function)
            else {
                continue;
            };
            let place = self.program.place(location.place);
            let begins = (place.file.to_string(), place.line, place.column);
            heads.push((Loc(i as u32), begins.clone()));
            for keyword in self.keywords(function, position.block) {
                keyword_of
                    .entry(begins.clone())
                    .or_default()
                    .insert(keyword);
            }
        }
        let mut out: BTreeMap<Option<Keyword>, Vec<Loc>> = BTreeMap::new();
        for (head, begins) in heads {
            let keywords = keyword_of.get(&begins);
            let keyword = keywords
                .filter(|k| k.len() == 1)
                .and_then(|k| k.first().cloned());
            out.entry(keyword).or_default().push(head);
        }
        out
    }

    /// The loop keywords at the jumps back to a block.
    fn keywords(&self, function: FnId, head: BlockId) -> BTreeSet<Keyword> {
        let code = self.program.function(function);
        let mut found = BTreeSet::new();
        for block in &code.blocks {
            let mut jumps = false;
            block.end.targets(|target| jumps |= target.block == head);
            if !jumps {
                continue;
            }
            let place = self.program.place(block.end_place);
            let Some(source) = self.sources.get(&*place.file) else {
                continue;
            };
            let Some(token) = source.at(place.line, place.column) else {
                continue;
            };
            let mut all = source.statements.iter();
            let keyword = match source.word(token) {
                "while" | "for" if matches!(block.end, Terminator::Goto(_)) => {
                    all.find(|s| s.start == token && matches!(s.form, Form::While | Form::For))
                }
                // The jump back of a do loop is at the end of its body.
                "}" => all.find(|s| {
                    s.form == Form::Do && s.header.is_some_and(|(open, _)| open == token + 2)
                }),
                _ => None,
            };
            if let Some(statement) = keyword {
                let token = source.tokens[statement.start];
                found.insert((place.file.to_string(), token.line, token.column));
            }
        }
        found
    }

    /// The names of a proof in a summary and what people call them, the longest first.
    fn names_of(&self, summary: &Summary) -> Vec<(String, String)> {
        let program = self.program;
        let id = summary.number;
        let function = program.function(FnId(id));
        let mut names = Vec::new();
        for i in 0..function.params {
            let is_it = |v: &&attest_model::Variable| {
                let info = program.metadata.variable(v.declared);
                let own = program.metadata.function_of_variable(v.declared);
                info.is_some_and(|info| info.arg == Some(i + 1)) && own == Some(&function.name)
            };
            if let Some(variable) = program.variables.iter().find(is_it) {
                names.push((format!("f{id}.r{i}"), variable.name.to_string()));
            }
        }
        for i in 0..function.results.len() {
            names.push((format!("f{id}.ret{i}"), "\\result".into()));
        }
        for (i, ghost) in summary.ghosts.iter().enumerate() {
            names.push((ghost.name.clone(), format!("z{i}")));
        }
        names.sort_by_key(|(from, _)| std::cmp::Reverse(from.len()));
        names
    }

    fn summary(&self, terms: &mut Terms, summary: &Summary) -> Option<FunctionSummary> {
        let id = FnId(summary.number);
        let function = self.program.functions.get(id.0 as usize)?.name.to_string();
        Vocabulary::of(terms, self.program, id);
        for ghost in &summary.ghosts {
            terms.var(&ghost.name, Sort::parse(&ghost.sort)?, SymbolKind::Ghost);
        }
        let post = terms.parse_smtlib(&summary.post).ok()?;
        let mut never = match summary.outcome().ok()? {
            Outcome::Return => format!("returns with {}", terms.to_c(post)),
            Outcome::Error => "reaches the error".into(),
            Outcome::Halt => "ends the program".into(),
            Outcome::Bail(kind) => format!("stops ({})", kind.word()),
        };
        let entry = self.graph.functions.get(id.0 as usize)?.entry;
        let at_entry = summary.invariants.iter().find(|i| i.location == entry.0);
        let mut before = match at_entry {
            Some(invariant) => {
                let term = terms.parse_smtlib(&invariant.smt).ok()?;
                terms.to_c(term)
            }
            None => "true".into(),
        };
        for (from, to) in self.names_of(summary) {
            before = before.replace(&from, &to);
            never = never.replace(&from, &to);
        }
        // A ghost that only keeps what a parameter was is that.
        let mut kept = Vec::new();
        for part in before.split(" && ").filter(|part| *part != "true") {
            match part.split_once(" == z") {
                Some((name, number)) if number.parse::<u32>().is_ok() && is_word(name) => {
                    never = never.replace(&format!("z{number}"), &format!("old({name})"));
                }
                _ => kept.push(part),
            }
        }
        let before = match kept.is_empty() {
            true => "true".into(),
            false => kept.join(" && "),
        };
        Some(FunctionSummary {
            function,
            before,
            never,
        })
    }
}

fn disjunction(values: &[&String]) -> String {
    match values {
        [] => "0".into(),
        [one] => (*one).clone(),
        many => {
            let parts: Vec<String> = many.iter().map(|v| format!("({v})")).collect();
            parts.join(" || ")
        }
    }
}

/// Functions that may be active more than once at a time.
fn recursive_functions(program: &Program) -> BTreeSet<String> {
    let count = program.functions.len();
    let mut calls: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); count];
    for (i, function) in program.functions.iter().enumerate() {
        for inst in function.blocks.iter().flat_map(|b| &b.insts) {
            if let attest_model::Inst::Call(call) = inst {
                calls[i].insert(call.callee.0 as usize);
            }
        }
    }
    let mut out = BTreeSet::new();
    for start in 0..count {
        let mut seen = vec![false; count];
        let mut work: Vec<usize> = calls[start].iter().copied().collect();
        while let Some(at) = work.pop() {
            if !std::mem::replace(&mut seen[at], true) {
                work.extend(&calls[at]);
            }
        }
        if seen[start] {
            out.insert(program.functions[start].name.to_string());
        }
    }
    out
}

impl Explained {
    /// The proof as text for people.
    pub fn text(&self) -> String {
        use std::fmt::Write;
        let mut out = String::new();
        for invariant in &self.invariants {
            let LoopInvariant {
                file,
                line,
                function,
                value,
                ..
            } = invariant;
            let _ = writeln!(
                out,
                "invariant of the loop at {file}:{line} in {function}:\n  {value}"
            );
        }
        for summary in &self.summaries {
            let FunctionSummary {
                function,
                before,
                never,
            } = summary;
            let _ = match before.as_str() {
                "true" => writeln!(out, "{function} never {never}"),
                _ => writeln!(out, "{function}, called where {before}, never {never}"),
            };
        }
        out
    }
}
