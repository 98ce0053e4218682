//! What a server offers, as one JSON value.

use serde_json::{Value, json};

use super::Shared;

pub(super) fn describe(shared: &Shared) -> Value {
    let tools: Vec<_> = shared.enabled_tools().map(super::tool::Tool::definition).collect();
    let prompts = shared.prompts.as_ref().and_then(|it| it.list().ok()).unwrap_or_default();
    let resources = shared.resources.as_ref().and_then(|it| it.list().ok()).unwrap_or_default();
    let templates = shared.resources.as_ref().map(|it| it.templates()).unwrap_or_default();
    json!({
        "server": {
            "name": shared.identity.name,
            "version": shared.identity.version,
            "instructions": shared.identity.instructions,
        },
        "tools": tools,
        "prompts": prompts,
        "resources": resources,
        "resourceTemplates": templates,
    })
}
