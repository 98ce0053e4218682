//! The walk that follows git's rules: every file beneath a directory handle that git would list.
//!
//! Directories are listed below the handle, so a link leads nowhere; `.gitignore` counts at every
//! level, the deepest first, and `.git` is never looked into. What git tracks although a rule
//! ignores it is not known here.

mod queue;
mod rules;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::sandbox::{self, EntryKind, RelPath, Root};
use crate::work::{Cancelled, Work};
use queue::Queue;
use rules::Rules;

/// Deeper trees are not climbed down, unless the caller says otherwise.
const MAX_DEPTH: usize = 128;
/// More files than any project has; what lies beyond is left out.
const MAX_FILES: usize = 5_000_000;

/// A walk that is being prepared.
///
/// ```
/// use mcp_core::sandbox::Root;
/// use mcp_core::walk::Walk;
/// use mcp_core::work::Work;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let root = mcp_core::doors::start(".".as_ref())?;
/// let walked = Walk::new(&root)
///     .entering(&|directory| directory.file_name() != "target")
///     .run(&Work::endless(), &|file| assert!(!file.as_str().starts_with("target/")))?;
/// assert!(!walked.is_cut);
/// # Ok(())
/// # }
/// ```
pub struct Walk<'a> {
    root: &'a Root,
    base: Option<RelPath>,
    rules: Rules,
    heeds_rules: bool,
    max_depth: usize,
    at_most: Option<usize>,
    enter: &'a (dyn Fn(&RelPath) -> bool + Sync),
}

/// What was come across besides the files, each sorted.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Walked {
    /// Directories that were looked into; the root itself is the empty path.
    pub directories: Vec<String>,
    /// Directories beneath the start with a `.git` of their own. They were walked like others.
    pub repositories: Vec<RelPath>,
    /// Directories that could not be listed, and why.
    pub unreadable: Vec<(String, String)>,
    /// Files and directories whose names are not UTF-8, made readable; they were left out.
    pub unnamed: Vec<String>,
    /// There were more files than were asked for.
    pub is_cut: bool,
}

/// One directory that is to be looked into.
struct Step {
    path: Option<RelPath>,
    rules: Rules,
    depth: usize,
}

impl<'a> Walk<'a> {
    /// Walks everything beneath `root`.
    pub fn new(root: &'a Root) -> Self {
        Self {
            root,
            base: None,
            rules: Rules::default(),
            heeds_rules: true,
            max_depth: MAX_DEPTH,
            at_most: None,
            enter: &|_| true,
        }
    }

    /// Begins further down; the rules of the directories above count as well.
    #[must_use]
    pub fn beneath(self, base: Option<&RelPath>) -> Self {
        Self { base: base.cloned(), ..self }
    }

    /// Heeds what is excluded for this working copy alone, and by this user everywhere.
    #[must_use]
    pub fn with_excludes_of(self, git_dir: &Root) -> Self {
        Self { rules: Rules::of_repository(git_dir), ..self }
    }

    /// Lists what git ignores, too.
    #[must_use]
    pub fn heeding_no_rules(self) -> Self {
        Self { heeds_rules: false, ..self }
    }

    /// How many directories below the start are looked into, one inside the other.
    #[must_use]
    pub fn max_depth(self, max_depth: usize) -> Self {
        Self { max_depth, ..self }
    }

    /// Stops after so many files, in the order of their paths within each directory.
    #[must_use]
    pub fn at_most(self, files: usize) -> Self {
        Self { at_most: Some(files), ..self }
    }

    /// Which directories are looked into; those that git ignores are not asked about.
    #[must_use]
    pub fn entering(self, enter: &'a (dyn Fn(&RelPath) -> bool + Sync)) -> Self {
        Self { enter, ..self }
    }

    /// Walks, showing each regular file to `visit`: on all cores and in any order, unless a number
    /// of files is given.
    pub fn run(&self, work: &Work, visit: &(dyn Fn(&RelPath) + Sync)) -> Result<Walked, Cancelled> {
        let first = Step { path: self.base.clone(), rules: self.rules_above(), depth: 0 };
        let seen = AtomicUsize::new(0);
        let tour = Tour { walk: self, work, visit, seen: &seen };
        let mut walked = Walked::default();
        if self.at_most.is_some() {
            tour.descend(&first, &mut walked);
        } else {
            Queue::new(first).drain(&mut walked, &|step, walked| tour.look(step, walked));
        }
        work.check()?;
        walked.sort();
        Ok(walked)
    }

    /// The rules that count before the start is looked at.
    fn rules_above(&self) -> Rules {
        let Some(base) = self.base.as_ref().filter(|_| self.heeds_rules) else {
            return self.rules.clone();
        };
        let mut rules = self.rules.with(self.root, None);
        for (at, _) in base.as_str().match_indices('/') {
            let above = RelPath::parse(&base.as_str()[..at]).ok();
            rules = rules.with(self.root, above.as_ref());
        }
        rules
    }
}

impl Walked {
    fn sort(&mut self) {
        self.directories.sort_unstable();
        self.repositories.sort_unstable();
        self.unreadable.sort_unstable();
        self.unnamed.sort_unstable();
    }

    fn append(&mut self, mut other: Self) {
        self.directories.append(&mut other.directories);
        self.repositories.append(&mut other.repositories);
        self.unreadable.append(&mut other.unreadable);
        self.unnamed.append(&mut other.unnamed);
        self.is_cut |= other.is_cut;
    }
}

/// A walk on its way.
struct Tour<'a> {
    walk: &'a Walk<'a>,
    work: &'a Work,
    visit: &'a (dyn Fn(&RelPath) + Sync),
    seen: &'a AtomicUsize,
}

/// What a directory holds that matters: files and directories, in the order of their names.
enum Item {
    File(RelPath),
    Directory(Step),
}

impl Tour<'_> {
    /// Looks into one directory; returns those below it.
    fn look(&self, step: &Step, walked: &mut Walked) -> Vec<Step> {
        let mut below = Vec::new();
        for item in self.items(step, walked) {
            match item {
                Item::File(path) => drop(self.show(&path, walked)),
                Item::Directory(step) => below.push(step),
            }
        }
        below
    }

    /// Looks into a directory and everything below it, in order.
    fn descend(&self, step: &Step, walked: &mut Walked) {
        for item in self.items(step, walked) {
            match item {
                Item::File(path) if !self.show(&path, walked) => return,
                Item::File(_) => {}
                Item::Directory(step) => self.descend(&step, walked),
            }
            if walked.is_cut {
                return;
            }
        }
    }

    fn show(&self, path: &RelPath, walked: &mut Walked) -> bool {
        let most = self.walk.at_most.unwrap_or(MAX_FILES);
        if self.seen.fetch_add(1, Ordering::Relaxed) >= most {
            walked.is_cut = true;
            return false;
        }
        (self.visit)(path);
        true
    }

    fn items(&self, step: &Step, walked: &mut Walked) -> Vec<Item> {
        let Walk { root, heeds_rules, max_depth, enter, .. } = self.walk;
        let here = step.path.as_ref();
        let shown = || here.map(ToString::to_string).unwrap_or_default();
        if self.work.is_cancelled() {
            return Vec::new();
        }
        let listing = match root.list_all(here) {
            Ok(listing) => listing,
            Err(error) => {
                walked.unreadable.push((shown(), plainly(&error)));
                return Vec::new();
            }
        };
        walked.directories.push(shown());
        let place = |name: &str| match here {
            Some(here) => format!("{here}/{name}"),
            None => name.to_owned(),
        };
        walked.unnamed.extend(listing.unnamed.iter().map(|name| place(name)));
        let has_rules = |it: &sandbox::Entry| it.name == rules::FILE && it.kind == EntryKind::File;
        let rules = if *heeds_rules && listing.entries.iter().any(has_rules) {
            step.rules.with(root, here)
        } else {
            step.rules.clone()
        };
        let mut items = Vec::with_capacity(listing.entries.len());
        for entry in listing.entries {
            if entry.name == ".git" {
                walked.repositories.extend(here.filter(|_| step.depth > 0).cloned());
                continue;
            }
            let is_dir = entry.kind == EntryKind::Directory;
            if !is_dir && entry.kind != EntryKind::File {
                continue;
            }
            // Names that the file system allows and paths of ours do not hold are left out.
            let Ok(path) = RelPath::parse(&place(&entry.name)) else { continue };
            if *heeds_rules && rules.ignore(path.as_str(), is_dir) {
                continue;
            }
            if !is_dir {
                items.push(Item::File(path));
            } else if step.depth < *max_depth && enter(&path) {
                let step = Step { path: Some(path), rules: rules.clone(), depth: step.depth + 1 };
                items.push(Item::Directory(step));
            }
        }
        items
    }
}

fn plainly(error: &sandbox::Error) -> String {
    crate::text::one_line(&error.to_string())
}
