//! Ids of the dialects as they are written in a place: whole in code, without the scope in the
//! documents that lie in it.

use crate::domain::dialect::{self, Dialect, read_item};
use crate::domain::grammar::Grammar;
use crate::domain::graph::File;
use crate::domain::mutate::reference;
use crate::domain::parse::{Citation, Form};
use crate::domain::span::Label;

/// What stands behind the slash of an id.
pub(super) fn item_of(id: &str) -> &str {
    id.rsplit_once('/').map_or(id, |(_, item)| item)
}

/// An id as the header of its requirement writes it.
pub(in crate::domain::mutate) fn written_id(form: Form, id: &str) -> String {
    match form {
        Form::Block => id.to_owned(),
        Form::Story => item_of(id).trim_start_matches("US").to_owned(),
        Form::Item | Form::Titled | Form::Proposed | Form::Numbered => item_of(id).to_owned(),
    }
}

/// A reference with another id and other labels, in the manner it is written now.
pub(in crate::domain::mutate) fn respelled(
    grammar: &Grammar,
    file: &File,
    citation: &Citation,
    id: &str,
    labels: &[Label],
) -> String {
    let token = citation.token.of(&file.text);
    let place = dialect::place(&file.path).filter(|_| !token.contains('/'));
    let Some(place) = place else {
        let text = reference::with_other_id(grammar, token, id);
        return if *labels == *citation.labels {
            text
        } else {
            reference::with_other_labels(grammar, &text, labels)
        };
    };
    let has_dash = read_item(place.dialect, token)
        .is_some_and(|it| place.dialect == Dialect::SpecKit && token[..it.id_length].contains('-'));
    let item = item_of(id);
    let item = if has_dash { item.replacen("US", "US-", 1) } else { item.to_owned() };
    match labels {
        [] => item,
        [one] => format!("{item}.{one}"),
        [first, .., last] => format!("{item}.{first}-{item}.{last}"),
    }
}
