//! `server.json`: a server as the MCP Registry lists it, with the packages it can be had as.

use serde_json::{Value, json};

use super::package::{File, Package};
use super::release::Release;
use super::{bundle, npm};
use crate::{Result, files};

const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/// The registry shows no more.
const MAX_DESCRIPTION: usize = 100;

/// `bundles` are those of this server, one per platform.
pub(super) fn entry(release: &Release, package: &Package, bundles: &[&File]) -> Result<File> {
    let name = package.server.package;
    let stdio = json!({ "type": "stdio" });
    let root = json!([{
        "type": "named",
        "name": "--root",
        "format": "filepath",
        "description": "The directory of the project; without it, where the client starts the server",
        "isRequired": false,
    }]);
    let mut packages = vec![
        json!({
            "registryType": "npm",
            "identifier": npm::name(release, package),
            "version": package.version,
            "transport": stdio,
            "packageArguments": root,
        }),
        json!({
            "registryType": "pypi",
            "identifier": name,
            "version": package.version,
            "transport": stdio,
            "packageArguments": root,
        }),
    ];
    for file in bundles {
        let file_name = bundle::file_name(package);
        packages.push(json!({
            "registryType": "mcpb",
            "identifier": release.download(&package.version, &file_name),
            "fileSha256": files::sha256(&file.bytes),
            "transport": stdio,
        }));
    }
    let source =
        if release.repository.starts_with("https://github.com/") { "github" } else { "git" };
    let entry = json!({
        "$schema": SCHEMA,
        "name": release.registered_name(name),
        "description": package.description,
        "version": package.version,
        "websiteUrl": release.homepage,
        "repository": {
            "url": release.repository,
            "source": source,
            "subfolder": format!("crates/{name}"),
        },
        "packages": packages,
    });
    check(&entry)?;
    Ok(File::json(format!("registry/{name}.server.json"), &entry))
}

/// What the schema of the registry demands, so far as it concerns what we write.
pub(super) fn check(entry: &Value) -> Result {
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut wrong = Vec::new();
    let name = word(&entry["name"]);
    let fits = |part: &str, more: &str| {
        !part.is_empty() && part.chars().all(|it| it.is_ascii_alphanumeric() || more.contains(it))
    };
    if !name.split_once('/').is_some_and(|(space, name)| fits(space, ".-") && fits(name, "._-")) {
        wrong.push(format!("the name `{name}`"));
    }
    let description = word(&entry["description"]);
    if description.is_empty() || description.chars().count() > MAX_DESCRIPTION {
        wrong.push(format!("a description of {} characters", description.chars().count()));
    }
    let version = word(&entry["version"]);
    if version.is_empty() || version.starts_with(['^', '~', '>', '<']) || version == "latest" {
        wrong.push(format!("the version `{version}`"));
    }
    for package in entry["packages"].as_array().map(Vec::as_slice).unwrap_or_default() {
        let (kind, identifier) = (word(&package["registryType"]), word(&package["identifier"]));
        if identifier.is_empty() || word(&package["transport"]["type"]).is_empty() {
            wrong.push(format!("a package of {kind} without identifier or transport"));
        }
        let is_sum = |it: &str| it.len() == 64 && it.chars().all(|it| it.is_ascii_hexdigit());
        if kind == "mcpb" && (!identifier.contains("mcp") || !is_sum(&word(&package["fileSha256"])))
        {
            wrong.push(format!("the bundle {identifier}"));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(format!("server.json: {}", wrong.join(", ")).into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_registry_would_refuse_is_refused_here() {
        let good = json!({"name": "com.example/a-mcp", "description": "A", "version": "1.0.0"});
        assert!(check(&good).is_ok());
        for (key, value) in [
            ("name", json!("no-slash")),
            ("name", json!("a b/c")),
            ("description", json!("x".repeat(101))),
            ("version", json!("^1.0")),
            (
                "packages",
                json!([{"registryType": "mcpb", "identifier": "mcp", "transport": {"type": "stdio"}}]),
            ),
        ] {
            let mut bad = good.clone();
            bad[key] = value;
            assert!(check(&bad).is_err(), "{bad}");
        }
    }
}
