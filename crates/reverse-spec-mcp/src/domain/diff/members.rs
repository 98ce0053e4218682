//! The members of two symbols that are the same one.

use std::borrow::Cow;
use std::collections::HashSet;

use super::callable::only_takes_more;
use super::canonical::{canonical, same};
use super::difference::{Difference, at_member, plain};
use super::parameters;
use super::partners::{Pool, partners};
use super::parts::{self, head, is_computed};
use super::verdict::Judged;
use crate::domain::languages::{self, About};
use crate::domain::marks;
use crate::domain::skeleton::{ExportSymbol, MemberInfo, MemberKind, SymbolKind, Visibility};

pub(super) fn differences(
    old: &ExportSymbol,
    new: &ExportSymbol,
    about: &About,
    found: &mut Vec<Difference>,
) {
    // An earlier version did not record how a macro may be called.
    if old.kind == SymbolKind::Macro && old.members.is_empty() {
        return;
    }
    if old.kind != new.kind && (is_computed(old) || is_computed(new)) {
        // What it holds is not written out: that it stands for something else is told.
        return;
    }
    found.extend(bound_to_thread(old, new, about));
    let of = Of { about, is_record: marks::is_record(old) && marks::is_record(new) };
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
                compare(before, after[at], of, found);
            }
            None => removed.push(before),
        }
    }
    // That a type came to be something, or no longer is it, is reported where its traits are compared;
    // that a trait is derived instead of written out is not told at all.
    let told: HashSet<String> = found
        .iter()
        .filter(|it| matches!(it.change, Judged::InheritanceRemoved | Judged::InheritanceAdded))
        .map(|it| it.subject.clone())
        .chain(parts::derived(&old.decorators))
        .chain(parts::derived(&new.decorators))
        .map(|it| tail(&it).to_owned())
        .collect();
    let is_told = |it: &MemberInfo| {
        let of = it.name.strip_prefix("impl ").filter(|_| it.kind == MemberKind::Nested);
        of.is_some_and(|of| told.contains(tail(of)))
    };
    let free = || after.iter().copied().enumerate().filter(|(at, _)| is_free[*at]);
    let mut by_name = Pool::of(free().map(|(at, it)| ((it.kind, it.name.as_str()), at)));
    let mut by_body = Pool::of(free().filter_map(|(at, it)| Some((body_of(it)?, at))));
    for before in removed.into_iter().filter(|it| is_public(it, of) && !is_told(it)) {
        if let Some(at) = by_name.take(&(before.kind, before.name.as_str()), &is_free)
            && after[at].is_static != before.is_static
        {
            is_free[at] = false;
            let words = (belonging(before), belonging(after[at]));
            let difference = plain(Judged::KindChanged, Some(words.0), Some(words.1));
            found.push(at_member(difference, after[at]));
            continue;
        }
        let renamed = body_of(before).and_then(|it| by_body.take(&it, &is_free));
        let change = match (renamed, before.kind) {
            (Some(at), _) => {
                is_free[at] = false;
                let (old, new) = (before.signature.clone(), after[at].signature.clone());
                let renamed = plain(Judged::MemberRenamed, Some(old), Some(new));
                found.push(Difference {
                    member: Some(before.name.clone()),
                    subject: after[at].name.clone(),
                    ..at_member(renamed, after[at])
                });
                continue;
            }
            (None, MemberKind::EnumMember) => Judged::EnumMemberRemoved,
            (None, _) if old.kind == SymbolKind::Macro => Judged::ArmRemoved,
            (None, _) if before.overload.is_some() => Judged::OverloadRemoved,
            (None, _) => Judged::MemberRemoved,
        };
        let member = Some(before.name.clone());
        let gone = plain(change, Some(before.signature.clone()), None);
        // It was in the file of its type unless it says otherwise; then its old line is all there is.
        let line = before.file.as_ref().map(|_| before.start_line);
        found.push(Difference { member, file: before.file.clone(), line, ..gone });
    }
    let is_placed = is_constructed_by_fields(new)
        && !new.decorators.iter().any(|it| canonical(it).contains("kw_only=True"));
    let is_kept = |at: usize| !is_free[at] && after[at].kind == MemberKind::Property;
    let last_kept = (0..after.len()).rev().find(|at| is_kept(*at));
    let added = after.iter().copied().enumerate().filter(|it| is_free[it.0]);
    for (at, after) in added.filter(|it| !is_told(it.1)) {
        let is_default = after.kind == MemberKind::Property && after.value.is_some();
        if is_placed && is_default && last_kept.is_some_and(|last| at < last) {
            let taken = plain(Judged::ParameterInserted, None, Some(after.signature.clone()));
            found.push(Difference {
                subject: after.name.clone(),
                line: Some(after.start_line),
                ..taken
            });
            continue;
        }
        let change = if is_public(after, of) {
            addition(old, new, after, about)
        } else if about.counts_parts && is_written_out(old) && after.kind == MemberKind::Property {
            // Nobody else can name it, and without it nobody can write the type out.
            Judged::FieldAdded
        } else {
            continue;
        };
        let difference = plain(change, None, Some(after.signature.clone()));
        found.push(at_member(difference, after));
    }
}

/// A field, whoever sees it, that takes away from a type that it may cross threads.
fn bound_to_thread(old: &ExportSymbol, new: &ExportSymbol, about: &About) -> Option<Difference> {
    fn bound<'a>(symbol: &'a ExportSymbol, about: &About) -> Option<&'a String> {
        let types = symbol.members.iter().filter(|it| it.kind == MemberKind::Property);
        let mut types = types.filter_map(|it| it.value_type.as_ref());
        types.find(|text| {
            let words = text.split(|it: char| !(it.is_alphanumeric() || it == '_' || it == '*'));
            { words }.any(|it| about.bound_to_threads.iter().any(|bound| bound == it))
        })
    }
    let says_so = new.implements.iter().any(|it| matches!(it.as_str(), "Send" | "Sync"));
    if about.bound_to_threads.is_empty() || says_so || bound(old, about).is_some() {
        return None;
    }
    let text = bound(new, about)?;
    Some(plain(Judged::BoundToThread, None, Some(text.clone())))
}

/// What a new member is to those who have the type already.
fn addition(old: &ExportSymbol, new: &ExportSymbol, added: &MemberInfo, about: &About) -> Judged {
    use SymbolKind::{Class, Enum, Interface, Trait, Type};
    let is_required = match new.kind {
        Trait => !is_sealed(old) && is_asked_for(new, added),
        // One more way to call what could be called.
        Interface | Type
            if added.kind == MemberKind::CallSignature
                && old.members.iter().any(|it| it.kind == added.kind) =>
        {
            false
        }
        // What only its own package can have, nobody else implements.
        Interface if old.members.iter().any(is_own_only) => false,
        Interface | Type if !old.members.is_empty() || old.kind == Interface => {
            is_asked_for(new, added)
        }
        Class if is_protocol(new) => added.kind != MemberKind::Nested,
        Class => added.is_abstract || is_constructed_by_fields(new) && is_field(added),
        _ => false,
    };
    let is_open = new.decorators.iter().any(|it| marks::name_of(it) == "non_exhaustive");
    match added.kind {
        _ if is_required => Judged::RequiredMemberAdded,
        MemberKind::EnumMember if about.counts_parts && new.kind == Enum && !is_open => {
            Judged::VariantAdded
        }
        MemberKind::Property if about.counts_parts && is_written_out(old) => Judged::FieldAdded,
        _ => Judged::MemberAdded,
    }
}

/// Whether whoever implements a type, or writes a value of it out, has to have a member.
pub(super) fn is_asked_for(of: &ExportSymbol, member: &MemberInfo) -> bool {
    // Bodies and defaults are what an implementor may rely on.
    let has_body = member.body_hash.is_some() || member.value.is_some();
    match of.kind {
        SymbolKind::Trait => member.kind != MemberKind::Nested && !has_body,
        // What any key may lead to, or each of another type's, need not be there by itself.
        SymbolKind::Interface | SymbolKind::Type => {
            !member.is_optional
                && !has_body
                && !member.is_static
                && member.kind != MemberKind::IndexSignature
        }
        _ => member.is_abstract,
    }
}

/// Whether nobody outside can implement it: it asks for what only its own library can give.
pub(super) fn is_sealed(symbol: &ExportSymbol) -> bool {
    let by_base = symbol.extends.iter().any(|it| {
        let parts: Vec<&str> = it.split("::").map(str::trim).collect();
        parts.last().is_some_and(|it| it.starts_with("Sealed"))
            || parts[..parts.len() - 1].iter().any(|it| matches!(*it, "private" | "sealed"))
    });
    let is_hidden = |it: &MemberInfo| {
        it.name.starts_with("__") || it.decorators.iter().any(|it| it == "#[doc(hidden)]")
    };
    let is_required = |it: &&MemberInfo| it.body_hash.is_none() && it.value.is_none();
    symbol.kind == SymbolKind::Trait
        && (by_base || symbol.members.iter().filter(is_required).any(is_hidden))
}

/// Nobody outside of its package can have it.
fn is_own_only(member: &MemberInfo) -> bool {
    matches!(member.visibility, Some(Visibility::Package | Visibility::Private))
}

/// Whether whatever has its members is one, without saying so.
fn is_protocol(symbol: &ExportSymbol) -> bool {
    let name =
        |it: &str| it.split('[').next().and_then(|it| it.rsplit('.').next()) == Some("Protocol");
    symbol.extends.iter().any(|it| name(it))
}

/// A field without a value that whoever makes one has to give.
fn is_field(member: &MemberInfo) -> bool {
    member.kind == MemberKind::Property
        && member.value_type.as_ref().is_some_and(|it| !it.contains("ClassVar"))
        && member.value.is_none()
        && member.body_hash.is_none()
        && !member.is_static
}

/// Whether the fields of a class are what one gives to make one: a dataclass and its like.
fn is_constructed_by_fields(symbol: &ExportSymbol) -> bool {
    let by_mark = |it: &String| {
        matches!(marks::name_of(it), "dataclass" | "define" | "frozen" | "attrs" | "s")
            && !it.contains("init=False")
    };
    let by_base = |it: &String| {
        let name = it.rsplit('.').next().unwrap_or(it);
        matches!(name, "NamedTuple" | "TypedDict" | "BaseModel")
    };
    symbol.decorators.iter().any(by_mark) || symbol.extends.iter().any(by_base)
}

/// Whether others may write a value of the type with all of its fields.
fn is_written_out(symbol: &ExportSymbol) -> bool {
    let mut fields = symbol.members.iter().filter(|it| it.kind == MemberKind::Property).peekable();
    symbol.kind == SymbolKind::Struct
        && fields.peek().is_some()
        && fields.all(|it| it.visibility == Some(Visibility::Public))
        && !symbol.decorators.iter().any(|it| marks::name_of(it) == "non_exhaustive")
}

/// What decides which members count.
#[derive(Clone, Copy)]
struct Of<'a> {
    about: &'a About,
    /// The type is kept or sent as a whole.
    is_record: bool,
}

/// The members of a symbol; those of an enum with the numbers that they have by their place, where the
/// language gives them some.
fn numbered(symbol: &ExportSymbol) -> Cow<'_, [MemberInfo]> {
    let is_enum = symbol.kind == SymbolKind::Enum;
    if !is_enum || !languages::about(symbol.language).numbers_enum_members {
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
    let name = match group {
        6 => "",
        // A trait is the same, whichever way its name was imported.
        7 => tail(member.name.strip_prefix("impl ").unwrap_or(&member.name)),
        _ => member.name.as_str(),
    };
    (group, member.is_static, name)
}

/// `Write<u8>` of `io::Write<u8>`.
pub(super) fn tail(name: &str) -> &str {
    let end = name.find('<').unwrap_or(name.len());
    name[..end].rfind("::").map_or(name, |at| &name[at + 2..])
}

/// What others may rely on. Python only has names that ask to be left alone.
fn is_public(member: &MemberInfo, of: Of<'_>) -> bool {
    // A framework reaches what it is told to, and a database keeps what is private too.
    if marks::is_reached(member) || of.is_record && member.kind == MemberKind::Property {
        return true;
    }
    match member.visibility {
        _ if member.decorators.iter().any(|it| it == "#[doc(hidden)]") => false,
        None | Some(Visibility::Public) => true,
        Some(Visibility::Protected) => of.about.has_protected,
        Some(Visibility::Package | Visibility::Private) => false,
    }
}

fn compare(old: &MemberInfo, new: &MemberInfo, of: Of<'_>, found: &mut Vec<Difference>) {
    if !is_public(old, of) && !is_public(new, of) {
        return;
    }
    let mut own = Vec::new();
    if is_public(old, of) {
        parts::visibility(old.visibility, new.visibility, None, &mut own);
        contents(old, new, of.about, &mut own);
    } else {
        own.push(plain(Judged::MemberAdded, None, Some(new.signature.clone())));
    }
    found.extend(own.into_iter().map(|it| at_member(it, new)));
}

fn contents(old: &MemberInfo, new: &MemberInfo, about: &About, found: &mut Vec<Difference>) {
    let loose = about.types_may_be_left_out;
    parts::type_parameters(&old.type_parameters, &new.type_parameters, about, found);
    let callable = old.parameters.is_some() && new.parameters.is_some();
    if let (Some(before), Some(after)) = (&old.parameters, &new.parameters) {
        let heads = (old.signature.as_str(), new.signature.as_str());
        parameters::differences(before, after, about, heads, |it| {
            if !parameters::may_be_taken(old.overload, new.overload, about, &it) {
                found.push(it);
            }
        });
        parts::return_type(old.return_type.as_ref(), new.return_type.as_ref(), about, found);
    }
    let declared = |it: &MemberInfo| it.value_type.clone().or_else(|| it.return_type.clone());
    let types = (declared(old), declared(new));
    if !callable && !same(types.0.as_ref(), types.1.as_ref()) {
        let change = if loose && (types.0.is_none() || types.1.is_none()) {
            Judged::AnnotationChanged
        } else if about.types_are_hints {
            let is_refined = parts::is_refined(types.0.as_ref(), types.1.as_ref());
            if is_refined { Judged::HintRefined } else { Judged::HintChanged }
        } else if only_takes_more(types.0.as_ref(), types.1.as_ref()) {
            Judged::OptionalArgumentsAdded
        } else {
            Judged::MemberTypeChanged
        };
        found.push(Difference { subject: "its own".to_owned(), ..plain(change, types.0, types.1) });
    }
    if old.is_optional != new.is_optional {
        let word = |optional| Some(if optional { "optional" } else { "required" }.to_owned());
        let words = (word(old.is_optional), word(new.is_optional));
        found.push(plain(Judged::MemberOptionalityChanged, words.0, words.1));
    }
    if old.is_abstract != new.is_abstract && new.is_abstract {
        let subject = "abstract".to_owned();
        found.push(Difference { subject, ..plain(Judged::MadeStricter, None, None) });
    }
    let is_told = old.return_type.is_some() && new.return_type.is_some();
    parts::modifiers(&old.modifiers, &new.modifiers, about, is_told, found);
    parts::decorators(&old.decorators, &new.decorators, found);
    if !same(old.where_clause.as_ref(), new.where_clause.as_ref()) {
        let texts = (old.where_clause.clone(), new.where_clause.clone());
        found.push(plain(Judged::BoundsChanged, texts.0, texts.1));
    }
    let heads = (old.block_head(), new.block_head());
    if !same(heads.0, heads.1) {
        found.push(plain(Judged::BoundsChanged, heads.0.cloned(), heads.1.cloned()));
    }
    let differs = match (&old.body_hash, &new.body_hash) {
        (Some(old), Some(new)) => old != new,
        // Of what can be called only an element of an annotation has a value: its default.
        _ => !same(old.value.as_ref(), new.value.as_ref()),
    };
    if differs {
        let body = callable && old.body_hash.is_some() || old.kind == MemberKind::Nested;
        if body {
            found.push(plain(Judged::BodyChanged, None, None));
        } else {
            // A number that callers have in their own code by now.
            let is_inlined = about.numbers_enum_members && old.kind == MemberKind::EnumMember;
            let change = if is_inlined { Judged::EnumValueChanged } else { Judged::ValueChanged };
            found.push(plain(change, old.value.clone(), new.value.clone()));
        }
    }
    let is_item = old.kind == MemberKind::AssociatedItem && new.kind == old.kind;
    if found.is_empty() && is_item && head(&old.signature) != head(&new.signature) {
        let texts = (old.signature.clone(), new.signature.clone());
        found.push(plain(Judged::BoundsChanged, Some(texts.0), Some(texts.1)));
    }
    let method = old.kind == new.kind && old.kind != MemberKind::Property && callable;
    if found.is_empty() && method && about.heads_tell && member_head(old) != member_head(new) {
        let texts = (old.signature.clone(), new.signature.clone());
        found.push(plain(Judged::SignatureChanged, Some(texts.0), Some(texts.1)));
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
