//! The knowledge base: which articles speak of something, and the one that is meant.

use mcp_core::text;

use crate::document::{self, Front};
use crate::error::Error;
use crate::search::{Query, Rank};
use crate::tree::Tree;

const DIRECTORY: &str = "kb";
const NO_ARTICLE: &str = "README.md";

/// How many hits an answer shows.
pub(crate) const SHOWN: usize = 20;

/// A longer article is cut: its path says where the rest is.
const ARTICLE_CHARS: usize = 100_000;

#[derive(Debug)]
pub(crate) struct Hit {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) path: String,
    pub(crate) snippet: String,
}

#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Best first, at most `SHOWN`.
    pub(crate) hits: Vec<Hit>,
    pub(crate) total: usize,
    /// How many articles there are.
    pub(crate) all: usize,
    /// The whole text of the first hit, when that is the one that is meant.
    pub(crate) article: Option<String>,
    /// The titles of everything there is, when nothing was found.
    pub(crate) offered: Vec<String>,
    /// Entries that could not be read.
    pub(crate) notes: Vec<String>,
}

struct Article {
    name: String,
    title: String,
    text: String,
}

pub(crate) fn search(process: &Tree, wanted: &str) -> Result<Found, Error> {
    let query = Query::new(wanted);
    let mut found = Found::default();
    let mut fitting: Vec<(Rank, Article)> = Vec::new();
    for name in names(process)? {
        let article = match read(process, &name) {
            Ok(article) => article,
            Err(note) => {
                found.notes.push(note);
                continue;
            }
        };
        found.all += 1;
        let file = format!("{}.md", article.name);
        match query.rank(&[&article.name, &file, &article.title], &article.text) {
            Some(rank) => fitting.push((rank, article)),
            None => found.offered.push(article.title),
        }
    }
    if !query.is_empty() {
        // Names come sorted, and this keeps their order where two articles fit alike.
        fitting.sort_by_key(|(rank, _)| *rank);
    }
    found.total = fitting.len();
    let named = fitting.iter().filter(|(rank, _)| *rank == Rank::Name).count() == 1;
    if found.total > 0 {
        found.offered.clear();
    }
    if !query.is_empty() && (named || found.total == 1) {
        found.article = fitting.first().map(|(_, it)| shortened(&it.text));
    }
    fitting.truncate(SHOWN);
    found.hits = fitting.iter().map(|(_, article)| hit(process, &query, article)).collect();
    Ok(found)
}

/// The names of all articles, without the ending.
pub(crate) fn names(process: &Tree) -> Result<Vec<String>, Error> {
    let names = process.names_in(DIRECTORY)?;
    let articles =
        names.iter().filter(|it| *it != NO_ARTICLE).filter_map(|it| it.strip_suffix(".md"));
    Ok(articles.filter(|it| !it.is_empty()).map(str::to_owned).collect())
}

pub(crate) fn path(name: &str) -> String {
    format!("{DIRECTORY}/{name}.md")
}

fn read(process: &Tree, name: &str) -> Result<Article, String> {
    let text = process.read(&path(name)).map_err(|error| match error {
        Error::File { path, problem, .. } => format!("`{}` {problem}", text::one_line(&path)),
        other => other.to_string(),
    })?;
    let title = Front::of(&text).field("title").unwrap_or_else(|| name.to_owned());
    Ok(Article { name: name.to_owned(), title, text })
}

fn hit(process: &Tree, query: &Query, article: &Article) -> Hit {
    Hit {
        name: article.name.clone(),
        title: article.title.clone(),
        path: process.location(&path(&article.name), &format!("acm://kb/{}", article.name)),
        snippet: query.snippet(document::body(&article.text)),
    }
}

fn shortened(article: &str) -> String {
    let shown = text::cut(article, ARTICLE_CHARS);
    if shown.len() == article.len() {
        return article.to_owned();
    }
    format!(
        "{shown}\n\n[cut after {ARTICLE_CHARS} characters; the path above has the whole article]"
    )
}
