//! The system's git behind one hardened wrapper: argument lists, never a shell, and nothing that a
//! repository's own configuration or attributes name is ever executed.
//!
//! A repository is somebody else's text. Its configuration can name programs for filters, hooks,
//! diffs, file system monitors and transports; each is switched off here before git is asked for
//! anything (docs/security.md).

mod error;
mod keep;
mod look;
mod merge;
mod names;
pub(crate) mod output;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::time::Duration;

pub use error::GitError;
pub use keep::{Author, FileAs};
pub use look::Head;
pub use names::ObjectId;
pub use output::{Blob, Branch, Changed, ChangedHow, Commit, TreeChange, TreeFile};

use crate::doors::{self, Spot};
use crate::program::{Ended, Program};
use crate::repository::{self, Repository};
use crate::sandbox::Root;
use crate::work::Work;

const TIMEOUT: Duration = Duration::from_mins(1);
/// Room for the list of a million files.
const MAX_OUTPUT: u64 = 256 * 1024 * 1024;

const EMPTY_TREE_SHA1: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const EMPTY_TREE_SHA256: &str = "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321";

/// Everything git would execute, fetch or rewrite on a repository's say-so.
const SWITCHED_OFF: &[(&str, &str)] = &[
    ("core.fsmonitor", "false"),
    ("core.hooksPath", NOWHERE),
    ("core.attributesFile", NOWHERE),
    ("core.autocrlf", "false"),
    ("core.alternateRefsCommand", ""),
    ("core.askPass", ""),
    ("commit.gpgSign", "false"),
    ("tag.gpgSign", "false"),
    ("log.showSignature", "false"),
    ("credential.helper", ""),
    ("protocol.allow", "never"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
    ("safe.bareRepository", "explicit"),
    ("submodule.recurse", "false"),
    ("diff.ignoreSubmodules", "all"),
    ("advice.addEmbeddedRepo", "false"),
];

#[cfg(unix)]
const NOWHERE: &str = "/dev/null";
#[cfg(not(unix))]
const NOWHERE: &str = "NUL";

/// A repository with a working tree, seen from one directory in it. Paths are relative to that
/// directory, and what lies outside it is left out. Open it anew for each call.
#[derive(Clone)]
pub struct Git {
    program: Program,
    top: PathBuf,
    prefix: String,
    own_dir: PathBuf,
    is_confirmed: bool,
    empty_tree: &'static str,
    work: Work,
}

impl std::fmt::Debug for Git {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Git")
            .field("top", &self.top)
            .field("prefix", &self.prefix)
            .finish_non_exhaustive()
    }
}

impl Git {
    /// The repository that a directory lies in, with git's own word that it is the same one.
    /// Whatever runs is stopped when the work is cancelled.
    pub fn open(spot: &Spot, work: &Work) -> Result<Self, GitError> {
        let repository = repository::around(spot)?.ok_or(GitError::NoRepository)?;
        Self::of(&repository, work)
    }

    /// git at work in a repository that was found.
    pub fn of(repository: &Repository, work: &Work) -> Result<Self, GitError> {
        let tree = repository.tree.real_path();
        let tree = tree.unwrap_or_else(|| repository.tree.path().to_owned());
        let program = hardened(Program::find("git")?).directory(&tree);
        let asked = ["--show-toplevel", "--absolute-git-dir", "--show-object-format"];
        let ended = program.clone().args(["rev-parse"]).args(asked).run(b"", work)?;
        if !ended.status.success() {
            return Err(GitError::no_repository(&ended.stderr));
        }
        let said = String::from_utf8_lossy(&ended.stdout);
        let lines: Vec<&str> = said.lines().collect();
        let [top, git_dir, format] = lines[..] else {
            return Err(GitError::Unreadable { what: "the place of the repository" });
        };
        // `core.worktree` can point anywhere, and so can an environment of ours: what git means
        // must be the very directories that were found.
        let same = |said: &str, found: &Root| {
            doors::start(Path::new(said)).is_ok_and(|it| it.id().is_some() && it.id() == found.id())
        };
        if !same(top, &repository.tree) || !same(git_dir, &repository.git_dir.root) {
            return Err(GitError::Elsewhere);
        }
        // From here on git gets both directories on its command line, and no setting moves it.
        let own_dir = PathBuf::from(git_dir);
        let program = program.args([joined("--git-dir=", &own_dir), joined("--work-tree=", &tree)]);
        let inside = repository.inside.as_ref();
        let mut git = Self {
            program,
            prefix: inside.map(|it| format!("{it}/")).unwrap_or_default(),
            own_dir,
            is_confirmed: repository.git_dir.is_confirmed,
            empty_tree: if format == "sha256" { EMPTY_TREE_SHA256 } else { EMPTY_TREE_SHA1 },
            top: tree,
            work: work.clone(),
        };
        git.program = git.without_drivers()?;
        Ok(git)
    }

    /// Refuses to write where it is not certain whose git directory this is.
    fn check_may_write(&self) -> Result<(), GitError> {
        if self.is_confirmed { Ok(()) } else { Err(GitError::Unconfirmed) }
    }

    /// The top of the working tree.
    pub fn top(&self) -> &Path {
        &self.top
    }

    /// Where this working tree's own git files are; a linked working tree has its own.
    pub fn git_dir(&self) -> &Path {
        &self.own_dir
    }

    /// Overrides every filter the configuration names, wherever it is included from, and lets
    /// attributes come from the empty tree. Passed by variables, because a name may hold `=`.
    fn without_drivers(&self) -> Result<Program, GitError> {
        let listed = self.run(&["config", "--list", "--name-only", "-z"])?;
        let mut settings: Vec<(String, &str)> = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        for key in listed.split(|byte| *byte == 0) {
            let key = String::from_utf8_lossy(key);
            let Some(name) = key.strip_prefix("filter.").and_then(|rest| rest.rsplit_once('.'))
            else {
                continue;
            };
            if seen.insert(name.0.to_owned()) {
                let filter = name.0;
                settings.extend([
                    (format!("filter.{filter}.clean"), ""),
                    (format!("filter.{filter}.smudge"), ""),
                    (format!("filter.{filter}.process"), ""),
                    (format!("filter.{filter}.required"), "false"),
                ]);
            }
        }
        let mut program =
            self.program.clone().directory(&self.top).variable("GIT_ATTR_SOURCE", self.empty_tree);
        program = program.variable("GIT_CONFIG_COUNT", settings.len().to_string());
        for (place, (key, value)) in settings.into_iter().enumerate() {
            program = program
                .variable(format!("GIT_CONFIG_KEY_{place}"), key)
                .variable(format!("GIT_CONFIG_VALUE_{place}"), value);
        }
        Ok(program)
    }

    fn run(&self, args: &[&str]) -> Result<Vec<u8>, GitError> {
        self.run_by(&self.program, args, b"")
    }

    /// For commands whose failure is a failure; what they wrote.
    fn run_by(&self, git: &Program, args: &[&str], input: &[u8]) -> Result<Vec<u8>, GitError> {
        let ended = self.try_run(git.clone(), args, input)?;
        if !ended.status.success() {
            return Err(GitError::failed(args, &ended.stderr));
        }
        Ok(ended.stdout)
    }

    /// For commands that answer with their exit code.
    fn try_run(&self, program: Program, args: &[&str], input: &[u8]) -> Result<Ended, GitError> {
        Ok(program.args(args).run(input, &self.work)?)
    }

    fn line(&self, args: &[&str]) -> Result<String, GitError> {
        Ok(String::from_utf8_lossy(&self.run(args)?).trim_end_matches('\n').to_owned())
    }

    /// The path as seen from our directory; `None` for what lies outside it.
    fn inside(&self, path: &[u8]) -> Option<String> {
        let path = String::from_utf8_lossy(path);
        path.strip_prefix(self.prefix.as_str()).map(str::to_owned)
    }

    fn path_from_top(&self, path: &str) -> String {
        format!("{}{path}", self.prefix)
    }
}

fn joined(flag: &str, path: &Path) -> std::ffi::OsString {
    let mut argument = std::ffi::OsString::from(flag);
    argument.push(path);
    argument
}

/// What holds for every command, before the repository is known.
fn hardened(git: Program) -> Program {
    let mut program = git.timeout(TIMEOUT).max_output(MAX_OUTPUT).args(["--no-pager"]);
    for (name, value) in [
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_ATTR_NOSYSTEM", "1"),
        ("GIT_TERMINAL_PROMPT", "0"),
        ("GIT_OPTIONAL_LOCKS", "0"),
        ("GIT_LITERAL_PATHSPECS", "1"),
        ("GIT_NO_LAZY_FETCH", "1"),
        ("GIT_NO_REPLACE_OBJECTS", "1"),
        ("LC_ALL", "C"),
    ] {
        program = program.variable(name, value);
    }
    for (key, value) in SWITCHED_OFF {
        program = program.args(["-c".to_owned(), format!("{key}={value}")]);
    }
    program
}
