//! Names in a frame that brings something in or takes it away, whether the bank knows them or not.

use super::frame::{clause, ends, is_swap};
use super::grammar::grammar;
use super::role::{Role, role};
use super::sentence;
use super::spelling::{Name, is_code, is_common, is_library_name, is_name, is_plain_word};
use super::ways::Scene;
use crate::domain::words::Token;

/// Names that come: "use GRDB", "Add Flyway", "replace contentlayer with Velite", "log to mlflow
/// instead of wandb", "Envers is fine". `text` tells names by their letters, `is_known`
/// technologies.
pub(super) fn brought_in(
    words: &[Token],
    text: &str,
    is_known: &dyn Fn(&str) -> bool,
) -> Vec<Name> {
    let mut names: Vec<Name> = Vec::new();
    let gives_something_up = given_up(words, text, is_known).is_some();
    let scene = Scene { words, text, is_known, gives_something_up };
    let mut at = 0;
    while at < words.len() {
        let start = at;
        at += 1;
        if words[start].ends_clause() || sentence::weighs(words, start) {
            continue;
        }
        let name = name_at(words, start, text);
        let joined = names.last().is_some_and(|it| {
            it.end + 1 == start && words[it.end].is(&["or", "and"]) && is_name(&name.spelled)
        });
        let brought = joined || is_brought(words, &name) || scene.brings(&name);
        if brought && role(words, name.start, name.end, None) == Role::Wanted {
            at = name.end;
            if !names.iter().any(|it| it.spelled == name.spelled) {
                names.push(name);
            }
        }
    }
    names
}

/// "X is not maintained any more": something known is said to be at its end.
pub(super) fn given_up(
    words: &[Token],
    text: &str,
    is_known: &dyn Fn(&str) -> bool,
) -> Option<String> {
    words.iter().enumerate().find_map(|(at, it)| {
        let spelled = text.get(it.start..it.end).unwrap_or_default();
        let gone = !it.ends_clause()
            && grammar().after.against.begin(&words[at + 1..])
            && is_known(spelled);
        gone.then(|| spelled.to_owned())
    })
}

/// Names that go, out of those that `is_there` knows.
pub(super) fn taken_away(
    words: &[Token],
    text: &str,
    is_there: &dyn Fn(&str) -> bool,
) -> Vec<String> {
    let mut gone: Vec<String> = Vec::new();
    for start in 0..words.len() {
        if words[start].ends_clause() {
            continue;
        }
        let name = name_at(words, start, text);
        let joined = name.end;
        let spelled = name.spelled.as_str();
        let is_part = words.get(joined).is_some_and(|it| {
            !it.ends_clause()
                && !ends(words, joined)
                && !it.is(&[
                    "crate",
                    "gem",
                    "package",
                    "dependency",
                    "library",
                    "completely",
                    "out",
                    "away",
                    "off",
                    "to",
                ])
        });
        // What a clause swaps for something else is a technology though no manifest names it.
        let has_hump = spelled
            .as_bytes()
            .windows(2)
            .any(|it| it[0].is_ascii_lowercase() && it[1].is_ascii_uppercase());
        let swapped = (is_swap(words, start) || has_hump)
            && !is_common(spelled)
            && !words[start].within(&grammar().no_dependency)
            && !words[start].within(&grammar().articles)
            && !words[start].within(&grammar().fillers);
        if spelled.len() < 2
            || is_part
            || !(swapped || is_there(spelled))
            || gone.iter().any(|it| it == spelled)
        {
            continue;
        }
        if matches!(role(words, start, joined, None), Role::Replaced | Role::Dropped) {
            gone.push(spelled.to_owned());
        }
    }
    gone
}

/// The end of a word and what is joined to it by a mark: "better-auth", "@scope/name".
fn joined_end(words: &[Token], start: usize, text: &str) -> usize {
    let mut end = start + 1;
    while let Some(next) = words.get(end) {
        let between = text.get(words[end - 1].end..next.start).unwrap_or_default();
        if next.ends_clause() || !matches!(between, "-" | "/" | "_") {
            break;
        }
        end += 1;
    }
    end
}

/// The name that begins here: a word, what is joined to it, and further capitalised words.
fn name_at(words: &[Token], start: usize, text: &str) -> Name {
    let mut end = joined_end(words, start, text);
    let spelled = |from: usize, to: usize| {
        text.get(words[from].start..words[to - 1].end).unwrap_or_default().to_owned()
    };
    if !is_name(&spelled(start, end)) {
        return Name { spelled: spelled(start, end), start, end };
    }
    while let Some(next) = words.get(end) {
        let between = text.get(words[end - 1].end..next.start).unwrap_or_default();
        let joins = matches!(between, " " | " & ");
        let part = spelled(end, end + 1);
        let is_capital = part.chars().next().is_some_and(char::is_uppercase);
        if next.ends_clause() || !joins || !is_capital || next.within(&grammar().no_dependency) {
            break;
        }
        end = joined_end(words, end, text);
    }
    Name { spelled: spelled(start, end), start, end }
}

fn is_brought(words: &[Token], name: &Name) -> bool {
    let grammar = grammar();
    let word = &words[name.start];
    if word.within(&grammar.no_dependency) || word.within(&grammar.articles) {
        return false;
    }
    // "Publish/Unpublish" are things people do.
    let parts = name.spelled.split('/');
    if name.spelled.contains('/')
        && parts.clone().any(|it| super::command::is_command(&it.to_lowercase()))
    {
        return false;
    }
    let number = |it: char| it.is_ascii_digit() || it == '.';
    if name.spelled.chars().all(number) || name.spelled.len() < 2 {
        return false;
    }
    let before = words[..name.start].last();
    let at_the_start = before.is_none_or(|it| it.is(&[".", "!", "?", ";"]));
    let known = is_library_name(&name.spelled);
    let named = known || (is_name(&name.spelled) && !at_the_start);
    // "Envers is fine" may well begin with the name.
    let told = named || (name.start > 0 && is_name(&name.spelled) && !is_common(&name.spelled));
    if told && grammar.after.wanted.begin(&words[name.end..]) && !is_plain_word(&name.spelled) {
        return true;
    }
    // "A instead of B", and nothing before it.
    let alone = words[..name.start].iter().all(|it| it.within(&grammar.polite));
    let pair = |one: &str, other: &str| {
        words.get(name.end).is_some_and(|it| it.word == one)
            && words.get(name.end + 1).is_some_and(|it| it.word == other)
    };
    if alone && known && (pair("instead", "of") || pair("rather", "than")) {
        return true;
    }
    // "A out, B in"
    let turns = |at: usize, word: &str| {
        words.get(at).is_some_and(|it| it.word == word) && ends(words, at + 1)
    };
    if turns(name.end, "in")
        && (0..name.start).any(|at| turns(at, "out"))
        && !is_common(&name.spelled)
    {
        return true;
    }
    let before = &words[..name.start];
    let start = before.iter().rposition(Token::ends_clause).map_or(0, |it| it + 1);
    let before = &before[start..];
    let Some(verb) = before.iter().rev().find(|it| !it.within(&grammar.small)) else {
        return false;
    };
    if !verb.within(&grammar.bringing) {
        return false;
    }
    let swapped = is_swap(words, name.start);
    // "StoreKit 2" is a name with its version.
    let version =
        words.get(name.end).is_some_and(|it| it.word.bytes().all(|it| it.is_ascii_digit()));
    let closes = ends(words, name.end + usize::from(version));
    let clause = clause(words, name.start);
    let has = |list: &super::grammar::Words| clause.iter().any(|it| it.within(list));
    let is_acronym = name.spelled.len() <= 8 && name.spelled.chars().all(char::is_uppercase);
    let told =
        !before.iter().rev().take_while(|it| *it != verb).any(|it| it.within(&grammar.definite));
    match verb.word.as_str() {
        "to" => {
            // "Change the zone to Y" sets a value, whatever Y is.
            let changes = clause.iter().find(|it| it.within(&grammar.moving));
            let sets = changes.is_some_and(|it| it.is(&["change", "changing"])) && !known;
            let moves = has(&grammar.moving) && (swapped || (named && !sets));
            let sends = has(&grammar.sending) && named && !is_acronym && told;
            let plain = swapped && closes && !is_common(&name.spelled);
            (moves || sends || swapped) && told && (named || plain)
        }
        "with" | "by" | "for" => {
            let comes = named || (closes && told && !is_common(&name.spelled));
            (swapped && gives_way(clause) && comes)
                || (verb.word != "for" && known && closes && told)
        }
        "becomes" => closes && !is_common(&name.spelled),
        "via" | "through" => named && !is_acronym && closes,
        "in" | "on" | "behind" => {
            let put = has(&grammar.placing) && !is_code(&name.spelled);
            put && named && (!is_acronym || swapped) && told && closes
        }
        "install" => !before.iter().any(|it| it.is(&["on", "to"])),
        "add" => {
            is_library(words, name)
                || named && !is_acronym && (closes || known || is_kind(words, name.end)) && told
        }
        _ => {
            (named && (closes || swapped || is_kind(words, name.end)) && told)
                || (swapped && closes && told && !is_common(&name.spelled))
        }
    }
}

/// The clause takes something away, so that "with", "by" and "for" lead to what comes.
fn gives_way(clause: &[Token]) -> bool {
    let rules = &grammar().before;
    clause.iter().any(|it| rules.replaced.end(&[it]) == 1 || rules.dropped.end(&[it]) == 1)
}

/// "Slack integration", "the Redis client": the name of a thing that is brought in.
fn is_kind(words: &[Token], at: usize) -> bool {
    words.get(at).is_some_and(|it| {
        it.is(&[
            "integration",
            "client",
            "sdk",
            "library",
            "package",
            "crate",
            "gem",
            "plugin",
            "module",
            "dependency",
            "addon",
            "extension",
            "federation",
            "bridge",
            "connector",
            "driver",
            "adapter",
            "backend",
            "exporter",
            "v2",
            "v3",
            "v4",
            "v5",
            "v6",
        ])
    })
}

/// "Add the lodash library": the noun says what the name is.
fn is_library(words: &[Token], name: &Name) -> bool {
    let generic = [
        "shared",
        "internal",
        "common",
        "small",
        "component",
        "payment",
        "logging",
        "new",
        "ui",
        "own",
        "helper",
        "utility",
    ];
    let noun = ["library", "package", "dependency", "sdk", "crate", "gem"];
    words.get(name.end).is_some_and(|it| it.is(&noun)) && !words[name.start].is(&generic)
}
