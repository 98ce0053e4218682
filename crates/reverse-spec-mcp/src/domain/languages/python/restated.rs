//! Types that Python lets one write in two ways, in one of them: `Optional[T]` and `T | None`,
//! `List` and `list`. Linters rewrite one into the other.

use crate::domain::signature::{replaced, split_list, words};
use crate::domain::skeleton::ExportSymbol;

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
    if symbol.extends.iter().any(|it| it == "object") {
        symbol.extends.retain(|it| it != "object");
        symbol.signature = symbol
            .signature
            .replace("(object)", "")
            .replace(", object)", ")")
            .replace("(object, ", "(");
    }
}
