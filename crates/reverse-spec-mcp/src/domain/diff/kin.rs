//! What types of the new state have from others: the members and the names of their bases, and the
//! types that aliases stand for.

use std::collections::{HashMap, HashSet};

use super::anything;
use super::canonical::canonical;
use super::difference::Difference;
use super::members;
use super::parts::is_computed;
use super::taken::Taken;
use super::verdict::Judged;
use crate::domain::languages;
use crate::domain::marks;
use crate::domain::signature::words;
use crate::domain::skeleton::{CodeSkeleton, ExportSymbol, SymbolKind};

#[derive(Default)]
pub(super) struct Kin {
    by_type: HashMap<String, Inherited>,
    /// What types have of their own, by the names of their members.
    own: HashMap<String, HashSet<String>>,
    /// Types inside of others: the name of the outer one, and their own.
    nested: HashSet<(String, String)>,
    /// Names that stand for types alone, which nothing is but at compile time.
    types: HashSet<String>,
    /// The type that an alias only gives another name.
    aliases: HashMap<String, String>,
}

/// Parts of parts of types are followed so far.
const MOST_TAKEN: usize = 8;

/// What one type has from those it extends, as far as they are in the code.
#[derive(Default)]
struct Inherited {
    /// Each with whether implementors have to have it.
    members: HashMap<String, bool>,
    bases: HashSet<String>,
}

/// The name of a type without what is in brackets and before the last dot.
pub(super) fn plain_name(text: &str) -> &str {
    let end = text.find(['<', '[', '(']).unwrap_or(text.len());
    text[..end].rsplit(['.', ':']).next().unwrap_or_default().trim()
}

impl Kin {
    pub(super) fn of(skeleton: &CodeSkeleton) -> Self {
        let symbols = || skeleton.exports.iter().chain(&skeleton.internals);
        let by_name: HashMap<&str, &ExportSymbol> =
            symbols().map(|it| (it.name.as_str(), it.as_ref())).collect();
        let mut kin = Self::default();
        for symbol in symbols() {
            if !symbol.members.is_empty() {
                let names = symbol.members.iter().map(|it| it.name.clone());
                kin.own.entry(symbol.name.clone()).or_default().extend(names);
            }
            if let Some(outer) = outer_name(symbol) {
                kin.nested.insert((outer.to_owned(), symbol.name.clone()));
            }
        }
        for symbol in symbols().filter(|it| !it.extends.is_empty()) {
            let mut inherited = Inherited::default();
            let mut seen: HashSet<&str> = HashSet::from([symbol.name.as_str()]);
            let mut open: Vec<(&ExportSymbol, Vec<Taken>)> = vec![(symbol, Vec::new())];
            while let Some((at, taken)) = open.pop() {
                for base in &at.extends {
                    let (base, parts) = Taken::of(base);
                    let name = plain_name(base);
                    inherited.bases.insert(name.to_owned());
                    // Each part may be taken by itself: `Pick<A, "b"> & Omit<A, "c">`.
                    let is_first = seen.insert(name) || !parts.is_empty();
                    let Some(base) = by_name.get(name).filter(|_| is_first) else { continue };
                    let taken: Vec<Taken> = taken.iter().cloned().chain(parts).collect();
                    for member in &base.members {
                        if !taken.iter().all(|it| it.holds(&member.name)) {
                            continue;
                        }
                        let is_optional = taken.contains(&Taken::Optional);
                        // What the nearest one says of a member counts.
                        let known = inherited.members.entry(member.name.clone());
                        known
                            .or_insert_with(|| !is_optional && members::is_asked_for(base, member));
                    }
                    if taken.len() <= MOST_TAKEN {
                        open.push((base, taken));
                    }
                }
            }
            kin.by_type.insert(symbol.name.clone(), inherited);
        }
        for symbol in symbols().filter(|it| it.kind == SymbolKind::Type) {
            kin.aliases.extend(alias(symbol));
        }
        let is_type =
            |it: &&ExportSymbol| matches!(it.kind, SymbolKind::Type | SymbolKind::Interface);
        kin.types =
            symbols().map(AsRef::as_ref).filter(is_type).map(|it| it.name.clone()).collect();
        for symbol in symbols().filter(|it| !is_type(&it.as_ref())) {
            // A value under the same name is what one loses.
            if symbol.re_export.is_none() {
                kin.types.remove(&symbol.name);
            }
        }
        kin
    }

    /// Whether a difference is none to somebody who sees the whole of the new state.
    pub(super) fn explains(&self, after: &ExportSymbol, difference: &Difference) -> bool {
        let inherited = self.by_type.get(&after.name);
        match difference.change {
            // What moved up to a base is still there.
            Judged::MemberRemoved => difference.member.as_ref().is_some_and(|member| {
                inherited.is_some_and(|it| it.members.contains_key(member))
                    || is_written(after, member)
                    || self.is_implied(after, member)
            }),
            Judged::InheritanceRemoved => {
                inherited.is_some_and(|it| it.bases.contains(plain_name(&difference.subject)))
                    && !after.extends.iter().any(|it| is_same_name(it, &difference.subject))
            }
            Judged::ReturnTypeChanged
                if returns_itself(after, difference) && is_by_shape(after) =>
            {
                true
            }
            Judged::ReturnTypeChanged
            | Judged::ParameterTypeChanged
            | Judged::MemberTypeChanged
            | Judged::ConstantTypeChanged => match (&difference.old, &difference.new) {
                (Some(old), Some(new)) => {
                    // What extends a class is held to what the class says.
                    let is_open = is_by_shape(after) && after.kind != SymbolKind::Class;
                    self.is_alike(old, new) || is_open && anything::is_filled(old, new)
                }
                _ => false,
            },
            // Nobody could do more with a type than name it.
            Judged::MadeStricter => after.re_export.as_ref().is_some_and(|from| {
                let name = from.imported_name.as_ref().unwrap_or(&after.name);
                difference.member.is_none() && self.types.contains(name)
            }),
            _ => false,
        }
    }

    /// Whether what a type is said to have now it had from a base before.
    pub(super) fn had(&self, before: &ExportSymbol, difference: &Difference) -> bool {
        let inherited = self.by_type.get(&before.name);
        let member = difference.member.as_ref();
        difference.change == Judged::RequiredMemberAdded
            && member.is_some_and(|it| inherited.is_some_and(|own| own.members.contains_key(it)))
    }

    /// Whether a type is no longer said to be another one and still has all that it had from it, where
    /// nothing but that counts.
    pub(super) fn has_all_of(
        &self,
        before: &Self,
        after: &ExportSymbol,
        difference: &Difference,
    ) -> bool {
        if difference.change != Judged::InheritanceRemoved || !is_by_shape(after) {
            return false;
        }
        let (base, parts) = Taken::of(&difference.subject);
        let base = plain_name(base);
        let own = before.own.get(base).into_iter().flatten();
        let inherited = before.by_type.get(base).into_iter().flat_map(|it| it.members.keys());
        let mut had = own.chain(inherited).peekable();
        let now = self.by_type.get(&after.name);
        let has = |name: &String| {
            self.own.get(&after.name).is_some_and(|it| it.contains(name))
                || now.is_some_and(|it| it.members.contains_key(name))
        };
        had.peek().is_some() && had.filter(|it| parts.iter().all(|part| part.holds(it))).all(has)
    }

    /// Whether a type inside of another one is there by what the outer one extends.
    pub(super) fn hands_down(&self, inner: &ExportSymbol) -> bool {
        let Some(inherited) = outer_name(inner).and_then(|it| self.by_type.get(it)) else {
            return false;
        };
        let name = &inner.name;
        inherited.bases.iter().any(|it| self.nested.contains(&(it.clone(), name.clone())))
    }

    /// Whether the language gives a type this member for another one that it has.
    fn is_implied(&self, after: &ExportSymbol, member: &str) -> bool {
        let by = languages::about(after.language).implied_members.get(member);
        by.is_some_and(|by| {
            self.own.get(&after.name).is_some_and(|it| it.contains(by))
                || self.by_type.get(&after.name).is_some_and(|it| it.members.contains_key(by))
        })
    }

    /// What whoever implements a type has to have for a base that the type did not have before.
    pub(super) fn asked_for_now(
        &self,
        before: &Self,
        old: &ExportSymbol,
        new: &ExportSymbol,
    ) -> Vec<&str> {
        let Some(now) = self.by_type.get(&new.name) else { return Vec::new() };
        // What it was made of is not known.
        if is_computed(old) {
            return Vec::new();
        }
        let had = before.by_type.get(&old.name);
        // Of a base that was there before, its own lines tell.
        let known = had.map(|it| &it.bases);
        let is_same =
            |it: &String| known.is_some_and(|known| known.contains(plain_name(Taken::of(it).0)));
        if new.extends.iter().all(is_same) {
            return Vec::new();
        }
        let is_new = |name: &str| {
            let has = |symbol: &ExportSymbol| symbol.members.iter().any(|own| own.name == name);
            !has(old) && !has(new) && !had.is_some_and(|had| had.members.contains_key(name))
        };
        let asked = now.members.iter().filter(|it| *it.1).map(|it| it.0.as_str());
        let mut came: Vec<&str> = asked.filter(|it| is_new(it)).collect();
        came.sort_unstable();
        came
    }

    /// Whether a type, or one that it extends, bears one of these names among its bases.
    pub(super) fn is_a(&self, name: &str, bases: &[&str]) -> bool {
        self.by_type.get(name).is_some_and(|it| bases.iter().any(|base| it.bases.contains(*base)))
    }

    /// Whether two types are the same once aliases are what they stand for.
    pub(super) fn is_alike(&self, old: &str, new: &str) -> bool {
        !self.aliases.is_empty()
            && canonical(&self.written_out(old)) == canonical(&self.written_out(new))
    }

    fn written_out(&self, text: &str) -> String {
        let mut out = String::new();
        let mut done = 0;
        for word in words(text) {
            if let Some(name) = self.aliases.get(word.text) {
                out.push_str(&text[done..word.start]);
                out.push_str(name);
                done = word.end;
            }
        }
        out.push_str(&text[done..]);
        out
    }
}

/// Whether a type is whatever has its members: no name of a base is asked for.
fn is_by_shape(symbol: &ExportSymbol) -> bool {
    languages::about(symbol.language).types_are_shapes
        && matches!(symbol.kind, SymbolKind::Interface | SymbolKind::Type | SymbolKind::Class)
}

/// Whether what returned its own type says so now: whatever extends it gets more.
fn returns_itself(of: &ExportSymbol, difference: &Difference) -> bool {
    difference.new.as_deref() == Some("this")
        && difference.old.as_deref().is_some_and(|it| plain_name(it) == of.name)
}

/// The innermost type or namespace around a symbol.
fn outer_name(symbol: &ExportSymbol) -> Option<&str> {
    symbol.namespace.as_deref().map(plain_name)
}

/// Whether a decorator writes a method for a class, so that the class no longer has to.
fn is_written(of: &ExportSymbol, member: &str) -> bool {
    let about = languages::about(of.language);
    let is_listed = |list: &[String], name: &str| list.iter().any(|it| it == name);
    is_listed(&about.written_members, member)
        && of.decorators.iter().any(|it| is_listed(&about.member_writers, marks::name_of(it)))
}

fn is_same_name(left: &str, right: &str) -> bool {
    plain_name(left) == plain_name(right)
}

/// `type Old<A, B> = New<A, B>`: the two names, where nothing else differs.
fn alias(symbol: &ExportSymbol) -> Option<(String, String)> {
    let target = symbol.value_type.as_ref()?;
    let (name, arguments) = match target.split_once('<') {
        Some((name, rest)) => (name, rest.strip_suffix('>')?),
        None => (target.as_str(), ""),
    };
    let is_name = !name.is_empty() && name.chars().all(|it| it.is_alphanumeric() || it == '_');
    let given: Vec<&str> =
        arguments.split(',').map(str::trim).filter(|it| !it.is_empty()).collect();
    let declared =
        symbol.type_parameters.iter().map(|it| it.split([':', '=']).next().unwrap_or(it).trim());
    let declared: Vec<&str> =
        declared.map(|it| it.split(" extends ").next().unwrap_or(it)).collect();
    (is_name && given == declared).then(|| (symbol.name.clone(), name.to_owned()))
}
