//! `cargo xtask fuzz`: every target of fuzz/ for a while, guided by coverage.
//!
//! The bodies are ordinary functions of the crates, and `cargo xtask test` replays the committed
//! corpora; what is found here goes to target/fuzz, and what is worth keeping is copied by hand.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::args::Args;
use crate::workspace::Workspace;
use crate::{AlreadyReported, Result, nearest};

const SECONDS: u64 = 180;
/// A target that needs more has a leak or a bomb.
const MEMORY_MB: u32 = 2048;

struct Fuzzed {
    target: String,
    executions: Option<u64>,
    crashed: bool,
}

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result {
    let fuzz = workspace.root.join("fuzz");
    let known = targets(&std::fs::read_to_string(fuzz.join("Cargo.toml"))?);
    let names: Vec<&str> = known.iter().map(String::as_str).collect();
    if let Some(unknown) = args.words.iter().find(|it| !known.contains(it)) {
        return Err(nearest::unknown("target", unknown, &names).into());
    }
    let seconds = match args.values("--seconds").last() {
        Some(given) => {
            given.parse().map_err(|_| format!("`{given}` is not a number of seconds"))?
        }
        None => SECONDS,
    };
    if !answers(workspace.cargo().args(["fuzz", "--version"])) {
        return Err("cargo-fuzz is missing: cargo install cargo-fuzz --locked".into());
    }
    let sanitize = args.has("--sanitize");
    if sanitize && !answers(Command::new("clang").arg("--version")) {
        return Err("clang is missing: it builds the C of the grammars with the sanitizer".into());
    }
    let chosen = known.iter().filter(|it| args.words.is_empty() || args.words.contains(it));
    let mut done = Vec::new();
    for target in chosen {
        println!("\n== {target}, {seconds} s ==");
        done.push(fuzz_one(workspace, target, seconds, sanitize)?);
    }
    println!("\n{}", table(&done));
    if done.iter().any(|it| it.crashed) { Err(AlreadyReported.into()) } else { Ok(()) }
}

fn fuzz_one(workspace: &Workspace, target: &str, seconds: u64, sanitize: bool) -> Result<Fuzzed> {
    let out = workspace.root.join("target/fuzz");
    let found = out.join("found").join(target);
    let grown = out.join("corpus").join(target);
    for directory in [&found, &grown] {
        std::fs::create_dir_all(directory)?;
    }
    let mut command = workspace.cargo();
    command.current_dir(&workspace.root).args(["fuzz", "run", "--target-dir"]);
    command.arg(out.join(if sanitize { "sanitized" } else { "plain" }));
    // Without a nightly toolchain, which the sanitizer would otherwise ask for.
    command.env("RUSTC_BOOTSTRAP", "1");
    if sanitize {
        command.args(["--sanitizer", "address"]);
        command.env("CC", "clang").env("CFLAGS", "-fsanitize=address,fuzzer-no-link -O1 -g");
    } else {
        command.args(["--sanitizer", "none"]);
    }
    // New inputs go to the first directory; the committed one is only read.
    command.arg(target).arg(grown).arg(workspace.root.join("fuzz/corpus").join(target));
    command.arg("--");
    command.arg(format!("-max_total_time={seconds}")).arg(format!("-rss_limit_mb={MEMORY_MB}"));
    command.args(["-print_final_stats=1", "-timeout=25"]);
    command.arg(prefix(&found));
    let output = command.stdin(Stdio::null()).stdout(Stdio::inherit()).output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let crashed = !output.status.success();
    if crashed {
        let lines: Vec<&str> = said.lines().collect();
        println!("{}", lines[lines.len().saturating_sub(60)..].join("\n"));
    }
    Ok(Fuzzed { target: target.to_owned(), executions: executions(&said), crashed })
}

fn prefix(found: &Path) -> std::ffi::OsString {
    let mut argument = std::ffi::OsString::from("-artifact_prefix=");
    argument.push(PathBuf::from(found).join(""));
    argument
}

/// The names of the executables in a manifest.
fn targets(manifest: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut in_target = false;
    for line in manifest.lines() {
        if line.starts_with('[') {
            in_target = line == "[[bin]]";
        } else if in_target && let Some(name) = line.strip_prefix("name = ") {
            names.push(name.trim_matches('"').to_owned());
        }
    }
    names
}

fn executions(said: &str) -> Option<u64> {
    let line = said.lines().find_map(|it| it.strip_prefix("stat::number_of_executed_units:"))?;
    line.trim().parse().ok()
}

fn answers(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|it| it.success())
}

fn table(done: &[Fuzzed]) -> String {
    let line = |it: &Fuzzed| {
        let executions = it.executions.map_or("?".to_owned(), |it| it.to_string());
        let word = if it.crashed { "FOUND SOMETHING, see target/fuzz/found" } else { "ok" };
        format!("{:<26} {executions:>12} executions  {word}", it.target)
    };
    done.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_the_executables_of_the_manifest() {
        let manifest = "[package]\nname = \"x\"\n\n[[bin]]\nname = \"a\"\npath = \"a.rs\"\n\n[[bin]]\nname = \"b\"\n";
        assert_eq!(targets(manifest), ["a", "b"]);
    }

    #[test]
    fn the_number_of_executions_is_read_from_the_statistics() {
        assert_eq!(executions("x\nstat::number_of_executed_units: 1234\n"), Some(1234));
        assert_eq!(executions("crash"), None);
    }
}
