//! Front matter as people and programs write it.

use super::*;
use crate::domain::extract::Extractor;
use crate::domain::languages::Scope;

#[test]
fn values_are_read_with_and_without_the_quotes_they_need() {
    let proper = "---\ntype: module-spec\nversion: v2\nsourceTarget: \"src/a: b\"\nrelatedFiles:\n  - \"src/a: b/c.ts\"\n---\n# x\n";
    let sloppy = proper.replace('"', "");
    for text in [proper.to_owned(), sloppy] {
        let read = front(&text);
        assert_eq!(read.version.as_deref(), Some("v2"), "{text}");
        assert_eq!(read.source_target.as_deref(), Some("src/a: b"), "{text}");
        assert_eq!(read.related_files, ["src/a: b/c.ts"], "{text}");
    }
    assert_eq!(front("# no front matter\n"), Front::default());
}

#[test]
fn accepting_changes_the_baseline_and_two_lines_and_nothing_else() {
    let baseline = |text: &str| {
        let extracted =
            Extractor::new().extract_bytes("a.ts", text.as_bytes(), Scope::Exports).unwrap();
        Baseline::of(&[extracted])
    };
    let (old, new) = (baseline("export const a = 1;"), baseline("export const b = 2;"));
    let body = "# Title\r\n\nskeletonHash: not this\n---\ntext <!-- keep -->mine<!-- /keep -->\n\n";
    let text = format!("---\nversion: v1\nskeletonHash: aa\n---\n{body}{}\n", old.comment());
    let hash = "bb";
    let accepted = accepted(&text, &new, hash, "2026-01-01T00:00:00Z").unwrap();
    let expected = format!(
        "---\nversion: v1\nskeletonHash: {hash}\nreviewed: 2026-01-01T00:00:00Z\n---\n{body}{}\n",
        new.comment()
    );
    assert_eq!(accepted, expected);
    let again = super::accepted(&accepted, &new, hash, "2026-02-02T00:00:00Z").unwrap();
    assert_eq!(again, expected.replace("2026-01-01", "2026-02-02"));
}

#[test]
fn lines_that_are_set_end_as_the_others_do() {
    let text = "---\r\nversion: v1\r\n---\r\ntext\r\n";
    assert_eq!(
        with_line(&with_line(text, "version", "v2"), "reviewed", "now"),
        "---\r\nversion: v2\r\nreviewed: now\r\n---\r\ntext\r\n"
    );
}
