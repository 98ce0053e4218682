//! A copy of a project whose configuration a release refuses for its age: edited as the release
//! itself says, so that it can be compared at all.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use crate::{Result, files, run};

const CONFIG: &str = ".elspais.toml";

/// How often a release may have more to say.
const ROUNDS: usize = 4;

/// Edits the configuration of a project until `read` can read it, as far as its refusals say what
/// to change; `None` where they say nothing of the kind.
pub(super) fn until_read<T>(
    project: &Path,
    refusal: &str,
    read: impl Fn() -> Result<T>,
) -> Result<Option<T>> {
    let mut refusal = refusal.to_owned();
    for _ in 0..ROUNDS {
        let (settings, version) = asked(&refusal);
        if settings.is_empty() && version.is_none() {
            return Ok(None);
        }
        let path = project.join(CONFIG);
        let text = files::read_text(&path)?;
        files::write(&path, without(&text, &settings, version.as_deref()))?;
        match read() {
            Ok(value) => return Ok(Some(value)),
            Err(error) => refusal = error.to_string(),
        }
    }
    Ok(None)
}

/// A copy of a project, to be edited.
pub(super) fn copy(project: &Path, into: &Path) -> Result {
    run::quietly(Command::new("cp").arg("-r").arg(project).arg(into)).map(drop)
}

/// Settings to leave out, each with its table, and the version to say where another one is due.
fn asked(refusal: &str) -> (Vec<(String, String)>, Option<String>) {
    let mut settings = Vec::new();
    let mut version = None;
    let mut before = "";
    for line in refusal.lines() {
        let bare = line.trim();
        if let Some((table, rest)) = bare.strip_prefix('[').and_then(|it| it.split_once("] ")) {
            let key = rest.split([' ', '=']).next().unwrap_or_default();
            settings.push((table.to_owned(), key.to_owned()));
        } else if bare.starts_with("Extra inputs are not permitted") {
            let (table, key) = before.rsplit_once('.').unwrap_or(("", before));
            settings.push((table.to_owned(), key.to_owned()));
        } else if let Some(wanted) = bare.strip_prefix("version = ") {
            version = Some(wanted.to_owned());
        }
        before = bare;
    }
    (settings, version)
}

fn without(text: &str, settings: &[(String, String)], version: Option<&str>) -> String {
    let whole = |(table, key): &(String, String)| match table.as_str() {
        "" => key.clone(),
        table => format!("{table}.{key}"),
    };
    let tables: Vec<String> = settings.iter().map(whole).collect();
    let mut table = String::new();
    let mut kept = String::new();
    // The rest of a list that began on a line that is left out.
    let mut depth = 0_i32;
    for line in text.lines() {
        let bare = line.trim();
        let opens = |text: &str| -> i32 {
            text.chars().map(|it| i32::from(it == '[') - i32::from(it == ']')).sum()
        };
        if depth > 0 {
            depth += opens(bare);
            continue;
        }
        if let Some(rest) = bare.strip_prefix('[')
            && let Some((name, _)) = rest.split_once(']')
        {
            name.trim_start_matches('[').clone_into(&mut table);
        }
        let is_gone = |it: &String| table == *it || table.starts_with(&format!("{it}."));
        if tables.iter().any(is_gone) {
            continue;
        }
        let key = bare.split(['=', ' ']).next().unwrap_or_default();
        if let Some(version) = version.filter(|_| table.is_empty() && key == "version") {
            let _ = writeln!(kept, "version = {version}");
        } else if settings.iter().any(|(it, name)| *it == table && name == key) {
            depth = opens(bare).max(0);
        } else {
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
        let refusal = "Settings to change:\n  [terms.severity] changed\n    write instead: delete it\n  [validation] strict = false\n    write instead:  [rules] \"x\" = 1\n\nThen set:\n  version = 5\n";
        let (settings, version) = asked(refusal);
        let text = "version = 4\n[validation]\nstrict = false\nother = 1\n[terms.severity]\nchanged = \"x\"\n[project]\nversion = 2\nstrict = 3\n";
        assert_eq!(
            without(text, &settings, version.as_deref()),
            "version = 5\n[validation]\nother = 1\n[terms.severity]\n[project]\nversion = 2\nstrict = 3\n"
        );
        let refusal = "2 errors\nscanning.result\n  Extra inputs are not permitted [x]\nids.list\n  Extra inputs are not permitted [y]\n";
        let (settings, version) = asked(refusal);
        let text = "[ids]\nlist = [\n  1,\n]\nkept = 1\n[scanning.result]\na = 1\n[scanning.result.more]\nb = 1\n[scanning.code]\nc = 1\n";
        assert_eq!(
            without(text, &settings, version.as_deref()),
            "[ids]\nkept = 1\n[scanning.code]\nc = 1\n"
        );
        assert_eq!(asked("something else"), (vec![], None));
    }
}
