//! The verdicts: an edit, and exactly what is said about it. The rows are in `verdicts.txt`.

use super::*;

/// What an edit is, the file, the text before and after, and everything that is reported.
struct Row {
    what: String,
    path: String,
    before: String,
    after: String,
    expected: Vec<String>,
}

fn rows() -> Vec<Row> {
    let table = include_str!("verdicts.txt");
    let rows = table.split("\n@@ ").skip(1).map(|row| {
        let (head, rest) = row.split_once('\n').unwrap();
        let (what, path) = head.split_once(" @ ").unwrap();
        let (before, rest) = rest.split_once("\n----\n").unwrap();
        let (after, expected) = rest.split_once("\n=> ").unwrap();
        let expected = expected.lines().next().unwrap();
        let expected = expected.split("; ").filter(|it| *it != "nothing");
        Row {
            what: what.to_owned(),
            path: path.to_owned(),
            before: format!("{before}\n"),
            after: format!("{after}\n").replace("<CR>", "\r"),
            expected: expected.map(str::to_owned).collect(),
        }
    });
    rows.collect()
}

#[test]
fn every_edit_gets_the_verdict_of_the_table() {
    let mut wrong = Vec::new();
    for Row { what, path, before, after, expected } in rows() {
        let found = told(&drift(&format!("//- {path}\n{before}"), &format!("//- {path}\n{after}")));
        if found != expected {
            wrong.push(format!("{path}, {what}: {found:?} instead of {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn nothing_drifts_from_itself() {
    for Row { path, before, after, .. } in rows() {
        for text in [before, after] {
            let files = format!("//- {path}\n{text}");
            assert_eq!(told(&drift(&files, &files)), Vec::<String>::new(), "{files}");
        }
    }
}

#[test]
fn the_table_speaks_of_every_severity_and_language() {
    let rows = rows();
    assert!(rows.len() > 90, "{}", rows.len());
    for word in ["HIGH", "MEDIUM", "LOW"] {
        assert!(
            rows.iter().any(|row| row.expected.iter().any(|it| it.starts_with(word))),
            "{word}"
        );
    }
    assert!(rows.iter().filter(|row| row.expected.is_empty()).count() > 15);
    for end in ["ts", "js", "rs", "py", "go", "java", "cs", "kt", "php", "rb"] {
        assert!(rows.iter().any(|row| row.path.rsplit('.').next() == Some(end)), "{end}");
    }
}
