//! The checks of a program, in classes: what a program is asked about.
//!
//! A check is a place and a kind: a kind of undefined behaviour ([`BailKind`]) or a call of an
//! error function. A run ends at the first check that it violates, so what is proved of a class
//! holds as long as no other check was violated before.

use super::{BailKind, PlaceId};
use std::collections::BTreeSet;
use std::fmt;

/// A class of checks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Class {
    /// Assertions and calls of error functions.
    Assert,
    /// Accesses to memory, `free`, and calls through pointers.
    Memory,
    /// Heap memory that is not freed.
    Leak,
    /// Signed overflow.
    Overflow,
    /// Division, shifts, conversions of floats, and code that is never to be reached.
    Arithmetic,
    /// Values that were never set.
    Uninitialised,
}

impl Class {
    /// All classes.
    pub const ALL: [Class; 6] = [
        Class::Assert,
        Class::Memory,
        Class::Leak,
        Class::Overflow,
        Class::Arithmetic,
        Class::Uninitialised,
    ];

    /// The classes that a program is asked about where the user names none.
    pub const USUAL: [Class; 4] = [
        Class::Assert,
        Class::Memory,
        Class::Overflow,
        Class::Arithmetic,
    ];

    /// Its name for options and reports.
    pub fn word(self) -> &'static str {
        match self {
            Class::Assert => "assert",
            Class::Memory => "memory",
            Class::Leak => "leak",
            Class::Overflow => "overflow",
            Class::Arithmetic => "arithmetic",
            Class::Uninitialised => "uninitialised",
        }
    }

    /// The class with this name.
    pub fn named(word: &str) -> Option<Class> {
        Class::ALL.into_iter().find(|class| class.word() == word)
    }

    /// The kinds of undefined behaviour that are its checks; none for assertions.
    pub fn kinds(self) -> impl Iterator<Item = BailKind> {
        let all = BailKind::ALL.iter().copied();
        all.filter(move |kind| kind.class() == Some(self))
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A check: a place, and what may go wrong there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Check {
    /// Where.
    pub place: PlaceId,
    /// What; none is a call of an error function.
    pub kind: Option<BailKind>,
}

/// What a program is asked about: kinds of checks.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Checks {
    /// Whether an error function is called.
    pub asserts: bool,
    /// Kinds of undefined behaviour; each belongs to a class.
    pub kinds: BTreeSet<BailKind>,
}

impl Checks {
    /// All checks of these classes.
    pub fn of(classes: &[Class]) -> Checks {
        Checks {
            asserts: classes.contains(&Class::Assert),
            kinds: classes.iter().flat_map(|class| class.kinds()).collect(),
        }
    }

    /// Whether a kind of check is asked for; none is a call of an error function.
    pub fn has(&self, kind: Option<BailKind>) -> bool {
        kind.map_or(self.asserts, |kind| self.kinds.contains(&kind))
    }

    /// The classes of which some check is asked for.
    pub fn classes(&self) -> impl Iterator<Item = Class> + '_ {
        let asked = |class: &Class| match class {
            Class::Assert => self.asserts,
            class => class.kinds().any(|kind| self.kinds.contains(&kind)),
        };
        Class::ALL.into_iter().filter(asked)
    }

    /// The kinds of a class that are asked for; none is a call of an error function.
    pub fn of_class(&self, class: Class) -> Vec<Option<BailKind>> {
        match class {
            Class::Assert if self.asserts => vec![None],
            class => {
                let asked = class.kinds().filter(|kind| self.kinds.contains(kind));
                asked.map(Some).collect()
            }
        }
    }

    /// These and those of a class.
    pub fn with(&self, class: Class) -> Checks {
        let mut checks = self.clone();
        checks.asserts |= class == Class::Assert;
        checks.kinds.extend(class.kinds());
        checks
    }

    /// These without those of a class.
    pub fn without(&self, class: Class) -> Checks {
        let kept = |kind: &&BailKind| kind.class() != Some(class);
        Checks {
            asserts: self.asserts && class != Class::Assert,
            kinds: self.kinds.iter().filter(kept).copied().collect(),
        }
    }

    /// Whether nothing is asked for.
    pub fn is_empty(&self) -> bool {
        !self.asserts && self.kinds.is_empty()
    }

    /// The kinds of checks that are not asked for: a run ends there, and a proof does not
    /// exclude them.
    pub fn others(&self) -> Vec<BailKind> {
        let all = BailKind::ALL.iter().copied();
        all.filter(|kind| kind.class().is_some() && !self.kinds.contains(kind))
            .collect()
    }
}

impl Default for Checks {
    fn default() -> Checks {
        Checks::of(&Class::USUAL)
    }
}

/// The name of a kind of check: `memory/out-of-bounds`, `assert/failed`.
pub fn check_word(kind: Option<BailKind>) -> String {
    kind.map_or_else(|| "assert/failed".into(), BailKind::check)
}

/// The class of a kind of check, if it has one.
pub fn class_of(kind: Option<BailKind>) -> Option<Class> {
    kind.map_or(Some(Class::Assert), BailKind::class)
}

impl BailKind {
    /// The class whose checks are of this kind; none for constructs that attest does not support.
    pub fn class(self) -> Option<Class> {
        match self {
            BailKind::BadCall
            | BailKind::NullDeref
            | BailKind::InvalidPointer
            | BailKind::OutOfBounds
            | BailKind::UseAfterFree
            | BailKind::BadFree
            | BailKind::ConstWrite
            | BailKind::Overlap => Some(Class::Memory),
            BailKind::Division | BailKind::Shift | BailKind::FloatToInt | BailKind::Unreachable => {
                Some(Class::Arithmetic)
            }
            BailKind::Overflow => Some(Class::Overflow),
            BailKind::Leak | BailKind::NotFreed => Some(Class::Leak),
            BailKind::Uninitialised => Some(Class::Uninitialised),
            BailKind::Extern
            | BailKind::Asm
            | BailKind::PtrOrder
            | BailKind::PtrPun
            | BailKind::Exception
            | BailKind::Type
            | BailKind::Recursion
            | BailKind::Unsupported => None,
        }
    }

    /// Its name as a check: `memory/out-of-bounds`.
    pub fn check(self) -> String {
        match self.class() {
            Some(class) => format!("{class}/{}", self.word()),
            None => self.word().into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_name_classes() {
        for class in Class::ALL {
            assert_eq!(Class::named(class.word()), Some(class));
            assert_eq!(class.kinds().next().is_none(), class == Class::Assert);
        }
        assert_eq!(Class::named("memroy"), None);
        assert_eq!(BailKind::OutOfBounds.check(), "memory/out-of-bounds");
    }
}
