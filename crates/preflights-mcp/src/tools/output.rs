//! What the tools answer with: the documented fields, and what helps an agent besides.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::domain::clarify::{Asked, Detected};
use crate::domain::projection;
use crate::store::service::{Completed, Picture, Reply};

#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct ClarificationOutput {
    /// `needs_clarification`, `completed` or `error`.
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    questions: Option<Vec<QuestionOutput>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    progress: Option<ProgressOutput>,
    #[serde(skip_serializing_if = "Option::is_none")]
    artifacts_created: Option<Vec<ArtifactOutput>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<String>,
    /// Values that were not asked for because they are known, and from where.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    detected: Vec<DetectedOutput>,
    /// Questions that stay open after completion.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    open_questions: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    /// `llm_fallback` when a language model is configured and could not be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    warning: Option<&'static str>,
    /// What `warning` means.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'static str>,
    /// What to do now.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<&'static str>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct QuestionOutput {
    id: String,
    /// `single_choice`, `multi_choice` or `free_text`.
    r#type: KindOutput,
    question: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    options: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min_selections: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_selections: Option<usize>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    optional: bool,
    /// Why it matters.
    why: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    recommended: Option<RecommendedOutput>,
    /// Why it is asked again.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum KindOutput {
    SingleChoice,
    MultiChoice,
    FreeText,
}

#[derive(Debug, Serialize, JsonSchema)]
struct RecommendedOutput {
    option: String,
    because: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ProgressOutput {
    asked_so_far: usize,
    answered: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct ArtifactOutput {
    path: String,
    /// `adr`, `task` or `projection`.
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    uid: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct DetectedOutput {
    /// The question it answers.
    id: String,
    value: String,
    source: String,
}

impl From<&Reply> for ClarificationOutput {
    fn from(reply: &Reply) -> Self {
        match reply {
            Reply::Questions { session_id, questions, progress, detected, warnings, fell_back } => {
                Self {
                    status: "needs_clarification",
                    session_id: Some(session_id.clone()),
                    questions: Some(questions.iter().map(QuestionOutput::from).collect()),
                    progress: Some(ProgressOutput {
                        asked_so_far: progress.0,
                        answered: progress.1,
                    }),
                    detected: detected.iter().map(DetectedOutput::from).collect(),
                    warnings: warnings.clone(),
                    next: Some(
                        "Put the questions to the user, then call require_clarification with this session_id and their answers; `reason` among them says why, for the record. \"decide later\" leaves a question open, \"not applicable\" says that it is not about this.",
                    ),
                    ..Self::default().with_fallback(*fell_back)
                }
            }
            Reply::Completed(completed) => Self::from(completed),
        }
    }
}

impl ClarificationOutput {
    fn with_fallback(mut self, fell_back: bool) -> Self {
        if fell_back {
            self.warning = Some("llm_fallback");
            self.message = Some("LLM unavailable, using deterministic mode");
        }
        self
    }
}

impl From<&Completed> for ClarificationOutput {
    fn from(completed: &Completed) -> Self {
        let artifacts = completed.artifacts.iter().map(|it| ArtifactOutput {
            path: it.path.clone(),
            r#type: it.kind,
            uid: it.uid.as_ref().map(ToString::to_string),
        });
        Self {
            status: "completed",
            artifacts_created: Some(artifacts.collect()),
            summary: Some(completed.summary.clone()),
            detected: completed.detected.iter().map(DetectedOutput::from).collect(),
            open_questions: completed.open.clone(),
            warnings: completed.warnings.clone(),
            ..Self::default().with_fallback(completed.fell_back)
        }
    }
}

impl From<&Asked> for QuestionOutput {
    fn from(asked: &Asked) -> Self {
        use crate::domain::clarify::AskedKind;
        Self {
            id: asked.id.clone(),
            r#type: match asked.kind {
                AskedKind::SingleChoice => KindOutput::SingleChoice,
                AskedKind::MultiChoice => KindOutput::MultiChoice,
                AskedKind::FreeText => KindOutput::FreeText,
            },
            question: asked.text.clone(),
            options: asked.options.clone(),
            min_selections: asked.min,
            max_selections: asked.max,
            optional: asked.optional,
            why: asked.why.clone(),
            recommended: asked.recommended.as_ref().map(|it| RecommendedOutput {
                option: it.option.clone(),
                because: it.because.clone(),
            }),
            error: asked.error.clone(),
        }
    }
}

impl From<&Detected> for DetectedOutput {
    fn from(it: &Detected) -> Self {
        Self { id: it.id.clone(), value: it.value.clone(), source: it.source.clone() }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ArchitectureOutput {
    /// `success` or `error`.
    status: &'static str,
    architecture: Architecture,
    source_file: &'static str,
    /// Decision records that others keep in this repository, in layouts of their own. They are no part of `architecture`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    other_records: Vec<OtherRecordOutput>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct OtherRecordOutput {
    file: String,
    title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Architecture {
    /// The newest record; null while nothing is decided.
    uid: Option<String>,
    categories: BTreeMap<String, BTreeMap<String, String>>,
}

impl From<&Picture> for ArchitectureOutput {
    fn from(picture: &Picture) -> Self {
        let values =
            |(name, fields): (&str, &BTreeMap<String, crate::domain::architecture::Decided>)| {
                let fields = fields.iter().map(|(field, it)| (field.clone(), it.value.clone()));
                (name.to_owned(), fields.collect())
            };
        Self {
            status: "success",
            architecture: Architecture {
                uid: picture.ledger.newest().map(|(uid, _)| uid.to_string()),
                categories: picture.ledger.architecture.categories().map(values).collect(),
            },
            source_file: projection::PATH,
            other_records: picture
                .others
                .iter()
                .filter(|it| it.counts())
                .map(|it| OtherRecordOutput {
                    file: it.file.clone(),
                    title: it.title.clone(),
                    status: it.status.clone(),
                    outcome: it.outcome.clone(),
                })
                .collect(),
            warnings: picture.warnings.clone(),
        }
    }
}
