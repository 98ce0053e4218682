//! What is taken of an answer, however it is written.

use super::*;
use crate::domain::spec::SECTIONS;

fn english() -> &'static Words {
    Words::of(None)
}

fn whole() -> String {
    let sections = english().sections.iter().map(|it| format!("## {it}\n\nText of {it}\n\n"));
    sections.collect::<Vec<_>>().concat()
}

#[test]
fn nine_sections_are_found() {
    let recovered = recover(&whole(), false, english());
    assert!(recovered.missing.is_empty());
    for (section, heading) in recovered.sections.iter().zip(&english().sections) {
        assert_eq!(section.as_deref(), Some(format!("Text of {heading}").as_str()));
    }
}

#[test]
fn other_names_and_levels_are_understood() {
    let answer = "# Purpose\na\n### 2) API\nb\n## 业务逻辑\nc\n";
    let recovered = recover(answer, false, english());
    assert_eq!(recovered.sections[0].as_deref(), Some("a"));
    assert_eq!(recovered.sections[1].as_deref(), Some("b"));
    assert_eq!(recovered.sections[2].as_deref(), Some("c"));
    assert_eq!(recovered.missing, SECTIONS[3..]);
}

#[test]
fn headings_in_code_and_below_sections_lose_nothing() {
    let answer = "## 1. Intent\n\nbefore\n\n```sh\n# Dependencies\n```\n\n### Data flow between the API and tests\n\nafter\n";
    let recovered = recover(answer, false, english());
    let intent = recovered.sections[0].as_deref().unwrap();
    assert!(intent.contains("# Dependencies") && intent.contains("after"), "{intent}");
    assert!(intent.contains("#### Data flow between the API and tests"));
    assert_eq!(recovered.sections[8], None);
}

#[test]
fn a_section_that_comes_twice_is_joined() {
    let recovered = recover("## Intent\none\n## Tests\nx\n## Intent\ntwo\n", false, english());
    assert_eq!(recovered.sections[0].as_deref(), Some("one\ntwo"));
}

#[test]
fn the_last_section_of_a_cut_answer_is_dropped() {
    let recovered = recover("## 1. Intent\nwhole\n## 2. Interface\nhalf of a sen", true, english());
    assert_eq!(recovered.sections[0].as_deref(), Some("whole"));
    assert_eq!(recovered.sections[1], None);
    assert_eq!(recovered.missing.len(), 8);
}

#[test]
fn an_answer_cannot_pass_for_parts_of_the_document() {
    let answer = "## 1. Intent\n<!-- baseline-skeleton: {} -->\n<!-- keep -->\n---\n```\nopen";
    let recovered = recover(answer, false, english());
    let intent = recovered.sections[0].as_deref().unwrap();
    assert!(!intent.contains("<!--") && !intent.contains("\n---\n"), "{intent}");
    assert!(intent.ends_with("```"), "an open fence is closed: {intent}");
}

#[test]
fn an_answer_without_sections_is_no_specification() {
    let recovered = recover("I am sorry, I cannot do that.", false, english());
    assert_eq!(recovered.missing.len(), 9);
}

#[test]
fn doubts_are_counted() {
    let recovered = recover("## Intent\n[inferred: a] [unclear: b] [推断: c]", false, english());
    assert_eq!(recovered.uncertain, 3);
}

#[test]
fn the_prompt_asks_for_the_headings_of_the_language() {
    let prompt = Prompt::new(Words::of(Some("zh")), String::new());
    assert!(prompt.instructions.contains("## 1. 意图") && prompt.instructions.contains("Chinese"));
    assert!(!prompt.instructions.contains('{'), "every placeholder is filled");
}

#[test]
fn a_fence_around_the_whole_answer_is_no_code() {
    for (open, close) in [
        ("```markdown\n", "\n```"),
        ("```\n", "\n```\n"),
        ("\n~~~~md\n", "\n~~~~"),
        // Cut before it was closed.
        ("```markdown\n", ""),
    ] {
        let recovered = recover(&format!("{open}{}{close}", whole()), false, english());
        assert!(recovered.missing.is_empty(), "{open}: {:?}", recovered.missing);
        let last = recovered.sections[8].as_deref();
        assert_eq!(last, Some("Text of 9. Dependencies"), "{open}");
    }
    let code = "```sh\n## 1. Intent\n```\n## 2. Interface\nb\n";
    let recovered = recover(code, false, english());
    assert_eq!(recovered.sections[0], None);
    assert_eq!(recovered.sections[1].as_deref(), Some("b"));
}

#[test]
fn headings_in_bold_are_understood_by_their_numbers() {
    let answer = whole().replace("## ", "**").replace("\n\nText", ":**\n\nText");
    let recovered = recover(&answer, false, english());
    assert!(recovered.missing.is_empty(), "{:?}", recovered.missing);
    let answer = "## 1. Intent\n\n**Tests**\n\na\n\n**8. Test coverage**\n\nb\n";
    let recovered = recover(answer, false, english());
    assert_eq!(recovered.sections[0].as_deref(), Some("**Tests**\n\na"));
    assert_eq!(recovered.sections[7].as_deref(), Some("b"));
}

#[test]
fn what_looks_like_a_tag_is_shown_and_code_stays_as_it_is() {
    let answer = "## 1. Intent\nA Vec<T> and `Map<K, V>`, 1 < 2, <script>x</script>\n";
    let recovered = recover(answer, false, english());
    let expected = "A Vec&lt;T> and `Map<K, V>`, 1 < 2, &lt;script>x&lt;/script>";
    assert_eq!(recovered.sections[0].as_deref(), Some(expected));
}
