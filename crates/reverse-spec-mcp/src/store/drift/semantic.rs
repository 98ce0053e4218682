//! Whether what a specification says in words still holds where a body changed: asked of a language
//! model, and of nothing else. The comparison itself never needs one.

use std::fmt::Write as _;

use mcp_core::sandbox::{RelPath, Root};
use mcp_core::text;
use serde::Deserialize;
use serde_json::{Value, json};

use super::Comparison;
use crate::domain::diff::{Category, ChangeType, DetectedBy, DriftItem, Severity};
use crate::domain::place::Warning;
use crate::domain::prose::Prompt;
use crate::error::Error;
use crate::store::model::{Model, ModelError};
use crate::store::project::MAX_SOURCE_BYTES;
use crate::store::redact::redact;

const INSTRUCTIONS: &str = include_str!("../../../assets/prompts/drift.md");
/// More bodies than this are not asked about in one go.
const MOST_BODIES: usize = 20;
const MAX_BODY_CHARS: usize = 8_000;
const MAX_SPEC_CHARS: usize = 40_000;
const MAX_REASON_CHARS: usize = 600;

/// What a model says of one body.
#[derive(Debug, Deserialize)]
struct Verdict {
    symbol: String,
    holds: bool,
    #[serde(default)]
    reason: String,
}

/// The shape of a model's answer.
fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "verdicts": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "symbol": { "type": "string" },
                        "holds": { "type": "boolean" },
                        "reason": { "type": "string" },
                    },
                    "required": ["symbol", "holds", "reason"],
                    "additionalProperties": false,
                },
            },
        },
        "required": ["verdicts"],
        "additionalProperties": false,
    })
}

impl Comparison {
    /// Adds what a model finds to contradict the specification. A model that fails leaves a warning
    /// and the report as it is.
    pub(crate) fn review(&mut self, model: &dyn Model) -> Result<(), Error> {
        let bodies = self.report.items.iter().filter(|item| item.body.is_some());
        let changed: Vec<DriftItem> = bodies.cloned().collect();
        if changed.is_empty() {
            return Ok(());
        }
        let asked = &changed[..changed.len().min(MOST_BODIES)];
        let prompt = Prompt {
            instructions: INSTRUCTIONS.to_owned(),
            text: question(&self.text, asked, &self.root),
        };
        let report = &mut self.report;
        let answer = match model.judge(&prompt, &schema()) {
            Ok(answer) => answer,
            Err(ModelError::Cancelled) => return Err(Error::Cancelled),
            Err(error) => {
                let why = Error::from(error);
                report.warnings.push(Warning::general(format!(
                    "the language model could not be asked whether changed bodies still fit: {why}"
                )));
                return Ok(());
            }
        };
        if changed.len() > asked.len() {
            report.warnings.push(Warning::general(format!(
                "the language model was asked about the first {} of {} changed bodies",
                asked.len(),
                changed.len()
            )));
        }
        let verdicts: Vec<Verdict> =
            serde_json::from_value(answer["verdicts"].clone()).unwrap_or_default();
        for verdict in verdicts.iter().filter(|it| !it.holds) {
            // Only what was asked about counts, whatever the answer names.
            if let Some(item) = asked.iter().find(|item| item.symbol_name == verdict.symbol) {
                report.items.push(contradiction(item, &verdict.reason));
            }
        }
        report.count_again();
        Ok(())
    }
}

fn contradiction(item: &DriftItem, reason: &str) -> DriftItem {
    let reason = text::one_line(text::cut(&redact(reason).text, MAX_REASON_CHARS));
    DriftItem {
        id: String::new(),
        severity: Severity::Medium,
        category: Category::Behavior,
        change_type: ChangeType::Modification,
        description: format!("`{}` no longer does what is specified: {reason}", item.symbol_name),
        proposed_update: format!(
            "Decide which is right, the code of `{}` or its specification, and correct the other.",
            item.symbol_name
        ),
        detected_by: DetectedBy::Semantic,
        body: None,
        is_by_mark: false,
        ..item.clone()
    }
}

fn question(specification: &str, asked: &[DriftItem], root: &Root) -> String {
    let words = specification.split("<!-- baseline-skeleton").next().unwrap_or(specification);
    let mut question = format!(
        "The specification:\n\n{}\n\nChanged functions:\n",
        text::cut(words, MAX_SPEC_CHARS)
    );
    for item in asked {
        let body = body(item, root).unwrap_or_default();
        let (symbol, location) = (&item.symbol_name, &item.location);
        writeln!(question, "\n### {symbol} ({location})\n\n{body}").ok();
    }
    redact(&question).text.into_owned()
}

/// The present text of a body.
fn body(item: &DriftItem, root: &Root) -> Option<String> {
    let (start, end) = item.body?;
    let bytes =
        root.read_up_to(&RelPath::parse(&item.location.file).ok()?, MAX_SOURCE_BYTES).ok()?;
    let source = crate::domain::extract::text_of(&bytes);
    let lines = source.lines().skip(start.saturating_sub(1)).take((end + 1).saturating_sub(start));
    let body = lines.collect::<Vec<_>>().join("\n");
    Some(text::cut(&body, MAX_BODY_CHARS).to_owned())
}
