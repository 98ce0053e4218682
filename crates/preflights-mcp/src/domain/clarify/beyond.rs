//! What the bank has no question for: technologies without a field, decisions in the user's own
//! words, the agent's own questions, or only how one knows that the work is done.

use mcp_core::text;

use super::question::{self, Asked};
use super::resolve::Resolved;
use super::{Clarification, Given, World};
use crate::domain::adr::Settled;
use crate::domain::bank::{OTHER, facets_of};
use crate::domain::claims::Claims;
use crate::domain::request::{Clarity, Request};
use crate::domain::ticket;
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
        world: &World<'_>,
    ) {
        self.let_the_agent_ask(state, claims, world);
        if request.asks_for_record {
            let used: Vec<String> = self.settled.iter().map(|it| it.value.clone()).collect();
            let new = request.others.iter().map(|(value, _)| value);
            for value in new.filter(|it| is_technology(it) && !used.contains(it)) {
                let mut settled =
                    beyond("Dependencies", &field_name(value), "in use", "said in the request");
                settled.not_taken.clone_from(&request.gone);
                self.settled.push(settled);
            }
            let comes = self.settled.iter().any(|it| !it.source.starts_with("found in "));
            for gone in request.gone.iter().filter(|it| !comes && is_technology(it)) {
                let field = field_name(gone);
                self.settled.push(beyond("Dependencies", &field, "removed", "said in the request"));
            }
            let decides = !self.removed.is_empty()
                || self.settled.iter().any(|it| !it.source.starts_with("found in "));
            if !decides && claims.only_asks_for_a_record() && self.pending.is_empty() {
                return self.decide_as_asked(state);
            }
            if let Some(decision) = request.decision.as_ref().filter(|_| !decides)
                && self.pending.is_empty()
            {
                let field = field_name(&state.intention);
                self.settled.push(beyond("Other", &field, decision, "said in the request"));
            }
        }
    }

    /// A record is wanted, and the request only weighs: somebody has to say what it comes to.
    fn decide_as_asked(&mut self, state: &Clarification) {
        match state.given.get(question::DECISION) {
            None => self.pending.push(Asked::decision()),
            Some(Given::Value(decision)) => {
                let field = field_name(&state.intention);
                self.settled.push(beyond("Other", &field, decision, "answered"));
            }
            Some(_) => self.open.push(Asked::decision().text),
        }
    }

    /// The agent's questions come first. Where one asks what the bank asks, it stands for it: the
    /// answer is that of the bank's question.
    fn let_the_agent_ask(&mut self, state: &Clarification, claims: &Claims, world: &World<'_>) {
        let mut asked: Vec<Asked> = Vec::new();
        for (index, wondered) in claims.ask.iter().enumerate() {
            let theirs = Asked::wondered(index, wondered);
            let ours = self.pending.iter().find(|ours| {
                world.bank.question(&ours.id).is_some() && is_about_the_same(ours, &theirs)
            });
            let question = match ours {
                Some(ours) => theirs.in_place_of(ours),
                None => theirs,
            };
            let stands = |it: &Asked| it.text == question.text && it.id != question.id;
            let is_answered = state.given.contains_key(&question.id)
                || state.shown.iter().any(|it| stands(it) && state.given.contains_key(&it.id));
            if !asked.iter().any(|it| it.id == question.id) && !is_answered {
                asked.push(question);
            }
        }
        // An agent that asks has chosen what is worth asking.
        self.pending.retain(|it| {
            claims.ask.is_empty()
                || world.bank.question(&it.id).is_none_or(|(_, it)| it.follows.is_some())
        });
        self.pending.splice(0..0, asked);
    }

    /// What the bank has no question for: technologies without a field, a decision in the user's own
    /// words, what a good engineer asks of a feature, or how one knows that the work is done.
    pub(super) fn beyond_the_bank(
        &mut self,
        state: &Clarification,
        request: &Request,
        world: &World<'_>,
        decides: bool,
    ) {
        let is_open = |id: &str| !state.given.contains_key(id);
        if request.clarity == Clarity::Vague
            && request.topics.is_empty()
            && request.others.is_empty()
            && request.gone.is_empty()
            && request.upgrade.is_none()
            && is_open(question::DETAIL)
        {
            self.pending.push(Asked::detail());
            return;
        }
        if let Some(Given::Later) = state.given.get(question::DECISION) {
            self.open.push(Asked::decision().text);
        }
        if !decides {
            return;
        }
        self.settle_technologies(state, request, world);
        if request.clarity == Clarity::Foreign {
            return;
        }
        let touches = request.topics.is_empty() && self.keep_what_is_touched(request, world);
        let decided = !self.settled.is_empty() || !self.removed.is_empty();
        if request.topics.is_empty() && !decided && !touches {
            self.decide_in_words(state, request, world);
        }
        let n_asked = state.shown.len() + self.pending.len();
        let room = if request.topics.is_empty() { 2 } else { 1 };
        let lower = state.intention.trim_start().to_lowercase();
        let removes = ["remove ", "delete ", "drop ", "kill ", "retire ", "get rid "];
        let removes =
            removes.iter().any(|it| lower.starts_with(it)) && !lower.contains("automatic");
        // What is swapped or raised is what it was before; its own questions come elsewhere.
        let swaps = request.swaps || request.orphan.is_some() || request.upgrade.is_some();
        if !removes
            && !swaps
            && !self.is_configuration
            && ticket::criteria(&state.intention).is_empty()
        {
            // Beside questions of a topic only what weighs much is worth asking.
            // What is chosen by name is known to whoever asks for it.
            let is_chosen = !request.others.is_empty()
                || request.values.values().any(|it| !it.wanted.is_empty());
            let least = match (request.topics.is_empty() && !is_chosen, n_asked) {
                (true, _) => 1,
                (false, 0) if !is_chosen => 6,
                (false, _) => 8,
            };
            let facets = facets_of(&ticket::work(&state.intention)).into_iter();
            let said = ticket::conditions(&state.intention);
            let is_brief = said.is_empty() && words::phrase(&state.intention).len() <= 30;
            let fits = !decided && n_asked == 0 && !touches && is_brief;
            let facets = facets.filter(|it| {
                // They come with the first questions, or not at all.
                is_open(&it.id)
                    && (state.shown.is_empty() || state.is_shown(&it.id))
                    && it.impact >= least
                    && (!it.last_resort || fits)
                    && !(it.about == "choice" && is_chosen)
            });
            self.pending.extend(facets.take(room).map(Asked::facet));
        }
        let nothing_else = request.topics.is_empty()
            && n_asked == 0
            && self.pending.is_empty()
            && !decided
            && !touches;
        if nothing_else
            && is_terse(state)
            && is_open(question::CRITERIA)
            && is_open(question::DETAIL)
        {
            self.pending.push(Asked::criteria());
        }
    }

    /// Technologies that come, go or are raised, for which the bank has no field.
    fn settle_technologies(&mut self, state: &Clarification, request: &Request, world: &World<'_>) {
        if let Some((what, version)) = &request.upgrade
            && request.topics.is_empty()
        {
            let field = field_name(what);
            self.settled.push(beyond("Dependencies", &field, version, "said in the request"));
            return;
        }
        let used = |name: &str| self.settled.iter().any(|it| it.value.eq_ignore_ascii_case(name));
        let mut new: Vec<&String> = Vec::new();
        for (name, _) in &request.others {
            let known = world.survey.depends_on(name) || used(name);
            if !known && !new.iter().any(|it| it.eq_ignore_ascii_case(name)) {
                new.push(name);
            }
        }
        let new: Vec<Settled> = new
            .into_iter()
            .map(|it| {
                let mut settled =
                    beyond("Dependencies", &field_name(it), "in use", "said in the request");
                settled.not_taken.clone_from(&request.gone);
                settled
            })
            .collect();
        let comes = !new.is_empty() || request.values.values().any(|it| !it.wanted.is_empty());
        self.settled.extend(new);
        // What takes its place has no name: the decision is told in the user's words.
        let in_words = request.swaps
            && request.topics.is_empty()
            && !state.given.contains_key(question::DECISION);
        for gone in request.gone.iter().filter(|_| !comes && !in_words && request.orphan.is_none())
        {
            let field = field_name(gone);
            if !request.values.values().any(|it| !it.dropped.is_empty()) {
                self.settled.push(beyond("Dependencies", &field, "removed", "said in the request"));
            }
        }
        if request.either.is_empty() {
            return;
        }
        match state.given.get(question::DECISION) {
            None => self.pending.push(Asked::either(&request.either)),
            Some(Given::Value(name)) => {
                let mut settled = beyond("Dependencies", &field_name(name), "in use", "answered");
                settled.not_taken =
                    request.either.iter().filter(|it| *it != name).cloned().collect();
                self.settled.push(settled);
            }
            Some(_) => {}
        }
    }

    /// A decision that has no field: what takes something's place, what the user asks to have
    /// recorded, or what goes through everything.
    fn decide_in_words(&mut self, state: &Clarification, request: &Request, world: &World<'_>) {
        if !request.either.is_empty() {
            return;
        }
        if let Some(Given::Value(decision)) = state.given.get(question::DECISION) {
            let (category, field, value) = if request.orphan.is_some() {
                ("Dependencies", field_name(decision), "in use")
            } else {
                ("Other", field_name(&state.intention), decision.as_str())
            };
            self.settled.push(beyond(category, &field, value, "answered"));
            return;
        }
        if state.given.contains_key(question::DECISION) {
            return;
        }
        if let Some(gone) = &request.orphan {
            self.pending.push(Asked::successor(gone));
            return;
        }
        if request.asks_for_record || state.force_adr {
            self.pending.push(Asked::decision());
            return;
        }
        let scope = super::outcome::place(state, request, world, false);
        let many_files = scope.is_named && scope.n_files >= 10 && request.is_about_all;
        let swaps = request.swaps && !request.gone.is_empty();
        if request.is_cross_cutting || many_files || swaps {
            let field = field_name(&state.intention);
            let words = text::one_line(text::cut(&state.intention, 200));
            self.settled.push(beyond("Other", &field, &words, "said in the request"));
        }
    }
}

/// The name of a thing, as opposed to a sentence about it.
fn is_technology(value: &str) -> bool {
    let n_words = value.split_whitespace().count();
    let named = value.chars().any(|it| it.is_uppercase() || it.is_ascii_digit() || it == '-');
    n_words == 1 || (n_words <= 4 && named)
}

/// Few words and no condition: nobody could tell when it is done.
fn is_terse(state: &Clarification) -> bool {
    let n_words = words::phrase(&state.intention).iter().filter(|it| it.len() > 2).count();
    n_words <= 4
        && ticket::conditions(&state.intention).is_empty()
        && ticket::criteria(&state.intention).is_empty()
        && state.context.is_none()
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
