//! A clarification that outlives the command: kept in the repository, and out of git.

use mcp_core::sandbox::RelPath;
use mcp_core::work::Work;
use serde_json::{Map, Value, json};

use super::prompt;
use crate::domain::check::Finding;
use crate::domain::clarify::{Asked, Clarification};
use crate::domain::lint::Remark;
use crate::domain::projection;
use crate::error::Error;
use crate::store::changed::Since;
use crate::store::repository::Repository;
use crate::store::service::{Ask, Reply, Service};
use crate::store::{check, lint};
use crate::tools;

const SESSION: &str = ".preflights/session.json";
const IGNORE: &str = ".preflights/.gitignore";
const AGENT_PROMPT: &str = "docs/AGENT_PROMPT.md";
/// What stands for the session's id in answers.
const ID: &str = "shell";

pub(super) struct Shell {
    service: Service,
    repository: Repository,
}

pub(super) struct Progress {
    reply: Reply,
    prompt_written: bool,
    /// Shown by `status`.
    request: Option<String>,
}

impl Shell {
    /// Any command brings an interrupted commit to its end first.
    pub(super) fn open(service: Service) -> Result<Self, Error> {
        let repository = service.places.find(None)?;
        repository.recover(&Work::endless())?;
        Ok(Self { service, repository })
    }

    pub(super) fn start(
        &self,
        intention: &str,
        context: Option<&str>,
        force: bool,
    ) -> Result<Progress, Error> {
        if self.load()?.is_some() {
            return Err(Error::refused(
                "a clarification is in progress in this repository",
                "Go on with `answer`, look at it with `status`, or forget it with `reset`.",
            ));
        }
        let ask = Ask {
            intention: intention.to_owned(),
            context: context.map(str::to_owned),
            force_adr: force,
            ..Ask::default()
        };
        let state = Service::begin(&ask)?.state;
        self.carry_on(state, &Map::new())
    }

    pub(super) fn answer(&self, answers: &Map<String, Value>) -> Result<Progress, Error> {
        let state = self.load()?.ok_or_else(|| Error::SessionNotFound { id: ID.to_owned() })?;
        let mut answers = answers.clone();
        for asked in &state.shown {
            if let Some(Value::String(typed)) = answers.get(&asked.id) {
                let meant = prompt::answer(asked, typed.trim());
                answers.insert(asked.id.clone(), meant);
            }
        }
        self.carry_on(state, &answers)
    }

    /// Ids of the questions that wait for an answer.
    pub(super) fn open_ids(&self) -> Result<Vec<String>, Error> {
        let state = self.load()?;
        let open = state.iter().flat_map(Clarification::open_questions);
        Ok(open.map(|it| it.id).collect())
    }

    pub(super) fn status(&self) -> Result<Option<Progress>, Error> {
        let Some(state) = self.load()? else { return Ok(None) };
        let reply = Reply::Questions {
            session_id: ID.to_owned(),
            questions: state.open_questions(),
            progress: state.progress(),
            detected: Vec::new(),
            warnings: Vec::new(),
            fell_back: state.fallback.is_some(),
        };
        Ok(Some(Progress { reply, prompt_written: false, request: Some(state.intention) }))
    }

    pub(super) fn reset(&self) -> Result<bool, Error> {
        let had_one = self.repository.tree.has_entry(&RelPath::parse(SESSION)?)?;
        if had_one {
            self.repository.tree.remove(&RelPath::parse(SESSION)?)?;
        }
        Ok(had_one)
    }

    pub(super) fn check(&self, since: &Since<'_>) -> Result<Vec<Finding>, Error> {
        let ledger = self.service.ledger(&self.repository, &Work::endless())?;
        check::check(&self.repository.tree, &ledger.architecture, since)
    }

    pub(super) fn judge(&self, path: &str) -> Result<Option<Finding>, Error> {
        check::judge(&self.repository.tree, path)
    }

    /// A path as an agent gives it, relative to the repository; `None` for what lies elsewhere.
    pub(super) fn inside(&self, path: &str) -> Option<String> {
        let path = std::path::Path::new(path);
        let relative = if path.is_absolute() {
            let tree = &self.repository.tree;
            let real = tree.real_path();
            let real = real.as_deref().and_then(|it| path.strip_prefix(it).ok());
            path.strip_prefix(tree.path()).ok().or(real)?
        } else {
            path
        };
        let parts: Option<Vec<&str>> = relative.iter().map(|it| it.to_str()).collect();
        parts.map(|it| it.join("/")).filter(|it| !it.is_empty() && !it.starts_with(".."))
    }

    /// Writes the projection; `None` where there is nothing to write it from.
    pub(super) fn regenerate(&self) -> Result<Option<&'static str>, Error> {
        let ledger = self.service.ledger(&self.repository, &Work::endless())?;
        let Some((uid, _)) = ledger.newest() else { return Ok(None) };
        let text = projection::render(uid, &ledger.architecture);
        let path = RelPath::parse(projection::PATH)?;
        self.repository.tree.write(&path, text.as_bytes())?;
        Ok(Some(projection::PATH))
    }

    pub(super) fn lint(&self) -> Result<Vec<Remark>, Error> {
        lint::lint(&self.repository.tree, self.service.clock.now())
    }

    fn carry_on(
        &self,
        mut state: Clarification,
        answers: &Map<String, Value>,
    ) -> Result<Progress, Error> {
        let work = Work::endless();
        let reply = self.service.carry_on(ID, &self.repository, &mut state, answers, &work);
        let Ok(Reply::Completed(completed)) = reply else {
            // Whatever happens next, what was answered is kept.
            self.store(&state)?;
            return Ok(Progress { reply: reply?, prompt_written: false, request: None });
        };
        self.reset()?;
        let record = completed.artifacts.iter().find(|it| it.kind == "adr");
        let prompt = agent_prompt(record.map(|it| it.path.as_str()));
        self.repository.tree.write(&RelPath::parse(AGENT_PROMPT)?, prompt.as_bytes())?;
        Ok(Progress { reply: Reply::Completed(completed), prompt_written: true, request: None })
    }

    fn load(&self) -> Result<Option<Clarification>, Error> {
        let path = RelPath::parse(SESSION)?;
        let Some(text) =
            self.repository.tree.read_text_if_any(&path).map_err(Error::while_reading)?
        else {
            return Ok(None);
        };
        serde_json::from_str(&text).map(Some).map_err(|error| {
            Error::parse(SESSION, error.line(), "it does not hold a session; `reset` removes it")
        })
    }

    fn store(&self, state: &Clarification) -> Result<(), Error> {
        let tree = &self.repository.tree;
        let ignore = RelPath::parse(IGNORE)?;
        if !tree.has_entry(&ignore)? {
            tree.write(&ignore, b"session.json\n.gitignore\n")?;
        }
        let bytes = serde_json::to_vec_pretty(state).unwrap_or_default();
        Ok(tree.write(&RelPath::parse(SESSION)?, &bytes)?)
    }
}

impl Progress {
    /// What is to be asked, if anything.
    pub(super) fn questions(&self) -> Option<&[Asked]> {
        match &self.reply {
            Reply::Questions { questions, .. } => Some(questions),
            Reply::Completed(_) => None,
        }
    }

    /// What is known without asking, and what is odd.
    pub(super) fn known(&self) -> String {
        let Reply::Questions { detected, warnings, .. } = &self.reply else { return String::new() };
        let known =
            detected.iter().map(|it| format!("Known: {} = {} ({})", it.id, it.value, it.source));
        known.chain(warnings.iter().map(|it| format!("Note: {it}"))).collect::<Vec<_>>().join("\n")
    }

    pub(super) fn answered(&self) -> usize {
        match &self.reply {
            Reply::Questions { progress, .. } => progress.1,
            Reply::Completed(_) => 0,
        }
    }

    pub(super) fn json(&self) -> Value {
        let mut answer = tools::as_json(&self.reply);
        if self.prompt_written {
            answer["agent_prompt"] = json!(AGENT_PROMPT);
        }
        answer
    }

    pub(super) fn lines(&self) -> String {
        match &self.reply {
            Reply::Questions { questions, progress, .. } => {
                let mut lines: Vec<String> = Vec::new();
                if let Some(request) = &self.request {
                    let (asked, answered) = progress;
                    lines.push(format!("Request: {}", mcp_core::text::one_line(request)));
                    lines.push(format!("Progress: {answered} of {asked} answered"));
                }
                lines.extend(Some(self.known()).filter(|it| !it.is_empty()));
                for asked in questions {
                    lines.push(String::new());
                    lines.push(prompt::shown(asked));
                    lines.push(format!("  preflights-mcp answer {}=…", asked.id));
                }
                lines.join("\n")
            }
            Reply::Completed(completed) => {
                let mut lines = vec![completed.summary.clone()];
                lines.extend(completed.artifacts.iter().map(|it| format!("  {}", it.path)));
                lines.push(format!("  {AGENT_PROMPT}"));
                lines.extend(completed.warnings.iter().map(|it| format!("Note: {it}")));
                lines.join("\n")
            }
        }
    }
}

/// What to tell an agent; the server itself never writes it.
fn agent_prompt(record: Option<&str>) -> String {
    let record = record.map(|path| format!("- `{path}`: the decision behind the task\n"));
    format!(
        "# Prompt for the agent\n\nCopy what follows into a fresh conversation.\n\n```text\nWork on the current task of this repository.\n\nRead first:\n- `docs/ARCHITECTURE_STATE.md`, if it exists: what has been decided so far\n- `docs/CURRENT_TASK.md`: the task, its scope and its acceptance criteria\n{}\nThen:\n1. Change only what the allowlist of the task covers.\n2. Keep to every technical constraint; if one cannot be met, stop and say so.\n3. Ask about open questions instead of settling them yourself.\n4. Do not edit docs/adr, docs/archive or docs/ARCHITECTURE_STATE.md.\n5. Finish when every acceptance criterion is met, and show how you know.\n```\n",
        record.unwrap_or_default()
    )
}
