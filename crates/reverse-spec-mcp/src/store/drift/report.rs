//! The report on one specification.

use std::fmt::Write as _;

use mcp_core::clock::Clock;
use mcp_core::text;
use serde::Serialize;

use super::Specification;
use crate::domain::diff::{ChangeType, Drift, DriftItem, Severity};
use crate::domain::place::Warning;
use crate::store::project::Target;

/// How a warning begins that names prose to be read again.
pub(super) const READ_AGAIN: &str = "what was written by hand";

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DriftReport {
    pub(crate) spec_path: String,
    pub(crate) source_path: String,
    /// What every path here is relative to.
    pub(crate) project_root: String,
    pub(crate) generated_at: String,
    pub(crate) spec_version: String,
    /// Who wrote the baseline; signatures of others are compared leniently.
    pub(crate) baseline_generator: String,
    pub(crate) summary: Summary,
    pub(crate) items: Vec<DriftItem>,
    /// Declarations that are only written differently.
    pub(crate) filtered_noise: usize,
    pub(crate) recommendation: String,
    /// Where the report was written as a document, if it was.
    pub(crate) output_path: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) warnings: Vec<Warning>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Summary {
    pub(crate) total_changes: usize,
    pub(crate) high: usize,
    pub(crate) medium: usize,
    pub(crate) low: usize,
    pub(crate) additions: usize,
    pub(crate) removals: usize,
    pub(crate) modifications: usize,
}

impl Summary {
    pub(crate) fn of(items: &[DriftItem]) -> Self {
        let severe = |it: Severity| items.iter().filter(|item| item.severity == it).count();
        let changed = |it: ChangeType| items.iter().filter(|item| item.change_type == it).count();
        Self {
            total_changes: items.len(),
            high: severe(Severity::High),
            medium: severe(Severity::Medium),
            low: severe(Severity::Low),
            additions: changed(ChangeType::Addition),
            removals: changed(ChangeType::Removal),
            modifications: changed(ChangeType::Modification),
        }
    }
}

impl DriftReport {
    /// After items were added.
    pub(super) fn count_again(&mut self) {
        self.items.sort_by_key(|item| item.severity);
        for (index, item) in self.items.iter_mut().enumerate() {
            item.id = format!("drift-{}", index + 1);
        }
        self.summary = Summary::of(&self.items);
        self.recommendation = recommendation(&self.summary);
    }

    pub(super) fn new(
        specification: &Specification,
        baseline_generator: String,
        source: &Target,
        drift: Drift,
        warnings: Vec<Warning>,
        clock: &Clock,
    ) -> Self {
        let summary = Summary::of(&drift.items);
        Self {
            spec_path: specification.path.to_string(),
            source_path: source.shown().to_owned(),
            project_root: text::one_line(&source.project_root().to_string_lossy()),
            generated_at: clock.now().to_string(),
            spec_version: specification.front.version.clone().unwrap_or_else(|| "v1".to_owned()),
            baseline_generator,
            recommendation: recommendation(&summary),
            summary,
            items: drift.items,
            filtered_noise: drift.noise,
            output_path: None,
            warnings,
        }
    }

    /// What is said of the prose of the specification.
    pub(crate) fn remarks(&self) -> impl Iterator<Item = String> {
        let told = self.warnings.iter().map(ToString::to_string);
        told.filter(|it| it.starts_with(READ_AGAIN))
    }

    /// The report as a document.
    pub(crate) fn markdown(&self) -> String {
        let Summary { high, medium, low, .. } = self.summary;
        let mut text = format!(
            "# Drift of {}\n\nSource: {} · specification {} · {high} high, {medium} medium, {low} low\n\n{}\n",
            self.spec_path, self.source_path, self.spec_version, self.recommendation
        );
        for item in &self.items {
            let severity = match item.severity {
                Severity::High => "HIGH",
                Severity::Medium => "MEDIUM",
                Severity::Low => "LOW",
            };
            let _ = write!(text, "\n## {severity} {}\n\n", item.symbol_name);
            let _ = writeln!(text, "{} ({}).\n", item.description, item.location);
            for (label, value) in [("Was", &item.old_value), ("Is", &item.new_value)] {
                if let Some(value) = value {
                    let _ = writeln!(text, "{label}:\n\n    {}\n", text::one_line(value));
                }
            }
            let _ = writeln!(text, "{}", item.proposed_update);
        }
        for remark in self.remarks() {
            let _ = writeln!(text, "\n> {remark}");
        }
        text
    }
}

fn recommendation(summary: &Summary) -> String {
    if summary.high > 0 {
        "Callers are affected: update the specification now, or restore what is gone.".to_owned()
    } else if summary.medium > 0 {
        "The interface has changed: update the specification before the next release.".to_owned()
    } else if summary.low > 0 {
        "Small changes: look whether the specification still says what is meant, then accept it."
            .to_owned()
    } else {
        "The specification is true to the code.".to_owned()
    }
}
