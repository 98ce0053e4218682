//! What the fuzzer throws bytes at: each function takes any input and panics where a promise breaks.

use std::collections::BTreeMap;

use crate::domain::adr::{self, Detail};
use crate::domain::bank::{self, Bank};
use crate::domain::survey::{OtherRecord, Survey};
use crate::domain::uid::Uid;
use crate::domain::{claims, projection, request, survey, task, ticket};

/// Any text as a decision record.
pub fn record(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Some(uid) = Uid::parse("20250106T120000.001Z-A000") else { return };
    drop(adr::parse("docs/adr/x.md", &uid, &text, &bank::renamed, Detail::Everything));
}

/// Any text as the current task.
pub fn current_task(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    drop(task::parse(&text));
}

/// Any text as the projection: what can be read is written so that it reads the same again.
pub fn architecture(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Ok((uid, read)) = projection::parse(&text) else { return };
    let written = projection::render(&uid, &read);
    let again = projection::parse(&written).map(|it| it.1);
    assert!(again.is_ok_and(|it| it == read), "written and read again it says something else");
}

/// Any text as a repository's own questions.
pub fn questions(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    drop(Bank::with_own(&text));
}

/// A request, a zero byte, and what an agent says it read in it: whatever is kept of the claims
/// was said by somebody.
pub fn requests(bytes: &[u8]) {
    let end = bytes.iter().position(|it| *it == 0).unwrap_or(bytes.len());
    let intention = String::from_utf8_lossy(&bytes[..end]);
    let bank = Bank::embedded();
    let understood = request::understand(bank, &intention, None, &|_| false);
    assert!(understood.topics.iter().all(|it| bank.category(it).is_some()));
    drop((ticket::criteria(&intention), ticket::exclusions(&intention)));
    let reading = bytes.get(end + 1..).unwrap_or_default();
    let Ok(reading) = serde_json::from_slice(reading) else { return };
    let (claims, _) = claims::read(&reading, bank, &intention, None);
    assert!(claims.topics.iter().all(|it| bank.category(it).is_some()));
}

/// The name of a manifest, a line break, and any text for it.
pub fn manifest(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (path, text) = text.split_once('\n').unwrap_or(("package.json", &text));
    drop(survey::dependencies(path, text));
    drop(OtherRecord::read(path, text));
    let texts = BTreeMap::from([(path.to_owned(), text.to_owned())]);
    drop(Survey::new(vec![path.to_owned()], &texts));
}

/// A name, and what is called with the bytes.
pub type Target = (&'static str, fn(&[u8]));

/// Every target by its name.
pub const TARGETS: &[Target] = &[
    ("preflights_record", record),
    ("preflights_task", current_task),
    ("preflights_architecture", architecture),
    ("preflights_questions", questions),
    ("preflights_requests", requests),
    ("preflights_manifest", manifest),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_fuzzer_once_found_worth_keeping_still_holds() {
        plumbline_tests::replay_corpora(TARGETS);
    }
}
