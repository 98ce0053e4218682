//! Parts of a type under names that TypeScript has for them: `Pick<A, "b">`, `Omit<A, "b" | "c">`.

use crate::domain::signature::{split, split_list};

/// What is taken of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Taken {
    Only(Vec<String>),
    AllBut(Vec<String>),
    /// All of it, and none of it has to be there.
    Optional,
    Whole,
}

impl Taken {
    /// The type in a text, and which part of it is meant.
    pub(super) fn of(text: &str) -> (&str, Option<Self>) {
        let whole = (text, None);
        let Some((name, rest)) = text.split_once('<') else { return whole };
        let end = rest.find(['<', ',', '>']).unwrap_or(rest.len());
        let given = split_list(rest);
        let keys = || given.get(1).and_then(|it| keys(it));
        let part = match name.trim() {
            "Pick" => keys().map(Self::Only),
            "Omit" => keys().map(Self::AllBut),
            "Partial" => Some(Self::Optional),
            "Required" | "Readonly" => Some(Self::Whole),
            _ => None,
        };
        if part.is_some() { (rest[..end].trim(), part) } else { whole }
    }

    pub(super) fn holds(&self, member: &str) -> bool {
        let named = |list: &[String]| list.iter().any(|it| it == member);
        match self {
            Self::Only(keys) => named(keys),
            Self::AllBut(keys) => !named(keys),
            Self::Optional | Self::Whole => true,
        }
    }
}

/// The names in a list of keys; nothing where one of them is computed.
fn keys(text: &str) -> Option<Vec<String>> {
    let parts = split(text, b'|');
    let parts = parts.iter().map(|it| it.trim()).filter(|it| !it.is_empty());
    parts
        .map(|it| {
            let inside = it.strip_prefix(['"', '\''])?;
            inside.strip_suffix(['"', '\'']).map(str::to_owned)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_and_the_part_that_is_meant() {
        let names = |list: &[&str]| list.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        for (text, expected) in [
            ("A", ("A", None)),
            ("Map<A, B>", ("Map<A, B>", None)),
            ("Pick<A, 'b'>", ("A", Some(Taken::Only(names(&["b"]))))),
            ("Omit<A<T>, 'b' | \"c\">", ("A", Some(Taken::AllBut(names(&["b", "c"]))))),
            ("Omit<A, keyof B>", ("Omit<A, keyof B>", None)),
            ("Partial<A>", ("A", Some(Taken::Optional))),
        ] {
            assert_eq!(Taken::of(text), expected, "{text}");
        }
    }
}
