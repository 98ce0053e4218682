//! `Program`: another program, started without a shell and bounded in time and output.
//!
//! It sees a handful of variables of ours and nothing else, runs in a process group of its own and
//! is killed with everything it started when its time is over or the caller gives up.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::work::Work;

#[cfg(test)]
mod tests;

/// What a program needs to find its own files and to speak the user's language.
const KEPT: &[&str] = &[
    "PATH",
    "HOME",
    "LANG",
    "USER",
    "LOGNAME",
    "TMPDIR",
    "XDG_CONFIG_HOME",
    "APPDATA",
    "LOCALAPPDATA",
    "SystemRoot",
    "TEMP",
    "TMP",
    "USERPROFILE",
];

const MAX_STDERR: u64 = 64 * 1024;
/// How often a caller that gives up is noticed.
const GLANCE: Duration = Duration::from_millis(20);

/// Why a program did not run to its end.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// No executable of that name lies along the PATH, or it is gone by the time it is started.
    #[error("`{name}` is not installed or not on the PATH")]
    NotFound {
        /// The name that was looked for.
        name: String,
    },
    /// The system refuses to start the program, or to say how it ended.
    #[error("`{name}` cannot be started: {reason}")]
    Start {
        /// The program's file name without extension.
        name: String,
        /// What stood in the way, as a rule in the system's words.
        reason: String,
    },
    /// The program was killed because its time was over.
    #[error("`{name}` did not end within {seconds} s")]
    TimedOut {
        /// The program's file name without extension.
        name: String,
        /// How long it was given.
        seconds: u64,
    },
    /// The program was killed because it wrote too much to its standard output.
    #[error("`{name}` wrote more than {limit} bytes")]
    TooMuchOutput {
        /// The program's file name without extension.
        name: String,
        /// How many bytes were allowed.
        limit: u64,
    },
    /// The program was killed, or never started, because nobody waits for it any more.
    #[error("`{name}` was stopped because the call was cancelled")]
    Cancelled {
        /// The program's file name without extension.
        name: String,
    },
}

/// What a program left behind. A failure of its own is not an error of ours.
#[derive(Debug)]
pub struct Ended {
    /// How it ended, by code or by signal.
    pub status: ExitStatus,
    /// All that it wrote, within the limit, byte for byte.
    pub stdout: Vec<u8>,
    /// The beginning of it, as text.
    pub stderr: String,
}

/// What to start and within which bounds: 30 s and 4 MiB of output unless set otherwise.
#[derive(Debug, Clone)]
pub struct Program {
    path: PathBuf,
    args: Vec<OsString>,
    variables: Vec<(OsString, OsString)>,
    directory: Option<PathBuf>,
    timeout: Duration,
    max_output: u64,
}

impl Program {
    /// Looks for `name` along the PATH. Relative entries are skipped: they would start a program of
    /// the project that is being looked at.
    #[expect(clippy::disallowed_methods, reason = "a program is looked up as a shell would do it")]
    pub fn find(name: &str) -> Result<Self, ProgramError> {
        let missing = || ProgramError::NotFound { name: name.to_owned() };
        let path = std::env::var_os("PATH").ok_or_else(missing)?;
        let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        std::env::split_paths(&path)
            .filter(|directory| directory.is_absolute())
            .map(|directory| directory.join(&file))
            .find(|candidate| is_executable(candidate))
            .map(Self::at)
            .ok_or_else(missing)
    }

    /// A program whose place is known.
    #[expect(clippy::disallowed_methods, reason = "the few variables a program is given")]
    pub fn at(path: impl Into<PathBuf>) -> Self {
        let kept = |name: &&str| std::env::var_os(name).map(|value| ((*name).into(), value));
        Self {
            path: path.into(),
            args: Vec::new(),
            variables: KEPT.iter().filter_map(kept).collect(),
            directory: None,
            timeout: Duration::from_secs(30),
            max_output: 4 * 1024 * 1024,
        }
    }

    /// Adds arguments after those given before; no shell looks at them.
    #[must_use]
    pub fn args<A: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.args.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }

    /// Sets an environment variable; a later value for the same name wins.
    #[must_use]
    pub fn variable(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// Sets the working directory; without it the program starts in ours.
    #[must_use]
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }

    /// Sets how long it may run before it is killed.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets how many bytes it may write to its standard output before it is killed.
    #[must_use]
    pub fn max_output(mut self, bytes: u64) -> Self {
        self.max_output = bytes;
        self
    }

    /// Runs it to its end, or until the work is cancelled.
    pub fn run(&self, input: &[u8], work: &Work) -> Result<Ended, ProgramError> {
        let deadline = Instant::now() + self.timeout;
        self.check(deadline, work)?;
        let mut running = Running::new(self.start()?);
        let pipes =
            (running.child.stdin.take(), running.child.stdout.take(), running.child.stderr.take());
        let (Some(mut stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(self.start_failed("its pipes are missing"));
        };
        std::thread::scope(|scope| {
            // A program that ends without reading its input is no failure.
            scope.spawn(move || stdin.write_all(input).ok());
            let (send_out, out) = sync_channel(1);
            let (send_err, err) = sync_channel(1);
            // One byte more than allowed tells too much from just enough.
            scope.spawn(move || send_out.send(read_some(stdout, self.max_output + 1)).ok());
            scope.spawn(move || send_err.send(read_to_end(stderr)).ok());
            let collected = self.await_output(&out, deadline, work).and_then(|stdout| {
                if stdout.len() as u64 > self.max_output {
                    return Err(ProgramError::TooMuchOutput {
                        name: self.name(),
                        limit: self.max_output,
                    });
                }
                let stderr = self.await_output(&err, deadline, work)?;
                let status = self.await_end(&mut running.child, deadline, work)?;
                let stderr = String::from_utf8_lossy(&stderr).into_owned();
                Ok(Ended { status, stdout, stderr })
            });
            if collected.is_err() {
                // Only then do the readers, which the scope waits for, come to their end.
                running.kill();
            }
            collected
        })
    }

    #[expect(clippy::disallowed_methods, reason = "the one place that starts programs")]
    fn start(&self) -> Result<Child, ProgramError> {
        let mut command = Command::new(&self.path);
        command
            .args(&self.args)
            .env_clear()
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.spawn().map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => ProgramError::NotFound { name: self.name() },
            _ => self.start_failed(&error.to_string()),
        })
    }

    fn await_output(
        &self,
        output: &Receiver<Vec<u8>>,
        deadline: Instant,
        work: &Work,
    ) -> Result<Vec<u8>, ProgramError> {
        loop {
            match output.recv_timeout(GLANCE) {
                Ok(bytes) => return Ok(bytes),
                Err(RecvTimeoutError::Timeout) => self.check(deadline, work)?,
                Err(RecvTimeoutError::Disconnected) => return Ok(Vec::new()),
            }
        }
    }

    fn await_end(
        &self,
        child: &mut Child,
        deadline: Instant,
        work: &Work,
    ) -> Result<ExitStatus, ProgramError> {
        // Its output has ended, so as a rule it has too.
        let mut pause = Duration::from_micros(50);
        loop {
            match child.try_wait() {
                Ok(Some(status)) => return Ok(status),
                Ok(None) => self.check(deadline, work)?,
                Err(error) => return Err(self.start_failed(&error.to_string())),
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(GLANCE);
        }
    }

    fn check(&self, deadline: Instant, work: &Work) -> Result<(), ProgramError> {
        if work.is_cancelled() {
            return Err(ProgramError::Cancelled { name: self.name() });
        }
        if Instant::now() >= deadline {
            let seconds = self.timeout.as_secs();
            return Err(ProgramError::TimedOut { name: self.name(), seconds });
        }
        Ok(())
    }

    fn name(&self) -> String {
        let name = self.path.file_stem().unwrap_or(self.path.as_os_str());
        name.to_string_lossy().into_owned()
    }

    fn start_failed(&self, reason: &str) -> ProgramError {
        ProgramError::Start { name: self.name(), reason: reason.to_owned() }
    }
}

/// The process groups of what runs at this moment.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends everything that was started and still runs: what we call last before we end ourselves.
pub(crate) fn end_all() {
    running().iter().for_each(|group| kill_group(*group));
}

fn kill_group(group: u32) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(group).ok().and_then(rustix::process::Pid::from_raw) {
        // Fails only where the group is gone already.
        rustix::process::kill_process_group(group, rustix::process::Signal::KILL).ok();
    }
    #[cfg(not(unix))]
    let _ = group;
}

/// A child that does not outlive us, nor do its own children.
struct Running {
    child: Child,
}

impl Running {
    fn new(child: Child) -> Self {
        running().insert(child.id());
        Self { child }
    }

    fn kill(&mut self) {
        kill_group(self.child.id());
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            self.kill();
        }
        running().remove(&self.child.id());
    }
}

/// What could be read; a broken pipe ends it like its end.
fn read_some(from: impl Read, limit: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    from.take(limit).read_to_end(&mut bytes).ok();
    bytes
}

/// Keeps the beginning and reads on: a program must not hang because we stopped listening.
fn read_to_end(mut from: impl Read) -> Vec<u8> {
    let kept = read_some(&mut from, MAX_STDERR);
    std::io::copy(&mut from, &mut std::io::sink()).ok();
    kept
}

#[expect(clippy::disallowed_methods, reason = "programs lie outside every root")]
fn is_executable(path: &Path) -> bool {
    let Ok(metadata) = path.metadata() else { return false };
    #[cfg(unix)]
    if std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 == 0 {
        return false;
    }
    metadata.is_file()
}
