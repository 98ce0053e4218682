//! Headings and sections of a Markdown text, found by the parser: a `#` inside a fence is not a heading.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// A heading of either style, with `#` or underlined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// From 1, the highest, to 6.
    pub level: u8,
    /// The heading's words without markup, on one line.
    pub text: String,
    /// The bytes of the heading itself, markers included.
    pub span: Range<usize>,
    /// Counted from 1.
    pub line: usize,
}

/// A heading with everything up to the next heading of its level or above.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The heading it starts with.
    pub heading: Heading,
    /// The bytes after the heading, subsections included.
    pub body: Range<usize>,
}

impl Section {
    /// Heading and body together.
    pub fn span(&self) -> Range<usize> {
        self.heading.span.start..self.body.end
    }
}

fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
}

/// All headings in reading order, front matter and fenced code left out.
pub fn headings(text: &str) -> Vec<Heading> {
    let mut headings = Vec::new();
    let mut open: Option<Heading> = None;
    let mut lines = LineCounter::new(text);
    for (event, span) in Parser::new_ext(text, options()).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                let line = lines.line_at(span.start);
                let level = level as u8;
                open = Some(Heading { level, text: String::new(), span, line });
            }
            Event::End(TagEnd::Heading(_)) => {
                if let Some(mut heading) = open.take() {
                    heading.text = heading.text.split_whitespace().collect::<Vec<_>>().join(" ");
                    headings.push(heading);
                }
            }
            Event::Text(words) | Event::Code(words) => {
                if let Some(heading) = &mut open {
                    heading.text.push_str(&words);
                }
            }
            Event::SoftBreak | Event::HardBreak => {
                if let Some(heading) = &mut open {
                    heading.text.push(' ');
                }
            }
            _ => {}
        }
    }
    headings
}

/// All sections in reading order; a section contains its subsections, which are listed too.
pub fn sections(text: &str) -> Vec<Section> {
    let headings = headings(text);
    let mut ends = vec![text.len(); headings.len()];
    let mut open: Vec<usize> = Vec::new();
    for (index, heading) in headings.iter().enumerate() {
        while let Some(&last) = open.last() {
            if headings[last].level < heading.level {
                break;
            }
            ends[last] = heading.span.start;
            open.pop();
        }
        open.push(index);
    }
    headings
        .into_iter()
        .zip(ends)
        .map(|(heading, end)| Section { body: heading.span.end..end, heading })
        .collect()
}

/// The first section whose heading is `title`, case and surrounding space aside.
pub fn section(text: &str, title: &str) -> Option<Section> {
    let title = title.trim().to_lowercase();
    sections(text).into_iter().find(|section| section.heading.text.to_lowercase() == title)
}

/// Turns ascending byte offsets into line numbers in one pass over the text.
struct LineCounter<'a> {
    bytes: &'a [u8],
    seen: usize,
    line: usize,
}

impl<'a> LineCounter<'a> {
    fn new(text: &'a str) -> Self {
        Self { bytes: text.as_bytes(), seen: 0, line: 1 }
    }

    fn line_at(&mut self, offset: usize) -> usize {
        if offset > self.seen {
            let newlines = self.bytes[self.seen..offset].iter().filter(|byte| **byte == b'\n');
            self.line += newlines.count();
            self.seen = offset;
        }
        self.line
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn outline(text: &str) -> Vec<(u8, String, usize)> {
        headings(text).into_iter().map(|it| (it.level, it.text, it.line)).collect()
    }

    #[test]
    fn headings_carry_level_words_and_line() {
        let text = "# One `code`\n\ntext\n\nTwo *words*\n---\n\n### 3. Deep\n";
        let expected = [
            (1, "One code".to_owned(), 1),
            (2, "Two words".to_owned(), 5),
            (3, "3. Deep".to_owned(), 8),
        ];
        assert_eq!(outline(text), expected);
    }

    #[test]
    fn fences_comments_and_front_matter_hold_no_headings() {
        let text = "---\ntitle: x\n---\n```\n# fenced\n```\n\n<!--\n# hidden\n-->\n\n    # code\n";
        assert_eq!(outline(text), []);
    }

    #[test]
    fn a_section_ends_at_the_next_heading_of_its_level() {
        let text = "# A\na\n## B\nb\n### C\nc\n## D\nd\n";
        let b = section(text, "b").unwrap();
        assert_eq!(&text[b.body.clone()], "b\n### C\nc\n");
        assert_eq!(&text[b.span()], "## B\nb\n### C\nc\n");
        assert_eq!(&text[section(text, "D").unwrap().body], "d\n");
        assert_eq!(section(text, "missing"), None);
    }

    #[test]
    fn ten_thousand_nested_quotes_and_lists_do_not_exhaust_the_stack() {
        headings(&">".repeat(10_000));
        headings(&"- ".repeat(10_000));
    }

    proptest! {
        #[test]
        fn sections_lie_within_the_text_at_character_boundaries(text in "(#|é| |\n|```|a|-|>){0,60}") {
            for section in sections(&text) {
                prop_assert!(text.get(section.span()).is_some());
                prop_assert!(text.get(section.body).is_some());
            }
        }
    }
}
