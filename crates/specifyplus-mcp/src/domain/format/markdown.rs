//! Command files in Markdown: front matter, or a `<meta>` block in the text, and the text itself.

use super::super::Problem;
use super::super::dialect::Dialect;
use super::super::front::{self, Front, Reading};
use super::super::parts::{Described, Parts};

/// A file directly in the command directory, by the contract.
pub(super) fn plain(text: &str) -> Result<Parts, Problem> {
    let (front, document) = front::read(text, Reading::Strict)?;
    Ok(Parts {
        front,
        body: document.body.to_owned(),
        dialect: Dialect::plain(),
        described_by: Described::ByHeading,
    })
}

/// A file that a toolkit or a person wrote for some agent.
pub(super) fn written_for_agents(text: &str, dialect: &Dialect) -> Result<Parts, Problem> {
    let (front, document) = front::read(text, Reading::FieldByField)?;
    Ok(Parts {
        front: with_meta(front, document.body),
        body: document.body.to_owned(),
        dialect: dialect.clone(),
        described_by: Described::ByParagraph,
    })
}

/// Takes from a `<meta>` block at the beginning of the text what the front matter does not say.
pub(super) fn with_meta(front: Front, body: &str) -> Front {
    let Some((block, _)) =
        body.trim_start().strip_prefix("<meta>").and_then(|rest| rest.split_once("</meta>"))
    else {
        return front;
    };
    let meta = front::of_lines(block);
    Front {
        description: front.description.or(meta.description),
        hint: front.hint.or(meta.hint),
        title: front.title.or(meta.title),
        ..front
    }
}
