//! What a person wrote is never lost, wherever it was put.

use super::super::keep::{blocks, put_back};

const BODY: &str = "\n# x\n\n## 1. Intent\n\nnew\n\n## 2. Interface\n\n### `a.ts`\n\nnew\n\n---\n\n## Appendix: files\n\nnew\n";
const BASELINE: &str = "<!-- baseline-skeleton: {} -->";

/// The body after a document with this text between the first heading and the second.
fn kept(text: &str) -> String {
    let document = format!(
        "---\ntype: module-spec\n---\n\n# x\n\n## 1. Intent\n\nold\n\n{text}\n\n## 2. Interface\n\nold\n\n---\n\n## Appendix: files\n\nold\n\n{BASELINE}\n"
    );
    let once = put_back(BODY, &blocks(&document));
    let again = put_back(BODY, &blocks(&format!("{once}\n{BASELINE}\n")));
    assert_eq!(once, again, "keeping is stable");
    assert!(!once.contains("old") && !once.contains("baseline"), "{once}");
    once
}

fn check(text: &str, expected: &str) {
    let expected = BODY.replacen("new\n\n## 2.", &format!("new\n\n{expected}\n\n## 2."), 1);
    assert_eq!(kept(text), expected, "{text}");
}

#[test]
fn a_block_may_stand_on_lines_of_its_own_or_within_one() {
    let block = "<!-- keep -->\nmine\n<!-- /keep -->";
    check(block, block);
    check("<!-- keep -->mine<!-- /keep -->", block);
    check("before <!--keep--> mine <!--/keep--> after", block);
    check("| a | <!-- keep -->mine<!-- /keep --> |\n| --- | --- |", block);
    check(
        "| a | <!-- keep --> mine |\n| mine |\n<!-- /keep -->",
        "<!-- keep -->\nmine |\n| mine |\n<!-- /keep -->",
    );
    check("<!-- keep -->\r\nmine\r\n<!-- /keep -->\r", block);
    check(
        "<!-- keep -->one<!-- /keep --> and <!-- keep -->two<!-- /keep -->",
        "<!-- keep -->\none\n<!-- /keep -->\n\n<!-- keep -->\ntwo\n<!-- /keep -->",
    );
}

#[test]
fn a_block_may_hold_headings_rules_and_code() {
    for inside in [
        "## 9. Deployment\n\ntext\n\n### more\n\n---\n\nend",
        "```\n## 4. not a heading\n<!-- note -->\n```",
        "```\nnever closed",
        "\n\n  indented\n\n",
    ] {
        let block = format!("<!-- keep -->\n{inside}\n<!-- /keep -->");
        check(&block, &block);
    }
}

#[test]
fn markers_may_be_nested_or_all_the_same() {
    let nested = "<!-- keep -->\na\n<!-- keep -->\nb\n<!-- /keep -->\nc\n<!-- /keep -->";
    check(nested, nested);
    check("<!-- keep -->\nmine\n<!-- keep -->", "<!-- keep -->\nmine\n<!-- /keep -->");
    check(
        "<!-- keep -->\na\n<!-- keep -->\nold\n<!-- keep -->\nb\n<!-- keep -->",
        "<!-- keep -->\na\n<!-- /keep -->\n\n<!-- keep -->\nb\n<!-- /keep -->",
    );
    check(
        "<!-- keep -->\na\n\n<!-- keep -->\nb\n<!-- /keep -->",
        "<!-- keep -->\na\n<!-- /keep -->\n\n<!-- keep -->\nb\n<!-- /keep -->",
    );
    check("<!-- /keep -->\n<!-- keep -->\na\n<!-- /keep -->", "<!-- keep -->\na\n<!-- /keep -->");
}

#[test]
fn a_block_without_an_end_reaches_to_the_next_section_and_never_over_the_baseline() {
    check("<!-- keep -->\nmine", "<!-- keep -->\nmine\n<!-- /keep -->");
    let last = format!("# x\n\n## Appendix: files\n\n<!-- keep -->\nmine\n\n{BASELINE}\n");
    let text = put_back(BODY, &blocks(&last));
    assert!(text.ends_with("new\n\n<!-- keep -->\nmine\n<!-- /keep -->\n"), "{text}");
    let around = last.replace(BASELINE, &format!("{BASELINE}\nand mine\n<!-- /keep -->"));
    let text = put_back(BODY, &blocks(&around));
    assert!(text.ends_with("mine\n\nand mine\n<!-- /keep -->\n"), "{text}");
    let before_rule = "## 2. Interface\n\n<!-- keep -->\nmine\n\n---\n\n## Appendix: files\n";
    let text = put_back(BODY, &blocks(before_rule));
    assert!(text.contains("<!-- keep -->\nmine\n<!-- /keep -->\n\n---\n"), "{text}");
}

#[test]
fn a_block_stays_under_its_heading_while_that_is_there() {
    let under = |heading: &str| {
        let document =
            format!("## 2. Interface\n\n### {heading}\n\n<!-- keep -->mine<!-- /keep -->\n");
        put_back(&BODY.replace("new\n\n---", "new\n\n### `b.ts`\n\nnew\n\n---"), &blocks(&document))
    };
    assert!(under("`a.ts`").contains("mine\n<!-- /keep -->\n\n### `b.ts`"));
    assert!(under("`gone.ts`").contains("### `b.ts`\n\nnew\n\n<!-- keep -->\nmine"));
}

#[test]
fn what_only_looks_like_a_marker_is_none() {
    for text in [
        "| `const m = '<!-- keep -->'` | old |",
        "```ts\n<!-- keep -->\n```",
        "<!-- keeper -->",
        "&lt;!-- keep --&gt;",
        "<!-- keep",
    ] {
        assert_eq!(kept(text), BODY, "{text}");
    }
}
