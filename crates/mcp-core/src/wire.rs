//! One JSON-RPC message from bytes: read, or refused with a reason and the id it belongs to.

mod envelope;
mod limit;
mod recover;

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CancelTaskParams, ClientJsonRpcMessage,
    ClientNotification, ClientRequest, ClientResult, CompleteRequestParams, GetExtensions as _,
    GetPromptRequest, GetPromptRequestParams, GetTaskParams, InitializeRequestParams, JsonRpcError,
    JsonRpcMessage, JsonRpcNotification, JsonRpcRequest, JsonRpcResponse, PaginatedRequestParams,
    ReadResourceRequestParams, RequestId, RequestMetaObject, SubscribeRequestParams,
    SubscriptionsListenRequestParams, UnsubscribeRequestParams, UpdateTaskParams,
};
use serde::Deserialize as _;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::text;

pub(crate) use envelope::envelope;
use limit::too_many_values;
pub(crate) use recover::recover_id;

pub(crate) const PARSE_ERROR: i32 = -32700;
pub(crate) const INVALID_REQUEST: i32 = -32600;
pub(crate) const METHOD_NOT_FOUND: i32 = -32601;
pub(crate) const INVALID_PARAMS: i32 = -32602;
pub(crate) const UNSUPPORTED_VERSION: i32 = -32022;

/// Messages in one line.
const MAX_MESSAGES: usize = 256;

/// Why a message is not passed on, ready to be sent back.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Refusal {
    /// As the client wrote it; left out of the answer when there was none.
    pub(crate) id: Option<Value>,
    pub(crate) code: i32,
    pub(crate) message: String,
}

impl Refusal {
    pub(crate) fn new(id: Option<Value>, code: i32, message: impl Into<String>) -> Self {
        Self { id, code, message: message.into() }
    }

    pub(crate) fn to_json(&self) -> Value {
        let mut answer = Map::new();
        answer.insert("jsonrpc".to_owned(), "2.0".into());
        if let Some(id) = &self.id {
            answer.insert("id".to_owned(), id.clone());
        }
        answer.insert("error".to_owned(), json!({ "code": self.code, "message": self.message }));
        Value::Object(answer)
    }
}

/// The JSON values on one line; there may be several. What cannot be read ends the line with a
/// refusal.
pub(crate) fn values(line: &[u8]) -> Vec<Result<Value, Refusal>> {
    let line = trim(line);
    if let Some(refusal) = too_many_values(line) {
        return vec![Err(refusal)];
    }
    let text = match std::str::from_utf8(line) {
        Ok(text) => text,
        Err(error) => {
            let at = error.valid_up_to();
            let message = format!("the message is not valid UTF-8 (byte {at})");
            return vec![Err(Refusal::new(recover_id(line), PARSE_ERROR, message))];
        }
    };
    let mut values = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        match stream.next() {
            Some(Ok(value)) => {
                if values.len() == MAX_MESSAGES {
                    let message = format!(
                        "a line holds at most {MAX_MESSAGES} messages, and this one was skipped"
                    );
                    return vec![Err(Refusal::new(None, INVALID_REQUEST, message))];
                }
                values.push(Ok(value));
                rest = trim_str(&rest[stream.byte_offset()..]);
            }
            Some(Err(error)) => {
                values.push(repaired(rest).ok_or_else(|| not_json(rest, &error)));
                break;
            }
            None => break,
        }
    }
    values
}

fn not_json(text: &str, error: &serde_json::Error) -> Refusal {
    // The position counts from the start of the message, and there is only one line.
    let message = format!("the message is not JSON that can be read: {error}");
    Refusal::new(recover_id(text.as_bytes()), PARSE_ERROR, message)
}

/// Strings of JavaScript may hold half a surrogate pair, and `JSON.stringify` writes it as an
/// escape. It is replaced, as every conversion to UTF-8 does.
fn repaired(text: &str) -> Option<Value> {
    let bytes = text.as_bytes();
    let mut repaired = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'\\' && at + 1 < bytes.len() {
            match surrogate(&bytes[at..]) {
                Some(Half::High)
                    if matches!(bytes.get(at + 6..).and_then(surrogate), Some(Half::Low)) =>
                {
                    repaired.extend_from_slice(&bytes[at..at + 12]);
                    at += 12;
                }
                Some(_) => {
                    repaired.extend_from_slice(b"\\ufffd");
                    at += 6;
                }
                None => {
                    repaired.extend_from_slice(&bytes[at..at + 2]);
                    at += 2;
                }
            }
        } else {
            repaired.push(bytes[at]);
            at += 1;
        }
    }
    if repaired == bytes { None } else { serde_json::from_slice(&repaired).ok() }
}

enum Half {
    High,
    Low,
}

fn surrogate(bytes: &[u8]) -> Option<Half> {
    let digits = std::str::from_utf8(bytes.strip_prefix(b"\\u")?.get(..4)?).ok()?;
    match u16::from_str_radix(digits, 16).ok()? {
        0xd800..=0xdbff => Some(Half::High),
        0xdc00..=0xdfff => Some(Half::Low),
        _ => None,
    }
}

fn trim(mut line: &[u8]) -> &[u8] {
    line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
    let padding = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
    while let Some((first, rest)) = line.split_first()
        && padding(first)
    {
        line = rest;
    }
    while let Some((last, rest)) = line.split_last()
        && padding(last)
    {
        line = rest;
    }
    line
}

fn trim_str(text: &str) -> &str {
    text.trim_start_matches(|it: char| it.is_ascii_whitespace() || it == '\0')
}

/// Checks the shape of a message and reads it. `None`: a notification or an answer that makes no
/// sense, which the protocol gives no way to object to.
pub(crate) fn message(value: Value) -> Result<Option<ClientJsonRpcMessage>, Refusal> {
    let Value::Object(mut object) = value else {
        return Err(Refusal::new(None, INVALID_REQUEST, "a message is a JSON object"));
    };
    let id = object.get("id").cloned();
    let echoed = id.clone().filter(|id| id.is_string() || id.is_number());
    let refuse = |message: &str| Refusal::new(echoed.clone(), INVALID_REQUEST, message);
    if object.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(refuse("`jsonrpc` must be \"2.0\""));
    }
    let Some(method) = object.get("method") else {
        return answer(object, id.as_ref());
    };
    let Some(method) = method.as_str().map(str::to_owned) else {
        return Err(refuse("`method` must be a string"));
    };
    if object.contains_key("result") || object.contains_key("error") {
        return Err(refuse("a request has neither `result` nor `error`"));
    }
    if object.get("params").is_some_and(Value::is_null) {
        object.shift_remove("params");
    }
    let params_fit = object.get("params").is_none_or(Value::is_object);
    let Some(id) = id else {
        if !params_fit {
            return Ok(None);
        }
        let notification = serde_json::from_value(Value::Object(object));
        return Ok(notification
            .ok()
            .map(|it: JsonRpcNotification<ClientNotification>| JsonRpcMessage::Notification(it)));
    };
    let Ok(request_id) = serde_json::from_value::<RequestId>(id) else {
        return Err(refuse("`id` must be a string or an integer"));
    };
    if !params_fit {
        return Err(refuse("`params` must be an object"));
    }
    request(&method, request_id, object)
        .map(Some)
        .map_err(|message| Refusal::new(echoed, INVALID_PARAMS, message))
}

fn answer(
    object: Map<String, Value>,
    id: Option<&Value>,
) -> Result<Option<ClientJsonRpcMessage>, Refusal> {
    let value = |object| Value::Object(object);
    if object.contains_key("result") && !object.contains_key("error") {
        let response = serde_json::from_value::<JsonRpcResponse<ClientResult>>(value(object));
        return Ok(response.ok().map(JsonRpcMessage::Response));
    }
    if object.contains_key("error") && !object.contains_key("result") {
        let error = serde_json::from_value::<JsonRpcError>(value(object));
        return Ok(error.ok().map(JsonRpcMessage::Error));
    }
    let echoed = id.cloned().filter(|id| id.is_string() || id.is_number());
    let message = "a message has a `method`, or one of `result` and `error`";
    Err(Refusal::new(echoed, INVALID_REQUEST, message))
}

fn request(
    method: &str,
    id: RequestId,
    mut object: Map<String, Value>,
) -> Result<ClientJsonRpcMessage, String> {
    if let Some(request) = call(method, &mut object) {
        return Ok(JsonRpcMessage::request(request, id));
    }
    let is_first = method == "initialize";
    let params = object.get("params").filter(|_| is_first).cloned();
    let read = serde_json::from_value::<JsonRpcRequest<ClientRequest>>(Value::Object(object));
    let request = read.map_err(|error| format!("parameters of `{method}`: {error}"))?;
    if is_first
        && matches!(request.request, ClientRequest::CustomRequest(_))
        && !claims_modern(params.as_ref())
    {
        // The connection is not open yet, so this cannot be left to the server to explain.
        let problem = known_method(method).map(|check| check(params.unwrap_or(Value::Null)));
        let problem = problem.and_then(Result::err).unwrap_or_default();
        return Err(format!("parameters of `initialize`: {problem}"));
    }
    Ok(JsonRpcMessage::Request(request))
}

/// Whether the request names a revision that knows no handshake.
pub(crate) fn claims_modern(params: Option<&Value>) -> bool {
    let version =
        params.and_then(|it| it["_meta"]["io.modelcontextprotocol/protocolVersion"].as_str());
    version.is_some_and(|it| it >= "2026-07-28")
}

/// The common cases by hand: rmcp tries one request type after the other on a buffered copy. `None`
/// where anything is out of the ordinary, with the object as it was.
fn call(method: &str, object: &mut Map<String, Value>) -> Option<ClientRequest> {
    if !matches!(method, "tools/call" | "prompts/get") {
        return None;
    }
    let params = object.get_mut("params")?.as_object_mut()?;
    let fits = params.iter().all(|(key, value)| match key.as_str() {
        "name" => value.is_string(),
        "arguments" => value.is_object() || value.is_null(),
        "_meta" => value.is_object(),
        _ => false,
    });
    if !fits || !params.contains_key("name") {
        return None;
    }
    let meta: Option<RequestMetaObject> = match params.get("_meta") {
        Some(meta) => Some(RequestMetaObject::deserialize(meta).ok()?),
        None => None,
    };
    let Some(Value::String(name)) = params.remove("name") else { return None };
    let arguments = match params.remove("arguments") {
        Some(Value::Object(arguments)) => Some(arguments),
        _ => None,
    };
    let mut request: ClientRequest = if method == "tools/call" {
        let mut call = CallToolRequestParams::new(name);
        call.arguments = arguments;
        CallToolRequest::new(call).into()
    } else {
        let mut get = GetPromptRequestParams::new(name);
        get.arguments = arguments;
        GetPromptRequest::new(get).into()
    };
    if let Some(meta) = meta {
        request.extensions_mut().insert(meta);
    }
    Some(request)
}

/// Explains what is wrong with the parameters of a method that exists.
pub(crate) type CheckParams = fn(Value) -> Result<(), String>;

pub(crate) fn known_method(method: &str) -> Option<CheckParams> {
    let check: CheckParams = match method {
        "initialize" => check::<InitializeRequestParams>,
        "tools/call" => check::<CallToolRequestParams>,
        "prompts/get" => check::<GetPromptRequestParams>,
        "resources/read" => check::<ReadResourceRequestParams>,
        "resources/subscribe" => check::<SubscribeRequestParams>,
        "resources/unsubscribe" => check::<UnsubscribeRequestParams>,
        "completion/complete" => check::<CompleteRequestParams>,
        "subscriptions/listen" => check::<SubscriptionsListenRequestParams>,
        "tasks/get" => check::<GetTaskParams>,
        "tasks/update" => check::<UpdateTaskParams>,
        "tasks/cancel" => check::<CancelTaskParams>,
        "tools/list" | "prompts/list" | "resources/list" | "resources/templates/list" => {
            check::<Option<PaginatedRequestParams>>
        }
        _ => return None,
    };
    Some(check)
}

fn check<T: DeserializeOwned>(params: Value) -> Result<(), String> {
    let params = if params.is_null() { Value::Object(Map::new()) } else { params };
    match serde_path_to_error::deserialize::<_, T>(params) {
        Ok(_) => Ok(()),
        Err(error) => {
            let path = error.path().to_string();
            let problem = text::one_line(&error.into_inner().to_string());
            Err(if path == "." { problem } else { format!("`{path}`: {problem}") })
        }
    }
}

#[cfg(test)]
mod tests;
