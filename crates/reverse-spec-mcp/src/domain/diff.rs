//! Two states of code compared: what a caller of it would notice, how badly, and nothing else.

mod canonical;
mod difference;
mod facts;
mod joined;
mod lenient;
mod members;
mod pairing;
mod parameters;
mod partners;
mod parts;
mod restated;
mod symbol;
mod verdict;

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use crate::domain::baseline::{Baseline, Generator};
use crate::domain::languages;
use crate::domain::place::Place;
use crate::domain::skeleton::{CodeSkeleton, ExportSymbol, MemberInfo};
use difference::{Difference, plain};
use joined::joined;
use pairing::Pairing;
use verdict::Judged;

/// One thing in which the code differs from what the specification was written from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DriftItem {
    pub(crate) id: String,
    pub(crate) severity: Severity,
    pub(crate) category: Category,
    pub(crate) change_type: ChangeType,
    /// Of the present where there is one.
    pub(crate) location: Place,
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
    /// What is attached to a declaration says it.
    #[serde(skip)]
    pub(crate) is_by_mark: bool,
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
    let merged = crate::domain::skeleton::merge(new);
    // Where a baseline lists what is internal, nothing was exported.
    let is_offered = old.skeleton.internals.is_empty();
    let mut found = Found { is_offered, ..Found::default() };
    match &old.generator {
        Generator::Ours => {
            let (before, after) = (joined(&old.skeleton), joined(&merged));
            let pairing = Pairing::of(&before, &after);
            found.inherited = inherited(&after);
            for (before, after) in &pairing.pairs {
                found.pair(before, after);
            }
            for (before, after) in &pairing.unexported {
                let words = ("exported".to_owned(), "internal to its file".to_owned());
                let difference = plain(Judged::VisibilityReduced, Some(words.0), Some(words.1));
                found.add(difference.change, Some(before), Some(after), Some(&difference));
            }
            for (before, after) in &pairing.moved {
                found.add(Judged::Moved, Some(before), Some(after), None);
                found.pair(before, after);
            }
            for (before, after) in &pairing.renamed {
                found.add(Judged::Renamed, Some(before), Some(after), None);
            }
            for before in &pairing.removed {
                found.add(verdict::removal(before), Some(before), None, None);
            }
            for after in &pairing.added {
                found.add(Judged::Added, None, Some(after), None);
            }
            found.gone_files(old, new);
            if old.knows_entries {
                let now = &merged.entry_points;
                let (items, handlers) = facts::differences(&old.skeleton.entry_points, now);
                found.tell_once(items, &handlers);
            }
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
    /// The names of members that a type has from those it extends, by its name.
    inherited: HashMap<String, HashSet<String>>,
}

impl Found {
    fn pair(&mut self, before: &ExportSymbol, after: &ExportSymbol) {
        let mut differences = symbol::differences(before, after);
        // What moved up to a base is still there.
        if let Some(inherited) = self.inherited.get(&after.name) {
            let has = |it: &Difference| it.member.as_ref().is_some_and(|it| inherited.contains(it));
            differences.retain(|it| it.change != Judged::MemberRemoved || !has(it));
        }
        if differences.is_empty() && before.signature != after.signature {
            self.noise += 1;
        }
        for difference in differences {
            self.add(difference.change, Some(before), Some(after), Some(&difference));
        }
    }

    fn add(
        &mut self,
        change: Judged,
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
            (Judged::Renamed, Some(before), _) => qualified(before),
            (_, _, Some(member)) => format!("{name}.{member}"),
            _ => name.clone(),
        };
        let alone = matches!(change, Judged::Removed | Judged::Added) && self.is_offered;
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
            location: Place::new(file, line),
            description: change.description(&words),
            proposed_update: change.proposal(&words),
            symbol_name,
            old_value,
            new_value,
            detected_by: DetectedBy::Structural,
            is_by_mark: matches!(
                change,
                Judged::EntryChanged | Judged::GuardRemoved | Judged::GuardAdded
            ),
            body: (change == Judged::BodyChanged).then(|| lines_of(shown, file, line)),
        });
    }

    /// Adds what facts say, without what declarations say already. What a mark says about a handler
    /// is said better by its route.
    fn tell_once(&mut self, items: Vec<DriftItem>, handlers: &HashSet<(String, String)>) {
        self.items.retain(|it| {
            let who = (it.location.file.clone(), it.symbol_name.clone());
            !(it.is_by_mark && handlers.contains(&who))
        });
        let known: HashMap<(String, String), Severity> = self
            .items
            .iter()
            .map(|it| ((it.location.file.clone(), it.symbol_name.clone()), it.severity))
            .collect();
        let is_told = |it: &DriftItem| {
            let who = (it.location.file.clone(), it.symbol_name.clone());
            it.category == Category::Constraint
                && known.get(&who).is_some_and(|known| *known <= it.severity)
        };
        self.items.extend(items.into_iter().filter(|it| !is_told(it)));
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
            location: Place::new(path, 1),
            symbol_name: path.to_owned(),
            description: format!("The file `{path}` is gone"),
            old_value: Some(path.to_owned()),
            new_value: None,
            proposed_update: format!("Take `{path}` out of the file list."),
            detected_by: DetectedBy::Structural,
            body: None,
            is_by_mark: false,
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

/// What types have from those they extend, as far as both are in the code.
fn inherited(skeleton: &CodeSkeleton) -> HashMap<String, HashSet<String>> {
    let symbols = || skeleton.exports.iter().chain(&skeleton.internals);
    let by_name: HashMap<&str, &ExportSymbol> =
        symbols().map(|it| (it.name.as_str(), it.as_ref())).collect();
    let mut all = HashMap::new();
    for symbol in symbols().filter(|it| !it.extends.is_empty()) {
        let mut names = HashSet::new();
        let mut seen: HashSet<&str> = HashSet::from([symbol.name.as_str()]);
        let mut open: Vec<&ExportSymbol> = vec![symbol];
        while let Some(at) = open.pop() {
            for base in &at.extends {
                let end = base.find(['<', '[', '(']).unwrap_or(base.len());
                let name = base[..end].rsplit(['.', ':']).next().unwrap_or_default();
                let Some(base) = by_name.get(name).filter(|_| seen.insert(name)) else { continue };
                names.extend(base.members.iter().map(|it| it.name.clone()));
                open.push(base);
            }
        }
        if !names.is_empty() {
            all.insert(symbol.name.clone(), names);
        }
    }
    all
}

/// The gravest first, then by file and line.
fn order(item: &DriftItem) -> (Severity, &Place, &str) {
    (item.severity, &item.location, &item.symbol_name)
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
        Some(namespace) => {
            let separator = &languages::about(symbol.language).separator;
            format!("{namespace}{separator}{}", symbol.name)
        }
        None => symbol.name.clone(),
    }
}

#[cfg(test)]
mod tests;
