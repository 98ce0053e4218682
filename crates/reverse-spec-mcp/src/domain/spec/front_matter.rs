//! The front matter of a specification: quoted so that any path survives it.

use std::fmt::Write as _;

#[derive(Debug, Clone, Default)]
pub(crate) struct FrontMatter {
    /// Counts up with each change.
    pub(crate) version: u32,
    pub(crate) source_target: String,
    pub(crate) related_files: Vec<String>,
    pub(crate) last_updated: String,
    pub(crate) confidence: &'static str,
    pub(crate) skeleton_hash: String,
    /// The model that wrote the prose; none where it comes from the code alone.
    pub(crate) model: Option<String>,
}

/// The one line that may differ between two runs over the same code.
pub(super) const DATE_KEY: &str = "lastUpdated:";

impl FrontMatter {
    pub(super) fn render(&self) -> String {
        let mut text = String::from("---\ntype: module-spec\n");
        writeln!(text, "version: v{}", self.version).ok();
        writeln!(text, "generatedBy: {}", quoted(&crate::domain::spec::generator())).ok();
        writeln!(text, "sourceTarget: {}", quoted(&self.source_target)).ok();
        if self.related_files.is_empty() {
            text.push_str("relatedFiles: []\n");
        } else {
            text.push_str("relatedFiles:\n");
            for file in &self.related_files {
                writeln!(text, "  - {}", quoted(file)).ok();
            }
        }
        writeln!(text, "{DATE_KEY} {}", quoted(&self.last_updated)).ok();
        writeln!(text, "confidence: {}", self.confidence).ok();
        writeln!(text, "skeletonHash: {}", quoted(&self.skeleton_hash)).ok();
        if let Some(model) = &self.model {
            writeln!(text, "llmModel: {}", quoted(model)).ok();
        }
        text.push_str("---\n");
        text
    }
}

/// A JSON string is a YAML string.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A value of the front matter, without its quotes.
pub(crate) fn read_value(document: &str, key: &str) -> Option<String> {
    let rest = document.strip_prefix("---\n").or_else(|| document.strip_prefix("---\r\n"))?;
    let mut lines = rest.lines().take_while(|line| line.trim_end() != "---");
    let value = lines.find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?.trim();
    Some(serde_json::from_str(value).unwrap_or_else(|_| value.to_owned()))
}

/// The number of `version: vN`.
pub(super) fn version_of(document: &str) -> Option<u32> {
    read_value(document, "version")?.trim_start_matches('v').parse().ok()
}
