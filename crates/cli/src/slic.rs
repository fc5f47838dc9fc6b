//! `attest slic check RULE [FILE...]`: whether a rule can be used.

use crate::args::SlicCheckArgs;
use crate::exit::{Failure, Status};
use crate::load::{RuleOptions, Source, Texts, check_rule};
use crate::{files, output, words};

/// Looks at a rule, and at the program that it is for, if one is given.
pub fn check(args: &SlicCheckArgs) -> Result<Status, Failure> {
    let source = Source {
        files: args.files.clone(),
        stubs: args.stubs.clone(),
        clang_args: args.clang_args.clone(),
        ..Source::default()
    };
    let options = RuleOptions {
        data_model: source.data_model,
        clang_args: &source.clang_args,
    };
    let rule = check_rule(&args.rule, options)?;
    let events: usize = rule.events.iter().map(|e| e.patterns.len()).sum();
    let functions = rule.functions();
    if !source.files.is_empty() {
        for file in source.files.iter().chain(&source.stubs) {
            files::inspect(file)?;
        }
        let texts = Texts::of(&source)?;
        let entry = &source.model.entry;
        let made = attest_slic::instrument(&rule, &texts.units(), entry)
            .map_err(crate::load::LoadError::Rule)?;
        let unknown = functions.iter().find(|f| !made.watched.contains(**f));
        if let Some(unknown) = unknown {
            let patterns = rule.events.iter().flat_map(|e| &e.patterns);
            let mut places = patterns.filter(|p| p.function == **unknown);
            let (line, column) = places.next().map_or((1, 1), |p| rule.place(p.span));
            return Err(Failure::input(format!(
                "{}:{line}:{column}: the program neither calls nor defines `{unknown}`",
                rule.file
            )));
        }
        texts.link_with(&source, &rule)?;
    }
    output::print(format!(
        "{}: {} of {}\n",
        rule.file,
        words::count(events, "event"),
        words::count(functions.len(), "function"),
    ));
    Ok(Status::Fine)
}
