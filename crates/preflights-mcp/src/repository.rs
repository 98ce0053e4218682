//! The git repository a call is about: where it is, and where its journal lies.

use std::path::{Path, PathBuf};

use mcp_core::sandbox::{EntryKind, Journal, RelPath, Root};

use crate::error::Error;

/// Deeper trees are not climbed out of.
const MAX_CLIMB: usize = 64;
/// The directory of ours inside the git directory.
const OURS: &str = "preflights";

/// Where calls may go.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    /// Where to look when a call does not say; relative paths start here too.
    pub(crate) start: PathBuf,
    /// Over the network: nothing outside of these.
    pub(crate) confined_to: Option<Vec<PathBuf>>,
}

#[derive(Debug)]
pub(crate) struct Repository {
    /// What it is opened by, for the next time.
    pub(crate) path: PathBuf,
    pub(crate) tree: Root,
    git: Root,
}

impl Places {
    pub(crate) fn find(&self, repo_path: Option<&str>) -> Result<Repository, Error> {
        let given = repo_path.map(str::trim).filter(|it| !it.is_empty());
        let not_found = || Error::RepoNotFound { repo_path: given.map(str::to_owned) };
        let start = given.map_or_else(|| self.start.clone(), |given| self.start.join(given));
        let found = match (&self.confined_to, given) {
            (Some(roots), Some(_)) => roots.iter().find_map(|root| beneath(root, &start)),
            _ => climb(&start),
        };
        let path = found.ok_or_else(not_found)?;
        Repository::open(path).ok_or_else(not_found)
    }
}

/// Climbs as the kernel does, through links, until there is a `.git`.
fn climb(start: &Path) -> Option<PathBuf> {
    let mut path = start.to_owned();
    if Root::open(start).is_err() {
        // A file stands for the directory it lies in; what does not exist stands for nothing.
        let name = RelPath::parse(start.file_name()?.to_str()?).ok()?;
        path.pop();
        Root::open(&path).ok()?.kind(&name).ok()??;
    }
    for _ in 0..MAX_CLIMB {
        let root = Root::open(&path).ok()?;
        if has_git(&root) {
            return Some(path);
        }
        path.push("..");
    }
    None
}

/// The same, never above `root` and never through a link out of it.
fn beneath(root: &Path, start: &Path) -> Option<PathBuf> {
    let top = Root::open(root).ok()?;
    let inside = start.strip_prefix(root).ok()?.to_str()?;
    let mut at = if inside.is_empty() { None } else { Some(RelPath::parse(inside).ok()?) };
    if let Some(path) = &at
        && top.kind(path).ok()?? != EntryKind::Directory
    {
        at = path.parent();
    }
    loop {
        let Some(path) = at else { return has_git(&top).then(|| root.to_owned()) };
        if has_git(&top.below(&path).ok()?) {
            return Some(root.join(path.as_str()));
        }
        at = path.parent();
    }
}

fn has_git(root: &Root) -> bool {
    RelPath::parse(".git").is_ok_and(|git| root.has_entry(&git))
}

impl Repository {
    pub(crate) fn open(path: PathBuf) -> Option<Self> {
        let tree = Root::open(&path).ok()?;
        let git = RelPath::parse(".git").ok()?;
        let git = match tree.kind(&git).ok()?? {
            EntryKind::Directory => tree.below(&git).ok()?,
            // A worktree or a submodule: the file says where its git directory is.
            EntryKind::File => {
                let text = tree.read_text(&git).ok()?;
                let target = text.strip_prefix("gitdir:")?.trim();
                Root::open(path.join(target)).ok()?
            }
            EntryKind::Symlink | EntryKind::Other => return None,
        };
        Some(Self { path, tree, git })
    }

    /// For looking only: nothing is created.
    pub(crate) fn journal_to_read(&self) -> Result<Journal, Error> {
        let ours = RelPath::parse(OURS)?;
        let dir = match self.git.below(&ours) {
            Ok(dir) => dir,
            // Nobody has written yet, and the git directory itself holds no journal.
            Err(_) => Root::open(self.git.path())?,
        };
        Ok(Journal::open(dir))
    }

    /// Brings an interrupted commit to its end; where none was ever begun, nothing is created.
    pub(crate) fn recover(&self) -> Result<(), Error> {
        if let Ok(dir) = self.git.below(&RelPath::parse(OURS)?) {
            drop(Journal::open(dir).lock(&self.tree)?);
        }
        Ok(())
    }

    pub(crate) fn journal_to_write(&self) -> Result<Journal, Error> {
        let ours = RelPath::parse(OURS)?;
        self.git.create_dir_all(&ours)?;
        Ok(Journal::open(self.git.below(&ours)?))
    }
}

#[cfg(test)]
mod tests {
    use plumbline_tests::Fixture;

    use super::*;

    fn places(fixture: &Fixture, start: &str) -> Places {
        Places { start: fixture.path().join(start), confined_to: None }
    }

    fn has(found: Result<Repository, Error>, marker: &str) -> bool {
        found.unwrap().tree.is_file(&RelPath::parse(marker).unwrap())
    }

    #[test]
    fn a_repository_is_found_from_a_directory_or_a_file_further_down() {
        let fixture = Fixture::new("//- .git/HEAD\nx\n//- a/b/c.rs\nx\n//- here\nx\n");
        assert!(has(places(&fixture, "a/b").find(None), "here"));
        assert!(has(places(&fixture, "").find(Some("a/b/c.rs")), "here"));
        assert!(has(places(&fixture, "a").find(Some("  ")), "here"));
    }

    #[test]
    fn a_path_that_does_not_exist_is_no_way_into_the_repository_around_it() {
        let fixture = Fixture::new("//- .git/HEAD\nx\n");
        let error = places(&fixture, "").find(Some("missing")).unwrap_err();
        assert_eq!(error.to_string(), "No git repository found");
        assert!(places(&fixture, "").find(Some("missing/further")).is_err());
    }

    #[test]
    fn the_git_file_of_a_worktree_leads_to_its_git_directory() {
        let fixture = Fixture::new(
            "//- main/.git/worktrees/w/HEAD\nx\n//- w/.git\ngitdir: ../main/.git/worktrees/w\n//- w/here\nx\n",
        );
        let found = places(&fixture, "w").find(None).unwrap();
        found.journal_to_write().unwrap();
        assert!(fixture.has("main/.git/worktrees/w/preflights"));
        assert!(!fixture.has("w/docs"));
    }

    #[test]
    fn a_link_is_climbed_where_it_leads() {
        let fixture = Fixture::new("//- real/.git/HEAD\nx\n//- real/sub/x\nx\n//- real/here\nx\n");
        std::os::unix::fs::symlink(fixture.path().join("real/sub"), fixture.path().join("link"))
            .unwrap();
        assert!(has(places(&fixture, "link").find(None), "here"));
    }

    #[test]
    fn over_the_network_a_path_cannot_leave_the_roots() {
        let fixture = Fixture::new("//- .git/HEAD\nx\n//- root/a/.git/HEAD\nx\n//- root/b/x\nx\n");
        let root = fixture.path().join("root");
        let places = Places { start: root.clone(), confined_to: Some(vec![root]) };
        assert!(places.find(Some("a")).is_ok());
        for path in ["b", "..", "a/../..", "/", fixture.path_text()] {
            assert!(places.find(Some(path)).is_err(), "{path}");
        }
    }
}
