//! The techniques that make proofs close, one row each: each can be switched off alone, and
//! those of the last rows, which are there for comparison, on.
//!
//! The table feeds the command line, its help and the statistics. None of
//! them is needed for soundness, so a run without one of them says the same
//! or less.

use std::fmt;

macro_rules! techniques {
    ($($variant:ident $name:literal $about:literal;)+) => {
        /// A technique that can be switched off.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Technique {
            $(#[doc = $about] $variant,)+
        }

        impl Technique {
            /// All of them.
            pub const ALL: &'static [Technique] = &[$(Technique::$variant,)+];

            /// Its name.
            pub fn name(self) -> &'static str {
                match self {
                    $(Technique::$variant => $name,)+
                }
            }

            /// What it does.
            pub fn about(self) -> &'static str {
                match self {
                    $(Technique::$variant => $about,)+
                }
            }
        }
    };
}

techniques! {
    Initial "initial" "The initial abstraction is about the state of a rule (study, section 8).";
    Cores "cores" "Regions are split by the part of the precondition that the solver used (6.1; the SP heuristic of the YOGI study, generalised).";
    Literals "frame-literals" "Literals about what a call cannot change are dropped from predicates after it where the solver did not use them (5.4).";
    QueryWeakening "query-weakening" "Queries about a callee are weakened to those parts of a region that the paths of tests miss (must summaries; 5.3).";
    Local "local" "The step between two regions is checked without a test first (6.1).";
    Facts "constants" "Facts of the test's own state are preferred where they are few: control variables (6.2).";
    Houdini "houdini" "Inductive candidates become invariants (6.4).";
    Refinement "refinement" "Regions are split by candidates (6.3).";
    Regions "regions" "Regions are split by what holds of a region's own states.";
    Guards "guards" "Candidates: conditions of the program and disjunctions of two.";
    EntryGuards "entry-guards" "Candidates: conditions under which a location is entered.";
    Values "values" "Candidates: one value, or a few.";
    Equations "equations" "Candidates: affine equations from the null space of the states.";
    Bounds "bounds" "Candidates: bounds by the program's constants.";
    Orders "orders" "Candidates: orders and differences of two variables.";
    Inequalities "inequalities" "Candidates: inequalities with the program's factors.";
    Congruences "congruences" "Candidates: low bits.";
    Implications "implications" "Candidates: what holds under a value of a control variable.";
    Sizes "sizes" "Candidates about the sizes of objects.";
    Arrays "arrays" "Facts about every element of an array.";
    Frame "frame" "Memory that a call cannot write, by points-to, is the same after it (5.4; modification analysis of the YOGI study).";
    PointsTo "points-to" "Points-to says which writes a read of memory never meets (2.5, 5.4).";
    FirstRuns "first-runs" "Many runs on plain and random inputs come before everything; without them the engine starts with one.";
    Unwinding "unwinding" "Programs whose loops and recursion are bounded are executed on all paths at once, before the engines.";
    SingleRun "single-run" "The states of the only run of a program without inputs are invariants.";
    LongTests "long-tests" "Tests continue after their first states.";
    Shortcuts "shortcuts" "Tests whose iterations of loops are left out are tried where only long ones came.";
    Exploration "exploration" "Random exploration: tests branch at the heads of loops and continue from every new state there.";
    SmallTests "small-tests" "Crossing tests are run on smaller inputs as well.";
    Generalise "generalise" "What is more than one step's precondition splits a region where others did not end (SYNERGY's RefineWithGeneralization).";
    Joint "joint" "A frontier leads to all regions of a location that may lead to a target (LCT-D).";
    Remembered "remembered" "What refuted one frontier refutes others without a solver call (LCT-D).";
    Sp "sp" "The condition of a step is left out of the predicate where the rest will do (the SP heuristic of the YOGI study; cores do as much).";
    Cd "cd" "Branches that no event of the property depends on are nondeterministic at first (the CD heuristic of the YOGI study).";
}

impl Technique {
    /// Whether it is used unless it is switched off; the others only if they are switched on.
    pub fn is_usual(self) -> bool {
        !matches!(self, Technique::Sp | Technique::Cd)
    }
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ() {
        let mut names: Vec<&str> = Technique::ALL.iter().map(|t| t.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Technique::ALL.len());
    }
}
