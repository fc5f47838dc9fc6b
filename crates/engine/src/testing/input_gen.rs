//! The inputs that random exploration makes up.
//!
//! They are numbers that the program compares something with, or values that led to
//! something new as inputs at the same place before.

use crate::tuning::ExplorationLimits;
use attest_exec::InputValue;
use attest_exec::inputs::Maker;
use attest_model::{Constant, FnId, Inst, Operand, PlaceId, Program, Reg, Relation, Terminator};
use attest_term::random::Random;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeSet, VecDeque};

/// How the inputs of an iteration are made.
#[derive(Debug)]
pub(crate) enum Plan {
    /// All are this.
    All(InputValue),
    /// These first, some of them changed.
    Like(VecDeque<InputValue>, u64),
    /// Any; if they are to be plain, every other one is zero or one.
    Any { plain: bool },
}

/// Which inputs were useful, and those of the present iteration.
#[derive(Debug)]
pub(crate) struct InputGen {
    /// Numbers that the program compares its inputs with, zero and one among them.
    pub values: Vec<InputValue>,
    others: Vec<InputValue>,
    most_useful: usize,
    useful: FxHashMap<PlaceId, Vec<InputValue>>,
    random: Random,
    plan: Plan,
    made: Vec<(PlaceId, InputValue)>,
}

impl InputGen {
    pub fn new(program: &Program, seed: u64, limits: &ExplorationLimits) -> InputGen {
        let (values, others) = compared(program, limits);
        InputGen {
            values,
            others,
            most_useful: limits.useful_values,
            useful: FxHashMap::default(),
            random: Random(seed),
            plan: Plan::Any { plain: false },
            made: Vec::new(),
        }
    }

    /// Begins an iteration.
    pub fn begin(&mut self, plan: Plan) {
        self.plan = plan;
        self.made.clear();
    }

    /// The inputs of the iteration.
    pub fn made(&self) -> Box<[InputValue]> {
        self.made.iter().map(|(_, value)| *value).collect()
    }

    /// The iteration led to something new.
    pub fn was_good(&mut self) {
        for (place, value) in std::mem::take(&mut self.made) {
            let z = self.roll() as usize;
            let useful = self.useful.entry(place).or_default();
            match useful.contains(&value) {
                true => {}
                false if useful.len() < self.most_useful => useful.push(value),
                false => useful[z % self.most_useful] = value,
            }
        }
    }

    /// A random number.
    pub fn roll(&mut self) -> u64 {
        self.random.roll()
    }

    fn any(&mut self, place: PlaceId, plain: bool) -> InputValue {
        let z = self.roll();
        if plain && z & 4 == 0 {
            return InputValue::Int(i128::from(z >> 3 & 1));
        }
        let useful = self.useful.get(&place).filter(|_| z & 1 == 0);
        let list = match useful {
            Some(useful) => useful,
            None if z & 2 == 0 || self.others.is_empty() => &self.values,
            None => &self.others,
        };
        list[((z >> 3) % list.len() as u64) as usize]
    }
}

impl Maker for InputGen {
    fn answer(&mut self, place: PlaceId) -> InputValue {
        let value = match &mut self.plan {
            Plan::All(value) => *value,
            Plan::Any { plain } => {
                let plain = *plain;
                self.any(place, plain)
            }
            Plan::Like(model, changes) => {
                let changed = *changes & 1 != 0;
                *changes >>= 1;
                match model.pop_front().filter(|_| !changed) {
                    Some(value) => value,
                    None => self.any(place, true),
                }
            }
        };
        self.made.push((place, value));
        value
    }
}

/// The numbers that a program compares its inputs with, zero and one; and those that it
/// compares something else with.
fn compared(program: &Program, limits: &ExplorationLimits) -> (Vec<InputValue>, Vec<InputValue>) {
    let mut found: BTreeSet<i128> = [0, 1].into();
    let mut others: Vec<i128> = Vec::new();
    for function in (0..program.functions.len() as u32).map(FnId) {
        let inputs = of_inputs(program, function);
        let is_input =
            |operand: Operand| matches!(operand, Operand::Reg(reg) if inputs.contains(&reg));
        let number = |operand: Operand| match operand {
            Operand::Const(Constant::Int { value, width }) => Some(signed(value, width)),
            _ => None,
        };
        for block in &program.function(function).blocks {
            for inst in &block.insts {
                let Inst::Compare { rel, a, b, .. } = inst else {
                    continue;
                };
                for (a, b) in [(*a, *b), (*b, *a)] {
                    match is_input(a) {
                        true => found.extend(number(b)),
                        false if matches!(rel, Relation::Eq | Relation::Ne) => {
                            others.extend(number(b));
                        }
                        false => {}
                    }
                }
            }
            if let Terminator::Switch {
                value,
                cases,
                width,
                ..
            } = &block.end
            {
                let cases = cases.iter().map(|(case, _)| signed(*case, *width));
                match is_input(*value) {
                    true => found.extend(cases),
                    false => others.extend(cases),
                }
            }
        }
    }
    let mut numbers: Vec<i128> = found.into_iter().collect();
    numbers.sort_by_key(|n| n.abs());
    numbers.truncate(limits.compared_values - 1);
    // And one that none of them is.
    let other = numbers.iter().max().map_or(2, |n| n + 1);
    numbers.push(other);
    let mut known: BTreeSet<i128> = numbers.iter().copied().collect();
    others.retain(|n| known.insert(*n));
    others.truncate(limits.other_values);
    let values = |all: Vec<i128>| all.into_iter().map(InputValue::Int).collect();
    (values(numbers), values(others))
}

fn signed(value: u128, width: u32) -> i128 {
    let above = 128 - width.clamp(1, 128);
    (value as i128) << above >> above
}

/// Registers that hold an input as it was given.
fn of_inputs(program: &Program, function: FnId) -> FxHashSet<Reg> {
    let blocks = &program.function(function).blocks;
    let mut out: FxHashSet<Reg> = FxHashSet::default();
    loop {
        let before = out.len();
        let copied = |out: &mut FxHashSet<Reg>, to: Reg, from: &Operand| {
            if matches!(from, Operand::Reg(reg) if out.contains(reg)) {
                out.insert(to);
            }
        };
        for block in blocks {
            for inst in &block.insts {
                match inst {
                    Inst::Input { dst, .. } => {
                        out.insert(*dst);
                    }
                    Inst::Copy { dst, src: a } | Inst::Resize { dst, a, .. } => {
                        copied(&mut out, *dst, a);
                    }
                    _ => {}
                }
            }
            block.end.targets(|target| {
                for (to, from) in &target.copies {
                    copied(&mut out, *to, from);
                }
            });
        }
        if out.len() == before {
            return out;
        }
    }
}
