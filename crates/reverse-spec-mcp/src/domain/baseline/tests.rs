//! A baseline survives whatever is in it and whatever is around it.

use proptest::prelude::*;

use super::*;
use crate::domain::extract::Extractor;
use crate::domain::languages::Scope;

fn baseline(text: &str) -> Baseline {
    let extracted = Extractor::new().extract_bytes("src/a.ts", text.as_bytes(), Scope::Exports);
    Baseline::of(&[extracted.unwrap()])
}

#[test]
fn it_comes_back_as_it_was_whatever_it_holds() {
    for text in [
        "export const a = '-->';",
        "export const a = \"<!-- baseline-skeleton: {} -->\";",
        "export type T = '--' | '->' | '\u{2028}' | '\\\\' | '\"';",
        "export function f(a = `\n-->\n`) {}",
    ] {
        let written = baseline(text);
        let document = format!("# Title\n\ntext -->\n\n{}\n", written.comment());
        assert_eq!(Baseline::read(&document), Ok(written), "{text}");
    }
}

#[test]
fn nothing_in_it_can_end_the_comment() {
    let comment = baseline("export const a = '-->--!><!--';").comment();
    assert_eq!(comment.matches("-->").count(), 1);
    assert_eq!(comment.matches("<!--").count(), 1);
    assert!(!comment.contains("--!>"));
    assert_eq!(comment.lines().count(), 1);
}

#[test]
fn it_holds_no_time_no_documentation_and_no_facts() {
    let extracted = Extractor::new().extract_bytes(
        "src/a.ts",
        b"/** Doc. */\nexport function f() { throw new Error('x'); }",
        Scope::Exports,
    );
    let mut skeleton = extracted.unwrap();
    skeleton.analyzed_at = Some("2026-01-01T00:00:00Z".to_owned());
    let comment = Baseline::of(&[skeleton]).comment();
    for word in ["analyzedAt", "2026", "Doc.", "throws", "src/a.ts\",\"imports\":[{"] {
        assert!(!comment.contains(word), "{word}: {comment}");
    }
}

#[test]
fn five_megabytes_are_read() {
    use std::fmt::Write as _;
    let mut text = String::new();
    for index in 0..9_000 {
        let _ = writeln!(
            text,
            "export function f{index}(argument: string, another: number): Promise<void> {{}}"
        );
    }
    let written = baseline(&text);
    let comment = written.comment();
    assert!(comment.len() > 3_000_000, "{}", comment.len());
    assert_eq!(Baseline::read(&comment).unwrap(), written);
}

#[test]
fn why_there_is_none_is_said() {
    for (text, reason) in [
        ("# Title\n", "it holds no baseline comment"),
        ("<!-- baseline-skeleton: -->\n", "its baseline is damaged"),
        ("<!-- baseline-skeleton: {\"a\": -->\n", "its baseline is damaged"),
        ("<!-- baseline-skeleton: {\"a\": 1} -->\n", "its baseline is not a skeleton"),
        ("<!-- baseline-skeleton: {\"a\": 1}\n", "its baseline comment does not end"),
        ("text <!-- baseline-skeleton: {} -->\n", "it holds no baseline comment"),
    ] {
        let error = Baseline::read(text).unwrap_err();
        assert!(error.starts_with(reason), "{text}: {error}");
    }
}

#[test]
fn the_last_one_counts_and_is_the_one_replaced() {
    let (first, second) = (baseline("export const a = 1;"), baseline("export const b = 2;"));
    let document = format!("{}\n\ntext\n\n{}\nend\n", first.comment(), second.comment());
    assert_eq!(Baseline::read(&document).unwrap(), second);
    let third = baseline("export const c = 3;");
    let replaced = third.put_into(&document).unwrap();
    assert_eq!(replaced, format!("{}\n\ntext\n\n{}\nend\n", first.comment(), third.comment()));
}

#[test]
fn those_of_other_generators_are_read() {
    let document = "<!-- baseline-skeleton: {\"filePath\":\"src/a.ts\",\"language\":\"typescript\",\"loc\":2,\"exports\":[{\"name\":\"f\",\"kind\":\"function\",\"signature\":\"function f(): void\",\"jsDoc\":\"/** a --> b */\",\"isDefault\":false,\"startLine\":1,\"endLine\":1}],\"imports\":[],\"hash\":\"00\",\"analyzedAt\":\"2026-02-14T00:00:00.000Z\",\"parserUsed\":\"ts-morph\"} -->\n";
    let read = Baseline::read(document).unwrap();
    assert_eq!(read.generator, Generator::Other("ts-morph".to_owned()));
    assert_eq!(read.skeleton.exports[0].name, "f");
    let newer = document
        .replace("\"kind\":\"function\"", "\"kind\":\"protocol\"")
        .replace("typescript", "kotlin");
    assert!(Baseline::read(&newer).is_ok());
}

proptest! {
    #[test]
    fn any_text_in_a_symbol_survives(name in ".{0,60}", signature in ".{0,60}") {
        let symbol = ExportSymbol { name, signature, ..ExportSymbol::default() };
        let skeleton = CodeSkeleton { exports: vec![symbol.into()], ..CodeSkeleton::default() };
        let written = Baseline { skeleton, ..Baseline::default() };
        prop_assert_eq!(Baseline::read(&written.comment()), Ok(written));
    }
}
