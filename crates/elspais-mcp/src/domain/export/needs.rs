//! `needs.json`, as sphinx-needs imports it: requirements and their assertions, each a need.
//!
//! sphinx-needs knows parts of needs, but makes them of marks in the text alone and forgets those
//! that are imported, with every link to them.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::record::{Assertion, Export, Requirement};

/// The one version that an export has.
const VERSION: &str = "1";
/// The title of an assertion is the beginning of its text.
const MAX_TITLE: usize = 120;

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
    tags: Vec<&'a str>,
    links: Vec<&'a str>,
    docname: &'a str,
    lineno: u32,
}

impl<'a> Needs<'a> {
    pub(super) fn of(export: &'a Export) -> Self {
        let mut needs: BTreeMap<&str, Need<'_>> = BTreeMap::new();
        let ids = assertion_ids(export);
        for it in &export.requirements {
            needs.insert(&it.id, requirement(it, &ids));
            for one in it.assertions.iter().filter(|one| !one.retired) {
                needs.insert(&one.id, assertion(it, one));
            }
        }
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

/// The ids of assertions by requirement and label.
fn assertion_ids(export: &Export) -> HashMap<(&str, &str), &str> {
    let all =
        export.requirements.iter().flat_map(|it| it.assertions.iter().map(move |one| (it, one)));
    all.map(|(it, one)| ((it.id.as_str(), one.label.as_str()), one.id.as_str())).collect()
}

fn requirement<'a>(it: &'a Requirement, ids: &HashMap<(&str, &str), &'a str>) -> Need<'a> {
    let mut links = Vec::new();
    for link in &it.links {
        let named = link.labels.iter().filter_map(|it| ids.get(&(&*link.target, &**it)));
        let named: Vec<&str> = named.copied().collect();
        if named.is_empty() {
            links.push(link.target.as_str());
        }
        links.extend(named);
    }
    links.sort_unstable();
    links.dedup();
    Need {
        id: &it.id,
        title: &it.title,
        kind: "req",
        status: &it.status,
        content: &it.body,
        tags: vec![&it.level],
        links,
        docname: docname(it),
        lineno: it.line,
    }
}

fn assertion<'a>(it: &'a Requirement, one: &'a Assertion) -> Need<'a> {
    let title = one.text.lines().next().unwrap_or_default();
    Need {
        id: &one.id,
        title: mcp_core::text::cut(title, MAX_TITLE),
        kind: "spec",
        status: &it.status,
        content: &one.text,
        tags: vec![&it.level],
        links: vec![&it.id],
        docname: docname(it),
        lineno: one.line,
    }
}

fn docname(it: &Requirement) -> &str {
    it.path.rsplit_once('.').map_or(&it.path, |(stem, _)| stem)
}
