//! The prose of a specification, written by a language model: what it is asked, and what is taken
//! of its answer.

mod answer;
#[cfg(test)]
mod tests;

pub(crate) use answer::{Recovered, recover};

use crate::spec::{Words, fill};

const INSTRUCTIONS: &str = include_str!("../assets/prompts/spec.md");

/// What a model is given.
#[derive(Debug, Clone)]
pub(crate) struct Prompt {
    pub(crate) instructions: String,
    pub(crate) text: String,
}

/// What a model gave back.
#[derive(Debug, Clone)]
pub(crate) struct Prose {
    pub(crate) text: String,
    pub(crate) model: String,
    pub(crate) tokens: u64,
    /// The answer ended because it was long, not because it was done.
    pub(crate) is_cut: bool,
}

/// A language model, or something that stands for one.
pub(crate) trait Model: Sync {
    fn write(&self, prompt: &Prompt) -> Result<Prose, ModelError>;
}

/// Why there is no prose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ModelError {
    /// The service answered with this status.
    Status {
        provider: String,
        status: u16,
    },
    Other {
        provider: String,
        reason: String,
    },
    Cancelled,
}

impl Prompt {
    pub(crate) fn new(words: &Words, text: String) -> Self {
        let is_chinese = !words.sections[0].is_ascii();
        let headings: Vec<String> =
            words.sections.iter().map(|heading| format!("## {heading}")).collect();
        let instructions = fill(
            INSTRUCTIONS,
            &[
                ("language", if is_chinese { "Chinese" } else { "English" }),
                ("headings", &headings.join("\n")),
                ("inferred", if is_chinese { "[推断: …]" } else { "[inferred: …]" }),
                ("unclear", if is_chinese { "[不明确: …]" } else { "[unclear: …]" }),
            ],
        );
        Self { instructions, text }
    }
}

/// The words of the contract for a status.
pub(crate) fn status_words(status: u16) -> &'static str {
    match status {
        400 => "请求无效",
        401 => "认证失败",
        403 => "没有权限",
        404 => "模型或地址不存在",
        413 => "请求过大",
        429 => "速率限制",
        529 => "服务过载",
        500..=599 => "服务器错误",
        _ => "请求失败",
    }
}
