//! The prompts: plain, with arguments, with a resource, with an image, with a question first.

use futures_util::future::BoxFuture;
use mcp_core::failure::Failure;
use mcp_core::schema::JsonObject;
use mcp_core::server::{Call, Completion, Elicited, Halt, PromptSource};
use rmcp::model::{
    ContentBlock, GetPromptResult, Prompt, PromptArgument, PromptMessage, ResourceContents, Role,
};

use crate::elicitation::one;
use crate::samples::PNG;

const SIMPLE: &str = "test_simple_prompt";
const WITH_ARGUMENTS: &str = "test_prompt_with_arguments";
const WITH_RESOURCE: &str = "test_prompt_with_embedded_resource";
const WITH_IMAGE: &str = "test_prompt_with_image";
const WITH_QUESTION: &str = "test_input_required_result_prompt";

/// What `arg1` is completed to.
const PLACES: [&str; 5] = ["paris", "park", "party", "tokyo", "toronto"];

pub(crate) struct Prompts;

impl PromptSource for Prompts {
    fn list(&self) -> Result<Vec<Prompt>, Failure> {
        Ok(vec![
            prompt(SIMPLE, "One message.", &[]),
            prompt(
                WITH_ARGUMENTS,
                "Repeats its arguments.",
                &[("arg1", "A place."), ("arg2", "What to see there.")],
            ),
            prompt(
                WITH_RESOURCE,
                "Embeds a resource.",
                &[("resourceUri", "The URI that the embedded resource gets.")],
            ),
            prompt(WITH_IMAGE, "Embeds an image.", &[]),
            prompt(WITH_QUESTION, "Asks the user for its context.", &[]),
        ])
    }

    fn get<'a>(
        &'a self,
        call: Call,
        name: &'a str,
        arguments: JsonObject,
    ) -> BoxFuture<'a, Result<GetPromptResult, Halt>> {
        Box::pin(async move {
            let contents = match name {
                SIMPLE => vec![ContentBlock::text("This is a simple prompt for testing.")],
                WITH_ARGUMENTS => {
                    let first = required(&arguments, "arg1")?;
                    let second = required(&arguments, "arg2")?;
                    let text = format!("Prompt with arguments: arg1='{first}', arg2='{second}'");
                    vec![ContentBlock::text(text)]
                }
                WITH_RESOURCE => {
                    let uri = required(&arguments, "resourceUri")?;
                    let text = "Embedded resource content for testing.";
                    vec![
                        ContentBlock::resource(ResourceContents::text(text, uri)),
                        ContentBlock::text("Please process the embedded resource above."),
                    ]
                }
                WITH_IMAGE => vec![
                    ContentBlock::image(PNG, "image/png"),
                    ContentBlock::text("Please analyze the image above."),
                ],
                WITH_QUESTION => vec![ContentBlock::text(context(&call).await?)],
                _ => {
                    let message = format!("no prompt is named `{name}`");
                    return Err(Failure::new("unknown_prompt", message).into());
                }
            };
            let messages = contents.into_iter().map(|it| PromptMessage::new(Role::User, it));
            Ok(GetPromptResult::new(messages.collect()))
        })
    }

    fn list_changes(&self) -> bool {
        true
    }

    fn can_complete(&self) -> bool {
        true
    }

    fn complete(&self, completion: &Completion<'_>) -> Vec<String> {
        let values: Vec<String> = match (completion.of, completion.argument) {
            (WITH_ARGUMENTS, "arg1") => PLACES.iter().map(|&it| it.to_owned()).collect(),
            (WITH_ARGUMENTS, "arg2") => match completion.context.get("arg1") {
                Some(place) => vec![format!("{place} by day"), format!("{place} by night")],
                None => Vec::new(),
            },
            _ => Vec::new(),
        };
        values.into_iter().filter(|it| it.starts_with(completion.typed)).collect()
    }
}

fn prompt(name: &str, description: &str, arguments: &[(&str, &str)]) -> Prompt {
    let arguments = arguments.iter().map(|&(name, description)| {
        PromptArgument::new(name).with_description(description).with_required(true)
    });
    let arguments: Vec<PromptArgument> = arguments.collect();
    Prompt::new(name, Some(description), (!arguments.is_empty()).then_some(arguments))
}

fn required<'a>(arguments: &'a JsonObject, name: &str) -> Result<&'a str, Failure> {
    arguments.get(name).and_then(|value| value.as_str()).ok_or_else(|| {
        let message = format!("the argument `{name}` is missing or is not text");
        Failure::new(Failure::INVALID_ARGUMENTS, message)
    })
}

async fn context(call: &Call) -> Result<String, Halt> {
    let question = "What context should the prompt use?";
    Ok(match call.elicit("user_context", question, one("context")).await? {
        Elicited::Accepted(content) => {
            format!("Use this context: {}", content["context"].as_str().unwrap_or_default())
        }
        Elicited::Declined | Elicited::Unavailable => "Use no context.".to_owned(),
    })
}
