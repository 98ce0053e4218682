//! What a model is given to read: the skeleton in words, within a budget of tokens, and exactly
//! what had to be left out to stay within it.

mod callers;
mod render;
pub(crate) mod tokens;

use std::collections::HashMap;

use rayon::prelude::*;
use serde::Serialize;

use crate::domain::skeleton::CodeSkeleton;
use render::Detail;
pub(crate) use render::snippet;
use tokens::estimate;

/// Unless the user sets another.
pub(crate) const DEFAULT_BUDGET: usize = 100_000;
/// Files that a shortening names; the rest are counted.
const NAMED_FILES: usize = 20;
/// Files that are rendered before looking whether they still fit.
const FILES_AT_ONCE: usize = 64;
/// Of what is left, the part that lists who calls what.
const CALLERS_SHARE: usize = 2;
/// And the part of all, even where files have to be shortened for it.
const CALLERS_LEAST: usize = 5;
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
    /// `internals`, `codeSnippets`, `docs`, `privateMembers`, `skeleton`: each names something that was cut.
    pub(crate) truncated_parts: Vec<&'static str>,
    /// What was cut, with the files it was cut from.
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
///
/// A step that cannot fit is given up as soon as that shows: the work grows with the budget, and
/// only little with the project.
pub(crate) fn assemble(parts: &Parts<'_>, budget: usize) -> AssembledContext {
    let mut assembly = Assembly::new(parts);
    assembly.fit(budget.saturating_sub(assembly.fixed()));
    assembly.finish(budget)
}

/// A text with what it costs.
#[derive(Clone, Default)]
struct Piece {
    text: String,
    tokens: usize,
}

impl Piece {
    fn new(text: String) -> Self {
        // One more for the line break that parts it from the next.
        let tokens = if text.is_empty() { 0 } else { estimate(&text) + 1 };
        Self { text, tokens }
    }
}

fn tokens_of(pieces: &[Piece]) -> usize {
    pieces.iter().map(|it| it.tokens).sum()
}

struct Assembly<'a> {
    parts: &'a Parts<'a>,
    dependencies: Piece,
    /// One per file, at the detail it is shown in.
    files: Vec<Piece>,
    callers: Piece,
    snippets: Vec<Piece>,
    truncations: Vec<Truncation>,
}

impl<'a> Assembly<'a> {
    fn new(parts: &'a Parts<'a>) -> Self {
        Self {
            parts,
            dependencies: Piece::default(),
            files: Vec::new(),
            callers: Piece::default(),
            snippets: Vec::new(),
            truncations: Vec::new(),
        }
    }

    /// What is there however much is cut.
    fn fixed(&self) -> usize {
        estimate(self.parts.instructions) + 3 * estimate(DIVIDER)
    }

    fn fit(&mut self, room: usize) {
        if let Some(files) = self.all_at(Detail::Full, room) {
            self.files = files;
            let left = room - tokens_of(&self.files);
            // Neither may take all of it.
            let left =
                left - self.add_callers((left / CALLERS_SHARE).max(room / CALLERS_LEAST).min(left));
            let left = left - self.add_internals(left);
            self.fit_surroundings(left);
            return;
        }
        self.note_snippets();
        self.note_dependencies();
        // What a file declares can be looked up there; who calls it cannot.
        let room = room - self.add_callers(room / CALLERS_LEAST);
        for (detail, part, what) in [
            (Detail::WithoutDocs, "docs", "documentation"),
            (Detail::WithoutPrivate, "privateMembers", "members that are not public"),
        ] {
            let skeletons = self.parts.skeletons.iter().enumerate();
            let changed = skeletons.filter(|(_, it)| render::has_what_goes(it, detail));
            let changed: Vec<usize> = changed.map(|(index, _)| index).collect();
            if changed.is_empty() {
                continue;
            }
            self.note(part, what, &changed);
            if let Some(files) = self.all_at(detail, room) {
                self.files = files;
                return;
            }
        }
        self.lower_largest(room);
    }

    /// Functions and classes that are not described, while there is room: those of files that most others
    /// import first. Says how much they take.
    fn add_internals(&mut self, room: usize) -> usize {
        // Texts of files say it all.
        if !self.parts.texts.is_empty() {
            return 0;
        }
        let skeletons = self.parts.skeletons;
        let mut importers: HashMap<&str, usize> = HashMap::new();
        for path in
            skeletons.iter().flat_map(|it| &it.imports).filter_map(|it| it.resolved_path.as_deref())
        {
            *importers.entry(path).or_default() += 1;
        }
        let mut places: Vec<usize> = (0..skeletons.len()).collect();
        let count = |at: &usize| importers.get(skeletons[*at].file_path.as_str()).copied();
        places.sort_by_key(|at| std::cmp::Reverse(count(at).unwrap_or(0)));
        let mut taken = 0;
        let mut left_out = Vec::new();
        for at in places {
            let text = render::internals(&skeletons[at]);
            let piece = Piece::new(text);
            if piece.tokens == 0 {
                continue;
            }
            if taken + piece.tokens > room {
                left_out.push(at);
                continue;
            }
            taken += piece.tokens;
            let file = &mut self.files[at];
            file.text = format!("{}\n{}", file.text, piece.text);
            file.tokens += piece.tokens;
        }
        left_out.sort_unstable();
        self.note("internals", "functions that are not exported", &left_out);
        taken
    }

    /// Who calls what, the most called first, while there is room. Says how much it takes.
    fn add_callers(&mut self, room: usize) -> usize {
        if !self.parts.texts.is_empty() {
            return 0;
        }
        let mut text = "Who calls what, as far as names tell:\n".to_owned();
        let mut taken = estimate(&text) + 1;
        let heading = text.len();
        for line in callers::lines(self.parts.skeletons) {
            let tokens = estimate(&line);
            if taken + tokens > room {
                break;
            }
            taken += tokens;
            text.push_str(&line);
        }
        if text.len() == heading {
            return 0;
        }
        self.callers = Piece { text, tokens: taken };
        taken
    }

    /// Every file at one detail, or nothing where that does not fit.
    fn all_at(&self, detail: Detail, room: usize) -> Option<Vec<Piece>> {
        let mut pieces: Vec<Piece> = Vec::with_capacity(self.parts.skeletons.len());
        let mut tokens = 0;
        for some in self.parts.skeletons.chunks(FILES_AT_ONCE) {
            let rendered = some.par_iter().map(|it| Piece::new(render::file(it, detail)));
            pieces.par_extend(rendered);
            tokens += tokens_of(&pieces[pieces.len() - some.len()..]);
            if tokens > room {
                return None;
            }
        }
        Some(pieces)
    }

    /// What goes with the skeleton when all of that is there.
    fn fit_surroundings(&mut self, room: usize) {
        let dependencies = Piece::new(self.parts.dependencies.to_owned());
        if dependencies.tokens > room {
            self.note_snippets();
            self.note_dependencies();
            return;
        }
        let mut left = room - dependencies.tokens;
        self.dependencies = dependencies;
        for (skeleton, text) in self.parts.skeletons.iter().zip(self.parts.texts) {
            let piece = Piece::new(snippet(skeleton, text));
            if piece.tokens > left {
                break;
            }
            left -= piece.tokens;
            self.snippets.push(piece);
        }
        self.note_snippets();
    }

    /// Takes from the largest files first, and from no more than needed: everything at the lower
    /// detail, then the smallest back to the higher one while there is room.
    fn lower_largest(&mut self, room: usize) {
        let skeletons = self.parts.skeletons;
        let mut smallest_first: Vec<usize> = (0..skeletons.len()).collect();
        smallest_first.sort_by_cached_key(|index| render::weight(&skeletons[*index]));
        let mut higher = Detail::WithoutPrivate;
        for (lower, what) in [
            (Detail::Summary, "everything but the names of its declarations"),
            (Detail::Count, "everything but its path"),
            (Detail::Nothing, "everything"),
        ] {
            let Some(mut files) = self.all_at(lower, room) else {
                self.note("skeleton", what, &(0..skeletons.len()).collect::<Vec<_>>());
                higher = lower;
                continue;
            };
            let mut left = room - tokens_of(&files);
            let mut lowered = Vec::new();
            for index in &smallest_first {
                // Once a file does not fit, those that are larger do not either.
                if lowered.is_empty() {
                    let piece = Piece::new(render::file(&skeletons[*index], higher));
                    let more = piece.tokens.saturating_sub(files[*index].tokens);
                    if more <= left {
                        left -= more;
                        files[*index] = piece;
                        continue;
                    }
                }
                lowered.push(*index);
            }
            lowered.sort_unstable();
            self.files = files;
            self.note("skeleton", what, &lowered);
            return;
        }
    }

    fn note_snippets(&mut self) {
        let (kept, of) = (self.snippets.len(), self.parts.texts.len());
        if kept < of {
            let dropped: Vec<usize> = (kept..of).collect();
            self.note("codeSnippets", "the text of files", &dropped);
        }
    }

    fn note_dependencies(&mut self) {
        if !self.parts.dependencies.is_empty() {
            let (part, what) = ("dependencySpecs", "what other specifications say");
            self.truncations.push(Truncation { part, what, files: 0, of: 0, paths: Vec::new() });
        }
    }

    fn note(&mut self, part: &'static str, what: &'static str, changed: &[usize]) {
        if changed.is_empty() {
            return;
        }
        let named = changed.iter().take(NAMED_FILES);
        self.truncations.push(Truncation {
            part,
            what,
            files: changed.len(),
            of: self.parts.skeletons.len(),
            paths: named.map(|it| self.parts.skeletons[*it].file_path.clone()).collect(),
        });
    }

    fn breakdown(&self) -> Breakdown {
        Breakdown {
            skeleton: tokens_of(&self.files) + self.callers.tokens,
            dependencies: self.dependencies.tokens,
            snippets: tokens_of(&self.snippets),
            instructions: estimate(self.parts.instructions),
        }
    }

    fn finish(self, budget: usize) -> AssembledContext {
        let breakdown = self.breakdown();
        let joined = |pieces: &[Piece]| {
            let texts: Vec<&str> =
                pieces.iter().map(|it| it.text.as_str()).filter(|it| !it.is_empty()).collect();
            texts.join("\n")
        };
        let sections = [
            self.parts.instructions.to_owned(),
            joined(&self.files),
            self.callers.text,
            self.dependencies.text,
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
