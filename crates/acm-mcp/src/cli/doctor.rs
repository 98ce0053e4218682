//! Which trees are in use, whether they are complete, and what to do where they are not.

use mcp_core::cli::Finding;
use mcp_core::failure::DomainError as _;

use crate::domain::catalog::CATALOG;
use crate::error::Error;
use crate::store::place::{PROCESS, Place, REGISTRY};
use crate::store::surroundings::Surroundings;
use crate::store::tree::Tree;
use crate::store::{articles, registry};

/// Both sources on one line, for the log.
pub(crate) fn sources(surroundings: &Surroundings) -> String {
    let source = |place: &Place| {
        let origin = match surroundings.open(place) {
            Ok(tree) => tree.origin(),
            Err(error) => error.to_string().trim_end_matches('.').to_owned(),
        };
        format!("{}: {origin}", place.what)
    };
    format!("{}; {}", source(&PROCESS), source(&REGISTRY))
}

pub(crate) fn look(surroundings: &Surroundings) -> Vec<Finding> {
    let mut findings = Vec::new();
    match surroundings.process() {
        Ok(tree) => {
            findings.push(source(&PROCESS, &tree));
            findings.push(look_at_files(&tree));
            findings.push(look_at_knowledge(&tree));
        }
        Err(error) => findings.push(problem(&error)),
    }
    match surroundings.registry() {
        Ok(tree) => {
            findings.push(source(&REGISTRY, &tree));
            findings.push(look_at_inventory(&tree));
        }
        Err(error) => findings.push(problem(&error)),
    }
    findings
}

fn problem(error: &Error) -> Finding {
    Finding::problem(error.to_string(), error.hint().unwrap_or_default())
}

fn source(place: &Place, tree: &Tree) -> Finding {
    let what = format!("using {}", tree.describe());
    if !tree.is_embedded() {
        return Finding::fine(what);
    }
    let Place { variable, default, .. } = place;
    Finding::remark(
        what,
        format!(
            "{variable} is not set and ~/{default} does not exist. To edit the tree, write it to \
             disk with `acm-mcp init`."
        ),
    )
}

fn look_at_files(tree: &Tree) -> Finding {
    let specs = CATALOG.specs().into_iter().map(|(_, path)| path.to_owned());
    let prompts = CATALOG.prompt_files().into_iter().map(str::to_owned);
    let mut stubs: Vec<String> = CATALOG.stub_files().into_iter().map(|(_, path)| path).collect();
    stubs.sort();
    stubs.dedup();
    let all: Vec<String> = specs.chain(prompts).chain(stubs).collect();
    let unread: Vec<&str> =
        all.iter().filter(|path| tree.read(path).is_err()).map(String::as_str).collect();
    if unread.is_empty() {
        return Finding::fine(format!("{} specifications, prompts and templates", all.len()));
    }
    Finding::problem(
        format!("{} of {} files cannot be read: {}", unread.len(), all.len(), unread.join(", ")),
        "Put them right; `acm-mcp init DIR` writes a complete tree to copy them from.",
    )
}

fn look_at_knowledge(tree: &Tree) -> Finding {
    match articles::search(tree, "") {
        Ok(found) if found.notes.is_empty() => {
            Finding::fine(format!("{} knowledge base entries", found.total))
        }
        Ok(found) => Finding::remark(
            format!(
                "{} knowledge base entries, and some that are skipped: {}",
                found.total,
                found.notes.join("; ")
            ),
            "Put them right or take them out of kb/.",
        ),
        Err(error) => problem(&error),
    }
}

fn look_at_inventory(tree: &Tree) -> Finding {
    match registry::inventory(tree) {
        Ok(inventory) if inventory.skipped == 0 => {
            Finding::fine(format!("{} capabilities", inventory.capabilities.len()))
        }
        Ok(inventory) => Finding::remark(
            format!(
                "{} capabilities, and {} entries without a name",
                inventory.capabilities.len(),
                inventory.skipped
            ),
            "Give each entry of inventory.json a name.",
        ),
        Err(error) => problem(&error),
    }
}
