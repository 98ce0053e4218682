//! A terminal of its own for a command, typed at as a person would.
#![cfg(unix)]

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use plumbline_tests::{Fixture, bins};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// A command that believes a person sits before it.
pub(crate) struct Terminal {
    keyboard: File,
    screen: Receiver<String>,
    seen: String,
    pub(crate) child: Child,
}

impl Terminal {
    pub(crate) fn start(binary: &str, fixture: &Fixture, args: &[&str]) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&master).expect("the terminal is ours");
        unlockpt(&master).expect("the terminal can be opened");
        let name = ptsname(&master, Vec::new()).expect("the terminal has a name");
        let name = name.into_string().expect("a plain path");
        let open = || OpenOptions::new().read(true).write(true).open(&name).expect("the far end");
        let child = Command::new(bins::server(binary))
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
    pub(crate) fn shows(&mut self, words: &str) {
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

    pub(crate) fn types(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).expect("the terminal takes keys");
    }

    pub(crate) fn ends_well(mut self) {
        let status = self.child.wait().expect("the command ends");
        assert!(status.success(), "{status}; the screen shows:\n{}", self.seen);
    }
}

#[test]
fn a_server_that_is_started_without_a_client_says_what_it_is_and_what_to_try() {
    use plumbline_tests::bins::SERVERS;

    for server in &SERVERS {
        let project = Fixture::project();
        project.write(".claude/commands/plan.md", "Plan.\n");
        let mut terminal = Terminal::start(server.binary, &project, &[]);
        terminal.shows("It waits here for an MCP client");
        terminal.shows(&format!("{} tools", server.binary));
        terminal.shows(&format!("{} setup", server.binary));
        // The end of input, as Ctrl-D gives it.
        terminal.types("\u{4}");
        terminal.ends_well();
    }
}

#[test]
fn on_a_terminal_data_is_an_outline_and_doctor_has_colours() {
    let project = Fixture::project();
    let mut terminal = Terminal::start("elspais-mcp", &project, &["call", "get_graph_status"]);
    terminal.shows("is_stale: no");
    terminal.ends_well();
    let mut terminal = Terminal::start("acm-mcp", &project, &["doctor"]);
    terminal.shows("\u{1b}[32mok     \u{1b}[0m  acm-mcp");
    terminal.ends_well();
}

#[test]
fn setup_asks_and_no_means_nothing_is_written() {
    let project = Fixture::project();
    let mut terminal = Terminal::start("acm-mcp", &project, &["setup", "--client", "codex"]);
    terminal.shows("Servers found here:");
    terminal.shows("Enter all of them?");
    terminal.types("n\n");
    terminal.shows("Nothing was changed");
    terminal.ends_well();
    assert!(!project.has(".codex/config.toml"));
    let mut terminal = Terminal::start("acm-mcp", &project, &["setup", "--client", "codex"]);
    terminal.shows("Enter all of them?");
    terminal.types("acm\n");
    terminal.shows("Next: ");
    terminal.ends_well();
    assert_eq!(project.read(".codex/config.toml").matches("[mcp_servers.").count(), 1);
}

#[test]
fn the_log_goes_into_a_file_too_with_times() {
    let project = Fixture::project();
    let mut command = Command::new(bins::server("acm-mcp"));
    command.args(["--log-file", "log.txt"]).current_dir(project.path());
    let ended = command.stdin(std::process::Stdio::null()).output().expect("it starts");
    assert!(ended.status.success());
    let log = project.read("log.txt");
    assert!(log.contains("INFO") && log.starts_with("20") && !log.contains('\u{1b}'), "{log:?}");
}
