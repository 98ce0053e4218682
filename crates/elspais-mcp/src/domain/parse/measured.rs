//! Which lines of code a run of the tests reached: `lcov.info`, coverage.py's JSON, and the database
//! it writes itself.

mod sqlite;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::Contents;
use sqlite::{Cell, Database};

/// The lines of one file that were looked at, by number, with whether they were reached.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct MeasuredFile {
    /// As the report has it.
    pub(crate) path: Box<str>,
    pub(crate) lines: BTreeMap<u32, bool>,
    /// Lines that can be reached at all, where the report counts them.
    pub(crate) executable: usize,
}

/// Longer files are not believed in.
const MAX_LINE: u32 = 1_000_000;
/// Of all files together.
const MAX_LINES: usize = 3_000_000;

pub(crate) fn parse(path: &str, bytes: &[u8]) -> Contents {
    let mut contents = Contents::default();
    let read = if bytes.starts_with(sqlite::MAGIC) {
        database(bytes)
    } else {
        match std::str::from_utf8(bytes) {
            Ok(text)
                if text
                    .trim_start_matches(['\u{feff}', ' ', '\n', '\r', '\t'])
                    .starts_with('{') =>
            {
                json(text)
            }
            Ok(text) => lcov(text),
            Err(_) => Err("it is neither text nor a database of coverage.py".to_owned()),
        }
    };
    match read {
        Ok(files) => contents.measured = files,
        Err(reason) => {
            let message = format!("`{path}` is no line coverage that can be read: {reason}");
            contents.remark(1, "unreadable_coverage", message);
        }
    }
    contents
}

/// Records of `SF:`, `DA:` and `end_of_record`; all others are left aside.
fn lcov(text: &str) -> Result<Vec<MeasuredFile>, String> {
    let mut files = Vec::new();
    let mut open: Option<MeasuredFile> = None;
    for line in text.lines().map(str::trim) {
        if let Some(path) = line.strip_prefix("SF:") {
            open = Some(MeasuredFile { path: path.into(), ..MeasuredFile::default() });
        } else if line == "end_of_record" {
            files.extend(open.take().map(|mut file| {
                if file.executable == 0 {
                    file.executable = file.lines.len();
                }
                file
            }));
        } else if let Some(file) = &mut open {
            if let Some(data) = line.strip_prefix("DA:") {
                let mut parts = data.split(',');
                let number = parts.next().and_then(|it| it.trim().parse::<u32>().ok());
                let count = parts.next().and_then(|it| it.trim().parse::<i64>().ok());
                if let (Some(number), Some(count)) = (number, count)
                    && number <= MAX_LINE
                {
                    file.lines.insert(number, count > 0);
                }
            } else if let Some(count) = line.strip_prefix("LF:") {
                file.executable = count.trim().parse().unwrap_or(0);
            }
        }
    }
    if files.is_empty() && !text.trim().is_empty() {
        return Err("it holds no record of lcov".to_owned());
    }
    Ok(files)
}

#[derive(Deserialize)]
struct Report {
    files: BTreeMap<String, ReportFile>,
}

#[derive(Deserialize)]
struct ReportFile {
    #[serde(default)]
    executed_lines: Vec<Value>,
    #[serde(default)]
    missing_lines: Vec<Value>,
    #[serde(default)]
    summary: Option<ReportSummary>,
}

#[derive(Deserialize)]
struct ReportSummary {
    #[serde(default)]
    num_statements: Option<usize>,
}

fn json(text: &str) -> Result<Vec<MeasuredFile>, String> {
    let report: Report = serde_json::from_str(text.trim_start_matches('\u{feff}'))
        .map_err(|_| "it is not the JSON of coverage.py".to_owned())?;
    let file = |(path, file): (String, ReportFile)| {
        let numbers = |list: &[Value], reached: bool| {
            let numbers = list.iter().filter_map(Value::as_u64);
            let numbers = numbers.filter_map(|it| u32::try_from(it).ok());
            numbers.filter(|it| *it <= MAX_LINE).map(|it| (it, reached)).collect::<Vec<_>>()
        };
        let mut lines: BTreeMap<u32, bool> = BTreeMap::new();
        lines.extend(numbers(&file.executed_lines, true));
        lines.extend(numbers(&file.missing_lines, false));
        let counted = file.summary.and_then(|it| it.num_statements);
        let executable = counted.unwrap_or(lines.len());
        MeasuredFile { path: path.into(), lines, executable }
    };
    Ok(report.files.into_iter().map(file).collect())
}

/// The tables `file`, `line_bits` and `arc`. Which lines could have been reached is not in it: those
/// that were are all that is known.
fn database(bytes: &[u8]) -> Result<Vec<MeasuredFile>, String> {
    let database = Database::open(bytes)?;
    let mut files: BTreeMap<i64, MeasuredFile> = BTreeMap::new();
    database.rows("file", |id, row| {
        // The id is the row's own number and stands as nothing in the row.
        let id = row.first().and_then(Cell::number).unwrap_or(id);
        if let Some(path) = row.get(1).and_then(Cell::text) {
            files.insert(id, MeasuredFile { path: path.into(), ..MeasuredFile::default() });
        }
    })?;
    let mut left = MAX_LINES;
    let mut reach = |file: Option<i64>, line: i64| {
        let Some(file) = file.and_then(|it| files.get_mut(&it)) else { return };
        let Ok(line) = u32::try_from(line) else { return };
        if line > 0 && line <= MAX_LINE && left > 0 && file.lines.insert(line, true).is_none() {
            left -= 1;
        }
    };
    database.rows("line_bits", |_, row| {
        let file = row.first().and_then(Cell::number);
        let bits = row.get(2).map_or(&[][..], Cell::bytes);
        for (byte, bits) in bits.iter().take(MAX_LINE as usize / 8 + 1).enumerate() {
            for bit in (0..8).filter(|bit| bits & (1 << bit) != 0) {
                reach(file, i64::try_from(byte * 8 + bit).unwrap_or(0));
            }
        }
    })?;
    // Where branches were measured, lines are the ends of the ways between them.
    database.rows("arc", |_, row| {
        let file = row.first().and_then(Cell::number);
        for end in row.iter().skip(2).take(2).filter_map(Cell::number) {
            reach(file, end);
        }
    })?;
    for file in files.values_mut() {
        file.executable = file.lines.len();
    }
    Ok(files.into_values().collect())
}
