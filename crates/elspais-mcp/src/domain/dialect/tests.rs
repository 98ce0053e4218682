//! Places and ids of the dialects.

use super::*;

fn scopes() -> Scopes {
    Scopes::of(
        [
            "specs/001-login/spec.md",
            "specs/002-shop/spec.md",
            "specs/feature/002-pay/spec.md",
            "openspec/specs/auth/spec.md",
            "openspec/specs/auth/session/spec.md",
            "openspec/changes/faster/specs/search/spec.md",
            ".kiro/specs/cart/requirements.md",
            ".kiro/specs/plan-only/tasks.md",
        ]
        .into_iter(),
    )
}

#[test]
fn files_are_known_by_their_places() {
    let found = |path: &str| place(path).map(|it| (it.dialect, it.part, it.scope.to_owned()));
    let spec = |dialect, scope: &str| Some((dialect, Part::Requirements, scope.to_owned()));
    assert_eq!(found("specs/feature/016-x/spec.md"), spec(Dialect::SpecKit, "016-x"));
    assert_eq!(found("openspec/changes/c/specs/cap/spec.md"), spec(Dialect::OpenSpec, "cap"));
    assert_eq!(place("openspec/changes/c/specs/cap/spec.md").unwrap().change, Some("c"));
    assert_eq!(
        found(".kiro/specs/cart/design.md"),
        Some((Dialect::Kiro, Part::Design, "cart".to_owned()))
    );
    for path in [
        "specs/login/spec.md",
        "specs/001-login/plan.md",
        "specs/001-login/checklists/requirements.md",
        ".specify/templates/spec.md",
        ".kiro/settings/templates/specs/requirements.md",
        "openspec/changes/archive/2025-01-01-c/specs/cap/spec.md",
        "openspec/drafts/specs/cap/spec.md",
        ".kiro/specs/_archived/cart/requirements.md",
        "specs/Archive/001-login/spec.md",
        "tests/fixtures/specs/001-x/spec.md",
        "docs/specs/001-x/spec.md",
    ] {
        assert_eq!(place(path), None, "{path}");
    }
}

#[test]
fn references_are_read_with_their_labels() {
    let read = |text: &str| {
        let found = scopes().reference(text)?;
        let labels: Vec<String> = found.labels.iter().map(ToString::to_string).collect();
        Some(format!("{} [{}] {}", found.id, labels.join(" "), &text[found.length..]))
    };
    for (text, expected) in [
        ("001-login/FR-003, more", "001-login/FR-003 [] , more"),
        ("001-login/fr-009a.", "001-login/FR-009a [] ."),
        ("001/US-2.3", "001-login/US2 [3] "),
        ("001-login/US2 (why)", "001-login/US2 []  (why)"),
        ("auth/session/expiry.2", "auth/session/expiry [2] "),
        ("auth/сессия-истекает", "auth/сессия-истекает [] "),
        ("search/index@faster.1", "search/index@faster [1] "),
        ("cart/1.4", "cart/1 [4] "),
        ("cart/1.1-1.5", "cart/1 [1 2 3 4 5] "),
        ("cart/1.2+4 x", "cart/1 [2 4]  x"),
        ("cart/1. Next sentence", "cart/1 [] . Next sentence"),
    ] {
        assert_eq!(read(text).as_deref(), Some(expected), "{text}");
    }
    for text in [
        "002/FR-001",
        "003-none/FR-001",
        "src/main",
        "FR-003",
        "001-login/AC-1",
        "cart/x",
        "plan-only/1",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}

#[test]
fn titles_make_ids() {
    assert_eq!(slug("Session expiry: 30 days!"), "session-expiry-30-days");
    assert_eq!(slug("  **Überall** — «да»  "), "überall-да");
}
