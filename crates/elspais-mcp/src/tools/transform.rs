//! `transform_with_ai`: a requirement rewritten by a language model, checked before it is written.

use std::sync::Arc;

use mcp_core::server::{Answer, Call, Halt, Tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{CORE, REQUIREMENT_ID, ROOMY};
use crate::domain::graph::{Node, NodeKind, TraceGraph};
use crate::domain::transform::prompt;
use crate::error::Error;
use crate::store::rewriter::Rewriter;
use crate::store::workspace::{SaveRequest, Workspace};

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

pub(super) fn tools(workspace: &Arc<Workspace>, rewriter: &Rewriter) -> Vec<Tool> {
    let (workspace, rewriter) = (workspace.clone(), rewriter.clone());
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
            let (workspace, rewriter) = (workspace.clone(), rewriter.clone());
            async move { transform(&call, workspace, &rewriter, params).await }
        }),
    ]
}

async fn transform(
    call: &Call,
    workspace: Arc<Workspace>,
    rewriter: &Rewriter,
    params: TransformParams,
) -> Result<Answer, Halt> {
    rewriter.check()?;
    let (reader, id, wish) = (workspace.clone(), params.req_id.trim().to_owned(), params.prompt);
    let (id, before_text, asked) = call
        .blocking(move |call| {
            let seen = reader.read(call.work(), |loaded| {
                loaded.log.check_empty()?;
                let node = requirement(&loaded.graph, &id)?;
                Ok((node.id(), block(&node), prompt(&node, &wish)?))
            })?;
            Ok::<_, Halt>(seen.value)
        })
        .await?;
    let (rewriting, model) = rewriter.ask(&asked, call.work()).await?;
    let summary = mcp_core::text::harmless(&rewriting.summary).into_owned();
    let request = SaveRequest {
        dry_run: params.dry_run.unwrap_or(false),
        save_branch: params.save_branch.unwrap_or(false),
        ..SaveRequest::default()
    };
    let node_id = id.clone();
    let output = call
        .blocking(move |call| {
            let mut after_text = String::new();
            let purpose = format!("transform_with_ai {id}");
            let saved = workspace.edit_files(
                call.work(),
                &id,
                &purpose,
                &request,
                |editor, _, occasion| {
                    if block(&requirement(editor.graph, &id)?) != before_text {
                        return Err(Error::refused(
                            format!("{id} was changed while the model wrote; nothing was written"),
                            "Call again: the model then sees the requirement as it is now.",
                        ));
                    }
                    editor.rewrite(occasion, &id, &rewriting)?;
                    after_text = block(&requirement(editor.graph, &id)?);
                    Ok(())
                },
            )?;
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
