//! The two tools on the wire.

mod form;
mod output;
mod patience;

use std::sync::Arc;

use mcp_core::server::{Answer, Call, Halt, Tool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::model::Setting;
use crate::service::{Ask, Reply, Service};
use output::{ArchitectureOutput, ClarificationOutput};
pub(crate) use patience::Patient;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ClarificationParams {
    /// What the user wants, in their own words, e.g. `Add authentication`. Repeat it when you carry on a session.
    user_intention: String,
    /// Anything else that is known about it: constraints, the reason, what was tried.
    optional_context: Option<String>,
    /// The `session_id` of an earlier answer, to carry that clarification on. Leave it out to start one.
    session_id: Option<String>,
    /// Question ids with their answers, e.g. `{"auth_strategy": "OAuth", "oauth_providers": ["Google"]}`. "decide later" leaves a question open, "Other: text" is a choice of one's own, and `reason` says why.
    answers: Option<Map<String, Value>>,
    /// Wishes about how it is handled, e.g. `{"force_adr": true}`.
    preferences: Option<Preferences>,
    /// The repository, or a path inside it. Default: the one the server was started in.
    repo_path: Option<String>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
struct Preferences {
    /// Write a decision record even where the change would not deserve one.
    force_adr: Option<bool>,
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
        "Call this before you write code for a request that is ambiguous or changes the structure of the project. Returns either questions to put to the user (status needs_clarification: call again with session_id and answers) or, once nothing is open, the files it wrote (status completed): an architecture decision record in docs/adr where the request decides something, docs/CURRENT_TASK.md with scope and acceptance criteria, and docs/ARCHITECTURE_STATE.md. Bug fixes, typos and the like are completed in one step. `detected` lists what was taken from the request, the repository or earlier decisions: correct it by answering that id.",
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
    Ask {
        intention: params.user_intention,
        context: params.optional_context,
        session_id: params.session_id,
        answers: params.answers.unwrap_or_default(),
        force_adr: params.preferences.unwrap_or_default().force_adr.unwrap_or_default(),
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
    let reply =
        call.blocking(move |call| Patient::with(call, &service, |it| service.clarify(&ask, it)));
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
    .run_blocking(move |_, params: ArchitectureParams| {
        let picture = service.picture(params.repo_path.as_deref())?;
        Ok(Answer::data(&ArchitectureOutput::from(&picture))?)
    })
}
