//! `transform_with_ai`: a requirement rewritten by a language model, checked before it is written.

use std::sync::Arc;
use std::time::Duration;

use mcp_core::clock::Clock;
use mcp_core::failure::Failure;
use mcp_core::server::{Answer, Call, Halt, Tool};
use mcp_llm::{Client, Config, Names, Request, Shape};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{CORE, REQUIREMENT_ID, ROOMY, patiently};
use crate::error::Error;
use crate::graph::{Node, NodeKind, TraceGraph};
use crate::transform::{INSTRUCTIONS, Rewriting, prompt, schema};
use crate::workspace::{SaveRequest, Workspace};

pub(crate) const NAMES: Names = Names { prefix: "ELSPAIS", model: None, off: None };
const MAX_TOKENS: u32 = 8192;
/// What is left of a call's time for writing the file.
const MARGIN: Duration = Duration::from_secs(5);

/// The model that is asked, if one is configured; what is wrong with the settings otherwise.
#[derive(Clone)]
pub(crate) struct Llm {
    client: Result<Arc<Client>, Failure>,
    timeout: Duration,
}

impl Llm {
    pub(crate) fn from_variables(
        variable: &dyn Fn(&str) -> Option<String>,
        timeout: Duration,
    ) -> Self {
        let client = match Config::read(&NAMES, variable) {
            Ok(Some(config)) => {
                Client::new(config, Clock::system()).map(Arc::new).map_err(Failure::from)
            }
            Ok(None) => Err(Config::missing(&NAMES).into()),
            Err(error) => Err(error.into()),
        };
        Self { client, timeout }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TransformParams {
    /// The requirement to rewrite, e.g. `REQ-d00001`.
    req_id: String,
    /// What should change, in plain words.
    prompt: String,
    /// Keep the files as they are on a git branch first.
    save_branch: Option<bool>,
    /// Only show the difference; write nothing.
    dry_run: Option<bool>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct TransformOutput {
    success: bool,
    dry_run: bool,
    node_id: String,
    file_path: String,
    before_text: String,
    after_text: String,
    diff: String,
    /// What the model says it changed.
    summary: String,
    model: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    safety_branch: Option<String>,
    message: String,
}

pub(super) fn tools(workspace: &Arc<Workspace>, llm: &Llm) -> Vec<Tool> {
    let (workspace, llm) = (workspace.clone(), llm.clone());
    vec![
        Tool::writing(
            "transform_with_ai",
            "Lets a language model rewrite a requirement in its file as the prompt says. The answer is checked before anything is written: same id, legal labels, SHALL in every assertion, nothing else in the file touched. Show the user a dry_run first. Refused while changes are unsaved.",
        )
        .title("Rewrite a requirement with a language model")
        .toolset(CORE)
        .aliases(REQUIREMENT_ID)
        .open_world()
        .budget(ROOMY)
        .output::<TransformOutput>()
        .run(move |call, params: TransformParams| {
            let (workspace, llm) = (workspace.clone(), llm.clone());
            async move { transform(&call, workspace, &llm, params).await }
        }),
    ]
}

async fn transform(
    call: &Call,
    workspace: Arc<Workspace>,
    llm: &Llm,
    params: TransformParams,
) -> Result<Answer, Halt> {
    let client = llm.client.clone()?;
    let (reader, id, wish) = (workspace.clone(), params.req_id.trim().to_owned(), params.prompt);
    let (id, before_text, asked) = call
        .blocking(move |call| {
            let seen = patiently(call, |patience| {
                reader.read(patience, |loaded| {
                    let pending = loaded.graph.log.len();
                    if pending > 0 {
                        return Err(Error::Pending { count: pending });
                    }
                    let node = requirement(&loaded.graph, &id)?;
                    Ok((node.id(), block(&node), prompt(&node, &wish)?))
                })
            })?;
            Ok::<_, Halt>(seen.value)
        })
        .await?;
    let shape = Shape::new("submit_requirement", "The requirement as it should be.", schema())?;
    let deadline = llm.timeout.saturating_sub(MARGIN).max(Duration::from_secs(1));
    let request = Request::new(INSTRUCTIONS, &asked).max_tokens(MAX_TOKENS).deadline(deadline);
    let answered = client.structured(&request, &shape, call.cancelled()).await?;
    let rewriting = Rewriting::of(answered.value)?;
    let summary = mcp_core::text::harmless(&rewriting.summary).into_owned();
    let request = SaveRequest {
        dry_run: params.dry_run.unwrap_or(false),
        save_branch: params.save_branch.unwrap_or(false),
        tip: None,
    };
    let (node_id, model) = (id.clone(), answered.model);
    let output = call
        .blocking(move |call| {
            let mut after_text = String::new();
            let purpose = format!("transform_with_ai {id}");
            let saved = patiently(call, |patience| {
                workspace.edit_files(patience, &id, &purpose, &request, |graph, _, occasion| {
                    if block(&requirement(graph, &id)?) != before_text {
                        return Err(Error::refused(
                            format!("{id} was changed while the model wrote; nothing was written"),
                            "Call again: the model then sees the requirement as it is now.",
                        ));
                    }
                    graph.rewrite(occasion, &id, &rewriting)?;
                    after_text = block(&requirement(graph, &id)?);
                    Ok(())
                })
            })?;
            let message = match (saved.files.is_empty(), request.dry_run) {
                (true, _) => format!("the model left {id} as it is"),
                (false, true) => format!("{id} would be rewritten"),
                (false, false) => format!("{id} was rewritten"),
            };
            Ok::<_, Halt>(TransformOutput {
                success: true,
                dry_run: request.dry_run,
                node_id,
                file_path: saved.files.first().map(|file| file.path.clone()).unwrap_or_default(),
                before_text,
                after_text,
                diff: saved.diff,
                summary,
                model,
                safety_branch: saved.safety_branch,
                message,
            })
        })
        .await?;
    Ok(Answer::data(&output)?)
}

fn requirement<'g>(graph: &'g TraceGraph, id: &str) -> Result<Node<'g>, Error> {
    let node = graph.get_node(id).filter(|node| node.kind() == NodeKind::Requirement);
    node.ok_or_else(|| graph.no_requirement(id))
}

/// The requirement as it stands in its file.
fn block(node: &Node<'_>) -> String {
    let span = node.span();
    let file = node.file();
    file.zip(span).map(|(file, span)| span.of(&file.text).to_owned()).unwrap_or_default()
}
