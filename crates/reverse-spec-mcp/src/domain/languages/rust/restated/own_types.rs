//! Types that Rust lets one write in two ways: `Self` or the type itself, `()` or nothing.

use crate::domain::signature::{texts_of_member, words};
use crate::domain::skeleton::{ExportSymbol, SymbolKind};

/// What a function returns that returns nothing.
const NOTHING: &str = "()";

pub(super) fn spell_out(symbol: &mut ExportSymbol) {
    drop_nothing(&mut symbol.return_type, &mut symbol.signature);
    let of_trait = symbol.kind == SymbolKind::Trait;
    for member in &mut symbol.members {
        drop_nothing(&mut member.return_type, &mut member.signature);
        let own = match member.block_head() {
            Some(head) => own_type(head).to_owned(),
            None => symbol.name.clone(),
        };
        // In a trait it is whoever implements it.
        if of_trait || own.is_empty() {
            continue;
        }
        for text in texts_of_member(member) {
            *text = with_own_type(text, &own);
        }
    }
}

fn drop_nothing(returned: &mut Option<String>, signature: &mut String) {
    if returned.take_if(|it| it == NOTHING).is_some() {
        *signature = signature.replacen("-> ()", "", 1);
    }
}

/// The type that `impl<T> Stack<T> where …` is for; none of a trait's.
fn own_type(head: &str) -> &str {
    let head = head.split(" where ").next().unwrap_or_default();
    if head.contains(" for ") {
        return "";
    }
    let rest = head.trim_start_matches("impl");
    let Some(list) = rest.strip_prefix('<') else { return rest.trim() };
    let mut depth = 1_usize;
    for (at, byte) in list.bytes().enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' if !list[..at].ends_with('-') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return list[at + 1..].trim();
        }
    }
    ""
}

fn with_own_type(text: &str, own: &str) -> String {
    if !text.contains("Self") {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for word in words(text).iter().filter(|it| it.text == "Self") {
        // `Self::Item` is something that the type has.
        if !text[word.end..].starts_with("::") {
            out.push_str(&text[done..word.start]);
            out.push_str(own);
            done = word.end;
        }
    }
    out.push_str(&text[done..]);
    out
}
