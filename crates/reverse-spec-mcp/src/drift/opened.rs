//! A specification that was read, and where its paths begin: it may lie in another directory than
//! the project it was written from.

use std::path::{Path, PathBuf};

use mcp_core::sandbox::{RelPath, Root};

use crate::baseline::Baseline;
use crate::error::Error;
use crate::generate::MAX_SPEC_BYTES;
use crate::project::{Places, Target, TargetKind};
use crate::specification::{self, Front};

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
    /// is inside of another one, or below the top of a repository.
    pub(super) fn base(&self, places: &Places) -> PathBuf {
        let itself = self.target.absolute();
        let holds = self.first_that_holds(places, itself.ancestors());
        holds.unwrap_or(self.target.project_root()).to_owned()
    }

    /// The same seen from a source: a directory from which the source is what the specification is
    /// about, or a part of it.
    fn base_of(&self, places: &Places, source: &Target) -> PathBuf {
        let (root, source) = (source.project_root(), source.absolute());
        let is_about = |it: &&Path| match &self.front.source_target {
            Some(about) if about != "." => {
                let about = it.join(about);
                source.starts_with(&about) || about.starts_with(&source)
            }
            _ => true,
        };
        let tried = std::iter::once(root).chain(source.ancestors()).filter(is_about);
        self.first_that_holds(places, tried).unwrap_or(root).to_owned()
    }

    fn first_that_holds<'a>(
        &self,
        places: &Places,
        tried: impl Iterator<Item = &'a Path>,
    ) -> Option<&'a Path> {
        let listed = self.baseline.files.iter().map(|it| it.path.as_str());
        let related = self.front.related_files.iter().map(String::as_str);
        let files: Vec<RelPath> = listed
            .chain(related)
            .take(MAX_TRIED)
            .filter_map(|it| RelPath::parse(it).ok())
            .collect();
        tried.take(MAX_TRIED).find(|it| {
            places.allows(it)
                && Root::open(it).is_ok_and(|root| files.iter().any(|file| root.is_file(file)))
        })
    }

    /// What its front matter says that it is about.
    pub(crate) fn source(&self, places: &Places) -> Option<PathBuf> {
        let about = self.front.source_target.as_ref()?;
        Some(self.base(places).join(about))
    }

    /// The source as it is seen from where the paths of the baseline begin. The specification is then
    /// known by its path from there too.
    pub(super) fn settle(&mut self, places: &Places, source: Target) -> Result<Target, Error> {
        let base = self.base_of(places, &source);
        if base == source.project_root() {
            return Ok(source);
        }
        if let Ok(Target { root, path: Some(path), kind, given }) = self.target.in_project(&base) {
            self.path = path.clone();
            self.target = Target { root, path: Some(path), kind, given };
        }
        source.in_project(&base)
    }
}
