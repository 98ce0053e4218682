//! The `claude` command line as a model: no shell, the question on its input, killed at the
//! deadline with everything it started.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, Command};

use crate::error::Error;
use crate::request::{Stop, Usage};
use crate::wire::{Answer, Content, Question, asked_in_words, tokens};

const MAX_OUTPUT: usize = 8 * 1024 * 1024;

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

/// Keys that are not the command's business, and the marks by which it refuses to run inside
/// itself.
const REMOVED: [&str; 5] = [
    "ANTHROPIC_API_KEY",
    "OPENAI_API_KEY",
    "OPENROUTER_API_KEY",
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
];

/// The command named by `PREFIX_LLM_COMMAND`, else `claude` on the PATH.
pub(crate) fn find(prefix: &str, variable: &dyn Fn(&str) -> Option<String>) -> Option<PathBuf> {
    if let Some(named) = variable(&format!("{prefix}_LLM_COMMAND")) {
        let named = PathBuf::from(named.trim());
        return is_file(&named).then_some(named);
    }
    let name = format!("claude{}", std::env::consts::EXE_SUFFIX);
    let path = variable("PATH")?;
    std::env::split_paths(&path)
        .filter(|it| it.is_absolute())
        .map(|it| it.join(&name))
        .find(|it| is_file(it))
}

#[expect(clippy::disallowed_methods, reason = "programs lie outside of every project root")]
fn is_file(path: &Path) -> bool {
    path.is_file()
}

pub(crate) async fn ask(program: &Path, question: &Question<'_>) -> Result<Answer, Error> {
    let system = question
        .shape
        .map_or_else(|| question.system.to_owned(), |it| asked_in_words(question.system, it));
    // On the command line other users of this machine could read it.
    let input = format!("{system}\n\n{}", question.prompt);
    let mut running = Running::start(program, question.model)?;
    let output = running.talk(input.as_bytes()).await?;
    read(&output)
}

/// A started command, which does not outlive this value.
struct Running(Child);

impl Running {
    #[expect(clippy::disallowed_methods, reason = "the one program this crate starts")]
    fn start(program: &Path, model: Option<&str>) -> Result<Self, Error> {
        let mut command = Command::new(program);
        command
            .args(ARGUMENTS)
            // The project it is asked about must not configure it.
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true);
        if let Some(model) = model {
            command.args(["--model", model]);
        }
        for name in REMOVED {
            command.env_remove(name);
        }
        #[cfg(unix)]
        command.process_group(0);
        let child = command.spawn().map_err(|error| Error::Command {
            problem: format!("a refusal to start ({})", error.kind()),
        })?;
        Ok(Self(child))
    }

    async fn talk(&mut self, input: &[u8]) -> Result<Vec<u8>, Error> {
        let broken = || Error::Command { problem: "its output closed".to_owned() };
        let mut stdin = self.0.stdin.take().ok_or_else(broken)?;
        let stdout = self.0.stdout.take().ok_or_else(broken)?;
        let write = async {
            // A command that answers without reading everything is judged by its answer.
            drop(stdin.write_all(input).await);
            drop(stdin);
        };
        let ((), output) = tokio::join!(write, read_bounded(stdout));
        let output = output?;
        let status = self.0.wait().await.map_err(|_| broken())?;
        if status.success() || !output.is_empty() {
            return Ok(output);
        }
        Err(Error::Command {
            problem: status.code().map_or("a signal".to_owned(), |it| format!("exit code {it}")),
        })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        #[cfg(unix)]
        use rustix::process::{Pid, Signal, kill_process_group};
        // Its group holds whatever it started; `kill_on_drop` would reach only itself.
        #[cfg(unix)]
        if let Some(id) = self.0.id().and_then(|it| i32::try_from(it).ok())
            && let Some(group) = Pid::from_raw(id)
        {
            // It may have ended by itself just now.
            kill_process_group(group, Signal::KILL).ok();
        }
    }
}

async fn read_bounded(output: impl AsyncRead + Unpin) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let mut bounded = output.take(MAX_OUTPUT as u64 + 1);
    bounded
        .read_to_end(&mut bytes)
        .await
        .map_err(|_| Error::Command { problem: "its output broken".to_owned() })?;
    if bytes.len() > MAX_OUTPUT {
        return Err(Error::TooLarge { limit: MAX_OUTPUT });
    }
    Ok(bytes)
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
