//! Alternatives and bounds, whose order says nothing: `A | B`, `T: Clone + Send`.

use crate::domain::signature::texts_of_types;
use crate::domain::skeleton::ExportSymbol;

/// Puts the types of a symbol and its members in order, and the same texts in their signatures.
pub(super) fn sort(symbol: &mut ExportSymbol, mark: char) {
    let mut signature = std::mem::take(&mut symbol.signature);
    let types = [&mut symbol.return_type, &mut symbol.value_type].into_iter().flatten();
    let parameters = texts_of_types(symbol.parameters.as_mut());
    for text in types.chain(&mut symbol.type_parameters).chain(parameters) {
        sort_text(text, mark, &mut signature);
    }
    symbol.signature = signature;
    for member in &mut symbol.members {
        let mut signature = std::mem::take(&mut member.signature);
        let types = [&mut member.return_type, &mut member.value_type].into_iter().flatten();
        let parameters = texts_of_types(member.parameters.as_mut());
        for text in types.chain(&mut member.type_parameters).chain(parameters) {
            sort_text(text, mark, &mut signature);
        }
        member.signature = signature;
    }
}

fn sort_text(text: &mut String, mark: char, signature: &mut String) {
    let Some(sorted) = sorted(text, mark) else { return };
    *signature = signature.replacen(text.as_str(), &sorted, 1);
    *text = sorted;
}

/// None where there is one part only, or more to it than parts.
fn sorted(text: &str, mark: char) -> Option<String> {
    if !text.contains(mark) {
        return None;
    }
    // The name of a parameter stands before its bounds.
    let (name, bounds) = match text.split_once(": ") {
        Some((name, bounds)) if mark == '+' => (format!("{name}: "), bounds),
        _ => (String::new(), text),
    };
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    let mut quote = None;
    for (at, character) in bounds.char_indices() {
        match character {
            it if quote == Some(it) => quote = None,
            _ if quote.is_some() => {}
            '"' | '`' => quote = Some(character),
            '\'' if mark == '|' => quote = Some(character),
            '(' | '[' | '{' | '<' => depth += 1,
            // Arrows and choices reach further than the marks beside them.
            '>' if bounds[..at].ends_with(['=', '-']) => return None,
            ')' | ']' | '}' | '>' => depth = depth.saturating_sub(1),
            '?' | '=' if depth == 0 && mark == '|' => return None,
            it if it == mark && depth == 0 => {
                parts.push(bounds[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(bounds[start..].trim());
    let is_more = |it: &&str| it.contains(" extends ") || it.contains(" is ") || it.contains(" = ");
    parts.retain(|it| !it.is_empty());
    if parts.len() < 2 || parts.iter().any(is_more) {
        return None;
    }
    parts.sort_unstable();
    Some(format!("{name}{}", parts.join(&format!(" {mark} "))))
}
