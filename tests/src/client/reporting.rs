//! The client for programs that report a failure instead of failing a test: the task runner.

use std::io;
use std::process::{Command, ExitStatus};

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt};
use tokio::time::Instant;

use super::Client;
use crate::{Process, Reply};

impl Client {
    /// Starts a command and speaks over its standard streams.
    pub fn start(command: Command) -> io::Result<Self> {
        let (process, stdin, stdout) = Process::run(command)?;
        Ok(Self::of_process(process, stdin, stdout))
    }

    /// Sends a request and waits for its answer, or says why none came.
    pub async fn try_request(&mut self, method: &str, params: Value) -> Result<Reply, String> {
        let (id, message) = self.numbered(method, params);
        self.try_send(format!("{message}\n").as_bytes()).await?;
        let deadline = Instant::now() + self.patience;
        loop {
            let message = self.output.next(&format!("the answer to {method}"), deadline).await?;
            if message.get("method").is_none() && message["id"] == id {
                return Ok(Reply::new(message));
            }
            self.kept.push_back(message);
        }
    }

    /// Sends one prepared line and fills `answer` with the next one, unparsed: nothing else may
    /// lie in the path that a benchmark measures.
    pub async fn exchange(&mut self, line: &[u8], answer: &mut Vec<u8>) -> Result<(), String> {
        answer.clear();
        self.try_send(line).await?;
        let reading = self.output.reader.read_until(b'\n', answer);
        match tokio::time::timeout(self.patience, reading).await {
            Ok(Ok(1..)) => Ok(()),
            Ok(Ok(0)) => Err(self.output.closed("a prepared line")),
            Ok(Err(error)) => Err(format!("the server's output cannot be read: {error}")),
            Err(late) => Err(self.output.late("a prepared line", &late)),
        }
    }

    /// Sends prepared lines all at once and returns that many lines of answers, unparsed.
    pub async fn exchange_all(&mut self, lines: &[u8], count: usize) -> Result<Vec<u8>, String> {
        let Self { output, input, patience, .. } = self;
        let input = input.as_mut().ok_or("the session is already closed")?;
        let writing = async {
            input.write_all(lines).await?;
            input.flush().await
        };
        let reading = async {
            let mut answers = Vec::new();
            for _ in 0..count {
                if output.reader.read_until(b'\n', &mut answers).await? == 0 {
                    return Ok(None);
                }
            }
            Ok::<_, io::Error>(Some(answers))
        };
        // Both pipes are finite: one after the other, a long pipeline would block on itself.
        let both = async { tokio::try_join!(writing, reading) };
        match tokio::time::timeout(*patience, both).await {
            Ok(Ok(((), Some(answers)))) => Ok(answers),
            Ok(Ok(((), None))) => Err(output.closed("all of the pipeline")),
            Ok(Err(error)) => Err(format!("the pipeline broke: {error}{}", output.log_so_far())),
            Err(late) => Err(output.late("all of the pipeline", &late)),
        }
    }

    /// Closes stdin, as a client does when it is done, and waits for the end of the process.
    pub async fn leave(&mut self) -> Result<ExitStatus, String> {
        self.close_stdin().await;
        let deadline = Instant::now() + self.patience;
        while self.output.read("the end of output", deadline).await?.is_some() {}
        let process = self.process.as_mut().ok_or("the client was not spawned")?;
        process.try_wait_exit(self.patience).await
    }

    async fn try_send(&mut self, bytes: &[u8]) -> Result<(), String> {
        let input = self.input.as_mut().ok_or("the session is already closed")?;
        let writing = async {
            input.write_all(bytes).await?;
            input.flush().await
        };
        match tokio::time::timeout(self.patience, writing).await {
            Ok(Ok(())) => Ok(()),
            // A server that is gone has usually said why on stderr.
            Ok(Err(error)) => {
                Err(format!("the server does not read: {error}{}", self.output.log_so_far()))
            }
            Err(late) => Err(self.output.late("the server to read", &late)),
        }
    }
}
