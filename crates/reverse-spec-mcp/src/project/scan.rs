//! Which files of a target are read: what git would not ignore, links not followed, in order.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;

use ignore::{DirEntry, WalkBuilder, WalkState};
use mcp_core::sandbox::{Entry, EntryKind, RelPath};

use super::kinds::KINDS;
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
        let mut scan = walk(self.root.path(), &start, stop);
        if stop() {
            return Err(Error::Cancelled);
        }
        scan.files.sort();
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
        let is_test = is_test(path.as_str());
        let language = LanguageId::Rust;
        let is_there = beside.iter().any(is_it);
        is_there.then_some(SourceFile { path, language, is_test, is_named: false })
    }
}

/// Walks on all cores. Only names are learned here; files are opened through the sandbox.
fn walk(root: &Path, start: &Path, stop: &(dyn Fn() -> bool + Sync)) -> Scan {
    let found = Mutex::new(Found::default());
    let walker = WalkBuilder::new(start)
        .hidden(false)
        .ignore(false)
        .git_ignore(true)
        .git_exclude(true)
        .git_global(true)
        .require_git(false)
        .parents(true)
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
                Ok(entry) => batch.add(&entry),
                Err(error) => batch.mine.warnings.push(plainly(root, &error)),
            }
            WalkState::Continue
        })
    });
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut warnings = found.warnings;
    warnings.sort();
    let made = found.made_by_tools;
    let is_made = |path: &RelPath| made.iter().any(|it| Path::new(path.as_str()).starts_with(it));
    let files = found.files.into_iter().filter(|file| !is_made(&file.path)).collect();
    Scan { files, warnings }
}

#[derive(Default)]
struct Found {
    files: Vec<SourceFile>,
    warnings: Vec<String>,
    made_by_tools: BTreeSet<PathBuf>,
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
        let Some(language) = language_of(text) else { return };
        let Ok(path) = RelPath::parse(text) else { return };
        let is_test = is_test(path.as_str());
        self.mine.files.push(SourceFile { path, language, is_test, is_named: false });
    }
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.files.append(&mut self.mine.files);
        found.warnings.append(&mut self.mine.warnings);
        found.made_by_tools.append(&mut self.mine.made_by_tools);
    }
}

fn is_skipped(entry: &DirEntry) -> bool {
    entry.depth() > 0
        && entry.file_type().is_some_and(|kind| kind.is_dir())
        && KINDS.skipped_directories.iter().any(|name| entry.file_name() == name.as_str())
}

fn plainly(root: &Path, error: &ignore::Error) -> String {
    let shown = error.to_string().replace(&format!("{}/", root.display()), "");
    mcp_core::text::one_line(&shown)
}
