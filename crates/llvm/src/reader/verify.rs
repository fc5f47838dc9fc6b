//! Properties of each body on which later stages rely: phis come first and name exactly the
//! predecessors of their block, and no jump leads to the entry.

use super::{Reader, Res};
use crate::ir::{Block, BlockId, InstKind};
use crate::lexer::Pos;

impl Reader<'_> {
    pub(super) fn check_blocks(&self, name: &str, blocks: &[Block], end: Pos) -> Res<()> {
        let fail = |line: Option<u32>, block: &Block, message: &str| {
            let pos = line.map_or(end, |line| Pos { line, column: 1 });
            let message = format!("in block %{} of @{name}, {message}", block.name);
            Err(self.fail_at(pos, &block.name, &message))
        };
        let mut preds: Vec<Vec<BlockId>> = vec![Vec::new(); blocks.len()];
        for (i, block) in blocks.iter().enumerate() {
            let Some(last) = block.insts.last() else {
                return fail(None, block, "there is no instruction");
            };
            for target in last.kind.successors() {
                if target.0 == 0 {
                    return fail(Some(last.line), block, "control goes back to the entry");
                }
                preds[target.0 as usize].push(BlockId(i as u32));
            }
        }
        let mut named = Vec::new();
        for (block, preds) in blocks.iter().zip(&mut preds) {
            let mut sorted = false;
            let mut past_phis = false;
            for inst in &block.insts {
                let InstKind::Phi { incoming, .. } = &inst.kind else {
                    past_phis |= !matches!(inst.kind, InstKind::Dbg(_));
                    continue;
                };
                if past_phis {
                    return fail(Some(inst.line), block, "a phi is not at the start");
                }
                if !sorted {
                    preds.sort_unstable();
                    sorted = true;
                }
                named.clear();
                named.extend(incoming.iter().map(|&(_, b)| b));
                named.sort_unstable();
                if named != *preds {
                    let message = "a phi does not name each predecessor once";
                    return fail(Some(inst.line), block, message);
                }
            }
        }
        Ok(())
    }
}
