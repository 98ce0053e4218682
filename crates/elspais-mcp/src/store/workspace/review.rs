//! The file of reviewed links: read for each call, and written with what was renamed.

use mcp_core::sandbox::{Change, Commit, RelPath, Root};
use mcp_core::work::Work;

use super::Workspace;
use crate::domain::graph::{NodeKind, TraceGraph};
use crate::domain::mutate::MutationLog;
use crate::domain::review::suspect::{Link, REVIEWS_FILE, Reviews, links};
use crate::error::Error;
use crate::store::save::FileWrite;

impl Workspace {
    pub(crate) fn reviews(&self) -> Result<Reviews, Error> {
        let path = RelPath::parse(REVIEWS_FILE)?;
        let text = self.viewing(&Work::endless(), |view| Ok(view.read_text_if_any(&path)?))?;
        Reviews::parse(&text.unwrap_or_default())
    }

    /// What becomes of the file when pending renames are written. One that cannot be read is left
    /// as it is: it stands in nobody's way but its own.
    pub(super) fn reviews_to_follow(&self, log: &MutationLog) -> Result<Option<FileWrite>, Error> {
        let steps: Vec<_> =
            log.entries().map(|it| it.mutation.renames()).filter(|it| !it.is_empty()).collect();
        let before = if steps.is_empty() { None } else { reviews_text(&self.root()?)? };
        let Some(before) = before else { return Ok(None) };
        let Ok(mut reviews) = Reviews::parse(&before) else { return Ok(None) };
        for renames in steps {
            reviews.follow(&renames);
        }
        let (path, after) = (REVIEWS_FILE.to_owned(), reviews.render());
        let differs = after != before;
        Ok(differs.then_some(FileWrite {
            path,
            before: Some(before.into()),
            after: Some(after.into()),
        }))
    }

    /// Notes that an assertion, or an item that is its own, is deliberately not implemented;
    /// without a reason that is taken back. Returns its id and the reason that stood there.
    pub(crate) fn except(
        &self,
        work: &Work,
        id: &str,
        reason: Option<&str>,
    ) -> Result<(String, Option<String>), Error> {
        let noted = self.read(work, |loaded| {
            let node = loaded
                .graph
                .get_node(id)
                .filter(|it| it.kind() == NodeKind::Assertion || it.stands_alone());
            let id = match node {
                Some(node) => node.id(),
                // What is gone can still be taken off the list.
                None if reason.is_none() => id.to_owned(),
                None => {
                    return Err(Error::refused(
                        format!("'{}' is not an assertion", mcp_core::text::one_line(id)),
                        "get_requirement lists the assertions of a requirement.",
                    ));
                }
            };
            self.locked(work, |commit, root| {
                let before = reviews_text(root)?;
                let mut reviews = Reviews::parse(before.as_deref().unwrap_or_default())?;
                let was = reviews.except(&id, reason);
                let after = reviews.render();
                if before.as_ref() != Some(&after) {
                    let path = RelPath::parse(REVIEWS_FILE)?;
                    commit.apply(&[Change::Put { path, bytes: after.into_bytes() }])?;
                }
                Ok((id, was))
            })
        })?;
        Ok(noted.value)
    }

    /// Notes that the links `wanted` says were looked at as they are now; returns how many.
    pub(crate) fn agree(
        &self,
        work: &Work,
        wanted: impl Fn(&Link) -> bool,
    ) -> Result<usize, Error> {
        let note = |graph: &TraceGraph, commit: &Commit<'_>, root: &Root| {
            let before = reviews_text(root)?;
            let mut reviews = Reviews::parse(before.as_deref().unwrap_or_default())?;
            let all = links(graph, &reviews);
            let agreed: Vec<&Link> = all.iter().filter(|link| wanted(link)).collect();
            if agreed.is_empty() {
                return Err(Error::refused(
                    "there is no such link",
                    "get_suspect_links with include_unreviewed=true lists them.",
                ));
            }
            reviews.agree(graph, &agreed, &all);
            let after = reviews.render();
            if before.as_ref() != Some(&after) {
                let path = RelPath::parse(REVIEWS_FILE)?;
                commit.apply(&[Change::Put { path, bytes: after.into_bytes() }])?;
            }
            Ok(agreed.len())
        };
        // Nobody else writes between reading and writing: calls come several at a time. The graph
        // is held first and the files second, as whoever saves does it.
        let noted = self.read(work, |loaded| {
            self.locked(work, |commit, root| note(&loaded.graph, commit, root))
        })?;
        Ok(noted.value)
    }
}

fn reviews_text(root: &Root) -> Result<Option<String>, Error> {
    Ok(root.read_text_if_any(&RelPath::parse(REVIEWS_FILE)?)?)
}
