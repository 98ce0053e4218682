//! What the binary carries is complete, agrees with itself, and is written for our own checks.

use mcp_core::sandbox::{EntryKind, RelPath, Root};
use mcp_core::{markdown, yaml};
use serde_json::Value;

use crate::domain::catalog::CATALOG;
use crate::domain::check::RULES;
use crate::domain::document::{self, Front};
use crate::domain::heading;
use crate::store::embedded::{self, Files};

fn text_of(path: &str) -> &'static str {
    let found = embedded::PROCESS.iter().find(|(name, _)| *name == path);
    found.unwrap_or_else(|| panic!("{path} is not carried")).1
}

fn on_disk(root: &Root, directory: &str, prefix: &str, paths: &mut Vec<String>) {
    for entry in root.list(Some(&RelPath::parse(directory).unwrap())).unwrap() {
        let path = format!("{directory}/{}", entry.name);
        let name = format!("{prefix}{}", entry.name);
        match entry.kind {
            EntryKind::Directory => on_disk(root, &path, &format!("{name}/"), paths),
            _ => paths.push(name),
        }
    }
}

#[test]
fn the_tables_and_the_folders_agree() {
    let assets =
        mcp_core::doors::start(concat!(env!("CARGO_MANIFEST_DIR"), "/assets").as_ref()).unwrap();
    let trees: [(&str, Files); 3] =
        [("tree", embedded::PROCESS), ("registry", embedded::REGISTRY), ("skill", embedded::SKILL)];
    for (folder, files) in trees {
        let mut paths = Vec::new();
        on_disk(&assets, folder, "", &mut paths);
        paths.sort();
        let mut carried: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
        carried.sort_unstable();
        assert_eq!(carried, paths, "{folder}");
        for (name, text) in files {
            let path = RelPath::parse(&format!("{folder}/{name}")).unwrap();
            assert_eq!(assets.read_text(&path).unwrap(), *text, "{name}");
        }
    }
}

#[test]
fn everything_the_catalogue_names_is_carried() {
    assert_eq!(CATALOG.specs().len(), 16);
    assert_eq!(CATALOG.prompt_files().len(), 8);
    for (_, path) in CATALOG.specs() {
        text_of(path);
    }
    for path in CATALOG.prompt_files() {
        text_of(path);
    }
    for (_, path) in CATALOG.stub_files() {
        text_of(&path);
    }
    let articles = embedded::PROCESS.iter().filter(|(name, _)| name.starts_with("kb/")).count();
    assert!(articles > 8, "{articles}");
}

#[test]
fn every_document_has_front_matter_a_title_and_no_gaps() {
    for (name, text) in embedded::PROCESS {
        let front = Front::of(text);
        assert!(matches!(front, Front::Fields(_)), "{name}: {front:?}");
        assert!(front.field("type").is_some(), "{name}");
        let headings = markdown::headings(document::body(text));
        assert_eq!(headings.first().map(|it| it.level), Some(1), "{name}");
        assert_eq!(headings.iter().filter(|it| it.level == 1).count(), 1, "{name}");
        assert!(text.ends_with('\n') && !text.ends_with("\n\n") && !text.contains('\r'), "{name}");
        if !name.starts_with("stubs/") {
            assert!(
                front.field("title").is_some() && front.field("description").is_some(),
                "{name}"
            );
        }
    }
}

#[test]
fn stage_specifications_have_the_parts_the_contract_names() {
    for stage in &CATALOG.stages {
        let body = document::body(text_of(&stage.file));
        for part in ["Entry Criteria", "Phases", "Exit Criteria", "Review Dimensions"] {
            let sections = markdown::sections(body);
            let section = sections.iter().find(|it| heading::is(&it.heading.text, part));
            assert!(section.is_some_and(|it| body[it.body.clone()].trim().len() > 100), "{part}");
        }
    }
}

#[test]
fn the_rules_follow_the_specifications_in_their_present_version() {
    let follows = RULES.artifacts.iter().map(|it| &it.follows);
    for follows in follows.chain([&RULES.structure.follows]) {
        let version = Front::of(text_of(&follows.spec)).field("version");
        assert_eq!(version.as_deref(), Some(follows.version.as_str()), "{}", follows.spec);
    }
}

#[test]
fn the_specifications_name_every_heading_and_item_that_is_checked() {
    for artifact in &RULES.artifacts {
        let spec = text_of(&artifact.follows.spec).to_lowercase();
        for section in &artifact.sections {
            let named = section.any_of.iter().any(|it| spec.contains(it.as_str()));
            assert!(named, "{} does not speak of {}", artifact.follows.spec, section.name);
        }
        for path in &artifact.paths {
            assert!(spec.contains(&path.to_lowercase()), "{path} in {}", artifact.follows.spec);
        }
    }
    let structure = text_of(&RULES.structure.follows.spec);
    for item in &RULES.structure.items {
        assert!(structure.contains(&format!("| `{}", item.path)), "{}", item.path);
    }
}

#[test]
fn documents_refer_only_to_files_that_exist() {
    let known = |path: &str| embedded::PROCESS.iter().any(|(name, _)| *name == path);
    for (name, text) in embedded::PROCESS {
        for word in text
            .split(|it: char| it.is_whitespace() || matches!(it, '`' | '(' | ')' | ',' | ';' | '|'))
        {
            let word = word.trim_end_matches(['.', ':']);
            let is_ours = word.starts_with("ACM-")
                || word.starts_with("prompts/")
                || word.starts_with("stubs/");
            let is_ours =
                is_ours && std::path::Path::new(word).extension().is_some_and(|it| it == "md");
            assert!(!is_ours || known(word), "{name} refers to {word}");
        }
    }
}

#[test]
fn the_inventory_agrees_with_the_capability_files() {
    let inventory =
        embedded::REGISTRY.iter().find(|(name, _)| *name == "inventory.json").unwrap().1;
    let inventory: Value = serde_json::from_str(inventory).unwrap();
    let entries = inventory["capabilities"].as_array().unwrap();
    let details = embedded::REGISTRY.iter().filter(|(name, _)| name.ends_with("capability.yaml"));
    assert_eq!(details.count(), entries.len());
    assert_eq!(inventory["summary"]["total"], entries.len());
    for entry in entries {
        let path = format!("{}/capability.yaml", entry["path"].as_str().unwrap());
        let detail = embedded::REGISTRY.iter().find(|(name, _)| *name == path).unwrap().1;
        let detail: Value = yaml::parse(detail).unwrap();
        for key in [
            "name",
            "type",
            "description",
            "source",
            "status",
            "version",
            "tags",
            "added",
            "updated",
        ] {
            assert_eq!(detail[key], entry[key], "{path}: {key}");
            assert!(!detail[key].is_null(), "{path}: {key}");
        }
        assert!(detail["install"].is_string() && detail["install_level"].is_string(), "{path}");
    }
}
