//! Reports of test runs: `JUnit` XML, pytest's JSON, and the events of `flutter test --machine`; and
//! what people found who went through the journeys, as rows of CSV.

use std::collections::HashMap;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use serde::Deserialize;

use super::{Contents, Outcome, OutcomeStatus};

/// Longer messages are cut.
const MAX_MESSAGE: usize = 200;

pub(crate) fn parse(path: &str, text: &str) -> Contents {
    let mut contents = Contents::default();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let read = if is_acceptance(path) {
        acceptance(text, &mut contents)
    } else if text.trim_start().starts_with('<') {
        junit(text, &mut contents)
    } else if text.lines().any(is_event) {
        events(text, &mut contents);
        Ok(())
    } else {
        pytest(text, &mut contents)
    };
    if let Err((line, reason)) = read {
        let message = format!("`{path}` is no report of a test run that can be read: {reason}");
        contents.remark(line, "unreadable_results", message);
    }
    contents
}

type Problem = (u32, String);

/// Whether a file says how journeys went.
pub(crate) fn is_acceptance(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| ending.eq_ignore_ascii_case("csv"))
}

fn acceptance(text: &str, contents: &mut Contents) -> Result<(), Problem> {
    let mut rows = (1..).zip(text.lines()).filter(|(_, row)| !row.trim().is_empty());
    let Some((line, heading)) = rows.next() else { return Ok(()) };
    let heading = cells(heading);
    let column = |names: &[&str]| {
        heading.iter().position(|it| names.iter().any(|name| it.eq_ignore_ascii_case(name)))
    };
    let (Some(id), Some(status)) = (column(&["journey_id", "id"]), column(&["status"])) else {
        return Err((line, "its first row names no columns journey_id and status".to_owned()));
    };
    for (line, row) in rows {
        let cells = cells(row);
        let cell = |at: usize| cells.get(at).map_or("", |it| it.trim());
        let word = cell(status).to_ascii_lowercase();
        let status = match word.as_str() {
            "pass" | "passed" => OutcomeStatus::Passed,
            "fail" | "failed" => OutcomeStatus::Failed,
            "skip" | "skipped" => OutcomeStatus::Skipped,
            _ => {
                let word = mcp_core::text::one_line(mcp_core::text::cut(&word, 40));
                let message = format!("`{word}` is no status: pass, fail and skip are");
                contents.remark(line, "unreadable_results", message);
                continue;
            }
        };
        let (name, place) = (cell(id).into(), "".into());
        contents.outcomes.push(Outcome { name, place, status, message: None });
    }
    Ok(())
}

/// The cells of a row; what is quoted may hold commas and doubled quotes.
fn cells(row: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut is_quoted = false;
    let mut letters = row.chars().peekable();
    while let Some(letter) = letters.next() {
        let Some(cell) = cells.last_mut() else { break };
        match letter {
            '"' if is_quoted && letters.peek() == Some(&'"') => cell.extend(letters.next()),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(String::new()),
            _ => cell.push(letter),
        }
    }
    cells
}

fn junit(text: &str, contents: &mut Contents) -> Result<(), Problem> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_end_names = true;
    let mut open: Option<Outcome> = None;
    loop {
        let at = usize::try_from(reader.buffer_position()).unwrap_or(0);
        let line = || {
            let before = &text.as_bytes()[..at.min(text.len())];
            u32::try_from(memchr::memchr_iter(b'\n', before).count() + 1).unwrap_or(u32::MAX)
        };
        match reader.read_event() {
            Err(error) => return Err((line(), mcp_core::text::one_line(&error.to_string()))),
            Ok(Event::Eof) => break,
            Ok(Event::Start(element)) if element.local_name().as_ref() == b"testcase" => {
                open = Some(test_case(&element));
            }
            Ok(Event::Empty(element)) if element.local_name().as_ref() == b"testcase" => {
                contents.outcomes.push(test_case(&element));
            }
            Ok(Event::Start(element) | Event::Empty(element)) => {
                if let Some(outcome) = &mut open {
                    let status = match element.local_name().as_ref() {
                        b"failure" => OutcomeStatus::Failed,
                        b"error" => OutcomeStatus::Error,
                        b"skipped" => OutcomeStatus::Skipped,
                        _ => continue,
                    };
                    outcome.status = status;
                    outcome.message = attribute(&element, "message").map(|it| shortened(&it));
                }
            }
            Ok(Event::End(element)) if element.local_name().as_ref() == b"testcase" => {
                contents.outcomes.extend(open.take());
            }
            Ok(_) => {}
        }
    }
    Ok(())
}

fn test_case(element: &BytesStart<'_>) -> Outcome {
    let place = attribute(element, "file").or_else(|| attribute(element, "classname"));
    Outcome {
        name: attribute(element, "name").unwrap_or_default().into(),
        place: place.unwrap_or_default().into(),
        status: OutcomeStatus::Passed,
        message: None,
    }
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = element.try_get_attribute(name).ok()??;
    let raw = std::str::from_utf8(&found.value).ok()?;
    // Entities of its own making are left as they are: nothing is expanded twice.
    Some(
        quick_xml::escape::unescape(raw)
            .map_or_else(|_| raw.to_owned(), std::borrow::Cow::into_owned),
    )
}

/// One line of a run that is reported as it goes.
#[derive(Deserialize)]
struct RunEvent {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    test: Option<EventTest>,
    #[serde(default, rename = "testID")]
    test_id: Option<u64>,
    #[serde(default)]
    result: Option<String>,
    #[serde(default)]
    skipped: bool,
    #[serde(default)]
    hidden: bool,
    #[serde(default)]
    error: Option<String>,
}

#[derive(Deserialize)]
struct EventTest {
    id: u64,
    name: String,
    #[serde(default)]
    url: Option<String>,
    #[serde(default)]
    root_url: Option<String>,
}

fn is_event(line: &str) -> bool {
    line.starts_with('{')
        && (line.contains("\"type\":\"testStart\"") || line.contains("\"type\":\"testDone\""))
}

fn events(text: &str, contents: &mut Contents) {
    let mut names: HashMap<u64, (String, String)> = HashMap::new();
    let mut errors: HashMap<u64, String> = HashMap::new();
    for line in text.lines() {
        // Lines of other tools may stand between them.
        let Ok(event) = serde_json::from_str::<RunEvent>(line.trim()) else { continue };
        match (event.kind.as_str(), event.test, event.test_id) {
            ("testStart", Some(test), _) => {
                let place = test.root_url.or(test.url).unwrap_or_default();
                let place = place.trim_start_matches("file://").to_owned();
                names.insert(test.id, (test.name, place));
            }
            ("error", _, Some(id)) => drop(errors.insert(id, event.error.unwrap_or_default())),
            ("testDone", _, Some(id)) if !event.hidden => {
                let Some((name, place)) = names.remove(&id) else { continue };
                let status = match event.result.as_deref() {
                    _ if event.skipped => OutcomeStatus::Skipped,
                    Some("success") => OutcomeStatus::Passed,
                    Some("error") => OutcomeStatus::Error,
                    _ => OutcomeStatus::Failed,
                };
                let message = errors.remove(&id).map(|it| shortened(&it));
                let (name, place) = (name.into(), place.into());
                contents.outcomes.push(Outcome { name, place, status, message });
            }
            _ => {}
        }
    }
}

#[derive(Deserialize)]
struct PytestReport {
    tests: Vec<PytestTest>,
}

#[derive(Deserialize)]
struct PytestTest {
    nodeid: String,
    outcome: String,
    #[serde(default)]
    call: Option<PytestCall>,
}

#[derive(Deserialize)]
struct PytestCall {
    #[serde(default)]
    crash: Option<PytestCrash>,
}

#[derive(Deserialize)]
struct PytestCrash {
    #[serde(default)]
    message: String,
}

fn pytest(text: &str, contents: &mut Contents) -> Result<(), Problem> {
    let report: PytestReport = serde_json::from_str(text).map_err(|error| {
        let line = u32::try_from(error.line()).unwrap_or(u32::MAX);
        (line, "it is neither JUnit XML nor pytest's JSON".to_owned())
    })?;
    for test in report.tests {
        let (place, name) = test.nodeid.split_once("::").unwrap_or(("", &test.nodeid));
        let name = name.rsplit("::").next().unwrap_or(name);
        let status = match test.outcome.as_str() {
            "passed" | "xpassed" => OutcomeStatus::Passed,
            "skipped" | "xfailed" => OutcomeStatus::Skipped,
            "error" => OutcomeStatus::Error,
            _ => OutcomeStatus::Failed,
        };
        let message = test.call.and_then(|it| it.crash).map(|it| shortened(&it.message));
        contents.outcomes.push(Outcome { name: name.into(), place: place.into(), status, message });
    }
    Ok(())
}

fn shortened(message: &str) -> Box<str> {
    mcp_core::text::one_line(mcp_core::text::cut(message, MAX_MESSAGE)).into()
}
