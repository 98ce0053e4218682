//! A Markdown file cut into front matter, body and sections, whatever state it is in.

use mcp_core::frontmatter;
use mcp_core::markdown::{self, Section};
use mcp_core::text;
use serde_json::{Map, Value};

use crate::domain::heading;
use crate::error::Error;

/// What the front matter of a file turned out to be.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Front {
    Fields(Map<String, Value>),
    None,
    Empty,
    /// With what is wrong, in a few words.
    Invalid(String),
}

impl Front {
    pub(crate) fn of(text: &str) -> Self {
        match frontmatter::parse::<Value>(text) {
            Ok((None, _)) => Self::None,
            Ok((Some(Value::Object(fields)), _)) if !fields.is_empty() => Self::Fields(fields),
            Ok((Some(Value::Object(_) | Value::Null), _)) => Self::Empty,
            Ok((Some(_), _)) => Self::Invalid("it is not a list of `key: value` lines".to_owned()),
            Err(frontmatter::Error::Yaml(_)) if is_blank(text) => Self::Empty,
            Err(frontmatter::Error::Yaml(error)) => {
                Self::Invalid(match (error.line, error.column) {
                    (Some(line), Some(column)) => {
                        format!("not valid YAML at line {line}, column {column}")
                    }
                    (Some(line), None) => format!("not valid YAML at line {line}"),
                    _ => "not valid YAML".to_owned(),
                })
            }
            Err(frontmatter::Error::Unclosed) => {
                Self::Invalid("the closing `---` line is missing".to_owned())
            }
            Err(frontmatter::Error::Language { language }) => {
                Self::Invalid(format!("written in `{language}`, only YAML is read"))
            }
        }
    }

    /// A field as one line of text; absent, empty and nested values are none.
    pub(crate) fn field(&self, name: &str) -> Option<String> {
        let Self::Fields(fields) = self else { return None };
        let value = match fields.get(name)? {
            Value::String(words) => text::one_line(words),
            Value::Number(number) => number.to_string(),
            Value::Bool(flag) => flag.to_string(),
            _ => return None,
        };
        (!value.is_empty()).then_some(value)
    }
}

fn is_blank(text: &str) -> bool {
    frontmatter::split(text).is_ok_and(|it| it.front.is_some_and(|front| front.trim().is_empty()))
}

/// Everything after the front matter, also after a block that cannot be read.
pub(crate) fn body(text: &str) -> &str {
    if let Ok(document) = frontmatter::split(text) {
        return document.body;
    }
    let mut offset = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        offset += line.len();
        if index > 0 && line.trim_end() == "---" {
            return &text[offset..];
        }
    }
    text
}

/// One section, its heading and subsections included, byte for byte.
pub(crate) fn section<'a>(text: &'a str, wanted: &str, file: &str) -> Result<&'a str, Error> {
    let body = body(text);
    let sections = markdown::sections(body);
    let exact = sections.iter().find(|it| heading::is(&it.heading.text, wanted));
    let found = exact.or_else(|| {
        let mut alike = sections.iter().filter(|it| heading::contains(&it.heading.text, wanted));
        let first = alike.next();
        // Two that fit are for the caller to tell apart.
        first.filter(|_| alike.next().is_none())
    });
    match found {
        Some(section) => Ok(&body[section.span()]),
        None => Err(Error::Section {
            wanted: text::one_line(text::cut(wanted, 100)),
            file: file.to_owned(),
            sections: outline(&sections),
        }),
    }
}

fn outline(sections: &[Section]) -> String {
    let names: Vec<String> =
        sections.iter().map(|it| text::one_line(text::cut(&it.heading.text, 80))).collect();
    if names.is_empty() { "none, the file has no headings".to_owned() } else { names.join(" · ") }
}

/// The sections of a body that count as parts of it: its title is one only when it says nothing
/// else than what is looked for.
pub(crate) fn has_section(body: &str, any_of: &[String], none_of: &[String]) -> bool {
    let headings = markdown::headings(body);
    let has_title = headings.first().is_some_and(|first| first.level == 1)
        && headings.iter().filter(|it| it.level == 1).count() == 1;
    headings.iter().enumerate().any(|(index, it)| {
        if index == 0 && has_title {
            return any_of.iter().any(|wanted| heading::is(&it.text, wanted));
        }
        any_of.iter().any(|wanted| heading::contains(&it.text, wanted))
            && !none_of.iter().any(|other| heading::contains(&it.text, other))
    })
}

/// The lines of a text that are not inside a code fence.
pub(crate) fn lines_outside_fences(text: &str) -> impl Iterator<Item = &str> {
    let mut fence: Option<&str> = None;
    text.lines().filter(move |line| {
        let start = line.trim_start();
        let marker = ["```", "~~~"].into_iter().find(|it| start.starts_with(it));
        match (fence, marker) {
            (None, None) => true,
            (None, Some(marker)) => {
                fence = Some(marker);
                false
            }
            (Some(open), Some(marker)) if open == marker => {
                fence = None;
                false
            }
            (Some(_), _) => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(body: &str, wanted: &str, but_not: &str) -> bool {
        let list = |it: &str| if it.is_empty() { vec![] } else { vec![it.to_owned()] };
        has_section(body, &list(wanted), &list(but_not))
    }

    #[test]
    fn front_matter_in_any_state_has_a_name() {
        assert_eq!(Front::of("# x\n"), Front::None);
        assert_eq!(Front::of("---\n---\n"), Front::Empty);
        assert_eq!(Front::of("---\n\n---\n"), Front::Empty);
        assert_eq!(Front::of("---\n{}\n---\n"), Front::Empty);
        assert!(matches!(Front::of("---\n- a\n---\n"), Front::Invalid(_)));
        assert!(matches!(Front::of("---\na: [\n---\n"), Front::Invalid(_)));
        assert!(matches!(Front::of("---js\nx\n---\n"), Front::Invalid(it) if it.contains("js")));
        assert!(matches!(Front::of("---\na: b\n"), Front::Invalid(it) if it.contains("closing")));
        let front =
            Front::of("\u{feff}---\r\nstage:  Design \r\nn: 3\r\nempty:\r\nl: [a]\r\n---\r\n");
        assert_eq!(front.field("stage").as_deref(), Some("Design"));
        assert_eq!(front.field("n").as_deref(), Some("3"));
        assert_eq!(front.field("empty"), None);
        assert_eq!(front.field("l"), None);
    }

    #[test]
    fn a_duplicate_key_is_invalid_with_its_place_in_the_file() {
        let Front::Invalid(problem) = Front::of("---\na: 1\na: 2\n---\n") else { panic!() };
        assert_eq!(problem, "not valid YAML at line 3, column 1");
    }

    #[test]
    fn the_body_follows_a_block_that_cannot_be_read() {
        assert_eq!(body("---js\ncode()\n---\n# x\n"), "# x\n");
        assert_eq!(body("---\nnever closed\n"), "---\nnever closed\n");
        assert_eq!(body("\u{feff}# x\n"), "# x\n");
    }

    #[test]
    fn a_section_is_found_by_name_number_or_part_of_its_name() {
        let text = "---\na: b\n---\n# T\n## 1. One\na\n### Deep\nb\n## Two parts\nc\n";
        assert_eq!(section(text, "one", "f").unwrap(), "## 1. One\na\n### Deep\nb\n");
        assert_eq!(section(text, "parts", "f").unwrap(), "## Two parts\nc\n");
        let error = section(text, "three", "f.md").unwrap_err().to_string();
        assert_eq!(error, "No section 'three' in f.md. Sections: T · 1. One · Deep · Two parts.");
    }

    #[test]
    fn a_name_that_fits_two_sections_is_not_guessed() {
        assert!(section("## Entry gate\n## Exit gate\n", "gate", "f").is_err());
    }

    #[test]
    fn the_title_is_no_section_unless_it_is_the_whole_name() {
        assert!(!has("# Brief: Scope Manager\n## Summary\n", "scope", ""));
        assert!(has("# Scope\ntext\n", "scope", ""));
        assert!(has("# The Scope\n# Summary\n", "scope", ""));
    }

    #[test]
    fn only_real_headings_count() {
        assert!(has("Scope\n=====\n", "scope", ""));
        assert!(!has("# T\n```\n## Scope\n```\n", "scope", ""));
        assert!(!has("# T\n## Out of Scope\n", "scope", "out of scope"));
        assert!(has("# T\n## Out of Scope\n## Scope\n", "scope", "out of scope"));
        assert!(!has("# T\n##Scope\n", "scope", ""));
    }

    #[test]
    fn fenced_lines_are_left_out() {
        let kept: Vec<&str> = lines_outside_fences("a\n```x\nb\n~~~\n```\nc\n").collect();
        assert_eq!(kept, ["a", "c"]);
    }
}
