//! The work behind the tools and the shell: repositories are looked at, clarifications carried on,
//! and results committed together.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use mcp_core::clock::Clock;
use mcp_core::entropy::Entropy;
use mcp_core::sandbox::RelPath;
use mcp_core::settings::Settings;
use mcp_core::work::Work;
use serde_json::{Map, Value};
use ulid::Ulid;

use super::completion;
use super::histories::Histories;
use super::ledgers::Ledgers;
use super::model::{Memory, Setting};
use super::others::others;
use super::reader::{self, Reader};
use super::records::Source;
use super::repository::{Places, Repository};
use super::session::{Session, Sessions};
use super::survey::{look_up, survey};
use crate::domain::bank::{self, Bank};
use crate::domain::clarify::{Asked, Clarification, Detected, Step, World};
use crate::domain::compose::Artifact;
use crate::domain::ledger::Ledger;
use crate::domain::survey::OtherRecord;
use crate::domain::uid::Uid;
use crate::error::Error;

const MAX_INTENTION: usize = 8_000;
const MANY_RECORDS: usize = 2_000;

pub(crate) struct Service {
    pub(crate) places: Places,
    pub(crate) clock: Clock,
    entropy: Entropy,
    pub(crate) model: Setting,
    memory: Memory,
    sessions: Mutex<Sessions>,
    ledgers: Ledgers,
    histories: Histories,
}

/// What a call asks for, as it came.
#[derive(Debug, Default)]
pub(crate) struct Ask {
    pub(crate) intention: String,
    pub(crate) context: Option<String>,
    pub(crate) session_id: Option<String>,
    pub(crate) answers: Map<String, Value>,
    /// What the calling agent reads in the request.
    pub(crate) reading: Option<Value>,
    /// Names of arguments that nobody knows.
    pub(crate) unknown: Vec<String>,
    pub(crate) force_adr: bool,
    /// Categories it is not about.
    pub(crate) not_about: Vec<String>,
    pub(crate) repo_path: Option<String>,
    /// The user did not want the form: this session shows none again.
    pub(crate) declined: bool,
    /// What a form has shown already within this call.
    pub(crate) shown: Vec<Asked>,
}

/// What a clarification is answered with.
pub(crate) enum Reply {
    Questions {
        session_id: String,
        questions: Vec<Asked>,
        progress: (usize, usize),
        detected: Vec<Detected>,
        warnings: Vec<String>,
        /// The language model was given up in this session.
        fell_back: bool,
    },
    Completed(Completed),
}

pub(crate) struct Completed {
    pub(crate) artifacts: Vec<Artifact>,
    pub(crate) summary: String,
    pub(crate) detected: Vec<Detected>,
    pub(crate) open: Vec<String>,
    pub(crate) warnings: Vec<String>,
    pub(crate) fell_back: bool,
}

/// Whether a call leads to questions.
pub(crate) enum Preview {
    Questions(Vec<Asked>),
    Settled,
}

pub(crate) struct Picture {
    pub(crate) ledger: Arc<Ledger>,
    /// Records that others keep here.
    pub(crate) others: Vec<OtherRecord>,
    pub(crate) warnings: Vec<String>,
}

impl Reply {
    /// Says what of a call was passed over.
    fn warn(&mut self, ask: &Ask) {
        let warnings = match self {
            Self::Questions { warnings, .. } => warnings,
            Self::Completed(completed) => &mut completed.warnings,
        };
        if ask.session_id.is_some() && ask.reading.is_some() {
            let message =
                "A reading counts on the first call of a clarification; this one was ignored.";
            warnings.push(message.to_owned());
        }
        for name in ask.unknown.iter().take(10) {
            let name = mcp_core::text::one_line(mcp_core::text::cut(name, 80));
            warnings.push(format!("`{name}` is not a parameter; it was ignored."));
        }
    }
}

impl Service {
    pub(crate) fn from_settings(settings: &Settings) -> Self {
        let home = settings.variable("HOME").or_else(|| settings.variable("USERPROFILE"));
        let places = Places {
            start: settings.root().to_owned(),
            home: home.map(Into::into),
            confined_to: settings.is_confined().then(|| settings.roots().to_vec()),
            state: settings.state(),
        };
        let clock = Clock::system();
        let model = Setting::from_settings(settings, clock.clone());
        Self::new(places, clock, Entropy::system(), model)
    }

    pub(crate) fn new(places: Places, clock: Clock, entropy: Entropy, model: Setting) -> Self {
        let (memory, sessions, ledgers) = Default::default();
        let histories = Histories::default();
        Self { places, clock, entropy, model, memory, sessions, ledgers, histories }
    }

    fn sessions(&self) -> MutexGuard<'_, Sessions> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `sess-` and a ULID: in the order of time, and not to be guessed.
    fn new_id(&self, now: Timestamp) -> String {
        let random = u128::from(self.entropy.number()) << 64 | u128::from(self.entropy.number());
        let milliseconds = u64::try_from(now.as_millisecond()).unwrap_or_default();
        format!("sess-{}", Ulid::from_parts(milliseconds, random))
    }

    /// Starts a clarification, or goes on with one.
    pub(crate) fn clarify(&self, ask: &Ask, work: &Work) -> Result<Reply, Error> {
        let now = self.clock.now();
        let (id, mut session) = match &ask.session_id {
            Some(id) => (id.clone(), self.sessions().get(id, now)?),
            None => (self.new_id(now), Self::begin(ask)?),
        };
        session.take_up(ask.force_adr, &ask.shown);
        session.declined |= ask.declined;
        let repository = self.places.find(session.repo_path.as_deref())?;
        let mut reply = self.carry_on(&id, &repository, &mut session.state, &ask.answers, work);
        if let Ok(reply) = &mut reply {
            reply.warn(ask);
        }
        match &reply {
            Ok(Reply::Completed(_)) => self.sessions().remove(&id),
            Ok(Reply::Questions { .. }) | Err(Error::NothingDecided { .. }) => {
                self.sessions().put(&id, session, now);
            }
            // What was answered is kept: the caller puts right what is wrong and calls again.
            Err(_) if ask.session_id.is_some() => self.sessions().put(&id, session, now),
            Err(_) => {}
        }
        reply
    }

    /// What a call would be answered with, up to the point where files would be written: a client
    /// that is asked by form may call twice.
    pub(crate) fn preview(&self, ask: &Ask, work: &Work) -> Result<Preview, Error> {
        let mut session = match &ask.session_id {
            Some(id) => self.sessions().get(id, self.clock.now())?,
            None => Self::begin(ask)?,
        };
        if session.declined {
            return Ok(Preview::Settled);
        }
        session.take_up(ask.force_adr, &ask.shown);
        let repository = self.places.find(session.repo_path.as_deref())?;
        let (step, _) = self.step(&repository, &mut session.state, &ask.answers, work)?;
        Ok(match step {
            Step::Ask { questions, .. } => Preview::Questions(questions),
            Step::Done(_) | Step::NothingDecided => Preview::Settled,
        })
    }

    pub(crate) fn begin(ask: &Ask) -> Result<Session, Error> {
        const HINT: &str = "Give user_intention: what the user wants, in their own words.";
        let intention = ask.intention.trim();
        if intention.is_empty() {
            return Err(Error::refused("`user_intention` is empty", HINT));
        }
        if intention.chars().count() > MAX_INTENTION {
            let message = format!("`user_intention` has more than {MAX_INTENTION} characters");
            return Err(Error::refused(
                message,
                "Put the details into optional_context or the repository.",
            ));
        }
        let state = Clarification::new(intention, ask.context.as_deref(), ask.force_adr)
            .with_reading(ask.reading.clone())
            .apart_from(&ask.not_about);
        Ok(Session { repo_path: ask.repo_path.clone(), state, declined: false })
    }

    /// Takes a clarification as far as it goes, wherever its state is kept; `id` is the name that
    /// callers know it by.
    pub(crate) fn carry_on(
        &self,
        id: &str,
        repository: &Repository,
        state: &mut Clarification,
        answers: &Map<String, Value>,
        work: &Work,
    ) -> Result<Reply, Error> {
        let mut answers = answers;
        let nothing = Map::new();
        loop {
            let (step, newest) = self.step(repository, state, answers, work)?;
            let outcome = match step {
                Step::Ask { questions, detected, warnings } => {
                    return Ok(Reply::Questions {
                        session_id: id.to_owned(),
                        questions,
                        progress: state.progress(),
                        detected,
                        warnings,
                        fell_back: state.fallback.is_some(),
                    });
                }
                Step::NothingDecided => {
                    return Err(Error::NothingDecided { session_id: id.to_owned() });
                }
                Step::Done(outcome) => outcome,
            };
            let place = completion::Place {
                repository,
                ledgers: &self.ledgers,
                clock: &self.clock,
                entropy: &self.entropy,
            };
            if let Some(written) = place.complete(state, &outcome, newest.as_ref(), work)? {
                let mut warnings = outcome.warnings;
                warnings.extend(written.notice);
                return Ok(Reply::Completed(Completed {
                    artifacts: written.composed.artifacts,
                    summary: written.composed.summary,
                    detected: outcome.detected,
                    open: outcome.open,
                    warnings,
                    fell_back: state.fallback.is_some(),
                }));
            }
            // Somebody else has decided something meanwhile: the answers are looked at again in
            // its light.
            answers = &nothing;
        }
    }

    fn step(
        &self,
        repository: &Repository,
        state: &mut Clarification,
        answers: &Map<String, Value>,
        work: &Work,
    ) -> Result<(Step, Option<Uid>), Error> {
        let (ledger, broken) = match self.ledger(repository, work) {
            Ok(ledger) => (ledger, None),
            // What cannot be read is in the way of a record only.
            Err(Error::Parse { path, line, reason }) => {
                (Arc::default(), Some(Error::Parse { path, line, reason }))
            }
            Err(error) => return Err(error),
        };
        let own;
        let bank = match own_bank(repository)? {
            Some(bank) => {
                own = bank;
                &own
            }
            None => Bank::embedded(),
        };
        let mut survey = survey(&repository.tree, &repository.git_dir, work)?;
        survey.others = others(&repository.tree, ledger.records.len());
        let (symbols, words) = state.sought(bank, &ledger.architecture, &survey);
        look_up(&repository.tree, &mut survey, (&symbols, &words), work)?;
        // With very many records the whole look is left to `lint`.
        let conflicts =
            if ledger.records.len() > MANY_RECORDS { Vec::new() } else { ledger.conflicts() };
        let world = World {
            bank,
            architecture: &ledger.architecture,
            survey: &survey,
            conflicts: &conflicts,
        };
        let newest = ledger.newest().map(|(uid, _)| uid.clone());
        let had_fallen_back = state.fallback.is_some();
        let reader = self.reader(state, work);
        if let Some(reader) = reader {
            reader.read(state, &world)?;
        }
        let mut step = state.next_step(&world, answers);
        if let Some(reader) = reader
            && step.is_conclusion()
            && reader.conclude(state, &world)?
        {
            step = state.next_step(&world, &Map::new());
        }
        if let Step::Done(outcome) = &mut step
            && outcome.scope.may_have_company()
        {
            let commits = self.histories.recent(repository, work);
            outcome.scope.add_company(&commits, &survey.files);
        }
        if let (false, Some(reason)) = (had_fallen_back, &state.fallback) {
            step.warn(reason);
        }
        if let Some(error) = broken {
            if step.is_conclusion() || matches!(step, Step::Ask { .. }) {
                return Err(error);
            }
            step.warn(&format!(
                "A record cannot be read, so earlier decisions are not known here: {error}. Repair it before something is decided."
            ));
        }
        Ok((step, newest))
    }

    /// The way to the language model, where there is one and the session still uses it.
    fn reader<'a>(&'a self, state: &mut Clarification, work: &'a Work) -> Option<Reader<'a>> {
        match &self.model {
            Setting::Off => None,
            Setting::Unusable(error) => {
                state.fallback = Some(reader::reason(error));
                None
            }
            Setting::Ready { client, deadline } => Some(Reader {
                client,
                memory: &self.memory,
                deadline: *deadline,
                now: self.clock.now(),
                work,
            }),
        }
    }

    /// The ledger as it is now, and without writing.
    pub(crate) fn ledger(
        &self,
        repository: &Repository,
        work: &Work,
    ) -> Result<Arc<Ledger>, Error> {
        let journal = repository.journal();
        let view = journal.view(&repository.tree, work)?;
        self.ledgers.refreshed(repository, &Source::View(&view), self.clock.now())
    }

    /// The architecture of a repository, with what is odd about its records.
    pub(crate) fn picture(&self, repo_path: Option<&str>, work: &Work) -> Result<Picture, Error> {
        let repository = self.places.find(repo_path)?;
        let ledger = self.ledger(&repository, work)?;
        let others = others(&repository.tree, ledger.records.len());
        let warnings =
            ledger.fork().into_iter().chain(ledger.notice_of_the_future(self.clock.now()));
        Ok(Picture { warnings: warnings.collect(), ledger, others })
    }

    /// A file of the repository as it counts, an interrupted commit taken into account.
    pub(crate) fn document(&self, path: &str, work: &Work) -> Result<Option<String>, Error> {
        let repository = self.places.find(None)?;
        let journal = repository.journal();
        let view = journal.view(&repository.tree, work)?;
        view.read_text_if_any(&RelPath::parse(path)?).map_err(Error::while_reading)
    }
}

fn own_bank(repository: &Repository) -> Result<Option<Bank>, Error> {
    let path = RelPath::parse(bank::OWN_QUESTIONS)?;
    let text = repository.tree.read_text_if_any(&path).map_err(Error::while_reading)?;
    text.map(|text| Bank::with_own(&text)).transpose()
}
