//! The whole file: front matter, sections, files, baseline, and what was written by hand.

use std::fmt::Write as _;

use super::facts::{Facts, name_of};
use super::front_matter::{DATE_KEY, FrontMatter, version_of};
use super::keep;
use super::markdown::{Table, code_cell};
use super::sections::{names_cell, sections};
use super::standing;
use super::words::Words;
use crate::domain::baseline::Baseline;
use crate::domain::languages;
use crate::domain::skeleton;

/// How far a specification may be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Confidence {
    Low,
    Medium,
    High,
}

impl Confidence {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// Prose of a model, by section; `None` for a section it left out.
#[derive(Debug, Clone, Default)]
pub(crate) struct Narrative {
    pub(crate) sections: [Option<String>; 9],
    pub(crate) model: String,
}

/// Everything a specification is made of.
pub(crate) struct Document<'a> {
    pub(crate) facts: Facts<'a>,
    pub(crate) words: &'a Words,
    pub(crate) narrative: Option<&'a Narrative>,
    pub(crate) confidence: Confidence,
}

/// A document ready to be written.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) text: String,
    /// False where the file that is there differs in its date at most.
    pub(crate) is_new: bool,
}

impl Document<'_> {
    /// The document as it shall be after `existing`: hand-written text carried over, and the
    /// version counted up only where something changed.
    pub(crate) fn write(&self, existing: Option<&str>, now: &str) -> Written {
        let Some(existing) = existing else {
            return Written { text: self.render(1, now, ""), is_new: true };
        };
        let version = version_of(existing).unwrap_or(0);
        let same = self.render(version, now, existing);
        if is_same_but_for_the_date(&same, existing) {
            return Written { text: existing.to_owned(), is_new: false };
        }
        Written { text: self.render(version.saturating_add(1), now, existing), is_new: true }
    }

    fn render(&self, version: u32, now: &str, existing: &str) -> String {
        let facts = &self.facts;
        let front_matter = FrontMatter {
            version,
            source_target: facts.target.to_owned(),
            related_files: facts.skeletons.iter().map(|it| it.file_path.clone()).collect(),
            last_updated: now.to_owned(),
            confidence: self.confidence_with(existing).word(),
            skeleton_hash: skeleton::content_hash(facts.merged, facts.tests),
            model: self.narrative.map(|it| it.model.clone()),
        };
        let title = match facts.target {
            "." => self.words.whole_project.clone(),
            target => super::cell(target),
        };
        let blocks = keep::blocks(existing);
        let written = standing::written(&blocks);
        let hashes = standing::hashes(facts.skeletons);
        let mut body = format!("\n# {title}\n");
        let sections = sections(facts, self.words);
        for (place, (heading, from_code)) in self.words.sections.iter().zip(sections).enumerate() {
            let prose = self.narrative.and_then(|it| it.sections[place].as_deref());
            match prose {
                None => {
                    write!(body, "\n## {heading}\n\n{from_code}").ok();
                    if let Some(at) = standing::PLACES.iter().position(|it| *it == place) {
                        // Whoever calls writes what only a reader can say.
                        writeln!(body, "\n{}", standing::marker(&hashes[at])).ok();
                        if written[at].is_empty() {
                            writeln!(body, "\n{}", keep::empty()).ok();
                        }
                    }
                    Some(())
                }
                Some(prose) => {
                    let facts = &self.words.facts;
                    let prose = prose.trim();
                    write!(body, "\n## {heading}\n\n{prose}\n\n### {facts}\n\n{from_code}").ok()
                }
            };
        }
        write!(body, "\n---\n\n## {}\n\n{}", self.words.files, self.file_table()).ok();
        let body = keep::put_back(&body, &blocks);
        let baseline = Baseline::of(facts.skeletons).comment();
        format!("{}{body}\n{baseline}\n", front_matter.render())
    }

    /// Prose that somebody wrote counts as much as that of a model.
    pub(crate) fn confidence_with(&self, existing: &str) -> Confidence {
        let blocks = keep::blocks(existing);
        let written = standing::written(&blocks);
        let count = written.iter().filter(|it| it.iter().any(|it| it.has_text())).count();
        let reached = match count {
            0 => Confidence::Low,
            count if count == standing::PLACES.len() => Confidence::High,
            _ => Confidence::Medium,
        };
        self.confidence.max(reached)
    }

    fn file_table(&self) -> String {
        let t = &self.words.table;
        let mut table = Table::new(&[&t.file, &t.language, &t.lines, &t.exports]);
        for skeleton in self.facts.skeletons {
            let exported = skeleton.exports.iter().map(|it| name_of(it));
            let names = names_cell(exported, self.words);
            let names = if names.is_empty() { self.words.internal_module.clone() } else { names };
            let lines = skeleton.loc.to_string();
            table.row(&[
                &code_cell(&skeleton.file_path),
                &languages::about(skeleton.language).name,
                &lines,
                &names,
            ]);
        }
        table.into_text()
    }
}

/// Whether two documents say the same.
pub(crate) fn is_same_but_for_the_date(one: &str, other: &str) -> bool {
    let without = |text: &'_ str| -> Vec<String> {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let end = lines.iter().skip(1).position(|line| line == "---").map_or(0, |at| at + 1);
        if let Some(at) = lines[..end].iter().position(|line| line.starts_with(DATE_KEY)) {
            lines.remove(at);
        }
        lines
    };
    without(one) == without(other)
}
