//! Two symbols that are the same one.

use super::callable::only_takes_more;
use super::canonical::{missing, same};
use super::difference::{Difference, about, plain};
use super::kin::plain_name;
use super::parts::{
    decorators, derived, head, is_computed, modifiers, return_type, type_parameters, visibility,
};
use super::verdict::Judged;
use super::{members, parameters, restated};
use crate::domain::languages;
use crate::domain::skeleton::{ExportSymbol, SymbolKind};

/// Every difference a caller would notice.
pub(super) fn differences(old: &ExportSymbol, new: &ExportSymbol) -> Vec<Difference> {
    restated::differences(old, new, as_written)
}

fn as_written(old: &ExportSymbol, new: &ExportSymbol) -> Vec<Difference> {
    let mut found = Vec::new();
    let manner = languages::about(new.language);
    let loose = manner.types_may_be_left_out;
    kind(old, new, &mut found);
    visibility(old.visibility, new.visibility, None, &mut found);
    type_parameters(&old.type_parameters, &new.type_parameters, manner, &mut found);
    if let (Some(before), Some(after)) = (&old.parameters, &new.parameters) {
        let heads = (old.signature.as_str(), new.signature.as_str());
        parameters::differences(before, after, manner, heads, |it| {
            if !parameters::may_be_taken(old.overload, new.overload, manner, &it) {
                found.push(it);
            }
        });
        return_type(old.return_type.as_ref(), new.return_type.as_ref(), manner, &mut found);
    }
    value(old, new, loose, &mut found);
    let is_told = old.return_type.is_some() && new.return_type.is_some();
    modifiers(&old.modifiers, &new.modifiers, manner, is_told, &mut found);
    let is_inlined = |it: &ExportSymbol| it.modifiers.iter().any(|it| it == "const");
    if [old.kind, new.kind] == [SymbolKind::Enum; 2] && is_inlined(old) != is_inlined(new) {
        let texts = (old.signature.clone(), new.signature.clone());
        found.push(plain(Judged::ModifiersChanged, Some(texts.0), Some(texts.1)));
    }
    // What another version did not take apart is compared as a whole.
    let is_whole = is_unparted(old, new);
    if !is_whole {
        inheritance(old, new, &mut found);
    }
    if !same(old.where_clause.as_ref(), new.where_clause.as_ref()) {
        let texts = (old.where_clause.clone(), new.where_clause.clone());
        found.push(plain(Judged::BoundsChanged, texts.0, texts.1));
    }
    if let (Some(before), Some(after)) = (&old.re_export, &new.re_export)
        && before != after
    {
        let texts = (Some(old.signature.clone()), Some(new.signature.clone()));
        found.push(if after.is_type_only && !before.is_type_only {
            about(Judged::MadeStricter, "for types only", texts.0, texts.1)
        } else {
            plain(Judged::ReExportSourceChanged, texts.0, texts.1)
        });
    }
    if !is_whole {
        members::differences(old, new, manner, &mut found);
    }
    // Whatever else stands in the head of a function: a separator, a clause, a lifetime.
    let both_functions = old.kind == SymbolKind::Function && new.kind == SymbolKind::Function;
    // The name it has in its own file stands there too, and nobody else knows it.
    // One that was assigned may be written as an arrow or not.
    let is_declared = |it: &ExportSymbol| !it.signature.starts_with(&format!("{} = ", it.name));
    let comparable = both_functions
        && manner.heads_tell
        && old.local_name == new.local_name
        && is_declared(old)
        && is_declared(new);
    if found.is_empty() && comparable && head(&old.signature) != head(&new.signature) {
        let texts = (old.signature.clone(), new.signature.clone());
        found.push(plain(Judged::SignatureChanged, Some(texts.0), Some(texts.1)));
    }
    found
}

/// Whether an alias that joins types was recorded without its parts.
fn is_unparted(old: &ExportSymbol, new: &ExportSymbol) -> bool {
    [old.kind, new.kind] == [SymbolKind::Type; 2]
        && is_computed(old)
        && old.value_type.as_ref().is_some_and(|it| it.contains('&'))
}

fn kind(old: &ExportSymbol, new: &ExportSymbol, found: &mut Vec<Difference>) {
    use SymbolKind::{
        Class, Const, Enum, Function, Interface, Struct, Trait, Type, Union, Variable,
    };
    if old.kind == new.kind {
        return;
    }
    let callable = |it: &ExportSymbol| it.parameters.is_some();
    let silent = match (old.kind, new.kind) {
        // An arrow in a constant and a function are called the same way.
        (Function | Const | Variable, Function | Const | Variable) => {
            // A name that was given to something else: what that is, its own lines say.
            let is_alias =
                |it: &ExportSymbol| it.value_type.is_none() && is_name(it.value.as_ref());
            callable(old) == callable(new)
                || callable(old) && is_alias(new)
                || callable(new) && is_alias(old)
        }
        (Interface, Type) | (Type, Interface) => !is_computed(old) && !is_computed(new),
        _ => false,
    };
    match (old.kind, new.kind) {
        (Interface | Class, Type) | (Type, Interface | Class)
            if is_computed(old) || is_computed(new) =>
        {
            let texts = (old.value_type.clone(), new.value_type.clone());
            found.push(plain(Judged::AliasBodyChanged, texts.0, texts.1));
            return;
        }
        (Struct | Enum | Union | Trait, Type) => {
            found.push(plain(Judged::Aliased, None, new.value_type.clone()));
            return;
        }
        _ => {}
    }
    if !silent {
        let words = (old.kind.word().to_owned(), new.kind.word().to_owned());
        found.push(plain(Judged::KindChanged, Some(words.0), Some(words.1)));
    }
}

/// Whether a value is another name and nothing else.
fn is_name(value: Option<&String>) -> bool {
    value.is_some_and(|it| {
        it.starts_with(|it: char| it.is_alphabetic() || it == '_')
            && it.chars().all(|it| it.is_alphanumeric() || matches!(it, '_' | '.' | '$'))
    })
}

/// The type and the value of constants, what an alias stands for, and bodies.
fn value(old: &ExportSymbol, new: &ExportSymbol, loose: bool, found: &mut Vec<Difference>) {
    let is_alias = old.kind == SymbolKind::Type && new.kind == SymbolKind::Type;
    let by_member = is_alias && !is_computed(old) && !is_computed(new);
    let callable = old.parameters.is_some() && new.parameters.is_some();
    let types = (old.value_type.as_ref(), new.value_type.as_ref());
    if is_alias {
        if !by_member && old.body_hash != new.body_hash && !same(types.0, types.1) {
            found.push(plain(Judged::AliasBodyChanged, types.0.cloned(), types.1.cloned()));
        }
        return;
    }
    if new.kind == SymbolKind::Type {
        return;
    }
    // A function needs no type of its own, and an arrow may have one in either place.
    // What an interface is, its members say; an alias of them is the same in other words.
    let is_interface = [old.kind, new.kind].contains(&SymbolKind::Interface);
    if !callable && !same(types.0, types.1) && !is_interface {
        let written_out = types.0.is_none() || types.1.is_none();
        let change = if loose && written_out {
            Judged::AnnotationChanged
        } else if only_takes_more(types.0, types.1) {
            Judged::OptionalArgumentsAdded
        } else {
            Judged::ConstantTypeChanged
        };
        found.push(about(change, "its own", types.0.cloned(), types.1.cloned()));
    }
    let differs = match (&old.body_hash, &new.body_hash) {
        (Some(old), Some(new)) => old != new,
        // A constant in a group of Go has a value but no expression of its own.
        (None, None) => !same(old.value.as_ref(), new.value.as_ref()),
        // Where another generator, or a declaration without a body, says nothing, nothing is known.
        _ => false,
    };
    if differs {
        if callable {
            found.push(plain(Judged::BodyChanged, None, None));
        } else {
            let values = (old.value.clone(), new.value.clone());
            found.push(plain(Judged::ValueChanged, values.0, values.1));
        }
    }
}

fn inheritance(old: &ExportSymbol, new: &ExportSymbol, found: &mut Vec<Difference>) {
    let all = |it: &ExportSymbol| {
        let mut all = it.extends.clone();
        all.extend(it.implements.iter().cloned());
        all.extend(derived(&it.decorators));
        all
    };
    let (before, after) = (all(old), all(new));
    let underscores_hide = languages::about(new.language).underscores_hide;
    let is_hidden = |base: &str| underscores_hide && plain_name(base).starts_with('_');
    let mut came = missing(&after, &before);
    // An alias says nothing of what it is made of.
    let is_alias = is_computed(new) && old.kind != new.kind;
    for name in missing(&before, &after).into_iter().filter(|_| !is_alias) {
        match came.iter().position(|it| plain_name(it) == plain_name(&name)) {
            Some(at) => {
                let texts = (name, came.remove(at));
                if members::tail(&texts.0) != members::tail(&texts.1) {
                    found.push(plain(Judged::BaseChanged, Some(texts.0), Some(texts.1)));
                }
            }
            // Nobody else can ask for a base that is hidden, only for what it was in turn.
            None if is_hidden(&name) => {
                let now = (!new.extends.is_empty()).then(|| new.extends.join(", "));
                found.push(plain(Judged::BaseChanged, Some(name), now));
            }
            None => {
                found.push(about(Judged::InheritanceRemoved, &name, Some(name.clone()), None));
            }
        }
    }
    for name in came {
        // Of a trait it is asked of whoever implements it.
        let demands = [old.kind, new.kind] == [SymbolKind::Trait; 2]
            && languages::about(new.language).counts_parts
            && !members::is_sealed(old);
        let change = if demands { Judged::DemandAdded } else { Judged::InheritanceAdded };
        found.push(about(change, &name, None, Some(name.clone())));
    }
    let others = |it: &ExportSymbol| {
        let kept = it.decorators.iter().filter(|it| !it.starts_with("#[derive("));
        kept.cloned().collect::<Vec<_>>()
    };
    decorators(&others(old), &others(new), found);
}
