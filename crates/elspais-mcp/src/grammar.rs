//! How ids and labels are spelled: one compiled form of what the configuration says.
//!
//! Ids are read leniently (any case, any padding, the separators that stand for one another) and
//! always come out in their canonical form.

#[cfg(test)]
mod tests;

use regex::Regex;

use crate::config::{Config, IdShape, LabelShape};
use crate::span::Label;

pub(crate) struct Grammar {
    id: Regex,
    journey: Regex,
    label: Regex,
    template: Vec<Part>,
    ids: IdShape,
    labels: LabelShape,
    namespace: String,
    /// Letter and name of each level.
    levels: Vec<(String, String)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Literal(String),
    Namespace,
    Level,
    Component,
    Associated,
}

/// An id that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Id {
    pub(crate) canonical: String,
    /// The name of the level its letter stands for.
    pub(crate) level: Option<String>,
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
        let mut template = parts(&config.ids.template)?;
        if config.ids.associated.is_some() && !template.contains(&Part::Associated) {
            template.insert(2.min(template.len()), Part::Associated);
        }
        let levels: Vec<(String, String)> =
            config.levels.iter().map(|it| (it.letter.clone(), it.name.clone())).collect();
        let compile = |pattern: &str| {
            Regex::new(pattern).map_err(|error| format!("the id pattern does not compile: {error}"))
        };
        let id = compile(&format!("^{}", id_pattern(config, &template)))?;
        let label = match config.labels.style {
            "numeric" | "numeric_1based" => r"^[0-9]{1,4}",
            "alphanumeric" => r"^[0-9A-Za-z]",
            _ => r"^[A-Za-z]",
        };
        Ok(Self {
            id,
            journey: compile(r"^JNY-[A-Za-z0-9][A-Za-z0-9-]*-[0-9]+")?,
            label: compile(label)?,
            template,
            ids: config.ids.clone(),
            labels: config.labels.clone(),
            namespace: config.namespace.clone(),
            levels,
        })
    }

    /// Whether something begins as an id of ours does, be it one or not.
    pub(crate) fn begins_like_id(&self, text: &str) -> bool {
        let rest =
            text.get(..self.namespace.len()).filter(|it| it.eq_ignore_ascii_case(&self.namespace));
        rest.is_some() && text[self.namespace.len()..].starts_with(['-', '_'])
    }

    pub(crate) fn namespace(&self) -> &str {
        &self.namespace
    }

    /// An id at the beginning of `text`, of a requirement.
    pub(crate) fn id(&self, text: &str) -> Option<Id> {
        let found = self.id.captures(text)?;
        let whole = found.get(0)?.as_str();
        let length = whole.len();
        // `REQ-p00001x` is no id followed by something.
        if text[length..].starts_with(|next: char| next.is_alphanumeric()) {
            return None;
        }
        let letter = found.name("level").map(|it| it.as_str());
        let level = letter.and_then(|letter| {
            self.levels.iter().find(|(it, name)| {
                it.eq_ignore_ascii_case(letter) || name.eq_ignore_ascii_case(letter)
            })
        });
        let mut canonical = String::with_capacity(whole.len());
        for part in &self.template {
            match part {
                Part::Literal(literal) => canonical.push_str(literal),
                Part::Namespace => canonical.push_str(&self.namespace),
                Part::Level => canonical.push_str(level.map_or("", |(letter, _)| letter)),
                Part::Component => {
                    canonical.push_str(&self.component(found.name("component")?.as_str())?);
                }
                Part::Associated => {
                    if let Some(code) = found.name("associated") {
                        canonical.push_str(&code.as_str()[..code.len() - 1].to_uppercase());
                        canonical.push('-');
                    }
                }
            }
        }
        Some(Id { canonical, level: level.map(|(_, name)| name.clone()), length })
    }

    fn component(&self, written: &str) -> Option<String> {
        if self.ids.style != "numeric" {
            return Some(written.to_owned());
        }
        let value = written.trim_start_matches('0');
        if value.len() > self.ids.digits.max(1) {
            return None;
        }
        if self.ids.leading_zeros {
            Some(format!("{value:0>width$}", width = self.ids.digits))
        } else {
            Some(if value.is_empty() { "0".to_owned() } else { value.to_owned() })
        }
    }

    /// The id of a user journey.
    pub(crate) fn journey(&self, text: &str) -> Option<Id> {
        let found = self.journey.find(text)?;
        Some(Id { canonical: found.as_str().to_owned(), level: None, length: found.end() })
    }

    /// An id with labels at the beginning of `text`; the namespace may be left out.
    pub(crate) fn reference(&self, text: &str) -> Option<Reference> {
        let id = match self.id(text) {
            Some(id) => id,
            None => self.short_id(text)?,
        };
        let mut at = id.length;
        let mut labels = Vec::new();
        while let Some(separator) = text[at..].chars().next() {
            let joins = if labels.is_empty() {
                separator == self.labels.separator || self.ids.separators.contains(&separator)
            } else {
                [self.labels.separator, self.labels.multi_separator, '-', '+'].contains(&separator)
                    || self.ids.separators.contains(&separator)
            };
            if !joins {
                break;
            }
            let from = at + separator.len_utf8();
            let Some(found) = self.label.find(&text[from..]) else { break };
            let end = from + found.end();
            if text[end..].starts_with(|next: char| next.is_alphanumeric()) {
                break;
            }
            let Some(label) = Label::new(&self.label_as_written(found.as_str())) else { break };
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
        // Long enough for any id, short enough to be cheap.
        let token: String = text.chars().take(80).collect();
        let id = self.id(&format!("{}{separator}{token}", self.namespace))?;
        let starts_with_letter = text.starts_with(|it: char| it.is_ascii_alphabetic());
        starts_with_letter.then(|| Id { length: id.length - before, ..id })
    }

    fn label_as_written(&self, text: &str) -> String {
        match self.labels.style {
            "uppercase" | "alphanumeric" => text.to_ascii_uppercase(),
            _ => text.to_owned(),
        }
    }

    /// The whole of `text` as a label.
    pub(crate) fn label(&self, text: &str) -> Option<Label> {
        let found = self.label.find(text)?;
        let exact = found.end() == text.len() && self.label_as_written(text) == text;
        exact.then(|| Label::new(text)).flatten()
    }

    /// The label at a place of the series, if the series is that long.
    pub(crate) fn nth_label(&self, n: usize) -> Option<Label> {
        if n >= self.labels.max_count {
            return None;
        }
        let digits = |number: usize| {
            if self.labels.zero_pad { format!("{number:02}") } else { number.to_string() }
        };
        let text = match self.labels.style {
            "numeric" => digits(n),
            "numeric_1based" => digits(n + 1),
            "alphanumeric" => {
                char::from_digit(u32::try_from(n).ok()?, 36)?.to_ascii_uppercase().to_string()
            }
            _ => char::from(b'A' + u8::try_from(n).ok()?).to_string(),
        };
        Label::new(&text)
    }

    /// Where in the series a label stands.
    pub(crate) fn place_of(&self, label: Label) -> Option<usize> {
        (0..self.labels.max_count).find(|n| self.nth_label(*n) == Some(label))
    }

    /// How a reference to labels of a requirement is written.
    pub(crate) fn write_reference(
        &self,
        id: &str,
        labels: &[Label],
        joined_by: Option<char>,
    ) -> String {
        let mut text = id.to_owned();
        for (position, label) in labels.iter().enumerate() {
            text.push(match position {
                0 => self.labels.separator,
                _ => joined_by.unwrap_or(self.labels.multi_separator),
            });
            text.push_str(label.as_str());
        }
        text
    }

    pub(crate) fn assertion_id(&self, id: &str, label: Label) -> String {
        format!("{id}{}{label}", self.labels.separator)
    }

    /// What an id looks like, for messages.
    pub(crate) fn example(&self) -> String {
        let mut text = String::new();
        for part in &self.template {
            match part {
                Part::Literal(literal) => text.push_str(literal),
                Part::Namespace => text.push_str(&self.namespace),
                Part::Level => text.push_str(self.levels.last().map_or("", |(letter, _)| letter)),
                Part::Component if self.ids.style == "numeric" => {
                    text.push_str(&self.component("1").unwrap_or_default());
                }
                Part::Component => text.push_str("name"),
                Part::Associated => {}
            }
        }
        text
    }

    pub(crate) fn example_label(&self) -> String {
        self.nth_label(0).map(|it| it.to_string()).unwrap_or_default()
    }
}

/// What is wrong with the form of ids, if anything is.
pub(crate) fn check_template(template: &str) -> Result<(), String> {
    parts(template).map(drop)
}

fn parts(template: &str) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut rest = template;
    while !rest.is_empty() {
        if let Some(inner) = rest.strip_prefix('{') {
            let Some((name, after)) = inner.split_once('}') else {
                return Err(format!("`{template}` has a brace that is not closed"));
            };
            parts.push(match name {
                "namespace" | "prefix" => Part::Namespace,
                "level.letter" | "level" | "level.name" | "type" | "type.letter" => Part::Level,
                "component" | "id" => Part::Component,
                "associated" => Part::Associated,
                other => {
                    return Err(format!(
                        "`{{{other}}}` stands for nothing; there are `{{namespace}}`, `{{level.letter}}` and `{{component}}`"
                    ));
                }
            });
            rest = after;
        } else {
            let end = rest.find('{').unwrap_or(rest.len());
            parts.push(Part::Literal(rest[..end].to_owned()));
            rest = &rest[end..];
        }
    }
    if parts.contains(&Part::Component) {
        Ok(parts)
    } else {
        Err(format!("`{template}` lacks `{{component}}`"))
    }
}

fn id_pattern(config: &Config, template: &[Part]) -> String {
    let separators: String =
        config.ids.separators.iter().map(|it| regex::escape(&it.to_string())).collect();
    let literal = |text: &str| -> String {
        let each = text.chars().map(|it| {
            if config.ids.separators.contains(&it) {
                format!("[{separators}]")
            } else {
                regex::escape(&it.to_string())
            }
        });
        each.collect()
    };
    let part = |part: &Part| match part {
        Part::Literal(text) => literal(text),
        Part::Namespace => format!("(?i:{})", regex::escape(&config.namespace)),
        Part::Level => {
            let names = config.levels.iter().flat_map(|it| [&it.letter, &it.name]);
            let mut names: Vec<String> = names.map(|it| regex::escape(it)).collect();
            names.sort_by_key(|it| std::cmp::Reverse(it.len()));
            format!("(?P<level>(?i:{}))", names.join("|"))
        }
        Part::Component => format!("(?P<component>{})", component_pattern(&config.ids)),
        Part::Associated => match config.ids.associated {
            Some(length) => format!("(?P<associated>[A-Za-z]{{{length}}}-)?"),
            None => String::new(),
        },
    };
    template.iter().map(part).collect()
}

fn component_pattern(ids: &IdShape) -> String {
    match ids.style {
        "numeric" => "[0-9]+".to_owned(),
        "alphanumeric" => "[A-Za-z0-9]+".to_owned(),
        "camelCase" => "[a-z][A-Za-z0-9]*".to_owned(),
        "PascalCase" => "[A-Z][A-Za-z0-9]*".to_owned(),
        "snake_case" => "[a-z][a-z0-9_]*".to_owned(),
        "kebab-case" => "[a-z][a-z0-9]*(?:-[a-z0-9]+)*".to_owned(),
        "uuid" => "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}".to_owned(),
        _ if !ids.pattern.is_empty() => {
            format!("(?:{})", ids.pattern.trim_start_matches('^').trim_end_matches('$'))
        }
        _ => "[A-Za-z][A-Za-z0-9]*".to_owned(),
    }
}
