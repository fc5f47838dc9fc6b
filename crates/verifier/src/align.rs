//! The inputs of a test of the inlined program, for the program itself.
//!
//! Inlining finds more code that nobody needs, and variables that are never
//! set and never read are no inputs there any more. The program itself still
//! asks for them, in between the others; they get zeros. Which ones these are
//! is seen in its runs: up to the first input that the inlined program does not
//! have both do the same.

use attest_exec::{InputValue, Inputs, Interpreter, Limits, Observer, Outcome, Overflow};
use attest_model::{InputKind, Inst, PlaceId, Program};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Inputs that the program itself may have more, before it is given up,
const MOST: usize = 500;
/// and how long the runs may take.
const LONGEST: Duration = Duration::from_secs(5);

/// Where a run took values of variables that were never set, in order.
#[derive(Default)]
struct Unset(Vec<PlaceId>);

impl Observer for Unset {
    const STEPS: bool = true;
    fn executed(&mut self, _: &Interpreter<'_>, inst: &Inst, place: PlaceId) {
        if let Inst::Input { kind, .. } = inst
            && matches!(kind, InputKind::Uninit(_) | InputKind::Undef)
        {
            self.0.push(place);
        }
    }
}

fn run(program: &Program, inputs: &Arc<Inputs>, overflow: Overflow) -> (Outcome, Vec<PlaceId>) {
    let limits = Limits::default();
    let mut run = Interpreter::new(program, inputs.clone(), overflow, limits);
    let mut unset = Unset::default();
    let outcome = run.watch(&mut unset, &Default::default());
    (outcome, unset.0)
}

/// Inputs on which the program itself fails, if those of a failing test of the inlined one
/// are some but for such zeros.
pub(crate) fn aligned(
    program: &Program,
    inlined: &Program,
    inputs: &Arc<Inputs>,
    overflow: Overflow,
) -> Option<Arc<Inputs>> {
    let (_, wanted) = run(inlined, inputs, overflow);
    let mut inputs = inputs.clone();
    let mut more: Vec<usize> = Vec::new();
    let started = Instant::now();
    for _ in 0..MOST {
        if started.elapsed() > LONGEST {
            return None;
        }
        let (outcome, taken) = run(program, &inputs, overflow);
        if matches!(outcome, Outcome::Error(_)) {
            return Some(inputs);
        }
        // The places of its inputs without those that it has more.
        let own = (0..taken.len()).filter(|at| !more.contains(at));
        let differs = own
            .zip(0..)
            .find(|(at, number)| wanted.get(*number) != Some(&taken[*at]));
        let (at, _) = differs?;
        more.push(at);
        let mut changed = Inputs::clone(&inputs);
        if at > changed.uninit.len() {
            return None;
        }
        changed.uninit.insert(at, InputValue::Int(0));
        inputs = Arc::new(changed);
    }
    None
}
