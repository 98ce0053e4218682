//! Which questions are worth a person's time: what matters little is left out, and what becomes of
//! existing things is asked wherever one takes the place of another.

use super::lingering::lingers;
use super::question::{self, Asked};
use super::resolve::Resolved;
use super::{Clarification, World};
use crate::domain::request::{Request, Values};

impl Resolved {
    /// A question has to be worth a person's time: beside a leading question that is settled only
    /// what matters much is asked, and what matters little is never asked by itself.
    pub(super) fn leave_out_what_matters_less(
        &mut self,
        state: &Clarification,
        request: &Request,
        world: &World<'_>,
    ) {
        let pending: Vec<String> = self.pending.iter().map(|it| it.id.clone()).collect();
        self.pending.retain(|asked| {
            let Some((category, question)) = world.bank.question(&asked.id) else { return true };
            if world.conflict(&category.name, &question.field).is_some() {
                return true;
            }
            let lead = category.lead();
            let leads = lead.is_some_and(|it| it.id == question.id);
            let is_open =
                lead.is_some_and(|it| pending.contains(&it.id) || state.given.contains_key(&it.id));
            let prompted = !question.when.is_empty();
            let decided =
                lead.is_some_and(|it| world.architecture.get(&category.name, &it.field).is_some());
            let needed = match (is_open, question.follows.is_some()) {
                _ if prompted => 3,
                (true, _) => 5,
                _ if decided => 6,
                (false, true) => 6,
                (false, false) => 7,
            };
            // An agent that has read the request asks what else is open itself.
            let is_read = state.claims.as_ref().is_some_and(|it| {
                it.speaks_of(&category.name)
                    && !request.undecided.contains(&question.id)
                    && !it.wants.iter().any(|it| it.id.as_ref() == Some(&question.id))
            });
            (leads || question.impact >= needed) && !is_read
        });
    }

    /// Where something is replaced, somebody has to say what becomes of what is there; where it only
    /// goes, that matters if it held data or accounts.
    pub(super) fn ask_about_what_is_there(
        &mut self,
        state: &Clarification,
        request: &Request,
        world: &World<'_>,
    ) {
        const HOLDING: [&str; 5] = ["Database", "Authentication", "Payments", "Storage", "Search"];
        let asks_itself = state.claims.as_ref().is_some_and(|it| !it.ask.is_empty());
        let said = [
            "one go",
            "step by step",
            "big bang",
            "start fresh",
            "no data",
            "side by side",
            "incremental",
        ];
        let intention = state.intention.to_lowercase();
        let ends = |it: &Values| it.replaced.iter().any(|it| lingers(&intention, &it.value));
        if request.values.values().any(ends) {
            return;
        }
        if state.given.contains_key(question::CUTOVER)
            || asks_itself
            || self.is_configuration
            || said.iter().any(|it| intention.contains(it))
        {
            return;
        }
        let mut found: Option<(String, bool)> = None;
        for category in request.topics.iter().filter_map(|it| world.bank.category(it)) {
            let holds = HOLDING.contains(&category.name.as_str());
            let core = || category.questions.iter().filter(|it| it.is_core());
            let gone = core().find_map(|it| {
                let values = request.values_of(&it.id);
                let comes = !values.wanted.is_empty() || !request.others.is_empty();
                let swapped = values.replaced.first().filter(|_| comes);
                swapped
                    .or(values.dropped.first().filter(|_| holds || comes))
                    .map(|it| it.value.clone())
            });
            // "Throw A out as a way to sign in, use B": whoever came by A is left behind.
            let out = category.questions.iter().filter(|_| holds).find_map(|it| {
                let values = request.values_of(&it.id);
                let gone = values.dropped.first().or(values.replaced.first())?;
                (!values.wanted.is_empty()).then(|| gone.value.clone())
            });
            let gone = gone.or(out);
            let changed = core().find_map(|it| {
                let decided = world.architecture.get(&category.name, &it.field)?;
                let wanted = request.values_of(&it.id).wanted.first()?;
                (decided.value != wanted.value).then(|| decided.value.clone())
            });
            let swapped = core()
                .any(|it| request.swaps && holds && !request.values_of(&it.id).wanted.is_empty());
            // "X costs too much. Put it on Y": the repository has X, and the request speaks of it.
            let spoken = core().filter(|_| holds).find_map(|it| {
                let wanted = request.values_of(&it.id).wanted.first()?;
                let shown = world.survey.shows(it).into_iter().map(|it| it.value);
                let mut others = shown.filter(|it| *it != wanted.value);
                others.find(|it| intention.contains(&it.to_lowercase()))
            });
            let beside = ["besides", "alongside", "in addition", "as well", "next to", "also"];
            let spoken = spoken.filter(|_| !beside.iter().any(|it| intention.contains(it)));
            let gone =
                gone.or(changed).or(spoken).or(swapped.then(|| "what is replaced".to_owned()));
            if let Some(gone) = gone
                && found.as_ref().is_none_or(|(_, before)| !before && holds)
            {
                found = Some((gone, holds));
            }
        }
        // "Replace X by our own table": what comes has no name of its own.
        let own = request.swaps && request.orphan.is_none() && request.topics.is_empty();
        let comes = !request.others.is_empty()
            || own
            || (request.swaps && request.values.values().any(|it| !it.wanted.is_empty()));
        if found.is_none() && comes {
            found = request.gone.first().map(|it| (it.clone(), false));
        }
        if let Some((gone, holds)) = found {
            let confirms =
                self.pending.iter().take_while(|it| it.id.starts_with("confirm_")).count();
            self.pending.insert(confirms, Asked::cutover(&gone, holds));
        }
    }
}
