//! Two symbols that are the same one.

use super::canonical::{canonical, missing, same};
use super::verdict::Change;
use super::{Difference, members, parameters, restated};
use crate::skeleton::{ExportSymbol, SymbolKind, Visibility};

/// Every difference a caller would notice.
pub(super) fn differences(old: &ExportSymbol, new: &ExportSymbol) -> Vec<Difference> {
    restated::differences(old, new, as_written)
}

fn as_written(old: &ExportSymbol, new: &ExportSymbol) -> Vec<Difference> {
    let mut found = Vec::new();
    let manner = Manner::of(&new.file);
    let loose = manner.loose;
    kind(old, new, &mut found);
    visibility(old.visibility, new.visibility, None, &mut found);
    type_parameters(&old.type_parameters, &new.type_parameters, &mut found);
    if let (Some(before), Some(after)) = (&old.parameters, &new.parameters) {
        parameters::differences(before, after, loose, |it| found.push(it));
        return_type(old.return_type.as_ref(), new.return_type.as_ref(), loose, &mut found);
    }
    value(old, new, loose, &mut found);
    modifiers(&old.modifiers, &new.modifiers, &mut found);
    let is_inlined = |it: &ExportSymbol| it.modifiers.iter().any(|it| it == "const");
    if [old.kind, new.kind] == [SymbolKind::Enum; 2] && is_inlined(old) != is_inlined(new) {
        let texts = (old.signature.clone(), new.signature.clone());
        found.push(plain(Change::ModifiersChanged, Some(texts.0), Some(texts.1)));
    }
    inheritance(old, new, &mut found);
    if !same(old.where_clause.as_ref(), new.where_clause.as_ref()) {
        let texts = (old.where_clause.clone(), new.where_clause.clone());
        found.push(plain(Change::BoundsChanged, texts.0, texts.1));
    }
    if let (Some(before), Some(after)) = (&old.re_export, &new.re_export)
        && before != after
    {
        let texts = (Some(old.signature.clone()), Some(new.signature.clone()));
        found.push(if after.is_type_only && !before.is_type_only {
            about(Change::MadeStricter, "for types only", texts.0, texts.1)
        } else {
            plain(Change::ReExportSourceChanged, texts.0, texts.1)
        });
    }
    members::differences(old, new, manner, &mut found);
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
        found.push(plain(Change::SignatureChanged, Some(texts.0), Some(texts.1)));
    }
    found
}

/// What a language leaves to the writer.
#[derive(Clone, Copy)]
pub(super) struct Manner {
    /// A type may be left out.
    pub(super) loose: bool,
    /// The head of a function says more than its parameters and its result. In Go the rest of it is
    /// the name of the receiver, names of results and how parameters are grouped.
    pub(super) heads_tell: bool,
    /// Members may be there for subclasses alone.
    pub(super) has_protected: bool,
}

impl Manner {
    fn of(file: &str) -> Self {
        let extension = file.rsplit('.').next();
        Self {
            loose: !matches!(extension, Some("rs" | "go" | "java")),
            heads_tell: extension != Some("go"),
            has_protected: !matches!(extension, Some("py" | "pyi")),
        }
    }
}

/// A signature without what is nobody else's business: `mut` and `final` before a parameter.
pub(super) fn head(signature: &str) -> String {
    let mut plain = signature.to_owned();
    for word in ["mut ", "final "] {
        plain = plain.replace(&format!("({word}"), "(").replace(&format!(", {word}"), ", ");
    }
    canonical(&plain)
}

pub(super) fn plain(change: Change, old: Option<String>, new: Option<String>) -> Difference {
    Difference { change, member: None, file: None, line: None, old, new, subject: String::new() }
}

fn about(change: Change, subject: &str, old: Option<String>, new: Option<String>) -> Difference {
    Difference { subject: subject.to_owned(), ..plain(change, old, new) }
}

fn kind(old: &ExportSymbol, new: &ExportSymbol, found: &mut Vec<Difference>) {
    use SymbolKind::{Const, Function, Interface, Type, Variable};
    if old.kind == new.kind {
        return;
    }
    let callable = |it: &ExportSymbol| it.parameters.is_some();
    let silent = match (old.kind, new.kind) {
        // An arrow in a constant and a function are called the same way.
        (Function | Const | Variable, Function | Const | Variable) => {
            callable(old) == callable(new)
        }
        (Interface, Type) | (Type, Interface) => !old.members.is_empty() && !new.members.is_empty(),
        _ => false,
    };
    if !silent {
        let words = (old.kind.word().to_owned(), new.kind.word().to_owned());
        found.push(plain(Change::KindChanged, Some(words.0), Some(words.1)));
    }
}

pub(super) fn visibility(
    old: Option<Visibility>,
    new: Option<Visibility>,
    line: Option<usize>,
    found: &mut Vec<Difference>,
) {
    let (Some(old), Some(new)) = (old, new) else { return };
    let change = match new.cmp(&old) {
        std::cmp::Ordering::Greater => Change::VisibilityReduced,
        std::cmp::Ordering::Less => Change::VisibilityWidened,
        std::cmp::Ordering::Equal => return,
    };
    let words = (old.word().to_owned(), new.word().to_owned());
    found.push(Difference { line, ..plain(change, Some(words.0), Some(words.1)) });
}

pub(super) fn type_parameters(old: &[String], new: &[String], found: &mut Vec<Difference>) {
    let canonical = |list: &[String]| list.iter().map(|it| canonical(it)).collect::<Vec<_>>();
    if canonical(old) != canonical(new) {
        let texts = (old.join(", "), new.join(", "));
        found.push(plain(Change::TypeParametersChanged, Some(texts.0), Some(texts.1)));
    }
}

pub(super) fn return_type(
    old: Option<&String>,
    new: Option<&String>,
    loose: bool,
    found: &mut Vec<Difference>,
) {
    if same(old, new) {
        return;
    }
    let change = if loose && (old.is_none() || new.is_none()) {
        Change::AnnotationChanged
    } else {
        Change::ReturnTypeChanged
    };
    found.push(about(change, "what it returns", old.cloned(), new.cloned()));
}

/// The type and the value of constants, what an alias stands for, and bodies.
fn value(old: &ExportSymbol, new: &ExportSymbol, loose: bool, found: &mut Vec<Difference>) {
    let is_alias = old.kind == SymbolKind::Type && new.kind == SymbolKind::Type;
    let by_member = is_alias && !old.members.is_empty() && !new.members.is_empty();
    let callable = old.parameters.is_some() && new.parameters.is_some();
    let types = (old.value_type.as_ref(), new.value_type.as_ref());
    if is_alias {
        if !by_member && old.body_hash != new.body_hash && !same(types.0, types.1) {
            found.push(plain(Change::AliasBodyChanged, types.0.cloned(), types.1.cloned()));
        }
        return;
    }
    // A function needs no type of its own, and an arrow may have one in either place.
    // What an interface is, its members say; an alias of them is the same in other words.
    let is_interface = [old.kind, new.kind].contains(&SymbolKind::Interface);
    if !callable && !same(types.0, types.1) && !is_interface {
        let written_out = types.0.is_none() || types.1.is_none();
        let change = if loose && written_out {
            Change::AnnotationChanged
        } else {
            Change::ConstantTypeChanged
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
            found.push(plain(Change::BodyChanged, None, None));
        } else {
            let values = (old.value.clone(), new.value.clone());
            found.push(plain(Change::ValueChanged, values.0, values.1));
        }
    }
}

/// Words that bind a name; a change between them is no other modifier.
const BINDINGS: [&str; 4] = ["let", "const", "var", "static"];
/// Words that take something away from callers.
const STRICT: [&str; 5] = ["abstract", "unsafe", "final", "sealed", "readonly"];
/// A method of Go that changes what it is called on.
const BY_POINTER: &str = "pointer";
const SILENT: [&str; 3] = ["declare", "override", "accessor"];

pub(super) fn modifiers(old: &[String], new: &[String], found: &mut Vec<Difference>) {
    let has = |list: &[String], word: &str| list.iter().any(|it| it == word);
    if has(old, "async") != has(new, "async") {
        let word = |is_async: bool| Some(if is_async { "async" } else { "not async" }.to_owned());
        found.push(plain(Change::AsyncChanged, word(has(old, "async")), word(has(new, "async"))));
    }
    let binding = |list: &[String]| list.iter().find(|it| BINDINGS.contains(&it.as_str())).cloned();
    if let (Some(before), Some(after)) = (binding(old), binding(new))
        && before != after
    {
        found.push(plain(Change::BindingChanged, Some(before), Some(after)));
    }
    let counts = |it: &&String| {
        let word = it.as_str();
        word != "async" && !BINDINGS.contains(&word) && !SILENT.contains(&word)
    };
    let gone: Vec<String> = missing(old, new).iter().filter(counts).cloned().collect();
    let came: Vec<String> = missing(new, old).iter().filter(counts).cloned().collect();
    let strict: Vec<&String> = came.iter().filter(|it| STRICT.contains(&it.as_str())).collect();
    if came.iter().any(|it| it == BY_POINTER) {
        // It left the methods of the value: that no longer is what an interface asks for.
        found.push(about(Change::MadeStricter, "there for the pointer only", None, None));
    } else if let Some(word) = strict.first() {
        found.push(about(Change::MadeStricter, word, None, Some((*word).clone())));
    } else if !gone.is_empty() || !came.is_empty() {
        let texts = (old.join(" "), new.join(" "));
        found.push(plain(Change::ModifiersChanged, Some(texts.0), Some(texts.1)));
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
    for name in missing(&before, &after) {
        found.push(about(Change::InheritanceRemoved, &name, Some(name.clone()), None));
    }
    for name in missing(&after, &before) {
        found.push(about(Change::InheritanceAdded, &name, None, Some(name.clone())));
    }
    let others = |it: &ExportSymbol| {
        let kept = it.decorators.iter().filter(|it| !it.starts_with("#[derive("));
        kept.cloned().collect::<Vec<_>>()
    };
    decorators(&others(old), &others(new), found);
}

pub(super) fn decorators(old: &[String], new: &[String], found: &mut Vec<Difference>) {
    if !missing(old, new).is_empty() || !missing(new, old).is_empty() {
        let texts = (old.join(" "), new.join(" "));
        found.push(plain(Change::DecoratorsChanged, Some(texts.0), Some(texts.1)));
    }
}

/// The traits that `#[derive(…)]` implements.
pub(super) fn derived(decorators: &[String]) -> Vec<String> {
    let lists = decorators.iter().filter_map(|it| it.strip_prefix("#[derive("));
    let names = lists.flat_map(|it| it.trim_end_matches(")]").split(','));
    names.map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect()
}
