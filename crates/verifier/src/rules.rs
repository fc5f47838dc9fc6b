//! Rules of an API: which a user names, and how one is about a program.
//!
//! A rule is checked like a property: its wrappers are put into the program, and its
//! violation is the error. This file says whether a program can violate it at all, and what
//! the rule's author says where it does.

use crate::error::Error;
use crate::source::Source;
use crate::survey::Survey;
use attest_frontend::{RuleOptions, Texts, read_rule};
use attest_model::{GlobalReg, Program};
use attest_slic::{Rule, WRAPPER};
use std::path::{Path, PathBuf};

/// What is said where the program calls no function of a rule.
pub const NOT_APPLICABLE: &str = "not applicable";

/// The rules that paths name, if they are several or a folder.
pub fn several(spec: &[PathBuf]) -> Result<Option<Vec<PathBuf>>, Error> {
    match spec {
        [] => return Ok(None),
        [one] if !one.is_dir() => return Ok(None),
        _ => {}
    }
    let mut out = Vec::new();
    for path in spec {
        if !path.is_dir() {
            out.push(path.clone());
            continue;
        }
        let name = path.display();
        let fail = |why| Error::input(format!("{name}: the folder cannot be read: {why}"));
        let mut found = Vec::new();
        for entry in std::fs::read_dir(path).map_err(fail)? {
            found.push(entry.map_err(fail)?.path());
        }
        found.retain(|file| file.extension().is_some_and(|e| e == "slic"));
        if found.is_empty() {
            return Err(Error::input(format!(
                "{name}: there are no rules (.slic) in this folder"
            )));
        }
        found.sort();
        out.extend(found);
    }
    Ok(Some(out))
}

/// What a rule's author says about the place where a run violates it.
pub(crate) fn message(rule: &Rule, place: &attest_model::Place) -> Option<String> {
    let text = rule.message_at(place.line as usize)?;
    (*place.file == *rule.file && !text.is_empty()).then(|| text.to_owned())
}

/// The variables of the rule's state that are registers of the program, and for a rule about
/// each object which one it is.
pub(crate) fn state(source: &Source, program: &Program) -> Vec<GlobalReg> {
    let rule = source.rule.as_deref().map(read_rule);
    let Some(rule) = rule.and_then(Result::ok) else {
        return Vec::new();
    };
    let watch = rule.watch.as_ref();
    let state = rule.state.iter().chain(watch.iter().flat_map(|w| &w.state));
    let mut names: Vec<&str> = state.map(|v| v.name.as_str()).collect();
    names.extend(watch.map(|w| w.name.as_str()));
    globals(program, |name| {
        names.contains(&name) || name.starts_with("__slic_")
    })
}

/// The variable that is the watched object, if it is a register of the program.
pub(crate) fn watched(source: &Source, program: &Program) -> Vec<GlobalReg> {
    let rule = source.rule.as_deref().map(read_rule);
    match rule.and_then(Result::ok).and_then(|rule| rule.watch) {
        Some(watch) => globals(program, |name| name == watch.name),
        None => Vec::new(),
    }
}

fn globals(program: &Program, which: impl Fn(&str) -> bool) -> Vec<GlobalReg> {
    let globals = program.globals.iter().enumerate();
    let found = globals.filter(|(_, global)| which(&global.name));
    found.map(|(i, _)| GlobalReg(i as u32)).collect()
}

/// Whether the program can call a function of the rule, as far as the model knows it.
pub(crate) fn applies(program: &Program, rule: &Rule) -> bool {
    if rule.functions() == ["main"] {
        return true;
    }
    let survey = Survey::of(program);
    // What comes after a gap is not in the model, and may call anything.
    if !survey.missing.is_empty() || !survey.unsupported.is_empty() {
        return true;
    }
    let entry = program.entry_name();
    survey.functions.iter().any(|f| {
        let name = &program.function(*f).name;
        let watched = name.strip_prefix(WRAPPER).is_some_and(|rest| {
            let is = |f: &&str| rest == *f || rest.starts_with(&format!("{f}_"));
            rule.functions().iter().any(is)
        });
        watched && **name != *entry
    })
}

/// Why a rule does not apply.
pub(crate) fn not_applicable(rule: &Rule) -> String {
    let others = rule.functions().into_iter().filter(|f| *f != "main");
    let functions: Vec<&str> = others.collect();
    format!(
        "{NOT_APPLICABLE}: the program calls none of {}",
        functions.join(", ")
    )
}

/// The compiled files of a program, for the question which rules are about it.
pub struct Applicable {
    source: Source,
    texts: Texts,
}

impl Applicable {
    /// Compiles a program.
    pub fn of(source: &Source) -> Result<Applicable, Error> {
        Ok(Applicable {
            source: source.clone(),
            texts: Texts::of(source)?,
        })
    }

    /// Why a rule is certainly not about the program; its files say it.
    pub fn refuses(&self, rule: &Rule) -> Option<String> {
        let entry = &self.source.model.entry;
        let made = attest_slic::instrument(rule, &self.texts.units(), entry).ok()?;
        let only_main = rule.functions() == ["main"];
        let is_about = only_main || made.watched.iter().any(|f| f != "main");
        (!is_about).then(|| not_applicable(rule))
    }
}

/// Reads a rule.
pub fn read(path: &Path) -> Result<Rule, Error> {
    Ok(read_rule(path)?)
}

/// Looks at a rule, and at the program that it is for, if one is given: the rule, or what is
/// wrong with it.
pub fn examine(path: &Path, source: &Source) -> Result<Rule, Error> {
    let options = RuleOptions {
        data_model: source.data_model,
        clang_args: &source.clang_args,
        interrupt: None,
    };
    let rule = attest_frontend::check_rule(path, options)?;
    if source.files.is_empty() {
        return Ok(rule);
    }
    for file in source.files.iter().chain(&source.stubs) {
        crate::files::inspect(file)?;
    }
    let texts = Texts::of(source)?;
    let made = attest_slic::instrument(&rule, &texts.units(), &source.model.entry)
        .map_err(attest_frontend::LoadError::Rule)?;
    let functions = rule.functions();
    let unknown = functions.iter().find(|f| !made.watched.contains(**f));
    if let Some(unknown) = unknown {
        let patterns = rule.events.iter().flat_map(|e| &e.patterns);
        let mut places = patterns.filter(|p| p.function == **unknown);
        let (line, column) = places.next().map_or((1, 1), |p| rule.place(p.span));
        return Err(Error::input(format!(
            "{}:{line}:{column}: the program neither calls nor defines `{unknown}`",
            rule.file
        )));
    }
    texts.link_with(source, &rule)?;
    Ok(rule)
}
