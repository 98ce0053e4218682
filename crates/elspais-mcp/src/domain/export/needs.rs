//! `needs.json`, as sphinx-needs imports it: requirements, and their assertions as parts of them.

use std::collections::BTreeMap;

use serde::Serialize;

use super::record::{Export, Requirement};

/// The one version that an export has.
const VERSION: &str = "1";

#[derive(Serialize)]
pub(super) struct Needs<'a> {
    created: &'a str,
    current_version: &'static str,
    project: &'a str,
    versions: BTreeMap<&'static str, Version<'a>>,
}

#[derive(Serialize)]
struct Version<'a> {
    created: &'a str,
    filters: BTreeMap<String, String>,
    filters_amount: usize,
    needs: BTreeMap<&'a str, Need<'a>>,
    needs_amount: usize,
}

#[derive(Serialize)]
struct Need<'a> {
    id: &'a str,
    title: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    status: &'a str,
    content: &'a str,
    /// What older readers call the content.
    description: &'a str,
    tags: Vec<&'a str>,
    links: Vec<String>,
    parts: BTreeMap<&'a str, Part<'a>>,
    docname: &'a str,
    lineno: u32,
}

#[derive(Serialize)]
struct Part<'a> {
    id: &'a str,
    content: &'a str,
    links: Vec<String>,
    links_back: Vec<String>,
    #[serde(rename = "is_part")]
    lies_in_a_need: bool,
    is_need: bool,
}

impl<'a> Needs<'a> {
    pub(super) fn of(export: &'a Export) -> Self {
        let needs: BTreeMap<&str, Need<'_>> =
            export.requirements.iter().map(|it| (it.id.as_str(), need(it))).collect();
        let version = Version {
            created: &export.read_at,
            filters: BTreeMap::new(),
            filters_amount: 0,
            needs_amount: needs.len(),
            needs,
        };
        Self {
            created: &export.read_at,
            current_version: VERSION,
            project: &export.project,
            versions: BTreeMap::from([(VERSION, version)]),
        }
    }
}

fn need(it: &Requirement) -> Need<'_> {
    let mut links: Vec<String> = it
        .links
        .iter()
        .flat_map(|link| {
            let whole = link.labels.is_empty().then(|| link.target.clone());
            let parts = link.labels.iter().map(|label| format!("{}.{label}", link.target));
            whole.into_iter().chain(parts).collect::<Vec<_>>()
        })
        .collect();
    links.sort();
    links.dedup();
    let parts = it.assertions.iter().filter(|it| !it.retired).map(|it| {
        let part = Part {
            id: &it.label,
            content: &it.text,
            links: Vec::new(),
            links_back: Vec::new(),
            lies_in_a_need: true,
            is_need: false,
        };
        (it.label.as_str(), part)
    });
    Need {
        id: &it.id,
        title: &it.title,
        kind: "req",
        status: &it.status,
        content: &it.body,
        description: &it.body,
        tags: vec![&it.level],
        links,
        parts: parts.collect(),
        docname: it.path.rsplit_once('.').map_or(&it.path, |(stem, _)| stem),
        lineno: it.line,
    }
}
