//! The invariants of a correctness witness as checks in the program's text.
//!
//! An invariant becomes a check each time its loop's condition is about to be
//! evaluated, or its statement is about to be executed: the program with these
//! checks is safe if and only if it was safe and every invariant holds.
//!
//! YAML says a place by line and column. GraphML says the line of the
//! statement that leads to the node with the invariant and of those that come
//! next; where that is no loop, the moment is not sure, so an invariant that
//! is broken there refutes nothing, and one that cannot be placed is left out.
//!
//! An expression whose value C may leave undefined is evaluated apart, in runs
//! that choose so: nothing that the evaluation does then is assumed of the
//! others.

use crate::csource::{CSource, Form, Statement};
use crate::expression::{checked, wrong};
use crate::instrument::{Edits, Files, before_statement};
use crate::witness::{Claim, Location, Problem};
use std::collections::BTreeMap;

/// Called where an invariant does not hold.
pub const REFUTED: &str = "__attest_refuted";
/// Called where an invariant does not hold whose place is not sure.
pub const DOUBTED: &str = "__attest_doubted";

/// A program with checks of invariants in its text.
pub struct Checked {
    /// The files; one without an invariant stays as it is.
    pub texts: Vec<Option<String>>,
    /// Claims that could not be placed, by their number, and why.
    pub left_out: Vec<(usize, String)>,
}

/// Where a check goes.
enum Spot {
    Loop(Statement),
    Before(Statement),
    /// After a statement, which may not be the moment that is meant.
    After(Statement),
}

impl Files<'_> {
    /// The program with a check of each invariant, `apart` from its own runs if that is asked for.
    pub fn with_invariants(&self, claims: &[Claim], apart: bool) -> Result<Checked, Problem> {
        let mut edits: BTreeMap<usize, Edits> = BTreeMap::new();
        let mut left_out = Vec::new();
        for (number, claim) in claims.iter().enumerate() {
            let location = &claim.location;
            if claim.loose && claim.value.contains('\\') {
                let why = "this is no expression of C".to_owned();
                left_out.push((number, format!("{}: {why}", location.file)));
                continue;
            }
            let value = checked(&claim.value, location)?;
            if value.contains("__attest_result") {
                return wrong(location, "an invariant has no result");
            }
            let (at, spot) = match self.spot(claim)? {
                Ok(found) => found,
                Err(why) => {
                    left_out.push((number, why));
                    continue;
                }
            };
            let broken = match spot {
                Spot::After(_) => DOUBTED,
                _ => REFUTED,
            };
            let check = format!("((void)(({value}) ? 0 : ({broken}(), 0)))");
            let check = match apart {
                false => check,
                true => format!(
                    "__extension__ ({{ int __attest_apart; (void)(__attest_apart == 1 ? \
                     ({check}, 0) : 0); }})"
                ),
            };
            let source = self.files[at].1;
            let edits = edits.entry(at).or_default();
            match spot {
                Spot::Loop(found) => at_loop(edits, source, &found, &check),
                Spot::Before(found) => before_statement(edits, source, &found, &check),
                Spot::After(found) => {
                    let last = found.end.saturating_sub(1);
                    edits.after(source, last, format!(" {check};"));
                }
            }
        }
        let prelude = format!("extern void {REFUTED}(void), {DOUBTED}(void);");
        Ok(Checked {
            texts: self.apply(edits, &prelude),
            left_out,
        })
    }

    /// The file and place of a claim; the inner error is why it has none.
    fn spot(&self, claim: &Claim) -> Result<Result<(usize, Spot), String>, Problem> {
        let location = &claim.location;
        if claim.loose {
            return self.spot_of_lines(claim);
        }
        let (at, source) = self.find(location)?;
        if claim.of_loop {
            let found = self.statement(source, location, Statement::is_loop, "loop")?;
            return Ok(Ok((at, Spot::Loop(*found))));
        }
        match self.statement(source, location, |_| true, "statement") {
            Ok(found) => Ok(Ok((at, Spot::Before(*found)))),
            Err(Problem::Wrong(why)) => Ok(Err(why)),
            Err(other) => Err(other),
        }
    }

    /// The same for a claim of which there are lines only.
    fn spot_of_lines(&self, claim: &Claim) -> Result<Result<(usize, Spot), String>, Problem> {
        let on = |line: u32| Location {
            line,
            ..claim.location.clone()
        };
        let before = claim.location.line;
        let Some(line) = claim.next.or(Some(before)).filter(|line| *line > 0) else {
            return Ok(Err("an invariant has no line".into()));
        };
        let (at, source) = self.find(&on(line))?;
        let nowhere = |line: u32| {
            let file = &claim.location.file;
            Ok(Err(format!(
                "{file}:{line}: the place of an invariant is not clear"
            )))
        };
        let here = |found: &Statement| self.in_function(source, found.start, &on(line)).is_ok();
        if claim.of_loop {
            let found = self.statement(source, &on(line), Statement::is_loop, "loop");
            let found = found.ok().copied().or_else(|| match claim.next {
                Some(_) => None,
                None => loop_after(source, before),
            });
            return match found {
                Some(found) if here(&found) => Ok(Ok((at, Spot::Loop(found)))),
                _ if claim.next.is_none() && leads_to_no_loop(source, before) => {
                    wrong(&on(before), "there is no loop here")
                }
                _ => nowhere(line),
            };
        }
        // What is between the two lines may be executed before the node is left.
        let (_, source) = match before {
            0 => return nowhere(line),
            _ => self.find(&claim.location)?,
        };
        match plain_on(source, before).as_slice() {
            [one] if one.in_block && here(one) => Ok(Ok((at, Spot::After(*one)))),
            _ => nowhere(before),
        }
    }
}

/// The expressions and declarations that a line has parts of.
fn plain_on(source: &CSource, line: u32) -> Vec<Statement> {
    let is_on = |s: &&Statement| {
        let lines = source.tokens[s.start].line..=source.tokens[s.end - 1].line;
        s.form == Form::Plain && lines.contains(&line)
    };
    source.statements.iter().filter(is_on).copied().collect()
}

/// The loop whose head comes right after a statement on this line.
fn loop_after(source: &CSource, line: u32) -> Option<Statement> {
    let plain = plain_on(source, line);
    let last = plain.last()?;
    let mut loops = source.statements.iter().filter(|s| s.is_loop());
    let next = loops.clone().find(|s| s.start == last.end);
    // The end of a body in braces leads back to the head.
    next.or_else(|| loops.find(|s| s.form != Form::Do && s.end == last.end + 1))
        .copied()
}

/// Whether another plain statement comes right after each one on this line.
fn leads_to_no_loop(source: &CSource, line: u32) -> bool {
    let plain = plain_on(source, line);
    let follows = |one: &Statement| {
        let mut all = source.statements.iter();
        one.in_block && all.any(|s| s.form == Form::Plain && s.in_block && s.start == one.end)
    };
    !plain.is_empty() && plain.iter().all(follows)
}

/// Evaluates an expression each time that a loop is at its head.
fn at_loop(edits: &mut Edits, source: &CSource, found: &Statement, check: &str) {
    match found.form {
        Form::While => {
            if let Some((open, _)) = found.header {
                edits.after(source, open, format!("{check}, "));
            }
        }
        Form::For => {
            if let Some((first, end)) = source.for_condition(found) {
                let one = if first == end { "1" } else { "" };
                edits.before(source, first, format!("{check}, {one}"));
            }
        }
        _ => {
            let body = found.start + 1;
            let last = found.header.and_then(|(open, _)| open.checked_sub(2));
            edits.before(source, body, format!("{{ {check}; "));
            edits.after(source, last.unwrap_or(body), " }".into());
        }
    }
}
