//! The rooms of a server, and which room may know what: decided by the folder a file lies in.

use super::sources::{Source, sources};
use super::{none, servers};

/// What may stand beside the rooms in `src/`, and the doors of the rooms themselves.
const LOOSE: [&str; 10] = [
    "main.rs",
    "lib.rs",
    "server.rs",
    "product.rs",
    "error.rs",
    "domain.rs",
    "store.rs",
    "tools.rs",
    "cli.rs",
    "tests.rs",
];

const ROOMS: [&str; 4] = ["domain", "store", "tools", "cli"];

/// A room and the paths that nothing in it may name.
const WALLS: [(&str, &[&str]); 3] = [
    (
        "domain",
        &[
            "rmcp",
            "schemars",
            "tokio",
            "notify",
            "mcp_llm",
            "ignore::Walk",
            "ignore::WalkBuilder",
            "ignore::WalkParallel",
            "std::fs",
            "std::env",
            "std::process",
            "mcp_core::sandbox",
            "mcp_core::doors",
            "mcp_core::repository",
            "mcp_core::walk",
            "mcp_core::watch",
            "mcp_core::git",
            "mcp_core::program",
            "mcp_core::clock",
            "mcp_core::entropy",
            "mcp_core::cli",
            "mcp_core::server",
            "mcp_core::transport",
            "mcp_core::model",
            "crate::store",
            "crate::tools",
            "crate::cli",
            "crate::server",
            "crate::product",
        ],
    ),
    (
        "store",
        &[
            "rmcp",
            "schemars",
            "mcp_core::server",
            "mcp_core::cli",
            "mcp_core::transport",
            "mcp_core::model",
            "crate::tools",
            "crate::cli",
            "crate::server",
            "crate::product",
        ],
    ),
    (
        "tools",
        &[
            "rmcp",
            "std::fs",
            "mcp_core::sandbox",
            "mcp_core::doors",
            "mcp_core::cli",
            "crate::cli",
            "crate::server",
            "crate::product",
        ],
    ),
];

/// The room a path below `src/` lies in: `domain.rs` is the door of `domain/`.
fn room_of(inside: &str) -> &str {
    inside.split('/').next().unwrap_or(inside).trim_end_matches(".rs")
}

/// The lines that name a path, also where it is put together in braces.
fn lines_naming(code: &str, path: &str) -> Vec<usize> {
    let (first, rest) = path.split_once("::").unwrap_or((path, ""));
    let mut lines = Vec::new();
    for (at, _) in code.match_indices(first) {
        let name_before = code[..at].ends_with(|it: char| it.is_alphanumeric() || it == '_');
        let behind = &code[at + first.len()..];
        if name_before || code[..at].ends_with("::") || !names(behind, rest) {
            continue;
        }
        lines.push(code[..at].matches('\n').count() + 1);
    }
    lines
}

/// Whether `behind` goes on with `rest`: `::rest`, or `::{…, rest…, …}`.
fn names(behind: &str, rest: &str) -> bool {
    let ends = |it: &str| !it.starts_with(|it: char| it.is_alphanumeric() || it == '_');
    if rest.is_empty() {
        return ends(behind) && behind.trim_start().starts_with("::");
    }
    let Some(behind) = behind.strip_prefix("::") else { return false };
    if let Some(further) = behind.strip_prefix(rest) {
        return ends(further);
    }
    let Some(group) = behind.strip_prefix('{') else { return false };
    let mut depth = 0_i32;
    let mut begins = true;
    for (at, it) in group.char_indices() {
        if depth == 0 && begins && group[at..].strip_prefix(rest).is_some_and(ends) {
            return true;
        }
        match it {
            '{' => depth += 1,
            '}' if depth == 0 => return false,
            '}' => depth -= 1,
            _ => {}
        }
        begins = it == ',' || begins && it.is_whitespace();
    }
    false
}

fn complaints_of(source: &Source, inside: &str) -> Vec<String> {
    let room = room_of(inside);
    let code = source.code();
    let mut complaints = Vec::new();
    if !inside.contains('/') && !LOOSE.contains(&inside) {
        complaints.push(format!("{}: lies beside the rooms", source.path));
    }
    if inside.contains('/') && !ROOMS.contains(&room) && room != "tests" {
        complaints.push(format!("{}: `{room}` is not a room", source.path));
    }
    let forbidden = WALLS.iter().filter(|(of, _)| *of == room).flat_map(|(_, words)| *words);
    for word in forbidden {
        for line in lines_naming(&code, word) {
            complaints.push(format!("{}:{line}: `{word}` in {room}/", source.path));
        }
    }
    if !["cli", "product"].contains(&room) && inside != "lib.rs" {
        for line in lines_naming(&code, "crate::cli") {
            complaints.push(format!("{}:{line}: only product.rs knows the shell", source.path));
        }
    }
    complaints
}

#[test]
fn every_file_of_a_server_lies_in_a_room_and_keeps_to_its_walls() {
    let all = sources("rs");
    let mut complaints = Vec::new();
    for name in servers() {
        let of_server = |it: &&Source| it.place().is_some_and(|(of, _)| of == name);
        for source in all.iter().filter(of_server).filter(|it| !it.is_test()) {
            let inside = source.place().map(|it| it.1.to_owned()).unwrap_or_default();
            complaints.extend(complaints_of(source, &inside));
        }
        for room in ROOMS {
            let door = format!("crates/{name}/src/{room}.rs");
            if !all.iter().any(|it| it.path == door) {
                complaints.push(format!("{door}: the room has no door"));
            }
        }
    }
    none(&complaints);
}

#[test]
fn a_wall_is_seen_through_braces_comments_and_names() {
    let source =
        |text: &str| Source { path: "crates/x/src/domain/a.rs".to_owned(), text: text.to_owned() };
    for over in [
        "use mcp_core::sandbox::Root;",
        "use mcp_core::{text, sandbox::{Root, RelPath}};",
        "fn f() { std::fs::read(x) }",
        "use std::{fs, io};",
        "use crate::{error::Error, store::Files};",
        "use rmcp::model::Tool;",
    ] {
        assert!(!complaints_of(&source(over), "domain/a.rs").is_empty(), "{over}");
    }
    for fine in [
        "// mcp_core::sandbox",
        "const X: &str = \"std::fs\";",
        "use mcp_core::{text, failure::Failure};",
        "use crate::domain::store_of::X;",
        "use crate::error::Error;",
        "use mcp_core::textual::clock;",
    ] {
        assert_eq!(complaints_of(&source(fine), "domain/a.rs"), [""; 0], "{fine}");
    }
}
