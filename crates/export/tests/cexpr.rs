//! Terms in C mean what they are: compiled, they evaluate to the same truth values.

use attest_export::cexpr::{Named, Printer};
use attest_term::{Address, Env, Sort, SymbolId, SymbolKind, Term, Terms, Value};
use attest_testing::Rng;
use std::collections::HashMap;
use std::fmt::Write;
use std::process::Command;

/// Variables by width and signedness.
const VARIABLES: &[(&str, u32, bool, &str)] = &[
    ("a", 32, true, "int"),
    ("b", 32, true, "int"),
    ("u", 32, false, "unsigned int"),
    ("v", 32, false, "unsigned int"),
    ("l", 64, true, "long long"),
    ("m", 64, false, "unsigned long long"),
    ("c", 8, true, "signed char"),
    ("d", 8, false, "unsigned char"),
    ("s", 16, true, "short"),
    ("t", 16, false, "unsigned short"),
];

/// Values of variables; there is no memory.
struct State(HashMap<SymbolId, Value>);

impl Env for State {
    fn var(&self, symbol: SymbolId) -> Value {
        self.0[&symbol].clone()
    }

    fn byte(&self, _: Address) -> u8 {
        0
    }

    fn pointer(&self, _: Address) -> (u32, u64) {
        (0, 0)
    }

    fn tag(&self, _: Address) -> bool {
        false
    }

    fn base(&self, _: u32) -> u64 {
        0
    }
}

struct Maker<'a> {
    terms: &'a mut Terms,
    rng: Rng,
}

impl Maker<'_> {
    fn number(&mut self, width: u32, depth: u32) -> Term {
        let pick = self.rng.below(if depth == 0 { 2 } else { 14 });
        match pick {
            0 => {
                let odd = [
                    0,
                    1,
                    2,
                    u128::MAX,
                    1 << (width - 1),
                    (1 << (width - 1)) - 1,
                    7,
                ];
                let value = odd[self.rng.below(odd.len())];
                self.terms
                    .bv_u128(width, value & (u128::MAX >> (128 - width)))
            }
            1 => {
                let fits: Vec<_> = VARIABLES.iter().filter(|v| v.1 == width).collect();
                let (name, ..) = fits[self.rng.below(fits.len())];
                self.terms
                    .var(name, Sort::BitVec(width), SymbolKind::Register)
            }
            2 => {
                let narrow = [8, 16, 32][self.rng.below(3)].min(width);
                let a = self.number(narrow, depth - 1);
                match (narrow == width, self.rng.below(2)) {
                    (true, _) => a,
                    (false, 0) => self.terms.zext(a, width),
                    (false, _) => self.terms.sext(a, width),
                }
            }
            3 if width < 64 => {
                let a = self.number(64, depth - 1);
                let low = self.rng.below((64 - width) as usize) as u32;
                self.terms.extract(low + width - 1, low, a)
            }
            4 => {
                let (c, a, b) = (
                    self.truth(depth - 1),
                    self.number(width, depth - 1),
                    self.number(width, depth - 1),
                );
                self.terms.ite(c, a, b)
            }
            5 => {
                let a = self.number(width, depth - 1);
                self.terms.neg(a)
            }
            6 => {
                let a = self.number(width, depth - 1);
                self.terms.bvnot(a)
            }
            7 | 8 => {
                let a = self.number(width, depth - 1);
                let by = self.rng.below(width as usize + 2) as u128;
                let by = self.terms.bv_u128(width, by);
                match pick {
                    7 => self.terms.shl(a, by),
                    _ => self.terms.lshr(a, by),
                }
            }
            _ => {
                let (a, b) = (self.number(width, depth - 1), self.number(width, depth - 1));
                match self.rng.below(8) {
                    0 => self.terms.add(a, b),
                    1 => self.terms.sub(a, b),
                    2 => self.terms.mul(a, b),
                    3 => self.terms.bvand(a, b),
                    4 => self.terms.bvor(a, b),
                    5 => self.terms.bvxor(a, b),
                    6 => self.terms.udiv(a, b),
                    _ => self.terms.urem(a, b),
                }
            }
        }
    }

    fn truth(&mut self, depth: u32) -> Term {
        let width = [8, 16, 32, 64][self.rng.below(4)];
        if depth > 0 && self.rng.below(3) == 0 {
            let (a, b) = (self.truth(depth - 1), self.truth(depth - 1));
            return match self.rng.below(4) {
                0 => self.terms.all(&[a, b]),
                1 => self.terms.any(&[a, b]),
                2 => self.terms.xor(a, b),
                _ => self.terms.not(a),
            };
        }
        let depth = depth.max(1) - 1;
        let (a, b) = (self.number(width, depth), self.number(width, depth));
        match self.rng.below(6) {
            0 => self.terms.eq(a, b),
            1 => self.terms.ult(a, b),
            2 => self.terms.ule(a, b),
            3 => self.terms.slt(a, b),
            4 => self.terms.sle(a, b),
            _ => {
                let less = self.terms.slt(a, b);
                self.terms.not(less)
            }
        }
    }
}

#[test]
fn c_means_the_same() {
    let mut terms = Terms::new();
    let mut maker = Maker {
        terms: &mut terms,
        rng: Rng(0x1234_5678_9abc_def1),
    };
    let all: Vec<Term> = (0..1_500).map(|_| maker.truth(4)).collect();
    let mut rng = Rng(77);
    let mut c = String::new();
    let mut said = 0;
    let names = |symbol| {
        let name = terms.symbol(symbol).name.to_string();
        let known = VARIABLES.iter().find(|v| v.0 == name)?;
        Some(Named {
            name,
            signed: known.2,
        })
    };
    let printer = Printer::new(&terms, &names);
    c.push_str("int main(void) {\n");
    for (i, term) in all.iter().enumerate() {
        let Some(text) = printer.truth(*term) else {
            continue;
        };
        said += 1;
        let mut values: HashMap<&str, (u32, u64)> = HashMap::new();
        for (name, width, ..) in VARIABLES {
            let odd = [0, 1, u64::MAX, 1 << (width - 1), rng.next(), rng.next()];
            let bits = odd[rng.below(odd.len())] & (u64::MAX >> (64 - width));
            values.insert(name, (*width, bits));
        }
        let env = |symbol: SymbolId| {
            let (width, bits) = values[&*terms.symbol(symbol).name];
            Value::Bv(attest_term::Bv::new(width, bits.into()))
        };
        let symbols = terms.free_symbols(&[*term]).into_iter();
        let state = State(symbols.map(|symbol| (symbol, env(symbol))).collect());
        let expected = terms.eval(*term, &state).as_bool().expect("a truth value");
        c.push_str("  { ");
        for (name, _, _, ty) in VARIABLES {
            let _ = write!(c, "{ty} {name} = ({ty}){}ull; ", values[name].1);
        }
        let _ = writeln!(
            c,
            "(void)a,(void)b,(void)u,(void)v,(void)l,(void)m,(void)c,(void)d,(void)s,(void)t; \
             if (!!({text}) != {}) return 1 + {i} % 250; }}",
            u8::from(expected)
        );
    }
    c.push_str("  return 0;\n}\n");
    assert!(said > 400, "{said} of {}", all.len());
    let folder = tempfile::tempdir().expect("a folder");
    let (source, binary) = (folder.path().join("t.c"), folder.path().join("t"));
    std::fs::write(&source, c).expect("a file");
    let built = Command::new("cc")
        .args(["-O0", "-w", "-o"])
        .args([&binary, &source])
        .output()
        .expect("a compiler");
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
    let ran = Command::new(&binary).status().expect("a run");
    assert_eq!(ran.code(), Some(0));
}
