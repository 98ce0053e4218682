//! The members of two symbols that are the same one.

use super::canonical::{canonical, same};
use super::symbol::{self, Manner, head, plain};
use super::verdict::Change;
use super::{Difference, parameters};
use crate::skeleton::{ExportSymbol, MemberInfo, MemberKind, Visibility};

pub(super) fn differences(
    old: &ExportSymbol,
    new: &ExportSymbol,
    manner: Manner,
    found: &mut Vec<Difference>,
) {
    let mut free: Vec<Option<&MemberInfo>> = new.members.iter().map(Some).collect();
    let mut places: std::collections::HashMap<Key<'_>, Vec<usize>> =
        std::collections::HashMap::new();
    for (index, member) in new.members.iter().enumerate() {
        places.entry(key(member)).or_default().push(index);
    }
    let same_signature =
        |old: &MemberInfo, new: &MemberInfo| canonical(&new.signature) == canonical(&old.signature);
    let same_count = |old: &MemberInfo, new: &MemberInfo| {
        new.parameters.as_ref().map(Vec::len) == old.parameters.as_ref().map(Vec::len)
    };
    // Overloads that are the same first; what is left of a name is paired by likeness, then in order.
    let tests: [&Likeness<'_>; 3] = [&same_signature, &same_count, &|_, _| true];
    let mut partners: Vec<Option<&MemberInfo>> = vec![None; old.members.len()];
    for test in tests {
        for (before, partner) in old.members.iter().zip(&mut partners) {
            if partner.is_none() {
                let candidates = places.get(&key(before)).into_iter().flatten();
                let found =
                    candidates.copied().find(|at| free[*at].is_some_and(|it| test(before, it)));
                *partner = found.and_then(|at| free[at].take());
            }
        }
    }
    let mut removed = Vec::new();
    for (before, partner) in old.members.iter().zip(partners) {
        match partner {
            Some(after) => compare(before, after, manner, found),
            None => removed.push(before),
        }
    }
    let mut added: Vec<&MemberInfo> = free.into_iter().flatten().collect();
    // That a type came to be something, or no longer is it, is told where its traits are compared;
    // that a trait is derived instead of written out is not told at all.
    let told: Vec<String> = found
        .iter()
        .filter(|it| matches!(it.change, Change::InheritanceRemoved | Change::InheritanceAdded))
        .map(|it| it.subject.clone())
        .chain(symbol::derived(&old.decorators))
        .chain(symbol::derived(&new.decorators))
        .collect();
    let is_told = |it: &MemberInfo| {
        let of = it.name.strip_prefix("impl ").filter(|_| it.kind == MemberKind::Nested);
        of.is_some_and(|of| told.iter().any(|it| it == of))
    };
    for before in removed.into_iter().filter(|it| is_public(it) && !is_told(it)) {
        let same_body = |it: &&MemberInfo| {
            before.body_hash.is_some()
                && it.body_hash == before.body_hash
                && it.kind == before.kind
                && before.kind != MemberKind::EnumMember
                && before.kind != MemberKind::Property
        };
        let same_name = |it: &&MemberInfo| it.kind == before.kind && it.name == before.name;
        if let Some(at) = added.iter().position(same_name)
            && added[at].is_static != before.is_static
        {
            let word = |it: &MemberInfo| {
                Some(
                    if it.is_static { "static member" } else { "member of each instance" }
                        .to_owned(),
                )
            };
            let difference = plain(Change::KindChanged, word(before), word(added[at]));
            found.push(at_member(difference, added.remove(at)));
            continue;
        }
        let change = match (added.iter().position(same_body), before.kind) {
            (Some(at), _) => {
                let after = added.remove(at);
                let (old, new) = (before.signature.clone(), after.signature.clone());
                found.push(Difference {
                    change: Change::MemberRenamed,
                    member: Some(before.name.clone()),
                    line: Some(after.start_line),
                    old: Some(old),
                    new: Some(new),
                    subject: after.name.clone(),
                });
                continue;
            }
            (None, MemberKind::EnumMember) => Change::EnumMemberRemoved,
            (None, _) if before.overload.is_some() => Change::OverloadRemoved,
            (None, _) => Change::MemberRemoved,
        };
        let member = Some(before.name.clone());
        found.push(Difference { member, ..plain(change, Some(before.signature.clone()), None) });
    }
    for after in added.into_iter().filter(|it| is_public(it) && !is_told(it)) {
        let text = Some(after.signature.clone());
        let difference = plain(Change::MemberAdded, None, text);
        found.push(at_member(difference, after));
    }
}

type Likeness<'a> = dyn Fn(&MemberInfo, &MemberInfo) -> bool + 'a;

/// What makes members the same: an accessor and a property of one name are used alike.
type Key<'a> = (u8, bool, &'a str);

fn key(member: &MemberInfo) -> Key<'_> {
    let group = match member.kind {
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

fn is_public(member: &MemberInfo) -> bool {
    matches!(member.visibility, None | Some(Visibility::Public | Visibility::Protected))
}

fn at_member(difference: Difference, member: &MemberInfo) -> Difference {
    Difference { member: Some(member.name.clone()), line: Some(member.start_line), ..difference }
}

fn compare(old: &MemberInfo, new: &MemberInfo, manner: Manner, found: &mut Vec<Difference>) {
    if !is_public(old) && !is_public(new) {
        return;
    }
    let mut own = Vec::new();
    if is_public(old) {
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
    let method = old.kind == new.kind && old.kind != MemberKind::Property && callable;
    if found.is_empty() && method && manner.heads_tell && member_head(old) != member_head(new) {
        let texts = (old.signature.clone(), new.signature.clone());
        found.push(plain(Change::SignatureChanged, Some(texts.0), Some(texts.1)));
    }
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
