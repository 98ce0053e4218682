//! The git repository a call is about: where it is, and where its journal is kept.

use std::path::PathBuf;

use mcp_core::doors::{Reach, Spot};
use mcp_core::repository;
use mcp_core::sandbox::{Journal, Root, State};
use mcp_core::work::Work;

use crate::error::Error;

/// What our journals are kept under.
const SERVER: &str = "preflights";

/// Where calls may go.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    /// Where to look when a call does not say; relative paths start here too.
    pub(crate) start: PathBuf,
    /// The user's home, which is nobody's project for what lies below it.
    pub(crate) home: Option<PathBuf>,
    /// Over the network: nothing outside these.
    pub(crate) confined_to: Option<Vec<PathBuf>>,
    /// Where locks and journals are kept, outside every repository.
    pub(crate) state: State,
}

#[derive(Debug)]
pub(crate) struct Repository {
    pub(crate) tree: Root,
    /// Where its index lies.
    pub(crate) git_dir: Root,
    state: State,
}

impl Places {
    /// The repository around a path, or around the place the server was started in.
    pub(crate) fn find(&self, repo_path: Option<&str>) -> Result<Repository, Error> {
        let given = repo_path.map(str::trim).filter(|it| !it.is_empty());
        let not_found = || Error::RepoNotFound { repo_path: given.map(str::to_owned) };
        let spot = match given {
            Some(given) => self.reach().look(given).ok().flatten().map(|it| it.spot),
            None => Spot::start(&self.start, self.confined_to.is_some()).ok(),
        };
        let spot = spot.ok_or_else(not_found)?;
        let found = repository::around(&spot).ok().flatten().ok_or_else(not_found)?;
        if given.is_none() && found.inside.is_some() && self.is_home(&found.tree) {
            return Err(not_found());
        }
        let git_dir = found.git_dir.root;
        Ok(Repository { tree: found.tree, git_dir, state: self.state.clone() })
    }

    fn is_home(&self, tree: &Root) -> bool {
        let home = self.home.as_ref().and_then(|it| mcp_core::doors::configured(it).ok());
        home.is_some_and(|it| it.id().is_some() && it.id() == tree.id())
    }

    fn reach(&self) -> Reach {
        let bases = vec![self.start.clone()];
        match &self.confined_to {
            Some(roots) => Reach::below(bases, roots.clone()),
            None => Reach::anywhere(bases),
        }
    }
}

impl Repository {
    /// Nothing of it is created before something is written.
    pub(crate) fn journal(&self) -> Journal {
        Journal::of(&self.state, SERVER, &self.tree)
    }

    /// Brings an interrupted commit to its end; where none was begun, nothing is created.
    pub(crate) fn recover(&self, work: &Work) -> Result<(), Error> {
        let journal = self.journal();
        if journal.is_interrupted() {
            drop(journal.lock(&self.tree, work)?);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use mcp_core::sandbox::RelPath;
    use plumbline_tests::Fixture;

    use super::*;

    fn places(fixture: &Fixture, start: &str) -> Places {
        let state = State::at(fixture.path().join("state"));
        Places { start: fixture.path().join(start), home: None, confined_to: None, state }
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
    fn nothing_is_written_into_a_git_directory_wherever_the_git_file_leads() {
        let fixture = Fixture::new(
            "//- main/.git/worktrees/w/HEAD\nx\n//- w/.git\ngitdir: ../main/.git/worktrees/w\n//- w/here\nx\n",
        );
        let before = fixture.files();
        let found = places(&fixture, "w").find(None).unwrap();
        drop(found.journal().lock(&found.tree, &Work::endless()).unwrap());
        let kept: Vec<String> =
            fixture.files().into_keys().filter(|it| !before.contains_key(it)).collect();
        assert!(!kept.is_empty() && kept.iter().all(|it| it.starts_with("state/")), "{kept:?}");
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
        let state = State::nowhere();
        let places =
            Places { start: root.clone(), home: None, confined_to: Some(vec![root]), state };
        assert!(places.find(Some("a")).is_ok());
        for path in ["b", "..", "a/../..", "/", fixture.path_text()] {
            assert!(places.find(Some(path)).is_err(), "{path}");
        }
    }

    #[test]
    fn a_home_that_is_a_repository_is_no_project_of_what_lies_below() {
        let fixture = Fixture::new("//- .git/HEAD\nref: refs/heads/main\n//- loose/x\nx\n");
        let mut places = places(&fixture, "loose");
        assert!(places.find(None).is_ok());
        places.home = Some(fixture.path().to_owned());
        assert!(places.find(None).is_err());
        assert!(places.find(Some(fixture.path_text())).is_ok(), "a path that is named is meant");
    }
}
