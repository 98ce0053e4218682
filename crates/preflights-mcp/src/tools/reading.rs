//! The shape of a reading: what an agent, or a language model, is asked to fill in. It is read
//! leniently.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::domain::claims::{KINDS, TRIGGERS};

/// Every claim carries the user's own words.
#[expect(dead_code, reason = "only its schema is used")]
#[derive(JsonSchema)]
pub(super) struct ReadingParams {
    /// What kind of work it is. A report of something broken is a `bug_fix` even without the word; bringing in a queue, a cache, a store or a library is a `feature` or a `replacement`, whatever it is called.
    #[schemars(schema_with = "kinds")]
    kind: String,
    /// Why a decision record is due; leave it empty for bug fixes, wording, plain refactoring and settings within what is there. `category`: one of the categories is decided or left open by it, also by a plain "cache it". `changes_decision`: something in use is given up for something else, also in a refactoring. `ten_files`: it goes through ten files or more. `migration`: stored data or a whole code base moves. `new_dependency` whenever a named technology, library or service is added, replaced, removed or raised by a major version, even if the user already chose it.
    triggers: Option<Vec<TriggerParams>>,
    /// Categories whose decision is really open or made by this request, not merely touched.
    topics: Option<Vec<TopicParams>>,
    /// Technologies and choices the user wants.
    wants: Option<Vec<ValueParams>>,
    /// What the user does not want.
    rejects: Option<Vec<ValueParams>>,
    /// What the user wants to stay.
    keeps: Option<Vec<ValueParams>>,
    /// What is to be replaced or removed.
    revokes: Option<Vec<ValueParams>>,
    /// Only what the user stated as a condition for being done, each word for word.
    acceptance_criteria: Option<Vec<QuotedParams>>,
    /// Everything the user excluded or said not to touch, each word for word.
    out_of_scope: Option<Vec<QuotedParams>>,
    /// Files, symbols and modules the user names.
    paths: Option<Vec<String>>,
    /// At most two or three questions that nobody but the user can answer and without which the work would go wrong: which technology or place to take where a category is left open, what happens to existing data and users, who may do it, limits. None for small work, none about versions, hosts, names or details an engineer decides, none about what the user has chosen already.
    ask: Option<Vec<AskParams>>,
}

#[expect(dead_code, reason = "only its schema is used")]
#[derive(JsonSchema)]
struct TriggerParams {
    #[schemars(schema_with = "triggers")]
    trigger: String,
    /// Words of `user_intention`.
    quote: String,
}

#[expect(dead_code, reason = "only its schema is used")]
#[derive(JsonSchema)]
struct TopicParams {
    /// A category, e.g. `Database`.
    category: String,
    /// Words of `user_intention`.
    quote: String,
}

#[expect(dead_code, reason = "only its schema is used")]
#[derive(JsonSchema)]
struct ValueParams {
    /// The category, e.g. `Database`, a field of it as in `preflights://categories`, or `other`.
    field: String,
    /// The technology or choice, e.g. `PostgreSQL`.
    value: String,
    /// Words of `user_intention` that name it.
    quote: String,
    /// The condition, where the user named one.
    r#if: Option<String>,
}

#[expect(dead_code, reason = "only its schema is used")]
#[derive(JsonSchema)]
struct QuotedParams {
    /// Word for word.
    quote: String,
}

#[expect(dead_code, reason = "only its schema is used")]
#[derive(JsonSchema)]
struct AskParams {
    question: String,
    /// Why it matters, in a sentence.
    why: String,
    /// What to choose from, if there is a choice.
    options: Option<Vec<String>>,
}

fn kinds(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": KINDS })
}

fn triggers(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": TRIGGERS })
}

#[cfg(test)]
mod tests {
    use schemars::generate::SchemaSettings;
    use serde_json::Value;

    use super::*;

    /// In the strict form that services ask for: every property is there, empty where nothing was
    /// said, and no other.
    fn closed(schema: &Value) -> Value {
        let mut closed = serde_json::Map::new();
        for keyword in ["type", "enum", "description"] {
            if let Some(value) = schema.get(keyword) {
                // What may be left out elsewhere is an empty list or text here.
                let first = value.get(0).filter(|_| keyword == "type");
                closed.insert(keyword.to_owned(), first.unwrap_or(value).clone());
            }
        }
        if let Some(items) = schema.get("items") {
            closed.insert("items".to_owned(), self::closed(items));
        }
        if let Some(properties) = schema["properties"].as_object() {
            let names: Vec<&String> = properties.keys().collect();
            closed.insert("required".to_owned(), serde_json::json!(names));
            closed.insert("additionalProperties".to_owned(), false.into());
            let properties = properties.iter().map(|(name, it)| (name.clone(), self::closed(it)));
            closed.insert("properties".to_owned(), Value::Object(properties.collect()));
        }
        Value::Object(closed)
    }

    #[test]
    fn a_language_model_is_asked_for_the_same_as_an_agent() {
        let settings = SchemaSettings::draft2020_12().with(|it| it.inline_subschemas = true);
        let schema = settings.into_generator().into_root_schema_for::<ReadingParams>().to_value();
        let kept = include_str!("../../assets/schemas/reading.json");
        let expected = format!("{:#}\n", closed(&schema));
        assert_eq!(kept, expected, "assets/schemas/reading.json should be:\n{expected}");
    }
}
