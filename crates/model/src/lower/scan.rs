//! `scanf` with a constant format, as one call for each part of the format.
//!
//! The library's own `scanf` reads its format in a loop, which every proof would have to unroll.
//! Both call the same functions of `stubs/input.c` in the same order, so a test takes the same
//! inputs in its native run, which has the loop.

use super::function::{Builder, Next, int};
use crate::library::FOLDER;
use crate::program::*;
use attest_llvm::ir::{GlobalId, GlobalKind};

/// A part of a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Space,
    Same(u8),
    /// Whether there is a place for the value, size in bytes, and base.
    Integer(bool, u32, u32),
    /// Whether there is a place, and size in bytes.
    Float(bool, u32),
    /// Whether there is a place, and width, 0 if there is none.
    Text(bool, u32),
    Characters(bool, u32),
}

impl Part {
    fn has_place(self) -> bool {
        match self {
            Part::Space | Part::Same(_) => false,
            Part::Integer(place, ..) => place,
            Part::Float(place, _) | Part::Text(place, _) | Part::Characters(place, _) => place,
        }
    }
}

impl Builder<'_, '_> {
    /// A call of the library's `scanf` or `fscanf`, if its format is constant and simple.
    pub fn scan(
        &mut self,
        global: GlobalId,
        name: &str,
        args: &[(Operand, Sort)],
        results: &[Reg],
    ) -> Result<Option<Next>, Bail> {
        let format_at = match name {
            "scanf" | "__isoc99_scanf" | "__isoc23_scanf" => 0,
            "fscanf" | "__isoc99_fscanf" | "__isoc23_fscanf" => 1,
            _ => return Ok(None),
        };
        let (Some((format, _)), [result]) = (args.get(format_at), results) else {
            return Ok(None);
        };
        if !self.is_of_library(global) {
            return Ok(None);
        }
        let text = self.constant_text(*format);
        let Some(parts) = text.and_then(|text| parts(&text, self.ctx.pointer_bits())) else {
            return Ok(None);
        };
        let places = &args[format_at + 1..];
        let wanted = parts.iter().filter(|part| part.has_place()).count();
        if places.len() < wanted || places.iter().any(|(_, sort)| *sort != Sort::Ptr) {
            return Ok(None);
        }
        let from = Operand::Reg(self.temp(Sort::Ptr));
        match format_at {
            0 => self.part("__attest_scan_from_input", &[], from)?,
            _ => self.part("__attest_scan_from", &[args[0]], from)?,
        }
        let int_of = |n: u32| (int(32, n.into()), Sort::Int(32));
        let mut state = int(32, 0);
        let mut places = places.iter().copied();
        for part in parts {
            let null = (Operand::Const(Constant::NULL), Sort::Ptr);
            let place = part.has_place().then(|| places.next()).flatten();
            let place = place.unwrap_or(null);
            let mut all = vec![(state, Sort::Int(32)), (from, Sort::Ptr)];
            let name = match part {
                Part::Space => "space",
                Part::Same(c) => {
                    all.push(int_of(c.into()));
                    "same"
                }
                Part::Integer(_, bytes, base) => {
                    all.extend([place, int_of(bytes), int_of(base)]);
                    "integer"
                }
                Part::Float(_, bytes) => {
                    all.extend([place, int_of(bytes)]);
                    "float"
                }
                Part::Text(_, width) => {
                    all.extend([place, int_of(width)]);
                    "text"
                }
                Part::Characters(_, width) => {
                    all.extend([place, int_of(width)]);
                    "characters"
                }
            };
            let next = Operand::Reg(self.temp(Sort::Int(32)));
            self.part(&format!("__attest_scan_{name}"), &all, next)?;
            state = next;
        }
        let state = [(state, Sort::Int(32))];
        self.part("__attest_scan_end", &state, Operand::Reg(*result))?;
        Ok(Some(Next::Continue))
    }

    /// Whether a function's body is the library's own.
    pub(super) fn is_of_library(&mut self, global: GlobalId) -> bool {
        let global = self.ctx.module.global(global);
        let GlobalKind::Function(function) = &global.kind else {
            return false;
        };
        let place = self.ctx.function_place(function.dbg, global.line);
        self.ctx.places[place.0 as usize].file.starts_with(FOLDER)
    }

    fn part(&mut self, name: &str, args: &[(Operand, Sort)], to: Operand) -> Result<(), Bail> {
        let missing = || super::types::unsupported(BailKind::Extern, name);
        let global = self.ctx.module.lookup(name).ok_or_else(missing)?;
        let callee = self.ctx.fn_for(global);
        let Operand::Reg(result) = to else {
            return Err(missing());
        };
        self.direct_call(callee, global, args, &[result])
    }

    /// The constant text behind a pointer, up to its end.
    fn constant_text(&self, pointer: Operand) -> Option<Vec<u8>> {
        let Operand::Const(Constant::Ptr { object, offset }) = pointer else {
            return None;
        };
        let known = self.ctx.objects.get((object.0 as usize).checked_sub(1)?)?;
        if known.kind != StaticKind::Constant {
            return None;
        }
        let mut bytes = vec![0; usize::try_from(known.size).ok().filter(|n| *n < 4096)?];
        for piece in known.init.as_ref()? {
            let InitPiece::Bytes(at, part) = piece else {
                return None;
            };
            let at = *at as usize;
            bytes.get_mut(at..at + part.len())?.copy_from_slice(part);
        }
        let text = bytes.get(offset as usize..)?;
        let end = text.iter().position(|byte| *byte == 0)?;
        Some(text[..end].to_vec())
    }
}

/// The parts of a format; none if it has an unknown conversion.
fn parts(format: &[u8], pointer_bits: u32) -> Option<Vec<Part>> {
    let is_space = |c: u8| c == b' ' || (b'\t'..=b'\r').contains(&c);
    let long = pointer_bits / 8;
    let mut out = Vec::new();
    let mut rest = format.iter().copied().peekable();
    while let Some(c) = rest.next() {
        if c != b'%' {
            out.push(if is_space(c) {
                Part::Space
            } else {
                Part::Same(c)
            });
            continue;
        }
        let place = rest.next_if_eq(&b'*').is_none();
        let mut width = 0_u32;
        while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
            width = width.checked_mul(10)?.checked_add((digit - b'0').into())?;
        }
        let (mut bytes, mut wide) = (4, 0);
        while rest.next_if_eq(&b'h').is_some() {
            bytes /= 2;
        }
        while rest.next_if_eq(&b'l').is_some() {
            bytes = if wide == 0 { long } else { 8 };
            wide += 1;
        }
        match rest.next_if(|c| matches!(c, b'j' | b'z' | b't')) {
            Some(b'j') => bytes = 8,
            Some(_) => bytes = long,
            None => {}
        }
        let what = rest.next()?;
        if width > 0 && !matches!(what, b's' | b'c') {
            return None;
        }
        match what {
            b'%' => out.extend([Part::Space, Part::Same(b'%')]),
            b'd' | b'u' if bytes > 0 => out.push(Part::Integer(place, bytes, 10)),
            b'x' | b'X' if bytes > 0 => out.push(Part::Integer(place, bytes, 16)),
            b'o' | b'i' if bytes > 0 => out.push(Part::Integer(place, bytes, 8)),
            b'f' | b'e' | b'g' | b'E' | b'G' if wide < 2 => {
                out.push(Part::Float(place, if wide > 0 { 8 } else { 4 }));
            }
            b's' if wide == 0 => out.push(Part::Text(place, width)),
            b'c' if wide == 0 => out.push(Part::Characters(place, width)),
            _ => return None,
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_split_into_parts() {
        let of = |format: &str| parts(format.as_bytes(), 64);
        let int = |bytes, base| Part::Integer(true, bytes, base);
        assert_eq!(of("%d"), Some(vec![int(4, 10)]));
        assert_eq!(
            of("%hhd%hu %li%llx%zo"),
            Some(vec![
                int(1, 10),
                int(2, 10),
                Part::Space,
                int(8, 8),
                int(8, 16),
                int(8, 8)
            ])
        );
        assert_eq!(parts(b"%li%zu", 32), Some(vec![int(4, 8), int(4, 10)]));
        assert_eq!(
            of("%*d,%8s%%%lf%f%c"),
            Some(vec![
                Part::Integer(false, 4, 10),
                Part::Same(b','),
                Part::Text(true, 8),
                Part::Space,
                Part::Same(b'%'),
                Part::Float(true, 8),
                Part::Float(true, 4),
                Part::Characters(true, 0)
            ])
        );
        for strange in ["%n", "%[a]", "%Lf", "%ls", "%", "%hhhd", "%p", "%2d"] {
            assert_eq!(of(strange), None, "{strange}");
        }
    }
}
