//! The value domain: the operations that the one instruction semantics needs of an executor.
//!
//! The concrete interpreter computes with machine values, the symbolic executor with terms.
//! [`crate::semantics::step`] drives both, so they cannot disagree about the meaning of an
//! instruction; they only represent values differently.

use attest_model::*;

/// Why an execution stops early.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// Undefined behaviour or an unsupported construct.
    Bail(Bail),
    /// An assumption fails.
    Assume,
    /// The memory limit is exceeded.
    Memory,
}

/// The meaning of signed overflow (algorithm notes 6.6).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Overflow {
    /// Two's complement, as machines do.
    #[default]
    Wrap,
    /// Executions that overflow are ignored.
    Assume,
    /// Overflow is an error, with a bail kind of its own.
    Check,
}

/// Values and memory, and their operations.
///
/// The arithmetic is total: [`Domain::require`] separately excludes division by zero, wide shifts
/// and similar cases.
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
    /// Unary integer arithmetic.
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
    /// Unary float arithmetic.
    fn float_unary(&mut self, op: FloatUnary, format: FloatFormat, a: &Self::Val) -> Self::Val;
    /// Float comparison, as one bit.
    fn float_compare(
        &mut self,
        rel: FloatRelation,
        format: FloatFormat,
        a: &Self::Val,
        b: &Self::Val,
    ) -> Self::Val;
    /// Float conversion; a value that does not fit gives an arbitrary value.
    fn float_cast(&mut self, cast: FloatCast, a: &Self::Val) -> Self::Val;
    /// Whether a float converts to an integer within range, as one bit.
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
    /// The pointer for an address.
    fn pointer_to(&mut self, address: &Self::Val) -> Result<Self::Val, Stop>;

    /// Continues only where the bit is 1; elsewhere the execution bails.
    fn require(&mut self, cond: &Self::Val, kind: BailKind, what: &'static str)
    -> Result<(), Stop>;
    /// Continues only where the bit is 1; elsewhere the execution is ignored.
    fn assume(&mut self, cond: &Self::Val) -> Result<(), Stop>;
    /// Assumes that the pointer is in one of these spots, or in no object.
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
    /// Reads memory; `other` says how to read bytes that are no stored pointer as a pointer.
    fn load(&mut self, sort: Sort, ptr: &Self::Val, other: Other) -> Result<Self::Val, Stop>;
    /// The pointer for a number of the environment, into its memory.
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
    /// Requires that the pointer's object has not ended, if `len` is not 0.
    fn alive(&mut self, ptr: &Self::Val, len: &Self::Val) -> Result<(), Stop>;
    /// `free`; one bit says whether an object ended.
    fn free(&mut self, ptr: &Self::Val) -> Result<Self::Val, Stop>;
    /// The end of a variable's lifetime.
    fn end_life(&mut self, ptr: &Self::Val) -> Result<(), Stop>;
    /// `realloc` up to the end of the old object.
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
    /// Reads the shadow of this many bits of memory.
    fn load_shadow(&mut self, width: u32, ptr: &Self::Val) -> Self::Val;
    /// Writes the shadow of this many bits of memory.
    fn store_shadow(&mut self, width: u32, ptr: &Self::Val, shadow: &Self::Val);
    /// Fills the shadow of memory with a byte.
    fn fill_shadow(&mut self, ptr: &Self::Val, byte: &Self::Val, len: &Self::Val);
    /// The variable arguments of the current activation.
    fn varargs(&mut self) -> Result<Vec<(Self::Val, Sort)>, Stop>;
    /// Prints; returns the call's result.
    fn print(&mut self, what: &Print, args: &[(Self::Val, Sort)]) -> Result<Self::Val, Stop>;
}
