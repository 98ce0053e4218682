//! Forms of Go that mean the same: names of parameters inside function types, and of the type
//! parameters of a receiver.

use crate::domain::signature::{Names, closing, split_list};

/// Words that begin a type of more than one word.
const TYPE_WORDS: [&str; 6] = ["chan", "func", "interface", "map", "struct", "<-chan"];

/// `func(a, b int) (n int, err error)` as `func(int, int) (int, error)`.
pub(super) fn without_parameter_names(text: String) -> String {
    let word = "func(";
    // The method of an interface or a declaration begins so too, and is compared by its parts.
    if !text.contains(word) {
        return text;
    }
    let mut text = text;
    let starts: Vec<usize> = text.match_indices(word).map(|(at, _)| at + word.len()).collect();
    // From the last to the first, so that inner lists are done when an outer one is looked at.
    for start in starts.into_iter().rev() {
        let Some(end) = replace_list(&mut text, start) else { continue };
        let rest = &text[end..];
        let results = end + rest.len() - rest.trim_start().len();
        if text[results..].starts_with('(') {
            replace_list(&mut text, results + 1);
        }
    }
    text
}

/// Replaces the list that begins here by its types, and says where it ends now, bracket included.
fn replace_list(text: &mut String, start: usize) -> Option<usize> {
    let end = start + closing(&text[start..])?;
    let types = types_of(&split_list(&text[start..=end])).join(", ");
    text.replace_range(start..end, &types);
    Some(start + types.len() + 1)
}

fn types_of(elements: &[String]) -> Vec<String> {
    if !elements.iter().any(|it| named(it).is_some()) {
        return elements.to_vec();
    }
    // A name without a type has that of the next one.
    let mut types: Vec<String> = Vec::with_capacity(elements.len());
    for element in elements.iter().rev() {
        let own = named(element).map(|(_, declared)| declared.to_owned());
        let declared =
            own.or_else(|| types.last().map(|it| it.trim_start_matches("...").to_owned()));
        types.extend(declared);
    }
    types.reverse();
    types
}

/// The name and the type of an element that has both.
fn named(element: &str) -> Option<(&str, &str)> {
    let (name, declared) = element.split_once(char::is_whitespace)?;
    let is_name = name.chars().all(|it| it.is_alphanumeric() || it == '_');
    (is_name && !TYPE_WORDS.contains(&name)).then(|| (name, declared.trim_start()))
}

/// Of the type a method belongs to: `func (s *Stack[T]) Push(…)`.
pub(super) fn names_of_receiver(signature: &str) -> Names {
    let receiver = signature.strip_prefix("func").and_then(|it| it.split_once(')'));
    let list = receiver.and_then(|(receiver, _)| receiver.split_once('['));
    list.map(|(_, it)| Names::sharing_bounds(&split_list(it), 0)).unwrap_or_default()
}
