//! The commands as prompts.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use mcp_core::failure::Failure;
use mcp_core::model::{
    ContentBlock, GetPromptResult, MetaObject, Prompt, PromptArgument, PromptMessage, Role,
};
use mcp_core::schema::JsonObject;
use mcp_core::server::{Call, Halt, PromptSource};
use serde_json::Value;

use crate::domain::{Command, INPUT_KIND, Input};
use crate::error::Error;
use crate::store::library::Library;

/// The one argument of a prompt, and what clients and people call it too.
const ARGUMENT: &str = "arguments";
const SPELLINGS: [&str; 4] = [ARGUMENT, "ARGUMENTS", "args", "input"];

pub(crate) struct Prompts {
    library: Arc<Library>,
}

impl Prompts {
    pub(crate) fn new(library: Arc<Library>) -> Self {
        Self { library }
    }
}

impl PromptSource for Prompts {
    fn list(&self) -> Result<Vec<Prompt>, Failure> {
        Ok(self.library.refresh().catalog.commands().map(|command| prompt(command)).collect())
    }

    fn get<'a>(
        &'a self,
        call: Call,
        name: &'a str,
        arguments: JsonObject,
    ) -> BoxFuture<'a, Result<GetPromptResult, Halt>> {
        Box::pin(async move {
            let command = find(&self.library, &call, name.to_owned()).await?;
            let given = Given::of(arguments, &command)?;
            let text = command.render(given.input())?;
            let message = PromptMessage::new(Role::User, ContentBlock::text(text));
            let mut result =
                GetPromptResult::new(vec![message]).with_description(command.summary.as_str());
            result.meta = meta(&command);
            Ok(result)
        })
    }

    fn list_changes(&self) -> bool {
        true
    }
}

/// Finds a command as it is now.
pub(crate) async fn find(
    library: &Arc<Library>,
    call: &Call,
    name: String,
) -> Result<Arc<Command>, Error> {
    if let Some(command) = library.find_unchanged(&name) {
        return Ok(command);
    }
    // Looking at all files may take a while.
    let library = library.clone();
    call.blocking(move |_| library.find(&name)).await
}

fn prompt(command: &Command) -> Prompt {
    let argument = |name: &str, description: String| {
        PromptArgument::new(name).with_description(description).with_required(false)
    };
    let whole = command.declares_whole_input();
    let whole = whole.then(|| argument(ARGUMENT, command.input_description()));
    let named = command.input_names().iter();
    let named = named.map(|name| argument(name, format!("The {name} ({INPUT_KIND})")));
    let arguments: Vec<PromptArgument> = named.chain(whole).collect();
    let arguments = (!arguments.is_empty()).then_some(arguments);
    let mut prompt = Prompt::new(&command.name, Some(command.summary.as_str()), arguments)
        .with_title(&command.title);
    prompt.meta = meta(command);
    prompt
}

/// Nothing where there are no handoffs.
fn meta(command: &Command) -> Option<MetaObject> {
    if command.handoffs_json.is_null() {
        return None;
    }
    let mut meta = MetaObject::new();
    meta.insert("handoffs".to_owned(), command.handoffs_json.clone());
    Some(meta)
}

/// What a client gave: the input, whatever it calls it, and values for the names that the command
/// declares. None is the same as empty.
#[derive(Default)]
struct Given {
    whole: Option<(String, String)>,
    named: Vec<(String, String)>,
}

impl Given {
    fn of(arguments: JsonObject, command: &Command) -> Result<Self, Error> {
        let mut given = Self::default();
        for (name, value) in arguments {
            let is_declared = command.input_names().contains(&name);
            if !is_declared && !SPELLINGS.contains(&name.as_str()) {
                let name = mcp_core::text::one_line(mcp_core::text::cut(&name, 100));
                return Err(Error::UnknownArgument {
                    name,
                    declared: command.input_names().to_vec(),
                });
            }
            let value = match value {
                Value::Null => continue,
                Value::String(value) => value,
                _ => return Err(Error::ArgumentNotText { name }),
            };
            if is_declared {
                given.named.push((name, value));
                continue;
            }
            if let Some((first, _)) = given.whole {
                return Err(Error::InputTwice { first, second: name });
            }
            given.whole = Some((name, value));
        }
        Ok(given)
    }

    fn input(&self) -> Input<'_> {
        let whole = self.whole.as_ref().map(|(_, value)| value.as_str()).unwrap_or_default();
        Input { whole, named: &self.named }
    }
}
