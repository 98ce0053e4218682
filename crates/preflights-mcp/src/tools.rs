//! The two tools on the wire.

mod form;
mod output;
mod reading;
pub(crate) mod resources;

use std::sync::Arc;

use mcp_core::server::{Answer, Call, Halt, Tool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::store::model::Setting;
use crate::store::service::{Ask, Reply, Service};
use output::{ArchitectureOutput, ClarificationOutput};
use reading::ReadingParams;

#[derive(Debug, Deserialize, JsonSchema)]
struct ClarificationParams {
    /// What the user wants, in their own words, e.g. `Add authentication`. Repeat it when you carry on a session.
    user_intention: String,
    /// Anything else that is known about it: constraints, the reason, what was tried.
    optional_context: Option<String>,
    /// The `session_id` of an earlier answer, to carry that clarification on. Leave it out to start one.
    session_id: Option<String>,
    /// On the first call: what you read in `user_intention`, so that nothing has to be guessed from its words. Every claim quotes the user. E.g. for "swap Redis for Valkey, keep the TTLs": `{"kind": "replacement", "triggers": [{"trigger": "new_dependency", "quote": "swap Redis for Valkey"}], "topics": [{"category": "Cache", "quote": "swap Redis"}], "wants": [{"field": "Cache", "value": "Valkey", "quote": "Valkey"}], "revokes": [{"field": "Cache", "value": "Redis", "quote": "Redis"}], "out_of_scope": [{"quote": "keep the TTLs"}]}`.
    #[serde(default)]
    #[schemars(with = "Option<ReadingParams>")]
    reading: Option<Value>,
    /// Question ids with their answers, e.g. `{"auth_strategy": "OAuth", "oauth_providers": ["Google"]}`. "decide later" leaves a question open, "not applicable" says that it is not about this, "Other: text" is a choice of one's own, and `reason` says why.
    answers: Option<Map<String, Value>>,
    /// Wishes about how it is handled, e.g. `{"force_adr": true}`.
    preferences: Option<Preferences>,
    /// The repository, or a path inside it. Default: the one the server was started in.
    repo_path: Option<String>,
    /// Whatever else was given: it is named in a warning, and nothing more.
    #[serde(flatten)]
    #[schemars(skip)]
    unknown: Map<String, Value>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
struct Preferences {
    /// Write a decision record even where the change would not deserve one.
    force_adr: Option<bool>,
    /// Categories that this request is not about, e.g. `["Cache"]`: nothing is asked or recorded about them.
    not_about: Option<Vec<String>>,
    #[serde(flatten)]
    #[schemars(skip)]
    unknown: Map<String, Value>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ArchitectureParams {
    /// The repository, or a path inside it. Default: the one the server was started in.
    repo_path: Option<String>,
}

pub(crate) fn all(service: &Arc<Service>, elicits: bool) -> [Tool; 2] {
    [require_clarification(service.clone(), elicits), read_architecture(service.clone())]
}

fn require_clarification(service: Arc<Service>, elicits: bool) -> Tool {
    let tool = Tool::writing(
        "require_clarification",
        "Call this before you write code for a request that is ambiguous or changes the structure of the project. Returns questions to put to the user (status needs_clarification: call again with session_id and answers) or, once nothing is open, the files it wrote (completed): a decision record in docs/adr where something is decided, docs/CURRENT_TASK.md with scope and acceptance criteria, docs/ARCHITECTURE_STATE.md. Small work is completed in one step.\n\nGive `reading` on the first call, in any language: you read, the engine decides. Every claim quotes the user word for word; a value counts as decided only if its quote names it, and nothing that is refused, compared or asked about is wanted. `triggers`: new_dependency whenever a named technology or service is added, replaced, removed or raised by a major version, even if the user chose it; category when one of the categories is decided anew; migration when data or the whole code base moves; explicit when a record or an architecture is asked for. None for bug fixes, wording, refactoring, settings, a further provider of a login that is there, or a feature within the present stack. `ask` what only the user knows and the work depends on (existing data and users, where something is kept, limits, which of several technologies, who may do it); nothing for small or fully specified work, nothing that the request or the repository answers.\n\nCategories: Database, Storage, Cache, Search, Migration, Authentication, Authorization, Security, RateLimits, API, Frontend, Backend, Runtime, Payments, Realtime, Localization, Messaging, Jobs, Deployment, Infrastructure, CI, Observability, Testing, Email; fields and usual values in preflights://categories. `detected` lists what was taken from request, repository or earlier decisions: correct it by answering that id.",
    )
    .title("Clarify a request")
    .additive();
    let tool =
        if matches!(service.model, Setting::Ready { .. }) { tool.open_world() } else { tool };
    tool.output::<ClarificationOutput>().run(move |call: Call, params: ClarificationParams| {
        let service = service.clone();
        async move { clarify(&call, service, ask(params), elicits).await }
    })
}

fn ask(params: ClarificationParams) -> Ask {
    let preferences = params.preferences.unwrap_or_default();
    let wishes = preferences.unknown.keys().map(|name| format!("preferences.{name}"));
    let unknown = params.unknown.keys().cloned().chain(wishes).collect();
    Ask {
        intention: params.user_intention,
        context: params.optional_context,
        session_id: params.session_id,
        answers: params.answers.unwrap_or_default(),
        reading: params.reading,
        unknown,
        force_adr: preferences.force_adr.unwrap_or_default(),
        not_about: preferences.not_about.unwrap_or_default(),
        repo_path: params.repo_path,
        declined: false,
        shown: Vec::new(),
    }
}

async fn clarify(
    call: &Call,
    service: Arc<Service>,
    ask: Ask,
    elicits: bool,
) -> Result<Answer, Halt> {
    let may_ask = elicits && ask.answers.is_empty() && call.can_elicit();
    if may_ask {
        return form::clarify_by_form(call, service, ask).await;
    }
    let reply = call.blocking(move |call| service.clarify(&ask, call.work()));
    answer(&reply.await?)
}

/// The answer to a clarification as the shell shows it, too.
pub(crate) fn as_json(reply: &Reply) -> Value {
    serde_json::to_value(ClarificationOutput::from(reply)).unwrap_or_default()
}

fn answer(reply: &Reply) -> Result<Answer, Halt> {
    Ok(Answer::data(&ClarificationOutput::from(reply))?)
}

fn read_architecture(service: Arc<Service>) -> Tool {
    Tool::read_only(
        "read_architecture",
        "Returns what has been decided about the architecture so far, by category and field, out of all decision records in docs/adr. Read it before you plan or write code, and keep to it.",
    )
    .title("Read the architecture")
    .output::<ArchitectureOutput>()
    .run_blocking(move |call, params: ArchitectureParams| {
        let picture = service.picture(params.repo_path.as_deref(), call.work())?;
        Ok(Answer::data(&ArchitectureOutput::from(&picture))?)
    })
}
