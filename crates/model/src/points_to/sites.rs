//! The abstract objects: every static object, every allocating instruction, the two objects of
//! `main`'s arguments, and three that stand for numbers.

use crate::program::*;

/// The meaning of an abstract object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SiteKind {
    /// A static object.
    Static(ObjectId),
    /// The array that `main`'s second parameter points to.
    ArgumentList,
    /// The target of the entries of that array.
    ArgumentText,
    /// No object: its offsets are plain numbers, including null.
    NoObject,
    /// No object: null and the numbers in the last page, which the environment's pointers may be.
    ErrorNumber,
    /// No object: numbers that contain pieces of an address and are no address.
    Piece,
    /// All objects that this instruction allocates.
    Made {
        /// The function.
        function: FnId,
        /// The block.
        block: BlockId,
        /// The instruction of the block.
        index: u32,
    },
}
