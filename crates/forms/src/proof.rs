//! A proof as people read it: invariants of loops and summaries of functions, in C.
//!
//! A loop invariant is said only if it is certainly one of the C program: the
//! loop is found by the place of the jump back to its head, which is the
//! loop's keyword; every copy of the loop that inlining made has an invariant,
//! and their disjunction is what holds at the loop; and every name means, at
//! the loop, the variable that the term is about. What cannot be said so is
//! left out, which makes an invariant weaker and never wrong.

use crate::cexpr::{Named, Printer};
use crate::csource::{CSource, Form};
use attest_engine::{Proof, Summary};
use attest_llvm::ctype::{CType, Encoding};
use attest_model::graph::{Graph, Loc, LocKind, Outcome};
use attest_model::{BlockId, Program, Reg, Sort, Terminator, VarId};
use attest_term::{SymbolId, Term, Terms};
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
    /// What does not happen then: it does not end so.
    pub never: String,
}

/// A proof in C.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Explained {
    /// Invariants of loops.
    pub invariants: Vec<LoopInvariant>,
    /// Loops of the program whose part of the proof cannot be said in C, as `file:line`.
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
    /// The arena of the proof's terms.
    pub terms: &'a Terms,
    /// Its source files by the names that places use.
    pub sources: &'a BTreeMap<String, CSource>,
}

impl Subject<'_> {
    /// Puts a proof in C.
    pub fn explain(&self, proof: &Proof) -> Explained {
        let known: FxHashMap<Loc, Term> = proof.invariants.iter().copied().collect();
        let recursive = recursive_functions(self.original);
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
                source,
                function: &function,
                keyword: (line, column),
            };
            let said: Option<BTreeSet<String>> = heads
                .iter()
                .map(|head| scope.said(*head, known.get(head).copied()))
                .collect();
            let values: Vec<String> = said.into_iter().flatten().collect();
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
        explained.summaries = proof
            .summaries
            .iter()
            .map(|(_, s)| self.summary(s))
            .collect();
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
    fn keywords(&self, function: attest_model::FnId, head: BlockId) -> BTreeSet<Keyword> {
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
        let id = summary.function.0;
        let function = program.function(summary.function);
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
            names.push((self.terms.to_c(*ghost), format!("z{i}")));
        }
        names.sort_by_key(|(from, _)| std::cmp::Reverse(from.len()));
        names
    }

    fn summary(&self, summary: &Summary) -> FunctionSummary {
        let program = self.program;
        let function = program.function(summary.function).name.to_string();
        let never = match summary.outcome {
            Outcome::Return => format!("returns with {}", self.terms.to_c(summary.post)),
            Outcome::Error => "reaches the error".into(),
            Outcome::Halt => "ends the program".into(),
            Outcome::Bail(kind) => format!("leaves the model ({})", kind.word()),
        };
        let (mut before, mut never) = (self.terms.to_c(summary.pre), never);
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
        FunctionSummary {
            function,
            before,
            never,
        }
    }
}

fn is_word(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
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

/// Where an invariant will stand.
struct Scope<'a> {
    subject: &'a Subject<'a>,
    source: &'a CSource,
    function: &'a str,
    keyword: (u32, u32),
}

impl Scope<'_> {
    /// The invariant of a location in C; none if nothing of it can be said.
    fn said(&self, head: Loc, invariant: Option<Term>) -> Option<String> {
        let names = |symbol: SymbolId| self.name(head, symbol);
        let printer = Printer {
            terms: self.subject.terms,
            names: &names,
        };
        let mut parts = without_implied(printer.weakened(invariant?));
        match parts.len() {
            0 => None,
            1 => parts.pop(),
            _ => {
                let parts: Vec<String> = parts.iter().map(|p| format!("({p})")).collect();
                Some(parts.join(" && "))
            }
        }
    }

    fn name(&self, head: Loc, symbol: SymbolId) -> Option<Named> {
        let program = self.subject.program;
        let text = &self.subject.terms.symbol(symbol).name;
        let (sort, variable) = if let Some(number) = text.strip_prefix('r') {
            let reg = Reg(number.parse().ok()?);
            let location = self.subject.graph.location(head);
            if location.function != Some(program.entry) || !location.live.contains(&reg) {
                return None;
            }
            let function = program.function(program.entry);
            let info = function.regs.get(reg.0 as usize)?;
            let variable = info.variable?;
            // Two living registers of one variable would be two activations.
            let twins = location.live.iter();
            let twins = twins.filter(|r| function.regs[r.0 as usize].variable == Some(variable));
            if twins.count() != 1 {
                return None;
            }
            (info.sort, variable)
        } else {
            let number: usize = text.strip_prefix('g')?.parse().ok()?;
            let info = program.globals.get(number)?;
            (info.sort, info.variable?)
        };
        let Sort::Int(width) = sort else {
            return None;
        };
        self.in_scope(variable)?;
        let variable = program.variable(variable);
        let signed = match program.metadata.ctype(variable.ty?)? {
            CType::Basic { encoding, bits, .. } if bits == u64::from(width) => match encoding {
                Encoding::Signed | Encoding::SignedChar => true,
                Encoding::Unsigned | Encoding::UnsignedChar | Encoding::Bool => false,
                Encoding::Float | Encoding::Other => return None,
            },
            CType::Enum { bits, signed, .. } if bits == u64::from(width) => signed,
            _ => return None,
        };
        Some(Named {
            name: variable.name.to_string(),
            signed,
        })
    }

    /// Whether the variable's name means it at the loop's keyword.
    fn in_scope(&self, id: VarId) -> Option<()> {
        let program = self.subject.program;
        let metadata = &program.metadata;
        let owner = |v: &attest_model::Variable| metadata.function_of_variable(v.declared);
        let variable = program.variable(id);
        let own = owner(variable);
        let info = metadata.variable(variable.declared)?;
        let twins = program.variables.iter().filter(|other| {
            other.name == variable.name
                && (owner(other) == Some(self.function) || owner(other).is_none())
        });
        if twins.count() != 1 {
            return None;
        }
        match own {
            None => Some(()),
            Some(function) if function == self.function => {
                if info.arg.is_some() {
                    return Some(());
                }
                self.declaration_reaches(&variable.name, info.line)
            }
            Some(_) => None,
        }
    }

    /// Whether the block of a declaration is around the loop's keyword.
    fn declaration_reaches(&self, name: &str, line: u32) -> Option<()> {
        let source = self.source;
        let keyword = source.at(self.keyword.0, self.keyword.1)?;
        let first = source.first_on(line)?;
        let on_line = |t: &usize| source.tokens.get(*t).is_some_and(|t| t.line == line);
        let declared = (first..)
            .take_while(on_line)
            .find(|t| source.word(*t) == name)?;
        let around = |s: &&crate::csource::Statement| s.start < declared && declared < s.end;
        let innermost = source
            .statements
            .iter()
            .filter(|s| s.form == Form::Block || s.form == Form::For)
            .filter(around)
            .max_by_key(|s| s.start);
        match innermost {
            // In a `for` header, the scope is that loop.
            Some(block) if block.form == Form::For => {
                let in_header = block.header.is_some_and(|(_, close)| declared < close);
                (in_header && block.start <= keyword && keyword < block.end).then_some(())
            }
            Some(block) => (declared < keyword && keyword < block.end).then_some(()),
            None => (declared < keyword).then_some(()),
        }
    }
}

/// Conjuncts without bounds that stronger ones imply: what is left says the same.
fn without_implied(parts: Vec<String>) -> Vec<String> {
    fn number(text: &str) -> Option<i128> {
        text.parse().ok()
    }
    /// A name and its bound: `3 <= x`, `x <= 3` or `x != 3`.
    fn bound(part: &str) -> Option<(&str, &str, i128)> {
        let plain = |t: &str| t.strip_prefix("(int)").unwrap_or(t).to_owned();
        let is_name = |t: &str| {
            plain(t)
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        if let Some((a, b)) = part.split_once(" <= ") {
            return match (number(a), number(b)) {
                (Some(n), None) if is_name(b) => Some((b, "least", n)),
                (None, Some(n)) if is_name(a) => Some((a, "most", n)),
                _ => None,
            };
        }
        let (a, b) = part.split_once(" != ")?;
        Some((a, "not", number(b)?)).filter(|_| is_name(a))
    }
    let mut ranges: BTreeMap<String, (Option<i128>, Option<i128>)> = BTreeMap::new();
    for (name, kind, n) in parts.iter().filter_map(|p| bound(p)) {
        let (low, high) = ranges.entry(name.to_owned()).or_default();
        match kind {
            "least" => *low = Some(low.map_or(n, |l| l.max(n))),
            "most" => *high = Some(high.map_or(n, |h| h.min(n))),
            _ => {}
        }
    }
    // Where two variables are equal, neither is less.
    let uncast = |t: &str| t.strip_prefix("(int)").unwrap_or(t).to_owned();
    let pair = |part: &str, sign: &str| {
        let (a, b) = part.split_once(sign)?;
        let (a, b) = (uncast(a), uncast(b));
        let plain = is_word(&a) && is_word(&b);
        plain.then(|| if a < b { (a, b) } else { (b, a) })
    };
    let equal: BTreeSet<_> = parts.iter().filter_map(|p| pair(p, " == ")).collect();
    let mut seen = BTreeSet::new();
    let mut keeps = |part: &String| {
        if pair(part, " <= ").is_some_and(|pair| equal.contains(&pair)) {
            return false;
        }
        let Some((name, kind, n)) = bound(part) else {
            return true;
        };
        let (low, high) = ranges[name];
        let useful = match kind {
            "least" => low == Some(n),
            "most" => high == Some(n),
            _ => low.is_none_or(|l| n >= l) && high.is_none_or(|h| n <= h),
        };
        useful && seen.insert(part.clone())
    };
    parts.into_iter().filter(|part| keeps(part)).collect()
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
