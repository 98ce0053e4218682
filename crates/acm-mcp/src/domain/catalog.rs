//! Which names the tools know and which file each of them means, out of `assets/catalog.json`.

use std::sync::LazyLock;

use serde::Deserialize;

pub(crate) static CATALOG: LazyLock<Catalog> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "part of the binary, and read by every test")]
    serde_json::from_str(include_str!("../../assets/catalog.json")).expect("the catalogue is valid")
});

#[derive(Debug, Deserialize)]
pub(crate) struct Catalog {
    pub(crate) stages: Vec<Named>,
    pub(crate) announced_stages: Vec<Announced>,
    pub(crate) phases: Vec<String>,
    pub(crate) reviews: Vec<Review>,
    pub(crate) transitions: Vec<Transition>,
    pub(crate) artifacts: Vec<Named>,
    pub(crate) contexts: Vec<Named>,
    pub(crate) stubs: Vec<Stub>,
    pub(crate) project_types: Vec<String>,
    pub(crate) scales: Vec<String>,
    pub(crate) scopes: Vec<String>,
    pub(crate) capability_types: Vec<CapabilityType>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) file: String,
}

/// A stage that is planned: it has no files yet, but callers ask for it.
#[derive(Debug, Deserialize)]
pub(crate) struct Announced {
    pub(crate) name: String,
    pub(crate) backlog: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Review {
    pub(crate) stage: String,
    pub(crate) phase: String,
    pub(crate) file: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Transition {
    pub(crate) name: String,
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) file: String,
    /// What the stage being left has to leave behind, besides the brief.
    pub(crate) output: Option<String>,
}

/// A template, or a directory with one template for each project type.
#[derive(Debug, Deserialize)]
pub(crate) struct Stub {
    pub(crate) name: String,
    file: Option<String>,
    directory: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct CapabilityType {
    pub(crate) name: String,
    pub(crate) directory: String,
}

impl Catalog {
    pub(crate) fn review(&self, stage: &str, phase: &str) -> Option<&Review> {
        self.reviews.iter().find(|it| it.stage == stage && it.phase == phase)
    }

    pub(crate) fn transition(&self, name: &str) -> Option<&Transition> {
        self.transitions.iter().find(|it| it.name == name)
    }

    pub(crate) fn stub(&self, name: &str) -> Option<&Stub> {
        self.stubs.iter().find(|it| it.name == name)
    }

    /// Every specification under the name its resource has, each file once.
    pub(crate) fn specs(&self) -> Vec<(String, &str)> {
        let own = self.artifacts.iter().chain(&self.stages).map(|it| (it.name.clone(), &*it.file));
        let contexts = self.contexts.iter().map(|it| (format!("{}_claude_md", it.name), &*it.file));
        let mut specs: Vec<(String, &str)> = Vec::new();
        for (name, file) in own.chain(contexts) {
            if !specs.iter().any(|(_, known)| *known == file) {
                specs.push((name, file));
            }
        }
        specs
    }

    /// Every template under the name its resource has.
    pub(crate) fn stub_files(&self) -> Vec<(String, String)> {
        let mut files = Vec::new();
        for stub in &self.stubs {
            files.push((stub.name.clone(), stub.file(self.default_project_type())));
            if stub.directory.is_some() {
                for kind in &self.project_types {
                    files.push((format!("{}_{kind}", stub.name), stub.file(kind)));
                }
            }
        }
        files
    }

    pub(crate) fn prompt_files(&self) -> Vec<&str> {
        let reviews = self.reviews.iter().map(|it| &*it.file);
        reviews.chain(self.transitions.iter().map(|it| &*it.file)).collect()
    }

    /// The type that is meant when a caller names none.
    pub(crate) fn default_project_type(&self) -> &str {
        self.project_types.first().map_or("", String::as_str)
    }
}

impl Stub {
    pub(crate) fn file(&self, project_type: &str) -> String {
        match (&self.file, &self.directory) {
            (Some(file), _) => file.clone(),
            (None, Some(directory)) => format!("{directory}/{project_type}.md"),
            (None, None) => String::new(),
        }
    }
}

pub(crate) fn names(list: &'static [Named]) -> Vec<&'static str> {
    list.iter().map(|it| it.name.as_str()).collect()
}

pub(crate) fn file_of<'a>(list: &'a [Named], name: &str) -> Option<&'a str> {
    list.iter().find(|it| it.name == name).map(|it| it.file.as_str())
}
