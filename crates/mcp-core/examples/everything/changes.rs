//! Tools that tell every connected client of a change, and the resource that really changes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use mcp_core::server::{Announced, Answer, Changes, Tool};

use crate::Nothing;
use crate::resources::WATCHED;

/// How often the watched resource was touched, which is all there is to read in it.
#[derive(Default)]
pub(crate) struct Watched(AtomicU64);

impl Watched {
    pub(crate) fn text(&self) -> String {
        format!("touches: {}", self.0.load(Ordering::Relaxed))
    }

    fn touch(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

pub(crate) fn tools(changes: &Changes, watched: &Arc<Watched>) -> Vec<Tool> {
    vec![
        announcing(
            "test_trigger_tool_change",
            "Tells clients that the list of tools changed.",
            changes,
            Announced::ToolList,
        ),
        announcing(
            "test_trigger_prompt_change",
            "Tells clients that the list of prompts changed.",
            changes,
            Announced::PromptList,
        ),
        touch_watched(changes.clone(), watched.clone()),
    ]
}

fn announcing(
    name: &'static str,
    description: &'static str,
    changes: &Changes,
    change: Announced,
) -> Tool {
    let changes = changes.clone();
    Tool::read_only(name, description).run_sync(move |_, Nothing {}| {
        changes.send(change.clone());
        Ok(Answer::text("announced"))
    })
}

fn touch_watched(changes: Changes, watched: Arc<Watched>) -> Tool {
    Tool::writing(
        "touch_watched",
        "Changes the resource test://watched and tells clients of it and of the list.",
    )
    .additive()
    .run_sync(move |_, Nothing {}| {
        watched.touch();
        changes.send(Announced::Resource(WATCHED.to_owned()));
        changes.send(Announced::ResourceList);
        Ok(Answer::text(watched.text()))
    })
}
