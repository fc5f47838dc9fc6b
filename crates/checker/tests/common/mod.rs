//! Programs with hand-written invariants, over C's own names.

#![allow(dead_code)]

pub mod calls;
pub mod cases;
pub mod memory_cases;

use attest_checker::{CheckResult, Fresh, check_proof, load_for};
use attest_model::graph::{Graph, Loc, LocKind};
use attest_model::{Program, Sort};
use attest_proof::*;
use attest_solver::{Blaster, Limits};
use std::path::PathBuf;
use std::time::Duration;

/// A program, inlined, with its graph and the folder of its source.
pub struct Subject {
    pub program: Program,
    pub graph: Graph,
    pub blank: Proof,
    pub file: PathBuf,
    pub folder: tempfile::TempDir,
}

/// A proof without invariants for a file.
pub fn blank(file: &std::path::Path, assumed: &[&str]) -> Proof {
    Proof {
        format: FORMAT.into(),
        tool: "by hand".into(),
        files: vec![HashedFile::of(file).unwrap()],
        data_model: DataModel::Lp64,
        clang_args: Vec::new(),
        stubs: Vec::new(),
        database: None,
        rule: None,
        entry: "main".into(),
        arguments: None,
        errors: vec!["reach_error".into()],
        malloc: attest_proof::Malloc::default(),
        uninitialised: false,
        quotients: false,
        granularity: Steps::Large,
        inline: Inlining {
            recursion: 2,
            most_insts: 10_000,
            partial: None,
        },
        overflow: Overflow::Wrap,
        assumed: assumed.iter().map(|&word| word.to_owned()).collect(),
        asserts_end: false,
        leaks: Default::default(),
        excused: Vec::new(),
        unwinding: None,
        invariants: Vec::new(),
        calls: Vec::new(),
        summaries: Vec::new(),
    }
}

pub const HEADER: &str = "extern void reach_error(void);\n\
    extern int __VERIFIER_nondet_int(void);\n\
    extern unsigned char __VERIFIER_nondet_uchar(void);\n\
    extern void __VERIFIER_assume(int);\n\
    extern void *malloc(unsigned long);\n";

/// Loads a program given as C.
pub fn subject(c: &str, assumed: &[&str]) -> Subject {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("program.c");
    std::fs::write(&file, format!("{HEADER}{c}")).unwrap();
    let blank = blank(&file, assumed);
    let program = load_for(&blank, std::slice::from_ref(&file)).unwrap();
    let graph = Graph::of(&program, blank.granularity.into());
    Subject {
        program,
        graph,
        blank,
        file,
        folder,
    }
}

impl Subject {
    /// The loop heads, in the order of their places.
    pub fn loops(&self) -> Vec<Loc> {
        let mut heads: Vec<Loc> = (0..self.graph.locations.len() as u32).map(Loc).collect();
        heads.retain(|loc| self.graph.location(*loc).kind == LocKind::LoopHead);
        heads.sort_by_key(|loc| {
            let place = self.program.place(self.graph.location(*loc).place);
            (place.line, place.column)
        });
        heads
    }

    pub fn entry(&self) -> Loc {
        self.graph.functions[0].entry
    }

    /// The symbol of a C variable that lives at a location: a register, or a promoted global.
    pub fn symbol(&self, at: Loc, name: &str) -> String {
        let function = self.program.function(self.program.entry);
        let live = &self.graph.location(at).live;
        let is = |variable: Option<attest_model::VarId>| {
            variable.is_some_and(|v| &*self.program.variable(v).name == name)
        };
        let reg = live
            .iter()
            .find(|reg| is(function.regs[reg.0 as usize].variable));
        if let Some(reg) = reg {
            return format!("r{}", reg.0);
        }
        let global = self.program.globals.iter().position(|g| &*g.name == name);
        match global {
            Some(number) => format!("g{number}"),
            None => panic!(
                "no {name} at {at:?}\n{}",
                attest_model::show::text(&self.program, &self.graph)
            ),
        }
    }

    /// Bits of a variable.
    pub fn width(&self, symbol: &str) -> u32 {
        let number: usize = symbol[1..].parse().unwrap();
        let sort = match &symbol[..1] {
            "r" => self.program.function(self.program.entry).regs[number].sort,
            _ => self.program.globals[number].sort,
        };
        match sort {
            Sort::Int(width) => width,
            other => panic!("{symbol} is {other}"),
        }
    }

    /// A term with `{variable}` and `{&object}` replaced.
    pub fn fill(&self, at: Loc, template: &str) -> String {
        let mut out = String::new();
        let mut rest = template;
        while let Some(start) = rest.find('{') {
            let end = start + rest[start..].find('}').unwrap();
            let name = &rest[start + 1..end];
            out.push_str(&rest[..start]);
            match name.strip_prefix('&') {
                Some(object) => {
                    let objects = &self.program.objects;
                    let number = objects.iter().position(|o| &*o.name == object).unwrap() + 1;
                    out.push_str(&format!("#x{number:08x}"));
                }
                None => out.push_str(&self.symbol(at, name)),
            }
            rest = &rest[end + 1..];
        }
        out + rest
    }

    /// A proof with these invariants, each a list of conjuncts.
    pub fn proof(&self, invariants: &[(Loc, Vec<String>)]) -> Proof {
        let mut proof = self.blank.clone();
        for (at, conjuncts) in invariants {
            let location = self.graph.location(*at);
            let text: Vec<String> = conjuncts.iter().map(|c| self.fill(*at, c)).collect();
            proof.invariants.push(Invariant {
                location: at.0,
                position: position_text(location.position.unwrap()),
                place: self.program.place(location.place).to_string(),
                smt: format!("(and true {})", text.join(" ")),
                forall: None,
                c: String::new(),
            });
        }
        proof
    }

    pub fn check(&self, proof: &Proof) -> CheckResult {
        let limits = Limits::time(Duration::from_secs(60));
        let mut solver = Fresh::new(Blaster::new);
        check_proof(&self.program, &self.graph, proof, &mut solver, &limits).unwrap()
    }

    /// Checks invariants of the loops, in their order.
    pub fn check_loops(&self, invariants: &[&[&str]]) -> CheckResult {
        self.check(&self.loop_proof(invariants))
    }

    /// The same for invariants that may be no part of a proof.
    pub fn try_check_loops(&self, invariants: &[&[&str]]) -> Result<CheckResult, ProofError> {
        self.try_check(&self.loop_proof(invariants))
    }

    pub fn loop_proof(&self, invariants: &[&[&str]]) -> Proof {
        let loops = self.loops();
        assert_eq!(
            loops.len(),
            invariants.len(),
            "{}",
            attest_model::show::text(&self.program, &self.graph)
        );
        let strings = |list: &&[&str]| list.iter().map(|&c| c.to_owned()).collect();
        let all: Vec<(Loc, Vec<String>)> = loops
            .into_iter()
            .zip(invariants.iter().map(strings))
            .collect();
        self.proof(&all)
    }
}

pub fn accepted(result: &CheckResult) -> bool {
    matches!(result, CheckResult::Accepted(_))
}

pub fn rejected(result: &CheckResult) -> bool {
    matches!(result, CheckResult::Rejected(_))
}
