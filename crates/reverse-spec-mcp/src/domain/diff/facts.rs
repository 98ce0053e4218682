//! Where a program is reached and what it takes from its surroundings, compared.

use std::collections::HashSet;

use super::partners::Pool;
use super::{Category, ChangeType, DetectedBy, DriftItem, Severity};
use crate::domain::facts::{Weight, weight};
use crate::domain::place::Place;
use crate::domain::skeleton::{EntryKind, EntryPoint};

/// Names of what answers requests, messages and commands in either state.
pub(super) fn handlers(old: &[EntryPoint], new: &[EntryPoint]) -> HashSet<String> {
    let all = old.iter().chain(new).filter_map(|it| it.handler.as_deref());
    let names = all.map(|it| it.rsplit([':', '.', '#', '@']).next().unwrap_or(it));
    names.map(|it| it.trim_end_matches("()").to_owned()).collect()
}

/// Every difference that somebody outside would notice.
pub(super) fn differences(
    old: &[EntryPoint],
    new: &[EntryPoint],
) -> (Vec<DriftItem>, HashSet<(String, String)>) {
    let mut found = Vec::new();
    let mut is_free = vec![true; new.len()];
    let places = || new.iter().enumerate();
    let mut here = Pool::of(places().map(|(at, it)| ((key(it), it.file.as_str()), at)));
    let mut anywhere = Pool::of(places().map(|(at, it)| (key(it), at)));
    let mut left = Vec::new();
    for before in old {
        match here.take(&(key(before), before.file.as_str()), &is_free) {
            Some(at) => {
                is_free[at] = false;
                compare(before, &new[at], &mut found);
            }
            None => left.push(before),
        }
    }
    let mut gone = Vec::new();
    for before in left {
        match anywhere.take(&key(before), &is_free) {
            Some(at) => {
                is_free[at] = false;
                compare(before, &new[at], &mut found);
            }
            None => gone.push(before),
        }
    }
    let mut alike = Pool::of(places().filter_map(|(at, it)| Some((likeness(it)?, at))));
    let known: HashSet<_> = new.iter().map(key).collect();
    for before in gone {
        if let Some(at) = likeness(before).and_then(|it| alike.take(&it, &is_free)) {
            is_free[at] = false;
            renamed(before, &new[at], &mut found);
        } else {
            removed(before, known.contains(&key(before)), &mut found);
        }
    }
    for (after, _) in new.iter().zip(is_free).filter(|(_, is_free)| *is_free) {
        if !matches!(after.kind, EntryKind::Response | EntryKind::Statements) {
            let words = format!("{} `{}` is new", word(after), after.name);
            found.push(item(after, after, Severity::Low, ChangeType::Addition, words));
        }
    }
    // What a file does when it is loaded is told where nothing else of it is.
    let told: HashSet<String> = found
        .iter()
        .filter(|it| it.symbol_name != it.location.file)
        .map(|it| it.location.file.clone())
        .collect();
    found.retain(|it| it.symbol_name != it.location.file || !told.contains(&it.location.file));
    let changed: HashSet<(&str, &str)> =
        found.iter().map(|it| (it.location.file.as_str(), it.symbol_name.as_str())).collect();
    let is_route = |it: &&EntryPoint| it.kind == EntryKind::Route;
    let is_changed = |it: &&EntryPoint| changed.contains(&(it.file.as_str(), it.name.as_str()));
    let who = |it: &EntryPoint| Some((it.file.clone(), it.handler.clone()?));
    let mut handlers: HashSet<(String, String)> =
        old.iter().chain(new).filter(is_route).filter(is_changed).filter_map(who).collect();
    // Where marks make the routes on both sides, the routes say all that the marks say.
    let before: HashSet<_> = old.iter().filter(is_route).filter_map(who).collect();
    let marked = new.iter().filter(is_route).filter(|it| it.is_marked).filter_map(who);
    handlers.extend(marked.filter(|it| before.contains(it)));
    (found, handlers)
}

fn key(entry: &EntryPoint) -> (EntryKind, &str) {
    (entry.kind, entry.name.as_str())
}

/// What two have in common that are the same under another name.
fn likeness(entry: &EntryPoint) -> Option<(EntryKind, &str, Vec<&str>)> {
    let mut parts: Vec<&str> = Vec::new();
    match entry.kind {
        EntryKind::Route | EntryKind::Mount | EntryKind::Topic => {
            parts.push(entry.handler.as_deref()?);
        }
        EntryKind::Field => {
            parts.extend(entry.name.split_once('.').map(|it| it.0));
            parts.extend(entry.details.iter().map(String::as_str));
        }
        EntryKind::Response | EntryKind::Job => {
            parts.extend(entry.details.iter().map(String::as_str));
        }
        EntryKind::Environment | EntryKind::Setting | EntryKind::Flag => {
            parts.push(entry.fallback.as_deref()?);
            parts.extend(entry.details.iter().map(String::as_str));
        }
        _ => return None,
    }
    Some((entry.kind, entry.file.as_str(), parts))
}

fn renamed(old: &EntryPoint, new: &EntryPoint, found: &mut Vec<DriftItem>) {
    // What a function that is called otherwise now answers is the same.
    if old.kind == EntryKind::Response {
        return;
    }
    let severity = if old.kind == EntryKind::Job { Severity::Low } else { Severity::High };
    let words = format!("{} `{}` is now `{}`", word(old), old.name, new.name);
    found.push(item(old, new, severity, ChangeType::Modification, words));
    compare(old, new, found);
}

fn removed(old: &EntryPoint, is_elsewhere: bool, found: &mut Vec<DriftItem>) {
    let severity = match old.kind {
        EntryKind::Statements => return,
        EntryKind::Response => Severity::Medium,
        // It is still read, in one place less.
        EntryKind::Environment | EntryKind::Setting if is_elsewhere => Severity::Low,
        EntryKind::Middleware => without(weight(&old.name)),
        _ => Severity::High,
    };
    let words = match old.kind {
        EntryKind::Response => {
            format!("`{}` no longer answers with `{}`", old.name, old.details.join(", "))
        }
        _ => format!("{} `{}` is gone", word(old), old.name),
    };
    found.push(item(old, old, severity, ChangeType::Removal, words));
}

/// How much it matters that requests no longer go through something.
fn without(weight: Weight) -> Severity {
    match weight {
        Weight::Unseen => Severity::Low,
        Weight::Served => Severity::Medium,
        Weight::Guard => Severity::High,
    }
}

/// Those of one list that are not in the other.
fn missing<'a>(from: &'a [String], other: &[String]) -> Vec<&'a str> {
    from.iter().filter(|it| !other.contains(it)).map(String::as_str).collect()
}

fn compare(old: &EntryPoint, new: &EntryPoint, found: &mut Vec<DriftItem>) {
    let name = &new.name;
    let mut add = |severity, words| {
        found.push(item(old, new, severity, ChangeType::Modification, words));
    };
    let (lost, gained) = (missing(&old.guards, &new.guards), missing(&new.guards, &old.guards));
    let fewer = old.guards.len() > new.guards.len();
    if !lost.is_empty() || fewer {
        let lost =
            if lost.is_empty() { old.guards.iter().map(String::as_str).collect() } else { lost };
        let severity = lost.iter().map(|it| weight(it)).max().map_or(Severity::High, without);
        let lost = lost.join(", ");
        add(severity, format!("{} `{name}` no longer goes through `{lost}`", word(new)));
    } else if !gained.is_empty() {
        let gained = gained.join(", ");
        add(Severity::Medium, format!("{} `{name}` now also goes through `{gained}`", word(new)));
    }
    if old.fallback != new.fallback {
        let (from, to) = (shown(old.fallback.as_ref()), shown(new.fallback.as_ref()));
        let is_set = matches!(new.kind, EntryKind::Setting | EntryKind::Flag);
        add(
            Severity::Medium,
            if is_set {
                format!("{} `{name}` had the value {from} and has {to}", word(new))
            } else {
                format!("Where `{name}` is not set, {from} was taken and now {to} is")
            },
        );
    }
    let (lost, gained) = (missing(&old.details, &new.details), missing(&new.details, &old.details));
    if lost.is_empty() && gained.is_empty() {
        return;
    }
    let (from, to) = (joined(&lost), joined(&gained));
    match new.kind {
        EntryKind::Statements => {
            add(Severity::Low, format!("What `{name}` does when it is loaded changed"));
        }
        // Databases that took it as it was do not take it again.
        EntryKind::Migration => {
            add(
                Severity::High,
                format!(
                    "The migration `{name}` did {from} and does {to}; databases that ran it stay as they are"
                ),
            );
        }
        EntryKind::Field | EntryKind::Entity if !lost.is_empty() => {
            add(
                Severity::High,
                format!("Of {} `{name}`, {from} no longer holds; {to} does", lower(new)),
            );
        }
        EntryKind::Field | EntryKind::Entity => {
            add(Severity::Medium, format!("Of {} `{name}`, {to} holds now too", lower(new)));
        }
        EntryKind::Response if lost.is_empty() => {
            add(Severity::Low, format!("`{name}` now also answers with {to}"));
        }
        EntryKind::Response => {
            add(
                Severity::Medium,
                format!("`{name}` answered with {from}; now it answers with {to}"),
            );
        }
        EntryKind::Job => {
            add(Severity::Medium, format!("The job `{name}` ran by {from} and runs by {to}"));
        }
        _ => {
            let demands =
                gained.iter().any(|it| it.starts_with("required: ") && !it.ends_with("alse"));
            let severity = if demands { Severity::High } else { Severity::Medium };
            add(severity, format!("Of {} `{name}`, {from} became {to}", lower(new)));
        }
    }
}

fn joined(parts: &[&str]) -> String {
    if parts.is_empty() {
        return "nothing".to_owned();
    }
    parts.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ")
}

fn shown(fallback: Option<&String>) -> String {
    fallback.map_or_else(|| "nothing".to_owned(), |it| format!("`{it}`"))
}

fn word(entry: &EntryPoint) -> &'static str {
    match entry.kind {
        EntryKind::Route => "The route",
        EntryKind::Mount => "What is reached below",
        EntryKind::Middleware if weight(&entry.name) == Weight::Guard => "The guard",
        EntryKind::Middleware => "The middleware",
        EntryKind::Main => "The beginning",
        EntryKind::Command => "The command",
        EntryKind::Flag => "The flag",
        EntryKind::Job => "The job",
        EntryKind::Topic => "The topic",
        EntryKind::Environment => "The variable",
        EntryKind::Setting => "The setting",
        EntryKind::Entity => "The entity",
        EntryKind::Field => "The field",
        EntryKind::Migration => "The migration",
        EntryKind::Response => "The answer of",
        EntryKind::Statements => "The file",
        EntryKind::Other => "The entry point",
    }
}

fn lower(entry: &EntryPoint) -> String {
    word(entry).replacen("The", "the", 1).replacen("What", "what", 1)
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
        parts.extend(it.details.iter().filter(|_| it.kind != EntryKind::Statements).cloned());
        parts.extend(it.fallback.clone());
        parts.join(", ")
    };
    let is_addition = change_type == ChangeType::Addition;
    let is_removal = change_type == ChangeType::Removal;
    let category = match old.kind {
        EntryKind::Statements | EntryKind::Response | EntryKind::Job => Category::Behavior,
        EntryKind::Middleware | EntryKind::Field => Category::Constraint,
        _ => Category::Interface,
    };
    DriftItem {
        id: String::new(),
        severity,
        category,
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
        is_by_mark: false,
    }
}
