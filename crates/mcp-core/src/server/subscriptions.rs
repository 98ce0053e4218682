//! Telling clients of changes: old-era connections, and new-era subscriptions.

use std::collections::BTreeSet;
use std::sync::{Arc, MutexGuard, PoisonError};

use rmcp::RoleServer;
use rmcp::model::{ResourceUpdatedNotificationParam, SubscriptionFilter};
use rmcp::service::{Peer, SubscriptionContext};

use super::Server;
use super::changes::{Announced, Listener};
use crate::gate::InFlight;

impl Server {
    /// Tells one old-era client of changes until its connection ends.
    pub(super) async fn forward_changes(self, peer: Peer<RoleServer>, mut listener: Listener) {
        let closed = self.connection.closed.clone();
        let connection = Arc::downgrade(&self.connection);
        drop(self);
        loop {
            let changes = tokio::select! {
                changes = listener.next() => changes,
                () = closed.cancelled() => return,
            };
            for change in changes.unwrap_or_default() {
                let Some(connection) = connection.upgrade() else { return };
                let sent = match change {
                    Announced::ToolList => peer.notify_tool_list_changed().await,
                    Announced::PromptList => peer.notify_prompt_list_changed().await,
                    Announced::ResourceList => peer.notify_resource_list_changed().await,
                    Announced::Resource(uri) => {
                        let wanted = connection
                            .subscribed
                            .lock()
                            .unwrap_or_else(PoisonError::into_inner)
                            .contains(&uri);
                        if !wanted {
                            continue;
                        }
                        let update = ResourceUpdatedNotificationParam::new(uri);
                        peer.notify_resource_updated(update).await
                    }
                };
                if sent.is_err() {
                    return;
                }
            }
        }
    }

    pub(super) fn subscriptions(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.connection.subscribed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn can_subscribe(&self) -> bool {
        self.shared.resources.as_ref().is_some_and(|it| it.can_subscribe())
    }

    /// Notifications and calls are handled side by side, so a change may come before the client's
    /// word that it is ready: it is kept for it.
    pub(super) fn listen_from_now(&self) {
        let listener = self.shared.changes.listen();
        *self.connection.opening.lock().unwrap_or_else(PoisonError::into_inner) = Some(listener);
    }

    /// What listens since the handshake; `None` once somebody has taken it.
    pub(super) fn listener_since_the_handshake(&self) -> Option<Listener> {
        self.connection.opening.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Starts to listen before the client is told that we do: what changes between the two is not
    /// lost.
    pub(super) fn prepare_to_announce(&self, requested: &SubscriptionFilter) {
        let listener = self.shared.changes.listen();
        let mut listeners =
            self.connection.listeners.lock().unwrap_or_else(PoisonError::into_inner);
        listeners.push((requested.clone(), listener));
    }

    fn prepared(&self, requested: &SubscriptionFilter) -> Option<Listener> {
        let mut listeners =
            self.connection.listeners.lock().unwrap_or_else(PoisonError::into_inner);
        let at = listeners.iter().position(|(filter, _)| filter == requested)?;
        Some(listeners.remove(at).1)
    }

    /// Tells a new-era client of the changes it asked for, until it goes or the connection ends.
    pub(super) async fn announce_to(&self, context: &SubscriptionContext) {
        let prepared = self.prepared(context.requested());
        let mut listener = prepared.unwrap_or_else(|| self.shared.changes.listen());
        let in_flight = context.request_context().extensions.get::<InFlight>();
        let in_flight = in_flight.cloned();
        let closing = async {
            match &in_flight {
                Some(in_flight) => in_flight.closing().await,
                None => std::future::pending().await,
            }
        };
        let mut closing = std::pin::pin!(closing);
        loop {
            let changes = tokio::select! {
                changes = listener.next() => changes.unwrap_or_default(),
                () = context.cancelled() => return,
                () = &mut closing => return,
            };
            for change in changes {
                let sink = context.sink();
                // What the client did not ask for is refused by the sink, and rightly so.
                drop(match change {
                    Announced::ToolList => sink.notify_tool_list_changed().await,
                    Announced::PromptList => sink.notify_prompt_list_changed().await,
                    Announced::ResourceList => sink.notify_resource_list_changed().await,
                    Announced::Resource(uri) => sink.notify_resource_updated(uri).await,
                });
            }
        }
    }
}
