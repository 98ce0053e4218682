//! Two tools, with nothing of mcp-core on purpose: rmcp's own tool router, the way its guide writes
//! a server.

use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::tool::{ToolCallContext, schema_for_type};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::schemars::JsonSchema;
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct EchoParams {
    /// The text to send back.
    text: String,
}

#[derive(Deserialize, JsonSchema)]
struct NoopParams {}

pub(crate) struct Bare {
    tools: ToolRouter<Self>,
}

impl Bare {
    pub(crate) fn new() -> Self {
        let echo =
            Tool::new("echo", "Sends the text back unchanged.", schema_for_type::<EchoParams>());
        let noop = Tool::new("noop", "Answers with nothing.", schema_for_type::<NoopParams>());
        let tools = ToolRouter::new()
            .with_route((echo, |Parameters(params): Parameters<EchoParams>| params.text))
            .with_route((noop, |Parameters(NoopParams {}): Parameters<NoopParams>| String::new()));
        Self { tools }
    }
}

impl ServerHandler for Bare {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("bare", env!("CARGO_PKG_VERSION")))
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.list_all()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.tools.call(ToolCallContext::new(self, request, context)).await
    }
}
