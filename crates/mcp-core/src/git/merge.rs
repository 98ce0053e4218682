//! Merging three versions of a text, line by line as git does it.

use super::{Git, GitError};
use crate::doors::Scratch;
use crate::sandbox::RelPath;

const NAMES: [&str; 3] = ["ours", "base", "theirs"];

impl Git {
    /// Applies to `ours` what leads from `base` to `theirs`; `None` where the two contradict each
    /// other or one is not text.
    pub fn merge_texts(
        &self,
        ours: &[u8],
        base: &[u8],
        theirs: &[u8],
    ) -> Result<Option<Vec<u8>>, GitError> {
        let desk = Scratch::new()?;
        for (name, text) in NAMES.iter().zip([ours, base, theirs]) {
            desk.root.write(&RelPath::parse(name)?, text)?;
        }
        let [ours, base, theirs] = NAMES.map(|name| desk.path().join(name).display().to_string());
        let args = ["merge-file", "-p", "-q", &ours, &base, &theirs];
        let ended = self.try_run(self.program.clone(), &args, b"")?;
        Ok(ended.status.success().then_some(ended.stdout))
    }
}
