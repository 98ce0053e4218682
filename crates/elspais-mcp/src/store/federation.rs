//! Other repositories that the configuration names: read, linked, and never written to.
//!
//! A committed file does not choose what is read outside of the project: a repository that lies
//! elsewhere is opened only where the person who started the server named its directory.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use mcp_core::doors;
use mcp_core::sandbox::{Journal, RelPath, Root, State, View};
use mcp_core::work::Work;
use rayon::prelude::*;

use super::reading::{config_texts, read_of};
use super::scan::Scan;
use crate::domain::config::{Associate, Config};
use crate::domain::grammar::Grammar;
use crate::domain::graph::{Absent, File};
use crate::error::Error;

/// Directories of other repositories, as the person who started the server named them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Named(BTreeMap<String, PathBuf>);

impl Named {
    /// From `NAME=DIR`; what has another form is left out.
    pub(crate) fn parse(given: &[String], base: &std::path::Path) -> Self {
        let pairs = given.iter().flat_map(|it| it.split(',')).filter_map(|it| it.split_once('='));
        Self(pairs.map(|(name, dir)| (name.trim().to_owned(), base.join(dir.trim()))).collect())
    }
}

/// Another repository that is open.
pub(super) struct Member {
    name: Arc<str>,
    root: Root,
    config: Config,
    grammar: Arc<Grammar>,
}

/// Those that could be opened, and those that could not.
#[derive(Default)]
pub(super) struct Federation {
    members: Vec<Member>,
    pub(super) absent: Vec<Absent>,
}

pub(super) fn open(view: &View<'_>, config: &Config, named: &Named) -> Federation {
    let mut federation = Federation::default();
    for associate in &config.associates {
        match member(view, associate, named) {
            Ok(Some(member)) => federation.members.push(member),
            Ok(None) => federation.absent.push(absent(associate, None)),
            Err(error) => {
                federation.absent.push(absent(associate, Some(error.to_string())));
            }
        }
    }
    federation
}

fn absent(associate: &Associate, problem: Option<String>) -> Absent {
    Absent { name: associate.name.clone(), namespace: associate.namespace.clone(), problem }
}

/// Beneath the project by its handle, elsewhere only where a person said so.
fn member(view: &View<'_>, associate: &Associate, named: &Named) -> Result<Option<Member>, Error> {
    let root = if let Some(directory) = named.0.get(&associate.name) {
        doors::associate(directory)?
    } else {
        let path = associate.path.trim_start_matches("./").trim_end_matches('/');
        let Ok(path) = RelPath::parse(path) else { return Ok(None) };
        if !view.tree().is_dir(&path) {
            return Ok(None);
        }
        view.tree().below(&path)?
    };
    let texts = on(&root, config_texts)?;
    let texts: Vec<(&'static str, &str)> =
        texts.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let config = Config::read(&texts)?;
    let grammar = Grammar::new(&config)
        .map_err(|message| Error::refused(message, "Correct the configuration there."))?;
    Ok(Some(Member {
        name: associate.name.as_str().into(),
        root,
        config,
        grammar: Arc::new(grammar),
    }))
}

/// Looks at another repository as it lies there; nothing is kept about it anywhere.
fn on<T>(root: &Root, look: impl FnOnce(&View<'_>) -> Result<T, Error>) -> Result<T, Error> {
    let journal = Journal::of(&State::nowhere(), "elspais", root);
    look(&journal.view(root, &Work::endless())?)
}

impl Federation {
    /// How the ids of the others are spelled.
    pub(super) fn grammars(&self) -> Vec<Arc<Grammar>> {
        self.members.iter().map(|it| it.grammar.clone()).collect()
    }

    /// Their files, under paths that say whose they are.
    pub(super) fn files(&self, own: &Arc<Grammar>, work: &Work) -> Result<Vec<File>, Error> {
        let mut files = Vec::new();
        for member in &self.members {
            let others = self.grammars().into_iter().filter(|it| !Arc::ptr_eq(it, &member.grammar));
            let neighbours = std::iter::once(own.clone()).chain(others).collect();
            let grammar = member.grammar.as_ref().clone().with_neighbours(neighbours);
            let read = on(&member.root, |view| {
                let listed = Scan::new(&member.config).walk(view, work)?.files;
                let listed: Vec<_> = listed.into_iter().collect();
                let read = listed
                    .par_iter()
                    .map(|(path, role)| read_of(view, &grammar, &member.name, path, *role));
                Ok(read.collect::<Vec<File>>())
            })?;
            files.extend(read);
        }
        Ok(files)
    }
}
