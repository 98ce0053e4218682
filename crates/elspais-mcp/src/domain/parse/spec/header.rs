//! The line a requirement or a journey begins with.

use crate::domain::grammar::Grammar;
use crate::domain::parse::Contents;
use crate::domain::parse::lines::Line;
use crate::domain::span::Span;

pub(super) struct Header {
    pub(super) kind: HeaderKind,
    pub(super) id: String,
    pub(super) id_span: Span,
    pub(super) title: Span,
    /// The name of the level its id stands for.
    pub(super) level: Option<Box<str>>,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum HeaderKind {
    Requirement,
    Journey,
}

/// Whether a line can be a header at all. Most are not, and this is asked of all of them.
pub(super) fn may_begin(grammar: &Grammar, line: &str) -> bool {
    line.as_bytes().first() == Some(&b'#') || grammar.begins_like_id(line)
}

/// Reads `## REQ-p00001: Title`. Without any `#` it has to be followed by metadata, since prose may
/// begin the same way.
pub(super) fn read(
    grammar: &Grammar,
    text: &str,
    line: &Line,
    number: u32,
    follows_metadata: &dyn Fn() -> bool,
    contents: &mut Contents,
) -> Option<Header> {
    let words = line.of(text);
    if !may_begin(grammar, words) {
        return None;
    }
    let rest = words.trim_start_matches('#');
    let depth = words.len() - rest.len();
    let is_heading = (1..=6).contains(&depth) && rest.starts_with([' ', '\t']);
    if depth > 0 && !is_heading {
        return None;
    }
    let rest = rest.trim_start_matches([' ', '\t']);
    let (kind, id) = match grammar.journey(rest) {
        Some(id) if is_heading => (HeaderKind::Journey, id),
        _ => {
            if let Some(id) = grammar.id(rest) {
                (HeaderKind::Requirement, id)
            } else {
                if is_heading && grammar.begins_like_id(rest) && rest.contains(':') {
                    let token = rest.split(':').next().unwrap_or_default();
                    let message = format!(
                        "`{}` is not an id such as {}, so no requirement begins here",
                        mcp_core::text::one_line(mcp_core::text::cut(token, 60)),
                        grammar.example()
                    );
                    contents.remark(number, "malformed_id", message);
                }
                return None;
            }
        }
    };
    let Some(title) = rest[id.length..].trim_start().strip_prefix(':') else {
        if is_heading {
            let message = format!(
                "a requirement's header is `{}: Title`; here the colon is missing",
                id.canonical
            );
            contents.remark(number, "malformed_header", message);
        }
        return None;
    };
    if !is_heading && !follows_metadata() {
        return None;
    }
    let title = title.trim();
    if title.is_empty() {
        contents.remark(number, "empty_title", format!("{} has no title", id.canonical));
    }
    let title =
        if title.is_empty() { Span::new(line.end, line.end) } else { Span::within(text, title) };
    let id_span = Span::within(text, &rest[..id.length]);
    let level = grammar.level_name(&id).map(Into::into);
    Some(Header { kind, id: id.canonical, id_span, title, level })
}
