//! A project of many requirements, the same in every run.
//!
//! Of all requirements 5 % are PRD, 15 % OPS and 80 % DEV; each has three to eight assertions, 15 %
//! have two parents, 0.2 % cite something that does not exist, and code cites 60 % of those at the
//! lowest level. Twenty-five lie in one file.

use std::fmt::Write as _;
use std::path::Path;

use crate::{Result, files};

const PER_FILE: usize = 25;
const CONFIG: &str = "[project]\nname = \"many\"\n\n[id-patterns.component]\ndigits = 6\n";
const WORDS: [&str; 24] = [
    "account", "archive", "balance", "channel", "customer", "delivery", "estimate", "failure",
    "gateway", "history", "invoice", "journal", "ledger", "message", "notice", "order", "payment",
    "quota", "record", "schedule", "session", "transfer", "update", "version",
];

/// Numbers that look random and never differ.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        // Xorshift: its quality is more than enough for picking words.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % below.max(1) as u64).unwrap_or(0)
    }

    fn sentence(&mut self, words: usize) -> String {
        let picked: Vec<&str> = (0..words).map(|_| WORDS[self.roll(WORDS.len())]).collect();
        picked.join(" ")
    }
}

#[derive(Default)]
struct Levels {
    /// Ids so far with how many assertions each has: PRD, OPS, DEV.
    ids: [Vec<(String, usize)>; 3],
}

/// Lays `count` requirements with their code into a directory.
pub(super) fn lay(directory: &Path, count: usize) -> Result {
    files::write(&directory.join(".elspais.toml"), CONFIG)?;
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let mut levels = Levels::default();
    let mut code = String::new();
    let mut spec = String::new();
    for n in 0..count {
        let cited = requirement(n, &mut dice, &mut levels, &mut spec);
        if let Some(reference) = cited {
            let _ = writeln!(code, "# Implements: {reference}\ndef work_{n}():\n    return {n}\n");
        }
        if (n + 1) % PER_FILE == 0 || n + 1 == count {
            let file = n / PER_FILE;
            let place = format!("spec/part{:03}/file{file:05}.md", file / 100);
            files::write(&directory.join(place), std::mem::take(&mut spec))?;
            let place = format!("src/part{:03}/file{file:05}.py", file / 100);
            files::write(&directory.join(place), std::mem::take(&mut code))?;
        }
    }
    Ok(())
}

/// Lays `count` requirements into one file.
pub(super) fn lay_in_one(directory: &Path, place: &str, count: usize) -> Result {
    files::write(&directory.join(".elspais.toml"), CONFIG)?;
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let mut levels = Levels::default();
    let mut spec = String::new();
    for n in 0..count {
        drop(requirement(n, &mut dice, &mut levels, &mut spec));
    }
    files::write(&directory.join(place), spec)
}

/// Adds one requirement; returns what code should cite of it.
fn requirement(
    n: usize,
    dice: &mut Dice,
    levels: &mut Levels,
    spec: &mut String,
) -> Option<String> {
    let level = match n % 20 {
        0 => 0,
        1..=3 => 1,
        _ => 2,
    };
    let (letter, name) = [("p", "PRD"), ("o", "OPS"), ("d", "DEV")][level];
    let id = format!("REQ-{letter}{:06}", levels.ids[level].len() + 1);
    let title = dice.sentence(5);
    let mut parents = Vec::new();
    if level > 0 {
        let above = &levels.ids[level - 1];
        let n_parents = if dice.roll(100) < 15 { 2 } else { 1 };
        for _ in 0..n_parents {
            let (parent, assertions) = &above[dice.roll(above.len())];
            let label = char::from(b'A' + u8::try_from(dice.roll(*assertions)).unwrap_or(0));
            parents.push(format!("{parent}-{label}"));
        }
    }
    if dice.roll(500) == 0 {
        parents.push("REQ-p999999".to_owned());
    }
    parents.dedup();
    let cites = if parents.is_empty() { "-".to_owned() } else { parents.join(", ") };
    let _ = write!(
        spec,
        "## {id}: {title}\n\n**Level**: {name} | **Status**: Active | **Implements**: {cites}\n\n{}.\n\n## Assertions\n\n",
        dice.sentence(25)
    );
    let n_assertions = 3 + dice.roll(6);
    for label in (b'A'..).take(n_assertions) {
        let _ = writeln!(
            spec,
            "{}. The {} SHALL {}.",
            char::from(label),
            dice.sentence(3),
            dice.sentence(11)
        );
    }
    let _ = write!(
        spec,
        "\n## Rationale\n\n{}.\n\n*End* *{title}* | **Hash**: ________\n\n---\n\n",
        dice.sentence(20)
    );
    levels.ids[level].push((id.clone(), n_assertions));
    (level == 2 && dice.roll(100) < 60).then(|| format!("{id}-A"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Scratch;

    #[test]
    fn two_projects_of_one_size_are_the_same() -> Result {
        let (one, two) = (Scratch::new("many")?, Scratch::new("many")?);
        lay(one.path(), 60)?;
        lay(two.path(), 60)?;
        let trees = [files::tree(one.path())?, files::tree(two.path())?];
        assert!(files::changes(&trees[0], &trees[1]).is_empty());
        let spec = files::read_text(&one.path().join("spec/part000/file00000.md"))?;
        assert_eq!(spec.matches("*End*").count(), PER_FILE);
        Ok(())
    }
}
