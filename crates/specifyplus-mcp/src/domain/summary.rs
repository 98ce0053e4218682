//! Words for a command that its file does not give as such: a title, a description, what comes
//! next.

use std::fmt::Write as _;

use mcp_core::markdown;
use mcp_core::text;

use super::Handoff;
use super::front::shown;

/// How many next steps a description names.
const LISTED_HANDOFFS: usize = 10;

/// `sp.git.commit_pr` is shown as `Git commit pr`.
pub(super) fn title(name: &str) -> String {
    let bare = name.strip_prefix("sp.").filter(|rest| !rest.is_empty()).unwrap_or(name);
    let words = bare.split(['.', '-', '_', ' ']).filter(|word| !word.is_empty());
    let line = words.collect::<Vec<_>>().join(" ");
    let mut characters = line.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => name.to_owned(),
    }
}

/// The description, and behind it what may come next.
pub(super) fn with_next_steps(description: &str, handoffs: &[Handoff]) -> String {
    if handoffs.is_empty() {
        return description.to_owned();
    }
    let stop = if description.ends_with(['.', '!', '?', '…']) { "" } else { "." };
    let steps = handoffs.iter().take(LISTED_HANDOFFS);
    let steps = steps.map(|it| format!("{} ({})", it.agent, it.label));
    let mut steps = text::one_line(&steps.collect::<Vec<_>>().join("; "));
    if let Some(more) = handoffs.len().checked_sub(LISTED_HANDOFFS).filter(|it| *it > 0) {
        let _infallible = write!(steps, "; and {more} more");
    }
    format!("{description}{stop} Next: {steps}")
}

/// The first heading of the text, or else its first sentence.
pub(super) fn description(body: &str) -> Option<String> {
    let heading = markdown::headings(body).into_iter().find_map(|heading| shown(&heading.text));
    heading.or_else(|| first_sentence(body))
}

fn first_sentence(body: &str) -> Option<String> {
    let paragraph = body
        .lines()
        .skip_while(|line| words_of(line).is_empty())
        .map_while(|line| Some(words_of(line)).filter(|words| !words.is_empty()));
    let paragraph = text::one_line(&paragraph.collect::<Vec<_>>().join(" "));
    let end = [". ", "! ", "? "].iter().filter_map(|mark| paragraph.find(mark)).min();
    shown(end.map_or(paragraph.as_str(), |end| &paragraph[..=end]))
}

/// A line without the marks of lists, quotes and fences in front of it.
fn words_of(line: &str) -> &str {
    line.trim_matches(|mark: char| mark.is_whitespace() || "#>*-+`~=_".contains(mark))
}
