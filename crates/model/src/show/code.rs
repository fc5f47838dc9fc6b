//! Instructions and terminators as text, variables by their C names.

use crate::program::*;

/// Writes the code of one function.
pub struct Code<'p> {
    /// The program.
    pub program: &'p Program,
    /// The function.
    pub function: &'p Function,
}

impl Code<'_> {
    /// A register: its C variable, or its name in the IR with its number.
    pub fn reg(&self, reg: Reg) -> String {
        let info = &self.function.regs[reg.0 as usize];
        match info.variable {
            Some(variable) => format!("{}.{}", self.program.variable(variable).name, reg.0),
            None => format!("%{}.{}", info.name, reg.0),
        }
    }

    fn constant(&self, constant: Constant) -> String {
        match constant {
            Constant::Int { width: 1, value } => if value == 1 { "true" } else { "false" }.into(),
            Constant::Int { width, value } => {
                let shift = 128 - width.clamp(1, 128);
                (((value << shift) as i128) >> shift).to_string()
            }
            Constant::Ptr {
                object: ObjectId::NULL,
                offset: 0,
            } => "null".into(),
            Constant::Ptr {
                object: ObjectId::NULL,
                offset,
            } => format!("{offset:#x}"),
            Constant::Ptr { object, offset } => {
                let name = self.program.object(object).map_or("?", |o| &o.name);
                if offset == 0 {
                    format!("&{name}")
                } else {
                    format!("&{name}+{offset}")
                }
            }
            Constant::F32(bits) => format!("{:?}f", f32::from_bits(bits)),
            Constant::F64(bits) => format!("{:?}", f64::from_bits(bits)),
        }
    }

    /// An operand.
    pub fn operand(&self, operand: Operand) -> String {
        match operand {
            Operand::Reg(reg) => self.reg(reg),
            Operand::Const(constant) => self.constant(constant),
        }
    }

    fn list(&self, operands: impl IntoIterator<Item = Operand>) -> String {
        let all: Vec<String> = operands.into_iter().map(|a| self.operand(a)).collect();
        all.join(", ")
    }

    /// An instruction.
    pub fn inst(&self, inst: &Inst) -> String {
        let right = self.right_side(inst);
        match inst {
            Inst::Call(call) if !call.results.is_empty() => {
                format!(
                    "{} := {right}",
                    self.list(call.results.iter().map(|r| Operand::Reg(*r)))
                )
            }
            _ => match inst.dst() {
                Some(dst) => format!("{} := {right}", self.reg(dst)),
                None => right,
            },
        }
    }

    fn right_side(&self, inst: &Inst) -> String {
        let o = |a: &Operand| self.operand(*a);
        let global = |g: &GlobalReg| self.program.globals[g.0 as usize].name.to_string();
        match inst {
            Inst::Copy { src, .. } => o(src),
            Inst::GetGlobal { global: g, .. } => format!("global {}", global(g)),
            Inst::SetGlobal { global: g, src } => format!("global {} := {}", global(g), o(src)),
            Inst::Int {
                op, width, a, b, ..
            } => format!("{} i{width} {}, {}", word(op), o(a), o(b)),
            Inst::IntUnary { op, width, a, .. } => format!("{} i{width} {}", word(op), o(a)),
            Inst::Compare {
                rel, width, a, b, ..
            } => format!("{} i{width} {}, {}", word(rel), o(a), o(b)),
            Inst::Resize {
                how, from, to, a, ..
            } => format!("{} i{from} to i{to} {}", word(how), o(a)),
            Inst::Select { cond, a, b, .. } => format!("select {}, {}, {}", o(cond), o(a), o(b)),
            Inst::Float {
                op, format, a, b, ..
            } => format!("f{} {} {}, {}", word(op), format.sort(), o(a), o(b)),
            Inst::FloatUnary { op, format, a, .. } => {
                format!("f{} {} {}", word(op), format.sort(), o(a))
            }
            Inst::FloatCompare {
                rel, format, a, b, ..
            } => {
                format!("f{} {} {}, {}", word(rel), format.sort(), o(a), o(b))
            }
            Inst::FloatCast { cast, a, .. } => format!("convert {cast:?} {}", o(a)),
            Inst::PtrCompare { rel, a, b, .. } => format!("{} ptr {}, {}", word(rel), o(a), o(b)),
            Inst::PtrAdd {
                base,
                offset,
                scale: 0,
                ..
            } => format!("{} + {offset}", o(base)),
            Inst::PtrAdd {
                base,
                offset: 0,
                index,
                scale,
                ..
            } => format!("{} + {} * {scale}", o(base), o(index)),
            Inst::PtrAdd {
                base,
                offset,
                index,
                scale,
                ..
            } => {
                format!("{} + {offset} + {} * {scale}", o(base), o(index))
            }
            Inst::PtrDiff { a, b, .. } => format!("{} - {}", o(a), o(b)),
            Inst::PtrToInt { width, a, .. } => format!("address i{width} {}", o(a)),
            Inst::IntToPtr {
                width, a, plain, ..
            } => {
                let kind = if *plain { "number" } else { "pointer" };
                format!("{kind} i{width} {}", o(a))
            }
            Inst::InObject { a, object, .. } => format!("{} in object {}", o(a), object.0),
            Inst::Foreign { a, .. } => format!("foreign {}", o(a)),
            Inst::Load {
                sort, ptr, other, ..
            } => {
                let other = match other {
                    Other::Address => "",
                    Other::Number => ", or a number",
                    Other::Foreign(_) => ", or foreign",
                };
                format!("load {sort} [{}]{other}", o(ptr))
            }
            Inst::Store { sort, ptr, src } => format!("store {sort} [{}] := {}", o(ptr), o(src)),
            Inst::Alloc {
                storage,
                size,
                zeroed,
                ..
            } => {
                let how = if *zeroed { ", zeroed" } else { "" };
                format!("alloc {} {} bytes{how}", word(storage), o(size))
            }
            Inst::Free { ptr } => format!("free {}", o(ptr)),
            Inst::EndLife { ptr } => format!("end of {}", o(ptr)),
            Inst::Realloc { ptr, size, .. } => format!("realloc {}, {} bytes", o(ptr), o(size)),
            Inst::MemCopy {
                dst,
                src,
                len,
                overlap,
            } => {
                let name = if *overlap { "memmove" } else { "memcpy" };
                format!("{name} [{}] := [{}], {} bytes", o(dst), o(src), o(len))
            }
            Inst::MemSet { dst, byte, len } => {
                format!("memset [{}] := {}, {} bytes", o(dst), o(byte), o(len))
            }
            Inst::Input { sort, kind, .. } => match kind {
                InputKind::Nondet(name) => format!("input {sort} nondet_{name}"),
                InputKind::Argument(name) => format!("input {sort} argument {name}"),
                InputKind::Uninit(name) => format!("input {sort} uninitialised {name}"),
                InputKind::Undef => format!("input {sort} undefined"),
                InputKind::Result(name) => format!("input {sort} result of {name}"),
            },
            Inst::Alive { ptr, len } => format!("alive {}, {} bytes", o(ptr), o(len)),
            Inst::Within { ptr, spots, .. } => {
                let spots: Vec<String> = spots.iter().map(ToString::to_string).collect();
                format!("known {} in {}", o(ptr), spots.join(", "))
            }
            Inst::Assume { cond } => format!("assume {}", o(cond)),
            Inst::VaStart { list, args } => match args {
                None => format!("va_start {}", o(list)),
                Some(args) => format!(
                    "va_start {} over ({})",
                    o(list),
                    self.list(args.iter().map(|a| a.0))
                ),
            },
            Inst::Print { what, args, .. } => {
                format!("{}({})", what.name, self.list(args.iter().map(|a| a.0)))
            }
            Inst::Shadow(Shadow::Load { width, ptr, .. }) => {
                format!("shadow of i{width} [{}]", o(ptr))
            }
            Inst::Shadow(Shadow::Store { width, ptr, src }) => {
                format!("shadow of i{width} [{}] := {}", o(ptr), o(src))
            }
            Inst::Shadow(Shadow::Fill { ptr, byte, len }) => {
                format!("shadow of [{}] := {}, {} bytes", o(ptr), o(byte), o(len))
            }
            Inst::Shadow(Shadow::Require { shadow, kind, .. }) => {
                format!("require {} = 0, or {}", o(shadow), kind.word())
            }
            Inst::Call(call) => {
                let name = &self.program.function(call.callee).name;
                let args = call
                    .args
                    .iter()
                    .copied()
                    .chain(call.varargs.iter().map(|a| a.0));
                format!("call {name}({})", self.list(args))
            }
        }
    }

    fn target(&self, target: &Target) -> String {
        let copies: Vec<String> = target
            .copies
            .iter()
            .map(|(dst, src)| format!("{} := {}", self.reg(*dst), self.operand(*src)))
            .collect();
        match copies.is_empty() {
            true => format!("B{}", target.block.0),
            false => format!("B{} [{}]", target.block.0, copies.join(", ")),
        }
    }

    /// A terminator.
    pub fn end(&self, end: &Terminator) -> String {
        match end {
            Terminator::Goto(t) => format!("goto {}", self.target(t)),
            Terminator::Branch { cond, then, other } => {
                format!(
                    "if {} goto {} else {}",
                    self.operand(*cond),
                    self.target(then),
                    self.target(other)
                )
            }
            Terminator::Switch {
                value,
                cases,
                default,
                width,
            } => {
                let texts: Vec<String> = cases
                    .iter()
                    .map(|(n, t)| {
                        let case = self.constant(Constant::Int {
                            width: *width,
                            value: *n,
                        });
                        format!("{case}: {}", self.target(t))
                    })
                    .collect();
                format!(
                    "switch {} {{ {} }} else {}",
                    self.operand(*value),
                    texts.join("; "),
                    self.target(default)
                )
            }
            Terminator::PtrSwitch {
                ptr,
                cases,
                default,
            } => {
                let texts: Vec<String> = cases
                    .iter()
                    .map(|(object, offset, t)| {
                        let case = self.constant(Constant::Ptr {
                            object: *object,
                            offset: *offset,
                        });
                        format!("{case}: {}", self.target(t))
                    })
                    .collect();
                format!(
                    "switch {} {{ {} }} else {}",
                    self.operand(*ptr),
                    texts.join("; "),
                    self.target(default)
                )
            }
            Terminator::Return(values) if values.is_empty() => "return".into(),
            Terminator::Return(values) => format!("return {}", self.list(values.iter().copied())),
            Terminator::Halt(Halt::Abort, _) => "abort".into(),
            Terminator::Halt(Halt::Exit | Halt::Immediate, status) => {
                format!("exit {}", status.map_or(String::new(), |s| self.operand(s)))
            }
            Terminator::Error(name) => format!("error {name}"),
            Terminator::Bail(bail) => format!("bail {bail}"),
        }
    }
}

/// The name of an operation in lower case, as in the enumeration.
fn word(op: &dyn std::fmt::Debug) -> String {
    format!("{op:?}").to_lowercase()
}
