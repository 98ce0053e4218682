//! Files into a graph and what has changed since: reading, all at once or only what differs.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use jiff::Timestamp;
use mcp_core::sandbox::{self, RelPath, Root, Stamp, View};
use mcp_core::work::{Cancelled, Work};
use rayon::prelude::*;
use sha2::{Digest as _, Sha256};

use super::federation::{self, Named};
use super::reading::{self, config_texts, read_bytes};
use super::scan::{Listing, Scan};
use crate::domain::config::{CONFIG_FILE, Config};
use crate::domain::dialect::Scopes;
use crate::domain::grammar::Grammar;
use crate::domain::graph::{File, FileUpdate, Role, TraceGraph};
use crate::domain::parse::lines::Line;
use crate::domain::text::Text;
use crate::error::{ConfigError, Error};

/// What a file said, to tell whether it says it still.
#[derive(Clone)]
enum Said {
    /// The text that the graph holds, too.
    Text(Text),
    /// Of what is not kept.
    Hash([u8; 32]),
}

impl Said {
    fn is(&self, bytes: &[u8]) -> bool {
        match self {
            Self::Text(text) => text.as_bytes() == bytes,
            Self::Hash(hash) => *hash == hash_of(bytes),
        }
    }
}

/// What was read, so that the next look can tell what is different.
pub(crate) struct Snapshot {
    config_texts: Vec<(&'static str, String)>,
    pub(crate) scan: Scan,
    files: BTreeMap<String, Known>,
    pub(crate) directories: BTreeSet<String>,
    read_at: Timestamp,
    /// Directories of other repositories.
    named: Named,
    /// How ids of this project alone are spelled.
    plain: Arc<Grammar>,
    /// Files of other repositories that the graph holds.
    foreign: BTreeSet<String>,
    /// Files that we wrote since the last look: what they say is known as long as their stamps are
    /// those of our own writing, however fresh.
    written: BTreeSet<String>,
}

#[derive(Clone)]
struct Known {
    role: Role,
    /// `None` for a file that could not be looked at.
    stamp: Option<Stamp>,
    said: Said,
}

/// What a refresh did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RefreshReport {
    pub(crate) files_read: usize,
    pub(crate) files_reused: usize,
    pub(crate) files_changed: usize,
    pub(crate) files_removed: usize,
    pub(crate) was_full: bool,
}

/// How far reading is.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    pub(crate) done: AtomicUsize,
    pub(crate) total: AtomicUsize,
}

/// Reads everything.
pub(crate) fn load(
    view: &View<'_>,
    named: &Named,
    now: Timestamp,
    progress: &Progress,
    work: &Work,
) -> Result<(TraceGraph, Snapshot, RefreshReport), Error> {
    let config_texts = config_texts(view)?;
    let texts: Vec<(&'static str, &str)> =
        config_texts.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let mut config = Config::read(&texts)?;
    let grammar = Grammar::new(&config).map_err(|message| ConfigError {
        file: texts.first().map_or(CONFIG_FILE, |(name, _)| name),
        line: 1,
        message,
    })?;
    let mut scan = Scan::new(&config);
    let mut walk = scan.walk(view, work)?;
    let scopes = scopes_of(&walk);
    if config.files.is_empty() && !scopes.is_empty() {
        // Nobody says where the code of such a project lies: wherever git has some.
        config.code.directories = vec![".".to_owned()];
        scan = Scan::new(&config);
        walk = scan.walk(view, work)?;
    }
    let federation = federation::open(view, &config, named);
    let plain = Arc::new(grammar.clone());
    let grammar = grammar.with_scopes(scopes).with_neighbours(federation.grammars());
    progress.total.store(walk.files.len(), Ordering::Relaxed);
    let listed: Vec<(String, Role)> = walk.files.into_iter().collect();
    let read: Vec<(File, Known)> = listed
        .par_iter()
        .map_init(Vec::new, |lines, (path, role)| {
            let read = read_file(view, &grammar, path, *role, lines);
            progress.done.fetch_add(1, Ordering::Relaxed);
            read
        })
        .collect();
    let report = RefreshReport {
        files_read: read.len(),
        files_changed: read.len(),
        was_full: true,
        ..RefreshReport::default()
    };
    let mut files = BTreeMap::new();
    let mut parsed = Vec::with_capacity(read.len());
    for ((path, _), (file, known)) in listed.into_iter().zip(read) {
        files.insert(path, known);
        parsed.push(file);
    }
    let foreign = federation.files(&plain, work)?;
    let foreign_paths = foreign.iter().map(|it| it.path.to_string()).collect();
    parsed.extend(foreign);
    let mut graph = TraceGraph::new(Arc::new(config), Arc::new(grammar), parsed, now);
    graph.absent = federation.absent;
    let snapshot = Snapshot {
        config_texts,
        scan,
        files,
        directories: walk.directories,
        read_at: now,
        named: named.clone(),
        plain,
        foreign: foreign_paths,
        written: BTreeSet::new(),
    };
    Ok((graph, snapshot, report))
}

/// Reads what differs from the snapshot and corrects the graph; everything anew where even the
/// configuration differs.
pub(crate) fn refresh(
    view: &View<'_>,
    now: Timestamp,
    graph: &mut TraceGraph,
    snapshot: &mut Snapshot,
    work: &Work,
) -> Result<RefreshReport, Error> {
    if snapshot.is_configured_otherwise(view)? {
        let named = snapshot.named.clone();
        let (new, read, report) = load(view, &named, now, &Progress::default(), work)?;
        (*graph, *snapshot) = (new, read);
        return Ok(report);
    }
    let look = snapshot.look(view, &graph.grammar, work)?;
    // Which ids there can be is decided by folders; other folders make other ids of old comments.
    if look.scopes != *graph.grammar.scopes() {
        let named = snapshot.named.clone();
        let (new, read, report) = load(view, &named, now, &Progress::default(), work)?;
        (*graph, *snapshot) = (new, read);
        return Ok(report);
    }
    let mut report = RefreshReport {
        files_read: look.read,
        files_reused: look.reused,
        files_changed: look.changed.len(),
        files_removed: look.removed.len(),
        was_full: false,
    };
    report.files_reused += look.read - look.changed.len();
    let mut updates: Vec<FileUpdate> = Vec::new();
    for path in look.removed {
        snapshot.files.remove(&path);
        updates.push(FileUpdate::Remove(path.as_str().into()));
    }
    for (path, known) in look.touched {
        snapshot.files.insert(path, known);
    }
    for (path, file, known) in look.changed {
        snapshot.files.insert(path, known);
        updates.push(FileUpdate::Put(file));
    }
    updates.extend(snapshot.foreign_updates(view, graph, work)?);
    snapshot.directories = look.directories;
    snapshot.written.clear();
    snapshot.read_at = now;
    graph.relink(updates);
    graph.metadata.last_refresh = now;
    graph.metadata.is_stale = false;
    Ok(report)
}

/// What a look at the files found.
struct Look {
    reused: usize,
    read: usize,
    /// Other bytes than before, or not there before.
    changed: Vec<(String, File, Known)>,
    /// Unchanged bytes under another stamp.
    touched: Vec<(String, Known)>,
    removed: Vec<String>,
    directories: BTreeSet<String>,
    scopes: Scopes,
}

enum Seen {
    Reused,
    Touched(Known),
    Changed(Box<File>, Known),
}

impl Snapshot {
    /// What other repositories say now. They are not watched, so they are read with every refresh.
    fn foreign_updates(
        &mut self,
        view: &View<'_>,
        graph: &TraceGraph,
        work: &Work,
    ) -> Result<Vec<FileUpdate>, Error> {
        if graph.config.associates.is_empty() {
            return Ok(Vec::new());
        }
        let federation = federation::open(view, &graph.config, &self.named);
        let files = federation.files(&self.plain, work)?;
        let now: BTreeSet<String> = files.iter().map(|it| it.path.to_string()).collect();
        let gone = self.foreign.difference(&now).map(|it| FileUpdate::Remove(it.as_str().into()));
        let mut updates: Vec<FileUpdate> = gone.collect();
        let differs = |file: &File| {
            graph
                .file_at(&file.path)
                .is_none_or(|(_, known)| known.contents != file.contents || known.text != file.text)
        };
        updates.extend(files.into_iter().filter(differs).map(FileUpdate::Put));
        self.foreign = now;
        Ok(updates)
    }

    /// Whether any file differs from what was read, with no regard to what it would mean.
    pub(crate) fn is_outdated(&self, view: &View<'_>, grammar: &Grammar) -> bool {
        if self.is_configured_otherwise(view).unwrap_or(true) {
            return true;
        }
        let look = self.look(view, grammar, &Work::endless());
        look.is_ok_and(|look| !look.changed.is_empty() || !look.removed.is_empty())
    }

    pub(crate) fn is_configured_otherwise(&self, view: &View<'_>) -> Result<bool, Error> {
        Ok(config_texts(view)? != self.config_texts)
    }

    fn look(&self, view: &View<'_>, grammar: &Grammar, work: &Work) -> Result<Look, Cancelled> {
        let walk = self.scan.walk(view, work)?;
        let scopes = scopes_of(&walk);
        let removed =
            self.files.keys().filter(|path| !walk.files.contains_key(*path)).cloned().collect();
        let listed: Vec<(String, Role)> = walk.files.into_iter().collect();
        let seen: Vec<Seen> =
            listed.par_iter().map(|(path, role)| self.see(view, grammar, path, *role)).collect();
        let mut look = Look {
            reused: 0,
            read: 0,
            changed: Vec::new(),
            touched: Vec::new(),
            removed,
            directories: walk.directories,
            scopes,
        };
        for ((path, _), seen) in listed.into_iter().zip(seen) {
            match seen {
                Seen::Reused => look.reused += 1,
                Seen::Touched(known) => {
                    look.read += 1;
                    look.touched.push((path, known));
                }
                Seen::Changed(file, known) => {
                    look.read += 1;
                    look.changed.push((path, *file, known));
                }
            }
        }
        Ok(look)
    }

    fn see(&self, view: &View<'_>, grammar: &Grammar, path: &str, role: Role) -> Seen {
        let known = self.files.get(path).filter(|known| known.role == role);
        let stamp = RelPath::parse(path).ok().and_then(|path| view.stamp(&path).ok());
        if let (Some(known), Some(stamp)) = (known, stamp)
            && known.stamp == Some(stamp)
            && (stamp.is_settled(self.read_at) || self.written.contains(path))
        {
            return Seen::Reused;
        }
        match (known, read_bytes(view, path, role)) {
            (Some(known), Ok(bytes)) if known.said.is(&bytes) => {
                Seen::Touched(Known { stamp, ..known.clone() })
            }
            (_, Ok(bytes)) => {
                let (file, said) = parsed(grammar, path, role, bytes, &mut Vec::new());
                Seen::Changed(Box::new(file), Known { role, stamp, said })
            }
            (known, Err(error)) => {
                let (file, new) = unreadable(path, role, &error);
                match known {
                    Some(known) if known.said.is(error.to_string().as_bytes()) => {
                        Seen::Touched(Known { stamp, ..new })
                    }
                    _ => Seen::Changed(Box::new(file), Known { stamp, ..new }),
                }
            }
        }
    }

    /// Files that we wrote ourselves are no news.
    pub(crate) fn note_written(&mut self, root: &Root, path: &str, role: Role, text: &Text) {
        let stamp = RelPath::parse(path).ok().and_then(|path| root.stamp(&path).ok());
        self.files.insert(path.to_owned(), Known { role, stamp, said: Said::Text(text.clone()) });
        self.written.insert(path.to_owned());
    }

    /// A path where requirements may be written, as the graph spells it.
    pub(crate) fn spec_path(&self, config: &Config, path: &str) -> Result<String, Error> {
        let path = RelPath::parse(path.trim())?.to_string();
        if self.scan.is_spec(&path) {
            return Ok(path);
        }
        let rule = &config.spec;
        let names =
            |list: &[String]| mcp_core::text::list_of_names(list.iter().map(String::as_str));
        Err(Error::refused(
            format!("`{path}` is not a place for requirements"),
            format!(
                "Name a file in {} that fits {}.",
                names(&rule.directories),
                names(&rule.patterns)
            ),
        ))
    }

    pub(crate) fn counts_by_role(&self) -> BTreeMap<&'static str, usize> {
        let mut counts = BTreeMap::new();
        for known in self.files.values() {
            *counts.entry(known.role.as_str()).or_default() += 1;
        }
        counts
    }
}

fn scopes_of(walk: &Listing) -> Scopes {
    let dialects = walk.files.iter().filter(|(_, role)| matches!(role, Role::Dialect(_)));
    Scopes::of(dialects.map(|(path, _)| path.as_str()))
}

fn read_file(
    view: &View<'_>,
    grammar: &Grammar,
    path: &str,
    role: Role,
    lines: &mut Vec<Line>,
) -> (File, Known) {
    let stamp = RelPath::parse(path).ok().and_then(|path| view.stamp(&path).ok());
    match read_bytes(view, path, role) {
        Ok(bytes) => {
            let (file, said) = parsed(grammar, path, role, bytes, lines);
            (file, Known { role, stamp, said })
        }
        Err(error) => {
            let (file, known) = unreadable(path, role, &error);
            (file, Known { stamp, ..known })
        }
    }
}

fn unreadable(path: &str, role: Role, error: &sandbox::Error) -> (File, Known) {
    let known =
        Known { role, stamp: None, said: Said::Hash(hash_of(error.to_string().as_bytes())) };
    (reading::unreadable(path, role, error), known)
}

/// A file with what it said: its text where it is kept, else a hash of it.
fn parsed(
    grammar: &Grammar,
    path: &str,
    role: Role,
    bytes: Vec<u8>,
    lines: &mut Vec<Line>,
) -> (File, Said) {
    if role == Role::Coverage {
        return (File::measured(path, &bytes), Said::Hash(hash_of(&bytes)));
    }
    let text = match reading::text_of(bytes) {
        Ok(text) => text,
        Err(problem) => {
            let said = Said::Hash(hash_of(problem.as_bytes()));
            return (reading::not_utf8(path, role, &problem), said);
        }
    };
    let file = File::parse_with(grammar, path, role, text.clone(), lines);
    let is_kept = file.text.is(&text);
    let said = if is_kept { Said::Text(text) } else { Said::Hash(hash_of(text.as_bytes())) };
    (file, said)
}

fn hash_of(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}
