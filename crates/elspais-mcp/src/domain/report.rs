//! The report: requirements, what covers them and what needs attention, as one page to work with.

mod block;
mod build;
mod detail;
mod head;
#[cfg(test)]
mod tests;
mod words;

use mcp_core::page::Page;
use serde::Serialize;

use crate::domain::review::change::ChangedRequirement;
use head::Head;

/// Clients that show pages take one of this size without trouble.
pub(crate) const MAX_PAGE_BYTES: usize = 10_000_000;
/// A browser opens a file of this size; texts are packed, and opened when somebody asks.
const MAX_FILE_BYTES: usize = 64_000_000;
/// A list longer than this helps nobody.
const MAX_LISTED: usize = 2_000;
const TITLE_CHARS: usize = 200;
const SHORT_TITLE_CHARS: usize = 40;

const BODY: &str = include_str!("../../assets/report/body.html");
const STYLE: &str = include_str!("../../assets/report/style.css");
/// The parts of the script, in the order they need each other.
const SCRIPT: &str = concat!(
    "(async () => {\n",
    include_str!("../../assets/report/data.js"),
    include_str!("../../assets/report/list.js"),
    include_str!("../../assets/report/detail.js"),
    include_str!("../../assets/report/picture.js"),
    include_str!("../../assets/report/views.js"),
    "})();\n"
);

/// A requirement as the report lists it.
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
    /// Assertions that are deliberately not implemented.
    pub(crate) excepted: usize,
    /// Labels that nothing covers, where some are covered and some are not.
    pub(crate) gaps: String,
    pub(crate) cites_missing: bool,
    pub(crate) suspect: bool,
    pub(crate) failing: bool,
    /// How many places in code and how many tests cite it, and what the runs say of the tests.
    pub(crate) code: usize,
    pub(crate) tests: usize,
    pub(crate) passed: usize,
    pub(crate) failed: usize,
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

/// Who shows the page, and so where what a requirement says comes from.
#[derive(Debug, Clone, Default)]
pub(crate) enum Shown {
    /// A browser: everything is in the file. The way from it to the project's root.
    File(String),
    /// A client: what is opened is asked for by tool calls, and links lead nowhere.
    #[default]
    Client,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Report {
    pub(crate) project: String,
    pub(crate) subtitle: String,
    /// Levels by rank, the highest first.
    pub(crate) levels: Vec<String>,
    /// In the order they shall appear in.
    pub(crate) items: Vec<Item>,
    /// What each of them says, in the same order; none where it is asked for by calls.
    pub(crate) details: Vec<block::Detail>,
    pub(crate) broken: Vec<BrokenReference>,
    pub(crate) suspect: Vec<SuspectLink>,
    /// What differs from a commit.
    pub(crate) changed: Vec<ChangedRequirement>,
    /// What that commit is called; `None` where there is none to compare with.
    pub(crate) since: Option<String>,
    pub(crate) shown: Shown,
}

#[derive(Serialize)]
struct Data<'a> {
    subtitle: &'a str,
    notice: Option<String>,
    links: Option<&'a str>,
    /// Whether a client shows the page and answers calls.
    client: bool,
    since: Option<&'a str>,
    assertions: usize,
    covered: usize,
    excepted: usize,
    broken_total: usize,
    suspect_total: usize,
    changed_total: usize,
    /// `Head`, packed.
    head: &'a str,
    per_block: usize,
    words: &'a [(u8, String)],
    blocks: &'a [String],
}

impl Report {
    /// The page, shortened in steps where it would be too large, with a notice that says so.
    pub(crate) fn render(&self) -> Result<String, serde_json::Error> {
        self.render_within(match self.shown {
            Shown::File(_) => MAX_FILE_BYTES,
            Shown::Client => MAX_PAGE_BYTES,
        })
    }

    fn render_within(&self, most: usize) -> Result<String, serde_json::Error> {
        let mut packed = block::pack(&self.details);
        let texts: usize = packed.blocks.iter().map(String::len).sum();
        let left_out = texts > most * 3 / 4;
        if left_out {
            packed = block::Packed::default();
        }
        let all = self.items.len();
        let whole = self.page(TITLE_CHARS, all, &packed, left_out)?;
        if whole.len() <= most {
            return Ok(whole);
        }
        let short = self.page(SHORT_TITLE_CHARS, all, &packed, left_out)?;
        if short.len() <= most {
            return Ok(short);
        }
        // Rows differ little in length, so one estimate with room to spare is enough.
        let fitting = all * (most - most / 10) / short.len();
        self.page(SHORT_TITLE_CHARS, fitting, &block::Packed::default(), true)
    }

    fn page(
        &self,
        title_chars: usize,
        shown: usize,
        packed: &block::Packed,
        left_out: bool,
    ) -> Result<String, serde_json::Error> {
        let head = serde_json::to_vec(&Head::of(self, title_chars, shown))?;
        let sum = |of: fn(&Item) -> usize| self.items.iter().map(of).sum();
        let data = Data {
            subtitle: &self.subtitle,
            notice: self.notice(title_chars, shown, left_out),
            links: match &self.shown {
                Shown::File(way) => Some(way),
                Shown::Client => None,
            },
            client: matches!(self.shown, Shown::Client),
            since: self.since.as_deref(),
            assertions: sum(|it| it.assertions),
            covered: sum(|it| it.covered),
            excepted: sum(|it| it.excepted),
            broken_total: self.broken.len(),
            suspect_total: self.suspect.len(),
            changed_total: self.changed.len(),
            head: &block::text_of(&head),
            per_block: block::PER_BLOCK,
            words: &packed.words.table,
            blocks: &packed.blocks,
        };
        let title = format!("Requirements of {}", self.project);
        Page { title: &title, body: BODY, style: STYLE, script: SCRIPT }.render(&data)
    }

    fn notice(&self, title_chars: usize, shown: usize, left_out: bool) -> Option<String> {
        let all = self.items.len();
        if shown < all {
            return Some(format!(
                "The page holds the first {shown} of {all} requirements, with titles cut to {title_chars} characters and without their texts, to stay small enough to open."
            ));
        }
        let cut = (title_chars < TITLE_CHARS)
            .then(|| format!("Titles are cut to {title_chars} characters"));
        let without = left_out.then(|| "Texts are left out".to_owned());
        let said: Vec<String> = cut.into_iter().chain(without).collect();
        (!said.is_empty()).then(|| format!("{}, to stay small enough to open.", said.join(". ")))
    }
}
