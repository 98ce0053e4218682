//! What was begun and not ended: out of time, stopped, killed.

use super::*;

#[test]
fn a_call_out_of_time_names_what_remains_and_the_next_goes_on() {
    let fixture = Fixture::new(LAYERS);
    run(&fixture, false);
    let begun = AtomicUsize::new(0);
    let after_two = || begun.fetch_add(1, Ordering::SeqCst) >= 2;
    let first = run_with(&fixture, true, Writer::Off, &after_two);
    assert_eq!((first.successful.len(), first.remaining.len()), (2, 2));
    assert!(first.warnings.iter().any(|it| it.contains("call batch again")));
    let left = fixture.read("specs/.reverse-spec-checkpoint.jsonl");
    let left: serde_json::Value = serde_json::from_str(left.lines().next().unwrap()).unwrap();
    assert_eq!(left["forceRegenerate"], true);
    let second = run(&fixture, false);
    assert_eq!(second.successful, first.remaining, "forced modules stay forced");
    assert_eq!(second.skipped, first.successful);
    assert!(!fixture.has("specs/.reverse-spec-checkpoint.jsonl"));
}

#[test]
fn a_checkpoint_of_other_modules_or_a_broken_one_is_ignored() {
    let fixture = Fixture::new(LAYERS);
    for text in [
        "{ broken",
        "{\"batchId\":\"b\",\"startedAt\":\"\",\"processingOrder\":[\"elsewhere\"],\"forceRegenerate\":true}\n",
    ] {
        fixture.write("specs/.reverse-spec-checkpoint.jsonl", text);
        let result = run(&fixture, false);
        assert_eq!(result.successful.len() + result.skipped.len(), 4);
        assert!(!fixture.has("specs/.reverse-spec-checkpoint.jsonl"));
    }
}

#[test]
fn force_beats_a_checkpoint() {
    let fixture = Fixture::new(LAYERS);
    let begun = AtomicUsize::new(0);
    run_with(&fixture, true, Writer::Off, &|| begun.fetch_add(1, Ordering::SeqCst) >= 2);
    assert_eq!(run(&fixture, true).successful.len(), 4);
}

#[test]
fn a_checkpoint_grows_by_a_line_a_module() {
    let fixture = Fixture::new(LAYERS);
    let seen = std::sync::Mutex::new(Vec::new());
    let look = || {
        let path = fixture.path().join("specs/.reverse-spec-checkpoint.jsonl");
        seen.lock().unwrap().push(std::fs::read_to_string(path).unwrap_or_default());
        false
    };
    run_with(&fixture, true, Writer::Off, &look);
    let texts = seen.lock().unwrap();
    assert_eq!(texts.iter().map(|it| it.lines().count()).collect::<Vec<_>>(), [0, 2, 3, 4]);
    assert!(texts[2].starts_with(&texts[1]) && texts[3].starts_with(&texts[2]), "{texts:?}");
}

#[test]
fn a_line_of_the_checkpoint_that_was_cut_off_costs_that_module_alone() {
    let fixture = Fixture::new(LAYERS);
    let begun = AtomicUsize::new(0);
    let first =
        run_with(&fixture, true, Writer::Off, &|| begun.fetch_add(1, Ordering::SeqCst) >= 2);
    let file = "specs/.reverse-spec-checkpoint.jsonl";
    let text = fixture.read(file);
    fixture.write(file, &text[..text.len() - 20]);
    let begun = AtomicUsize::new(0);
    let second =
        run_with(&fixture, false, Writer::Off, &|| begun.fetch_add(1, Ordering::SeqCst) >= 3);
    assert_eq!(second.skipped, first.successful[..1]);
    assert_eq!(second.successful[0], first.successful[1]);
    assert_eq!(run(&fixture, false).successful, second.remaining);
}

#[test]
fn a_file_that_merely_looks_like_a_staged_one_is_left_alone() {
    let fixture = Fixture::new(LAYERS);
    let looks_like_ours = "specs/0d5c9f44-8c1d-4f7e-9f37-1f1c5f0a9b21";
    fixture.write(looks_like_ours, "---\ntype: module-spec\nversion: v1\n---\n");
    run(&fixture, false);
    assert!(fixture.has(looks_like_ours));
}

#[test]
fn a_call_that_came_nowhere_says_what_to_change() {
    let fixture = Fixture::new(LAYERS);
    let result = run_with(&fixture, false, Writer::Off, &|| true);
    assert_eq!(result.remaining.len(), 4);
    assert!(
        result.warnings.iter().any(|it| it.contains("--call-timeout")),
        "{:?}",
        result.warnings
    );
}
