//! The user's input goes in byte for byte, and nothing else changes.

use proptest::prelude::*;

use crate::domain::Command;
use crate::domain::dialect::Dialect;
use crate::domain::template::{MAX_FILLED_BYTES, MAX_INPUT_BYTES, Template};
use crate::error::Error;

fn plain(text: &str) -> Template {
    Template::new(text, &Dialect::plain())
}

fn filled(template: &Template, input: &str) -> Result<String, Error> {
    template.fill(input.into())
}

fn fill(template: &str, input: &str) -> String {
    filled(&plain(template), input).unwrap()
}

#[test]
fn every_placeholder_is_replaced_wherever_it_stands() {
    let template =
        "$ARGUMENTS `$ARGUMENTS`\n```\nrun \"$ARGUMENTS\"\n```\n$ARGUMENTS[0] \\$ARGUMENTS";
    assert_eq!(fill(template, "x"), "x `x`\n```\nrun \"x\"\n```\nx[0] \\x");
}

#[test]
fn no_input_leaves_nothing_behind() {
    assert_eq!(fill("a $ARGUMENTS b", ""), "a  b");
}

#[test]
fn input_that_looks_like_a_template_stays_as_it_was_typed() {
    for input in [
        "$ARGUMENTS",
        "${HOME}",
        "$1 $& $0",
        "\\$ARGUMENTS",
        "{{X}}",
        "\r\n\t",
        "```\n$ARGUMENTS\n```",
        "null",
        "\"quoted\"",
    ] {
        assert_eq!(fill("<$ARGUMENTS>", input), format!("<{input}>"));
    }
    assert_eq!(
        fill("$ARGUMENTS|$ARGUMENTS", "$ARGUMENTS $ARGUMENTS").matches("$ARGUMENTS").count(),
        4
    );
}

#[test]
fn other_variables_are_not_touched() {
    let text = "$ARGUMENTS_DIR $ARGUMENTSX $ARGUMENTSé $ARG $arguments ${ARGUMENTS} {{TITLE}} $(pwd) $total_files";
    assert_eq!(fill(text, "x"), text);
    assert!(!plain(text).takes_input());
}

#[test]
fn the_limit_counts_bytes_and_includes_its_last() {
    let template = plain("$ARGUMENTS");
    assert_eq!(filled(&template, &"a".repeat(102_400)).unwrap().len(), 102_400);
    assert_eq!(filled(&template, &"é".repeat(51_200)).unwrap().len(), 102_400);
    for input in ["a".repeat(102_401), "é".repeat(51_201)] {
        let error = filled(&template, &input).unwrap_err();
        assert_eq!(error, Error::InputTooLarge);
        assert_eq!(error.to_string(), "Input exceeds maximum allowed size of 100KB");
    }
}

#[test]
fn a_template_without_placeholder_checks_the_limit_and_ignores_the_rest() {
    let template = plain("as it is");
    assert_eq!(filled(&template, &"x".repeat(MAX_INPUT_BYTES)).unwrap(), "as it is");
    assert_eq!(filled(&template, &"x".repeat(MAX_INPUT_BYTES + 1)), Err(Error::InputTooLarge));
}

#[test]
fn a_text_that_would_be_too_large_is_refused_before_it_is_put_together() {
    let template = plain(&"$ARGUMENTS".repeat(64));
    let fits = "x".repeat(MAX_FILLED_BYTES / 64);
    assert_eq!(filled(&template, &fits).unwrap().len(), MAX_FILLED_BYTES);
    let error = filled(&template, &format!("{fits}x")).unwrap_err();
    let size = MAX_FILLED_BYTES + 64;
    assert_eq!(error, Error::AnswerTooLarge { size, n_places: 64 });
    assert!(error.to_string().contains(&MAX_FILLED_BYTES.to_string()), "{error}");
    // A megabyte of placeholders and the largest input would be nine gigabytes.
    let bomb = plain(&"$ARGUMENTS ".repeat(95_000));
    assert!(filled(&bomb, &"x".repeat(MAX_INPUT_BYTES)).is_err());
}

proptest! {
    /// Pieces without a dollar sign cannot form a placeholder, so the pieces joined by the input
    /// are what must come out.
    #[test]
    fn the_result_is_the_template_with_the_input_in_its_places(
        pieces in prop::collection::vec("([ \r\n`#>*{}\\[\\].😀-][a-zA-Zé{}\r\n` ]{0,20})?", 1..6),
        input in any::<String>(),
    ) {
        let template = pieces.join("$ARGUMENTS");
        prop_assert_eq!(fill(&template, &input), pieces.join(input.as_str()));
    }

    /// Whatever a file holds below its front matter, from nothing to far beyond any real command.
    #[test]
    fn a_body_without_placeholder_comes_out_byte_for_byte(
        body in "(---|\\.\\.\\.|\r\n|\n| |\t|```|[a-z#*é😀{}$]){0,80}",
        mark in prop::bool::ANY,
        line_end in prop::sample::select(vec!["\n", "\r\n"]),
    ) {
        let mark = if mark { "\u{feff}" } else { "" };
        let text = format!("{mark}---{line_end}description: d{line_end}---{line_end}{body}");
        let (command, problems) = Command::parse("x", &text).unwrap();
        prop_assert_eq!(problems, vec![]);
        prop_assert_eq!(command.render("input").unwrap(), body);
    }
}
