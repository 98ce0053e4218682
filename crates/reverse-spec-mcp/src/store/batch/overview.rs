//! A project as it stands, for a report: modules, tests, and drift from what is written.

use std::collections::{BTreeMap, BTreeSet};

use super::{Batch, pages};
use crate::domain::baseline::Baseline;
use crate::domain::batch::Condensed;
use crate::domain::diff::{self, Severity};
use crate::domain::report::{Gone, Item, MOST_ITEMS, Report, Row};
use crate::domain::{skeleton, spec};
use crate::error::Error;
use crate::store::generate::{MAX_SPEC_BYTES, Output};

impl Batch {
    /// `links` is the way from the page to the project root.
    pub(crate) fn report(&self, subtitle: &str, links: &str) -> Result<Report, Error> {
        let output = self.output()?;
        let mut modules = Vec::with_capacity(self.modules.len());
        let edges = self.uses.edges().into_iter().collect();
        let condensed = Condensed::of(self.modules.len(), &edges);
        for place in 0..self.modules.len() {
            let mut row = self.row(place, &output)?;
            let group = condensed.group_of[place];
            let says_more =
                |to: &usize| condensed.arrows.contains(&(group, condensed.group_of[*to]));
            row.arrows = row.uses.iter().copied().filter(says_more).collect();
            row.circle = (condensed.groups[group].len() > 1).then_some(group);
            modules.push(row);
        }
        let has_specs = output.directory().is_some_and(|it| output.root.is_dir(it));
        let listed = if has_specs { pages::listed(&output)? } else { BTreeMap::new() };
        let mut gone = Vec::new();
        for (name, found) in listed.into_iter().filter(|(_, found)| found.is_gone) {
            gone.push(Gone { spec: output.file(&name)?.to_string(), target: found.target });
        }
        Ok(Report {
            gone,
            project: self.project_name().to_owned(),
            subtitle: subtitle.to_owned(),
            links: links.to_owned(),
            modules,
        })
    }

    fn row(&self, place: usize, output: &Output) -> Result<Row, Error> {
        let module = &self.modules[place];
        let mut row = Row {
            path: module.path.clone(),
            level: self.order.levels[place],
            files: module.files.clone(),
            uses: self.uses.of[place].iter().copied().collect(),
            ..Row::default()
        };
        let mut part = self.part(place);
        skeleton::settle(&mut part.skeletons, true);
        let path = output.file(&spec::file_name(&module.path))?;
        if output.root.has_entry(&path)? {
            row.spec = Some(path.to_string());
            let text = output.root.read_up_to(&path, MAX_SPEC_BYTES)?;
            match Baseline::read(&String::from_utf8_lossy(&text)) {
                Ok(baseline) => row.take(diff::compare(&baseline, &part.skeletons).items),
                Err(reason) => row.problem = Some(reason),
            }
        }
        // Code that could not be read at all has no exports to speak of.
        let Ok(material) = self.material(place) else { return Ok(row) };
        let exports = &material.merged.exports;
        row.names = exports.iter().map(|symbol| symbol.name.clone()).collect();
        // Tests name functions, not overloads: each counts once.
        let own: BTreeSet<String> = spec::own_names(&material.merged).collect();
        row.exports = own.len();
        if let Some(untested) = spec::untested(&material.facts()) {
            row.tested = Some(row.exports.saturating_sub(untested.len()));
            row.untested = untested.into_iter().take(MOST_ITEMS).collect();
        }
        Ok(row)
    }
}

impl Row {
    fn take(&mut self, items: Vec<diff::DriftItem>) {
        self.more = items.len().saturating_sub(MOST_ITEMS);
        for item in &items {
            match item.severity {
                Severity::High => self.high += 1,
                Severity::Medium => self.medium += 1,
                Severity::Low => self.low += 1,
            }
        }
        let shown = items.into_iter().take(MOST_ITEMS).map(|item| Item {
            severity: match item.severity {
                Severity::High => "HIGH",
                Severity::Medium => "MEDIUM",
                Severity::Low => "LOW",
            },
            symbol: item.symbol_name,
            description: item.description,
            location: item.location.to_string(),
        });
        self.items = shown.collect();
    }
}
