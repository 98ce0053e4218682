//! Which files of a target are read: those that git would list, links not followed, in order.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;

use ignore::{DirEntry, WalkBuilder, WalkState};
use mcp_core::sandbox::{Entry, EntryKind, RelPath};

use super::kinds::KINDS;
use super::tracked::Repository;
use super::{MAX_FILES, Target, TargetKind, directory_of_module, is_test, language_of};
use crate::error::Error;
use crate::skeleton::LanguageId;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SourceFile {
    pub(crate) path: RelPath,
    pub(crate) language: LanguageId,
    pub(crate) is_test: bool,
    /// Named by the caller itself: read even where a scan would leave it out.
    pub(crate) is_named: bool,
}

/// The source files of a target, sorted by path.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    pub(crate) files: Vec<SourceFile>,
    pub(crate) warnings: Vec<String>,
}

impl Target {
    /// Lists what is to be read. `stop` is asked now and then.
    pub(crate) fn scan(&self, stop: &(dyn Fn() -> bool + Sync)) -> Result<Scan, Error> {
        if self.kind == TargetKind::File {
            let unsupported = || Error::Unsupported { path: self.given.clone() };
            let path = self.path.clone().ok_or_else(unsupported)?;
            let language = language_of(path.as_str()).ok_or_else(unsupported)?;
            let is_test = is_test(path.as_str());
            let file = SourceFile { path, language, is_test, is_named: true };
            return Ok(Scan { files: vec![file], warnings: Vec::new() });
        }
        let start = match &self.path {
            Some(path) => self.root.path().join(path.as_str()),
            None => self.root.path().to_owned(),
        };
        let mut scan = self.walk(&start, stop);
        if stop() {
            return Err(Error::Cancelled);
        }
        if let Some(file) = self.file_of_module(&scan) {
            scan.files.push(file);
            scan.files.sort();
        }
        if scan.files.len() > MAX_FILES {
            let more = scan.files.len() - MAX_FILES;
            scan.files.truncate(MAX_FILES);
            scan.warnings.push(format!(
                "{more} files after the first {MAX_FILES} were left out; give a smaller target"
            ));
        }
        if scan.files.is_empty() {
            return Err(Error::NoSources { path: self.given.clone() });
        }
        Ok(scan)
    }

    /// A Rust directory without the file that begins its module is half of one: `a.rs` for `a/`.
    fn file_of_module(&self, scan: &Scan) -> Option<SourceFile> {
        let directory = self.path.as_ref()?.as_str();
        let path = RelPath::parse(&format!("{directory}.rs")).ok()?;
        directory_of_module(path.as_str())?;
        scan.files.iter().find(|it| it.language == LanguageId::Rust)?;
        // Listed rather than looked at: links are not followed here either.
        let beside = self.root.list(path.parent().as_ref()).ok()?;
        let is_it = |it: &Entry| it.kind == EntryKind::File && it.name == path.file_name();
        if beside.iter().any(is_it) { SourceFile::found(path) } else { None }
    }
}

impl Target {
    /// Walks on all cores. Only names are learned here; files are opened through the sandbox.
    fn walk(&self, start: &Path, stop: &(dyn Fn() -> bool + Sync)) -> Scan {
        let root = self.root.path();
        let repository = Repository::around(start);
        let found = Mutex::new(Found::default());
        let walker = WalkBuilder::new(start)
            .hidden(false)
            .ignore(false)
            .git_ignore(true)
            .git_exclude(true)
            .git_global(true)
            // Rules above the top of a repository are none of its own; elsewhere the project is
            // what they may be taken from.
            .require_git(repository.is_some())
            .parents(repository.is_some() || start != root)
            .follow_links(false)
            .filter_entry(|entry| !is_skipped(entry))
            .build_parallel();
        walker.run(|| {
            let mut batch = Batch { root, found: &found, mine: Found::default() };
            Box::new(move |entry| {
                if stop() {
                    return WalkState::Quit;
                }
                match entry {
                    Ok(entry) if entry.file_name() == ".git" => {
                        batch.add_repository(&entry);
                        return WalkState::Skip;
                    }
                    Ok(entry) => batch.add(&entry),
                    Err(error) => batch.mine.warnings.push(plainly(root, &error)),
                }
                WalkState::Continue
            })
        });
        let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.files.sort();
        if let Some(repository) = repository {
            found.leave_out_repositories(root);
            found.add_tracked(self, start, &repository);
        }
        found.into_scan()
    }
}

#[derive(Default)]
struct Found {
    files: Vec<SourceFile>,
    warnings: Vec<String>,
    made_by_tools: BTreeSet<PathBuf>,
    /// Directories beneath the target that have git files of their own.
    repositories: BTreeSet<PathBuf>,
}

impl Found {
    /// Git lists nothing of a repository inside of another one: it is a project of its own.
    fn leave_out_repositories(&mut self, root: &Path) {
        self.repositories.retain(|inside| Repository::at(&root.join(inside)).is_some());
        for repository in &self.repositories {
            let shown = mcp_core::text::one_line(&repository.to_string_lossy());
            let reason = "it is a repository of its own; name it to have it read";
            self.warnings.push(format!("{shown}: left out, {reason}"));
        }
    }

    /// Adds what a rule ignores and git lists all the same, because it is tracked.
    fn add_tracked(&mut self, target: &Target, start: &Path, repository: &Repository) {
        let Ok(prefix) = start.strip_prefix(target.root.path()) else { return };
        let mut further = Vec::new();
        repository.tracked_beneath(start, &mut |inside| {
            let mut directories = Path::new(inside).components().rev().skip(1);
            if directories.any(|it| is_skipped_name(it.as_os_str())) {
                return;
            }
            let Some(Ok(path)) = prefix.join(inside).to_str().map(RelPath::parse) else { return };
            let known = self.files.binary_search_by(|file| file.path.cmp(&path));
            // A file that was deleted stays in the index until that is committed.
            if known.is_err() && target.root.is_file(&path) {
                further.extend(SourceFile::found(path));
            }
        });
        self.files.append(&mut further);
        self.files.sort();
        self.files.dedup();
    }

    fn into_scan(self) -> Scan {
        let Self { mut files, mut warnings, made_by_tools, repositories } = self;
        warnings.sort();
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
    fn found(path: RelPath) -> Option<Self> {
        let language = language_of(path.as_str())?;
        let is_test = is_test(path.as_str());
        Some(Self { path, language, is_test, is_named: false })
    }
}

/// What one thread found, handed over when it ends.
struct Batch<'a> {
    root: &'a Path,
    found: &'a Mutex<Found>,
    mine: Found,
}

impl Batch<'_> {
    fn add(&mut self, entry: &DirEntry) {
        if !entry.file_type().is_some_and(|kind| kind.is_file()) {
            return;
        }
        let Ok(inside) = entry.path().strip_prefix(self.root) else { return };
        let Some(text) = inside.to_str() else {
            let shown = mcp_core::text::one_line(&inside.to_string_lossy());
            self.mine.warnings.push(format!("{shown}: left out, its name is not UTF-8"));
            return;
        };
        let name = entry.file_name();
        if KINDS.tool_markers.iter().any(|marker| name == marker.as_str()) {
            // The target itself was asked for, whoever made it.
            if entry.depth() > 1
                && let Some(directory) = inside.parent()
            {
                self.mine.made_by_tools.insert(directory.to_owned());
            }
            return;
        }
        if language_of(text).is_some()
            && let Ok(path) = RelPath::parse(text)
        {
            self.mine.files.extend(SourceFile::found(path));
        }
    }

    /// What lies beside git's own files is a repository, unless it is the target itself.
    fn add_repository(&mut self, entry: &DirEntry) {
        if entry.depth() > 1
            && let Some(directory) = entry.path().parent()
            && let Ok(inside) = directory.strip_prefix(self.root)
        {
            self.mine.repositories.insert(inside.to_owned());
        }
    }
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.files.append(&mut self.mine.files);
        found.warnings.append(&mut self.mine.warnings);
        found.made_by_tools.append(&mut self.mine.made_by_tools);
        found.repositories.append(&mut self.mine.repositories);
    }
}

fn is_skipped(entry: &DirEntry) -> bool {
    entry.depth() > 0
        && entry.file_type().is_some_and(|kind| kind.is_dir())
        && is_skipped_name(entry.file_name())
}

fn is_skipped_name(name: &OsStr) -> bool {
    KINDS.skipped_directories.iter().any(|it| name == it.as_str())
}

fn plainly(root: &Path, error: &ignore::Error) -> String {
    let shown = error.to_string().replace(&format!("{}/", root.display()), "");
    mcp_core::text::one_line(&shown)
}
