//! Symbols in words that leave out what no caller can notice: how type parameters are called, and
//! which of several forms that mean the same is used.

mod order;

use std::collections::HashSet;

use super::difference::Difference;
use crate::domain::languages;
use crate::domain::signature::{Names, PLACEHOLDER, renamed, texts_of_member, texts_of_symbol};
use crate::domain::skeleton::{ExportSymbol, MemberInfo, MemberKind};

/// Everything `compare` finds between two symbols, but for what vanishes when both are restated.
/// What stays is worded as in the source.
pub(super) fn differences(
    old: &ExportSymbol,
    new: &ExportSymbol,
    compare: impl Fn(&ExportSymbol, &ExportSymbol) -> Vec<Difference>,
) -> Vec<Difference> {
    let written = compare(old, new);
    if written.is_empty() {
        return written;
    }
    let restated = compare(&restated(old), &restated(new));
    let still: HashSet<_> = restated.iter().map(|it| (it.file.clone(), it.line)).collect();
    // What one member says does not depend on what another one does.
    let differs = |it: &Difference| still.contains(&(it.file.clone(), it.line));
    if restated.len() >= written.len() {
        return written.into_iter().filter(differs).collect();
    }
    let told: Option<Vec<usize>> = restated.iter().map(|it| place_in(&written, it)).collect();
    match told {
        Some(places) => {
            let mut places = places.into_iter().collect::<HashSet<_>>();
            let mut at = 0..;
            let is_told = |_: &Difference| at.next().is_some_and(|it| places.remove(&it));
            written.into_iter().filter(is_told).collect()
        }
        // Something that only shows where the names agree: a body behind a head that reads otherwise.
        None if restated.iter().all(is_readable) => {
            restated.into_iter().map(|it| under_its_name(it, new)).collect()
        }
        None => written.into_iter().filter(differs).collect(),
    }
}

fn place_in(written: &[Difference], restated: &Difference) -> Option<usize> {
    written.iter().position(|it| {
        (it.change, &it.member, &it.file, it.line, &it.subject)
            == (restated.change, &restated.member, &restated.file, restated.line, &restated.subject)
    })
}

fn is_readable(difference: &Difference) -> bool {
    let texts = [&difference.old, &difference.new].into_iter().flatten();
    { texts }.chain([&difference.subject]).all(|it| !it.contains(PLACEHOLDER))
}

/// With the name its member has in the source.
fn under_its_name(mut difference: Difference, new: &ExportSymbol) -> Difference {
    let named =
        |it: &&MemberInfo| Some(it.start_line) == difference.line && it.file == difference.file;
    if let Some(member) = new.members.iter().find(named) {
        difference.member = Some(member.name.clone());
    }
    difference
}

fn restated(symbol: &ExportSymbol) -> ExportSymbol {
    let mut plain = symbol.clone();
    let Some(language) = languages::of(symbol.language) else { return plain };
    let about = language.about();
    language.restate(&mut plain);
    let names_of = |parameters: &[String], first: usize| {
        if about.names_share_bounds {
            Names::sharing_bounds(parameters, first)
        } else {
            Names::of(parameters, first)
        }
    };
    let restate = |text: &str, names: &[&Names]| {
        language.plain_type(renamed(text, names, !about.bounds_follow_colons))
    };
    let own = names_of(&plain.type_parameters, 0);
    for text in texts_of_symbol(&mut plain) {
        *text = restate(text, &[&own]);
    }
    for member in &mut plain.members {
        let around = language.names_around(member).unwrap_or_else(|| own.clone());
        let inner = names_of(&member.type_parameters, around.count());
        let is_block = member.kind == MemberKind::Nested;
        for text in texts_of_member(member) {
            *text = restate(text, &[&inner, &around]);
        }
        if is_block {
            member.name = restate(&member.name, &[&around]);
        }
    }
    language.finish_restated(&mut plain);
    if let Some(mark) = about.alternatives {
        order::sort(&mut plain, mark);
    }
    plain
}
