//! Bounds out of a task, and what is judged by them.

use super::*;

const TASK: &str = "# T\n\n## Allowlist\n\n- `src/a/` (named in the request)\n- `package.json` (dependencies)\n\n## Forbidden\n\n- `docs/adr/`\n- `src/a/old.ts`\n- don't touch the API\n";

#[test]
fn paths_are_allowed_forbidden_or_outside() {
    let bounds = Bounds::of(TASK);
    assert_eq!(bounds.allowed, ["src/a/", "package.json"]);
    let kind = |path: &str| bounds.judge(path, true).map(|it| it.kind);
    assert_eq!(kind("src/a/x.ts"), None);
    assert_eq!(kind("src/a/old.ts"), Some(Kind::Forbidden));
    assert_eq!(kind("src/b/x.ts"), Some(Kind::Outside));
    assert_eq!(kind("docs/CURRENT_TASK.md"), None);
    assert_eq!(kind("docs/adr/1.md"), Some(Kind::Forbidden));
    assert_eq!(bounds.judge("docs/adr/2.md", false), None);
    assert_eq!(bounds.judge_by_hand("docs/adr/2.md").unwrap().kind, Kind::Forbidden);
    assert_eq!(bounds.judge_by_hand("src/a/x.ts"), None);
}

#[test]
fn what_the_task_forbids_is_not_written_by_hand_even_where_the_server_writes() {
    let state = "docs/ARCHITECTURE_STATE.md";
    let bounds = Bounds::of(&format!("## Forbidden\n\n- `{state}`\n"));
    assert_eq!(bounds.judge(state, true), None);
    assert_eq!(bounds.judge_by_hand(state).unwrap().kind, Kind::Forbidden);
}

#[test]
fn without_a_task_or_with_a_guess_nothing_lies_outside() {
    assert_eq!(Bounds::of("").judge("x", true), None);
    let guess = "## Allowlist\n\n- The place of the work could not be derived from it.\n- `src/` (sources)\n";
    assert_eq!(Bounds::of(guess).judge("lib/x", true), None);
}

#[test]
fn a_dependency_that_no_decision_names_is_found() {
    let added = ["npm:redis".to_owned(), "npm:@scope/left-pad".to_owned()];
    let found = unnamed(&added, &Architecture::default(), "Cache it in Redis");
    assert_eq!(found, ["left-pad"]);
}
