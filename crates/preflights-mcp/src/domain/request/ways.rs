//! Further ways in which a request brings something in: "let X do it", "X besides Y", "build it
//! with X", "there is this X library, let us use that".

use super::frame::ends;
use super::grammar::grammar;
use super::sentence;
use super::spelling::{Name, is_common, is_telling};
use crate::domain::words::Token;

/// Nouns behind the name of something that can be brought in.
const KINDS: [&str; 9] =
    ["library", "package", "dependency", "sdk", "crate", "gem", "plugin", "addon", "thing"];

/// What is needed to tell whether a name comes.
pub(super) struct Scene<'a> {
    pub(super) words: &'a [Token],
    pub(super) text: &'a str,
    /// Technologies that are known or that the repository names.
    pub(super) is_known: &'a dyn Fn(&str) -> bool,
    /// The request says of something known that it is at its end.
    pub(super) gives_something_up: bool,
}

impl Scene<'_> {
    pub(super) fn brings(&self, name: &Name) -> bool {
        let word = &self.words[name.start];
        if word.within(&grammar().subjects) || is_common(&name.spelled) {
            return false;
        }
        self.is_let_do_it(name)
            || self.stands_beside(name)
            || self.does_it(name)
            || self.is_found(name)
            || self.takes_over(name)
    }

    fn before(&self, name: &Name) -> &[Token] {
        let before = &self.words[..name.start];
        let start = before.iter().rposition(Token::ends_clause).map_or(0, |it| it + 1);
        &before[start..]
    }

    /// "Let X do it", "have X handle the migrations".
    fn is_let_do_it(&self, name: &Name) -> bool {
        let lets = self.before(name).last().is_some_and(|it| it.is(&["let", "have"]));
        let does = self.words.get(name.end).is_some_and(|it| it.within(&grammar().serving));
        lets && does && is_telling(&name.spelled)
    }

    /// "I would like X in the backend, besides Y", "use x-rs for that and not Y": beside a
    /// technology that is known, a name is one, too.
    fn stands_beside(&self, name: &Name) -> bool {
        let small = |it: &&Token| !it.within(&grammar().small);
        let wants = ["like", "want", "need", "use", "using", "with", "try", "have", "add", "get"];
        let wanted = self.before(name).iter().rev().find(small).is_some_and(|it| it.is(&wants));
        let rivals = is_telling(&name.spelled) || name.spelled.contains(['-', '_', '/']);
        wanted
            && ends(self.words, name.end)
            && (self.is_shaped(&name.spelled) || rivals && self.has_a_rival(name))
    }

    /// "sonic-rs", "django-thing": joined to what tells where it belongs.
    fn is_shaped(&self, spelled: &str) -> bool {
        let lower = spelled.to_lowercase();
        let mut parts = lower.split(['-', '/']);
        lower.contains(['-', '/'])
            && parts.any(|it| {
                ["rs", "js", "py", "rb", "sdk", "orm"].contains(&it)
                    || (it.len() > 3 && (self.is_known)(it))
            })
            && ![
                "like",
                "based",
                "style",
                "free",
                "only",
                "side",
                "compatible",
                "ready",
                "specific",
            ]
            .iter()
            .any(|it| lower.ends_with(it))
    }

    /// Whether the sentence compares with, or speaks against, something that is known.
    fn has_a_rival(&self, name: &Name) -> bool {
        let sentence = sentence::span(self.words, name.start);
        let marks = ["besides", "alongside", "beside", "not", "than", "of", "next", "no"];
        sentence.clone().filter(|it| self.words[*it].is(&marks)).any(|mark| {
            let mut behind = (mark + 1..sentence.end.min(mark + 4)).filter(|it| *it != name.start);
            behind.any(|it| {
                let word = &self.words[it];
                (self.is_known)(self.text.get(word.start..word.end).unwrap_or_default())
            })
        })
    }

    /// "Build it with X", "do that in X".
    fn does_it(&self, name: &Name) -> bool {
        let [.., verb, object, way] = self.before(name) else { return false };
        let makes = verb.within(&grammar().making)
            || verb.is(&["do", "write", "solve", "generate", "render", "handle", "cover"]);
        let is_name = name.spelled.starts_with(char::is_uppercase) || is_telling(&name.spelled);
        makes
            && object.is(&["it", "this", "that", "them"])
            && way.is(&["with", "using", "via", "in", "on"])
            && is_name
            && !self.words[name.start].within(&grammar().no_dependency)
            && ends(self.words, name.end)
    }

    /// "There is this X library, let us use that".
    fn is_found(&self, name: &Name) -> bool {
        let is_kind = self.words.get(name.end).is_some_and(|it| it.is(&KINDS));
        let presents = self
            .before(name)
            .iter()
            .rev()
            .take(2)
            .any(|it| it.is(&["this", "found", "called", "named", "is"]));
        let takes = self.words[name.end..].windows(2).any(|it| {
            it[0].is(&["use", "try", "have", "take", "want", "add", "adopt", "install"])
                && it[1].is(&["it", "that", "this"])
        });
        is_kind && presents && takes
    }

    /// "X is not maintained any more. Move the pages to y".
    fn takes_over(&self, name: &Name) -> bool {
        let before = self.before(name);
        let arrives = before.last().is_some_and(|it| it.is(&["to", "onto"]));
        let moves = before.iter().any(|it| it.within(&grammar().moving) || it.word == "take");
        self.gives_something_up && arrives && moves && ends(self.words, name.end)
    }
}
