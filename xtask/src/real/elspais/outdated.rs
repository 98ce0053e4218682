//! A copy of a project whose configuration a release refuses for its age: edited as the release
//! itself says, so that it can be compared at all.

use std::path::Path;
use std::process::Command;

use crate::{Result, files, run};

const CONFIG: &str = ".elspais.toml";

/// A copy that the release reads, when `refusal` says what to change; `None` when it says nothing
/// of the kind.
pub(super) fn edited(project: &Path, refusal: &str, into: &Path) -> Result<Option<()>> {
    let Some((settings, version)) = asked(refusal) else { return Ok(None) };
    run::quietly(Command::new("cp").arg("-r").arg(project).arg(into))?;
    let path = into.join(CONFIG);
    let text = files::read_text(&path)?;
    files::write(&path, without(&text, &settings, &version))?;
    Ok(Some(()))
}

/// Settings to leave out, each with its table, and the version to say.
fn asked(refusal: &str) -> Option<(Vec<(String, String)>, String)> {
    let (_, list) = refusal.split_once("Settings to change:")?;
    let version = list.lines().find_map(|it| it.trim().strip_prefix("version = "))?;
    let settings = list.lines().filter_map(|line| {
        let (table, rest) = line.trim().strip_prefix('[')?.split_once("] ")?;
        let key = rest.split([' ', '=']).next()?;
        Some((table.to_owned(), key.to_owned()))
    });
    Some((settings.collect(), version.trim().to_owned()))
}

fn without(text: &str, settings: &[(String, String)], version: &str) -> String {
    let mut table = String::new();
    let mut kept = String::new();
    for line in text.lines() {
        let bare = line.trim();
        if let Some(rest) = bare.strip_prefix('[')
            && let Some((name, _)) = rest.split_once(']')
        {
            name.clone_into(&mut table);
        }
        let key = bare.split(['=', ' ']).next().unwrap_or_default();
        if table.is_empty() && key == "version" {
            kept.push_str(&format!("version = {version}\n"));
        } else if !settings.iter().any(|(it, name)| *it == table && name == key) {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_release_refuses_is_left_out_of_the_table_it_names() {
        let refusal = "…\nSettings to change:\n  [terms.severity] changed\n    write instead: …\n  [validation] strict = false\n    write instead:  [rules] \"x\" = 1\n\nThen set:\n  version = 5\n";
        let (settings, version) = asked(refusal).unwrap_or_default();
        let text = "version = 4\n[validation]\nstrict = false\nother = 1\n[terms.severity]\nchanged = \"x\"\n[project]\nversion = 2\nstrict = 3\n";
        assert_eq!(
            without(text, &settings, &version),
            "version = 5\n[validation]\nother = 1\n[terms.severity]\n[project]\nversion = 2\nstrict = 3\n"
        );
        assert!(asked("something else").is_none());
    }
}
