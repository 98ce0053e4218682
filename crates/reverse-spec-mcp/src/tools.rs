//! The tools, in the order clients see them: translate, call, translate back.

mod arguments;
mod batch;
mod diff;
mod generate;
mod prepare;
mod report;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use mcp_core::clock::Clock;
use mcp_core::model::{ContentBlock, Resource};
use mcp_core::server::{Answer, Tool};
use mcp_core::work::Work;
use serde_json::Value;
use tokio::runtime::Handle;

use crate::domain::spec::Words;
use crate::error::Error;
use crate::store::generate::{Style, Writer};
use crate::store::model::{Llm, Remote};
use crate::store::project::{Places, Target};

pub(crate) use report::report;

/// What every tool works with.
pub(crate) struct Setting {
    pub(crate) places: Places,
    pub(crate) clock: Clock,
    pub(crate) read_only: bool,
    /// Tokens of a context.
    pub(crate) token_budget: usize,
    /// The language of documents.
    pub(crate) words: &'static LazyLock<Words>,
    pub(crate) llm: Llm,
    /// Whether `diff` may ask a model too.
    pub(crate) semantic: bool,
    /// After this a call is stopped.
    pub(crate) call_timeout: Duration,
}

impl Setting {
    /// The model that is asked in one call or command, if one is configured.
    pub(crate) fn model<'a>(
        &'a self,
        work: &Work,
        runtime: &Handle,
        until: Instant,
    ) -> Option<Remote<'a>> {
        let Llm::Client { client, provider, .. } = &self.llm else { return None };
        Some(Remote::new(client, provider, work.clone(), runtime.clone(), until))
    }

    /// The model that `diff` asks, if one is configured and the user wants that.
    pub(crate) fn judge<'a>(
        &'a self,
        work: &Work,
        runtime: &Handle,
        until: Instant,
    ) -> Option<Remote<'a>> {
        self.model(work, runtime, until).filter(|_| self.semantic)
    }

    /// Which model would be asked, and by which tools: for the log.
    pub(crate) fn who_is_asked(&self) -> String {
        let Llm::Client { described, .. } = &self.llm else {
            return "no language model is asked".to_owned();
        };
        let diff = if self.semantic { ", and diff about bodies that changed" } else { "" };
        format!("generate and batch ask a language model to write{diff}: {described}")
    }

    /// The project that is named, else the one the server was started for.
    pub(crate) fn project(&self, given: Option<&str>) -> Result<Target, Error> {
        let root = self.places.roots.first().map(|it| it.display().to_string());
        let given = given.filter(|it| !it.trim().is_empty()).map(str::to_owned);
        self.places.project(&given.or(root).unwrap_or_default())
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

/// Writes with whoever writes the prose, in a call or in the shell, up to `until`.
pub(crate) fn with_writer<T, E: From<Error>>(
    work: &Work,
    runtime: &Handle,
    setting: &Setting,
    until: Instant,
    write: impl FnOnce(Style<'_>) -> Result<T, E>,
) -> Result<T, E> {
    let remote = setting.model(work, runtime, until);
    let writer = match (&setting.llm, &remote) {
        (Llm::Missing, _) => return Err(Error::NoCredentials.into()),
        (_, Some(model)) => Writer::Model(model),
        (Llm::Off, None) => Writer::Off,
        (_, None) => Writer::Nobody,
    };
    write(Style {
        writer,
        words: setting.words,
        clock: &setting.clock,
        token_budget: setting.token_budget,
    })
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
