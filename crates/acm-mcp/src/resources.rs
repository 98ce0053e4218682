//! The same documents as resources, for clients that let their users pick them.

use std::future::ready;
use std::pin::Pin;
use std::sync::Arc;

use mcp_core::failure::Failure;
use mcp_core::rmcp::model::{Resource, ResourceContents, ResourceTemplate};
use mcp_core::server::{Call, Completion, Halt, ResourceSource};

use crate::capability::{self, Inventory};
use crate::catalog::CATALOG;
use crate::document::Front;
use crate::embedded;
use crate::error::Error;
use crate::knowledge;
use crate::surroundings::Surroundings;

const SCHEME: &str = "acm://";
const MARKDOWN: &str = "text/markdown";
const YAML: &str = "application/yaml";
const PROMPTS: &str = "prompts";

/// What the first part of a URI names, with its variable and what it holds.
const SHELVES: [Shelf; 5] = [
    Shelf {
        name: "spec",
        variable: "artifact",
        mime: MARKDOWN,
        title: "Specification",
        about: "The specification of an artifact or a stage.",
    },
    Shelf {
        name: "prompt",
        variable: "name",
        mime: MARKDOWN,
        title: "Prompt",
        about: "A review or transition prompt, by its file name without the ending.",
    },
    Shelf {
        name: "stub",
        variable: "artifact",
        mime: MARKDOWN,
        title: "Template",
        about: "The template an artifact starts from.",
    },
    Shelf {
        name: "kb",
        variable: "entry",
        mime: MARKDOWN,
        title: "Knowledge base article",
        about: "A knowledge base article, by its file name without the ending.",
    },
    Shelf {
        name: "capability",
        variable: "id",
        mime: YAML,
        title: "Capability",
        about: "The capability.yaml of a capability.",
    },
];

struct Shelf {
    name: &'static str,
    variable: &'static str,
    mime: &'static str,
    title: &'static str,
    about: &'static str,
}

impl Shelf {
    fn template(&self) -> String {
        format!("{SCHEME}{}/{{{}}}", self.name, self.variable)
    }
}

pub(crate) struct Library {
    surroundings: Arc<Surroundings>,
}

impl Library {
    pub(crate) fn new(surroundings: Arc<Surroundings>) -> Self {
        Self { surroundings }
    }

    /// `None` when the URI is none of ours; an error when it is, but what it names is not there.
    fn text(&self, shelf: &str, name: &str) -> Result<Option<String>, Error> {
        if name.is_empty() || name.contains(['/', '\\', '\0']) || name.starts_with('.') {
            return Ok(None);
        }
        let catalogued = |path: Option<String>| match path {
            Some(path) => self.surroundings.process()?.read(&path).map(Some),
            None => Ok(None),
        };
        let listed = |path: String| self.surroundings.process()?.read_if_any(&path);
        match shelf {
            "spec" | "stub" => catalogued(fixed_path(shelf, name)),
            "prompt" => listed(format!("{PROMPTS}/{name}.md")),
            "kb" => listed(knowledge::path(name)),
            "capability" => {
                capability::detail(&self.surroundings.registry()?, name, None).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Everything a variable can be; what cannot be listed completes to nothing.
    fn names(&self, shelf: &str) -> Vec<String> {
        let in_process = |names: fn(&crate::tree::Tree) -> Result<Vec<String>, Error>| {
            self.surroundings.process().and_then(|tree| names(&tree)).unwrap_or_default()
        };
        match shelf {
            "spec" | "stub" => fixed(shelf).into_iter().map(|(name, _)| name).collect(),
            "prompt" => in_process(|tree| {
                let names = tree.names_in(PROMPTS)?;
                Ok(names
                    .iter()
                    .filter_map(|it| it.strip_suffix(".md"))
                    .map(str::to_owned)
                    .collect())
            }),
            "kb" => in_process(knowledge::names),
            "capability" => {
                let registry = self.surroundings.registry();
                let inventory = registry.and_then(|it| Inventory::read(&it));
                let all = inventory.map(|it| it.capabilities).unwrap_or_default();
                let mut names: Vec<String> = all.into_iter().map(|it| it.name).collect();
                names.sort();
                names.dedup();
                names
            }
            _ => Vec::new(),
        }
    }

    fn contents(&self, uri: &str) -> Result<Option<Vec<ResourceContents>>, Halt> {
        let Some((shelf, name)) = uri.strip_prefix(SCHEME).and_then(|it| it.split_once('/')) else {
            return Ok(None);
        };
        let Some(shelf) = SHELVES.iter().find(|it| it.name == shelf) else { return Ok(None) };
        let Some(name) = percent_decoded(name) else { return Ok(None) };
        let Some(text) = self.text(shelf.name, &name)? else { return Ok(None) };
        Ok(Some(vec![ResourceContents::text(text, uri).with_mime_type(shelf.mime)]))
    }
}

/// The documents of a shelf that every tree has: name and path.
fn fixed(shelf: &str) -> Vec<(String, String)> {
    match shelf {
        "spec" => CATALOG.specs().into_iter().map(|(name, path)| (name, path.to_owned())).collect(),
        "stub" => CATALOG.stub_files(),
        _ => {
            let files = CATALOG.prompt_files().into_iter();
            let name =
                |path: &str| path.strip_prefix("prompts/")?.strip_suffix(".md").map(str::to_owned);
            files.filter_map(|path| Some((name(path)?, path.to_owned()))).collect()
        }
    }
}

/// What our own document of that path is for, which is what anybody's should be for.
fn about(shelf: &Shelf, path: &str) -> String {
    let embedded = embedded::PROCESS.iter().find(|(name, _)| *name == path);
    let description = embedded.and_then(|(_, text)| Front::of(text).field("description"));
    description.map_or_else(|| shelf.about.to_owned(), |it| format!("{it}."))
}

fn fixed_path(shelf: &str, name: &str) -> Option<String> {
    fixed(shelf).into_iter().find(|(it, _)| it == name).map(|(_, path)| path)
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let mut digit = || char::from(rest.next()?).to_digit(16);
            let value = digit()? * 16 + digit()?;
            bytes.push(u8::try_from(value).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

type Reading<'a> =
    Pin<Box<dyn Future<Output = Result<Option<Vec<ResourceContents>>, Halt>> + Send + 'a>>;

impl ResourceSource for Library {
    /// What every tree has. Articles and capabilities differ from machine to machine: those are
    /// found through the templates.
    fn list(&self) -> Result<Vec<Resource>, Failure> {
        let mut resources = Vec::new();
        for shelf in SHELVES.iter().filter(|it| matches!(it.name, "spec" | "prompt" | "stub")) {
            for (name, path) in fixed(shelf.name) {
                let title = format!("{}: {}", shelf.title, name.replace(['-', '_'], " "));
                resources.push(
                    Resource::new(
                        format!("{SCHEME}{}/{name}", shelf.name),
                        format!("{}-{name}", shelf.name),
                    )
                    .with_title(title)
                    .with_description(about(shelf, &path))
                    .with_mime_type(shelf.mime),
                );
            }
        }
        Ok(resources)
    }

    fn templates(&self) -> Vec<ResourceTemplate> {
        let template = |shelf: &Shelf| {
            ResourceTemplate::new(shelf.template(), shelf.name)
                .with_title(shelf.title)
                .with_description(shelf.about)
                .with_mime_type(shelf.mime)
        };
        SHELVES.iter().map(template).collect()
    }

    fn read<'a>(&'a self, _call: Call, uri: &'a str) -> Reading<'a> {
        Box::pin(ready(self.contents(uri)))
    }

    fn can_complete(&self) -> bool {
        true
    }

    fn complete(&self, completion: &Completion<'_>) -> Vec<String> {
        let shelf = SHELVES
            .iter()
            .find(|it| it.template() == completion.of && it.variable == completion.argument);
        let Some(shelf) = shelf else { return Vec::new() };
        let typed = completion.typed.to_lowercase();
        let names = self.names(shelf.name).into_iter();
        names.filter(|name| name.to_lowercase().starts_with(&typed)).collect()
    }
}
