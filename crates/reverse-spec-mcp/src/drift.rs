//! Checking a specification against its code.

mod everything;
mod opened;
mod report;
mod semantic;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use mcp_core::clock::Clock;
use mcp_core::sandbox::RelPath;
use mcp_core::text;

use crate::analysis::{Analysis, Depth, Watch};
use crate::baseline::Baseline;
use crate::diff::{self, Drift};
use crate::error::Error;
use crate::generate::Material;
use crate::project::{self, Places, Target};
use crate::skeleton::{self, CodeSkeleton};
use crate::specification;

pub(crate) use everything::{Everything, check_all};
pub(crate) use opened::Specification;
pub(crate) use report::{DriftReport, Summary};

/// What is compared besides the two paths.
#[derive(Debug, Clone, Default)]
pub(crate) struct Narrowing {
    /// Only what is in these files, wherever they lie.
    pub(crate) files: Option<BTreeSet<PathBuf>>,
}

impl Narrowing {
    /// The files beneath a directory, by their paths from there.
    fn beneath(&self, base: &Path) -> Option<BTreeSet<String>> {
        let files = self.files.as_ref()?.iter();
        let inside = files.filter_map(|it| it.strip_prefix(base).ok()?.to_str());
        Some(inside.map(str::to_owned).collect())
    }
}

/// Compares one specification with its source.
pub(crate) fn check(
    places: &Places,
    spec_path: &str,
    source_path: &str,
    narrowing: &Narrowing,
    clock: &Clock,
    watch: &Watch<'_>,
) -> Result<DriftReport, Error> {
    let source = places.target(source_path)?;
    let mut specification = Specification::open(places, spec_path)?;
    let source = specification.settle(places, source)?;
    let (drift, warnings) = drift_of(&specification, &source, narrowing, watch)?;
    Ok(DriftReport::new(&specification, &source, drift, warnings, clock))
}

fn drift_of(
    specification: &Specification,
    source: &Target,
    narrowing: &Narrowing,
    watch: &Watch<'_>,
) -> Result<(Drift, Vec<String>), Error> {
    let (baseline, analysis) = both_sides(specification, source, watch)?;
    let mut drift = diff::compare(&baseline, &analysis.skeletons);
    if baseline.files.is_empty() {
        drift.note_gone_files(missing_files(specification, source));
    }
    if let Some(files) = narrowing.beneath(source.project_root()) {
        let file_of = |location: &str| {
            location.rsplit_once(':').map_or(location, |(file, _)| file).to_owned()
        };
        // Of what another generator recorded only the directory may be known.
        let is_touched = |file: &str| {
            files.contains(file)
                || !file.contains('.') && files.iter().any(|it| is_inside(it, file))
        };
        drift.items.retain(|item| is_touched(&file_of(&item.location)));
    }
    Ok((drift, analysis.warnings))
}

/// The baseline and the code, each cut down to what both the specification and the source path are
/// about.
fn both_sides(
    specification: &Specification,
    source: &Target,
    watch: &Watch<'_>,
) -> Result<(Baseline, Analysis), Error> {
    let mut baseline = specification.baseline.clone();
    let inside = |path: &str| is_inside(path, source.shown()) || begins(path, source.shown());
    let depth = Depth { internals: true, ..Depth::default() };
    let ours = !baseline.files.is_empty();
    if ours {
        let covers = baseline.files.iter().any(|it| inside(&it.path));
        if !covers {
            return Err(Error::NotCovered {
                path: source.shown().to_owned(),
                covers: specification.front.source_target.clone().unwrap_or_default(),
            });
        }
        baseline.files.retain(|it| inside(&it.path));
        baseline.skeleton.exports.retain(|it| inside(&it.file));
        baseline.skeleton.internals.retain(|it| inside(&it.file));
    }
    let mut analysis = match Analysis::of(source, depth, watch) {
        // All of it is gone, and that is what is to be told.
        Err(Error::NoSources { .. }) => Analysis::default(),
        other => other?,
    };
    if !ours {
        // Other generators record tests as they do everything else.
        analysis.skeletons.append(&mut analysis.tests);
    }
    if ours && let Some(about) = &specification.front.source_target {
        // A module of Rust has a file beside its directory, also where nothing in that is read.
        let began = baseline.files.iter().any(|it| begins(&it.path, about));
        let is_rust =
            |it: &CodeSkeleton| project::is_rust(&it.file_path) && is_inside(&it.file_path, about);
        let has_file = began || analysis.skeletons.iter().any(is_rust);
        let is_about = |path: &str| is_inside(path, about) || has_file && begins(path, about);
        analysis.skeletons.retain(|it| is_about(&it.file_path));
    }
    Ok((baseline, analysis))
}

/// Whether a path is the file of the Rust module whose rest is in the directory.
fn begins(path: &str, directory: &str) -> bool {
    project::directory_of_module(path) == Some(directory.trim_end_matches('/'))
}

/// Whether a path is the directory, or beneath it.
fn is_inside(path: &str, directory: &str) -> bool {
    let directory = directory.trim_end_matches('/');
    directory == "."
        || directory.is_empty()
        || path == directory
        || path.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'))
}

/// Files the front matter names that are gone, for baselines that do not list their own.
fn missing_files(specification: &Specification, source: &Target) -> Vec<String> {
    let listed = specification.front.related_files.iter();
    let inside = listed.filter(|it| is_inside(it, source.shown()));
    let gone = inside.filter(|it| RelPath::parse(it).is_ok_and(|path| !source.root.is_file(&path)));
    gone.map(|it| text::one_line(it)).collect()
}

/// Takes the code of now as what the specification was reviewed against, and says which file was
/// written.
pub(crate) fn accept(
    places: &Places,
    spec_path: &str,
    source_path: &str,
    clock: &Clock,
    watch: &Watch<'_>,
) -> Result<RelPath, Error> {
    let source = places.target(source_path)?;
    let mut specification = Specification::open(places, spec_path)?;
    let source = specification.settle(places, source)?;
    let about = specification.front.source_target.as_deref().unwrap_or_default();
    // The whole of it stands, also where only a part was looked at.
    let source = match specification.source(places) {
        Some(whole) if source.shown() != about && is_inside(source.shown(), about) => {
            let whole = places.target(&whole.to_string_lossy())?;
            specification.settle(places, whole)?
        }
        _ => source,
    };
    let material = Material::read(&source, false, watch)?;
    let baseline = Baseline::of(&material.skeletons);
    let hash = skeleton::content_hash(&material.merged, &material.tests);
    let now = clock.now().to_string();
    let text = specification::accepted(&specification.text, &baseline, &hash, &now)
        .map_err(|reason| Error::NoBaseline { path: spec_path.to_owned(), reason })?;
    specification.target.root.write(&specification.path, text.as_bytes())?;
    Ok(specification.path)
}
