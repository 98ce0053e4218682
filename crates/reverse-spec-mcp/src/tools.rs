//! The tools, in the order clients see them: translate, call, translate back.

mod arguments;
mod batch;
mod diff;
mod generate;
mod model;
mod prepare;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mcp_core::clock::Clock;
use mcp_core::server::{Answer, Call, Halt, Tool, ToolBuilder};
use rmcp::model::{ContentBlock, Resource};
use serde_json::Value;
use tokio::runtime::Handle;

use crate::error::Error;
use crate::generate::{Style, Writer};
use crate::project::Places;
use crate::spec::Words;
use arguments::Given;
pub(crate) use model::Llm;
pub(crate) use model::Remote;

/// What every tool works with.
pub(crate) struct Setting {
    pub(crate) places: Places,
    pub(crate) clock: Clock,
    pub(crate) read_only: bool,
    /// Tokens of a context.
    pub(crate) token_budget: usize,
    /// The language of documents.
    pub(crate) words: &'static Words,
    pub(crate) llm: Llm,
    /// After this a call is stopped.
    pub(crate) call_timeout: Duration,
}

impl Setting {
    /// The model that is asked in one call or command, if one is configured.
    pub(crate) fn model<'a>(
        &'a self,
        call: Option<&'a Call>,
        runtime: &Handle,
        until: Instant,
    ) -> Option<Remote<'a>> {
        let Llm::Client { client, provider } = &self.llm else { return None };
        Some(Remote::new(client, provider, call, runtime.clone(), until))
    }

    /// Whether a model reads what a batch finds: then it gets the texts too.
    pub(crate) fn reads_texts(&self) -> bool {
        matches!(self.llm, Llm::Client { .. })
    }
}

pub(crate) fn all(setting: &Arc<Setting>) -> Vec<Tool> {
    vec![
        prepare::tool(setting.clone()),
        generate::tool(setting.clone()),
        batch::tool(setting.clone()),
        diff::tool(setting.clone()),
    ]
}

/// Completes a tool by its schema from the contract; the work gets a thread of its own.
fn described(
    tool: ToolBuilder,
    name: &'static str,
    schema: &str,
    setting: Arc<Setting>,
    run: fn(&Call, &Setting, &Given) -> Result<Answer, Halt>,
) -> Tool {
    let schema = Arc::new(arguments::schema(schema));
    tool.run_raw(&schema.clone(), move |call, sent| {
        let (setting, schema) = (setting.clone(), schema.clone());
        async move {
            let given = arguments::check(name, &schema, sent)?;
            call.blocking(move |call| run(call, &setting, &given)).await
        }
    })
}

/// Lets work be done by whoever writes the prose, in a call or in the shell, up to `until`.
pub(crate) fn with_writer<T, E: From<Error>>(
    call: Option<&Call>,
    runtime: &Handle,
    setting: &Setting,
    until: Instant,
    work: impl FnOnce(Style<'_>) -> Result<T, E>,
) -> Result<T, E> {
    let remote = setting.model(call, runtime, until);
    let writer = match (&setting.llm, &remote) {
        (Llm::Missing, _) => return Err(Error::NoCredentials.into()),
        (_, Some(model)) => Writer::Model(model),
        (Llm::Off, None) => Writer::Off,
        (_, None) => Writer::Nobody,
    };
    work(Style {
        writer,
        words: setting.words,
        clock: &setting.clock,
        token_budget: setting.token_budget,
    })
}

/// Tells of every hundredth part, so that a large target does not flood the client.
fn report(call: &Call, done: usize, of: usize, what: &str) {
    let step = (of / 100).max(1);
    if done.is_multiple_of(step) || done == of {
        let number = |it: usize| f64::from(u32::try_from(it).unwrap_or(u32::MAX));
        call.report(number(done), Some(number(of)), what);
    }
}

/// The answer as the contract has it: one text that is JSON, and a link to a file with more.
fn answer(mut json: Value, file: Option<&Path>) -> Answer {
    make_harmless(&mut json);
    let mut blocks = vec![ContentBlock::text(json.to_string())];
    if let Some(link) = file.and_then(link_to) {
        blocks.push(link);
    }
    Answer::blocks(blocks)
}

fn link_to(file: &Path) -> Option<ContentBlock> {
    let name = file.file_name()?.to_str()?.to_owned();
    let mut uri = "file://".to_owned();
    for byte in file.to_str()?.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    let mut resource = Resource::new(uri, name);
    resource.mime_type = Some("application/json".to_owned());
    Some(ContentBlock::resource_link(resource))
}

/// Source code may hold characters that deceive a reader.
fn make_harmless(value: &mut Value) {
    match value {
        Value::String(words) => {
            if let std::borrow::Cow::Owned(kept) = mcp_core::text::harmless(words) {
                *words = kept;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(make_harmless),
        Value::Object(fields) => fields.values_mut().for_each(make_harmless),
        _ => {}
    }
}
