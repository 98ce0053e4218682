//! The role in which a clause names something: wanted, replaced, dropped, refused, kept, or only in
//! passing. What cannot be told is wanted, and has to stand where something is chosen to count.

use super::grammar::grammar;
use super::{frame, sentence};
use crate::domain::words::Token;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Wanted,
    Replaced,
    Dropped,
    Refused,
    /// Named as what stays.
    Kept,
    /// Named in passing: compared with, asked about, told of.
    Neutral,
}

impl Role {
    /// Spoken against, in whatever way.
    pub(super) fn is_against(self) -> bool {
        matches!(self, Self::Replaced | Self::Dropped | Self::Refused)
    }
}

/// The role of the words from `start` to `end`. `before` is the end and role of what is named
/// before them, which they may share: "no OAuth or SAML".
pub(super) fn role(
    words: &[Token],
    start: usize,
    end: usize,
    before: Option<(usize, Role)>,
) -> Role {
    if sentence::weighs(words, start) {
        return Role::Neutral;
    }
    if let Some((before_end, before_role)) = before
        && shares(words, before_end, start)
        && before_role != Role::Wanted
    {
        return before_role;
    }
    let clause_start = words[..start].iter().rposition(Token::ends_clause).map_or(0, |it| it + 1);
    let behind: Vec<Token> =
        words[end..].iter().take_while(|it| !it.ends_clause()).cloned().collect();
    let clause = &words[clause_start..start];
    let undone = clause.iter().find(|it| !it.within(&grammar().polite));
    if undone.is_some_and(|it| it.within(&grammar().before.undoing)) {
        return Role::Dropped;
    }
    // "A, no thanks": a remark of its own right behind the name.
    let remark = words.get(end).filter(|it| it.is(&[",", "(", ":"])).map(|_| &words[end + 1..]);
    if remark.is_some_and(|it| {
        it.first().is_some_and(|it| it.word == "no") && grammar().after.against.begin(it)
    }) {
        return Role::Refused;
    }
    // "A out, B in"
    if let [only] = behind.as_slice()
        && only.word == "out"
    {
        let comes = words[end..].iter().any(|it| it.word == "in");
        return if comes { Role::Replaced } else { Role::Dropped };
    }
    if stays(words, start, end) {
        return Role::Kept;
    }
    if is_listed_as_gone(words, start) {
        return Role::Neutral;
    }
    let role = by_what_follows(&behind)
        .or_else(|| by_what_precedes(clause, &behind))
        .or_else(|| by_movement(words, clause, start, &behind))
        .unwrap_or(Role::Wanted);
    if role == Role::Refused && is_over(clause, &behind) { Role::Dropped } else { role }
}

/// "We do not want A any more", "we no longer need A": it is there, and shall go.
fn is_over(clause: &[Token], behind: &[Token]) -> bool {
    let any_more = behind.first().is_some_and(|it| it.word == "anymore")
        || behind.len() > 1 && behind[0].word == "any" && behind[1].is(&["more", "longer"]);
    let no_longer = clause.windows(2).any(|it| it[0].word == "no" && it[1].word == "longer");
    any_more || no_longer
}

/// Whether only "and" or the like stands between two names.
fn shares(words: &[Token], end: usize, start: usize) -> bool {
    let between = &words[end..start];
    let joins = |it: &Token| it.is(&["and", "or", "nor", ",", "the", "a", "&"]);
    !between.is_empty() && between.iter().all(joins) && between.iter().any(|it| it.word != ",")
}

fn by_what_follows(behind: &[Token]) -> Option<Role> {
    let rules = &grammar().after;
    let auxiliaries =
        ["is", "are", "be", "being", "gets", "get", "should", "must", "will", "shall"];
    let nouns = ["decision", "setup", "stuff", "code", "support", "integration", "layer", "idea"];
    let number = |it: &Token| it.word.starts_with(|it: char| it.is_ascii_digit());
    let plain = behind.iter().position(|it| !it.is(&nouns) && !number(it)).unwrap_or(behind.len());
    let behind = &behind[plain..];
    // "A and B are not meant" says it of both.
    if behind.first().is_some_and(|it| it.is(&["and", "or"])) && behind.len() > 3 {
        let rest = &behind[2..];
        if rules.passing.begin(rest) || rules.against.begin(rest) {
            return by_what_follows(rest);
        }
    }
    let verb = behind.iter().take(4).position(|it| !it.is(&auxiliaries)).unwrap_or_default();
    if rules.replaced.begin(&behind[verb..]) {
        return Some(Role::Replaced);
    }
    if rules.wanted.begin(behind) {
        return None;
    }
    if rules.passing.begin(behind) {
        return Some(Role::Neutral);
    }
    // "A cache in each process makes no sense": a verdict on all of it.
    let turns = |it: &Token| {
        it.is(&[
            "because", "and", "but", "since", "while", "as", "that", "which", "when", "if", "so",
            "or",
        ])
    };
    let subject = behind.iter().take(6).take_while(|it| !turns(it)).count();
    let judged = (0..subject).any(|at| rules.verdicts.begin(&behind[at..]));
    (judged || rules.against.begin(behind)).then_some(Role::Refused)
}

/// "A and B stay on C", "A stays as it is": the sentence says what remains, and does nothing else.
fn stays(words: &[Token], start: usize, end: usize) -> bool {
    let span = sentence::span(words, start);
    let remains = ["stay", "stays", "remain", "remains"];
    let grammar = grammar();
    let acts = |it: &Token| {
        it.within(&grammar.making)
            || it.within(&grammar.moving)
            || it.within(&grammar.deciding)
            || grammar.before.dropped.end(&[it]) == 1
            || grammar.before.replaced.end(&[it]) == 1
    };
    let opens = words[span.start..start].iter().all(|it| !acts(it));
    let listed = |it: &&Token| {
        it.is(&[",", "and", "or"])
            || !(it.ends_clause()
                || it.within(&grammar.adjuncts)
                || (it.within(&grammar.behind_a_topic) && it.word != "everywhere")
                || it.is(&remains))
    };
    // A quotation may go on over the end of the sentence it begins in.
    let behind = words.get(end..span.end).unwrap_or_default();
    let at = behind.iter().take(8).take_while(listed).count();
    opens && behind.get(at).is_some_and(|it| it.is(&remains))
}

/// "Throw it out: profile, A, driver": parts of what goes, one by one.
fn is_listed_as_gone(words: &[Token], start: usize) -> bool {
    let span = sentence::span(words, start);
    let Some(colon) = words[span.start..start].iter().rposition(|it| it.word == ":") else {
        return false;
    };
    let (told, listed) = words[span.start..start].split_at(colon);
    let grammar = grammar();
    let goes = told.iter().any(|it| {
        grammar.before.dropped.end(&[it]) == 1 || it.is(&["throw", "rip", "kick", "rid"])
    });
    let acts = |it: &Token| it.within(&grammar.making) || it.within(&grammar.moving);
    goes && !listed.iter().any(acts)
}

/// "Rip out the local A login": what the clause opens with takes away what follows it.
fn is_taken_away(clause: &[Token], behind: &[Token]) -> bool {
    let grammar = grammar();
    let Some(lead) = clause.iter().position(|it| !it.within(&grammar.polite)) else { return false };
    let clause = &clause[lead..];
    let rules = [&grammar.before.dropped, &grammar.before.replaced];
    let taken = clause.len() > 1 && rules.iter().any(|it| it.begin(clause));
    let leads_on =
        |it: &Token| it.within(&grammar.adjuncts) || it.is(&["to", "with", "and", "or", "not"]);
    taken && !clause[1..].iter().any(leads_on) && frame::ends_thing(behind)
}

fn by_what_precedes(clause: &[Token], behind: &[Token]) -> Option<Role> {
    let grammar = grammar();
    let rules = &grammar.before;
    let has = |wanted: &[&str]| behind.iter().any(|it| it.is(wanted));
    // "Replace the old store A with B", "dropping A for B": A gives way whatever stands between.
    let verb = |it: &Token| rules.replaced.end(&[it]) == 1 || rules.dropped.end(&[it]) == 1;
    let led = clause.iter().rev().take(5).find(|it| verb(it));
    if let Some(led) = led
        && (has(&["with", "by"]) || (has(&["for"]) && exchanges(led, behind)))
    {
        return Some(Role::Replaced);
    }
    // "We do not want to use A" refuses it as "not A" does.
    let reach: Vec<&Token> =
        trimmed(clause, |it| it.within(&grammar.fillers) || it.within(&grammar.refusal_fillers));
    if rules.refused.end(&reach) > 0 && !is_reminder(clause) {
        return Some(Role::Refused);
    }
    if forbids_to_bring(clause) && !is_reminder(clause) {
        // "Do not move away from A" keeps it.
        let leaves = clause.iter().rev().take(3).any(|it| it.is(&["from", "off"]));
        return Some(if leaves { Role::Kept } else { Role::Refused });
    }
    // "We wanted to go with A" tells of a wish that is over.
    if clause.iter().any(|it| it.within(&grammar.once_wished)) {
        return Some(Role::Neutral);
    }
    let near: Vec<&Token> = trimmed(clause, |it| it.within(&grammar.fillers));
    // "…, for A and B alike" says where it holds.
    if clause.first().is_some_and(|it| it.word == "for") && clause.len() == 1 {
        return Some(Role::Neutral);
    }
    if is_taken_away(clause, behind) {
        return Some(Role::Dropped);
    }
    // "Take A out", "throw A away".
    let takes = near.last().is_some_and(|it| {
        it.is(&[
            "take", "throw", "rip", "pull", "kick", "tear", "get", "taking", "throwing", "ripping",
        ])
    });
    if takes && behind.iter().take(2).any(|it| it.is(&["out", "away", "off"])) {
        return Some(Role::Dropped);
    }
    // "I would like A" likens it to nothing.
    if let [.., wish, like] = near.as_slice()
        && like.word == "like"
        && wish.is(&["id", "would", "wed"])
    {
        return None;
    }
    let whole: Vec<&Token> = clause.iter().collect();
    let of = |phrases: &super::grammar::Phrases| phrases.end(&near).max(phrases.end(&whole));
    // "over" puts aside what follows where something is preferred to it.
    let prefers = clause.iter().any(|it| {
        it.is(&["prefer", "choose", "pick", "picked", "chose", "favour", "favor", "go", "take"])
    });
    if prefers && near.last().is_some_and(|it| it.word == "over") {
        return Some(Role::Replaced);
    }
    let found = [
        (of(&rules.refused), Role::Refused),
        (of(&rules.replaced), Role::Replaced),
        (of(&rules.dropped), Role::Dropped),
        (of(&rules.kept), Role::Kept),
        (of(&rules.neutral), Role::Neutral),
    ];
    let longest = found.into_iter().max_by_key(|(length, _)| *length);
    longest.filter(|(length, _)| *length > 0).map(|(_, role)| role)
}

/// "Do not move the sessions to", "let's not store it in": whatever is named behind a verb that
/// brings something in, and behind a refusal right before it, is refused with it. What it would be
/// for is not: "do not use A for caching" says nothing against caching.
fn forbids_to_bring(clause: &[Token]) -> bool {
    let grammar = grammar();
    let turns = ["for", "as", "because", "since", "when", "while", "if", "until", "but"];
    if clause.iter().rev().find(|it| !it.within(&grammar.fillers)).is_some_and(|it| it.is(&turns)) {
        return false;
    }
    let brings = |it: &Token| {
        let verbs = [&grammar.moving, &grammar.making, &grammar.placing, &grammar.sending];
        verbs.iter().any(|verbs| it.within(verbs))
    };
    clause.iter().enumerate().any(|(at, it)| {
        let verb = clause[at + 1..].iter().find(|it| !it.within(&grammar.polite));
        grammar.before.refused.end(&[it]) == 1 && verb.is_some_and(brings)
    })
}

/// "Swap A for B" and "drop A for B", but not "drop A for new users".
fn exchanges(verb: &Token, behind: &[Token]) -> bool {
    let swaps = [
        "swap",
        "swapping",
        "trade",
        "exchange",
        "substitute",
        "ditch",
        "ditching",
        "dropping",
        "drop",
    ];
    let then = behind.iter().position(|it| it.word == "for").and_then(|at| behind.get(at + 1));
    let open = |it: &Token| {
        !it.within(&grammar().articles)
            && !it.is(&["now", "new", "single", "multi", "users", "good", "security", "everyone"])
    };
    behind.iter().position(|it| it.word == "for").is_some_and(|at| at <= 2)
        && verb.is(&swaps)
        && then.is_some_and(open)
}

/// "Do not forget to add A" wants it.
fn is_reminder(clause: &[Token]) -> bool {
    clause.iter().any(|it| it.is(&["forget", "only", "hesitate"]))
}

/// Without the words at the end that say nothing.
fn trimmed(clause: &[Token], is_small: impl Fn(&Token) -> bool) -> Vec<&Token> {
    let n_kept = clause.iter().rposition(|it| !is_small(it)).map_or(0, |it| it + 1);
    clause[..n_kept].iter().collect()
}

/// "From A to B", "to B from A", "switch A to B".
fn by_movement(words: &[Token], clause: &[Token], start: usize, behind: &[Token]) -> Option<Role> {
    let grammar = grammar();
    let near = trimmed(clause, |it| it.within(&grammar.fillers));
    let previous = near.last()?;
    let arrives = behind.iter().any(|it| it.is(&["to", "onto", "into", "towards", "over"]));
    let moves = words.iter().any(|it| it.within(&grammar.moving));
    // "We moved to A last winter" tells where one is.
    let has_moved = clause.windows(2).any(|it| {
        it[0].is(&["we", "i", "they", "weve", "ive", "have", "had", "has"])
            && it[1].is(&["moved", "switched", "migrated", "went", "changed"])
    });
    if has_moved && previous.is(&["to", "onto"]) {
        return Some(Role::Neutral);
    }
    if previous.is(&["from", "off"]) {
        let leaves = words[..start].iter().rev().take(3).any(|it| it.word == "away");
        // "Serve media from S3" leaves nothing behind.
        return (arrives || moves || leaves).then_some(Role::Replaced);
    }
    (previous.within(&grammar.moving) && arrives).then_some(Role::Replaced)
}
