//! Tools that the conformance suite prescribes for sampling, roots and logging on the wire.
//!
//! Those three are deprecated and mcp-core leaves them out; each tool says so, and the list of
//! expected failures names the checks that notice.

use mcp_core::failure::Failure;
use mcp_core::server::{Answer, Call, Halt, Tool};
use rmcp::model::{ClientCapabilities, ErrorData, SamplingCapability};
use rmcp::service::RequestContext;

use crate::{Anything, Nothing};

const SAMPLING: &str = "sampling";
const ROOTS: &str = "roots";
const LOGGING: &str = "logging";

pub(crate) fn tools() -> Vec<Tool> {
    vec![
        refusing("test_tool_with_logging", "Would log while it runs.", LOGGING),
        refusing("test_sampling", "Would let the client's model answer a prompt.", SAMPLING),
        Tool::read_only("test_missing_capability", "Refuses a client that cannot sample.")
            .run_sync(|call, Nothing {}| needs_sampling(call)),
        refusing(
            "test_input_required_result_sampling",
            "Would let the client's model answer between two rounds.",
            SAMPLING,
        ),
        refusing(
            "test_input_required_result_list_roots",
            "Would ask for the client's roots between two rounds.",
            ROOTS,
        ),
        refusing(
            "test_input_required_result_multiple_inputs",
            "Would ask the user, the client's model and for the client's roots at once.",
            "sampling and roots",
        ),
        refusing(
            "test_input_required_result_capabilities",
            "Would ask for whatever the client can give, sampling first.",
            SAMPLING,
        ),
        Tool::read_only("test_logging_tool", "Runs without logging anything on the wire.")
            .run_sync(|_, Nothing {}| Ok(Answer::text("Nothing was logged on the wire."))),
    ]
}

fn needs_sampling(call: &Call) -> Result<Answer, Halt> {
    let capabilities = call.request().and_then(RequestContext::client_capabilities);
    if capabilities.is_some_and(|it| it.sampling.is_some()) {
        return Ok(Answer::text("The client could sample; nothing was sampled."));
    }
    let mut required = ClientCapabilities::default();
    required.sampling = Some(SamplingCapability::default());
    Err(Halt::Refused(Box::new(ErrorData::missing_required_client_capability(required))))
}

/// It takes whatever it is given: what matters is the refusal.
fn refusing(name: &'static str, description: &'static str, feature: &'static str) -> Tool {
    Tool::read_only(name, description).run_sync(move |_, Anything {}| {
        let message = format!("this server does not use {feature}: deprecated in the protocol");
        Err(Failure::new("unsupported", message).into())
    })
}
