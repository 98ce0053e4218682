//! The frames of a request: where a word stands for a place and not for a decision, which sentence
//! asks, which names come in although the bank does not know them, and which version is raised.

use crate::domain::words::Token;

/// What may follow a topic that is meant itself; any other word makes it a place: "search box".
const AFTER_A_TOPIC: [&str; 80] = [
    "w",
    "api",
    "apis",
    "flow",
    "pipeline",
    "protection",
    "chart",
    "charts",
    "releases",
    "rules",
    "jobs",
    "functionality",
    "management",
    "platform",
    "tool",
    "stack",
    "only",
    "flows",
    "for",
    "to",
    "in",
    "on",
    "with",
    "without",
    "from",
    "of",
    "and",
    "or",
    "using",
    "via",
    "by",
    "at",
    "so",
    "that",
    "which",
    "per",
    "across",
    "between",
    "behind",
    "when",
    "if",
    "is",
    "are",
    "should",
    "must",
    "over",
    "as",
    "into",
    "onto",
    "because",
    "since",
    "but",
    "instead",
    "rather",
    "through",
    "after",
    "before",
    "until",
    "while",
    "based",
    "next",
    "alongside",
    "besides",
    "layer",
    "system",
    "service",
    "support",
    "strategy",
    "solution",
    "provider",
    "library",
    "framework",
    "engine",
    "infrastructure",
    "setup",
    "integration",
    "backend",
    "server",
    "entirely",
    "completely",
];

/// Whether the word that ends before `end` names a part of something else.
pub(super) fn is_place(words: &[Token], end: usize) -> bool {
    // An article behind it makes it a verb with an object: "upload a cover image".
    let determiners = ["a", "an", "the", "their", "our", "its", "all", "any", "some", "this"];
    words.get(end).is_some_and(|next| {
        !next.ends_clause() && !next.is(&AFTER_A_TOPIC) && !next.is(&determiners)
    })
}

/// Whether the sentence around a word asks instead of deciding: it ends with a question mark.
pub(super) fn is_question(words: &[Token], at: usize) -> bool {
    let ends = |it: &&Token| matches!(it.word.as_str(), "." | "!" | "?" | ";");
    let end = words[at.min(words.len())..].iter().find(ends);
    if end.is_none_or(|it| it.word != "?") {
        return false;
    }
    let start = words[..at].iter().rposition(|it| ends(&it)).map_or(0, |it| it + 1);
    // "Can you add a cache?" is a request in the form of a question.
    !words[start..].iter().take(2).any(|it| it.is(&["you"]))
}

/// A question and nothing besides it.
pub(super) fn is_only_a_question(words: &[Token]) -> bool {
    let mut any = false;
    for (index, word) in words.iter().enumerate().filter(|(_, it)| !it.ends_clause()) {
        if !is_question(words, index) {
            return false;
        }
        any |= !word.word.is_empty();
    }
    any
}

/// Words that stand between a verb and a name.
pub(super) const SMALL: [&str; 12] =
    ["a", "an", "the", "our", "native", "new", "plain", "own", "just", "only", "support", "for"];

/// "replace contentlayer": what shall go, where nothing is named that comes.
pub(super) fn without_successor(words: &[Token], text: &str) -> Option<String> {
    let verb = words.iter().position(|it| {
        !it.ends_clause() && !it.is(&["please", "we", "must", "should", "need", "to"])
    })?;
    if !words[verb].is(&["replace"]) {
        return None;
    }
    let clause: Vec<&Token> = words[verb + 1..].iter().take_while(|it| !it.ends_clause()).collect();
    let names: Vec<&&Token> = clause.iter().filter(|it| !it.is(&SMALL)).collect();
    match names.as_slice() {
        [one] => text.get(one.start..one.end).map(str::to_owned),
        _ => None,
    }
}

/// The clause swaps one thing for another.
pub(super) fn is_swap(words: &[Token], at: usize) -> bool {
    let start = words[..at].iter().rposition(Token::ends_clause).map_or(0, |it| it + 1);
    let clause: Vec<&Token> = words[start..].iter().take_while(|it| !it.ends_clause()).collect();
    let has = |wanted: &[&str]| clause.iter().any(|it| it.is(wanted));
    let swaps = has(&["migrate", "switch", "move", "replace", "swap", "convert", "port", "going"]);
    has(&["instead"]) || has(&["rather"]) || (swaps && (has(&["from"]) || has(&["with"])))
}

/// Whether nothing follows that would make a word a part of something else.
pub(super) fn ends(words: &[Token], at: usize) -> bool {
    words.get(at).is_none_or(|it| it.ends_clause() || it.is(&AFTER_A_TOPIC))
}

/// "upgrade elasticsearch 5 client to 8", "java 17 -> 21": what is raised to another major version.
pub(super) fn major_upgrade(words: &[Token]) -> Option<(String, String)> {
    let raises = words.iter().any(|it| {
        it.is(&["upgrade", "upgrading", "bump", "update", "migrate", "move", "raise", "go"])
    });
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
        let what = words[..*at]
            .iter()
            .rev()
            .find(|it| !it.ends_clause() && !it.is(&["from", "version"]))?;
        if raises || between.is_empty() {
            return Some((what.word.clone(), (*version).to_owned()));
        }
    }
    None
}

const ENGLISH: [&str; 40] = [
    "the", "a", "an", "to", "for", "in", "of", "and", "with", "on", "is", "are", "add", "use",
    "fix", "we", "should", "make", "from", "it", "this", "that", "when", "our", "please", "be",
    "not", "as", "at", "by", "or", "you", "can", "want", "need", "new", "remove", "replace",
    "support", "move",
];
const OTHERS: [&str; 52] = [
    "der",
    "die",
    "das",
    "und",
    "für",
    "mit",
    "auf",
    "eine",
    "einen",
    "ein",
    "bitte",
    "kann",
    "man",
    "bei",
    "statt",
    "wir",
    "soll",
    "sollen",
    "einbauen",
    "ist",
    "nicht",
    "le",
    "la",
    "les",
    "des",
    "un",
    "une",
    "au",
    "aux",
    "pour",
    "avec",
    "ajouter",
    "dans",
    "el",
    "los",
    "las",
    "con",
    "para",
    "una",
    "agrega",
    "añadir",
    "del",
    "il",
    "per",
    "aggiungi",
    "een",
    "het",
    "voor",
    "met",
    "para",
    "uma",
    "adicionar",
];

/// A language that the bank has no words for.
pub(super) fn is_foreign(text: &str, words: &[Token]) -> bool {
    let letters = text.chars().filter(|it| it.is_alphabetic()).count();
    let far = text.chars().filter(|it| it.is_alphabetic() && *it > '\u{24f}').count();
    if far * 3 > letters {
        return true;
    }
    let count = |list: &[&str]| words.iter().filter(|it| it.is(list)).count();
    let others = count(&OTHERS);
    others >= 2 && others > count(&ENGLISH)
        || others == 1 && count(&ENGLISH) == 0 && words.len() > 3
}
