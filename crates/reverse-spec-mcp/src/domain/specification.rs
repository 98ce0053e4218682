//! A specification as it lies on disk: what its front matter says, and the baseline inside.

use mcp_core::frontmatter;
use serde::Deserialize;

use crate::domain::baseline::Baseline;

/// What is read of a front matter, whoever wrote it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Front {
    pub(crate) version: Option<String>,
    /// What it is about, relative to the project root.
    pub(crate) source_target: Option<String>,
    pub(crate) related_files: Vec<String>,
}

/// The front matter, also where values that need quotes have none.
pub(crate) fn front(text: &str) -> Front {
    match frontmatter::parse::<Front>(text) {
        Ok((front, _)) => front.unwrap_or_default(),
        Err(_) => by_lines(text),
    }
}

fn by_lines(text: &str) -> Front {
    let mut front = Front::default();
    let mut in_files = false;
    for line in text.lines().skip(1).take_while(|line| line.trim_end() != "---") {
        if in_files && let Some(file) = line.trim_start().strip_prefix("- ") {
            front.related_files.push(plain(file));
            continue;
        }
        let Some((key, value)) = line.split_once(':') else { continue };
        in_files = key == "relatedFiles";
        match key {
            "version" => front.version = Some(plain(value)),
            "sourceTarget" => front.source_target = Some(plain(value)),
            _ => {}
        }
    }
    front
}

fn plain(value: &str) -> String {
    value.trim().trim_matches(['"', '\'']).to_owned()
}

/// The text with a line of its front matter set; added at the end where there is none.
fn with_line(text: &str, key: &str, value: &str) -> String {
    let start = format!("{key}:");
    let mut out = String::with_capacity(text.len() + 40);
    let mut fences = 0;
    let mut done = false;
    for line in text.split_inclusive('\n') {
        let end = if line.ends_with("\r\n") { "\r\n" } else { "\n" };
        if fences < 2 && line.trim_end() == "---" {
            fences += 1;
            if fences == 2 && !done {
                out.extend([&start, " ", value, end]);
                done = true;
            }
        }
        if fences == 1 && !done && line.starts_with(&start) {
            out.extend([&start, " ", value, end]);
            done = true;
        } else {
            out.push_str(line);
        }
    }
    out
}

/// The specification after a person found that it stands: the baseline is the code of now, which
/// has this hash.
pub(crate) fn accepted(
    text: &str,
    baseline: &Baseline,
    hash: &str,
    now: &str,
) -> Result<String, String> {
    let text = baseline.put_into(text)?;
    if frontmatter::split(&text).is_ok_and(|it| it.front.is_some()) {
        let text = with_line(&text, "skeletonHash", hash);
        return Ok(with_line(&text, "reviewed", now));
    }
    Ok(text)
}

#[cfg(test)]
mod tests;
