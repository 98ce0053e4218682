//! Patterns of declarations, in the notation of tree-sitter's queries as far as lists of names need it:
//! `(kind field: (kind @name)) @definition.word`. A query of the library says the same, but looks through
//! every state of its grammar before its first match, which costs more than reading a thousand files.

use std::collections::HashMap;

use tree_sitter::{Language, Node};

/// What a declaration looks like, and by which word its kind is called.
#[derive(Debug)]
pub(super) struct Pattern {
    step: Step,
    pub(super) word: &'static str,
}

/// One node of a pattern.
#[derive(Debug)]
struct Step {
    kind: Kind,
    field: Option<u16>,
    is_name: bool,
    inside: Vec<Self>,
}

#[derive(Debug, PartialEq, Eq)]
enum Kind {
    /// `(_)`
    Any,
    /// Of nodes with a name, and of words and marks.
    Id(u16),
}

/// Patterns by the kind of node they begin with.
#[derive(Debug)]
pub(super) struct ByKind(HashMap<u16, Vec<Pattern>>);

impl ByKind {
    /// One pattern a line; none where a line is no pattern of this grammar.
    pub(super) fn read(language: &Language, text: &'static str) -> Option<Self> {
        let mut all: HashMap<u16, Vec<Pattern>> = HashMap::new();
        for line in text.lines().filter(|it| !it.trim().is_empty()) {
            let (pattern, word) = line.rsplit_once(" @definition.")?;
            let mut words = Words { language, rest: pattern.trim() };
            let step = words.step(None)?;
            if !words.rest.is_empty() {
                return None;
            }
            let Kind::Id(id) = step.kind else { return None };
            all.entry(id).or_default().push(Pattern { step, word });
        }
        Some(Self(all))
    }

    /// Patterns that may fit a node, in the order in which they are written.
    pub(super) fn of(&self, node: Node<'_>) -> &[Pattern] {
        self.0.get(&node.kind_id()).map(Vec::as_slice).unwrap_or_default()
    }
}

impl Pattern {
    /// The names of what is declared; none where the node does not fit.
    pub(super) fn names<'tree>(&self, node: Node<'tree>) -> Vec<Node<'tree>> {
        let mut names = Vec::new();
        if self.step.fits(node, &mut names) { names } else { Vec::new() }
    }
}

impl Step {
    fn fits<'tree>(&self, node: Node<'tree>, names: &mut Vec<Node<'tree>>) -> bool {
        let is_kind = match self.kind {
            Kind::Any => node.is_named(),
            Kind::Id(id) => node.kind_id() == id,
        };
        if !is_kind {
            return false;
        }
        let before = names.len();
        if self.is_name {
            names.push(node);
        }
        let fits = self.inside.iter().all(|step| {
            let mut cursor = node.walk();
            let mut is_there = cursor.goto_first_child();
            let mut found = false;
            while is_there {
                let is_field =
                    step.field.is_none_or(|it| cursor.field_id().is_some_and(|id| id.get() == it));
                found |= is_field && step.fits(cursor.node(), names);
                is_there = cursor.goto_next_sibling();
            }
            found
        });
        if !fits {
            names.truncate(before);
        }
        fits
    }
}

/// A pattern, word by word.
struct Words<'a> {
    language: &'a Language,
    rest: &'a str,
}

impl<'a> Words<'a> {
    /// `(kind …)` or `"word"`, with `@name` after it where it is the name.
    fn step(&mut self, field: Option<u16>) -> Option<Step> {
        let mut inside = Vec::new();
        let kind = if let Some(rest) = self.rest.strip_prefix('"') {
            let (word, rest) = rest.split_once('"')?;
            self.rest = rest.trim_start();
            self.kind(word, false)?
        } else {
            self.rest = self.rest.strip_prefix('(')?;
            let word = self.word()?;
            let kind = if word == "_" { Kind::Any } else { self.kind(word, true)? };
            while !self.rest.starts_with(')') {
                let field = if self.rest.starts_with(['(', '"']) {
                    None
                } else {
                    let (name, rest) = self.rest.split_once(':')?;
                    self.rest = rest.trim_start();
                    Some(self.language.field_id_for_name(name)?.get())
                };
                inside.push(self.step(field)?);
            }
            self.rest = self.rest[1..].trim_start();
            kind
        };
        let is_name = self.rest.starts_with("@name");
        if is_name {
            self.rest = self.rest["@name".len()..].trim_start();
        }
        Some(Step { kind, field, is_name, inside })
    }

    fn word(&mut self) -> Option<&'a str> {
        let end = self.rest.find(|it: char| !it.is_alphanumeric() && it != '_')?;
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        Some(word)
    }

    fn kind(&self, word: &str, is_named: bool) -> Option<Kind> {
        let id = self.language.id_for_node_kind(word, is_named);
        (id != 0).then_some(Kind::Id(id))
    }
}

#[cfg(test)]
mod tests;
