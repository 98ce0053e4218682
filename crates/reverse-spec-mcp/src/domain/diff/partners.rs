//! Which of one list goes with which of another, in time that grows with their length alone.

use std::collections::{HashMap, VecDeque};

/// For each of `old` the place of its partner in `new`: those that share the first key, in order,
/// then the second among what is left, and so on.
pub(super) fn partners<T>(
    old: &[&T],
    new: &[&T],
    keys: &[&dyn Fn(&T) -> String],
) -> Vec<Option<usize>> {
    let mut found: Vec<Option<usize>> = vec![None; old.len()];
    let mut is_taken = vec![false; new.len()];
    let mut left = old.len().min(new.len());
    for key in keys {
        if left == 0 {
            break;
        }
        let mut free: HashMap<String, VecDeque<usize>> = HashMap::new();
        for (at, it) in new.iter().enumerate().filter(|(at, _)| !is_taken[*at]) {
            free.entry(key(it)).or_default().push_back(at);
        }
        for (it, partner) in old.iter().zip(&mut found).filter(|(_, partner)| partner.is_none()) {
            let Some(at) = free.get_mut(&key(it)).and_then(VecDeque::pop_front) else { continue };
            is_taken[at] = true;
            *partner = Some(at);
            left -= 1;
        }
    }
    found
}

/// Places by a key, each given away once.
#[derive(Default)]
pub(super) struct Pool<K> {
    places: HashMap<K, VecDeque<usize>>,
}

impl<K: std::hash::Hash + Eq> Pool<K> {
    pub(super) fn of(items: impl IntoIterator<Item = (K, usize)>) -> Self {
        let mut places: HashMap<K, VecDeque<usize>> = HashMap::new();
        for (key, at) in items {
            places.entry(key).or_default().push_back(at);
        }
        Self { places }
    }

    /// The first place under this key that is still free elsewhere too.
    pub(super) fn take(&mut self, key: &K, is_free: &[bool]) -> Option<usize> {
        let places = self.places.get_mut(key)?;
        while let Some(at) = places.pop_front() {
            if is_free[at] {
                return Some(at);
            }
        }
        None
    }
}
