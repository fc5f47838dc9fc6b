//! Which arguments of a printing function are read as texts.

use crate::program::*;

/// What a call reads besides its arguments.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Texts {
    /// The positions of arguments that are texts, read up to their end.
    pub whole: Vec<usize>,
    /// The positions of arguments that are or may be texts of which an unknown part is read.
    pub part: Vec<usize>,
    /// Whether it reads arguments of a `va_list`.
    pub listed: bool,
}

/// The texts that a call reads.
pub(super) fn texts(program: &Program, what: &Print, args: &[(Operand, Sort)]) -> Texts {
    let mut texts = Texts::default();
    let Some(at) = what.format else { return texts };
    texts.whole.push(at);
    if !what.name.contains("print") {
        return texts;
    }
    if what.name.starts_with('v') {
        texts.listed = true;
        return texts;
    }
    let Some(format) = args.get(at).and_then(|(a, _)| constant_text(program, *a)) else {
        let pointers = args.iter().enumerate().skip(at + 1);
        let pointers = pointers.filter(|(_, (_, sort))| *sort == Sort::Ptr);
        texts.part.extend(pointers.map(|(i, _)| i));
        return texts;
    };
    let mut next = at + 1;
    let mut rest = format.as_slice();
    while let Some(start) = rest.iter().position(|byte| *byte == b'%') {
        rest = &rest[start + 1..];
        let end = rest.iter().position(|byte| {
            !matches!(byte, b'-' | b'+' | b' ' | b'#' | b'\'' | b'*' | b'.')
                && !byte.is_ascii_digit()
                && !matches!(byte, b'h' | b'l' | b'L' | b'q' | b'j' | b'z' | b't')
        });
        let Some(end) = end else { return texts };
        let (middle, conversion) = (&rest[..end], rest[end]);
        rest = &rest[end + 1..];
        next += middle.iter().filter(|byte| **byte == b'*').count();
        match conversion {
            b'%' | b'm' => continue,
            // A wide text, or one that need not end.
            b's' if middle.contains(&b'.') || middle.contains(&b'l') => texts.part.push(next),
            b'S' => texts.part.push(next),
            b's' => texts.whole.push(next),
            _ => {}
        }
        next += 1;
    }
    texts
}

/// The bytes of a constant text.
fn constant_text(program: &Program, text: Operand) -> Option<Vec<u8>> {
    let Operand::Const(Constant::Ptr { object, offset }) = text else {
        return None;
    };
    let object = program.object(object)?;
    if object.kind != StaticKind::Constant {
        return None;
    }
    let mut bytes = vec![0u8; usize::try_from(object.size).ok()?];
    for piece in object.init.as_ref()? {
        match piece {
            InitPiece::Bytes(at, part) => {
                let at = usize::try_from(*at).ok()?;
                bytes.get_mut(at..at + part.len())?.copy_from_slice(part);
            }
            InitPiece::Ptr(..) => return None,
        }
    }
    let rest = bytes.get(usize::try_from(offset).ok()?..)?;
    let end = rest.iter().position(|byte| *byte == 0)?;
    Some(rest[..end].to_vec())
}
