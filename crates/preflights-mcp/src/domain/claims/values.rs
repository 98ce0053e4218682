//! Values that a reading claims: which field each is for, and whether the user's words bear it out.

use serde_json::Value;

use super::{Claim, Found, Sources, folded, has_no_spaces, list, shown, text_of};
use crate::domain::bank::{Bank, Question};
use crate::domain::request::stance::{self, Stance};

pub(super) fn values(
    items: &Value,
    bank: &Bank,
    sources: &Sources<'_>,
    expected: Stance,
    warnings: &mut Vec<String>,
) -> Vec<Claim> {
    let mut claims = Vec::new();
    for item in list(items) {
        let value = text_of(item, &["value", "name"]);
        let quote = match text_of(item, &["quote"]) {
            quote if quote.is_empty() => value.clone(),
            quote => quote,
        };
        let Some(found) = sources.find(&quote).filter(|_| !value.is_empty()) else {
            let (value, quote) = (shown(&value), shown(&quote));
            warnings.push(format!(
                "`{value}` of the reading was left out: \"{quote}\" does not stand in the request."
            ));
            continue;
        };
        let field = text_of(item, &["field", "id"]);
        let question = question(bank, &field, &value);
        let value = question.map_or(value.clone(), |it| known_value(it, &value));
        let named = name_in(&quote, question, &value);
        let source = match found {
            Found::InRequest => sources.intention,
            Found::InContext => sources.context.unwrap_or_default(),
        };
        let name = named.as_deref().unwrap_or(&quote);
        let contradicted = expected == Stance::Affirmed
            && stance::of(source, &quote, name).is_some_and(|it| it != Stance::Affirmed);
        if contradicted {
            warnings.push(format!(
                "`{}` of the reading was left out: the words around \"{}\" say the opposite, or only ask.",
                shown(&value),
                shown(&quote)
            ));
            continue;
        }
        let condition = Some(text_of(item, &["if", "condition"])).filter(|it| !it.is_empty());
        let value = match &condition {
            Some(condition) => format!("{value} (if {condition})"),
            None => value,
        };
        claims.push(Claim {
            id: question.map(|it| it.id.clone()),
            category: category_of(bank, &field, question),
            value,
            quote,
            is_named: named.is_some(),
            is_from_context: matches!(found, Found::InContext),
            condition,
        });
    }
    claims
}

/// By its id, as `Category.Field`, or by a category alone: then the question of it that knows the
/// value, or the one that leads. A value that none of them can take has no field.
fn question<'a>(bank: &'a Bank, field: &str, value: &str) -> Option<&'a Question> {
    if let Some((_, question)) = bank.question(field) {
        return Some(question);
    }
    let (category, field) = field.split_once(['.', ':', ' ']).unwrap_or((field, ""));
    let category = bank.categories.iter().find(|it| it.name.eq_ignore_ascii_case(category))?;
    let named = category
        .questions
        .iter()
        .find(|it| !field.is_empty() && (it.field.eq_ignore_ascii_case(field) || it.id == field));
    let knows = |it: &&Question| {
        it.known_values().any(|known| known.eq_ignore_ascii_case(value))
            || known_value(it, value) != value
    };
    named
        .or_else(|| category.questions.iter().find(knows))
        .or_else(|| category.lead().filter(|it| it.takes_names))
}

fn category_of(bank: &Bank, field: &str, question: Option<&Question>) -> Option<String> {
    if let Some((category, _)) = question.and_then(|it| bank.question(&it.id)) {
        return Some(category.name.clone());
    }
    let name = field.split(['.', ':', ' ']).next().unwrap_or_default();
    let found = bank.categories.iter().find(|it| it.name.eq_ignore_ascii_case(name));
    found.map(|it| it.name.clone())
}

/// As the bank spells it.
fn known_value(question: &Question, value: &str) -> String {
    let known = question.known_values().find(|it| it.eq_ignore_ascii_case(value));
    let named = question.names.iter().find(|(_, names)| {
        names.iter().any(|it| it.trim_start_matches('=').eq_ignore_ascii_case(value))
    });
    known.or(named.map(|(it, _)| it.as_str())).map_or_else(|| value.to_owned(), str::to_owned)
}

/// The words of the quote that name the value.
fn name_in(quote: &str, question: Option<&Question>, value: &str) -> Option<String> {
    let loose = has_no_spaces(quote);
    let quote = folded(quote);
    let aliases = question.and_then(|it| it.names.get(value)).into_iter().flatten();
    let names = std::iter::once(value).chain(aliases.map(|it| it.trim_start_matches('=')));
    let mut names = names.map(folded).filter(|it| !it.trim().is_empty());
    let found = names.find(|it| quote.contains(if loose { it.trim() } else { it.as_str() }));
    // "Next.js 15" is named by "Next.js from 13 to 15": all its words are there.
    let spread = || {
        let value = folded(value);
        let all = value.split_whitespace().all(|it| quote.contains(&format!(" {it} ")));
        (all && !value.trim().is_empty())
            .then(|| value.split_whitespace().next().unwrap_or_default().to_owned())
    };
    found.map(|it| it.trim().to_owned()).or_else(spread)
}
