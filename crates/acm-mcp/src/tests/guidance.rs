//! The extract for a project type: its section, its column, its modifiers, nothing of the others.

use plumbline_tests::Fixture;
use serde_json::{Value, json};

use super::{bare, everything, told};

async fn guidance(arguments: Value) -> String {
    told(bare(&Fixture::empty()), "get_project_type_guidance", arguments).await
}

#[tokio::test]
async fn a_type_with_modifiers_gets_its_own_parts() {
    let text = guidance(json!({ "type": "app", "scale": "personal", "scope": "mvp" })).await;
    insta::assert_snapshot!("guidance_app_personal_mvp", text);
}

#[tokio::test]
async fn every_classification_is_found_and_shows_nothing_of_the_others() {
    let own = [
        ("app", "Software that runs"),
        ("workflow", "sequence of steps"),
        ("artifact", "made once"),
    ];
    for (kind, _) in own {
        for scale in [None, Some("personal"), Some("commercial")] {
            for scope in [None, Some("mvp"), Some("full")] {
                let text = guidance(json!({ "type": kind, "scale": scale, "scope": scope })).await;
                assert!(!text.contains("whole specification"), "{kind} {scale:?} {scope:?}");
                for (other, words) in own {
                    assert_eq!(text.contains(words), other == kind, "{kind}: {words}");
                }
                assert_eq!(text.contains("| its author |"), scale == Some("personal"));
                assert_eq!(text.contains("| full |"), scope == Some("full"));
                assert!(!text.contains("| shared |"));
            }
        }
    }
}

const OTHER_ORDER: &str = "//- ACM-PROJECT-TYPES-SPEC.md
---
version: 1
---
# Types
## Type Implications
| Aspect | Artifact | **App** |
|---|---|---|
| Done | published | released |
## Primary Types
### 1. Artifact
A document.
### 2. App (software)
Code.
#### Sub-variations
Server.
## Modifiers
### Scope Modifiers
| Modifier | Meaning |
|---|---|

| `full-build` | all of it |
";

#[tokio::test]
async fn a_tree_of_ones_own_is_read_by_its_headings() {
    let fixture = Fixture::new(OTHER_ORDER);
    let arguments = json!({ "type": "app", "scope": "full" });
    let text = told(everything(&fixture), "get_project_type_guidance", arguments).await;
    insta::assert_snapshot!("guidance_own_tree", text);
}

#[tokio::test]
async fn another_shape_gives_the_whole_text_and_says_so() {
    let fixture = Fixture::new(OTHER_ORDER);
    for (arguments, absent) in [
        (json!({ "type": "workflow" }), "a section for the type 'workflow'"),
        (json!({ "type": "app", "scale": "personal" }), "a row for the scale 'personal'"),
        (json!({ "type": "app", "scope": "mvp" }), "a row for the scope 'mvp'"),
    ] {
        let text = told(everything(&fixture), "get_project_type_guidance", arguments).await;
        let line = format!("This is the whole specification: {absent} was not found in it.");
        assert!(text.contains(&line), "{text}");
        assert!(text.contains("version: 1") && text.contains("A document."), "{text}");
    }
}
