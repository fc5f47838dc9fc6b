//! Gates: circuits over single bits, hash-consed and folded as they are built.
//!
//! A [`Lit`] is a gate or its complement. The graph only grows, operands come before the gates over
//! them, and two equal gates are one: encoding a term, or a part of it, a second time costs lookups
//! only. Folding (constants, equal and opposite operands) makes a general adder cheap when bits of
//! its operands are known, so the circuits above have no special cases.
//!
//! An input may have conditions: literals that hold whenever the input is used (`divide` defines
//! quotients this way). Conditions must be satisfiable for every value of the other inputs, so that
//! using a gate never constrains anything else.

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

/// A gate or its complement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Lit(pub u32);

impl Lit {
    pub const FALSE: Lit = Lit(0);
    pub const TRUE: Lit = Lit(1);

    pub fn constant(b: bool) -> Lit {
        Lit(b as u32)
    }

    pub fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub fn is_complement(self) -> bool {
        self.0 & 1 == 1
    }

    pub fn as_const(self) -> Option<bool> {
        (self.0 < 2).then_some(self.0 == 1)
    }

    /// The complement, if `flip`.
    pub fn xor(self, flip: bool) -> Lit {
        Lit(self.0 ^ flip as u32)
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// The function that a gate computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// The constant false; only gate 0.
    False,
    /// A free bit.
    Input,
    /// Conjunction of two or more.
    And,
    /// The parity of two.
    Xor,
    /// The parity of three.
    Xor3,
    /// The second operand if the first holds, else the third.
    Mux,
    /// At least two of three.
    Majority,
}

#[derive(Clone, Copy)]
struct Gate {
    kind: Kind,
    first: u32,
    count: u32,
}

/// A growing set of gates.
pub(crate) struct Gates {
    gates: Vec<Gate>,
    args: Vec<Lit>,
    /// Open addressing over gates by hash; never iterated.
    table: Vec<(u32, u32)>,
    /// For an input with conditions, their group.
    conditioned: FxHashMap<u32, u32>,
    conditions: Vec<Vec<Lit>>,
}

const EMPTY: (u32, u32) = (0, u32::MAX);

impl Gates {
    pub fn new() -> Gates {
        Gates {
            gates: vec![Gate {
                kind: Kind::False,
                first: 0,
                count: 0,
            }],
            args: Vec::new(),
            table: vec![EMPTY; 1 << 12],
            conditioned: FxHashMap::default(),
            conditions: Vec::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// The bytes that the graph holds.
    pub fn bytes(&self) -> u64 {
        let gates = self.gates.capacity() * size_of::<Gate>();
        let args = self.args.capacity() * size_of::<Lit>();
        let table = self.table.capacity() * size_of::<(u32, u32)>();
        (gates + args + table) as u64
    }

    pub fn kind(&self, gate: usize) -> Kind {
        self.gates[gate].kind
    }

    pub fn args(&self, gate: usize) -> &[Lit] {
        let gate = &self.gates[gate];
        &self.args[gate.first as usize..][..gate.count as usize]
    }

    /// The group of conditions that using this input requires.
    pub fn condition_group(&self, gate: usize) -> Option<usize> {
        let group = self.conditioned.get(&(gate as u32));
        group.map(|&group| group as usize)
    }

    /// The conditions of a group.
    pub fn conditions(&self, group: usize) -> &[Lit] {
        &self.conditions[group]
    }

    pub fn input(&mut self) -> Lit {
        self.push(Kind::Input, &[])
    }

    /// Makes the conditions hold whenever one of the inputs is used.
    pub fn require(&mut self, inputs: &[Lit], conditions: Vec<Lit>) {
        let index = self.conditions.len() as u32;
        self.conditions.push(conditions);
        for input in inputs {
            self.conditioned.insert(input.gate() as u32, index);
        }
    }

    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        if a == b || b == Lit::TRUE {
            return a;
        }
        if a == Lit::TRUE {
            return b;
        }
        if a == !b || a == Lit::FALSE || b == Lit::FALSE {
            return Lit::FALSE;
        }
        self.intern(Kind::And, &[a.min(b), a.max(b)])
    }

    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// Conjunction of any number.
    pub fn all(&mut self, lits: &[Lit]) -> Lit {
        let mut args = lits.to_vec();
        args.sort_unstable();
        args.dedup();
        let opposite = |pair: &[Lit]| pair[0] == !pair[1];
        if args.first() == Some(&Lit::FALSE) || args.windows(2).any(opposite) {
            return Lit::FALSE;
        }
        if args.first() == Some(&Lit::TRUE) {
            args.remove(0);
        }
        match args[..] {
            [] => Lit::TRUE,
            [only] => only,
            _ => self.intern(Kind::And, &args),
        }
    }

    /// Disjunction of any number.
    pub fn any(&mut self, lits: &[Lit]) -> Lit {
        let complements: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
        !self.all(&complements)
    }

    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        if let Some(b) = b.as_const() {
            return a.xor(b);
        }
        if let Some(a) = a.as_const() {
            return b.xor(a);
        }
        if a.gate() == b.gate() {
            return Lit::constant(a != b);
        }
        // Complements move to the result, so that all four forms share one gate.
        let flip = a.is_complement() ^ b.is_complement();
        let (a, b) = (a.xor(a.is_complement()), b.xor(b.is_complement()));
        self.intern(Kind::Xor, &[a.min(b), a.max(b)]).xor(flip)
    }

    pub fn xor3(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut args = [a, b, c];
        args.sort_unstable();
        let [a, b, c] = args;
        if a.as_const().is_some() || a.gate() == b.gate() || b.gate() == c.gate() {
            let ab = self.xor(a, b);
            return self.xor(ab, c);
        }
        let flip = args
            .iter()
            .fold(false, |flip, lit| flip ^ lit.is_complement());
        let plain = args.map(|lit| lit.xor(lit.is_complement()));
        self.intern(Kind::Xor3, &plain).xor(flip)
    }

    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut args = [a, b, c];
        args.sort_unstable();
        let [a, b, c] = args;
        match a.as_const() {
            Some(false) => return self.and(b, c),
            Some(true) => return self.or(b, c),
            None => {}
        }
        if a.gate() == b.gate() {
            return if a == b { a } else { c };
        }
        if b.gate() == c.gate() {
            return if b == c { b } else { a };
        }
        // Majority is self-dual: with two or more complemented operands, complement all three.
        let flip = args.iter().filter(|lit| lit.is_complement()).count() >= 2;
        let args = args.map(|lit| lit.xor(flip));
        self.intern(Kind::Majority, &args).xor(flip)
    }

    pub fn mux(&mut self, c: Lit, t: Lit, e: Lit) -> Lit {
        if c.is_complement() && c.as_const().is_none() {
            return self.mux(!c, e, t);
        }
        match c.as_const() {
            Some(true) => return t,
            Some(false) => return e,
            None if t == e => return t,
            None => {}
        }
        if t == Lit::TRUE || t == c {
            return self.or(c, e);
        }
        if t == Lit::FALSE || t == !c {
            return self.and(!c, e);
        }
        if e == Lit::TRUE || e == !c {
            return self.or(!c, t);
        }
        if e == Lit::FALSE || e == c {
            return self.and(c, t);
        }
        if t == !e {
            return !self.xor(c, t);
        }
        let flip = t.is_complement();
        self.intern(Kind::Mux, &[c, t.xor(flip), e.xor(flip)])
            .xor(flip)
    }

    fn intern(&mut self, kind: Kind, args: &[Lit]) -> Lit {
        let mut hasher = FxHasher::default();
        hasher.write_u8(kind as u8);
        args.iter().for_each(|arg| hasher.write_u32(arg.0));
        let hash = (hasher.finish() >> 20) as u32;
        let mask = self.table.len() - 1;
        let mut at = hash as usize & mask;
        while self.table[at].1 != u32::MAX {
            let (other, gate) = self.table[at];
            let gate = gate as usize;
            if other == hash && self.gates[gate].kind == kind && self.args(gate) == args {
                return Lit((gate as u32) << 1);
            }
            at = (at + 1) & mask;
        }
        let lit = self.push(kind, args);
        self.table[at] = (hash, lit.gate() as u32);
        if self.gates.len() * 3 > self.table.len() * 2 {
            self.grow();
        }
        lit
    }

    fn push(&mut self, kind: Kind, args: &[Lit]) -> Lit {
        let index = self.gates.len() as u32;
        assert!(index < 1 << 30, "a circuit has at most 2^30 gates");
        self.gates.push(Gate {
            kind,
            first: self.args.len() as u32,
            count: args.len() as u32,
        });
        self.args.extend_from_slice(args);
        Lit(index << 1)
    }

    fn grow(&mut self) {
        let size = self.table.len() * 2;
        let old = std::mem::replace(&mut self.table, vec![EMPTY; size]);
        for slot in old.into_iter().filter(|slot| slot.1 != u32::MAX) {
            let mut at = slot.0 as usize & (size - 1);
            while self.table[at].1 != u32::MAX {
                at = (at + 1) & (size - 1);
            }
            self.table[at] = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of a literal when the inputs have these values, by definition.
    fn value(gates: &Gates, lit: Lit, inputs: &[bool]) -> bool {
        let args: Vec<bool> = gates
            .args(lit.gate())
            .iter()
            .map(|&arg| value(gates, arg, inputs))
            .collect();
        let plain = match gates.kind(lit.gate()) {
            Kind::False => false,
            Kind::Input => inputs[lit.gate() - 1],
            Kind::And => args.iter().all(|&arg| arg),
            Kind::Xor | Kind::Xor3 => args.iter().fold(false, |a, b| a ^ b),
            Kind::Mux => args[if args[0] { 1 } else { 2 }],
            Kind::Majority => args.iter().filter(|&&arg| arg).count() >= 2,
        };
        plain ^ lit.is_complement()
    }

    /// Every constructor on all operand combinations with equal, opposite or constant operands.
    #[test]
    fn folding_is_correct_on_all_operands() {
        let mut gates = Gates::new();
        let inputs = [gates.input(), gates.input(), gates.input()];
        let mut operands = vec![Lit::FALSE, Lit::TRUE];
        operands.extend(inputs.iter().flat_map(|&lit| [lit, !lit]));
        for &a in &operands {
            for &b in &operands {
                for &c in &operands {
                    let (and, or, xor) = (gates.and(a, b), gates.or(a, b), gates.xor(a, b));
                    let (xor3, mux) = (gates.xor3(a, b, c), gates.mux(a, b, c));
                    let (maj, all, any) = (
                        gates.majority(a, b, c),
                        gates.all(&[a, b, c]),
                        gates.any(&[a, b, c]),
                    );
                    for bits in 0..8 {
                        let state = [bits & 1 == 1, bits & 2 == 2, bits & 4 == 4];
                        let v = |lit| value(&gates, lit, &state);
                        let (a, b, c) = (v(a), v(b), v(c));
                        assert_eq!(v(and), a && b);
                        assert_eq!(v(or), a || b);
                        assert_eq!(v(xor), a ^ b);
                        assert_eq!(v(xor3), a ^ b ^ c);
                        assert_eq!(v(mux), if a { b } else { c });
                        assert_eq!(v(maj), [a, b, c].iter().filter(|&&bit| bit).count() >= 2);
                        assert_eq!(v(all), a && b && c);
                        assert_eq!(v(any), a || b || c);
                    }
                }
            }
        }
    }

    #[test]
    fn equal_gates_are_one() {
        let mut gates = Gates::new();
        let (a, b) = (gates.input(), gates.input());
        assert_eq!(gates.xor(a, !b), !gates.xor(b, a));
        assert_eq!(gates.majority(a, b, !a), b);
        let before = gates.len();
        gates.and(a, b);
        gates.or(!b, !a);
        assert_eq!(gates.len(), before + 1);
    }
}
