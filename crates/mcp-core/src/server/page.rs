//! A page beside the answers of one tool (MCP Apps), for clients that declare that they show pages.
//!
//! To every other client it does not exist: no capability, no resource and no word in the tool's
//! definition tells of it.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use rmcp::model::{ClientCapabilities, MetaObject, Resource, ResourceContents};

use super::handler::Context;
use super::{Call, Halt, ResourceSource, Server};
use crate::failure::Failure;

/// What the extension is called among a client's capabilities.
const EXTENSION: &str = "io.modelcontextprotocol/ui";

/// The media type of such pages.
pub(super) const MEDIA_TYPE: &str = "text/html;profile=mcp-app";

type Render = dyn Fn(&Call) -> Result<String, Halt> + Send + Sync;

/// A page of HTML as the one resource of its kind, made anew each time it is read.
pub struct PageSource {
    uri: &'static str,
    resource: Resource,
    render: Arc<Render>,
}

impl PageSource {
    /// `render` works long: it gets a thread of its own.
    pub fn new(
        uri: &'static str,
        title: &'static str,
        description: &'static str,
        render: impl Fn(&Call) -> Result<String, Halt> + Send + Sync + 'static,
    ) -> Self {
        let resource = Resource::new(uri, "report")
            .with_title(title)
            .with_description(description)
            .with_mime_type(MEDIA_TYPE);
        Self { uri, resource, render: Arc::new(render) }
    }
}

impl ResourceSource for PageSource {
    fn list(&self) -> Result<Vec<Resource>, Failure> {
        Ok(vec![self.resource.clone()])
    }

    fn read<'a>(
        &'a self,
        call: Call,
        uri: &'a str,
    ) -> BoxFuture<'a, Result<Option<Vec<ResourceContents>>, Halt>> {
        Box::pin(async move {
            if uri != self.uri {
                return Ok(None);
            }
            let render = self.render.clone();
            let page = call.blocking(move |call| render(call)).await?;
            Ok(Some(vec![ResourceContents::text(page, self.uri).with_mime_type(MEDIA_TYPE)]))
        })
    }
}

/// The page, and the tool it belongs to.
pub(super) struct Page {
    pub(super) tool: &'static str,
    pub(super) uri: &'static str,
    pub(super) source: Box<dyn ResourceSource>,
}

/// Whether a client says that it shows pages of our kind. One that names no kinds shows all.
pub(super) fn shown_by(client: &ClientCapabilities) -> bool {
    let Some(settings) = client.extensions.as_ref().and_then(|it| it.get(EXTENSION)) else {
        return false;
    };
    let kinds = settings.get("mimeTypes").and_then(|it| it.as_array());
    kinds.is_none_or(|kinds| kinds.iter().any(|it| it == MEDIA_TYPE))
}

impl Server {
    /// The page, where its tool is on and the client shows such things.
    pub(super) fn page_for(&self, client: Option<&ClientCapabilities>) -> Option<&Page> {
        let page = self.shared.page.as_ref()?;
        let is_on = self.shared.enabled_tools().any(|tool| tool.name() == page.tool);
        (is_on && client.is_some_and(shown_by)).then_some(page)
    }

    pub(super) fn page_in(&self, context: &Context) -> Option<&Page> {
        // Asked by hardly any server: what costs something comes second.
        self.shared.page.as_ref()?;
        self.page_for(context.client_capabilities().as_ref())
    }
}

impl Page {
    pub(super) fn beside(tool: &'static str, source: PageSource) -> Self {
        Self { tool, uri: source.uri, source: Box::new(source) }
    }

    /// Adds where the page is to the definition of its tool.
    pub(super) fn mark(&self, tool: &mut rmcp::model::Tool) {
        if tool.name == self.tool {
            let meta = tool.meta.get_or_insert_with(MetaObject::new);
            meta.insert("ui".to_owned(), serde_json::json!({ "resourceUri": self.uri }));
        }
    }
}
