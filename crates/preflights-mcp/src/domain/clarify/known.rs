//! Values that nobody has to be asked for: said in the request, or shown by the repository.

use super::World;
use crate::domain::bank::{Category, Kind, Question};
use crate::domain::request::Request;

/// A value that nobody has to be asked for.
pub(super) struct Known {
    pub(super) value: String,
    /// For the one who asked.
    pub(super) source: String,
    /// For the record.
    pub(super) settled_by: String,
    /// By the request, as opposed to the repository.
    pub(super) is_said: bool,
}

pub(super) fn said(request: &Request, question: &Question) -> Option<Known> {
    let wanted = &request.values_of(&question.id).wanted;
    let all = |join: &str| wanted.iter().map(|it| it.value.as_str()).collect::<Vec<_>>().join(join);
    let value = match (question.kind, wanted.as_slice()) {
        // "Redis or Memcached" is no answer yet.
        (Kind::SingleChoice, [_, _, ..]) if request.undecided.contains(&question.id) => {
            return None;
        }
        (Kind::SingleChoice, [_, ..]) => all(" and "),
        (Kind::MultiChoice, [_, ..]) => all(", "),
        // A free text cannot be recognised.
        _ => return None,
    };
    let words: Vec<&str> = wanted.iter().map(|it| it.words.as_str()).collect();
    let words = words.join(", ");
    let (source, settled_by) = if wanted.iter().any(|it| it.is_read) {
        let read = format!("the language model read it in \"{words}\"");
        (read.clone(), read)
    } else {
        (format!("the request says \"{words}\""), "said in the request".to_owned())
    };
    Some(Known { value, source, settled_by, is_said: true })
}

/// The one value that the repository shows, unless the request speaks against it.
pub(super) fn shown(request: &Request, world: &World<'_>, question: &Question) -> Option<Known> {
    let values = request.values_of(&question.id);
    let shown = world.survey.shows(question);
    let [one] = shown.as_slice() else { return None };
    let unwanted = values.refused.iter().chain(&values.replaced).any(|it| it.value == one.value);
    if question.kind != Kind::SingleChoice || unwanted || !values.wanted.is_empty() {
        return None;
    }
    Some(Known {
        value: one.value.clone(),
        source: one.source.clone(),
        settled_by: format!("found in {}", one.source),
        is_said: false,
    })
}

/// A warning where the repository shows something else than the request says.
pub(super) fn contradiction(
    request: &Request,
    world: &World<'_>,
    category: &Category,
    question: &Question,
    value: &str,
) -> Option<String> {
    let shown = world.survey.shows(question);
    if shown.iter().any(|it| it.value == value)
        || !request.values_of(&question.id).replaced.is_empty()
    {
        return None;
    }
    let other = shown.first()?;
    Some(format!(
        "The request says {value} for {}.{}, but {} shows {}.",
        category.name, question.field, other.source, other.value
    ))
}
