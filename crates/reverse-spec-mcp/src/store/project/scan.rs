//! Which files of a target are read: those that git would list, links not followed, in order.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use mcp_core::sandbox::{Entry, EntryKind, RelPath, Root};
use mcp_core::walk::Walk;
use mcp_core::work::Work;
use mcp_core::{index, repository};

use super::{MAX_FILES, Target, TargetKind};
use crate::domain::languages;
use crate::domain::place::Warning;
use crate::domain::reading;
use crate::error::Error;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SourceFile {
    pub(crate) path: RelPath,
    pub(crate) is_test: bool,
    /// Named by the caller itself: read even where a scan would leave it out.
    pub(crate) is_named: bool,
}

/// The source files of a target, sorted by path.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    pub(crate) files: Vec<SourceFile>,
    pub(crate) warnings: Vec<Warning>,
}

impl Target {
    /// Lists what is to be read.
    pub(crate) fn scan(&self, work: &Work) -> Result<Scan, Error> {
        if self.kind == TargetKind::File {
            let unsupported = || Error::Unsupported {
                path: self.given.clone(),
                readable: languages::extensions(),
            };
            let path = self.path.clone().ok_or_else(unsupported)?;
            let file = SourceFile::found(path).ok_or_else(unsupported)?;
            let file = SourceFile { is_named: true, ..file };
            return Ok(Scan { files: vec![file], warnings: Vec::new() });
        }
        let mut scan = self.walk(work)?;
        if let Some(file) = self.file_of_module(&scan) {
            scan.files.push(file);
            scan.files.sort();
        }
        if scan.files.len() > MAX_FILES {
            let more = scan.files.len() - MAX_FILES;
            scan.files.truncate(MAX_FILES);
            scan.warnings.push(Warning::general(format!(
                "{more} files after the first {MAX_FILES} were left out; give a smaller target"
            )));
        }
        if scan.files.is_empty() {
            let readable = languages::extensions();
            return Err(Error::NoSources { path: self.given.clone(), readable });
        }
        Ok(scan)
    }

    /// In some languages a module has a file beside the directory with the rest of it, and one without
    /// the other is half of it: `a.rs` for `a/`.
    fn file_of_module(&self, scan: &Scan) -> Option<SourceFile> {
        let directory = self.path.as_ref()?.as_str();
        let language = languages::all().find(|it| {
            let is_of = |file: &SourceFile| {
                languages::id_of_path(file.path.as_str()) == Some(it.about().id())
            };
            it.about().modules_beside_directories && scan.files.iter().any(is_of)
        })?;
        let mut named = language.about().extensions.iter();
        let path = named.find_map(|it| {
            let path = RelPath::parse(&format!("{directory}{it}")).ok()?;
            language.directory_of_module(path.as_str())?;
            // Listed rather than looked at: links are not followed here either.
            let beside = self.root.list(path.parent().as_ref()).ok()?;
            let is_it = |it: &Entry| it.kind == EntryKind::File && it.name == path.file_name();
            beside.iter().any(is_it).then_some(path)
        })?;
        SourceFile::found(path)
    }
}

impl Target {
    /// Walks below a handle, on all cores. Only names are learned here.
    fn walk(&self, work: &Work) -> Result<Scan, Error> {
        let repository = repository::around(self.spot())?;
        // Rules above the top of a repository are none of its own; elsewhere the project is what they
        // may be taken from.
        let (tree, base) = match &repository {
            Some(it) => (&it.tree, it.inside.clone()),
            None => (&self.root, self.path.clone()),
        };
        let prefix = prefix_of(base.as_ref(), self.path.as_ref());
        let found = Mutex::new(Found::default());
        let below = |path: &RelPath| {
            base.as_ref()
                .map_or(path.as_str(), |it| {
                    path.as_str()
                        .strip_prefix(it.as_str())
                        .unwrap_or_default()
                        .trim_start_matches('/')
                })
                .to_owned()
        };
        let visit = |path: &RelPath| {
            let Some(inside) = path.as_str().strip_prefix(&prefix) else { return };
            let is_marker = reading::is_tool_marker(path.file_name());
            // The target itself was asked for, whoever made it.
            let made = is_marker && below(path).contains('/');
            let file = RelPath::parse(inside).ok().filter(|_| !is_marker);
            let file = file.and_then(SourceFile::found);
            let unread = || reading::program_ending(path.file_name());
            let unread = if file.is_none() && !is_marker { unread() } else { None };
            if made || file.is_some() || unread.is_some() {
                let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                found.files.extend(file);
                if let Some(ending) = unread {
                    *found.unread.entry(ending).or_default() += 1;
                }
                let directory = Path::new(inside).parent().filter(|_| made);
                found.made_by_tools.extend(directory.map(Path::to_owned));
            }
        };
        let enter = |path: &RelPath| !reading::is_skipped_directory(path.file_name());
        let mut walk = Walk::new(tree).beneath(base.as_ref()).entering(&enter);
        if let Some(repository) = &repository {
            walk = walk.with_excludes_of(&repository.git_dir.root);
        }
        let walked = walk.run(work, &visit)?;
        let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        let shown = |path: &str| path.strip_prefix(&prefix).unwrap_or(path).to_owned();
        let unreadable = walked.unreadable.iter();
        found
            .warnings
            .extend(unreadable.map(|(path, why)| Warning::about(shown(path), why.as_str())));
        let unnamed = walked.unnamed.iter();
        let reason = "left out, its name is not UTF-8";
        found.warnings.extend(unnamed.map(|path| Warning::about(shown(path), reason)));
        found.files.sort();
        if let Some(repository) = &repository {
            let others = walked.repositories.iter().filter(|it| is_repository(tree, it));
            found.leave_out_repositories(others.map(|it| shown(it.as_str())));
            let beneath = base.as_ref().map(RelPath::as_str).unwrap_or_default();
            found.add_tracked(self, beneath, &prefix, &repository.git_dir.root);
        }
        Ok(found.into_scan())
    }
}

/// The way from the top of the tree to the project, with a slash after it: paths are relative to that.
fn prefix_of(base: Option<&RelPath>, path: Option<&RelPath>) -> String {
    let base = base.map(RelPath::as_str).unwrap_or_default();
    let path = path.map(RelPath::as_str).unwrap_or_default();
    let above = base.strip_suffix(path).unwrap_or(base).trim_end_matches('/');
    if above.is_empty() { String::new() } else { format!("{above}/") }
}

/// Whether a directory with a `.git` is a repository, rather than one that lost its own.
fn is_repository(tree: &Root, directory: &RelPath) -> bool {
    let Ok(git) = directory.join(".git") else { return false };
    match tree.kind(&git) {
        Ok(Some(EntryKind::Directory)) => {
            git.join("HEAD").and_then(|it| tree.has_entry(&it)).unwrap_or_default()
        }
        Ok(Some(EntryKind::File)) => tree.read_text(&git).is_ok_and(|it| it.starts_with("gitdir:")),
        _ => false,
    }
}

#[derive(Default)]
struct Found {
    files: Vec<SourceFile>,
    warnings: Vec<Warning>,
    made_by_tools: BTreeSet<PathBuf>,
    /// Directories beneath the target that have git files of their own.
    repositories: BTreeSet<PathBuf>,
    /// How many files there are of each kind that nothing reads.
    unread: BTreeMap<&'static str, usize>,
}

impl Found {
    /// Git lists nothing of a repository inside another one: it is a project of its own.
    fn leave_out_repositories(&mut self, repositories: impl Iterator<Item = String>) {
        for repository in repositories {
            let reason = "left out, it is a repository of its own; name it to have it read";
            self.warnings.push(Warning::about(mcp_core::text::one_line(&repository), reason));
            self.repositories.insert(repository.into());
        }
    }

    /// Adds what a rule ignores and git lists all the same, because it is tracked.
    fn add_tracked(&mut self, target: &Target, beneath: &str, prefix: &str, git_dir: &Root) {
        let mut further = Vec::new();
        let wanted = |path: &str| {
            let rest = path.strip_prefix(beneath);
            let mut directories = path.split('/').rev().skip(1);
            rest.is_some_and(|rest| beneath.is_empty() || rest.starts_with('/'))
                && languages::of_path(path).is_some()
                && !directories.any(reading::is_skipped_directory)
        };
        for path in index::tracked(git_dir, &wanted) {
            let Some(Ok(path)) = path.strip_prefix(prefix).map(RelPath::parse) else { continue };
            let known = self.files.binary_search_by(|file| file.path.cmp(&path));
            // A file that was deleted stays in the index until that is committed.
            if known.is_err() && target.root.is_file(&path) {
                further.extend(SourceFile::found(path));
            }
        }
        self.files.append(&mut further);
        self.files.sort();
        self.files.dedup();
    }

    fn into_scan(self) -> Scan {
        let Self { mut files, mut warnings, made_by_tools, repositories, unread } = self;
        warnings.sort();
        if !unread.is_empty() {
            let kinds = unread.iter().map(|(ending, count)| format!("{count} .{ending}"));
            let kinds = kinds.collect::<Vec<_>>().join(", ");
            warnings.push(Warning::general(format!(
                "files of these kinds were not read, so nothing is said about them: {kinds}"
            )));
        }
        let is_left_out = |path: &RelPath| {
            let mut above = Path::new(path.as_str()).ancestors().skip(1);
            above.any(|it| made_by_tools.contains(it) || repositories.contains(it))
        };
        files.retain(|file| !is_left_out(&file.path));
        Scan { files, warnings }
    }
}

impl SourceFile {
    /// None for what is in no language that is read.
    pub(crate) fn found(path: RelPath) -> Option<Self> {
        let language = languages::of_path(path.as_str())?;
        let is_test = language.about().is_test(path.as_str());
        Some(Self { path, is_test, is_named: false })
    }
}
