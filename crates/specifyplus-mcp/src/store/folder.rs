//! One directory of command files: what lies in it, read through the sandbox, and read again only
//! where something changed.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;
use mcp_core::doors;
use mcp_core::sandbox::{self, Entry, EntryKind, RelPath, Root, Stamp};
use mcp_core::text;

use crate::domain::{Command, Kind, Problem};

/// Larger files are no commands.
pub(crate) const MAX_COMMAND_BYTES: u64 = 1024 * 1024;

/// Fewer files are looked at sooner than threads are started.
const WORTH_THREADS: usize = 512;

const SUFFIX: &str = ".md";

/// Where commands come from.
#[derive(Debug, Clone)]
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    /// The name shown to people: relative to the project where it lies there.
    pub(crate) label: String,
}

/// What was found in a folder.
#[derive(Debug, Clone, Default)]
pub(crate) struct Contents {
    /// By file name.
    files: BTreeMap<String, Arc<CommandFile>>,
    /// Why nothing could be looked at.
    pub(crate) missing: Option<String>,
}

#[derive(Debug)]
pub(crate) struct CommandFile {
    stamp: Option<Stamp>,
    /// Whether an equal stamp means the same bytes.
    settled: bool,
    /// The file's name without its ending.
    pub(crate) name: String,
    pub(crate) command: Result<Arc<Command>, Problem>,
    /// What is wrong with a command that is served all the same.
    pub(crate) problems: Vec<Problem>,
}

impl Folder {
    pub(crate) fn open(&self) -> Result<Root, sandbox::Error> {
        doors::configured(&self.path)
    }

    /// The name shown to people for one of its files, whose name may be anything.
    pub(crate) fn label_of(&self, file_name: &str) -> String {
        format!("{}/{}", self.label, text::one_line(file_name))
    }

    /// Looks at the folder. What has not changed since `before` is taken from there; `None` when
    /// nothing has. `now` was taken before the call.
    pub(crate) fn scan(&self, before: &Contents, now: Timestamp) -> Option<Contents> {
        let listed = self.open().and_then(|root| root.list(None).map(|entries| (root, entries)));
        let (root, entries) = match listed {
            Ok(listed) => listed,
            Err(error) => {
                let missing = Some(why_unopened(&error));
                if before.missing == missing {
                    return None;
                }
                return Some(Contents { files: BTreeMap::new(), missing });
            }
        };
        let entries: Vec<Entry> =
            entries.into_iter().filter(|entry| is_command(&entry.name)).collect();
        let look = |entry: &Entry| {
            let known = before.files.get(&entry.name);
            look_again(&root, &entry.name, entry.kind, known, now)
        };
        let mut contents = Contents::default();
        let mut changed = before.missing.is_some() || entries.len() != before.files.len();
        for (entry, looked) in entries.iter().zip(look_at_all(&entries, look)) {
            let file = match looked {
                Looked::Same(file) => file,
                Looked::New(file) => {
                    changed = true;
                    Arc::new(file)
                }
            };
            contents.files.insert(entry.name.clone(), file);
        }
        changed.then_some(contents)
    }
}

impl Contents {
    /// The files with their names, in order.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&String, &Arc<CommandFile>)> {
        self.files.iter()
    }

    /// Whether the folder still holds for this command what it held when it was scanned.
    pub(crate) fn is_current(&self, folder: &Folder, name: &str) -> bool {
        let file_name = format!("{name}{SUFFIX}");
        let Ok(path) = RelPath::parse(&file_name) else { return false };
        if let Some(file) = self.files.get(&file_name) {
            let now = Stamp::glance(&folder.path, &path);
            return file.settled && now.is_some() && now == file.stamp;
        }
        match folder.open() {
            Ok(root) => self.missing.is_none() && !root.has_entry(&path),
            Err(_) => self.missing.is_some(),
        }
    }

    pub(crate) fn holds(&self, name: &str) -> bool {
        self.files.contains_key(&format!("{name}{SUFFIX}"))
    }
}

enum Looked {
    Same(Arc<CommandFile>),
    New(CommandFile),
}

/// Looks at every entry, in several threads where there are many.
fn look_at_all(entries: &[Entry], look: impl Fn(&Entry) -> Looked + Sync) -> Vec<Looked> {
    if entries.len() < WORTH_THREADS {
        return entries.iter().map(look).collect();
    }
    let n_threads = std::thread::available_parallelism().map_or(2, |it| it.get().clamp(2, 8));
    let part = entries.len().div_ceil(n_threads);
    let look = &look;
    std::thread::scope(|scope| {
        let parts: Vec<_> = entries
            .chunks(part)
            .map(|part| scope.spawn(move || part.iter().map(look).collect::<Vec<_>>()))
            .collect();
        let looked = parts.into_iter().map(|part| match part.join() {
            Ok(looked) => looked,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        looked.flatten().collect()
    })
}

/// Dot files are notes of editors and tools.
fn is_command(file_name: &str) -> bool {
    file_name.ends_with(SUFFIX) && !file_name.starts_with('.')
}

fn look_again(
    root: &Root,
    file_name: &str,
    kind: EntryKind,
    known: Option<&Arc<CommandFile>>,
    now: Timestamp,
) -> Looked {
    let name = file_name.strip_suffix(SUFFIX).unwrap_or(file_name);
    let stamp = RelPath::parse(file_name).and_then(|path| root.stamp(&path).map(|it| (path, it)));
    let (path, stamp) = match stamp {
        Ok(found) => found,
        Err(error) => {
            let problem = problem_of(&error, kind);
            return match known {
                Some(file) if file.command.as_ref() == Err(&problem) => Looked::Same(file.clone()),
                _ => Looked::New(CommandFile::lost(name, None, true, problem)),
            };
        }
    };
    let settled = stamp.is_settled(now);
    match known {
        Some(file) if file.settled && file.stamp == Some(stamp) => Looked::Same(file.clone()),
        _ => {
            let file = match read(root, &path, stamp.kind) {
                Ok(text) => CommandFile::parsed(name, Some(stamp), settled, &text),
                Err(problem) => CommandFile::lost(name, Some(stamp), settled, problem),
            };
            Looked::New(file)
        }
    }
}

impl CommandFile {
    fn parsed(name: &str, stamp: Option<Stamp>, settled: bool, text: &str) -> Self {
        match Command::parse(name, text) {
            Ok((command, problems)) => Self {
                stamp,
                settled,
                name: name.to_owned(),
                command: Ok(Arc::new(command)),
                problems,
            },
            Err(problem) => Self::lost(name, stamp, settled, problem),
        }
    }

    fn lost(name: &str, stamp: Option<Stamp>, settled: bool, problem: Problem) -> Self {
        let (name, problems) = (name.to_owned(), Vec::new());
        Self { stamp, settled, name, command: Err(problem), problems }
    }
}

fn read(root: &Root, path: &RelPath, kind: EntryKind) -> Result<String, Problem> {
    let file_name = path.as_str();
    if text::one_line(file_name) != file_name {
        let message = "its name has invisible characters or odd spacing";
        return Err(Problem::new(Kind::FileName, 1, message));
    }
    let bytes =
        root.read_up_to(path, MAX_COMMAND_BYTES).map_err(|error| problem_of(&error, kind))?;
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.split(|byte| *byte == b'\n').count();
        Problem::new(Kind::Encoding, line, "it is not UTF-8")
    })
}

/// Why a folder cannot be opened, for a sentence that names it already.
pub(crate) fn why_unopened(error: &sandbox::Error) -> String {
    match error {
        sandbox::Error::Root { problem, .. } => problem.to_string(),
        sandbox::Error::Io { source, .. } => without_number(source),
        other => other.to_string(),
    }
}

/// The system's words, which are followed by a number that nobody reads.
fn without_number(error: &std::io::Error) -> String {
    let words = error.to_string();
    words.split(" (os error").next().unwrap_or_default().to_owned()
}

fn problem_of(error: &sandbox::Error, kind: EntryKind) -> Problem {
    use sandbox::Error;
    let (kind, message) = match error {
        Error::Escape { .. } => {
            (Kind::Outside, "it is a link that leads out of the directory".to_owned())
        }
        Error::Missing { .. } if kind == EntryKind::Symlink => {
            (Kind::Vanished, "it is a link that leads nowhere".to_owned())
        }
        Error::Missing { .. } => (Kind::Vanished, "it vanished while it was read".to_owned()),
        Error::WrongKind { actual, .. } => (Kind::NotAFile, format!("it is {actual}")),
        Error::TooLarge { size, limit, .. } => {
            (Kind::TooLarge, format!("it has {size} bytes, {limit} are read at most"))
        }
        Error::Io { source, .. } => {
            (Kind::Unreadable, format!("it cannot be read: {}", without_number(source)))
        }
        other => (Kind::Unreadable, other.to_string()),
    };
    Problem::new(kind, 1, message)
}
