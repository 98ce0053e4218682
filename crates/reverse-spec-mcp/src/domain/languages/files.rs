//! The files of a project as imports see them: by path, by name, and by the packages they are in.

use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;

use super::manifest::Offer;
use crate::domain::skeleton::LanguageId;

/// Knows the files that were read.
#[derive(Debug, Default)]
pub(crate) struct ProjectFiles {
    paths: BTreeSet<String>,
    /// Built when the first import is looked for by the name of a file.
    by_name: OnceLock<HashMap<String, Vec<String>>>,
    /// What imports of a package begin with, and the directory that stands for it; the longest first.
    packages: Vec<(String, String)>,
    /// What packages offer to others, by the directory of the manifest and the language.
    offers: Vec<(String, LanguageId, Offer)>,
}

impl ProjectFiles {
    /// `packages` are the names by which directories are imported.
    pub(crate) fn new(paths: BTreeSet<String>, mut packages: Vec<(String, String)>) -> Self {
        packages.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        Self { paths, packages, ..Self::default() }
    }

    /// With what the packages among them offer.
    pub(crate) fn offering(mut self, offers: Vec<(String, LanguageId, Offer)>) -> Self {
        self.offers = offers;
        self
    }

    /// What packages of a language offer, each with the directory of its manifest.
    pub(crate) fn offers(&self, language: LanguageId) -> impl Iterator<Item = (&str, &Offer)> {
        let own = self.offers.iter().filter(move |it| it.1 == language);
        own.map(|(directory, _, offer)| (directory.as_str(), offer))
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &String> {
        self.paths.iter()
    }

    pub(super) fn contains(&self, path: &str) -> bool {
        self.paths.contains(path)
    }

    pub(super) fn first_of(&self, candidates: impl IntoIterator<Item = String>) -> Option<String> {
        candidates.into_iter().find(|it| self.contains(it))
    }

    /// Every file of this name, wherever it lies.
    pub(super) fn named(&self, name: &str) -> &[String] {
        let by_name = self.by_name.get_or_init(|| {
            let mut by_name: HashMap<String, Vec<String>> = HashMap::new();
            for path in &self.paths {
                by_name.entry(file_name(path).to_owned()).or_default().push(path.clone());
            }
            by_name
        });
        by_name.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    /// The files in a directory itself, in order.
    pub(super) fn directly_in(&self, directory: &str) -> impl Iterator<Item = &String> {
        let start = if directory.is_empty() { String::new() } else { format!("{directory}/") };
        let further = self.paths.range(start.clone()..);
        let length = start.len();
        let inside = further.take_while(move |it| it.starts_with(&start));
        inside.filter(move |it| !it[length..].contains('/'))
    }

    /// The directory of the package that an import names, and the rest of what it names.
    pub(super) fn package<'a>(&self, specifier: &'a str) -> Option<(&str, &'a str)> {
        self.packages.iter().find_map(|(name, directory)| {
            let rest = specifier.strip_prefix(name.as_str())?;
            (rest.is_empty() || rest.starts_with('/')).then_some((directory.as_str(), rest))
        })
    }
}

/// The last part of a path.
pub(super) fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Everything before the last part of a path.
pub(super) fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// The two as one path without `.` and `..`; none when it leads out of the project.
pub(super) fn joined(base: &str, further: &str) -> Option<String> {
    let mut parts: Vec<&str> = base.split('/').filter(|it| !it.is_empty()).collect();
    for part in further.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
