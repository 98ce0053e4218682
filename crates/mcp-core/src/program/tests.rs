//! What a started program may and may not do.

use std::time::{Duration, Instant};

use super::*;

fn shell(script: &str) -> Program {
    Program::find("sh").unwrap().args(["-c", script])
}

fn run(program: &Program) -> Result<Ended, ProgramError> {
    program.run(b"", &Work::endless())
}

#[test]
fn output_and_status_come_back() {
    let ended = shell("cat; echo oops >&2; exit 3").run(b"given", &Work::endless()).unwrap();
    assert_eq!(ended.stdout, b"given");
    assert_eq!(ended.stderr, "oops\n");
    assert_eq!(ended.status.code(), Some(3));
}

#[test]
fn a_program_that_does_not_read_its_input_is_no_failure() {
    let ended = shell("exit 0").run(&vec![b'x'; 1 << 20], &Work::endless()).unwrap();
    assert!(ended.status.success());
}

#[test]
fn only_chosen_variables_are_passed_on() {
    let ended = run(&shell("env").variable("CHOSEN", "yes")).unwrap();
    let names: Vec<String> = String::from_utf8(ended.stdout)
        .unwrap()
        .lines()
        .filter_map(|line| line.split_once('=').map(|(name, _)| name.to_owned()))
        .collect();
    assert!(names.contains(&"CHOSEN".to_owned()));
    // Cargo sets this for every test, and the shell adds a few of its own.
    assert!(!names.contains(&"CARGO_MANIFEST_DIR".to_owned()), "{names:?}");
}

#[test]
fn time_is_bounded_and_children_go_too() {
    let marker = tempfile::tempdir().unwrap();
    let script = format!("(sleep 1; touch {}/late) & sleep 60", marker.path().display());
    let begun = Instant::now();
    let error = run(&shell(&script).timeout(Duration::from_millis(200))).unwrap_err();
    assert!(matches!(error, ProgramError::TimedOut { .. }), "{error}");
    assert!(begun.elapsed() < Duration::from_secs(30));
    std::thread::sleep(Duration::from_millis(1500));
    assert!(!marker.path().join("late").exists(), "a child outlived its parent");
}

#[test]
fn output_is_bounded() {
    let error = run(&shell("yes").max_output(1000)).unwrap_err();
    assert!(matches!(error, ProgramError::TooMuchOutput { limit: 1000, .. }), "{error}");
    let just_enough = run(&shell("printf 12345").max_output(5)).unwrap();
    assert_eq!(just_enough.stdout, b"12345");
}

#[test]
fn much_complaint_does_not_stop_it() {
    let ended = run(&shell("head -c 1000000 /dev/zero >&2; echo done")).unwrap();
    assert_eq!(ended.stdout, b"done\n");
    assert_eq!(ended.stderr.len() as u64, MAX_STDERR);
}

#[test]
fn a_cancelled_call_stops_it() {
    let (work, wanted) = Work::while_wanted();
    drop(wanted);
    let error = shell("sleep 60").run(b"", &work).unwrap_err();
    assert!(matches!(error, ProgramError::Cancelled { .. }), "{error}");
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let error = Program::find("no-such-program-anywhere").unwrap_err();
    assert!(error.to_string().contains("no-such-program-anywhere"));
}
