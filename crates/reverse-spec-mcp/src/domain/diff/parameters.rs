//! Two lists of parameters.

use super::canonical::{canonical, same};
use super::difference::{Difference, plain};
use super::giving::Giving;
use super::parts::holds_all_of;
use super::verdict::Judged;
use crate::domain::languages::About;
use crate::domain::signature::split_list;
use crate::domain::skeleton::Parameter;

/// What a caller has to know. `heads` are the signatures that the lists are from.
pub(super) fn differences(
    old: &[Parameter],
    new: &[Parameter],
    manner: &About,
    heads: (&str, &str),
    mut push: impl FnMut(Difference),
) {
    let alike = |old: &str, new: &str| old == new || canonical(old) == canonical(new);
    // What has no place has no order.
    let giving = (Giving::of(heads.0), Giving::of(heads.1));
    let placed = |list: &[Parameter], giving: &Giving| -> Vec<String> {
        let has_place = |it: &&Parameter| giving.ways(it).is_none_or(|it| it.by_place);
        let placed = list.iter().filter(|it| !manner.callers_name_arguments || has_place(it));
        placed.map(|it| canonical(&it.name)).collect()
    };
    let sorted = |mut names: Vec<String>| {
        names.sort();
        names
    };
    let names = (placed(old, &giving.0), placed(new, &giving.1));
    if names.0 != names.1 && sorted(names.0) == sorted(names.1) {
        push(difference(Judged::ParameterOrderChanged, "", Some(listed(old)), Some(listed(new))));
    }
    let mut taken = vec![false; new.len()];
    let mut unmatched = Vec::new();
    for (index, before) in old.iter().enumerate() {
        let named = |at: &usize| !taken[*at] && alike(&before.name, &new[*at].name);
        match (0..new.len()).find(named) {
            Some(at) => {
                taken[at] = true;
                one(before, &new[at], manner, &mut push);
                if manner.callers_name_arguments {
                    ways(before, &new[at], &giving, &mut push);
                }
            }
            None => unmatched.push((index, before)),
        }
    }
    for (index, before) in unmatched {
        // In the same place, or of the same type where the list became longer: a new name.
        let same_type =
            |at: usize| !taken[at] && same(before.type_text.as_ref(), new[at].type_text.as_ref());
        let here =
            (index < new.len() && !taken[index] && (old.len() == new.len() || same_type(index)))
                .then_some(index)
                // What takes any number of arguments is not one that takes one.
                .filter(|at| before.rest == new[*at].rest);
        if let Some(at) = here {
            taken[at] = true;
            let after = &new[at];
            let lost = lost_keys(before, after);
            if !lost.is_empty() {
                let names = lost.join(", ");
                push(difference(Judged::ParameterRemoved, &names, Some(written(before)), None));
                continue;
            }
            let names = (Some(before.name.clone()), Some(after.name.clone()));
            let is_named = giving.0.ways(before).is_some_and(|it| it.by_name);
            let change = if manner.callers_name_arguments && is_named {
                Judged::KeywordRenamed
            } else {
                Judged::ParameterRenamed
            };
            push(difference(change, &after.name, names.0, names.1));
            one(before, after, manner, &mut push);
        } else if giving.0.ways(before).is_some_and(|it| giving.1.takes(it)) {
            push(difference(Judged::ParameterTaken, &before.name, Some(written(before)), None));
        } else {
            let text = Some(written(before));
            push(difference(Judged::ParameterRemoved, &before.name, text, None));
        }
    }
    let is_placed = |it: &Parameter| !it.rest && giving.1.ways(it).is_none_or(|it| it.by_place);
    let last_known = (0..new.len()).rev().find(|at| taken[*at] && is_placed(&new[*at]));
    let added = new.iter().zip(taken).enumerate().filter(|(_, (_, taken))| !taken);
    for (at, (after, _)) in added {
        let change = if after.optional && last_known.is_some_and(|last| at < last) {
            Judged::ParameterInserted
        } else if after.optional || after.rest {
            Judged::OptionalParameterAdded
        } else {
            Judged::RequiredParameterAdded
        };
        push(difference(change, &after.name, None, Some(written(after))));
    }
}

/// The properties that were taken out of an argument and no longer are, where no type says which it
/// has: `{ a, b }` and `{ a }`.
fn lost_keys(old: &Parameter, new: &Parameter) -> Vec<String> {
    let keys = |parameter: &Parameter| -> Option<Vec<String>> {
        let inside = parameter.name.trim().strip_prefix('{')?;
        let named = split_list(inside).into_iter();
        let key = |it: String| it.split([':', '=']).next().unwrap_or_default().trim().to_owned();
        Some(named.map(key).collect())
    };
    if old.type_text.is_some() || new.type_text.is_some() {
        return Vec::new();
    }
    let (Some(before), Some(after)) = (keys(old), keys(new)) else { return Vec::new() };
    if after.iter().any(|it| it.starts_with("...")) {
        return Vec::new();
    }
    let is_lost = |it: &String| !it.starts_with("...") && !after.contains(it);
    before.into_iter().filter(is_lost).collect()
}

fn one(old: &Parameter, new: &Parameter, manner: &About, push: &mut impl FnMut(Difference)) {
    let name = &new.name;
    if !same(old.type_text.as_ref(), new.type_text.as_ref()) {
        let written_out = old.type_text.is_none() || new.type_text.is_none();
        let types = (old.type_text.as_ref(), new.type_text.as_ref());
        let change = if manner.types_may_be_left_out && written_out {
            Judged::AnnotationChanged
        } else if holds_all_of(types.1, types.0, manner.alternatives) {
            Judged::ParameterWidened
        } else {
            Judged::ParameterTypeChanged
        };
        push(difference(change, name, old.type_text.clone(), new.type_text.clone()));
    } else if old.rest != new.rest {
        push(difference(
            Judged::ParameterTypeChanged,
            name,
            Some(written(old)),
            Some(written(new)),
        ));
    }
    match (old.optional, new.optional) {
        (true, false) => {
            push(difference(
                Judged::ParameterRequired,
                name,
                Some(written(old)),
                Some(written(new)),
            ));
        }
        (false, true) => {
            push(difference(
                Judged::ParameterOptional,
                name,
                Some(written(old)),
                Some(written(new)),
            ));
        }
        _ if !same(old.default.as_ref(), new.default.as_ref()) => {
            push(difference(
                Judged::DefaultChanged,
                name,
                old.default.clone(),
                new.default.clone(),
            ));
        }
        _ => {}
    }
}

fn difference(
    change: Judged,
    subject: &str,
    old: Option<String>,
    new: Option<String>,
) -> Difference {
    Difference { subject: subject.to_owned(), ..plain(change, old, new) }
}

fn written(parameter: &Parameter) -> String {
    let rest = if parameter.rest { "..." } else { "" };
    let optional = if parameter.optional && parameter.default.is_none() { "?" } else { "" };
    let declared = parameter.type_text.as_ref().map(|it| format!(": {it}")).unwrap_or_default();
    let default = parameter.default.as_ref().map(|it| format!(" = {it}")).unwrap_or_default();
    format!("{rest}{}{optional}{declared}{default}", parameter.name)
}

/// Whether an argument that is gone from a declaration may be taken by what stands behind its new
/// overloads, which only say how it is meant to be called.
pub(super) fn may_be_taken(
    was: Option<usize>,
    is: Option<usize>,
    manner: &About,
    it: &Difference,
) -> bool {
    let is_open = it.old.as_deref().is_some_and(|it| it.starts_with("..."));
    let is_gone = it.change == Judged::ParameterRemoved && is_open;
    manner.types_are_hints && was.is_none() && is.is_some() && is_gone
}

fn listed(parameters: &[Parameter]) -> String {
    let names: Vec<String> = parameters.iter().map(|it| canonical(&it.name)).collect();
    names.join(", ")
}

/// In which ways an argument may be given, and may no longer.
fn ways(
    old: &Parameter,
    new: &Parameter,
    giving: &(Giving, Giving),
    push: &mut impl FnMut(Difference),
) {
    let (Some(before), Some(after)) = (giving.0.ways(old), giving.1.ways(new)) else { return };
    let texts = || (Some(written(old)), Some(written(new)));
    let mut tell = |change| {
        let (old, after) = texts();
        push(difference(change, &new.name, old, after));
    };
    if before.by_place && !after.by_place {
        tell(Judged::PlaceLost);
    }
    if before.by_name && !after.by_name {
        tell(Judged::NameLost);
    }
    let is_less = before.by_place && !after.by_place || before.by_name && !after.by_name;
    if before != after && !is_less {
        tell(Judged::GivenFreely);
    }
}
