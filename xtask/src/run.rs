//! Running other programs: say what runs, run it, say how long it took.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Result;

/// Runs a command with its output on our terminal.
pub(crate) fn visibly(command: &mut Command) -> Result {
    let line = describe(command);
    println!("$ {line}");
    let started = Instant::now();
    let status = command.status().map_err(|error| format!("cannot start `{line}`: {error}"))?;
    if !status.success() {
        return Err(format!("`{line}` failed ({status})").into());
    }
    println!("  done in {}", seconds(started.elapsed()));
    Ok(())
}

/// Runs a command and returns its stdout; its stderr appears only in the error.
pub(crate) fn quietly(command: &mut Command) -> Result<String> {
    let line = describe(command);
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("cannot start `{line}`: {error}"))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(format!("`{line}` failed ({})\n{}", output.status, stderr.trim()).into());
    }
    String::from_utf8(output.stdout)
        .map_err(|_| format!("`{line}` printed something that is not UTF-8").into())
}

/// The command as one could type it, with the variables set for it in front.
pub(crate) fn describe(command: &Command) -> String {
    let variables = command
        .get_envs()
        .filter_map(|(name, value)| Some(format!("{}={}", name.to_string_lossy(), quoted(value?))));
    let program = Path::new(command.get_program());
    // Cargo hands us its full path; the name alone is what one would type.
    let program = match program.file_stem() {
        Some(stem) if stem == "cargo" => "cargo".to_owned(),
        _ => quoted(program.as_os_str()),
    };
    let words = command.get_args().map(quoted);
    variables.chain([program]).chain(words).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let plain = |c: char| c.is_alphanumeric() || "-_=./:,+@%\\\u{1f}".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        // Cargo's separator for encoded flags is invisible on a terminal.
        return word.replace('\u{1f}', " ");
    }
    format!("'{word}'")
}

pub(crate) fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::{describe, quietly};

    #[test]
    fn a_command_is_shown_as_one_would_type_it() {
        let mut command = Command::new("/opt/rust/bin/cargo");
        command.env("CI", "true").args(["test", "--", "two words"]);
        assert_eq!(describe(&command), "CI=true cargo test -- 'two words'");
    }

    #[test]
    fn a_failing_command_reports_its_stderr() {
        let error = quietly(Command::new("cargo").arg("--no-such-option")).unwrap_err();
        assert!(error.to_string().contains("--no-such-option"));
    }
}
