//! Expressions of rules: those of C that change nothing.
//!
//! There are no calls and no assignments, since a rule must not change what
//! the program does.

use crate::ast::{Expr, ExprKind};
use crate::lexer::{Kind, SlicError};
use crate::parser::Parser;

/// Binary operators by how strongly they bind.
const LEVELS: &[&[&str]] = &[
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", ">", "<=", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

/// Words that begin the type of a cast.
const CASTS: &[&str] = &[
    "void", "char", "short", "int", "long", "signed", "unsigned", "_Bool", "const", "struct",
    "union", "enum",
];

/// How deep expressions and statements may nest.
pub(crate) const DEPTH: u32 = 200;

impl Parser<'_> {
    /// An expression.
    pub(crate) fn expression(&mut self) -> Result<Expr, SlicError> {
        self.deeper()?;
        let condition = self.binary(0)?;
        let out = if self.take("?") {
            let yes = self.expression()?;
            self.expect(":")?;
            let no = self.expression()?;
            let span = condition.span.to(no.span);
            let kind = ExprKind::Choice(Box::new([condition, yes, no]));
            Expr { span, kind }
        } else {
            condition
        };
        self.depth -= 1;
        Ok(out)
    }

    fn binary(&mut self, level: usize) -> Result<Expr, SlicError> {
        let Some(operators) = LEVELS.get(level) else {
            return self.unary();
        };
        let mut left = self.binary(level + 1)?;
        while operators.contains(&self.word()) {
            let operator = self.word().to_owned();
            self.next();
            let right = self.binary(level + 1)?;
            left = Expr {
                span: left.span.to(right.span),
                kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)),
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr, SlicError> {
        let start = self.token().span;
        if ["!", "~", "-", "+", "*", "&"].contains(&self.word()) {
            self.deeper()?;
            self.next();
            let operand = self.unary()?;
            self.depth -= 1;
            return Ok(Expr {
                span: start.to(operand.span),
                kind: ExprKind::Unary(Box::new(operand)),
            });
        }
        if self.word() == "(" && CASTS.contains(&self.word_after()) {
            self.deeper()?;
            while !self.take(")") {
                if self.token().kind != Kind::Name && !["(", "*"].contains(&self.word()) {
                    return Err(self.unexpected("the type of a cast"));
                }
                self.next();
            }
            let operand = self.unary()?;
            self.depth -= 1;
            return Ok(Expr {
                span: start.to(operand.span),
                kind: ExprKind::Unary(Box::new(operand)),
            });
        }
        self.postfix()
    }

    fn postfix(&mut self) -> Result<Expr, SlicError> {
        let mut base = self.primary()?;
        loop {
            let arrow = self.word() == "->";
            if arrow || self.word() == "." {
                self.next();
                if self.token().kind != Kind::Name {
                    return Err(self.unexpected("the name of a member"));
                }
                let span = base.span.to(self.next().span);
                let kind = ExprKind::Member(Box::new(base), arrow);
                base = Expr { span, kind };
            } else if self.take("[") {
                let index = self.expression()?;
                let end = self.expect("]")?;
                let span = base.span.to(end);
                let kind = ExprKind::Index(Box::new(base), Box::new(index));
                base = Expr { span, kind };
            } else if self.word() == "(" {
                let why = "a rule calls no functions, since that could change the program";
                return Err(self.error(why));
            } else {
                return Ok(base);
            }
        }
    }

    fn primary(&mut self) -> Result<Expr, SlicError> {
        let token = self.token();
        let kind = match token.kind {
            Kind::Name if self.word() == "nondet" => ExprKind::Nondet,
            Kind::Name => ExprKind::Name(self.word().into()),
            Kind::Param(n) => ExprKind::Param(n),
            Kind::Return => ExprKind::Return,
            Kind::Literal => ExprKind::Literal,
            Kind::Sign if self.word() == "(" => {
                self.next();
                let inner = self.expression()?;
                let end = self.expect(")")?;
                return Ok(Expr {
                    span: token.span.to(end),
                    kind: inner.kind,
                });
            }
            _ => return Err(self.unexpected("an expression")),
        };
        self.next();
        Ok(Expr {
            span: token.span,
            kind,
        })
    }

    fn deeper(&mut self) -> Result<(), SlicError> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(self.error("this nests too deeply"));
        }
        Ok(())
    }
}

/// The atoms of a condition: its parts between `&&`, `||` and `!`.
pub(crate) fn atoms<'a>(condition: &'a Expr, text: &str, out: &mut Vec<&'a Expr>) {
    match &condition.kind {
        ExprKind::Binary(operator, a, b) if operator == "&&" || operator == "||" => {
            atoms(a, text, out);
            atoms(b, text, out);
        }
        ExprKind::Unary(e) if text[condition.span.start..].starts_with('!') => atoms(e, text, out),
        _ => out.push(condition),
    }
}
