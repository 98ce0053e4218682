//! The record of a commit: what it is going to do, written down before it does it.

use serde::{Deserialize, Serialize};

use crate::sandbox::write::is_staged_name;
use crate::sandbox::{Error, RelPath, Root};

const JOURNAL: &str = "journal.json";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Stage {
    Staging,
    Committed,
    RollingBack,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) state: Stage,
    pub(super) steps: Vec<Step>,
    /// Directories made for the commit, outermost first.
    pub(super) directories: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Step {
    pub(super) action: Action,
    pub(super) target: String,
    pub(super) staged: Option<String>,
    pub(super) backup: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Action {
    Put,
    Create,
    Remove,
}

/// The record in a journal's directory, if one is there. Only what we could have written ourselves
/// is taken for one.
pub(super) fn load(dir: &Root) -> Result<Option<Record>, Error> {
    let Some(text) = dir.read_text_if_any(&RelPath::parse(JOURNAL)?)? else { return Ok(None) };
    let unusable = |reason: String| {
        let path = dir.path().join(JOURNAL).display().to_string();
        Error::Journal { path, reason }
    };
    read(&text).map(Some).map_err(unusable)
}

fn read(text: &str) -> Result<Record, String> {
    let record: Record = serde_json::from_str(text).map_err(|it| it.to_string())?;
    record.check()?;
    Ok(record)
}

/// Whatever text is found in its place, each step keeps to names of ours beside the target.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) fn read_any_journal(text: &str) {
    let Ok(record) = read(text) else { return };
    for step in &record.steps {
        for ours in [&step.staged, &step.backup].into_iter().flatten() {
            let name = ours.rsplit('/').next().unwrap_or_default();
            assert!(name.starts_with('.'), "`{ours}` is no name that we give");
            assert!(!ours.split('/').any(|part| part == ".."), "`{ours}` leads upwards");
        }
    }
}

pub(super) fn store(dir: &Root, record: &Record) -> Result<(), Error> {
    let bytes = serde_json::to_vec(record)
        .map_err(|error| Error::Journal { path: JOURNAL.to_owned(), reason: error.to_string() })?;
    dir.write(&RelPath::parse(JOURNAL)?, &bytes)
}

pub(super) fn clear(dir: &Root) -> Result<(), Error> {
    dir.remove(&RelPath::parse(JOURNAL)?)
}

impl Record {
    /// Every step is one of our own making: its files lie beside the target, under names that
    /// only we give.
    fn check(&self) -> Result<(), String> {
        for step in &self.steps {
            let target = RelPath::parse(&step.target).map_err(|it| it.to_string())?;
            for name in [&step.staged, &step.backup].into_iter().flatten() {
                let beside = RelPath::parse(name).is_ok_and(|it| {
                    it.parent() == target.parent()
                        && is_staged_name(it.file_name(), target.file_name())
                });
                if !beside {
                    return Err(format!("`{name}` is not a file of ours beside `{target}`"));
                }
            }
            if step.staged.is_none() != (step.action == Action::Remove) {
                return Err(format!("`{target}` has nothing to be made of"));
            }
        }
        for directory in &self.directories {
            RelPath::parse(directory).map_err(|it| it.to_string())?;
        }
        Ok(())
    }
}
