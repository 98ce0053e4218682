//! `Tool`: what a client sees of a tool, and the boxed function behind it.

use std::sync::{Arc, OnceLock};

use futures_util::future::{BoxFuture, FutureExt as _};
use rmcp::model::{self, MetaObject, ToolAnnotations};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::answer::{Answer, RESULT_BUDGET};
use super::arguments::{self, Object, WrongArgument};
use super::call::{Call, Halt};
use crate::failure::Failure;
use crate::schema::{self, JsonObject};

type Run = Box<dyn Fn(Call, JsonObject) -> BoxFuture<'static, Result<Answer, Halt>> + Send + Sync>;

/// Claude Code replaces longer answers by a path unless the tool asks for more.
const DOCUMENT_LIMIT: (&str, u64) = ("anthropic/maxResultSizeChars", 500_000);

/// A tool, complete with the function that answers its calls.
///
/// ```
/// use mcp_core::server::{Answer, Tool};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Greet {
///     /// Whom to greet.
///     name: String,
/// }
///
/// let tool = Tool::read_only("greet", "Greets somebody by name.")
///     .title("Greet")
///     .run_sync(|_, greet: Greet| Ok(Answer::text(format!("Hello, {}!", greet.name))));
/// assert_eq!(tool.name(), "greet");
/// assert!(tool.is_read_only());
/// ```
pub struct Tool {
    /// Without its schemas.
    outline: model::Tool,
    input: Arc<InputSchema>,
    output: Option<fn() -> JsonObject>,
    describe: Option<fn() -> String>,
    /// The whole, once somebody asked for it.
    definition: OnceLock<model::Tool>,
    pub(super) toolset: Option<&'static str>,
    pub(super) budget: usize,
    aliases: &'static [(&'static str, &'static str)],
    run: Run,
}

impl Tool {
    /// A tool that only looks. Whether a tool writes has to be said: there is no other way to
    /// make one.
    pub fn read_only(name: &'static str, description: &'static str) -> ToolBuilder {
        ToolBuilder::new(name, description, true)
    }

    /// A tool that changes something; `destructive` unless told otherwise.
    pub fn writing(name: &'static str, description: &'static str) -> ToolBuilder {
        ToolBuilder::new(name, description, false)
    }

    /// What clients call it by.
    pub fn name(&self) -> &str {
        &self.outline.name
    }

    /// What a client sees. Schemas are made when first asked for: a server with many tools would
    /// spend half of its start on them.
    pub(super) fn definition(&self) -> &model::Tool {
        self.definition.get_or_init(|| {
            let mut definition = self.outline.clone();
            definition.input_schema = self.input.get().clone();
            definition.output_schema = self.output.map(|make| Arc::new(make()));
            if let Some(describe) = self.describe {
                definition.description = Some(describe().into());
            }
            definition
        })
    }

    /// Whether it only looks, as its annotations say.
    pub fn is_read_only(&self) -> bool {
        self.outline.annotations.as_ref().is_some_and(|it| it.read_only_hint == Some(true))
    }

    pub(super) fn call(
        &self,
        call: Call,
        arguments: JsonObject,
    ) -> BoxFuture<'static, Result<Answer, Halt>> {
        call.to_tool(&self.outline.name);
        (self.run)(call, arguments::rename(arguments, self.aliases))
    }
}

/// The schema of a tool's arguments, made when it is first needed.
struct InputSchema {
    made: OnceLock<Arc<JsonObject>>,
    make: fn() -> JsonObject,
}

impl InputSchema {
    fn get(&self) -> &Arc<JsonObject> {
        self.made.get_or_init(|| Arc::new((self.make)()))
    }
}

/// Collects what a client sees; one of the `run` methods completes it.
pub struct ToolBuilder {
    definition: model::Tool,
    annotations: ToolAnnotations,
    toolset: Option<&'static str>,
    budget: usize,
    aliases: &'static [(&'static str, &'static str)],
    input: Option<fn() -> JsonObject>,
    object: Option<Object>,
    output: Option<fn() -> JsonObject>,
    describe: Option<fn() -> String>,
}

impl ToolBuilder {
    fn new(name: &'static str, description: &'static str, read_only: bool) -> Self {
        let annotations = ToolAnnotations::new()
            .read_only(read_only)
            .destructive(!read_only)
            .idempotent(read_only)
            .open_world(false);
        Self {
            definition: model::Tool::new(name, description, Arc::new(JsonObject::new())),
            annotations,
            toolset: None,
            budget: RESULT_BUDGET,
            aliases: &[],
            input: None,
            object: None,
            output: None,
            describe: None,
        }
    }

    /// Describes it by what the server reads from its tables, in place of the description it was
    /// made with; put together when a client first asks, so that the start does not wait for it.
    #[must_use]
    pub fn described(mut self, describe: fn() -> String) -> Self {
        self.describe = Some(describe);
        self
    }

    /// Sets the name that clients show to people.
    #[must_use]
    pub fn title(mut self, title: &str) -> Self {
        self.definition.title = Some(title.to_owned());
        self.annotations.title = Some(title.to_owned());
        self
    }

    /// It adds or changes, but destroys nothing.
    #[must_use]
    pub fn additive(mut self) -> Self {
        self.annotations = self.annotations.destructive(false);
        self
    }

    /// The same call twice has the effect of one.
    #[must_use]
    pub fn idempotent(mut self) -> Self {
        self.annotations = self.annotations.idempotent(true);
        self
    }

    /// It reaches beyond this machine.
    #[must_use]
    pub fn open_world(mut self) -> Self {
        self.annotations = self.annotations.open_world(true);
        self
    }

    /// Puts it into a group that users switch on or off; without one it is on.
    #[must_use]
    pub fn toolset(mut self, toolset: &'static str) -> Self {
        self.toolset = Some(toolset);
        self
    }

    /// Argument names that models make up, each with the name they mean.
    #[must_use]
    pub fn aliases(mut self, aliases: &'static [(&'static str, &'static str)]) -> Self {
        self.aliases = aliases;
        self
    }

    /// The schema of the arguments where a contract fixes it to the letter, instead of the one
    /// made from the parameter struct.
    #[must_use]
    pub fn input_schema(mut self, schema: fn() -> JsonObject) -> Self {
        self.input = Some(schema);
        self
    }

    /// Compares arguments with the schema before they are read, `null` counting as absent, and
    /// lets the server object in its own words. What it lets pass is left to the parameter struct.
    #[must_use]
    pub fn objecting(mut self, object: fn(&WrongArgument<'_>) -> Option<Failure>) -> Self {
        self.object = Some(object);
        self
    }

    /// The shape of the structured answer.
    #[must_use]
    pub fn output<T: JsonSchema>(mut self) -> Self {
        self.output = Some(schema::output::<T>);
        self
    }

    /// The answer is a document: verbatim and as long as it is.
    #[must_use]
    pub fn document(self) -> Self {
        self.meta(DOCUMENT_LIMIT.0, DOCUMENT_LIMIT.1.into())
    }

    /// Adds an entry to the `_meta` of the tool's definition.
    #[must_use]
    pub fn meta(mut self, key: &str, value: Value) -> Self {
        let meta = self.definition.meta.get_or_insert_with(MetaObject::new);
        meta.insert(key.to_owned(), value);
        self
    }

    /// How many characters a composed answer may have.
    #[must_use]
    pub fn budget(mut self, characters: usize) -> Self {
        self.budget = characters;
        self
    }

    /// Completes the tool with typed arguments.
    pub fn run<P, F, Fut>(self, function: F) -> Tool
    where
        P: DeserializeOwned + JsonSchema,
        F: Fn(Call, P) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Answer, Halt>> + Send + 'static,
    {
        let make = self.input.unwrap_or(schema::input::<P>);
        let input = Arc::new(InputSchema { made: OnceLock::new(), make });
        let (name, object, checked) = (self.definition.name.clone(), self.object, input.clone());
        let read = move |given| {
            let given = match object {
                Some(object) => arguments::check(&name, checked.get(), given, object)?,
                None => given,
            };
            arguments::parse::<P>(&name, checked.get(), given)
        };
        self.finish(input, move |call, arguments| match read(arguments) {
            Ok(params) => function(call, params).boxed(),
            Err(failure) => std::future::ready(Err(Halt::Failure(failure))).boxed(),
        })
    }

    /// Completes it with a quick function that neither waits nor works long.
    pub fn run_sync<P, F>(self, function: F) -> Tool
    where
        P: DeserializeOwned + JsonSchema,
        F: Fn(&Call, P) -> Result<Answer, Halt> + Send + Sync + 'static,
    {
        self.run(move |call, params| std::future::ready(function(&call, params)))
    }

    /// Completes it with a function that works long: it gets a thread of its own and looks at
    /// `call.is_cancelled()` now and then.
    pub fn run_blocking<P, F>(self, function: F) -> Tool
    where
        P: DeserializeOwned + JsonSchema + Send + 'static,
        F: Fn(&Call, P) -> Result<Answer, Halt> + Send + Sync + 'static,
    {
        let function = Arc::new(function);
        self.run(move |call, params| {
            let function = function.clone();
            async move { call.blocking(move |call| function(call, params)).await }
        })
    }

    fn finish<F>(mut self, input: Arc<InputSchema>, run: F) -> Tool
    where
        F: Fn(Call, JsonObject) -> BoxFuture<'static, Result<Answer, Halt>> + Send + Sync + 'static,
    {
        self.definition.annotations = Some(self.annotations);
        Tool {
            outline: self.definition,
            input,
            output: self.output,
            describe: self.describe,
            definition: OnceLock::new(),
            toolset: self.toolset,
            budget: self.budget,
            aliases: self.aliases,
            run: Box::new(run),
        }
    }
}
