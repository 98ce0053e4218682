//! The commands as documentation: one page each, and the graph of their handoffs.

mod uri;

use std::sync::Arc;

use futures_util::future::BoxFuture;
use mcp_core::failure::Failure;
use mcp_core::model::{Resource, ResourceContents, ResourceTemplate};
use mcp_core::server::{Call, Completion, Halt, ResourceSource, media_type, skill_uri};
use serde_json::{Value, json};

use crate::domain::{Catalog, Command, manual};
use crate::error::Error;
use crate::store::library::{Library, Snapshot};

const GRAPH: &str = "specifyplus://commands";
const PAGE: &str = "specifyplus://commands/{name}";
const SKILL_FILE: &str = "skill://{name}/{+path}";
const VARIABLE: &str = "name";

pub(crate) struct Resources {
    library: Arc<Library>,
}

impl Resources {
    pub(crate) fn new(library: Arc<Library>) -> Self {
        Self { library }
    }
}

impl ResourceSource for Resources {
    fn list(&self) -> Result<Vec<Resource>, Failure> {
        let graph = Resource::new(GRAPH, "commands")
            .with_title("All commands and their handoffs")
            .with_description("Every command with its input and the commands it hands off to.")
            .with_mime_type("application/json");
        let snapshot = self.library.refresh();
        let pages = snapshot.catalog.commands().map(|command| {
            Resource::new(uri::of_command(&command.name), &command.name)
                .with_title(&command.title)
                .with_description(format!("How to use the command {}.", command.name))
                .with_mime_type("text/markdown")
        });
        let files = snapshot.catalog.commands().flat_map(|command| {
            let files = self.library.skill_files(&snapshot, &command.name);
            files.into_iter().map(|path| skill_file(&command.name, path.as_str()))
        });
        Ok(std::iter::once(graph).chain(pages).chain(files).collect())
    }

    fn templates(&self) -> Vec<ResourceTemplate> {
        let page = ResourceTemplate::new(PAGE, "command")
            .with_title("One command")
            .with_description("What a command is for, its input, its handoffs and an example.")
            .with_mime_type("text/markdown");
        let file = ResourceTemplate::new(SKILL_FILE, "skill file")
            .with_title("One file of a skill")
            .with_description(
                "A file that a skill refers to, by its path in the skill's directory.",
            );
        vec![page, file]
    }

    fn read<'a>(
        &'a self,
        call: Call,
        uri: &'a str,
    ) -> BoxFuture<'a, Result<Option<Vec<ResourceContents>>, Halt>> {
        Box::pin(async move {
            let library = self.library.clone();
            let snapshot = call.blocking(move |_| library.refresh()).await;
            Ok(contents(&snapshot, uri)?.map(|contents| vec![contents]))
        })
    }

    fn list_changes(&self) -> bool {
        true
    }

    fn can_complete(&self) -> bool {
        true
    }

    fn complete(&self, completion: &Completion<'_>) -> Vec<String> {
        if completion.of != PAGE || completion.argument != VARIABLE {
            return Vec::new();
        }
        self.library.refresh().catalog.completions(completion.typed)
    }
}

fn skill_file(skill: &str, path: &str) -> Resource {
    Resource::new(skill_uri(skill, path), format!("{skill}/{path}"))
        .with_description(format!("A file of the skill {skill}."))
        .with_mime_type(media_type(path))
}

fn contents(snapshot: &Snapshot, uri: &str) -> Result<Option<ResourceContents>, Error> {
    let catalog = &snapshot.catalog;
    if uri == GRAPH {
        let text = format!("{:#}", graph(catalog));
        return Ok(Some(ResourceContents::text(text, uri).with_mime_type("application/json")));
    }
    let Some(name) = uri::command_of(uri) else { return Ok(None) };
    match catalog.find(&name) {
        Ok(command) => {
            let text = manual(command, catalog);
            Ok(Some(ResourceContents::text(text, uri).with_mime_type("text/markdown")))
        }
        Err(Error::UnknownCommand { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Handoffs are shown as the files have them, also those that lead nowhere or in a circle.
fn graph(catalog: &Catalog) -> Value {
    let commands = catalog.commands().map(|command| {
        json!({
            "name": command.name,
            "title": command.title,
            "description": command.description,
            "input": command.takes_input().then(|| command.input_description()),
            "handoffs": handoffs(command),
            "documentation": uri::of_command(&command.name),
        })
    });
    let targets = catalog.commands().flat_map(|command| &command.handoffs);
    let mut dangling: Vec<&str> =
        targets.map(|handoff| handoff.agent.as_str()).filter(|agent| !catalog.has(agent)).collect();
    dangling.sort_unstable();
    dangling.dedup();
    json!({ "commands": commands.collect::<Value>(), "dangling": dangling })
}

fn handoffs(command: &Command) -> Value {
    match &command.handoffs_json {
        Value::Null => json!([]),
        handoffs => handoffs.clone(),
    }
}
