//! What a documentation comment says, without the marks of its language.

const SUMMARY_CHARS: usize = 240;

/// The text of a comment, line by line.
pub(super) fn plain(raw: &str) -> String {
    let raw = raw.trim();
    let body = ["\"\"\"", "'''"]
        .iter()
        .find_map(|quotes| {
            raw.trim_start_matches(['r', 'R', 'u', 'U', 'b'])
                .strip_prefix(quotes)?
                .strip_suffix(quotes)
        })
        .unwrap_or(raw);
    let body = body.strip_prefix("/**").or_else(|| body.strip_prefix("/*")).unwrap_or(body);
    let body = body.strip_suffix("*/").unwrap_or(body);
    let lines = body.lines().map(|line| {
        let line = line.trim();
        for mark in ["///", "//!", "//", "/**", "*/", "#"] {
            if let Some(rest) = line.strip_prefix(mark) {
                return rest.trim();
            }
        }
        line.strip_prefix('*').map_or(line, str::trim)
    });
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}

/// The first paragraph, up to a tag or a heading.
pub(super) fn summary(raw: &str) -> String {
    let text = plain(raw);
    let ends = |line: &&str| !line.is_empty() && !line.starts_with('@') && !line.starts_with("# ");
    let paragraph = text.lines().skip_while(|line| line.is_empty()).take_while(ends);
    let paragraph: Vec<&str> = paragraph.filter(|line| !is_rule(line)).collect();
    let line = paragraph.join(" ");
    let cut = mcp_core::text::cut(&line, SUMMARY_CHARS);
    if cut.len() < line.len() { format!("{cut}…") } else { line }
}

/// A line drawn under a title.
fn is_rule(line: &str) -> bool {
    let first = line.chars().next().filter(char::is_ascii_punctuation);
    line.len() > 2 && first.is_some_and(|first| line.chars().all(|it| it == first))
}

/// Whether the comment says that something is no longer to be used.
pub(super) fn is_deprecated(raw: &str) -> bool {
    plain(raw)
        .lines()
        .any(|line| line.starts_with("@deprecated") || line.starts_with("Deprecated:"))
}
