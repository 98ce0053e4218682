//! The pages about all specifications together, as files.

use std::collections::BTreeMap;

use mcp_core::sandbox::RelPath;

use crate::domain::batch::{ARCHITECTURE, INDEX, Listed, Pages, with_kept};
use crate::domain::spec;
use crate::error::Error;
use crate::store::generate::{MAX_SPEC_BYTES, Output};

/// Writes both pages where they would differ, with what somebody wrote between markers. Nothing in
/// them changes with the time.
pub(super) fn write(output: &Output, pages: &Pages<'_>) -> Result<(), Error> {
    put(output, INDEX, &pages.index(&listed(output)?))?;
    put(output, ARCHITECTURE, &pages.architecture())
}

fn put(output: &Output, name: &str, text: &str) -> Result<(), Error> {
    let path = output.file(name)?;
    let existing = output.root.read_up_to(&path, MAX_SPEC_BYTES).unwrap_or_default();
    let existing = String::from_utf8_lossy(&existing);
    let text = with_kept(text, &existing);
    if existing != text {
        output.root.write(&path, text.as_bytes())?;
    }
    Ok(())
}

/// Every specification in the directory, by file name.
pub(crate) fn listed(output: &Output) -> Result<BTreeMap<String, Listed>, Error> {
    let mut listed = BTreeMap::new();
    for entry in output.root.list(output.directory())? {
        if !entry.name.ends_with(".spec.md") || entry.name == INDEX {
            continue;
        }
        let Ok(bytes) = output.root.read_up_to(&output.file(&entry.name)?, MAX_SPEC_BYTES) else {
            continue;
        };
        let text = String::from_utf8_lossy(&bytes);
        let value = |key: &str| spec::read_value(&text, key).unwrap_or_default();
        let target = value("sourceTarget");
        let (version, confidence) = (value("version"), value("confidence"));
        let is_gone = match RelPath::parse(&target) {
            Ok(path) => !output.root.has_entry(&path)?,
            Err(_) => false,
        };
        listed.insert(entry.name, Listed { target, version, confidence, is_gone });
    }
    Ok(listed)
}
