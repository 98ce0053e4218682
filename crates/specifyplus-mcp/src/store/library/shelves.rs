//! The commands put on shelves: each name once, the first file that has it counts, and what is
//! passed over is remembered with the reason.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::{Located, Origin};
use crate::domain::{Catalog, Command, Entry, Kind, Problem, sounds};
use crate::store::folder::{Contents, Folder};
use crate::store::project::{Found, FoundFile, Project};

#[derive(Default)]
pub(super) struct Shelves {
    pub(super) catalog: Catalog,
    pub(super) problems: Vec<Located>,
    pub(super) origins: BTreeMap<String, Origin>,
    /// By what the names of one command have in common: the shelf and the file of each.
    taken: HashMap<String, Vec<(String, String)>>,
    /// Those of them that come from projects.
    found_names: HashSet<String>,
}

impl Shelves {
    /// Says that a folder is not there.
    pub(super) fn missing(&mut self, folder: &Folder, contents: &Contents) {
        if let Some(reason) = &contents.missing {
            let problem = Problem::new(Kind::NoDirectory, 1, reason.clone());
            self.problems.push(Located { file: folder.label.clone(), problem });
        }
    }

    /// A folder of the contract: every file is a command, unless an earlier folder has that name.
    pub(super) fn folder(&mut self, index: usize, folder: &Folder, contents: &Contents) {
        for (file_name, file) in contents.files() {
            let label = folder.label_of(file_name);
            let entry = match &file.command {
                Ok(command) => Entry::Command(command.clone()),
                Err(problem) => {
                    Entry::Skipped { file: file_name.clone(), problem: problem.clone() }
                }
            };
            let found = file.command.as_ref().err().into_iter().chain(&file.problems);
            self.problems.extend(located(&label, found));
            if self.catalog.add(&file.name, entry) {
                self.origins.insert(file.name.clone(), Origin::Folder(index));
                self.take(&file.name, &folder.label, &label);
            } else {
                self.pass_over(&file.name, label);
            }
        }
    }

    /// The folders of a project: a command that several of them hold is one.
    pub(super) fn project(&mut self, index: usize, project: &Project, found: &Found) {
        // A signpost to a skill of its name is of use only where that skill is not served.
        let is_signpost = |found: &FoundFile| {
            found.file().command.as_ref().is_ok_and(|command| command.is_signpost)
        };
        let (signposts, others): (Vec<_>, Vec<_>) =
            found.files().iter().enumerate().partition(|(_, found)| is_signpost(found));
        for (number, found) in others.into_iter().chain(signposts) {
            let label = project.label_of(found.path());
            let file = found.file();
            match &file.command {
                Ok(command) if self.is_free(found) => {
                    self.problems.extend(located(&label, file.problems.iter()));
                    self.catalog.add(&file.name, Entry::Command(command.clone()));
                    self.origins.insert(file.name.clone(), Origin::Project(index, number));
                    self.take(&file.name, found.shelf(), &label);
                    self.found_names.insert(sounds(&file.name));
                }
                Ok(_) => self.pass_over(&file.name, label),
                Err(_) => {}
            }
        }
        // A file that cannot be read stands in no other's way.
        for found in found.files() {
            let Err(problem) = &found.file().command else { continue };
            let label = project.label_of(found.path());
            self.problems.extend(located(&label, std::iter::once(problem)));
            if self.is_free(found) {
                let entry = Entry::Skipped { file: label, problem: problem.clone() };
                self.catalog.add(&found.file().name, entry);
            }
        }
        for found in found.files() {
            if let Some(alias) = found.alias() {
                self.catalog.also_called(alias, &found.file().name);
            }
        }
    }

    /// Those that come with the server, where no file has the name.
    pub(super) fn builtin(&mut self, commands: &[Arc<Command>]) {
        for command in commands {
            if !self.found_names.contains(&sounds(&command.name))
                && self.catalog.add(&command.name, Entry::Command(command.clone()))
            {
                self.origins.insert(command.name.clone(), Origin::BuiltIn);
            }
        }
    }

    /// Whether no other shelf has the command, and none at all this very name.
    fn is_free(&self, found: &FoundFile) -> bool {
        let name = &found.file().name;
        let others = self.taken.get(&sounds(name)).map(Vec::as_slice).unwrap_or_default();
        others.iter().all(|(shelf, _)| shelf == found.shelf()) && !self.origins.contains_key(name)
    }

    fn take(&mut self, name: &str, shelf: &str, label: &str) {
        let place = (shelf.to_owned(), label.to_owned());
        self.taken.entry(sounds(name)).or_default().push(place);
    }

    fn pass_over(&mut self, name: &str, file: String) {
        let holder = self.taken.get(&sounds(name)).and_then(|places| places.first());
        let holder = holder.map_or("another file", |(_, label)| label.as_str());
        let message = format!("it is passed over, because {holder} has the command already");
        self.problems.push(Located { file, problem: Problem::new(Kind::PassedOver, 1, message) });
    }
}

fn located<'a>(
    label: &'a str,
    problems: impl Iterator<Item = &'a Problem> + 'a,
) -> impl Iterator<Item = Located> + 'a {
    problems.map(move |problem| Located { file: label.to_owned(), problem: problem.clone() })
}
