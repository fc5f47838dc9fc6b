//! The program with the wrappers of a rule in place of the functions.
//!
//! In the IR of the program every use of a watched function names its wrapper
//! instead: calls, pointers in tables, comparisons of pointers. Definitions
//! stay as they are, and only the wrapper uses them. Where the watched
//! function is the program's entry, the definition gets another name and the
//! wrapper takes its place. A function with variable arguments has a wrapper
//! for every list of types that it is called with.

use crate::ast::Rule;
use crate::emit::{Wrapper, emit, wrapper_name};
use crate::ir::{self, Signature, Symbol, bracketed, line_from, signature, split, symbols, words};
use crate::large_files::with_plain_names;
use crate::lexer::SlicError;
use crate::prototype::Prototype;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// A file of the program as textual IR.
#[derive(Clone, Copy, Debug)]
pub struct Unit<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its IR.
    pub ir: &'a str,
    /// Whether it has bodies for functions that the program lacks, and is no part of it.
    pub stub: bool,
}

/// A program and what a rule makes of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instrumented {
    /// The IR of the units, in order.
    pub units: Vec<String>,
    /// The C file with the rule's state and the wrappers, to be linked with the units.
    pub c: String,
    /// The watched functions that the program mentions.
    pub watched: BTreeSet<String>,
}

/// Puts the wrappers of a rule into a program that starts at `entry`.
pub fn instrument(rule: &Rule, units: &[Unit<'_>], entry: &str) -> Result<Instrumented, SlicError> {
    let functions: BTreeSet<&str> = rule.functions().into_iter().collect();
    let plain: Vec<Cow<'_, str>> = units
        .iter()
        .map(|unit| match unit.stub {
            true => Cow::Borrowed(unit.ir),
            false => with_plain_names(unit.ir, &functions),
        })
        .collect();
    let units: Vec<Unit<'_>> = units
        .iter()
        .zip(&plain)
        .map(|(unit, ir)| Unit { ir, ..*unit })
        .collect();
    let units = &units[..];
    let mut work = Work {
        rule,
        entry,
        wrappers: BTreeMap::new(),
        defined: BTreeMap::new(),
    };
    work.definitions(units)?;
    let mut out = Vec::new();
    for unit in units {
        out.push(work.unit(unit)?);
    }
    let watched = work.wrappers.values().map(|w| w.function.clone()).collect();
    let wrappers: Vec<Wrapper> = work.wrappers.into_values().collect();
    Ok(Instrumented {
        units: out,
        c: emit(rule, &wrappers),
        watched,
    })
}

/// An error if the rule declares a function with another type than the program has, given
/// the IR of the rule's C file.
pub fn conflict(rule: &Rule, rule_ir: &str, units: &[Unit<'_>]) -> Option<SlicError> {
    let functions = rule.functions();
    let declared = |ir: &str| -> Vec<(String, Signature)> {
        let subjects = symbols(ir).into_iter().filter(|(name, s)| {
            let line = line_from(ir, s.line);
            let subject = line.starts_with("declare ") || line.starts_with("define ");
            s.first && subject && functions.contains(name) && *name != "main"
        });
        let of = |(name, s): (&str, Symbol)| (name.to_owned(), signature(ir, &s));
        subjects.map(of).collect()
    };
    let ours: BTreeMap<String, Signature> = declared(rule_ir).into_iter().collect();
    for unit in units {
        for (name, theirs) in declared(unit.ir) {
            let Some(own) = ours.get(&name) else { continue };
            if *own != theirs {
                let prototype = rule.prototypes.iter().find(|p| p.name == name)?;
                let why = format!(
                    "`{name}` has another type in {}: there it is {}, and here {}",
                    unit.name,
                    shown(&theirs),
                    shown(own),
                );
                return Some(crate::lexer::error(
                    &rule.file,
                    &rule.text,
                    prototype.span.start,
                    why,
                ));
            }
        }
    }
    None
}

fn shown(signature: &Signature) -> String {
    format!("{}({})", signature.result, signature.parameters.join(", "))
}

struct Work<'a> {
    rule: &'a Rule,
    entry: &'a str,
    /// By name.
    wrappers: BTreeMap<String, Wrapper>,
    /// Watched functions that the program defines, and whether they are static.
    defined: BTreeMap<String, bool>,
}

impl Work<'_> {
    fn unsupported(&self, function: &str, why: &str) -> SlicError {
        let patterns = self.rule.events.iter().flat_map(|e| &e.patterns);
        let at = patterns.filter(|p| p.function == function).map(|p| p.span);
        let at = at.map(|s| s.start).next().unwrap_or_default();
        let message = format!("`{function}` cannot be watched: {why}");
        crate::lexer::error(&self.rule.file, &self.rule.text, at, message)
    }

    /// The IR of a unit with the wrappers' names in it.
    fn unit(&mut self, unit: &Unit<'_>) -> Result<String, SlicError> {
        let functions: BTreeSet<&str> = self.rule.functions().into_iter().collect();
        let ir = unit.ir;
        let mut out = String::with_capacity(ir.len() + ir.len() / 8);
        let mut copied = 0;
        let mut declared: BTreeMap<String, String> = BTreeMap::new();
        for (name, symbol) in symbols(ir) {
            if !functions.contains(name) || (name == "main" && self.entry != "main") {
                continue;
            }
            if name == self.entry && name != "main" {
                return Err(self.unsupported(name, "it is where the program starts"));
            }
            // Calls between models of the environment are no events of the program.
            if unit.stub && self.defined.get(name) != Some(&false) {
                continue;
            }
            let line = line_from(ir, symbol.line);
            let definition = symbol.first && line.starts_with("define ");
            if unit.stub && definition {
                continue;
            }
            if definition && name == self.entry {
                let body = self.entry_wrapper(name, &signature(ir, &symbol))?;
                out.push_str(&ir[copied..symbol.start]);
                out.push('@');
                out.push_str(&body);
                copied = symbol.end;
                declared.insert(name.into(), header(ir, &symbol, name));
                continue;
            }
            if name == self.entry {
                continue;
            }
            let prototype = self.rule.prototypes.iter().find(|p| p.name == name);
            let Some(prototype) = prototype.cloned() else {
                continue;
            };
            if line.contains(" = alias ") || line.contains(" = ifunc ") {
                return Err(self.unsupported(name, "the program has an alias of it"));
            }
            if prototype.variadic {
                if definition {
                    continue;
                }
                if symbol.first && line.starts_with("declare ") {
                    continue;
                }
                let call = self.variadic(&prototype, ir, &symbol, unit.name)?;
                out.push_str(&ir[copied..call.cut.0]);
                let _ = write!(out, "@{}", call.name);
                copied = call.cut.1;
                declared.insert(call.name, call.declaration);
                continue;
            }
            let wrapper = wrapper_name(name);
            self.wrap(&prototype, &wrapper, Vec::new());
            if definition {
                // The wrapper is in another file.
                let internal = "define internal ";
                if line.starts_with(internal) {
                    out.push_str(&ir[copied..symbol.line]);
                    out.push_str("define ");
                    copied = symbol.line + internal.len();
                }
                let declaration = header(ir, &symbol, &wrapper);
                declared.insert(wrapper, declaration);
                continue;
            }
            if symbol.first && line.starts_with("declare ") {
                declared.insert(wrapper.clone(), String::new());
            }
            out.push_str(&ir[copied..symbol.start]);
            let _ = write!(out, "@{wrapper}");
            copied = symbol.end;
        }
        out.push_str(&ir[copied..]);
        for declaration in declared.values().filter(|d| !d.is_empty()) {
            out.push('\n');
            out.push_str(declaration);
        }
        out.push('\n');
        Ok(out)
    }

    fn wrap(&mut self, prototype: &Prototype, name: &str, further: Vec<&'static str>) {
        let wrapper = || Wrapper {
            name: name.into(),
            calls: prototype.name.clone(),
            function: prototype.name.clone(),
            prototype: prototype.clone(),
            further,
        };
        self.wrappers.entry(name.into()).or_insert_with(wrapper);
    }

    /// The wrapper of the entry takes its name; the new name of the definition.
    fn entry_wrapper(&mut self, name: &str, own: &Signature) -> Result<String, SlicError> {
        let body = format!("{}of_{name}", crate::WRAPPER);
        let parameters = match own.parameters.len() {
            0 => vec![],
            2 => vec!["int $1".into(), "char **$2".into()],
            3 => vec!["int $1".into(), "char **$2".into(), "char **$3".into()],
            _ => return Err(self.unsupported(name, "it has unusual parameters")),
        };
        let patterns = self.rule.events.iter().flat_map(|e| &e.patterns);
        let mut places = patterns.filter(|p| p.function == name).map(|p| p.span);
        let Some(span) = places.next() else {
            return Err(self.unsupported(name, "it has no events"));
        };
        let wrapper = Wrapper {
            name: name.into(),
            calls: body.clone(),
            function: name.into(),
            prototype: Prototype {
                name: name.into(),
                result: "int".into(),
                parameters,
                variadic: false,
                span,
            },
            further: Vec::new(),
        };
        self.wrappers.insert(name.into(), wrapper);
        Ok(body)
    }

    /// What becomes of a use of a function with variable arguments, which must be a call.
    fn variadic(
        &mut self,
        prototype: &Prototype,
        ir: &str,
        symbol: &Symbol,
        unit: &str,
    ) -> Result<VariadicCall, SlicError> {
        let name = &prototype.name;
        let before = &ir[symbol.line..symbol.start];
        let call = words(before);
        let is_call = call.contains(&"call") && before.trim_end().ends_with("...)");
        if !is_call || !ir[symbol.end..].starts_with('(') {
            let why = format!(
                "it takes variable arguments, and {unit} uses it otherwise than in a call: {}",
                line_from(ir, symbol.line).trim()
            );
            return Err(self.unsupported(name, &why));
        }
        let arguments = split(bracketed(&ir[symbol.end..]));
        let mut types = Vec::new();
        let mut further = Vec::new();
        for (i, argument) in arguments.iter().enumerate() {
            let parts = words(argument);
            let ty = *parts.first().unwrap_or(&"");
            types.push(ty);
            if i >= prototype.parameters.len() {
                further.push(match ty {
                    "i32" => "int",
                    "i64" => "long long",
                    "ptr" => "void *",
                    "double" => "double",
                    _ => {
                        let why = format!("{unit} passes it a further argument of type {ty}");
                        return Err(self.unsupported(name, &why));
                    }
                });
            }
        }
        let shape: String = further
            .iter()
            .map(|ty| ty.chars().next().unwrap_or('_'))
            .collect();
        let wrapper = format!("{}_{shape}", wrapper_name(name));
        self.wrap(prototype, &wrapper, further);
        let list = call.len() - 1;
        let result = if call[list].starts_with('(') {
            call[list - 1]
        } else {
            call[list].split('(').next().unwrap_or_default()
        };
        let types = before.trim_end();
        let open = types.len() - call[list].len();
        let declaration = format!(
            "declare {result} @{wrapper}({})",
            self::types(&arguments).join(", ")
        );
        Ok(VariadicCall {
            name: wrapper,
            declaration,
            cut: (symbol.line + open, symbol.end),
        })
    }

    /// Finds what the program defines. A wrapper can call one function of a name only.
    fn definitions(&mut self, units: &[Unit<'_>]) -> Result<(), SlicError> {
        let functions: BTreeSet<&str> = self.rule.functions().into_iter().collect();
        let mut users: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for (i, unit) in units.iter().enumerate().filter(|(_, unit)| !unit.stub) {
            for (name, symbol) in symbols(unit.ir) {
                if !functions.contains(name) {
                    continue;
                }
                users.entry(name).or_default().insert(i);
                let line = line_from(unit.ir, symbol.line);
                if symbol.first && line.starts_with("define ") {
                    let local = line.starts_with("define internal ");
                    if self.defined.insert(name.into(), local).is_some() {
                        let why = "the program has several functions of the name";
                        return Err(self.unsupported(name, why));
                    }
                }
            }
        }
        for (name, users) in users {
            if self.defined.get(name) == Some(&true) && users.len() > 1 {
                let why = "it is static in one file, and another file uses the name too";
                return Err(self.unsupported(name, why));
            }
        }
        Ok(())
    }
}

struct VariadicCall {
    name: String,
    declaration: String,
    cut: (usize, usize),
}

/// The types of arguments, with what changes how they are passed.
fn types(arguments: &[&str]) -> Vec<String> {
    let of = |a: &&str| (*words(a).first().unwrap_or(&"")).to_owned();
    arguments.iter().map(of).collect()
}

/// A declaration with the types of the line that defines a symbol.
fn header(ir: &str, symbol: &Symbol, name: &str) -> String {
    let Signature { result, .. } = signature(ir, symbol);
    let result = result.split(" signext").next().unwrap_or_default();
    let result = result.split(" zeroext").next().unwrap_or_default();
    let list = split(bracketed(&ir[symbol.end..]));
    let typed = |p: &&str| -> String {
        let words: Vec<&str> = ir::words(p)
            .into_iter()
            .filter(|w| !w.starts_with('%') || w.starts_with("%struct") || w.starts_with("%union"))
            .collect();
        words.join(" ")
    };
    let list: Vec<String> = list.iter().map(typed).collect();
    let extended = ["signext", "zeroext"];
    let before = words(&ir[symbol.line..symbol.start]);
    let how = before.iter().find(|w| extended.contains(w));
    let how = how.map(|w| format!("{w} ")).unwrap_or_default();
    format!("declare {how}{result} @{name}({})", list.join(", "))
}
