//! Sentences: which of them ask or weigh instead of deciding, and which tell how things are.

use super::grammar::grammar;
use crate::domain::words::Token;

fn ends(it: &Token) -> bool {
    matches!(it.word.as_str(), "." | "!" | "?" | ";")
}

/// The words of the sentence around `at`, without the mark that ends it, and that mark.
fn around(words: &[Token], at: usize) -> (&[Token], &str) {
    let span = span(words, at.min(words.len()));
    let mark = words.get(span.end).map_or("", |it| it.word.as_str());
    (&words[span], mark)
}

/// Where the sentence around a word begins and ends.
pub(super) fn span(words: &[Token], at: usize) -> std::ops::Range<usize> {
    let start = words[..at].iter().rposition(ends).map_or(0, |it| it + 1);
    let end = words[at..].iter().position(ends).map_or(words.len(), |it| at + it);
    start..end
}

/// Whether the sentence around a word asks: it ends with a question mark, or begins as questions do.
pub(super) fn is_question(words: &[Token], at: usize) -> bool {
    let (sentence, mark) = around(words, at);
    // "Can you add a cache?" is a request in the form of a question.
    let requests = sentence.iter().take(2).any(|it| it.is(&["you"]));
    if requests {
        return false;
    }
    mark == "?" || opens_a_question(sentence)
}

/// "Should we …" asks also without a question mark; "is" and "are" do so only with one.
fn opens_a_question(sentence: &[Token]) -> bool {
    let first =
        sentence.iter().position(|it| !it.is(&["so", "hey", "hi", "btw", "and", "ok", ","]));
    let sentence = &sentence[first.unwrap_or(sentence.len())..];
    let pairs = [
        "we", "i", "it", "there", "come", "does", "do", "is", "are", "would", "hard", "much",
        "many",
    ];
    let asks = sentence.first().is_some_and(|it| {
        it.is(&[
            "should", "shall", "do", "could", "can", "would", "how", "why", "what", "is", "are",
            "whats",
        ])
    });
    asks && sentence.get(1).is_some_and(|it| it.is(&pairs)) && grammar().asking.begin(sentence)
}

/// Whether the sentence around a word asks or weighs, so that nothing in it is decided.
pub(super) fn weighs(words: &[Token], at: usize) -> bool {
    let (sentence, _) = around(words, at);
    let doubts = (0..sentence.len()).any(|it| grammar().weighing.begin(&sentence[it..]));
    is_question(words, at) || doubts
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

/// The first sentence tells how things are: its first verb is one of telling, and nothing in it
/// says what shall be. "Badge shows 0 after login" is a report, "badge should show 1" is a wish.
pub(super) fn tells(words: &[Token]) -> bool {
    let grammar = grammar();
    let words = &words[super::part::behind_its_part(words)..];
    let Some(first) = words.iter().position(|it| !it.ends_clause()) else { return false };
    let (sentence, _) = around(words, first);
    let lead = &sentence[0];
    let subject = ["i", "we", "you", "lets", "us", "were", "weve", "wed", "id", "im", "ive"];
    let commands = lead.within(&grammar.making)
        || lead.within(&grammar.deciding)
        || lead.within(&grammar.adjusting)
        || lead.within(&grammar.reshaping)
        || lead.within(&grammar.moving)
        || lead.is(&subject);
    // What follows "when" or "that" is told about something else.
    let turns = ["when", "if", "after", "while", "where", "that", "which", "who", "so", "until"];
    let main = sentence.iter().take_while(|it| !it.is(&turns));
    let wishes = sentence.iter().any(|it| it.within(&grammar.modal));
    // "Viewers pay to see it" tells of nothing that was seen.
    let main: Vec<&Token> = main.collect();
    let verb = main.windows(2).any(|it| it[1].within(&grammar.telling) && it[0].word != "to");
    // "Owners get a weekly report" tells of what shall be.
    let regular = sentence.iter().any(|it| it.is(&["daily", "weekly", "monthly", "yearly"]))
        && sentence.iter().any(|it| it.is(&["get", "receive"]));
    verb && !commands && !wishes && !regular && !asks_later(words, first) && !orders_later(words)
}

/// A later sentence says what is wanted: "Search is terrible. We need a proper engine."
fn asks_later(words: &[Token], first: usize) -> bool {
    let grammar = grammar();
    let later = words[first..].split(ends).skip(1);
    later.filter_map(|it| it.iter().position(|it| !it.ends_clause()).map(|at| &it[at..])).any(
        |it| {
            let leads = it[0].within(&grammar.making) && !it[0].is(&["make", "set"]);
            let wants =
                it.windows(2).any(|it| it[0].is(&["we", "i"]) && it[1].is(&["need", "want"]));
            let chosen = (1..it.len()).any(|at| grammar.after.wanted.begin(&it[at..]));
            leads || wants || chosen
        },
    )
}

/// Behind a sentence that tells how things are, another orders something to be brought, moved or
/// let do it: "X is a pain. Let Y do it."
pub(super) fn orders_later(words: &[Token]) -> bool {
    let grammar = grammar();
    let starts = |at: usize| {
        let before = words[..at].iter().rev().take_while(|it| !it.ends_clause());
        let mut before = before.filter(|it| !it.within(&grammar.polite) && !it.is(&["so", "and"]));
        before.next().is_none() && words[..at].iter().any(Token::ends_clause)
    };
    (1..words.len()).any(|at| {
        let word = &words[at];
        let leads_to = || {
            let rest = words[at..].iter().take_while(|it| !it.ends_clause());
            let mut rest = rest.skip(1);
            rest.any(|it| it.is(&["to", "onto", "with", "into"]))
        };
        let brings = word.is(&[
            "use",
            "adopt",
            "introduce",
            "replace",
            "swap",
            "install",
            "build",
            "integrate",
        ]);
        let has = word.word == "have"
            && words[at - 1].is(&["lets", "us"])
            && words.get(at + 1).is_some_and(|it| it.within(&grammar.articles));
        let moves = (word.within(&grammar.moving) || word.is(&["take", "put", "raise", "get"]))
            && leads_to();
        let lets = words[at - 1].word == "let"
            && words.get(at + 1).is_some_and(|it| it.within(&grammar.serving))
            && word.is_capital;
        let drops = (word.within(&grammar.taking) || grammar.before.dropped.end(&[word]) == 1)
            && words[at..].iter().take(4).any(|it| it.is(&["it", "them", "out", "away", "rid"]));
        (starts(at) && (brings || moves || drops || has)) || lets
    })
}
