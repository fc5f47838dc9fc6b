//! The claims of a witness as statements in the program's own text.
//!
//! Invariants become checks ([`crate::claims`]). A violation witness becomes a
//! counter of segments that its waypoints advance; a run that comes to the
//! target with all segments behind it follows the witness. A waypoint is
//! passed the first time that its place is reached and its constraint holds.
//! So one engine decides both, and nothing else knows what a witness means.
//!
//! Lines keep their numbers, and `#line` their file's name.

use crate::csource::{CSource, Form, Kind, Statement};
use crate::expression::{checked, wrong};
use crate::witness::{Location, Problem, Waypoint, What};
use std::collections::BTreeMap;

/// Called where a run has followed a witness to its target.
pub const FOLLOWED: &str = "__attest_followed";
/// A function that asks about one constraint only.
pub const ALONE: &str = "__attest_alone";
/// The segment that a run is in; -1 once it has left the witness.
const STATE: &str = "__attest_segment";

/// Segments of a witness that are followed at most.
const MOST_SEGMENTS: usize = 400;

/// The program's files: name, text.
pub struct Files<'a> {
    /// By the name that the compiler sees.
    pub files: Vec<(String, &'a CSource)>,
    /// Functions whose call violates the property.
    pub errors: &'a [String],
}

/// Pieces of text to put into one file, by the byte before which they go.
#[derive(Default)]
pub(crate) struct Edits(Vec<(usize, i32, String)>);

impl Edits {
    /// What closes comes before what opens at the same place, the inner first.
    pub(crate) fn before(&mut self, source: &CSource, token: usize, text: String) {
        let rank = self.0.len() as i32 + 1;
        self.0.push((source.tokens[token].start, rank, text));
    }

    pub(crate) fn after(&mut self, source: &CSource, token: usize, text: String) {
        let rank = -(self.0.len() as i32 + 1);
        self.0.push((source.tokens[token].end, rank, text));
    }

    fn apply(mut self, name: &str, prelude: &str, text: &str) -> String {
        self.0.sort_by_key(|(at, rank, _)| (*at, *rank));
        let mut out = format!(
            "{prelude}\n#line 1 \"{}\"\n",
            name.replace(['"', '\\'], "_")
        );
        let mut from = 0;
        for (at, _, piece) in &self.0 {
            out.push_str(&text[from..*at]);
            out.push_str(piece);
            from = *at;
        }
        out.push_str(&text[from..]);
        out
    }
}

impl Files<'_> {
    pub(crate) fn find(&self, location: &Location) -> Result<(usize, &CSource), Problem> {
        let base = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
        let exact = self
            .files
            .iter()
            .position(|(name, _)| *name == location.file);
        let wanted = base(&location.file);
        let same = || self.files.iter().position(|(name, _)| base(name) == wanted);
        let Some(at) = exact.or_else(same) else {
            return wrong(location, "the program has no such file");
        };
        let source = self.files[at].1;
        let lines = source.text.lines().count() as u32;
        if location.line == 0 || location.line > lines {
            return wrong(location, "the file has no such line");
        }
        Ok((at, source))
    }

    pub(crate) fn in_function(
        &self,
        source: &CSource,
        token: usize,
        location: &Location,
    ) -> Result<(), Problem> {
        let function = source.function_at(token).map(|f| f.name.as_str());
        match &location.function {
            Some(name) if function != Some(name) => wrong(location, "this is not in that function"),
            _ => Ok(()),
        }
    }

    /// The statement that begins at a place, if it is such a one.
    pub(crate) fn statement<'s>(
        &self,
        source: &'s CSource,
        location: &Location,
        fits: impl Fn(&Statement) -> bool,
        what: &str,
    ) -> Result<&'s Statement, Problem> {
        let here = |s: &&Statement| {
            let token = source.tokens[s.start];
            let column = location.column.is_none_or(|c| c == token.column);
            token.line == location.line && column && fits(s)
        };
        // A line alone may be one of a header that begins above it.
        let around = |s: &&Statement| {
            let end = s.header.map_or(0, |(_, close)| source.tokens[close].line);
            let lines = source.tokens[s.start].line..=end;
            location.column.is_none() && fits(s) && lines.contains(&location.line)
        };
        let mut all = source.statements.iter();
        let found = all.find(here);
        match found.or_else(|| source.statements.iter().rfind(around)) {
            Some(statement) => {
                self.in_function(source, statement.start, location)?;
                Ok(statement)
            }
            None => wrong(location, &format!("there is no {what} here")),
        }
    }

    pub(crate) fn apply(
        &self,
        mut edits: BTreeMap<usize, Edits>,
        prelude: &str,
    ) -> Vec<Option<String>> {
        let files = self.files.iter().enumerate();
        files
            .map(|(i, (name, source))| {
                let edits = edits.remove(&i)?;
                Some(edits.apply(name, prelude, &source.text))
            })
            .collect()
    }

    /// The program with a counter of segments; a file without a waypoint stays as it is.
    pub fn with_waypoints(
        &self,
        segments: &[Vec<Waypoint>],
    ) -> Result<Vec<Option<String>>, Problem> {
        if segments.len() > MOST_SEGMENTS {
            let why = format!("it has more than {MOST_SEGMENTS} segments");
            return Err(Problem::Unsupported(why));
        }
        let mut events: BTreeMap<(usize, usize, u8), Event> = BTreeMap::new();
        // GraphML has lines only, and facts at places that are no statements.
        let placed = |segment: &&Vec<Waypoint>| {
            let fails = |w: &Waypoint| self.add(&mut BTreeMap::new(), 0, w).is_err();
            !segment.iter().any(|w| w.is_loose() && fails(w))
        };
        for (number, segment) in segments.iter().filter(placed).enumerate() {
            for waypoint in segment {
                self.add(&mut events, number, waypoint)?;
            }
        }
        let mut edits: BTreeMap<usize, Edits> = BTreeMap::new();
        for ((file, token, _), event) in &events {
            let source = self.files[*file].1;
            event.insert(edits.entry(*file).or_default(), source, *token)?;
        }
        let first = edits.keys().next().copied();
        let files = self.files.iter().enumerate();
        Ok(files
            .map(|(i, (name, source))| {
                let edits = edits.remove(&i)?;
                let storage = if Some(i) == first { "" } else { "extern " };
                let prelude = format!("extern void {FOLLOWED}(void); {storage}int {STATE};");
                Some(edits.apply(name, &prelude, &source.text))
            })
            .collect())
    }

    fn add(
        &self,
        events: &mut BTreeMap<(usize, usize, u8), Event>,
        number: usize,
        waypoint: &Waypoint,
    ) -> Result<(), Problem> {
        let location = &waypoint.location;
        if waypoint.what == What::Target {
            return self.add_target(events, number, location);
        }
        let (file, source) = self.find(location)?;
        let constraint = waypoint.constraint.as_deref().unwrap_or("1");
        let kind = waypoint.what as u8;
        let (tokens, constraint) = match waypoint.what {
            What::Assumption | What::Afterwards => {
                let plain =
                    |s: &Statement| waypoint.what == What::Assumption || s.form == Form::Plain;
                let found = self.statement(source, location, plain, "statement")?;
                (vec![found.start], checked(constraint, location)?)
            }
            What::Branching => {
                let branches = |s: &Statement| s.header.is_some();
                let found = self.statement(source, location, branches, "branching")?;
                let value = match (constraint, found.form) {
                    ("true", form) if form != Form::Switch => "__attest_branch".to_owned(),
                    ("false", form) if form != Form::Switch => "!__attest_branch".to_owned(),
                    (number, Form::Switch) if number.parse::<i64>().is_ok() => {
                        format!("__attest_branch == {number}")
                    }
                    ("default", Form::Switch) => {
                        let why = "the default case of a switch".to_owned();
                        return Err(Problem::Unsupported(why));
                    }
                    _ => return wrong(location, "this is no value of the condition"),
                };
                (vec![found.start], value)
            }
            What::Enter | What::Return => {
                let calls = self.calls(source, location)?;
                (calls, checked(constraint, location)?)
            }
            What::Target => return Ok(()),
        };
        if waypoint.what != What::Return && constraint.contains("__attest_result") {
            return wrong(location, "only a return has a result");
        }
        for token in tokens {
            let event = events.entry((file, token, kind)).or_insert_with(|| Event {
                what: waypoint.what,
                passes: Vec::new(),
                error: None,
            });
            event
                .passes
                .push((number, waypoint.avoid, constraint.clone()));
        }
        Ok(())
    }

    /// The closing parentheses of the calls at a place, or on a line if that is all that is known.
    fn calls(&self, source: &CSource, location: &Location) -> Result<Vec<usize>, Problem> {
        let is_call = |close: usize| {
            let open = source.opening(close).filter(|_| source.word(close) == ")");
            let callee = open.and_then(|o| o.checked_sub(1));
            callee.is_some_and(|c| {
                let keyword = matches!(
                    source.word(c),
                    "if" | "while" | "for" | "switch" | "return" | "sizeof"
                );
                let named = location
                    .callee
                    .as_deref()
                    .is_none_or(|n| n == source.word(c));
                source.tokens[c].kind == Kind::Word
                    && !keyword
                    && named
                    && source.function_at(c).is_some_and(|f| f.open < c)
            })
        };
        let found: Vec<usize> = match location.column {
            Some(column) => source
                .at(location.line, column)
                .into_iter()
                .filter(|t| is_call(*t))
                .collect(),
            None => {
                let on_line = |t: &usize| source.tokens[*t].line == location.line;
                let mut all: Vec<usize> = (0..source.tokens.len())
                    .filter(on_line)
                    .filter(|t| is_call(*t))
                    .collect();
                if location.callee.is_none() {
                    all.truncate(1);
                }
                all
            }
        };
        match found.first() {
            None => wrong(location, "no call ends here"),
            Some(token) => self
                .in_function(source, *token, location)
                .map(|()| found.clone()),
        }
    }

    /// A file whose entry [`ALONE`] comes to [`FOLLOWED`] if some result of the call satisfies
    /// the constraint by itself; none if that cannot be asked.
    pub fn alone(&self, waypoint: &Waypoint) -> Option<(usize, String)> {
        let location = &waypoint.location;
        if waypoint.what != What::Return || waypoint.avoid {
            return None;
        }
        let (at, source) = self.find(location).ok()?;
        let close = *self.calls(source, location).ok()?.first()?;
        let open = source.opening(close)?;
        let constraint = checked(waypoint.constraint.as_deref()?, location).ok()?;
        let mut depth = 0;
        let mut zeros = usize::from(open + 1 < close);
        for token in open + 1..close {
            match source.word(token) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                "," if depth == 0 => zeros += 1,
                _ => {}
            }
        }
        let callee = source.word(open.checked_sub(1)?);
        let zeros = vec!["0"; zeros].join(", ");
        let text = format!(
            "{}\nextern void {FOLLOWED}(void);\nvoid {ALONE}(void) {{ \
             __typeof__({callee}({zeros})) __attest_result; if ({constraint}) {FOLLOWED}(); }}\n",
            source.text
        );
        Some((at, text))
    }

    /// The target: a call of an error function or a failing assertion at the place, or
    /// anywhere if the place is no more than a line without one.
    fn add_target(
        &self,
        events: &mut BTreeMap<(usize, usize, u8), Event>,
        number: usize,
        location: &Location,
    ) -> Result<(), Problem> {
        let is_error = |source: &CSource, t: usize| {
            let word = source.word(t);
            let asserts = word == "assert" && self.errors.iter().any(|e| e.contains("assert"));
            let inside = source.function_at(t).is_some_and(|f| f.open < t);
            (asserts || self.errors.iter().any(|e| e == word))
                && source.word(t + 1) == "("
                && inside
        };
        let mut found: Vec<(usize, usize)> = Vec::new();
        if let (Some(column), Ok((file, source))) = (location.column, self.find(location)) {
            let token = source.at(location.line, column);
            // A block or label may stand before the call.
            let Some(mut token) = token else {
                return wrong(location, "nothing begins here");
            };
            while source.word(token) == "{" || source.word(token + 1) == ":" {
                token += if source.word(token) == "{" { 1 } else { 2 };
            }
            if !is_error(source, token) {
                return wrong(location, "this is no call of the error");
            }
            self.in_function(source, token, location)?;
            found.push((file, token));
        } else {
            let (mut here, mut all) = (Vec::new(), Vec::new());
            if location.line > 0 {
                self.find(location)?;
            }
            for (file, (_, source)) in self.files.iter().enumerate() {
                for t in (0..source.tokens.len()).filter(|t| is_error(source, *t)) {
                    all.push((file, t));
                    if source.tokens[t].line == location.line {
                        here.push((file, t));
                    }
                }
            }
            found.extend(if here.is_empty() { all } else { here });
        }
        if found.is_empty() {
            return wrong(location, "the program has no call of the error");
        }
        for (file, token) in found {
            let source = self.files[file].1;
            let Some(close) = source.closing(token + 1) else {
                return wrong(location, "this call has no end");
            };
            let condition = match source.word(token) {
                "assert" => format!("!({})", source.words(token + 2, close)),
                _ => "1".into(),
            };
            events.insert(
                (file, token, What::Target as u8),
                Event {
                    what: What::Target,
                    passes: vec![(number, false, condition)],
                    error: Some(close),
                },
            );
        }
        Ok(())
    }
}

/// What happens at a place of the text.
struct Event {
    what: What,
    /// Segment, whether it is to be avoided, and the constraint.
    passes: Vec<(usize, bool, String)>,
    /// The end of the call of an error.
    error: Option<usize>,
}

impl Event {
    /// An expression that takes a run from one segment to the next.
    fn chain(&self) -> String {
        let mut text = "0".to_owned();
        for (segment, avoid, constraint) in self.passes.iter().rev() {
            let next = if *avoid { -1 } else { *segment as i64 + 1 };
            text = format!(
                "({STATE} == {segment} && ({constraint})) ? ({STATE} = {next}, 0) : ({text})"
            );
        }
        format!("(void)({text})")
    }

    fn insert(&self, edits: &mut Edits, source: &CSource, token: usize) -> Result<(), Problem> {
        let chain = self.chain();
        let statement = |form: Option<Form>| {
            let mut all = source.statements.iter();
            all.find(|s| s.start == token && form.is_none_or(|f| f == s.form))
        };
        match self.what {
            What::Assumption => {
                if let Some(found) = statement(None) {
                    before_statement(edits, source, found, &chain);
                }
            }
            What::Afterwards => {
                let Some(found) = statement(Some(Form::Plain)) else {
                    return Ok(());
                };
                let semicolon = found.end - 1;
                match found.in_block {
                    true => edits.after(source, semicolon, format!(" {chain};")),
                    // Not a declaration, so it is an expression.
                    false => edits.before(source, semicolon, format!(", {chain}")),
                }
            }
            What::Branching => {
                let mut all = source.statements.iter();
                let Some(found) = all.find(|s| s.start == token && s.header.is_some()) else {
                    return Ok(());
                };
                let (open, close) = found.header.unwrap_or_default();
                let (first, end) = match found.form {
                    Form::For => source.for_condition(found).unwrap_or((open + 1, close)),
                    _ => (open + 1, close),
                };
                let ty = if found.form == Form::Switch {
                    "long long"
                } else {
                    "int"
                };
                let truth = if found.form == Form::Switch { "" } else { "!!" };
                let opening = format!("__extension__ ({{ {ty} __attest_branch = {truth}(");
                let closing = format!("); {chain}; __attest_branch; }})");
                if first == end {
                    edits.before(source, end, format!("{opening}1{closing}"));
                } else {
                    edits.before(source, first, opening);
                    edits.after(source, end - 1, closing);
                }
            }
            What::Enter | What::Return => {
                let Some(callee) = source.opening(token).and_then(|open| open.checked_sub(1))
                else {
                    return Ok(());
                };
                let call = source.words(callee, token + 1);
                let uses_result = self
                    .passes
                    .iter()
                    .any(|(_, _, c)| c.contains("__attest_result"));
                let (opening, closing) = match (self.what, uses_result) {
                    (What::Enter, _) => (format!("__extension__ ({{ {chain}; "), "; })".to_owned()),
                    (_, true) => (
                        format!("__extension__ ({{ __typeof__({call}) __attest_result = "),
                        format!("; {chain}; __attest_result; }})"),
                    ),
                    (_, false) => ("__extension__ ({ ".to_owned(), format!("; {chain}; }})")),
                };
                edits.before(source, callee, opening);
                edits.after(source, token, closing);
            }
            What::Target => {
                let (segment, _, condition) = &self.passes[0];
                let check =
                    format!("(({STATE} == {segment} && ({condition})) ? {FOLLOWED}() : (void)0, ");
                edits.before(source, token, check);
                edits.after(source, self.error.unwrap_or(token), ")".into());
            }
        }
        Ok(())
    }
}

/// Evaluates an expression before a statement.
pub(crate) fn before_statement(
    edits: &mut Edits,
    source: &CSource,
    found: &Statement,
    check: &str,
) {
    match found.in_block {
        true => edits.before(source, found.start, format!("{check}; ")),
        // An `else` that follows still belongs to the `if` around.
        false => edits.before(source, found.start, format!("if ({check}, 0) ; else ")),
    }
}
