//! The abstract objects: every static object, every instruction that makes
//! objects, the two that `main` is given, and the three that are none.

use crate::program::*;

/// What an abstract object stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SiteKind {
    /// A static object.
    Static(ObjectId),
    /// The array that `main`'s second parameter points to.
    ArgumentList,
    /// What the entries of that array point to.
    ArgumentText,
    /// No object: its offsets are plain numbers, and null is the first.
    NoObject,
    /// No object: null and the numbers in the last page, of which the environment's pointers
    /// may be one.
    ErrorNumber,
    /// No object: numbers that have pieces of an address and are none.
    Piece,
    /// All objects that this instruction makes.
    Made {
        /// The function.
        function: FnId,
        /// The block.
        block: BlockId,
        /// The instruction of the block.
        index: u32,
    },
}
