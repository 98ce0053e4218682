//! What kind of work a request asks for. Small work needs no decision and no questions.

use super::frame;
use super::grammar::{Words, grammar};
use super::mention::Mention;
use super::part::behind_its_part;
use super::report;
use super::role::Role;
use super::sentence;
use super::spelling;
use crate::domain::words::Token;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// Words, comments, looks.
    Wording,
    /// Another name for what is there.
    Rename,
    BugFix,
    Refactor,
    Performance,
    /// Settings, versions, limits.
    Configuration,
    /// Tests for what is there.
    Tests,
    /// Something to be answered, and nothing to be decided by it.
    Question,
    Feature,
}

/// The first word that is not said out of politeness, and where it stands.
pub(super) fn lead(words: &[Token]) -> Option<usize> {
    let start = behind_its_part(words);
    let lead = |it: &Token| !it.ends_clause() && !it.within(&grammar().polite);
    let at = start + words[start..].iter().position(lead)?;
    // "A store credit must …": what an article leads to commands nothing.
    let is_noun = at > 0 && words[at - 1].is(&["a", "an", "the", "our"]);
    (!is_noun).then_some(at)
}

/// `has_trace` tells that a stack trace or a log is quoted.
pub(super) fn work(words: &[Token], mentions: &[Mention], has_trace: bool) -> Work {
    if sentence::is_only_a_question(words) {
        return Work::Question;
    }
    let small = match small_work(words) {
        Work::Feature if report::is_a_report(words, has_trace) => Work::BugFix,
        small => small,
    };
    if small != Work::Feature && changes_technology(words, mentions) {
        return Work::Feature;
    }
    small
}

fn small_work(words: &[Token]) -> Work {
    let grammar = grammar();
    let lead = lead(words);
    let leads = |wanted: &Words| lead.is_some_and(|at| words[at].within(wanted));
    let leads_as = |wanted: &[&str]| lead.is_some_and(|at| words[at].is(wanted));
    let has = |wanted: &Words| words.iter().any(|it| it.within(wanted));
    let makes = leads(&grammar.making);
    let adds = leads_as(&["add", "write", "improve", "extend", "cover", "increase", "mention"]);
    let edits = leads(&grammar.adjusting) || leads_as(&["edit", "fix", "correct", "improve"]);
    if leads(&grammar.renaming) && !leads(&grammar.wording_verbs) {
        return Work::Rename;
    }
    if (first_has(words, &grammar.wording) && (adds || edits))
        || leads(&grammar.wording_verbs)
        || (leads(&grammar.wording) && !sentence::orders_later(words))
        || (edits && first_has(words, &grammar.looks))
    {
        return Work::Wording;
    }
    let translates = leads_as(&["translate", "localize", "localise"]);
    if translates && words.iter().any(|it| it.is(&["to", "into"])) {
        return Work::Wording;
    }
    if adds && first_has(words, &grammar.documents) {
        return Work::Wording;
    }
    if report::is_about_a_document(words) {
        return Work::Wording;
    }
    if leads(&grammar.mending)
        || (!makes && reports_a_defect(words))
        || (lead_is(words, lead, "debug") && words.iter().any(|it| it.is(&["why", "the"])))
    {
        return Work::BugFix;
    }
    // "Split a bill between flatmates": what is divided among people is no code.
    let among = words.windows(2).any(|it| {
        it[0].is(&["with", "between", "among", "over", "across", "for"])
            && it[1].within(&grammar.subjects)
    });
    let shares = lead_is(words, lead, "share") && !words.iter().any(|it| it.is(&CODE));
    if (leads(&grammar.reshaping) && !shares && !among)
        || (!makes && words.iter().any(|it| it.is(&["refactor", "refactoring"])))
    {
        return Work::Refactor;
    }
    if leads(&grammar.quickening) && has(&grammar.speed) {
        return Work::Performance;
    }
    if leads_as(&["bump", "upgrade", "pin", "downgrade"])
        || (leads(&grammar.adjusting) && !leads_as(&["setup"]) && has(&grammar.settings))
        || sets_a_value(words)
        || (leads(&grammar.defaulting) && has_run(words, &["by", "default"]))
    {
        return Work::Configuration;
    }
    if ((adds || leads_as(&["cover", "raise"])) && tests_something(words)) || only_tests(words) {
        return Work::Tests;
    }
    if deletes_what_is_dead(words, lead) {
        return Work::Refactor;
    }
    Work::Feature
}

/// What is shared where code is shared, and not something with somebody.
const CODE: [&str; 16] = [
    "between",
    "across",
    "among",
    "code",
    "logic",
    "helper",
    "helpers",
    "module",
    "package",
    "component",
    "components",
    "schemas",
    "types",
    "function",
    "functions",
    "utility",
];

fn lead_is(words: &[Token], lead: Option<usize>, word: &str) -> bool {
    lead.is_some_and(|at| words[at].word == word)
}

/// In the first clause, which says what is to be done.
fn first_has(words: &[Token], wanted: &Words) -> bool {
    let start = words.iter().position(|it| !it.ends_clause()).unwrap_or_default();
    words[start..].iter().take_while(|it| !it.ends_clause()).any(|it| it.within(wanted))
}

/// The first sentence tells of a defect: by such a word, by a name that ends like an error's, or
/// because it says how things are and not how they shall be.
fn reports_a_defect(words: &[Token]) -> bool {
    let first = words.iter().take_while(|it| it.word != "." && it.word != "!").count();
    let error = |it: &Token| {
        let word = it.word.rsplit('.').next().unwrap_or_default();
        word.len() > 6 && (word.ends_with("error") || word.ends_with("exception"))
    };
    let commands = lead(words).is_some_and(|at| {
        let grammar = grammar();
        words[at].within(&grammar.deciding) || words[at].within(&grammar.moving)
    });
    !commands && !sentence::orders_later(words) && (0..first).any(|at| report::is_defect(words, at))
        || words.iter().any(error)
        || sentence::tells(words)
}

/// "X should default to 60", "X must be false when …": a setting and its value.
fn sets_a_value(words: &[Token]) -> bool {
    let modal = |it: &Token| it.is(&["should", "must", "shall"]);
    words.windows(3).any(|it| {
        let value = |it: &Token| {
            it.is(&["true", "false", "on", "off", "enabled", "disabled"])
                || it.word.chars().next().is_some_and(|it| it.is_ascii_digit())
        };
        let number = |it: &Token| it.word.bytes().all(|it| it.is_ascii_digit());
        // "retry-limit 3 -> 8"
        let leads = it[0].within(&grammar().settings) && number(&it[1]) && number(&it[2]);
        leads
            || (modal(&it[0]) && it[1].word == "default")
            || (modal(&it[0]) && it[1].word == "be" && value(&it[2]))
    })
}

/// "Remove unused dependencies", "delete the dead code".
fn deletes_what_is_dead(words: &[Token], lead: Option<usize>) -> bool {
    let deletes = lead.is_some_and(|at| words[at].is(&["delete", "remove", "drop", "prune"]));
    deletes && words.iter().any(|it| it.is(&["dead", "unused", "obsolete", "stale", "leftover"]))
}

/// Whether a topic is the object of a verb that decides, and not a part of something else.
pub(super) fn decides(words: &[Token], mention: &Mention, beside: Option<&Mention>) -> bool {
    let grammar = grammar();
    let clause_start =
        words[..mention.start].iter().rposition(Token::ends_clause).map_or(0, |it| it + 1);
    let before = &words[clause_start..mention.start];
    // A value of the same topic may stand before it: "SAML SSO for enterprises".
    let own = beside.filter(|it| it.end == mention.start).map_or(mention.start, |it| it.start);
    let leads =
        words[clause_start..own.max(clause_start)].iter().all(|it| it.within(&grammar.polite));
    if leads && words[mention.start].within(&grammar.doing) {
        return true;
    }
    let compound = beside.is_some_and(|it| {
        it.end == mention.start
            && !it.categories().any(|category| mention.categories().any(|own| own == category))
    });
    // "a Vulkan backend": a name before the word says that another kind of thing is meant.
    let is_kind = before.len() > 1
        && before.last().is_some_and(|it| it.is_capital)
        && beside.is_none_or(|it| it.end != mention.start);
    if compound
        || is_kind
        || frame::is_place(words, mention.end)
        || is_adjunct(before)
        || shall_behave(words, mention.end)
    {
        return false;
    }
    let deciding = |it: &Token| {
        it.within(&grammar.making) || it.within(&grammar.deciding) || it.within(&grammar.moving)
    };
    // "A store credit": what an article leads to is no verb.
    let is_noun =
        |at: usize| at > 0 && before[at - 1].is(&["a", "an", "the", "our", "each", "every"]);
    let lead = lead(words).map(|at| &words[at]);
    let opens = clause_start == 0 || words[clause_start - 1].word == ":";
    // "Let us have a real search".
    let has =
        before.windows(2).any(|it| it[0].is(&["lets", "us", "should"]) && it[1].word == "have");
    leads && opens
        || has
        || frame::is_swap(words, mention.start)
        || (0..before.len()).any(|at| deciding(&before[at]) && !is_noun(at))
        || lead.is_some_and(|it| {
            it.within(&grammar.making)
                || it.within(&grammar.deciding)
                || it.within(&grammar.subjects)
        })
}

/// "Search should ignore case" says how what is there shall behave; "search should use X" decides.
fn shall_behave(words: &[Token], end: usize) -> bool {
    let modal = words.get(end).is_some_and(|it| it.is(&["should", "must", "shall"]));
    let decides = ["use", "be", "run", "go", "move", "live", "switch", "have", "come", "get"];
    modal && words.get(end + 1).is_some_and(|it| !it.is(&decides) && !it.within(&grammar().moving))
}

/// What leads to the topic is a place or a time: "after sign up", "in the cache". A new thing may
/// well stand in a place: "behind a load balancer"; and so may what something is put into.
fn is_adjunct(before: &[Token]) -> bool {
    let grammar = grammar();
    let fillers = ["new", "a", "an", "the", "our", "own", "proper", "real", "its", "this", "that"];
    let Some(at) = before.iter().rposition(|it| !it.is(&fillers)) else { return false };
    let between = &before[at + 1..];
    let is_new = between.iter().any(|it| it.is(&["a", "an", "new", "own"]));
    let placed = before[..at].iter().any(|it| it.within(&grammar.storing))
        && before[at].is(&["in", "on", "into", "behind", "via", "by"]);
    let is_definite = between.iter().any(|it| it.within(&grammar.definite));
    // "Speed up the search" and "extend the API" speak of what is there; choosing verbs open it.
    let known = is_definite
        && !before
            .iter()
            .any(|it| it.within(&grammar.choosing_verbs) || it.within(&grammar.making))
        && !before.iter().any(|it| {
            it.is(&[
                "deploy", "host", "secure", "encrypt", "release", "decide", "plan", "expose",
                "split", "our",
            ])
        });
    // "Use Redis for the cache" says what it is used for.
    let uses = before[at].word == "for"
        && before[..at].iter().any(|it| {
            it.is(&[
                "use", "using", "choose", "pick", "adopt", "plan", "adr", "package", "module",
                "service", "library", "system",
            ])
        });
    let decides_on = at > 0 && before[at].word == "on" && before[at - 1].is(&["decide", "settle"]);
    (before[at].within(&grammar.adjuncts) && !is_new && !placed && !decides_on && !uses) || known
}

/// Whether a name stands where something is chosen, or gives way to something.
pub(super) fn is_chosen(words: &[Token], mention: &Mention) -> bool {
    if mention.role != Role::Wanted {
        return true;
    }
    let grammar = grammar();
    if grammar.after.wanted.begin(&words[mention.end..]) {
        return true;
    }
    let fillers =
        ["a", "an", "the", "our", "new", "support", "up", "of", "social", "plain", "just"];
    let mut back = words[..mention.start].iter().rev().filter(|it| !it.is(&fillers)).peekable();
    let supports = words[..mention.start].iter().rev().take(2).any(|it| it.word == "support");
    let exchanged = back.peek().is_some_and(|it| it.word == "for");
    if exchanged && !supports {
        return frame::is_swap(words, mention.start);
    }
    let before = back.find(|it| it.word != "for");
    let is_part = frame::is_place(words, mention.end);
    match before {
        None => !is_part,
        Some(it) if it.ends_clause() => !is_part,
        Some(it) if it.within(&grammar.making) || it.is(&["need", "and", "or"]) => {
            !is_part || it.is(&["use"])
        }
        Some(it) => !is_part && it.within(&grammar.choosing) || it.within(&grammar.moving),
    }
}

/// "Tests only, don't touch the sources".
fn only_tests(words: &[Token]) -> bool {
    has_run(words, &["tests", "only"]) || has_run(words, &["only", "tests"])
}

fn has_run(words: &[Token], run: &[&str]) -> bool {
    words.windows(run.len()).any(|it| it.iter().zip(run).all(|(word, wanted)| word.word == *wanted))
}

/// "tests for the parser": the tests are of something that is there.
fn tests_something(words: &[Token]) -> bool {
    let of = ["for", "around", "of", "covering", "to", "in"];
    words.windows(2).any(|it| it[0].is(&["test", "tests", "coverage"]) && it[1].is(&of))
}

/// Small work that brings in or swaps a technology is not small.
fn changes_technology(words: &[Token], mentions: &[Mention]) -> bool {
    let roles = |role| mentions.iter().any(|it| it.role == role && it.values().next().is_some());
    if roles(Role::Replaced) && roles(Role::Wanted) {
        return true;
    }
    mentions.iter().any(|mention| {
        let brought = mention.start.checked_sub(1).and_then(|at| words.get(at));
        mention.role == Role::Wanted
            && mention.values().next().is_some()
            && brought.is_some_and(|it| {
                let adds = it.is(&["add", "install", "introduce"]);
                let library = spelling::is_library_name(&words[mention.start].word);
                it.is(&["use", "using", "onto", "into", "adopt"]) || (adds && library)
            })
    })
}
