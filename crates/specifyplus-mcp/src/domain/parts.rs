//! What a file says, whatever its format.

use super::dialect::Dialect;
use super::front::Front;

/// What a file says.
#[derive(Debug)]
pub(super) struct Parts {
    pub(super) front: Front,
    pub(super) body: String,
    pub(super) dialect: Dialect,
    /// Whether the body itself may say what the command is for.
    pub(super) described_by: Described,
}

/// What stands in for a description that the front matter does not give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Described {
    /// The first heading or sentence, and `lint` says so.
    ByHeading,
    /// The first paragraph, which is what it is there for.
    ByParagraph,
}
