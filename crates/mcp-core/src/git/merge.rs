//! Merging three versions of a text, line by line as git does it.

use super::{Git, GitError};
use crate::sandbox::{RelPath, Root};

impl Git {
    /// Applies to `ours` what leads from `base` to `theirs`; `None` where the two contradict each
    /// other or one is not text.
    pub fn merge_texts(
        &self,
        ours: &[u8],
        base: &[u8],
        theirs: &[u8],
    ) -> Result<Option<Vec<u8>>, GitError> {
        let desk = Desk::lay_out(self, [ours, base, theirs])?;
        let [ours, base, theirs] = desk.names.each_ref().map(|name| format!("./{name}"));
        let args = ["merge-file", "-p", "-q", &ours, &base, &theirs];
        let here = self.program.clone().directory(&self.own_dir);
        let ended = self.try_run(here, &args, b"")?;
        Ok(ended.status.success().then_some(ended.stdout))
    }
}

/// Three files in the git directory, taken away again in the end.
struct Desk {
    dir: Root,
    names: [String; 3],
}

impl Desk {
    fn lay_out(git: &Git, texts: [&[u8]; 3]) -> Result<Self, GitError> {
        let dir = Root::open(&git.own_dir)?;
        let desk = Self { dir, names: std::array::from_fn(|_| super::keep::scratch_name("merge")) };
        for (name, text) in desk.names.iter().zip(texts) {
            desk.dir.write(&RelPath::parse(name)?, text)?;
        }
        Ok(desk)
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        for name in &self.names {
            super::keep::take_away(&self.dir, name);
        }
    }
}
