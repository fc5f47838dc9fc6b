//! The value domain: what the one instruction semantics asks of whoever runs it.
//!
//! The concrete interpreter answers with machine values, the symbolic
//! executor with terms. Both are driven by [`crate::semantics::step`], so
//! they cannot disagree about what an instruction means, only about what a
//! value is.

use attest_model::*;

/// Why an execution stops before its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// It leaves the model.
    Bail(Bail),
    /// An assumption does not hold.
    Assume,
    /// It needs more memory than allowed.
    Memory,
}

/// What becomes of signed overflow (design 8).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Overflow {
    /// Two's complement, as machines do.
    #[default]
    Wrap,
    /// Executions that overflow are left out.
    Assume,
    /// It leaves the model, as an error of its own.
    Check,
}

/// Values and memory, and what can be done with them.
///
/// The arithmetic is total: guards against division by zero, wide shifts and
/// the like are asked for separately with [`Domain::require`].
pub trait Domain {
    /// A scalar.
    type Val: Clone;

    /// Bits of a pointer.
    fn pointer_bits(&self) -> u32;
    /// The policy for signed overflow.
    fn overflow(&self) -> Overflow;

    /// A constant.
    fn constant(&mut self, constant: Constant) -> Self::Val;
    /// Integer arithmetic, wrapping.
    fn int(&mut self, op: IntOp, width: u32, a: &Self::Val, b: &Self::Val) -> Self::Val;
    /// Integer arithmetic of one operand.
    fn int_unary(&mut self, op: IntUnary, width: u32, a: &Self::Val) -> Self::Val;
    /// Comparison, as one bit.
    fn compare(&mut self, rel: Relation, width: u32, a: &Self::Val, b: &Self::Val) -> Self::Val;
    /// Change of width.
    fn resize(&mut self, how: Resize, from: u32, to: u32, a: &Self::Val) -> Self::Val;
    /// Choice by one bit.
    fn select(&mut self, cond: &Self::Val, a: &Self::Val, b: &Self::Val) -> Self::Val;
    /// Float arithmetic.
    fn float(
        &mut self,
        op: FloatOp,
        format: FloatFormat,
        a: &Self::Val,
        b: &Self::Val,
    ) -> Self::Val;
    /// Float arithmetic of one operand.
    fn float_unary(&mut self, op: FloatUnary, format: FloatFormat, a: &Self::Val) -> Self::Val;
    /// Float comparison, as one bit.
    fn float_compare(
        &mut self,
        rel: FloatRelation,
        format: FloatFormat,
        a: &Self::Val,
        b: &Self::Val,
    ) -> Self::Val;
    /// Float conversion; one that does not fit gives any value.
    fn float_cast(&mut self, cast: FloatCast, a: &Self::Val) -> Self::Val;
    /// Whether a float converts to an integer without leaving its range, as one bit.
    fn float_fits(
        &mut self,
        from: FloatFormat,
        width: u32,
        signed: bool,
        a: &Self::Val,
    ) -> Self::Val;

    /// The object of a pointer, as 32 bits.
    fn object_of(&mut self, ptr: &Self::Val) -> Self::Val;
    /// The offset of a pointer, as an integer of pointer width.
    fn offset_of(&mut self, ptr: &Self::Val) -> Self::Val;
    /// The pointer with another offset.
    fn with_offset(&mut self, ptr: &Self::Val, offset: &Self::Val) -> Self::Val;
    /// The address of a pointer, as an integer of pointer width.
    fn address_of(&mut self, ptr: &Self::Val) -> Self::Val;
    /// The pointer of an address.
    fn pointer_to(&mut self, address: &Self::Val) -> Result<Self::Val, Stop>;

    /// Goes on only where the bit is 1; elsewhere the model is left.
    fn require(&mut self, cond: &Self::Val, kind: BailKind, what: &'static str)
    -> Result<(), Stop>;
    /// Goes on only where the bit is 1; elsewhere nothing is left.
    fn assume(&mut self, cond: &Self::Val) -> Result<(), Stop>;
    /// The pointer is in one of these spots, or no object's.
    fn within(
        &mut self,
        ptr: &Self::Val,
        spots: &[Spot],
        first_dynamic: ObjectId,
    ) -> Result<(), Stop>;
    /// An arbitrary value.
    fn input(&mut self, sort: Sort, kind: &InputKind) -> Result<Self::Val, Stop>;

    /// A promoted global.
    fn get_global(&mut self, global: GlobalReg) -> Self::Val;
    /// Writes a promoted global.
    fn set_global(&mut self, global: GlobalReg, value: Self::Val);
    /// Reads memory; where a pointer is read, bytes that are none are this.
    fn load(&mut self, sort: Sort, ptr: &Self::Val, other: Other) -> Result<Self::Val, Stop>;
    /// The pointer that a number of the environment stands for, in its memory.
    fn foreign(&mut self, number: &Self::Val, environment: ObjectId) -> Self::Val;
    /// Writes memory.
    fn store(&mut self, sort: Sort, ptr: &Self::Val, value: &Self::Val) -> Result<(), Stop>;
    /// A new object.
    fn alloc(
        &mut self,
        storage: Storage,
        size: &Self::Val,
        zeroed: bool,
        name: Option<VarId>,
    ) -> Result<Self::Val, Stop>;
    /// `free`.
    fn free(&mut self, ptr: &Self::Val) -> Result<(), Stop>;
    /// The end of a variable's life.
    fn end_life(&mut self, ptr: &Self::Val) -> Result<(), Stop>;
    /// `realloc`.
    fn realloc(&mut self, ptr: &Self::Val, size: &Self::Val) -> Result<Self::Val, Stop>;
    /// Copies bytes and pointer slots.
    fn mem_copy(
        &mut self,
        dst: &Self::Val,
        src: &Self::Val,
        len: &Self::Val,
        overlap: bool,
    ) -> Result<(), Stop>;
    /// Fills with a byte.
    fn mem_set(&mut self, dst: &Self::Val, byte: &Self::Val, len: &Self::Val) -> Result<(), Stop>;
    /// The variable arguments of the current activation.
    fn varargs(&mut self) -> Result<Vec<(Self::Val, Sort)>, Stop>;
    /// Prints; gives the result.
    fn print(&mut self, what: &Print, args: &[(Self::Val, Sort)]) -> Result<Self::Val, Stop>;
}
