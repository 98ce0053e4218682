//! The report: requirements, coverage and links that need attention as one page to look at.

mod block;
mod build;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use mcp_core::page::Page;
use serde::Serialize;

/// Browsers and clients take a page of this size without trouble.
pub(crate) const MAX_PAGE_BYTES: usize = 10_000_000;
/// A list longer than this helps nobody.
const MAX_LISTED: usize = 2_000;
const TITLE_CHARS: usize = 200;
const SHORT_TITLE_CHARS: usize = 40;

const BODY: &str = include_str!("../../assets/report/body.html");
const STYLE: &str = include_str!("../../assets/report/style.css");
const SCRIPT: &str = include_str!("../../assets/report/script.js");

/// A requirement as the report shows it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Item {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) level: String,
    pub(crate) status: String,
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) covered: usize,
    pub(crate) assertions: usize,
    pub(crate) cites_missing: bool,
    pub(crate) suspect: bool,
    pub(crate) failing: bool,
    /// What it implements or refines.
    pub(crate) parents: Vec<String>,
}

#[derive(Debug, Clone)]
pub(crate) struct BrokenReference {
    pub(crate) from: String,
    pub(crate) target: String,
    pub(crate) kind: String,
    pub(crate) file: String,
    pub(crate) line: usize,
}

#[derive(Debug, Clone)]
pub(crate) struct SuspectLink {
    pub(crate) from: String,
    pub(crate) target: String,
    pub(crate) why: String,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Report {
    pub(crate) project: String,
    pub(crate) subtitle: String,
    /// Levels by rank, the highest first.
    pub(crate) levels: Vec<String>,
    /// In the order they shall appear in.
    pub(crate) items: Vec<Item>,
    /// What each of them says, in the same order; none where nobody may open them.
    pub(crate) details: Vec<block::Detail>,
    pub(crate) broken: Vec<BrokenReference>,
    pub(crate) suspect: Vec<SuspectLink>,
    /// The way from the page to the project's root, `None` where links lead nowhere.
    pub(crate) links: Option<String>,
}

/// Short names, because fifty thousand rows repeat them; the script reads them by place.
#[derive(Serialize)]
struct Row<'a>(&'a str, &'a str, usize, usize, usize, usize, usize, usize, u8, Vec<usize>);

#[derive(Serialize)]
struct Data<'a> {
    subtitle: &'a str,
    notice: Option<String>,
    links: Option<&'a str>,
    levels: Vec<&'a str>,
    statuses: Vec<&'a str>,
    files: Vec<&'a str>,
    rows: Vec<Row<'a>>,
    assertions: usize,
    covered: usize,
    broken: Vec<(&'a str, &'a str, &'a str, usize, usize)>,
    broken_total: usize,
    suspect: Vec<(&'a str, &'a str, &'a str)>,
    suspect_total: usize,
    per_block: usize,
    blocks: &'a [String],
}

impl Report {
    /// The page, shortened in steps where it would be too large, with a notice that says so.
    pub(crate) fn render(&self) -> Result<String, serde_json::Error> {
        let text: usize = self.details.iter().map(|it| it.0.len()).sum();
        // Prose shrinks to a third or so; what cannot fit is not packed in vain.
        let blocks =
            if text > 5 * MAX_PAGE_BYTES { Vec::new() } else { block::pack(&self.details) };
        let packed: usize = blocks.iter().map(String::len).sum();
        if packed <= MAX_PAGE_BYTES {
            let with_texts = self.page(TITLE_CHARS, self.items.len(), &blocks)?;
            if with_texts.len() <= MAX_PAGE_BYTES {
                return Ok(with_texts);
            }
        }
        let whole = self.page(TITLE_CHARS, self.items.len(), &[])?;
        if whole.len() <= MAX_PAGE_BYTES {
            return Ok(whole);
        }
        let short = self.page(SHORT_TITLE_CHARS, self.items.len(), &[])?;
        if short.len() <= MAX_PAGE_BYTES {
            return Ok(short);
        }
        // Rows differ little in length, so one estimate with room to spare is enough.
        let fitting = self.items.len() * (MAX_PAGE_BYTES - MAX_PAGE_BYTES / 10) / short.len();
        self.page(SHORT_TITLE_CHARS, fitting, &[])
    }

    fn page(
        &self,
        title_chars: usize,
        shown: usize,
        blocks: &[String],
    ) -> Result<String, serde_json::Error> {
        let items = &self.items[..shown];
        let places: HashMap<&str, usize> =
            items.iter().enumerate().map(|(place, item)| (item.id.as_str(), place)).collect();
        let (mut levels, mut statuses, mut files) =
            (Names::default(), Names::default(), Names::default());
        for level in &self.levels {
            levels.place(level);
        }
        let rows: Vec<_> = items
            .iter()
            .map(|item| {
                let parents = item.parents.iter();
                let mut parents: Vec<usize> =
                    parents.filter_map(|id| places.get(id.as_str()).copied()).collect();
                parents.dedup();
                Row(
                    &item.id,
                    mcp_core::text::cut(&item.title, title_chars),
                    levels.place(&item.level),
                    statuses.place(&item.status),
                    files.place(&item.file),
                    item.line,
                    item.covered,
                    item.assertions,
                    u8::from(item.cites_missing)
                        | u8::from(item.suspect) << 1
                        | u8::from(item.failing) << 2,
                    parents,
                )
            })
            .collect();
        let broken = self.broken.iter().take(MAX_LISTED);
        let broken = broken
            .map(|reference| {
                let BrokenReference { from, target, kind, file, line } = reference;
                (from.as_str(), target.as_str(), kind.as_str(), files.place(file), *line)
            })
            .collect();
        let suspect = self.suspect.iter().take(MAX_LISTED);
        let suspect = suspect
            .map(|link| (link.from.as_str(), link.target.as_str(), link.why.as_str()))
            .collect();
        let data = Data {
            subtitle: &self.subtitle,
            notice: self.notice(title_chars, shown),
            links: self.links.as_deref(),
            levels: levels.names,
            statuses: statuses.names,
            files: files.names,
            rows,
            assertions: self.items.iter().map(|item| item.assertions).sum(),
            covered: self.items.iter().map(|item| item.covered).sum(),
            broken,
            broken_total: self.broken.len(),
            suspect,
            suspect_total: self.suspect.len(),
            per_block: block::PER_BLOCK,
            blocks,
        };
        let title = format!("Requirements of {}", self.project);
        Page { title: &title, body: BODY, style: STYLE, script: SCRIPT }.render(&data)
    }

    fn notice(&self, title_chars: usize, shown: usize) -> Option<String> {
        let all = self.items.len();
        if shown < all {
            return Some(format!(
                "The page holds the first {shown} of {all} requirements, with titles cut to {title_chars} characters, to stay under 10 MB."
            ));
        }
        (title_chars < TITLE_CHARS)
            .then(|| format!("Titles are cut to {title_chars} characters to stay under 10 MB."))
    }
}

/// Words that occur again and again, by the order of their first use.
#[derive(Default)]
struct Names<'a> {
    names: Vec<&'a str>,
    places: HashMap<&'a str, usize>,
}

impl<'a> Names<'a> {
    fn place(&mut self, name: &'a str) -> usize {
        *self.places.entry(name).or_insert_with(|| {
            self.names.push(name);
            self.names.len() - 1
        })
    }
}
