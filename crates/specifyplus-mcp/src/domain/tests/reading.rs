//! What a file says, and what is made of one that does not say it well.

use proptest::prelude::*;

use crate::domain::{Command, Handoff, Kind, Problem};

fn read(text: &str) -> (Command, Vec<Problem>) {
    Command::parse("sp.probe", text).unwrap()
}

fn refused(text: &str) -> Problem {
    Command::parse("sp.probe", text).unwrap_err()
}

fn found(problems: &[Problem]) -> Vec<(Kind, usize)> {
    problems.iter().map(|problem| (problem.kind, problem.line)).collect()
}

#[test]
fn a_complete_file_is_read_completely() {
    let text = "---\ntitle: Probe it\ndescription: Probes.\nargument-hint: what to probe\nmodel: any\nhandoffs: \n  - label: Go on\n    agent: sp.next\n    prompt: Do it\n    send: true\n  - {label: Back, agent: sp.probe, prompt: ''}\n---\n\nProbe $ARGUMENTS\n";
    let (command, problems) = read(text);
    assert_eq!(problems, []);
    assert_eq!(command.title, "Probe it");
    assert_eq!(command.hint.as_deref(), Some("what to probe"));
    let handoff = |label: &str, agent: &str, prompt: &str, send| Handoff {
        label: label.to_owned(),
        agent: agent.to_owned(),
        prompt: prompt.to_owned(),
        send,
    };
    let expected =
        [handoff("Go on", "sp.next", "Do it", true), handoff("Back", "sp.probe", "", false)];
    assert_eq!(command.handoffs, expected);
    assert_eq!(command.handoff_lines, [7, 11]);
    assert_eq!(command.summary, "Probes. Next: sp.next (Go on); sp.probe (Back)");
    assert_eq!(
        command.input_description(),
        "what to probe (text, optional, at most 102,400 bytes)"
    );
    assert_eq!(command.render("x").unwrap(), "\nProbe x\n");
}

#[test]
fn the_body_begins_right_after_the_closing_line() {
    for (text, body) in [
        ("---\ndescription: d\n---\n\n  body  \n\n", "\n  body  \n\n"),
        ("---\r\ndescription: d\r\n---\r\nbody\r\n", "body\r\n"),
        ("\u{feff}---\ndescription: d\n---   \nbody", "body"),
        ("---\ndescription: d\n---", ""),
        ("\u{feff}no front matter", "no front matter"),
        ("---\ndescription: d\n---\na\n---\nb\n---\n", "a\n---\nb\n---\n"),
    ] {
        assert_eq!(read(text).0.render("").unwrap(), body, "{text:?}");
    }
}

#[test]
fn front_matter_that_cannot_be_read_costs_the_command_and_names_the_line() {
    for (text, line) in [
        ("---\ndescription: a: b\n---\n", 2),
        ("---\ndescription: x\n  bad: [\n---\n", 3),
        ("---\ndescription: x\ndescription: y\n---\n", 3),
        ("---\n- a list\n---\n", 2),
        ("---\njust words\n---\n", 2),
        ("---\ndescription: x\nno end\n", 1),
        ("---js\nprocess.exit()\n---\n", 1),
    ] {
        let problem = refused(text);
        assert_eq!(problem.kind, Kind::FrontMatter, "{text:?}");
        assert_eq!(problem.line, line, "{text:?}: {}", problem.message);
    }
}

#[test]
fn a_value_that_lacks_quotation_marks_is_told_so() {
    for value in ["Fix: the bug", "[a] [b]", "@file", "`code`"] {
        let message = refused(&format!("---\ndescription: {value}\n---\n")).message;
        assert!(message.ends_with("; put the value into quotation marks"), "{message}");
    }
    for text in ["---\na: 1\na: 2\n---\n", "---\na: \"x\" y: z\n---\n"] {
        let message = refused(text).message;
        assert!(!message.contains("quotation"), "{message}");
    }
}

#[test]
fn without_a_description_the_first_heading_or_sentence_stands_in() {
    for (text, description) in [
        ("# Plan it\n\nBody.\n", "Plan it"),
        ("Intro first.\n\n## Then a heading\n", "Then a heading"),
        ("```\n# not a heading\n```\n", "not a heading"),
        ("\n> Do this now. Then that.\n", "Do this now."),
        ("- One line\n  and its rest\n\nOther", "One line and its rest"),
        ("---\ndescription:\n---\n# Empty\n", "Empty"),
        ("---\ndescription: ''\n---\nWords\n", "Words"),
        ("---\n---\nWords\n", "Words"),
        ("", "Runs the command `sp.probe`."),
        ("---\nargument-hint: x\n---\n***\n", "Runs the command `sp.probe`."),
    ] {
        let (command, problems) = read(text);
        assert_eq!(command.description, description, "{text:?}");
        assert_eq!(found(&problems), [(Kind::NoDescription, 1)], "{text:?}");
    }
}

#[test]
fn a_bad_handoff_costs_that_handoff_alone() {
    let good = "- label: L\n  agent: a\n  prompt: p\n";
    for bad in [
        "- just words",
        "- label: L\n  prompt: p",
        "- agent: a\n  prompt: p",
        "- label: L\n  agent: a",
        "- label: ''\n  agent: a\n  prompt: p",
        "- label: [L]\n  agent: a\n  prompt: p",
        "- label: L\n  agent: a\n  prompt: p\n  send: maybe",
    ] {
        let text = format!("---\ndescription: d\nhandoffs:\n{good}{bad}\n{good}---\nbody\n");
        let (command, problems) = read(&text);
        assert_eq!(command.handoffs.len(), 2, "{bad}");
        assert_eq!(found(&problems), [(Kind::BadHandoff, 7)], "{bad}");
    }
}

#[test]
fn handoffs_of_another_shape_are_none() {
    for (value, expected) in [
        ("", vec![]),
        ("~", vec![]),
        ("[]", vec![]),
        ("words", vec![(Kind::BadHandoff, 3)]),
        ("{a: b}", vec![(Kind::BadHandoff, 3)]),
    ] {
        let (command, problems) = read(&format!("---\ndescription: d\nhandoffs: {value}\n---\n"));
        assert_eq!(command.handoffs, [], "{value}");
        assert_eq!(found(&problems), expected, "{value}");
    }
}

#[test]
fn a_description_that_is_no_text_is_a_problem_and_not_the_end() {
    let (command, problems) = read("---\ndescription: [a, b]\n---\n# Heading\n");
    assert_eq!(command.description, "Heading");
    assert_eq!(found(&problems), [(Kind::BadField, 2), (Kind::NoDescription, 1)]);
    assert_eq!(read("---\ndescription: 42\n---\n").0.description, "42");
}

#[test]
fn what_menus_show_is_one_harmless_line_of_bearable_length() {
    let (command, _) = read(
        "---\ndescription: \"a\\u202eb\\n c\"\nargument-hint: [feature name]\n---\n$ARGUMENTS",
    );
    assert_eq!(command.description, "ab c");
    assert!(command.input_description().starts_with("[feature name] (text"));
    let (command, _) = read(&format!("---\ndescription: {}\n---\n", "é".repeat(5000)));
    assert_eq!(command.description.chars().count(), 1001);
}

#[test]
fn the_next_steps_in_a_description_are_harmless_and_few() {
    let handoff = "- {label: \"L\\n\\e[31m\", agent: a, prompt: p}\n";
    let text = format!("---\ndescription: d\nhandoffs:\n{}---\n", handoff.repeat(12));
    let summary = read(&text).0.summary;
    assert!(summary.starts_with("d. Next: a (L ); a (L )"), "{summary}");
    assert!(summary.ends_with("a (L ); and 2 more"), "{summary}");
}

#[test]
fn names_become_titles_for_people() {
    for (name, title) in [
        ("sp.specify", "Specify"),
        ("sp.git.commit_pr", "Git commit pr"),
        ("audit-part", "Audit part"),
        ("sp.", "Sp"),
        ("größe", "Größe"),
    ] {
        let (command, _) = Command::parse(name, "text").unwrap();
        assert_eq!(command.title, title, "{name}");
    }
}

proptest! {
    /// One file must never be able to take the list of all others with it.
    #[test]
    fn no_text_makes_reading_panic(
        front in "(description|handoffs|argument-hint|label|agent|prompt|send|: |:|- |\n|  |\t|\\[|\\]|\\{|\\}|,|\"|'|&a|\\*a|!!|!|\\||>|%|#|\\?|<<|true|1e9|~|é|\u{feff}|\u{85}|\r|\u{0}){0,40}",
        body in any::<String>(),
    ) {
        for text in [format!("---\n{front}\n---\n{body}"), format!("{front}{body}"), format!("---\n{front}")] {
            if let Ok((command, problems)) = Command::parse("x", &text) {
                prop_assert!(command.render("y").is_ok());
                prop_assert!(!command.description.is_empty());
                prop_assert_eq!(command.handoffs.len(), command.handoff_lines.len());
                let n_lines = text.lines().count().max(1);
                prop_assert!(problems.iter().all(|it| (1..=n_lines).contains(&it.line)));
            }
        }
    }
}
