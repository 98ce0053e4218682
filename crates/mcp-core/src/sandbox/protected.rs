//! What no tool writes, whatever path it is given: the places from which other programs take
//! orders.
//!
//! A hook, a workflow or a client's settings file is run or obeyed by somebody else later. A
//! person who starts `init` or `config` may write there; a call of an agent may not.

use std::path::Path;

use super::Error;
use super::handle::Handle;

/// Directories of version control, of clients and of automation, each from the directory that
/// holds it: everything below is closed.
const DIRECTORIES: &[&[&str]] = &[
    &[".git"],
    &[".hg"],
    &[".svn"],
    &[".jj"],
    &[".bzr"],
    &[".claude"],
    &[".cursor"],
    &[".vscode"],
    &[".codex"],
    &[".gemini"],
    &[".qwen"],
    &[".zed"],
    &[".idea"],
    &[".roo"],
    &[".kilocode"],
    &[".windsurf"],
    &[".codeium"],
    &[".junie"],
    &[".agents"],
    &[".amp"],
    &[".opencode"],
    &[".warp"],
    &[".kiro", "settings"],
    &[".kiro", "hooks"],
    &[".github", "workflows"],
    &[".github", "actions"],
    &[".husky"],
    &[".devcontainer"],
];

/// Files that clients and tools take orders from, in whatever directory.
const FILES: &[&str] = &[
    ".git",
    ".gitmodules",
    ".mcp.json",
    "mcp.json",
    ".claude.json",
    "claude_desktop_config.json",
    "opencode.json",
    "opencode.jsonc",
    "kilo.json",
    "kilo.jsonc",
    "mcp_config.json",
    ".envrc",
    ".pre-commit-config.yaml",
];

/// Whether a path, taken apart, leads into one of them.
fn is_protected(parts: &[String]) -> bool {
    let parts: Vec<String> = parts.iter().map(|part| plain(part)).collect();
    let inside = DIRECTORIES.iter().any(|closed| {
        parts.windows(closed.len()).any(|window| window.iter().zip(*closed).all(|(a, b)| a == b))
    });
    inside || parts.last().is_some_and(|name| FILES.contains(&name.as_str()))
}

/// Some file systems take letters of either case, pass over dots and blanks at the end or over
/// characters that nobody sees, name a stream of a file behind a colon, or know a short name.
fn plain(part: &str) -> String {
    let seen: String = part.chars().filter(|it| !is_passed_over(*it)).collect();
    let name = seen.split(':').next().unwrap_or_default();
    let name = name.trim_end_matches(['.', ' ']).to_ascii_lowercase();
    match name.strip_prefix("git~") {
        Some(number) if number.bytes().all(|it| it.is_ascii_digit()) => ".git".to_owned(),
        _ => name,
    }
}

/// What the file systems of one maker ignore when they compare names.
fn is_passed_over(character: char) -> bool {
    matches!(character, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

fn parts_of(path: &Path) -> Vec<String> {
    let normal = path.components().filter_map(|it| match it {
        std::path::Component::Normal(part) => Some(part.to_string_lossy().into_owned()),
        _ => None,
    });
    normal.collect()
}

/// Refuses to write a file called `name` in the directory behind `parent`.
///
/// What counts is where the handle really is, as the kernel knows it: a link that leads into a
/// closed directory does not open it. Above the root only what lies below the repository around
/// it counts, because whole working trees lie in `.claude/worktrees`.
pub(super) fn refuse(top: &Handle, parent: &Handle, name: &str, shown: &str) -> Result<(), Error> {
    let refused = || Error::Protected { path: shown.to_owned() };
    let (Some(top), Some(parent)) = (top.real_path(), parent.real_path()) else {
        // Where the system cannot say where a handle is, the names as given have to do.
        let parts: Vec<String> = shown.split('/').map(str::to_owned).collect();
        return if is_protected(&parts) { Err(refused()) } else { Ok(()) };
    };
    let home = top.ancestors().find(|it| is_top_of_repository(it)).unwrap_or(Path::new("/"));
    let mut parts = parts_of(parent.strip_prefix(home).unwrap_or(&parent));
    parts.extend(name.split('/').map(str::to_owned));
    if is_protected(&parts) { Err(refused()) } else { Ok(()) }
}

#[expect(clippy::disallowed_methods, reason = "only looked for, to know where a project begins")]
fn is_top_of_repository(directory: &Path) -> bool {
    directory.join(".git").symlink_metadata().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn protects(path: &str) -> bool {
        is_protected(&parts_of(Path::new(path)))
    }

    #[test]
    fn places_that_give_orders_are_closed_at_every_depth_and_in_every_spelling() {
        for closed in [
            ".git/hooks/post-checkout",
            "a/.git/config",
            ".GIT/hooks/x",
            ".git./hooks/x",
            ".g\u{200c}it/hooks/x",
            "git~1/hooks/x",
            ".git::$INDEX_ALLOCATION/hooks/x",
            ".hg/hgrc",
            ".claude/settings.json",
            ".cursor/rules/x.md",
            ".vscode/tasks.json",
            ".github/workflows/ci.yml",
            "sub/.mcp.json",
            ".kiro/settings/mcp.json",
            "vendor/lib/.git",
        ] {
            assert!(protects(closed), "{closed}");
        }
        for open in [
            "docs/git/hooks.md",
            ".github/ISSUE_TEMPLATE.md",
            ".kiro/specs/login/requirements.md",
            "docs/.gitkeep",
            ".gitignore",
            "claude/settings.json",
            "workflows/ci.yml",
        ] {
            assert!(!protects(open), "{open}");
        }
    }

    #[test]
    fn what_a_client_of_our_table_reads_in_a_project_is_closed() {
        let clients: serde_json::Value =
            serde_json::from_str(include_str!("../../assets/clients.json")).unwrap();
        let files: Vec<&str> =
            clients.as_array().unwrap().iter().filter_map(|it| it["project"].as_str()).collect();
        assert!(files.len() > 10, "{files:?}");
        for file in files {
            assert!(protects(file), "{file}");
        }
    }
}
