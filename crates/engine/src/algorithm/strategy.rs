//! The algorithms of the papers as settings of one loop (algorithm notes 8).
//!
//! They differ in the size of a step, in when edges are checked, in the
//! predicate that splits a region, and in what is asked before the frontier
//! question. Each is a value; `dash.rs` is the loop of all of them. The
//! algorithms that the papers compare themselves with have loops of their own
//! ([`Method`]), over the same terms, solver, model and interpreter.

use attest_model::Granularity;

/// How the loop refines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strategy {
    /// Its name.
    pub name: &'static str,
    /// Whose loop it is.
    pub method: Method,
    /// Size of steps.
    pub granularity: Granularity,
    /// When edges of new regions are checked.
    pub edges: Edges,
    /// What a region is split by.
    pub predicate: Predicate,
    /// What is asked before the frontier question.
    pub local: Local,
    /// What a frontier leads to.
    pub aim: Aim,
    /// What candidate facts from the tests' states are used for.
    pub candidates: Candidates,
    /// Which facts are guessed.
    pub templates: Templates,
    /// What becomes of calls.
    pub calls: Calls,
}

/// Whose loop it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// That of DASH, and so of SYNERGY, SMASH and LCT-D.
    Dash,
    /// The reachable part of the bisimulation quotient (`lee_yannakakis.rs`).
    LeeYannakakis,
    /// Every path by a test, in this order (`dse.rs`).
    Dse(Order),
    /// Abstract paths and predicates from them (`cegar.rs`).
    Cegar,
}

/// The order in which directed testing tries branches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// The deepest first, as DART does.
    Depth,
    /// The shallowest first.
    Breadth,
    /// Those that lead to locations where no test was, and then the deepest.
    Coverage,
}

/// What becomes of calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Calls {
    /// Everything is one procedure.
    Inlined,
    /// A procedure at a time, with summaries of both kinds (SMASH).
    Smash,
    /// The same, but tests of one caller are of no use to another.
    NotMay,
    /// The same, but what was proved for one call is of no use to another, nor to the same one
    /// when its procedure is asked anew: no summaries, no invariants, no regions of an
    /// unfinished query. The paper's figure 9 has no not-may summaries either.
    Must,
}

impl Calls {
    /// Whether must summaries are used.
    pub fn must(self) -> bool {
        matches!(self, Calls::Smash | Calls::Must)
    }

    /// Whether not-may summaries are used at other calls than the one they were made for.
    pub fn not_may(self) -> bool {
        matches!(self, Calls::Smash | Calls::NotMay)
    }
}

/// When edges of new regions are checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edges {
    /// When a frontier comes to them.
    Lazy,
    /// All of them after each split, as SYNERGY's abstract program is.
    Eager,
}

/// What a region is split by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Predicate {
    /// The exact precondition (SYNERGY).
    Pre,
    /// The precondition under the aliasing that the test saw (DASH).
    WpAlpha,
    /// The part of that which the solver used: as suitable as the whole (LCT-D).
    AlphaCore,
    /// The part of the precondition that the solver used, or facts of the test's state.
    Core,
}

/// What is asked before the frontier question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Local {
    /// Nothing: one question a round (DASH).
    Nothing,
    /// Whether step and target exclude each other (LCT-D's unsatisfiable targets).
    Target,
    /// Whether region, step and target exclude each other.
    Pair,
}

/// What a frontier leads to, and which is next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// One region; the nearest to a target is next.
    Region,
    /// All regions of a location that may lead to a target; the latest location is next
    /// (`refine/joint.rs`).
    Location,
}

/// What candidate facts from the tests' states are used for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Candidates {
    /// Nothing.
    Never,
    /// Those that are inductive become invariants (algorithm notes 6.4).
    Invariants,
    /// They are also offered to refinement (algorithm notes 6.3).
    Refinement,
}

/// Which facts are guessed from the tests' states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Templates {
    /// Values, equations, orders, congruences and implications.
    Plain,
    /// Inequalities with the program's own factors as well.
    Rich,
}

impl Strategy {
    /// Cores, facts and invariants: best where control decides.
    pub const CONTROL: Strategy = Strategy {
        name: "control",
        method: Method::Dash,
        granularity: Granularity::Large,
        edges: Edges::Lazy,
        predicate: Predicate::Core,
        local: Local::Pair,
        aim: Aim::Region,
        candidates: Candidates::Invariants,
        templates: Templates::Plain,
        calls: Calls::Inlined,
    };

    /// The same with candidates in refinement: best where numbers decide.
    pub const DATA: Strategy = Strategy {
        name: "data",
        candidates: Candidates::Refinement,
        templates: Templates::Rich,
        ..Strategy::CONTROL
    };

    /// SMASH (POPL 2010): a procedure at a time.
    pub const SMASH: Strategy = Strategy {
        name: "smash",
        calls: Calls::Smash,
        ..Strategy::CONTROL
    };

    /// Its half that proves.
    pub const MAY: Strategy = Strategy {
        name: "may",
        calls: Calls::NotMay,
        ..Strategy::SMASH
    };

    /// Its half that tests.
    pub const MUST: Strategy = Strategy {
        name: "must",
        calls: Calls::Must,
        ..Strategy::SMASH
    };

    /// What is used unless an algorithm is asked for; they take turns ([`crate::race()`]).
    pub const DEFAULT: [Strategy; 3] = [Strategy::CONTROL, Strategy::DATA, Strategy::SMASH];

    /// SYNERGY (FSE 2006).
    pub const SYNERGY: Strategy = Strategy {
        name: "synergy",
        method: Method::Dash,
        granularity: Granularity::Insn,
        edges: Edges::Eager,
        predicate: Predicate::Pre,
        local: Local::Nothing,
        aim: Aim::Region,
        candidates: Candidates::Never,
        templates: Templates::Plain,
        calls: Calls::Inlined,
    };

    /// DASH (TSE 2010).
    pub const DASH: Strategy = Strategy {
        name: "dash",
        method: Method::Dash,
        granularity: Granularity::Basic,
        edges: Edges::Lazy,
        predicate: Predicate::WpAlpha,
        local: Local::Nothing,
        aim: Aim::Region,
        candidates: Candidates::Never,
        templates: Templates::Plain,
        calls: Calls::Inlined,
    };

    /// LCT-D (Aalto 2013).
    pub const LCTD: Strategy = Strategy {
        name: "lctd",
        predicate: Predicate::AlphaCore,
        local: Local::Target,
        aim: Aim::Location,
        ..Strategy::DASH
    };

    /// Lee and Yannakakis (STOC 1992), as SYNERGY's figure 5 has it.
    pub const LEE_YANNAKAKIS: Strategy = Strategy {
        name: "lee-yannakakis",
        method: Method::LeeYannakakis,
        edges: Edges::Lazy,
        ..Strategy::SYNERGY
    };

    /// Directed testing (DART, PLDI 2005).
    pub const DSE: Strategy = Strategy {
        name: "dse",
        method: Method::Dse(Order::Depth),
        ..Strategy::DASH
    };

    /// Predicate abstraction with refinement (SLAM, POPL 2002).
    pub const CEGAR: Strategy = Strategy {
        name: "cegar",
        method: Method::Cegar,
        ..Strategy::DASH
    };

    /// All of them.
    pub const ALL: [Strategy; 11] = [
        Strategy::CONTROL,
        Strategy::DATA,
        Strategy::SMASH,
        Strategy::MAY,
        Strategy::MUST,
        Strategy::SYNERGY,
        Strategy::DASH,
        Strategy::LCTD,
        Strategy::LEE_YANNAKAKIS,
        Strategy::DSE,
        Strategy::CEGAR,
    ];
}
