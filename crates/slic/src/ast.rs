//! A rule as data.
//!
//! Types, initial values and expressions are C, and clang
//! checks them: they are kept as spans of the rule's text, so that its messages
//! have places in the rule. The structure has what the rule means.

use crate::lexer::{Span, place};
use crate::prototype::Prototype;

/// A rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// The name of its file.
    pub file: String,
    /// The text of the file.
    pub text: String,
    /// Declarations of C and lines of the preprocessor, in order.
    pub declarations: Vec<Span>,
    /// The functions among the declarations.
    pub prototypes: Vec<Prototype>,
    /// The state of the whole program.
    pub state: Vec<Variable>,
    /// The object with a state of its own, if the rule is about each object of a kind.
    pub watch: Option<Watch>,
    /// What happens at which events.
    pub events: Vec<Event>,
}

/// A variable of the state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its declaration in C, without the semicolon.
    pub declaration: Span,
    /// Its first value.
    pub initial: Option<Span>,
}

/// The watched object: any one object, which stands for all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Watch {
    /// The name of the object in the rule.
    pub name: String,
    /// Its declaration in C, such as `void *lock`.
    pub declaration: Span,
    /// The state that each object has.
    pub state: Vec<Variable>,
}

/// When an event happens in a call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Moment {
    /// `.call`: the caller is about to call.
    Call,
    /// `.entry`: the function is about to start.
    Entry,
    /// `.exit`: the function is done.
    Exit,
    /// `.return`: the caller has the result.
    Return,
}

impl Moment {
    /// Whether it is before the function runs.
    pub fn is_before(self) -> bool {
        matches!(self, Moment::Call | Moment::Entry)
    }
}

/// A function and a moment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern {
    /// The function.
    pub function: String,
    /// The moment.
    pub moment: Moment,
    /// Where it stands.
    pub span: Span,
}

/// Which object an event is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum About {
    /// `on E`: the object that is `E`.
    On(Expr),
    /// `new E`: the object `E` that begins to exist here.
    New(Expr),
}

/// What is done when one of some patterns happens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// The patterns.
    pub patterns: Vec<Pattern>,
    /// Which object it is about.
    pub about: Option<About>,
    /// Nothing is done unless it holds.
    pub guard: Option<Expr>,
    /// What is done.
    pub body: Vec<Statement>,
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    /// A change of the state; all of it is C.
    Assign {
        /// What is assigned to.
        to: Expr,
        /// The value; none for `++` and `--`.
        value: Option<Expr>,
        /// The whole statement without its semicolon.
        span: Span,
    },
    /// `abort "text";`
    Abort {
        /// The text, without quotes; empty if there is none.
        text: String,
        /// Where it stands.
        span: Span,
    },
    /// `if (condition) then else otherwise`.
    If {
        /// The condition.
        condition: Expr,
        /// From `if` to the closing parenthesis.
        head: Span,
        /// If it holds.
        then: Vec<Statement>,
        /// If not.
        otherwise: Vec<Statement>,
    },
}

/// An expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expr {
    /// Its text.
    pub span: Span,
    /// What it is.
    pub kind: ExprKind,
}

/// The kind of an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExprKind {
    /// A variable or constant.
    Name(String),
    /// `$1`, `$2`, ...
    Param(u32),
    /// `$return`.
    Return,
    /// `nondet`: any number.
    Nondet,
    /// A number or character.
    Literal,
    /// `!e`, `-e`, `*e`, a cast, ...
    Unary(Box<Expr>),
    /// Two operands; the operator is kept for the predicates of conditions.
    Binary(String, Box<Expr>, Box<Expr>),
    /// `c ? a : b`.
    Choice(Box<[Expr; 3]>),
    /// `e.name` or `e->name`.
    Member(Box<Expr>, bool),
    /// `e[i]`.
    Index(Box<Expr>, Box<Expr>),
}

impl Expr {
    /// Its parts.
    pub fn parts(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Unary(e) | ExprKind::Member(e, _) => vec![e],
            ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => vec![a, b],
            ExprKind::Choice(all) => all.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Calls `see` for it and everything in it.
    pub fn each<'a>(&'a self, see: &mut impl FnMut(&'a Expr)) {
        let mut work = vec![self];
        while let Some(e) = work.pop() {
            see(e);
            work.extend(e.parts());
        }
    }

    /// Whether it depends on a parameter, a result or an input.
    pub fn is_about_call(&self) -> bool {
        let mut found = false;
        self.each(&mut |e| {
            found |= matches!(
                e.kind,
                ExprKind::Param(_) | ExprKind::Return | ExprKind::Nondet
            );
        });
        found
    }
}

impl Event {
    /// The expressions of an event: its object, its guard, those of its statements.
    pub fn expressions(&self) -> Vec<&Expr> {
        let mut out: Vec<&Expr> = Vec::new();
        out.extend(self.about.iter().map(|a| match a {
            About::On(e) | About::New(e) => e,
        }));
        out.extend(&self.guard);
        let mut work: Vec<&Statement> = self.body.iter().collect();
        while let Some(statement) = work.pop() {
            match statement {
                Statement::Assign { to, value, .. } => {
                    out.push(to);
                    out.extend(value);
                }
                Statement::Abort { .. } => {}
                Statement::If {
                    condition,
                    then,
                    otherwise,
                    ..
                } => {
                    out.push(condition);
                    work.extend(then.iter().chain(otherwise));
                }
            }
        }
        out
    }
}

impl Rule {
    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        &self.text[span.start..span.end]
    }

    /// Line and column of a span.
    pub fn place(&self, span: Span) -> (usize, usize) {
        place(&self.text, span.start)
    }

    /// The functions with events, without repetition, in order.
    pub fn functions(&self) -> Vec<&str> {
        let mut out: Vec<&str> = Vec::new();
        for pattern in self.events.iter().flat_map(|e| &e.patterns) {
            if !out.contains(&pattern.function.as_str()) {
                out.push(&pattern.function);
            }
        }
        out
    }

    /// The predicates of guards and conditions that are about the state alone,
    /// without repetition: no parameter, result or input is in them.
    pub fn predicates(&self) -> Vec<&Expr> {
        let mut conditions: Vec<&Expr> = self
            .events
            .iter()
            .filter_map(|e| e.guard.as_ref())
            .collect();
        let mut work: Vec<&Statement> = self.events.iter().flat_map(|e| &e.body).collect();
        while let Some(statement) = work.pop() {
            if let Statement::If {
                condition,
                then,
                otherwise,
                ..
            } = statement
            {
                conditions.push(condition);
                work.extend(then.iter().chain(otherwise));
            }
        }
        let mut atoms = Vec::new();
        for condition in conditions {
            crate::expression::atoms(condition, &self.text, &mut atoms);
        }
        let mut out: Vec<&Expr> = Vec::new();
        for atom in atoms {
            let known = |e: &&Expr| self.slice(e.span) == self.slice(atom.span);
            if !atom.is_about_call() && !out.iter().any(known) {
                out.push(atom);
            }
        }
        out
    }

    /// What the rule's author wrote about the `abort` of a line.
    pub fn message_at(&self, wanted: usize) -> Option<&str> {
        let mut work: Vec<&Statement> = self.events.iter().flat_map(|e| &e.body).collect();
        while let Some(statement) = work.pop() {
            match statement {
                Statement::Abort { text, span } if self.place(*span).0 == wanted => {
                    return Some(text);
                }
                Statement::If {
                    then, otherwise, ..
                } => work.extend(then.iter().chain(otherwise)),
                _ => {}
            }
        }
        None
    }
}
