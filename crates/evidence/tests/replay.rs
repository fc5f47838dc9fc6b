//! Failing tests, from a run of the interpreter to a native program that fails.

use attest_evidence::test::FORMAT;
use attest_evidence::{ErrorReached, ReplayOutcome, Test, confirm, replay};
use attest_exec::{InputValue, Inputs, Interpreter, Limits, Outcome, Overflow};
use attest_frontend::{Source, load};
use attest_llvm::clang;
use attest_model::Program;
use attest_proof::{DataModel, HashedFile};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

struct Case {
    test: Test,
    program: Program,
    outcome: Outcome,
    _folder: tempfile::TempDir,
}

/// Runs a program on inputs and makes a test of the run.
fn case(c: &str, data_model: DataModel, inputs: &[InputValue]) -> Case {
    let folder = tempfile::tempdir().unwrap();
    let file: PathBuf = folder.path().join("program.i");
    std::fs::write(&file, c).unwrap();
    let source = Source {
        files: vec![file.clone()],
        data_model: match data_model {
            DataModel::Ilp32 => clang::DataModel::Ilp32,
            DataModel::Lp64 => clang::DataModel::Lp64,
        },
        ..Source::default()
    };
    let program = load(&source).unwrap();
    let inputs = Arc::new(Inputs {
        nondet: inputs.to_vec(),
        ..Inputs::default()
    });
    let limits = Limits::default();
    let mut run = Interpreter::new(&program, inputs.clone(), Overflow::Wrap, limits);
    let outcome = run.run();
    let place = program.place(run.place()).to_string();
    let function = match &outcome {
        Outcome::Error(name) => name.to_string(),
        _ => "reach_error".into(),
    };
    let test = Test {
        format: FORMAT.into(),
        tool: "attest".into(),
        files: vec![HashedFile::of(&file).unwrap()],
        data_model,
        clang_args: Vec::new(),
        stubs: Vec::new(),
        database: None,
        rule: None,
        entry: "main".into(),
        malloc: Default::default(),
        errors: source.model.errors.clone(),
        inputs: Vec::new(),
        uninitialised: Vec::new(),
        memory: Vec::new(),
        unwritten: Vec::new(),
        arguments: None,
        error: Some(ErrorReached { function, place }),
        violation: None,
    };
    let test = test.with_run(&program, &run.machine.taken, &inputs);
    Case {
        test,
        program,
        outcome,
        _folder: folder,
    }
}

const TIME: Duration = Duration::from_secs(10);

#[track_caller]
fn fails_everywhere(c: &str, inputs: &[InputValue]) -> Test {
    let case = case(c, DataModel::Lp64, inputs);
    assert!(
        matches!(case.outcome, Outcome::Error(_)),
        "{:?}",
        case.outcome
    );
    let test = Test::parse(&case.test.to_json()).unwrap();
    assert_eq!(test, case.test);
    let again = confirm(&case.program, &test, Overflow::Wrap, Limits::default());
    assert_eq!(again, Ok(case.outcome.clone()));
    let native = replay(&test, TIME).unwrap();
    assert!(matches!(native, ReplayOutcome::Failed(_)), "{native}");
    test
}

const INT: InputValue = InputValue::Int(-7);

#[test]
fn an_error_function_that_is_only_declared() {
    let test = fails_everywhere(
        "extern int __VERIFIER_nondet_int(void);
         extern void reach_error(void);
         int main(void) { if (__VERIFIER_nondet_int() == -7) reach_error(); return 0; }",
        &[INT],
    );
    assert_eq!(test.inputs[0].call, "__VERIFIER_nondet_int");
    assert_eq!((&*test.inputs[0].ty, &*test.inputs[0].value), ("int", "-7"));
    assert!(test.inputs[0].place.contains("program.i:3"), "{test:?}");
}

#[test]
fn an_error_function_with_a_body_of_its_own() {
    for body in [
        "{}",
        "{ __assert_fail(\"0\", \"x.c\", 3, \"reach_error\"); }",
    ] {
        for storage in ["", "static "] {
            fails_everywhere(
                &format!(
                    "extern void __assert_fail(const char *, const char *, unsigned, const char *);
                     extern int __VERIFIER_nondet_int(void);
                     {storage}void reach_error() {body}
                     int main(void) {{ if (__VERIFIER_nondet_int() == -7) reach_error(); }}"
                ),
                &[INT],
            );
        }
    }
}

#[test]
fn a_failed_assertion() {
    fails_everywhere(
        "extern void __assert_fail(const char *, const char *, unsigned, const char *)
           __attribute__((noreturn));
         extern double __VERIFIER_nondet_double(void);
         extern float __VERIFIER_nondet_float(void);
         extern void *__VERIFIER_nondet_pointer(void);
         extern unsigned long long __VERIFIER_nondet_ulonglong(void);
         int main(void) {
           double d = __VERIFIER_nondet_double();
           float f = __VERIFIER_nondet_float();
           void *p = __VERIFIER_nondet_pointer();
           unsigned long long u = __VERIFIER_nondet_ulonglong();
           if (d == 0.1 && f == 2.5f && !p && u == 18446744073709551615ull)
             __assert_fail(\"\", \"\", 1, \"\");
         }",
        &[
            InputValue::Float(0.1),
            InputValue::Float(2.5),
            InputValue::Int(0),
            InputValue::Int(-1),
        ],
    );
}

#[test]
fn beyond_the_last_input_it_is_zero_and_assumptions_end_the_run() {
    fails_everywhere(
        "extern int __VERIFIER_nondet_int(void);
         extern void __VERIFIER_assume(int);
         extern void reach_error(void);
         int main(void) {
           __VERIFIER_assume(__VERIFIER_nondet_int() == -7);
           while (__VERIFIER_nondet_int()) {}
           reach_error();
         }",
        &[INT],
    );
    let other = case(
        "extern int __VERIFIER_nondet_int(void);
         extern void __VERIFIER_assume(int);
         extern void reach_error(void);
         int main(void) { __VERIFIER_assume(__VERIFIER_nondet_int() == 7); reach_error(); }",
        DataModel::Lp64,
        &[INT],
    );
    assert_eq!(other.outcome, Outcome::AssumeFailed);
    let native = replay(&other.test, TIME).unwrap();
    assert_eq!(native, ReplayOutcome::Passed(Some(77)));
}

#[test]
fn other_ends_of_a_native_run() {
    let ends = |c: &str| replay(&case(c, DataModel::Lp64, &[]).test, Duration::from_secs(1));
    let status = ends("int main(void) { return 3; }").unwrap();
    assert_eq!(status, ReplayOutcome::Passed(Some(3)));
    let nobody =
        ends("extern void nobody(void); int main(int n, char **v) { if (n > 9) nobody(); }");
    assert_eq!(nobody.unwrap(), ReplayOutcome::Passed(Some(0)));
    let twice = ends("asm(\".globl main\\nmain:\"); int main(void) { return 0; }");
    assert!(matches!(twice.unwrap(), ReplayOutcome::DidNotBuild(_)));
    let mut looping = case("int main(void) { return 0; }", DataModel::Lp64, &[]);
    std::fs::write(
        &looping.test.files[0].path,
        "int main(void) { for (;;) {} }",
    )
    .unwrap();
    assert!(replay(&looping.test, TIME).is_err(), "the file has changed");
    looping.test.files[0] = HashedFile::of(looping.test.files[0].path.as_ref()).unwrap();
    let native = replay(&looping.test, Duration::from_millis(300)).unwrap();
    assert_eq!(native, ReplayOutcome::Timeout);
}

#[test]
fn damaged_test_files_are_errors() {
    let case = case("int main(void) { return 0; }", DataModel::Lp64, &[]);
    let json = case.test.to_json();
    for damage in [
        json.replace("attest-test-1", "attest-test-2"),
        json.replace("\"entry\"", "\"entrance\""),
        json.replace(
            "\"inputs\": []",
            "\"inputs\": [{\"call\": \"f\", \"type\": \"int\", \"value\": \"x\"}]",
        ),
        json[..json.len() / 2].to_owned(),
        String::new(),
    ] {
        assert!(Test::parse(&damage).is_err(), "{damage}");
    }
}
