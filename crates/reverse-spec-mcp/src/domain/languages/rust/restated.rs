//! Forms of Rust that mean the same: lifetimes that are filled in, `Self`, bounds beside a parameter
//! or behind `where`.

mod arguments;
mod bounds;
mod lifetimes;
mod own_types;
mod paths;

use crate::domain::signature::{Names, split_list};
use crate::domain::skeleton::{ExportSymbol, MemberKind};

pub(super) use lifetimes::without_anonymous;
pub(super) use paths::without_own_paths;

pub(super) fn restate(symbol: &mut ExportSymbol) {
    arguments::restate(symbol);
    lifetimes::elide_in_symbol(symbol);
    own_types::spell_out(symbol);
    bounds::gather(symbol);
    name_traits(symbol);
}

/// `impl io::Write` and `impl Write` differ in what the file imports.
fn name_traits(symbol: &mut ExportSymbol) {
    for member in symbol.members.iter_mut().filter(|it| it.kind == MemberKind::Nested) {
        let Some(name) = member.name.strip_prefix("impl ") else { continue };
        let end = name.find('<').unwrap_or(name.len());
        let Some((module, _)) = name[..end].rsplit_once("::") else { continue };
        let module = format!("{module}::");
        member.signature = member.signature.replacen(&module, "", 1);
        member.name = format!("impl {}", &name[module.len()..]);
    }
}

/// Of `impl<'a, T: Clone> …`.
pub(super) fn names_of_block(head: &str) -> Names {
    let Some(list) = head.trim_start_matches("unsafe ").strip_prefix("impl<") else {
        return Names::default();
    };
    Names::of(&split_list(list), 0)
}

/// Which traits there are is known with the parameters of each block only here.
pub(super) fn list_traits(symbol: &mut ExportSymbol) {
    let blocks = symbol.members.iter().filter(|it| it.kind == MemberKind::Nested);
    let mut of: Vec<String> =
        blocks.filter_map(|it| Some(it.name.strip_prefix("impl ")?.to_owned())).collect();
    of.sort();
    of.dedup();
    symbol.implements = of;
}
