//! Bounds of Rust, which may stand beside a type parameter or behind `where`: all of them behind.

use crate::domain::signature::{closing, split, split_list};
use crate::domain::skeleton::{ExportSymbol, MemberInfo, MemberKind, SymbolKind};

const WHERE: &str = " where ";

pub(super) fn gather(symbol: &mut ExportSymbol) {
    let is_function = symbol.kind == SymbolKind::Function;
    behind(&mut symbol.type_parameters, &mut symbol.where_clause);
    if is_function {
        leave_out(&mut symbol.signature);
    }
    for member in &mut symbol.members {
        gather_in(member);
    }
}

fn gather_in(member: &mut MemberInfo) {
    let head = member.block_head().map(|it| whole(it));
    if member.kind == MemberKind::Nested {
        member.signature = head.unwrap_or_else(|| member.signature.clone());
        return;
    }
    if member.given_by.is_some() {
        member.given_by = head;
    }
    behind(&mut member.type_parameters, &mut member.where_clause);
    if member.kind == MemberKind::Method {
        leave_out(&mut member.signature);
    }
}

/// Moves the bounds of parameters behind `where`: in the order of the parameters, then the others.
fn behind(parameters: &mut [String], clause: &mut Option<String>) {
    let mut bounds: Vec<(String, Vec<String>)> = Vec::new();
    for parameter in parameters.iter_mut() {
        // A constant has a type there, and a default stands behind the bounds.
        if parameter.starts_with("const ") || parameter.contains('=') {
            continue;
        }
        let (name, beside) = halves(parameter).unwrap_or((parameter, ""));
        let (name, beside) = (name.to_owned(), parts(beside));
        bounds.push((name.clone(), beside));
        *parameter = name;
    }
    let mut others: Vec<(String, Vec<String>)> = Vec::new();
    let written = clause.as_deref().unwrap_or_default().trim_start_matches("where ");
    for predicate in split_list(written) {
        let Some((of, more)) = halves(&predicate) else { continue };
        match bounds.iter_mut().find(|it| it.0 == of) {
            Some((_, all)) => all.extend(parts(more)),
            None => others.push((of.to_owned(), parts(more))),
        }
    }
    others.sort();
    let all = bounds.into_iter().chain(others).filter(|(_, all)| !all.is_empty());
    let told = all.map(|(of, mut all)| {
        all.sort();
        all.dedup();
        format!("{of}: {}", all.join(" + "))
    });
    let told: Vec<String> = told.collect();
    *clause = (!told.is_empty()).then(|| format!("where {}", told.join(", ")));
}

/// What stands before and after the first colon that is no part of a path.
fn halves(text: &str) -> Option<(&str, &str)> {
    let bytes = text.as_bytes();
    let is_alone = |at: &usize| {
        bytes[*at] == b':'
            && bytes.get(at + 1) != Some(&b':')
            && (*at == 0 || bytes[at - 1] != b':')
    };
    let at = (0..bytes.len()).find(is_alone)?;
    Some((text[..at].trim(), text[at + 1..].trim()))
}

/// Bounds each by itself.
fn parts(text: &str) -> Vec<String> {
    split(text, b'+')
}

/// Takes the type parameters and the bounds out of the head of a function: both are told apart.
fn leave_out(signature: &mut String) {
    if let Some(at) = signature.rfind(WHERE) {
        signature.truncate(at);
    }
    let list = signature.find('<').filter(|at| !signature[..*at].contains('('));
    if let Some(start) = list
        && let Some(length) = closing(&signature[start + 1..])
    {
        signature.replace_range(start..=start + 1 + length, "");
    }
}

/// `impl<T: Clone> S<T>` with the bounds behind `where`.
fn whole(head: &str) -> String {
    let (head, clause) = match head.rsplit_once(WHERE) {
        Some((head, clause)) => (head, Some(format!("where {clause}"))),
        None => (head, None),
    };
    let (word, rest) = match head.split_once("impl<") {
        Some((before, rest)) => (format!("{before}impl"), rest),
        None => return head.to_owned() + &clause.map(|it| format!(" {it}")).unwrap_or_default(),
    };
    let Some(length) = closing(rest) else { return head.to_owned() };
    let mut parameters = split_list(&rest[..=length]);
    let mut clause = clause;
    behind(&mut parameters, &mut clause);
    let clause = clause.map(|it| format!(" {it}")).unwrap_or_default();
    format!("{word}<{}>{}{clause}", parameters.join(", "), &rest[length + 1..])
}
