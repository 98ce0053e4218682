//! Answers of a model: what is taken and what is refused.

use serde_json::json;

use super::*;
use crate::domain::graph::Role;
use crate::domain::mutate::Occasion;
use crate::domain::mutate::tests::graph_of;

const TEXT: &str = "# Spec\n\n## REQ-p00001: Signing in\n**Level**: PRD | **Status**: Active\n\nPeople sign in.\n\n## Assertions\n\nA. The name SHALL be asked for.\nB. The password SHALL be asked for.\n\n## Rationale\n\nBecause.\n\n*End* *Signing in* | **Hash**: ________\n\n---\n\n## REQ-d00001: Form\n**Level**: DEV | **Implements**: REQ-p00001-A\n\nWords.\n\n*End* *Form*\n";

fn answer() -> Value {
    json!({
        "title": "Signing in",
        "text": "People sign in.",
        "assertions": [
            { "label": "A", "text": "The name SHALL be asked for." },
            { "label": "B", "text": "The password SHALL be asked for." },
        ],
        "rationale": "Because.",
        "summary": "Nothing.",
    })
}

fn occasion() -> Occasion {
    Occasion { id: "1".repeat(32), now: "2026-01-01T00:00:00Z".parse().unwrap() }
}

fn rewritten(change: impl FnOnce(&mut Value)) -> Result<String, Error> {
    let mut answer = answer();
    change(&mut answer);
    let rewriting = Rewriting::of(answer)?;
    let mut graph = graph_of(&[("spec/a.md", Role::Spec, TEXT)]);
    graph.editor().rewrite(&occasion(), "REQ-p00001", &rewriting)?;
    let text = graph.file_at("spec/a.md").unwrap().1.text.to_string();
    graph.editor().undo_all().unwrap();
    assert_eq!(&*graph.file_at("spec/a.md").unwrap().1.text, TEXT, "it can be taken back");
    Ok(text)
}

#[test]
fn an_answer_that_changes_nothing_changes_no_byte() {
    assert_eq!(rewritten(|_| {}).unwrap(), TEXT);
}

#[test]
fn only_what_is_different_is_written() {
    let text = rewritten(|answer| {
        answer["title"] = "Logging in".into();
        answer["text"] = "People log in.\n\n- with a name".into();
        answer["assertions"][1]["text"] = "The password SHALL be hidden.".into();
        answer["rationale"] = "For safety.".into();
    })
    .unwrap();
    let expected = TEXT
        .replace("Signing in", "Logging in")
        .replace("People sign in.", "People log in.\n\n- with a name")
        .replace("The password SHALL be asked for.", "The password SHALL be hidden.")
        .replace("Because.", "For safety.");
    assert_eq!(text, expected);
}

#[test]
fn assertions_are_added_and_uncited_ones_may_go() {
    let text = rewritten(|answer| {
        let list = answer["assertions"].as_array_mut().unwrap();
        list.remove(1);
        list.push(json!({ "label": "C", "text": "A wrong name SHALL be refused." }));
    })
    .unwrap();
    assert!(text.contains("\nC. A wrong name SHALL be refused.\n"), "{text}");
    assert!(!text.contains("\nB. "), "{text}");
}

#[test]
fn a_cited_assertion_cannot_go() {
    let error = rewritten(|answer| {
        answer["assertions"].as_array_mut().unwrap().remove(0);
    })
    .unwrap_err();
    assert!(error.to_string().contains("REQ-d00001"), "{error}");
}

#[test]
fn a_missing_rationale_is_added_with_its_heading() {
    let without = TEXT.replace("## Rationale\n\nBecause.\n\n", "");
    let mut graph = graph_of(&[("spec/a.md", Role::Spec, &without)]);
    let rewriting = Rewriting::of(answer()).unwrap();
    graph.editor().rewrite(&occasion(), "REQ-p00001", &rewriting).unwrap();
    assert_eq!(&*graph.file_at("spec/a.md").unwrap().1.text, TEXT);
}

#[test]
fn hostile_answers_are_refused_and_nothing_is_changed() {
    type Spoil = Box<dyn FnOnce(&mut Value)>;
    let cases: Vec<(&str, Spoil)> = vec![
        ("SHALL", Box::new(|it| it["assertions"][0]["text"] = "The name is asked for.".into())),
        ("twice", Box::new(|it| it["assertions"][1]["label"] = "A".into())),
        ("rationale", Box::new(|it| it["rationale"] = "It SHALL be so.".into())),
        ("heading", Box::new(|it| it["text"] = "Prose.\n\n## REQ-p00002: Smuggled\n".into())),
        ("End", Box::new(|it| it["text"] = "Prose.\n\n*End* *Signing in*\n".into())),
        ("fence", Box::new(|it| it["rationale"] = "```\nopen".into())),
        ("comment", Box::new(|it| it["text"] = "<!-- hidden".into())),
        (
            "label",
            Box::new(|it| it["assertions"][1]["text"] = "It SHALL.\nC. It SHALL too.".into()),
        ),
        ("title", Box::new(|it| it["title"] = "One\n## REQ-p00003: Two".into())),
        ("illegal label", Box::new(|it| it["assertions"][1]["label"] = "../x".into())),
        ("shape", Box::new(|it| it["assertions"] = "none".into())),
        ("citation", Box::new(|it| it["text"] = "**Implements**: REQ-p00099".into())),
    ];
    for (name, change) in cases {
        let refused = rewritten(change);
        assert!(refused.is_err(), "{name}: {refused:?}");
    }
}
