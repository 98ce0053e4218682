//! The knowledge base: which articles speak of something, and the one that is meant.

use mcp_core::text;

use crate::domain::document::{self, Front};
use crate::domain::search::{Query, Rank};

/// Where articles lie in the process tree.
pub(crate) const DIRECTORY: &str = "kb";
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

#[derive(Debug)]
pub(crate) struct Article {
    name: String,
    title: String,
    text: String,
    /// Where somebody finds it.
    path: String,
}

impl Article {
    pub(crate) fn new(name: &str, text: String, path: String) -> Self {
        let title = Front::of(&text).field("title").unwrap_or_else(|| name.to_owned());
        Self { name: name.to_owned(), title, text, path }
    }
}

/// The articles that speak of something; `notes` are about those that could not be read.
pub(crate) fn search(articles: Vec<Article>, notes: Vec<String>, wanted: &str) -> Found {
    let query = Query::new(wanted);
    let mut found = Found { all: articles.len(), notes, ..Found::default() };
    let mut fitting: Vec<(Rank, Article)> = Vec::new();
    for article in articles {
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
    found.hits = fitting.into_iter().map(|(_, article)| hit(&query, article)).collect();
    found
}

/// The name of the article in a file of the directory, if it holds one.
pub(crate) fn name_of(file: &str) -> Option<&str> {
    file.strip_suffix(".md").filter(|it| file != NO_ARTICLE && !it.is_empty())
}

pub(crate) fn path(name: &str) -> String {
    format!("{DIRECTORY}/{name}.md")
}

fn hit(query: &Query, article: Article) -> Hit {
    let snippet = query.snippet(document::body(&article.text));
    Hit { name: article.name, title: article.title, path: article.path, snippet }
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
