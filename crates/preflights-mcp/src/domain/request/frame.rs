//! The frames of a request: where a word stands for a place and not for a decision, which clause
//! swaps one thing for another, which version is raised, and which language it is.

use super::grammar::grammar;
use crate::domain::words::Token;

/// Whether the word that ends before `end` names a part of something else.
pub(super) fn is_place(words: &[Token], end: usize) -> bool {
    // An article behind it makes it a verb with an object: "upload a cover image".
    words.get(end).is_some_and(|next| {
        let is_number = next.word.starts_with(|it: char| it.is_ascii_digit());
        !next.ends_clause()
            && !is_number
            && !next.within(&grammar().behind_a_topic)
            && !next.within(&grammar().articles)
    })
}

/// Whether nothing follows that would make a word a part of something else.
pub(super) fn ends(words: &[Token], at: usize) -> bool {
    words.get(at).is_none_or(|it| it.ends_clause() || it.within(&grammar().behind_a_topic))
}

/// "replace contentlayer": what shall go, where nothing is named that comes.
pub(super) fn without_successor(words: &[Token], text: &str) -> Option<String> {
    let verb = words.iter().position(|it| !it.ends_clause() && !it.within(&grammar().polite))?;
    if !words[verb].is(&["replace"]) {
        return None;
    }
    let clause: Vec<&Token> = words[verb + 1..].iter().take_while(|it| !it.ends_clause()).collect();
    let names: Vec<&&Token> = clause.iter().filter(|it| !it.within(&grammar().small)).collect();
    match names.as_slice() {
        [one] => text.get(one.start..one.end).map(str::to_owned),
        _ => None,
    }
}

/// The words of the clause around `at`.
pub(super) fn clause(words: &[Token], at: usize) -> &[Token] {
    let start = words[..at].iter().rposition(Token::ends_clause).map_or(0, |it| it + 1);
    let end = words[start..].iter().position(Token::ends_clause);
    &words[start..end.map_or(words.len(), |it| start + it)]
}

/// The clause swaps one thing for another.
pub(super) fn is_swap(words: &[Token], at: usize) -> bool {
    let clause = clause(words, at);
    let has = |wanted: &[&str]| clause.iter().any(|it| it.is(wanted));
    let grammar = grammar();
    let gives = clause.iter().any(|it| grammar.before.replaced.end(&[it]) == 1);
    let moves = clause.iter().any(|it| it.within(&grammar.moving));
    let drops = clause.iter().any(|it| it.is(&["drop", "dropping", "ditch", "ditching"]));
    let in_place = clause.windows(3).any(|it| it[0].is(&["in"]) && it[1].is(&["place", "lieu"]));
    has(&["instead"])
        || has(&["rather"])
        || in_place
        || (gives && (has(&["with"]) || has(&["by"]) || has(&["for"])))
        || (drops && has(&["for"]))
        || (moves && has(&["from"]))
}

/// "upgrade elasticsearch 5 client to 8", "java 17 -> 21", "upgrade to Spring Boot 5": what is
/// raised to another major version.
pub(super) fn major_upgrade(words: &[Token], text: &str) -> Option<(String, String)> {
    let raises = words.iter().any(|it| it.within(&grammar().raising));
    let versions: Vec<(usize, u64, &str)> = words
        .iter()
        .enumerate()
        .filter_map(|(index, it)| {
            let major = it.word.trim_start_matches('v').split('.').next()?.parse().ok()?;
            Some((index, major, it.word.as_str()))
        })
        .collect();
    for pair in versions.windows(2) {
        let [(at, old, _), (then, new, version)] = pair else { continue };
        let between = &words[at + 1..*then];
        let leads = between.iter().any(|it| it.is(&["to"])) || between.is_empty();
        let plain = between.iter().all(|it| !it.ends_clause());
        // Between versions without a word stood an arrow.
        if old == new
            || !leads
            || !plain
            || between.len() > 4
            || (between.is_empty() && *new < *old)
        {
            continue;
        }
        // "Expo 53 to 54" and nothing else needs no verb.
        let terse = *then <= 4 && words[..*at].len() == 1 && ends(words, *then + 1);
        let what = words[..*at]
            .iter()
            .rev()
            .find(|it| !it.ends_clause() && !it.is(&["from", "version", "with"]))?;
        if (raises || terse || between.is_empty()) && !what.within(&grammar().settings) {
            return Some((name_before(words, what.end, text), (*version).to_owned()));
        }
    }
    numbered(words, text).or_else(|| single_version(words, &versions, text))
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

/// "Upgrade React to 19", "move to Java 21": a whole version without the one before it.
fn single_version(
    words: &[Token],
    versions: &[(usize, u64, &str)],
    text: &str,
) -> Option<(String, String)> {
    let lead = words.iter().position(|it| !it.ends_clause() && !it.within(&grammar().polite))?;
    let [(at, major, version)] = versions else { return None };
    let is_whole = version.trim_start_matches('v').trim_end_matches(".0").parse::<u64>().is_ok();
    if !is_whole || *major < 2 || *at <= lead || *major > 1000 {
        return None;
    }
    let clause = &words[lead + 1..*at];
    let sets = clause.iter().any(|it| it.within(&grammar().settings));
    let upgrades = words[lead].is(&["upgrade", "retarget"]);
    let moves = words[lead].is(&["move", "migrate", "switch", "port", "update", "go"]);
    let named = clause.last().filter(|it| !it.is(&["to", "version", "v"]));
    let spelled = named.and_then(|it| text.get(it.start..it.end)).unwrap_or_default();
    let is_name = spelled.chars().any(char::is_uppercase);
    let arrives = clause.iter().any(|it| it.is(&["to", "version"]));
    if sets || !arrives || !(upgrades || (moves && is_name)) {
        return None;
    }
    let what = clause.iter().rev().find(|it| !it.is(&["to", "version", "from", "the", "v"]))?;
    Some((name_before(words, what.end, text), (*version).to_owned()))
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

/// A language that the bank has no words for.
pub(super) fn is_foreign(text: &str, words: &[Token]) -> bool {
    let letters = text.chars().filter(|it| it.is_alphabetic()).count();
    let far = text.chars().filter(|it| it.is_alphabetic() && *it > '\u{24f}').count();
    if far * 3 > letters {
        return true;
    }
    let count = |list: &super::grammar::Words| words.iter().filter(|it| it.within(list)).count();
    let (others, english) = (count(&grammar().foreign), count(&grammar().english));
    others >= 2 && others > english || others == 1 && english == 0 && words.len() > 3
}
