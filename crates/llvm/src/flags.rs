//! Arguments of clang that give a program a meaning which the model has not.
//!
//! What clang says in the IR (signedness of `char`, sizes of enumerations, packing, fused
//! instructions of the target) the reader and the lowering handle. Other arguments change the
//! code that a compiler makes of the same IR, or are overridden by the arguments that attest adds.
//! These are refused by name, wherever arguments come from.

use crate::clang::DataModel;
use std::fmt;
use std::path::Path;

/// An argument that is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// The argument.
    pub argument: String,
    /// What it does.
    pub why: &'static str,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the compiler argument `{}` is not supported: it {}; leave it out to check the \
             program without it",
            self.argument, self.why
        )
    }
}

const FAST: &str = "lets the compiler change the results of floating-point arithmetic";
const ROUNDING: &str = "asks for another rounding than to the nearest";
const DENORMAL: &str = "changes the smallest floating-point numbers";
const EXCESS: &str = "lets floating-point arithmetic keep more digits than its type has";
const X87: &str = "chooses a machine without SSE2, whose floating-point arithmetic is different";
const TRAP: &str = "makes overflow end the program; attest reports overflow itself";
const TARGET: &str = "chooses another machine than x86";
const WIDTHS: &str = "chooses other widths of types than `--data-model` (ilp32 or lp64)";
const CHARSET: &str = "chooses another encoding than UTF-8";
const CONSTANTS: &str = "changes the type of constants, which clang does not support";
const BITFIELDS: &str = "changes the signedness of bit-fields, which clang does not support";
const DOUBLE: &str = "changes the size of double, which clang does not support";

/// Arguments that are refused as they are.
const WHOLE: &[(&str, &str)] = &[
    ("-Ofast", FAST),
    ("-fapprox-func", FAST),
    ("-fassociative-math", FAST),
    ("-ffast-math", FAST),
    ("-ffinite-math-only", FAST),
    ("-ffp-contract=fast", FAST),
    ("-ffp-contract=fast-honor-pragmas", FAST),
    ("-ffp-model=aggressive", FAST),
    ("-ffp-model=fast", FAST),
    ("-fno-honor-infinities", FAST),
    ("-fno-honor-nans", FAST),
    ("-fno-signed-zeros", FAST),
    ("-freciprocal-math", FAST),
    ("-funsafe-math-optimizations", FAST),
    ("-cl-fast-relaxed-math", FAST),
    ("-cl-mad-enable", FAST),
    ("-cl-no-signed-zeros", FAST),
    ("-cl-unsafe-math-optimizations", FAST),
    ("-mreassociate", FAST),
    ("-mrecip", FAST),
    ("-ffp-model=strict", ROUNDING),
    ("-frounding-math", ROUNDING),
    ("-mdaz-ftz", DENORMAL),
    ("-cl-denorms-are-zero", DENORMAL),
    ("-ftrapv", TRAP),
    ("-mfpmath=387", X87),
    ("-mfpmath=sse,387", X87),
    ("-mfpmath=both", X87),
    ("-m16", WIDTHS),
    ("-mx32", WIDTHS),
    ("-maix32", WIDTHS),
    ("-maix64", WIDTHS),
    ("-fsingle-precision-constant", CONSTANTS),
    ("-cl-single-precision-constant", CONSTANTS),
    ("-funsigned-bitfields", BITFIELDS),
    ("-fno-signed-bitfields", BITFIELDS),
    ("-fshort-double", DOUBLE),
];

/// Arguments that are refused whatever follows.
const BEGINNINGS: &[(&str, &str)] = &[
    ("-mrecip=", FAST),
    ("-menable-no-", FAST),
    ("-menable-unsafe-", FAST),
    ("-fp-contract=fast", FAST),
    ("--fp-contract=fast", FAST),
    ("-enable-unsafe-fp-math", FAST),
    ("-enable-no-nans-fp-math", FAST),
    ("-enable-no-infs-fp-math", FAST),
    ("-enable-no-signed-zeros-fp-math", FAST),
    ("-ffp-exception-behavior=strict", ROUNDING),
    ("-ffp-exception-behavior=maytrap", ROUNDING),
    ("-fdenormal-fp-math=preserve", DENORMAL),
    ("-fdenormal-fp-math=positive", DENORMAL),
    ("-fdenormal-fp-math=dynamic", DENORMAL),
    ("-fdenormal-fp-math-f32=preserve", DENORMAL),
    ("-fdenormal-fp-math-f32=positive", DENORMAL),
    ("-fdenormal-fp-math-f32=dynamic", DENORMAL),
    ("-fexcess-precision=", EXCESS),
    ("-ffloat16-excess-precision=", EXCESS),
    ("-fbfloat16-excess-precision=", EXCESS),
    ("-ftrapv-handler=", TRAP),
];

/// Processors that have no SSE2.
const OLD: &[&str] = &[
    "i386",
    "i486",
    "i586",
    "i686",
    "pentium",
    "pentium-mmx",
    "pentiumpro",
    "pentium2",
    "pentium3",
    "pentium3m",
    "lakemont",
    "winchip-c6",
    "winchip2",
    "c3",
    "c3-2",
    "k6",
    "k6-2",
    "k6-3",
    "athlon",
    "athlon-tbird",
    "athlon-xp",
    "athlon-mp",
    "athlon-4",
    "geode",
];

/// How deep files of arguments may name each other.
const NESTED: u32 = 8;

/// The first of these arguments that is refused. The widths of types are known from elsewhere:
/// an argument must not say otherwise, unless the caller follows it. Files of arguments (`@FILE`)
/// are looked into.
pub fn refused(
    args: &[String],
    directory: Option<&Path>,
    model: Option<DataModel>,
) -> Option<Refused> {
    nested(args, directory, model, NESTED)
}

fn nested(
    args: &[String],
    directory: Option<&Path>,
    model: Option<DataModel>,
    left: u32,
) -> Option<Refused> {
    let mut before = "";
    for arg in args {
        let named = |why| {
            let argument = arg.clone();
            Some(Refused { argument, why })
        };
        // What follows these is a name and no argument.
        if matches!(before, "-D" | "-U" | "-I" | "-include" | "-o" | "-isystem") {
            before = "";
            continue;
        }
        let refused = match arg.strip_prefix('@') {
            Some(file) if left > 0 => inside(file, directory, model, left - 1),
            _ => why(before, arg, model).and_then(named),
        };
        if refused.is_some() {
            return refused;
        }
        before = arg;
    }
    None
}

/// The first refused argument in a file of arguments; clang complains where it cannot be read.
fn inside(
    file: &str,
    directory: Option<&Path>,
    model: Option<DataModel>,
    left: u32,
) -> Option<Refused> {
    let path = directory.unwrap_or(Path::new(".")).join(file);
    let text = std::fs::read_to_string(path).ok()?;
    let args = shell_words::split(&text).ok()?;
    nested(&args, directory, model, left)
}

/// Why an argument is refused; `before` is the one before it.
fn why(before: &str, arg: &str, model: Option<DataModel>) -> Option<&'static str> {
    if let Some((_, why)) = WHOLE.iter().find(|(word, _)| *word == arg) {
        return Some(why);
    }
    if let Some((_, why)) = BEGINNINGS.iter().find(|(start, _)| arg.starts_with(start)) {
        return Some(why);
    }
    let value = |option: &str| arg.strip_prefix(option);
    let is_x86 = |triple: &str| {
        let arch = triple.split('-').next().unwrap_or_default();
        matches!(arch, "x86_64" | "amd64" | "i386" | "i486" | "i586" | "i686")
    };
    let target = value("--target=").or_else(|| value("-target="));
    let target =
        target.or_else(|| matches!(before, "-target" | "--target" | "-arch").then_some(arg));
    if target.is_some_and(|triple| !is_x86(triple) || triple.contains("x32")) {
        return Some(TARGET);
    }
    if value("-march=").is_some_and(|cpu| OLD.contains(&cpu)) {
        return Some(X87);
    }
    let charset = value("-fexec-charset=").or_else(|| value("-fwide-exec-charset="));
    if charset.is_some_and(|name| !name.eq_ignore_ascii_case("utf-8")) {
        return Some(CHARSET);
    }
    match (arg, model) {
        ("-m32", Some(DataModel::Lp64)) | ("-m64", Some(DataModel::Ilp32)) => Some(WIDTHS),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(command: &str, expected: Option<&str>) {
        let args = shell_words::split(command).expect("a command");
        let found = refused(&args, None, Some(DataModel::Lp64));
        let found = found.map(|refused| refused.argument);
        assert_eq!(found.as_deref(), expected, "{command}");
    }

    #[test]
    fn what_changes_arithmetic_is_refused() {
        for (word, _) in WHOLE.iter().chain(BEGINNINGS) {
            check(&format!("-DX {word} -Wall"), Some(word));
        }
        check("-Xclang -ffast-math", Some("-ffast-math"));
        check("-march=i586", Some("-march=i586"));
        check("-target arm-none-eabi", Some("arm-none-eabi"));
        check("--target=aarch64", Some("--target=aarch64"));
        check("-m32", Some("-m32"));
        check("-fexec-charset=latin1", Some("-fexec-charset=latin1"));
    }

    #[test]
    fn what_the_ir_says_is_not() {
        check(
            "-funsigned-char -fshort-enums -fpack-struct=1 -fwrapv",
            None,
        );
        check(
            "-mfma -march=native -march=haswell -O3 -ffp-contract=on",
            None,
        );
        check("-fno-fast-math -fsigned-zeros -fno-strict-overflow", None);
        check("--target=x86_64-linux-gnu -m64 -mfpmath=sse", None);
        check("-D -ffast-math -fexec-charset=UTF-8", None);
    }

    #[test]
    fn files_of_arguments_are_looked_into() {
        let folder = std::env::temp_dir().join(format!("attest-flags-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("a.rsp"), "-DX=1 -Ofast").expect("a file");
        std::fs::write(folder.join("b.rsp"), "@b.rsp").expect("a file");
        let args = |name: &str| vec![name.to_owned()];
        let found = refused(&args("@a.rsp"), Some(&folder), None);
        assert_eq!(found.map(|r| r.argument).as_deref(), Some("-Ofast"));
        assert_eq!(refused(&args("@b.rsp"), Some(&folder), None), None);
        std::fs::remove_dir_all(folder).expect("the folder is removed");
    }
}
