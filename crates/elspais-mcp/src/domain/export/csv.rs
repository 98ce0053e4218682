//! Requirements as rows, one for each assertion.

use super::record::Export;

/// One row of values, quoted where a spreadsheet would misread them.
pub(super) fn row(values: &[&str]) -> String {
    let quoted = values.iter().map(|value| {
        // A cell that begins like a formula would be run as one.
        let is_formula = value.starts_with(['=', '+', '-', '@', '\t', '\r']) && value.len() > 1;
        let shown = if is_formula { format!("'{value}") } else { (*value).to_owned() };
        if shown.contains(['"', ',', '\n', '\r']) {
            format!("\"{}\"", shown.replace('"', "\"\""))
        } else {
            shown
        }
    });
    let mut line = quoted.collect::<Vec<_>>().join(",");
    line.push_str("\r\n");
    line
}

pub(super) fn requirements(export: &Export) -> String {
    let mut text = row(&[
        "id",
        "title",
        "level",
        "status",
        "file",
        "line",
        "hash",
        "links",
        "assertion",
        "text",
        "covered",
    ]);
    for it in &export.requirements {
        let links: Vec<String> = it
            .links
            .iter()
            .map(|link| {
                let labels = if link.labels.is_empty() {
                    String::new()
                } else {
                    format!(" {}", link.labels.join("+"))
                };
                format!("{} {}{labels}", link.kind, link.target)
            })
            .collect();
        let (links, line) = (links.join("; "), it.line.to_string());
        let hash = it.hash.as_deref().unwrap_or_default();
        let own = [&it.id, &it.title, &it.level, &it.status, &it.path, &line, hash, &links];
        let of = |assertion: &str, text: &str, covered: bool| {
            let covered = if covered { "yes" } else { "no" };
            row(&[&own[..], &[assertion, text, covered]].concat())
        };
        if it.assertions.is_empty() {
            let covered = it.coverage.total > 0 && it.coverage.covered == it.coverage.total;
            text.push_str(&of("", &it.body, covered));
        }
        for assertion in it.assertions.iter().filter(|it| !it.retired) {
            text.push_str(&of(&assertion.label, &assertion.text, assertion.covered));
        }
    }
    text
}
