//! The resources: text, bytes, one that changes, and a template whose variable completes.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use mcp_core::failure::Failure;
use mcp_core::server::{Call, Completion, Halt, ResourceSource};
use rmcp::model::{Resource, ResourceContents, ResourceTemplate};
use serde_json::json;

use crate::changes::Watched;
use crate::samples::PNG;

const TEXT: &str = "test://static-text";
const BINARY: &str = "test://static-binary";
pub(crate) const WATCHED: &str = "test://watched";
/// The one that the conformance suite subscribes to; it stays as it is.
const WATCHED_IN_VAIN: &str = "test://watched-resource";
const TEMPLATE: &str = "test://template/{id}/data";

/// More than one answer to a completion may hold.
const IDS: u32 = 150;

pub(crate) struct Resources {
    watched: Arc<Watched>,
}

impl Resources {
    pub(crate) fn new(watched: Arc<Watched>) -> Self {
        Self { watched }
    }

    fn contents(&self, uri: &str) -> Option<ResourceContents> {
        Some(match uri {
            TEXT => ResourceContents::text("This is the content of the static text resource.", uri),
            BINARY => ResourceContents::blob(PNG, uri).with_mime_type("image/png"),
            WATCHED => ResourceContents::text(self.watched.text(), uri),
            WATCHED_IN_VAIN => ResourceContents::text("This never changes.", uri),
            _ => {
                let id = uri.strip_prefix("test://template/")?.strip_suffix("/data")?;
                if id.is_empty() || id.contains('/') {
                    return None;
                }
                let data = format!("Data for ID: {id}");
                let value = json!({ "id": id, "templateTest": true, "data": data });
                ResourceContents::text(value.to_string(), uri).with_mime_type("application/json")
            }
        })
    }
}

impl ResourceSource for Resources {
    fn list(&self) -> Result<Vec<Resource>, Failure> {
        Ok(vec![
            resource(TEXT, "static-text", "A text.", "text/plain"),
            resource(BINARY, "static-binary", "An image.", "image/png"),
            resource(WATCHED, "watched", "Changes with `touch_watched`.", "text/plain"),
            resource(WATCHED_IN_VAIN, "watched-resource", "Never changes.", "text/plain"),
        ])
    }

    fn templates(&self) -> Vec<ResourceTemplate> {
        let template = ResourceTemplate::new(TEMPLATE, "template")
            .with_description("Repeats its id.")
            .with_mime_type("application/json");
        vec![template]
    }

    fn read<'a>(
        &'a self,
        _call: Call,
        uri: &'a str,
    ) -> BoxFuture<'a, Result<Option<Vec<ResourceContents>>, Halt>> {
        Box::pin(async move { Ok(self.contents(uri).map(|contents| vec![contents])) })
    }

    fn list_changes(&self) -> bool {
        true
    }

    fn can_subscribe(&self) -> bool {
        true
    }

    fn can_complete(&self) -> bool {
        true
    }

    fn complete(&self, completion: &Completion<'_>) -> Vec<String> {
        if (completion.of, completion.argument) != (TEMPLATE, "id") {
            return Vec::new();
        }
        let ids = (1..=IDS).map(|id| id.to_string());
        ids.filter(|id| id.starts_with(completion.typed)).collect()
    }
}

fn resource(uri: &str, name: &str, description: &str, mime_type: &str) -> Resource {
    Resource::new(uri, name).with_description(description).with_mime_type(mime_type)
}
