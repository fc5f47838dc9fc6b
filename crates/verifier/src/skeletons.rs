//! Skeletons of the functions that a program lacks, in C.
//!
//! A skeleton returns any value, and does nothing else. That is rarely all that the function
//! does, so it is the user who decides to take it, by hand or with [`crate::havoc`].

use crate::error::Error;
use crate::messages;
use crate::source::Source;
use crate::survey::Survey;
use attest_frontend::{Interrupt, Texts};
use attest_llvm::Module;
use attest_llvm::ir::GlobalKind;
use attest_model::library;
use attest_slic::stub;

/// Skeletons of functions.
pub struct Skeletons {
    /// The functions that have one.
    pub functions: Vec<String>,
    /// The text of all, in C; nothing if no function is missing.
    pub text: String,
}

impl Skeletons {
    /// The skeletons of all functions that a program lacks, whether or not a run reaches them.
    pub fn of(source: &Source) -> Result<Skeletons, Error> {
        Skeletons::unless(source, None)
    }

    /// The same, unless it is interrupted.
    pub(crate) fn unless(source: &Source, interrupt: Interrupt) -> Result<Skeletons, Error> {
        let texts = Texts::unless(source, interrupt)?;
        let module = texts.link(source)?;
        let program = attest_frontend::model(&module, source)?;
        let survey = Survey::of(&program);
        let (mut functions, mut bodies) = (Vec::new(), String::new());
        for name in missing(&module, source) {
            let sites = survey.missing.get(name).into_iter().flatten();
            let sites: Vec<String> = sites
                .map(|(_, at)| messages::place(&program, *at))
                .collect();
            let called = match sites.is_empty() {
                true => "declared only".to_owned(),
                false => format!("called at {}", sites.join(", ")),
            };
            let units = texts.units();
            let made = units
                .iter()
                .find_map(|u| stub::skeleton(u.ir, name, &called));
            bodies.push('\n');
            match made {
                Some(body) => {
                    bodies.push_str(&body);
                    functions.push(name.to_owned());
                }
                None => bodies.push_str(&format!(
                    "/* {name}: {called}; its type is for you to write. */\n"
                )),
            }
        }
        let text = match bodies.is_empty() {
            true => bodies,
            false => format!(
                "/* Functions that the program lacks. Each returns any value and changes nothing:\n   \
                 write what else they do, and pass the file with --stubs. */\n\n{}{bodies}",
                stub::inputs(&bodies)
            ),
        };
        Ok(Skeletons { functions, text })
    }
}

/// Functions that neither the program nor attest defines, by name.
fn missing<'a>(module: &'a Module, source: &Source) -> Vec<&'a str> {
    let is_known = |name: &str| {
        let own = ["llvm.", "__attest_"]
            .iter()
            .any(|own| name.starts_with(own));
        own || library::is_primitive(name) || source.model.errors.iter().any(|e| e == name)
    };
    let mut names: Vec<&str> = module
        .globals
        .iter()
        .filter(|g| matches!(&g.kind, GlobalKind::Function(f) if f.is_declaration()))
        .map(|g| &*g.name)
        .filter(|name| !is_known(name))
        .collect();
    names.sort_unstable();
    names
}
