//! `list_commands` and `get_command`.

use std::sync::Arc;

use mcp_core::server::{Answer, Tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::domain::{self, Command};
use crate::store::library::Library;
use crate::tools::prompts::find;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ListCommandsParams {
    /// Only commands whose name or description contains this, e.g. `plan`. Leave it out for all.
    filter: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct ListCommandsOutput {
    /// The commands by name.
    commands: Vec<ListedCommand>,
}

#[derive(Serialize, JsonSchema)]
struct ListedCommand {
    /// What to give `get_command` as `name`.
    name: String,
    title: String,
    description: String,
    /// What to give `get_command` as `input`; absent when the command takes none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    input: Option<String>,
    /// The commands that usually come next.
    handoffs: Vec<Handoff>,
}

#[derive(Serialize, JsonSchema)]
struct Handoff {
    /// What the next step is, in a few words.
    label: String,
    /// The command of the next step.
    agent: String,
    /// What to give it as input.
    prompt: String,
    /// Whether it may follow without asking the user.
    send: bool,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct GetCommandParams {
    /// The command's name as `list_commands` has it, e.g. `sp.plan`.
    name: String,
    /// All that the user typed after the command's name, word for word; at most 102,400 bytes.
    input: Option<String>,
}

pub(super) fn list_commands(library: Arc<Library>) -> Tool {
    Tool::read_only(
        "list_commands",
        "Lists the commands of this project: name, what each is for, what input it takes, and \
         which commands follow it. Call it when the user names a command (such as /sp.plan) or \
         asks what there is; then call get_command with the name.",
    )
    .title("List commands")
    .output::<ListCommandsOutput>()
    .aliases(&[("query", "filter"), ("search", "filter")])
    .run_blocking(move |_, params: ListCommandsParams| {
        let snapshot = library.refresh();
        let filter = params.filter.unwrap_or_default().trim().to_lowercase();
        let commands = snapshot.catalog.commands().filter(|it| matches(it, &filter));
        let output = ListCommandsOutput { commands: commands.map(|it| listed(it)).collect() };
        Ok(Answer::data(&output)?
            .shorten("commands")
            .narrow("Give `filter`, a word of the name or description, to see others."))
    })
}

pub(super) fn get_command(library: Arc<Library>) -> Tool {
    Tool::read_only(
        "get_command",
        "Returns the instructions of one command with the user's input put into them. Follow them \
         as if the user had written them. Call it when the user runs a command, such as \
         `/sp.specify Add payment processing`: name `sp.specify`, input `Add payment processing`.",
    )
    .title("Get a command")
    .document()
    .aliases(&[
        ("command", "name"),
        ("prompt", "name"),
        ("arguments", "input"),
        ("ARGUMENTS", "input"),
        ("args", "input"),
    ])
    .run(move |call, params: GetCommandParams| {
        let library = library.clone();
        async move {
            let command = find(&library, &call, params.name).await?;
            let input = params.input.as_deref().unwrap_or_default();
            let text = command.render_losing_nothing(input)?;
            let answer = Answer::document(text);
            Ok(match &command.handoffs_json {
                Value::Null => answer,
                handoffs => answer.meta("handoffs", handoffs.clone()),
            })
        }
    })
}

fn matches(command: &Command, filter: &str) -> bool {
    filter.is_empty()
        || command.name.to_lowercase().contains(filter)
        || command.description.to_lowercase().contains(filter)
}

fn listed(command: &Command) -> ListedCommand {
    ListedCommand {
        name: command.name.clone(),
        title: command.title.clone(),
        description: command.description.clone(),
        input: command.takes_input().then(|| command.input_description()),
        handoffs: command.handoffs.iter().map(handoff).collect(),
    }
}

fn handoff(handoff: &domain::Handoff) -> Handoff {
    let domain::Handoff { label, agent, prompt, send } = handoff.clone();
    Handoff { label, agent, prompt, send }
}
