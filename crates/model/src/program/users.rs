//! The user's own places, as against those in attest's own model of the library.
//!
//! A copy that is too long leaves its object inside the model of `strcpy`, but what a user
//! has to correct is the call: the innermost place that is not in attest's own files.

use super::{FnId, PlaceId, Program};
use crate::library;

impl Program {
    /// Whether a place is in attest's own model of the library.
    pub fn is_in_library(&self, at: PlaceId) -> bool {
        self.place(at).file.starts_with(library::FOLDER)
    }
}

/// The innermost place in the user's code of a run that ended at this place with these calls,
/// innermost first; the place itself if there is none.
pub fn user_place(program: &Program, at: PlaceId, stack: &[(FnId, PlaceId)]) -> PlaceId {
    let is_users =
        |at: &PlaceId| !program.place(*at).file.is_empty() && !program.is_in_library(*at);
    let mut places = std::iter::once(at).chain(stack.iter().map(|(_, at)| *at));
    places.find(is_users).unwrap_or(at)
}
