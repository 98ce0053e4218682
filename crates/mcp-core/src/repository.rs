//! The git repository around a directory, and whether its git directory is really its own.
//!
//! A directory called `.git` belongs to the tree it lies in. A *file* of that name points
//! elsewhere, and an archive can bring one that points at a stranger's repository. git itself
//! keeps a pointer back: a linked working tree's git directory names the tree's `.git` file, a
//! submodule's names its working tree. Only where that leads back here is it the tree's own.

use std::path::Path;

use crate::sandbox::doors::{self, Spot};
use crate::sandbox::{EntryKind, Error, RelPath, Root};

/// Longer files are no pointers of git's.
const MAX_POINTER_BYTES: u64 = 64 * 1024;

/// A working tree with its git directory.
#[derive(Debug)]
pub struct Repository {
    /// The top of the working tree.
    pub tree: Root,
    /// The way from there to where the search began; `None` where it began at the top.
    pub inside: Option<RelPath>,
    /// Where `.git` is or points to.
    pub git_dir: GitDirectory,
}

/// The directory that holds a working tree's own git files.
#[derive(Debug)]
pub struct GitDirectory {
    /// The open directory, in which `HEAD` lies.
    pub root: Root,
    /// Whether it is certain that it belongs to the tree: without that, nothing is written there.
    pub is_confirmed: bool,
}

/// Whether there is a `.git` of any kind in a directory.
pub fn is_top(directory: &Root) -> Result<bool, Error> {
    directory.has_entry(&RelPath::parse(".git")?)
}

/// The repository that a directory lies in; `None` where it lies in none that can be read.
///
/// Where the way up is confined, so is the git directory: one that lies elsewhere is used only
/// when it is confirmed.
pub fn around(spot: &Spot) -> Result<Option<Repository>, Error> {
    let Some(climbed) = spot.climb(is_top)? else { return Ok(None) };
    let tree = climbed.spot.root;
    let Some(git_dir) = git_directory(&tree)? else { return Ok(None) };
    if spot.is_confined() && !git_dir.is_confirmed {
        return Ok(None);
    }
    Ok(Some(Repository { tree, inside: climbed.inside, git_dir }))
}

fn git_directory(tree: &Root) -> Result<Option<GitDirectory>, Error> {
    let name = RelPath::parse(".git")?;
    // A link that leads out of the tree is a pointer that nothing confirms.
    let kind = match tree.kind(&name) {
        Ok(kind) => kind,
        Err(Error::Escape { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    let found = match kind {
        Some(EntryKind::Directory) => GitDirectory { root: tree.below(&name)?, is_confirmed: true },
        Some(EntryKind::File) => {
            let text = tree.read_up_to(&name, MAX_POINTER_BYTES)?;
            let text = String::from_utf8_lossy(&text);
            let Some(target) = text.strip_prefix("gitdir:") else { return Ok(None) };
            let target = tree.path().join(target.trim_end_matches(['\n', '\r']).trim_start());
            let Ok(root) = doors::git_directory(&target) else { return Ok(None) };
            let is_confirmed = leads_back(&root, tree);
            GitDirectory { root, is_confirmed }
        }
        _ => return Ok(None),
    };
    let has_head = found.root.has_entry(&RelPath::parse("HEAD")?)?;
    Ok(has_head.then_some(found))
}

/// Whether the git directory's own pointer leads to this tree. Directories are compared by what
/// they are, not by what they are called.
fn leads_back(git_dir: &Root, tree: &Root) -> bool {
    let Some(id) = tree.id() else { return false };
    let is_tree = |path: &Path| doors::start(path).is_ok_and(|root| root.id() == Some(id));
    if let Some(pointer) = read(git_dir, "gitdir") {
        let pointer = git_dir.path().join(pointer.trim_end_matches(['\n', '\r']));
        return pointer.ends_with(".git") && pointer.parent().is_some_and(is_tree);
    }
    let config = read(git_dir, "config").unwrap_or_default();
    configured_worktree(&config).is_some_and(|it| is_tree(&git_dir.path().join(it)))
}

fn read(git_dir: &Root, name: &str) -> Option<String> {
    let bytes = git_dir.read_up_to(&RelPath::parse(name).ok()?, MAX_POINTER_BYTES).ok()?;
    String::from_utf8(bytes).ok()
}

/// `core.worktree`, as git writes it for a submodule: plain, in the file itself.
fn configured_worktree(config: &str) -> Option<&str> {
    let mut in_core = false;
    let mut found = None;
    for line in config.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            in_core = section.trim_end_matches(']').eq_ignore_ascii_case("core");
        } else if in_core
            && let Some((key, value)) = line.split_once('=')
            && key.trim().eq_ignore_ascii_case("worktree")
        {
            found = Some(value.trim().trim_matches('"'));
        }
    }
    found.filter(|it| !it.is_empty())
}

#[cfg(test)]
mod tests {
    use plumbline_tests::Fixture;

    use super::*;

    fn found(fixture: &Fixture, start: &str) -> Option<Repository> {
        let spot = Spot::start(&fixture.path().join(start), false).unwrap();
        around(&spot).unwrap()
    }

    #[test]
    fn a_repository_is_found_from_further_down_with_the_way_back() {
        let fixture = Fixture::new("//- .git/HEAD\nx\n//- a/b/c.rs\nx\n");
        let repository = found(&fixture, "a/b").unwrap();
        assert_eq!(repository.inside.unwrap().as_str(), "a/b");
        assert!(repository.git_dir.is_confirmed);
        assert!(found(&fixture, "").unwrap().inside.is_none());
    }

    #[test]
    fn the_git_file_of_a_worktree_is_confirmed_by_the_pointer_back() {
        let fixture = Fixture::new(
            "//- main/.git/worktrees/w/HEAD\nx\n//- w/.git\ngitdir: ../main/.git/worktrees/w\n",
        );
        fixture.write(
            "main/.git/worktrees/w/gitdir",
            &format!("{}\n", fixture.path().join("w/.git").display()),
        );
        assert!(found(&fixture, "w").unwrap().git_dir.is_confirmed);
        fixture.write("other/.git", "gitdir: ../main/.git/worktrees/w\n");
        assert!(!found(&fixture, "other").unwrap().git_dir.is_confirmed);
    }

    #[test]
    fn a_submodule_is_confirmed_by_its_configured_working_tree() {
        let fixture =
            Fixture::new("//- .git/modules/s/HEAD\nx\n//- s/.git\ngitdir: ../.git/modules/s\n");
        let config = "[core]\n\tbare = false\n\tworktree = ../../../s\n[worktree]\n\tx = y\n";
        fixture.write(".git/modules/s/config", config);
        assert!(found(&fixture, "s").unwrap().git_dir.is_confirmed);
        fixture.write(".git/modules/s/config", "[core]\n\tworktree = ../../../t\n");
        assert!(!found(&fixture, "s").unwrap().git_dir.is_confirmed);
    }

    #[test]
    fn a_file_that_points_at_a_strangers_repository_confirms_nothing() {
        let fixture =
            Fixture::new("//- victim/.git/HEAD\nx\n//- evil/.git\ngitdir: ../victim/.git\n");
        assert!(!found(&fixture, "evil").unwrap().git_dir.is_confirmed);
        let confined = Spot::start(&fixture.path().join("evil"), true).unwrap();
        assert!(around(&confined).unwrap().is_none());
    }

    #[test]
    fn where_calls_are_confined_nobody_climbs_above_the_root() {
        let fixture = Fixture::new("//- .git/HEAD\nx\n//- root/a/x\nx\n");
        let spot = Spot::start(&fixture.path().join("root"), true).unwrap();
        assert!(around(&spot).unwrap().is_none());
    }
}
