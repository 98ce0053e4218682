//! Whom to ask, read from variables: off unless they say so.

use std::sync::LazyLock;

use reqwest::Url;
use serde::Deserialize;

use crate::command::Claude;
use crate::error::Error;
use crate::secret::Secret;

/// How variables are looked up; `mcp_core::cli::Settings::variable` is the usual way.
type Lookup<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Words that switch the client off in every server.
const OFF: [&str; 2] = ["off", "none"];

/// How one server names its variables.
#[derive(Debug, Clone, Copy)]
pub struct Names {
    /// As in `PREFIX_LLM_PROVIDER`.
    pub prefix: &'static str,
    /// A name for the model besides `PREFIX_LLM_MODEL`, looked at first.
    pub model: Option<&'static str>,
    /// A further word for "no model", where the contract has one.
    pub off: Option<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Wire {
    Anthropic,
    Openai,
    Command,
}

/// What is known of a provider.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Provider {
    name: String,
    wire: Wire,
    /// Where it listens, and the variable that says otherwise.
    base_url: Option<String>,
    base_url_variable: Option<String>,
    key_variable: Option<String>,
    /// The model that is asked when none is named.
    model: Option<String>,
    /// What the limit of an answer is called, where that is not `max_tokens`: some newer models
    /// refuse the older name.
    limit_field: Option<String>,
}

/// JSON, because servers look into it while a client waits for them to start.
#[expect(clippy::expect_used, reason = "embedded data that a test reads")]
static PROVIDERS: LazyLock<Vec<Provider>> = LazyLock::new(|| {
    let text = include_str!("../assets/providers.json");
    serde_json::from_str(text).expect("the embedded providers are valid")
});

#[derive(Debug, Clone)]
pub struct Config {
    pub(crate) provider: &'static str,
    pub(crate) model: Option<String>,
    /// Where the key came from, and the key.
    pub(crate) key: Option<(String, Secret)>,
    pub(crate) target: Target,
}

/// Where requests go.
#[derive(Debug, Clone)]
pub(crate) enum Target {
    Anthropic { url: Url },
    Openai { url: Url, limit_field: &'static str },
    Command(Claude),
}

impl Config {
    /// What the variables ask for, `None` where no provider is named or it is switched off.
    pub fn read(names: &Names, variable: Lookup<'_>) -> Result<Option<Self>, Error> {
        let name = names.with("LLM_PROVIDER");
        let Some(word) = variable(&name) else { return Ok(None) };
        let word = word.trim().to_lowercase();
        if OFF.contains(&word.as_str()) || names.off == Some(word.as_str()) {
            return Ok(None);
        }
        match PROVIDERS.iter().find(|it| it.name == word) {
            Some(provider) => Self::of(provider, names, variable).map(Some),
            None => Err(Error::setting(name, format!("must be one of {}", words(names)))),
        }
    }

    /// Like [`Self::read`]; and where no provider is named, what is at hand: an address of the
    /// server's own, then a key of Anthropic's, then one of `OpenAI`'s. The `claude` command is used
    /// only by name: that somebody is logged in there says nothing about this server.
    pub fn find(names: &Names, variable: Lookup<'_>) -> Result<Option<Self>, Error> {
        if variable(&names.with("LLM_PROVIDER")).is_some() {
            return Self::read(names, variable);
        }
        let has_key = |provider: &str| {
            PROVIDERS
                .iter()
                .find(|it| it.name == provider)
                .is_some_and(|it| key(it, names, variable).is_some())
        };
        let at_hand = if variable(&names.with("LLM_BASE_URL")).is_some() {
            "compatible"
        } else if has_key("anthropic") {
            "anthropic"
        } else if has_key("openai") {
            "openai"
        } else {
            return Ok(None);
        };
        let provider = PROVIDERS.iter().find(|it| it.name == at_hand);
        provider.map(|it| Self::of(it, names, variable)).transpose()
    }

    /// The error for a server that cannot do without.
    pub fn missing(names: &Names) -> Error {
        let Names { prefix, .. } = names;
        Error::NotConfigured {
            how: format!(
                "Set {prefix}_LLM_PROVIDER to one of {}, {prefix}_LLM_MODEL to a model, and the \
                 key (such as ANTHROPIC_API_KEY, or {prefix}_ANTHROPIC_API_KEY for this server \
                 alone), then start the server again.",
                words(names)
            ),
        }
    }

    fn of(provider: &'static Provider, names: &Names, variable: Lookup<'_>) -> Result<Self, Error> {
        let model = names
            .model
            .and_then(variable)
            .or_else(|| variable(&names.with("LLM_MODEL")))
            .map(|it| it.trim().to_owned())
            .or_else(|| provider.model.clone());
        if provider.wire == Wire::Command {
            let claude = Claude::find(names.prefix, variable).ok_or_else(|| {
                let problem = "asks for the `claude` command, which is not on the PATH";
                Error::setting(names.with("LLM_PROVIDER"), problem)
            })?;
            let target = Target::Command(claude);
            return Ok(Self { provider: &provider.name, model, key: None, target });
        }
        if model.is_none() {
            let problem = format!("must name a model: {} has no usual one", provider.name);
            return Err(Error::setting(names.with("LLM_MODEL"), problem));
        }
        let key = key(provider, names, variable);
        if let Some((source, key)) = &key
            && !key.expose().bytes().all(|it| it.is_ascii_graphic())
        {
            return Err(Error::setting(source, "holds characters that no key has"));
        }
        if let (None, Some(plain)) = (&key, &provider.key_variable) {
            let problem = format!("is not set, nor is {plain}: {} needs a key", provider.name);
            return Err(Error::setting(names.with(plain), problem));
        }
        let (url_source, base) = base_url(provider, names, variable)?;
        let target = match provider.wire {
            Wire::Anthropic => {
                Target::Anthropic { url: endpoint(&url_source, &base, "v1/messages")? }
            }
            _ => Target::Openai {
                url: endpoint(&url_source, &base, "chat/completions")?,
                limit_field: provider.limit_field.as_deref().unwrap_or("max_tokens"),
            },
        };
        if let (Target::Anthropic { url } | Target::Openai { url, .. }, Some(_)) = (&target, &key)
            && url.scheme() == "http"
            && !is_loopback(url)
        {
            let problem = "would send the key unencrypted; use https, or set no key";
            return Err(Error::setting(url_source, problem));
        }
        Ok(Self { provider: &provider.name, model, key, target })
    }

    /// The variable that the key was read from.
    pub fn key_variable(&self) -> Option<&str> {
        self.key.as_ref().map(|(variable, _)| variable.as_str())
    }

    pub fn provider(&self) -> &str {
        self.provider
    }

    /// The model to ask; `None` leaves the choice to the `claude` command.
    pub fn model(&self) -> Option<&str> {
        self.model.as_deref()
    }

    /// One line for a person who checks the settings; the key is named, never shown.
    pub fn describe(&self) -> String {
        let model = self.model.as_deref().unwrap_or("its own choice of model");
        let at = match &self.target {
            Target::Anthropic { url } | Target::Openai { url, .. } => {
                url.host_str().unwrap_or_default().to_owned()
            }
            Target::Command(claude) => claude.path.display().to_string(),
        };
        let key = match &self.key {
            Some((source, _)) => format!("key from {source}"),
            None => "no key".to_owned(),
        };
        format!("{} at {at}, {model}, {key}", self.provider)
    }
}

impl Names {
    fn with(&self, name: &str) -> String {
        format!("{}_{name}", self.prefix)
    }
}

/// The words a provider variable may hold.
fn words(names: &Names) -> String {
    let mut words: Vec<&str> = PROVIDERS.iter().map(|it| it.name.as_str()).collect();
    words.extend(names.off);
    words.extend(OFF);
    words.join(", ")
}

/// The server's own name for the key first, then the plain one. A provider without a name of its
/// own gets no other provider's key.
fn key(provider: &Provider, names: &Names, variable: Lookup<'_>) -> Option<(String, Secret)> {
    let plain = provider.key_variable.as_ref();
    let own = plain.map(|it| names.with(it));
    [own.as_ref(), Some(&names.with("LLM_API_KEY")), plain]
        .into_iter()
        .flatten()
        .find_map(|name| variable(name).map(|it| (name.clone(), Secret::new(it.trim()))))
}

fn base_url(
    provider: &Provider,
    names: &Names,
    variable: Lookup<'_>,
) -> Result<(String, String), Error> {
    let own = names.with("LLM_BASE_URL");
    let set = [Some(&own), provider.base_url_variable.as_ref()]
        .into_iter()
        .flatten()
        .find_map(|name| variable(name).map(|it| (name.clone(), it)));
    match (set, &provider.base_url) {
        (Some(set), _) => Ok(set),
        (None, Some(usual)) => Ok((own, usual.clone())),
        (None, None) => Err(Error::setting(own, "must name the address of the service")),
    }
}

fn endpoint(source: &str, base: &str, path: &str) -> Result<Url, Error> {
    let base = base.trim().trim_end_matches('/');
    let problem = "must be an http or https address, such as http://localhost:11434/v1";
    let mut url = Url::parse(base).map_err(|_| Error::setting(source, problem))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(Error::setting(source, problem));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Error::setting(source, "must not hold a user name or password"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(Error::setting(source, "must end with the path"));
    }
    let before = url.path().trim_end_matches('/');
    // Both ways of writing Anthropic's address are common: with and without the version.
    let path = match path.strip_prefix("v1/") {
        Some(rest) if before.ends_with("/v1") => rest,
        _ => path,
    };
    url.set_path(&format!("{before}/{path}"));
    Ok(url)
}

pub(crate) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    address.parse::<std::net::IpAddr>().map_or(host == "localhost", |it| it.is_loopback())
}
