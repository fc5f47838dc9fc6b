//! The page of `--report` in a real browser, by clicks. Where there is no Chromium the
//! tests say so and pass; the set-up of the tests installs one.

mod common;

use common::{Folder, root};
use std::fmt::Write;
use std::process::{Command, Stdio};

/// What is clicked: run after the page's own script, it leaves its findings in the page.
const CLICKS: &str = r#"<script>
'use strict';
const found = [];
const check = (what, fine) => { if (!fine) found.push(what); };
const $ = id => document.getElementById(id);
const click = id => { const e = $(id); check('no ' + id, e); if (e) e.click(); };
const trace = JSON.parse($('data').textContent).trace.filter(s => s.matters);
if (trace.length) {
  check('the first step is shown', $('where').textContent.startsWith('step 1 of ' + trace.length));
  for (let i = 1; i < trace.length; i++) {
    click('forward');
    const row = document.querySelector('.row.now');
    check('row of step ' + i, row && row.querySelector('.n').textContent === String(trace[i].line));
    check('values of step ' + i, row && row.querySelector('.say').textContent.includes(trace[i].notes[0]));
  }
  check('the end', $('forward').disabled && $('where').textContent.startsWith('step ' + trace.length));
  if (trace.length > 1) { click('back'); check('back', $('where').textContent.startsWith('step ' + (trace.length - 1))); }
  click('first'); check('first', $('back').disabled);
  click('last'); click('all');
  check('all lines', $('steps').children.length >= trace.length);
}
if ($('tab-regions')) {
  click('tab-regions');
  check('regions are shown', $('regions').classList.contains('on') && !$('source').classList.contains('on'));
  const count = () => document.querySelectorAll('#picture g').length;
  const before = count(); let steps = 0, most = 0;
  const graphs = new Set(), history = JSON.parse($('data').textContent).history;
  while (!$('r-forward').disabled && steps < 1000) { click('r-forward'); steps++; most = Math.max(most, count()); graphs.add($('r-where').textContent.split(',')[1]); check('words of step ' + steps, $('r-say').textContent.length > 0); }
  check('steps ' + steps, steps > 0 && steps < 1000); check('regions grow', most >= before);
  if (history.parts.length > 1) check('one graph a query', graphs.size > 1);
  click('r-first'); check('regions shrink', count() === before);
}
click('tab-facts'); check('time', $('facts').textContent.includes('total'));
click('tab-source'); check('source', document.querySelectorAll('#code .row').length > 1000);
check('narrow', document.documentElement.scrollWidth <= window.innerWidth);
document.body.setAttribute('data-found', found.length ? found.join('; ') : 'nothing wrong');
document.body.setAttribute('data-has', (trace.length ? 'trace ' : '') + ($('tab-regions') ? 'regions ' : '') + (document.querySelector('.inv') ? 'invariants ' : '') + (document.querySelector('.row.hit') ? 'coverage' : ''));
</script></body>"#;

fn chromium() -> Option<&'static str> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let works = |name: &&str| {
        let version = Command::new(name)
            .arg("--version")
            .stdin(Stdio::null())
            .output();
        version.is_ok_and(|output| output.status.success())
    };
    names.into_iter().find(|name| works(name))
}

/// The page's own report of the clicks, and that the console is empty.
fn clicked(folder: &Folder, page: &str, width: u32) -> Option<String> {
    let Some(browser) = chromium() else {
        attest_testing::tools::missing("chromium");
        return None;
    };
    let text = std::fs::read_to_string(folder.path(page)).expect("a page");
    assert!(
        !text.contains("http://") || !text.contains("src=\"http"),
        "no network"
    );
    folder.write("clicked.html", text.replacen("</body>", CLICKS, 1));
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--enable-logging=stderr",
            "--dump-dom",
        ])
        .arg(format!("--window-size={width},800"))
        .arg(format!(
            "--user-data-dir={}",
            folder.path("profile").display()
        ))
        .arg(format!("file://{}", folder.path("clicked.html").display()))
        .stdin(Stdio::null())
        .output()
        .expect("a browser");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let console: Vec<&str> = errors.lines().filter(|l| l.contains("CONSOLE")).collect();
    assert!(console.is_empty(), "{console:#?}");
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let attribute = |name: &str| {
        let at = dom.find(&format!("{name}=\"")).expect("the clicks ended");
        let rest = &dom[at + name.len() + 2..];
        rest[..rest.find('"').expect("an end")].to_owned()
    };
    assert_eq!(attribute("data-found"), "nothing wrong");
    Some(attribute("data-has"))
}

/// A program of many lines that calls a few of its functions.
fn long_program(last: &str) -> String {
    program_of(170, last)
}

/// The same with so many parts of 7 lines.
fn program_of(parts: usize, last: &str) -> String {
    let mut text = String::from(
        "int __VERIFIER_nondet_int(void);\nvoid reach_error(void);\nstatic int total;\n",
    );
    for i in 0..parts {
        let _ = write!(
            text,
            "/* Part {i}. */\nstatic int part{i}(int x) {{\n  if (x > {i})\n    return x - {i};\n  return x;\n}}\n\n"
        );
    }
    text.push_str(last);
    assert!(text.lines().count() >= 7 * parts.max(145));
    text
}

#[test]
fn a_safe_program() {
    let text = long_program(
        "int main(void) {\n  int n = __VERIFIER_nondet_int(), i = 0, lock = 0;\n  \
         if (part3(n) > 100) n = 5;\n  while (i < n) {\n    if (lock != 0)\n      reach_error();\n    \
         lock = 1;\n    i++;\n    lock = 0;\n  }\n  total = i;\n  return 0;\n}\n",
    );
    let folder = Folder::with(&[("long.c", &text)]);
    let check = ["check", "long.c", "--report", "r.html"];
    let ended = folder.attest(&[&check[..], &["--without", "unwinding"]].concat());
    assert_eq!(ended.status, 0, "{ended:?}");
    if let Some(has) = clicked(&folder, "r.html", 1200) {
        assert!(has.contains("regions") && has.contains("coverage"), "{has}");
    }
}

/// A proof by unwinding has no regions, and the tests before it cover lines all the same.
#[test]
fn a_program_that_is_unwound() {
    let text = long_program(
        "int main(void) {\n  int n = __VERIFIER_nondet_int();\n  \
         if (part3(n) > n && n > 3)\n    reach_error();\n  return 0;\n}\n",
    );
    let folder = Folder::with(&[("long.c", &text)]);
    let ended = folder.attest(&["check", "long.c", "--report", "r.html"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    assert!(ended.stdout.contains("all executions unwound"), "{ended:?}");
    if let Some(has) = clicked(&folder, "r.html", 1200) {
        assert!(has.contains("coverage"), "{has}");
    }
}

/// SMASH has a graph of regions for each query about a procedure.
#[test]
fn a_program_with_calls() {
    let text = long_program(
        "static int down(int n) {\n  if (n <= 0)\n    return 0;\n  return 1 + down(n - 1);\n}\n\
         int main(void) {\n  int n = __VERIFIER_nondet_int();\n  \
         if (n > 0 && n < 3 && down(n) < 0)\n    reach_error();\n  total = n;\n  return 0;\n}\n",
    );
    let folder = Folder::with(&[("long.c", &text)]);
    let ended = folder.attest(&[
        "check",
        "long.c",
        "--algorithm",
        "smash",
        "--report",
        "r.html",
    ]);
    assert_eq!(ended.status, 0, "{ended:?}");
    let page = std::fs::read_to_string(folder.path("r.html")).expect("a page");
    assert!(page.contains("is queried"), "the page shows no query");
    if let Some(has) = clicked(&folder, "r.html", 800) {
        assert!(has.contains("regions"), "{has}");
    }
}

/// A program of 5,000 lines in a narrow window.
#[test]
fn an_unsafe_program() {
    let text = program_of(
        720,
        "int main(void) {\n  int n = __VERIFIER_nondet_int();\n  \
         for (int i = 0; i < 6; i++)\n    total += part2(i);\n  \
         if (part7(n) == 4711)\n    reach_error();\n  return 0;\n}\n",
    );
    let folder = Folder::with(&[("long.c", &text)]);
    let ended = folder.attest(&["check", "long.c", "--report", "r.html"]);
    assert_eq!(ended.status, 10, "{ended:?}");
    if let Some(has) = clicked(&folder, "r.html", 500) {
        assert!(has.contains("trace") && has.contains("coverage"), "{has}");
    }
}

/// What ends a script inside of a source file does not end the page's.
#[test]
fn source_with_markup() {
    let text = long_program(
        "/* </script><script>throw 1</script> <!-- & \"quotes\" */\n\
         int main(void) { reach_error(); return 0; }\n",
    );
    let folder = Folder::with(&[("long.c", &text)]);
    let ended = folder.attest(&["check", "long.c", "--report", "r.html"]);
    assert_eq!(ended.status, 10, "{ended:?}");
    clicked(&folder, "r.html", 900);
    assert!(root().join("crates/export/src/report.html").exists());
}
