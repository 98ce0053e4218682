//! What the bank has no question for: technologies without a field, decisions in the user's own
//! words, the agent's own questions, or only how one knows that the work is done.

use super::question::{self, Asked};
use super::resolve::Resolved;
use super::{Clarification, Given, World};
use crate::domain::adr::Settled;
use crate::domain::bank::OTHER;
use crate::domain::claims::Claims;
use crate::domain::request::{Clarity, Request};
use crate::domain::words;

impl Resolved {
    /// What is decided about things that the work touches holds for it. True where there is some.
    fn keep_what_is_touched(&mut self, request: &Request, world: &World<'_>) -> bool {
        for name in &request.touched {
            for (field, decided) in world.architecture.fields(name) {
                let kept = (name.clone(), field.to_owned(), decided.clone());
                if !self.kept.contains(&kept) {
                    self.kept.push(kept);
                }
            }
        }
        !self.kept.is_empty()
    }

    /// What the agent's reading names beyond the bank: technologies without a field, a decision in
    /// the user's words, and the agent's own questions, which come before the bank's.
    pub(super) fn beyond_the_bank_as_read(
        &mut self,
        state: &Clarification,
        request: &Request,
        claims: &Claims,
    ) {
        if request.asks_for_record {
            for (value, _) in &request.others {
                let field = field_name(value);
                self.settled.push(beyond("Dependencies", &field, "in use", "said in the request"));
            }
            let decides = !self.settled.is_empty() || !self.removed.is_empty();
            if let Some(decision) = request.decision.as_ref().filter(|_| !decides)
                && self.pending.is_empty()
            {
                let field = field_name(&state.intention);
                self.settled.push(beyond("Other", &field, decision, "said in the request"));
            }
        }
        let wondered: Vec<Asked> = claims
            .ask
            .iter()
            .enumerate()
            .map(|(index, it)| Asked::wondered(index, it))
            .filter(|it| !state.given.contains_key(&it.id))
            .collect();
        // Where both ask about the same thing, the agent's question is nearer to the request.
        let all: Vec<Asked> =
            claims.ask.iter().enumerate().map(|(index, it)| Asked::wondered(index, it)).collect();
        self.pending.retain(|ours| !all.iter().any(|theirs| is_about_the_same(ours, theirs)));
        self.pending.splice(0..0, wondered);
    }

    /// What the bank has no question for: a library, a decision in the user's own words, or only
    /// how one knows that the work is done.
    pub(super) fn beyond_the_bank(
        &mut self,
        state: &Clarification,
        request: &Request,
        world: &World<'_>,
        decides: bool,
    ) {
        if request.clarity == Clarity::Vague
            && request.topics.is_empty()
            && !state.given.contains_key(question::DETAIL)
        {
            self.pending.push(Asked::detail());
            return;
        }
        if let Some(Given::Later) = state.given.get(question::DECISION) {
            self.open.push(Asked::decision().text);
        }
        if !decides || !request.topics.is_empty() || self.keep_what_is_touched(request, world) {
            return;
        }
        if let Some((what, version)) = &request.upgrade {
            let field = field_name(what);
            self.settled.push(beyond("Dependencies", &field, version, "said in the request"));
            return;
        }
        let named = request.others.iter().map(|(name, _)| name).chain(&request.dependency);
        let mut new: Vec<&String> = named.filter(|name| !world.survey.depends_on(name)).collect();
        new.dedup_by(|one, other| one.eq_ignore_ascii_case(other));
        for name in &new {
            let field = field_name(name);
            self.settled.push(beyond("Dependencies", &field, "in use", "said in the request"));
        }
        if !new.is_empty() || request.clarity == Clarity::Foreign {
            return;
        }
        if let Some(Given::Value(decision)) = state.given.get(question::DECISION) {
            if request.orphan.is_some() {
                let field = field_name(decision);
                self.settled.push(beyond("Dependencies", &field, "in use", "answered"));
                return;
            }
            let field = field_name(&state.intention);
            self.settled.push(beyond("Other", &field, decision, "answered"));
            return;
        }
        let is_open = !state.given.contains_key(question::DECISION);
        if let Some(gone) = request.orphan.as_ref().filter(|_| is_open) {
            self.pending.push(Asked::successor(gone));
            return;
        }
        let scope =
            crate::domain::scope::Scope::of(world.survey, world.bank, &[], &state.intention, false);
        let many_files = scope.is_named && scope.n_files >= 10;
        let wide =
            request.is_cross_cutting || request.asks_for_record || state.force_adr || many_files;
        if wide && !state.given.contains_key(question::DECISION) {
            self.pending.push(Asked::decision());
        } else if !wide
            && !state.given.contains_key(question::CRITERIA)
            && !state.given.contains_key(question::DETAIL)
        {
            self.pending.push(Asked::criteria());
        }
    }
}

/// Whether two questions share what they are about: an option, or two telling words.
fn is_about_the_same(ours: &Asked, theirs: &Asked) -> bool {
    let options = |it: &Asked| -> Vec<String> {
        it.options.iter().filter(|it| *it != OTHER).map(|it| it.to_lowercase()).collect()
    };
    let (left, right) = (options(ours), options(theirs));
    if left.iter().any(|it| right.contains(it)) {
        return true;
    }
    let telling = |it: &Asked| -> Vec<String> {
        words::phrase(&it.text).into_iter().filter(|it| it.len() > 3).collect()
    };
    let theirs = telling(theirs);
    telling(ours).iter().filter(|it| theirs.contains(it)).count() >= 2
}

fn beyond(category: &str, field: &str, value: &str, source: &str) -> Settled {
    Settled {
        category: category.to_owned(),
        field: field.to_owned(),
        value: value.to_owned(),
        source: source.to_owned(),
        not_taken: Vec::new(),
        source_question: None,
    }
}

/// A name for what has none: the first telling words of the request.
fn field_name(text: &str) -> String {
    const SMALL: [&str; 16] = [
        "a", "an", "the", "our", "for", "to", "of", "in", "on", "and", "with", "please", "write",
        "adr", "we", "decide",
    ];
    let words = text
        .split(|it: char| !it.is_ascii_alphanumeric())
        .filter(|it| !it.is_empty() && !SMALL.contains(&it.to_lowercase().as_str()));
    let name: String = words
        .take(3)
        .map(|word| {
            let mut letters = word.chars();
            letters
                .next()
                .into_iter()
                .flat_map(char::to_uppercase)
                .chain(letters)
                .collect::<String>()
        })
        .collect();
    let name: String = name.chars().take(40).collect();
    if name.is_empty() { "Decision".to_owned() } else { name }
}
