//! Two states of code compared: what a caller of it would notice, how badly, and nothing else.

mod anything;
mod beside;
mod callable;
mod canonical;
mod difference;
mod enforced;
mod facts;
mod giving;
mod gone;
mod joined;
mod kin;
mod lenient;
mod members;
mod pairing;
mod parameters;
mod partners;
mod parts;
mod reached;
mod restated;
mod symbol;
mod taken;
mod verdict;

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use crate::domain::baseline::{Baseline, Generator, leave_listed_out};
use crate::domain::languages;
use crate::domain::place::Place;
use crate::domain::skeleton::{CodeSkeleton, ExportSymbol, MemberInfo, SymbolKind};
use beside::Beside;
use difference::{Difference, plain};
use joined::joined;
use kin::Kin;
use pairing::Pairing;
use reached::{GoneModule, Instead, Names, Reached};
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

impl Severity {
    /// For sums: no number of small ones is worth a grave one of the same declaration.
    fn weight(self) -> usize {
        match self {
            Self::High => 10_000,
            Self::Medium => 100,
            Self::Low => 1,
        }
    }
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
            found.gone_file(&path, false);
        }
        *self = found.finish();
    }
}

/// Compares a baseline with the code of now. Read the code with its internal items: a file may have
/// gained its first export since.
pub(crate) fn compare(old: &Baseline, new: &[CodeSkeleton]) -> Drift {
    let mut merged = crate::domain::skeleton::merge(new);
    leave_listed_out(&mut merged);
    // Where a baseline lists what is internal, nothing was exported.
    let is_offered = old.skeleton.internals.is_empty();
    let mut found = Found { is_offered, ..Found::default() };
    match &old.generator {
        Generator::Ours => {
            let (before, after) = (joined(&old.skeleton), joined(&merged));
            let pairing = Pairing::of(&before, &after);
            found.kin = Kin::of(&after);
            found.kin_before = Kin::of(&before);
            found.answering = facts::handlers(&old.skeleton.entry_points, &merged.entry_points);
            let files: HashSet<&str> = new.iter().map(|it| it.file_path.as_str()).collect();
            let reached = Reached::of(&pairing, &before, &after, &files);
            for (before, after) in &pairing.pairs {
                found.pair(before, after);
                if let Names::Gone(path) = reached.names(before)
                    && !reached.is_told(path)
                {
                    found.path_gone(path, before, after);
                }
            }
            for (before, after) in &pairing.unexported {
                let words = ("exported".to_owned(), "internal to its file".to_owned());
                let difference = plain(Judged::VisibilityReduced, Some(words.0), Some(words.1));
                found.add(difference.change, Some(before), Some(after), Some(&difference));
            }
            for (before, after) in &pairing.moved {
                match reached.names(before) {
                    Names::Unknown => found.add(Judged::Moved, Some(before), Some(after), None),
                    Names::Gone(path) => found.path_gone(path, before, after),
                    // Nobody outside can tell, or it is told of the module.
                    Names::Kept | Names::Told => found.noise += 1,
                }
                found.pair(before, after);
            }
            for (before, after) in &pairing.renamed {
                match reached.instead_of(before) {
                    None if matches!(reached.names(before), Names::Told) => found.noise += 1,
                    Some(_) => found.add(Judged::Moved, Some(before), Some(after), None),
                    None => found.add(Judged::Renamed, Some(before), Some(after), None),
                }
            }
            let beside = Beside::of(&after);
            let gone_elsewhere = reached.gone_elsewhere(&pairing);
            let mut gone_with_module = Vec::new();
            for before in &pairing.removed {
                match reached.instead_of(before) {
                    Some(Instead::Here(after)) => found.pair(before, after),
                    Some(Instead::Elsewhere(after)) => {
                        found.add(Judged::FromElsewhere, Some(before), Some(after), None);
                    }
                    Some(Instead::Same) => found.noise += 1,
                    None if found.is_given_still(before, &after, &gone_elsewhere) => {
                        found.noise += 1;
                    }
                    None if beside.declares(before) || found.kin.hands_down(before) => {
                        found.noise += 1;
                    }
                    None if matches!(reached.names(before), Names::Told) => {
                        gone_with_module.push(*before);
                    }
                    None => found.add(verdict::removal(before), Some(before), None, None),
                }
            }
            let entry = new.iter().find(|it| it.features.is_some());
            let file = entry.map_or(merged.file_path.as_str(), |it| it.file_path.as_str());
            found.features(&old.skeleton, &merged, file);
            for module in reached.gone_modules() {
                found.gone_module(module, &gone_with_module);
            }
            for after in &pairing.added {
                found.add(Judged::Added, None, Some(after), None);
            }
            found.gone_files(old, new, reached.gone_modules());
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

/// Said of what no name of the library leads to.
const INTERNAL: &str = "internal: no public name leads to it";

/// How many of its members are named with a module that is gone.
const SHOWN_MEMBERS: usize = 5;

/// Items as they are found, before they are put in order.
#[derive(Default)]
struct Found {
    items: Vec<DriftItem>,
    noise: usize,
    /// Whether symbols are exports, rather than what a program holds.
    is_offered: bool,
    kin: Kin,
    kin_before: Kin,
    /// Names of what answers requests, wherever it is declared.
    answering: HashSet<String>,
}

impl Found {
    fn pair(&mut self, before: &ExportSymbol, after: &ExportSymbol) {
        let mut differences = symbol::differences(before, after);
        differences.retain(|it| {
            !self.kin.explains(after, it)
                && !self.kin_before.had(before, it)
                && !self.kin.has_all_of(&self.kin_before, after, it)
        });
        for difference in &mut differences {
            // Whoever calls what answers requests waits for it.
            if difference.change == Judged::AsyncChanged && self.answering.contains(&after.name) {
                difference.change = Judged::AsyncWritten;
            }
            enforced::judge(&self.kin, after, difference);
        }
        if !matches!(after.kind, SymbolKind::Trait) {
            let asked = self.kin.asked_for_now(&self.kin_before, before, after);
            differences.extend(asked.into_iter().map(|name| {
                let member = Some(name.to_owned());
                let line = Some(after.start_line);
                Difference { member, line, ..plain(Judged::RequiredMemberAdded, None, None) }
            }));
        }
        if differences.is_empty() && before.signature != after.signature {
            self.noise += 1;
        }
        for difference in differences {
            self.add(difference.change, Some(before), Some(after), Some(&difference));
        }
    }

    /// Whether what a block gave to a type is given to it under its new name, or by the library that the
    /// trait went to.
    fn is_given_still(
        &self,
        before: &ExportSymbol,
        after: &CodeSkeleton,
        gone_elsewhere: &HashSet<&str>,
    ) -> bool {
        if before.kind != SymbolKind::Impl {
            return false;
        }
        let is_alike = |it: &std::sync::Arc<ExportSymbol>| {
            it.kind == before.kind && self.kin.is_alike(&before.name, &it.name)
        };
        let went = |it: &String| gone_elsewhere.contains(kin::plain_name(it));
        after.exports.iter().any(is_alike)
            || !before.implements.is_empty() && before.implements.iter().all(went)
    }

    /// It is there, and no longer under a name it had.
    fn path_gone(&mut self, path: &str, before: &ExportSymbol, after: &ExportSymbol) {
        let now = after.paths.as_ref().and_then(|it| it.first()).cloned();
        let difference = plain(Judged::PathGone, Some(path.to_owned()), now);
        self.add(Judged::PathGone, Some(before), Some(after), Some(&difference));
    }

    /// A module that is imported by its own name.
    fn gone_module(&mut self, module: &GoneModule<'_>, members: &[&ExportSymbol]) {
        let GoneModule { name, file } = module;
        let members: Vec<String> =
            { members.iter() }.filter(|it| module.held(it)).map(|it| qualified(it)).collect();
        let with_it = match members.as_slice() {
            [] => String::new(),
            few if few.len() <= SHOWN_MEMBERS => format!(", with `{}`", few.join("`, `")),
            many => {
                let shown = many[..SHOWN_MEMBERS].join("`, `");
                format!(", with `{shown}` and {} more", many.len() - SHOWN_MEMBERS)
            }
        };
        self.items.push(DriftItem {
            id: String::new(),
            severity: Severity::High,
            category: Category::Interface,
            change_type: ChangeType::Removal,
            location: Place::new(*file, 1),
            symbol_name: name.clone(),
            description: format!("The module `{name}` is gone{with_it}"),
            old_value: Some(name.clone()),
            new_value: None,
            proposed_update: format!("Take `{name}` out of the interface, or restore it."),
            detected_by: DetectedBy::Structural,
            body: None,
            is_by_mark: false,
        });
    }

    /// What users of a library may switch on.
    fn features(&mut self, old: &CodeSkeleton, new: &CodeSkeleton, file: &str) {
        let (Some(before), Some(after)) = (&old.features, &new.features) else { return };
        let gone = before.iter().filter(|it| !after.contains(it)).map(|it| (it, true));
        let came = after.iter().filter(|it| !before.contains(it)).map(|it| (it, false));
        for (feature, is_gone) in gone.chain(came) {
            let (severity, change_type, what) = if is_gone {
                (Severity::High, ChangeType::Removal, "gone")
            } else {
                (Severity::Low, ChangeType::Addition, "new")
            };
            let known = Some(feature.clone());
            self.items.push(DriftItem {
                id: String::new(),
                severity,
                category: Category::Interface,
                change_type,
                location: Place::new(file, 1),
                symbol_name: format!("feature:{feature}"),
                description: format!("The feature `{feature}` of the package is {what}"),
                old_value: known.clone().filter(|_| is_gone),
                new_value: known.filter(|_| !is_gone),
                proposed_update: format!("Say that `{feature}` is {what}."),
                detected_by: DetectedBy::Structural,
                body: None,
                is_by_mark: false,
            });
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
        // No user of the library can have noticed.
        let is_internal = before.is_some_and(|it| it.paths.as_ref().is_some_and(Vec::is_empty))
            && !before.is_some_and(|it| self.answering.contains(&it.name));
        let description = change.description(&words);
        let (severity, description) = match change.severity() {
            Severity::High | Severity::Medium if is_internal => {
                (Severity::Low, format!("{description} ({INTERNAL})"))
            }
            severity => (severity, description),
        };
        self.items.push(DriftItem {
            id: String::new(),
            severity,
            category: change.category(),
            change_type: change.change_type(),
            location: Place::new(file, line),
            description,
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

    fn finish(mut self) -> Drift {
        self.items.sort_by(|left, right| order(left).cmp(&order(right)));
        for (index, item) in self.items.iter_mut().enumerate() {
            item.id = format!("drift-{}", index + 1);
        }
        Drift { items: self.items, noise: self.noise }
    }
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
