//! The shape of a reading: what an agent is asked to fill in. It is read leniently, by the domain.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::domain::claims::{KINDS, TRIGGERS};

/// Every claim carries the user's own words.
#[expect(dead_code, reason = "only its schema is used")]
#[derive(JsonSchema)]
pub(super) struct ReadingParams {
    /// What kind of work it is. A report of something broken is a `bug_fix` even without the word.
    #[schemars(schema_with = "kinds")]
    kind: String,
    /// Why a decision record is due; leave it empty for bug fixes, wording, plain refactoring and settings within what is there. `new_dependency` whenever a named technology, library or service is added, replaced, removed or raised by a major version, even if the user already chose it.
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
    /// Up to four questions only the user can answer and the work depends on: existing data and users, where something is kept, limits, which of several technologies. None for small work.
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
