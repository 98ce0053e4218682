//! The embedded bank keeps its promises, and a repository's own is refused with a reason.

use std::collections::BTreeSet;

use super::*;

#[test]
fn the_embedded_bank_is_valid() {
    check::check(Bank::embedded()).unwrap();
}

#[test]
fn there_are_at_least_twenty_categories_with_questions_of_all_kinds_and_follow_ups() {
    let bank = Bank::embedded();
    assert!(bank.categories.len() >= 20, "{}", bank.categories.len());
    for category in &bank.categories {
        for kind in [Kind::SingleChoice, Kind::MultiChoice, Kind::FreeText] {
            let has = category.questions.iter().any(|it| it.kind == kind);
            assert!(has, "{} lacks {kind:?}", category.name);
        }
        let follows = category.questions.iter().any(|it| it.follows.is_some());
        assert!(follows, "{} has no follow-up", category.name);
    }
}

#[test]
fn the_documented_ids_are_there() {
    for (id, kind) in [
        ("auth_strategy", Kind::SingleChoice),
        ("auth_library", Kind::SingleChoice),
        ("oauth_providers", Kind::MultiChoice),
        ("security_constraints", Kind::FreeText),
    ] {
        assert_eq!(Bank::embedded().question(id).unwrap().1.kind, kind, "{id}");
    }
}

#[test]
fn options_for_one_ecosystem_exist_for_all_of_them() {
    for question in Bank::embedded().categories.iter().flat_map(|it| &it.questions) {
        if question.options_for.is_empty() {
            continue;
        }
        let covered: BTreeSet<&str> = question.options_for.keys().map(String::as_str).collect();
        assert_eq!(covered, ECOSYSTEMS.into_iter().collect(), "{}", question.id);
    }
}

#[test]
fn a_rust_repository_is_not_offered_a_javascript_library() {
    let (_, question) = Bank::embedded().question("auth_library").unwrap();
    assert!(!question.options_in(&["rust"]).contains(&"next-auth".to_owned()));
    assert!(question.options_in(&[]).contains(&"next-auth".to_owned()));
    // Where the bank has no list for an ecosystem, it offers nobody else's.
    assert!(!question.options_in(&["swift"]).contains(&"next-auth".to_owned()));
}

#[test]
fn every_facet_asks_something_and_has_an_id_of_its_own() {
    let mut ids = BTreeSet::new();
    for facet in facets() {
        assert!(ids.insert(&facet.id), "{} stands twice", facet.id);
        assert!(Bank::embedded().question(&facet.id).is_none(), "{}", facet.id);
        assert!(facet.ask.ends_with('?') && facet.why.ends_with('.'), "{}", facet.id);
        assert!(!facet.when.is_empty() || !facet.pairs.is_empty(), "{}", facet.id);
        assert!((1..=10).contains(&facet.impact), "{}", facet.id);
    }
}

#[test]
fn older_names_are_read_as_the_present_ones_which_the_bank_has() {
    for now in RENAMED.values() {
        let (category, field) = now.split_once('.').unwrap();
        assert!(Bank::embedded().question_of(category, field).is_some(), "{now}");
    }
    assert_eq!(renamed("Infra", "Hosting"), ("Deployment".to_owned(), "Target".to_owned()));
    assert_eq!(renamed("Other", "X"), ("Other".to_owned(), "X".to_owned()));
}

#[test]
fn evidence_names_a_known_kind() {
    let kinds = [
        "npm", "cargo", "pypi", "go", "jvm", "gem", "composer", "nuget", "image", "file", "prisma",
        "hex", "pub", "swift", "tf", "helm", "cmake", "vcpkg",
    ];
    for question in Bank::embedded().categories.iter().flat_map(|it| &it.questions) {
        for place in question.found.values().chain(question.suggested.values()).flatten() {
            let kind = place.split_once(':').map(|(kind, _)| kind);
            assert!(kind.is_some_and(|it| kinds.contains(&it)), "{}: {place}", question.id);
        }
    }
}

const QUESTION: &str = "[[category.question]]\nid = \"q\"\nfield = \"F\"\ntype = \"single_choice\"\nask = \"a\"\nwhy = \"w\"\nimpact = 5\noptions = [\"a\", \"b\"]\n";

#[test]
fn a_repository_extends_and_replaces() {
    let text = format!(
        "[[category]]\nname = \"Billing\"\nwords = [\"ledger\"]\n{QUESTION}\n[[category]]\nname = \"Cache\"\nwords = [\"speedup\"]\n{}",
        QUESTION.replace("\"q\"", "\"cache_store\"").replace("\"F\"", "\"Store\"")
    );
    let bank = Bank::with_own(&text).unwrap();
    assert!(bank.category("Billing").is_some());
    assert!(bank.category("Cache").unwrap().words.contains(&"speedup".to_owned()));
    assert_eq!(bank.question("cache_store").unwrap().1.options, ["a", "b"]);
    assert!(bank.question("cache_invalidation").is_some());
}

#[test]
fn a_broken_bank_is_refused_with_the_reason() {
    let category = |question: &str| format!("[[category]]\nname = \"N\"\n{question}");
    for (text, words) in [
        ("nonsense".to_owned(), "line 1"),
        ("[[category]]\nname = \"N\"\ncolour = 1\n".to_owned(), "line 3"),
        (category(""), "line 2: category `N`: it has no question"),
        (
            category(&QUESTION.replace("impact = 5", "impact = 11")),
            "line 9: question `q`: `impact` is a number from 1 to 10",
        ),
        (
            category(&QUESTION.replace("[\"a\", \"b\"]", "[\"a\"]")),
            "line 10: question `q`: a choice needs at least two options",
        ),
        (
            category(&QUESTION.replace("\"q\"", "\"auth_strategy\"")),
            "line 4: question `auth_strategy`: it stands twice",
        ),
        (
            category(&QUESTION.replace("\"F\"", "\"F = G\"")),
            "line 5: question `q`: `F = G` is not a field",
        ),
        (
            category(&format!("{QUESTION}when = [\"x\"]\n")),
            "line 2: category `N`: it has no question without",
        ),
        (
            category(&format!("{QUESTION}options_for = {{ cobol = [\"a\"] }}\n")),
            "line 11: question `q`: `cobol` is not an ecosystem",
        ),
        (category(&format!("{QUESTION}min = 1\n")), "line 11: question `q`: only a multi_choice"),
        (
            category(&format!("words = [\"ok\", \"!\"]\n{QUESTION}")),
            "line 3: category `N`: `!` has no words",
        ),
        (
            category(&format!("{QUESTION}\n\n{}", QUESTION.replace("\"F\"", "\"G\""))),
            "line 14: question `q`: it stands twice",
        ),
    ] {
        let error = Bank::with_own(&text).unwrap_err().to_string();
        assert!(error.contains(words) && error.contains(OWN_QUESTIONS), "{error}");
    }
}

#[test]
fn a_file_of_questions_that_is_too_long_is_refused_before_it_is_read() {
    let many = "[[category]]\nname = \"C\"\n".repeat(20_000);
    let error = Bank::with_own(&many).unwrap_err().to_string();
    assert!(error.contains("262144") && error.contains(".preflights/questions.toml"), "{error}");
}

/// What a good engineer asks of a feature, by what is done and to whom.
#[test]
fn features_are_asked_about_by_what_is_done_and_to_whom() {
    let table = [
        ("Publish a calendar for somebody without an account", "sharing_reach"),
        ("Guests join a board by an invite link", "guest_invitation"),
        ("Let a student hand a seat to someone else", "ownership_handover"),
        ("combine two customer records into one", "merge_rules"),
        ("Empty the bin automatically", "deletion_rules"),
        ("Mask card numbers in the log, never a full card number", "secret_recognition"),
        ("Two nurses edit one chart at the same time", "sync_conflicts"),
        ("Members may suspend their membership", "pause_rules"),
        ("Add reminders to tasks", "notification_choice"),
        ("Transcribe voice notes", "model_choice"),
        ("Teachers should be able to mark a lesson as done", "new_ability"),
        ("Gardeners swap seeds with each other", "new_ability"),
        ("Tell me when my parcel is near", "notification_choice"),
        ("Make the archive available to people who are not registered", "sharing_reach"),
        // What is only told of, and what people see, is not asked about.
        ("Fix the reminder", ""),
        ("Add a column to the list of private messages", ""),
        ("Show the cover of each book", ""),
        ("Filters apply to the second list", ""),
        ("Users can sort the table by date", ""),
        ("Add support for custom node pools", ""),
    ];
    for (request, id) in table {
        let found = facets_of(request);
        assert_eq!(found.first().map_or("", |it| it.id.as_str()), id, "{request}");
    }
}
