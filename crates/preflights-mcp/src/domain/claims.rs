//! What the calling agent reads in a request: claims, each with the user's words behind it. The
//! agent reads, the engine decides: a claim whose quote is not the user's, or whose clause says
//! the opposite, does not count.

mod values;

use mcp_core::text;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::bank::Bank;
use super::request::stance::Stance;
use values::values;

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
    /// Made by a language model that we asked, and not by the calling agent.
    #[serde(default)]
    pub(crate) is_by_model: bool,
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
    /// The category the agent names, also where no field of it can take the value.
    #[serde(default)]
    pub(crate) category: Option<String>,
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
    /// Whether the user has said something about this category, in whatever role.
    pub(crate) fn speaks_of(&self, category: &str) -> bool {
        let lists = [&self.wants, &self.keeps, &self.revokes, &self.rejects];
        lists.into_iter().flatten().any(|it| it.category.as_deref() == Some(category))
    }

    /// A record is asked for, and nothing else makes one.
    pub(crate) fn only_asks_for_a_record(&self) -> bool {
        !self.triggers.is_empty() && self.triggers.iter().all(|(it, _)| it == "explicit")
    }

    /// Whether seed 3.3 asks for a record of such work. What never deserves one is outweighed only
    /// by a technology that comes or goes, a decision that changes, or the user's own wish.
    pub(crate) fn asks_for_record(&self) -> bool {
        let has = |names: &[&str]| {
            self.triggers.iter().any(|(trigger, _)| names.contains(&trigger.as_str()))
        };
        match self.kind.as_deref() {
            Some("wording" | "documentation" | "question") => has(&["explicit"]),
            // Faster by a cache or another store is a decision about that.
            Some("performance") if !self.topics.is_empty() => !self.triggers.is_empty(),
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
    /// Where the words stand; an ellipsis stands for words that were left out.
    fn find(&self, quote: &str) -> Option<Found> {
        let quote = quote.replace('…', "...");
        let parts: Vec<String> =
            quote.split("...").map(folded).filter(|it| !it.trim().is_empty()).collect();
        if parts.is_empty() {
            return None;
        }
        let loose = has_no_spaces(self.intention);
        let parts: Vec<String> =
            parts.into_iter().map(|it| if loose { it.replace(' ', "") } else { it }).collect();
        let holds = |text: &str| {
            let text = if loose { folded(text).replace(' ', "") } else { folded(text) };
            let mut rest = text.as_str();
            parts.iter().all(|part| {
                let found = rest.find(part.as_str());
                let end = found.map_or(0, |at| at + part.len() - usize::from(part.ends_with(' ')));
                rest = rest.get(end..).unwrap_or_default();
                found.is_some()
            })
        };
        if holds(self.intention) {
            return Some(Found::InRequest);
        }
        self.context.filter(|it| holds(it)).map(|_| Found::InContext)
    }
}

/// The words alone, in lower case, with one space around each: whitespace and typography aside.
fn folded(words: &str) -> String {
    let mut folded = " ".to_owned();
    for character in words.chars() {
        match character {
            '’' | '‘' | '\'' => {}
            it if it.is_alphanumeric() => folded.extend(it.to_lowercase()),
            _ if folded.ends_with(' ') => {}
            _ => folded.push(' '),
        }
    }
    if !folded.ends_with(' ') {
        folded.push(' ');
    }
    folded
}

/// Text of a script without spaces has no words to tell apart.
fn has_no_spaces(words: &str) -> bool {
    words.chars().any(|it| {
        ('\u{2e80}'..='\u{9fff}').contains(&it) || ('\u{ac00}'..='\u{d7af}').contains(&it)
    })
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
        let quote = text_of(item, &["quote"]);
        let quoted = quote.is_empty() || matches!(sources.find(&quote), Some(Found::InRequest));
        let found = bank.categories.iter().find(|it| it.name.eq_ignore_ascii_case(&name));
        match found {
            Some(_) if !quoted => warnings.push(format!(
                "The topic `{}` of the reading was left out: its quote does not stand in the request.",
                shown(&name)
            )),
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
