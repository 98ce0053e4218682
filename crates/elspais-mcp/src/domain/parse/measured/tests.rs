//! Reports of all three forms, and what is none.

use proptest::prelude::*;

use super::*;

const COVERED: &[u8] = include_bytes!("tests/covered.db");
/// Rows on several pages, and some that go on on pages of their own.
const SPREAD: &[u8] = include_bytes!("tests/spread.db");

fn read(bytes: &[u8]) -> Vec<(String, Vec<u32>, Vec<u32>)> {
    let contents = parse("report", bytes);
    assert_eq!(contents.remarks, [], "it can be read");
    let lines = |file: &MeasuredFile, reached: bool| {
        let lines = file.lines.iter().filter(|(_, it)| **it == reached);
        lines.map(|(line, _)| *line).collect::<Vec<_>>()
    };
    let files = contents.measured.iter();
    files.map(|it| (it.path.to_string(), lines(it, true), lines(it, false))).collect()
}

#[test]
fn records_of_lcov_say_which_lines_were_reached() {
    let text = "TN:\nSF:lib/a.dart\nFN:1,main\nDA:1,3\nDA:2,0\nDA:7,1,checksum\nDA:x,1\nLF:9\nLH:2\nend_of_record\nSF:lib/b.dart\nend_of_record\n";
    let a = ("lib/a.dart".to_owned(), vec![1, 7], vec![2]);
    assert_eq!(read(text.as_bytes()), [a, ("lib/b.dart".to_owned(), vec![], vec![])]);
    assert_eq!(parse("lcov.info", text.as_bytes()).measured[0].executable, 9);
}

#[test]
fn the_json_of_coverage_py_says_it_too() {
    let text = r#"{"meta": {"version": "7"}, "files": {"src/a.py": {"executed_lines": [1, 2], "missing_lines": [5], "summary": {"num_statements": 3}, "contexts": {"1": [""]}}}}"#;
    assert_eq!(read(text.as_bytes()), [("src/a.py".to_owned(), vec![1, 2], vec![5])]);
}

#[test]
fn its_database_knows_the_lines_that_were_reached() {
    let files = read(COVERED);
    assert_eq!(files[0], ("/build/app/src/m.py".to_owned(), vec![1, 4, 5, 8, 300], vec![]));
    assert_eq!(files[1], ("src/other.py".to_owned(), vec![3, 7], vec![]), "by branches");
    let spread: Vec<u32> = [1, 2].into_iter().chain((1..9).map(|it| it * 700 + 1)).collect();
    assert_eq!(read(SPREAD)[0].1, spread);
}

#[test]
fn what_is_no_report_is_remarked_on() {
    let reason = |bytes: &[u8]| {
        let contents = parse("cov", bytes);
        assert!(contents.measured.is_empty());
        contents.remarks.first().map(|it| it.message.clone()).unwrap_or_default()
    };
    assert!(reason(b"hello\n").ends_with("it holds no record of lcov"));
    assert!(reason(b"{\"a\": 1}").ends_with("it is not the JSON of coverage.py"));
    assert!(reason(b"\xff\xfe").ends_with("neither text nor a database of coverage.py"));
    assert!(reason(&COVERED[..700]).ends_with("it ends before it should"));
    assert_eq!(reason(b""), "");
}

proptest! {
    #[test]
    fn a_damaged_database_is_read_to_an_end(
        damage in proptest::collection::vec((0..SPREAD.len(), any::<u8>()), 1..40),
        length in 0..SPREAD.len(),
    ) {
        let mut bytes = SPREAD.to_vec();
        for (at, byte) in damage {
            bytes[at] = byte;
        }
        drop(parse("damaged", &bytes));
        drop(parse("cut", &SPREAD[..length]));
    }
}
