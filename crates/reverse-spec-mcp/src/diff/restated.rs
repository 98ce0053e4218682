//! Symbols in words that leave out what no caller can notice: how type parameters and lifetimes are
//! called, lifetimes that Rust fills in by itself, names of parameters inside of Go's function types,
//! and which of two words for the same type is used.

mod bounds;
mod generics;
mod go;
mod lifetimes;
mod order;
mod own_types;
mod synonyms;

use super::Difference;
use super::members::block_head;
use crate::project::language_of;
use crate::skeleton::{ExportSymbol, LanguageId, MemberInfo, MemberKind, Parameter};
use generics::{Names, PLACEHOLDER};

/// Everything `compare` finds between two symbols, but for what vanishes when both are restated.
/// What stays is told in the words of the source.
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
    if restated.len() >= written.len() {
        return written;
    }
    let told: Option<Vec<usize>> = restated.iter().map(|it| place_in(&written, it)).collect();
    match told {
        Some(places) => {
            let mut places = places.into_iter().collect::<std::collections::HashSet<_>>();
            let mut at = 0..;
            let is_told = |_: &Difference| at.next().is_some_and(|it| places.remove(&it));
            written.into_iter().filter(is_told).collect()
        }
        // Something that only shows where the names agree: a body behind a head that reads otherwise.
        None if restated.iter().all(is_readable) => {
            restated.into_iter().map(|it| under_its_name(it, new)).collect()
        }
        None => written,
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
    let language = language_of(&symbol.file).unwrap_or_default();
    if language == LanguageId::Rust {
        lifetimes::elide_in_symbol(&mut plain);
        own_types::spell_out(&mut plain);
        bounds::gather(&mut plain);
    }
    let own = Names::of(&plain.type_parameters, language, 0);
    for text in texts_of_symbol(&mut plain) {
        *text = restate(text, &[&own], language);
    }
    for member in &mut plain.members {
        let around = match block_head(member) {
            Some(head) => Names::of_block(head, language),
            None if language == LanguageId::Go && member.kind == MemberKind::Method => {
                Names::of_receiver(&member.signature, language)
            }
            None => own.clone(),
        };
        let inner = Names::of(&member.type_parameters, language, around.count());
        let is_block = member.kind == MemberKind::Nested;
        for text in texts_of_member(member) {
            *text = restate(text, &[&inner, &around], language);
        }
        if is_block {
            member.name = restate(&member.name, &[&around], language);
        }
    }
    if language == LanguageId::Rust {
        // Which traits there are is known with the parameters of each block only here.
        let blocks = plain.members.iter().filter(|it| it.kind == MemberKind::Nested);
        let mut of: Vec<String> =
            blocks.filter_map(|it| Some(it.name.strip_prefix("impl ")?.to_owned())).collect();
        of.sort();
        of.dedup();
        plain.implements = of;
    }
    order::sort(&mut plain, language);
    plain
}

fn restate(text: &str, names: &[&Names], language: LanguageId) -> String {
    let text = synonyms::plainly(generics::renamed(text, names, language), language);
    match language {
        LanguageId::Go => go::without_parameter_names(text),
        LanguageId::Rust => lifetimes::without_anonymous(text),
        _ => text,
    }
}

fn texts_of_symbol(symbol: &mut ExportSymbol) -> impl Iterator<Item = &mut String> {
    let single = [&mut symbol.return_type, &mut symbol.value_type, &mut symbol.where_clause];
    std::iter::once(&mut symbol.signature)
        .chain(single.into_iter().flatten())
        .chain(&mut symbol.type_parameters)
        .chain(&mut symbol.extends)
        .chain(&mut symbol.implements)
        .chain(texts_of_types(symbol.parameters.as_mut()))
}

fn texts_of_member(member: &mut MemberInfo) -> impl Iterator<Item = &mut String> {
    let single = [
        &mut member.return_type,
        &mut member.value_type,
        &mut member.where_clause,
        &mut member.given_by,
    ];
    std::iter::once(&mut member.signature)
        .chain(single.into_iter().flatten())
        .chain(&mut member.type_parameters)
        .chain(texts_of_types(member.parameters.as_mut()))
}

fn texts_of_types(parameters: Option<&mut Vec<Parameter>>) -> impl Iterator<Item = &mut String> {
    parameters.into_iter().flatten().filter_map(|it| it.type_text.as_mut())
}
