//! The catalog: every command by name, as it was at one moment.

use std::collections::BTreeMap;
use std::sync::Arc;

use mcp_core::text;

use super::{Command, Kind, Problem};
use crate::error::Error;

/// What a name stands for.
#[derive(Debug, Clone)]
pub(crate) enum Entry {
    Command(Arc<Command>),
    /// A file that could not be used. It keeps its name: another command of that name would be a
    /// different text than the one the user sees in the file.
    Skipped {
        file: String,
        problem: Problem,
    },
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Catalog {
    entries: BTreeMap<String, Entry>,
    /// The names that look alike, by what they have in common.
    spellings: BTreeMap<String, Vec<String>>,
}

impl Catalog {
    /// Adds an entry unless the name is taken, and says whether it did.
    pub(crate) fn add(&mut self, name: &str, entry: Entry) -> bool {
        if self.entries.contains_key(name) {
            return false;
        }
        self.entries.insert(name.to_owned(), entry);
        self.spellings.entry(fold(name)).or_default().push(name.to_owned());
        true
    }

    /// Lets a command be found by another name, too, unless that is taken.
    pub(crate) fn also_called(&mut self, alias: &str, name: &str) {
        self.spellings.entry(fold(alias)).or_insert_with(|| vec![name.to_owned()]);
    }

    /// The commands by name.
    pub(crate) fn commands(&self) -> impl Iterator<Item = &Arc<Command>> {
        self.entries.values().filter_map(|entry| match entry {
            Entry::Command(command) => Some(command),
            Entry::Skipped { .. } => None,
        })
    }

    pub(crate) fn exact(&self, name: &str) -> Option<&Arc<Command>> {
        match self.entries.get(name)? {
            Entry::Command(command) => Some(command),
            Entry::Skipped { .. } => None,
        }
    }

    /// Finds a command by its name, or by what clients and people make of it: `/sp.plan`,
    /// `sp_plan`, `SP.Plan`.
    pub(crate) fn find(&self, name: &str) -> Result<&Arc<Command>, Error> {
        if let Some(entry) = self.entries.get(name) {
            return usable(name, entry);
        }
        let alike = self.spellings.get(&fold(name)).map(Vec::as_slice).unwrap_or_default();
        match alike {
            [] => Err(self.unknown(name)),
            [only] => match self.entries.get(only) {
                Some(entry) => usable(only, entry),
                None => Err(self.unknown(name)),
            },
            several => {
                Err(Error::AmbiguousCommand { name: shown(name), candidates: several.to_vec() })
            }
        }
    }

    /// The handoffs of a command that lead nowhere.
    pub(crate) fn dangling(&self, command: &Command) -> Vec<Problem> {
        let handoffs = command.handoffs.iter().zip(&command.handoff_lines);
        let dangling = handoffs.filter(|(handoff, _)| !self.has(&handoff.agent));
        dangling
            .map(|(handoff, line)| {
                let message = format!("there is no command `{}` to hand off to", handoff.agent);
                Problem::new(Kind::DanglingHandoff, *line, message)
            })
            .collect()
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.spellings.contains_key(&fold(name))
    }

    /// The names that a person may mean by what is typed so far.
    pub(crate) fn completions(&self, typed: &str) -> Vec<String> {
        let typed = fold(typed);
        let names = || self.commands().map(|command| command.name.clone());
        let mut found: Vec<String> =
            names().filter(|name| fold(name).starts_with(&typed)).collect();
        found.extend(names().filter(|name| {
            let folded = fold(name);
            !folded.starts_with(&typed) && folded.contains(&typed)
        }));
        found
    }

    /// Whether clients that listed the one have to list again to know the other.
    pub(crate) fn is_listed_like(&self, other: &Self) -> bool {
        let (mut ours, mut theirs) = (self.commands(), other.commands());
        loop {
            match (ours.next(), theirs.next()) {
                (None, None) => return true,
                (Some(left), Some(right)) if Arc::ptr_eq(left, right) => {}
                (Some(left), Some(right)) if left.is_listed_like(right) => {}
                _ => return false,
            }
        }
    }

    fn unknown(&self, name: &str) -> Error {
        let known: Vec<String> = self.commands().map(|command| command.name.clone()).collect();
        let name = shown(name);
        let nearest = text::nearest(&name, known.iter().map(String::as_str)).map(str::to_owned);
        Error::UnknownCommand { name, nearest, known }
    }
}

fn usable<'a>(name: &str, entry: &'a Entry) -> Result<&'a Arc<Command>, Error> {
    match entry {
        Entry::Command(command) => Ok(command),
        Entry::Skipped { file, problem } => Err(Error::SkippedCommand {
            name: name.to_owned(),
            file: file.clone(),
            line: problem.line,
            reason: problem.message.clone(),
        }),
    }
}

/// A name from a client can be anything.
fn shown(name: &str) -> String {
    text::one_line(text::cut(name, 100))
}

/// What names of one command have in common, whichever agent's folder they come from:
/// `speckit.plan`, `speckit:plan` and `speckit-plan` are one.
pub(crate) fn sounds(name: &str) -> String {
    name.replace(['.', ':'], "-")
}

fn fold(name: &str) -> String {
    let name = name.trim().trim_start_matches('/');
    name.replace(['.', '-', ' ', ':'], "_").to_lowercase()
}
