//! `compile_commands.json`: how a project compiles each of its files.
//!
//! The recorded arguments are kept but for those that decide what is made of
//! the file (`-c`, `-o`), how it is optimised, or what else is checked:
//! assertions must stay in (`-DNDEBUG` goes), warnings must not stop us, and
//! sanitizers would add code of their own.

use crate::clang::{DataModel, Options};
use crate::flags::{self, Refused};
use serde::Deserialize;
use std::path::{Component, Path, PathBuf};

/// How one file is compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileCommand {
    /// Where the compiler runs.
    pub directory: PathBuf,
    /// The file, absolute if the directory is.
    pub file: PathBuf,
    /// All arguments, that of the compiler first.
    pub arguments: Vec<String>,
}

/// All entries of a `compile_commands.json`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Database {
    /// The entries, in the order of the file.
    pub entries: Vec<CompileCommand>,
}

/// Why a database could not be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{path}: {message}")]
pub struct DatabaseError {
    /// The database.
    pub path: PathBuf,
    /// What was wrong.
    pub message: String,
}

/// An entry as it stands in the file.
#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

impl Database {
    /// Reads a database; a directory stands for the file of the usual name in it.
    pub fn read(path: &Path) -> Result<Database, DatabaseError> {
        let path = if path.is_dir() {
            path.join("compile_commands.json")
        } else {
            path.to_owned()
        };
        let result = std::fs::read_to_string(&path)
            .map_err(|e| e.to_string())
            .and_then(|text| Database::parse(&text));
        result.map_err(|message| DatabaseError { path, message })
    }

    /// The database in a text.
    pub fn parse(text: &str) -> Result<Database, String> {
        let entries: Vec<Entry> = serde_json::from_str(text).map_err(|e| e.to_string())?;
        let entries: Result<_, String> = entries.into_iter().map(CompileCommand::new).collect();
        Ok(Database { entries: entries? })
    }

    /// The first entry of a file, given by a path that is absolute or relative
    /// to the current directory, or to that of the entry.
    pub fn find(&self, file: &Path) -> Option<&CompileCommand> {
        let absolute = std::path::absolute(file).map_or_else(|_| file.to_owned(), |p| normal(&p));
        self.entries.iter().find(|entry| {
            let own = normal(&entry.file);
            own == absolute || own == normal(&entry.directory.join(file))
        })
    }
}

/// A path without `.` and `..`, as far as its text says.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if out.file_name().is_some() => drop(out.pop()),
            other => out.push(other),
        }
    }
    out
}

impl CompileCommand {
    fn new(entry: Entry) -> Result<Self, String> {
        let arguments = match (entry.arguments, entry.command) {
            (Some(arguments), _) => arguments,
            (None, Some(command)) => shell_words::split(&command)
                .map_err(|e| format!("the command of {}: {e}", entry.file.display()))?,
            (None, None) => {
                return Err(format!(
                    "{} has neither `command` nor `arguments`",
                    entry.file.display()
                ));
            }
        };
        let file = entry.directory.join(&entry.file);
        Ok(CompileCommand {
            directory: entry.directory,
            file,
            arguments,
        })
    }

    /// Whether the file is compiled for 32 bits; `None` if the arguments do not say.
    pub fn data_model(&self) -> Option<DataModel> {
        self.arguments
            .iter()
            .rev()
            .find_map(|arg| match arg.as_str() {
                "-m32" => Some(DataModel::Ilp32),
                "-m64" => Some(DataModel::Lp64),
                _ => None,
            })
    }

    /// The first argument that gives the program a meaning which the model has not.
    pub fn refused(&self) -> Option<Refused> {
        flags::refused(&self.arguments, Some(&self.directory), None)
    }

    /// What [`crate::compile`] needs for the file.
    pub fn options(&self) -> Options {
        Options {
            data_model: self.data_model().unwrap_or_default(),
            args: self.clang_args(),
            directory: Some(self.directory.clone()),
            warnings: false,
            drop_unknown: true,
            interrupt: None,
        }
    }

    /// The arguments to be given to clang.
    pub fn clang_args(&self) -> Vec<String> {
        let file = normal(&self.file);
        let mut rest = self.arguments.as_slice();
        if let [first, more @ ..] = rest
            && is_wrapper(first)
        {
            rest = more;
        }
        let mut args = Vec::new();
        let mut rest = rest.iter().skip(1);
        while let Some(arg) = rest.next() {
            match fate(arg) {
                Fate::Drop => {}
                Fate::DropWithNext => drop(rest.next()),
                Fate::Keep if !arg.starts_with('-') => {
                    if normal(&self.directory.join(arg)) != file {
                        args.push(arg.clone());
                    }
                }
                Fate::Keep => args.push(arg.clone()),
                Fate::KeepWithNext => match rest.next() {
                    Some(value) if arg == "-D" && defines_ndebug(value) => {}
                    Some(value) => args.extend([arg.clone(), value.clone()]),
                    None => args.push(arg.clone()),
                },
            }
        }
        args
    }
}

/// Programs that stand before the compiler itself.
fn is_wrapper(program: &str) -> bool {
    let name = Path::new(program)
        .file_name()
        .and_then(|n| n.to_str())
        .unwrap_or_default();
    matches!(name, "ccache" | "distcc" | "sccache" | "icecc")
}

fn defines_ndebug(definition: &str) -> bool {
    definition == "NDEBUG" || definition.starts_with("NDEBUG=")
}

enum Fate {
    Keep,
    KeepWithNext,
    Drop,
    DropWithNext,
}

/// What becomes of an argument.
fn fate(arg: &str) -> Fate {
    let any = |prefixes: &[&str]| prefixes.iter().any(|p| arg.starts_with(p));
    match arg {
        "-o" | "-MF" | "-MT" | "-MQ" | "-MJ" | "-x" | "--serialize-diagnostics" => {
            Fate::DropWithNext
        }
        "-D" | "-U" | "-I" | "-isystem" | "-iquote" | "-idirafter" | "-include" | "-imacros"
        | "-isysroot" | "--sysroot" | "-target" | "-Xclang" | "-arch" => Fate::KeepWithNext,
        "-c" | "-S" | "-E" | "-m32" | "-m64" | "-pedantic-errors" | "-pipe" | "-save-temps"
        | "--" => Fate::Drop,
        _ if arg.strip_prefix("-D").is_some_and(defines_ndebug) => Fate::Drop,
        _ if any(&[
            "-O",
            "-M",
            "-g",
            "-Werror",
            "-fsanitize",
            "-fno-sanitize",
            "-flto",
            "-o",
        ]) =>
        {
            Fate::Drop
        }
        _ => Fate::Keep,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_args(command: &str, expected: &[&str]) {
        let json =
            serde_json::json!([{ "directory": "/p", "file": "src/a.c", "command": command }]);
        let database = Database::parse(&json.to_string()).expect("a database");
        assert_eq!(database.entries[0].clang_args(), expected, "{command}");
    }

    #[test]
    fn arguments_are_stripped() {
        check_args("cc -c src/a.c -o a.o", &[]);
        check_args("ccache gcc -O2 -g -DNDEBUG -DX=1 -c ./src/a.c", &["-DX=1"]);
        check_args(
            "cc -I inc -MD -MF a.d -MT x -MP -Werror=all -Wall a.c",
            &["-I", "inc", "-Wall", "a.c"],
        );
        check_args(
            "cc -D NDEBUG -D Y -fsanitize=address -std=c99",
            &["-D", "Y", "-std=c99"],
        );
        check_args("cc -m32 -oa.o -O -ggdb -flto=thin -c /p/src/a.c", &[]);
        check_args(
            "cc -include conf.h -isystem /x -fconserve-stack",
            &["-include", "conf.h", "-isystem", "/x", "-fconserve-stack"],
        );
    }

    #[test]
    fn commands_are_split_as_by_a_shell() {
        let command = r#"cc -DA="\"x y\"" '-DB=b c' -DC=d\ e "-DD=\n" '' a.c"#;
        check_args(
            command,
            &["-DA=\"x y\"", "-DB=b c", "-DC=d e", "-DD=\\n", "", "a.c"],
        );
    }

    #[test]
    fn entries_are_found() {
        let json = r#"[
            { "directory": "/p", "file": "a.c", "arguments": ["cc", "-m32", "a.c"] },
            { "directory": "/p/sub", "file": "../b.c", "command": "cc ../b.c" }
        ]"#;
        let database = Database::parse(json).expect("a database");
        let found = database.find(Path::new("/p/a.c")).expect("an entry");
        assert_eq!(found.data_model(), Some(DataModel::Ilp32));
        let found = database.find(Path::new("/p/b.c")).expect("an entry");
        assert_eq!(found.directory, Path::new("/p/sub"));
        assert_eq!(found.clang_args(), [""; 0]);
        assert!(database.find(Path::new("/p/c.c")).is_none());
    }

    #[test]
    fn bad_databases() {
        for text in [
            "",
            "{}",
            r#"[{"directory": "/p", "file": "a.c"}]"#,
            r#"[{"directory": "/p", "file": "a.c", "command": "'"}]"#,
        ] {
            assert!(Database::parse(text).is_err(), "{text}");
        }
    }
}
