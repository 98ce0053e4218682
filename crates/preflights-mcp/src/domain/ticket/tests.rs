//! Tickets as people paste them.

use super::*;

#[test]
fn a_block_of_criteria_is_taken_word_for_word() {
    let ticket = "ticket X-1\nAs a user I want limits.\nAC:\n- env var MAX, 0 = unlimited\n- API returns 403\nOut of scope: admin UI\n";
    assert_eq!(criteria(ticket), ["env var MAX, 0 = unlimited", "API returns 403"]);
    assert_eq!(exclusions(ticket), ["admin UI"]);
}

#[test]
fn criteria_on_one_line_and_checklists_count_too() {
    let line = "Invite teammates. Acceptance: owner can invite; invite ends after 7 days. Out of scope: billing";
    assert_eq!(criteria(line), ["owner can invite", "invite ends after 7 days"]);
    assert_eq!(exclusions(line), ["billing"]);
    assert_eq!(criteria("Do it\n- [ ] works offline\n- [ ] tested"), ["works offline", "tested"]);
    assert_eq!(criteria("## Acceptance criteria\n\n1. One\n2) Two\n\nMore."), ["One", "Two"]);
    let scenario = "Given a blank name, when it is saved, then an error is shown";
    assert_eq!(criteria(scenario), [scenario]);
}

#[test]
fn what_must_not_be_touched_is_excluded() {
    assert_eq!(
        exclusions("Speed it up, but don't touch the database schema. Thanks"),
        ["don't touch the database schema"]
    );
    assert_eq!(
        exclusions("Do not change the public API; add a flag"),
        ["Do not change the public API"]
    );
    assert_eq!(
        exclusions("We want comments on posts. Logged in users only. No moderation for now."),
        ["No moderation for now"]
    );
    assert!(exclusions("Change the API").is_empty() && criteria("Use AC power: 12 V").is_empty());
}

#[test]
fn figures_and_rules_in_prose_are_conditions() {
    assert_eq!(
        conditions("store avatars on S3, direct uploads, max 2MB, png/jpg only"),
        ["max 2MB", "png/jpg only"]
    );
    assert_eq!(
        conditions("Export items as CSV. Max 50k rows. Only superusers."),
        ["Max 50k rows", "Only superusers"]
    );
    assert_eq!(conditions("reduce it, target: < 400kb"), ["target: < 400kb"]);
    assert!(conditions("Upgrade Rails to 8").is_empty());
}

#[test]
fn the_body_has_no_blocks_and_its_offsets_stay() {
    let ticket = "Limit feeds. Acceptance: uses Redis. Out of scope: OAuth\nAC:\n- Kafka\n";
    let body = body(ticket);
    assert_eq!(body.len(), ticket.len());
    assert_eq!(body.trim(), "Limit feeds.");
}

#[test]
fn what_is_out_of_reach_is_no_part_of_the_work_but_a_refused_technology_is_heard() {
    let ticket = "Put a cache in front of it. Leave the Stripe webhook as is. Don't use Redis.";
    let work = work(ticket);
    assert_eq!(work.len(), ticket.len());
    assert!(!work.contains("Stripe") && work.contains("Redis"), "{work}");
}
