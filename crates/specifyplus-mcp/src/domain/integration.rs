//! What a project says of the agent it was set up for: `.specify/integration.json`.

use serde_json::Value;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Integration {
    /// The agent whose folders go before others.
    pub(crate) active: Option<String>,
    /// A folder of commands that the table cannot know.
    pub(crate) commands_dir: Option<String>,
}

impl Integration {
    /// Where it is written.
    pub(crate) const FILE: &str = ".specify/integration.json";

    /// The agent that has no folder of its own and names one instead.
    pub(crate) const GENERIC: &str = "generic";

    /// Reads the file's text; what cannot be read says nothing.
    pub(crate) fn read(text: &str) -> Self {
        let value: Value = serde_json::from_str(text).unwrap_or_default();
        let word = |value: &Value| value.as_str().map(str::to_owned).filter(|it| !it.is_empty());
        let active = word(&value["default_integration"]).or_else(|| word(&value["integration"]));
        let generic = &value["integration_settings"][Self::GENERIC];
        let commands_dir = word(&generic["parsed_options"]["commands_dir"]);
        Self { active, commands_dir: commands_dir.map(|it| plain_path(&it)) }
    }
}

/// Without `./` before it and slashes behind it.
fn plain_path(path: &str) -> String {
    let parts = path.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".");
    let absolute = if path.starts_with('/') { "/" } else { "" };
    format!("{absolute}{}", parts.collect::<Vec<_>>().join("/"))
}
