//! rmcp's view of `Server`: each request finds its tool, prompt or resource and goes through the
//! guard.

use futures_util::future::BoxFuture;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult,
    CompletionInfo, CustomRequest, CustomResult, DiscoverResult, ErrorCode, ErrorData,
    GetPromptRequestParams, GetPromptResponse, InitializeRequestParams, InitializeResult,
    InputRequiredResult, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, MetaObject, PaginatedRequestParams, ProtocolVersion,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, Reference, ServerConfig,
    SubscribeRequestParams, SubscriptionFilter, UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::Value;

use super::call::{Call, Halt, Retry, Watch};
use super::selection::unknown;
use super::source::Completion;
use super::{Server, guard, skills};
use crate::failure::Failure;
use crate::schema::JsonObject;
use crate::wire::known_method;

pub(super) type Context = RequestContext<RoleServer>;

/// The tools of a running server never change, so a client may keep the list for an hour.
const TOOL_LIST_TTL_MS: u64 = 3_600_000;

/// What the modern era has taken away: not there, whatever the parameters look like.
const NOT_MODERN: [&str; 3] = ["initialize", "resources/subscribe", "resources/unsubscribe"];

/// Resources that one connection may subscribe to.
const MAX_SUBSCRIPTIONS: usize = 1024;

const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

pub(super) fn is_modern(context: &Context) -> bool {
    let version = context.protocol_version();
    version.is_some_and(|it| it.as_str() >= ProtocolVersion::V_2026_07_28.as_str())
}

impl Server {
    /// The modern era has no handshake to name the server in, so every result does.
    pub(super) fn stamp(&self, modern: bool, meta: &mut Option<MetaObject>) {
        if modern {
            let meta = meta.get_or_insert_with(MetaObject::new);
            meta.insert(SERVER_INFO.to_owned(), self.shared.server_info.clone());
        }
    }

    /// Runs what a prompt or a resource does under the guard. The inner error asks the client for
    /// input.
    async fn guarded<'a, T>(
        &self,
        context: Context,
        retry: Retry,
        what: &str,
        work: impl FnOnce(Call) -> BoxFuture<'a, Result<T, Halt>> + Send,
    ) -> Result<Result<T, Box<InputRequiredResult>>, ErrorData> {
        let modern = is_modern(&context);
        let watch = self.admit(context, retry).await?;
        let call = watch.call.clone();
        // Inside the future, so that a panic before its first await is caught too.
        let work = async { work(call).await };
        match guard::run(watch, self.shared.limits.timeout, what, work).await {
            Ok(done) => Ok(Ok(done)),
            Err(Halt::InputRequired(mut asked)) => {
                self.stamp(modern, &mut asked.meta);
                Ok(Err(asked))
            }
            Err(Halt::Refused(error)) => Err(*error),
            Err(Halt::Failure(failure)) => Err(protocol_error(&failure)),
        }
    }

    /// Answers a method of the skills extension, where the server has skills.
    fn answer_skill_request(
        &self,
        request: &CustomRequest,
        modern: bool,
    ) -> Option<Result<CustomResult, ErrorData>> {
        let source = self.shared.skills.as_ref()?;
        let params = request.params.as_ref().unwrap_or(&Value::Null);
        let answer = skills::answer(&**source, &request.method, params)?;
        Some(match answer {
            Ok(mut result) => {
                if modern {
                    result["resultType"] = "complete".into();
                    result["ttlMs"] = 0.into();
                    result["cacheScope"] = "private".into();
                    result["_meta"][SERVER_INFO] = self.shared.server_info.clone();
                }
                Ok(CustomResult::new(result))
            }
            Err(failure) => Err(protocol_error(&failure)),
        })
    }

    /// Waits for a slot, unless the client gives up first.
    pub(super) async fn admit(&self, context: Context, retry: Retry) -> Result<Watch, ErrorData> {
        tokio::select! {
            slot = self.shared.slots.take() => Ok(Call::for_request(context, retry, slot)),
            () = context.ct.cancelled() => {
                Err(ErrorData::invalid_request("the request was cancelled", None))
            }
        }
    }
}

pub(super) fn invalid_params(failure: &Failure) -> ErrorData {
    ErrorData::invalid_params(failure.text(), None)
}

/// A list that was not declared is not there for the modern era. Old clients ask for every list at
/// the start, declared or not, and log an error where an empty one would do.
fn declared<T>(source: Option<T>, modern: bool, method: &str) -> Result<Option<T>, ErrorData> {
    if source.is_none() && modern {
        return Err(no_method(method));
    }
    Ok(source)
}

fn no_method(method: &str) -> ErrorData {
    let method = crate::text::one_line(crate::text::cut(method, 100));
    let message = format!("no method is named `{method}`");
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None)
}

/// A failure of a prompt or a resource, which have no other way to report one.
fn protocol_error(failure: &Failure) -> ErrorData {
    let code = match failure.code {
        Failure::INTERNAL | Failure::TIMED_OUT => ErrorCode::INTERNAL_ERROR,
        _ => ErrorCode::INVALID_PARAMS,
    };
    ErrorData::new(code, failure.text(), failure.details.as_deref().cloned())
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        self.config(None)
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: Context,
    ) -> Result<InitializeResult, ErrorData> {
        self.listen_from_now();
        context.peer.set_peer_info(request.clone());
        let mut result = self.negotiate_initialize(&request)?;
        result.capabilities = self.capabilities(Some(&request.capabilities));
        if result.protocol_version.as_str() < ProtocolVersion::V_2025_11_25.as_str() {
            // Older schemas of `serverInfo` have no such members.
            result.server_info.description = None;
            result.server_info.icons = None;
            result.server_info.website_url = None;
        }
        Ok(result)
    }

    async fn discover(&self, context: Context) -> Result<DiscoverResult, ErrorData> {
        // The modern era has no word that the client is ready; this is the nearest to it.
        self.use_the_quiet();
        let versions = self.supported_protocol_versions().into_owned();
        let config = self.config(context.client_capabilities().as_ref());
        Ok(DiscoverResult::from_server_info(versions, config)
            .with_ttl_ms(TOOL_LIST_TTL_MS)
            .with_cache_scope(CacheScope::Public))
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListToolsResult, ErrorData> {
        let modern = is_modern(&context);
        let mut tools: Vec<_> =
            self.shared.enabled_tools().map(|tool| tool.definition().clone()).collect();
        if let Some(page) = self.page_in(&context) {
            for tool in &mut tools {
                page.mark(tool);
            }
        }
        let mut result = ListToolsResult::with_all_items(tools);
        if modern {
            let ttl = if self.shared.changes.announces_tools() { 0 } else { TOOL_LIST_TTL_MS };
            result = result.with_ttl_ms(ttl).with_cache_scope(CacheScope::Public);
            self.stamp(true, &mut result.meta);
        }
        Ok(result)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        self.answer_tool_call(request, context).await
    }

    fn get_tool(&self, name: &str) -> Option<rmcp::model::Tool> {
        let tool = self.shared.enabled_tools().find(|tool| tool.name() == name)?;
        Some(tool.definition().clone())
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListPromptsResult, ErrorData> {
        let modern = is_modern(&context);
        let source = declared(self.shared.prompts.as_ref(), modern, "prompts/list")?;
        let listed = source.map(|source| source.list()).transpose();
        let prompts = listed.map_err(|it| protocol_error(&it))?.unwrap_or_default();
        let mut result = ListPromptsResult::with_all_items(prompts);
        self.stamp(modern, &mut result.meta);
        Ok(result)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: Context,
    ) -> Result<GetPromptResponse, ErrorData> {
        let Some(source) = &self.shared.prompts else {
            return Err(invalid_params(&unknown("prompt", &request.name, &[])));
        };
        let modern = is_modern(&context);
        let retry = Retry {
            input_responses: request.input_responses,
            request_state: request.request_state,
        };
        let what = format!("the prompt `{}`", crate::text::one_line(&request.name));
        let arguments = request.arguments.unwrap_or_default();
        let work = |call| source.get(call, &request.name, arguments);
        match self.guarded(context, retry, &what, work).await? {
            Ok(mut result) => {
                self.stamp(modern, &mut result.meta);
                Ok(result.into())
            }
            Err(asked) => Ok((*asked).into()),
        }
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListResourcesResult, ErrorData> {
        let modern = is_modern(&context);
        let page = self.page_in(&context).map(|it| &it.source);
        let sources: Vec<_> = self.shared.resources.iter().chain(page).collect();
        declared(sources.first(), modern, "resources/list")?;
        let mut resources = Vec::new();
        for source in sources {
            resources.extend(source.list().map_err(|it| protocol_error(&it))?);
        }
        if let Some(source) = &self.shared.skills {
            let skills = skills::resources(&**source).map_err(|it| protocol_error(&it))?;
            resources.extend(skills);
        }
        let mut result = ListResourcesResult::with_all_items(resources);
        self.stamp(modern, &mut result.meta);
        Ok(result)
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let modern = is_modern(&context);
        let own = self.shared.resources.as_ref();
        let page = self.page_in(&context).map(|it| &it.source);
        declared(own.or(page), modern, "resources/templates/list")?;
        let templates = own.map(|source| source.templates()).unwrap_or_default();
        let mut result = ListResourceTemplatesResult::with_all_items(templates);
        self.stamp(modern, &mut result.meta);
        Ok(result)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri;
        let missing = || {
            let data = serde_json::json!({ "uri": uri });
            let shown = crate::text::one_line(crate::text::cut(&uri, 200));
            ErrorData::resource_not_found(format!("no resource has the URI `{shown}`"), Some(data))
        };
        let modern = is_modern(&context);
        if let Some(contents) = self.shared.skills.as_ref().and_then(|it| skills::read(&**it, &uri))
        {
            let mut result = ReadResourceResult::new(vec![contents]);
            self.stamp(modern, &mut result.meta);
            return Ok(result.into());
        }
        let page = self.page_in(&context).filter(|it| it.uri == uri).map(|it| &it.source);
        let Some(source) = page.or(self.shared.resources.as_ref()) else { return Err(missing()) };
        let retry = Retry {
            input_responses: request.input_responses,
            request_state: request.request_state,
        };
        let what = format!("the resource `{}`", crate::text::one_line(&uri));
        match self.guarded(context, retry, &what, |call| source.read(call, &uri)).await? {
            Ok(Some(contents)) => {
                let mut result = ReadResourceResult::new(contents);
                self.stamp(modern, &mut result.meta);
                Ok(result.into())
            }
            Ok(None) => Err(missing()),
            Err(asked) => Ok((*asked).into()),
        }
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _context: Context,
    ) -> Result<CompleteResult, ErrorData> {
        let context = request.context.and_then(|it| it.arguments).unwrap_or_default();
        let completion = |of| Completion {
            of,
            argument: &request.argument.name,
            typed: &request.argument.value,
            context: &context,
        };
        let shared = &self.shared;
        let values = match &request.r#ref {
            Reference::Prompt(it) => {
                shared.prompts.as_ref().map(|source| source.complete(&completion(&it.name)))
            }
            Reference::Resource(it) => {
                shared.resources.as_ref().map(|source| source.complete(&completion(&it.uri)))
            }
            _ => None,
        };
        let mut values = values.unwrap_or_default();
        let total = values.len();
        values.truncate(CompletionInfo::MAX_VALUES);
        let more = total > values.len();
        let total = u32::try_from(total).unwrap_or(u32::MAX);
        CompletionInfo::with_pagination(values, Some(total), more)
            .map(CompleteResult::new)
            .map_err(|error| ErrorData::internal_error(error, None))
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        // Only the first of them starts something: what a client repeats must not add up.
        if let Some(listener) = self.listener_since_the_handshake() {
            tokio::spawn(self.clone().forward_changes(context.peer, listener));
            self.use_the_quiet();
        }
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        _context: Context,
    ) -> Result<(), ErrorData> {
        if !self.can_subscribe() {
            return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "resources/subscribe", None));
        }
        let mut subscriptions = self.subscriptions();
        if subscriptions.len() >= MAX_SUBSCRIPTIONS && !subscriptions.contains(&request.uri) {
            let message = format!("a connection has at most {MAX_SUBSCRIPTIONS} subscriptions");
            return Err(ErrorData::invalid_request(message, None));
        }
        subscriptions.insert(request.uri);
        Ok(())
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _context: Context,
    ) -> Result<(), ErrorData> {
        self.subscriptions().remove(&request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        self.prepare_to_announce(requested);
        // rmcp cuts this down to what our capabilities name.
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        // Who listens without having discovered is ready as well.
        self.use_the_quiet();
        self.announce_to(&context).await;
        Ok(())
    }

    /// What rmcp could not read as one of its own requests: an unknown method, or a known one whose
    /// parameters do not fit.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: Context,
    ) -> Result<CustomResult, ErrorData> {
        if let Some(answer) = self.answer_skill_request(&request, is_modern(&context)) {
            return answer;
        }
        let removed = is_modern(&context) && NOT_MODERN.contains(&request.method.as_str());
        let check = known_method(&request.method).filter(|_| !removed);
        let Some(check) = check else { return Err(no_method(&request.method)) };
        let params = request.params.unwrap_or(Value::Null);
        if request.method == "tools/call"
            && let Some(call) = with_parsed_arguments(&params)
        {
            let modern = is_modern(&context);
            let response = self.answer_tool_call(call, context).await?;
            let mut result = rmcp::model::ServerResult::from(response);
            if !modern {
                result.strip_result_type_for_legacy_peer();
            }
            let value = serde_json::to_value(result).unwrap_or_default();
            return Ok(CustomResult::new(value));
        }
        let problem = check(params).err().unwrap_or_else(|| "they do not fit".to_owned());
        let message = format!("parameters of `{}`: {problem}", request.method);
        Err(ErrorData::invalid_params(message, None))
    }
}

/// Some clients send the arguments of a call as JSON in a string.
fn with_parsed_arguments(params: &Value) -> Option<CallToolRequestParams> {
    let text = params.get("arguments")?.as_str()?;
    let arguments: JsonObject = match text.trim() {
        "" => JsonObject::new(),
        text => serde_json::from_str(text).ok()?,
    };
    let mut params = params.as_object()?.clone();
    params.insert("arguments".to_owned(), Value::Object(arguments));
    serde_json::from_value(Value::Object(params)).ok()
}
