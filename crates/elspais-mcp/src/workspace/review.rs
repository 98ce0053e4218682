//! The file of reviewed links: read for each call, written together with nothing else.

use mcp_core::sandbox::RelPath;

use super::{Patience, Workspace};
use crate::error::Error;
use crate::review::suspect::{Link, REVIEWS_FILE, Reviews, links};
use crate::save::{self, FileWrite};

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
        let before = self.reviews_text()?;
        let mut reviews = Reviews::parse(before.as_deref().unwrap_or_default())?;
        let all = self.read(patience, |loaded| Ok(links(&loaded.graph, &reviews)))?.value;
        let agreed: Vec<&Link> = all.iter().filter(|link| wanted(link)).collect();
        if agreed.is_empty() {
            return Err(Error::refused(
                "there is no such link",
                "get_suspect_links with include_unreviewed=true lists them.",
            ));
        }
        reviews.agree(&agreed, &all);
        let after = Some(reviews.render());
        if after != before {
            let path = REVIEWS_FILE.to_owned();
            save::write(&self.root()?, &[FileWrite { path, before, after }])?;
        }
        Ok(agreed.len())
    }
}
