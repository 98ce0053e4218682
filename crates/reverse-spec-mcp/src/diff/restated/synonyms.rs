//! Types that a language lets one write in two ways, in one of them: `Array<T>` and `T[]`,
//! `Optional[T]` and `T | None`, `interface{}` and `any`. Linters rewrite one into the other.

use super::generics::{closing, split_list};
use crate::skeleton::LanguageId;

/// Containers of Python that `typing` has by another name.
const CONTAINERS: [(&str, &str); 6] = [
    ("List", "list"),
    ("Dict", "dict"),
    ("Set", "set"),
    ("FrozenSet", "frozenset"),
    ("Tuple", "tuple"),
    ("Type", "type"),
];

pub(super) fn plainly(text: String, language: LanguageId) -> String {
    match language {
        LanguageId::Go => text.replace("interface {}", "interface{}").replace("interface{}", "any"),
        LanguageId::Python if text.contains('[') => python(&text),
        LanguageId::TypeScript if text.contains("Array<") => {
            let readonly = replaced(text, "ReadonlyArray<", |of| array("readonly ", of));
            replaced(readonly, "Array<", |of| array("", of))
        }
        _ => text,
    }
}

fn python(text: &str) -> String {
    let mut text = text.replace("typing.", "");
    for (name, plain) in CONTAINERS {
        let of = |of: &[String]| Some(format!("{plain}[{}]", of.join(", ")));
        text = replaced(text, &format!("{name}["), of);
    }
    let text = replaced(text, "Union[", |of| Some(of.join(" | ")));
    replaced(text, "Optional[", |of| match of {
        [one] => Some(format!("{one} | None")),
        _ => None,
    })
}

fn array(before: &str, of: &[String]) -> Option<String> {
    let [one] = of else { return None };
    // What has several words or parts needs brackets around it.
    let mut depth = 0_usize;
    let mut before_it = ' ';
    let is_several = one.chars().any(|it| {
        match it {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            '>' if before_it != '=' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before_it = it;
        depth == 0 && (it.is_whitespace() || matches!(it, '|' | '&'))
    });
    Some(if is_several { format!("{before}({one})[]") } else { format!("{before}{one}[]") })
}

/// Replaces each `opening…` with its closing bracket by what `instead` makes of the list inside.
fn replaced(
    mut text: String,
    opening: &str,
    instead: impl Fn(&[String]) -> Option<String>,
) -> String {
    let is_part = |it: char| it.is_alphanumeric() || matches!(it, '_' | '$' | '.');
    let starts: Vec<usize> = text.match_indices(opening).map(|(at, _)| at).collect();
    // From the last to the first, so that inner ones are done when an outer one is looked at.
    for start in starts.into_iter().rev() {
        if text[..start].ends_with(is_part) {
            continue;
        }
        let inside = start + opening.len();
        let Some(length) = closing(&text[inside..]) else { continue };
        let of = split_list(&text[inside..=inside + length]);
        if let Some(plain) = instead(&of) {
            text.replace_range(start..=inside + length, &plain);
        }
    }
    text
}
