//! What git ignores: the rules of a directory upon those of the directories above it.

use std::sync::Arc;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::sandbox::{RelPath, Root, doors};

pub(super) const FILE: &str = ".gitignore";
/// A list of names to ignore is never this long.
const MAX_BYTES: u64 = 1024 * 1024;

/// Cheap to clone: every directory shares the rules above it.
#[derive(Clone, Default)]
pub(super) struct Rules(Option<Arc<Link>>);

struct Link {
    own: Gitignore,
    above: Rules,
}

impl Rules {
    /// What this working copy excludes, upon what the user excludes everywhere.
    pub(super) fn of_repository(git_dir: &Root) -> Self {
        let (global, _) = Gitignore::global();
        let shared = shared_directory(git_dir);
        let exclude = RelPath::parse("info/exclude").ok();
        let own = exclude.and_then(|path| read(shared.as_ref().unwrap_or(git_dir), &path, ""));
        Self::default().upon(Some(global)).upon(own)
    }

    /// With those of a directory upon them; `None`: of the root itself.
    pub(super) fn with(&self, root: &Root, directory: Option<&RelPath>) -> Self {
        let path = match directory {
            Some(directory) => directory.join(FILE),
            None => RelPath::parse(FILE),
        };
        let own =
            path.ok().and_then(|path| read(root, &path, directory.map_or("", RelPath::as_str)));
        self.upon(own)
    }

    fn upon(&self, own: Option<Gitignore>) -> Self {
        match own.filter(|it| !it.is_empty()) {
            Some(own) => Self(Some(Arc::new(Link { own, above: self.clone() }))),
            None => self.clone(),
        }
    }

    /// The deepest rule that says something decides.
    pub(super) fn ignore(&self, path: &str, is_dir: bool) -> bool {
        let mut rules = self;
        while let Some(link) = &rules.0 {
            let matched = link.own.matched(path, is_dir);
            if !matched.is_none() {
                return matched.is_ignore();
            }
            rules = &link.above;
        }
        false
    }
}

/// A linked working tree shares what is excluded with the others of its repository.
fn shared_directory(git_dir: &Root) -> Option<Root> {
    let pointer = git_dir.read_text(&RelPath::parse("commondir").ok()?).ok()?;
    doors::git_directory(&git_dir.path().join(pointer.trim())).ok()
}

fn read(root: &Root, path: &RelPath, counts_from: &str) -> Option<Gitignore> {
    let bytes = root.read_up_to(path, MAX_BYTES).ok()?;
    let mut builder = GitignoreBuilder::new(counts_from);
    for line in String::from_utf8_lossy(&bytes).lines() {
        // A line that is no pattern ignores nothing.
        drop(builder.add_line(None, line));
    }
    builder.build().ok()
}
