//! `cargo xtask real clients`: what other people's programs say of the files we write for them.
//!
//! The clients come from npm and the linters from `PyPI`, each into a directory of its own, with a
//! home directory of its own: nothing on this machine is read or changed.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde_json::{Value, json};

use crate::dist;
use crate::files::{self, Scratch};
use crate::workspace::{Profile, SERVERS, Workspace};
use crate::{Result, run};

const CLAUDE: &str = "@anthropic-ai/claude-code-linux-x64";
const CODEX: &str = "@openai/codex";
const GEMINI: &str = "@google/gemini-cli";
const OPENCODE: &str = "opencode-ai";
const QWEN: &str = "@qwen-code/qwen-code";
const COPILOT: &str = "@github/copilot";
const AMP: &str = "@sourcegraph/amp";
const CLINE: &str = "cline";

pub(super) fn run(workspace: &Workspace) -> Result {
    workspace.build_servers(Profile::Debug)?;
    let stage = Stage::set(workspace)?;
    let mut failed = 0;
    let checks: [(&str, Check<'_>); 10] = [
        ("workflows, action and hooks", &hosted),
        ("Claude Code: marketplace and plugins", &claude_plugins),
        ("Claude Code: entries by config", &claude_entries),
        ("Codex: marketplace and entries", &codex),
        ("Gemini CLI: extensions and entries", &gemini),
        ("OpenCode: entries by config", &opencode),
        ("Qwen Code: entries by config", &qwen),
        ("Copilot CLI: entries by config", &|stage| listed(stage, COPILOT, "copilot")),
        ("Amp: entries by config", &|stage| listed(stage, AMP, "amp")),
        ("Cline CLI: entries by config", &cline),
    ];
    for (what, check) in checks {
        let started = Instant::now();
        match check(&stage) {
            Ok(said) => println!("ok       {what}: {said} ({})", run::seconds(started.elapsed())),
            Err(error) => {
                failed += 1;
                println!("problem  {what}: {error}");
            }
        }
    }
    if failed == 0 { Ok(()) } else { Err(format!("{failed} of {} failed", checks.len()).into()) }
}

type Check<'a> = &'a dyn Fn(&Stage) -> Result<String>;

/// A project, a home directory and the executables, all of it for this run alone.
struct Stage {
    scratch: Scratch,
    executables: PathBuf,
    workspace: PathBuf,
}

impl Stage {
    fn set(workspace: &Workspace) -> Result<Self> {
        let scratch = Scratch::new("clients")?;
        let stage = Self {
            executables: workspace.profile_dir(Profile::Debug),
            workspace: workspace.root.clone(),
            scratch,
        };
        files::write(&stage.project().join("spec/a.md"), "# REQ-d00001: One\n**Level**: DEV\n")?;
        files::write(&stage.project().join(".claude/commands/plan.md"), "Make a plan.\n")?;
        run::quietly(Command::new("git").args(["init", "-q"]).arg(stage.project()))?;
        std::fs::create_dir_all(stage.home())?;
        let plugins = dist::example_plugins(workspace)?;
        for (path, bytes) in plugins {
            files::write(&stage.scratch.path().join(path), bytes)?;
        }
        Ok(stage)
    }

    fn project(&self) -> PathBuf {
        self.scratch.path().join("project")
    }

    fn home(&self) -> PathBuf {
        self.scratch.path().join("home")
    }

    fn plugins(&self) -> PathBuf {
        self.scratch.path().join("plugins")
    }

    /// A program in the project, which sees our home directory and finds the executables.
    fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(
            std::iter::once(self.executables.clone()).chain(std::env::split_paths(&path)),
        );
        command.current_dir(self.project()).env("HOME", self.home());
        command.env("PATH", path.unwrap_or_default());
        for name in ["CODEX_HOME", "XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR"] {
            command.env_remove(name);
        }
        command
    }

    /// Installs a package and gives the directory of its executables.
    fn npm(&self, package: &str) -> Result<PathBuf> {
        let folder = package.replace(['@', '/'], "_");
        let place = self.scratch.path().join("npm").join(folder);
        if !place.is_dir() {
            files::write(&place.join("package.json"), "{\"private\": true}\n")?;
            let mut install = Command::new("npm");
            install.current_dir(&place);
            run::quietly(install.args([
                "install",
                "--no-audit",
                "--no-fund",
                "--silent",
                package,
            ]))?;
        }
        Ok(place.join("node_modules"))
    }

    fn config(&self, client: &str) -> Result {
        for server in &SERVERS {
            run::quietly(self.command(server.package).args(["config", client, "--write"]))?;
        }
        Ok(())
    }
}

/// Whether each of the five is named in what a client printed, on a line that says it is well.
fn all_named(said: &str, well: &str) -> Result<String> {
    let good = |name: &str| {
        said.lines().any(|line| line.contains(name) && (well.is_empty() || line.contains(well)))
    };
    let missing: Vec<&str> = SERVERS.iter().map(|it| it.name).filter(|name| !good(name)).collect();
    if missing.is_empty() {
        return Ok(format!("all five {}", if well.is_empty() { "listed" } else { well }));
    }
    Err(format!("not {well}: {}\n{said}", missing.join(", ")).into())
}

fn both(command: &mut Command) -> Result<String> {
    let line = run::describe(command);
    let ended = command.stdin(std::process::Stdio::null()).output();
    let ended = ended.map_err(|error| format!("cannot start `{line}`: {error}"))?;
    let mut said = String::from_utf8_lossy(&ended.stdout).into_owned();
    said.push_str(&String::from_utf8_lossy(&ended.stderr));
    if ended.status.success() { Ok(said) } else { Err(format!("`{line}` failed\n{said}").into()) }
}

fn claude(stage: &Stage) -> Result<PathBuf> {
    Ok(stage.npm(CLAUDE)?.join(CLAUDE).join("claude"))
}

fn claude_plugins(stage: &Stage) -> Result<String> {
    let claude = claude(stage)?;
    let run = |args: &[&str]| both(stage.command(&claude).args(args));
    let market = stage.plugins().display().to_string();
    run(&["plugin", "validate", &market])?;
    for server in &SERVERS {
        let plugin = stage.plugins().join("plugins").join(server.name).display().to_string();
        run(&["plugin", "validate", &plugin])?;
    }
    run(&["plugin", "marketplace", "add", &market])?;
    for server in &SERVERS {
        run(&["plugin", "install", &format!("{}@plumbline", server.name)])?;
    }
    let connected = all_named(&run(&["mcp", "list"])?, "Connected")?;
    for server in &SERVERS {
        run(&["plugin", "uninstall", &format!("{}@plumbline", server.name)])?;
    }
    Ok(format!("valid, installed, {connected}"))
}

fn claude_entries(stage: &Stage) -> Result<String> {
    let claude = claude(stage)?;
    stage.config("claude-code")?;
    let pending = both(stage.command(&claude).args(["mcp", "list"]))?;
    // What a person does by trusting the folder and approving the servers.
    let file = stage.home().join(".claude.json");
    let mut known: Value = serde_json::from_str(&files::read_text(&file)?)?;
    let names: Vec<&str> = SERVERS.iter().map(|it| it.name).collect();
    let project = stage.project().canonicalize()?.display().to_string();
    let own = &mut known["projects"][project];
    own["hasTrustDialogAccepted"] = true.into();
    own["enabledMcpjsonServers"] = json!(names);
    files::write(&file, known.to_string())?;
    let said = both(stage.command(&claude).args(["mcp", "list"]))?;
    let before = if pending.contains("Pending approval") { "pending before approval" } else { "" };
    Ok(format!("{before}, {}", all_named(&said, "Connected")?))
}

fn codex(stage: &Stage) -> Result<String> {
    let codex = stage.npm(CODEX)?.join(".bin/codex");
    let home = stage.home().join(".codex");
    let project = stage.project().canonicalize()?;
    let trusted = format!("[projects.\"{}\"]\ntrust_level = \"trusted\"\n", project.display());
    files::write(&home.join("config.toml"), trusted)?;
    let run = |args: &[&str]| both(stage.command(&codex).args(args));
    let market = stage.plugins().display().to_string();
    run(&["plugin", "marketplace", "add", &market])?;
    for server in &SERVERS {
        run(&["plugin", "add", &format!("{}@plumbline", server.name)])?;
    }
    all_named(&run(&["mcp", "list"])?, "")?;
    for server in &SERVERS {
        run(&["plugin", "remove", &format!("{}@plumbline", server.name)])?;
    }
    stage.config("codex")?;
    Ok(format!("plugins {0}, entries {0}", all_named(&run(&["mcp", "list"])?, "")?))
}

fn gemini(stage: &Stage) -> Result<String> {
    let gemini = stage.npm(GEMINI)?.join(".bin/gemini");
    let project = stage.project().canonicalize()?;
    let trusted = format!("{{\"{}\": \"TRUST_FOLDER\"}}\n", project.display());
    files::write(&stage.home().join(".gemini/trustedFolders.json"), trusted)?;
    let run = |args: &[&str]| both(stage.command(&gemini).args(args));
    for server in &SERVERS {
        let extension = stage.plugins().join("gemini").join(server.name).display().to_string();
        run(&["extensions", "validate", &extension])?;
        run(&["extensions", "link", &extension, "--consent"])?;
    }
    let linked = all_named(&run(&["mcp", "list"])?, "Connected")?;
    for server in &SERVERS {
        run(&["extensions", "uninstall", server.name])?;
    }
    stage.config("gemini")?;
    Ok(format!("extensions {linked}, entries {}", all_named(&run(&["mcp", "list"])?, "Connected")?))
}

fn opencode(stage: &Stage) -> Result<String> {
    let opencode = stage.npm(OPENCODE)?.join(".bin/opencode");
    stage.config("opencode")?;
    all_named(&both(stage.command(opencode).args(["mcp", "list"]))?, "connected")
}

fn qwen(stage: &Stage) -> Result<String> {
    let qwen = stage.npm(QWEN)?.join(".bin/qwen");
    let project = stage.project().canonicalize()?;
    let trusted = format!("{{\"{}\": \"TRUST_FOLDER\"}}\n", project.display());
    files::write(&stage.home().join(".qwen/trustedFolders.json"), trusted)?;
    stage.config("qwen")?;
    all_named(&both(stage.command(qwen).args(["mcp", "list"]))?, "Connected")
}

/// Clients that list what they read, and start servers only in a session with a model.
fn listed(stage: &Stage, package: &str, program: &str) -> Result<String> {
    let client = stage.npm(package)?.join(".bin").join(program);
    stage.config(if program == "copilot" { "copilot-cli" } else { program })?;
    all_named(&both(stage.command(client).args(["mcp", "list"]))?, "")
}

fn cline(stage: &Stage) -> Result<String> {
    let cline = stage.npm(CLINE)?.join(".bin/cline");
    stage.config("cline")?;
    all_named(&both(stage.command(cline).args(["config", "mcp"]))?, "")
}

/// The files for GitHub and pre-commit, by their schemas and by a linter for workflows.
fn hosted(stage: &Stage) -> Result<String> {
    let environment = stage.scratch.path().join("venv");
    run::quietly(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
    let bin = environment.join("bin");
    let mut install = Command::new(bin.join("pip"));
    run::quietly(install.args(["install", "--quiet", "check-jsonschema", "zizmor"]))?;
    let at = |path: &str| stage.workspace.join(path);
    let schema = |builtin: &str, files: &[&str]| -> Result {
        let mut command = Command::new(bin.join("check-jsonschema"));
        command.args(["--builtin-schema", builtin]).args(files.iter().map(|it| at(it)));
        both(&mut command).map(drop)
    };
    let workflows = [".github/workflows/ci.yml", ".github/workflows/release.yml"];
    schema("vendor.github-workflows", &workflows)?;
    schema("vendor.github-actions", &["action.yml"])?;
    let mut lint = Command::new(bin.join("zizmor"));
    lint.args(["--offline", "--no-progress", "--min-severity", "medium"]);
    both(lint.args(workflows.iter().map(|it| at(it))).arg(at("action.yml")))?;
    Ok("valid, and zizmor finds nothing".to_owned())
}
