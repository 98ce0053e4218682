//! A page beside the answers of one tool (MCP Apps), for clients that declare that they show pages.
//!
//! To every other client it does not exist: no capability, no resource and no word in the tool's
//! definition tells of it.

use rmcp::model::{ClientCapabilities, MetaObject};

use super::handler::Context;
use super::{ResourceSource, Server};

/// What the extension is called among a client's capabilities.
const EXTENSION: &str = "io.modelcontextprotocol/ui";

/// The media type of such pages.
pub const MEDIA_TYPE: &str = "text/html;profile=mcp-app";

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
    /// Adds where the page is to the definition of its tool.
    pub(super) fn mark(&self, tool: &mut rmcp::model::Tool) {
        if tool.name == self.tool {
            let meta = tool.meta.get_or_insert_with(MetaObject::new);
            meta.insert("ui".to_owned(), serde_json::json!({ "resourceUri": self.uri }));
        }
    }
}
