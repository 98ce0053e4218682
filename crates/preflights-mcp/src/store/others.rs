//! Finds the decision records that others keep in a repository.

use mcp_core::sandbox::{EntryKind, RelPath, Root};

use crate::domain::adr;
use crate::domain::survey::{OTHER_DIRECTORIES, OtherRecord};
use crate::domain::uid::Uid;

const MAX_RECORDS: usize = 200;
const MAX_BYTES: u64 = 64 * 1024;
/// Where adr-tools notes its directory.
const NOTE: &str = ".adr-dir";

/// In the order of directories and names; our own are left out.
pub(crate) fn others(root: &Root, n_own: usize) -> Vec<OtherRecord> {
    let noted = RelPath::parse(NOTE).ok().and_then(|it| root.read_text_if_any(&it).ok().flatten());
    let noted = noted.map(|it| it.trim().trim_end_matches('/').to_owned());
    let mut directories: Vec<String> = noted.into_iter().collect();
    for known in OTHER_DIRECTORIES {
        if !directories.iter().any(|it| it == known) {
            directories.push(known.to_owned());
        }
    }
    let mut found = Vec::new();
    for directory in directories {
        // Among very many of our own nobody keeps others, and the list alone would take long.
        if directory == adr::DIRECTORY && n_own > MAX_RECORDS {
            continue;
        }
        let Ok(path) = RelPath::parse(&directory) else { continue };
        let Ok(entries) = root.list(Some(&path)) else { continue };
        let files = entries.into_iter().filter(|it| it.kind != EntryKind::Directory);
        for name in files.map(|it| it.name) {
            if found.len() >= MAX_RECORDS
                || !name.to_lowercase().ends_with(".md")
                || Uid::of_file(&name).is_some()
            {
                continue;
            }
            let file = format!("{directory}/{name}");
            let Ok(path) = RelPath::parse(&file) else { continue };
            let Ok(bytes) = root.read_up_to(&path, MAX_BYTES) else { continue };
            found.extend(OtherRecord::read(&file, &String::from_utf8_lossy(&bytes)));
        }
    }
    found
}
