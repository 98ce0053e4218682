//! What a text asks of agents that this server does not do: it runs no program and reads no file
//! for a command, it passes the words on.

use super::{Kind, Problem};

/// One remark of each kind, at its first place.
pub(super) fn of_text(body: &str) -> Vec<Problem> {
    let mut remarks = Vec::new();
    let mut shell = None;
    let mut file = None;
    for (index, line) in body.lines().enumerate() {
        if shell.is_none() && has_shell(line) {
            shell = Some(index + 1);
        }
        if file.is_none() && mentions_file(line) {
            file = Some(index + 1);
        }
    }
    if let Some(line) = shell {
        let message = "a line to be run by the shell is passed on as it is; the agent may run it";
        remarks.push(Problem::new(Kind::ShellLine, line, message));
    }
    if let Some(line) = file {
        let message = "a file is named with `@` and passed on as it is; the agent may read it";
        remarks.push(Problem::new(Kind::FileMention, line, message));
    }
    remarks
}

/// `` !`git status` `` or `!{git status}`.
fn has_shell(line: &str) -> bool {
    ["!`", "!{"]
        .iter()
        .any(|mark| line.match_indices(mark).any(|(at, _)| !ends_in_word(&line[..at])))
}

/// `@docs/plan.md` or `@{docs}`; neither `name@host.example` nor `@somebody`.
fn mentions_file(line: &str) -> bool {
    line.match_indices('@').any(|(at, _)| {
        if ends_in_word(&line[..at]) {
            return false;
        }
        let rest = &line[at + 1..];
        if rest.starts_with('{') {
            return true;
        }
        let end = rest.find(|it: char| it.is_whitespace() || "`\"'),;".contains(it));
        let path = rest[..end.unwrap_or(rest.len())].trim_end_matches('.');
        let is_path = |it: char| it.is_alphanumeric() || "/._-~$".contains(it);
        path.contains(['/', '.'])
            && path.chars().all(is_path)
            && !path.starts_with('.') | path.contains('/')
    })
}

fn ends_in_word(before: &str) -> bool {
    before.ends_with(|it: char| it.is_alphanumeric() || "`/".contains(it))
}
