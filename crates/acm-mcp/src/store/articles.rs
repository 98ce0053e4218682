//! The knowledge base on disk: its articles by name, and all of them for a search.

use mcp_core::text;

use super::tree::Tree;
use crate::domain::knowledge::{self, Article, DIRECTORY, Found};
use crate::error::Error;

pub(crate) fn search(process: &Tree, wanted: &str) -> Result<Found, Error> {
    let (mut articles, mut notes) = (Vec::new(), Vec::new());
    for name in names(process)? {
        let path = knowledge::path(&name);
        match process.read(&path) {
            Ok(text) => {
                let place = process.location(&path, &format!("acm://kb/{name}"));
                articles.push(Article::new(&name, text, place));
            }
            Err(Error::File { path, problem, .. }) => {
                notes.push(format!("`{}` {problem}", text::one_line(&path)));
            }
            Err(other) => notes.push(other.to_string()),
        }
    }
    Ok(knowledge::search(articles, notes, wanted))
}

/// The names of all articles, without the ending, sorted.
pub(crate) fn names(process: &Tree) -> Result<Vec<String>, Error> {
    let files = process.names_in(DIRECTORY)?;
    Ok(files.iter().filter_map(|it| knowledge::name_of(it)).map(str::to_owned).collect())
}
