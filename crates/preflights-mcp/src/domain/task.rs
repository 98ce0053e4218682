//! `docs/CURRENT_TASK.md`: what is to be done now, where, and how one knows that it is done.

use crate::domain::adr;
use crate::domain::markup;
use crate::domain::uid::{Uid, slug};
use crate::error::Error;

pub(crate) const PATH: &str = "docs/CURRENT_TASK.md";
pub(crate) const ARCHIVE: &str = "docs/archive/task";

#[derive(Debug)]
pub(crate) struct Task<'a> {
    pub(crate) uid: &'a Uid,
    /// RFC 3339, UTC.
    pub(crate) created: String,
    pub(crate) adr: Option<(&'a Uid, String)>,
    pub(crate) title: String,
    pub(crate) objective: String,
    pub(crate) context: Vec<String>,
    pub(crate) allowlist: Vec<String>,
    pub(crate) forbidden: Vec<String>,
    pub(crate) constraints: Vec<String>,
    pub(crate) criteria: Vec<String>,
    pub(crate) open: Vec<String>,
}

pub(crate) fn render(task: &Task<'_>) -> String {
    let mut text = format!("<!-- UID: {} -->\n<!-- Created: {} -->\n", task.uid, task.created);
    if let Some((uid, _)) = &task.adr {
        text.extend(["<!-- Related ADR: ", uid.as_str(), " -->\n"]);
    }
    text.extend(["\n# ", &markup::inline(&task.title), "\n"]);
    text.extend(["\n## Objective\n\n", &markup::quote(&task.objective)]);
    let mut context = task.context.clone();
    if let Some((uid, file)) = &task.adr {
        context.push(format!("Decided in [{uid}](adr/{file})."));
    }
    list(&mut text, "Context", &context, "- ");
    list(&mut text, "Allowlist", &task.allowlist, "- ");
    list(&mut text, "Forbidden", &task.forbidden, "- ");
    list(&mut text, "Technical Constraints", &task.constraints, "- ");
    list(&mut text, "Acceptance Criteria", &task.criteria, "- [ ] ");
    if !task.open.is_empty() {
        list(&mut text, "Open Questions", &task.open, "- ");
    }
    text
}

fn list(text: &mut String, heading: &str, items: &[String], mark: &str) {
    text.extend(["\n## ", heading, "\n\n"]);
    if items.is_empty() {
        text.push_str("_None_\n");
    }
    for item in items {
        text.push_str(mark);
        text.push_str(item);
        text.push('\n');
    }
}

/// A title of at most 80 characters out of a request of any length.
pub(crate) fn title(intention: &str) -> String {
    let line = mcp_core::text::one_line(intention);
    let mut characters = line.chars();
    let line: String = match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => "Untitled".to_owned(),
    };
    if line.chars().count() <= 80 {
        return line;
    }
    format!("{}...", mcp_core::text::cut(&line, 77).trim_end())
}

/// What the archive needs to know of the task that is being replaced.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Old {
    pub(crate) uid: Uid,
    pub(crate) title: String,
}

impl Old {
    pub(crate) fn archive_path(&self) -> String {
        format!("{ARCHIVE}/{}_{}.md", self.uid, slug(&self.title))
    }
}

/// A task that somebody wrote by hand, under a UID of ours.
pub(crate) fn adopted(text: &str, uid: Uid) -> Old {
    let title = text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or("Written by hand");
    Old { uid, title: markup::plain(title.trim()) }
}

pub(crate) fn parse(text: &str) -> Result<Old, Error> {
    let uid = text.lines().find_map(|line| adr::comment(line.trim_end(), "UID"));
    let uid = uid.and_then(Uid::parse).ok_or_else(|| {
        Error::parse(PATH, 1, "it has no line `<!-- UID: … -->`, so it cannot be archived")
    })?;
    let title = text.lines().find_map(|line| line.strip_prefix("# "));
    Ok(Old { uid, title: markup::plain(title.unwrap_or("Untitled").trim()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_older_layout_is_read_and_archived_under_its_own_uid() {
        let text = "<!-- UID: 20250108T143512.237Z -->\n<!-- Created: x -->\n\n# Add login\n";
        let old = parse(text).unwrap();
        assert_eq!(old.archive_path(), "docs/archive/task/20250108T143512.237Z_add_login.md");
    }

    #[test]
    fn a_task_without_a_uid_cannot_be_archived() {
        let error = parse("# Mine\n").unwrap_err();
        assert!(error.to_string().contains("docs/CURRENT_TASK.md"), "{error}");
    }

    #[test]
    fn a_long_request_becomes_a_short_title_on_one_line() {
        assert_eq!(title("add\nlogin"), "Add login");
        let long = title(&"word ".repeat(40));
        assert!(long.chars().count() <= 80 && long.ends_with("..."), "{long}");
        assert_eq!(title("  "), "Untitled");
    }
}
