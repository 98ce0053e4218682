//! The right to run: a limited number of slots, given back while a call waits for its client.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

#[derive(Clone)]
pub(crate) struct Slots(Arc<Semaphore>);

/// One call's slot. It is free again when the last holder is gone, so work left behind on a
/// blocking thread still counts as running.
#[derive(Clone)]
pub(crate) struct Slot {
    slots: Slots,
    permit: Arc<Mutex<Option<OwnedSemaphorePermit>>>,
}

impl Slots {
    pub(crate) fn new(count: usize) -> Self {
        Self(Arc::new(Semaphore::new(count.max(1))))
    }

    pub(crate) async fn take(&self) -> Slot {
        let slot = Slot { slots: self.clone(), permit: Arc::default() };
        slot.take_again().await;
        slot
    }
}

impl Slot {
    pub(crate) fn give_back(&self) {
        drop(self.permit.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    pub(crate) async fn take_again(&self) {
        // The semaphore is never closed, so this can only succeed.
        if let Ok(permit) = self.slots.0.clone().acquire_owned().await {
            *self.permit.lock().unwrap_or_else(PoisonError::into_inner) = Some(permit);
        }
    }
}

#[cfg(test)]
mod tests;
