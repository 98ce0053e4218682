//! Which lines of code the tests reached, file by file and requirement by requirement.
//!
//! A comment that says what is implemented stands for the lines behind it, up to the next such
//! comment. Comments with no code between them stand for the same lines.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{File, FileUpdate, ItemKind, Role, TraceGraph};
use crate::domain::language;
use crate::domain::parse::EdgeKind;
use crate::domain::span::Label;

#[derive(Debug, Default)]
pub(super) struct Lines {
    /// By the path of the code.
    of_file: BTreeMap<Arc<str>, FileLines>,
    /// Reports that were read.
    n_reports: usize,
}

/// The lines of a file that were looked at, with whether any run reached them.
#[derive(Debug, Default)]
struct FileLines {
    lines: BTreeMap<u32, bool>,
    executable: usize,
}

/// How many lines there are to reach, and how many were.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LineCount {
    pub(crate) lines: usize,
    pub(crate) reached: usize,
}

impl TraceGraph {
    /// Files with figures and their lines; `None` where nothing was measured.
    pub(crate) fn reached_lines(&self) -> Option<(usize, LineCount)> {
        if self.lines.n_reports == 0 {
            return None;
        }
        let mut count = LineCount::default();
        for file in self.lines.of_file.values() {
            let reached = file.lines.values().filter(|it| **it).count();
            count.lines += file.executable.max(reached);
            count.reached += reached;
        }
        Some((self.lines.of_file.len(), count))
    }

    /// The lines that implement a requirement, or one assertion of it; `None` where no file that
    /// does was measured.
    pub(crate) fn reached_lines_of(&self, id: &str, label: Option<Label>) -> Option<LineCount> {
        let mut found: BTreeSet<(u32, u32)> = BTreeSet::new();
        let mut count = None;
        for (cite, file, citation) in self.citations_of(id) {
            let is_meant =
                label.is_none_or(|it| citation.labels.is_empty() || citation.labels.contains(&it));
            let is_code = cite.item.kind == ItemKind::Code && citation.kind == EdgeKind::Implements;
            let Some(lines) = self.lines.of_file.get(&file.path).filter(|_| is_code && is_meant)
            else {
                continue;
            };
            let count: &mut LineCount = count.get_or_insert_default();
            for (line, is_reached) in lines.behind(file, citation.line) {
                if found.insert((cite.item.file, line)) {
                    count.lines += 1;
                    count.reached += usize::from(is_reached);
                }
            }
        }
        count
    }

    /// Whether an update brings other figures, or other files that figures may be of.
    pub(super) fn concerns_lines(&self, updates: &[FileUpdate]) -> bool {
        let brings = |it: &FileUpdate| match it {
            FileUpdate::Put(file) => {
                file.role == Role::Coverage
                    || (self.lines.n_reports > 0 && !self.by_path.contains_key(&file.path))
            }
            FileUpdate::Amend(..) => false,
            FileUpdate::Remove(_) => self.lines.n_reports > 0,
        };
        updates.iter().any(brings)
    }

    /// Finds the files that the reports speak of.
    pub(super) fn bind_lines(&mut self) {
        let mut bound = Lines::default();
        for report in self.iter_files().filter(|it| it.role == Role::Coverage) {
            bound.n_reports += 1;
            for measured in &report.contents.measured {
                let Some(path) = self.measured_path(&report.path, &measured.path) else { continue };
                let file = bound.of_file.entry(path).or_default();
                for (line, is_reached) in &measured.lines {
                    *file.lines.entry(*line).or_default() |= is_reached;
                }
                file.executable = file.executable.max(measured.executable).max(file.lines.len());
            }
        }
        self.lines = bound;
    }

    /// The file of the graph that a report calls so: by its path, by its path from the package the
    /// report is of, or, where the tests ran in another directory, by the end of its path.
    fn measured_path(&self, report: &str, named: &str) -> Option<Arc<str>> {
        let named = named.replace('\\', "/");
        let known = |path: &str| self.by_path.get_key_value(path).map(|(path, _)| path.clone());
        let plain = named.trim_start_matches("./");
        if let Some(path) = known(plain) {
            return Some(path);
        }
        let package = report.rsplit_once('/').map_or("", |(directory, _)| directory);
        let package = match package.rsplit_once('/') {
            Some((above, "coverage")) => above,
            None if package == "coverage" => "",
            _ => package,
        };
        if let Some(path) = known(&format!("{package}/{plain}")) {
            return Some(path);
        }
        let is_absolute = plain.starts_with('/') || plain.get(1..2) == Some(":");
        let mut ends = plain.match_indices('/').map(|(at, _)| &plain[at + 1..]);
        ends.find_map(known).filter(|_| is_absolute)
    }
}

impl FileLines {
    /// The lines that a comment stands for.
    fn behind(&self, file: &File, comment: u32) -> impl Iterator<Item = (u32, bool)> {
        let mut comments = file.contents.codes.iter().map(|it| it.line).filter(|it| *it >= comment);
        let mut last = comments.next().unwrap_or(comment);
        let next = comments.find(|next| {
            let is_beside = !has_code(file, last, *next);
            if is_beside {
                last = *next;
            }
            !is_beside
        });
        let behind = self.lines.range(last..next.unwrap_or(u32::MAX));
        behind.map(|(line, is_reached)| (*line, *is_reached))
    }
}

/// Whether anything else than comments stands between two lines.
fn has_code(file: &File, above: u32, below: u32) -> bool {
    let name = file.path.rsplit('/').next().unwrap_or_default();
    let languages = language::of_file(name);
    let is_comment = |line: &str| {
        let mut markers = languages.iter().flat_map(|it| &it.comments);
        markers.any(|it| line.starts_with(it.as_str()))
    };
    let between = (below - above).saturating_sub(1) as usize;
    let mut between = file.text.lines().skip(above as usize).take(between).map(str::trim);
    between.any(|it| !it.is_empty() && !is_comment(it))
}
