//! The report: modules, what they use, how far specifications have drifted and what tests name, as
//! one page to look at.

#[cfg(test)]
mod tests;

use mcp_core::page::Page;
use serde::Serialize;

const BODY: &str = include_str!("../../assets/report/body.html");
const STYLE: &str = include_str!("../../assets/report/style.css");
const SCRIPT: &str = include_str!("../../assets/report/script.js");
/// Items of one module that the page shows.
pub(crate) const MOST_ITEMS: usize = 50;

#[derive(Debug, Default, Serialize)]
pub(crate) struct Report {
    pub(crate) project: String,
    pub(crate) subtitle: String,
    /// The way from the page to the project root.
    pub(crate) links: String,
    pub(crate) modules: Vec<Row>,
    /// Specifications that are about nothing any more.
    pub(crate) gone: Vec<Gone>,
}

/// A specification whose code is not there.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Gone {
    pub(crate) spec: String,
    pub(crate) target: String,
}

/// One module.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Row {
    pub(crate) path: String,
    pub(crate) level: usize,
    pub(crate) files: Vec<String>,
    /// Places in the list of modules.
    pub(crate) uses: Vec<usize>,
    /// Those of them that do not follow from others: what is drawn while nothing is chosen.
    pub(crate) arrows: Vec<usize>,
    /// One number for all modules that use each other, however far around.
    pub(crate) circle: Option<usize>,
    pub(crate) exports: usize,
    /// Exports that a test file names; none where that cannot be told.
    pub(crate) tested: Option<usize>,
    pub(crate) untested: Vec<String>,
    /// What can be searched for.
    pub(crate) names: Vec<String>,
    pub(crate) spec: Option<String>,
    /// Why drift could not be told.
    pub(crate) problem: Option<String>,
    pub(crate) high: usize,
    pub(crate) medium: usize,
    pub(crate) low: usize,
    pub(crate) items: Vec<Item>,
    /// Items that are not among them.
    pub(crate) more: usize,
}

#[derive(Debug, Default, Serialize)]
pub(crate) struct Item {
    pub(crate) severity: &'static str,
    pub(crate) symbol: String,
    pub(crate) description: String,
    pub(crate) location: String,
}

impl Report {
    pub(crate) fn render(&self) -> Result<String, serde_json::Error> {
        let title = format!("Code and specifications of {}", self.project);
        Page { title: &title, body: BODY, style: STYLE, script: SCRIPT }.render(self)
    }
}
