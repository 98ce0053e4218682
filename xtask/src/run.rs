//! Running other programs: say what runs, run it, say how long it took.

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

/// Runs cargo with one line on stderr in the place of its own, and its words only where it fails.
pub(crate) fn with_progress(command: &mut Command, what: &str) -> Result {
    use std::io::{BufRead as _, BufReader, IsTerminal as _};

    let line = describe(command);
    let started = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot start `{line}`: {error}"))?;
    let (mut crates, mut said) = (0, Vec::new());
    let on_terminal = std::io::stderr().is_terminal();
    if !on_terminal {
        eprintln!("{what}; the first time takes a few minutes");
    }
    for text in child.stderr.take().into_iter().flat_map(|it| BufReader::new(it).lines()) {
        let text = text?;
        crates += usize::from(text.trim_start().starts_with("Compiling "));
        if on_terminal {
            eprint!("\r{what}: {crates} crates, {}   ", seconds(started.elapsed()));
        }
        said.push(text);
    }
    if on_terminal {
        eprint!("\r\u{1b}[2K");
    }
    let status = child.wait()?;
    if !status.success() {
        return Err(format!("`{line}` failed ({status})\n{}", said.join("\n")).into());
    }
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
    let variables = command.get_envs().filter_map(|(name, value)| {
        let (name, value) = (name.to_string_lossy(), value?.to_string_lossy());
        // The encoded form separates flags by an invisible character that nobody can type.
        Some(match name.strip_prefix("CARGO_ENCODED_") {
            Some(plain) => format!("{plain}={}", quoted(&value.replace('\u{1f}', " "))),
            None => format!("{name}={}", quoted(&value)),
        })
    });
    let program = Path::new(command.get_program());
    // Cargo hands us its full path; the name alone is what one would type.
    let program = match program.file_stem() {
        Some(stem) if stem == "cargo" => "cargo".to_owned(),
        _ => quoted(&program.to_string_lossy()),
    };
    let words = command.get_args().map(|word| quoted(&word.to_string_lossy()));
    variables.chain([program]).chain(words).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_=./:,+@%\\".contains(c);
    let bare = !word.is_empty() && word.chars().all(plain);
    if bare { word.to_owned() } else { format!("'{word}'") }
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
    fn encoded_flags_are_shown_as_plain_ones() {
        let mut command = Command::new("cargo");
        command.env("CARGO_ENCODED_RUSTFLAGS", "-Ca=b\u{1f}-Cc=d").arg("build");
        assert_eq!(describe(&command), "RUSTFLAGS='-Ca=b -Cc=d' cargo build");
    }

    #[test]
    fn a_failing_command_reports_its_stderr() {
        let error = quietly(Command::new("cargo").arg("--no-such-option")).unwrap_err();
        assert!(error.to_string().contains("--no-such-option"));
    }
}
