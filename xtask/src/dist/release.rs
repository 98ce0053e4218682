//! Who releases, and where: `[workspace.metadata.release]` of the root manifest. What is empty
//! there is not made up, and the files that need it are left out.

use serde_json::Value;

use crate::workspace::Workspace;
use crate::{Result, run};

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Release {
    /// The account that publishes: the scope on npm, the name before the repository.
    pub(crate) owner: String,
    /// Where the sources are.
    pub(crate) repository: String,
    /// Where people read about it.
    pub(crate) homepage: String,
    /// Whom to write to.
    pub(crate) contact: String,
}

impl Release {
    pub(crate) fn read(workspace: &Workspace) -> Result<Self> {
        let mut command = workspace.cargo();
        command.args(["metadata", "--no-deps", "--offline", "--locked", "--format-version", "1"]);
        let metadata: Value = serde_json::from_str(&run::quietly(&mut command)?)?;
        Ok(Self::from(&metadata["metadata"]["release"]))
    }

    fn from(table: &Value) -> Self {
        let word = |key: &str| table[key].as_str().unwrap_or_default().trim().to_owned();
        Self {
            owner: word("owner"),
            repository: word("repository"),
            homepage: word("homepage"),
            contact: word("contact"),
        }
    }

    /// Under names that are reserved for examples, to try what would be left out.
    pub(crate) fn example() -> Self {
        Self {
            owner: "example".to_owned(),
            repository: "https://example.com/plumbline".to_owned(),
            homepage: "https://example.com".to_owned(),
            contact: "plumbline@example.com".to_owned(),
        }
    }

    /// The fields that are empty.
    pub(crate) fn missing(&self) -> Vec<&'static str> {
        let fields = [
            ("owner", &self.owner),
            ("repository", &self.repository),
            ("homepage", &self.homepage),
            ("contact", &self.contact),
        ];
        fields.into_iter().filter(|(_, value)| value.is_empty()).map(|(name, _)| name).collect()
    }

    /// The name by which registries know a server: the owner's account, or the domain backwards.
    pub(crate) fn registered_name(&self, package: &str) -> String {
        if self.repository.starts_with("https://github.com/") {
            return format!("io.github.{}/{package}", self.owner);
        }
        let host = self.homepage.split("://").nth(1).unwrap_or_default();
        let host = host.split('/').next().unwrap_or_default();
        let backwards: Vec<&str> = host.split('.').rev().collect();
        format!("{}/{package}", backwards.join("."))
    }

    /// Where a file of a release is found.
    pub(crate) fn download(&self, version: &str, file: &str) -> String {
        format!("{}/releases/download/v{version}/{file}", self.repository)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_empty_is_missing_and_nothing_is_made_up() {
        let release = Release::from(&json!({ "owner": "example", "repository": " " }));
        assert_eq!(release.missing(), ["repository", "homepage", "contact"]);
        assert!(Release::example().missing().is_empty());
    }

    #[test]
    fn a_server_is_registered_under_the_account_or_the_domain() {
        let mut release = Release::example();
        assert_eq!(release.registered_name("acm-mcp"), "com.example/acm-mcp");
        release.repository = "https://github.com/example/plumbline".to_owned();
        assert_eq!(release.registered_name("acm-mcp"), "io.github.example/acm-mcp");
    }
}
