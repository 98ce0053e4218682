//! Reading a record line by line: ours and the older layout, with the line of whatever is wrong.

use std::collections::HashMap;

use super::{Adr, Detail, Rename};
use crate::domain::architecture::{Architecture, Change, Decided, What};
use crate::domain::markup;
use crate::domain::uid::Uid;
use crate::error::Error;

#[derive(Clone, Copy, PartialEq)]
enum Part {
    Head,
    Snapshot,
    Changes,
    Elsewhere,
}

/// Bytes of a line of a snapshot, more or less: thousands of records make room only once each.
const USUAL_ENTRY: usize = 48;

/// Without spaces at its end, which few lines have.
fn trimmed(line: &str) -> &str {
    match line.as_bytes().last() {
        Some(last) if last.is_ascii_graphic() => line,
        _ => line.trim_end(),
    }
}

/// Reads the record `uid` out of its text; `path` is for messages. All of it is checked, however
/// little is kept.
pub(crate) fn parse(
    path: &str,
    uid: &Uid,
    text: &str,
    rename: Rename<'_>,
    detail: Detail,
) -> Result<Adr, Error> {
    let mut reader = Reader {
        path,
        rename,
        part: Part::Head,
        category: None,
        adr: Adr {
            uid: uid.clone(),
            previous: None,
            snapshot: None,
            changes: None,
            links: Vec::new(),
        },
        changes: Vec::new(),
        entries: Vec::with_capacity(text.len() / USUAL_ENTRY),
        has_snapshot: false,
    };
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        reader.line(trimmed(line), index + 1)?;
    }
    reader.finish(detail)
}

struct Reader<'a> {
    path: &'a str,
    rename: Rename<'a>,
    part: Part,
    category: Option<&'a str>,
    adr: Adr,
    /// As listed, with the names they have in the file.
    changes: Vec<(&'a str, &'a str, What)>,
    /// The snapshot: category, field and value as they stand.
    entries: Vec<(&'a str, &'a str, &'a str)>,
    has_snapshot: bool,
}

impl<'a> Reader<'a> {
    fn line(&mut self, line: &'a str, number: usize) -> Result<(), Error> {
        let wrong = |reason: String| Err(Error::parse(self.path, number, reason));
        if line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ") {
            return wrong("it holds an unresolved merge conflict".to_owned());
        }
        if self.part == Part::Head {
            if let Some(found) = comment(line, "UID")
                && found != self.adr.uid.as_str()
            {
                let file = &self.adr.uid;
                return wrong(format!("it calls itself `{found}`, its file name says `{file}`"));
            }
            if let Some(found) = comment(line, "Previous") {
                self.adr.previous = Uid::parse(found);
            }
        }
        if let Some(heading) = line.strip_prefix("## ") {
            self.enter(heading);
        } else if let Some(heading) = line.strip_prefix("### ") {
            match self.part {
                Part::Snapshot => self.category = Some(heading.trim()),
                _ => self.enter(heading),
            }
        } else if self.part == Part::Snapshot && line.starts_with("- ") {
            return self.snapshot_entry(line, number);
        } else if self.part == Part::Changes && line.starts_with("- ") {
            return self.change(line, number);
        }
        self.links(line, number);
        Ok(())
    }

    fn enter(&mut self, heading: &str) {
        let heading = heading.trim();
        // A projection is a snapshot alone, under the last of these.
        let snapshot = ["Architecture Snapshot", "Categories"];
        self.part = if heading.starts_with("PART 1") || snapshot.contains(&heading) {
            self.has_snapshot = true;
            Part::Snapshot
        } else if heading == "Changes" || heading == "Changes in This Version" {
            self.adr.changes = Some(Vec::new());
            Part::Changes
        } else {
            Part::Elsewhere
        };
        self.category = None;
    }

    fn snapshot_entry(&mut self, line: &'a str, number: usize) -> Result<(), Error> {
        let Some((field, value)) = entry(line) else {
            let reason = "expected `- **Field**: value`".to_owned();
            return Err(Error::parse(self.path, number, reason));
        };
        let Some(category) = self.category else {
            let reason = "a field before the first category".to_owned();
            return Err(Error::parse(self.path, number, reason));
        };
        self.entries.push((category, field, value));
        Ok(())
    }

    fn change(&mut self, line: &'a str, number: usize) -> Result<(), Error> {
        match change(line) {
            Some((key, what)) => {
                let Some((category, field)) = key.split_once('.') else {
                    let reason = format!("`{key}` is not `Category.Field`");
                    return Err(Error::parse(self.path, number, reason));
                };
                self.changes.push((category.trim(), field.trim(), what));
                Ok(())
            }
            None => Err(Error::parse(
                self.path,
                number,
                "expected `- Added: Category.Field = value`, `- Modified: …` or `- Removed: …`",
            )),
        }
    }

    fn links(&mut self, line: &str, number: usize) {
        if !line.contains(']') {
            return;
        }
        // Foreign text is quoted and its brackets escaped, so this finds our links only.
        let mut rest = line;
        while let Some(at) = rest.find("](") {
            let target = &rest[at + 2..];
            let Some(end) = target.find(')') else { break };
            if !rest[..at].ends_with('\\') && !target[..end].contains("://") {
                self.adr.links.push((target[..end].to_owned(), number));
            }
            rest = &target[end..];
        }
    }

    fn finish(mut self, detail: Detail) -> Result<Adr, Error> {
        if !self.has_snapshot {
            return Err(Error::parse(self.path, 1, "it has no architecture snapshot (PART 1)"));
        }
        if self.adr.changes.is_some() {
            let changes = std::mem::take(&mut self.changes);
            // The last entry of a field counts.
            let shown: HashMap<(&str, &str), &str> = if changes.is_empty() {
                HashMap::new()
            } else {
                self.entries
                    .iter()
                    .map(|(category, field, it)| ((*category, *field), *it))
                    .collect()
            };
            let completed = changes.into_iter().map(|it| self.completed(it, &shown));
            self.adr.changes = Some(completed.collect());
        }
        if detail == Detail::Everything || self.adr.changes.is_none() {
            let mut snapshot = Architecture::default();
            for (category, field, value) in &self.entries {
                let (category, field) = (self.rename)(category, field);
                snapshot.set(&category, &field, decided(value));
            }
            self.adr.snapshot = Some(snapshot);
        }
        Ok(self.adr)
    }

    /// The list shows old and new value in one line; the snapshot has the new one alone.
    fn completed(
        &self,
        (category, field, mut what): (&str, &str, What),
        shown: &HashMap<(&str, &str), &str>,
    ) -> Change {
        if let What::Added(value) | What::Modified { now: value, .. } = &mut what
            && let Some(shown) = shown.get(&(category, field))
        {
            *value = decided(shown).value;
        }
        let (category, field) = (self.rename)(category, field);
        Change { category, field, what }
    }
}

/// The value of `<!-- Name: value -->`.
pub(crate) fn comment<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let inside = line.strip_prefix("<!-- ")?.strip_suffix(" -->")?;
    inside.strip_prefix(name)?.strip_prefix(": ").map(str::trim)
}

/// `- **Field**: value`.
fn entry(line: &str) -> Option<(&str, &str)> {
    // There are many such lines, and looking for one character is quicker than for three.
    let (field, value) = line.strip_prefix("- **")?.split_once('*')?;
    let (field, value) = (field.trim_matches(' '), value.strip_prefix("*:")?);
    (!field.is_empty()).then_some((field, value))
}

/// A value with the record that decided it, which is the last thing on the line.
fn decided(value: &str) -> Decided {
    let value = value.trim();
    let split = value.rfind(" (ADR ").and_then(|at| {
        let uid = Uid::parse(value[at + " (ADR ".len()..].strip_suffix(')')?)?;
        Some((&value[..at], uid))
    });
    match split {
        Some((value, by)) => Decided { value: markup::plain(value), by: Some(by) },
        None => Decided { value: markup::plain(value), by: None },
    }
}

fn change(line: &str) -> Option<(&str, What)> {
    let (verb, rest) = line.strip_prefix("- ")?.split_once(": ")?;
    let (rest, was) = match rest.rfind(" (was: ") {
        Some(at) if verb != "Added" => {
            let was = rest[at + " (was: ".len()..].strip_suffix(')')?;
            (&rest[..at], decided(was).value)
        }
        _ => (rest, String::new()),
    };
    let value = |rest: &'_ str| rest.split_once(" = ").map(|(_, value)| decided(value).value);
    let key = rest.split(" = ").next()?.trim();
    match verb {
        "Added" => Some((key, What::Added(value(rest)?))),
        "Modified" => Some((key, What::Modified { now: value(rest)?, was })),
        "Removed" => Some((key, What::Removed { was })),
        _ => None,
    }
}
