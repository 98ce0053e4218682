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
    /// The type in a text, and which parts of it are meant, from the outside in.
    pub(super) fn of(text: &str) -> (&str, Vec<Self>) {
        let (mut text, mut parts) = (text, Vec::new());
        while let Some((name, rest)) = text.split_once('<') {
            let given = split_list(rest);
            let keys = || given.get(1).and_then(|it| keys(it));
            let part = match name.trim() {
                "Pick" => keys().map(Self::Only),
                "Omit" => keys().map(Self::AllBut),
                "Partial" => Some(Self::Optional),
                "Required" | "Readonly" => Some(Self::Whole),
                _ => None,
            };
            let (Some(part), Some(first)) = (part, given.first()) else { break };
            let Some(inner) = rest.trim_start().get(..first.trim().len()) else { break };
            text = inner;
            parts.push(part);
        }
        (text, parts)
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
            ("A", ("A", vec![])),
            ("Map<A, B>", ("Map<A, B>", vec![])),
            ("Pick<A, 'b'>", ("A", vec![Taken::Only(names(&["b"]))])),
            ("Omit<A<T>, 'b' | \"c\">", ("A<T>", vec![Taken::AllBut(names(&["b", "c"]))])),
            ("Omit<A, keyof B>", ("Omit<A, keyof B>", vec![])),
            ("Partial<Pick<A, 'b'>>", ("A", vec![Taken::Optional, Taken::Only(names(&["b"]))])),
        ] {
            assert_eq!(Taken::of(text), expected, "{text}");
        }
    }
}
