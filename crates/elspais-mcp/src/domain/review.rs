//! What a reviewer asks: what changed, what hangs on it, and which links are to be looked at again.

pub(crate) mod change;
pub(crate) mod impact;
pub(crate) mod suspect;
