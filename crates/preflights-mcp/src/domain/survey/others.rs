//! Decision records of others: MADR, Nygard and adr-tools, log4brains. Their title, status and
//! outcome are used for questions; they are never rewritten and never part of our architecture.

use mcp_core::text;

use crate::domain::words::phrase;

const MAX_CHARS: usize = 300;
/// Directories where such records lie, besides the one that `.adr-dir` names.
pub(crate) const DIRECTORIES: [&str; 6] = [
    "docs/adr",
    "doc/adr",
    "docs/decisions",
    "adr",
    "docs/architecture/decisions",
    "doc/architecture/decisions",
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OtherRecord {
    pub(crate) file: String,
    pub(crate) title: String,
    pub(crate) status: Option<String>,
    /// The first sentence or the chosen option of its decision.
    pub(crate) outcome: Option<String>,
}

impl OtherRecord {
    /// `None` for a text that is no record: it has neither a status nor a decision.
    pub(crate) fn read(file: &str, text: &str) -> Option<Self> {
        let title = text.lines().find_map(|it| it.strip_prefix("# "))?;
        let title = title
            .trim_start_matches(|it: char| it.is_ascii_digit() || matches!(it, '.' | ' ' | '-'));
        let status = status(text);
        let outcome = chosen(text).or_else(|| section(text, &["decision", "decision outcome"]));
        (status.is_some() || outcome.is_some()).then(|| Self {
            file: file.to_owned(),
            title: clean(title),
            status,
            outcome,
        })
    }

    /// Whether it still holds.
    pub(crate) fn counts(&self) -> bool {
        let status = self.status.as_deref().unwrap_or("accepted").to_lowercase();
        !["superseded", "deprecated", "rejected", "proposed", "draft"]
            .iter()
            .any(|it| status.contains(it))
    }

    /// Whether its title or its outcome decides on this name, and not against it.
    pub(crate) fn speaks_of(&self, name: &str) -> bool {
        let wanted = phrase(name);
        let has = |text: &str| {
            let stems = phrase(text);
            let against =
                ["not", "no", "instead", "replac", "from", "over", "without", "remov", "drop"];
            let at = stems.windows(wanted.len().max(1)).position(|it| it == wanted.as_slice());
            at.is_some_and(|at| {
                !stems[at.saturating_sub(2)..at].iter().any(|it| against.contains(&it.as_str()))
            })
        };
        !wanted.is_empty() && name.len() > 2 && has(&self.title)
    }
}

fn clean(words: &str) -> String {
    let words = words.trim().trim_matches(['*', '"', '`']);
    text::one_line(text::cut(words, MAX_CHARS))
}

/// From the front matter, a `Status:` line, or the section of that name.
fn status(text: &str) -> Option<String> {
    let line = text.lines().take(30).find_map(|line| {
        let line = line.trim_start_matches(['*', '-', ' ']);
        let (name, rest) = line.split_once(':')?;
        let is_status = name.trim_matches('*').trim().eq_ignore_ascii_case("status");
        is_status.then(|| clean(rest.trim_start_matches('*')))
    });
    line.filter(|it| !it.is_empty()).or_else(|| section(text, &["status"]))
}

/// `Chosen option: "Use X", because …`.
fn chosen(text: &str) -> Option<String> {
    let line = text.lines().find(|it| it.to_lowercase().contains("chosen option:"))?;
    let (_, rest) = line.split_once(':')?;
    Some(clean(rest)).filter(|it| !it.is_empty())
}

/// The first paragraph below a heading of this name.
fn section(text: &str, names: &[&str]) -> Option<String> {
    let mut inside = false;
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            inside = names.contains(&heading.trim().to_lowercase().as_str());
        } else if inside && !line.trim().is_empty() {
            return Some(clean(line));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_layouts_are_read() {
        let nygard = "# 3. Use PostgreSQL\n\nDate: 2024-01-01\n\n## Status\n\nAccepted\n\n## Context\n\nx\n\n## Decision\n\nWe will use PostgreSQL.\n";
        let record = OtherRecord::read("doc/adr/0003.md", nygard).unwrap();
        assert_eq!((record.title.as_str(), record.counts()), ("Use PostgreSQL", true));
        assert_eq!(record.outcome.as_deref(), Some("We will use PostgreSQL."));
        assert!(record.speaks_of("PostgreSQL") && !record.speaks_of("MySQL"));
        let madr = "---\nstatus: superseded by ADR-9\n---\n# Use Redis\n\n## Decision Outcome\n\nChosen option: \"Redis\", because it is fast.\n";
        let record = OtherRecord::read("docs/decisions/0001.md", madr).unwrap();
        assert!(!record.counts(), "{record:?}");
        assert_eq!(OtherRecord::read("docs/adr/readme.md", "# Records\n\nRead me.\n"), None);
        let against =
            OtherRecord::read("adr/1.md", "# Move from MySQL to SQLite\n\nStatus: Accepted\n")
                .unwrap();
        assert!(against.speaks_of("SQLite") && !against.speaks_of("MySQL"));
    }
}
