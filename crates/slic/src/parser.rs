//! From the text of a rule to a [`Rule`], by recursive descent.

use crate::ast::{About, Event, Expr, ExprKind, Moment, Pattern, Rule, Statement, Variable, Watch};
use crate::lexer::{self, Kind, SlicError, Span, Token};
use crate::prototype;

/// Reads a rule; `file` is its name for messages.
pub fn parse(file: &str, text: &str) -> Result<Rule, SlicError> {
    let mut parser = Parser {
        file,
        text,
        tokens: lexer::tokens(file, text)?,
        at: 0,
        depth: 0,
    };
    let rule = parser.rule()?;
    check(&rule)?;
    Ok(rule)
}

/// The state of the parser.
pub(crate) struct Parser<'a> {
    file: &'a str,
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    pub(crate) depth: u32,
}

impl Parser<'_> {
    /// The next token.
    pub(crate) fn token(&self) -> Token {
        self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn text_of(&self, span: Span) -> &str {
        &self.text[span.start..span.end]
    }

    /// Its text.
    pub(crate) fn word(&self) -> &str {
        self.text_of(self.token().span)
    }

    /// The text of the token after it.
    pub(crate) fn word_after(&self) -> &str {
        let next = self.tokens.get(self.at + 1);
        next.map_or("", |t| self.text_of(t.span))
    }

    /// Takes the next token.
    pub(crate) fn next(&mut self) -> Token {
        let token = self.token();
        self.at += 1;
        token
    }

    /// Takes the next token if it is this one.
    pub(crate) fn take(&mut self, word: &str) -> bool {
        let found = self.word() == word && self.token().kind != Kind::End;
        self.at += usize::from(found);
        found
    }

    /// Takes the next token, which must be this one.
    pub(crate) fn expect(&mut self, word: &str) -> Result<Span, SlicError> {
        let span = self.token().span;
        if self.take(word) {
            Ok(span)
        } else {
            Err(self.unexpected(&format!("`{word}`")))
        }
    }

    /// An error at the next token.
    pub(crate) fn error(&self, message: &str) -> SlicError {
        self.error_at(self.token().span, message)
    }

    fn error_at(&self, span: Span, message: &str) -> SlicError {
        lexer::error(self.file, self.text, span.start, message)
    }

    /// The error that something else was expected.
    pub(crate) fn unexpected(&self, wanted: &str) -> SlicError {
        match self.token().kind {
            Kind::End => self.error(&format!("the rule ends where {wanted} should be")),
            _ => self.error(&format!("expected {wanted}, not `{}`", self.word())),
        }
    }

    fn name(&mut self, what: &str) -> Result<Token, SlicError> {
        match self.token().kind {
            Kind::Name => Ok(self.next()),
            _ => Err(self.unexpected(what)),
        }
    }

    fn rule(&mut self) -> Result<Rule, SlicError> {
        let mut rule = Rule {
            file: self.file.into(),
            text: self.text.into(),
            declarations: Vec::new(),
            prototypes: Vec::new(),
            state: Vec::new(),
            watch: None,
            events: Vec::new(),
        };
        loop {
            let token = self.token();
            match (token.kind, self.word(), self.word_after()) {
                (Kind::End, ..) => return Ok(rule),
                (Kind::Directive, ..) => rule.declarations.push(self.next().span),
                (Kind::Name, "state", "{") => {
                    self.next();
                    rule.state.extend(self.variables()?);
                }
                (Kind::Name, "watch", _) => {
                    if rule.watch.is_some() {
                        return Err(self.error("a rule watches one kind of object"));
                    }
                    rule.watch = Some(self.watch()?);
                }
                (Kind::Name, _, ".") => rule.events.push(self.event()?),
                (Kind::Name, ..) => self.declaration(&mut rule)?,
                _ => {
                    return Err(self.unexpected(
                        "`state`, `watch`, an event such as `f.entry`, or a declaration of C",
                    ));
                }
            }
        }
    }

    /// A declaration of C up to its semicolon.
    fn declaration(&mut self, rule: &mut Rule) -> Result<(), SlicError> {
        let tokens = self.until_semicolon("a declaration of C")?;
        let span = tokens[0].span.to(tokens[tokens.len() - 1].span);
        rule.declarations.push(span);
        match prototype::read(self.text, &tokens) {
            Ok(prototype) => rule.prototypes.extend(prototype),
            Err((at, why)) => return Err(lexer::error(self.file, self.text, at, why)),
        }
        Ok(())
    }

    /// The tokens up to a semicolon outside of braces, which is taken.
    fn until_semicolon(&mut self, what: &str) -> Result<Vec<Token>, SlicError> {
        let mut depth = 0;
        let mut out = Vec::new();
        loop {
            match (self.token().kind, self.word()) {
                (Kind::End, _) => {
                    return Err(self.unexpected(&format!("the `;` of {what}")));
                }
                (Kind::Directive, _) => return Err(self.unexpected("`;`")),
                (Kind::Param(_) | Kind::Return, _) => {
                    return Err(self.error("`$` has a meaning in events only"));
                }
                (_, ";") if depth == 0 => {
                    if out.is_empty() {
                        return Err(self.unexpected(what));
                    }
                    self.next();
                    return Ok(out);
                }
                (_, "{" | "(") => depth += 1,
                (_, "}" | ")") if depth == 0 => return Err(self.unexpected("`;`")),
                (_, "}" | ")") => depth -= 1,
                _ => {}
            }
            out.push(self.next());
        }
    }

    /// `{ declarations }`
    fn variables(&mut self) -> Result<Vec<Variable>, SlicError> {
        self.expect("{")?;
        let mut out = Vec::new();
        while !self.take("}") {
            let tokens = self.until_semicolon("a variable of the state")?;
            out.push(self.variable(&tokens)?);
        }
        Ok(out)
    }

    fn variable(&self, tokens: &[Token]) -> Result<Variable, SlicError> {
        let word = |t: &Token| self.text_of(t.span);
        let mut depth = 0;
        let mut equals = tokens.len();
        for (i, token) in tokens.iter().enumerate() {
            match word(token) {
                "{" => depth += 1,
                "}" => depth -= 1,
                "=" if depth == 0 => {
                    equals = i;
                    break;
                }
                "," | "(" if depth == 0 => {
                    let why = "declare each variable of the state by itself, as in `int n = 0;`";
                    return Err(self.error_at(token.span, why));
                }
                _ => {}
            }
        }
        let bracket = tokens[..equals].iter().position(|t| word(t) == "[");
        let end = bracket.unwrap_or(equals);
        let name = match end.checked_sub(1).map(|i| tokens[i]) {
            Some(token) if token.kind == Kind::Name && end > 1 => token,
            _ => {
                let why = "this declares no variable; write it as in `int n = 0;`";
                return Err(self.error_at(tokens[0].span, why));
            }
        };
        let last = tokens[tokens.len() - 1].span;
        Ok(Variable {
            name: word(&name).into(),
            declaration: tokens[0].span.to(last),
            initial: tokens.get(equals + 1).map(|t| t.span.to(last)),
        })
    }

    /// `watch void *lock { state }`
    fn watch(&mut self) -> Result<Watch, SlicError> {
        self.next();
        let first = self.name("the type of the watched object")?;
        let mut last = first;
        while !["{", ";"].contains(&self.word()) {
            if self.token().kind != Kind::Name && self.word() != "*" {
                return Err(self.unexpected("the name of the watched object and `{`"));
            }
            last = self.next();
        }
        if last.kind != Kind::Name || last == first {
            return Err(self.unexpected("a name for the watched object"));
        }
        let state = if self.take(";") {
            Vec::new()
        } else {
            self.variables()?
        };
        let array = |v: &&Variable| {
            let head = v.initial.map_or(v.declaration.end, |i| i.start);
            self.text[v.declaration.start..head].contains('[')
        };
        if let Some(variable) = state.iter().find(array) {
            let why = "the state of an object consists of scalars, not of arrays";
            return Err(self.error_at(variable.declaration, why));
        }
        Ok(Watch {
            name: self.text_of(last.span).into(),
            declaration: first.span.to(last.span),
            state,
        })
    }

    fn event(&mut self) -> Result<Event, SlicError> {
        let mut patterns = vec![self.pattern()?];
        while self.take(",") {
            patterns.push(self.pattern()?);
        }
        let guard = if self.take("[") {
            let guard = self.expression()?;
            self.expect("]")?;
            Some(guard)
        } else {
            None
        };
        let about = if self.take("on") {
            Some(About::On(self.expression()?))
        } else if self.take("new") {
            Some(About::New(self.expression()?))
        } else {
            None
        };
        self.expect("{")?;
        Ok(Event {
            patterns,
            about,
            guard,
            body: self.statements()?,
        })
    }

    fn pattern(&mut self) -> Result<Pattern, SlicError> {
        let function = self.name("the name of a function")?;
        self.expect(".")?;
        let moment = match self.word() {
            "call" => Moment::Call,
            "entry" => Moment::Entry,
            "exit" => Moment::Exit,
            "return" => Moment::Return,
            _ => return Err(self.unexpected("`call`, `entry`, `exit` or `return`")),
        };
        let last = self.next();
        Ok(Pattern {
            function: self.text_of(function.span).into(),
            moment,
            span: function.span.to(last.span),
        })
    }

    /// Statements up to a closing brace, which is taken.
    fn statements(&mut self) -> Result<Vec<Statement>, SlicError> {
        let mut out = Vec::new();
        while !self.take("}") {
            self.statement(&mut out)?;
        }
        Ok(out)
    }

    fn statement(&mut self, out: &mut Vec<Statement>) -> Result<(), SlicError> {
        self.depth += 1;
        if self.depth > crate::expression::DEPTH {
            return Err(self.error("this nests too deeply"));
        }
        let start = self.token().span;
        match self.word() {
            ";" => {
                self.next();
            }
            "{" => {
                self.next();
                out.extend(self.statements()?);
            }
            "if" => {
                self.next();
                self.expect("(")?;
                let condition = self.expression()?;
                let head = start.to(self.expect(")")?);
                let mut then = Vec::new();
                self.statement(&mut then)?;
                let mut otherwise = Vec::new();
                if self.take("else") {
                    self.statement(&mut otherwise)?;
                }
                out.push(Statement::If {
                    condition,
                    head,
                    then,
                    otherwise,
                });
            }
            "abort" | "error" => {
                self.next();
                let mut text = String::new();
                if self.token().kind == Kind::Text {
                    let quoted = self.next().span;
                    text = self.text[quoted.start + 1..quoted.end - 1].into();
                }
                self.expect(";")?;
                out.push(Statement::Abort { text, span: start });
            }
            _ => out.push(self.assignment()?),
        }
        self.depth -= 1;
        Ok(())
    }

    fn assignment(&mut self) -> Result<Statement, SlicError> {
        let to = self.expression()?;
        const OPERATORS: &[&str] = &[
            "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=",
        ];
        let statement = if ["++", "--"].contains(&self.word()) {
            let span = to.span.to(self.next().span);
            let value = None;
            Statement::Assign { to, value, span }
        } else if OPERATORS.contains(&self.word()) {
            self.next();
            let value = self.expression()?;
            let span = to.span.to(value.span);
            let value = Some(value);
            Statement::Assign { to, value, span }
        } else {
            return Err(self.unexpected("an assignment, `if`, `abort` or `}`"));
        };
        self.expect(";")?;
        Ok(statement)
    }
}

/// Checks what a rule must satisfy and its grammar does not say. Types are left to clang.
fn check(rule: &Rule) -> Result<(), SlicError> {
    let fail = |span: Span, why: String| Err(lexer::error(&rule.file, &rule.text, span.start, why));
    if rule.events.is_empty() {
        return fail(
            Span { start: 0, end: 0 },
            "the rule has no events, so that nothing can violate it".into(),
        );
    }
    for event in &rule.events {
        if let (Some(About::On(e) | About::New(e)), None) = (&event.about, &rule.watch) {
            let why = "the rule watches no object; declare it, as in `watch void *lock { }`";
            return fail(e.span, why.into());
        }
        for pattern in &event.patterns {
            check_call(rule, event, pattern)?;
        }
        let mut work: Vec<&Statement> = event.body.iter().collect();
        while let Some(statement) = work.pop() {
            match statement {
                Statement::Assign { to, .. } if !is_state(rule, to) => {
                    let why = "a rule assigns to variables of its state only";
                    return fail(to.span, why.into());
                }
                Statement::If {
                    then, otherwise, ..
                } => work.extend(then.iter().chain(otherwise)),
                _ => {}
            }
        }
    }
    Ok(())
}

/// What an event says of a function's parameters and result must fit its declaration.
fn check_call(rule: &Rule, event: &Event, pattern: &Pattern) -> Result<(), SlicError> {
    let fail = |span: Span, why: String| Err(lexer::error(&rule.file, &rule.text, span.start, why));
    let name = &pattern.function;
    let prototype = rule.prototypes.iter().find(|p| p.name == *name);
    if prototype.is_none() && name != "main" {
        let why = format!("`{name}` is not declared; add a line such as `int {name}(void *);`");
        return fail(pattern.span, why);
    }
    let mut seen: Vec<&Expr> = Vec::new();
    for expression in event.expressions() {
        expression.each(&mut |e| seen.push(e));
    }
    for e in seen {
        match (&e.kind, prototype) {
            (ExprKind::Param(_) | ExprKind::Return, None) => {
                let why = "events of `main` have no parameters and no result";
                return fail(e.span, why.into());
            }
            (ExprKind::Param(n), Some(p)) if *n as usize > p.parameters.len() => {
                let why = format!("`{name}` has {} parameters", p.parameters.len());
                return fail(e.span, why);
            }
            (ExprKind::Return, Some(_)) if pattern.moment.is_before() => {
                let why = "there is no `$return` before the function has run; use `.return`";
                return fail(e.span, why.into());
            }
            (ExprKind::Return, Some(p)) if !p.has_result() => {
                return fail(e.span, format!("`{name}` returns nothing"));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whether an expression is a part of the state and does not go through a pointer.
fn is_state(rule: &Rule, e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Name(name) => {
            let watched = rule.watch.iter().flat_map(|w| &w.state);
            rule.state.iter().chain(watched).any(|v| v.name == *name)
        }
        ExprKind::Member(base, arrow) => !arrow && is_state(rule, base),
        ExprKind::Index(base, _) => {
            let array = |v: &Variable| {
                let head = v.initial.map_or(v.declaration.end, |i| i.start);
                rule.text[v.declaration.start..head].contains('[')
            };
            let named = |name: &String| rule.state.iter().any(|v| v.name == *name && array(v));
            matches!(&base.kind, ExprKind::Name(name) if named(name))
        }
        _ => false,
    }
}
