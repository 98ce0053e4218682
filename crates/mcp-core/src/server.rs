//! `Server`: one concrete handler type for all five binaries, holding boxed tools, prompts and
//! resources.
//!
//! It is not generic on purpose: rmcp compiles its whole service loop anew for every handler type,
//! and one type means it is compiled once.

mod answer;
mod arguments;
mod call;
mod changes;
mod elicit;
mod guard;
mod handler;
mod introduction;
mod listing;
mod page;
mod selection;
mod skills;
mod slot;
mod source;
mod subscriptions;
mod tool;
mod tool_calls;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rmcp::model::{Implementation, SubscriptionFilter};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

pub use answer::{Answer, RESULT_BUDGET};
pub use arguments::{Wrong, WrongArgument};
pub use call::{Call, Halt, ShowProgress};
pub use changes::{Announced, Changes};
pub use elicit::Elicited;
pub use page::PageSource;
pub use selection::Selection;
pub use skills::{Skill, SkillFile, SkillSource, is_skill_name, media_type, skill_uri};
pub use source::{Completion, PromptSource, ResourceSource};
pub use tool::{Tool, ToolBuilder};
pub use tool_calls::DirectAnswer;

use crate::failure::Failure;
use crate::schema::JsonObject;
use crate::stray::Stray;
use slot::Slots;

/// How a server renders a failure of one of its tools: as its callers know it.
pub type RenderFailure = fn(tool: &Tool, failure: &Failure) -> Answer;

/// What is allowed to happen at once and for how long.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Calls that run at the same time.
    pub running: usize,
    /// Calls of one connection that wait for their turn before we stop reading.
    pub waiting: usize,
    /// After this a call is answered with a failure, time spent waiting for the client aside.
    pub timeout: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { running: 16, waiting: 64, timeout: Duration::from_mins(1) }
    }
}

/// What a server tells of itself.
#[derive(Debug, Clone, Copy)]
pub struct Identity {
    /// For programs: short, lower case, the same in every version.
    pub name: &'static str,
    /// For people, as clients show it.
    pub title: &'static str,
    /// The version of the server, not of the protocol.
    pub version: &'static str,
    /// For the model, under 2 KB: what the server is for and in which order to call its tools.
    pub instructions: &'static str,
}

/// Everything the connections of one process share.
pub(crate) struct Shared {
    identity: Identity,
    tools: Vec<Tool>,
    /// Toolsets with whether they are on unless the user chooses.
    toolsets: Vec<(&'static str, bool)>,
    prompts: Option<Box<dyn PromptSource>>,
    resources: Option<Box<dyn ResourceSource>>,
    skills: Option<Box<dyn SkillSource>>,
    page: Option<page::Page>,
    changes: Changes,
    render_failure: RenderFailure,
    limits: Limits,
    slots: Slots,
    selection: Selection,
    /// Why there is no project to work on, and below it the tools that need none.
    astray: Stray,
    projectless: &'static [&'static str],
    /// What the first call would otherwise wait for, done once a client has introduced itself.
    prepare: Arc<dyn Fn() + Send + Sync>,
    is_prepared: AtomicBool,
    /// All that the server tells of itself; older clients are told less.
    introduction: Implementation,
    /// `serverInfo` as it goes into the `_meta` of each modern result.
    server_info: Value,
}

/// One connection's view of the server; clones of it are the same connection.
///
/// ```
/// use mcp_core::server::{Answer, Identity, Server, Tool};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Nothing {}
///
/// let identity = Identity {
///     name: "hello",
///     title: "Hello",
///     version: "1.0.0",
///     instructions: "Call `greet` first.",
/// };
/// let greet = Tool::read_only("greet", "Says hello.")
///     .run_sync(|_, _: Nothing| Ok(Answer::text("Hello!")));
/// let server = Server::new(identity).tool(greet);
/// assert_eq!(server.tool_names(), ["greet"]);
/// ```
#[derive(Clone)]
pub struct Server {
    shared: Arc<Shared>,
    connection: Arc<Connection>,
}

/// What one client of the old era has asked to be told about. Ends with the connection.
struct Connection {
    subscribed: std::sync::Mutex<std::collections::BTreeSet<String>>,
    /// Listens from the handshake on, until the client says that it is ready to be told.
    opening: std::sync::Mutex<Option<changes::Listener>>,
    /// Listeners of modern subscriptions that are being acknowledged, each with what it asked for.
    listeners: std::sync::Mutex<Vec<(SubscriptionFilter, changes::Listener)>>,
    closed: CancellationToken,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.closed.cancel();
    }
}

impl Server {
    /// Starts with no tools, prompts or resources and the default limits.
    pub fn new(identity: Identity) -> Self {
        let server_info = Implementation::new(identity.name, identity.version);
        let server_info = server_info.with_title(identity.title);
        let limits = Limits::default();
        let shared = Shared {
            identity,
            tools: Vec::new(),
            toolsets: Vec::new(),
            prompts: None,
            resources: None,
            skills: None,
            page: None,
            changes: Changes::default(),
            render_failure: |_, failure| Answer::text(failure.text()).failed(),
            limits,
            slots: Slots::new(limits.running),
            selection: Selection::default(),
            astray: Stray::default(),
            projectless: &[],
            prepare: Arc::new(|| {}),
            is_prepared: AtomicBool::new(false),
            introduction: server_info.clone(),
            server_info: serde_json::to_value(server_info).unwrap_or_default(),
        };
        Self::over(Arc::new(shared))
    }

    fn over(shared: Arc<Shared>) -> Self {
        let connection = Connection {
            subscribed: std::sync::Mutex::default(),
            opening: std::sync::Mutex::default(),
            listeners: std::sync::Mutex::default(),
            closed: CancellationToken::new(),
        };
        Self { shared, connection: Arc::new(connection) }
    }

    /// Another view of this server, for one more connection.
    pub(crate) fn for_new_connection(&self) -> Self {
        Self::over(self.shared.clone())
    }

    /// Only while the server is put together, before any connection exists.
    fn shared_mut(&mut self) -> &mut Shared {
        #[expect(clippy::expect_used, reason = "a server is built by one owner, then served")]
        Arc::get_mut(&mut self.shared).expect("a server is configured before it is served")
    }

    /// Adds a tool after those added before.
    #[must_use]
    pub fn tool(mut self, tool: Tool) -> Self {
        self.shared_mut().tools.push(tool);
        self
    }

    /// Adds tools after those added before, in their order.
    #[must_use]
    pub fn tools(mut self, tools: impl IntoIterator<Item = Tool>) -> Self {
        self.shared_mut().tools.extend(tools);
        self
    }

    /// Names a group of tools and whether it is on unless the user chooses.
    #[must_use]
    pub fn toolset(mut self, name: &'static str, on_by_default: bool) -> Self {
        self.shared_mut().toolsets.push((name, on_by_default));
        self
    }

    /// Offers prompts, in place of an earlier source; without one there are none.
    #[must_use]
    pub fn prompts(mut self, source: impl PromptSource + 'static) -> Self {
        self.shared_mut().prompts = Some(Box::new(source));
        self
    }

    /// Offers resources, in place of an earlier source; without one there are none.
    #[must_use]
    pub fn resources(mut self, source: impl ResourceSource + 'static) -> Self {
        self.shared_mut().resources = Some(Box::new(source));
        self
    }

    /// Offers skills, whose files are read as resources; a server that has them offers resources.
    #[must_use]
    pub fn skills(mut self, source: impl SkillSource + 'static) -> Self {
        self.shared_mut().skills = Some(Box::new(source));
        self
    }

    /// Offers a page beside the answers of a tool, to clients that declare that they
    /// show pages (MCP Apps); to all others it does not exist.
    #[must_use]
    pub fn page_beside(mut self, tool: &'static str, source: PageSource) -> Self {
        self.shared_mut().page = Some(page::Page::beside(tool, source));
        self
    }

    /// Sets how failures of tools are worded; without it they are plain text.
    #[must_use]
    pub fn render_failure(mut self, render: RenderFailure) -> Self {
        self.shared_mut().render_failure = render;
        self
    }

    /// Shares the notifier that a watcher was given before the server existed.
    #[must_use]
    pub fn changes(mut self, changes: Changes) -> Self {
        self.shared_mut().changes = changes;
        self
    }

    /// Sets how much may happen at once and for how long.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        let shared = self.shared_mut();
        shared.limits = limits;
        shared.slots = Slots::new(limits.running);
        self
    }

    /// Without a project, every call is answered with why, except of the tools that need none and
    /// where an argument names one.
    #[must_use]
    pub(crate) fn astray(mut self, why: Stray, projectless: &'static [&'static str]) -> Self {
        let shared = self.shared_mut();
        (shared.astray, shared.projectless) = (why, projectless);
        self
    }

    /// Names work that makes the first call sooner. It is done once, behind the handshake, which it
    /// must not slow down, on a thread of its own.
    #[must_use]
    pub fn prepared_by(mut self, prepare: impl Fn() + Send + Sync + 'static) -> Self {
        self.shared_mut().prepare = Arc::new(prepare);
        self
    }

    /// Does what can be done while nobody waits, the first time it is asked: prepares, and finds out
    /// whether there is a project, which the log says if not.
    pub(crate) fn use_the_quiet(&self) {
        if self.shared.is_prepared.swap(true, Ordering::Relaxed) {
            return;
        }
        let (stray, prepare) = (self.shared.astray.clone(), self.shared.prepare.clone());
        drop(tokio::task::spawn_blocking(move || {
            stray.why();
            prepare();
        }));
    }

    /// Why a call cannot be carried out for want of a project.
    fn want_of_project(&self, tool: &Tool, arguments: &JsonObject) -> Option<Failure> {
        let why = self.shared.astray.why()?;
        let names_one =
            arguments.values().filter_map(Value::as_str).any(|it| Path::new(it).is_absolute());
        let needs_none = self.shared.projectless.contains(&tool.name());
        (!names_one && !needs_none).then(|| why.clone())
    }

    /// Restricts the tools to what the user selected; an unknown name is refused.
    pub fn select(mut self, selection: Selection) -> Result<Self, Failure> {
        selection.check(&self.shared.tools, &self.shared.toolsets)?;
        self.shared_mut().selection = selection;
        Ok(self)
    }

    /// Gives what it was made with.
    pub fn identity(&self) -> &Identity {
        &self.shared.identity
    }

    pub(crate) fn call_limits(&self) -> Limits {
        self.shared.limits
    }

    /// What it offers, as the command line and the reference pages show it.
    pub fn describe(&self) -> Value {
        listing::describe(&self.shared)
    }

    /// The tools that are on, by name.
    pub fn tool_names(&self) -> Vec<String> {
        self.shared.enabled_tools().map(|tool| tool.name().to_owned()).collect()
    }
}

impl Shared {
    fn enabled_tools(&self) -> impl Iterator<Item = &Tool> {
        self.tools.iter().filter(|tool| self.selection.is_on(tool, &self.toolsets))
    }
}

#[cfg(test)]
mod tests;
