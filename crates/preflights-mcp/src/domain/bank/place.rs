//! Where in a file of questions something was written.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::{Spanned, Value};

use super::check::Fault;

/// The file that the bank reads, reduced to where its values stand.
#[derive(Deserialize)]
struct File {
    #[serde(default)]
    category: Vec<Category>,
}

#[derive(Deserialize)]
struct Category {
    name: Spanned<String>,
    words: Option<Spanned<Value>>,
    #[serde(default)]
    question: Vec<Question>,
}

/// By key.
type Question = BTreeMap<String, Spanned<Value>>;

/// The line that says what is at fault; the first, where the file does not say it at all.
pub(super) fn line_of(fault: &Fault, text: &str) -> usize {
    let Ok(file) = toml::from_str::<File>(text) else { return 1 };
    let place = place(fault, &file);
    let before = place.and_then(|at| text.get(..at)).unwrap_or_default();
    before.matches('\n').count() + 1
}

fn place(fault: &Fault, file: &File) -> Option<usize> {
    let categories = || file.category.iter().filter(|it| *it.name.get_ref() == fault.category);
    let Some(id) = &fault.question else {
        let category = categories().next()?;
        let words = category.words.as_ref().filter(|_| fault.key == "words");
        return Some(words.map_or(category.name.span().start, |it| it.span().start));
    };
    // Of two with the same id the later one is too many.
    let is_it = |it: &&Question| it.get("id").and_then(|it| it.get_ref().as_str()) == Some(id);
    let question = categories().flat_map(|it| &it.question).rfind(is_it)?;
    let said = question.get(fault.key).or_else(|| question.get("id"))?;
    Some(said.span().start)
}
