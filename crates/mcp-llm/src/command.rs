//! The `claude` command line as a model: the question on its input, and killed with everything it
//! started as soon as nobody waits for it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use mcp_core::program::{Ended, Program, ProgramError};
use mcp_core::work::Work;
use serde_json::Value;

use crate::error::Error;
use crate::request::{Stop, Usage};
use crate::secret::Secret;
use crate::wire::{Answer, Content, Question, asked_in_words, tokens};

const MAX_OUTPUT: u64 = 8 * 1024 * 1024;

/// Whoever asks gives up earlier.
const LONGEST: Duration = Duration::from_hours(1);

/// The command may neither use tools nor start servers: it is asked, not sent to work.
const ARGUMENTS: [&str; 8] = [
    "--print",
    "--output-format",
    "json",
    "--max-turns",
    "1",
    "--strict-mcp-config",
    "--tools",
    "",
];

/// How the command finds its login and its way out, besides what every program is given. Keys of
/// the providers are none of its business, nor is that an agent may have started us: it refuses to
/// run inside itself.
const VARIABLES: [&str; 18] = [
    "CLAUDE_CONFIG_DIR",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "CLAUDE_CODE_USE_BEDROCK",
    "CLAUDE_CODE_USE_VERTEX",
    "AWS_PROFILE",
    "AWS_REGION",
    "AWS_CONFIG_FILE",
    "AWS_SHARED_CREDENTIALS_FILE",
    "CLOUD_ML_REGION",
    "ANTHROPIC_VERTEX_PROJECT_ID",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "NODE_EXTRA_CA_CERTS",
];

/// The command and what it is given.
#[derive(Debug, Clone)]
pub(crate) struct Claude {
    pub(crate) path: PathBuf,
    variables: Vec<(&'static str, Secret)>,
}

impl Claude {
    /// The command named by `PREFIX_LLM_COMMAND`, else `claude` on the PATH.
    pub(crate) fn find(prefix: &str, variable: &dyn Fn(&str) -> Option<String>) -> Option<Self> {
        let path = match variable(&format!("{prefix}_LLM_COMMAND")) {
            Some(named) => Some(PathBuf::from(named.trim())).filter(|it| is_file(it)),
            None => on_the_path(&variable("PATH")?),
        };
        let given = |name: &'static str| variable(name).map(|value| (name, Secret::new(value)));
        Some(Self { path: path?, variables: VARIABLES.into_iter().filter_map(given).collect() })
    }

    pub(crate) async fn ask(&self, question: &Question<'_>) -> Result<Answer, Error> {
        let system = question
            .shape
            .map_or_else(|| question.system.to_owned(), |it| asked_in_words(question.system, it));
        // On the command line other users of this machine could read it.
        let input = format!("{system}\n\n{}", question.prompt);
        let program = self.program(question.model);
        let (work, _wanted) = Work::while_wanted();
        let running = tokio::task::spawn_blocking(move || program.run(input.as_bytes(), &work));
        let ended = running.await.map_err(|_| failed("a failure of ours"))?;
        read(&output(ended)?)
    }

    fn program(&self, model: Option<&str>) -> Program {
        let mut program = Program::at(&self.path)
            .args(ARGUMENTS)
            // The project it is asked about must not configure it.
            .directory("/")
            .timeout(LONGEST)
            .max_output(MAX_OUTPUT);
        if let Some(model) = model {
            program = program.args(["--model", model]);
        }
        for (name, value) in &self.variables {
            program = program.variable(name, value.expose());
        }
        program
    }
}

fn on_the_path(path: &str) -> Option<PathBuf> {
    let name = format!("claude{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(path)
        .filter(|it| it.is_absolute())
        .map(|it| it.join(&name))
        .find(|it| is_file(it))
}

#[expect(clippy::disallowed_methods, reason = "programs lie outside every project root")]
fn is_file(path: &Path) -> bool {
    path.is_file()
}

fn failed(problem: &str) -> Error {
    Error::Command { problem: problem.to_owned() }
}

/// What it printed. An answer counts even where it ends with an error code, which it then explains.
fn output(ended: Result<Ended, ProgramError>) -> Result<Vec<u8>, Error> {
    match ended {
        Ok(ended) if ended.status.success() || !ended.stdout.is_empty() => Ok(ended.stdout),
        Ok(ended) => Err(Error::Command {
            problem: ended
                .status
                .code()
                .map_or("a signal".to_owned(), |code| format!("exit code {code}")),
        }),
        Err(ProgramError::TooMuchOutput { .. }) => {
            Err(Error::TooLarge { limit: usize::try_from(MAX_OUTPUT).unwrap_or(usize::MAX) })
        }
        Err(ProgramError::Cancelled { .. }) => Err(Error::Cancelled),
        Err(ProgramError::TimedOut { .. }) => Err(failed("no answer")),
        Err(ProgramError::NotFound { .. } | ProgramError::Start { .. }) => {
            Err(failed("a refusal to start"))
        }
    }
}

fn read(output: &[u8]) -> Result<Answer, Error> {
    let output: Value = serde_json::from_slice(output)
        .map_err(|_| Error::malformed("the `claude` command printed no JSON"))?;
    // With the user's setting `verbose` it prints a list of events, the result last.
    let result = match &output {
        Value::Array(events) => events.iter().rfind(|it| it["type"] == "result"),
        other => Some(other),
    };
    let result = result.ok_or_else(|| Error::malformed("the `claude` command gave no result"))?;
    if result["is_error"] == true || result["subtype"].as_str().is_some_and(|it| it != "success") {
        return Err(Error::Command { problem: "an error of its own".to_owned() });
    }
    let text = result["result"].as_str().unwrap_or_default().to_owned();
    let stop = match result["stop_reason"].as_str() {
        Some("max_tokens") => Stop::Cut,
        Some("refusal") => return Err(Error::Refused),
        Some(_) => Stop::Complete,
        None => Stop::Unstated,
    };
    let usage = &result["usage"];
    let usage =
        Usage { input: tokens(usage, "input_tokens"), output: tokens(usage, "output_tokens") };
    let model = result["model"].as_str().map(str::to_owned);
    Ok(Answer { content: Content::Text(text), stop, usage, model })
}
