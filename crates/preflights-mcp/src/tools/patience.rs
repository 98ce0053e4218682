//! Waiting for a language model on the thread that works for a call, or in the shell.

use std::future::pending;

use mcp_core::server::Call;
use mcp_llm::{Client, Error, Request, Shape};
use serde_json::Value;
use tokio::runtime::{Builder, Handle};

use crate::model::{Model, Setting};
use crate::service::{Asking, Service};

/// Asks, and waits until there is an answer or nobody wants it any more.
pub(crate) struct Patient<'a> {
    client: &'a Client,
    /// None in the shell, where the user ends the whole command.
    call: Option<&'a Call>,
}

impl Patient<'_> {
    /// Does the work of a call with the model at hand, where there is one.
    pub(crate) fn with<T>(call: &Call, service: &Service, work: impl FnOnce(Asking<'_>) -> T) -> T {
        Self::at_hand(Some(call), service, work)
    }

    /// The same outside of any call.
    pub(crate) fn in_the_shell<T>(service: &Service, work: impl FnOnce(Asking<'_>) -> T) -> T {
        Self::at_hand(None, service, work)
    }

    fn at_hand<T>(call: Option<&Call>, service: &Service, work: impl FnOnce(Asking<'_>) -> T) -> T {
        match &service.model {
            Setting::Ready { client, .. } => work(Some(&Patient { client, call })),
            Setting::Off | Setting::Unusable(_) => work(None),
        }
    }
}

impl Model for Patient<'_> {
    fn ask(&self, request: &Request, shape: &Shape) -> Result<Value, Error> {
        if let Some(call) = self.call {
            let asking = self.client.structured(request, shape, call.cancelled());
            return Handle::current().block_on(asking).map(|it| it.value);
        }
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|_| Error::Unreachable {
            provider: self.client.config().provider().to_owned(),
            problem: "there is no room to wait for it",
        })?;
        runtime.block_on(self.client.structured(request, shape, pending())).map(|it| it.value)
    }
}
