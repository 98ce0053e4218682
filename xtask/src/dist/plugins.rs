//! Plugins for Claude Code, Codex, Agent Plugins and Gemini, one per server with its skill, all from
//! the same facts.
//!
//! A plugin starts the executable by its name, so it has to be installed; what it adds is the entry
//! and the skill. Each host says in its own way where the project is: Claude Code and Gemini by a
//! variable, Codex and Agent Plugins not at all, so there the working directory counts.

use serde_json::{Value, json};

use super::package::{File, Package};
use super::picture;
use super::release::Release;
use crate::Result;

const AGENT_PLUGINS: &str = "https://agent-plugins.org/schemas/1.0.0";

pub(super) fn all(release: &Release, packages: &[&Package]) -> Result<Vec<File>> {
    let mut files = marketplaces(release, packages);
    for package in packages {
        files.extend(plugin(release, package)?);
        files.extend(extension(package)?);
    }
    Ok(files)
}

fn marketplaces(release: &Release, packages: &[&Package]) -> Vec<File> {
    let listed = |source: &dyn Fn(&str) -> Value| -> Vec<Value> {
        let one = |it: &&Package| {
            json!({
                "name": it.server.name,
                "source": source(it.server.name),
                "description": format!("{}.", it.description),
                "version": it.version,
            })
        };
        packages.iter().map(one).collect()
    };
    let for_claude = json!({
        "name": "plumbline",
        "owner": { "name": release.owner, "email": release.contact },
        "metadata": { "description": "Five servers that keep a coding agent true to what was decided, required, specified and built." },
        "plugins": listed(&|name| json!(format!("./plugins/{name}"))),
    });
    let for_codex = json!({
        "name": "plumbline",
        "interface": { "displayName": "Plumbline" },
        "plugins": listed(&|name| json!({ "source": "local", "path": format!("./plugins/{name}") })),
    });
    vec![
        File::json("plugins/.claude-plugin/marketplace.json", &for_claude),
        File::json("plugins/.agents/plugins/marketplace.json", &for_codex),
    ]
}

fn plugin(release: &Release, package: &Package) -> Result<Vec<File>> {
    let name = package.server.name;
    let at = |path: &str| format!("plugins/plugins/{name}/{path}");
    let description = format!("{}.", package.description);
    let author = json!({ "name": release.owner, "email": release.contact });
    let claude = json!({
        "name": name,
        "version": package.version,
        "description": description,
        "author": author,
        "homepage": release.homepage,
        "repository": release.repository,
        "license": package.license,
        "mcpServers": { name: server(package, "${CLAUDE_PROJECT_DIR}") },
    });
    let codex = json!({
        "name": name,
        "version": package.version,
        "description": description,
        "author": author,
        "skills": "./skills/",
        "mcpServers": "./codex.mcp.json",
    });
    let agents = json!({
        "$schema": format!("{AGENT_PLUGINS}/plugin.schema.json"),
        "name": name,
        "version": package.version,
        "description": description,
    });
    let mut stdio = server(package, ".");
    stdio["type"] = "stdio".into();
    let agents_servers = json!({
        "$schema": format!("{AGENT_PLUGINS}/mcp.schema.json"),
        "mcpServers": { name: stdio },
    });
    let mut files = vec![
        File::json(at(".claude-plugin/plugin.json"), &claude),
        File::json(at(".codex-plugin/plugin.json"), &codex),
        File::json(at("codex.mcp.json"), &json!({ "mcpServers": { name: server(package, ".") } })),
        File::json(at("plugin.json"), &agents),
        File::json(at("mcp.json"), &agents_servers),
        File::new(at("README.md"), package.readme.clone()),
        File::new(at("icon.png"), picture::png(name)?),
    ];
    files.extend(skill(package, &at("skills")));
    Ok(files)
}

fn extension(package: &Package) -> Result<Vec<File>> {
    let name = package.server.name;
    let at = |path: &str| format!("plugins/gemini/{name}/{path}");
    let manifest = json!({
        "name": name,
        "version": package.version,
        "description": format!("{}.", package.description),
        "mcpServers": { name: server(package, "${workspacePath}") },
        "contextFileName": "GEMINI.md",
    });
    let main = package.skill.files.first().ok_or("a skill without a file")?;
    let text = String::from_utf8_lossy(&main.1);
    // The front matter is for hosts that choose among skills.
    let body = text.splitn(3, "---\n").nth(2).unwrap_or(&text).trim_start().to_owned();
    let mut files =
        vec![File::json(at("gemini-extension.json"), &manifest), File::new(at("GEMINI.md"), body)];
    let references = package.skill.files.iter().skip(1);
    files.extend(references.map(|(path, bytes)| File::new(at(path), bytes.clone())));
    Ok(files)
}

fn server(package: &Package, root: &str) -> Value {
    let mut args = vec!["--root", root];
    if package.server.name == "specifyplus" {
        // A project that has no commands of its own gets the ones that are built in.
        args.extend(["--builtin", "--with-tools"]);
    }
    json!({ "command": package.server.package, "args": args })
}

fn skill(package: &Package, below: &str) -> Vec<File> {
    let skill = &package.skill;
    let at = |path: &str| format!("{below}/{}/{path}", skill.name);
    skill.files.iter().map(|(path, bytes)| File::new(at(path), bytes.clone())).collect()
}
