//! Encoding: from terms to the bits of their values, each term once.
//!
//! Terms are visited with an explicit stack, operands first, so deep terms need no machine stack.
//! Terms that are already encoded are not visited again, so a check pays only for its new terms. A
//! time or memory limit may stop the walk between two terms; the terms encoded so far stay valid.

use attest_term::{Op, Sort, SymbolId, Term, Terms};
use rustc_hash::FxHashMap;

use super::cells::{CellId, Cells, Function, Spot};
use super::gates::{Gates, Lit};
use super::words::{self, Tick, Word};
use crate::budget::Budget;
use crate::solver::Reason;

/// A larger circuit is refused as too much memory.
const MOST_GATES: usize = 1 << 29;
/// The number of gates, bits and operands between two checks of the limits.
const OFTEN: usize = 1 << 12;

/// The encoded terms of an arena.
pub(crate) struct Encoder {
    pub gates: Gates,
    pub cells: Cells,
    /// The bits of encoded terms, one after the other, and where each term's bits begin.
    bits: Vec<Lit>,
    start: Vec<u32>,
    /// The cells of each encoded read.
    reads: FxHashMap<Term, Vec<CellId>>,
    divisions: FxHashMap<(Word, Word), (Word, Word)>,
}

const ABSENT: u32 = u32::MAX;

impl Encoder {
    pub fn new() -> Encoder {
        Encoder {
            gates: Gates::new(),
            cells: Cells::default(),
            bits: Vec::new(),
            start: Vec::new(),
            reads: FxHashMap::default(),
            divisions: FxHashMap::default(),
        }
    }

    /// The bytes that the encoding holds.
    pub fn bytes(&self) -> u64 {
        let words = self.bits.capacity() + self.start.capacity();
        self.gates.bytes() + 4 * words as u64
    }

    fn is_encoded(&self, term: Term) -> bool {
        let start = self.start.get(term.index());
        start.is_some_and(|&start| start != ABSENT)
    }

    fn bits(&self, terms: &Terms, term: Term) -> &[Lit] {
        let start = self.start[term.index()] as usize;
        &self.bits[start..][..terms.sort(term).bits() as usize]
    }

    /// The bits of a symbol, if it is encoded.
    pub fn symbol(&self, terms: &Terms, symbol: Term) -> Option<&[Lit]> {
        self.is_encoded(symbol).then(|| self.bits(terms, symbol))
    }

    /// The cells of an encoded read.
    pub fn cells_of(&self, read: Term) -> &[CellId] {
        self.reads.get(&read).map_or(&[], |cells| cells)
    }

    /// The literal of a boolean term.
    pub fn literal(&mut self, terms: &Terms, root: Term, budget: &Budget) -> Result<Lit, Reason> {
        if !self.is_encoded(root) {
            self.encode(terms, root, budget)?;
        }
        Ok(self.bits(terms, root)[0])
    }

    fn encode(&mut self, terms: &Terms, root: Term, budget: &Budget) -> Result<(), Reason> {
        if self.start.len() <= root.index() {
            self.start.resize(terms.len(), ABSENT);
        }
        let mut work = 0;
        let mut looked = 0;
        // A term with the number of its operands already visited.
        let mut stack = vec![(root, 0)];
        while let Some((term, done)) = stack.pop() {
            if done == 0 && self.is_encoded(term) {
                continue;
            }
            work += 1;
            if work + self.gates.len() + self.bits.len() / 32 > looked + OFTEN {
                looked = work + self.gates.len() + self.bits.len() / 32;
                self.look(budget)?;
            }
            if let Some(&arg) = terms.args(term).get(done) {
                stack.push((term, done + 1));
                stack.push((arg, 0));
                continue;
            }
            let word = self.encode_one(terms, term, budget)?;
            debug_assert_eq!(word.len(), terms.sort(term).bits() as usize);
            self.start[term.index()] = self.bits.len() as u32;
            self.bits.extend_from_slice(&word);
        }
        Ok(())
    }

    fn look(&self, budget: &Budget) -> Result<(), Reason> {
        let full = self.gates.len() > MOST_GATES || self.bits.len() > ABSENT as usize / 2;
        if full {
            return Err(Reason::Memory);
        }
        budget.check(self.bytes())
    }

    /// The bits of a term whose operands are encoded.
    fn encode_one(&mut self, terms: &Terms, term: Term, budget: &Budget) -> Result<Word, Reason> {
        let op = terms.op(term);
        let args = terms.args(term);
        let float = |term: &Term| matches!(terms.sort(*term), Sort::Float(_));
        if float(&term) || args.iter().any(float) {
            return Err(Reason::Float);
        }
        if op.is_read() || matches!(op, Op::Base { .. }) {
            return Ok(self.encode_read(terms, term));
        }
        if let Some(constant) = terms.constant(term) {
            let bit = |i| match &constant {
                attest_term::Value::Bool(b) => *b,
                value => value.as_bv().is_some_and(|bv| bv.bit(i)),
            };
            let width = terms.sort(term).bits();
            return Ok((0..width).map(|i| Lit::constant(bit(i))).collect());
        }
        if matches!(op, Op::Var(_)) {
            return Ok(self.gates.inputs(terms.sort(term).bits() as usize));
        }
        let words: Vec<Word> = args.iter().map(|&a| self.bits(terms, a).to_vec()).collect();
        let held = self.bytes() - self.gates.bytes();
        let tick = |gates: &Gates| {
            if gates.len() > MOST_GATES {
                return Err(Reason::Memory);
            }
            budget.check(held + gates.bytes())
        };
        match (op, &words[..]) {
            (Op::Udiv | Op::Urem | Op::Sdiv | Op::Srem, [n, d]) => self.quotient(op, n, d, &tick),
            (_, words) => apply(&mut self.gates, op, words, &tick),
        }
    }

    /// The quotients and remainders of both signs, from one division of magnitudes.
    fn quotient(&mut self, op: Op, n: &[Lit], d: &[Lit], tick: Tick) -> Result<Word, Reason> {
        let top = n.len() - 1;
        let signed = matches!(op, Op::Sdiv | Op::Srem);
        let sign = |word: &[Lit]| if signed { word[top] } else { Lit::FALSE };
        let (sign_n, sign_d) = (sign(n), sign(d));
        let size_n = self.gates.negate_if(sign_n, n);
        let size_d = self.gates.negate_if(sign_d, d);
        let key = (size_n, size_d);
        if !self.divisions.contains_key(&key) {
            let results = self.gates.divide(&key.0, &key.1, tick)?;
            self.divisions.insert(key.clone(), results);
        }
        let (q, r) = &self.divisions[&key];
        // Division by zero needs no special case: all ones negated is one, and the remainder is
        // `n`.
        let sign_q = self.gates.xor(sign_n, sign_d);
        Ok(match op {
            Op::Udiv | Op::Sdiv => self.gates.negate_if(sign_q, q),
            _ => self.gates.negate_if(sign_n, r),
        })
    }

    fn encode_read(&mut self, terms: &Terms, term: Term) -> Word {
        let object = self.bits(terms, terms.arg(term, 0)).to_vec();
        let (base, distance) = match terms.args(term).get(1) {
            Some(&offset) => self.split_offset(terms, offset),
            None => (vec![], 0),
        };
        let op = terms.op(term);
        let spot = |distance| Spot {
            version: op.version().unwrap_or(0),
            object: &object,
            base: &base,
            distance,
        };
        let (function, count) = match op {
            Op::Read { bytes, .. } => (Function::Byte, bytes),
            Op::ReadPtrObject { .. } => (Function::PointerObject, 1),
            Op::ReadPtrOffset { .. } => (Function::PointerOffset, 1),
            Op::ReadTag { .. } => (Function::Tag, 1),
            _ => (Function::Base, 1),
        };
        let cells: Vec<CellId> = (0..count as u64)
            .map(|i| {
                let spot = spot(distance.wrapping_add(i));
                self.cells.cell(&mut self.gates, function, &spot)
            })
            .collect();
        let mut word = Word::new();
        for &cell in &cells {
            word.extend_from_slice(self.cells.bits(cell));
        }
        // A base address narrower than 64 bits is truncated.
        word.truncate(terms.sort(term).bits() as usize);
        self.reads.insert(term, cells);
        word
    }

    /// An offset as a word and a constant distance from it.
    fn split_offset(&self, terms: &Terms, mut offset: Term) -> (Word, u64) {
        let mut distance = 0u64;
        for _ in 0..64 {
            let (Op::Add, &[a, b]) = (terms.op(offset), terms.args(offset)) else {
                break;
            };
            let (rest, constant) = match (terms.bv_const(a), terms.bv_const(b)) {
                (_, Some(constant)) => (a, constant),
                (Some(constant), None) => (b, constant),
                (None, None) => break,
            };
            distance = distance.wrapping_add(constant.low_u64());
            offset = rest;
        }
        (self.bits(terms, offset).to_vec(), distance)
    }

    /// The symbols and cells that a root depends on, each list ascending.
    pub fn support(&self, terms: &Terms, root: Term) -> Support {
        let mut support = Support::default();
        for term in terms.reachable(&[root]) {
            match terms.op(term) {
                Op::Var(symbol) => support.symbols.push((symbol, term)),
                op if op.is_read() || matches!(op, Op::Base { .. }) => {
                    support.cells.extend_from_slice(self.cells_of(term));
                }
                _ => {}
            }
        }
        support.cells.sort_unstable();
        support.cells.dedup();
        support
    }
}

/// What a root depends on.
#[derive(Clone, Default, Debug)]
pub(crate) struct Support {
    pub symbols: Vec<(SymbolId, Term)>,
    pub cells: Vec<CellId>,
}

/// The circuit of an operation without state.
fn apply(gates: &mut Gates, op: Op, args: &[Word], tick: Tick) -> Result<Word, Reason> {
    let truth = |lit: Lit| Ok(vec![lit]);
    match (op, args) {
        (Op::And, _) => {
            let lits: Word = args.iter().map(|arg| arg[0]).collect();
            truth(gates.all(&lits))
        }
        (Op::Or, _) => {
            let lits: Word = args.iter().map(|arg| arg[0]).collect();
            truth(gates.any(&lits))
        }
        (Op::Not | Op::BvNot, [a]) => Ok(words::not(a)),
        (Op::Xor | Op::BvXor, [a, b]) => Ok(gates.bitwise(a, b, Gates::xor)),
        (Op::BvAnd, [a, b]) => Ok(gates.bitwise(a, b, Gates::and)),
        (Op::BvOr, [a, b]) => Ok(gates.bitwise(a, b, Gates::or)),
        (Op::Eq, [a, b]) => truth(gates.equal(a, b)),
        (Op::Ite, [c, t, e]) => Ok(gates.choose(c[0], t, e)),
        (Op::BvNeg, [a]) => Ok(gates.negate_if(Lit::TRUE, a)),
        (Op::Add, [a, b]) => Ok(gates.add(a, b)),
        (Op::Sub, [a, b]) => Ok(gates.sub(a, b)),
        (Op::Mul, [a, b]) => gates.mul(a, b, tick),
        (Op::Shl, [a, b]) => Ok(gates.shift(a, b, true, Lit::FALSE)),
        (Op::Lshr, [a, b]) => Ok(gates.shift(a, b, false, Lit::FALSE)),
        (Op::Ashr, [a, b]) => Ok(gates.shift(a, b, false, a[a.len() - 1])),
        (Op::Concat, [high, low]) => Ok([&low[..], &high[..]].concat()),
        (Op::Extract { high, low }, [a]) => Ok(a[low as usize..=high as usize].to_vec()),
        (Op::ZeroExt { by }, [a]) => Ok(extended(a, by, Lit::FALSE)),
        (Op::SignExt { by }, [a]) => Ok(extended(a, by, a[a.len() - 1])),
        (Op::Ult, [a, b]) => truth(gates.less(a, b)),
        (Op::Ule, [a, b]) => truth(!gates.less(b, a)),
        (Op::Slt, [a, b]) => truth(gates.signed_less(a, b)),
        (Op::Sle, [a, b]) => truth(!gates.signed_less(b, a)),
        _ => Err(Reason::Other(format!("{op:?} has no circuit"))),
    }
}

fn extended(a: &[Lit], by: u32, fill: Lit) -> Word {
    let mut word = a.to_vec();
    word.resize(a.len() + by as usize, fill);
    word
}
