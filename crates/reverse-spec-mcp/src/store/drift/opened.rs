//! A specification that was read, and where its paths begin: it may lie in another directory than
//! the project it was written from.

use std::path::PathBuf;

use mcp_core::sandbox::{RelPath, Root};

use crate::domain::baseline::Baseline;
use crate::domain::specification::{self, Front};
use crate::error::Error;
use crate::store::generate::MAX_SPEC_BYTES;
use crate::store::project::{Places, Target, TargetKind};

/// Files and directories that are looked at to find out what paths are relative to.
const MAX_TRIED: usize = 64;

/// A specification that was read.
pub(crate) struct Specification {
    pub(crate) target: Target,
    pub(crate) path: RelPath,
    pub(crate) text: String,
    pub(crate) front: Front,
    pub(crate) baseline: Baseline,
}

impl Specification {
    pub(crate) fn open(places: &Places, given: &str) -> Result<Self, Error> {
        let missing = || Error::SpecMissing { path: given.to_owned() };
        let target = match places.target(given) {
            Err(Error::TargetMissing { .. }) => return Err(missing()),
            other => other?,
        };
        let unreadable =
            |reason: &str| Error::NoBaseline { path: given.to_owned(), reason: reason.to_owned() };
        if target.kind == TargetKind::Directory {
            return Err(unreadable("it is a directory, not a specification"));
        }
        let path = target.path.clone().ok_or_else(missing)?;
        let bytes = target.root.read_up_to(&path, MAX_SPEC_BYTES)?;
        let text = String::from_utf8(bytes).map_err(|_| unreadable("it is not UTF-8 text"))?;
        let baseline = Baseline::read(&text).map_err(|reason| unreadable(&reason))?;
        Ok(Self { front: specification::front(&text), target, path, text, baseline })
    }

    /// Where the paths of its baseline begin, seen from itself: the nearest directory upwards that has
    /// a file of the baseline, else the project's root. A batch may have begun above a workspace that
    /// is inside another one, or below the top of a repository.
    pub(super) fn base(&self) -> Result<PathBuf, Error> {
        let files = self.listed_files();
        let seen = self.target.seen_from(|root| Ok(files.iter().any(|it| root.is_file(it))))?;
        Ok(seen.as_ref().unwrap_or(&self.target).real_root())
    }

    /// Files by which it is seen what paths are relative to.
    fn listed_files(&self) -> Vec<RelPath> {
        let listed = self.baseline.files.iter().map(|it| it.path.as_str());
        let related = self.front.related_files.iter().map(String::as_str);
        let first = listed.chain(related).take(MAX_TRIED);
        first.filter_map(|it| RelPath::parse(it).ok()).collect()
    }

    /// What its front matter says that it is about.
    pub(crate) fn source(&self) -> Result<Option<PathBuf>, Error> {
        let Some(about) = &self.front.source_target else { return Ok(None) };
        Ok(Some(self.base()?.join(about)))
    }

    /// The source as it is seen from where the paths of the baseline begin: a directory from which it
    /// is what the specification is about, or a part of it. The specification is then known by its
    /// path from there too.
    pub(super) fn settle(&mut self, source: Target) -> Result<Target, Error> {
        let files = self.listed_files();
        let place = source.real_place();
        let is_about = |root: &Root| match &self.front.source_target {
            Some(about) if about != "." => root.real_path().is_none_or(|root| {
                let about = root.join(about);
                place.starts_with(&about) || about.starts_with(&place)
            }),
            _ => true,
        };
        let fits = |root: &Root| is_about(root) && files.iter().any(|file| root.is_file(file));
        if fits(&source.root) {
            return Ok(source);
        }
        let Some(seen) = source.seen_from(|root| Ok(fits(root)))? else { return Ok(source) };
        let id = seen.root.id();
        if let Some(target) = self.target.seen_from(|root| Ok(root.id() == id))?
            && let Some(path) = target.path.clone()
        {
            self.path = path;
            self.target = target;
        }
        Ok(seen)
    }
}
