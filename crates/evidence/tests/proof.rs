//! Proofs with summaries, from terms to a file that the checker accepts.

use attest_checker::{CheckResult, Fresh, check_proof, load_for};
use attest_evidence::proof::{Proof, position_text};
use attest_evidence::{CallUse, ProofParts, Subject, SummaryProof, proof_of};
use attest_frontend::{Source, load};
use attest_model::graph::{Graph, Loc, LocKind, Outcome};
use attest_model::{FnId, InlineOptions, Partial, Program, inline};
use attest_solver::{Blaster, Limits};
use attest_term::{Sort, SymbolKind, Term, Terms};

const PROGRAM: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int id(int n) { return n == 0 ? 0 : id(n - 1) + 1; }
int main(void) { int n = __VERIFIER_nondet_int(); if (id(n) != n) reach_error(); return 0; }";

const WORD: Sort = Sort::BitVec(32);

struct Case {
    subject: Subject,
    program: Program,
    graph: Graph,
    folder: tempfile::TempDir,
}

fn case() -> Case {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("program.c");
    std::fs::write(&file, PROGRAM).unwrap();
    let source = Source {
        files: vec![file.clone()],
        ..Source::default()
    };
    let nothing = Partial {
        small: 0,
        once: 0,
        growth: 1,
    };
    let subject = Subject {
        files: vec![file],
        inline: InlineOptions {
            partial: Some(nothing),
            ..InlineOptions::default()
        },
        ..Subject::default()
    };
    let program = inline(&load(&source).unwrap(), &subject.inline);
    let graph = Graph::of(&program, Default::default());
    Case {
        subject,
        program,
        graph,
        folder,
    }
}

impl Case {
    /// The only location of a kind in a function.
    fn at(&self, function: FnId, kind: LocKind) -> Loc {
        let mut cuts = self.graph.functions[function.0 as usize].cuts.values();
        let found = cuts.find(|at| self.graph.location(**at).kind == kind);
        *found.expect("there is one")
    }

    /// The register that is live at a location for the call's argument or result.
    fn last_live(&self, terms: &mut Terms, at: Loc) -> Term {
        let location = self.graph.location(at);
        let reg = location.live.last().expect("one is live");
        let function = location.function.expect("it is in one");
        let name = match function == self.program.entry {
            true => format!("r{}", reg.0),
            false => format!("f{}.r{}", function.0, reg.0),
        };
        terms.var(&name, WORD, SymbolKind::Register)
    }

    /// The proof, as the engine would hand it over.
    fn parts(&self, terms: &mut Terms) -> ProofParts {
        let (id, main) = (self.program.lookup("id").unwrap(), self.program.entry);
        let ghost = terms.var("s7.z0", WORD, SymbolKind::Ghost);
        let one = terms.bv_u128(32, 1);
        let less = terms.sub(ghost, one);
        let result = terms.var(&format!("f{}.ret0", id.0), WORD, SymbolKind::Register);
        let entry = self.graph.functions[id.0 as usize].entry;
        let (before, after) = (
            self.at(id, LocKind::BeforeCall),
            self.at(id, LocKind::AfterCall),
        );
        let n = terms.var(&format!("f{}.r0", id.0), WORD, SymbolKind::Register);
        let (arg, back) = (self.last_live(terms, before), self.last_live(terms, after));
        let pre = terms.eq(n, ghost);
        let descends = terms.eq(arg, less);
        let comes_back = terms.eq(back, less);
        let summary = SummaryProof {
            id: 7,
            function: id,
            outcome: Outcome::Return,
            ghosts: vec![("s7.z0".into(), WORD)],
            post: terms.ne(result, ghost),
            invariants: vec![(entry, pre), (before, descends), (after, comes_back)],
            calls: vec![CallUse {
                location: before,
                summary: 7,
                ghosts: vec![less],
            }],
        };
        let (before, after) = (
            self.at(main, LocKind::BeforeCall),
            self.at(main, LocKind::AfterCall),
        );
        let (n, back) = (self.last_live(terms, before), self.last_live(terms, after));
        let right = terms.eq(n, back);
        ProofParts {
            invariants: vec![(after, right)],
            calls: vec![CallUse {
                location: before,
                summary: 7,
                ghosts: vec![n],
            }],
            summaries: vec![summary],
        }
    }

    fn check(&self, proof: &Proof) -> CheckResult {
        let program = load_for(proof, &self.subject.files).unwrap();
        let graph = Graph::of(&program, proof.granularity.into());
        let mut solver = Fresh::new(Blaster::new);
        check_proof(&program, &graph, proof, &mut solver, &Limits::default()).unwrap()
    }
}

#[test]
fn a_proof_with_summaries_is_written_and_accepted() {
    let case = case();
    let mut terms = Terms::new();
    let parts = case.parts(&mut terms);
    let (program, graph) = (&case.program, &case.graph);
    let written = proof_of(&case.subject, program, graph, &terms, &parts).unwrap();
    let path = case.folder.path().join("proof.json");
    std::fs::write(&path, written.to_json()).unwrap();
    let read = Proof::parse(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(read, written);
    let [summary] = &read.summaries[..] else {
        panic!("one summary")
    };
    assert_eq!((&*summary.function, &*summary.outcome), ("id", "return"));
    assert_eq!(summary.ghosts[0].sort, "(_ BitVec 32)");
    let at = graph.location(parts.calls[0].location).position.unwrap();
    assert_eq!(read.calls[0].position, position_text(at));
    let result = case.check(&read);
    assert!(matches!(result, CheckResult::Accepted(_)), "{result}");

    let mut less = parts.clone();
    less.summaries[0].calls.clear();
    let written = proof_of(&case.subject, program, graph, &terms, &less).unwrap();
    let result = case.check(&written);
    assert!(matches!(result, CheckResult::Rejected(_)), "{result}");
}
