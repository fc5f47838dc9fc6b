//! Proofs with summaries, written over C's own names.
//!
//! A spot is `entry`, `loop`, or `before f` and `after f` for a call of `f`
//! (the second one is `f 2`). In terms `{x}` is a variable or a parameter that
//! lives at the spot or a promoted global, `{arg0}` an argument of the call
//! there, `{result}` what the call before it gave, `{ret}` the result in a
//! post, `{z0}` a ghost of the map's own summary and `{&a}` an object.

use super::{HEADER, Subject};
use attest_checker::{CheckResult, Fresh, check_proof, load_for};
use attest_model::graph::{Graph, Loc, LocKind};
use attest_model::{Call, Constant, FnId, Inst, Operand};
use attest_proof::*;
use attest_solver::{Blaster, Limits};
use std::time::Duration;

/// A map: conjuncts at spots, and the summaries used at calls with their ghosts.
#[derive(Clone, Debug)]
pub struct MapText {
    pub at: Vec<(String, Vec<String>)>,
    pub uses: Vec<(String, u32, Vec<String>)>,
}

/// A summary; its number is its position.
#[derive(Clone, Debug)]
pub struct SummaryText {
    pub function: String,
    pub outcome: String,
    pub ghosts: Vec<String>,
    pub post: String,
    pub map: MapText,
}

/// A program with a proof of it.
#[derive(Clone, Debug)]
pub struct Case {
    pub name: &'static str,
    pub c: &'static str,
    pub assumed: &'static [&'static str],
    pub main: MapText,
    pub summaries: Vec<SummaryText>,
    /// Changes of the program that make it wrong; each is a list of replacements.
    pub wrong: &'static [&'static [(&'static str, &'static str)]],
    /// Mutants, by the beginning of what they are, that are right too.
    pub right_too: &'static [&'static str],
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

pub fn map(at: &[(&str, &[&str])], uses: &[(&str, u32, &[&str])]) -> MapText {
    let at = at
        .iter()
        .map(|(spot, list)| (spot.to_string(), owned(list)));
    let uses = uses.iter();
    MapText {
        at: at.collect(),
        uses: uses
            .map(|(spot, id, ghosts)| (spot.to_string(), *id, owned(ghosts)))
            .collect(),
    }
}

pub fn summary(
    function: &str,
    outcome: &str,
    ghosts: &[&str],
    post: &str,
    map: MapText,
) -> SummaryText {
    SummaryText {
        function: function.into(),
        outcome: outcome.into(),
        ghosts: owned(ghosts),
        post: post.into(),
        map,
    }
}

/// Loads a program and leaves all its calls as they are.
pub fn subject_with_calls(c: &str, assumed: &[&str]) -> Subject {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("program.c");
    std::fs::write(&file, format!("{HEADER}{c}")).unwrap();
    let mut blank = super::blank(&file, assumed);
    blank.inline.partial = Some(PartialInlining {
        small: 0,
        once: 0,
        growth: 1,
    });
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
    fn call_before(&self, at: Loc, distance: u32) -> Option<&Call> {
        let location = self.graph.location(at);
        let (function, position) = (location.function?, location.position?);
        let block = self.program.function(function).block(position.block);
        let index = position.index.checked_sub(distance)?;
        match block.insts.get(index as usize) {
            Some(Inst::Call(call)) => Some(call),
            _ => None,
        }
    }

    /// The location of a spot.
    pub fn spot(&self, function: FnId, spot: &str) -> Loc {
        let graph = &self.graph.functions[function.0 as usize];
        let words: Vec<&str> = spot.split(' ').collect();
        let nth: usize = words.get(2).map_or(1, |n| n.parse().unwrap());
        let mut found: Vec<Loc> = graph.cuts.values().copied().collect();
        let distance = match words[0] {
            "entry" => return graph.entry,
            "loop" => {
                found.retain(|at| self.graph.location(*at).kind == LocKind::LoopHead);
                return found[0];
            }
            "before" => 0,
            "after" => 1,
            other => panic!("no spot {other}"),
        };
        let callee = self.program.lookup(words[1]).unwrap();
        found.retain(|at| {
            let call = self.call_before(*at, distance);
            call.is_some_and(|call| call.callee == callee)
        });
        *found.get(nth - 1).unwrap_or_else(|| panic!("no {spot}"))
    }

    fn reg(&self, function: FnId, reg: u32) -> String {
        match function == self.program.entry {
            true => format!("r{reg}"),
            false => format!("f{}.r{reg}", function.0),
        }
    }

    /// What a name in braces stands for.
    fn named(&self, function: FnId, id: Option<u32>, at: Option<Loc>, name: &str) -> String {
        let numbered = |prefix: &str| name.strip_prefix(prefix)?.parse::<u32>().ok();
        if let Some(object) = name.strip_prefix('&') {
            let objects = &self.program.objects;
            let number = objects.iter().position(|o| &*o.name == object).unwrap() + 1;
            return format!("#x{number:08x}");
        }
        if let (Some(n), Some(id)) = (numbered("z"), id) {
            return format!("s{id}.z{n}");
        }
        if name == "ret" {
            return format!("f{}.ret0", function.0);
        }
        let globals = &self.program.globals;
        if let Some(number) = globals.iter().position(|g| &*g.name == name) {
            return format!("g{number}");
        }
        let at = at.unwrap_or_else(|| panic!("{name} has no location"));
        let operand = match (numbered("arg"), name) {
            (Some(n), _) => self.call_before(at, 0).unwrap().args[n as usize],
            (_, "result") => Operand::Reg(self.call_before(at, 1).unwrap().results[0]),
            _ => return self.variable(function, at, name),
        };
        match operand {
            Operand::Reg(reg) => self.reg(function, reg.0),
            Operand::Const(Constant::Int { width, value }) => format!("(_ bv{value} {width})"),
            Operand::Const(other) => panic!("{other:?}"),
        }
    }

    fn variable(&self, function: FnId, at: Loc, name: &str) -> String {
        let code = self.program.function(function);
        let live = self.graph.location(at).live.iter().map(|reg| reg.0);
        let candidates: Vec<u32> = live.chain(0..code.params).collect();
        let variable = |reg: &&u32| {
            let variable = code.regs[**reg as usize].variable;
            variable.is_some_and(|v| &*self.program.variable(v).name == name)
        };
        let own_name = |reg: &&u32| &*code.regs[**reg as usize].name == name;
        let found = candidates.iter().find(variable);
        match found.or_else(|| candidates.iter().find(own_name)) {
            Some(reg) => self.reg(function, *reg),
            None => panic!(
                "no {name} at {at:?}\n{}",
                attest_model::show::text(&self.program, &self.graph)
            ),
        }
    }

    fn fill_in(&self, function: FnId, id: Option<u32>, at: Option<Loc>, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(start) = rest.find('{') {
            let end = start + rest[start..].find('}').unwrap();
            out.push_str(&rest[..start]);
            out.push_str(&self.named(function, id, at, &rest[start + 1..end]));
            rest = &rest[end + 1..];
        }
        out + rest
    }

    fn written(
        &self,
        function: FnId,
        id: Option<u32>,
        map: &MapText,
    ) -> (Vec<Invariant>, Vec<SummaryUse>) {
        let position = |at: Loc| position_text(self.graph.location(at).position.unwrap());
        let invariants = map.at.iter().map(|(spot, conjuncts)| {
            let at = self.spot(function, spot);
            let fill = |c: &String| self.fill_in(function, id, Some(at), c);
            let all: Vec<String> = conjuncts.iter().map(fill).collect();
            Invariant {
                location: at.0,
                position: position(at),
                place: String::new(),
                smt: format!("(and true {})", all.join(" ")),
                forall: None,
                c: String::new(),
            }
        });
        let uses = map.uses.iter().map(|(spot, summary, ghosts)| {
            let at = self.spot(function, spot);
            let fill = |g: &String| self.fill_in(function, id, Some(at), g);
            SummaryUse {
                location: at.0,
                position: position(at),
                summary: *summary,
                ghosts: ghosts.iter().map(fill).collect(),
            }
        });
        (invariants.collect(), uses.collect())
    }

    /// The proof of a case.
    pub fn proof_with_calls(&self, main: &MapText, summaries: &[SummaryText]) -> Proof {
        let mut proof = self.blank.clone();
        (proof.invariants, proof.calls) = self.written(self.program.entry, None, main);
        for (id, summary) in summaries.iter().enumerate() {
            let id = id as u32;
            let function = self.program.lookup(&summary.function).unwrap();
            let (invariants, calls) = self.written(function, Some(id), &summary.map);
            let ghosts = summary.ghosts.iter().enumerate();
            proof.summaries.push(Summary {
                id,
                function: summary.function.clone(),
                number: function.0,
                outcome: summary.outcome.clone(),
                ghosts: ghosts
                    .map(|(n, sort)| Ghost {
                        name: format!("s{id}.z{n}"),
                        sort: sort.clone(),
                    })
                    .collect(),
                post: self.fill_in(function, Some(id), None, &summary.post),
                invariants,
                calls,
            });
        }
        proof
    }

    /// Checks a proof whose text may be wrong too. It goes through its file's form.
    pub fn try_check(&self, proof: &Proof) -> Result<CheckResult, ProofError> {
        let proof = Proof::parse(&proof.to_json())?;
        let limits = Limits::time(Duration::from_secs(60));
        let mut solver = Fresh::new(Blaster::new);
        check_proof(&self.program, &self.graph, &proof, &mut solver, &limits)
    }
}
