//! How ids and labels are spelled: one compiled form of what the configuration says.
//!
//! Ids are read leniently (any case, any padding, the separators that stand for one another) and
//! always come out in their canonical form.

mod label;
mod pattern;
mod quick;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use regex::Regex;

use crate::domain::config::{ComponentStyle, Config, IdShape, LabelShape, LevelSpelling, Part};
use crate::domain::dialect::Scopes;
use crate::domain::span::Label;
use pattern::{firsts, id_pattern};
use quick::{Parts, Quick};

/// What ids of journeys begin with.
const JOURNEY: &str = "JNY-";

/// Letters, then pairs of them.
const LONGEST_SERIES: usize = 26 + 26 * 26;

#[derive(Clone)]
pub(crate) struct Grammar {
    id: Regex,
    /// The same without the pattern, where ids are of a shape that allows it.
    quick: Option<Quick>,
    journey: Regex,
    template: Vec<Part>,
    ids: IdShape,
    labels: LabelShape,
    namespace: String,
    levels: Vec<LevelNames>,
    scopes: Scopes,
    /// How other repositories spell the ids that may be cited here.
    neighbours: Vec<Arc<Self>>,
    /// What an id can begin with, be it one or not; by byte.
    firsts: [bool; 256],
}

/// How a level is spelled in ids.
#[derive(Debug, Clone)]
struct LevelNames {
    key: String,
    letter: String,
    name: String,
}

impl LevelNames {
    fn spellings(&self) -> [&str; 3] {
        [&self.key, &self.letter, &self.name]
    }

    fn as_part(&self, spelling: LevelSpelling) -> &str {
        match spelling {
            LevelSpelling::Letter => &self.letter,
            LevelSpelling::Key => &self.key,
        }
    }
}

/// An id that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Id {
    pub(crate) canonical: String,
    /// Which level its letter stands for; `Grammar::level_name` says what it is called.
    level: Option<usize>,
    /// Bytes of the text it takes up.
    pub(crate) length: usize,
}

/// An id with the labels behind it: `REQ-p00001-A-B`, `REQ-p00001-A+B`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reference {
    pub(crate) id: Id,
    pub(crate) labels: Vec<Label>,
    /// Bytes of the text id and labels take up.
    pub(crate) length: usize,
}

impl Reference {
    /// Whether the word it was read from goes on behind it: `REQ-p00001-AA` names no assertion,
    /// and to take it for the requirement would say more than was written.
    pub(crate) fn goes_on(&self, text: &str) -> bool {
        let rest = &text[self.length..];
        let mut characters = rest.chars();
        characters.next().is_some_and(is_joint)
            && characters.next().is_some_and(char::is_alphanumeric)
    }
}

/// The word at the beginning of `text`, as far as an id with labels could go.
pub(crate) fn word(text: &str) -> &str {
    let end = text.find(|it: char| !(it.is_alphanumeric() || is_joint(it))).unwrap_or(text.len());
    &text[..end]
}

fn is_joint(it: char) -> bool {
    matches!(it, '-' | '_' | '+')
}

impl Grammar {
    pub(crate) fn new(config: &Config) -> Result<Self, String> {
        let mut template = config.ids.template.clone();
        if config.ids.associated.is_some() && !template.contains(&Part::Associated) {
            template.insert(2.min(template.len()), Part::Associated);
        }
        let levels = config.levels.iter().map(|it| LevelNames {
            key: it.key.clone(),
            letter: it.letter.clone(),
            name: it.name.clone(),
        });
        let levels: Vec<LevelNames> = levels.collect();
        let compile = |pattern: &str| {
            Regex::new(pattern).map_err(|error| format!("the id pattern does not compile: {error}"))
        };
        let id = compile(&format!("^{}", id_pattern(config, &template)))?;
        let firsts = firsts(config, template.first());
        Ok(Self {
            id,
            quick: Quick::new(config, &template, &levels),
            journey: compile(r"^JNY-(?:[A-Za-z0-9][A-Za-z0-9-]*-)?[0-9]+")?,
            template,
            ids: config.ids.clone(),
            labels: config.labels.clone(),
            namespace: config.namespace.clone(),
            levels,
            scopes: Scopes::default(),
            neighbours: Vec::new(),
            firsts,
        })
    }

    /// Lets ids of the dialects be read that begin with these scopes.
    pub(crate) fn with_scopes(self, scopes: Scopes) -> Self {
        let firsts = if scopes.is_empty() { self.firsts } else { [true; 256] };
        Self { scopes, firsts, ..self }
    }

    /// Lets ids of other repositories be read, where they are none of this one.
    pub(crate) fn with_neighbours(self, neighbours: Vec<Arc<Self>>) -> Self {
        let firsts = if neighbours.is_empty() { self.firsts } else { [true; 256] };
        Self { neighbours, firsts, ..self }
    }

    pub(crate) fn scopes(&self) -> &Scopes {
        &self.scopes
    }

    /// Whether an id is one of the dialects.
    fn is_scoped(&self, id: &str) -> bool {
        id.contains('/') && self.scopes.begins(id).is_some()
    }

    /// Whether something begins as an id of ours does, be it one or not.
    pub(crate) fn begins_like_id(&self, text: &str) -> bool {
        if !text.as_bytes().first().is_some_and(|it| self.firsts[usize::from(*it)]) {
            return false;
        }
        let begins = |word: &str| {
            let there = text.get(..word.len()).filter(|it| it.eq_ignore_ascii_case(word));
            there.is_some() && text[word.len()..].starts_with(['-', '_'])
        };
        let is_neighbours = || self.neighbours.iter().any(|it| it.begins_like_id(text));
        let is_journey = text.starts_with(JOURNEY);
        if is_journey || self.scopes.begins(text).is_some() || is_neighbours() {
            return true;
        }
        match self.template.first() {
            Some(Part::Level(_)) => self.levels.iter().flat_map(LevelNames::spellings).any(begins),
            Some(Part::Component) => self.id(text).is_some(),
            Some(Part::Literal(literal)) => {
                text.get(..literal.len()).is_some_and(|it| it.eq_ignore_ascii_case(literal))
            }
            Some(Part::Namespace | Part::Associated) | None => begins(&self.namespace),
        }
    }

    pub(crate) fn namespace(&self) -> &str {
        &self.namespace
    }

    /// An id at the beginning of `text`, of a requirement.
    pub(crate) fn id(&self, text: &str) -> Option<Id> {
        // Most of what is asked for begins like none.
        if self.template.first() == Some(&Part::Namespace)
            && !text
                .get(..self.namespace.len())
                .is_some_and(|it| it.eq_ignore_ascii_case(&self.namespace))
        {
            return None;
        }
        let found = match self.quick.as_ref().map(|it| it.read(text)) {
            Some(Ok(found)) => found?,
            Some(Err(quick::Unsure)) | None => self.matched(text)?,
        };
        // `REQ-p00001x` is no id followed by something.
        if text[found.length..].starts_with(|next: char| next.is_alphanumeric()) {
            return None;
        }
        let level = found.level.and_then(|letter| {
            let means = |it: &LevelNames| {
                it.spellings().iter().any(|spelling| spelling.eq_ignore_ascii_case(letter))
            };
            self.levels.iter().position(means)
        });
        let mut canonical = String::with_capacity(found.length);
        for part in &self.template {
            match part {
                Part::Literal(literal) => canonical.push_str(literal),
                Part::Namespace => canonical.push_str(&self.namespace),
                Part::Level(spelling) => {
                    canonical.push_str(level.map_or("", |it| self.levels[it].as_part(*spelling)));
                }
                Part::Component => self.write_component(found.component?, &mut canonical)?,
                Part::Associated => {
                    if let Some(code) = found.associated {
                        canonical.push_str(&code[..code.len() - 1].to_uppercase());
                        canonical.push('-');
                    }
                }
            }
        }
        Some(Id { canonical, level, length: found.length })
    }

    /// What the pattern makes of the beginning of a text.
    fn matched<'t>(&self, text: &'t str) -> Option<Parts<'t>> {
        let found = self.id.captures(text)?;
        let part = |name: &str| found.name(name).map(|it| it.as_str());
        Some(Parts {
            length: found.get(0)?.len(),
            level: part("level"),
            component: part("component"),
            associated: part("associated"),
        })
    }

    /// What the level of an id is called.
    pub(crate) fn level_name(&self, id: &Id) -> Option<&str> {
        Some(&self.levels[id.level?].name)
    }

    /// A component as it is spelled in canonical ids; `None` for a number that is too long.
    fn write_component(&self, written: &str, into: &mut String) -> Option<()> {
        if self.ids.style != ComponentStyle::Numeric {
            into.push_str(written);
            return Some(());
        }
        let value = written.trim_start_matches('0');
        if value.len() > self.ids.digits.max(1) {
            return None;
        }
        let width = if self.ids.leading_zeros { self.ids.digits } else { 1 };
        into.extend(std::iter::repeat_n('0', width.saturating_sub(value.len())));
        into.push_str(value);
        Some(())
    }

    /// The id of a user journey.
    pub(crate) fn journey(&self, text: &str) -> Option<Id> {
        if !text.starts_with(JOURNEY) {
            return None;
        }
        let found = self.journey.find(text)?;
        Some(Id { canonical: found.as_str().to_owned(), level: None, length: found.end() })
    }

    /// A journey, or one of its steps: `JNY-Sign-In-01/2`.
    fn journey_step(&self, text: &str) -> Option<Reference> {
        let id = self.journey(text).filter(|_| text.starts_with(JOURNEY))?;
        let rest = text[id.length..].strip_prefix('/').unwrap_or_default();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let step = Label::new(&rest[..digits]);
        let length = id.length + step.map_or(0, |_| digits + 1);
        Some(Reference { id, labels: step.into_iter().collect(), length })
    }

    /// An id with labels at the beginning of `text`; the namespace may be left out.
    pub(crate) fn reference(&self, text: &str) -> Option<Reference> {
        if let Some(found) = self.journey_step(text) {
            return Some(found);
        }
        if let Some(found) = self.scopes.reference(text) {
            let id = Id { canonical: found.id, level: None, length: found.id_length };
            return Some(Reference { id, labels: found.labels, length: found.length });
        }
        let own = self.id(text);
        if own.is_none() {
            let whole = |it: &Arc<Self>| it.id(text).and_then(|_| it.reference(text));
            if let Some(found) = self.neighbours.iter().find_map(whole) {
                return Some(found);
            }
        }
        let id = own.or_else(|| self.short_id(text))?;
        let mut at = id.length;
        let mut labels = Vec::new();
        while let Some(separator) = text[at..].chars().next() {
            let joins = if labels.is_empty() {
                separator == self.labels.separator
                    || separator == '/'
                    || self.ids.separators.contains(&separator)
            } else {
                [self.labels.separator, self.labels.multi_separator, '-', '+'].contains(&separator)
                    || self.ids.separators.contains(&separator)
            };
            if !joins {
                break;
            }
            let from = at + separator.len_utf8();
            let length = self.label_length(&text[from..]);
            if length == 0 {
                break;
            }
            let end = from + length;
            if text[end..].starts_with(|next: char| next.is_alphanumeric()) {
                break;
            }
            // A word behind a slash is a label only where it is written as one.
            let found = &text[from..end];
            let spelled = self.label_as_written(found);
            if separator == '/' && spelled != found {
                break;
            }
            let Some(label) = Label::new(&spelled) else { break };
            labels.push(label);
            at = end;
        }
        Some(Reference { id, labels, length: at })
    }

    /// `p00001` stands for `REQ-p00001`.
    fn short_id(&self, text: &str) -> Option<Id> {
        if self.template.first() != Some(&Part::Namespace) || self.begins_like_id(text) {
            return None;
        }
        let Some(Part::Literal(separator)) = self.template.get(1) else { return None };
        let before = self.namespace.len() + separator.len();
        if !text.starts_with(|it: char| it.is_ascii_alphabetic()) {
            return None;
        }
        // Long enough for any id, short enough to be cheap.
        let token = text.char_indices().nth(80).map_or(text, |(at, _)| &text[..at]);
        let id = self.id(&format!("{}{separator}{token}", self.namespace))?;
        Some(Id { length: id.length - before, ..id })
    }

    /// What an id looks like, for messages.
    pub(crate) fn example(&self) -> String {
        let mut text = String::new();
        for part in &self.template {
            match part {
                Part::Literal(literal) => text.push_str(literal),
                Part::Namespace => text.push_str(&self.namespace),
                Part::Level(spelling) => {
                    text.push_str(self.levels.last().map_or("", |it| it.as_part(*spelling)));
                }
                Part::Component if self.ids.style == ComponentStyle::Numeric => {
                    self.write_component("1", &mut text);
                }
                Part::Component => text.push_str("name"),
                Part::Associated => {}
            }
        }
        text
    }
}
