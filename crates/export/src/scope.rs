//! What a term means at a place of the C text: which names stand for its symbols there.
//!
//! A symbol has a name only if that name, at that place, is the variable which
//! the symbol is: alive, of one activation, in scope and not hidden.

use crate::cells::Memory;
use crate::cexpr::{Named, Printer};
use crate::csource::{CSource, Form};
use crate::proof::Subject;
use attest_llvm::ctype::{CType, Encoding};
use attest_model::graph::Loc;
use attest_model::{Reg, Sort, VarId};
use attest_term::{SymbolId, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// Characters of an invariant; further conjuncts are left out.
const MOST_TEXT: usize = 1000;

/// Where an invariant will stand.
pub(crate) struct Scope<'a> {
    pub subject: &'a Subject<'a>,
    pub terms: &'a Terms,
    pub source: &'a CSource,
    pub function: &'a str,
    pub keyword: (u32, u32),
    pub memory: &'a Memory,
}

impl Scope<'_> {
    /// The invariant of a location in C; none if nothing of it can be said.
    pub fn said(&self, head: Loc, invariant: Option<Term>) -> Option<String> {
        let names = |symbol: SymbolId| self.name(head, symbol);
        let cells = |object, offset, bytes| self.cell(head, object, offset, bytes);
        let printer = Printer::new(self.terms, &names).with_memory(&cells);
        let mut parts = without_implied(printer.weakened(invariant?));
        // What is too long for a reader takes a validator too long as well.
        let mut length = 0;
        parts.retain(|part| {
            let fits = length + part.len() <= MOST_TEXT;
            length += if fits { part.len() } else { 0 };
            fits
        });
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
        let text = &self.terms.symbol(symbol).name;
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
    pub(crate) fn in_scope(&self, id: VarId) -> Option<()> {
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

/// Whether a text is a name or a number.
pub(crate) fn is_word(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
