//! The ways in which agents write requirements: where such files lie, and how their ids are
//! spelled.
//!
//! An id is a scope, a slash and an item. Scopes are folders, so which there are is known before
//! any file is read; nothing else in front of a slash is taken for one.

mod item;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::span::Label;
pub(crate) use item::read as read_item;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Dialect {
    SpecKit,
    OpenSpec,
    Kiro,
}

impl Dialect {
    pub(crate) const ALL: [Self; 3] = [Self::SpecKit, Self::OpenSpec, Self::Kiro];

    /// Its name, in answers and in the configuration.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::SpecKit => "spec-kit",
            Self::OpenSpec => "openspec",
            Self::Kiro => "kiro",
        }
    }

    /// The directory its files lie beneath.
    pub(crate) fn base(self) -> &'static str {
        match self {
            Self::SpecKit => "specs",
            Self::OpenSpec => "openspec",
            Self::Kiro => ".kiro/specs",
        }
    }
}

/// What a file of a dialect is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Requirements,
    Tasks,
    Design,
}

/// What the path of a file says about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place<'p> {
    pub(crate) dialect: Dialect,
    pub(crate) part: Part,
    /// What ids begin with: the feature or the capability.
    pub(crate) scope: &'p str,
    /// The change that is proposed, of `OpenSpec`.
    pub(crate) change: Option<&'p str>,
}

/// Folders that hold forms to fill in, lists to tick off, samples and what is over, never
/// requirements; with a mark before the name or without.
const NO_REQUIREMENTS: [&str; 5] = ["templates", "checklists", "fixtures", "archive", "archived"];

pub(crate) fn place(path: &str) -> Option<Place<'_>> {
    let (folder, name) = path.rsplit_once('/')?;
    let is_put_away = |name: &str| {
        let name = name.trim_start_matches(['_', '.']);
        NO_REQUIREMENTS.iter().any(|it| it.eq_ignore_ascii_case(name))
    };
    if folder.split('/').any(is_put_away) {
        return None;
    }
    let placed = |dialect, part, scope, change| Some(Place { dialect, part, scope, change });
    if let Some(scope) = folder.strip_prefix(".kiro/specs/") {
        let part = match name {
            "requirements.md" => Part::Requirements,
            "tasks.md" => Part::Tasks,
            "design.md" => Part::Design,
            _ => return None,
        };
        return placed(Dialect::Kiro, part, scope, None);
    }
    if let Some(rest) = folder.strip_prefix("openspec/").filter(|_| name == "spec.md") {
        if let Some(scope) = rest.strip_prefix("specs/") {
            return placed(Dialect::OpenSpec, Part::Requirements, scope, None);
        }
        let (change, rest) = rest.strip_prefix("changes/")?.split_once('/')?;
        let scope = rest.strip_prefix("specs/")?;
        return placed(Dialect::OpenSpec, Part::Requirements, scope, Some(change));
    }
    let part = match name {
        "spec.md" => Part::Requirements,
        "tasks.md" => Part::Tasks,
        _ => return None,
    };
    // `specs/001-login`, or further down.
    let scope = folder.strip_prefix("specs/")?;
    let scope = scope.rsplit('/').next().unwrap_or(scope);
    number_of(scope)?;
    placed(Dialect::SpecKit, part, scope, None)
}

/// `001` of `001-login`.
fn number_of(scope: &str) -> Option<&str> {
    let digits = scope.bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0 && scope[digits..].starts_with(['-', '_'])).then(|| &scope[..digits])
}

/// The scopes of a project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Scopes {
    known: BTreeMap<String, BTreeSet<Dialect>>,
    /// Numbers that stand for a scope, as long as only one begins with them.
    numbers: BTreeMap<String, Option<String>>,
}

/// A reference with a scope that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Scoped {
    pub(crate) id: String,
    /// Bytes of the text the id takes up.
    pub(crate) id_length: usize,
    pub(crate) labels: Vec<Label>,
    /// Bytes of the text id and labels take up.
    pub(crate) length: usize,
}

impl Scopes {
    pub(crate) fn of<'p>(paths: impl Iterator<Item = &'p str>) -> Self {
        let mut scopes = Self::default();
        for place in paths.filter_map(place).filter(|it| it.part == Part::Requirements) {
            let dialects = scopes.known.entry(place.scope.to_owned()).or_default();
            let is_new = dialects.is_empty();
            dialects.insert(place.dialect);
            if let Some(number) = number_of(place.scope).filter(|_| is_new) {
                let meant = scopes.numbers.entry(number.to_owned());
                meant.and_modify(|it| *it = None).or_insert_with(|| Some(place.scope.to_owned()));
            }
        }
        scopes
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    pub(crate) fn has(&self, dialect: Dialect) -> bool {
        self.known.values().any(|it| it.contains(&dialect))
    }

    /// A scope that something begins with, and where behind its slash the item begins.
    pub(crate) fn begins(&self, text: &str) -> Option<(&str, &BTreeSet<Dialect>, usize)> {
        if self.known.is_empty() {
            return None;
        }
        let end = text.find(|it: char| it.is_whitespace() || it == ',').unwrap_or(text.len());
        // The longest one: capabilities may lie in one another.
        text[..end]
            .match_indices('/')
            .map(|(at, _)| at)
            .take(8)
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .find_map(|at| {
                let named = &text[..at];
                let scope = match self.known.get_key_value(named) {
                    Some((scope, _)) => scope,
                    None => self.numbers.get(named)?.as_ref()?,
                };
                Some((scope.as_str(), self.known.get(scope)?, at + 1))
            })
    }

    /// `001-login/FR-003`, `login/1.4`, `auth/session-expiry.2` at the beginning of a text.
    pub(crate) fn reference(&self, text: &str) -> Option<Scoped> {
        let (scope, dialects, from) = self.begins(text)?;
        let item = dialects.iter().find_map(|it| item::read(*it, &text[from..]))?;
        Some(Scoped {
            id: format!("{scope}/{}", item.id),
            id_length: from + item.id_length,
            labels: item.labels,
            length: from + item.length,
        })
    }

    /// A scope to show what a reference looks like.
    pub(crate) fn example(&self, dialect: Dialect) -> Option<&str> {
        let found = self.known.iter().find(|(_, dialects)| dialects.contains(&dialect));
        found.map(|(scope, _)| scope.as_str())
    }
}

/// What a title is in an id: its letters and digits, of any script, joined by dashes.
pub(crate) fn slug(title: &str) -> String {
    let mut slug = String::with_capacity(title.len());
    for it in title.chars() {
        if it.is_alphanumeric() {
            slug.extend(it.to_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.truncate(slug.trim_end_matches('-').len());
    slug
}
