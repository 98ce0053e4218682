//! What a model is given to read: the skeleton in words, within a budget of tokens, and exactly
//! what had to be left out to stay within it.

mod render;

use rayon::prelude::*;
use serde::Serialize;

use crate::skeleton::CodeSkeleton;
use crate::tokens::{self, estimate};
use render::Detail;
pub(crate) use render::snippet;

/// Unless the user sets another.
pub(crate) const DEFAULT_BUDGET: usize = 100_000;
/// Files that a shortening names; the rest are counted.
const NAMED_FILES: usize = 20;
const DIVIDER: &str = "\n\n---\n\n";

#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AssembledContext {
    pub(crate) prompt: String,
    pub(crate) token_count: usize,
    pub(crate) token_budget: usize,
    /// How the tokens were counted.
    pub(crate) token_estimator: &'static str,
    pub(crate) breakdown: Breakdown,
    pub(crate) truncated: bool,
    /// `codeSnippets`, `docs`, `privateMembers`, `skeleton`: each names something that was cut.
    pub(crate) truncated_parts: Vec<&'static str>,
    /// The same with the files it was cut from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) truncations: Vec<Truncation>,
}

#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Breakdown {
    pub(crate) skeleton: usize,
    pub(crate) dependencies: usize,
    pub(crate) snippets: usize,
    pub(crate) instructions: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Truncation {
    pub(crate) part: &'static str,
    pub(crate) what: &'static str,
    /// How many files lost it.
    pub(crate) files: usize,
    pub(crate) of: usize,
    /// The first of them.
    pub(crate) paths: Vec<String>,
}

/// What a context is made of.
pub(crate) struct Parts<'a> {
    /// Goes first and is never cut.
    pub(crate) instructions: &'a str,
    /// What other specifications say about what is imported: cut after the snippets.
    pub(crate) dependencies: &'a str,
    pub(crate) skeletons: &'a [CodeSkeleton],
    /// The text of each file in the same order, or nothing.
    pub(crate) texts: &'a [String],
}

/// Puts the parts together, shortened in this order until they fit: texts of files from the last
/// one on, what dependencies say, documentation, private members, then whole files to one line
/// each, the largest first.
pub(crate) fn assemble(parts: &Parts<'_>, budget: usize) -> AssembledContext {
    let mut assembly = Assembly::new(parts);
    if assembly.total() > budget {
        assembly.drop_snippets(budget);
    }
    if assembly.total() > budget {
        assembly.drop_dependencies();
    }
    for (detail, part, what) in [
        (Detail::WithoutDocs, "docs", "documentation"),
        (Detail::WithoutPrivate, "privateMembers", "members that are not public"),
    ] {
        if assembly.total() > budget {
            assembly.lower_all(detail, part, what);
        }
    }
    for (detail, what) in [
        (Detail::Summary, "everything but the names of its declarations"),
        (Detail::Count, "everything but its path"),
        (Detail::Nothing, "everything"),
    ] {
        if assembly.total() > budget {
            assembly.lower_largest(budget, detail, what);
        }
    }
    assembly.finish(budget)
}

struct Assembly<'a> {
    parts: &'a Parts<'a>,
    with_dependencies: bool,
    /// The text of each file at its present detail, with its tokens.
    files: Vec<(String, usize)>,
    snippets: Vec<(String, usize)>,
    truncations: Vec<Truncation>,
}

impl<'a> Assembly<'a> {
    fn new(parts: &'a Parts<'a>) -> Self {
        let counted = |text: String| {
            let tokens = estimate(&text);
            (text, tokens)
        };
        let files = parts.skeletons.par_iter().map(|it| counted(render::file(it, Detail::Full)));
        let snippets = parts
            .skeletons
            .iter()
            .zip(parts.texts)
            .map(|(skeleton, text)| counted(snippet(skeleton, text)));
        Self {
            parts,
            with_dependencies: !parts.dependencies.is_empty(),
            files: files.collect(),
            snippets: snippets.collect(),
            truncations: Vec::new(),
        }
    }

    fn breakdown(&self) -> Breakdown {
        let sum = |parts: &[(String, usize)]| parts.iter().map(|it| it.1 + 1).sum();
        Breakdown {
            skeleton: sum(&self.files),
            dependencies: if self.with_dependencies {
                estimate(self.parts.dependencies)
            } else {
                0
            },
            snippets: sum(&self.snippets),
            instructions: estimate(self.parts.instructions),
        }
    }

    fn total(&self) -> usize {
        let parts = self.breakdown();
        let dividers = 3 * estimate(DIVIDER);
        parts.skeleton + parts.dependencies + parts.snippets + parts.instructions + dividers
    }

    fn paths(&self, indexes: impl Iterator<Item = usize>) -> Vec<String> {
        let paths = indexes.map(|index| self.parts.skeletons[index].file_path.clone());
        paths.take(NAMED_FILES).collect()
    }

    fn drop_snippets(&mut self, budget: usize) {
        let of = self.snippets.len();
        if of == 0 {
            return;
        }
        let mut over = self.total().saturating_sub(budget);
        while over > 0
            && let Some((_, tokens)) = self.snippets.pop()
        {
            over = over.saturating_sub(tokens + 1);
        }
        let kept = self.snippets.len();
        self.truncations.push(Truncation {
            part: "codeSnippets",
            what: "the text of files",
            files: of - kept,
            of,
            paths: self.paths(kept..of),
        });
    }

    fn drop_dependencies(&mut self) {
        if self.with_dependencies {
            self.with_dependencies = false;
            let (part, what) = ("dependencySpecs", "what other specifications say");
            self.truncations.push(Truncation { part, what, files: 0, of: 0, paths: Vec::new() });
        }
    }

    /// Takes something away from every file; counts only where something went.
    fn lower_all(&mut self, detail: Detail, part: &'static str, what: &'static str) {
        let mut changed = Vec::new();
        for (index, skeleton) in self.parts.skeletons.iter().enumerate() {
            if !render::has_what_goes(skeleton, detail) {
                continue;
            }
            let text = render::file(skeleton, detail);
            if text.len() < self.files[index].0.len() {
                let tokens = estimate(&text);
                self.files[index] = (text, tokens);
                changed.push(index);
            }
        }
        self.note(part, what, changed);
    }

    /// Takes from the largest files first, and from no more than needed.
    fn lower_largest(&mut self, budget: usize, detail: Detail, what: &'static str) {
        let mut order: Vec<usize> = (0..self.files.len()).collect();
        order.sort_by_key(|index| std::cmp::Reverse(self.files[*index].1));
        let mut over = self.total().saturating_sub(budget);
        let mut changed = Vec::new();
        for index in order {
            if over == 0 {
                break;
            }
            let text = render::file(&self.parts.skeletons[index], detail);
            let tokens = estimate(&text);
            let (before, now) = (self.files[index].1, tokens);
            if now < before {
                over = over.saturating_sub(before - now);
                self.files[index] = (text, tokens);
                changed.push(index);
            }
        }
        changed.sort_unstable();
        self.note("skeleton", what, changed);
    }

    fn note(&mut self, part: &'static str, what: &'static str, changed: Vec<usize>) {
        if !changed.is_empty() {
            let files = changed.len();
            let of = self.files.len();
            let paths = self.paths(changed.into_iter());
            self.truncations.push(Truncation { part, what, files, of, paths });
        }
    }

    fn finish(self, budget: usize) -> AssembledContext {
        let breakdown = self.breakdown();
        let joined = |parts: &[(String, usize)]| {
            let texts: Vec<&str> =
                parts.iter().map(|it| it.0.as_str()).filter(|it| !it.is_empty()).collect();
            texts.join("\n")
        };
        let dependencies = if self.with_dependencies { self.parts.dependencies } else { "" };
        let sections = [
            self.parts.instructions.to_owned(),
            joined(&self.files),
            dependencies.to_owned(),
            joined(&self.snippets),
        ];
        let sections: Vec<String> = sections.into_iter().filter(|it| !it.is_empty()).collect();
        let prompt = sections.join(DIVIDER);
        let mut truncated_parts: Vec<&'static str> = Vec::new();
        for truncation in &self.truncations {
            if !truncated_parts.contains(&truncation.part) {
                truncated_parts.push(truncation.part);
            }
        }
        AssembledContext {
            token_count: estimate(&prompt),
            token_budget: budget,
            token_estimator: tokens::ESTIMATOR,
            prompt,
            breakdown,
            truncated: !self.truncations.is_empty(),
            truncated_parts,
            truncations: self.truncations,
        }
    }
}

#[cfg(test)]
mod tests;
