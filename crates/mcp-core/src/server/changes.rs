//! `Changes`: how a watcher tells every connected client that something is different now.

use tokio::sync::broadcast;

/// What can change while clients are connected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Announced {
    /// Tools came or went; a server that sends this uses [`Changes::with_changing_tools`].
    ToolList,
    /// Prompts came, went or are described differently.
    PromptList,
    /// Resources came, went or are described differently.
    ResourceList,
    /// The contents of the resource with this URI changed; told to those who subscribed to it.
    Resource(String),
}

/// Cheap to clone and usable from any thread. Sending never waits; with nobody connected it does
/// nothing.
#[derive(Debug, Clone)]
pub struct Changes {
    sender: broadcast::Sender<Announced>,
    tools: bool,
}

/// Changes kept for a client that is slow to take them; one that falls further behind is told that
/// every list may have changed.
const BACKLOG: usize = 256;

impl Default for Changes {
    fn default() -> Self {
        Self { sender: broadcast::Sender::new(BACKLOG), tools: false }
    }
}

impl Changes {
    /// For a server whose list of tools changes while it runs.
    pub fn with_changing_tools() -> Self {
        Self { tools: true, ..Self::default() }
    }

    /// Passes a change on to every connection.
    pub fn send(&self, change: Announced) {
        // An error only says that nobody listens.
        drop(self.sender.send(change));
    }

    pub(super) fn announces_tools(&self) -> bool {
        self.tools
    }

    pub(super) fn listen(&self) -> Listener {
        Listener(self.sender.subscribe())
    }
}

pub(super) struct Listener(broadcast::Receiver<Announced>);

impl Listener {
    /// The next changes to pass on; `None` when there will be no more.
    pub(super) async fn next(&mut self) -> Option<Vec<Announced>> {
        match self.0.recv().await {
            Ok(change) => Some(vec![change]),
            Err(broadcast::error::RecvError::Lagged(_)) => {
                Some(vec![Announced::ToolList, Announced::PromptList, Announced::ResourceList])
            }
            Err(broadcast::error::RecvError::Closed) => None,
        }
    }
}
