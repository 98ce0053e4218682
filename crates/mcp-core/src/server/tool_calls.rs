//! One tool call from its name to its answer, from a client or from the command line.

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData,
};

use super::answer::Answer;
use super::call::{Call, Halt, Retry, ShowProgress};
use super::handler::{Context, invalid_params, is_modern};
use super::selection::unknown;
use super::{Server, Tool, guard};
use crate::failure::Failure;
use crate::schema::JsonObject;

/// Clients shorten longer error texts.
const ERROR_BUDGET: usize = 10_000;
/// Of a message, and of a hint, when a failure is too long for that.
const MESSAGE_CHARS: usize = 2_000;

/// What a tool answered to the command line.
pub struct DirectAnswer {
    /// What a client would have been sent.
    pub result: CallToolResult,
    /// Whether the shell should be told that all is well.
    pub passed: bool,
}

impl Server {
    /// Runs a tool outside any connection, as the command line does.
    pub async fn call_directly(
        &self,
        name: &str,
        arguments: JsonObject,
        show: Option<ShowProgress>,
    ) -> Result<DirectAnswer, Failure> {
        let slot = self.shared.slots.take().await;
        let watch = Call::detached(slot, show);
        let (tool, call) = (self.find_tool(name)?, watch.call.clone());
        let what = format!("`{name}`");
        let timeout = std::time::Duration::from_hours(24);
        let work = async { self.call_tool_here(tool, call, arguments).await };
        let outcome = guard::run(watch, timeout, &what, work).await;
        let passed = outcome.as_ref().is_ok_and(Answer::passed);
        match self.settle(tool, outcome) {
            Ok(CallToolResponse::Complete(result)) => Ok(DirectAnswer { result, passed }),
            Err(error) => Err(Failure::new("refused", error.message.into_owned())),
            Ok(_) => {
                Err(Failure::new(Failure::INTERNAL, format!("{what} asked a client for input")))
            }
        }
    }

    fn find_tool(&self, name: &str) -> Result<&Tool, Failure> {
        let shared = &self.shared;
        match shared.tools.iter().find(|tool| tool.name() == name) {
            None => {
                let names: Vec<&str> = shared.enabled_tools().map(Tool::name).collect();
                Err(unknown("tool", name, &names))
            }
            Some(tool) => match shared.selection.why_off(tool, &shared.toolsets) {
                None => Ok(tool),
                Some(how) => {
                    Err(Failure::new("tool_off", format!("the tool `{name}` is off")).hint(how))
                }
            },
        }
    }

    async fn call_tool_here(
        &self,
        tool: &Tool,
        call: Call,
        arguments: JsonObject,
    ) -> Result<Answer, Halt> {
        match self.want_of_project(tool, &arguments) {
            Some(failure) => Err(failure.into()),
            None => tool.call(call, arguments).await,
        }
    }

    fn settle(
        &self,
        tool: &Tool,
        outcome: Result<Answer, Halt>,
    ) -> Result<CallToolResponse, ErrorData> {
        let finished = match outcome {
            Ok(answer) => answer.finish(tool.budget),
            Err(Halt::InputRequired(result)) => return Ok((*result).into()),
            Err(Halt::Refused(error)) => return Err(*error),
            Err(Halt::Failure(failure)) => Err(failure),
        };
        let render = |failure: &Failure| {
            (self.shared.render_failure)(tool, failure).failed().finish(ERROR_BUDGET)
        };
        let result = finished.unwrap_or_else(|failure| {
            let shorter = failure.shortened(MESSAGE_CHARS);
            render(&failure)
                .or_else(|_| render(&shorter))
                .unwrap_or_else(|_| CallToolResult::error(vec![ContentBlock::text(shorter.text())]))
        });
        Ok(result.into())
    }

    pub(super) async fn answer_tool_call(
        &self,
        request: CallToolRequestParams,
        context: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = self.find_tool(&request.name).map_err(|it| invalid_params(&it))?;
        let modern = is_modern(&context);
        let retry = Retry {
            input_responses: request.input_responses,
            request_state: request.request_state,
        };
        let watch = self.admit(context, retry).await?;
        let call = watch.call.clone();
        let what = format!("`{}`", tool.name());
        // Inside the future, so that a panic before its first await is caught too.
        let arguments = request.arguments.unwrap_or_default();
        let work = async { self.call_tool_here(tool, call, arguments).await };
        let outcome = guard::run(watch, self.shared.limits.timeout, &what, work).await;
        let mut response = self.settle(tool, outcome)?;
        match &mut response {
            CallToolResponse::Complete(result) => self.stamp(modern, &mut result.meta),
            CallToolResponse::InputRequired(result) => self.stamp(modern, &mut result.meta),
            _ => {}
        }
        Ok(response)
    }
}
