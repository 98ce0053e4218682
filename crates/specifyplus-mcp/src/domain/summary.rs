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
    let words = bare.split(['.', '-', '_', ' ', ':']).filter(|word| !word.is_empty());
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

/// The first paragraph that says something: no heading, no tag, no placeholder alone.
pub(super) fn paragraph(body: &str) -> Option<String> {
    let mut in_fence = false;
    let mut words: Vec<&str> = Vec::new();
    for line in body.lines().map(str::trim).chain(std::iter::once("")) {
        if line.starts_with("```") || line.starts_with("~~~") {
            in_fence = !in_fence;
            words.clear();
            continue;
        }
        let says_nothing = in_fence
            || line.starts_with('#')
            || line.starts_with("---")
            || line.starts_with("***")
            || (line.starts_with('<') && line.ends_with('>'));
        if !line.is_empty() && !says_nothing {
            words.push(words_of(line));
            continue;
        }
        let paragraph = words.join(" ");
        words.clear();
        let is_placeholder = paragraph.contains("$ARGUMENTS") || paragraph.contains("{{");
        if !paragraph.trim().is_empty() && !is_placeholder {
            return shown(&paragraph);
        }
    }
    None
}

/// Whether a text is one line that names the command itself: `use skill plan $ARGUMENTS`.
pub(super) fn is_signpost(body: &str, name: &str) -> bool {
    let body = body.trim();
    body.lines().count() == 1 && body.split_whitespace().any(|word| is_alike(word, name))
}

/// Whether a title only repeats the command's name.
pub(super) fn is_alike(title: &str, name: &str) -> bool {
    let bare = |text: &str| -> String {
        text.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    bare(title) == bare(name)
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
