//! The file of reviewed links: read for each call, written together with nothing else.

use mcp_core::sandbox::{Change, Commit, RelPath};

use super::{Patience, Workspace};
use crate::error::Error;
use crate::graph::TraceGraph;
use crate::review::suspect::{Link, REVIEWS_FILE, Reviews, links};
use crate::save;

impl Workspace {
    pub(crate) fn reviews(&self) -> Result<Reviews, Error> {
        Reviews::parse(&self.reviews_text()?.unwrap_or_default())
    }

    fn reviews_text(&self) -> Result<Option<String>, Error> {
        Ok(self.root()?.read_text_if_any(&RelPath::parse(REVIEWS_FILE)?)?)
    }

    /// Notes that the links `wanted` says were looked at as they are now; returns how many.
    pub(crate) fn agree(
        &self,
        patience: &Patience<'_>,
        wanted: impl Fn(&Link) -> bool,
    ) -> Result<usize, Error> {
        let root = self.root()?;
        let note = |graph: &TraceGraph, commit: &Commit<'_>| {
            let before = self.reviews_text()?;
            let mut reviews = Reviews::parse(before.as_deref().unwrap_or_default())?;
            let all = links(graph, &reviews);
            let agreed: Vec<&Link> = all.iter().filter(|link| wanted(link)).collect();
            if agreed.is_empty() {
                return Err(Error::refused(
                    "there is no such link",
                    "get_suspect_links with include_unreviewed=true lists them.",
                ));
            }
            reviews.agree(&agreed, &all);
            let after = reviews.render();
            if before.as_ref() != Some(&after) {
                let path = RelPath::parse(REVIEWS_FILE)?;
                commit.apply(&[Change::Put { path, bytes: after.into_bytes() }])?;
            }
            Ok(agreed.len())
        };
        // Nobody else writes between reading and writing: calls come several at a time. The graph
        // is held first and the files second, as whoever saves does it.
        let noted = self
            .read(patience, |loaded| save::locked(&root, |commit| note(&loaded.graph, commit)))?;
        Ok(noted.value)
    }
}
