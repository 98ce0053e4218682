//! Where a type is more than a hint: fields and arguments that a library checks and converts when the
//! program runs.

use super::difference::Difference;
use super::kin::Kin;
use super::verdict::Judged;
use crate::domain::languages;
use crate::domain::marks;
use crate::domain::signature::split_list;
use crate::domain::skeleton::ExportSymbol;

/// Judges again what is a hint or a value elsewhere.
pub(super) fn judge(kin: &Kin, of: &ExportSymbol, difference: &mut Difference) {
    if !languages::about(of.language).types_are_hints {
        return;
    }
    let lost = lost_checks(difference);
    if !lost.is_empty() {
        difference.subject = match difference.subject.as_str() {
            "" | "its own" => difference.member.clone().unwrap_or_else(|| of.name.clone()),
            named => named.to_owned(),
        };
        difference.change = Judged::CheckRemoved;
        difference.old = Some(lost.join(", "));
        return;
    }
    let is_model = || difference.member.is_some() && kin.is_a(&of.name, &marks::models());
    match difference.change {
        Judged::HintChanged if is_model() => difference.change = Judged::MemberTypeChanged,
        // What stands there is taken where nothing is given.
        Judged::ValueChanged if is_model() => difference.change = Judged::FieldDefaultChanged,
        _ => {}
    }
}

/// What an argument or a field had to hold and no longer has to: `ge=1` of `Query(1, ge=1)`.
fn lost_checks(difference: &Difference) -> Vec<String> {
    use Judged::{
        AnnotationChanged, DefaultChanged, HintChanged, HintRefined, ParameterRequired,
        ParameterTypeChanged, ValueChanged,
    };
    let counts = matches!(
        difference.change,
        AnnotationChanged
            | DefaultChanged
            | HintChanged
            | HintRefined
            | ParameterRequired
            | ParameterTypeChanged
            | ValueChanged
    );
    let (true, Some(old), Some(new)) = (counts, &difference.old, &difference.new) else {
        return Vec::new();
    };
    let now = checks(new);
    let is_left = |name: &str| now.iter().any(|it| name_of(it) == name);
    let mut lost = checks(old);
    lost.retain(|it| !is_left(name_of(it)));
    lost
}

fn name_of(check: &str) -> &str {
    check.split('=').next().unwrap_or_default().trim()
}

/// The named arguments of calls in a text that narrow what is let in.
fn checks(text: &str) -> Vec<String> {
    let calls = text
        .match_indices('(')
        .filter(|(at, _)| text[..*at].ends_with(|it: char| it.is_alphanumeric() || it == '_'));
    let arguments = calls.flat_map(|(at, _)| split_list(&text[at + 1..]));
    let is_check = |it: &String| it.contains('=') && marks::is_check(name_of(it));
    arguments.filter(is_check).collect()
}
