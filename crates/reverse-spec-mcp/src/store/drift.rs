//! Checking a specification against its code.

mod everything;
mod opened;
mod report;
mod semantic;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use mcp_core::clock::Clock;
use mcp_core::sandbox::{RelPath, Root};
use mcp_core::text;

use crate::domain::baseline::{Baseline, is_listed_only};
use crate::domain::diff::{self, Drift};
use crate::domain::languages;
use crate::domain::place::Warning;
use crate::domain::skeleton::{self, CodeSkeleton};
use crate::domain::spec::standing;
use crate::domain::specification;
use crate::error::Error;
use crate::store::analysis::{Analysis, Depth};
use crate::store::generate::Material;
use crate::store::project::{Places, Target};
use mcp_core::work::Work;

pub(crate) use everything::{Checked, Everything, check_all, check_each};
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

/// A specification that was compared with its source.
pub(crate) struct Comparison {
    pub(crate) report: DriftReport,
    /// The text of the specification.
    text: String,
    /// Where the source was read.
    root: Root,
}

/// Compares one specification with its source.
pub(crate) fn check(
    places: &Places,
    spec_path: &str,
    source_path: &str,
    narrowing: &Narrowing,
    clock: &Clock,
    work: &Work,
) -> Result<Comparison, Error> {
    let source = places.target(source_path)?;
    let mut specification = Specification::open(places, spec_path)?;
    let source = specification.settle(source)?;
    let baseline = std::mem::take(&mut specification.baseline);
    let generator = baseline.generator.name().to_owned();
    let (drift, warnings) = drift_of(&specification, baseline, &source, narrowing, work)?;
    let report = DriftReport::new(&specification, generator, &source, drift, warnings, clock);
    Ok(Comparison { report, text: specification.text, root: source.root })
}

/// The report on a specification whose code is all gone: everything in it was removed.
fn all_gone(mut specification: Specification, clock: &Clock) -> Result<DriftReport, Error> {
    let baseline = std::mem::take(&mut specification.baseline);
    let project = specification.target.whole_project()?;
    let generator = baseline.generator.name().to_owned();
    let drift = diff::compare(&baseline, &[]);
    let report = DriftReport::new(&specification, generator, &project, drift, Vec::new(), clock);
    let source_path = specification.front.source_target.unwrap_or(report.source_path);
    Ok(DriftReport { source_path, ..report })
}

fn drift_of(
    specification: &Specification,
    baseline: Baseline,
    source: &Target,
    narrowing: &Narrowing,
    work: &Work,
) -> Result<(Drift, Vec<Warning>), Error> {
    let (baseline, analysis) = both_sides(specification, baseline, source, work)?;
    let mut drift = diff::compare(&baseline, &analysis.skeletons);
    let mut warnings = analysis.warnings;
    let is_reached = analysis.skeletons.iter().any(|it| !it.entry_points.is_empty());
    if !baseline.files.is_empty() && !baseline.knows_entries && is_reached {
        warnings.push(Warning::general(
            "the specification was written before entry points and variables of the environment were recorded; write it anew with generate to have them compared",
        ));
    }
    if !baseline.files.is_empty() && standing::has_prose(&specification.text) {
        let mut settled = analysis.skeletons.clone();
        skeleton::settle(&mut settled, false);
        for section in standing::outdated(&specification.text, &settled) {
            warnings.push(Warning::general(format!(
                "{} in section {section} stands on code that has changed; read it again, then run generate",
                report::READ_AGAIN
            )));
        }
    }
    warnings.extend(not_judged(&baseline, &analysis.skeletons));
    if baseline.files.is_empty() {
        drift.note_gone_files(missing_files(specification, source));
    }
    if let Some(files) = narrowing.beneath(&source.real_root()) {
        // Of what another generator recorded only the directory may be known.
        let is_touched = |file: &str| {
            files.contains(file)
                || !file.contains('.') && files.iter().any(|it| is_inside(it, file))
        };
        drift.items.retain(|item| is_touched(&item.location.file));
    }
    Ok((drift, warnings))
}

/// A word about files of which only names are known, and whose changes nothing is said about.
pub(crate) fn not_judged(baseline: &Baseline, skeletons: &[CodeSkeleton]) -> Option<Warning> {
    let before = baseline.files.iter().map(|it| it.path.as_str());
    let now = skeletons.iter().map(|it| it.file_path.as_str());
    let files: BTreeSet<&str> = before.chain(now).filter(|it| is_listed_only(it)).collect();
    let names = languages::names_of(files.iter().filter_map(|it| languages::id_of_path(it)));
    let what = match files.len() {
        0 => return None,
        1 => "1 file is".to_owned(),
        count => format!("{count} files are"),
    };
    Some(Warning::general(format!(
        "{what} in a language that is listed by name only ({}); changes there are not judged",
        names.join(", ")
    )))
}

/// The baseline and the code, each cut down to what both the specification and the source path are
/// about.
fn both_sides(
    specification: &Specification,
    mut baseline: Baseline,
    source: &Target,
    work: &Work,
) -> Result<(Baseline, Analysis), Error> {
    let inside = |path: &str| is_inside(path, source.shown()) || begins(path, source.shown());
    let depth = Depth { internals: true, reach: true, ..Depth::default() };
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
        baseline.skeleton.entry_points.retain(|it| inside(&it.file));
    }
    let mut analysis = match Analysis::of(source, depth, work) {
        // All of it is gone, and that is what is to be told.
        Err(Error::NoSources { .. }) => Analysis::default(),
        other => other?,
    };
    if !ours {
        // Other generators record tests as they do everything else.
        analysis.skeletons.append(&mut analysis.tests);
    }
    if ours && let Some(about) = &specification.front.source_target {
        // A module may have a file beside its directory, also where nothing in that is read.
        let began = baseline.files.iter().any(|it| begins(&it.path, about));
        let may_begin = |it: &CodeSkeleton| {
            languages::about(it.language).modules_beside_directories
                && is_inside(&it.file_path, about)
        };
        let has_file = began || analysis.skeletons.iter().any(may_begin);
        let is_about = |path: &str| is_inside(path, about) || has_file && begins(path, about);
        analysis.skeletons.retain(|it| is_about(&it.file_path));
    }
    Ok((baseline, analysis))
}

/// Whether a path is the file of the module whose rest is in the directory.
fn begins(path: &str, directory: &str) -> bool {
    languages::directory_of_module(path) == Some(directory.trim_end_matches('/'))
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
    work: &Work,
) -> Result<RelPath, Error> {
    let source = places.target(source_path)?;
    let mut specification = Specification::open(places, spec_path)?;
    let source = specification.settle(source)?;
    let about = specification.front.source_target.as_deref().unwrap_or_default();
    // The whole of it stands, also where only a part was looked at.
    let source = match specification.source()? {
        Some(whole) if source.shown() != about && is_inside(source.shown(), about) => {
            let whole = places.target(&whole.to_string_lossy())?;
            specification.settle(whole)?
        }
        _ => source,
    };
    let material = Material::read(&source, false, work)?;
    let baseline = Baseline::of(&material.skeletons);
    let hash = skeleton::content_hash(&material.merged, &material.tests);
    let now = clock.now().to_string();
    let text = specification::accepted(&specification.text, &baseline, &hash, &now)
        .map_err(|reason| Error::NoBaseline { path: spec_path.to_owned(), reason })?;
    specification.target.root.write(&specification.path, text.as_bytes())?;
    Ok(specification.path)
}
