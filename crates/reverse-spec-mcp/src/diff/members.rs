//! The members of two symbols that are the same one.

use std::borrow::Cow;
use std::collections::HashSet;

use super::canonical::{canonical, same};
use super::partners::{Pool, partners};
use super::symbol::{self, Manner, head, plain};
use super::verdict::Change;
use super::{Difference, parameters};
use crate::project::language_of;
use crate::skeleton::{ExportSymbol, LanguageId, MemberInfo, MemberKind, SymbolKind, Visibility};

pub(super) fn differences(
    old: &ExportSymbol,
    new: &ExportSymbol,
    manner: Manner,
    found: &mut Vec<Difference>,
) {
    let numbered = (numbered(old), numbered(new));
    let before: Vec<&MemberInfo> = numbered.0.iter().collect();
    let after: Vec<&MemberInfo> = numbered.1.iter().collect();
    let count = |it: &MemberInfo| it.parameters.as_ref().map(Vec::len);
    // Overloads that are the same first; what is left of a name is paired by likeness, then in order.
    let pairs = partners(
        &before,
        &after,
        &[
            &|it| format!("{:?} {}", key(it), it.signature),
            &|it| format!("{:?} {}", key(it), canonical(&it.signature)),
            &|it| format!("{:?} {:?}", key(it), count(it)),
            &|it| format!("{:?}", key(it)),
        ],
    );
    let mut is_free = vec![true; after.len()];
    let mut removed = Vec::new();
    for (before, partner) in before.into_iter().zip(pairs) {
        match partner {
            Some(at) => {
                is_free[at] = false;
                compare(before, after[at], manner, found);
            }
            None => removed.push(before),
        }
    }
    // That a type came to be something, or no longer is it, is told where its traits are compared;
    // that a trait is derived instead of written out is not told at all.
    let told: HashSet<String> = found
        .iter()
        .filter(|it| matches!(it.change, Change::InheritanceRemoved | Change::InheritanceAdded))
        .map(|it| it.subject.clone())
        .chain(symbol::derived(&old.decorators))
        .chain(symbol::derived(&new.decorators))
        .collect();
    let is_told = |it: &MemberInfo| {
        let of = it.name.strip_prefix("impl ").filter(|_| it.kind == MemberKind::Nested);
        of.is_some_and(|of| told.contains(of))
    };
    let free = || after.iter().copied().enumerate().filter(|(at, _)| is_free[*at]);
    let mut by_name = Pool::of(free().map(|(at, it)| ((it.kind, it.name.as_str()), at)));
    let mut by_body = Pool::of(free().filter_map(|(at, it)| Some((body_of(it)?, at))));
    for before in removed.into_iter().filter(|it| is_public(it, manner) && !is_told(it)) {
        if let Some(at) = by_name.take(&(before.kind, before.name.as_str()), &is_free)
            && after[at].is_static != before.is_static
        {
            is_free[at] = false;
            let words = (belonging(before), belonging(after[at]));
            let difference = plain(Change::KindChanged, Some(words.0), Some(words.1));
            found.push(at_member(difference, after[at]));
            continue;
        }
        let renamed = body_of(before).and_then(|it| by_body.take(&it, &is_free));
        let change = match (renamed, before.kind) {
            (Some(at), _) => {
                is_free[at] = false;
                let (old, new) = (before.signature.clone(), after[at].signature.clone());
                let renamed = plain(Change::MemberRenamed, Some(old), Some(new));
                found.push(Difference {
                    member: Some(before.name.clone()),
                    subject: after[at].name.clone(),
                    ..at_member(renamed, after[at])
                });
                continue;
            }
            (None, MemberKind::EnumMember) => Change::EnumMemberRemoved,
            (None, _) if before.overload.is_some() => Change::OverloadRemoved,
            (None, _) => Change::MemberRemoved,
        };
        let member = Some(before.name.clone());
        let gone = plain(change, Some(before.signature.clone()), None);
        // It was in the file of its type unless it says otherwise; then its old line is all there is.
        let line = before.file.as_ref().map(|_| before.start_line);
        found.push(Difference { member, file: before.file.clone(), line, ..gone });
    }
    let added = after.into_iter().zip(is_free).filter(|(_, is_free)| *is_free).map(|(it, _)| it);
    for after in added.filter(|it| is_public(it, manner) && !is_told(it)) {
        let text = Some(after.signature.clone());
        let difference = plain(Change::MemberAdded, None, text);
        found.push(at_member(difference, after));
    }
}

/// The members of a symbol, those of an enum in TypeScript with the numbers that they have by their
/// place.
fn numbered(symbol: &ExportSymbol) -> Cow<'_, [MemberInfo]> {
    let is_enum = symbol.kind == SymbolKind::Enum;
    if !is_enum || language_of(&symbol.file) != Some(LanguageId::TypeScript) {
        return Cow::Borrowed(&symbol.members);
    }
    let mut members = symbol.members.clone();
    let mut next = Some(0_i64);
    for member in &mut members {
        match &member.value {
            None if member.body_hash.is_none() => {
                member.value = next.map(|it| it.to_string());
            }
            value => next = value.as_ref().and_then(|it| it.parse().ok()),
        }
        next = next.map(|it| it.saturating_add(1));
    }
    Cow::Owned(members)
}

/// What tells a member from others under a new name. A value alone says too little.
fn body_of(member: &MemberInfo) -> Option<(MemberKind, &str)> {
    let tells = !matches!(member.kind, MemberKind::EnumMember | MemberKind::Property);
    Some((member.kind, member.body_hash.as_deref().filter(|_| tells)?))
}

fn belonging(member: &MemberInfo) -> String {
    if member.is_static { "static member" } else { "member of each instance" }.to_owned()
}

/// What makes members the same: an accessor and a property of one name are used alike.
type Key<'a> = (u8, bool, &'a str);

fn key(member: &MemberInfo) -> Key<'_> {
    let group = match member.kind {
        // A function that a class keeps is called as a method is.
        MemberKind::Property if member.parameters.is_some() => 8,
        MemberKind::Property | MemberKind::Getter => 0,
        MemberKind::Setter => 1,
        MemberKind::EnumMember => 2,
        MemberKind::IndexSignature => 3,
        MemberKind::CallSignature => 4,
        MemberKind::ConstructSignature => 5,
        MemberKind::Constructor => 6,
        MemberKind::Nested => 7,
        _ => 8,
    };
    // All constructors of a type have the one name.
    let name = if group == 6 { "" } else { member.name.as_str() };
    (group, member.is_static, name)
}

/// What others may rely on. Python only has names that ask to be left alone.
fn is_public(member: &MemberInfo, manner: Manner) -> bool {
    match member.visibility {
        None | Some(Visibility::Public) => true,
        Some(Visibility::Protected) => manner.has_protected,
        Some(Visibility::Package | Visibility::Private) => false,
    }
}

pub(super) fn at_member(difference: Difference, member: &MemberInfo) -> Difference {
    Difference {
        member: Some(member.name.clone()),
        file: member.file.clone(),
        line: Some(member.start_line),
        ..difference
    }
}

fn compare(old: &MemberInfo, new: &MemberInfo, manner: Manner, found: &mut Vec<Difference>) {
    if !is_public(old, manner) && !is_public(new, manner) {
        return;
    }
    let mut own = Vec::new();
    if is_public(old, manner) {
        symbol::visibility(old.visibility, new.visibility, None, &mut own);
        contents(old, new, manner, &mut own);
    } else {
        own.push(plain(Change::MemberAdded, None, Some(new.signature.clone())));
    }
    found.extend(own.into_iter().map(|it| at_member(it, new)));
}

fn contents(old: &MemberInfo, new: &MemberInfo, manner: Manner, found: &mut Vec<Difference>) {
    let loose = manner.loose;
    symbol::type_parameters(&old.type_parameters, &new.type_parameters, found);
    let callable = old.parameters.is_some() && new.parameters.is_some();
    if let (Some(before), Some(after)) = (&old.parameters, &new.parameters) {
        parameters::differences(before, after, loose, |it| found.push(it));
        symbol::return_type(old.return_type.as_ref(), new.return_type.as_ref(), loose, found);
    }
    let declared = |it: &MemberInfo| it.value_type.clone().or_else(|| it.return_type.clone());
    let types = (declared(old), declared(new));
    if !callable && !same(types.0.as_ref(), types.1.as_ref()) {
        let change = if loose && (types.0.is_none() || types.1.is_none()) {
            Change::AnnotationChanged
        } else {
            Change::MemberTypeChanged
        };
        found.push(Difference { subject: "its own".to_owned(), ..plain(change, types.0, types.1) });
    }
    if old.is_optional != new.is_optional {
        let word = |optional| Some(if optional { "optional" } else { "required" }.to_owned());
        let words = (word(old.is_optional), word(new.is_optional));
        found.push(plain(Change::MemberOptionalityChanged, words.0, words.1));
    }
    if old.is_abstract != new.is_abstract && new.is_abstract {
        let subject = "abstract".to_owned();
        found.push(Difference { subject, ..plain(Change::MadeStricter, None, None) });
    }
    symbol::modifiers(&old.modifiers, &new.modifiers, found);
    symbol::decorators(&old.decorators, &new.decorators, found);
    if !same(old.where_clause.as_ref(), new.where_clause.as_ref()) {
        let texts = (old.where_clause.clone(), new.where_clause.clone());
        found.push(plain(Change::BoundsChanged, texts.0, texts.1));
    }
    let heads = (block_head(old), block_head(new));
    if !same(heads.0, heads.1) {
        found.push(plain(Change::BoundsChanged, heads.0.cloned(), heads.1.cloned()));
    }
    let differs = match (&old.body_hash, &new.body_hash) {
        (Some(old), Some(new)) => old != new,
        // Of what can be called only an element of an annotation has a value: its default.
        _ => !same(old.value.as_ref(), new.value.as_ref()),
    };
    if differs {
        let body = callable && old.body_hash.is_some() || old.kind == MemberKind::Nested;
        if body {
            found.push(plain(Change::BodyChanged, None, None));
        } else {
            found.push(plain(Change::ValueChanged, old.value.clone(), new.value.clone()));
        }
    }
    let is_item = old.kind == MemberKind::AssociatedItem && new.kind == old.kind;
    if found.is_empty() && is_item && head(&old.signature) != head(&new.signature) {
        let texts = (old.signature.clone(), new.signature.clone());
        found.push(plain(Change::BoundsChanged, Some(texts.0), Some(texts.1)));
    }
    let method = old.kind == new.kind && old.kind != MemberKind::Property && callable;
    if found.is_empty() && method && manner.heads_tell && member_head(old) != member_head(new) {
        let texts = (old.signature.clone(), new.signature.clone());
        found.push(plain(Change::SignatureChanged, Some(texts.0), Some(texts.1)));
    }
}

/// The head of the block a member is given by, or that it is itself.
pub(super) fn block_head(member: &MemberInfo) -> Option<&String> {
    let is_block = member.kind == MemberKind::Nested && member.name.starts_with("impl ");
    if is_block { Some(&member.signature) } else { member.given_by.as_ref() }
}

/// A member may have quotes around its name.
fn member_head(member: &MemberInfo) -> String {
    let name = &member.name;
    let quoted = [format!("'{name}'"), format!("\"{name}\"")];
    let plain = quoted.iter().find(|it| member.signature.contains(it.as_str()));
    head(&match plain {
        Some(quoted) => member.signature.replacen(quoted, name, 1),
        None => member.signature.clone(),
    })
}
