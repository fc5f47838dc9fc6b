//! The calls at the end of a run, and the place in the user's own code.
//!
//! attest has the C library's functions as C of its own. A copy that is too long leaves its
//! object inside the model of `strcpy`, but what a user has to correct is the call: the
//! innermost place that is not in attest's own files.

use crate::messages;
use attest_evidence::{Call, Violation};
use attest_exec::Interpreter;
use attest_model::{BailKind, Class, FnId, PlaceId, Program};

/// The calls of a run, innermost first: a function, and the place in it.
pub type Stack = Vec<(FnId, PlaceId)>;

/// Calls that are kept at either end of a deep stack.
const MOST_CALLS: usize = 64;

/// The calls of a run that has ended.
pub fn of_run(run: &Interpreter<'_>) -> Stack {
    let mut stack = run.call_stack();
    if stack.len() > 2 * MOST_CALLS {
        stack.drain(MOST_CALLS..stack.len() - MOST_CALLS);
    }
    stack
}

/// The calls as tests and reports have them.
pub fn calls(program: &Program, stack: &[(FnId, PlaceId)]) -> Vec<Call> {
    let call = |(function, at): &(FnId, PlaceId)| Call {
        function: program.function(*function).name.to_string(),
        place: messages::place(program, *at),
    };
    stack.iter().map(call).collect()
}

/// The violation of a run that ended at a check of this kind, for its test; none if the
/// kind is that of a construct that attest does not support.
pub fn violation(
    kind: BailKind,
    what: &str,
    place: &str,
    run: &Interpreter<'_>,
) -> Option<Violation> {
    kind.class()?;
    let (program, stack) = (run.program, of_run(run));
    Some(Violation {
        check: kind.check(),
        place: place.to_owned(),
        what: what.to_owned(),
        stack: calls(program, &stack),
        // A leak is where its memory was allocated.
        allocated: (kind.class() == Some(Class::Leak)).then(|| place.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use attest_exec::{Inputs, Limits, Outcome, Overflow};
    use attest_frontend::{Source, load};
    use std::sync::Arc;

    /// Runs a program that bails, for its violation.
    fn violation_of(c: &str) -> Violation {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("program.c");
        std::fs::write(&file, c).unwrap();
        let source = Source {
            files: vec![file],
            ..Source::default()
        };
        let program = load(&source).unwrap();
        let inputs = Arc::new(Inputs::default());
        let mut run = Interpreter::new(&program, inputs, Overflow::Wrap, Limits::default());
        let outcome = run.run();
        let Outcome::Bailed(bail) = outcome else {
            panic!("{outcome:?}");
        };
        let place = messages::user_place(&program, &of_run(&run), run.place());
        violation(bail.kind, &bail.what, &place, &run).unwrap()
    }

    #[test]
    fn an_overflow_in_the_library_is_at_the_call() {
        let made = violation_of(
            "char *strcpy(char *, const char *);
             static void f(char *p) {
               strcpy(p, \"0123456789\");
             }
             int main(void) { char a[4];
               f(a);
               return 0; }",
        );
        assert_eq!(made.check, "memory/out-of-bounds");
        assert!(made.place.contains("program.c:3:"), "{made:?}");
        assert!(made.is_in_library(), "{made:?}");
        let names: Vec<&str> = made.stack.iter().map(|c| &*c.function).collect();
        assert_eq!(names[names.len() - 2..], ["f", "main"], "{made:?}");
    }

    #[test]
    fn an_access_of_the_users_is_where_it_is() {
        let made = violation_of(
            "int main(void) { int *p = 0;
               return *p; }",
        );
        assert!(made.place.contains("program.c:2:"), "{made:?}");
        assert!(!made.is_in_library(), "{made:?}");
    }
}
