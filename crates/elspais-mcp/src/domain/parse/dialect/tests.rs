//! Files of the three dialects, in the forms that occur.

use std::fmt::Write as _;

use super::*;
use crate::domain::dialect::place;

fn outline(path: &str, text: &str) -> String {
    let contents = parse(path, place(path).unwrap(), text);
    let mut out = String::new();
    for it in &contents.requirements {
        let level = it.letter_level.as_deref().unwrap_or_default();
        let status = it.fields.first().map(|it| it.value.of(text)).or(it.given_status);
        writeln!(out, "{} line {} {level} {status:?} {:?}", it.id, it.line, it.title.of(text))
            .unwrap();
        writeln!(out, "  id {:?} body {:?}", it.id_span.of(text), it.body.of(text)).unwrap();
        writeln!(out, "  ends {:?}", tail(it.block.of(text))).unwrap();
        for assertion in &it.assertions {
            let written = assertion.label_span.of(text);
            writeln!(
                out,
                "  .{} ({written}) line {} {:?}",
                assertion.label,
                assertion.line,
                assertion.text.of(text)
            )
            .unwrap();
        }
        for cited in &it.citations {
            writeln!(
                out,
                "  {} {} by {:?}",
                cited.kind.as_str(),
                cited.target,
                cited.token.of(text)
            )
            .unwrap();
        }
    }
    for it in &contents.codes {
        for cited in &it.citations {
            writeln!(out, "{} {} {} {:?}", it.id, cited.kind.as_str(), cited.target, cited.labels)
                .unwrap();
        }
    }
    out
}

fn tail(text: &str) -> &str {
    text.char_indices().rev().nth(14).map_or(text, |(at, _)| &text[at..])
}

const SPEC: &str = "# Feature Specification: Login\n\n**Feature Branch**: `001-login`\n**Status**: Draft\n\n## User Scenarios & Testing\n\n### User Story 1 - Sign in (Priority: P1)\n\nAs a customer I want in.\n\n**Independent Test**: By hand:\n\n1. Open the page.\n\n**Acceptance Scenarios**:\n\n1. **Given** a form, **When** it is sent,\n   **Then** I am in.\n2. **Given** a wrong password, **Then** I am told.\n\n---\n\n### User Story 2: Sign out\n\n1. **Given** a session, **Then** it ends.\n\n### Edge Cases\n\n- FR-001 may fail.\n\n## Requirements\n\n### Functional Requirements\n\n- **FR-001**: The system MUST ask for a name. It is kept (see US-1).\n- **FR-002 (later)**: The system MUST\n  ask for a password, e.g. a long one\n  - and hide it\n- **FR-009a:** Nothing else. (See US-1, US2)\nNFR-001: The answer MUST come at once\n```\n- **FR-099**: in a fence\n```\n\n- A-001: an assumption\n- **AC-1**: a criterion\n\n## Success Criteria\n\n- SC-1: 100% of unit tests pass\n**SC-002 (note)**: Nine in ten succeed.\n";

#[test]
fn spec_kit_is_read() {
    insta::assert_snapshot!(outline("specs/001-login/spec.md", SPEC));
    let windows = format!("\u{feff}{}", SPEC.replace('\n', "\r\n"));
    let ids = |text: &str| -> Vec<(String, u32, usize)> {
        let contents = parse("x", place("specs/001-login/spec.md").unwrap(), text);
        contents
            .requirements
            .iter()
            .map(|it| (it.id.to_string(), it.line, it.assertions.len()))
            .collect()
    };
    assert_eq!(ids(SPEC), ids(&windows));
}

#[test]
fn stories_are_known_in_any_language_by_their_number_and_priority() {
    let titles = |heading: &str| -> Vec<(String, String)> {
        let text = format!("## S\n\n### {heading}\n\n1. **Given** a, **Then** b\n");
        let contents = parse("x", place("specs/001-login/spec.md").unwrap(), &text);
        let of = |it: &Requirement| (it.id.to_string(), it.title.of(&text).to_owned());
        contents.requirements.iter().map(of).collect()
    };
    let story =
        |number: u32, title: &str| vec![(format!("001-login/US{number}"), title.to_owned())];
    assert_eq!(titles("使用者故事 3 - 播放影片 (優先級: P1)"), story(3, "播放影片"));
    assert_eq!(titles("ユーザーストーリー1 – 検索（優先度：P2）"), story(1, "検索"));
    assert_eq!(
        titles("Historia de usuario 12: Entrar (en casa) (Prioridad: P3)"),
        story(12, "Entrar (en casa)")
    );
    assert_eq!(titles("사용자 스토리 2 - 로그인 (우선순위 P1)"), story(2, "로그인"));
    for other in [
        "Phase 2 - Later",
        "Step 1 - Open (see MP3)",
        "Version 2 - Notes (HTTP2)",
        "Edge Cases (P1)",
    ] {
        assert_eq!(titles(other), [], "{other}");
    }
}

#[test]
fn open_spec_is_read_with_what_is_proposed() {
    let standing = "# auth\n\n## Purpose\nWhy.\n\n### Requirement: Not in the section\n\n## Requirements\n\n### Requirement: Session expiry\nA session SHALL end.\n\n#### Scenario: Idle\n- **WHEN** nothing happens\n- **THEN** it ends\n\n#### Manual\n- **WHEN** asked\n\n### requirement: Überall gültig\n\nIt SHALL.\n\n```\n### Requirement: In a fence\n```\n";
    insta::assert_snapshot!("open_spec_standing", outline("openspec/specs/auth/spec.md", standing));
    let change = "## ADDED Requirements\n\n### Requirement: New one\nIt SHALL.\n\n#### Scenario: S\n- **WHEN** x\n\n## MODIFIED Requirements\n### Requirement: Session expiry\nLater.\n\n## REMOVED Requirements\n### Requirement: Old one\n**Reason:** Unused.\n**Migration:** None.\n\n## RENAMED Requirements\n- FROM: `### Requirement: Before`\n- TO: `### Requirement: After`\n";
    insta::assert_snapshot!(
        "open_spec_proposed",
        outline("openspec/changes/faster/specs/auth/spec.md", change)
    );
}

#[test]
fn kiro_is_read_with_its_tasks_and_designs() {
    let text = "# Requirements Document\n\n## Requirements\n\n### Requirement 1\n\n**User Story:** As a buyer, I want a cart.\n\n#### Acceptance Criteria\n\n1. WHEN an item is added, THE cart SHALL show it\n2. IF it is gone\n   THEN the cart SHALL say so\n\n### Requirement 2: Prices\n\n#### Acceptance Criteria\n2.1 The cart shall add up.\n2.2 The cart shall round.\n5 things are no criterion.\n\n### 要件 3: 表示\n**目的:** なし\n\n#### 受入基準\n1. 表示する\n1. もう一度\n";
    insta::assert_snapshot!("kiro", outline(".kiro/specs/cart/requirements.md", text));
    let tasks = "# Plan\n\n- [x] 1. Do it\n  - Details\n  - _Requirements: 1.1, 1.2, 2_\n- [ ] 2. And that\n  - _Requirements: 1.1-1.2_\n\n## Notes\nRequirements: 2.1\n";
    insta::assert_snapshot!("kiro_tasks", outline(".kiro/specs/cart/tasks.md", tasks));
    let design = "**Property 1**: sums\n**Validates: Requirements 2.1, 2.2**\n";
    insta::assert_snapshot!("kiro_design", outline(".kiro/specs/cart/design.md", design));
    let tasks =
        "- [ ] T001 [P] [US1] Make it in src/a.py\n- [X] T002 [US-2] Done\nText about [US1].\n";
    insta::assert_snapshot!("spec_kit_tasks", outline("specs/001-login/tasks.md", tasks));
}

#[test]
fn a_title_is_the_first_sentence() {
    for (text, title) in [
        ("One. Two.", "One"),
        ("Use e.g. this one. Then stop.", "Use e.g. this one"),
        ("Version 1.2 counts", "Version 1.2 counts"),
        ("系统必须保存。然后结束。", "系统必须保存"),
        ("Ends here.", "Ends here"),
        ("First line\n  goes on. Then more", "First line goes on"),
        ("One (See US-1)", "One"),
        ("One:\n  - a list", "One:"),
    ] {
        assert_eq!(title_of(text), title, "{text}");
    }
}
