//! What is known of the checks that a program is asked about, and the answer that it makes.
//!
//! A search adds what it finds: violations, proofs, and why it ended. Each class has a verdict
//! of its own: violated, if a run violates one of its checks; proved, if an accepted proof
//! excludes all of them that no run violated; else undecided. A proof in which overflow ends a
//! run says something of the other classes only once overflow is excluded as well, since a
//! machine goes on after it.

use crate::answer::{Answer, Why};
use crate::case::Case;
use crate::confirm::{CheckedProof, ConfirmedTest};
use crate::standing::{Standing, Verdict};
use crate::survey::Survey;
use attest_model::{BailKind, Check, Checks, Class, Leaks};
use attest_proof::Overflow;
use std::collections::BTreeSet;

/// What a search has found so far.
#[derive(Clone, Debug)]
pub(crate) struct Findings {
    asked: Checks,
    /// Places with a check of each class.
    places: Vec<(Class, usize)>,
    /// Code is missing, whose checks are not among those places.
    cut_off: bool,
    /// Silenced by the user.
    silenced: BTreeSet<Check>,
    /// The program may lose memory in a loop without an exit, where nobody looks for it.
    endless: bool,
    /// Classes that no proof can decide: some run comes to a check as if it violated it.
    open: BTreeSet<Class>,
    /// Confirmed violations of what is asked for, at most one a check.
    violations: Vec<ConfirmedTest>,
    /// The same of what is not asked for.
    notices: Vec<ConfirmedTest>,
    proofs: Vec<CheckedProof>,
    /// Why the search ended, if it did not decide everything.
    why: Option<Why>,
}

impl Findings {
    /// What the search of a case begins with.
    pub fn of(case: &Case) -> Findings {
        let places = match case.is_changed {
            // Its checks are those of the witness.
            true => Class::ALL.map(|class| (class, 1)).to_vec(),
            false => Survey::places(&case.program),
        };
        let looks = case.source.model.leaks != Leaks::Off;
        let endless = looks && !attest_model::leak::endless(&case.program).is_empty();
        let silenced = BTreeSet::clone(&case.silenced);
        let known = Findings::new(&case.settings.checks, places, silenced, endless);
        Findings {
            cut_off: Survey::is_cut_off(&case.program),
            ..known
        }
    }

    /// Nothing is known yet.
    fn new(
        asked: &Checks,
        places: Vec<(Class, usize)>,
        silenced: BTreeSet<Check>,
        endless: bool,
    ) -> Findings {
        Findings {
            asked: asked.clone(),
            places,
            cut_off: false,
            silenced,
            endless,
            open: BTreeSet::new(),
            violations: Vec::new(),
            notices: Vec::new(),
            proofs: Vec::new(),
            why: None,
        }
    }

    /// Checks of which nothing more is to be said.
    pub fn excused(&self) -> BTreeSet<Check> {
        let known = self.violations.iter().chain(&self.notices);
        known
            .map(ConfirmedTest::check)
            .chain(self.silenced.iter().copied())
            .collect()
    }

    /// Whether a violation of a check is known.
    pub fn knows(&self, check: Check) -> bool {
        let mut known = self.violations.iter().chain(&self.notices);
        known.any(|test| test.check() == check)
    }

    /// No proof of a class counts any more.
    pub fn leave_open(&mut self, class: Class) {
        self.open.insert(class);
    }

    /// Adds a confirmed violation.
    pub fn violated(&mut self, case: &Case, test: ConfirmedTest) {
        match self.asked.has(test.check().kind) {
            true => {
                if self.violations.is_empty() {
                    case.is_certain(&Answer::Unsafe(test.clone()));
                }
                self.violations.push(test);
            }
            false => self.notices.push(test),
        }
        self.publish(case);
    }

    /// Adds an accepted proof.
    pub fn proved(&mut self, case: &Case, proof: CheckedProof) {
        self.proofs.push(proof);
        self.publish(case);
        if let answer @ Answer::Safe(_) = self.answer() {
            case.is_certain(&answer);
        }
    }

    /// The search ended for this reason; the first one counts.
    pub fn ended(&mut self, why: Why) {
        self.why.get_or_insert(why);
    }

    /// The search goes on after all.
    pub fn goes_on(&mut self) {
        self.why = None;
    }

    /// Whether any violation of what is asked for is known.
    pub fn fails(&self) -> bool {
        !self.violations.is_empty()
    }

    /// Violations of what is asked for.
    pub fn violations(&self) -> &[ConfirmedTest] {
        &self.violations
    }

    /// Violations of what is not asked for.
    pub fn notices(&self) -> &[ConfirmedTest] {
        &self.notices
    }

    /// Whether all is known of these checks: each class is proved or violated.
    pub fn decided(&self, checks: &Checks) -> bool {
        let mut classes = checks.classes();
        classes.all(|class| self.verdict(class) != Verdict::Undecided)
    }

    /// Whether there is nothing more to find: each class is proved, apart from the places that
    /// runs violate, or these are all that it has.
    pub fn complete(&self, checks: &Checks) -> bool {
        let all = |class: Class| {
            let of_class = |test: &&ConfirmedTest| test.class() == Some(class);
            match self.verdict(class) {
                Verdict::Undecided => false,
                Verdict::Proved | Verdict::Empty => true,
                Verdict::Violated if self.is_proved(class) => true,
                // Its violations are at allocations, and its checks where the program ends.
                Verdict::Violated if class == Class::Leak => false,
                Verdict::Violated => {
                    let known = self.violations.iter().filter(of_class).count();
                    known >= self.places_of(class)
                }
            }
        };
        checks.classes().all(all)
    }

    /// What is known of a class.
    pub fn verdict(&self, class: Class) -> Verdict {
        let mut violations = self.violations.iter();
        if violations.any(|test| test.class() == Some(class)) {
            return Verdict::Violated;
        }
        let is_empty = self.places_of(class) == 0;
        // What is missing may have checks, unless no run gets there.
        match (is_empty, self.is_proved(class)) {
            (true, proved) if proved || !self.cut_off => Verdict::Empty,
            (_, true) => Verdict::Proved,
            (_, false) => Verdict::Undecided,
        }
    }

    fn places_of(&self, class: Class) -> usize {
        let known = self.places.iter().find(|(known, _)| *known == class);
        known.map_or(0, |(_, places)| *places)
    }

    fn is_proved(&self, class: Class) -> bool {
        if self.open.contains(&class) || class == Class::Leak && self.endless {
            return false;
        }
        let kinds = self.asked.of_class(class);
        let covers = |proof: &CheckedProof| {
            let wraps = proof.proof().overflow != Overflow::Check;
            let firm = wraps || class == Class::Overflow || self.excludes_overflow();
            firm && kinds.iter().all(|kind| proof.excludes(*kind))
        };
        self.proofs.iter().any(covers)
    }

    fn excludes_overflow(&self) -> bool {
        let overflow = Some(BailKind::Overflow);
        self.proofs.iter().any(|proof| proof.excludes(overflow))
    }

    /// The verdicts on all classes that are asked for.
    pub fn standings(&self) -> Vec<Standing> {
        let standing = |class: Class| {
            let of_class = |test: &&ConfirmedTest| test.class() == Some(class);
            Standing {
                class: class.word(),
                verdict: self.verdict(class),
                violations: self.violations.iter().filter(of_class).count(),
                places: self.places_of(class),
            }
        };
        self.asked.classes().map(standing).collect()
    }

    /// The answer: unsafe if a class is violated, unknown if one is undecided, else safe.
    pub fn answer(&self) -> Answer {
        if let Some(test) = self.violations.first() {
            return Answer::Unsafe(test.clone());
        }
        let verdicts: Vec<Verdict> = self.asked.classes().map(|c| self.verdict(c)).collect();
        if verdicts.contains(&Verdict::Undecided) {
            let open = "the search ended without a proof or a test".to_owned();
            return Answer::Unknown(self.why.clone().unwrap_or(Why::Undecided(open)));
        }
        if let Some(why) = self.proofs.iter().find_map(CheckedProof::vacuous) {
            return Answer::Nothing(why.to_owned());
        }
        let mut proofs = self.proofs.iter();
        let is_empty = |verdict: &Verdict| *verdict == Verdict::Empty;
        // That no run reaches what is missing is something that is proved.
        let all_empty = verdicts.iter().all(is_empty) && !self.cut_off;
        match proofs.next() {
            Some(proof) if !all_empty => {
                Answer::Safe(proof.clone().beside(proofs.cloned().collect()))
            }
            _ => Answer::Nothing(match self.asked.classes().collect::<Vec<_>>().as_slice() {
                [one] => format!("the program has no check of {one}"),
                _ => "the program has no check of these classes".into(),
            }),
        }
    }

    fn publish(&self, case: &Case) {
        if case.is_changed {
            return;
        }
        let standings = self.standings();
        case.session.note(|report| report.classes = standings);
    }

    /// Writes what is known to the report.
    pub fn note(&self, case: &Case) {
        self.publish(case);
    }
}
