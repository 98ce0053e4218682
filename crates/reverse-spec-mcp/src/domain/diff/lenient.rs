//! Baselines that another generator wrote. They say less than ours: what they never recorded is not
//! held against the code, and signatures are compared in the form they had there.

mod written;

use std::collections::HashMap;

use super::Found;
use super::canonical::canonical;
use super::difference::{Difference, at_member, plain};
use super::verdict::{self, Judged};
use crate::domain::languages::{self, is_test};
use crate::domain::skeleton::{
    CodeSkeleton, ExportSymbol, MemberInfo, MemberKind, SymbolKind, Visibility,
};

/// Kinds those generators know.
fn is_known(symbol: &ExportSymbol) -> bool {
    matches!(
        symbol.kind,
        SymbolKind::Function
            | SymbolKind::Class
            | SymbolKind::Interface
            | SymbolKind::Type
            | SymbolKind::Enum
            | SymbolKind::Const
            | SymbolKind::Variable
            | SymbolKind::Struct
            | SymbolKind::Trait
    ) && symbol.namespace.is_none()
}

/// `is_several` where there are more files than one.
pub(super) fn compare(old: &CodeSkeleton, new: &CodeSkeleton, is_several: bool, found: &mut Found) {
    let mut present: HashMap<&str, Vec<&ExportSymbol>> = HashMap::new();
    let mut forms: HashMap<(&str, String), &ExportSymbol> = HashMap::new();
    let scripts = languages::about(old.language).recorded_in_other_form;
    for symbol in &new.exports {
        present.entry(&symbol.name).or_default().push(symbol);
        for name in [own_name(symbol), &symbol.name].into_iter().filter(|_| scripts) {
            let form = canonical(&old_form(symbol, name));
            forms.entry((&symbol.name, form)).or_insert(symbol);
        }
    }
    let homes = written::Homes::of(new);
    let hidden: HashMap<&str, (&str, usize)> = new
        .internals
        .iter()
        .map(|it| (it.name.as_str(), (it.file.as_str(), it.start_line)))
        .collect();
    let mut recorded: HashMap<&str, usize> = HashMap::new();
    for before in &old.exports {
        let count = recorded.entry(&before.name).or_default();
        let candidates = present.get(before.name.as_str()).map(Vec::as_slice).unwrap_or_default();
        let alike = forms.get(&(before.name.as_str(), canonical(&as_recorded(&before.signature))));
        let after = alike.or_else(|| candidates.get(*count));
        *count += 1;
        if homes.take_method(before, found) {
            continue;
        }
        match after {
            Some(after) if scripts => pair(before, after, found),
            // The body behind overloads was recorded as one more of them.
            _ if scripts && !candidates.is_empty() => {}
            _ if !candidates.is_empty() => written::pair(before, candidates, found),
            _ => {
                let mut gone = ExportSymbol::clone(before);
                match hidden.get(before.name.as_str()) {
                    Some((file, line)) => {
                        (gone.file, gone.start_line) = ((*file).to_owned(), *line);
                    }
                    None if is_several => {
                        (gone.file, gone.start_line) = (directory_of(&old.file_path), 1);
                    }
                    None => gone.file.clone_from(&old.file_path),
                }
                found.add(verdict::removal(&gone), Some(&gone), None, None);
            }
        }
    }
    for after in new.exports.iter().filter(|it| is_known(it) && !is_test(&it.file)) {
        if !recorded.contains_key(after.name.as_str()) && !never_recorded(after) {
            found.add(Judged::Added, None, Some(after), None);
        }
    }
}

/// Of several files it was not recorded which one a declaration was in: only the first is named.
fn directory_of(file: &str) -> String {
    file.rsplit_once('/').map_or(".", |(directory, _)| directory).to_owned()
}

/// `export default { … }` left no trace there, nor did what each language knows of.
fn never_recorded(symbol: &ExportSymbol) -> bool {
    symbol.is_default && symbol.kind == SymbolKind::Const
        || languages::of(symbol.language).is_some_and(|it| it.is_unrecorded(symbol))
}

fn pair(before: &ExportSymbol, after: &ExportSymbol, found: &mut Found) {
    // The right side of an alias and the members of an enum were never recorded, of a value without
    // a name only its first line was, and of a file that could not be parsed no more than lines.
    let nameless = after.is_default && after.local_name.is_none();
    let comparable =
        !matches!(after.kind, SymbolKind::Type | SymbolKind::Enum | SymbolKind::ReExport)
            && before.kind == after.kind
            && !nameless
            && !before.signature.starts_with(UNPARSED);
    if comparable && !is_as_recorded(before, after) {
        let (recorded, form) = (as_recorded(&before.signature), old_form(after, own_name(after)));
        let difference = plain(Judged::SignatureChanged, Some(recorded), Some(form));
        found.add(Judged::SignatureChanged, Some(before), Some(after), Some(&difference));
    }
    let key = |it: &MemberInfo| (it.kind, it.name.trim_matches(['\'', '"']).to_owned());
    let mut present: HashMap<_, Vec<&MemberInfo>> = HashMap::new();
    for member in &after.members {
        present.entry(key(member)).or_default().push(member);
    }
    let is_private =
        |it: &MemberInfo| it.visibility == Some(Visibility::Private) || it.name.starts_with('#');
    for member in before.members.iter().filter(|it| !is_private(it)) {
        let candidates = present.get(&key(member)).map(Vec::as_slice).unwrap_or_default();
        let recorded = canonical(&member.signature);
        let same = |it: &&&MemberInfo| canonical(&old_member_form(it)) == recorded;
        let named = Some(member.name.clone());
        let difference = match candidates {
            [] => {
                let gone = plain(Judged::MemberRemoved, Some(member.signature.clone()), None);
                Difference { member: named, ..gone }
            }
            // Of a method with overloads only the body's signature was recorded.
            several if several.len() > 1 || several.iter().any(|it| same(&it)) => continue,
            several => {
                let new = old_member_form(several[0]);
                let changed =
                    plain(Judged::SignatureChanged, Some(member.signature.clone()), Some(new));
                at_member(changed, several[0])
            }
        };
        found.add(difference.change, Some(before), Some(after), Some(&difference));
    }
}

/// What the signature of a declaration begins with that was found by a search for words.
const UNPARSED: &str = "[SYNTAX ERROR]";

/// Whether a symbol is written as it was recorded; a default export under either of its names.
fn is_as_recorded(before: &ExportSymbol, after: &ExportSymbol) -> bool {
    let recorded = canonical(&as_recorded(&before.signature));
    let names = [own_name(after), after.name.as_str()];
    names.iter().any(|name| canonical(&old_form(after, name)) == recorded)
}

fn own_name(symbol: &ExportSymbol) -> &str {
    symbol.local_name.as_deref().unwrap_or(&symbol.name)
}

/// A recorded signature without the word that some of them begin with.
fn as_recorded(signature: &str) -> String {
    signature.trim_start_matches("export ").trim_start_matches("default ").to_owned()
}

/// Our symbol as those generators would have written it, under this name.
fn old_form(symbol: &ExportSymbol, name: &str) -> String {
    let generics = if symbol.type_parameters.is_empty() {
        String::new()
    } else {
        format!("<{}>", symbol.type_parameters.join(", "))
    };
    let word = if symbol.modifiers.iter().any(|it| it == "async") { "async " } else { "" };
    match symbol.kind {
        SymbolKind::Function => {
            let given = written_parameters(&symbol.signature);
            let returned = symbol.return_type.as_deref().unwrap_or("void");
            format!("{word}function {name}{generics}{given}: {returned}")
        }
        SymbolKind::Class => {
            let listed = |word: &str, names: &[String]| match names {
                [] => String::new(),
                names => format!(" {word} {}", names.join(", ")),
            };
            let (base, kept) = (&symbol.extends, &symbol.implements);
            format!(
                "class {name}{generics}{}{}",
                listed("extends", base),
                listed("implements", kept)
            )
        }
        SymbolKind::Const | SymbolKind::Variable => {
            match (&symbol.value_type, &symbol.parameters) {
                (Some(declared), _) => format!("const {name}: {declared}"),
                (None, Some(_)) => {
                    let given = written_parameters(&symbol.signature);
                    let returned = symbol.return_type.as_deref().unwrap_or("void");
                    format!("const {name} = {given}: {returned}")
                }
                (None, None) => format!("const {name}"),
            }
        }
        _ => symbol.signature.clone(),
    }
}

fn old_member_form(member: &MemberInfo) -> String {
    let name = &member.name;
    let given = written_parameters(&member.signature);
    match member.kind {
        MemberKind::Constructor => format!("constructor{given}"),
        MemberKind::Getter => {
            format!("get {name}(): {}", member.return_type.as_deref().unwrap_or("any"))
        }
        MemberKind::Setter => format!("set {name}{given}"),
        MemberKind::Method => {
            format!("{name}{given}: {}", member.return_type.as_deref().unwrap_or("void"))
        }
        _ => match &member.value_type {
            Some(declared) => format!("{name}: {declared}"),
            None => name.clone(),
        },
    }
}

/// The parameters as they stand in a signature, from the bracket after the name or the generics to
/// the one that closes it.
fn written_parameters(signature: &str) -> &str {
    let mut depth = 0_usize;
    let mut angles = 0_usize;
    let mut start = None;
    for (at, character) in signature.char_indices() {
        match character {
            '<' => angles += 1,
            '>' if !signature[..at].ends_with('=') => angles = angles.saturating_sub(1),
            '(' => {
                if depth == 0 && angles == 0 && start.is_none() {
                    start = Some(at);
                }
                depth += 1;
            }
            ')' => {
                depth = depth.saturating_sub(1);
                if let Some(start) = start.filter(|_| depth == 0) {
                    return &signature[start..=at];
                }
            }
            _ => {}
        }
    }
    "()"
}
