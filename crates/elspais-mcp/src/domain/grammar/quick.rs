//! Ids of the usual shape, told byte by byte: every header and every citation is asked about, and a
//! pattern takes ten times as long to say the same.

use super::LevelNames;
use crate::domain::config::{ComponentStyle, Config, Part};

/// What a text was found to begin with, part by part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Parts<'t> {
    pub(super) length: usize,
    pub(super) level: Option<&'t str>,
    pub(super) component: Option<&'t str>,
    pub(super) associated: Option<&'t str>,
}

/// The shape of ids, where bytes are enough to tell it.
#[derive(Debug, Clone)]
pub(super) struct Quick {
    steps: Vec<Step>,
}

#[derive(Debug, Clone)]
enum Step {
    /// At each place any of these.
    Literal(Vec<Vec<u8>>),
    /// In any case.
    Word(Vec<u8>),
    /// The spellings of all levels, in the order in which they are tried.
    Level(Vec<Vec<u8>>),
    Digits,
}

/// Letters beyond ASCII may fold to one: the pattern has to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unsure;

impl Quick {
    /// `None` for shapes that take more than a look at each byte.
    pub(super) fn new(config: &Config, template: &[Part], levels: &[LevelNames]) -> Option<Self> {
        let is_numeric = config.ids.style == ComponentStyle::Numeric;
        // Digits take all they can, which is only right where nothing follows.
        let ends_in_digits = matches!(template.split_last(), Some((Part::Component, rest))
            if !rest.contains(&Part::Component));
        let n_levels = template.iter().filter(|it| matches!(it, Part::Level(_))).count();
        if !is_numeric || !ends_in_digits || n_levels > 1 {
            return None;
        }
        let separators = &config.ids.separators;
        let steps = template.iter().map(|part| {
            Some(match part {
                Part::Literal(text) => {
                    let one = |it: char| -> Option<Vec<u8>> {
                        let alike = separators.contains(&it).then(|| separators.iter().copied());
                        let alike = alike.into_iter().flatten().chain([it]);
                        alike.map(|it| it.is_ascii().then_some(it as u8)).collect()
                    };
                    Step::Literal(text.chars().map(one).collect::<Option<_>>()?)
                }
                Part::Namespace if config.namespace.is_ascii() => {
                    Step::Word(config.namespace.clone().into_bytes())
                }
                Part::Level(_) => {
                    let mut all: Vec<&String> =
                        levels.iter().flat_map(|it| [&it.letter, &it.name, &it.key]).collect();
                    // As in the pattern: the longest first, else as they come.
                    all.sort_by_key(|it| std::cmp::Reverse(it.len()));
                    if all.iter().any(|it| !it.is_ascii() || it.is_empty()) {
                        return None;
                    }
                    Step::Level(all.into_iter().map(|it| it.clone().into_bytes()).collect())
                }
                Part::Component => Step::Digits,
                Part::Namespace | Part::Associated => return None,
            })
        });
        Some(Self { steps: steps.collect::<Option<_>>()? })
    }

    /// The id that a text begins with.
    pub(super) fn read<'t>(&self, text: &'t str) -> Result<Option<Parts<'t>>, Unsure> {
        let nothing = Parts { length: 0, level: None, component: None, associated: None };
        follow(&self.steps, text, nothing)
    }
}

fn follow<'t>(
    steps: &[Step],
    text: &'t str,
    mut found: Parts<'t>,
) -> Result<Option<Parts<'t>>, Unsure> {
    let bytes = text.as_bytes();
    for (nth, step) in steps.iter().enumerate() {
        let at = found.length;
        match step {
            Step::Literal(places) => {
                for (offset, allowed) in places.iter().enumerate() {
                    match bytes.get(at + offset) {
                        Some(byte) if allowed.contains(byte) => {}
                        _ => return Ok(None),
                    }
                }
                found.length += places.len();
            }
            Step::Word(word) => {
                if !is_word(bytes, at, word)? {
                    return Ok(None);
                }
                found.length += word.len();
            }
            Step::Level(spellings) => {
                for spelling in spellings {
                    if is_word(bytes, at, spelling)? {
                        let end = at + spelling.len();
                        let level = Some(&text[at..end]);
                        let rest = Parts { length: end, level, ..found };
                        if let Some(whole) = follow(&steps[nth + 1..], text, rest)? {
                            return Ok(Some(whole));
                        }
                    }
                }
                return Ok(None);
            }
            Step::Digits => {
                let digits = bytes[at..].iter().take_while(|it| it.is_ascii_digit()).count();
                if digits == 0 {
                    return Ok(None);
                }
                found.length += digits;
                found.component = Some(&text[at..found.length]);
            }
        }
    }
    Ok(Some(found))
}

/// Whether a word stands at a place, in any case.
fn is_word(text: &[u8], at: usize, word: &[u8]) -> Result<bool, Unsure> {
    for (offset, wanted) in word.iter().enumerate() {
        match text.get(at + offset) {
            Some(byte) if byte.eq_ignore_ascii_case(wanted) => {}
            Some(byte) if !byte.is_ascii() => return Err(Unsure),
            _ => return Ok(false),
        }
    }
    Ok(true)
}
