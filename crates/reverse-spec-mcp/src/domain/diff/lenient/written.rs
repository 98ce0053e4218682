//! Go, Python and Java as another generator recorded them: signatures as they are written, methods of
//! Go now under their type and now as functions with a receiver.

use std::collections::HashMap;

use super::super::Found;
use super::super::canonical::canonical;
use super::super::difference::{Difference, at_member, plain};
use super::super::verdict::Judged;
use crate::domain::languages;
use crate::domain::skeleton::{
    CodeSkeleton, ExportSymbol, MemberInfo, MemberKind, SymbolKind, Visibility,
};

/// Every type of the code by its name, also those that are not exported: their methods were recorded.
pub(super) struct Homes<'a> {
    types: HashMap<&'a str, Vec<&'a ExportSymbol>>,
}

impl<'a> Homes<'a> {
    pub(super) fn of(skeleton: &'a CodeSkeleton) -> Self {
        let mut types: HashMap<&str, Vec<&ExportSymbol>> = HashMap::new();
        for symbol in skeleton.exports.iter().chain(&skeleton.internals) {
            if !symbol.members.is_empty() {
                types.entry(&symbol.name).or_default().push(symbol);
            }
        }
        Self { types }
    }

    /// A function that was recorded with its receiver is a method here. True where it is one, and
    /// everything about it is told.
    pub(super) fn take_method(&self, before: &ExportSymbol, found: &mut Found) -> bool {
        let Some(receiver) = receiver_of(&before.signature) else { return false };
        let homes = self.types.get(receiver).map(Vec::as_slice).unwrap_or_default();
        let methods =
            homes.iter().flat_map(|it| it.members.iter().map(move |method| (*it, method)));
        let named: Vec<_> = methods.filter(|(_, it)| it.name == before.name).collect();
        let recorded = form(&before.signature);
        match named.first() {
            None => return false,
            Some(_) if named.iter().any(|(_, it)| form(&it.signature) == recorded) => {}
            Some((home, method)) => {
                let texts = (before.signature.clone(), method.signature.clone());
                let change = plain(Judged::SignatureChanged, Some(texts.0), Some(texts.1));
                let difference = at_member(change, method);
                found.add(difference.change, Some(before), Some(home), Some(&difference));
            }
        }
        true
    }
}

/// The type in `func (c *Command) Run()`.
fn receiver_of(signature: &str) -> Option<&str> {
    let (receiver, _) = signature.strip_prefix("func (")?.split_once(')')?;
    let written = receiver.rsplit(' ').next()?.trim_start_matches('*');
    written.split('[').next()
}

/// A symbol and everything that has its name now.
pub(super) fn pair(before: &ExportSymbol, after: &[&ExportSymbol], found: &mut Found) {
    let holds = after.iter().find(|it| !it.members.is_empty());
    let Some(first) = holds.or(after.first()) else { return };
    let recorded = form(&before.signature);
    // Where the body behind overloads was recorded as one more of them, ours has no counterpart.
    let has_bodies = !languages::about(first.language).records_overload_bodies;
    let functions = || after.iter().filter(|it| it.kind == SymbolKind::Function);
    if before.kind == SymbolKind::Function
        && functions().all(|it| form(&it.signature) != recorded)
        && functions().all(|it| has_bodies || it.overload.is_none())
        && let Some(function) = functions().next()
    {
        let texts = (before.signature.clone(), function.signature.clone());
        let difference = plain(Judged::SignatureChanged, Some(texts.0), Some(texts.1));
        found.add(difference.change, Some(before), Some(function), Some(&difference));
    }
    let mut present: HashMap<&str, Vec<&MemberInfo>> = HashMap::new();
    for member in after.iter().flat_map(|it| &it.members) {
        present.entry(&member.name).or_default().push(member);
    }
    for member in before.members.iter().filter(|it| is_offered(it)) {
        let candidates = present.get(member.name.as_str()).map(Vec::as_slice).unwrap_or_default();
        let recorded = form(&member.signature);
        let difference = match candidates {
            [] => {
                let gone = plain(Judged::MemberRemoved, Some(member.signature.clone()), None);
                Difference { member: Some(member.name.clone()), ..gone }
            }
            // What was recorded of a field is guessed from its value.
            [one, ..]
                if is_callable(member)
                    && is_callable(one)
                    && candidates.iter().all(|it| form(&it.signature) != recorded)
                    && candidates.iter().all(|it| has_bodies || it.overload.is_none()) =>
            {
                let texts = (member.signature.clone(), one.signature.clone());
                at_member(plain(Judged::SignatureChanged, Some(texts.0), Some(texts.1)), one)
            }
            _ => continue,
        };
        found.add(difference.change, Some(before), Some(first), Some(&difference));
    }
}

/// Names with an underscore were recorded as protected, though nobody is offered them.
fn is_offered(member: &MemberInfo) -> bool {
    matches!(member.visibility, None | Some(Visibility::Public))
}

fn is_callable(member: &MemberInfo) -> bool {
    matches!(
        member.kind,
        MemberKind::Method
            | MemberKind::Constructor
            | MemberKind::Classmethod
            | MemberKind::Staticmethod
    )
}

/// A signature without what only one of the two generators writes: comments, the word it begins
/// with, and what it throws.
fn form(signature: &str) -> String {
    let lines = signature.lines().map(|it| it.split("  # ").next().unwrap_or_default());
    let text = lines.collect::<Vec<_>>().join("\n");
    let text = text.split(" throws ").next().unwrap_or_default();
    let words = ["public ", "protected ", "private ", "def "];
    let plain = words.iter().find_map(|it| text.strip_prefix(it)).unwrap_or(text);
    canonical(plain)
}
