//! `--extern havoc`: what the program lacks returns any value, in proofs, tests and native runs.

mod common;

use common::Folder;

/// Kinds of missing functions: results of several types, one without a prototype, one that
/// does not return, and two behind each other.
const PROGRAM: &str = "
#include <assert.h>
#include <stddef.h>
struct item { int size; };
long long far_off(void);
unsigned char octet(int, char *);
struct item *find(const char *name, ...);
int old_style();
double measure(float);
_Noreturn void give_up(int);
void notify(struct item *);

int main(void) {
  struct item own = {3};
  long long n = far_off();
  unsigned char c = octet(1, 0);
  assert(c <= 255);
  struct item *found = find(\"a\", 1, 2.0);
  if (!found) give_up(1);
  notify(&own);
  assert(own.size == 3);
  int k = old_style(n > 3, &own);
  double d = measure(1.0f);
  if (d != d) give_up(2);
  assert(ERROR);
  return 0;
}
";

/// Proofs about such functions are accepted by the checker and say what they assume.
#[test]
fn missing_functions_return_anything() {
    let safe = PROGRAM.replace("ERROR", "d <= d && found != NULL && own.size == 3");
    let folder = Folder::with(&[("a.c", &safe)]);
    let ended = folder.attest(&["check", "a.c"]);
    assert_eq!(ended.status, 5, "{ended:?}");
    assert!(
        ended.stdout.contains("missing function: far_off"),
        "{ended:?}"
    );
    let ended = folder.attest_again(&["check", "a.c", "--extern", "havoc", "--proof", "a.proof"]);
    assert_eq!(ended.verdict(), "verdict: safe", "{ended:?}");
    let assumed = "functions without a body return any value and change nothing: \
                   far_off, find, give_up, measure, notify, octet, old_style (see .attest/extern-";
    assert!(ended.stdout.contains(assumed), "{ended:?}");
}

/// A failing test has the bodies too, and fails natively.
#[test]
fn what_they_return_is_part_of_a_test() {
    for error in [
        "n != 123456789012",
        "k != 77",
        "c != 9",
        "d != 0.5",
        "found->size != 12",
    ] {
        let folder = Folder::with(&[("a.c", &PROGRAM.replace("ERROR", error))]);
        let ended = folder.attest(&["check", "a.c", "--extern", "havoc", "--tests", "out"]);
        assert_eq!(ended.verdict(), "verdict: unsafe", "{error}: {ended:?}");
        assert!(
            ended.stdout.contains("assumed: functions without a body"),
            "{ended:?}"
        );
        let again = folder.attest(&["replay", "out/failing.json"]);
        assert_eq!(again.status, 10, "{error}: {again:?}");
    }
}

/// A function whose type has no name in C stays missing.
#[test]
fn a_structure_is_not_made_up() {
    let program = "
        struct pair { long a, b, c; };
        struct pair both(void);
        int main(void) { return both().a == 1; }";
    let folder = Folder::with(&[("a.c", program)]);
    let ended = folder.attest(&["check", "a.c", "--extern", "havoc"]);
    assert_eq!(ended.status, 5, "{ended:?}");
    assert!(ended.stdout.contains("missing: both"), "{ended:?}");
}

/// Without a store the bodies are kept elsewhere, and nothing is written here.
#[test]
fn without_a_store_the_folder_stays_as_it_is() {
    let program = "int f(void); int main(void) { int a[2] = {1}; return f() + a[1] == 7; }";
    let folder = Folder::with(&[("a.c", program)]);
    let ended = folder.attest(&["check", "a.c", "--extern", "havoc", "--no-cache"]);
    assert_eq!(ended.verdict(), "verdict: safe", "{ended:?}");
    assert!(!folder.path(".attest").exists());
}

/// Many rules at once take the option too.
#[test]
fn rules_take_it() {
    let rule = |name: &str, call: &str| {
        format!(
            "void {call}(void);\nstate {{ int seen = 0; }}\n\
             {call}.entry {{ if (seen) abort \"{name}\"; seen = 1; }}\n"
        )
    };
    let program = "void f(void); void g(void); int main(void) { f(); g(); f(); return 0; }";
    let folder = Folder::with(&[("a.c", program)]);
    std::fs::create_dir(folder.path("rules")).expect("a folder");
    folder.write("rules/f_once.slic", rule("f again", "f"));
    folder.write("rules/g_once.slic", rule("g again", "g"));
    let ended = folder.attest(&["check", "a.c", "--spec", "rules", "--extern", "havoc"]);
    let lines: Vec<&str> = ended.stdout.lines().collect();
    let verdict = |rule: &str| {
        lines
            .iter()
            .find(|l| l.contains(rule))
            .map(|l| l.contains("unsafe"))
    };
    assert_eq!(verdict("f_once"), Some(true), "{ended:?}");
    assert_eq!(verdict("g_once"), Some(false), "{ended:?}");
    assert!(ended.stdout.contains("safe"), "{ended:?}");
}
