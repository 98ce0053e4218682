//! The part of the page that is read at once: one column for each thing a row shows.

use std::collections::HashMap;

use serde::Serialize;

use super::{BrokenReference, MAX_LISTED, Report};

/// Columns, because equal things side by side pack well and fifty thousand rows repeat no names.
#[derive(Default, Serialize)]
pub(super) struct Head<'a> {
    levels: Vec<&'a str>,
    statuses: Vec<&'a str>,
    files: Vec<&'a str>,
    id: Vec<&'a str>,
    title: Vec<&'a str>,
    level: Vec<usize>,
    status: Vec<usize>,
    file: Vec<usize>,
    line: Vec<usize>,
    covered: Vec<usize>,
    total: Vec<usize>,
    excepted: Vec<usize>,
    /// Labels that nothing covers, where some are covered and some are not.
    gaps: Vec<&'a str>,
    marks: Vec<u8>,
    code: Vec<usize>,
    tests: Vec<usize>,
    passed: Vec<usize>,
    failed: Vec<usize>,
    parents: Vec<Vec<usize>>,
    broken: Vec<(&'a str, &'a str, &'a str, usize, usize)>,
    suspect: Vec<(&'a str, &'a str, &'a str)>,
    changed: Vec<(&'a str, &'a str, &'a str, String)>,
}

impl<'a> Head<'a> {
    pub(super) fn of(report: &'a Report, title_chars: usize, shown: usize) -> Self {
        let items = &report.items[..shown];
        let places: HashMap<&str, usize> =
            items.iter().enumerate().map(|(place, item)| (item.id.as_str(), place)).collect();
        let (mut levels, mut statuses, mut files) =
            (Names::default(), Names::default(), Names::default());
        for level in &report.levels {
            levels.place(level);
        }
        let mut head = Self::default();
        for item in items {
            head.id.push(&item.id);
            head.title.push(mcp_core::text::cut(&item.title, title_chars));
            head.level.push(levels.place(&item.level));
            head.status.push(statuses.place(&item.status));
            head.file.push(files.place(&item.file));
            head.line.push(item.line);
            head.covered.push(item.covered);
            head.total.push(item.assertions);
            head.excepted.push(item.excepted);
            head.gaps.push(&item.gaps);
            head.marks.push(
                u8::from(item.cites_missing)
                    | u8::from(item.suspect) << 1
                    | u8::from(item.failing) << 2,
            );
            head.code.push(item.code);
            head.tests.push(item.tests);
            head.passed.push(item.passed);
            head.failed.push(item.failed);
            let parents = item.parents.iter();
            let mut parents: Vec<usize> =
                parents.filter_map(|id| places.get(id.as_str()).copied()).collect();
            parents.sort_unstable();
            parents.dedup();
            head.parents.push(parents);
        }
        for reference in report.broken.iter().take(MAX_LISTED) {
            let BrokenReference { from, target, kind, file, line } = reference;
            head.broken.push((from, target, kind, files.place(file), *line));
        }
        let suspect = report.suspect.iter().take(MAX_LISTED);
        head.suspect = suspect.map(|it| (&*it.from, &*it.target, &*it.why)).collect();
        let changed = report.changed.iter().take(MAX_LISTED);
        head.changed =
            changed.map(|it| (&*it.id, &*it.title, it.how.as_str(), it.parts.join(", "))).collect();
        head.levels = levels.names;
        head.statuses = statuses.names;
        head.files = files.names;
        head
    }
}

/// Words that occur again and again, by the order of their first use.
#[derive(Default)]
struct Names<'a> {
    names: Vec<&'a str>,
    places: HashMap<&'a str, usize>,
}

impl<'a> Names<'a> {
    fn place(&mut self, name: &'a str) -> usize {
        *self.places.entry(name).or_insert_with(|| {
            self.names.push(name);
            self.names.len() - 1
        })
    }
}
