//! The work behind the tools and the shell: repositories are looked at, clarifications carried on,
//! and results committed together.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use mcp_core::clock::Clock;
use mcp_core::sandbox::RelPath;
use serde_json::{Map, Value, json};

use crate::adr;
use crate::bank::{self, Bank};
use crate::clarify::{Asked, Clarification, Detected, Outcome, Step, World};
use crate::compose::{self, Artifact, Occasion};
use crate::error::Error;
use crate::ledger::{Ledger, Source};
use crate::model::{Memory, Model, Setting};
use crate::reading::{self, Reader};
use crate::repository::{Places, Repository};
use crate::session::{Session, Sessions};
use crate::survey::Survey;
use crate::task;
use crate::uid::Uid;
use crate::watch::{Touched, Watch};
use mcp_core::entropy::Entropy;

const MAX_INTENTION: usize = 8_000;
/// A directory of so many bytes holds very many names: it is watched from before the first look, so
/// that nothing needs a second one.
const SIZE_OF_MANY: u64 = 64 * 1024;
/// Ledgers kept at hand; others are read anew.
const MAX_LEDGERS: usize = 16;

pub(crate) struct Service {
    pub(crate) places: Places,
    pub(crate) clock: Clock,
    pub(crate) entropy: Entropy,
    pub(crate) model: Setting,
    memory: Memory,
    sessions: Mutex<Sessions>,
    ledgers: Mutex<HashMap<PathBuf, Kept>>,
}

/// A ledger at hand, and the watch over its files where they are many.
#[derive(Default)]
struct Kept {
    ledger: Arc<Ledger>,
    watch: Option<Watch>,
}

/// What a call asks for, as it came.
#[derive(Debug, Default)]
pub(crate) struct Ask {
    pub(crate) intention: String,
    pub(crate) context: Option<String>,
    pub(crate) session_id: Option<String>,
    pub(crate) answers: Map<String, Value>,
    pub(crate) force_adr: bool,
    pub(crate) repo_path: Option<String>,
    /// The user did not want the form: this session shows none again.
    pub(crate) declined: bool,
    /// What a form has shown already within this call.
    pub(crate) shown: Vec<Asked>,
}

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

pub(crate) struct Picture {
    pub(crate) ledger: Arc<Ledger>,
    pub(crate) warnings: Vec<String>,
}

impl Service {
    pub(crate) fn new(places: Places, clock: Clock, entropy: Entropy, model: Setting) -> Self {
        let (memory, sessions, ledgers) = Default::default();
        Self { places, clock, entropy, model, memory, sessions, ledgers }
    }

    fn sessions(&self) -> MutexGuard<'_, Sessions> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a clarification, or carries one on.
    pub(crate) fn clarify(&self, ask: &Ask, model: Asking<'_>) -> Result<Reply, Error> {
        let now = self.clock.now();
        let (id, mut session) = match &ask.session_id {
            Some(id) => (id.clone(), self.sessions().get(id, now)?),
            None => (format!("sess-{}", self.entropy.id()), self.begin(ask)?),
        };
        session.state.force_adr |= ask.force_adr;
        session.declined |= ask.declined;
        session.state.has_shown(&ask.shown);
        let repository = Repository::open(session.repository.clone())
            .ok_or(Error::RepoNotFound { repo_path: None })?;
        match self.advance(&repository, &mut session.state, &ask.answers, model) {
            Ok(Advance::Ask { questions, detected, warnings }) => {
                let progress = session.state.progress();
                let fell_back = session.state.fallback.is_some();
                self.sessions().put(&id, session, now);
                let session_id = id;
                Ok(Reply::Questions {
                    session_id,
                    questions,
                    progress,
                    detected,
                    warnings,
                    fell_back,
                })
            }
            Ok(Advance::Done(completed)) => {
                self.sessions().remove(&id);
                Ok(Reply::Completed(completed))
            }
            Ok(Advance::NothingDecided) => {
                self.sessions().put(&id, session, now);
                Err(Error::NothingDecided { session_id: id })
            }
            Err(error) => {
                // What was answered is kept: the caller mends what is wrong and calls again.
                if ask.session_id.is_some() {
                    self.sessions().put(&id, session, now);
                }
                Err(error)
            }
        }
    }

    /// What a call would be answered with, up to the point where files would be written: a client
    /// that is asked by form may call twice.
    pub(crate) fn preview(&self, ask: &Ask, model: Asking<'_>) -> Result<Preview, Error> {
        let mut session = match &ask.session_id {
            Some(id) => self.sessions().get(id, self.clock.now())?,
            None => self.begin(ask)?,
        };
        if session.declined {
            return Ok(Preview::Settled);
        }
        session.state.force_adr |= ask.force_adr;
        session.state.has_shown(&ask.shown);
        let repository = Repository::open(session.repository.clone())
            .ok_or(Error::RepoNotFound { repo_path: None })?;
        let (step, _) = self.step(&repository, &mut session.state, &ask.answers, model)?;
        Ok(match step {
            Step::Ask { questions, .. } => Preview::Questions(questions),
            Step::Done(_) | Step::NothingDecided => Preview::Settled,
        })
    }

    pub(crate) fn begin(&self, ask: &Ask) -> Result<Session, Error> {
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
        let repository = self.places.find(ask.repo_path.as_deref())?;
        let state = Clarification::new(intention, ask.context.as_deref(), ask.force_adr);
        Ok(Session { repository: repository.path, state, declined: false })
    }

    /// One step of a clarification, wherever its state is kept.
    pub(crate) fn advance(
        &self,
        repository: &Repository,
        state: &mut Clarification,
        answers: &Map<String, Value>,
        model: Asking<'_>,
    ) -> Result<Advance, Error> {
        let mut answers = answers;
        let nothing = Map::new();
        loop {
            let (step, newest) = self.step(repository, state, answers, model)?;
            let outcome = match step {
                Step::Ask { questions, detected, warnings } => {
                    return Ok(Advance::Ask { questions, detected, warnings });
                }
                Step::NothingDecided => return Ok(Advance::NothingDecided),
                Step::Done(outcome) => outcome,
            };
            if let Some(completed) = self.complete(repository, state, &outcome, newest.as_ref())? {
                return Ok(Advance::Done(completed));
            }
            // Somebody else has decided something meanwhile: the same answers, seen in its light.
            answers = &nothing;
        }
    }

    fn step(
        &self,
        repository: &Repository,
        state: &mut Clarification,
        answers: &Map<String, Value>,
        model: Asking<'_>,
    ) -> Result<(Step, Option<Uid>), Error> {
        let ledger = self.ledger(repository)?;
        let own;
        let bank = match own_bank(repository)? {
            Some(bank) => {
                own = bank;
                &own
            }
            None => Bank::embedded(),
        };
        let survey = Survey::of(&repository.tree);
        let world = World { bank, architecture: &ledger.architecture, survey: &survey };
        let newest = ledger.newest().map(|(uid, _)| uid.clone());
        let had_fallen_back = state.fallback.is_some();
        let reader = self.reader(state, model);
        if let Some(reader) = reader {
            reader.read(state, &world)?;
        }
        let mut step = state.advance(&world, answers);
        if let Some(reader) = reader
            && step.is_conclusion()
            && reader.conclude(state, &world)?
        {
            step = state.advance(&world, &Map::new());
        }
        if let (false, Some(reason)) = (had_fallen_back, &state.fallback) {
            step.warn(reason);
        }
        Ok((step, newest))
    }

    /// The way to the language model, where there is one and the session still uses it.
    fn reader<'a>(&'a self, state: &mut Clarification, model: Asking<'a>) -> Option<Reader<'a>> {
        match (&self.model, model) {
            (Setting::Off, _) | (Setting::Ready { .. }, None) => None,
            (Setting::Unusable(error), _) => {
                state.fallback = Some(reading::reason(error));
                None
            }
            (Setting::Ready { deadline, .. }, Some(model)) => Some(Reader {
                model,
                memory: &self.memory,
                deadline: *deadline,
                now: self.clock.now(),
            }),
        }
    }

    /// The ledger as it is now, and without writing.
    pub(crate) fn ledger(&self, repository: &Repository) -> Result<Arc<Ledger>, Error> {
        let journal = repository.journal_to_read()?;
        let view = journal.view(&repository.tree)?;
        self.refreshed(repository, &Source::View(&view))
    }

    fn refreshed(
        &self,
        repository: &Repository,
        source: &Source<'_>,
    ) -> Result<Arc<Ledger>, Error> {
        let mut ledgers = self.ledgers.lock().unwrap_or_else(PoisonError::into_inner);
        if ledgers.len() >= MAX_LEDGERS && !ledgers.contains_key(&repository.path) {
            ledgers.clear();
        }
        let kept = ledgers.entry(repository.path.clone()).or_default();
        let (touched, now) = (kept.touched(repository), self.clock.now());
        if kept.ledger.is_current(&repository.tree, now, &touched) {
            return Ok(kept.ledger.clone());
        }
        let ledger = Arc::make_mut(&mut kept.ledger);
        match ledger.refresh(&repository.tree, source, now, &touched) {
            Ok(()) => Ok(kept.ledger.clone()),
            Err(error) => {
                ledgers.remove(&repository.path);
                Err(error)
            }
        }
    }

    /// The architecture of a repository, with what is odd about its records.
    pub(crate) fn picture(&self, repo_path: Option<&str>) -> Result<Picture, Error> {
        let ledger = self.ledger(&self.places.find(repo_path)?)?;
        let warnings =
            ledger.fork().into_iter().chain(ledger.notice_of_the_future(self.clock.now()));
        Ok(Picture { warnings: warnings.collect(), ledger })
    }

    /// A file of the repository as it counts, an interrupted commit taken into account.
    pub(crate) fn document(&self, path: &str) -> Result<Option<String>, Error> {
        let repository = self.places.find(None)?;
        let journal = repository.journal_to_read()?;
        let view = journal.view(&repository.tree)?;
        view.read_text_if_any(&RelPath::parse(path)?).map_err(Error::while_reading)
    }

    /// Writes everything, unless there is a record newer than the outcome knows.
    fn complete(
        &self,
        repository: &Repository,
        state: &Clarification,
        outcome: &Outcome,
        newest: Option<&Uid>,
    ) -> Result<Option<Completed>, Error> {
        let journal = repository.journal_to_write()?;
        let commit = journal.lock(&repository.tree)?;
        let now = self.clock.now();
        // Nobody else writes now, so the tree itself is what counts.
        let ledger = self.refreshed(repository, &Source::Tree(&repository.tree))?;
        if ledger.newest().map(|(uid, _)| uid) != newest {
            return Ok(None);
        }
        if let Some((uid, _)) = ledger.newest().filter(|_| outcome.writes_record) {
            let missing = ledger.lost_keys(uid);
            if !missing.is_empty() {
                return Err(Error::Validation {
                    message: "ADR snapshot validation failed".to_owned(),
                    details: json!({ "missing_keys": missing, "uid": uid.as_str() }),
                    hint: "Review previous ADR and retry",
                });
            }
        }
        let old_task = repository
            .tree
            .read_text_if_any(&RelPath::parse(task::PATH)?)
            .map_err(Error::while_reading)?;
        let old = old_task.as_deref().map(task::parse).transpose()?;
        let archived = match &old {
            Some(old) => repository.tree.read_text_if_any(&RelPath::parse(&old.archive_path())?)?,
            None => None,
        };
        let floor = newest_of(repository, &ledger, old.as_ref().map(|it| &it.uid))?;
        let (adr_uid, task_uid) = self.mint(now, floor.as_ref())?;
        let composed = compose::compose(
            state,
            outcome,
            &Occasion {
                now,
                adr_uid: &adr_uid,
                task_uid: &task_uid,
                ledger: &ledger,
                old_task: old_task.as_deref(),
                is_archived: archived.is_some() && archived == old_task,
            },
        )?;
        commit.apply(&composed.files)?;
        let mut warnings = outcome.warnings.clone();
        warnings.extend(ledger.notice_of_the_future(now));
        Ok(Some(Completed {
            artifacts: composed.artifacts,
            summary: composed.summary,
            detected: outcome.detected.clone(),
            open: outcome.open.clone(),
            warnings,
            fell_back: state.fallback.is_some(),
        }))
    }

    /// Two in order, above everything there is.
    fn mint(&self, now: Timestamp, floor: Option<&Uid>) -> Result<(Uid, Uid), Error> {
        let exhausted =
            || Error::refused("no UID lies above the newest one", "Review previous ADR and retry");
        let adr = Uid::mint(now, suffix(&self.entropy), floor).ok_or_else(exhausted)?;
        let task = Uid::mint(now, suffix(&self.entropy), Some(&adr)).ok_or_else(exhausted)?;
        Ok((adr, task))
    }
}

impl Kept {
    /// What the watch says, begun where it is worth it and anew for another directory.
    fn touched(&mut self, repository: &Repository) -> Touched {
        let path = RelPath::parse(adr::DIRECTORY).ok();
        let Some(stamp) = path.and_then(|path| repository.tree.stamp(&path).ok()) else {
            return Touched::Unknown;
        };
        if !self.ledger.has_many() && stamp.size < SIZE_OF_MANY {
            return Touched::Unknown;
        }
        match &self.watch {
            Some(watch) if watch.is_of(stamp.inode) => watch.take(),
            _ => {
                let path = repository.path.join(adr::DIRECTORY);
                self.watch = Some(Watch::on(&path, stamp.inode));
                // What went unreported until now has to be looked for.
                Touched::Everything
            }
        }
    }
}

/// The model for this call; none where it is not wanted.
pub(crate) type Asking<'a> = Option<&'a dyn Model>;

pub(crate) enum Advance {
    Ask { questions: Vec<Asked>, detected: Vec<Detected>, warnings: Vec<String> },
    Done(Completed),
    NothingDecided,
}

/// Whether a call leads to questions.
pub(crate) enum Preview {
    Questions(Vec<Asked>),
    Settled,
}

fn own_bank(repository: &Repository) -> Result<Option<Bank>, Error> {
    let path = RelPath::parse(bank::OWN_QUESTIONS)?;
    let text = repository.tree.read_text_if_any(&path).map_err(Error::while_reading)?;
    text.map(|text| Bank::with_own(&text)).transpose()
}

/// The highest UID of any record or task, in whatever state.
fn newest_of(
    repository: &Repository,
    ledger: &Ledger,
    task: Option<&Uid>,
) -> Result<Option<Uid>, Error> {
    let archive = RelPath::parse(task::ARCHIVE)?;
    let archived = repository.tree.list(Some(&archive)).unwrap_or_default();
    let archived = archived.iter().filter_map(|it| Uid::of_file(&it.name)).map(|(uid, _)| uid);
    let record = ledger.newest().map(|(uid, _)| uid.clone());
    Ok(archived.chain(record).chain(task.cloned()).max())
}

/// What tells two identifiers of one moment apart.
#[expect(clippy::cast_possible_truncation, reason = "sixteen bits of it are wanted")]
fn suffix(entropy: &Entropy) -> u16 {
    entropy.number() as u16
}
