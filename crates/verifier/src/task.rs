//! Task definitions of SV-COMP and BenchExec.
//!
//! A task names its files, its properties and its data model. A property that the user names
//! wins over it.

use crate::error::Error;
use crate::property;
use attest_llvm::DataModel;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// What a task definition says.
#[derive(Debug, Deserialize)]
struct Definition {
    #[serde(default)]
    input_files: Option<OneOrMany>,
    #[serde(default)]
    properties: Vec<Property>,
    #[serde(default)]
    options: Options,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

#[derive(Debug, Deserialize)]
struct Property {
    property_file: String,
}

#[derive(Debug, Default, Deserialize)]
struct Options {
    language: Option<String>,
    data_model: Option<String>,
}

/// The program of a task.
pub(crate) struct Task {
    /// Its files.
    pub files: Vec<PathBuf>,
    /// Its property, if attest knows one of them.
    pub property: Option<String>,
    /// Widths of types.
    pub data_model: DataModel,
}

/// Whether a file is a task definition.
fn is_task(file: &Path) -> bool {
    file.extension().is_some_and(|e| e == "yml" || e == "yaml")
}

/// The task of some files, with a task definition in place of its files.
pub(crate) fn of(
    files: &[PathBuf],
    property: Option<&String>,
    data_model: DataModel,
) -> Result<Task, Error> {
    let plain = Task {
        files: files.to_vec(),
        property: property.cloned(),
        data_model,
    };
    match files {
        [file] if is_task(file) => read(file, plain),
        files if files.iter().any(|f| is_task(f)) => Err(Error::usage(
            "a task definition stands alone; name no other file",
        )),
        _ => Ok(plain),
    }
}

fn read(file: &Path, mut task: Task) -> Result<Task, Error> {
    let name = file.display();
    let bad = |why: String| Error::input(format!("{name}: {why}"));
    let text = std::fs::read_to_string(file)
        .map_err(|why| bad(format!("the task definition cannot be read: {why}")))?;
    let definition: Definition = serde_norway::from_str(&text)
        .map_err(|why| bad(format!("this is no task definition: {why}")))?;
    if definition
        .options
        .language
        .as_deref()
        .is_some_and(|l| l != "C")
    {
        return Err(bad("the task is not in C".into()));
    }
    let beside = |path: &str| file.parent().unwrap_or(Path::new("")).join(path);
    task.files = match definition.input_files {
        Some(OneOrMany::One(path)) => vec![beside(&path)],
        Some(OneOrMany::Many(paths)) => paths.iter().map(|p| beside(p)).collect(),
        None => return Err(bad("the task has no input files".into())),
    };
    match definition.options.data_model.as_deref() {
        None => {}
        Some("ILP32") => task.data_model = DataModel::Ilp32,
        Some("LP64") => task.data_model = DataModel::Lp64,
        Some(other) => return Err(bad(format!("`{other}` is no known data model"))),
    }
    if task.property.is_none() && !definition.properties.is_empty() {
        let paths = definition
            .properties
            .iter()
            .map(|p| beside(&p.property_file));
        let paths: Vec<String> = paths.map(|p| p.display().to_string()).collect();
        // The first that is supported; else the reason why the first is not.
        let known = paths.iter().find(|p| property::named(p).is_ok());
        task.property = known.or(paths.first()).cloned();
    }
    Ok(task)
}
