//! A project as it stands, for a report: where it is reached, modules, tests, and what `diff` says of
//! every specification.

use std::collections::BTreeSet;

use mcp_core::sandbox::RelPath;

use super::{Batch, pages};
use crate::domain::batch::Condensed;
use crate::domain::report::{MOST_ITEMS, Report, Row, Spec};
use crate::domain::{skeleton, spec};
use crate::store::drift::Checked;

impl Batch {
    /// `links` is the way from the page to the project root, where there is one.
    pub(crate) fn report(
        &self,
        subtitle: &str,
        links: Option<String>,
        checked: &[Checked],
    ) -> Report {
        let edges = self.uses.edges().into_iter().collect();
        let condensed = Condensed::of(self.modules.len(), &edges);
        let mut report = Report {
            project: self.project_name().to_owned(),
            subtitle: subtitle.to_owned(),
            links,
            ..Report::default()
        };
        // One that cannot be compared still says what it is about.
        let listed = self.output().and_then(|it| pages::listed(&it)).unwrap_or_default();
        let about = |it: &Checked| {
            let name = it.spec_path.rsplit('/').next().unwrap_or_default();
            it.target.clone().or_else(|| Some(listed.get(name)?.target.clone())).unwrap_or_default()
        };
        report.specs = checked.iter().map(|it| self.spec(it, about(it))).collect();
        for place in 0..self.modules.len() {
            let mut row = self.row(place);
            let group = condensed.group_of[place];
            let says_more =
                |to: &usize| condensed.arrows.contains(&(group, condensed.group_of[*to]));
            row.arrows = row.uses.iter().copied().filter(says_more).collect();
            row.circle = (condensed.groups[group].len() > 1).then_some(group);
            report.modules.push(row);
            let mut part = self.part(place);
            skeleton::settle(&mut part.skeletons, true);
            report.enter(place, &part.skeletons);
        }
        report
    }

    fn row(&self, place: usize) -> Row {
        let module = &self.modules[place];
        let mut row = Row {
            path: module.path.clone(),
            level: self.order.levels[place],
            files: module.files.clone(),
            uses: self.uses.of[place].iter().copied().collect(),
            ..Row::default()
        };
        // Code that could not be read at all has no exports to speak of.
        let Ok(material) = self.material(place) else { return row };
        row.lines = material.skeletons.iter().map(|it| it.loc).sum();
        row.declare(&material.merged);
        // Tests name functions, not overloads: each counts once.
        let own: BTreeSet<String> = spec::own_names(&material.merged).collect();
        row.exports = own.len();
        if let Some(untested) = spec::untested(&material.facts()) {
            row.tested = Some(row.exports.saturating_sub(untested.len()));
            row.untested = untested.into_iter().take(MOST_ITEMS).collect();
        }
        row
    }

    fn spec(&self, checked: &Checked, target: String) -> Spec {
        let mut found = Spec {
            path: checked.spec_path.clone(),
            module: self.modules.iter().position(|it| it.path == target),
            is_gone: self.is_gone(&target),
            problem: checked.problem.clone(),
            target,
            ..Spec::default()
        };
        if let Some(report) = &checked.report {
            found.take(&report.items);
            let notes = report.remarks();
            found.notes = notes.take(MOST_ITEMS).collect();
        }
        found
    }

    fn is_gone(&self, target: &str) -> bool {
        RelPath::parse(target).is_ok_and(|it| !self.target.root.has_entry(&it).unwrap_or(true))
    }
}
