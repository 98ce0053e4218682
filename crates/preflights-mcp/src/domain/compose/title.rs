//! What a record is called, and the reason that its request gives.

use crate::domain::architecture::{Change, What};
use crate::domain::clarify::Outcome;
use crate::domain::task;

const MAX_CHARS: usize = 100;

/// A sentence as a person would write it: "Use Redis instead of Memcached for the cache".
pub(super) fn title(intention: &str, outcome: &Outcome) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut categories: Vec<&str> = Vec::new();
    for change in &outcome.changes {
        if !categories.contains(&change.category.as_str()) {
            categories.push(&change.category);
        }
    }
    for category in categories {
        let of: Vec<&Change> =
            outcome.changes.iter().filter(|it| it.category == category).collect();
        if let Some(part) = part(category, &of, outcome) {
            parts.push(part);
        }
    }
    if parts.is_empty() {
        return task::title(intention).trim_end_matches('.').to_owned();
    }
    let mut title = String::new();
    for part in parts {
        let joined =
            if title.is_empty() { part } else { format!("{title}; {}", lower_first(&part)) };
        if joined.chars().count() > MAX_CHARS && !title.is_empty() {
            break;
        }
        title = joined;
    }
    mcp_core::text::cut(&title, MAX_CHARS).to_owned()
}

fn part(category: &str, changes: &[&Change], outcome: &Outcome) -> Option<String> {
    if category == "Other" {
        return None;
    }
    let old = |change: &Change| {
        let settled = outcome
            .settled
            .iter()
            .find(|it| it.category == change.category && it.field == change.field);
        let named =
            settled.filter(|it| it.source != "answered").and_then(|it| it.not_taken.first());
        named.cloned()
    };
    if category == "Dependencies" {
        let said: Vec<String> = changes
            .iter()
            .map(|change| match &change.what {
                What::Added(value) | What::Modified { now: value, .. } if value == "in use" => {
                    match old(change) {
                        Some(old) => format!("Use {} instead of {old}", change.field),
                        None => format!("Use {}", change.field),
                    }
                }
                What::Added(value) | What::Modified { now: value, .. } if value == "removed" => {
                    format!("Give up {}", change.field)
                }
                What::Added(value) | What::Modified { now: value, .. } => {
                    format!("Raise {} to {value}", change.field)
                }
                What::Removed { .. } => format!("Give up {}", change.field),
            })
            .collect();
        return Some(said.join("; "));
    }
    let subject = spoken(category);
    let lead = changes.first()?;
    let values: Vec<&str> = changes
        .iter()
        .take(3)
        .filter_map(|it| match &it.what {
            What::Added(value) | What::Modified { now: value, .. } => Some(value.as_str()),
            What::Removed { .. } => None,
        })
        .filter(|it| *it != "None" && it.chars().count() <= 40 && !it.ends_with('.'))
        .collect();
    // A list within the list reads badly; what leads is named in any case.
    let values: Vec<&str> = values
        .iter()
        .enumerate()
        .filter(|(index, it)| *index == 0 || !it.contains(", "))
        .map(|(_, it)| *it)
        .collect();
    match &lead.what {
        What::Removed { was } if values.is_empty() => Some(format!("Give up {was} for {subject}")),
        What::Added(value) if value == "None" => Some(match old(lead) {
            Some(old) => format!("Give up {old} for {subject}"),
            None => format!("Do without {subject}"),
        }),
        What::Modified { now, was } => Some(format!("Use {now} instead of {was} for {subject}")),
        _ if values.is_empty() => Some(format!("Settle {subject}")),
        _ => Some(match old(lead) {
            Some(old) => format!("Use {} instead of {old} for {subject}", values[0]),
            None => format!("Use {} for {subject}", listed(&values)),
        }),
    }
}

fn listed(values: &[&str]) -> String {
    match values {
        [init @ .., last] if !init.is_empty() => format!("{} and {last}", init.join(", ")),
        _ => values.concat(),
    }
}

/// `RateLimits` is spoken "rate limits"; an abbreviation stays as it is.
fn spoken(category: &str) -> String {
    if category.chars().all(char::is_uppercase) {
        return format!("the {category}");
    }
    let mut words = String::new();
    for character in category.chars() {
        if character.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(character.to_lowercase());
    }
    let article = ["Database", "Cache", "Frontend", "Backend", "Runtime"].contains(&category);
    if article { format!("the {words}") } else { words }
}

fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect()
}

/// Why, in the user's words, where the request says so.
pub(super) fn reason_in(intention: &str) -> Option<String> {
    const OPENING: [&str; 8] = [
        "because ",
        "since we ",
        "since the ",
        "so that ",
        "in order to ",
        " as we ",
        "it's ",
        "due to ",
    ];
    let line = mcp_core::text::one_line(intention);
    let lower = line.to_lowercase();
    if lower.len() != line.len() {
        return None;
    }
    let at = OPENING.iter().filter_map(|it| lower.find(it)).min()?;
    let rest = line.get(at..)?.trim_start();
    let end = rest.find(". ").unwrap_or(rest.len());
    Some(rest.get(..end)?.trim_end_matches('.').to_owned()).filter(|it| it.split(' ').count() > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_is_taken_from_the_words_that_give_one() {
        let cases = [
            ("replace contentlayer, it's abandoned", Some("it's abandoned")),
            ("Use X because Y is slow. Thanks", Some("because Y is slow")),
            ("Use X", None),
        ];
        for (request, reason) in cases {
            assert_eq!(reason_in(request).as_deref(), reason, "{request}");
        }
    }

    #[test]
    fn categories_are_spoken_as_words() {
        assert_eq!(
            ["RateLimits", "Cache", "API"].map(spoken),
            ["rate limits", "the cache", "the API"]
        );
    }
}
