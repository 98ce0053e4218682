//! Parts that symbols and members have alike, compared.

use super::callable::only_takes_more;
use super::canonical::{canonical, missing, same};
use super::difference::{Difference, about, plain};
use super::verdict::Judged;
use crate::domain::languages::About;
use crate::domain::marks::{self, Meaning};
use crate::domain::signature::{end_outside, split, words};
use crate::domain::skeleton::{ExportSymbol, SymbolKind, Visibility};

/// Whether it does not say by name what it is made of.
pub(super) fn is_computed(symbol: &ExportSymbol) -> bool {
    symbol.kind == SymbolKind::Type && symbol.members.is_empty() && symbol.extends.is_empty()
}

/// A signature without what is nobody else's business: `mut` and `final` before a parameter.
pub(super) fn head(signature: &str) -> String {
    let mut plain = signature.to_owned();
    for word in ["mut ", "final "] {
        plain = plain.replace(&format!("({word}"), "(").replace(&format!(", {word}"), ", ");
    }
    canonical(&plain)
}

pub(super) fn visibility(
    old: Option<Visibility>,
    new: Option<Visibility>,
    line: Option<usize>,
    found: &mut Vec<Difference>,
) {
    let (Some(old), Some(new)) = (old, new) else { return };
    let change = match new.cmp(&old) {
        std::cmp::Ordering::Greater => Judged::VisibilityReduced,
        std::cmp::Ordering::Less => Judged::VisibilityWidened,
        std::cmp::Ordering::Equal => return,
    };
    let words = (old.word().to_owned(), new.word().to_owned());
    found.push(Difference { line, ..plain(change, Some(words.0), Some(words.1)) });
}

pub(super) fn type_parameters(
    old: &[String],
    new: &[String],
    manner: &About,
    found: &mut Vec<Difference>,
) {
    let canonical = |list: &[String]| list.iter().map(|it| canonical(it)).collect::<Vec<_>>();
    let (before, after) = (canonical(old), canonical(new));
    if before == after {
        return;
    }
    // Elsewhere a default also says what the members are made of.
    let change = if manner.counts_parts && may_be_left_out(&before, &after) {
        Judged::TypeParametersOptional
    } else {
        Judged::TypeParametersChanged
    };
    found.push(plain(change, Some(old.join(", ")), Some(new.join(", "))));
}

/// Whether whoever gave what there was still may: what is new has a default.
fn may_be_left_out(old: &[String], new: &[String]) -> bool {
    let parts = |text: &str| -> (String, bool) {
        let at = text.match_indices('=').find(|(at, _)| !text[at + 1..].starts_with('>'));
        at.map_or((text.to_owned(), false), |(at, _)| (text[..at].trim().to_owned(), true))
    };
    let alike = |(old, new): (&String, &String)| {
        let (old, new) = (parts(old), parts(new));
        old.0 == new.0 && (new.1 || !old.1)
    };
    old.len() <= new.len()
        && old.iter().zip(new).all(alike)
        && new[old.len()..].iter().all(|it| parts(it).1)
}

pub(super) fn return_type(
    old: Option<&String>,
    new: Option<&String>,
    manner: &About,
    found: &mut Vec<Difference>,
) {
    if same(old, new) {
        return;
    }
    let change = if manner.types_may_be_left_out && (old.is_none() || new.is_none()) {
        Judged::AnnotationChanged
    } else if holds_all_of(old, new, manner.alternatives) {
        Judged::ReturnNarrowed
    } else if only_takes_more(old, new) {
        Judged::OptionalArgumentsAdded
    } else if manner.types_are_hints {
        if is_refined(old, new) { Judged::HintRefined } else { Judged::HintChanged }
    } else {
        Judged::ReturnTypeChanged
    };
    found.push(about(change, "what it returns", old.cloned(), new.cloned()));
}

/// Whether a type is the other with more said about it: `dict` and `dict[str, int]`, or anything
/// instead of `Any`.
pub(super) fn is_refined(old: Option<&String>, new: Option<&String>) -> bool {
    let (Some(old), Some(new)) = (old, new) else { return false };
    let head = |text: &str| {
        let text = text.trim_matches(['"', '\'']);
        let end = text.find('[').unwrap_or(text.len());
        text[..end].rsplit('.').next().unwrap_or_default().to_ascii_lowercase()
    };
    let is_bare = |text: &str| !text.contains(['[', '|']);
    // One that is made of others may have got its parts.
    let shape = |text: &str| {
        let names = text.split(|it: char| !(it.is_alphanumeric() || matches!(it, '_' | '.')));
        names.map(head).filter(|it| !it.is_empty()).collect::<Vec<_>>()
    };
    let is_within = |few: &[String], many: &[String]| {
        let mut rest = many.iter();
        few.iter().all(|it| rest.any(|other| other == it))
    };
    head(old) == "any"
        || head(old) == head(new) && (is_bare(old) || is_within(&shape(old), &shape(new)))
}

/// Words that bind a name; a change between them is no other modifier.
const BINDINGS: [&str; 4] = ["let", "const", "var", "static"];
/// Words that take something away from callers.
const STRICT: [&str; 5] = ["abstract", "unsafe", "final", "sealed", "readonly"];

/// A method of Go that changes what it is called on.
const BY_POINTER: &str = "pointer";

const SILENT: [&str; 3] = ["declare", "override", "accessor"];

pub(super) fn modifiers(
    old: &[String],
    new: &[String],
    manner: &About,
    is_returned_told: bool,
    found: &mut Vec<Difference>,
) {
    let has = |list: &[String], word: &str| list.iter().any(|it| it == word);
    if has(old, "async") != has(new, "async") {
        let word = |is_async: bool| Some(if is_async { "async" } else { "not async" }.to_owned());
        // Where both say what they return, that says it.
        let shows = manner.async_shows || !is_returned_told;
        let change = if shows { Judged::AsyncChanged } else { Judged::AsyncWritten };
        found.push(plain(change, word(has(old, "async")), word(has(new, "async"))));
    }
    let binding = |list: &[String]| list.iter().find(|it| BINDINGS.contains(&it.as_str())).cloned();
    if let (Some(before), Some(after)) = (binding(old), binding(new))
        && before != after
    {
        found.push(plain(Judged::BindingChanged, Some(before), Some(after)));
    }
    let counts = |it: &&String| {
        let word = it.as_str();
        word != "async" && !BINDINGS.contains(&word) && !SILENT.contains(&word)
    };
    let gone: Vec<String> = missing(old, new).iter().filter(counts).cloned().collect();
    let came: Vec<String> = missing(new, old).iter().filter(counts).cloned().collect();
    let strict: Vec<&String> = came.iter().filter(|it| STRICT.contains(&it.as_str())).collect();
    if came.iter().any(|it| it == BY_POINTER) {
        // It left the methods of the value: that no longer is what an interface asks for.
        found.push(about(Judged::MadeStricter, "there for the pointer only", None, None));
    } else if let Some(word) = strict.first() {
        found.push(about(Judged::MadeStricter, word, None, Some((*word).clone())));
    } else if !gone.is_empty() || !came.is_empty() {
        let texts = (old.join(" "), new.join(" "));
        found.push(plain(Judged::ModifiersChanged, Some(texts.0), Some(texts.1)));
    }
}

/// What is attached to a symbol or a member, by what it means to somebody outside.
pub(super) fn decorators(old: &[String], new: &[String], found: &mut Vec<Difference>) {
    // Named arguments mean the same in any order.
    let (gone, came) = (without(old, &in_order(new)), without(new, &in_order(old)));
    if gone.is_empty() && came.is_empty() {
        return;
    }
    let before = found.len();
    for (meaning, changed, added) in [
        (Meaning::Entry, Judged::EntryChanged, None),
        (Meaning::Record, Judged::EntryChanged, None),
        (Meaning::Guard, Judged::GuardRemoved, Some(Judged::GuardAdded)),
    ] {
        let of = |list: &[String]| -> Vec<String> {
            list.iter().filter(|it| marks::meaning(it) == Some(meaning)).cloned().collect()
        };
        let (lost, gained) = (of(&gone), of(&came));
        let text = |list: &[String]| (!list.is_empty()).then(|| list.join(" "));
        match (lost.is_empty(), added) {
            (false, _) => found.push(plain(changed, text(&lost), text(&gained))),
            (true, Some(added)) if !gained.is_empty() => {
                found.push(plain(added, None, text(&gained)));
            }
            _ => {}
        }
    }
    for (attribute, change) in [
        ("cfg", Judged::ConditionAdded),
        ("non_exhaustive", Judged::Closed),
        ("repr", Judged::LayoutChanged),
    ] {
        let of = |list: &[String]| {
            list.iter().find(|it| it.starts_with("#[") && marks::name_of(it) == attribute).cloned()
        };
        let (lost, gained) = (of(&gone), of(&came));
        // That a condition or a mark is gone lets more through than before.
        if gained.is_some() || lost.is_some() && change == Judged::LayoutChanged {
            found.push(plain(change, lost, gained));
        }
    }
    if found.len() == before {
        let texts = (old.join(" "), new.join(" "));
        found.push(plain(Judged::DecoratorsChanged, Some(texts.0), Some(texts.1)));
    }
}

fn without(list: &[String], others: &[String]) -> Vec<String> {
    list.iter().filter(|it| !others.contains(&ordered(it))).cloned().collect()
}

fn in_order(list: &[String]) -> Vec<String> {
    list.iter().map(|it| ordered(it)).collect()
}

/// A mark with its named arguments sorted, behind those that have a place.
fn ordered(mark: &str) -> String {
    let plain = unnamed(canonical(mark));
    let Some((name, list)) = plain.split_once('(') else { return plain };
    let Some(end) = list.rfind(')') else { return plain };
    let is_named = |it: &String| {
        let word = it.trim_start_matches(|it: char| it.is_alphanumeric() || it == '_');
        word.len() < it.len() && word.starts_with('=') && !word.starts_with("==")
    };
    let (mut named, placed): (Vec<String>, Vec<String>) =
        split(&list[..end], b',').into_iter().partition(is_named);
    named.sort();
    format!("{name}({}{}", [placed, named].concat().join(","), &list[end..])
}

/// Without what an arrow calls an argument that it does not use: `type => User` is `() => User`.
fn unnamed(mut text: String) -> String {
    let arrows: Vec<usize> = text.match_indices("=>").map(|(at, _)| at).collect();
    // From the last to the first, so that places stay.
    for at in arrows.into_iter().rev() {
        let is_name = |it: char| it.is_alphanumeric() || matches!(it, '_' | '$');
        let before = text[..at].trim_end_matches(is_name).len();
        let start = match text[..at].strip_suffix(')') {
            Some(inside) => inside.rfind('('),
            None => Some(before).filter(|it| *it < at),
        };
        let Some(start) = start else { continue };
        let rest = &text[at + 2..];
        let body = &rest[..end_outside(rest)];
        let names = words(&text[start..at]);
        let used = words(body).iter().any(|it| names.iter().any(|name| name.text == it.text));
        if !used && !names.is_empty() {
            text.replace_range(start..at, "()");
        }
    }
    text
}

/// The traits that `#[derive(…)]` implements.
pub(super) fn derived(decorators: &[String]) -> Vec<String> {
    let lists = decorators.iter().filter_map(|it| it.strip_prefix("#[derive("));
    let names = lists.flat_map(|it| it.trim_end_matches(")]").split(','));
    names.map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect()
}

/// Whether a type is a choice that holds everything another one is or chooses from.
pub(super) fn holds_all_of(
    more: Option<&String>,
    less: Option<&String>,
    mark: Option<char>,
) -> bool {
    let (Some(more), Some(less), Some('|')) = (more, less, mark) else { return false };
    let parts =
        |text: &str| -> Vec<String> { split(text, b'|').iter().map(|it| canonical(it)).collect() };
    let (more, less) = (parts(more), parts(less));
    more.len() > less.len() && less.iter().all(|it| more.contains(it))
}
