//! What kind of work a request asks for. Small work needs no decision and no questions.

use super::frame;
use super::mention::{MOVING, Mention, Role};
use crate::domain::words::Token;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// Words, comments, names, looks.
    Wording,
    BugFix,
    Refactor,
    /// Settings, versions, limits.
    Configuration,
    /// Tests for what is there.
    Tests,
    /// Something to be answered, and nothing to be decided by it.
    Question,
    Feature,
}

const POLITE: [&str; 34] = [
    "please", "can", "could", "you", "we", "i", "lets", "let", "us", "need", "to", "should",
    "must", "want", "would", "like", "the", "id", "have", "im", "going", "now", "just", "help",
    "me", "also", "quickly", "hey", "hi", "ok", "so", "a", "an", "our",
];
const MENDING: [&str; 11] = [
    "fix",
    "repair",
    "resolve",
    "hotfix",
    "bugfix",
    "investigate",
    "troubleshoot",
    "correct",
    "patch",
    "fixing",
    "bug",
];
const MAKING: [&str; 14] = [
    "add",
    "build",
    "create",
    "implement",
    "introduce",
    "integrate",
    "set",
    "setup",
    "make",
    "adopt",
    "use",
    "choose",
    "support",
    "design",
];
const RESHAPING: [&str; 15] = [
    "refactor",
    "restructure",
    "clean",
    "cleanup",
    "extract",
    "simplify",
    "reorganize",
    "reorganise",
    "deduplicate",
    "inline",
    "split",
    "tidy",
    "modularize",
    "decouple",
    "refactoring",
];
const ADJUSTING: [&str; 14] = [
    "increase",
    "decrease",
    "raise",
    "lower",
    "set",
    "change",
    "update",
    "adjust",
    "tweak",
    "enable",
    "disable",
    "toggle",
    "turn",
    "configure",
];
const SETTINGS: [&str; 31] = [
    "timeout",
    "timeouts",
    "limit",
    "limits",
    "port",
    "env",
    "variable",
    "variables",
    "config",
    "configuration",
    "setting",
    "settings",
    "flag",
    "flags",
    "threshold",
    "ttl",
    "interval",
    "size",
    "level",
    "version",
    "dependency",
    "dependencies",
    "retry",
    "retries",
    "url",
    "key",
    "pool",
    "default",
    "defaults",
    "headers",
    "verbosity",
];
const WORDING: [&str; 19] = [
    "typo",
    "typos",
    "misspelling",
    "misspelled",
    "spelling",
    "wording",
    "grammar",
    "readme",
    "changelog",
    "docstring",
    "docstrings",
    "indentation",
    "whitespace",
    "punctuation",
    "capitalization",
    "jsdoc",
    "rustdoc",
    "license",
    "comments",
];
const LOOKS: [&str; 20] = [
    "copy",
    "text",
    "label",
    "labels",
    "comment",
    "docs",
    "documentation",
    "tooltip",
    "placeholder",
    "color",
    "colour",
    "icon",
    "padding",
    "margin",
    "font",
    "title",
    "heading",
    "message",
    "logo",
    "favicon",
];

/// The first word that is not said out of politeness.
fn lead(words: &[Token]) -> &str {
    let lead = words.iter().find(|it| !it.ends_clause() && !it.is(&POLITE));
    lead.map_or("", |it| it.word.as_str())
}

pub(super) fn work(words: &[Token], mentions: &[Mention]) -> Work {
    if frame::is_only_a_question(words) {
        return Work::Question;
    }
    let small = small_work(words);
    if small != Work::Feature && changes_technology(words, mentions) {
        return Work::Feature;
    }
    small
}

fn small_work(words: &[Token]) -> Work {
    let lead = lead(words);
    let has = |wanted: &[&str]| words.iter().any(|it| it.is(wanted));
    let makes = MAKING.contains(&lead);
    let adds = ["add", "write", "improve", "extend", "cover", "increase"].contains(&lead);
    let edits = ADJUSTING.contains(&lead) || ["edit", "fix", "correct", "improve"].contains(&lead);
    let renames = ["rename", "reword", "rephrase", "document", "format", "reformat", "lint"];
    if (first_has(words, &WORDING) && (adds || edits))
        || renames.contains(&lead)
        || (edits && has(&LOOKS))
    {
        return Work::Wording;
    }
    let translates = ["translate", "localize", "localise"].contains(&lead);
    if translates && has(&["to", "into"]) {
        return Work::Wording;
    }
    if adds && has(&["docs", "documentation", "comment"]) {
        return Work::Wording;
    }
    if MENDING.contains(&lead)
        || (!makes && reports_a_defect(words))
        || has(&["bugfix", "hotfix", "regression"])
        || (!makes
            && has(&["bug", "bugs", "crash", "crashes", "crashing", "broken", "leak", "flaky"]))
        || (lead == "debug" && words.iter().any(|it| it.is(&["why", "the"])))
    {
        return Work::BugFix;
    }
    let quickens = ["make", "improve", "speed", "optimize", "optimise", "reduce"].contains(&lead);
    let speed = ["faster", "quicker", "speed", "performance", "latency", "optimize", "optimise"];
    if RESHAPING.contains(&lead)
        || (!makes && has(&["refactor", "refactoring"]))
        || (quickens && has(&speed))
    {
        return Work::Refactor;
    }
    if ["bump", "upgrade", "pin", "downgrade"].contains(&lead)
        || (ADJUSTING.contains(&lead) && lead != "setup" && has(&SETTINGS))
    {
        return Work::Configuration;
    }
    if adds && tests_something(words) {
        return Work::Tests;
    }
    Work::Feature
}

/// In the first clause, which says what is to be done.
fn first_has(words: &[Token], wanted: &[&str]) -> bool {
    words.iter().take_while(|it| !it.ends_clause()).any(|it| it.is(wanted))
}

/// Words that say that something is not as it should be.
const DEFECTS: [&str; 32] = [
    "crashes",
    "crash",
    "crashing",
    "panics",
    "panicked",
    "panic",
    "fails",
    "failing",
    "failed",
    "hangs",
    "freezes",
    "overlaps",
    "overlap",
    "misaligned",
    "broken",
    "breaks",
    "wrong",
    "incorrect",
    "incorrectly",
    "nan",
    "flickers",
    "leaks",
    "stuck",
    "nullpointerexception",
    "typeerror",
    "exception",
    "traceback",
    "segfault",
    "deadlock",
    "duplicate",
    "n+1",
    "500",
];

/// The first sentence tells of a defect: by such a word, by a name that ends like an error's, or by
/// what should be instead.
fn reports_a_defect(words: &[Token]) -> bool {
    let first = words.iter().take_while(|it| it.word != "." && it.word != "!");
    let error = |it: &Token| {
        let word = it.word.rsplit('.').next().unwrap_or_default();
        word.len() > 6 && (word.ends_with("error") || word.ends_with("exception"))
    };
    let mut first = first.peekable();
    first.any(|it| it.is(&DEFECTS)) || words.iter().any(error)
}

const DECIDING: [&str; 46] = [
    "need", "want", "let", "allow", "enable", "secure", "protect", "store", "put", "send",
    "publish", "run", "schedule", "serve", "expose", "upgrade", "deploy", "encrypt", "log", "pick",
    "decide", "host", "persist", "get", "rid", "drop", "remove", "delete", "retire", "replace",
    "swap", "switch", "migrate", "move", "convert", "port", "try", "provide", "accept", "take",
    "go", "plan", "backfill", "split", "charge", "release",
];
/// Verbs that are topics themselves.
const DONE: [&str; 9] = [
    "cache",
    "deploy",
    "encrypt",
    "authenticate",
    "authorize",
    "throttle",
    "monitor",
    "containerize",
    "dockerize",
];
const SUBJECTS: [&str; 9] = [
    "users",
    "user",
    "people",
    "customers",
    "moderators",
    "admins",
    "members",
    "everyone",
    "teams",
];

/// Whether a topic is the object of a verb that decides, and not a part of something else.
pub(super) fn decides(words: &[Token], mention: &Mention, beside: Option<&Mention>) -> bool {
    let clause_start =
        words[..mention.start].iter().rposition(Token::ends_clause).map_or(0, |it| it + 1);
    let before = &words[clause_start..mention.start];
    let leads = before.iter().all(|it| it.is(&POLITE));
    if leads && words[mention.start].is(&DONE) {
        return true;
    }
    let compound = beside.is_some_and(|it| {
        it.end == mention.start
            && !it.categories().any(|category| mention.categories().any(|own| own == category))
    });
    if compound || frame::is_place(words, mention.end) {
        return false;
    }
    let deciding = |it: &Token| it.is(&MAKING) || it.is(&DECIDING) || it.is(&MOVING);
    let lead = lead(words);
    leads
        || frame::is_swap(words, mention.start)
        || before.iter().any(deciding)
        || MAKING.contains(&lead)
        || DECIDING.contains(&lead)
        || SUBJECTS.contains(&lead)
}

/// Words that stand before something that is chosen.
const CHOOSING: [&str; 25] = [
    "as",
    "add",
    "use",
    "using",
    "adopt",
    "introduce",
    "with",
    "to",
    "on",
    "in",
    "via",
    "into",
    "onto",
    "by",
    "through",
    "choose",
    "pick",
    "install",
    "integrate",
    "implement",
    "setup",
    "and",
    "or",
    "only",
    "need",
];

/// Whether a name stands where something is chosen, or gives way to something.
pub(super) fn is_chosen(words: &[Token], mention: &Mention) -> bool {
    if mention.role != Role::Wanted {
        return true;
    }
    let fillers = ["a", "an", "the", "our", "new", "support", "for", "up", "of", "social"];
    let before = words[..mention.start].iter().rev().find(|it| !it.is(&fillers));
    let is_part = frame::is_place(words, mention.end);
    match before {
        None => !is_part,
        Some(it) if it.ends_clause() => !is_part,
        Some(it) if it.is(&MAKING) || it.is(&["need", "and", "or"]) => !is_part || it.is(&["use"]),
        Some(it) => it.is(&CHOOSING) || it.is(&MOVING),
    }
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
            && brought.is_some_and(|it| it.is(&["use", "using", "onto", "into", "adopt"]))
    })
}

pub(super) fn asks_for_record(words: &[Token]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        let asked = word.is(&[
            "adr",
            "adrs",
            "architecture",
            "architectural",
            "strategy",
            "strategies",
            "approach",
        ]);
        let record =
            word.word == "decision" && words.get(at + 1).is_some_and(|it| it.stem == "record");
        let refused =
            words[..at].iter().rev().take(3).any(|it| it.is(&["no", "not", "without", "dont"]));
        (asked || record) && !refused
    })
}

pub(super) fn moves(words: &[Token]) -> bool {
    words
        .iter()
        .any(|it| it.is(&MOVING) || it.is(&["replace", "rewrite", "adopt", "choose", "pick"]))
}

pub(super) fn is_cross_cutting(words: &[Token]) -> bool {
    let stems: Vec<&str> = words.iter().map(|it| it.stem.as_str()).collect();
    let has = |wanted: &[&str]| stems.windows(wanted.len()).any(|it| it == wanted);
    let swaps = words.iter().any(|it| it.is(&["switch", "switching", "port", "transition"]));
    let after = |from: usize| words[from..].iter().any(|it| it.word == "to");
    let from = words.iter().position(|it| it.word == "from");
    words.iter().any(|it| it.is(&["migrate", "migrating", "everywhere"]))
        || (swaps && from.is_some_and(after))
        || has(&["cross", "cut"])
        || has(&["cross", "cutt"])
        || has(&["across", "the", "codebas"])
        || has(&["whol", "codebas"])
        || has(&["entir", "codebas"])
        || has(&["rewrit", "everyth"])
}

/// "add the lodash library", "install left-pad".
pub(super) fn dependency(words: &[Token]) -> Option<String> {
    const NOUNS: [&str; 8] =
        ["library", "package", "dependency", "sdk", "crate", "gem", "module", "npm"];
    let lead = lead(words);
    if !["add", "install", "use", "adopt", "introduce"].contains(&lead) {
        return None;
    }
    let plain = |it: &&Token| {
        !it.ends_clause()
            && !it.is(&POLITE)
            && !it.is(&NOUNS)
            && !it.is(&["new", "as", "of", "for"])
    };
    let lead_at = words.iter().position(|it| it.word == lead)?;
    if lead == "install" {
        let name = words[lead_at + 1..].iter().find(plain)?;
        return Some(name.word.clone());
    }
    let noun = words.iter().position(|it| it.is(&NOUNS)).filter(|at| *at > lead_at)?;
    let before = words[lead_at + 1..noun].iter().rev().find(plain);
    let generic =
        ["shared", "internal", "common", "small", "own", "component", "payment", "logging"];
    before.filter(|it| !it.is(&generic)).map(|it| it.word.clone())
}

/// Fewer than two words besides the verb.
pub(super) fn is_vague(words: &[Token]) -> bool {
    let vague = ["it", "this", "that", "bug", "bugs", "code", "things", "stuff", "something", "up"];
    let telling = words.iter().filter(|it| !it.ends_clause() && !it.is(&POLITE) && !it.is(&vague));
    telling.count() < 2
}
