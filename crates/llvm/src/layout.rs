//! Sizes.
/// x
pub struct Layout;
