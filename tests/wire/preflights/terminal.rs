//! The shell commands on a terminal of their own, typed at as a person would.
#![cfg(unix)]

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use plumbline_tests::{Fixture, bins};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::{BINARY, repository};

/// A command that believes a person sits before it.
struct Terminal {
    keyboard: File,
    screen: Receiver<String>,
    seen: String,
    child: Child,
}

impl Terminal {
    fn start(fixture: &Fixture, args: &[&str]) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&master).expect("the terminal is ours");
        unlockpt(&master).expect("the terminal can be opened");
        let name = ptsname(&master, Vec::new()).expect("the terminal has a name");
        let name = name.into_string().expect("a plain path");
        let open = || OpenOptions::new().read(true).write(true).open(&name).expect("the far end");
        let child = Command::new(bins::server(BINARY))
            .args(args)
            .current_dir(fixture.path())
            .stdin(open())
            .stdout(open())
            .stderr(open())
            .spawn()
            .expect("the server can be started");
        let keyboard = File::from(master);
        let mut reader = keyboard.try_clone().expect("a second handle");
        let (sender, screen) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // An error is how a terminal says that nobody is left at the far end.
            while let Ok(count) = reader.read(&mut bytes) {
                let text = String::from_utf8_lossy(&bytes[..count]).into_owned();
                if count == 0 || sender.send(text).is_err() {
                    break;
                }
            }
        });
        Self { keyboard, screen, seen: String::new(), child }
    }

    /// Waits until the screen shows something new that holds `words`.
    fn shows(&mut self, words: &str) {
        let deadline = Instant::now() + Duration::from_secs(20);
        while !self.seen.contains(words) {
            let left = deadline.saturating_duration_since(Instant::now());
            let more = self.screen.recv_timeout(left).unwrap_or_default();
            assert!(!more.is_empty(), "`{words}` did not appear; the screen shows:\n{}", self.seen);
            self.seen.push_str(&more);
        }
        let at = self.seen.find(words).map_or(0, |at| at + words.len());
        self.seen.drain(..at);
    }

    fn types(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).expect("the terminal takes keys");
    }

    fn ends_well(mut self) {
        let status = self.child.wait().expect("the command ends");
        assert!(status.success(), "{status}; the screen shows:\n{}", self.seen);
    }
}

#[test]
fn questions_are_asked_one_by_one_and_wrong_answers_again() {
    let fixture = repository();
    let mut terminal = Terminal::start(&fixture, &["start", "Add authentication"]);
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
    let mut terminal = Terminal::start(&fixture, &["start", "Add authentication"]);
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

    let mut terminal = Terminal::start(&fixture, &["answer"]);
    terminal.shows("Please name the other choice.");
    terminal.types("Kerberos\n");
    terminal.shows("Decision documented");
    terminal.ends_well();
    assert!(fixture.read("docs/ARCHITECTURE_STATE.md").contains("**Strategy**: Kerberos"));
}

#[test]
fn an_interrupt_says_that_the_session_is_kept() {
    let fixture = repository();
    let mut terminal = Terminal::start(&fixture, &["start", "Add authentication"]);
    terminal.shows("Which authentication strategy?");
    let pid = i32::try_from(terminal.child.id()).expect("a small number");
    let pid = rustix::process::Pid::from_raw(pid).expect("a process");
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("it is ours");
    terminal.shows("preflights-mcp answer");
    assert_eq!(terminal.child.wait().expect("the command ends").code(), Some(130));
    assert!(fixture.has(".preflights/session.json"));
}
