//! Arguments that Rust lets one declare in two ways: `impl Trait` or a type parameter that is used
//! once, `self` or `mut self`.

use crate::domain::signature::{split, words};
use crate::domain::skeleton::{ExportSymbol, Parameter};

pub(super) fn restate(symbol: &mut ExportSymbol) {
    let ExportSymbol { type_parameters, parameters, return_type, where_clause, signature, .. } =
        symbol;
    if let Some(parameters) = parameters {
        inline(type_parameters, parameters, return_type.as_deref(), where_clause, signature);
    }
    for member in &mut symbol.members {
        if let Some(parameters) = &mut member.parameters {
            let returned = member.return_type.as_deref();
            let lists = (&mut member.type_parameters, &mut member.where_clause);
            inline(lists.0, parameters, returned, lists.1, &mut member.signature);
        }
    }
}

fn inline(
    generics: &mut Vec<String>,
    parameters: &mut [Parameter],
    returned: Option<&str>,
    clause: &mut Option<String>,
    signature: &mut String,
) {
    for parameter in parameters.iter_mut().filter(|it| it.name == "self") {
        if let Some(rest) = parameter.type_text.as_deref().and_then(|it| it.strip_prefix("mut ")) {
            parameter.type_text = Some(rest.to_owned());
        }
    }
    for generic in generics.clone() {
        let (name, beside) = generic.split_once(':').map_or((generic.as_str(), ""), |it| it);
        let (name, beside) = (name.trim(), beside.trim());
        if name.starts_with('\'') || name.starts_with("const ") || beside.contains('=') {
            continue;
        }
        let written = clause.as_deref().unwrap_or_default().trim_start_matches("where ");
        let mut predicates = split(written, b',');
        let own = predicates.iter().position(|it| it.starts_with(&format!("{name}:")));
        let behind = own.map(|at| predicates.remove(at));
        let behind = behind.as_deref().and_then(|it| it.split_once(':')).map(|it| it.1.trim());
        let uses = |text: &str| words(text).iter().filter(|it| it.text == name).count();
        let others = generics.iter().filter(|it| **it != generic).map(|it| uses(it));
        let elsewhere = others.sum::<usize>()
            + predicates.iter().map(|it| uses(it)).sum::<usize>()
            + returned.map_or(0, uses)
            + uses(beside)
            + behind.map_or(0, uses);
        let used = parameters.iter().filter_map(|it| it.type_text.as_deref()).map(uses);
        let is_one = used.sum::<usize>() == 1 && elsewhere == 0;
        let Some(place) = parameters.iter_mut().find(|it| it.type_text.as_deref() == Some(name))
        else {
            continue;
        };
        let bounds: Vec<&str> =
            [beside, behind.unwrap_or_default()].into_iter().filter(|it| !it.is_empty()).collect();
        if !is_one || bounds.is_empty() {
            continue;
        }
        let instead = format!("impl {}", bounds.join(" + "));
        *signature = signature.replacen(&format!(": {name}"), &format!(": {instead}"), 1);
        place.type_text = Some(instead);
        generics.retain(|it| *it != generic);
        *clause = (!predicates.is_empty()).then(|| format!("where {}", predicates.join(", ")));
    }
    for parameter in parameters {
        let Some(text) = &mut parameter.type_text else { continue };
        let Some(bounds) = text.strip_prefix("impl ") else { continue };
        // Their order says nothing.
        let mut bounds = split(bounds, b'+');
        bounds.sort();
        let sorted = format!("impl {}", bounds.join(" + "));
        *signature = signature.replacen(text.as_str(), &sorted, 1);
        *text = sorted;
    }
}
