//! What every kind of package is made from: one server, built for one platform.

use serde_json::Value;

use super::platform::Platform;
use super::release::Release;
use crate::workspace::{Server, Workspace};
use crate::{Result, files, run};

/// A file of the release, by its path below `dist/`.
pub(super) struct File {
    pub(super) path: String,
    pub(super) bytes: Vec<u8>,
}

impl File {
    pub(super) fn new(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { path: path.into(), bytes: bytes.into() }
    }

    pub(super) fn json(path: impl Into<String>, value: &Value) -> Self {
        Self::new(path, format!("{value:#}\n"))
    }
}

pub(super) struct Package {
    pub(super) server: &'static Server,
    pub(super) version: String,
    /// One sentence, from the manifest.
    pub(super) description: String,
    pub(super) license: String,
    pub(super) licence_texts: Vec<(&'static str, Vec<u8>)>,
    /// For the page of a registry.
    pub(super) readme: String,
    pub(super) executable: Vec<u8>,
    pub(super) platform: &'static Platform,
    pub(super) skill: Skill,
}

/// What an agent reads about when to call the server.
#[derive(Clone)]
pub(super) struct Skill {
    pub(super) name: String,
    /// By their path in the skill's directory.
    pub(super) files: Vec<(String, Vec<u8>)>,
}

impl Package {
    pub(super) fn read(
        workspace: &Workspace,
        server: &'static Server,
        platform: &'static Platform,
        executable: Vec<u8>,
    ) -> Result<Self> {
        let mut command = workspace.cargo();
        command.args(["metadata", "--no-deps", "--offline", "--locked", "--format-version", "1"]);
        let metadata: Value = serde_json::from_str(&run::quietly(&mut command)?)?;
        let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
        let own = packages.iter().find(|it| it["name"] == server.package);
        let own = own.ok_or_else(|| format!("cargo knows no package {}", server.package))?;
        let word = |key: &str| own[key].as_str().unwrap_or_default().to_owned();
        let mut licence_texts = Vec::new();
        for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
            licence_texts.push((name, files::read(&workspace.root.join(name))?));
        }
        Ok(Self {
            server,
            version: word("version"),
            description: word("description"),
            license: word("license"),
            licence_texts,
            readme: String::new(),
            executable,
            platform,
            skill: Skill::read(workspace, server)?,
        }
        .with_readme())
    }

    fn with_readme(mut self) -> Self {
        let (package, description) = (self.server.package, &self.description);
        self.readme = format!(
            "# {package}\n\n{description}.\n\nAn MCP server of the Plumbline family: one static executable that needs no Node, no Python and no network, starts in milliseconds and works on the files of your project alone.\n\n```\n{package} setup     # enter it into the clients found on this machine\n{package} doctor    # see whether everything is in order here\n{package} tools     # see what it offers\n```\n\nIt serves on standard input and output unless told otherwise; `{package} --help` names the rest.\nApprove the server, or trust the folder, when your client asks: most clients start nothing before.\n"
        );
        self
    }

    /// The readme as a registry wants it, with the name by which it finds the server.
    pub(super) fn readme_for(&self, release: &Release) -> String {
        let name = release.registered_name(self.server.package);
        format!("{}\nmcp-name: {name}\n", self.readme)
    }

    pub(super) fn executable_name(&self) -> String {
        format!("{}{}", self.server.package, self.platform.ending)
    }
}

impl Skill {
    fn read(workspace: &Workspace, server: &Server) -> Result<Self> {
        let own = workspace.root.join("crates").join(server.package).join("assets/skill");
        let mut files = Vec::new();
        if own.is_dir() {
            files.push(("SKILL.md".to_owned(), files::read(&own.join("SKILL.md"))?));
            let references = own.join("references");
            let mut names: Vec<_> = std::fs::read_dir(&references)?
                .filter_map(|it| it.ok()?.file_name().into_string().ok())
                .collect();
            names.sort();
            for name in names {
                files.push((format!("references/{name}"), files::read(&references.join(&name))?));
            }
        } else {
            let folder = workspace.root.join("xtask/plugins");
            let found = std::fs::read_dir(&folder)?
                .filter_map(|it| it.ok()?.file_name().into_string().ok())
                .find(|it| it.starts_with(&format!("{}-", server.name)));
            let name =
                found.ok_or_else(|| format!("no skill for {} in xtask/plugins", server.name))?;
            files.push(("SKILL.md".to_owned(), files::read(&folder.join(name))?));
        }
        let text = String::from_utf8_lossy(&files[0].1).into_owned();
        let name = text.lines().find_map(|line| line.strip_prefix("name: "));
        let name = name.ok_or("the skill has no name")?.trim().to_owned();
        Ok(Self { name, files })
    }
}
