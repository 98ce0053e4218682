//! The shell commands on a terminal of their own, typed at as a person would.
#![cfg(unix)]

use super::{BINARY, repository};
use crate::terminal::Terminal;

#[test]
fn questions_are_asked_one_by_one_and_wrong_answers_again() {
    let fixture = repository();
    let mut terminal = Terminal::start(BINARY, &fixture, &["start", "Add authentication"]);
    terminal.shows("Which authentication strategy?");
    terminal.shows("1. OAuth");
    terminal.types("Magic Lnks\n");
    terminal.shows("Did you mean `Magic Links`?");
    terminal.types("2\n");
    terminal.shows("[2 of 2]");
    terminal.shows("Which authentication library?");
    terminal.types("3\n");
    terminal.shows("Decision documented");
    terminal.shows("docs/AGENT_PROMPT.md");
    terminal.ends_well();
    assert!(fixture.read("docs/ARCHITECTURE_STATE.md").contains("**Library**: custom"));
    assert!(!fixture.has(".preflights/session.json"));
}

#[test]
fn other_asks_for_its_text_and_what_is_broken_off_can_be_gone_on_with() {
    let fixture = repository();
    let mut terminal = Terminal::start(BINARY, &fixture, &["start", "Add authentication"]);
    terminal.shows("Which authentication strategy?");
    terminal.types("Other (specify)\n");
    terminal.shows("Which authentication library?");
    terminal.types("1\n");
    terminal.shows("Please name the other choice.");
    // End of input.
    terminal.types("\u{4}");
    terminal.shows("preflights-mcp answer auth_strategy__other=");
    terminal.ends_well();
    assert!(fixture.has(".preflights/session.json") && !fixture.has("docs"));

    let mut terminal = Terminal::start(BINARY, &fixture, &["answer"]);
    terminal.shows("Please name the other choice.");
    terminal.types("Kerberos\n");
    terminal.shows("Decision documented");
    terminal.ends_well();
    assert!(fixture.read("docs/ARCHITECTURE_STATE.md").contains("**Strategy**: Kerberos"));
}

#[test]
fn an_interrupt_says_that_the_session_is_kept() {
    let fixture = repository();
    let mut terminal = Terminal::start(BINARY, &fixture, &["start", "Add authentication"]);
    terminal.shows("Which authentication strategy?");
    let pid = i32::try_from(terminal.child.id()).expect("a small number");
    let pid = rustix::process::Pid::from_raw(pid).expect("a process");
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("it is ours");
    terminal.shows("preflights-mcp answer");
    assert_eq!(terminal.child.wait().expect("the command ends").code(), Some(130));
    assert!(fixture.has(".preflights/session.json"));
}
