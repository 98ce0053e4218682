//! `cargo xtask try`: the five real servers at work on a sample project, as a person would see it.

mod script;
mod step;

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::args::Args;
use crate::files::{self, Scratch};
use crate::workspace::{Profile, SERVERS, Workspace, executable_in};
use crate::{Result, run, sample};
use script::SCENES;
use step::Stage;

pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result {
    let is_json = args.has("--json");
    let started = Instant::now();
    let executables = if let Some(given) = args.values("--built").first() {
        std::path::absolute(given)?
    } else {
        workspace.build_servers_quietly(Profile::Fast)?;
        workspace.profile_dir(Profile::Fast)
    };
    let built = started.elapsed();
    let mut scratch = Scratch::new("try")?;
    let home = Scratch::new("home")?;
    if args.has("--keep") || args.has("--web") {
        scratch.keep();
    }
    let project = scratch.path().to_owned();
    sample::lay(&project)?;
    // Enough of a git directory to be found as a repository.
    files::write(&project.join(".git/HEAD"), "ref: refs/heads/main\n")?;
    let mut stage = Stage::new(project.clone(), executables.clone(), home.path().to_owned());
    stage.is_silent = is_json;
    if !is_json {
        println!(
            "Built in {}. A small to-do service lies in {}.",
            run::seconds(built),
            project.display()
        );
    }
    for (number, scene) in SCENES.iter().enumerate() {
        if !is_json {
            let about = SERVERS.iter().find(|it| Some(it.name) == scene.server);
            let purpose = about.map_or("each uses what another wrote", |it| it.purpose);
            let about = about.map_or(String::new(), |it| format!(" · {}", it.package));
            println!("\n━━ {}. {}{about} {}", number + 1, scene.title, "━".repeat(20));
            println!("   {purpose}");
        }
        let before = files::tree(&project)?;
        stage.play(scene).map_err(|error| format!("{}: {error}", scene.title))?;
        if !is_json {
            println!("\n  In the project now:");
            for change in files::changes(&before, &files::tree(&project)?) {
                println!("    {change}");
            }
        }
    }
    if is_json {
        println!("{}", serde_json::to_string_pretty(&stage.record)?);
        return Ok(());
    }
    println!("\nTo use them yourself: cargo xtask install, then `acm-mcp setup` in your project.");
    if args.has("--web") {
        show_reports(&executables, &project)?;
    }
    if args.has("--keep") || args.has("--web") {
        println!("The sample project stays in {}.", project.display());
    }
    Ok(())
}

/// What a person sees of the scene about one server, the same for the same executables.
pub(crate) fn transcript(executables: &Path, server: &str) -> Result<String> {
    let scratch = Scratch::new("scene")?;
    let home = Scratch::new("home")?;
    let project = scratch.path().to_owned();
    sample::lay(&project)?;
    files::write(&project.join(".git/HEAD"), "ref: refs/heads/main\n")?;
    let mut stage = Stage::new(project, executables.to_owned(), home.path().to_owned());
    stage.is_silent = true;
    for scene in SCENES.iter().filter(|it| it.server == Some(server)) {
        stage.play(scene)?;
    }
    Ok(without_times(&stage.told))
}

/// Names of records hold the time they were written at; here it is always the same.
fn without_times(text: &str) -> String {
    const STAMP: &str = "20300101T000000.000Z-0000";
    let mut clean = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("Z-") {
        let begin = at.checked_sub(STAMP.len() - 6).unwrap_or(at);
        let end = at + 6;
        let fits = |text: &str| {
            text.len() == STAMP.len()
                && text.bytes().zip(STAMP.bytes()).all(|(is, like)| match like {
                    b'0'..=b'9' => is.is_ascii_hexdigit(),
                    like => is == like,
                })
        };
        match rest.get(begin..end) {
            Some(found) if fits(found) => {
                clean.push_str(&rest[..begin]);
                clean.push_str(STAMP);
            }
            _ => clean.push_str(rest.get(..end).unwrap_or(rest)),
        }
        rest = rest.get(end..).unwrap_or_default();
    }
    clean.push_str(rest);
    clean
}

/// Writes the reports of the two servers that have one, and opens them in the browser.
fn show_reports(executables: &Path, project: &Path) -> Result {
    for (server, file) in
        [("elspais-mcp", "requirements.html"), ("reverse-spec-mcp", "specifications.html")]
    {
        let mut command = Command::new(executable_in(executables, server));
        command.current_dir(project).env("REVERSE_SPEC_LLM", "off");
        run::quietly(command.args(["report", "--html", file]))?;
        let page = project.join(file);
        println!("{}", page.display());
        let opener = match std::env::consts::OS {
            "macos" => "open",
            "windows" => "explorer",
            _ => "xdg-open",
        };
        // Where no browser can be opened, the path above is enough.
        drop(Command::new(opener).arg(page).spawn());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::without_times;

    #[test]
    fn the_time_in_the_name_of_a_record_is_always_the_same() {
        let text = "docs/adr/20261118T113952.106Z-7D42_database.md and A-Z-9";
        let clean = "docs/adr/20300101T000000.000Z-0000_database.md and A-Z-9";
        assert_eq!(without_times(text), clean);
    }
}
