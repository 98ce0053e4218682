//! Two states of code compared: what a caller of it would notice, how badly, and nothing else.

mod canonical;
mod joined;
mod lenient;
mod members;
mod pairing;
mod parameters;
mod partners;
mod restated;
mod symbol;
mod verdict;

use std::collections::HashSet;

use serde::Serialize;

use crate::baseline::{Baseline, Generator};
use crate::skeleton::{CodeSkeleton, ExportSymbol, MemberInfo};
use joined::joined;
use pairing::Pairing;
use verdict::Change;

/// One thing in which the code differs from what the specification was written from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DriftItem {
    pub(crate) id: String,
    pub(crate) severity: Severity,
    pub(crate) category: Category,
    pub(crate) change_type: ChangeType,
    /// `file:line`, of the present where there is one.
    pub(crate) location: String,
    /// `Type.member` for members.
    pub(crate) symbol_name: String,
    pub(crate) description: String,
    pub(crate) old_value: Option<String>,
    pub(crate) new_value: Option<String>,
    pub(crate) proposed_update: String,
    pub(crate) detected_by: DetectedBy,
    /// The first and last line of a body that changed.
    #[serde(skip)]
    pub(crate) body: Option<(usize, usize)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Severity {
    High,
    Medium,
    Low,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) enum Category {
    Interface,
    Behavior,
    Constraint,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ChangeType {
    Addition,
    Removal,
    Modification,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum DetectedBy {
    Structural,
    /// By a language model, from the words of the specification.
    Semantic,
}

/// What comparing found.
#[derive(Debug, Default)]
pub(crate) struct Drift {
    /// The gravest first, then by place.
    pub(crate) items: Vec<DriftItem>,
    /// Symbols that are written differently without any difference to a caller.
    pub(crate) noise: usize,
}

impl Drift {
    /// Adds files that are known by their path alone.
    pub(crate) fn note_gone_files(&mut self, paths: Vec<String>) {
        let items = std::mem::take(&mut self.items);
        let mut found = Found { items, noise: self.noise, ..Found::default() };
        for path in paths {
            found.gone_file(&path);
        }
        *self = found.finish();
    }
}

/// Compares a baseline with the code of now. Read the code with its internal items: a file may have
/// gained its first export since.
pub(crate) fn compare(old: &Baseline, new: &[CodeSkeleton]) -> Drift {
    let merged = crate::skeleton::merge(new);
    // Where a baseline lists what is internal, nothing was exported.
    let is_offered = old.skeleton.internals.is_empty();
    let mut found = Found { is_offered, ..Found::default() };
    match &old.generator {
        Generator::Ours => {
            let (before, after) = (joined(&old.skeleton), joined(&merged));
            let pairing = Pairing::of(&before, &after);
            for (before, after) in &pairing.pairs {
                found.pair(before, after);
            }
            for (before, after) in &pairing.unexported {
                let words = ("exported".to_owned(), "internal to its file".to_owned());
                let difference =
                    symbol::plain(Change::VisibilityReduced, Some(words.0), Some(words.1));
                found.add(difference.change, Some(before), Some(after), Some(&difference));
            }
            for (before, after) in &pairing.moved {
                found.add(Change::Moved, Some(before), Some(after), None);
                found.pair(before, after);
            }
            for (before, after) in &pairing.renamed {
                found.add(Change::Renamed, Some(before), Some(after), None);
            }
            for before in &pairing.removed {
                found.add(verdict::removal(before), Some(before), None, None);
            }
            for after in &pairing.added {
                found.add(Change::Added, None, Some(after), None);
            }
            found.gone_files(old, new);
        }
        Generator::Other(_) => {
            lenient::compare(&old.skeleton, &merged, new.len() > 1, &mut found);
        }
    }
    found.finish()
}

/// Items as they are found, before they are put in order.
#[derive(Default)]
struct Found {
    items: Vec<DriftItem>,
    noise: usize,
    /// Whether symbols are exports, rather than what a program holds.
    is_offered: bool,
}

/// A change with what it changed from and to.
#[derive(Debug)]
struct Difference {
    change: Change,
    /// The member it is about, if not the symbol itself.
    member: Option<String>,
    /// The file the member is in, if not that of its type.
    file: Option<String>,
    /// Where the member is now.
    line: Option<usize>,
    old: Option<String>,
    new: Option<String>,
    /// A name that the sentence needs.
    subject: String,
}

impl Found {
    fn pair(&mut self, before: &ExportSymbol, after: &ExportSymbol) {
        let differences = symbol::differences(before, after);
        if differences.is_empty() && before.signature != after.signature {
            self.noise += 1;
        }
        for difference in differences {
            self.add(difference.change, Some(before), Some(after), Some(&difference));
        }
    }

    fn add(
        &mut self,
        change: Change,
        before: Option<&ExportSymbol>,
        after: Option<&ExportSymbol>,
        difference: Option<&Difference>,
    ) {
        let Some(shown) = after.or(before) else { return };
        let name = qualified(shown);
        let member = difference.and_then(|it| it.member.as_deref());
        let line = difference.and_then(|it| it.line).unwrap_or(shown.start_line);
        let file = difference.and_then(|it| it.file.as_ref()).unwrap_or(&shown.file);
        let subject = difference.map(|it| it.subject.as_str()).unwrap_or_default();
        let (old_value, new_value) = match difference {
            Some(it) => (it.old.clone(), it.new.clone()),
            None => (before.map(|it| it.signature.clone()), after.map(|it| it.signature.clone())),
        };
        let symbol_name = match (change, before, member) {
            (Change::Renamed, Some(before), _) => qualified(before),
            (_, _, Some(member)) => format!("{name}.{member}"),
            _ => name.clone(),
        };
        let alone = matches!(change, Change::Removed | Change::Added) && self.is_offered;
        let words = verdict::Words {
            symbol: &symbol_name,
            kind: &format!("{}{}", if alone { "exported " } else { "" }, shown.kind.word()),
            subject,
            old: old_value.as_deref(),
            new: new_value.as_deref(),
            new_name: after.map(qualified).unwrap_or_default(),
            old_file: before.map(|it| it.file.as_str()).unwrap_or_default(),
            new_file: after.map(|it| it.file.as_str()).unwrap_or_default(),
        };
        self.items.push(DriftItem {
            id: String::new(),
            severity: change.severity(),
            category: change.category(),
            change_type: change.change_type(),
            location: format!("{file}:{line}"),
            description: change.description(&words),
            proposed_update: change.proposal(&words),
            symbol_name,
            old_value,
            new_value,
            detected_by: DetectedBy::Structural,
            body: (change == Change::BodyChanged).then(|| lines_of(shown, file, line)),
        });
    }

    /// Files of the baseline that are gone without a declaration that would tell.
    fn gone_files(&mut self, old: &Baseline, new: &[CodeSkeleton]) {
        let declarations = old.skeleton.exports.iter().chain(&old.skeleton.internals);
        let told: HashSet<&str> = declarations.map(|it| it.file.as_str()).collect();
        let here: HashSet<&str> =
            new.iter().flat_map(|it| [it.file_path.as_str(), it.hash.as_str()]).collect();
        for file in &old.files {
            let is_here = [&file.path, &file.hash].iter().any(|it| here.contains(it.as_str()));
            if !is_here && !told.contains(file.path.as_str()) {
                self.gone_file(&file.path);
            }
        }
    }

    fn gone_file(&mut self, path: &str) {
        self.items.push(DriftItem {
            id: String::new(),
            severity: Severity::High,
            category: Category::Interface,
            change_type: ChangeType::Removal,
            location: format!("{path}:1"),
            symbol_name: path.to_owned(),
            description: format!("The file `{path}` is gone"),
            old_value: Some(path.to_owned()),
            new_value: None,
            proposed_update: format!("Take `{path}` out of the file list."),
            detected_by: DetectedBy::Structural,
            body: None,
        });
    }

    fn finish(mut self) -> Drift {
        self.items.sort_by(|left, right| order(left).cmp(&order(right)));
        for (index, item) in self.items.iter_mut().enumerate() {
            item.id = format!("drift-{}", index + 1);
        }
        Drift { items: self.items, noise: self.noise }
    }
}

/// The gravest first, then by file and line.
fn order(item: &DriftItem) -> (Severity, &str, usize, &str) {
    let (file, line) = item.location.rsplit_once(':').unwrap_or((&item.location, ""));
    (item.severity, file, line.parse().unwrap_or_default(), &item.symbol_name)
}

/// Where the body of a symbol, or of the member at `line`, begins and ends.
fn lines_of(symbol: &ExportSymbol, file: &str, line: usize) -> (usize, usize) {
    let is_here = |it: &&MemberInfo| {
        it.start_line == line && it.file.as_ref().unwrap_or(&symbol.file) == file
    };
    let member = symbol.members.iter().find(is_here);
    member.map_or((symbol.start_line, symbol.end_line), |it| (it.start_line, it.end_line))
}

/// The name with the namespace it is in.
fn qualified(symbol: &ExportSymbol) -> String {
    match &symbol.namespace {
        Some(namespace) if namespace.contains("::") || is_written_in(symbol, "rs") => {
            format!("{namespace}::{}", symbol.name)
        }
        Some(namespace) => format!("{namespace}.{}", symbol.name),
        None => symbol.name.clone(),
    }
}

/// By the extension of its file.
fn is_written_in(symbol: &ExportSymbol, extension: &str) -> bool {
    symbol.file.rsplit('.').next() == Some(extension)
}

#[cfg(test)]
mod tests;
