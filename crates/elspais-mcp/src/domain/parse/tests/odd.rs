//! What is wrong in a file is remarked on with its line, and everything else is read.

use proptest::prelude::*;

use super::*;

#[test]
fn every_oddity_has_its_line_and_the_rest_is_read() {
    insta::assert_snapshot!(outline(
        "## REQ-q00001: Unknown letter\n\n## REQ-d00001 No colon\n\n## REQ-d00002:\nLevel: DEV\n\n## REQ-d00003: Fields\nLevel: DEV | Level: OPS | Status: Not Yet\nStatus:\nImplements: REQ-p00001, , REQ-p00001, [soon], REQ-p00002 (see notes), nonsense here\n\n## Assertions\n1. Not a label here.\n\n## REQ-d00004: Twice\nLevel: DEV\n\n## Assertions\nA. One.\nA. Again.\n\n```\nnever closed\n\n## REQ-d00005: Behind the fence\nLevel: DEV\n<!-- never closed either\n\n## REQ-d00006: Behind the comment\nLevel: DEV\n"
    ));
}

#[test]
fn a_label_that_cannot_be_one_makes_the_reference_a_broken_one() {
    let text = "# REQ-d00001: One\nImplements: REQ-p00001-AAA, REQ-p00002-A (see note)\n";
    let contents = spec::parse(&grammar(), text);
    let cited: Vec<&str> =
        contents.requirements[0].citations.iter().map(|it| &*it.target).collect();
    assert_eq!(cited, ["REQ-p00001-AAA", "REQ-p00002"]);
}

#[test]
fn lines_that_end_as_no_line_ends_any_more_are_remarked_on() {
    let codes = |text: &str| -> Vec<&str> {
        spec::parse(&grammar(), text).remarks.iter().map(|it| it.code).collect()
    };
    assert_eq!(codes("# REQ-d00001: One\rLevel: DEV\r"), ["lone_carriage_returns"]);
    assert!(codes("# REQ-d00001: One\r\nLevel: DEV\r\n").is_empty());
    assert!(codes("# REQ-d00001: One\r\n").is_empty());
}

#[test]
fn fences_and_comments_hide_requirements() {
    let text = "<!--\n## REQ-d00001: Commented out\n-->\n~~~~ md\n## REQ-d00002: Drawn\n~~~\n## REQ-d00003: Still drawn\n~~~~\n<!-- one line --> \n## REQ-d00004: Real\nLevel: DEV\n<!-- ## Assertions\nA. no -->\n";
    let contents = spec::parse(&grammar(), text);
    let ids: Vec<&str> = contents.requirements.iter().map(|it| &*it.id).collect();
    assert_eq!(ids, ["REQ-d00004"]);
    assert!(contents.remarks.is_empty() && contents.requirements[0].assertions.is_empty());
}

#[test]
fn many_fences_that_stay_open_cost_no_more_than_one() {
    let text = "```x\n".repeat(200_000);
    let contents = spec::parse(&grammar(), &text);
    assert_eq!(contents.remarks.len(), 1);
}

proptest! {
    #[test]
    fn any_text_is_read_without_panic_and_spans_lie_within_it(
        text in "([#*A-Z.:|, \\-`~<>!\r\n]|REQ-d00001|REQ-p00002-A|JNY-A-1|\\*End\\*|Assertions|Level|é){0,120}"
    ) {
        let contents = spec::parse(&grammar(), &text);
        let mut last = 0;
        for it in &contents.requirements {
            prop_assert!(it.block.from() >= last && it.extent.to() <= text.len());
            prop_assert!(text.get(it.block.range()).is_some() && text.get(it.body.range()).is_some());
            last = it.block.to();
            for assertion in &it.assertions {
                prop_assert!(text.get(assertion.text.range()).is_some());
            }
            for citation in &it.citations {
                prop_assert!(text.get(citation.token.range()).is_some());
            }
        }
        code::parse(&grammar(), "src/a.py", &text, true);
        results::parse("a.xml", &text);
    }
}
