//! The clients we know: where their settings lie and in which form.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::cli::Settings;
use crate::failure::Failure;

/// A program that `config` can enter a server into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Client {
    /// Reads `.mcp.json` in the project.
    ClaudeCode,
    /// Reads a file of the user's, because it knows no projects.
    ClaudeDesktop,
    /// Reads `.cursor/mcp.json` in the project.
    Cursor,
    /// Reads `.vscode/mcp.json` in the project.
    #[value(name = "vscode")]
    VsCode,
    /// Reads `.codex/config.toml` in the project.
    Codex,
    /// Reads `.gemini/settings.json` in the project.
    Gemini,
}

pub(super) enum Format {
    /// JSON, perhaps with comments; the key under which servers are listed.
    Json {
        servers: &'static str,
    },
    Toml,
}

impl Client {
    pub(super) fn format(self) -> Format {
        match self {
            Self::VsCode => Format::Json { servers: "servers" },
            Self::Codex => Format::Toml,
            _ => Format::Json { servers: "mcpServers" },
        }
    }

    /// Whether an entry names its transport.
    pub(super) fn wants_type(self) -> bool {
        matches!(self, Self::ClaudeCode | Self::VsCode)
    }

    /// How the client writes "the project that is open"; `None` when it has no project.
    pub(super) fn project(self) -> Option<&'static str> {
        match self {
            Self::ClaudeCode => Some("${CLAUDE_PROJECT_DIR:-.}"),
            Self::Cursor | Self::VsCode => Some("${workspaceFolder}"),
            Self::Codex | Self::Gemini => Some("."),
            Self::ClaudeDesktop => None,
        }
    }

    /// What is left for the person to do, and how to see that it worked.
    pub(super) fn next_step(self) -> &'static str {
        match self {
            Self::ClaudeCode => {
                "Next: start `claude` in the project and approve the server when it asks; `claude mcp list` shows whether it is connected."
            }
            Self::ClaudeDesktop => {
                "Next: quit Claude Desktop and start it again; the server is then listed under Settings, Developer."
            }
            Self::Cursor => {
                "Next: open the project in Cursor and switch the server on under Settings, MCP; `cursor-agent mcp list` shows whether it is connected."
            }
            Self::VsCode => {
                "Next: open the project in VS Code, run `MCP: List Servers`, start the server there and confirm that you trust it."
            }
            Self::Codex => {
                "Next: start `codex` in the project and trust the folder when it asks, because settings of a folder count only then; `codex mcp list` shows the server."
            }
            Self::Gemini => {
                "Next: start `gemini` in the project and trust the folder when it asks; `/mcp list` shows whether it is connected."
            }
        }
    }

    /// The file of the project, or the user's where a client has no other.
    pub(super) fn file(self, settings: &Settings) -> Result<PathBuf, Failure> {
        let in_project = |path: &str| Ok(settings.root().join(path));
        match self {
            Self::ClaudeCode => in_project(".mcp.json"),
            Self::Cursor => in_project(".cursor/mcp.json"),
            Self::VsCode => in_project(".vscode/mcp.json"),
            Self::Codex => in_project(".codex/config.toml"),
            Self::Gemini => in_project(".gemini/settings.json"),
            Self::ClaudeDesktop => {
                Ok(desktop_directory(settings)?.join("Claude/claude_desktop_config.json"))
            }
        }
    }
}

fn desktop_directory(settings: &Settings) -> Result<PathBuf, Failure> {
    let from = |variable: &str| settings.variable(variable).map(PathBuf::from);
    let directory = if cfg!(target_os = "macos") {
        from("HOME").map(|home| home.join("Library/Application Support"))
    } else if cfg!(windows) {
        from("APPDATA")
    } else {
        from("XDG_CONFIG_HOME").or_else(|| from("HOME").map(|home| home.join(".config")))
    };
    directory.ok_or_else(|| {
        Failure::new("no_home", "the home directory is not known")
            .hint("Name the file with --file.")
    })
}
