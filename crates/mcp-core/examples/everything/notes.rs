//! Files beneath the root: the one tool that writes, and the log that blocking work leaves.

use std::sync::Mutex;

use mcp_core::cli::Settings;
use mcp_core::failure::Failure;
use mcp_core::sandbox::RelPath;
use mcp_core::server::{Answer, Tool};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Note {
    /// Where to write, relative to the root.
    path: String,
    /// What to write.
    text: String,
}

pub(crate) fn write_note(settings: &Settings) -> Tool {
    let settings = settings.clone();
    Tool::writing("write_note", "Writes a text file beneath the root.")
        .toolset("notes")
        .idempotent()
        .run_blocking(move |_, note: Note| {
            let path = RelPath::parse(&note.path)?;
            settings.open_root()?.write(&path, note.text.as_bytes())?;
            Ok(Answer::text(format!("wrote {path}")))
        })
}

/// Files that calls append lines to, one call at a time.
pub(crate) struct Log {
    settings: Settings,
    writing: Mutex<()>,
}

impl Log {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self { settings: settings.clone(), writing: Mutex::default() }
    }

    pub(crate) fn append(&self, path: &str, line: &str) -> Result<(), Failure> {
        let path = RelPath::parse(path)?;
        let _alone = self.writing.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let root = self.settings.open_root()?;
        let so_far = root.read_text_if_any(&path)?.unwrap_or_default();
        Ok(root.write(&path, format!("{so_far}{line}\n").as_bytes())?)
    }
}
