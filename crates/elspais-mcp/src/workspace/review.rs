//! The file of reviewed links: read for each call, written together with nothing else.

use mcp_core::sandbox::{Change, Commit, RelPath};

use super::{Patience, Workspace};
use crate::error::Error;
use crate::graph::TraceGraph;
use crate::mutate::MutationEntry;
use crate::review::suspect::{Link, REVIEWS_FILE, Reviews, links};
use crate::save::{self, FileWrite};

impl Workspace {
    pub(crate) fn reviews(&self) -> Result<Reviews, Error> {
        Reviews::parse(&self.reviews_text()?.unwrap_or_default())
    }

    fn reviews_text(&self) -> Result<Option<String>, Error> {
        Ok(self.root()?.read_text_if_any(&RelPath::parse(REVIEWS_FILE)?)?)
    }

    /// What becomes of the file when pending renames are written. One that cannot be read is left
    /// as it is: it stands in nobody's way but its own.
    pub(super) fn reviews_to_follow(&self, graph: &TraceGraph) -> Result<Option<FileWrite>, Error> {
        let entries = graph.log.entries().iter();
        let steps: Vec<_> =
            entries.map(MutationEntry::renames).filter(|it| !it.is_empty()).collect();
        let before = if steps.is_empty() { None } else { self.reviews_text()? };
        let Some(before) = before else { return Ok(None) };
        let Ok(mut reviews) = Reviews::parse(&before) else { return Ok(None) };
        for renames in steps {
            reviews.follow(&renames);
        }
        let (path, after) = (REVIEWS_FILE.to_owned(), reviews.render());
        let differs = after != before;
        Ok(differs.then_some(FileWrite { path, before: Some(before), after: Some(after) }))
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
