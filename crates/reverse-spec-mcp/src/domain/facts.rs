//! Where a program is reached and what it takes from its surroundings: routes, commands and flags,
//! variables, settings, fields that are kept or checked, topics, jobs and answers. Mechanisms are code;
//! frameworks are rows of `assets/frameworks.toml`.

mod annotated;
mod blocks;
mod code;
mod commands;
mod declared;
mod entities;
mod environment;
mod events;
mod fields;
mod found;
mod marked;
mod migrations;
mod mounted;
mod paths;
mod plain;
mod routes;
mod rows;
mod signatures;
#[cfg(test)]
mod tests;
mod tokens;

use code::{Code, ScopeKind};
use found::Found;
use tokens::Dialect;

use super::skeleton::{EntryPoint, Outlined};

pub(crate) use declared::without_secrets;
pub(crate) use mounted::settle;
pub(crate) use plain::{Weight, weight};

/// What is found in one file.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// By line.
    pub(crate) entries: Vec<EntryPoint>,
    /// Functions and classes with their heads, one line each.
    pub(crate) outline: Vec<Outlined>,
}

/// Heads longer than this are cut.
const MAX_HEAD: usize = 100;
/// A file with more functions is generated.
const MAX_OUTLINE: usize = 400;

/// Everything of one file.
pub(crate) fn collect(path: &str, language: &str, text: &str) -> Facts {
    if let Some(entries) = declared::collect(path, language, text) {
        return Facts { entries, outline: Vec::new() };
    }
    let (Some(dialect), Some(rows)) = (Dialect::of(language), rows::of(language)) else {
        return Facts::default();
    };
    let code = Code::read(text, dialect, rows);
    let marked = marked::marked(&code);
    let mut found = Found { path, all: Vec::new() };
    let migration = migrations::kind_of(&code, rows);
    if let Some(row) = migration {
        migrations::collect(&code, row, &mut found);
    }
    let routers = routes::Routers::of(&code, rows);
    routers.collect(&mut found);
    annotated::collect(&code, rows, &marked, &routers, &mut found);
    routes::mount_by_name(&code, &mut found.all);
    paths::collect(&code, rows, &mut found);
    // What a migration makes may be gone by now: it says nothing of what is kept.
    if migration.is_none() {
        entities::collect(&code, rows, &marked, &mut found);
    }
    environment::collect(&code, rows, &marked, &mut found);
    commands::collect(&code, rows, &marked, &mut found);
    signatures::collect(&code, &mut found);
    if migration.is_none() {
        blocks::collect(&code, &mut found);
    }
    events::collect(&code, rows, &marked, &mut found);
    let mut all = found.all;
    all.sort_by(|one, other| {
        (one.line, one.kind, &one.name).cmp(&(other.line, other.kind, &other.name))
    });
    all.dedup_by(|one, other| one == other);
    let heads = code.scopes.iter().filter(|it| it.kind != ScopeKind::Space).take(MAX_OUTLINE);
    let outline = heads.map(|it| Outlined {
        name: it.name.to_owned(),
        line: code.tokens.line(it.at),
        head: mcp_core::text::cut(
            &code.tokens.shown_up_to(it.at..it.body.start, MAX_HEAD),
            MAX_HEAD,
        )
        .trim_end_matches(['{', ':', ' ', '='])
        .to_owned(),
    });
    Facts { outline: outline.collect(), entries: all }
}
