//! Versions that are raised: to another major one, which decides something, or within the same,
//! which is housekeeping.

use super::frame::ends;
use super::grammar::grammar;
use crate::domain::words::Token;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Raise {
    /// What is raised, and to which version, and whether that is ordered in so many words.
    Major(String, String, bool),
    /// Between versions of the same major one.
    Minor,
}

/// A word that is a version.
struct Version<'a> {
    at: usize,
    major: u64,
    word: &'a str,
}

impl Version<'_> {
    /// "8", "8.0", "8.x": a major version as such.
    fn is_whole(&self) -> bool {
        let mut rest = self.word.trim_start_matches('v').split('.').skip(1);
        rest.all(|it| matches!(it, "0" | "x"))
    }

    fn is_dotted(&self) -> bool {
        self.word.contains('.')
    }
}

/// What is raised; `is_known` tells technologies that are known or that the repository names.
pub(super) fn raised(
    words: &[Token],
    text: &str,
    is_known: &dyn Fn(&str) -> bool,
) -> Option<Raise> {
    let versions: Vec<Version<'_>> =
        words.iter().enumerate().filter_map(|(at, it)| version(at, &it.word)).collect();
    let reader = Reader { words, text, versions: &versions, is_known };
    let told = |it: (String, String)| Raise::Major(it.0, it.1, false);
    let ordered = |it: (String, String)| Raise::Major(it.0, it.1, true);
    let between = reader.between_two().or_else(|| numbered(words, text)).map(told);
    between
        .or_else(|| {
            let lead = reader.at_the_lead().or_else(|| reader.arrived());
            lead.or_else(|| reader.told_of()).map(ordered)
        })
        .or_else(|| reader.named_twice().map(told))
        .or_else(|| reader.is_minor().then_some(Raise::Minor))
}

fn version(at: usize, word: &str) -> Option<Version<'_>> {
    let plain = word.strip_prefix('v').unwrap_or(word);
    let mut parts = plain.split('.');
    let major = parts.next()?.parse().ok()?;
    let fits = |it: &str| it == "x" || it.bytes().all(|it| it.is_ascii_digit());
    (major < 1000 && parts.all(fits)).then_some(Version { at, major, word })
}

struct Reader<'a> {
    words: &'a [Token],
    text: &'a str,
    versions: &'a [Version<'a>],
    is_known: &'a dyn Fn(&str) -> bool,
}

impl Reader<'_> {
    /// Whether "to" or an arrow leads from one version to the next.
    fn leads(&self, one: &Version<'_>, other: &Version<'_>) -> bool {
        let between = &self.words[one.at + 1..other.at];
        let leads = between.iter().any(|it| it.is(&["to"])) || between.is_empty();
        leads && between.len() <= 4 && between.iter().all(|it| !it.ends_clause())
    }

    /// "upgrade elasticsearch 5 client to 8", "java 17 -> 21".
    fn between_two(&self) -> Option<(String, String)> {
        let words = self.words;
        let raises = words.iter().any(|it| it.within(&grammar().raising));
        for pair in self.versions.windows(2) {
            let [old, new] = pair else { continue };
            // Between versions without a word stood an arrow.
            let arrow = old.at + 1 == new.at;
            if old.major == new.major || !self.leads(old, new) || (arrow && new.major < old.major) {
                continue;
            }
            // "Expo 53 to 54" and nothing else needs no verb.
            let only_its_name = old.at == 1
                || old.at <= 3
                    && words[..old.at].iter().all(|it| it.is_capital && !it.ends_clause());
            let terse = new.at <= 6 && only_its_name && ends(words, new.at + 1);
            let before = words[..old.at].iter().rev();
            let mut before =
                before.filter(|it| !it.ends_clause() && !it.is(&["from", "version", "with"]));
            let what = before.next()?;
            if (raises || terse || arrow) && !self.is_setting(what, new) {
                let whole = self.text.get(words[0].start..what.end).unwrap_or_default();
                let name = name_before(words, what.end, self.text);
                let name = if terse && old.at > 1 { whole.to_owned() } else { name };
                return Some((name, new.word.to_owned()));
            }
        }
        None
    }

    /// "request-limit-burst 60 -> 120": a figure of a setting, whose name may have several parts.
    fn is_setting(&self, what: &Token, new: &Version<'_>) -> bool {
        let Some(mut at) = self.words.iter().position(|it| it.start == what.start) else {
            return false;
        };
        let own = at;
        while at > 0
            && matches!(
                self.text.get(self.words[at - 1].end..self.words[at].start),
                Some("-" | "_")
            )
        {
            at -= 1;
        }
        let sets = |it: &Token| it.within(&grammar().settings);
        // "linter: line_length 90 → 100": the name of the setting is code, and no word.
        let named = self.words.get(own + 1..).unwrap_or_default();
        let first = named.iter().find(|it| it.word.starts_with(|it: char| it.is_ascii_digit()));
        let gap = first.and_then(|it| self.text.get(what.end..it.start)).unwrap_or_default();
        let is_large =
            gap.contains(['_', '`']) || new.major >= 40 && self.known_name(what).is_none();
        self.words[at..=own].iter().any(sets) || is_large
    }

    /// "4.0.3 -> 4.0.5": nothing that anybody has to decide.
    fn is_minor(&self) -> bool {
        let mut pairs = self.versions.windows(2);
        pairs.any(|it| {
            let between = self.words[it[0].at].end..self.words[it[1].at].start;
            let between = self.text.get(between).unwrap_or_default();
            let leads = between.contains("to") || between.contains('>') || between.contains('→');
            let dotted = it[0].is_dotted() && it[1].is_dotted();
            it[0].major == it[1].major && dotted && leads && self.leads(&it[0], &it[1])
        })
    }

    /// "Upgrade React to 19", "move to Java 21": a whole version without the one before it.
    fn at_the_lead(&self) -> Option<(String, String)> {
        let words = self.words;
        let lead =
            words.iter().position(|it| !it.ends_clause() && !it.within(&grammar().polite))?;
        let [Version { at, major, word }] = self.versions else { return None };
        if !self.versions[0].is_whole() || *major < 2 || *at <= lead {
            return None;
        }
        let clause = &words[lead + 1..*at];
        let sets = clause.iter().any(|it| it.within(&grammar().settings));
        let upgrades = words[lead].is(&["upgrade", "retarget"]);
        let moves = words[lead].is(&["move", "migrate", "switch", "port", "update", "go"]);
        let named = clause.last().filter(|it| !it.is(&["to", "version", "v"]));
        let spelled = named.and_then(|it| self.text.get(it.start..it.end)).unwrap_or_default();
        let is_name = spelled.chars().any(char::is_uppercase);
        let arrives = clause.iter().any(|it| it.is(&["to", "version"]));
        if sets || !arrives || !(upgrades || (moves && is_name)) {
            return None;
        }
        let what = clause.iter().rev().find(|it| !it.is(&["to", "version", "from", "the", "v"]))?;
        Some((name_before(words, what.end, self.text), (*word).to_owned()))
    }

    /// "get us onto transformers v5", "raise the AWS provider to >= 7.0", wherever it stands.
    fn arrived(&self) -> Option<(String, String)> {
        for version in self.versions.iter().filter(|it| it.is_whole() && it.major > 1) {
            let words = &self.words[..version.at];
            let start = words.iter().rposition(Token::ends_clause).map_or(0, |it| it + 1);
            let clause = &words[start..];
            let Some(to) = clause.iter().rposition(|it| it.is(&["to", "onto"])) else { continue };
            // "Since the update to X 19 it crashes" raises nothing.
            let commands = |at: usize| {
                let polite = clause[..at].iter().all(|it| it.within(&grammar().polite));
                polite || clause[at - 1].is(&["to", "we", "i", "please", "lets", "and", "us"])
            };
            let raises = clause[..to].iter().enumerate().any(|(at, it)| {
                (it.within(&grammar().raising) || it.within(&grammar().lifting)) && commands(at)
            });
            // "Raise the memory limit to 8" is a setting, "the minimum provider to 8" is not.
            let head = clause[..to].last().is_some_and(|it| it.within(&grammar().settings));
            let sets = head && clause[..to].last().is_none_or(|it| it.word != "version");
            if !raises || sets {
                continue;
            }
            let behind = clause[to + 1..].iter().rev();
            let before = clause[..to].iter().rev();
            let kinds = [
                "version",
                "v",
                "the",
                "at",
                "least",
                "provider",
                "client",
                "driver",
                "library",
                "package",
                "crate",
                "gem",
                "sdk",
                "plugin",
                "module",
                "runtime",
                "toolchain",
            ];
            let named = behind.chain(before).find(|it| !it.is(&kinds));
            // "transformers v5": what a version of that form stands behind is no everyday thing.
            let marked = version.word.starts_with('v')
                && named.is_some_and(|it| it.end + 1 == self.words[version.at].start);
            let plain = || marked.then(|| named.map(|it| it.word.clone())).flatten();
            if let Some(named) = named
                && let Some(name) = self.known_name(named).or_else(plain)
            {
                return Some((name, version.word.to_owned()));
            }
        }
        None
    }

    /// "clap 5 is out, move over", "node 16 is long dead, go to 22".
    fn told_of(&self) -> Option<(String, String)> {
        for version in self.versions {
            let behind = &self.words[version.at + 1..];
            let Some(named) = version.at.checked_sub(1).map(|it| &self.words[it]) else { continue };
            if named.ends_clause() || named.within(&grammar().common) {
                continue;
            }
            let name = name_before(self.words, named.end, self.text);
            let moves = behind
                .iter()
                .any(|it| it.within(&grammar().raising) || it.within(&grammar().moving));
            if grammar().versions.new.begin(behind) && moves {
                return Some((name, version.word.to_owned()));
            }
            if grammar().versions.old.begin(behind) {
                let newer = self.versions.iter().find(|it| it.major > version.major);
                if let Some(newer) = newer {
                    return Some((name, newer.word.to_owned()));
                }
            }
        }
        None
    }

    /// "Drop iOS 18, the target goes to iOS 26": one name with two major versions.
    fn named_twice(&self) -> Option<(String, String)> {
        let raises = |it: &Token| {
            it.within(&grammar().raising)
                || it.within(&grammar().lifting)
                || grammar().before.dropped.end(&[it]) == 1
        };
        if !self.words.iter().any(raises) {
            return None;
        }
        let mut seen: Vec<(&str, &Version<'_>)> = Vec::new();
        for version in self.versions {
            let Some(named) = version.at.checked_sub(1).map(|it| &self.words[it]) else { continue };
            if self.known_name(named).is_none() || named.within(&grammar().settings) {
                continue;
            }
            let other = seen.iter().find(|it| it.0 == named.word && it.1.major != version.major);
            if let Some((_, other)) = other {
                let newer = if other.major > version.major { other } else { version };
                let name = self.text.get(named.start..named.end).unwrap_or_default();
                return Some((name.to_owned(), newer.word.to_owned()));
            }
            seen.push((named.word.as_str(), version));
        }
        None
    }

    /// The name of a technology: one that is known, or a capitalised word that begins no sentence.
    fn known_name(&self, named: &Token) -> Option<String> {
        if named.ends_clause() || named.within(&grammar().common) {
            return None;
        }
        let spelled = name_before(self.words, named.end, self.text);
        let own = self.text.get(named.start..named.end).unwrap_or_default();
        let first = self.words.first().is_some_and(|it| it.start == named.start);
        let is_name = !first && own.chars().any(char::is_uppercase);
        ((self.is_known)(own) || (self.is_known)(&spelled) || is_name).then_some(spelled)
    }
}

/// "net8 -> net9": the same name with another number at its end.
fn numbered(words: &[Token], text: &str) -> Option<(String, String)> {
    let split = |it: &str| {
        let at = it.find(|it: char| it.is_ascii_digit()).filter(|it| *it > 1)?;
        let major = it[at..].split('.').next()?.parse::<u64>().ok()?;
        Some((it[..at].to_owned(), major, it[at..].to_owned()))
    };
    words.windows(2).find_map(|pair| {
        let between = text.get(pair[0].end..pair[1].start)?.trim();
        let (one, old, _) = split(&pair[0].word)?;
        let (other, new, version) = split(&pair[1].word)?;
        let arrow = matches!(between, "->" | "→" | "=>" | "-->");
        (arrow && one == other && old < new).then_some((one, version))
    })
}

/// The name that ends at this byte, with the capitalised words before it: "Spring Boot".
fn name_before(words: &[Token], end: usize, text: &str) -> String {
    let Some(mut at) = words.iter().position(|it| it.end == end) else { return String::new() };
    let capital = |it: &Token| {
        text.get(it.start..it.end).and_then(|it| it.chars().next()).is_some_and(char::is_uppercase)
    };
    while at > 1 && capital(&words[at]) && capital(&words[at - 1]) && !words[at - 1].ends_clause() {
        at -= 1;
    }
    text.get(words[at].start..end).unwrap_or_default().to_owned()
}
