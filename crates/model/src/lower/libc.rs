//! Library functions without a body that are primitives of the model.
//!
//! These are the functions that C code cannot express: allocation, ending the program, moving
//! memory with its pointer slots, the verifier's inputs and assumptions, and printing. Every other
//! model of a library function is C in `stubs/`, linked like any other source, so users extend the
//! library in the same form.

use super::function::{Builder, Next, int};
use super::types::{unsupported, width_of};
use crate::library::any_named;
use crate::program::*;

type Args<'a> = &'a [(Operand, Sort)];

/// Functions that print: name, position of the format or text, prints to standard output.
const PRINTERS: &[(&str, Option<usize>, bool)] = &[
    ("printf", Some(0), true),
    ("__printf_chk", Some(1), true),
    ("puts", Some(0), true),
    ("putchar", None, true),
    ("putchar_unlocked", None, true),
    ("vprintf", Some(0), true),
    ("fprintf", Some(1), false),
    ("__fprintf_chk", Some(2), false),
    ("vfprintf", Some(1), false),
    ("dprintf", Some(1), false),
    ("fputs", Some(0), false),
    ("fputc", None, false),
    ("putc", None, false),
    ("_IO_putc", None, false),
    ("perror", Some(0), false),
    ("fflush", None, false),
    ("printk", Some(0), true),
];

/// Whether a function without a body has a primitive here.
pub fn is_primitive(name: &str) -> bool {
    name.starts_with("__VERIFIER_nondet_")
        || any_named(name).is_some()
        || PRINTERS.iter().any(|(n, ..)| *n == name)
        || matches!(
            name,
            "__VERIFIER_assume"
                | "__VERIFIER_atomic_begin"
                | "__VERIFIER_atomic_end"
                | "malloc"
                | "calloc"
                | "realloc"
                | "free"
                | "cfree"
                | "alloca"
                | "__builtin_alloca"
                | "valloc"
                | "aligned_alloc"
                | "memalign"
                | "memcpy"
                | "__memcpy_chk"
                | "memmove"
                | "__memmove_chk"
                | "memset"
                | "__memset_chk"
                | "abort"
                | "__assert_fail"
                | "__assert_perror_fail"
                | "__assert_rtn"
                | "__assert"
                | "reach_error"
                | "__VERIFIER_error"
                | "exit"
                | "_exit"
                | "_Exit"
                | "quick_exit"
                | "__attest_destructors"
                | "setjmp"
                | "_setjmp"
                | "__sigsetjmp"
                | "longjmp"
                | "siglongjmp"
        )
}

impl Builder<'_, '_> {
    /// A call of a function without a body: `None` if it has no primitive.
    pub fn library_call(
        &mut self,
        name: &str,
        args: Args<'_>,
        results: &[Reg],
    ) -> Result<Option<Next>, Bail> {
        if let Some(what) = name.strip_prefix("__VERIFIER_nondet_") {
            self.nondet(name, what, results)?;
            return Ok(Some(Next::Continue));
        }
        if any_named(name).is_some() {
            self.nondet(name, name, results)?;
            return Ok(Some(Next::Continue));
        }
        if self.assumes(name) {
            return Ok(Some(Next::Continue));
        }
        if let Some(printer) = PRINTERS.iter().find(|(n, ..)| *n == name) {
            self.print(*printer, args, results)?;
            return Ok(Some(Next::Continue));
        }
        if self.memory_call(name, args, results)? {
            return Ok(Some(Next::Continue));
        }
        match name {
            "__VERIFIER_assume" => {
                let (a, sort) = argument(name, args, 0)?;
                let cond =
                    self.int_compare(Relation::Ne, sort, a, Operand::Const(Constant::zero(sort)));
                self.emit(Inst::Assume { cond });
            }
            "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" => {}
            // A failed assertion that the property does not name ends the program normally.
            "abort"
            | "__assert_fail"
            | "__assert_perror_fail"
            | "__assert_rtn"
            | "__assert"
            | "reach_error"
            | "__VERIFIER_error" => {
                self.finish(Terminator::Halt(Halt::Abort, None));
                return Ok(Some(Next::Ended));
            }
            "__attest_destructors" => self.call_destructors()?,
            "exit" | "_exit" | "_Exit" | "quick_exit" => {
                let mut how = Halt::Immediate;
                if name == "exit" {
                    self.call_at_exit()?;
                    how = Halt::Exit;
                }
                let status = args.first().map(|(a, _)| *a);
                self.finish(Terminator::Halt(how, status));
                return Ok(Some(Next::Ended));
            }
            "setjmp" | "_setjmp" | "__sigsetjmp" | "longjmp" | "siglongjmp" => {
                return Err(unsupported(BailKind::Exception, name));
            }
            _ => return Ok(None),
        }
        Ok(Some(Next::Continue))
    }

    /// A call of a function that prints.
    fn print(
        &mut self,
        (name, format, to_stdout): (&str, Option<usize>, bool),
        args: Args<'_>,
        results: &[Reg],
    ) -> Result<(), Bail> {
        let has_format = name.contains("print");
        let format_at = format.filter(|_| has_format).and_then(|at| args.get(at));
        if format_at.is_some_and(|(format, _)| self.may_write(*format)) {
            let what = format!("`{name}` with the conversion %n");
            return Err(unsupported(BailKind::Unsupported, what));
        }
        let what = Print {
            name: name.into(),
            format,
            to_stdout,
        };
        self.emit(Inst::Print {
            what,
            dst: results.first().copied(),
            args: args.to_vec(),
        });
        Ok(())
    }

    /// A call of a function that allocates, frees, copies or fills memory; false for any other.
    fn memory_call(&mut self, name: &str, args: Args<'_>, results: &[Reg]) -> Result<bool, Bail> {
        match name {
            "malloc" | "valloc" => {
                let size = self.size_argument(name, args, 0)?;
                let ptr = self.heap_object(size, false);
                self.return_pointer(ptr, results)?;
            }
            "alloca" | "__builtin_alloca" => {
                let size = self.size_argument(name, args, 0)?;
                let ptr = self.allocate(Storage::Stack, size, false);
                self.return_pointer(ptr, results)?;
            }
            "aligned_alloc" | "memalign" => {
                let size = self.size_argument(name, args, 1)?;
                let ptr = self.heap_object(size, false);
                self.return_pointer(ptr, results)?;
            }
            "calloc" => {
                let (n, m) = (
                    self.size_argument(name, args, 0)?,
                    self.size_argument(name, args, 1)?,
                );
                let ptr = self.heap_array(n, m)?;
                self.return_pointer(ptr, results)?;
            }
            "realloc" => {
                let (ptr, sort) = argument(name, args, 0)?;
                let ptr = self.as_pointer(ptr, sort)?;
                let size = self.size_argument(name, args, 1)?;
                let ptr = self.heap_resized(ptr, size)?;
                self.return_pointer(ptr, results)?;
            }
            "free" | "cfree" => {
                let (ptr, sort) = argument(name, args, 0)?;
                let ptr = self.as_pointer(ptr, sort)?;
                self.emit(Inst::Free { ptr, ended: None });
            }
            "memcpy" | "memmove" | "__memcpy_chk" | "__memmove_chk" => {
                let (dst, src) = (argument(name, args, 0)?, argument(name, args, 1)?);
                let (dst, src) = (
                    self.as_pointer(dst.0, dst.1)?,
                    self.as_pointer(src.0, src.1)?,
                );
                let len = self.size_argument(name, args, 2)?;
                self.emit(Inst::MemCopy {
                    dst,
                    src,
                    len,
                    overlap: name.contains("move"),
                });
                self.return_pointer(dst, results)?;
            }
            "memset" | "__memset_chk" => {
                let (dst, byte) = (argument(name, args, 0)?, argument(name, args, 1)?);
                let dst = self.as_pointer(dst.0, dst.1)?;
                let byte = self.resize(Resize::Truncate, width_of(byte.1)?, 8, byte.0);
                let len = self.size_argument(name, args, 2)?;
                self.emit(Inst::MemSet { dst, byte, len });
                self.return_pointer(dst, results)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Whether a format may have the conversion that writes to memory. A format that is not
    /// constant may contain any of the program's strings.
    fn may_write(&self, format: Operand) -> bool {
        let writes = |object: &StaticObject| {
            let pieces = object.init.iter().flatten();
            pieces.into_iter().any(|piece| match piece {
                InitPiece::Bytes(_, bytes) => has_writing_conversion(bytes),
                InitPiece::Ptr(..) => false,
            })
        };
        match format {
            Operand::Const(Constant::Ptr { object, .. }) if object != ObjectId::NULL => {
                let known = self.ctx.objects.get(object.0 as usize - 1);
                known.is_none_or(|o| o.kind != StaticKind::Constant || writes(o))
                    && self.ctx.objects.iter().any(writes)
            }
            _ => self.ctx.objects.iter().any(writes),
        }
    }

    fn nondet(&mut self, name: &str, what: &str, results: &[Reg]) -> Result<(), Bail> {
        let dst = match results {
            [one] => *one,
            // Another kind of input, such as the contents of an object.
            _ => return Err(unsupported(BailKind::Extern, name)),
        };
        let sort = self.regs[dst.0 as usize].sort;
        let kind = InputKind::Nondet(what.into());
        match sort {
            // A `_Bool` is 0 or 1, whatever the width of its declaration.
            Sort::Int(width) if what == "bool" && width > 1 => {
                let bit = self.temp(Sort::Int(1));
                self.emit(Inst::Input {
                    dst: bit,
                    sort: Sort::Int(1),
                    kind,
                });
                self.emit(Inst::Resize {
                    how: Resize::ZeroExtend,
                    from: 1,
                    to: width,
                    dst,
                    a: Operand::Reg(bit),
                });
            }
            Sort::Ptr => {
                let number = self.temp(sort);
                self.emit(Inst::Input {
                    dst: number,
                    sort,
                    kind,
                });
                self.foreign_pointer(dst, Operand::Reg(number));
            }
            _ => self.emit(Inst::Input { dst, sort, kind }),
        }
        Ok(())
    }

    /// The pointer for a number of the environment (see [`crate::environment`]).
    pub(super) fn foreign_pointer(&mut self, dst: Reg, number: Operand) {
        let environment = self.ctx.environment();
        self.emit(Inst::Foreign {
            dst,
            a: number,
            environment,
        });
    }

    pub(super) fn allocate(&mut self, storage: Storage, size: Operand, zeroed: bool) -> Operand {
        let dst = self.temp(Sort::Ptr);
        self.emit(Inst::Alloc {
            dst,
            storage,
            size,
            zeroed,
            name: None,
        });
        Operand::Reg(dst)
    }

    /// Returns a pointer to the caller. Code without prototypes expects an `int`.
    fn return_pointer(&mut self, ptr: Operand, results: &[Reg]) -> Result<(), Bail> {
        match results {
            [] => {}
            [dst] => match self.regs[dst.0 as usize].sort {
                Sort::Ptr => self.emit(Inst::Copy {
                    dst: *dst,
                    src: ptr,
                }),
                Sort::Int(width) => self.emit(Inst::PtrToInt {
                    dst: *dst,
                    width,
                    a: ptr,
                }),
                _ => {
                    return Err(unsupported(
                        BailKind::BadCall,
                        "a pointer taken for a float",
                    ));
                }
            },
            _ => {
                return Err(unsupported(
                    BailKind::BadCall,
                    "a pointer taken for a structure",
                ));
            }
        }
        Ok(())
    }

    fn as_pointer(&mut self, a: Operand, sort: Sort) -> Result<Operand, Bail> {
        match sort {
            Sort::Ptr => Ok(a),
            Sort::Int(width) => {
                let dst = self.temp(Sort::Ptr);
                self.emit(Inst::IntToPtr {
                    dst,
                    width,
                    a,
                    plain: false,
                });
                Ok(Operand::Reg(dst))
            }
            _ => Err(unsupported(
                BailKind::BadCall,
                "a float taken for a pointer",
            )),
        }
    }

    /// A size argument, resized to the width of pointers.
    fn size_argument(&mut self, name: &str, args: Args<'_>, at: usize) -> Result<Operand, Bail> {
        let (a, sort) = argument(name, args, at)?;
        self.as_size(a, width_of(sort)?)
    }

    /// An integer resized to the width of pointers.
    pub fn as_size(&mut self, a: Operand, width: u32) -> Result<Operand, Bail> {
        let bits = self.ctx.pointer_bits();
        if let Operand::Const(Constant::Int { value, .. }) = a {
            return Ok(int(bits, super::constants::mask(value, bits)));
        }
        let how = if width > bits {
            Resize::Truncate
        } else {
            Resize::ZeroExtend
        };
        Ok(self.resize(how, width, bits, a))
    }
}

/// Whether a text has a conversion that writes the number of printed characters.
fn has_writing_conversion(text: &[u8]) -> bool {
    let is_between = |b: &u8| b.is_ascii_digit() || b"-+ #'.*$hlLqjztI".contains(b);
    let conversions = text.iter().enumerate().filter(|(_, b)| **b == b'%');
    conversions.map(|(at, _)| &text[at + 1..]).any(|rest| {
        let letter = rest.iter().find(|b| !is_between(b));
        letter == Some(&b'n')
    })
}

fn argument(name: &str, args: Args<'_>, at: usize) -> Result<(Operand, Sort), Bail> {
    args.get(at).copied().ok_or_else(|| {
        unsupported(
            BailKind::BadCall,
            format!("`{name}` called with too few arguments"),
        )
    })
}
