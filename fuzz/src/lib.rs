//! The bodies of the fuzz targets: each takes any text and fails if a reader breaks a promise.
//!
//! A target tells whether the text was accepted. A reader may refuse a text. It may not panic, and the place of an error is inside of the
//! text. What it accepts must mean the same once it is written and read again.

use attest_export::witness::{Content, Problem, Witness, graphml as xml, yaml as yml};
use attest_llvm::ir::{GlobalKind, MdId, Ty};
use attest_llvm::{Layout, Module, link, read_module};
use attest_proof::Proof;
use attest_slic::{Unit, instrument, parse};
use std::collections::BTreeSet;

/// Reads textual LLVM IR, asks what is known of it, and links it with itself.
pub fn ir(text: &str) -> bool {
    let module = match read_module(text, "fuzz.ll") {
        Ok(module) => module,
        Err(error) => {
            let lines = text.lines().count() as u32;
            assert!((1..=lines + 1).contains(&error.line), "{error}");
            return false;
        }
    };
    let again = read_module(&format!("{text}\n; the end"), "fuzz.ll");
    let again = again.expect("a comment changes nothing");
    assert!(
        contents(&module) == contents(&again),
        "a comment changes what is read"
    );
    if let Ok(layout) = Layout::parse(&module.data_layout) {
        for global in &module.globals {
            if let GlobalKind::Variable(variable) = &global.kind {
                sizes(&layout, &module, variable.ty);
            }
        }
    }
    for id in (0..module.metadata.nodes.len()).map(|i| MdId(i as u32)) {
        let _ = module.metadata.place(id);
        let _ = module.metadata.variable(id);
        let _ = module.metadata.ctype(id);
        let _ = module.metadata.ctype_name(id);
    }
    let _ = link(vec![module, again]);
    true
}

/// What a module consists of, apart from its indices, which have no order.
fn contents(module: &Module) -> String {
    let nodes = &module.metadata.nodes;
    format!("{:?}{:?}{nodes:?}", module.globals, module.consts)
}

/// A value fits into its place, and places of arrays are aligned.
fn sizes(layout: &Layout, module: &Module, ty: Ty) {
    let types = &module.types;
    let (Ok(size), Ok(stored), Ok(align)) = (
        layout.size_of(types, ty),
        layout.store_size(types, ty),
        layout.align_of(types, ty),
    ) else {
        return;
    };
    assert!(stored <= size, "{stored} bytes in {size}");
    assert!(align.is_power_of_two() && size.is_multiple_of(align));
    let offsets = layout.field_offsets(types, ty).unwrap_or_default();
    assert!(offsets.is_sorted() && offsets.iter().all(|at| *at <= size));
}

/// A small program for rules to be put into.
const PROGRAM: &str = "define i32 @main() {\n  %a = call i32 @f(i32 noundef 1)\n  ret i32 %a\n}\n\
    declare i32 @f(i32 noundef)\n";

/// Reads a rule, and puts it into a program.
pub fn slic(text: &str) -> bool {
    let rule = match parse("fuzz.slic", text) {
        Ok(rule) => rule,
        Err(error) => {
            let lines = text.split('\n').count();
            assert!(error.line <= lines, "{error}");
            assert!(!error.to_string().contains('\n'), "{error}");
            return false;
        }
    };
    let commented = format!("{text}\n/* the end */\n");
    let again = parse("fuzz.slic", &commented).expect("a comment changes nothing");
    assert_eq!((&rule.state, &rule.events), (&again.state, &again.events));
    assert_eq!(rule.functions(), again.functions());
    for predicate in rule.predicates() {
        let (line, column) = rule.place(predicate.span);
        assert!(line > 0 && column > 0 && !rule.slice(predicate.span).is_empty());
    }
    let unit = Unit {
        name: "fuzz.c",
        ir: PROGRAM,
        stub: false,
    };
    if let Ok(made) = instrument(&rule, &[unit], "main") {
        assert!(made.watched.iter().all(|f| f == "f" || f == "main"));
        let same = made.units[0].trim_end() == PROGRAM.trim_end();
        assert!(same || !made.watched.is_empty());
    }
    true
}

/// Reads a proof, writes it, and reads it again.
pub fn proof(text: &str) -> bool {
    let Ok(proof) = Proof::parse(text) else {
        return false;
    };
    assert_eq!(Proof::parse(&proof.to_json()), Ok(proof));
    true
}

/// Reads a witness in format 2.0, writes it, and reads it again.
pub fn yaml(text: &str) -> bool {
    let Ok(witness) = yml::read(text) else {
        return false;
    };
    let written = yml::write(&witness);
    assert_eq!(yml::read(&written), Ok(witness), "{written}");
    true
}

/// Reads a witness in format 1.0, writes it, and reads it again.
///
/// A witness by others may say more in the automaton than is written, so its claims and
/// the lines of its path are compared.
pub fn graphml(text: &str) -> bool {
    let Ok(witness) = xml::read(text) else {
        return false;
    };
    let written = xml::write(&witness);
    let again: Result<Witness, Problem> = xml::read(&written);
    let again = again.expect("a witness that was written is read");
    assert_eq!(witness.about.files, again.about.files);
    assert_eq!(witness.about.specification, again.about.specification);
    assert_eq!(
        claims_and_lines(&witness.content),
        claims_and_lines(&again.content),
        "{written}"
    );
    true
}

/// Claims as line, function and expression; and the lines of a path in order.
type Gist<'a> = (BTreeSet<(u32, Option<&'a str>, &'a str)>, Vec<u32>);

fn claims_and_lines(content: &Content) -> Gist<'_> {
    match content {
        Content::Correctness(claims) => {
            let claims = claims.iter().map(|claim| {
                let function = claim.location.function.as_deref();
                (claim.location.line, function, claim.value.as_str())
            });
            (claims.collect(), Vec::new())
        }
        Content::Violation(segments) => {
            let lines = segments.iter().flatten().map(|w| w.location.line);
            (BTreeSet::new(), lines.collect())
        }
    }
}
