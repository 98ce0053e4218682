//! What the calling agent reads in a request: claims, each with the user's words behind it. The
//! agent reads, the engine decides: a claim whose quote is not the user's, or whose clause says
//! the opposite, does not count.

use mcp_core::text;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::bank::{Bank, Question};
use super::request::stance::{self, Stance};

const MAX_ASKED: usize = 4;
const MAX_LISTED: usize = 24;
const MAX_TEXT: usize = 400;

/// The kind of work, in the words of the tool's schema.
pub(crate) const KINDS: [&str; 12] = [
    "feature",
    "bug_fix",
    "refactor",
    "replacement",
    "wording",
    "configuration",
    "upgrade",
    "performance",
    "test",
    "documentation",
    "infrastructure",
    "question",
];

/// What makes a record, in the words of the tool's schema.
pub(crate) const TRIGGERS: [&str; 6] =
    ["category", "new_dependency", "changes_decision", "ten_files", "migration", "explicit"];

/// Kept with the session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Claims {
    pub(crate) kind: Option<String>,
    /// What makes a record, with the words that say so.
    pub(crate) triggers: Vec<(String, String)>,
    /// Names of categories whose decision is open or made.
    pub(crate) topics: Vec<String>,
    pub(crate) wants: Vec<Claim>,
    pub(crate) rejects: Vec<Claim>,
    pub(crate) keeps: Vec<Claim>,
    pub(crate) revokes: Vec<Claim>,
    pub(crate) criteria: Vec<String>,
    pub(crate) out_of_scope: Vec<String>,
    pub(crate) paths: Vec<String>,
    pub(crate) ask: Vec<Wondered>,
}

/// A value for a field, in the user's words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Claim {
    /// The id of a question of the bank; `None` for what the bank has no field for.
    pub(crate) id: Option<String>,
    pub(crate) value: String,
    pub(crate) quote: String,
    /// The quote names the value. Where it only suggests it, the value is recommended at most.
    pub(crate) is_named: bool,
    pub(crate) is_from_context: bool,
    /// Under which condition, where the user named one.
    pub(crate) condition: Option<String>,
}

/// A question the agent thinks the user must answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Wondered {
    pub(crate) question: String,
    pub(crate) why: String,
    pub(crate) options: Vec<String>,
}

impl Claims {
    /// Whether seed 3.3 asks for a record of such work. What never deserves one is outweighed only
    /// by a technology that comes or goes, a decision that changes, or the user's own wish.
    pub(crate) fn asks_for_record(&self) -> bool {
        let has = |names: &[&str]| {
            self.triggers.iter().any(|(trigger, _)| names.contains(&trigger.as_str()))
        };
        match self.kind.as_deref() {
            Some("wording" | "documentation" | "question") => has(&["explicit"]),
            Some("bug_fix" | "test" | "refactor" | "configuration" | "performance") => {
                has(&["explicit", "new_dependency", "changes_decision", "migration"])
            }
            _ => !self.triggers.is_empty(),
        }
    }
}

/// Where the words of a claim may stand.
struct Sources<'a> {
    intention: &'a str,
    context: Option<&'a str>,
}

enum Found {
    InRequest,
    InContext,
}

impl Sources<'_> {
    fn find(&self, quote: &str) -> Option<Found> {
        let wanted = folded(quote);
        if wanted.is_empty() {
            return None;
        }
        if folded(self.intention).contains(&wanted) {
            return Some(Found::InRequest);
        }
        self.context.filter(|it| folded(it).contains(&wanted)).map(|_| Found::InContext)
    }
}

/// Whitespace, case and typography aside.
fn folded(words: &str) -> String {
    let mut folded = String::with_capacity(words.len());
    for character in words.chars() {
        match character {
            '’' | '‘' | '`' | '\'' | '"' | '“' | '”' | '«' | '»' => {}
            '–' | '—' | '‑' => folded.push('-'),
            '…' => folded.push_str("..."),
            it if it.is_whitespace() || it.is_control() => {
                if !folded.ends_with(' ') {
                    folded.push(' ');
                }
            }
            it => folded.extend(it.to_lowercase()),
        }
    }
    folded.trim().to_owned()
}

/// Reads a reading as an agent sends it. What does not hold is left out and said.
pub(crate) fn read(
    reading: &Value,
    bank: &Bank,
    intention: &str,
    context: Option<&str>,
) -> (Claims, Vec<String>) {
    let mut warnings = Vec::new();
    let sources = Sources { intention, context };
    let word = |key: &str| reading[key].as_str().map(|it| it.trim().to_lowercase());
    let kind = word("kind").map(|it| it.replace([' ', '-'], "_"));
    let known = kind.filter(|it| KINDS.contains(&it.as_str()));
    let mut claims = Claims { kind: known, ..Claims::default() };
    for item in list(&reading["triggers"]) {
        let name = text_of(item, &["trigger", "name", "kind"]).replace([' ', '-'], "_");
        let quote = text_of(item, &["quote"]);
        let quoted = item.is_string() || matches!(sources.find(&quote), Some(Found::InRequest));
        if TRIGGERS.contains(&name.as_str()) && quoted {
            claims.triggers.push((name, quote));
        } else {
            warnings.push(format!("The trigger `{}` of the reading was left out.", shown(&name)));
        }
    }
    for item in list(&reading["topics"]) {
        let name = text_of(item, &["category", "topic", "name"]);
        let found = bank.categories.iter().find(|it| it.name.eq_ignore_ascii_case(&name));
        match found {
            Some(it) if !claims.topics.contains(&it.name) => claims.topics.push(it.name.clone()),
            Some(_) => {}
            None => warnings
                .push(format!("The topic `{}` of the reading is not a category.", shown(&name))),
        }
    }
    claims.wants = values(&reading["wants"], bank, &sources, Stance::Affirmed, &mut warnings);
    claims.keeps = values(&reading["keeps"], bank, &sources, Stance::Affirmed, &mut warnings);
    claims.rejects = values(&reading["rejects"], bank, &sources, Stance::Negated, &mut warnings);
    claims.revokes = values(&reading["revokes"], bank, &sources, Stance::Negated, &mut warnings);
    claims.criteria = quotes(&reading["acceptance_criteria"], &sources);
    claims.out_of_scope = quotes(&reading["out_of_scope"], &sources);
    let paths = list(&reading["paths"]).map(|it| text_of(it, &["path", "quote"]));
    claims.paths = paths.filter(|it| !it.is_empty()).take(MAX_LISTED).collect();
    for item in list(&reading["ask"]).take(MAX_ASKED) {
        let question = text_of(item, &["question", "ask", "text"]);
        if !question.is_empty() {
            let why = text_of(item, &["why", "because"]);
            let options = list(&item["options"]).map(|it| text_of(it, &["option", "value"]));
            let options = options.filter(|it| !it.is_empty()).take(8).collect();
            claims.ask.push(Wondered { question, why, options });
        }
    }
    (claims, warnings)
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten().take(MAX_LISTED)
}

/// A text, or the first of these keys of an object; on one line and not too long.
fn text_of(item: &Value, keys: &[&str]) -> String {
    let found = item.as_str().or_else(|| keys.iter().find_map(|key| item[*key].as_str()));
    text::one_line(text::cut(found.unwrap_or_default(), MAX_TEXT))
}

fn shown(words: &str) -> String {
    text::one_line(text::cut(words, 80))
}

/// What the user said, in their own words: a claim without them is left out.
fn quotes(items: &Value, sources: &Sources<'_>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for item in list(items) {
        let quote = text_of(item, &["quote", "text", "criterion", "what"]);
        if sources.find(&quote).is_some() && !found.contains(&quote) {
            found.push(quote);
        }
    }
    found
}

fn values(
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
        let question = question(bank, &field);
        let value = question.map_or(value.clone(), |it| known_value(it, &value));
        let named = name_in(&quote, question, &value);
        let source = match found {
            Found::InRequest => sources.intention,
            Found::InContext => sources.context.unwrap_or_default(),
        };
        let contradicted = stance::of(source, &quote, named.as_deref().unwrap_or(&quote))
            .is_some_and(|it| it != expected && expected == Stance::Affirmed);
        if contradicted {
            warnings.push(format!(
                "`{}` of the reading was left out: the words around \"{}\" say the opposite.",
                shown(&value),
                shown(&quote)
            ));
            continue;
        }
        let condition = Some(text_of(item, &["if", "condition"])).filter(|it| !it.is_empty());
        claims.push(Claim {
            id: question.map(|it| it.id.clone()),
            value,
            quote,
            is_named: named.is_some(),
            is_from_context: matches!(found, Found::InContext),
            condition,
        });
    }
    claims
}

/// By its id, as `Category.Field`, or by a category alone, whose first question is meant.
fn question<'a>(bank: &'a Bank, field: &str) -> Option<&'a Question> {
    if let Some((_, question)) = bank.question(field) {
        return Some(question);
    }
    let (category, field) = field.split_once('.').unwrap_or((field, ""));
    let category = bank.categories.iter().find(|it| it.name.eq_ignore_ascii_case(category))?;
    if field.is_empty() {
        return category.questions.first();
    }
    category.questions.iter().find(|it| it.field.eq_ignore_ascii_case(field) || it.id == field)
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
    let quote = folded(quote);
    let aliases = question.and_then(|it| it.names.get(value)).into_iter().flatten();
    let names = std::iter::once(value).chain(aliases.map(|it| it.trim_start_matches('=')));
    let mut names = names.map(folded).filter(|it| !it.is_empty());
    names.find(|it| quote.contains(it.as_str()))
}
