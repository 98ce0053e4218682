//! The prose of a specification, written by a language model: what it is asked, and what is taken
//! of its answer.

mod answer;
#[cfg(test)]
mod tests;

pub(crate) use answer::{Recovered, recover};

use super::spec::{Words, fill};

const INSTRUCTIONS: &str = include_str!("../../assets/prompts/spec.md");

/// What a model is given.
#[derive(Debug, Clone)]
pub(crate) struct Prompt {
    pub(crate) instructions: String,
    pub(crate) text: String,
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
