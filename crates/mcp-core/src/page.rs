//! One self-contained HTML page: style, script and data in the file, nothing from the network.

use std::path::{Component, Path};

use serde::Serialize;

use crate::doors;
use crate::failure::Failure;
use crate::sandbox::RelPath;

#[cfg(test)]
mod tests;

/// Colours, type and tables in light and dark, shared by every page.
const BASE_STYLE: &str = include_str!("../assets/page.css");
/// What every page begins with: its title, what it is of, and its figures.
const BASE_BODY: &str = include_str!("../assets/page.html");
/// The data, and short words for what every script does.
const BASE_SCRIPT: &str = include_str!("../assets/page.js");

/// The parts of a page. Body, style and script are ours; title and data may hold anything.
#[derive(Debug, Clone, Copy)]
pub struct Page<'a> {
    /// What the browser's tab says; escaped when the page is rendered.
    pub title: &'a str,
    /// HTML after what every page begins with, put in as it is.
    pub body: &'a str,
    /// CSS after what every page shares, put in as it is.
    pub style: &'a str,
    /// JavaScript after what every page shares, put in as it is.
    pub script: &'a str,
}

impl Page<'_> {
    /// The script finds the data in `data`, which has a `subtitle`, and the words of `page.js`.
    pub fn render(&self, data: &impl Serialize) -> Result<String, serde_json::Error> {
        let data = inert(&serde_json::to_string(data)?);
        let Self { title, body, style, script } = self;
        let title = escape(title);
        // The policy lets the page run its own script and nothing else, whatever the data holds.
        Ok(format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
             style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; \
             base-uri 'none'; form-action 'none'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>\n{BASE_STYLE}{style}</style>\n</head>\n<body>\n\
             {BASE_BODY}{body}<script type=\"application/json\" id=\"data\">{data}</script>\n\
             <script>\n{BASE_SCRIPT}{script}</script>\n</body>\n</html>\n"
        ))
    }
}

/// Writes a page where the user says: the one file that may lie outside the project.
pub fn write(file: &Path, page: &str) -> Result<(), Failure> {
    let directory = file.parent().unwrap_or(file);
    let root = doors::named_by_person(directory).map_err(|_| {
        let message = format!("there is no directory `{}` to write to", directory.display());
        Failure::new("no_directory", message).hint("Create it, or name another file with --html.")
    })?;
    let name = file.file_name().and_then(|it| it.to_str()).unwrap_or_default();
    Ok(root.write(&RelPath::parse(name)?, page.as_bytes())?)
}

/// JSON that cannot end the element it stands in.
fn inert(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// The way from one directory to another as a link has it: empty, or with a slash at its end.
pub fn way(from: &Path, to: &Path) -> String {
    let parts = |path: &Path| -> Vec<String> {
        let named = path.components().filter(|it| *it != Component::CurDir);
        named.map(|it| it.as_os_str().to_string_lossy().into_owned()).collect()
    };
    let (from, to) = (parts(from), parts(to));
    let shared = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let up = from[shared..].iter().map(|_| "../".to_owned());
    up.chain(to[shared..].iter().map(|name| format!("{name}/"))).collect()
}

/// Text as it may stand in an element or a quoted attribute.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}
