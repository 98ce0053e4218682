//! Types that Python lets one write in two ways, in one of them: `Optional[T]` and `T | None`,
//! `List` and `list`. Linters rewrite one into the other.

use crate::domain::signature::{replaced, split_list, words};
use crate::domain::skeleton::{ExportSymbol, MemberInfo, MemberKind};

/// Containers that `typing` has by another name.
const CONTAINERS: [(&str, &str); 6] = [
    ("List", "list"),
    ("Dict", "dict"),
    ("Set", "set"),
    ("FrozenSet", "frozenset"),
    ("Tuple", "tuple"),
    ("Type", "type"),
];

pub(super) fn plain_type(text: &str) -> String {
    let mut text = without_modules(&unquoted(text));
    for (name, plain) in CONTAINERS {
        let of = |of: &[String]| Some(format!("{plain}[{}]", of.join(", ")));
        text = replaced(text, &format!("{name}["), of);
    }
    let text = replaced(text, "Union[", |of| Some(of.join(" | ")));
    replaced(text, "Optional[", |of| match of {
        [one] => Some(format!("{one} | None")),
        _ => None,
    })
}

/// Names that one module or another hands out, by whatever name that was imported: `t.Optional`.
const HANDED_OUT: [&str; 24] = [
    "Any",
    "Optional",
    "Union",
    "List",
    "Dict",
    "Set",
    "FrozenSet",
    "Tuple",
    "Type",
    "Callable",
    "Iterable",
    "Iterator",
    "Generator",
    "Sequence",
    "Mapping",
    "MutableMapping",
    "Awaitable",
    "Coroutine",
    "AsyncIterator",
    "Literal",
    "ClassVar",
    "Final",
    "NoReturn",
    "Protocol",
];

fn without_modules(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    let all = words(text);
    for (at, word) in all.iter().enumerate() {
        if !HANDED_OUT.contains(&word.text) || !text[..word.start].ends_with('.') {
            continue;
        }
        // Back over every name and dot before it.
        let mut start = word.start;
        for before in all[..at].iter().rev() {
            if before.end + 1 != start || !text[..start].ends_with('.') {
                break;
            }
            start = before.start;
        }
        if start >= done {
            out.push_str(&text[done..start]);
            done = word.start;
        }
    }
    out.push_str(&text[done..]);
    out
}

/// A type may be written in quotes where its name is not known yet; what `Literal` lists may not.
fn unquoted(text: &str) -> String {
    if !text.contains(['"', '\'']) || text.contains("Literal[") {
        return text.to_owned();
    }
    text.replace(['"', '\''], "")
}

/// Errors that have another name since Python 3.3.
const SAME_ERRORS: [(&str, &str); 5] = [
    ("IOError", "OSError"),
    ("EnvironmentError", "OSError"),
    ("WindowsError", "OSError"),
    ("socket.error", "OSError"),
    ("select.error", "OSError"),
];

/// The fields of `namedtuple("Name", "a b")`, however they are listed.
fn named_fields(base: &str) -> Option<Vec<String>> {
    let (called, given) = base.split_once('(')?;
    if called != "namedtuple" && !called.ends_with(".namedtuple") {
        return None;
    }
    let listed = split_list(given).into_iter().nth(1)?;
    let is_name = |it: char| it.is_alphanumeric() || it == '_';
    let names = listed.split(|it| !is_name(it)).filter(|it| !it.is_empty());
    Some(names.map(str::to_owned).collect())
}

fn field(name: String, start_line: usize) -> MemberInfo {
    let (signature, kind) = (name.clone(), MemberKind::Property);
    MemberInfo { name, kind, signature, start_line, ..MemberInfo::default() }
}

/// `class A(object)` is `class A`, and `class A(with_metaclass(M, B))` is `class A(B, metaclass=M)`.
pub(super) fn restate(symbol: &mut ExportSymbol) {
    let with_metaclass = |base: &String| {
        let (called, given) = base.split_once('(')?;
        let is_made = called == "with_metaclass" || called.ends_with(".with_metaclass");
        is_made.then(|| split_list(given).into_iter().skip(1).collect::<Vec<_>>())
    };
    if symbol.extends.iter().any(|it| with_metaclass(it).is_some()) {
        let bases = std::mem::take(&mut symbol.extends).into_iter();
        symbol.extends = bases.flat_map(|it| with_metaclass(&it).unwrap_or(vec![it])).collect();
    }
    for base in &mut symbol.extends {
        if let Some(fields) = named_fields(base) {
            "NamedTuple".clone_into(base);
            let new = |it: &String| !symbol.members.iter().any(|own| own.name == *it);
            let fields: Vec<MemberInfo> =
                fields.into_iter().filter(new).map(|it| field(it, symbol.start_line)).collect();
            symbol.members.extend(fields);
        } else if let Some((_, plain)) = SAME_ERRORS.iter().find(|it| it.0 == base) {
            (*plain).clone_into(base);
        }
    }
    if symbol.extends.iter().any(|it| it == "object") {
        symbol.extends.retain(|it| it != "object");
        symbol.signature = symbol
            .signature
            .replace("(object)", "")
            .replace(", object)", ")")
            .replace("(object, ", "(");
    }
}
