//! Every specification of a project, both ways: those whose code has changed or gone, and code that
//! none is about.

use std::collections::BTreeSet;

use mcp_core::clock::Clock;
use mcp_core::failure::DomainError as _;
use mcp_core::sandbox::{EntryKind, RelPath, Root};
use serde::Serialize;

use super::{Comparison, DriftReport, Narrowing, Specification, all_gone, check};
use crate::error::Error;
use crate::store::project::{Places, Target};
use mcp_core::work::Work;

const SPECS: &str = "specs";
/// The list of all specifications, which is about no code.
const INDEX: &str = "_index.spec.md";
const MAX_DEPTH: usize = 16;

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Everything {
    pub(crate) project_root: String,
    pub(crate) specs: Vec<Checked>,
    /// Source files that no specification is about.
    pub(crate) uncovered: Vec<String>,
}

/// One specification and what became of it.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Checked {
    pub(crate) spec_path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) report: Option<DriftReport>,
    /// Why it could not be compared: its code is gone, or it has no baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) problem: Option<String>,
    /// Nothing it is about changed since the commit that was named.
    pub(crate) is_untouched: bool,
    /// What it is about, as it says itself.
    #[serde(skip)]
    pub(crate) target: Option<String>,
}

/// The project whose specifications are meant: the working directory where it has some of its own,
/// else the project around it.
fn project(places: &Places) -> Result<Target, Error> {
    // The root that was named, wherever the command was started.
    let named = places.roots.first().map(|it| it.to_string_lossy().into_owned());
    let given = named.as_deref().unwrap_or(".");
    let around = places.target(given)?;
    let own = around.path.as_ref().and_then(|it| it.join(SPECS).ok());
    match own {
        Some(own) if around.root.is_dir(&own) => places.project(given),
        _ => around.whole_project(),
    }
}

/// Checks all specifications of the project around the working directory.
pub(crate) fn check_all(
    places: &Places,
    narrowing: &Narrowing,
    clock: &Clock,
    work: &Work,
) -> Result<Everything, Error> {
    check_each(places, narrowing, clock, work, &|_| Ok(()))
}

/// The same, where each comparison is looked at once more before it is told.
pub(crate) fn check_each(
    places: &Places,
    narrowing: &Narrowing,
    clock: &Clock,
    work: &Work,
    review: &Review<'_>,
) -> Result<Everything, Error> {
    let project = project(places)?;
    let root = &project.root;
    let at_root = Places { working_directory: root.path().to_owned(), ..places.clone() };
    let mut everything = Everything {
        project_root: mcp_core::text::one_line(&root.path().to_string_lossy()),
        ..Everything::default()
    };
    let judge = Judge { places: &at_root, narrowing, clock, work, review };
    let mut covered: BTreeSet<String> = BTreeSet::new();
    for path in specifications(root)? {
        work.check()?;
        everything.specs.push(judge.one(&path, &mut covered));
    }
    if everything.specs.is_empty() {
        return Err(Error::NothingChecked { path: SPECS.to_owned() });
    }
    if let Ok(scan) = project.scan(work) {
        let files = scan.files.iter().filter(|it| !it.is_test).map(|it| it.path.to_string());
        everything.uncovered = files.filter(|it| !covered.contains(it)).collect();
    }
    Ok(everything)
}

/// What every specification is judged with.
struct Judge<'a> {
    places: &'a Places,
    narrowing: &'a Narrowing,
    clock: &'a Clock,
    work: &'a Work,
    review: &'a Review<'a>,
}

/// What looks at a comparison once more.
type Review<'a> = dyn Fn(&mut Comparison) -> Result<(), Error> + 'a;

impl Judge<'_> {
    fn one(&self, path: &RelPath, covered: &mut BTreeSet<String>) -> Checked {
        let mut checked = Checked { spec_path: path.to_string(), ..Checked::default() };
        if let Err(error) = self.judge(path, covered, &mut checked) {
            checked.problem = Some(match error.hint() {
                Some(hint) => format!("{error}\n  {hint}"),
                None => error.to_string(),
            });
        }
        checked
    }

    fn judge(
        &self,
        path: &RelPath,
        covered: &mut BTreeSet<String>,
        checked: &mut Checked,
    ) -> Result<(), Error> {
        let specification = Specification::open(self.places, path.as_str())?;
        let files = specification.baseline.files.iter().map(|it| it.path.clone());
        let related: BTreeSet<String> =
            files.chain(specification.front.related_files.iter().cloned()).collect();
        covered.extend(related.iter().cloned());
        let source = specification.front.source_target.clone();
        let Some(source) = source.or_else(|| related.first().cloned()) else {
            let reason = "it does not say what it is about (no sourceTarget)".to_owned();
            return Err(Error::NoBaseline { path: path.to_string(), reason });
        };
        checked.target = Some(source.clone());
        let base = specification.base()?;
        if let Some(changed) = self.narrowing.beneath(&base)
            && changed.is_disjoint(&related)
            && !changed.iter().any(|it| super::is_inside(it, &source) || super::begins(it, &source))
        {
            checked.is_untouched = true;
            return Ok(());
        }
        let source = base.join(source).to_string_lossy().into_owned();
        match check(self.places, path.as_str(), &source, self.narrowing, self.clock, self.work) {
            Ok(mut comparison) => {
                (self.review)(&mut comparison)?;
                checked.report = Some(comparison.report);
            }
            Err(Error::TargetMissing { .. }) if !specification.baseline.files.is_empty() => {
                checked.report = Some(all_gone(specification, self.clock)?);
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

/// Every `.spec.md` below `specs`, sorted, but for their index.
fn specifications(root: &Root) -> Result<Vec<RelPath>, Error> {
    let mut found = Vec::new();
    let first = RelPath::parse(SPECS)?;
    if !root.is_dir(&first) {
        return Ok(found);
    }
    let mut open = vec![(first, 0)];
    while let Some((directory, depth)) = open.pop() {
        for entry in root.list(Some(&directory))? {
            let Ok(path) = directory.join(&entry.name) else { continue };
            match entry.kind {
                EntryKind::Directory if depth < MAX_DEPTH => open.push((path, depth + 1)),
                EntryKind::File if entry.name.ends_with(".spec.md") && entry.name != INDEX => {
                    found.push(path);
                }
                _ => {}
            }
        }
    }
    found.sort();
    Ok(found)
}
