//! Reads the reports of the tools.
//!
//! AddressSanitizer, MemorySanitizer and LeakSanitizer write a line with what they found and
//! then the stack; UndefinedBehaviorSanitizer begins its line with the place; valgrind puts
//! its process number before each line. The first stack behind a finding is its own; what
//! follows is about the object.

use super::finding::{Finding, Frame, JUMP, Kind, OTHER, kind_of};
use super::tool::Family;

/// The findings in the report of a sanitizer, in order.
pub fn of_sanitizer(text: &str) -> Vec<Finding> {
    let mut out: Vec<Finding> = Vec::new();
    // Whether frames belong to the last finding.
    let mut open = false;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(frame) = frame_of(line) {
            if let Some(last) = out.last_mut().filter(|_| open) {
                last.frames.push(frame);
            }
            continue;
        }
        if line == LAST_CALL {
            // No stack leads back to a call that jumped to nowhere.
            open = out.last().is_some_and(|last| last.kind.says == JUMP);
            if let Some(last) = out.last_mut().filter(|_| open) {
                last.frames.clear();
            }
            continue;
        }
        let has_frames = out.last().is_some_and(|last| !last.frames.is_empty());
        if has_frames {
            open = false;
        }
        let found = if let Some((_, what)) = line.split_once("ERROR: AddressSanitizer: ") {
            let signal = signal_of(what, &lines.clone().take(4).collect::<Vec<_>>());
            let kind = kind_of(Family::Address, signal.as_deref().unwrap_or(what));
            Some((kind.unwrap_or(&OTHER), None))
        } else if let Some((_, what)) = line.split_once("WARNING: MemorySanitizer: ") {
            kind_of(Family::Memory, what).map(|kind| (kind, None))
        } else if let Some((place, what)) = line.split_once(": runtime error: ") {
            let kind = kind_of(Family::Undefined, what).unwrap_or(&OTHER);
            Some((kind, frame_at(place)))
        } else if line.starts_with("Direct leak of") || line.starts_with("Indirect leak of") {
            kind_of(Family::Leak, line).map(|kind| (kind, None))
        } else {
            None
        };
        if let Some((kind, first)) = found {
            let stack_follows = lines.peek().is_some_and(|next| frame_of(next).is_some());
            // The stack says the same place and the function.
            let first = first.filter(|_| !stack_follows);
            out.push(Finding {
                kind,
                frames: first.into_iter().collect(),
            });
            open = true;
        }
    }
    out
}

/// What the harness writes before the place of the last call through a pointer.
const LAST_CALL: &str = "The last call through a pointer:";

/// Whether LeakSanitizer could not do its work.
pub fn leaks_not_looked_for(text: &str) -> bool {
    text.contains("LeakSanitizer has encountered a fatal error")
}

/// The name in the table of the signal that ended a run.
fn signal_of(what: &str, further: &[&str]) -> Option<String> {
    let after = |words: &str| {
        let rest = &what[what.find(words)? + words.len()..];
        rest.split(|c: char| !c.is_ascii_hexdigit() && c != 'x')
            .next()
    };
    let (address, pc) = (after("address "), after("(pc "));
    let at_itself = address.is_some() && address == pc;
    // Near the stack pointer it is taken for an overflow of the stack.
    if what.starts_with("stack-overflow") && at_itself {
        return Some(JUMP.into());
    }
    if !what.starts_with("SEGV") {
        return None;
    }
    let says = |words: &str| further.iter().any(|line| line.contains(words));
    let jump =
        at_itself || says("pc points to the zero page") || says("PC is at a non-executable region");
    let zero = says("address points to the zero page");
    let write = says("caused by a WRITE");
    Some(match (jump, zero, write) {
        (true, ..) => JUMP.into(),
        (_, true, true) => "SEGV write at the zero page".into(),
        (_, true, false) => "SEGV at the zero page".into(),
        (_, false, true) => "SEGV write".into(),
        (_, false, false) => "SEGV".into(),
    })
}

/// `    #0 0x55f901c475b8 in main /tmp/a.c:13:5`.
fn frame_of(line: &str) -> Option<Frame> {
    let rest = line.trim_start().strip_prefix('#')?;
    let (number, rest) = rest.split_once(' ')?;
    number.parse::<u32>().ok()?;
    let (address, rest) = rest.trim_start().split_once(' ')?;
    address.strip_prefix("0x")?;
    let rest = match rest.split_once("(BuildId:") {
        Some((rest, _)) => rest.trim(),
        None => rest.trim(),
    };
    let (function, place) = match rest.strip_prefix("in ") {
        Some(named) => named.split_once(' ').unwrap_or((named, "")),
        None => ("", rest),
    };
    let frame = Frame {
        function: function.into(),
        place: None,
        module: None,
    };
    if let Some(inside) = place.strip_prefix('(') {
        let module = inside.trim_end_matches(')').rsplit_once("+0x");
        let module = module
            .and_then(|(name, at)| Some((name.to_owned(), u64::from_str_radix(at, 16).ok()?)));
        return Some(Frame { module, ..frame });
    }
    let place = crate::violation::file_and_line(place);
    Some(Frame {
        place: place.map(|(file, line)| (file.to_owned(), line)),
        ..frame
    })
}

/// The place that begins a line of UndefinedBehaviorSanitizer, as a frame.
fn frame_at(place: &str) -> Option<Frame> {
    let (file, line) = crate::violation::file_and_line(place)?;
    Some(Frame {
        function: String::new(),
        place: Some((file.to_owned(), line)),
        module: None,
    })
}

/// The findings in the report of valgrind, in order.
pub fn of_valgrind(text: &str) -> Vec<Finding> {
    // Without the process number.
    let lines: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("==")?.split_once("==").map(|(_, l)| l))
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    let mut out: Vec<Finding> = Vec::new();
    let mut open = false;
    for (i, line) in lines.iter().enumerate() {
        if let Some(frame) = valgrind_frame(line) {
            if let Some(last) = out.last_mut().filter(|_| open) {
                last.frames.push(frame);
            }
            continue;
        }
        if out.last().is_some_and(|last| !last.frames.is_empty()) {
            open = false;
        }
        if line.starts_with(' ') && !line.contains("(SIG") {
            continue;
        }
        let near: Vec<&str> = lines[i + 1..]
            .iter()
            .take_while(|line| !line.is_empty())
            .copied()
            .collect();
        if let Some(kind) = valgrind_kind(line, &near) {
            let frames = Vec::new();
            out.push(Finding { kind, frames });
            open = true;
        }
    }
    out
}

/// What a line of valgrind means, with the lines up to the next empty one.
fn valgrind_kind(line: &str, further: &[&str]) -> Option<&'static Kind> {
    let access = line.starts_with("Invalid read") || line.starts_with("Invalid write");
    let about = further
        .iter()
        .find(|l| l.trim_start().starts_with("Address 0x"));
    if let (true, Some(about)) = (access, about) {
        let address = about
            .trim_start()
            .strip_prefix("Address 0x")
            .and_then(|rest| {
                let digits = rest.split(' ').next()?;
                u64::from_str_radix(digits, 16).ok()
            });
        let words = if about.contains("free'd") && !about.contains("(recently)") {
            "Invalid access to a freed block"
        } else if about.contains("alloc'd") && about.contains(" a block of size") {
            "Invalid access beside a block"
        } else if address.is_some_and(|at| at < 0x1000) {
            "Invalid access to the zero page"
        } else {
            line
        };
        return kind_of(Family::Valgrind, words);
    }
    kind_of(Family::Valgrind, line)
}

/// `   at 0x109227: main (/tmp/a.c:13)`.
fn valgrind_frame(line: &str) -> Option<Frame> {
    let rest = line.trim_start();
    let rest = rest.strip_prefix("at 0x").or(rest.strip_prefix("by 0x"))?;
    let (_, rest) = rest.split_once(": ")?;
    let (function, place) = rest.split_once(" (").unwrap_or((rest, ""));
    let place = crate::violation::file_and_line(place.trim_end_matches(')'));
    Some(Frame {
        function: function.into(),
        place: place.map(|(file, line)| (file.to_owned(), line)),
        module: None,
    })
}

#[cfg(test)]
#[rustfmt::skip]
mod tests {
    use super::*;

    /// Compares the first finding: its name, and the innermost function and line of `a.c`.
    #[track_caller]
    fn check(found: &[Finding], name: &str, function: &str, line: u32) {
        let first = found.first().expect("a finding");
        let at = first.place(&|file| file.ends_with("a.c"));
        let at = at.map(|at| (at.function, at.line));
        assert_eq!(
            (first.kind.name, at),
            (name, Some((function.into(), line)))
        );
    }

    #[test]
    fn addresses() {
        let text = "=================================================================\n\
            ==24799==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60200000001a at pc 0x7f20078602ca bp 0x7ffe6cf5ef10 sp 0x7ffe6cf5e6c0\n\
            WRITE of size 14 at 0x60200000001a thread T0\n    \
            #0 0x7f20078602c9 in __interceptor_strcpy ../../../../src/libsanitizer/asan/asan_interceptors.cpp:425\n    \
            #1 0x560f267c7902 in main /tmp/sn/a.c:23\n    \
            #2 0x7f2006e45249 in __libc_start_call_main ../sysdeps/nptl/libc_start_call_main.h:58\n\n\
            0x60200000001a is located 0 bytes to the right of 10-byte region\n\
            allocated by thread T0 here:\n    \
            #0 0x7f2006eb89cf in __interceptor_malloc ../../../../src/libsanitizer/asan/asan_malloc_linux.cpp:69\n    \
            #1 0x560f267c7516 in main /tmp/sn/a.c:11\n";
        let found = of_sanitizer(text);
        check(&found, "heap-buffer-overflow", "main", 23);
        assert_eq!((found.len(), found[0].frames.len()), (1, 3));
        let other = text.replace("heap-buffer-overflow", "attempting double-free");
        check(&of_sanitizer(&other), "double free", "main", 23);
        let other = text.replace("heap-buffer-overflow", "some-new-thing");
        check(&of_sanitizer(&other), "another finding", "main", 23);
    }

    #[test]
    fn signals() {
        let text = |address: &str, pc: &str, further: &str| {
            format!(
                "AddressSanitizer:DEADLYSIGNAL\n=====\n\
                 ==24774==ERROR: AddressSanitizer: SEGV on unknown address {address} (pc {pc} bp 0x7ffe96575a80 sp 0x7ffe96575840 T0)\n\
                 {further}    #0 0x55ba48dab7f8 in main /tmp/sn/a.c:19\n"
            )
        };
        let zero = "==24774==Hint: address points to the zero page.\n";
        let write = "==24774==The signal is caused by a WRITE memory access.\n";
        for (address, further, name) in [
            ("0x000000000000", format!("{write}{zero}"), "write to the zero page"),
            ("0x000000000008", zero.to_owned(), "access to the zero page"),
            ("0x000012345678", write.to_owned(), "write to an invalid address"),
            ("0x000012345678", String::new(), "access to an invalid address"),
        ] {
            let found = of_sanitizer(&text(address, "0x55ba48dab7f8", &further));
            check(&found, name, "main", 19);
        }
        let jump = text("0x602000000010", "0x602000000010", "");
        check(&of_sanitizer(&jump), "jump to an invalid address", "main", 19);
        let known = format!("{jump}{LAST_CALL}\n    #0 0x55e0f3a262da in f /tmp/sn/a.c:3\n");
        check(&of_sanitizer(&known), "jump to an invalid address", "f", 3);
        let division = jump.replace("SEGV on", "FPE on");
        check(&of_sanitizer(&division), "division that the processor rejects", "main", 19);
    }

    #[test]
    fn undefined() {
        let stack = "    #0 0x55ce17bb2949 in f /tmp/sn/a.c:25:3\n\n";
        for (what, name) in [
            ("signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'", "signed integer overflow"),
            ("division by zero", "division by zero"),
            ("shift exponent 32 is too large for 32-bit type 'int'", "shift exponent"),
            ("index 4 out of bounds for type 'int [2]'", "index out of bounds"),
            ("execution reached an unreachable program point", "unreachable code"),
        ] {
            let text = format!("a.c:24:40: runtime error: {what}\n");
            check(&of_sanitizer(&text), name, "", 24);
            check(&of_sanitizer(&(text + stack)), name, "f", 25);
        }
    }

    #[test]
    fn leaks_and_unset_values() {
        let text = "==24827==ERROR: LeakSanitizer: detected memory leaks\n\n\
            Direct leak of 10 byte(s) in 1 object(s) allocated from:\n    \
            #0 0x7fb881cb89cf in __interceptor_malloc ../../../../src/libsanitizer/asan/asan_malloc_linux.cpp:69\n    \
            #1 0x55c94501b516 in main /tmp/sn/a.c:11\n\n\
            Indirect leak of 3 byte(s) in 1 object(s) allocated from:\n    \
            #0 0x7fb881cb89cf in __interceptor_malloc ../../../../src/libsanitizer/asan/asan_malloc_linux.cpp:69\n\n\
            SUMMARY: AddressSanitizer: 10 byte(s) leaked in 1 allocation(s).\n";
        let found = of_sanitizer(text);
        check(&found, "leak", "main", 11);
        assert_eq!(found.len(), 2);
        let text = "==29694==WARNING: MemorySanitizer: use-of-uninitialized-value\n\
            ==29694==WARNING: invalid path to external symbolizer!\n    \
            #0 0x55e7b312ac3c  (/tmp/sn/m.out+0xcec3c) (BuildId: 9aae5549)\n";
        let found = of_sanitizer(text);
        let module = Some(("/tmp/sn/m.out".to_owned(), 0xcec3c));
        assert_eq!(found[0].frames[0].module, module);
    }

    #[test]
    fn valgrind() {
        let text = |what: &str, about: &str| {
            format!(
                "==26233== {what}\n==26233==    at 0x109227: f (/tmp/sn/a.c:13)\n\
                 ==26233==    by 0x109230: main (/tmp/sn/a.c:20)\n==26233==  {about}\n\
                 ==26233==    at 0x48417B4: malloc (in /usr/libexec/valgrind/x.so)\n==26233== \n"
            )
        };
        let read = "Invalid read of size 4";
        for (what, about, name) in [
            (read, "Address 0x4a4104a is 0 bytes after a block of size 10 alloc'd", "access beside a block"),
            (read, "Address 0x4a41041 is 1 bytes inside a block of size 10 free'd", "access to a freed block"),
            (read, "Address 0x0 is not stack'd, malloc'd or (recently) free'd", "access to the zero page"),
            (read, "Address 0x12345678 is not stack'd, malloc'd or (recently) free'd", "invalid read"),
            ("Invalid free() / delete / delete[] / realloc()", "Address 0x1 is", "invalid free"),
            ("Conditional jump or move depends on uninitialised value(s)", "", "branch on an uninitialised value"),
            ("10 bytes in 1 blocks are definitely lost in loss record 1 of 1", "", "leak"),
        ] {
            let found = of_valgrind(&text(what, about));
            check(&found, name, "f", 13);
            assert_eq!((found.len(), found[0].frames.len()), (1, 2), "{what}");
        }
        let signal = "==1== Process terminating with default action of signal 8 (SIGFPE)\n\
            ==1==  Integer divide by zero at address 0x1002D85D78\n\
            ==1==    at 0x10932E: main (/tmp/sn/a.c:25)\n";
        check(&of_valgrind(signal), "division that the processor rejects", "main", 25);
    }
}
