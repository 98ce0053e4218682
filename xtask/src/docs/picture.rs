//! A terminal as a picture: the first screen of what a person sees of a server.

use std::fmt::Write as _;

const LINES: usize = 30;
const COLUMNS: usize = 100;
const LINE_HEIGHT: usize = 18;

pub(super) fn of(title: &str, told: &str) -> String {
    let lines: Vec<&str> = told.trim_matches('\n').lines().take(LINES).collect();
    let (width, height) = (COLUMNS * 8 + 40, lines.len() * LINE_HEIGHT + 70);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"ui-monospace, Menlo, Consolas, monospace\" font-size=\"13\">\n<title>{title}</title>\n<rect width=\"{width}\" height=\"{height}\" rx=\"10\" fill=\"#16191d\"/>\n<text x=\"20\" y=\"26\" fill=\"#7d8590\">{title}</text>\n"
    );
    for (index, line) in lines.iter().enumerate() {
        let y = 56 + index * LINE_HEIGHT;
        let line = line.trim_end().strip_prefix("  ").unwrap_or(line.trim_end());
        let colour = colour_of(line);
        let text = escaped(&cut(line));
        let _infallible = writeln!(
            svg,
            "<text x=\"20\" y=\"{y}\" fill=\"{colour}\" xml:space=\"preserve\">{text}</text>"
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// Commands stand out, what is wrong is red, what is well is green, and the narrator is bright.
fn colour_of(line: &str) -> &'static str {
    let inner = line.trim_start();
    let is_any = |words: &[&str]| words.iter().any(|it| inner.contains(it));
    if line.starts_with("$ ") {
        "#79c0ff"
    } else if inner.starts_with('✗') || is_any(&["error:", "HIGH ", "MEDIUM "]) {
        "#ff7b72"
    } else if inner.starts_with('✓') || inner.starts_with("+ ") {
        "#7ee787"
    } else if line.starts_with("  ") {
        "#c9d1d9"
    } else {
        "#f0f6fc"
    }
}

fn cut(line: &str) -> String {
    match line.char_indices().nth(COLUMNS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_page_would_take_for_markup_is_escaped_and_long_lines_are_cut() {
        let svg = of("x", &format!("  $ a <b> & c\n{}\n", "y".repeat(200)));
        assert!(svg.contains("$ a &lt;b&gt; &amp; c</text>"), "{svg}");
        assert!(svg.contains(&format!("{}…", "y".repeat(COLUMNS))), "{svg}");
    }
}
