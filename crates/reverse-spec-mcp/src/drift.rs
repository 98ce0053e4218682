//! Checking a specification against its code.

mod everything;
mod report;
mod semantic;

use mcp_core::clock::Clock;
use mcp_core::sandbox::RelPath;
use mcp_core::text;

use crate::analysis::{Analysis, Depth, Watch};
use crate::baseline::Baseline;
use crate::diff::{self, Drift};
use crate::error::Error;
use crate::project::{Places, Target, TargetKind};
use crate::specification::{self, Front};

pub(crate) use everything::{Everything, check_all};
pub(crate) use report::{DriftReport, Summary};

/// Specifications may be larger than other files: they carry their baseline.
const MAX_SPEC_BYTES: u64 = 64 * 1024 * 1024;

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

    /// The source, with paths as they are in our own baselines.
    fn source_as_it_knows_it(&self, source: Target, places: &Places) -> Target {
        match &self.front.source_target {
            Some(about) if !self.baseline.files.is_empty() => source.seen_as(about, places),
            _ => source,
        }
    }
}

/// What is compared besides the two paths.
#[derive(Debug, Clone, Default)]
pub(crate) struct Narrowing {
    /// Only what is in these files, relative to the project root.
    pub(crate) files: Option<std::collections::BTreeSet<String>>,
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
    let specification = Specification::open(places, spec_path)?;
    let source = specification.source_as_it_knows_it(source, places);
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
    if let Some(files) = &narrowing.files {
        let file_of = |location: &str| {
            location.rsplit_once(':').map_or(location, |(file, _)| file).to_owned()
        };
        drift.items.retain(|item| files.contains(&file_of(&item.location)));
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
    let inside = |path: &str| is_inside(path, source.shown());
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
    if ours && let Some(about) = &specification.front.source_target {
        analysis.skeletons.retain(|it| is_inside(&it.file_path, about));
    }
    Ok((baseline, analysis))
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
    let specification = Specification::open(places, spec_path)?;
    let source = specification.source_as_it_knows_it(source, places);
    let analysis = Analysis::of(&source, Depth::default(), watch)?;
    analysis.refuse_if_nothing(false)?;
    let baseline = Baseline::of(&analysis.skeletons);
    let now = clock.now().to_string();
    let text = specification::accepted(&specification.text, &baseline, &now)
        .map_err(|reason| Error::NoBaseline { path: spec_path.to_owned(), reason })?;
    specification.target.root.write(&specification.path, text.as_bytes())?;
    Ok(specification.path)
}
