//! What a request asks for, from its three readers: words, the calling agent, a language model.

use super::{Clarification, World};
use crate::domain::bank::Bank;
use crate::domain::claims::{Claim, Claims};
use crate::domain::request::{self, Named, Request, Work};

impl Clarification {
    pub(super) fn understand(&self, world: &World<'_>) -> Request {
        let bank = world.bank;
        let mut request = if let Some(claims) = &self.claims {
            of_claims(claims, bank)
        } else {
            let is_there = |name: &str| world.survey.depends_on(name);
            request::understand(bank, &self.intention, self.context.as_deref(), &is_there)
        };
        for id in self.given.keys() {
            // An answer to a question nobody asked is a decision all the same.
            if let Some((category, _)) = bank.question(id)
                && !request.topics.contains(&category.name)
            {
                request.topics.push(category.name.clone());
                request.work = Work::Feature;
            }
        }
        if self.force_adr {
            request.work = Work::Feature;
        }
        if let Some(reading) = &self.reading {
            request.take_reading(bank, reading);
        }
        request
    }
}

fn of_claims(claims: &Claims, bank: &Bank) -> Request {
    let asks_for_record = claims.asks_for_record();
    let by_model = claims.is_by_model;
    let small = match claims.kind.as_deref() {
        Some("bug_fix") => Work::BugFix,
        Some("refactor" | "performance") => Work::Refactor,
        Some("wording" | "documentation") => Work::Wording,
        Some("configuration" | "upgrade") => Work::Configuration,
        Some("test") => Work::Tests,
        Some("question") => Work::Question,
        _ => Work::Feature,
    };
    let mut request = Request {
        topics: claims.topics.clone(),
        asks_for_record,
        kept: claims.keeps.iter().filter_map(|it| it.id.clone()).collect(),
        ..Request::of(if asks_for_record { Work::Feature } else { small })
    };
    // What is only in the context given, or only suggested, decides nothing by itself.
    let counts = |it: &&Claim| it.is_named && !it.is_from_context;
    for claim in claims.wants.iter().filter(counts) {
        match &claim.id {
            Some(id) => request.add(bank, id, claim, by_model, |it| &mut it.wanted),
            None => request.others.push((claim.value.clone(), claim.quote.clone())),
        }
        request.swaps |= !claims.revokes.is_empty();
    }
    for claim in claims.rejects.iter().filter(|it| it.is_named) {
        if let Some(id) = &claim.id {
            request.add(bank, id, claim, by_model, |it| &mut it.refused);
        }
    }
    for claim in claims.revokes.iter().filter(counts) {
        let Some(id) = &claim.id else {
            request.gone.push(claim.value.clone());
            continue;
        };
        // Where something else comes, and not in a topic of its own, it gives way to that.
        let elsewhere = !claims.wants.is_empty()
            && !claim.category.as_ref().is_some_and(|it| claims.topics.contains(it));
        let is_replaced = !request.values_of(id).wanted.is_empty() || elsewhere;
        request.add(bank, id, claim, by_model, |it| {
            if is_replaced { &mut it.replaced } else { &mut it.dropped }
        });
    }
    if asks_for_record {
        request.decision =
            claims.triggers.iter().map(|(_, quote)| quote.clone()).find(|it| !it.is_empty());
    }
    request
}

impl Request {
    fn add(
        &mut self,
        bank: &Bank,
        id: &str,
        claim: &Claim,
        is_read: bool,
        list: impl Fn(&mut request::Values) -> &mut Vec<Named>,
    ) {
        let Some((category, _)) = bank.question(id) else { return };
        if !self.topics.contains(&category.name) {
            self.topics.push(category.name.clone());
        }
        let values = list(self.values.entry(id.to_owned()).or_default());
        if !values.iter().any(|it| it.value == claim.value) {
            let (value, words) = (claim.value.clone(), claim.quote.clone());
            values.push(Named { value, words, is_read });
        }
    }
}
