//! Where a program is reached and what it takes from its surroundings: routes, commands and flags,
//! variables, settings, fields that are kept or checked, topics, jobs and answers. Mechanisms are code;
//! frameworks are rows of `assets/frameworks.toml`.

mod annotated;
mod code;
mod commands;
mod entities;
mod environment;
mod events;
mod found;
mod marked;
mod mounted;
mod paths;
mod routes;
mod rows;
#[cfg(test)]
mod tests;
mod tokens;

use code::Code;
use found::Found;
use tokens::Dialect;

use super::skeleton::EntryPoint;

pub(crate) use mounted::settle;

/// Everything of one file, by line.
pub(crate) fn collect(path: &str, language: &str, text: &str) -> Vec<EntryPoint> {
    let (Some(dialect), Some(rows)) = (Dialect::of(language), rows::of(language)) else {
        return Vec::new();
    };
    let code = Code::read(text, dialect);
    let marked = marked::marked(&code);
    let mut found = Found { path, all: Vec::new() };
    let routers = routes::Routers::of(&code, rows);
    routers.collect(&mut found);
    annotated::collect(&code, rows, &marked, &routers, &mut found);
    routes::mount_by_name(&code, &mut found.all);
    paths::collect(&code, rows, &mut found);
    entities::collect(&code, rows, &marked, &mut found);
    environment::collect(&code, rows, &marked, &mut found);
    commands::collect(&code, rows, &marked, &mut found);
    events::collect(&code, rows, &marked, &mut found);
    let mut all = found.all;
    all.sort_by(|one, other| {
        (one.line, one.kind, &one.name).cmp(&(other.line, other.kind, &other.name))
    });
    all.dedup_by(|one, other| one == other);
    all
}
