//! Properties: SV-COMP's property files, and their short names.
//!
//! A property file says `CHECK( init(main()), LTL(G ! call(reach_error())) )`, with one or
//! several formulas. It asks for exactly these checks: a run simply ends at other undefined
//! behaviour, nothing is said of that, and the search ends at the first violation.

use crate::error::Error;
use attest_model::{BailKind, Checks, Class};
use std::path::Path;

/// A property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// Where the program starts, if the property says so.
    pub entry: Option<String>,
    /// Functions that must not be called; none if the property is about something else.
    pub errors: Vec<String>,
    /// What it asks for.
    pub checks: Checks,
}

/// A formula of SV-COMP about undefined behaviour: its name, how it is written after `G`, and
/// its kinds of checks.
type Formula = (&'static str, &'static str, fn() -> Vec<BailKind>);

/// All of them.
const FORMULAS: [Formula; 6] = [
    ("valid-free", "valid-free", || vec![BailKind::BadFree]),
    ("valid-deref", "valid-deref", deref),
    ("valid-memtrack", "valid-memtrack", || vec![BailKind::Leak]),
    ("valid-memcleanup", "valid-memcleanup", || {
        Class::Leak.kinds().collect()
    }),
    ("no-overflow", "!overflow", || {
        Class::Overflow.kinds().collect()
    }),
    ("def-behavior", "def-behavior", || {
        let classes = [Class::Memory, Class::Overflow, Class::Arithmetic];
        classes.iter().flat_map(|class| class.kinds()).collect()
    }),
];

fn deref() -> Vec<BailKind> {
    let all = Class::Memory.kinds();
    all.filter(|kind| *kind != BailKind::BadFree).collect()
}

/// What is read where it is given by name.
const MEMSAFETY: &str = "valid-memsafety";
const UNREACH: &str = "unreach-call";

/// The names of all properties.
fn names() -> String {
    let names: Vec<&str> = FORMULAS.iter().map(|(name, ..)| *name).collect();
    format!("{UNREACH}, {MEMSAFETY}, {}", names.join(", "))
}

impl Property {
    fn of(kinds: Vec<BailKind>) -> Property {
        Property {
            entry: None,
            errors: Vec::new(),
            checks: Checks {
                asserts: false,
                kinds: kinds.into_iter().collect(),
            },
        }
    }
}

/// The property that `--property` names.
pub fn named(name: &str) -> Result<Property, Error> {
    if name == UNREACH {
        return Ok(Property {
            entry: None,
            errors: vec!["reach_error".into(), "__VERIFIER_error".into()],
            checks: Checks::of(&[Class::Assert]),
        });
    }
    if name == MEMSAFETY {
        let mut kinds = deref();
        kinds.extend([BailKind::BadFree, BailKind::Leak]);
        return Ok(Property::of(kinds));
    }
    if let Some((.., kinds)) = FORMULAS.iter().find(|(known, ..)| *known == name) {
        return Ok(Property::of(kinds()));
    }
    let path = Path::new(name);
    if path.extension().is_none_or(|e| e != "prp") {
        return Err(Error::usage(format!(
            "--property {name} is not known; the properties are {}, or name a file FILE.prp",
            names()
        )));
    }
    let text = std::fs::read_to_string(path)
        .map_err(|e| Error::input(format!("{name}: the property file cannot be read: {e}")))?;
    parse(&text).map_err(|why| Error::input(format!("{name}: {why}")))
}

/// Reads the text of a property file.
pub fn parse(text: &str) -> Result<Property, String> {
    let text: String = text.split_whitespace().collect();
    let mut rest = text.as_str();
    let mut found: Option<Property> = None;
    while !rest.is_empty() {
        let (entry, formula, after) = check(rest).ok_or(FORM)?;
        let property = found.get_or_insert(Property {
            entry: Some(entry.into()),
            ..Property::of(Vec::new())
        });
        if property.entry.as_deref() != Some(entry) {
            return Err("its lines start the program in different functions".into());
        }
        match (unreachable_call(formula), about(formula)) {
            (Some(error), _) => {
                property.errors.push(error.into());
                property.checks.asserts = true;
            }
            (None, Some(kinds)) => property.checks.kinds.extend(kinds),
            (None, None) => {
                return Err(format!(
                    "the property `{formula}` is not supported; attest decides `G ! call(F())` \
                     and {}",
                    names()
                ));
            }
        }
        rest = after;
    }
    found.ok_or_else(|| FORM.into())
}

/// How SV-COMP names the violation of a kind of check, where these are asked for; none is the
/// call of an error function.
pub fn violated_word(kind: Option<BailKind>, asked: &Checks) -> &'static str {
    let Some(kind) = kind else {
        return UNREACH;
    };
    if kind == BailKind::Leak && !asked.has(Some(BailKind::NotFreed)) {
        return "valid-memtrack";
    }
    if kind.class() == Some(Class::Leak) {
        return "valid-memcleanup";
    }
    let mut formulas = FORMULAS.iter();
    let of_kind = formulas.find(|(.., kinds)| kinds().contains(&kind));
    of_kind.map_or("def-behavior", |(name, ..)| name)
}

/// The formulas of SV-COMP, as they are written after `G`, whose checks are all asked for.
pub fn asked_formulas(asked: &Checks) -> Vec<&'static str> {
    let is_asked = |kinds: Vec<BailKind>| kinds.iter().all(|kind| asked.has(Some(*kind)));
    let formulas = FORMULAS.iter().filter(|(.., kinds)| is_asked(kinds()));
    formulas.map(|(_, written, _)| *written).collect()
}

/// The formula that the violation of a kind of check violates, where these are asked for.
pub fn violated_formula(kind: BailKind, asked: &Checks) -> Option<&'static str> {
    let name = violated_word(Some(kind), asked);
    let (_, written, kinds) = FORMULAS.iter().find(|(known, ..)| *known == name)?;
    kinds().contains(&kind).then_some(*written)
}

const FORM: &str =
    "this is no property; write `CHECK( init(main()), LTL(G ! call(reach_error())) )`";

/// `CHECK(init(ENTRY()),LTL(FORMULA))`: the entry, the formula, and what follows.
fn check(text: &str) -> Option<(&str, &str, &str)> {
    let (entry, rest) = text.strip_prefix("CHECK(init(")?.split_once("()),")?;
    let body = rest.strip_prefix("LTL(")?;
    let end = body.find("CHECK(").unwrap_or(body.len());
    let formula = body[..end].strip_suffix("))")?;
    is_name(entry).then_some((entry, formula, &body[end..]))
}

/// `G!call(F())`: the function.
fn unreachable_call(formula: &str) -> Option<&str> {
    let name = formula.strip_prefix("G!call(")?.strip_suffix("())")?;
    is_name(name).then_some(name)
}

/// A formula about undefined behaviour: its kinds.
fn about(formula: &str) -> Option<Vec<BailKind>> {
    let text = formula.strip_prefix('G')?;
    let mut formulas = FORMULAS.iter();
    let known = formulas.find(|(_, written, _)| *written == text)?;
    Some(known.2())
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good(text: &str, entry: &str, errors: &[&str]) {
        let property = parse(text).expect(text);
        assert_eq!(property.entry.as_deref(), Some(entry), "{text}");
        assert_eq!(property.errors, errors, "{text}");
    }

    fn bad(text: &str, why: &str) {
        let message = parse(text).expect_err(text);
        assert!(message.contains(why), "{text}: {message}");
    }

    #[test]
    fn properties() {
        good(
            "CHECK( init(main()), LTL(G ! call(reach_error())) )\n\n",
            "main",
            &["reach_error"],
        );
        good(
            "CHECK(init(start()),LTL(G!call(a())))CHECK(init(start()),LTL(G ! call(b())))",
            "start",
            &["a", "b"],
        );
        bad("", "no property");
        bad("hello", "no property");
        bad("CHECK( init(main()), LTL(G ! data-race) )", "G!data-race");
        bad("CHECK( init(main()), LTL(F end) )", "not supported");
        bad(
            "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
            "no property",
        );
        bad(
            "CHECK(init(f()),LTL(G!call(a())))CHECK(init(g()),LTL(G!call(a())))",
            "different functions",
        );
    }

    #[test]
    fn undefined_behaviour() {
        let memory = "CHECK( init(main()), LTL(G valid-free) )
            CHECK( init(main()), LTL(G valid-deref) )
            CHECK( init(main()), LTL(G valid-memtrack) )";
        let parsed = parse(memory).expect(memory);
        let by_name = named(MEMSAFETY).expect(MEMSAFETY);
        assert_eq!(parsed.checks, by_name.checks);
        assert!(!parsed.checks.asserts && parsed.errors.is_empty());
        let word = |kind| violated_word(kind, &parsed.checks);
        assert_eq!(word(Some(BailKind::Leak)), "valid-memtrack");
        assert_eq!(word(Some(BailKind::BadFree)), "valid-free");
        assert_eq!(word(Some(BailKind::OutOfBounds)), "valid-deref");
        assert_eq!(word(None), "unreach-call");
        let overflow = parse("CHECK( init(main()), LTL(G ! overflow) )").map(|p| p.checks);
        assert_eq!(overflow, Ok(Checks::of(&[Class::Overflow])));
        for (name, written, _) in FORMULAS {
            let text = format!("CHECK(init(main()),LTL(G{written}))");
            let parsed = parse(&text).map(|p| p.checks);
            assert_eq!(parsed.ok(), named(name).ok().map(|p| p.checks), "{name}");
        }
    }

    #[test]
    fn formulas_of_checks() {
        let memory = Checks::of(&[Class::Memory]);
        assert_eq!(asked_formulas(&memory), ["valid-free", "valid-deref"]);
        assert!(asked_formulas(&Checks::of(&[Class::Uninitialised])).is_empty());
        let formula = |kind| violated_formula(kind, &memory);
        assert_eq!(formula(BailKind::NullDeref), Some("valid-deref"));
        assert_eq!(formula(BailKind::Overflow), Some("!overflow"));
        assert_eq!(formula(BailKind::Uninitialised), None);
    }

    #[test]
    fn names() {
        assert!(named("unreach-call").is_ok_and(|p| p.entry.is_none()));
        assert!(named("no-overflows").is_err());
    }
}
