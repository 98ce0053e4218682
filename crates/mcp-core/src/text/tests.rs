//! What is kept and what is dropped.

use proptest::prelude::*;

use super::*;

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(harmless(text), expected);
}

#[test]
fn plain_text_is_borrowed_as_it_is() {
    assert!(matches!(harmless("plain\n\ttext"), Cow::Borrowed(_)));
    assert!(matches!(harmless("héllo, 世界"), Cow::Borrowed(_)));
}

#[test]
fn escape_sequences_go_with_what_they_carry() {
    check("a\u{1b}[31mred\u{1b}[0m", "ared");
    check("a\u{1b}]0;title\u{7}b", "ab");
    check("a\u{1b}]8;;http://x\u{1b}\\link", "alink");
    check("bell\u{7} back\u{8}", "bell back");
}

#[test]
fn invisible_and_bidirectional_characters_go() {
    check("a\u{202e}b\u{2066}c\u{200b}d\u{feff}e", "abcde");
    check("tag\u{e0041}\u{e0042}", "tag");
}

#[test]
fn emoji_sequences_stay_whole() {
    check("👩\u{200d}💻 ok ❤\u{fe0f}", "👩\u{200d}💻 ok ❤\u{fe0f}");
    check("x\u{200d}y", "xy");
}

#[test]
fn a_carriage_return_cannot_overwrite_a_line() {
    check("one\r\ntwo\rthree", "one\ntwothree");
}

#[test]
fn the_nearest_name_is_found_across_spelling_habits() {
    let names = ["get_stage", "get_review_prompt", "query_knowledge"];
    assert_eq!(nearest("getStage", names), Some("get_stage"));
    assert_eq!(nearest("query-knowlege", names), Some("query_knowledge"));
    assert_eq!(nearest("zzz", names), None);
    assert_eq!(nearest(&"x".repeat(100_000), names), None);
}

#[test]
fn names_are_listed_as_a_sentence_would() {
    assert_eq!(list_of_names(["a"]), "`a`");
    assert_eq!(list_of_names(["a", "b", "c"]), "`a`, `b` and `c`");
}

proptest! {
    #[test]
    fn making_text_harmless_twice_changes_nothing_more(text in any::<String>()) {
        let once = harmless(&text).into_owned();
        prop_assert_eq!(harmless(&once).into_owned(), once);
    }

    #[test]
    fn a_cut_text_is_a_prefix_of_at_most_that_many_characters(text in any::<String>(), max in 0usize..50) {
        let short = cut(&text, max);
        prop_assert!(text.starts_with(short));
        prop_assert!(short.chars().count() <= max);
    }
}
