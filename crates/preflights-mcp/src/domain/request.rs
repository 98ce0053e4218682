//! What a request says: its words, the topics and values it names and in which role, and what kind
//! of work it asks for.

mod brought;
mod classify;
mod command;
mod frame;
mod grammar;
mod lists;
mod mention;
mod part;
mod prose;
mod report;
mod role;
mod sentence;
mod signs;
mod spelling;
pub(crate) mod stance;
#[cfg(test)]
mod tests;
mod upgrade;
mod ways;

use std::collections::BTreeMap;

use crate::domain::bank::{Bank, Kind};
use crate::domain::reading::Reading;
use crate::domain::ticket;
use crate::domain::words::{Token, phrase, tokens};
pub(crate) use classify::Work;
pub(crate) use command::names_nothing;
use mention::{Lexicon, Meaning, Mention};
use role::Role;
use upgrade::Raise;

/// A value the request names for a question, with the words it used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) value: String,
    pub(crate) words: String,
    /// Found by a language model rather than by us.
    pub(crate) is_read: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Values {
    /// What shall be.
    pub(crate) wanted: Vec<Named>,
    /// What shall be replaced or left behind.
    pub(crate) replaced: Vec<Named>,
    /// What shall be gone, without a successor.
    pub(crate) dropped: Vec<Named>,
    /// What shall not be.
    pub(crate) refused: Vec<Named>,
}

/// Whether the words can be understood at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clarity {
    Plain,
    /// Too few words to know what is meant.
    Vague,
    /// In a language that the bank has no words for.
    Foreign,
}

#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a plain fact about the words")]
pub(crate) struct Request {
    pub(crate) work: Work,
    /// Names of categories, in the order they come up.
    pub(crate) topics: Vec<String>,
    /// Categories whose words it has, without deciding anything about them.
    pub(crate) touched: Vec<String>,
    /// Categories that shall go as a whole.
    pub(crate) dropped: Vec<String>,
    /// By question id.
    pub(crate) values: BTreeMap<String, Values>,
    /// It asks for a record, or speaks of architecture, strategy or approach.
    pub(crate) asks_for_record: bool,
    /// It moves something, or goes through everything.
    pub(crate) is_cross_cutting: bool,
    /// It speaks of every one of something.
    pub(crate) is_about_all: bool,
    /// Technologies of the repository that shall go.
    pub(crate) gone: Vec<String>,
    /// Names between which somebody has to choose: "this or that".
    pub(crate) either: Vec<String>,
    /// Ids of questions for which it names several values to choose from.
    pub(crate) undecided: Vec<String>,
    /// Ids of questions whose words it has.
    pub(crate) prompted: Vec<String>,
    pub(crate) clarity: Clarity,
    /// Ids of questions whose answer stays what it is.
    pub(crate) kept: Vec<String>,
    /// What comes that the bank has no field for, each with the user's words.
    pub(crate) others: Vec<(String, String)>,
    /// What is raised to another major version, and to which.
    pub(crate) upgrade: Option<(String, String)>,
    /// What shall be replaced, where nothing is named that takes its place.
    pub(crate) orphan: Option<String>,
    /// It puts one thing in the place of another.
    pub(crate) swaps: bool,
    /// What is decided, in the user's words, where there is no value to name.
    pub(crate) decision: Option<String>,
}

/// Puts together what words are read by.
pub(crate) fn prepare() {
    let _: (&Lexicon, _) = (Lexicon::embedded(), grammar::grammar());
}

impl Request {
    /// Nothing is known of it but the kind of work.
    pub(crate) fn of(work: Work) -> Self {
        Self {
            work,
            topics: Vec::new(),
            touched: Vec::new(),
            dropped: Vec::new(),
            values: BTreeMap::new(),
            asks_for_record: false,
            is_cross_cutting: false,
            is_about_all: false,
            gone: Vec::new(),
            either: Vec::new(),
            undecided: Vec::new(),
            prompted: Vec::new(),
            clarity: Clarity::Plain,
            kept: Vec::new(),
            others: Vec::new(),
            upgrade: None,
            orphan: None,
            swaps: false,
            decision: None,
        }
    }
}

/// Reads `intention`; values may also come from `context`, topics only when there are none.
/// `is_there` tells whether the repository names a dependency like that.
pub(crate) fn understand(
    bank: &Bank,
    intention: &str,
    context: Option<&str>,
    is_there: &dyn Fn(&str) -> bool,
) -> Request {
    let own;
    let lexicon = if std::ptr::eq(bank, Bank::embedded()) {
        Lexicon::embedded()
    } else {
        own = Lexicon::new(bank);
        &own
    };
    let body = ticket::work(intention);
    let is_known = |name: &str| is_there(name) || lexicon.is_known(name);
    let plain = prose::prose(&body, &is_known);
    let mut words = tokens(&plain);
    if frame::is_foreign(&plain, &words) {
        let work = Work::Feature;
        return Request { clarity: Clarity::Foreign, ..Request::of(work) };
    }
    frame::read_arrow(&mut words, intention, &is_known);
    let words = words;
    let mentions = lexicon.mentions(&words);
    let raised = upgrade::raised(&words, intention, &is_known);
    let mut request = Request {
        asks_for_record: signs::asks_for_record(&words),
        is_cross_cutting: signs::is_cross_cutting(&words),
        is_about_all: signs::is_about_all(&words),
        clarity: if signs::is_vague(&words) { Clarity::Vague } else { Clarity::Plain },
        ..Request::of(classify::work(&words, &mentions, prose::has_trace(&body)))
    };
    let mut is_minor = false;
    if request.asks_for_record && signs::names_a_record(&words) {
        request.work = Work::Feature;
    }
    match raised {
        Some(Raise::Major(what, version, is_ordered)) => {
            if is_ordered && request.work == Work::BugFix {
                request.work = Work::Feature;
            }
            request.upgrade = Some((what, version));
        }
        Some(Raise::Minor) => is_minor = !signs::brings(&words),
        None => {}
    }
    if request.work == Work::BugFix {
        request.upgrade = None;
    }
    let small = matches!(request.work, Work::Configuration | Work::Refactor);
    if request.upgrade.is_some() && small {
        request.work = Work::Feature;
    }
    let moves = signs::moves(&words);
    request.take_topics(bank, &mentions, &words, moves);
    if let Some((what, _)) = &request.upgrade {
        let is_it = |it: &Mention| {
            let own = words[it.start].start..words[it.end - 1].end;
            let own = intention.get(own).unwrap_or_default();
            what.to_lowercase().ends_with(&own.to_lowercase())
        };
        if !mentions.iter().any(|it| it.role == Role::Replaced && !is_it(it)) {
            request.topics.clear();
        }
    }
    request.take_values(bank, &mentions, intention, &words);
    request.take_names(lexicon, bank, &words, intention, is_there);
    request.let_give_way(is_there);
    if is_minor {
        return Request { clarity: request.clarity, ..Request::of(Work::Configuration) };
    }
    if let Some(context) = context {
        let words = tokens(&prose::prose(context, is_there));
        let mentions = lexicon.mentions(&words);
        if request.topics.is_empty() && request.work == Work::Feature {
            request.take_topics(bank, &mentions, &words, false);
        }
        request.take_values(bank, &mentions, context, &words);
    }
    let everything = format!("{intention}\n{}", context.unwrap_or_default());
    request.prompted = prompted(bank, &tokens(&everything));
    request
}

fn prompted(bank: &Bank, words: &[Token]) -> Vec<String> {
    let stems: Vec<&str> = words.iter().map(|it| it.stem.as_str()).collect();
    let has = |wanted: &str| {
        let wanted = phrase(wanted);
        !wanted.is_empty() && stems.windows(wanted.len()).any(|it| it == wanted.as_slice())
    };
    bank.categories
        .iter()
        .flat_map(|it| &it.questions)
        .filter(|question| question.when.iter().any(|it| has(it)))
        .map(|question| question.id.clone())
        .collect()
}

impl Request {
    fn take_topics(&mut self, bank: &Bank, mentions: &[Mention], words: &[Token], moves: bool) {
        for (index, mention) in mentions.iter().enumerate() {
            let beside = index.checked_sub(1).map(|it| &mentions[it]);
            let named: Vec<usize> = mention.topics().collect();
            let decides = classify::decides(words, mention, beside);
            for &category in &named {
                match mention.role {
                    Role::Refused | Role::Kept | Role::Neutral | Role::Replaced => {}
                    Role::Dropped if mention.ends_its_clause(words) => {
                        let name = bank.categories[category].name.clone();
                        self.topics.push(name.clone());
                        self.dropped.push(name);
                    }
                    _ if decides => self.topics.push(bank.categories[category].name.clone()),
                    _ => {}
                }
            }
            if !decides && !mention.role.is_against() {
                self.touched.extend(named.iter().map(|it| bank.categories[*it].name.clone()));
            }
        }
        for mention in mentions {
            let in_passing = matches!(mention.role, Role::Refused | Role::Kept | Role::Neutral);
            let is_topic = mention.topics().next().is_some() && mention.values().next().is_none();
            if is_topic || in_passing || !classify::is_chosen(words, mention) {
                continue;
            }
            // A name alone makes its topic, unless words elsewhere say what it is for.
            let spoken = |category: usize| self.topics.contains(&bank.categories[category].name);
            let mut candidates = mention.values().filter(|(category, question, _)| {
                let question = &bank.categories[*category].questions[*question];
                let leads = question.is_core()
                    || question.follows.is_some()
                    || !question.instead.is_empty();
                leads && (!question.quiet || moves)
            });
            if !mention.values().any(|(category, ..)| spoken(category))
                && let Some((category, ..)) = candidates.next()
            {
                self.topics.push(bank.categories[category].name.clone());
            }
        }
        for list in [&mut self.topics, &mut self.dropped] {
            let mut seen = std::collections::BTreeSet::new();
            list.retain(|it| seen.insert(it.clone()));
        }
    }

    fn take_values(&mut self, bank: &Bank, mentions: &[Mention], text: &str, words: &[Token]) {
        for mention in mentions {
            for (category, question, value) in mention.values() {
                let category = &bank.categories[category];
                if !self.topics.contains(&category.name) {
                    continue;
                }
                let question = &category.questions[question];
                // "Move the videos into a bucket": they go there, and are not given up.
                let moved = mention.start.checked_sub(1).is_some_and(|_| {
                    let before = words[..mention.start].iter().rev();
                    let small = |it: &&Token| !it.within(&grammar::grammar().fillers);
                    let mut before = before.filter(small);
                    before.next().is_some_and(|it| it.is(&["move", "moving", "put"]))
                });
                let is_content = question.kind == Kind::MultiChoice && !question.is_core();
                let role = if moved && is_content { Role::Wanted } else { mention.role };
                let span = words[mention.start].start..words[mention.end - 1].end;
                let words = text.get(span).unwrap_or_default().to_owned();
                let named = Named { value: value.to_owned(), words, is_read: false };
                let values = self.values.entry(question.id.clone()).or_default();
                let list = match role {
                    Role::Wanted => &mut values.wanted,
                    Role::Replaced => &mut values.replaced,
                    Role::Dropped => &mut values.dropped,
                    Role::Refused => &mut values.refused,
                    Role::Kept => {
                        self.kept.push(question.id.clone());
                        continue;
                    }
                    Role::Neutral => continue,
                };
                if !list.iter().any(|it| it.value == named.value) {
                    list.push(named);
                }
            }
        }
        for values in self.values.values_mut() {
            let gone: Vec<Named> = values
                .replaced
                .iter()
                .chain(&values.dropped)
                .chain(&values.refused)
                .cloned()
                .collect();
            values.wanted.retain(|it| !gone.iter().any(|other| other.value == it.value));
        }
        self.take_choices(bank, mentions, words);
        self.take_lists(bank, text, words);
    }

    /// Names in a frame that brings them in: of the topic at hand where its old value gives way or
    /// its leading question is open, or else something new.
    fn take_names(
        &mut self,
        lexicon: &Lexicon,
        bank: &Bank,
        words: &[Token],
        text: &str,
        is_there: &dyn Fn(&str) -> bool,
    ) {
        self.orphan = frame::without_successor(words, text);
        self.gone = brought::taken_away(words, text, is_there);
        let is_known = |name: &str| is_there(name) || lexicon.is_known(name);
        let names = brought::brought_in(words, text, &is_known);
        if self.orphan.is_none() && names.is_empty() {
            self.orphan = brought::given_up(words, text, &is_known)
                .filter(|_| frame::asks_for_another(words));
        }
        // A plain word that gives way to nothing that has a name is no technology.
        if names.is_empty() && self.values.values().all(|it| it.wanted.is_empty()) {
            self.gone.retain(|it| is_there(it) || spelling::is_telling(it));
        }
        for pair in names.windows(2) {
            let [one, other] = pair else { continue };
            if one.end + 1 == other.start && words[one.end].word == "or" {
                self.either.extend([one.spelled.clone(), other.spelled.clone()]);
            }
        }
        self.either.dedup();
        let swapped = |it: &Values| !it.wanted.is_empty() || !it.replaced.is_empty();
        self.swaps = (self.values.values().any(swapped) || !self.gone.is_empty())
            && (frame::moves_to(words)
                || words.iter().enumerate().any(|(at, _)| frame::is_swap(words, at)));
        for name in names.into_iter().map(|it| it.spelled) {
            let known = lexicon.mentions(&tokens(&name));
            let mut at_hand = known.iter().flat_map(Mention::categories);
            if at_hand.any(|it| self.topics.contains(&bank.categories[it].name))
                || self.either.contains(&name)
            {
                continue;
            }
            let named = Named { value: name.clone(), words: name.clone(), is_read: false };
            let open =
                self.values.values_mut().find(|it| !it.replaced.is_empty() && it.wanted.is_empty());
            match open {
                Some(values) => values.wanted.push(named),
                None => match self.open_lead(bank) {
                    Some(id) if !is_there(&name) => {
                        self.values.entry(id).or_default().wanted.push(named);
                    }
                    _ => self.others.push((name.clone(), name)),
                },
            }
        }
        let small = matches!(self.work, Work::Refactor | Work::Configuration | Work::Tests);
        let is_new = |it: &(String, String)| spelling::is_library_name(&it.0) && !is_there(&it.0);
        let adds_a_library = small && self.others.iter().any(is_new);
        if adds_a_library || (self.work != Work::Feature && self.brings_technology()) {
            self.work = Work::Feature;
        }
    }

    /// What is spoken against although the repository has it gives way to what comes.
    fn let_give_way(&mut self, is_there: &dyn Fn(&str) -> bool) {
        for values in self.values.values_mut().filter(|it| !it.wanted.is_empty()) {
            let (there, refused): (Vec<Named>, Vec<Named>) = std::mem::take(&mut values.refused)
                .into_iter()
                .partition(|it| is_there(&it.words) || is_there(&it.value));
            values.refused = refused;
            values.replaced.extend(there);
        }
    }

    /// The leading question of the one topic at hand, where the request names no value for it.
    fn open_lead(&self, bank: &Bank) -> Option<String> {
        let [topic] = self.topics.as_slice() else { return None };
        let category = bank.category(topic)?;
        let lead = category.lead()?;
        (lead.takes_names && self.values_of(&lead.id).wanted.is_empty()).then(|| lead.id.clone())
    }

    /// One technology takes the place of another, so the work is not small.
    fn brings_technology(&self) -> bool {
        let small = matches!(self.work, Work::Refactor | Work::Configuration | Work::Performance);
        small && self.swaps && (!self.others.is_empty() || !self.gone.is_empty())
    }

    /// Takes over what a language model reads in the request, where our own reading says nothing.
    pub(crate) fn take_reading(&mut self, bank: &Bank, reading: &Reading) {
        for id in &reading.questions {
            if let Some((category, _)) = bank.question(id)
                && !self.topics.contains(&category.name)
            {
                self.topics.push(category.name.clone());
            }
        }
        self.prompted.extend(reading.questions.iter().cloned());
        for (id, said) in reading.said.iter().filter(|(_, it)| it.is_literal) {
            let values = self.values.entry(id.clone()).or_default();
            if *values == Values::default() {
                let (value, words) = (said.value.clone(), said.quote.clone());
                values.wanted.push(Named { value, words, is_read: true });
            }
        }
    }

    pub(crate) fn values_of(&self, id: &str) -> &Values {
        static NONE: Values = Values {
            wanted: Vec::new(),
            replaced: Vec::new(),
            dropped: Vec::new(),
            refused: Vec::new(),
        };
        self.values.get(id).unwrap_or(&NONE)
    }

    /// It says what takes the place of what, so there is nothing to confirm.
    pub(crate) fn has_direction(&self) -> bool {
        !self.dropped.is_empty()
            || self.values.values().any(|it| {
                !it.dropped.is_empty() || (!it.replaced.is_empty() && !it.wanted.is_empty())
            })
    }
}

impl Mention {
    /// Of its topics and its values.
    fn categories(&self) -> impl Iterator<Item = usize> {
        self.topics().chain(self.values().map(|(category, ..)| category))
    }

    fn topics(&self) -> impl Iterator<Item = usize> {
        self.meanings.iter().filter_map(|it| match it {
            Meaning::Topic(category) => Some(*category),
            Meaning::Nothing | Meaning::Value { .. } => None,
        })
    }

    fn values(&self) -> impl Iterator<Item = (usize, usize, &str)> {
        self.meanings.iter().filter_map(|it| match it {
            Meaning::Nothing | Meaning::Topic(_) => None,
            Meaning::Value { category, question, value } => {
                Some((*category, *question, value.as_str()))
            }
        })
    }
}
