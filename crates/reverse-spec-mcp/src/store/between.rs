//! Two states of a project compared without a specification: commits by any name that git has for
//! them, or directories.

use std::collections::BTreeMap;

use mcp_core::git::Git;
use mcp_core::sandbox::RelPath;
use mcp_core::text;
use mcp_core::work::Work;
use serde::Serialize;

use super::analysis::{Analysis, Depth};
use super::drift::{Summary, not_judged};
use super::project::{MAX_SOURCE_BYTES, Places, SourceFile, TargetKind};
use crate::domain::baseline::Baseline;
use crate::domain::diff::{self, DriftItem};
use crate::domain::languages;
use crate::domain::place::Warning;
use crate::domain::reading;
use crate::domain::release::{self, Verdict};
use crate::error::Error;

/// What differs between two states, and what that makes of the next release.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Between {
    pub(crate) from: String,
    pub(crate) to: String,
    /// Which number of the version has to change.
    pub(crate) semver: Verdict,
    pub(crate) summary: Summary,
    pub(crate) items: Vec<DriftItem>,
    /// A draft, as Markdown.
    pub(crate) changelog: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) warnings: Vec<Warning>,
}

pub(crate) fn compare(
    places: &Places,
    from: &str,
    to: &str,
    work: &Work,
) -> Result<Between, Error> {
    let old = State::read(places, from, work)?;
    let new = State::read(places, to, work)?;
    let depth = Depth { reach: true, ..Depth::default() };
    let before = old.analysis(depth, work)?;
    let after = new.analysis(Depth { internals: true, ..depth }, work)?;
    let baseline = Baseline::of(&before.skeletons);
    let items = diff::compare(&baseline, &after.skeletons).items;
    let mut warnings = after.warnings;
    warnings.extend(not_judged(&baseline, &after.skeletons));
    Ok(Between {
        from: text::one_line(from),
        to: text::one_line(to),
        semver: release::verdict(&items),
        summary: Summary::of(&items),
        changelog: release::changelog(&items),
        items,
        warnings,
    })
}

/// The sources of one state, and the files that declare its packages.
struct State {
    sources: Vec<(SourceFile, Vec<u8>)>,
    manifests: BTreeMap<String, String>,
}

impl State {
    /// By the name of a commit, where git knows it; otherwise a directory.
    fn read(places: &Places, given: &str, work: &Work) -> Result<Self, Error> {
        let is_path = given.starts_with(['.', '/', '\\']) || given.ends_with('/');
        let named = places.roots.first().map(|it| it.to_string_lossy().into_owned());
        let here = places.target(named.as_deref().unwrap_or("."))?;
        let git = if is_path { None } else { here.git(work).ok() };
        if let Some(git) = git
            && let Some(commit) = git.find(given)?
        {
            return Self::at_commit(&git, &commit, work);
        }
        Self::in_directory(places, given, work)
    }

    fn at_commit(git: &Git, commit: &mcp_core::git::ObjectId, work: &Work) -> Result<Self, Error> {
        let files = git.files_at(commit)?;
        work.check()?;
        let is_skipped =
            |path: &str| path.split('/').rev().skip(1).any(reading::is_skipped_directory);
        let wanted: Vec<_> = files
            .into_iter()
            .filter(|it| !is_skipped(&it.path))
            .filter(|it| is_manifest(&it.path) || languages::of_path(&it.path).is_some())
            .collect();
        let ids: Vec<_> = wanted.iter().map(|it| it.blob.clone()).collect();
        let mut state = Self { sources: Vec::new(), manifests: BTreeMap::new() };
        for (file, bytes) in wanted.iter().zip(git.blobs(&ids)?) {
            state.take(&file.path, bytes.unwrap_or_default());
        }
        state.sources.sort_by(|one, other| one.0.path.cmp(&other.0.path));
        Ok(state)
    }

    fn in_directory(places: &Places, given: &str, work: &Work) -> Result<Self, Error> {
        let target = places.target(given)?;
        if target.kind != TargetKind::Directory {
            return Err(Error::NotADirectory { path: given.to_owned() });
        }
        let base = target.path.as_ref().map(|it| format!("{it}/")).unwrap_or_default();
        let mut state = Self { sources: Vec::new(), manifests: BTreeMap::new() };
        for file in target.scan(work)?.files {
            let Some(inside) = file.path.as_str().strip_prefix(&base) else { continue };
            let Ok(bytes) = target.root.read_up_to(&file.path, MAX_SOURCE_BYTES) else { continue };
            for manifest in languages::manifests() {
                let mut folder = inside;
                while !folder.is_empty() {
                    folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
                    let slash = if folder.is_empty() { "" } else { "/" };
                    let path = format!("{folder}{slash}{}", manifest.file);
                    if !state.manifests.contains_key(&path)
                        && let Ok(whole) = RelPath::parse(&format!("{base}{path}"))
                    {
                        let text = target.root.read_text(&whole).unwrap_or_default();
                        state.manifests.insert(path, text);
                    }
                }
            }
            state.take(inside, bytes);
        }
        state.manifests.retain(|_, text| !text.is_empty());
        state.sources.sort_by(|one, other| one.0.path.cmp(&other.0.path));
        Ok(state)
    }

    fn take(&mut self, path: &str, bytes: Vec<u8>) {
        let Ok(relative) = RelPath::parse(path) else { return };
        if is_manifest(path) {
            self.manifests.insert(path.to_owned(), String::from_utf8_lossy(&bytes).into_owned());
        }
        // Tests are nobody's interface.
        let source = SourceFile::found(relative).filter(|it| !it.is_test);
        if u64::try_from(bytes.len()).unwrap_or(u64::MAX) <= MAX_SOURCE_BYTES {
            self.sources.extend(source.map(|it| (it, bytes)));
        }
    }

    fn analysis(&self, depth: Depth, work: &Work) -> Result<Analysis, Error> {
        let manifest = |path: &str| self.manifests.get(path).cloned();
        Analysis::of_contents(&self.sources, &manifest, depth, work)
    }
}

fn is_manifest(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    languages::manifests().iter().any(|it| it.file == name)
}

#[cfg(test)]
mod tests;
