//! Lists of references as text: one item put in, taken out, or spelled otherwise.

use super::edit::Edit;
use crate::domain::grammar::Grammar;
use crate::domain::graph::File;
use crate::domain::parse::{Citation, EdgeKind, Field, FieldName, Requirement};
use crate::domain::span::{Label, Span};

/// The reference written as `token`, with another id in it.
pub(super) fn with_other_id(grammar: &Grammar, token: &str, id: &str) -> String {
    let length = grammar.reference(token).map_or(token.len(), |it| it.id.length);
    // Names of functions have underscores where ids have dashes.
    let is_name = token[..length].contains('_') && !token[..length].contains(['-', '/']);
    let id = if is_name { id.replace('-', "_") } else { id.to_owned() };
    format!("{id}{}", &token[length..])
}

/// The reference written as `token`, with other labels, joined as they were.
pub(super) fn with_other_labels(grammar: &Grammar, token: &str, labels: &[Label]) -> String {
    let Some(reference) = grammar.reference(token) else { return token.to_owned() };
    let (id, rest) = token.split_at(reference.id.length);
    let marks: Vec<char> = rest.chars().filter(|it| !it.is_alphanumeric()).collect();
    let mut text = id.to_owned();
    for (position, label) in labels.iter().enumerate() {
        let mark = marks.get(position).or(marks.last()).copied().unwrap_or('-');
        text.push(mark);
        text.push_str(label.as_str());
    }
    text
}

/// The fields of one list: the one with the name, and those that carry it on.
fn chain<'r>(requirement: &'r Requirement, citation: &Citation) -> &'r [Field] {
    let fields = &requirement.fields;
    let holds = |field: &Field| {
        field.value.start <= citation.token.start && citation.token.end <= field.value.end
    };
    let Some(at) = fields.iter().position(holds) else { return &[] };
    let goes_on = |field: &Field| field.label.start == field.label.end;
    let first = (0..=at).rev().find(|at| !goes_on(&fields[*at])).unwrap_or(at);
    let last = first + 1 + fields[first + 1..].iter().take_while(|it| goes_on(it)).count();
    &fields[first..last]
}

fn items_of<'r>(requirement: &'r Requirement, fields: &[Field]) -> Vec<&'r Citation> {
    let within = |citation: &&Citation| {
        fields.iter().any(|field| {
            field.value.start <= citation.token.start && citation.token.end <= field.value.end
        })
    };
    requirement.citations.iter().filter(within).collect()
}

/// Whether a reference is alone in its list.
pub(super) fn is_alone(requirement: &Requirement, citation: &Citation) -> bool {
    items_of(requirement, chain(requirement, citation)).len() <= 1
}

/// Takes a reference out of its list, and the list away when nothing is left in it.
pub(super) fn removal(file: &File, requirement: &Requirement, citation: &Citation) -> Edit {
    let fields = chain(requirement, citation);
    let items = items_of(requirement, fields);
    if items.len() > 1 {
        return removal_among(&file.text, &items, citation);
    }
    match (fields.first(), fields.last()) {
        (Some(first), Some(last)) => field_removal(&file.text, *first, *last),
        _ => Edit::remove(citation.token.from(), citation.token.to()),
    }
}

/// Takes a reference out from among others, with the comma between them.
pub(super) fn removal_among(text: &str, items: &[&Citation], citation: &Citation) -> Edit {
    let at = items.iter().position(|it| it.token == citation.token).unwrap_or(0);
    let own = with_marks(text, citation.token);
    let next = items.get(at + 1).map(|it| with_marks(text, it.token));
    let before =
        at.checked_sub(1).and_then(|it| items.get(it)).map(|it| with_marks(text, it.token));
    match (next, before) {
        (Some(next), _) => Edit::remove(own.from(), next.from()),
        (None, Some(before)) => Edit::remove(before.to(), own.to()),
        (None, None) => Edit::remove(own.from(), own.to()),
    }
}

/// The token with the marks that set it in code or bold, where they stand on both sides.
fn with_marks(text: &str, token: Span) -> Span {
    let is_mark = |byte: &u8| matches!(byte, b'`' | b'*');
    let before = text.as_bytes()[..token.from()].iter().rev().take_while(|it| is_mark(it));
    let after = text.as_bytes()[token.to()..].iter().take_while(|it| is_mark(it));
    let both = before.zip(after).take_while(|(left, right)| left == right).count();
    Span::new(token.from() - both, token.to() + both)
}

/// Takes a whole field away: the bar beside it, or the line when it stands alone there.
fn field_removal(text: &str, first: Field, last: Field) -> Edit {
    let before = text[first.line.from()..first.whole.from()].trim();
    let after = text[last.whole.to()..last.line.to()].trim();
    if before.is_empty() && after.is_empty() {
        let to = text[last.line.to()..].find('\n').map_or(text.len(), |at| last.line.to() + at + 1);
        return Edit::remove(first.line.from(), to);
    }
    if before.is_empty() {
        let bar = text[last.whole.to()..last.line.to()].find('|').map_or(0, |at| at + 1);
        let rest = &text[last.whole.to() + bar..last.line.to()];
        let blanks = rest.len() - rest.trim_start().len();
        return Edit::remove(first.whole.from(), last.whole.to() + bar + blanks);
    }
    let kept =
        text[first.line.from()..first.whole.from()].trim_end().trim_end_matches('|').trim_end();
    Edit::remove(first.line.from() + kept.len(), last.whole.to())
}

/// Puts a reference into the list of its kind, making one where there is none.
pub(super) fn addition(
    file: &File,
    requirement: &Requirement,
    kind: EdgeKind,
    reference: &str,
) -> Edit {
    let text = &*file.text;
    if let Some(last) =
        requirement.citations.iter().rfind(|it| it.kind == kind && holds(requirement, it))
    {
        return Edit::insert(with_marks(text, last.token).to(), format!(", {reference}"));
    }
    let empty = requirement.fields.iter().find(|field| field.name == FieldName::Cites(kind));
    if let Some(field) = empty {
        if field.value.start == field.value.end {
            return Edit::insert(field.value.from(), format!(" {reference}"));
        }
        return Edit::replace(field.value, reference);
    }
    new_field(file, requirement, &format!("**{}**: {reference}", title_case(kind.as_str())))
}

fn holds(requirement: &Requirement, citation: &Citation) -> bool {
    !chain(requirement, citation).is_empty()
}

/// Puts a field behind the last one of the first line of metadata, or below the header.
pub(super) fn new_field(file: &File, requirement: &Requirement, field: &str) -> Edit {
    if let Some(first) = requirement.fields.first() {
        let end = first.line.to();
        let line = first.line.of(&file.text);
        let end = end - (line.len() - line.trim_end().len());
        let on_line = requirement.fields.iter().filter(|it| it.line == first.line).count();
        let separator = if on_line > 1 && !line.contains('|') { "  " } else { " | " };
        Edit::insert(end, format!("{separator}{field}"))
    } else {
        let ending = file.line_ending();
        let at = requirement.header_end as usize;
        // A header that ends the file has no line break of its own.
        let lead = if file.text[..at].ends_with('\n') { "" } else { ending };
        let rest = &file.text[at..];
        let is_parted = rest.is_empty() || rest.starts_with('\n') || rest.starts_with("\r\n");
        let tail = if is_parted { "" } else { ending };
        Edit::insert(at, format!("{lead}{ending}{field}{ending}{tail}"))
    }
}

/// The name of a field for another kind, in the same style of letters.
pub(super) fn renamed_label(
    file: &File,
    requirement: &Requirement,
    citation: &Citation,
    kind: EdgeKind,
) -> Option<Edit> {
    let field = chain(requirement, citation).first()?;
    let written = field.label.of(&file.text);
    let name = if written.chars().all(char::is_uppercase) {
        kind.as_str().to_uppercase()
    } else if written.starts_with(char::is_uppercase) {
        title_case(kind.as_str())
    } else {
        kind.as_str().to_owned()
    };
    Some(Edit::replace(field.label, name))
}

fn title_case(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
