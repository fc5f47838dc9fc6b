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
