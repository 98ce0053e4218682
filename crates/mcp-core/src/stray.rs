//! A server that was started where no project is.

use std::sync::{Arc, LazyLock};

use crate::failure::Failure;

/// Why the main root is no project, where that is certain. It takes a look at the directories of
/// all clients, so it is found out when it is first asked for and not before a server answers.
#[derive(Debug, Clone)]
pub(crate) struct Stray(Arc<LazyLock<Option<Failure>, Look>>);

type Look = Box<dyn FnOnce() -> Option<Failure> + Send>;

impl Stray {
    pub(crate) fn found_by(look: impl FnOnce() -> Option<Failure> + Send + 'static) -> Self {
        Self(Arc::new(LazyLock::new(Box::new(look))))
    }

    pub(crate) fn why(&self) -> Option<&Failure> {
        LazyLock::force(&self.0).as_ref()
    }
}

impl Default for Stray {
    fn default() -> Self {
        Self::found_by(|| None)
    }
}
