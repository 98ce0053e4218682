//! Two lists of parameters.

use super::canonical::{canonical, same};
use super::difference::{Difference, plain};
use super::parts::holds_all_of;
use super::verdict::Judged;
use crate::domain::languages::About;
use crate::domain::signature::words;
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
    let sorted = |list: &[Parameter]| {
        let mut names: Vec<String> = list.iter().map(|it| canonical(&it.name)).collect();
        names.sort();
        names
    };
    let in_order = old.iter().zip(new).all(|(old, new)| alike(&old.name, &new.name));
    if old.len() == new.len() && !in_order && sorted(old) == sorted(new) {
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
            let names = (Some(before.name.clone()), Some(after.name.clone()));
            let is_named = manner.callers_name_arguments && is_keyword(before, heads.0);
            let change = if is_named { Judged::KeywordRenamed } else { Judged::ParameterRenamed };
            push(difference(change, &after.name, names.0, names.1));
            one(before, after, manner, &mut push);
        } else {
            let text = Some(written(before));
            push(difference(Judged::ParameterRemoved, &before.name, text, None));
        }
    }
    let last_known = taken.iter().rposition(|it| *it).unwrap_or_default();
    let added = new.iter().zip(taken).enumerate().filter(|(_, (_, taken))| !taken);
    for (at, (after, _)) in added {
        let change = if after.optional && at < last_known && is_by_place(&new[at + 1], heads.1) {
            Judged::ParameterInserted
        } else if after.optional || after.rest {
            Judged::OptionalParameterAdded
        } else {
            Judged::RequiredParameterAdded
        };
        push(difference(change, &after.name, None, Some(written(after))));
    }
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

fn listed(parameters: &[Parameter]) -> String {
    let names: Vec<String> = parameters.iter().map(|it| canonical(&it.name)).collect();
    names.join(", ")
}

/// Where a parameter stands in the head of its function.
fn place_in(head: &str, parameter: &Parameter) -> Option<usize> {
    words(head).iter().skip(1).find(|it| it.text == parameter.name).map(|it| it.start)
}

/// Whether a parameter can be given by its place: nothing before it takes all that follows.
fn is_by_place(parameter: &Parameter, head: &str) -> bool {
    let before = place_in(head, parameter).map_or("", |at| &head[..at]);
    !parameter.rest && !before.contains("*,") && !before.contains(", *")
}

/// Whether a parameter can be given by its name: nothing after it says otherwise.
fn is_keyword(parameter: &Parameter, head: &str) -> bool {
    let after = place_in(head, parameter).map_or("", |at| &head[at..]);
    !parameter.rest && !parameter.name.starts_with('_') && !after.contains(", /")
}
