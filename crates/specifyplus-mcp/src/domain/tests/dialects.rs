//! Placeholders by the rules of the agent they were written for, and the table that says whose.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::domain::dialect::Dialect;
use crate::domain::template::{Input, Template};
use crate::domain::{Form, Integration, Sources, words};

const ALL: [&str; 7] =
    ["$ARGUMENTS", "$ARGUMENTS[0]", "$1", "$@", "{{args}}", "{{parameters}}", "${input:name}"];

fn fill(text: &str, input: &str) -> String {
    Template::new(text, &Dialect::of(ALL)).fill(input.into()).unwrap()
}

#[test]
fn words_are_cut_as_a_shell_would() {
    for (input, expected) in [
        ("", vec![]),
        ("  a\t b\nc ", vec!["a", "b", "c"]),
        ("'two words' \"and more\"", vec!["two words", "and more"]),
        ("pre'fix ed'end ''", vec!["prefix edend", ""]),
        ("it's a \"half", vec!["it's", "a", "\"half"]),
        (r#"a\ b "c\"d" C:\x"#, vec!["a b", "c\"d", r"C:\x"]),
    ] {
        assert_eq!(words::split(input), expected, "{input:?}");
    }
}

#[test]
fn each_placeholder_gets_its_part_of_the_input() {
    for (text, expected) in [
        ("$1|$2|$3", "a|b c|$3"),
        ("$ARGUMENTS[0]|$ARGUMENTS[1]|$ARGUMENTS[7]", "a|b c|$ARGUMENTS[7]"),
        ("$ARGUMENTS|$@|{{args}}|{{parameters}}", "a 'b c'|a 'b c'|a 'b c'|a 'b c'"),
        ("$10 $1st $1_x ${1} $ARGUMENTSX $ARGUMENTS", "$10 $1st $1_x ${1} $ARGUMENTSX a 'b c'"),
        ("{{ARGS}} {{ args }} {{other}} $@", "{{ARGS}} {{ args }} {{other}} a 'b c'"),
        ("${input:x} ${input:x}", "a 'b c' a 'b c'"),
        (
            "${input:-x} ${input:} ${input:1} ${inputs:x} $@",
            "${input:-x} ${input:} ${input:1} ${inputs:x} a 'b c'",
        ),
    ] {
        assert_eq!(fill(text, "a 'b c'"), expected, "{text}");
    }
}

#[test]
fn names_take_their_own_values_and_nothing_is_lost_beside_them() {
    let template = Template::new("${input:a} ${input:b:hint}", &Dialect::of(ALL));
    assert_eq!(template.names(), ["a", "b"]);
    let named = [("b".to_owned(), "B".to_owned())];
    let input = Input { whole: "rest", named: &named };
    assert_eq!(template.fill(input).unwrap(), "${input:a} B\n\nARGUMENTS: rest");
}

#[test]
fn an_agent_that_counts_from_zero_is_taken_at_its_word() {
    let dialect = Dialect::of(["$ARGUMENTS", "$0"]);
    assert_eq!(Template::new("$0 $1 $2", &dialect).fill("a b".into()).unwrap(), "a b $2");
    let dialect = Dialect::of(["$1"]);
    assert_eq!(Template::new("$0 $1", &dialect).fill("a".into()).unwrap(), "$0 a");
}

#[test]
fn the_table_can_be_read_and_every_row_names_a_dialect_that_exists() {
    let table: Value = serde_json::from_str(include_str!("../../../assets/sources.json")).unwrap();
    let rows = table["sources"].as_array().unwrap();
    let mut folders = std::collections::BTreeSet::new();
    for row in rows {
        assert!(folders.insert(row["folder"].as_str().unwrap()), "twice: {row}");
        if let Some(name) = row["placeholders"].as_str() {
            assert!(table["placeholders"][name].is_array(), "{row}");
        }
    }
    let hidden: Vec<String> =
        folders.iter().map(|it| it.split('/').next().unwrap().to_owned()).collect();
    let found = Sources::known().in_project(&hidden, &Integration::default());
    assert!(found.len() > rows.len() - 4);
    // Commands before skills, and nothing twice.
    let first_skill = found.iter().position(|it| it.form == Form::Skills).unwrap();
    assert!(found[first_skill..].iter().all(|it| it.form == Form::Skills));
}

#[test]
fn what_is_no_place_for_commands_is_never_looked_into() {
    let hidden: Vec<String> = [".git", ".specify", ".other"].map(str::to_owned).to_vec();
    let found = Sources::known().in_project(&hidden, &Integration::default());
    let folders: Vec<&str> = found.iter().map(|it| it.folder.as_str()).collect();
    assert_eq!(folders, [".other/commands", ".other/command", ".other/skills"]);
}

#[test]
fn the_active_agent_is_read_from_both_spellings_and_from_nothing_else() {
    let read = |value: Value| Integration::read(&value.to_string()).active;
    assert_eq!(read(json!({ "default_integration": "a", "integration": "b" })).unwrap(), "a");
    assert_eq!(read(json!({ "integration": "b" })).unwrap(), "b");
    for nothing in [json!({}), json!([]), json!({ "integration": 7 }), json!({ "integration": "" })]
    {
        assert_eq!(read(nothing), None);
    }
    assert_eq!(Integration::read("{ not json"), Integration::default());
}

proptest! {
    /// Whatever is typed, it comes out as it was typed and is never looked at again.
    #[test]
    fn input_is_never_taken_for_a_placeholder(
        input in "(\\$ARGUMENTS|\\$1|\\$@|\\{\\{args\\}\\}|\\$\\{input:x\\}|[a-z ']|\n){1,20}",
    ) {
        let filled = fill("<$ARGUMENTS>{{args}}</>", &input);
        prop_assert_eq!(filled, format!("<{input}>{input}</>"));
        let appended = fill("text", &input);
        let end = format!("ARGUMENTS: {input}");
        prop_assert!(input.trim().is_empty() || appended.ends_with(&end));
    }
}
