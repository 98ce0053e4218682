//! Where a program is reached and what it takes from its surroundings, compared.

use super::partners::Pool;
use super::{Category, ChangeType, DetectedBy, DriftItem, Severity};
use crate::domain::place::Place;
use crate::domain::skeleton::{EntryKind, EntryPoint};

/// Every difference that somebody outside would notice.
pub(super) fn differences(old: &[EntryPoint], new: &[EntryPoint]) -> Vec<DriftItem> {
    let mut found = Vec::new();
    let mut is_free = vec![true; new.len()];
    let places = || new.iter().enumerate();
    let mut here =
        Pool::of(places().map(|(at, it)| ((it.kind, it.name.as_str(), it.file.as_str()), at)));
    let mut anywhere = Pool::of(places().map(|(at, it)| ((it.kind, it.name.as_str()), at)));
    let mut gone = Vec::new();
    for before in old {
        let (kind, name) = (before.kind, before.name.as_str());
        let same = here
            .take(&(kind, name, before.file.as_str()), &is_free)
            .or_else(|| anywhere.take(&(kind, name), &is_free));
        match same {
            Some(at) => {
                is_free[at] = false;
                compare(before, &new[at], &mut found);
            }
            None => gone.push(before),
        }
    }
    let handled = places().filter(|(_, it)| it.kind == EntryKind::Route);
    let mut by_handler =
        Pool::of(handled.filter_map(|(at, it)| Some((it.handler.as_deref()?, at))));
    for before in gone {
        let handler = before.handler.as_deref().filter(|_| before.kind == EntryKind::Route);
        if let Some(at) = handler.and_then(|it| by_handler.take(&it, &is_free)) {
            is_free[at] = false;
            let after = &new[at];
            let words = format!("{} `{}` is now `{}`", word(before), before.name, after.name);
            found.push(item(before, after, Severity::High, ChangeType::Modification, words));
        } else {
            let words = format!("{} `{}` is gone", word(before), before.name);
            found.push(item(before, before, Severity::High, ChangeType::Removal, words));
        }
    }
    for (after, _) in new.iter().zip(is_free).filter(|(_, is_free)| *is_free) {
        let words = format!("{} `{}` is new", word(after), after.name);
        found.push(item(after, after, Severity::Low, ChangeType::Addition, words));
    }
    found
}

fn compare(old: &EntryPoint, new: &EntryPoint, found: &mut Vec<DriftItem>) {
    let lost: Vec<&str> =
        old.guards.iter().filter(|it| !new.guards.contains(it)).map(String::as_str).collect();
    let name = &new.name;
    if !lost.is_empty() {
        let words = format!("{} `{name}` no longer goes through `{}`", word(new), lost.join(", "));
        found.push(item(old, new, Severity::High, ChangeType::Modification, words));
    } else if old.guards != new.guards {
        let words = format!("{} `{name}` goes through more than before", word(new));
        found.push(item(old, new, Severity::Medium, ChangeType::Modification, words));
    }
    if old.fallback != new.fallback {
        let (from, to) = (shown(old.fallback.as_ref()), shown(new.fallback.as_ref()));
        let words = format!("Where `{name}` is not set, {from} was taken and now {to} is");
        found.push(item(old, new, Severity::Medium, ChangeType::Modification, words));
    }
}

fn shown(fallback: Option<&String>) -> String {
    fallback.map_or_else(|| "nothing".to_owned(), |it| format!("`{it}`"))
}

fn word(entry: &EntryPoint) -> &'static str {
    match entry.kind {
        EntryKind::Route => "The route",
        EntryKind::Environment => "The variable",
        EntryKind::Other => "The entry point",
    }
}

fn item(
    old: &EntryPoint,
    new: &EntryPoint,
    severity: Severity,
    change_type: ChangeType,
    description: String,
) -> DriftItem {
    let text = |it: &EntryPoint| {
        let mut parts = vec![it.name.clone()];
        parts.extend(it.guards.iter().cloned());
        parts.extend(it.handler.clone());
        parts.extend(it.fallback.clone());
        parts.join(", ")
    };
    let is_addition = change_type == ChangeType::Addition;
    let is_removal = change_type == ChangeType::Removal;
    DriftItem {
        id: String::new(),
        severity,
        category: Category::Interface,
        change_type,
        location: Place::new(new.file.as_str(), new.line),
        symbol_name: old.name.clone(),
        proposed_update: match change_type {
            ChangeType::Removal => {
                format!("Take `{}` out of the entry points, or restore it in the code.", old.name)
            }
            ChangeType::Addition => format!("Describe `{}`.", new.name),
            ChangeType::Modification => format!("Describe `{}` as it is now.", new.name),
        },
        description,
        old_value: (!is_addition).then(|| text(old)),
        new_value: (!is_removal).then(|| text(new)),
        detected_by: DetectedBy::Structural,
        body: None,
    }
}
