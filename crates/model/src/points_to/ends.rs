//! Which objects a call may end, and which it may make, its callees included.
//!
//! An object ends by a `free`, also that of a `realloc`, or the end of its scope ([`Inst::EndLife`]). The end of an
//! activation counts only where it is explicit, as inlining makes it (`crate::lives`).

use super::{Place, Places, PointsTo, Site, SiteKind};
use crate::program::*;
use std::collections::BTreeSet;

/// What a call does to lifetimes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ends {
    /// Whether any object may end.
    pub anywhere: bool,
    /// The abstract objects of which some may end, if not any.
    pub sites: BTreeSet<Site>,
    /// The abstract objects of which it may make new ones.
    pub made: BTreeSet<Site>,
}

impl Ends {
    /// Whether an object at one of these places may end.
    pub fn may_meet(&self, places: &Places) -> bool {
        let ends = |place: &Place| self.sites.contains(&place.site);
        match self.anywhere || places.anywhere {
            true => self.anywhere || !self.sites.is_empty(),
            false => places.list.iter().any(ends),
        }
    }

    fn add(&mut self, other: &Ends) -> bool {
        let before = (self.anywhere, self.sites.len(), self.made.len());
        self.anywhere |= other.anywhere;
        self.sites.extend(&other.sites);
        self.made.extend(&other.made);
        before != (self.anywhere, self.sites.len(), self.made.len())
    }
}

/// What calls of each function end and make, as a fixpoint over the calls.
pub(crate) fn of(program: &Program, points_to: &PointsTo) -> Vec<Ends> {
    let mut all = vec![Ends::default(); program.functions.len()];
    let mut callers = vec![BTreeSet::new(); all.len()];
    for (number, code) in program.functions.iter().enumerate() {
        let function = FnId(number as u32);
        for (number_of_block, block) in code.blocks.iter().enumerate() {
            let id = BlockId(number_of_block as u32);
            if !points_to.is_active(function, id) {
                continue;
            }
            for (index, inst) in block.insts.iter().enumerate() {
                if let Some(ptr) = inst.ended() {
                    let places = points_to.operand(function, ptr);
                    all[number].anywhere |= places.anywhere;
                    let real = places.list.iter().map(|place| place.site);
                    let real = real.filter(|site| points_to.is_made(*site));
                    all[number].sites.extend(real);
                }
                all[number]
                    .made
                    .extend(points_to.made_at(function, id, index));
                if let Inst::Call(call) = inst {
                    callers[call.callee.0 as usize].insert(number);
                }
            }
        }
    }
    let mut work: Vec<usize> = (0..all.len()).collect();
    while let Some(callee) = work.pop() {
        let passed = all[callee].clone();
        for &caller in &callers[callee] {
            if caller != callee && all[caller].add(&passed) {
                work.push(caller);
            }
        }
    }
    all
}

impl PointsTo {
    /// Where an operand may point; constants are static objects or numbers and never end.
    pub fn operand(&self, function: FnId, operand: Operand) -> Places {
        match operand {
            Operand::Reg(reg) => self.register(function, reg).clone(),
            Operand::Const(_) => Places::default(),
        }
    }

    /// Whether objects of this kind are made by the program at run time.
    pub fn is_made(&self, site: Site) -> bool {
        matches!(self.sites[site.0 as usize], SiteKind::Made { .. })
    }

    /// The abstract object that an instruction makes.
    pub fn made_at(&self, function: FnId, block: BlockId, index: usize) -> Option<Site> {
        let index = index as u32;
        self.site(SiteKind::Made {
            function,
            block,
            index,
        })
    }

    /// What a call of a function ends and makes, its callees included.
    pub fn ends(&self, function: FnId) -> &Ends {
        &self.ends[function.0 as usize]
    }

    /// The abstract objects whose addresses may be in memory or in promoted globals; none if some
    /// pointer may lead anywhere.
    pub(crate) fn kept_addresses(&self) -> Option<BTreeSet<Site>> {
        if self.sets.iter().any(|set| set.anywhere) {
            return None;
        }
        let stored = self.stored.iter().flatten().map(|(_, node)| *node);
        let nodes = stored.chain(self.globals.iter().copied());
        let mut out = BTreeSet::new();
        for node in nodes.chain([self.stored_anywhere]) {
            let places = self.sets[node.0 as usize].list.iter();
            out.extend(places.map(|place| place.site));
        }
        Some(out)
    }
}
