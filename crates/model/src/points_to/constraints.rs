//! From code to constraints: the constraints of reachable blocks.
//!
//! A block is reached by jumps from reached blocks, a function by calls, and a case of a switch
//! over a pointer only if the pointer may have its value. So a call through a pointer only passes
//! arguments to the functions that the pointer may name.

use super::constant;
use super::fresh::unwritten;
use super::memory::{Bytes, RawBytes, Reading};
use super::numbers::Leak;
use super::place::{MOST_SHIFT, Place, Site};
use super::sites::SiteKind;
use super::solve::{Node, Solver, Use};
use crate::program::*;

impl Solver<'_> {
    /// The initial constraints, and the entry's code.
    pub(crate) fn start(&mut self) {
        let program = self.program;
        for at in 0..program.objects.len() {
            self.sites.push(SiteKind::Static(ObjectId(at as u32 + 1)));
        }
        self.sites.push(SiteKind::NoObject);
        self.sites.push(SiteKind::ErrorNumber);
        self.sites.push(SiteKind::Piece);
        for at in 0..program.objects.len() {
            self.initial_contents(Site(at as u32), &program.objects[at]);
        }
        for info in &program.globals {
            let node = self.node();
            self.globals.push(node);
            match info.init {
                Some(Constant::Int { value, .. }) => self.add_number(value, node),
                Some(init) => self.flow(Operand::Const(init), node),
                None => self.add_unknown(node, info.sort),
            }
        }
        self.enter(program.entry);
        let entry = program.function(program.entry);
        let second = entry.regs.get(1).map(|info| info.sort);
        let argv = &*entry.name == "main" && entry.params > 1 && second == Some(Sort::Ptr);
        for param in (0..entry.params).filter(|i| *i != 1 || !argv) {
            let sort = entry.regs[param as usize].sort;
            let param = self.register(program.entry, Reg(param));
            self.add_unknown(param, sort);
        }
        if argv {
            let list = self.site(SiteKind::ArgumentList);
            let text = self.site(SiteKind::ArgumentText);
            let (list, text) = (self.exact(list, 0), self.exact(text, 0));
            let argv = self.register(program.entry, Reg(1));
            self.add(argv, list);
            let stored = self.store(list);
            self.add(stored, text);
            self.make_arbitrary(text, None);
        }
    }

    /// A value from the environment is a plain number.
    fn add_unknown(&mut self, node: Node, sort: Sort) {
        if self.may_be_address(sort) {
            self.add(node, self.any_number());
        }
    }

    fn site(&mut self, kind: SiteKind) -> Site {
        self.sites.push(kind);
        Site(self.sites.len() as u32 - 1)
    }

    fn initial_contents(&mut self, site: Site, object: &StaticObject) {
        let Some(pieces) = &object.init else {
            let own = self
                .program
                .environment
                .map(|id| self.static_place(id, 0).site);
            let what = match own == Some(site) {
                true => Bytes::Unset,
                false => Bytes::Address,
            };
            return self.contain(Place::new(site, 0, 0), None, what);
        };
        for piece in pieces {
            match piece {
                InitPiece::Ptr(at, target, offset) => {
                    let stored = self.store(self.exact(site, *at));
                    self.add(stored, self.static_place(*target, *offset));
                }
                InitPiece::Bytes(at, bytes) => {
                    let mut run = 0;
                    for (i, byte) in bytes.iter().chain(&[0]).enumerate() {
                        if *byte != 0 {
                            run += 1;
                        } else if run > 0 {
                            let start = at + i as u64 - run;
                            self.make_arbitrary(self.exact(site, start), Some(run));
                            run = 0;
                        }
                    }
                }
            }
        }
    }

    /// The bytes at a place become arbitrary.
    fn make_arbitrary(&mut self, at: Place, bytes: Option<u64>) {
        self.contain(at, bytes, Bytes::Data);
    }

    fn contain(&mut self, at: Place, bytes: Option<u64>, what: Bytes) {
        let bytes = bytes.map_or(at.rest(), u128::from);
        self.add_raw(RawBytes { at, bytes, what });
    }

    pub(crate) fn static_place(&self, object: ObjectId, offset: u64) -> Place {
        let site = object.0.checked_sub(1).map_or(self.none(), Site);
        self.exact(site, offset)
    }

    pub(crate) fn register(&mut self, function: FnId, reg: Reg) -> Node {
        let at = function.0 as usize;
        let base = match self.registers[at] {
            Some(base) => base,
            None => {
                let count = self.program.functions[at].regs.len();
                let nodes: Vec<Node> = (0..count).map(|_| self.node()).collect();
                let base = nodes.first().map_or(0, |node| node.0);
                let results = self.program.functions[at].results.len();
                self.results[at] = (0..results).map(|_| self.node()).collect();
                self.registers[at] = Some(base);
                base
            }
        };
        Node(base + reg.0)
    }

    /// A node with the places of an operand; none if it points to no object.
    pub(crate) fn operand(&mut self, function: FnId, operand: Operand) -> Option<Node> {
        match operand {
            Operand::Reg(reg) => Some(self.register(function, reg)),
            Operand::Const(Constant::Ptr { object, offset }) => {
                let place = self.static_place(object, offset);
                Some(self.constant(place))
            }
            Operand::Const(_) => None,
        }
    }

    fn constant(&mut self, place: Place) -> Node {
        if let Some(node) = self.constants.get(&place) {
            return *node;
        }
        let node = self.node();
        self.add(node, place);
        self.constants.insert(place, node);
        node
    }

    /// Adds the places of a constant to a node.
    fn flow(&mut self, operand: Operand, to: Node) {
        if let Operand::Const(Constant::Ptr { object, offset }) = operand {
            self.add(to, self.static_place(object, offset));
        }
    }

    fn sort_of(&self, function: FnId, operand: Operand) -> Sort {
        match operand {
            Operand::Reg(reg) => self.program.function(function).regs[reg.0 as usize].sort,
            Operand::Const(constant) => constant.sort(),
        }
    }

    /// Whether values of a sort are pointers or as wide as one: code that computes addresses as
    /// numbers converts them back to pointers.
    pub(crate) fn may_be_address(&self, sort: Sort) -> bool {
        sort == Sort::Ptr || sort == Sort::Int(self.program.pointer_bits)
    }

    /// Passes an operand's value to a node for values of a sort.
    fn assign(&mut self, function: FnId, from: Operand, to: Node, sort: Sort) {
        let same = self.sort_of(function, from) == sort;
        match (from, self.operand(function, from)) {
            (Operand::Reg(_), Some(from)) if same => self.attach(from, Use::Copy(to)),
            (_, from) if !same => self.mix(from.as_slice(), to, sort),
            (Operand::Const(Constant::Int { value, .. }), _) if self.may_be_address(sort) => {
                self.add_number(value, to);
            }
            _ => self.flow(from, to),
        }
    }

    fn assign_reg(&mut self, function: FnId, from: Operand, to: Reg) {
        let sort = self.program.function(function).regs[to.0 as usize].sort;
        let to = self.register(function, to);
        self.assign(function, from, to, sort);
    }

    /// Marks a function as called.
    fn enter(&mut self, function: FnId) {
        self.register(function, Reg(0));
        self.reach(function, BlockId(0));
    }

    fn reach(&mut self, function: FnId, block: BlockId) {
        let active = &mut self.active[function.0 as usize][block.0 as usize];
        if !std::mem::replace(active, true) {
            self.blocks.push((function, block));
        }
    }

    fn jump(&mut self, function: FnId, target: &Target) {
        for (to, from) in &target.copies {
            self.assign_reg(function, *from, *to);
        }
        self.reach(function, target.block);
    }

    /// Adds the constraints of a block.
    pub(crate) fn constrain(&mut self, function: FnId, block: BlockId) {
        let program = self.program;
        let code = program.function(function).block(block);
        for (index, inst) in code.insts.iter().enumerate() {
            let index = index as u32;
            let made = SiteKind::Made {
                function,
                block,
                index,
            };
            self.instruction(function, inst, made);
        }
        match &code.end {
            Terminator::Goto(target) => self.jump(function, target),
            Terminator::Branch { then, other, .. } => {
                self.jump(function, then);
                self.jump(function, other);
            }
            Terminator::Switch { cases, default, .. } => {
                cases.iter().for_each(|(_, t)| self.jump(function, t));
                self.jump(function, default);
            }
            Terminator::PtrSwitch { ptr, default, .. } => {
                self.jump(function, default);
                if let Some(ptr) = self.operand(function, *ptr) {
                    self.attach(ptr, Use::Switch(function, block));
                }
            }
            Terminator::Return(values) => {
                for (i, value) in values.iter().enumerate() {
                    let sort = program.function(function).results.get(i).copied();
                    let to = self.results[function.0 as usize].get(i).copied();
                    if let (Some(to), Some(sort)) = (to, sort) {
                        self.assign(function, *value, to, sort);
                    }
                }
            }
            Terminator::Halt(..) | Terminator::Error(_) | Terminator::Bail(_) => {}
        }
    }

    /// Handles a switch over a pointer that may have this value.
    pub(crate) fn switch(&mut self, function: FnId, block: BlockId, place: Place) {
        let program = self.program;
        let code = program.function(function).block(block);
        if let Terminator::PtrSwitch { cases, .. } = &code.end {
            for (object, offset, target) in cases {
                let case = self.static_place(*object, *offset);
                if case.site == place.site && case.may_equal(place) {
                    self.jump(function, target);
                }
            }
        }
    }

    /// Handles a switch over a pointer that may have any value.
    pub(crate) fn switch_anywhere(&mut self, function: FnId, block: BlockId) {
        let program = self.program;
        if let Terminator::PtrSwitch { cases, .. } = &program.function(function).block(block).end {
            cases.iter().for_each(|(_, _, t)| self.jump(function, t));
        }
    }

    fn instruction(&mut self, function: FnId, inst: &Inst, made: SiteKind) {
        match inst {
            Inst::Copy { dst, src } => self.assign_reg(function, *src, *dst),
            Inst::GetGlobal { dst, global } => {
                let (from, to) = (
                    self.globals[global.0 as usize],
                    self.register(function, *dst),
                );
                self.attach(from, Use::Copy(to));
            }
            Inst::SetGlobal { global, src } => {
                let sort = self.program.globals[global.0 as usize].sort;
                self.assign(function, *src, self.globals[global.0 as usize], sort);
            }
            Inst::Select { dst, a, b, .. } => {
                self.assign_reg(function, *a, *dst);
                self.assign_reg(function, *b, *dst);
            }
            Inst::PtrAdd { .. } => self.pointer_addition(function, inst),
            Inst::IntToPtr { .. } => self.int_to_pointer(function, inst),
            Inst::Foreign { dst, .. } => {
                let to = self.register(function, *dst);
                self.add_foreign(to);
            }
            Inst::Load { .. } => self.load_inst(function, inst, made),
            Inst::Store { sort, ptr, src } => self.store_inst(function, *sort, *ptr, *src),
            Inst::Alloc { .. }
            | Inst::Realloc { .. }
            | Inst::MemCopy { .. }
            | Inst::MemSet { .. } => self.memory_inst(function, inst, made),
            Inst::VaStart { list, args } => self.va_start(function, *list, args.as_deref(), made),
            Inst::Call(call) => self.call(function, call),
            // An input is a plain number where a pointer is expected.
            Inst::Input { dst, sort, .. } => {
                if *sort != Sort::Ptr {
                    return self.computed(function, inst);
                }
                let to = self.register(function, *dst);
                self.add(to, self.any_number());
            }
            // Numbers, and pointers that are only compared.
            Inst::Int { .. }
            | Inst::IntUnary { .. }
            | Inst::Compare { .. }
            | Inst::Resize { .. }
            | Inst::Float { .. }
            | Inst::FloatUnary { .. }
            | Inst::FloatCompare { .. }
            | Inst::FloatCast { .. }
            | Inst::PtrCompare { .. }
            | Inst::InObject { .. }
            | Inst::PtrDiff { .. }
            | Inst::PtrToInt { .. }
            | Inst::Print { .. } => self.computed(function, inst),
            Inst::Free { .. }
            | Inst::EndLife { .. }
            | Inst::Within { .. }
            | Inst::Alive { .. }
            | Inst::Shadow(Shadow::Require { .. })
            | Inst::Assume { .. } => {}
            // No address goes into a shadow.
            Inst::Shadow(Shadow::Load { .. }) => {}
            Inst::Shadow(Shadow::Store { width, ptr, .. }) => {
                let to = self.operand(function, *ptr);
                self.writes_through(function, to, Some(u64::from(width.div_ceil(8))));
            }
            Inst::Shadow(Shadow::Fill { ptr, len, .. }) => {
                let to = self.operand(function, *ptr);
                self.writes_through(function, to, constant(*len));
            }
        }
    }

    /// The constraints of an addition to a pointer.
    fn pointer_addition(&mut self, function: FnId, inst: &Inst) {
        let Inst::PtrAdd {
            dst,
            base,
            offset,
            index,
            width,
            scale,
        } = inst
        else {
            unreachable!("not an addition to a pointer");
        };
        let to = self.register(function, *dst);
        let Some(base) = self.operand(function, *base) else {
            return;
        };
        match index {
            _ if *scale == 0 => self.attach_addition(base, to, *offset),
            Operand::Const(Constant::Int { value, .. }) => {
                let steps = signed(*value, *width).wrapping_mul(*scale);
                self.attach_addition(base, to, offset.wrapping_add(steps));
            }
            _ => {
                let (by, shift) = (*offset, scale.trailing_zeros().min(MOST_SHIFT));
                self.attach(base, Use::Stride { to, by, shift });
            }
        }
    }

    /// The constraints of a conversion from a number to a pointer.
    fn int_to_pointer(&mut self, function: FnId, inst: &Inst) {
        let Inst::IntToPtr {
            dst,
            a,
            width,
            plain,
        } = inst
        else {
            unreachable!("not a conversion to a pointer");
        };
        let to = self.register(function, *dst);
        match a {
            Operand::Const(Constant::Int { value, .. }) => self.add_number(*value, to),
            _ if *plain => self.add(to, self.any_number()),
            Operand::Reg(reg) => {
                let from = self.register(function, *reg);
                match *width == self.program.pointer_bits {
                    true => self.attach(from, Use::Copy(to)),
                    false => self.mix(&[from], to, Sort::Ptr),
                }
            }
            _ => self.add_anywhere(to),
        }
    }

    /// The constraints of a load.
    fn load_inst(&mut self, function: FnId, inst: &Inst, made: SiteKind) {
        let Inst::Load {
            dst,
            sort,
            ptr,
            other,
        } = inst
        else {
            unreachable!("not a load");
        };
        if *sort != Sort::Ptr {
            return self.computed(function, inst);
        }
        let to = self.register(function, *dst);
        let reading = match (other, self.addresses) {
            (Other::Foreign(_), _) => Reading::Foreign,
            (Other::Number, _) => Reading::Number,
            (_, Some(addresses)) if !addresses.contains(&made) => Reading::Unset,
            _ => Reading::Address,
        };
        if let Some(ptr) = self.operand(function, *ptr) {
            self.attach(ptr, Use::Load(to, reading));
        }
    }

    /// The constraints of an instruction that allocates, copies or fills memory.
    fn memory_inst(&mut self, function: FnId, inst: &Inst, made: SiteKind) {
        match inst {
            Inst::Alloc {
                dst, size, zeroed, ..
            } => {
                let start = self.make(made, *zeroed, *size);
                let to = self.register(function, *dst);
                self.add(to, start);
                if *zeroed || self.program.shadows {
                    self.writes(function, start, None);
                }
            }
            Inst::Realloc { dst, ptr, .. } => {
                let start = self.make(made, false, Operand::Reg(Reg(0)));
                let to = self.register(function, *dst);
                self.add(to, start);
                self.writes(function, start, None);
                let (from, new) = (self.operand(function, *ptr), self.constant(start));
                self.attach_copying(from, Some(new), None);
            }
            Inst::MemCopy { dst, src, len, .. } => {
                let (from, to) = (self.operand(function, *src), self.operand(function, *dst));
                let bytes = constant(*len);
                self.attach_copying(from, to, bytes);
                self.writes_through(function, to, bytes);
            }
            Inst::MemSet { dst, byte, len } => {
                let (to, bytes) = (self.operand(function, *dst), constant(*len));
                let what = match constant(*byte) {
                    Some(0) => Bytes::Zero,
                    _ => Bytes::Data,
                };
                if let Some(to) = to {
                    self.store_bytes(function, *byte, to, bytes, what);
                }
                self.writes_through(function, to, bytes);
            }
            _ => unreachable!("not an instruction on whole objects"),
        }
    }

    /// The start of a new object. Contents that are read before they are written are arbitrary.
    fn make(&mut self, made: SiteKind, zeroed: bool, size: Operand) -> Place {
        let site = self.site(made);
        let start = self.exact(site, 0);
        match (made, constant(size)) {
            _ if zeroed => {}
            (
                SiteKind::Made {
                    function,
                    block,
                    index,
                },
                Some(size),
            ) => {
                let bits = self.program.pointer_bits;
                let code = self.program.function(function).block(block);
                for (at, bytes) in unwritten(code, index as usize, size, bits) {
                    self.contain(start.moved(at, u64::BITS), Some(bytes), Bytes::Unset);
                }
            }
            _ => self.contain(start, None, Bytes::Unset),
        }
        start
    }

    fn store_inst(&mut self, function: FnId, sort: Sort, ptr: Operand, src: Operand) {
        let Some(to) = self.operand(function, ptr) else {
            return;
        };
        let bytes = Some(sort.bytes(self.program.pointer_bits));
        self.writes_through(function, Some(to), bytes);
        if !self.may_be_address(sort) {
            let what = match src {
                Operand::Const(c) if c == Constant::zero(c.sort()) => Bytes::Zero,
                _ => Bytes::Data,
            };
            return self.store_bytes(function, src, to, bytes, what);
        }
        let value = self.node();
        self.assign(function, src, value, sort);
        self.attach(to, Use::Store(value));
        if sort != Sort::Ptr {
            self.attach_leak(value, Leak::Stored(to, bytes, Bytes::Whole));
        }
    }

    /// Stores bytes that are no pointer, possibly pieces of an address.
    fn store_bytes(
        &mut self,
        function: FnId,
        src: Operand,
        to: Node,
        bytes: Option<u64>,
        what: Bytes,
    ) {
        self.attach(to, Use::Data { bytes, what });
        if let Some(src) = self.operand(function, src) {
            self.attach_leak(src, Leak::Stored(to, bytes, Bytes::Address));
        }
    }

    fn writes(&mut self, function: FnId, at: Place, bytes: Option<u64>) {
        let at = self.constant(at);
        self.writes_through(function, Some(at), bytes);
    }

    fn writes_through(&mut self, function: FnId, to: Option<Node>, bytes: Option<u64>) {
        if let Some(to) = to {
            self.written[function.0 as usize].push((to, bytes));
        }
    }

    fn call(&mut self, function: FnId, call: &Call) {
        let program = self.program;
        self.calls[function.0 as usize].insert(call.callee.0);
        self.enter(call.callee);
        let callee = program.function(call.callee);
        for (i, arg) in call.args.iter().enumerate().take(callee.params as usize) {
            let to = self.register(call.callee, Reg(i as u32));
            self.assign(function, *arg, to, callee.regs[i].sort);
        }
        for (i, dst) in call.results.iter().enumerate() {
            let to = self.register(function, *dst);
            let sorts = (
                callee.results.get(i).copied(),
                program.function(function).regs[dst.0 as usize].sort,
            );
            match (sorts, self.results[call.callee.0 as usize].get(i).copied()) {
                ((Some(from), into), Some(node)) if from == into => {
                    self.attach(node, Use::Copy(to));
                }
                ((_, into), Some(node)) => self.mix(&[node], to, into),
                (_, None) => self.add_anywhere(to),
            }
        }
        if !callee.varargs {
            return;
        }
        let mut passed = Vec::with_capacity(call.varargs.len());
        for (arg, sort) in &call.varargs {
            let value = self.node();
            self.assign(function, *arg, value, *sort);
            passed.push((value, *sort));
        }
        for area in self.varargs[call.callee.0 as usize].clone() {
            self.fill_area(area, &passed);
        }
        self.passed[call.callee.0 as usize].push(passed);
    }

    /// The effect of `va_start`: an area with the arguments, and the list that points to it.
    fn va_start(
        &mut self,
        function: FnId,
        list: Operand,
        args: Option<&[(Operand, Sort)]>,
        made: SiteKind,
    ) {
        let site = self.site(made);
        let area = self.exact(site, 0);
        self.writes(function, area, None);
        match args {
            Some(args) => {
                let mut passed = Vec::with_capacity(args.len());
                for (arg, sort) in args {
                    let value = self.node();
                    self.assign(function, *arg, value, *sort);
                    passed.push((value, *sort));
                }
                self.fill_area(area, &passed);
            }
            None => {
                for passed in self.passed[function.0 as usize].clone() {
                    self.fill_area(area, &passed);
                }
                self.varargs[function.0 as usize].push(area);
            }
        }
        let Some(list) = self.operand(function, list) else {
            return;
        };
        let at = match self.program.pointer_bits {
            32 => 0,
            _ => {
                let (bytes, what) = (Some(8), Bytes::Data);
                self.attach(list, Use::Data { bytes, what });
                8
            }
        };
        let bytes = Some(if at == 0 { 4 } else { 24 });
        self.writes_through(function, Some(list), bytes);
        let pointer = self.node();
        self.attach_addition(list, pointer, at);
        let area = self.constant(area);
        self.attach(pointer, Use::Store(area));
        if at != 0 {
            let (rest, null) = (self.node(), self.constant(self.null()));
            self.attach_addition(list, rest, 16);
            self.attach(rest, Use::Store(null));
        }
    }

    /// Stores the arguments of a call in the order and alignment of `va_start`.
    fn fill_area(&mut self, area: Place, args: &[(Node, Sort)]) {
        let bits = self.program.pointer_bits;
        let slot = u64::from(bits / 8);
        let mut end = 0u64;
        for (value, sort) in args {
            let size = sort.bytes(bits);
            if slot == 8 && size > 8 {
                let aligned = end.next_multiple_of(16);
                self.make_arbitrary(area.moved(end, u64::BITS), Some(aligned - end));
                end = aligned;
            }
            let at = area.moved(end, u64::BITS);
            match self.may_be_address(*sort) {
                true => {
                    let to = self.store(at);
                    self.attach(*value, Use::Copy(to));
                    if *sort != Sort::Ptr {
                        let at = self.constant(at);
                        self.attach_leak(*value, Leak::Stored(at, Some(size), Bytes::Whole));
                    }
                }
                false => {
                    let bytes = Some(size.next_multiple_of(slot));
                    self.make_arbitrary(at, bytes);
                    let at = self.constant(at);
                    self.attach_leak(*value, Leak::Stored(at, bytes, Bytes::Address));
                }
            }
            end += size.next_multiple_of(slot);
        }
    }
}

/// A number of a width, sign-extended.
fn signed(value: u128, width: u32) -> u64 {
    let unused = 128 - width.clamp(1, 128);
    (((value << unused) as i128) >> unused) as u64
}
