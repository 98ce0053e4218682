//! The servers of the family that are installed here. A file belongs to it when it says so: none
//! is started to find out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::cli::Settings;
use crate::doors;
use crate::sandbox::EntryKind;

/// Stands in every executable of the family, because each looks for it, and in the scripts by
/// which packages start one.
const MARK: &str = "one of the Plumbline family of servers";

const ENDING: &str = "-mcp";

/// Larger files are no servers of ours.
const MAX_BYTES: u64 = 512 * 1024 * 1024;

pub(super) struct Sibling {
    /// As clients know it: the executable's name without its ending.
    pub(super) name: String,
    pub(super) path: PathBuf,
}

impl Sibling {
    /// Whether a person means this one, with or without the ending.
    pub(super) fn is_called(&self, name: &str) -> bool {
        name.strip_suffix(ENDING).unwrap_or(name) == self.name
    }
}

/// This server and its siblings, by name. What lies beside this executable wins over the `PATH`.
pub(super) fn found(own: &str, settings: &Settings) -> Vec<Sibling> {
    let mut found: BTreeMap<String, PathBuf> = BTreeMap::new();
    let executable = std::env::current_exe().unwrap_or_else(|_| PathBuf::from(own));
    found.insert(own.trim_end_matches(ENDING).to_owned(), executable.clone());
    let path = settings.variable("PATH").unwrap_or_default();
    let beside = executable.parent().map(Path::to_owned);
    let directories = std::env::split_paths(&path).filter(|it| it.is_absolute());
    for directory in beside.into_iter().chain(directories) {
        for (name, file) in candidates(&directory) {
            if !found.contains_key(&name) && is_of_the_family(&file) {
                found.insert(name, file);
            }
        }
    }
    found.into_iter().map(|(name, path)| Sibling { name, path }).collect()
}

fn candidates(directory: &Path) -> Vec<(String, PathBuf)> {
    let Ok(root) = doors::start(directory) else { return Vec::new() };
    let entries = root.list(None).unwrap_or_default().into_iter();
    let entries = entries.filter(|it| matches!(it.kind, EntryKind::File | EntryKind::Symlink));
    let named = entries.filter_map(|entry| {
        let bare = entry.name.strip_suffix(std::env::consts::EXE_SUFFIX)?;
        let name = bare.strip_suffix(ENDING).filter(|it| !it.is_empty())?;
        Some((name.to_owned(), directory.join(&entry.name)))
    });
    named.collect()
}

fn is_of_the_family(file: &Path) -> bool {
    let Ok((root, name)) = doors::beside_file_named_by_person(file) else { return false };
    let bytes = root.read_up_to(&name, MAX_BYTES).unwrap_or_default();
    memchr::memmem::find(&bytes, MARK.as_bytes()).is_some()
}

#[cfg(test)]
mod tests {
    use plumbline_tests::Fixture;

    use super::*;

    #[test]
    fn a_file_belongs_to_the_family_when_it_says_so() {
        let fixture = Fixture::empty();
        fixture.write("a-mcp", &format!("#!/bin/sh\n# {MARK}\n"));
        fixture.write("b-mcp", "#!/bin/sh\n# somebody else's\n");
        fixture.write("c", &format!("# {MARK}\n"));
        let names: Vec<String> = candidates(fixture.path())
            .into_iter()
            .filter(|(_, file)| is_of_the_family(file))
            .map(|(name, _)| name)
            .collect();
        assert_eq!(names, ["a"]);
        let one = Sibling { name: "a".to_owned(), path: fixture.path().join("a-mcp") };
        assert!(one.is_called("a") && one.is_called("a-mcp") && !one.is_called("b"));
    }
}
