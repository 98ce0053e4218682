//! What a server tells a client of itself before it is asked anything: who it is, what it offers.

use rmcp::model::{ClientCapabilities, Icon, ServerCapabilities, ServerConfig};
use serde_json::Value;

use super::{Server, skills};
use crate::encoding::base64;
use crate::schema::JsonObject;

impl Server {
    /// Says what the server is for, with a picture in SVG, to clients that show such things.
    #[must_use]
    pub fn introduced(mut self, description: &str, icon: Option<&str>) -> Self {
        let introduction = &mut self.shared_mut().introduction;
        introduction.description = Some(description.to_owned());
        // Known where a release is built, see `[workspace.metadata.release]`.
        introduction.website_url =
            option_env!("PLUMBLINE_HOMEPAGE").filter(|it| !it.is_empty()).map(str::to_owned);
        introduction.icons = icon.map(|svg| {
            let source = format!("data:image/svg+xml;base64,{}", base64(svg.as_bytes()));
            vec![
                Icon::new(source)
                    .with_mime_type("image/svg+xml")
                    .with_sizes(vec!["any".to_owned()]),
            ]
        });
        self
    }

    pub(super) fn config(&self, client: Option<&ClientCapabilities>) -> ServerConfig {
        ServerConfig::new(self.capabilities(client))
            .with_server_info(self.shared.introduction.clone())
            .with_instructions(self.shared.identity.instructions)
    }

    /// What is offered to a client; one that is not known yet is offered what all are.
    pub(super) fn capabilities(&self, client: Option<&ClientCapabilities>) -> ServerCapabilities {
        let mut capabilities = ServerCapabilities::default();
        let shared = &self.shared;
        // Declared even when all are off: every client asks for the list, and it can be empty.
        let mut tools = rmcp::model::ToolsCapability::default();
        tools.list_changed = Some(shared.changes.announces_tools());
        capabilities.tools = Some(tools);
        if let Some(source) = &shared.prompts {
            let mut prompts = rmcp::model::PromptsCapability::default();
            prompts.list_changed = Some(source.list_changes());
            capabilities.prompts = Some(prompts);
        }
        if let Some(source) = &shared.resources {
            let mut resources = rmcp::model::ResourcesCapability::default();
            resources.list_changed = Some(source.list_changes());
            resources.subscribe = Some(source.can_subscribe());
            capabilities.resources = Some(resources);
        } else if self.page_for(client).is_some() {
            capabilities.resources = Some(rmcp::model::ResourcesCapability::default());
        }
        if shared.skills.is_some() {
            let settings = JsonObject::from_iter([("directoryRead".to_owned(), Value::from(true))]);
            capabilities.extensions = Some([(skills::EXTENSION.to_owned(), settings)].into());
        }
        let completes = shared.prompts.as_ref().is_some_and(|it| it.can_complete())
            || shared.resources.as_ref().is_some_and(|it| it.can_complete());
        if completes {
            capabilities.completions = Some(serde_json::Map::new());
        }
        capabilities
    }
}
