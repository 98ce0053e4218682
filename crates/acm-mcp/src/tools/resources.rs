//! The documents as resources, for clients that let their users pick them.

use std::future::ready;
use std::pin::Pin;
use std::sync::Arc;

use mcp_core::failure::Failure;
use mcp_core::model::{Resource, ResourceContents, ResourceTemplate};
use mcp_core::server::{Call, Completion, Halt, ResourceSource};

use crate::domain::catalog::CATALOG;
use crate::domain::document::Front;
use crate::domain::knowledge;
use crate::error::Error;
use crate::store::embedded;
use crate::store::surroundings::Surroundings;
use crate::store::{articles, registry};

const SCHEME: &str = "acm://";
const PROMPTS: &str = "prompts";

/// What the first part of a URI names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shelf {
    Spec,
    Prompt,
    Stub,
    Article,
    Capability,
}

/// How a shelf is described to clients.
struct Label {
    name: &'static str,
    variable: &'static str,
    mime: &'static str,
    title: &'static str,
    about: &'static str,
}

impl Shelf {
    const ALL: [Self; 5] = [Self::Spec, Self::Prompt, Self::Stub, Self::Article, Self::Capability];

    fn label(self) -> Label {
        let markdown = |name, variable, title, about| Label {
            name,
            variable,
            mime: "text/markdown",
            title,
            about,
        };
        match self {
            Self::Spec => markdown(
                "spec",
                "artifact",
                "Specification",
                "The specification of an artifact or a stage.",
            ),
            Self::Prompt => markdown(
                "prompt",
                "name",
                "Prompt",
                "A review or transition prompt, by its file name without the ending.",
            ),
            Self::Stub => {
                markdown("stub", "artifact", "Template", "The template an artifact starts from.")
            }
            Self::Article => markdown(
                "kb",
                "entry",
                "Knowledge base article",
                "A knowledge base article, by its file name without the ending.",
            ),
            Self::Capability => Label {
                name: "capability",
                variable: "id",
                mime: "application/yaml",
                title: "Capability",
                about: "The capability.yaml of a capability.",
            },
        }
    }

    fn template(self) -> String {
        let Label { name, variable, .. } = self.label();
        format!("{SCHEME}{name}/{{{variable}}}")
    }

    /// The documents that every tree has: name and path.
    fn fixed(self) -> Vec<(String, String)> {
        match self {
            Self::Spec => {
                CATALOG.specs().into_iter().map(|(name, path)| (name, path.to_owned())).collect()
            }
            Self::Stub => CATALOG.stub_files(),
            Self::Prompt => {
                let paths = CATALOG.prompt_files().into_iter();
                paths.filter_map(|path| Some((prompt_name(path)?, path.to_owned()))).collect()
            }
            Self::Article | Self::Capability => Vec::new(),
        }
    }

    fn resource(self, name: &str, path: &str) -> Resource {
        let label = self.label();
        // What our own document is for is what anybody's of that name should be for.
        let embedded = embedded::PROCESS.iter().find(|(it, _)| *it == path);
        let about = embedded.and_then(|(_, text)| Front::of(text).field("description"));
        Resource::new(format!("{SCHEME}{}/{name}", label.name), format!("{}-{name}", label.name))
            .with_title(format!("{}: {}", label.title, name.replace(['-', '_'], " ")))
            .with_description(about.map_or_else(|| label.about.to_owned(), |it| format!("{it}.")))
            .with_mime_type(label.mime)
    }
}

fn prompt_name(path: &str) -> Option<String> {
    path.strip_prefix(PROMPTS)?.strip_prefix('/')?.strip_suffix(".md").map(str::to_owned)
}

pub(crate) struct Library {
    surroundings: Arc<Surroundings>,
}

impl Library {
    pub(crate) fn new(surroundings: Arc<Surroundings>) -> Self {
        Self { surroundings }
    }

    fn contents(&self, uri: &str) -> Result<Option<Vec<ResourceContents>>, Halt> {
        let Some((shelf, name)) = uri.strip_prefix(SCHEME).and_then(|it| it.split_once('/')) else {
            return Ok(None);
        };
        let Some(shelf) = Shelf::ALL.into_iter().find(|it| it.label().name == shelf) else {
            return Ok(None);
        };
        let Some(name) = percent_decoded(name) else { return Ok(None) };
        let Some(text) = self.text(shelf, &name)? else { return Ok(None) };
        Ok(Some(vec![ResourceContents::text(text, uri).with_mime_type(shelf.label().mime)]))
    }

    /// `None` when there is no such document.
    fn text(&self, shelf: Shelf, name: &str) -> Result<Option<String>, Error> {
        if name.is_empty() || name.contains(['/', '\\', '\0']) || name.starts_with('.') {
            return Ok(None);
        }
        let process = || self.surroundings.process();
        match shelf {
            Shelf::Spec | Shelf::Stub => {
                match shelf.fixed().into_iter().find(|(it, _)| it == name) {
                    Some((_, path)) => process()?.read(&path).map(Some),
                    None => Ok(None),
                }
            }
            Shelf::Prompt => process()?.read_if_any(&format!("{PROMPTS}/{name}.md")),
            Shelf::Article => process()?.read_if_any(&knowledge::path(name)),
            Shelf::Capability => {
                registry::detail(&self.surroundings.registry()?, name, None).map(Some)
            }
        }
    }

    /// Everything a variable can be.
    fn names(&self, shelf: Shelf) -> Result<Vec<String>, Error> {
        match shelf {
            Shelf::Spec | Shelf::Stub => {
                Ok(shelf.fixed().into_iter().map(|(name, _)| name).collect())
            }
            Shelf::Prompt => {
                let names = self.surroundings.process()?.names_in(PROMPTS)?;
                let names = names.iter().filter_map(|it| it.strip_suffix(".md"));
                Ok(names.map(str::to_owned).collect())
            }
            Shelf::Article => articles::names(&self.surroundings.process()?),
            Shelf::Capability => {
                let inventory = registry::inventory(&self.surroundings.registry()?)?;
                let mut names: Vec<String> =
                    inventory.capabilities.into_iter().map(|it| it.name).collect();
                names.sort();
                names.dedup();
                Ok(names)
            }
        }
    }
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
        let documents = Shelf::ALL.into_iter().flat_map(|shelf| {
            shelf.fixed().into_iter().map(move |(name, path)| shelf.resource(&name, &path))
        });
        Ok(documents.collect())
    }

    fn templates(&self) -> Vec<ResourceTemplate> {
        let template = |shelf: Shelf| {
            let label = shelf.label();
            ResourceTemplate::new(shelf.template(), label.name)
                .with_title(label.title)
                .with_description(label.about)
                .with_mime_type(label.mime)
        };
        Shelf::ALL.map(template).to_vec()
    }

    fn read<'a>(&'a self, _call: Call, uri: &'a str) -> Reading<'a> {
        Box::pin(ready(self.contents(uri)))
    }

    fn can_complete(&self) -> bool {
        true
    }

    fn complete(&self, completion: &Completion<'_>) -> Vec<String> {
        let shelf = Shelf::ALL.into_iter().find(|it| {
            it.template() == completion.of && it.label().variable == completion.argument
        });
        let Some(shelf) = shelf else { return Vec::new() };
        let typed = completion.typed.to_lowercase();
        // What cannot be listed completes to nothing; reading it says why.
        let names = self.names(shelf).unwrap_or_default().into_iter();
        names.filter(|name| name.to_lowercase().starts_with(&typed)).collect()
    }
}
