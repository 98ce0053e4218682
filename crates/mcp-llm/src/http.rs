//! One HTTP request: bounded, never redirected, and its failures in words of our own.

use std::sync::Once;
use std::time::Duration;

use jiff::Timestamp;
use mcp_core::clock::Clock;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER};
use reqwest::{Response, StatusCode, Url, redirect};
use serde_json::Value;

use crate::config::is_loopback;
use crate::error::Error;
use crate::secret::Secret;
use crate::wire::anthropic;

/// No answer of a model is anywhere near this long.
const MAX_BODY: usize = 8 * 1024 * 1024;

/// Enough to read what kind of error it was.
const MAX_ERROR_BODY: usize = 64 * 1024;

pub(crate) struct Http {
    client: reqwest::Client,
    provider: &'static str,
    url: Url,
    headers: HeaderMap,
    clock: Clock,
    is_anthropic: bool,
}

impl Http {
    /// Redirects are refused: the key is meant for the address it was configured with. A proxy is
    /// never asked for an address of this machine.
    pub(crate) fn new(
        provider: &'static str,
        url: &Url,
        key: Option<&Secret>,
        is_anthropic: bool,
        clock: Clock,
    ) -> Result<Self, Error> {
        install_cryptography();
        let mut builder = reqwest::Client::builder()
            .redirect(redirect::Policy::none())
            .user_agent(concat!("plumbline/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(Duration::from_secs(10));
        if is_loopback(url) {
            builder = builder.no_proxy();
        }
        let client = builder.build().map_err(|_| Error::Unreachable {
            provider: provider.to_owned(),
            problem: "the certificates of this machine could not be read",
        })?;
        let headers = headers(key, is_anthropic)?;
        Ok(Self { client, provider, url: url.clone(), headers, clock, is_anthropic })
    }

    pub(crate) async fn post(&self, body: &Value) -> Result<Value, Error> {
        let request = self
            .client
            .post(self.url.clone())
            .headers(self.headers.clone())
            .header(CONTENT_TYPE, "application/json")
            .body(body.to_string());
        let response = request.send().await.map_err(|error| self.unreachable(&error))?;
        let status = response.status();
        if !status.is_success() {
            return Err(self.refusal(status, response).await);
        }
        let bytes = self.read(response, MAX_BODY).await?;
        let body = if self.is_anthropic {
            anthropic::whole(&bytes)?
        } else {
            serde_json::from_slice(&bytes).map_err(|_| Error::malformed("its body is not JSON"))?
        };
        // An answer in parts may end with what went wrong.
        if self.is_anthropic && body.get("error").is_some() {
            return Err(self.judge(StatusCode::BAD_GATEWAY, None, kind_of(&body)));
        }
        // Some services report the failure of those behind them in an answer of status 200.
        match body.pointer("/error/code").and_then(Value::as_u64) {
            Some(code) if body.get("choices").is_none() => {
                let status = u16::try_from(code).ok().and_then(|it| StatusCode::from_u16(it).ok());
                let status = status.unwrap_or(StatusCode::BAD_GATEWAY);
                Err(self.judge(status, None, kind_of(&body)))
            }
            _ => Ok(body),
        }
    }

    async fn refusal(&self, status: StatusCode, response: Response) -> Error {
        let retry_after = retry_after(response.headers(), self.clock.now());
        let body = self.read(response, MAX_ERROR_BODY).await.unwrap_or_default();
        let kind = serde_json::from_slice(&body).ok().and_then(|body: Value| kind_of(&body));
        self.judge(status, retry_after, kind)
    }

    fn judge(
        &self,
        status: StatusCode,
        retry_after: Option<Duration>,
        kind: Option<String>,
    ) -> Error {
        let provider = self.provider.to_owned();
        let number = status.as_u16();
        match number {
            401 | 403 => Error::Unauthorized { provider, status: number },
            429 => Error::RateLimited { provider, retry_after },
            408 | 500..=599 => Error::Server { provider, status: number, retry_after },
            300..=399 => Error::Redirected { provider, status: number },
            _ => Error::Rejected { provider, status: number, kind },
        }
    }

    async fn read(&self, mut response: Response, limit: usize) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|it| self.unreachable(&it))? {
            if bytes.len() + chunk.len() > limit {
                return Err(Error::TooLarge { limit });
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    }

    fn unreachable(&self, error: &reqwest::Error) -> Error {
        let problem = if error.is_connect() || error.is_timeout() {
            "no connection could be made"
        } else {
            "the connection broke before the answer was complete"
        };
        Error::Unreachable { provider: self.provider.to_owned(), problem }
    }
}

fn headers(key: Option<&Secret>, is_anthropic: bool) -> Result<HeaderMap, Error> {
    let mut headers = HeaderMap::new();
    if is_anthropic {
        headers.insert(anthropic::VERSION.0, HeaderValue::from_static(anthropic::VERSION.1));
    }
    if let Some(key) = key {
        let (name, value) = if is_anthropic {
            (anthropic::KEY_HEADER, key.expose().to_owned())
        } else {
            (AUTHORIZATION.as_str(), format!("Bearer {}", key.expose()))
        };
        let mut value = HeaderValue::from_str(&value)
            .map_err(|_| Error::setting("the key", "holds characters that no key has"))?;
        value.set_sensitive(true);
        if let Ok(name) = reqwest::header::HeaderName::from_bytes(name.as_bytes()) {
            headers.insert(name, value);
        }
    }
    Ok(headers)
}

/// The provider's name for the error, if it is a plain name: its free text may repeat the prompt
/// or the key.
fn kind_of(body: &Value) -> Option<String> {
    let error = body.get("error")?;
    [error.get("code"), error.get("type")]
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .find(|it| it.len() <= 40 && it.bytes().all(|it| it.is_ascii_lowercase() || it == b'_'))
        .map(str::to_owned)
}

/// Seconds, or the date when to come back.
fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = value.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let at = jiff::fmt::rfc2822::parse(value).ok()?.timestamp();
    Some(Duration::try_from(at.duration_since(now)).unwrap_or_default())
}

fn install_cryptography() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        // Another part of the process may have chosen one already; either will do.
        drop(rustls::crypto::ring::default_provider().install_default());
    });
}
