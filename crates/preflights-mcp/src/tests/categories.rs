//! Every category of the bank, from a plain sentence to a record; and what deserves a record.

use serde_json::json;

use super::*;
use crate::domain::bank::Bank;

/// One sentence per category, as somebody would say it.
const SENTENCES: [(&str, &str); 24] = [
    ("Database", "We need a database for orders"),
    ("Storage", "Let users upload files"),
    ("Cache", "Add caching to the product list"),
    ("Search", "Add full text search"),
    ("Migration", "Plan the data migration of old invoices"),
    ("Authentication", "Add authentication"),
    ("Authorization", "Add permissions for editors"),
    ("Security", "Set up secrets management"),
    ("RateLimits", "Add rate limiting to the service"),
    ("API", "Expose a public API"),
    ("Frontend", "Build the frontend"),
    ("Backend", "Choose a web framework"),
    ("Runtime", "Choose a runtime for workers that parse mail"),
    ("Payments", "Accept payments"),
    ("Realtime", "Add live updates to the board"),
    ("Localization", "Add internationalization"),
    ("Messaging", "Add a message queue"),
    ("Jobs", "Run background jobs for reports"),
    ("Deployment", "Deploy the service"),
    ("Infrastructure", "Set up our infrastructure"),
    ("CI", "Set up continuous integration"),
    ("Observability", "Add monitoring"),
    ("Testing", "Introduce a test framework"),
    ("Email", "Send transactional email"),
];

#[tokio::test]
async fn every_category_completes_from_a_sentence_to_a_record_with_first_options() {
    let covered: Vec<&str> = SENTENCES.iter().map(|(name, _)| *name).collect();
    let known: Vec<&str> = Bank::embedded().categories.iter().map(|it| it.name.as_str()).collect();
    for name in &known {
        assert!(covered.contains(name), "no sentence for {name}");
    }
    for (category, sentence) in SENTENCES {
        let fixture = repository("");
        let mut client = connect(&fixture).await;
        let (done, asked) = complete(&mut client, sentence).await;
        assert_eq!(done["artifacts_created"][0]["type"], "adr", "{sentence}: {done}");
        assert!((1..=5).contains(&asked), "{sentence}: {asked}");
        let known = architecture(&mut client).await;
        assert!(known["categories"][category].is_object(), "{sentence}: {known}");
    }
}

async fn writes_record(text: &str, arguments: Value) -> bool {
    let fixture = repository(text);
    let mut client = connect(&fixture).await;
    let mut answer = clarify(&mut client, arguments).await;
    while answer["status"] != "completed" {
        let given = first_options(&answer);
        answer = carry_on(&mut client, &answer, given).await;
    }
    answer["artifacts_created"][0]["type"] == "adr"
}

/// Everything else is in the sentences above: each category is a trigger.
// Verifies: PLB-d02002-F
#[tokio::test]
async fn what_triggers_a_record_does_and_what_does_not_does_not() {
    let many = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]
        .map(|it| format!("//- src/lists/{it}.ts\nx\n"))
        .concat();
    let few = "//- src/lists/a.ts\nx\n".to_owned();
    let manifest = "//- package.json\n{\"dependencies\": {\"lodash\": \"4\"}}\n".to_owned();
    let none = String::new();
    let decided = "//- docs/adr/20250106T120000.001Z-A000_a.md\n## PART 1\n\n### Authentication\n\n- **Strategy**: OAuth\n- **Library**: next-auth\n".to_owned();
    for (files, intention, expected) in [
        (&none, "Fix the login redirect bug", false),
        (&none, "Refactor the login component", false),
        (&none, "Increase the session timeout setting", false),
        (&decided, "Add Google as OAuth provider", false),
        (&decided, "Use SAML for authentication instead of OAuth", true),
        (&none, "Fix our authentication architecture", true),
        (&none, "Decide on our naming strategy", true),
        (&none, "Change our approach to feature flags", true),
        (&none, "Please write an ADR for branch names", true),
        (&none, "Add the lodash library", true),
        (&manifest, "Add the lodash library", false),
        (&none, "Migrate all modules to the new naming", true),
        (&none, "Rewrite everything in Rust", true),
        (&many, "Paginate every list in src/lists", true),
        (&few, "Paginate every list in src/lists", false),
        (&none, "Add a settings page", false),
    ] {
        let arguments = json!({ "user_intention": intention });
        assert_eq!(writes_record(files, arguments).await, expected, "{intention}");
    }
    let forced = json!({ "user_intention": "Fix typo in login button", "preferences": { "force_adr": true } });
    assert!(writes_record("", forced).await);
}

#[tokio::test]
async fn answers_that_change_nothing_make_no_record_unless_forced() {
    let fixture = repository("");
    let mut client = connect(&fixture).await;
    complete(&mut client, "Add authentication").await;
    let done = start(&mut client, "Add authentication").await;
    assert_eq!(done["artifacts_created"].as_array().unwrap().len(), 1, "{done}");
    let forced =
        json!({ "user_intention": "Add authentication", "preferences": { "force_adr": true } });
    let done = clarify(&mut client, forced).await;
    assert_eq!(done["artifacts_created"][0]["type"], "adr", "{done}");
    let known = architecture(&mut client).await;
    assert_eq!(known["categories"]["Authentication"]["Strategy"], "OAuth");
}
