//! The frames of a request: where a word stands for a place and not for a decision, which clause
//! swaps one thing for another, and which language it is.

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

/// Whether what is named ends here, or with a noun for what it is: "the A login".
pub(super) fn ends_thing(behind: &[Token]) -> bool {
    let nouns = [
        "login",
        "integration",
        "support",
        "client",
        "dependency",
        "code",
        "layer",
        "stuff",
        "provider",
        "setup",
    ];
    let rest = if behind.first().is_some_and(|it| it.is(&nouns)) { &behind[1..] } else { behind };
    ends(rest, 0)
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

/// "We need something else for it", "find an alternative".
pub(super) fn asks_for_another(words: &[Token]) -> bool {
    let asks = ["need", "find", "want", "look", "looking", "choose", "pick", "suggest"];
    words.iter().enumerate().any(|(at, it)| {
        let other = it.is(&["replacement", "alternative", "successor", "substitute"])
            || (it.word == "something" && words.get(at + 1).is_some_and(|it| it.word == "else"));
        other && words[..at].iter().rev().take(6).any(|it| it.is(&asks))
    })
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
    let out = words.windows(2).any(|it| it[0].word == "out" && it[1].ends_clause())
        && words.last().is_some_and(|it| it.word == "in");
    let gives = clause.iter().any(|it| grammar.before.replaced.end(&[it]) == 1);
    let moves = clause.iter().any(|it| it.within(&grammar.moving));
    let drops = clause.iter().any(|it| it.is(&["drop", "dropping", "ditch", "ditching"]));
    let in_place = clause.windows(3).any(|it| it[0].is(&["in"]) && it[1].is(&["place", "lieu"]));
    has(&["instead", "becomes"])
        || has(&["rather"])
        || in_place
        || out
        || (gives && (has(&["with"]) || has(&["by"]) || has(&["for"])))
        || (drops && has(&["for"]))
        || (moves && has(&["from"]))
}

/// "Go back to X", "we are moving the data to Y".
fn moves_to_at(words: &[Token], at: usize) -> bool {
    let clause = words[at + 1..].iter().take_while(|it| !it.ends_clause());
    words[at].within(&grammar().moving)
        && !words[at].is(&["change", "changing"])
        && clause.take(6).any(|it| it.is(&["to", "onto"]))
}

/// Something is moved to something else.
pub(super) fn moves_to(words: &[Token]) -> bool {
    (0..words.len()).any(|at| moves_to_at(words, at))
}

/// "X → Y": an arrow between two technologies is read as "becomes". Several of them show a way
/// through menus or data.
pub(super) fn read_arrow(words: &mut Vec<Token>, text: &str, is_known: &dyn Fn(&str) -> bool) {
    let has_digit = |it: &Token| it.word.starts_with(|it: char| it.is_ascii_digit());
    let arrows: Vec<usize> = (1..words.len())
        .filter(|at| {
            let between = text.get(words[at - 1].end..words[*at].start).unwrap_or_default();
            matches!(between.trim(), "->" | "→" | "=>" | "-->" | "➜" | "⇒")
        })
        .collect();
    let [at] = arrows.as_slice() else { return };
    let joined = |it: usize| {
        let between = text.get(words[it].end..words[it + 1].start).unwrap_or_default();
        matches!(between, "-" | "_" | "/")
    };
    // "good_job", "better-auth": one name of several words.
    let start = (1..*at).rev().find(|it| !joined(it - 1)).unwrap_or_default();
    let end = (*at..words.len() - 1).find(|it| !joined(*it)).unwrap_or(words.len() - 1);
    let (left, right) = (&words[at - 1], &words[*at]);
    let opens = words[..start].iter().all(|it| it.within(&grammar().polite));
    let spelled = text.get(words[start].start..left.end).unwrap_or_default();
    let names = is_known(spelled) || (opens && left.is_capital);
    let own = right.is(&["own", "custom", "plain", "native", "our"]);
    let closes = own
        || words
            .get(end + 1)
            .is_none_or(|it| it.is(&[".", ",", "!", ";"]) || it.within(&grammar().behind_a_topic));
    if names && closes && !has_digit(left) && !has_digit(right) {
        let (word, stem) = ("becomes".to_owned(), "become".to_owned());
        let arrow = Token { word, stem, start: left.end, end: right.start, is_capital: false };
        words.insert(*at, arrow);
    }
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
