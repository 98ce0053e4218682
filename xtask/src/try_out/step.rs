//! One step of a scene: what is said, run, written or shown.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::script::Scene;
use crate::{Result, files};

/// How much of an answer is shown; what is longer is cut at a line.
const SHOWN_LINES: usize = 24;
const SHOWN_CHARS: usize = 150;

pub(super) enum Step {
    /// A sentence of the narrator.
    Say(&'static str),
    /// A command of a server, and whether it is to pass.
    Run(&'static str, &'static [&'static str], Outcome),
    /// The same, with its answer kept in a file.
    Save(&'static str, &'static [&'static str], &'static str),
    /// A file of the project.
    Write(&'static str, &'static str),
    /// Some words of a file put in the place of others.
    Edit(&'static str, &'static str, &'static str),
    /// So many lines of the newest file of a folder, from the one that begins like this.
    Show(&'static str, &'static str, usize),
    /// A word for later: behind a name in the newest file of a folder, as `<!-- NAME: word -->`.
    Remember(&'static str, &'static str, &'static str),
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Outcome {
    Passes,
    Fails,
}

/// Where the steps happen, and what was remembered.
pub(super) struct Stage {
    pub(super) project: PathBuf,
    pub(super) executables: PathBuf,
    pub(super) home: PathBuf,
    words: BTreeMap<&'static str, String>,
    /// Everything that was run, for programs.
    pub(super) record: Vec<Value>,
    pub(super) is_silent: bool,
    /// Everything that a person saw.
    pub(super) told: String,
}

impl Stage {
    pub(super) fn new(project: PathBuf, executables: PathBuf, home: PathBuf) -> Self {
        let (words, record) = (BTreeMap::new(), Vec::new());
        Self { project, executables, home, words, record, is_silent: false, told: String::new() }
    }

    pub(super) fn play(&mut self, scene: &Scene) -> Result {
        for step in scene.steps {
            self.take(scene, step)?;
        }
        Ok(())
    }

    fn take(&mut self, scene: &Scene, step: &Step) -> Result {
        match step {
            Step::Say(text) => self.tell(&format!("\n  {text}")),
            Step::Run(server, args, outcome) => {
                let (passed, said) = self.run(scene, server, args)?;
                for line in shown(&said, SHOWN_LINES) {
                    self.tell(&format!("    {line}"));
                }
                if passed != (*outcome == Outcome::Passes) {
                    return Err(format!(
                        "`{server} {}` ended otherwise than it should:\n{said}",
                        args.join(" ")
                    )
                    .into());
                }
            }
            Step::Save(server, args, path) => {
                let (passed, said) = self.run(scene, server, args)?;
                if !passed {
                    return Err(format!("`{server} {}`: {said}", args.join(" ")).into());
                }
                files::write(&self.project.join(path), said)?;
                self.tell(&format!("    → {path}"));
            }
            Step::Write(path, text) => {
                let text = self.filled(text);
                files::write(&self.project.join(path), &text)?;
                self.tell(&format!("    + {path}"));
                for line in shown(&text, 6) {
                    self.tell(&format!("      {line}"));
                }
            }
            Step::Edit(path, from, to) => {
                let file = self.project.join(path);
                let before = files::read_text(&file)?;
                if !before.contains(from) {
                    return Err(format!("{path} does not hold `{from}`").into());
                }
                files::write(&file, before.replace(from, to))?;
                self.tell(&format!("    ~ {path}\n      - {from}\n      + {to}"));
            }
            Step::Show(folder, from, count) => {
                let (path, text) = self.newest(folder)?;
                self.tell(&format!("    {path}"));
                for line in text.lines().skip_while(|it| !it.starts_with(from)).take(*count) {
                    self.tell(&format!("      {line}"));
                }
            }
            Step::Remember(folder, name, word) => {
                let (_, text) = self.newest(folder)?;
                let begin = format!("<!-- {name}: ");
                let found = text.lines().find_map(|it| it.strip_prefix(&begin));
                let found = found.ok_or_else(|| format!("no {name} in {folder}"))?;
                self.words.insert(word, found.trim_end_matches(" -->").to_owned());
            }
        }
        Ok(())
    }

    fn tell(&mut self, text: &str) {
        let text = text.trim_end();
        if !self.is_silent {
            println!("{text}");
        }
        self.told.push_str(text);
        self.told.push('\n');
    }

    fn filled(&self, text: &str) -> String {
        self.words
            .iter()
            .fold(text.to_owned(), |text, (name, word)| text.replace(&format!("{{{name}}}"), word))
    }

    fn run(&mut self, scene: &Scene, server: &str, args: &[&str]) -> Result<(bool, String)> {
        let args: Vec<String> = args.iter().map(|it| self.filled(it)).collect();
        let typed: Vec<String> = args
            .iter()
            .map(|it| if it.contains(' ') { format!("\"{it}\"") } else { it.clone() })
            .collect();
        self.tell(&format!("\n  $ {server} {}", typed.join(" ")));
        let mut command = Command::new(self.executables.join(server));
        command.args(&args).current_dir(&self.project).stdin(Stdio::null());
        // Nobody who only looks shall be charged for a language model.
        command.env("REVERSE_SPEC_LLM", "off").env("HOME", &self.home).env("RUST_LOG", "error");
        let ended = command.output()?;
        let mut said = String::from_utf8_lossy(&ended.stdout).into_owned();
        said.push_str(&String::from_utf8_lossy(&ended.stderr));
        let place = self.project.display().to_string();
        let said = said.replace(&place, ".");
        self.record.push(json!({
            "scene": scene.title,
            "server": server,
            "arguments": args,
            "passed": ended.status.success(),
            "answer": serde_json::from_str::<Value>(&said).unwrap_or_else(|_| said.clone().into()),
        }));
        Ok((ended.status.success(), said))
    }

    fn newest(&self, folder: &str) -> Result<(String, String)> {
        let tree = files::tree(&self.project.join(folder))?;
        let name = tree.keys().next_back().ok_or_else(|| format!("nothing in {folder}"))?;
        let path = Path::new(folder).join(name);
        Ok((path.display().to_string(), files::read_text(&self.project.join(&path))?))
    }
}

/// The lines that are shown, each cut at a word, and how many more there are.
fn shown(text: &str, most: usize) -> Vec<String> {
    let lines: Vec<&str> = text.trim_end().lines().skip_while(|it| it.trim().is_empty()).collect();
    let mut shown: Vec<String> = lines.iter().take(most).map(|it| shortened(it)).collect();
    if lines.len() > most {
        shown.push(format!("… {} more lines", lines.len() - most));
    }
    shown
}

fn shortened(line: &str) -> String {
    let Some((end, _)) = line.char_indices().nth(SHOWN_CHARS) else { return line.to_owned() };
    let cut = &line[..end];
    let cut = cut.rsplit_once(' ').map_or(cut, |(before, _)| before);
    format!("{cut} …")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_cut_at_a_word_and_a_long_answer_at_a_line() {
        let line = "word ".repeat(60);
        assert!(shortened(&line).ends_with("word …"));
        let text = (1..=30).map(|it| format!("line {it}")).collect::<Vec<_>>().join("\n");
        let lines = shown(&text, 24);
        assert_eq!(lines.len(), 25);
        assert_eq!(lines[24], "… 6 more lines");
    }
}
