//! A server that is killed in the middle of its work, again and again: the next one starts, answers
//! and finds nothing broken.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::json;

use super::Verdict;
use crate::files::{self, Scratch};
use crate::session::Session;
use crate::workspace::Server;
use crate::{Result, sample};

const KILLS: u64 = 60;
const PATIENCE: Duration = Duration::from_mins(1);

pub(super) fn soak(server: &Server, executable: &Path) -> Result<Verdict> {
    let scratch = Scratch::new("soak")?;
    sample::lay(scratch.path())?;
    let state = scratch.path().join(".state");
    git_init(scratch.path())?;
    for n in 0..KILLS {
        let mut command = Command::new(executable);
        command.current_dir(scratch.path()).args(work(server)).env("PLUMBLINE_STATE_DIR", &state);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        std::thread::sleep(Duration::from_millis(1 + n * 7 % 50));
        child.kill()?;
        child.wait()?;
    }
    let mut command = Command::new(executable);
    command.current_dir(scratch.path()).env("PLUMBLINE_STATE_DIR", &state);
    let (mut session, _) = Session::open(command, PATIENCE)?;
    let answered = session.request("tools/list", json!({})).is_ok();
    session.finish()?;
    let left: Vec<String> =
        files::tree(scratch.path())?.into_keys().filter(|it| it.contains(".tmp")).collect();
    Ok(Verdict {
        what: format!("{}: {KILLS} kills; left over: {left:?}", server.package),
        held: answered && left.is_empty(),
    })
}

/// A command that writes, or the server itself where there is none.
fn work(server: &Server) -> &'static [&'static str] {
    match server.name {
        "reverse-spec" => &["batch", "--force"],
        "acm" => &["init", "acm"],
        "specifyplus" => &["init"],
        "preflights" => &["start", "Use Redis as the cache"],
        _ => &[],
    }
}

fn git_init(directory: &Path) -> Result {
    crate::run::quietly(Command::new("git").arg("-C").arg(directory).args(["init", "-q"]))?;
    Ok(())
}
