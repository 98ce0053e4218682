//! `Call`: what a tool knows of the request it answers, and how it may stop early.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    ErrorData, InputRequiredResult, InputResponses, ProgressNotificationParam, ProgressToken,
};
use rmcp::service::RequestContext;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::slot::Slot;
use crate::failure::Failure;
use crate::gate::{InFlight, MAX_PARKED};
use crate::sandbox::audit;
use crate::work::Work;

/// Why a tool returns without an answer.
#[derive(Debug)]
pub enum Halt {
    /// The tool could not do it: told to the model, in the server's own rendering.
    Failure(Failure),
    /// The client has to ask its user first, and call again with what it was told.
    InputRequired(Box<InputRequiredResult>),
    /// The request itself cannot be served: an error of the protocol, which most clients keep from
    /// the model. Only for what the protocol demands one for.
    Refused(Box<ErrorData>),
}

impl<E: Into<Failure>> From<E> for Halt {
    fn from(error: E) -> Self {
        Self::Failure(error.into())
    }
}

/// Cheap to clone; all clones are the same call.
#[derive(Clone)]
pub struct Call(Arc<Facts>);

struct Facts {
    request: Option<RequestContext<RoleServer>>,
    work: Work,
    slot: Slot,
    /// The transport's count of unanswered requests, where it keeps one.
    in_flight: Option<InFlight>,
    waited: Waited,
    progress: Arc<Progress>,
    pub(super) input_responses: InputResponses,
    request_state: Option<String>,
    /// Set when the tool is called; prompts and resources have none.
    tool: OnceLock<String>,
}

/// Time spent waiting for the client, which the deadline leaves out.
#[derive(Default)]
struct Waited {
    waiting: AtomicBool,
    milliseconds: AtomicU64,
}

struct Progress {
    token: Option<ProgressToken>,
    sender: tokio::sync::mpsc::Sender<ProgressNotificationParam>,
    last: Mutex<f64>,
    /// Where progress goes when nobody is connected: the terminal.
    show: Option<ShowProgress>,
}

/// How progress is shown to a person: how much is done, of how much, and what.
pub type ShowProgress = fn(f64, Option<f64>, &str);

impl Progress {
    /// The message to send, if there is anything new to say and a client that asked.
    fn update(
        &self,
        done: f64,
        total: Option<f64>,
        message: &str,
    ) -> Option<ProgressNotificationParam> {
        {
            let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
            if done <= *last {
                return None;
            }
            *last = done;
        }
        if let Some(show) = self.show {
            show(done, total, message);
        }
        let mut update = ProgressNotificationParam::new(self.token.clone()?, done);
        update.total = total;
        update.message = (!message.is_empty()).then(|| message.to_owned());
        Some(update)
    }

    fn send_if_there_is_room(&self, done: f64, total: Option<f64>, message: &str) {
        if let Some(update) = self.update(done, total, message) {
            // Full: the client is behind, and a later value will say more.
            drop(self.sender.try_send(update));
        }
    }
}

/// What the guard keeps of a call while the tool has it.
pub(super) struct Watch {
    pub(super) call: Call,
    pub(super) progress: tokio::sync::mpsc::Receiver<ProgressNotificationParam>,
}

/// Where a call comes from, and who is told of its progress.
struct Origin {
    request: Option<RequestContext<RoleServer>>,
    cancelled: CancellationToken,
    token: Option<ProgressToken>,
    show: Option<ShowProgress>,
}

/// What a client sends along when it calls again after being asked for input.
#[derive(Default)]
pub(super) struct Retry {
    pub(super) input_responses: Option<InputResponses>,
    pub(super) request_state: Option<String>,
}

impl Call {
    pub(super) fn for_request(
        request: RequestContext<RoleServer>,
        retry: Retry,
        slot: Slot,
    ) -> Watch {
        let token = request.meta.get_progress_token();
        let cancelled = request.ct.child_token();
        Self::start(Origin { request: Some(request), cancelled, token, show: None }, retry, slot)
    }

    /// A call from the command line: no client, progress to the terminal.
    pub(super) fn detached(slot: Slot, show: Option<ShowProgress>) -> Watch {
        let cancelled = CancellationToken::new();
        let origin = Origin { request: None, cancelled, token: None, show };
        Self::start(origin, Retry::default(), slot)
    }

    fn start(origin: Origin, retry: Retry, slot: Slot) -> Watch {
        let Origin { request, cancelled, token, show } = origin;
        let (sender, reports) = tokio::sync::mpsc::channel(16);
        let last = Mutex::new(f64::NEG_INFINITY);
        let progress = Arc::new(Progress { token, sender, last, show });
        let told = progress.clone();
        let work = Work::until(cancelled)
            .telling(move |done, total, what| told.send_if_there_is_room(done, total, what));
        let in_flight = request.as_ref().and_then(|it| it.extensions.get::<InFlight>().cloned());
        let call = Self(Arc::new(Facts {
            request,
            work,
            slot,
            in_flight,
            waited: Waited::default(),
            progress,
            input_responses: retry.input_responses.unwrap_or_default(),
            request_state: retry.request_state,
            tool: OnceLock::new(),
        }));
        Watch { call, progress: reports }
    }

    /// What is passed on to everything the call does that takes long.
    pub fn work(&self) -> &Work {
        &self.0.work
    }

    /// Whether the client has given up or the time is over: blocking work stops when this is true.
    pub fn is_cancelled(&self) -> bool {
        self.0.work.is_cancelled()
    }

    /// Waits until the client has given up or the time is over.
    pub async fn cancelled(&self) {
        self.0.work.cancelled().await;
    }

    pub(super) fn cancel(&self) {
        self.0.work.token().cancel();
    }

    /// Tells a client that asked how far we are. Values that do not increase are left out, and so
    /// are those a slow client has no room for.
    pub fn report(&self, done: f64, total: Option<f64>, message: &str) {
        self.0.progress.send_if_there_is_room(done, total, message);
    }

    /// Reports and waits until there is room for it: for the few steps that must all be seen.
    pub async fn report_all(&self, done: f64, total: Option<f64>, message: &str) {
        if let Some(update) = self.0.progress.update(done, total, message) {
            // The receiver lives as long as the call does.
            drop(self.0.progress.sender.send(update).await);
        }
    }

    /// Says which tool it is for, so that what it writes is recorded in its name.
    pub(super) fn to_tool(&self, name: &str) {
        // A call is to one tool and stays so.
        drop(self.0.tool.set(name.to_owned()));
    }

    /// Runs work that blocks on a thread of its own. The slot stays taken until it ends, even when
    /// the call was given up before.
    pub async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> T + Send + 'static,
    ) -> T {
        let call = self.clone();
        let named = move || match call.0.tool.get() {
            Some(tool) => audit::in_the_name_of(tool, || work(&call)),
            None => work(&call),
        };
        match tokio::task::spawn_blocking(named).await {
            Ok(outcome) => outcome,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                // The runtime is shutting down; nobody waits for what this returns.
                Err(_) => std::future::pending().await,
            },
        }
    }

    /// What the client sent along with a call that answers our questions.
    pub fn input_responses(&self) -> &InputResponses {
        &self.0.input_responses
    }

    /// Gives back what we sent along when we asked for input; `None` in a first call.
    pub fn request_state(&self) -> Option<&str> {
        self.0.request_state.as_deref()
    }

    /// Gives the request in the protocol's own terms; `None` in a call from the command line.
    pub fn request(&self) -> Option<&RequestContext<RoleServer>> {
        self.0.request.as_ref()
    }

    /// Waits for something only the client can give: neither slot nor deadline is used up, and the
    /// transport reads on.
    pub(super) async fn waiting_for_client<T>(
        &self,
        wait: impl Future<Output = T>,
    ) -> Result<T, Halt> {
        if let Some(in_flight) = &self.0.in_flight
            && !in_flight.park()
        {
            let message = format!(
                "{MAX_PARKED} calls wait for this client's user already; answer those first"
            );
            return Err(Halt::Refused(Box::new(ErrorData::invalid_request(message, None))));
        }
        let started = Instant::now();
        self.0.waited.waiting.store(true, Ordering::Relaxed);
        self.0.slot.give_back();
        let outcome = wait.await;
        if let Some(in_flight) = &self.0.in_flight {
            in_flight.unpark();
        }
        self.0.slot.take_again().await;
        let waited = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.0.waited.milliseconds.fetch_add(waited, Ordering::Relaxed);
        self.0.waited.waiting.store(false, Ordering::Relaxed);
        Ok(outcome)
    }

    /// When the connection is being closed, an answer from the client will not come any more.
    pub(super) async fn connection_closing(&self) {
        match &self.0.in_flight {
            Some(in_flight) => in_flight.closing().await,
            None => std::future::pending().await,
        }
    }

    pub(super) fn is_waiting_for_client(&self) -> bool {
        self.0.waited.waiting.load(Ordering::Relaxed)
    }

    pub(super) fn time_waited(&self) -> Duration {
        Duration::from_millis(self.0.waited.milliseconds.load(Ordering::Relaxed))
    }
}
