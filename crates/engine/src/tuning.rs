//! Every limit of the engine, one row each: its name, its default, and what it limits.
//!
//! A row makes a field that the engine reads through its options, a name that
//! `attest check --tune NAME=VALUE` takes, and a line of `docs/tuning.md`. Verdicts do not
//! depend on these values for their truth: with another value a check answers the same, or
//! something else between `unknown` and the right answer. The weights of
//! effort (`core/effort.rs`) are measured, not chosen, and are not here.
//!
//! A value is at least 1 and at most a hundred times its default, so none of them can
//! make the engine divide by zero or count past its numbers.

use std::time::Duration;

/// A row of the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Its name, `SECTION.NAME`.
    pub name: &'static str,
    /// Its default, as it is written on the command line.
    pub default: String,
    /// What it limits.
    pub about: &'static str,
}

/// A value of a row.
trait Limit: Sized {
    /// As text.
    fn text(&self) -> String;
    /// From text, if it is within what a row with this default takes.
    fn read(text: &str, default: &Self) -> Option<Self>;
    /// What may be written, for a message.
    fn range(&self) -> String;
}

/// A value is at most so many times its default.
const MOST_TIMES: u8 = 100;

macro_rules! whole_numbers {
    ($($type:ty)+) => {
        $(impl Limit for $type {
            fn text(&self) -> String {
                self.to_string()
            }

            fn read(text: &str, default: &Self) -> Option<Self> {
                let most = default.saturating_mul(MOST_TIMES.into());
                text.parse().ok().filter(|value| (1..=most).contains(value))
            }

            fn range(&self) -> String {
                let most = self.saturating_mul(MOST_TIMES.into());
                format!("a whole number from 1 to {most}")
            }
        })+
    };
}

whole_numbers! { u32 u64 usize i128 }

impl Limit for f64 {
    fn text(&self) -> String {
        self.to_string()
    }

    fn read(text: &str, default: &Self) -> Option<Self> {
        let most = default * f64::from(MOST_TIMES);
        let value: Option<f64> = text.parse().ok();
        value.filter(|value| (0.001..=most).contains(value))
    }

    fn range(&self) -> String {
        format!("a number from 0.001 to {}", self * f64::from(MOST_TIMES))
    }
}

impl Limit for Duration {
    fn text(&self) -> String {
        format!("{}s", self.as_secs_f64())
    }

    fn read(text: &str, default: &Self) -> Option<Self> {
        let seconds = text.strip_suffix('s').unwrap_or(text);
        f64::read(seconds, &default.as_secs_f64()).map(Duration::from_secs_f64)
    }

    fn range(&self) -> String {
        format!("seconds, {}", self.as_secs_f64().range())
    }
}

impl<T: Limit + Copy, const N: usize> Limit for [T; N] {
    fn text(&self) -> String {
        let parts: Vec<String> = self.iter().map(Limit::text).collect();
        parts.join(",")
    }

    fn read(text: &str, default: &Self) -> Option<Self> {
        let parts = text.split(',').zip(default);
        let values: Option<Vec<T>> = parts.map(|(part, usual)| T::read(part, usual)).collect();
        let all = text.split(',').count() == N;
        values.filter(|_| all)?.try_into().ok()
    }

    fn range(&self) -> String {
        format!(
            "{N} numbers with commas between them, such as {}",
            self.text()
        )
    }
}

macro_rules! tuning {
    ($(
        #[doc = $of:literal] $section:ident: $Section:ident {
            $($name:ident: $type:ty = $default:expr, $about:literal;)+
        }
    )+) => {
        $(
            #[doc = $of]
            #[derive(Clone, Copy, PartialEq, Debug)]
            pub struct $Section {
                $(#[doc = $about] pub $name: $type,)+
            }

            impl Default for $Section {
                fn default() -> $Section {
                    $Section { $($name: $default,)+ }
                }
            }
        )+

        /// All limits of the engine.
        #[derive(Clone, Copy, PartialEq, Default, Debug)]
        pub struct Tuning {
            $(#[doc = $of] pub $section: $Section,)+
        }

        impl Tuning {
            /// The table, in the order of this file.
            pub fn rows() -> Vec<Row> {
                let usual = Tuning::default();
                vec![$($(
                    Row {
                        name: concat!(stringify!($section), ".", stringify!($name)),
                        default: usual.$section.$name.text(),
                        about: $about,
                    },
                )+)+]
            }

            /// Sets the row of this name; an error is one line for the user.
            fn set_row(&mut self, name: &str, text: &str) -> Result<(), String> {
                let usual = Tuning::default();
                $($(
                    if name == concat!(stringify!($section), ".", stringify!($name)) {
                        let usual = &usual.$section.$name;
                        let value = <$type as Limit>::read(text, usual);
                        let value = value.ok_or_else(|| format!("{name} takes {}", usual.range()))?;
                        self.$section.$name = value;
                        return Ok(());
                    }
                )+)+
                let names: Vec<&str> = Tuning::rows().iter().map(|row| row.name).collect();
                Err(format!("the limits are {}", names.join(", ")))
            }
        }
    };
}

tuning! {
    /// The search as a whole.
    search: SearchLimits {
        first_slice: Duration = Duration::from_millis(400), "Effort of an engine's first slice in a portfolio; each later slice is half as long again.";
        idle_tries: u32 = 16, "Tries in a row without success, at one place, after which a technique is tried there less often.";
        idle_interval: u32 = 4, "One in so many tries is made after that.";
        substituted_paths: usize = 16, "Paths whose substituted terms are kept.";
        substituted_terms: usize = 200_000, "Substituted terms of one path; a path with more is not kept.";
        brief_conflicts: u32 = 3_000, "Conflicts of a solver call whose answer is only worth having quickly.";
        patient_conflicts: u32 = 20_000, "Conflicts of a solver call whose answer helps much and can be done without.";
        diverged_tests: u32 = 4, "Tests that may miss one frontier before it is given up.";
        scaled_tests: u32 = 3, "Tests with smaller inputs after each test that was made to cross a frontier.";
        scaled_until: u64 = 120, "Tests after which no such smaller ones are run.";
        dse_states: usize = 10_000, "States of a test in directed testing.";
        cegar_executions: usize = 64, "Symbolic executions of one abstract path in predicate abstraction.";
    }

    /// The proof before it is said.
    proof: ProofLimits {
        vacuity_least: Duration = Duration::from_millis(500), "Least effort of the search for tests that break what a proof assumes.";
        vacuity_most: Duration = Duration::from_secs(5), "Most effort of that search.";
        vacuity_divisor: u32 = 2, "Between these two, that search gets the effort of the proof divided by this.";
        bail_effort: Duration = Duration::from_secs(20), "Effort of the search for an access that ends every run.";
    }

    /// Tests and what is kept of them.
    tests: TestLimits {
        long_way: u32 = 12, "States before a location that make the way to it long, so that a test without loop iterations is tried.";
        shortcuts: usize = 200, "Such tests without loop iterations.";
        later_instructions: u64 = 16_000_000, "Instructions of all tests together after their first states.";
        later_least: u64 = 100_000, "Instructions that every test may take after its first states.";
        late_states: u32 = 2, "States of a long test that are kept at one location.";
        followed_instructions: u64 = 100_000, "Instructions of a long test that symbolic execution may be asked to follow.";
        call_states: usize = 4, "A test with calls may have so many times the usual number of states.";
        unchanged_instructions: u64 = 4_000_000, "Instructions of a long test without a new location before it is stopped.";
        input_scales: [u64; 6] = [3, 9, 30, 5, 120, 15], "Largest inputs of the first tests, in turn.";
        size_inputs: usize = 4, "Inputs at the start of a test that are taken for sizes.";
        scaled_size: i128 = 24, "The size that large inputs are scaled down to.";
        listed_inputs: usize = 256, "Inputs of a first test that are listed; random ones follow.";
        pointer_choices: u32 = 8, "Nested choices that are followed to find the objects of a pointer.";
    }

    /// Random exploration from the heads of loops.
    exploration: ExplorationLimits {
        iteration_instructions: u64 = 200_000, "Instructions of one iteration.";
        models: usize = 64, "Iterations from one location that later ones are modelled on.";
        start_interval: u64 = 16, "One state in so many that exploration continues from is the start.";
        starts: u32 = 20, "Times that it continues from the start where no other state is left.";
        waiting_states: usize = 40_000, "States that exploration may still continue from.";
        rule_values: u64 = 3, "Values of a rule's variable that count as different states.";
        samples: usize = 100, "States at one location that are kept for the initial abstraction of a rule.";
        slice_divisor: u32 = 5, "Exploration at the start of a slice gets at most the slice's effort divided by this.";
        least: Duration = Duration::from_millis(500), "Effort that exploration at the start of a slice may take in any case.";
        first_slice_divisor: u32 = 20, "The same for a rule's initial abstraction: the slice's effort divided by this.";
        divisor: u32 = 10, "Exploration as a whole gets the effort so far divided by this.";
        at_once: Duration = Duration::from_millis(100), "Least effort of one period of exploration.";
        mixed_iterations: usize = 24, "Iterations from one state with inputs that differ from each other.";
        seen_states: usize = 1_000_000, "States after which exploration ends.";
        tests: u32 = 60, "Explored sequences that become tests because they reach a new location.";
        continued: u32 = 6, "Times that exploration continues from a state because of one new byte.";
        bytes: usize = 4_000, "Bytes of the state whose new values are looked for.";
        compared_values: usize = 24, "Numbers that inputs are compared with, as values of inputs.";
        other_values: usize = 48, "Numbers that anything else is compared with, as values of inputs.";
        useful_values: usize = 32, "Values at one input that led to new states and are tried again.";
    }

    /// Refinement of the regions.
    refinement: RefinementLimits {
        splits_before_candidates: u32 = 2, "Splits at a location before candidate invariants are preferred there.";
        splits_before_generalising: u32 = 1, "Splits at a location before RefineWithGeneralization is asked there (SYNERGY).";
        splits_before_widening: u32 = 2, "Splits at a location before it asks for invariants there (SYNERGY).";
        predicate_terms: usize = 400, "Terms of a predicate at a location with many splits; a larger one is refused.";
        whole_splits: u32 = 16, "Splits at a location by the whole precondition before the needed part of it is taken (LCT-D).";
        joint_terms: usize = 3000, "Terms of the precondition of several targets together; a larger one is of one target (LCT-D).";
        open_comparisons: usize = 4, "Address comparisons that a predicate may leave open before those of the test are taken.";
        diverging_splits: u32 = 60, "Splits after which a location counts as one with many.";
        region_states: usize = 6, "States of a region before facts of it alone are guessed.";
        region_tests: usize = 3, "Tests that these states must come from.";
        region_failures: u32 = 6, "Times that such facts may be of no use at a location.";
        facts: usize = 400, "Facts of one state in a solver call.";
        fact_rounds: u32 = 80, "Solver calls in a row that add facts where the model reads memory.";
        constants: usize = 3, "Constants of the path in one predicate.";
        kept_terms: usize = 40, "Terms of a precondition that is kept as it is.";
        compared_pointers: usize = 12, "Pointers that are compared with each other.";
        choices: u32 = 6, "Choices that are expanded to eliminate inputs from one predicate.";
        literals: usize = 400, "Literals of a predicate after a call that are looked at one by one.";
        frame_literals: usize = 8, "Literals about only the caller that a query may have before the unused ones are dropped.";
    }

    /// Candidates from tests, and the inductive ones among them.
    invariants: InvariantLimits {
        instances: usize = 300, "Instances of universal facts in one solver call.";
        entry_conditions: usize = 16, "Conditions under which one location is entered.";
        condition_terms: usize = 30, "Terms of such a condition.";
        again_at: [u32; 4] = [6, 20, 60, 200], "Splits at a location at which invariants are looked for again.";
        first_at: u64 = 40, "Splits before invariants are looked for, where refinement does not rest on them.";
        share: f64 = 0.25, "Share of the effort that the search for invariants may take.";
        least: Duration = Duration::from_secs(1), "Effort that it may take in any case.";
        program_candidates: usize = 1_200, "Candidates of all locations together.";
        array_candidates: usize = 8, "Candidates about arrays in one solver call.";
        simple_terms: usize = 4, "Terms of a comparison that counts as simple.";
        run_visits: usize = 3_000, "Visits of locations in the only run of a program without inputs.";
        run_facts: usize = 60_000, "Equations in all states of that run.";
        run_instructions: u64 = 2_000_000, "Instructions of that run.";
        run_divisor: u32 = 2, "The proof by that run gets the effort that is left divided by this.";
        candidates: usize = 400, "Candidates of one location.";
        states: usize = 400, "States that candidates are guessed from; all states refute them.";
        first_states: usize = 32, "States that a candidate is evaluated on at first.";
        variables: usize = 28, "Variables that candidates are about.";
        sizes: usize = 6, "Pointers whose objects' sizes are among these variables.";
        factors: usize = 5, "Factors of linear candidates.";
    }

    /// Templates of candidates.
    templates: TemplateLimits {
        implied_columns: usize = 14, "Variables that implications say something about.";
        implied_pairs: usize = 7, "Variables that implications compare with each other.";
        controls: usize = 6, "Control variables of implications.";
        control_values: usize = 4, "Values of a control variable.";
        control_rows: usize = 2, "States with such a value before an implication is made of it.";
        linear_pairs: usize = 12, "Variables that are taken two at a time in linear inequalities.";
        linear_triples: usize = 7, "Variables that are taken three at a time.";
        inequalities_of_two: usize = 60, "Linear inequalities of two variables.";
        inequalities_of_three: usize = 60, "Linear inequalities of three variables.";
        linear_rows: usize = 200, "States that linear inequalities are fitted to.";
        bounds: usize = 4, "Constants that bound one variable on one side.";
        all_bounds: usize = 48, "Such constants of all variables together, where there are few variables.";
        ordered: usize = 14, "Variables that are compared in pairs.";
    }

    /// Candidates about the elements of arrays.
    arrays: ArrayLimits {
        arrays: usize = 6, "Arrays of one location.";
        ends: usize = 8, "Ends of segments.";
        scalars: usize = 6, "Variables that elements are compared with.";
        candidates: usize = 48, "Candidates of one location.";
        segment_candidates: usize = 8, "Candidates of one segment.";
        states: usize = 40, "States that are looked at.";
        elements: i128 = 24, "Elements that are looked at: at the start, in between, and at the end of an array.";
        least_elements: usize = 3, "Elements of a segment before anything is guessed of them.";
        end_terms: usize = 16, "Terms of an end.";
    }

    /// The initial abstraction for a rule.
    simulation: SimulationLimits {
        cases: u32 = 8, "Cases that one equation is split into.";
        tested_states: usize = 400, "States of tests at one location that are merged at the start.";
        joint_conflicts: u32 = 300, "Conflicts of a solver call about everything that is tracked.";
        read_bytes: u64 = 16, "Bytes of one read.";
        effort: Duration = Duration::from_secs(60), "Effort of the whole.";
        variables: usize = 40, "Variables of the program that are tracked, of each kind.";
        pointers: usize = 16, "Pointers in memory that are tracked.";
        unwritten: usize = 24, "Pointers in memory that never change, of those that are tracked.";
        flags: usize = 16, "Flags in memory that are tracked.";
        compared: usize = 10, "Pointers that are compared with each other.";
        values: usize = 12, "Values of a rule's variable at one location before they are merged.";
        states: usize = 64, "States of the rule at one location before they are merged.";
        names: usize = 4, "Values of a variable that holds a name.";
        mergers: usize = 250, "Mergers at one location before all but single values is forgotten.";
    }

    /// Queries about procedures and their summaries.
    smash: SmashLimits {
        rounds: u32 = 100, "Rounds of a sub-query before its caller may do something else.";
        levels: u32 = 6, "Nested queries with the same callee and post-condition.";
        ghosts: usize = 24, "Ghost symbols of one query.";
        summaries: usize = 24, "Summaries of one function and outcome that are tried at a call.";
        contract_rounds: u32 = 150, "Rounds of the proof of a contract.";
        contract_activations: usize = 4, "Complete activations that a contract is guessed from.";
        contract_facts: usize = 16, "Facts of one contract.";
        paths: usize = 64, "Paths of one function that are kept as must summaries.";
        path_steps: usize = 120, "Steps of such a path.";
        paths_looked_at: usize = 24, "Paths that are followed for one frontier and witness.";
        paths_tried: usize = 6, "Paths of those that the solver is asked about.";
        weakened_states: usize = 32, "States before a call that a weaker post-condition is compared with.";
    }
}

impl Tuning {
    /// Sets what a text such as `smash.levels=8` says; an error is one line for the user.
    pub fn set(&mut self, text: &str) -> Result<(), String> {
        match text.split_once('=') {
            Some((name, value)) => self.set_row(name.trim(), value.trim()),
            None => {
                Err("write NAME=VALUE, such as smash.levels=8; docs/tuning.md has the names".into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_takes_its_default_and_its_name_is_its_own() {
        let rows = Tuning::rows();
        let mut names: Vec<&str> = rows.iter().map(|row| row.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), rows.len());
        let mut tuning = Tuning::default();
        for row in &rows {
            let text = format!("{}={}", row.name, row.default);
            assert_eq!(tuning.set(&text), Ok(()), "{text}");
            assert!(row.about.ends_with('.'), "{}", row.name);
        }
        assert_eq!(tuning, Tuning::default());
    }

    #[test]
    fn values_are_set_and_wrong_ones_refused() {
        let mut tuning = Tuning::default();
        assert_eq!(tuning.set("smash.levels=8"), Ok(()));
        assert_eq!(tuning.smash.levels, 8);
        assert_eq!(tuning.set("search.first_slice=0.25s"), Ok(()));
        assert_eq!(tuning.search.first_slice, Duration::from_millis(250));
        assert_eq!(tuning.set("invariants.again_at=1,2,3,4"), Ok(()));
        assert_eq!(tuning.invariants.again_at, [1, 2, 3, 4]);
        let refused = |text: &str| Tuning::default().set(text).err().unwrap_or_default();
        assert_eq!(
            refused("smash.levels=0"),
            "smash.levels takes a whole number from 1 to 600"
        );
        assert!(refused("smash.levels=x").contains("from 1 to 600"));
        assert!(refused("search.first_slice=NaN").contains("seconds"));
        assert!(refused("invariants.again_at=1,2,3").contains("4 numbers"));
        assert!(refused("invariants.again_at=1,2,3,4,5").contains("4 numbers"));
        assert!(refused("no.such=1").contains("smash.levels, "));
        assert!(!refused("no.such=1").contains('\n'));
        assert!(refused("smash.levels").contains("NAME=VALUE"));
    }
}
