//! The C file of a rule: its state, and a wrapper for every watched function.
//!
//! Parts of the rule stand there as they are in the rule, on the line and in
//! the column of the rule by `#line` and blanks, so that what clang says about
//! them, and the places of a failing run, are places of the rule.
//!
//! A rule about each object is checked for one object that stands for all:
//! which one is an input of the program, so that a proof holds for every
//! choice and a counterexample says which object it is about. An object may be
//! chosen when it begins (`new`). A rule without such events chooses an object
//! at its first event. The wrappers remember the objects that were not chosen,
//! so that none is chosen in the middle of its life; a run with more of them
//! than [`PASSED`] is unsupported.

use crate::ast::{About, Event, Moment, Rule, Statement, Watch};
use crate::lexer::Span;
use crate::prototype::Prototype;
use crate::{ABORT, WRAPPER};
use std::fmt::Write;

/// How many objects a run may leave unchosen before it chooses one.
pub const PASSED: usize = 6;
/// Called when there are more. It has no body, so the call is an unsupported construct.
pub const TOO_MANY: &str = "__slic_too_many_watched_objects";

/// How one wrapper is to be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrapper {
    /// Its name.
    pub name: String,
    /// The function that it calls.
    pub calls: String,
    /// The function whose events it runs.
    pub function: String,
    /// The declaration of that function.
    pub prototype: Prototype,
    /// Types of further arguments, for a function that takes any.
    pub further: Vec<&'static str>,
}

/// The C file of a rule with these wrappers.
pub fn emit(rule: &Rule, wrappers: &[Wrapper]) -> String {
    let mut out = Emitter {
        rule,
        c: String::new(),
    };
    out.declarations();
    for wrapper in wrappers {
        out.wrapper(wrapper);
    }
    out.c
}

struct Emitter<'a> {
    rule: &'a Rule,
    c: String,
}

impl Emitter<'_> {
    fn declarations(&mut self) {
        let rule = self.rule;
        let _ = write!(
            self.c,
            "/* Made by attest from the rule {}. */\n\
             #undef main\n\
             extern void {ABORT}(void);\n\
             extern void {TOO_MANY}(void);\n\
             extern int __VERIFIER_nondet_int(void);\n\
             extern _Bool __VERIFIER_nondet_bool(void);\n",
            rule.file.replace("*/", "* /"),
        );
        for span in &rule.declarations {
            let directive = rule.slice(*span).starts_with('#');
            self.line(*span, "", if directive { "\n" } else { ";\n" });
        }
        self.c
            .push_str("#define nondet (__VERIFIER_nondet_int())\n");
        for variable in &rule.state {
            self.line(variable.declaration, "static ", ";\n");
        }
        if let Some(watch) = &rule.watch {
            self.watch(watch);
        }
    }

    fn watch(&mut self, watch: &Watch) {
        for variable in &watch.state {
            self.line(variable.declaration, "static ", ";\n");
        }
        self.line(watch.declaration, "static ", ";\n");
        let name = &watch.name;
        self.helper(
            watch,
            &format!(
                "static int __slic_chosen; static int __slic_choose(__typeof__({name}) object) {{ \
                 if (!__VERIFIER_nondet_bool()) return 0; \
                 __slic_chosen = 1; {name} = object; return 1; }}"
            ),
        );
        let begins = |e: &Event| matches!(e.about, Some(About::New(_)));
        if self.rule.events.iter().any(begins) {
            self.chosen_at_its_beginning(watch);
        } else {
            self.chosen_at_first_event(watch);
        }
    }

    /// A function that stands where the watched object is declared.
    fn helper(&mut self, watch: &Watch, text: &str) {
        self.position(self.rule.place(watch.declaration).0);
        self.c.push_str(text);
        self.c.push('\n');
    }

    fn chosen_at_its_beginning(&mut self, watch: &Watch) {
        let name = &watch.name;
        let mut reset = String::new();
        for variable in &watch.state {
            let initial = variable.initial.map_or("0", |i| self.rule.slice(i));
            let _ = write!(reset, "{} = {initial}; ", variable.name);
        }
        self.helper(
            watch,
            &format!(
                "static int __slic_on(__typeof__({name}) object) {{ \
                 return __slic_chosen && {name} == object; }}"
            ),
        );
        self.helper(
            watch,
            &format!(
                "static int __slic_new(__typeof__({name}) object) {{ \
                 if (__slic_chosen ? {name} != object : !__slic_choose(object)) return 0; \
                 {reset}return 1; }}"
            ),
        );
    }

    fn chosen_at_first_event(&mut self, watch: &Watch) {
        let name = &watch.name;
        let (mut passed, mut known, mut pass) = (String::new(), String::new(), String::new());
        // Once an object is chosen, those before it matter no more: there is one such state.
        let mut clear = String::from("__slic_passed = 0; ");
        for i in 0..PASSED {
            let _ = write!(passed, "static __typeof__({name}) __slic_passed_{i}; ");
            let _ = write!(
                known,
                "if (__slic_passed > {i} && __slic_passed_{i} == object) return 0; "
            );
            let _ = write!(pass, "case {i}: __slic_passed_{i} = object; break; ");
            let _ = write!(clear, "__slic_passed_{i} = 0; ");
        }
        self.helper(watch, &format!("static int __slic_passed; {passed}"));
        self.helper(
            watch,
            &format!(
                "static int __slic_on(__typeof__({name}) object) {{ \
                 if (__slic_chosen) return {name} == object; {known}\
                 if (__slic_choose(object)) {{ {clear}return 1; }} \
                 switch (__slic_passed++) {{ {pass}default: {TOO_MANY}(); }} return 0; }}"
            ),
        );
    }

    fn wrapper(&mut self, wrapper: &Wrapper) {
        let prototype = &wrapper.prototype;
        let mut parameters = prototype.parameters.clone();
        let mut arguments: Vec<String> = (1..=parameters.len()).map(|i| format!("${i}")).collect();
        for (i, ty) in wrapper.further.iter().enumerate() {
            parameters.push(format!("{ty} __slic_{i}"));
            arguments.push(format!("__slic_{i}"));
        }
        let (result, calls) = (&prototype.result, &wrapper.calls);
        if wrapper.function == "main" {
            let _ = writeln!(self.c, "extern int {calls}({});", listed(&parameters));
        }
        let (line, _) = self.rule.place(prototype.span);
        self.position(line);
        let _ = writeln!(
            self.c,
            "{result} {}({}) {{",
            wrapper.name,
            listed(&parameters)
        );
        self.moments(wrapper, &[Moment::Call, Moment::Entry]);
        self.position(line);
        let call = format!("{calls}({})", arguments.join(", "));
        if prototype.has_result() {
            let _ = writeln!(self.c, "{result} $return = {call};");
        } else {
            let _ = writeln!(self.c, "{call};");
        }
        self.moments(wrapper, &[Moment::Exit, Moment::Return]);
        self.position(line);
        if prototype.has_result() {
            self.c.push_str("return $return;\n");
        }
        self.c.push_str("}\n");
    }

    /// The events of a function at these moments, one moment after the other.
    fn moments(&mut self, wrapper: &Wrapper, moments: &[Moment]) {
        for moment in moments {
            for event in &self.rule.events {
                let here = |p: &&crate::ast::Pattern| {
                    p.function == wrapper.function && p.moment == *moment
                };
                for _ in event.patterns.iter().filter(here) {
                    self.event(event);
                }
            }
        }
    }

    fn event(&mut self, event: &Event) {
        if let Some(guard) = &event.guard {
            self.c.push_str("if (\n");
            self.line(guard.span, "", ")\n");
        }
        match &event.about {
            Some(About::On(e)) => self.object("__slic_on", e.span),
            Some(About::New(e)) => self.object("__slic_new", e.span),
            None => {}
        }
        self.block(&event.body);
    }

    fn object(&mut self, function: &str, span: Span) {
        let _ = writeln!(self.c, "if ({function}(");
        self.line(span, "", "))\n");
    }

    fn block(&mut self, statements: &[Statement]) {
        self.c.push_str("{\n");
        for statement in statements {
            self.statement(statement);
        }
        self.c.push_str("}\n");
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Assign { span, .. } => self.line(*span, "", ";\n"),
            Statement::Abort { span, .. } => {
                let (line, column) = self.rule.place(*span);
                self.position(line);
                let _ = writeln!(self.c, "{:1$}{ABORT}();", "", column - 1);
            }
            Statement::If {
                head,
                then,
                otherwise,
                ..
            } => {
                self.line(*head, "", "\n");
                self.block(then);
                if !otherwise.is_empty() {
                    self.c.push_str("else\n");
                    self.block(otherwise);
                }
            }
        }
    }

    /// A part of the rule at its place, with text before and after it.
    fn line(&mut self, span: Span, before: &str, behind: &str) {
        let (line, column) = self.rule.place(span);
        if !before.is_empty() {
            self.c.push_str(before);
            self.c.push('\n');
        }
        self.position(line);
        let text = self.rule.slice(span);
        let _ = write!(self.c, "{:1$}{text}{behind}", "", column - 1);
    }

    fn position(&mut self, line: usize) {
        let file = self.rule.file.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(self.c, "#line {line} \"{file}\"");
    }
}

fn listed(parameters: &[String]) -> String {
    match parameters {
        [] => "void".into(),
        all => all.join(", "),
    }
}

/// The name of the wrapper of a function.
pub fn wrapper_name(function: &str) -> String {
    format!("{WRAPPER}{function}")
}
