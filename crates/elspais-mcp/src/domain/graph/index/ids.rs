//! Hashing of ids: short, and looked up once for each of them and for each citation.
//!
//! Every process mixes in a number of its own, so that no file can be made whose ids all meet.

use std::hash::{BuildHasher, Hasher, RandomState};

const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

#[derive(Debug, Clone)]
pub(in crate::domain::graph) struct Quickly {
    seeds: [u64; 2],
}

impl Default for Quickly {
    fn default() -> Self {
        let random = RandomState::new();
        Self { seeds: [random.hash_one(0), random.hash_one(1) | 1] }
    }
}

impl BuildHasher for Quickly {
    type Hasher = IdHasher;

    fn build_hasher(&self) -> IdHasher {
        IdHasher { state: self.seeds[0], seed: self.seeds[1] }
    }
}

#[derive(Debug)]
pub(in crate::domain::graph) struct IdHasher {
    state: u64,
    seed: u64,
}

impl IdHasher {
    /// Both halves of a product depend on all of its factors.
    fn mix(&mut self, word: u64) {
        let product = u128::from(self.state ^ word) * u128::from(self.seed ^ FACTOR);
        let halves = product.to_le_bytes();
        let (low, high) = halves.split_at(8);
        let half = |it: &[u8]| it.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte));
        self.state = half(low) ^ half(high);
    }
}

impl Hasher for IdHasher {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.mix(u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.mix(u64::from_le_bytes(last) ^ (bytes.len() as u64) << 56);
    }

    /// What ends a text says nothing that its length has not said.
    fn write_u8(&mut self, _: u8) {}

    fn finish(&self) -> u64 {
        self.state
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn neighbouring_ids_do_not_meet() {
        let hasher = Quickly::default();
        let ids = (0..20_000).map(|n| format!("REQ-d{n:05}"));
        let hashes: HashSet<u64> = ids.map(|it| hasher.hash_one(it.as_str()) >> 40).collect();
        // Of 24 bits: some meet by chance, and no more than that.
        assert!(hashes.len() > 19_900, "{}", hashes.len());
    }

    #[test]
    fn another_process_hashes_otherwise() {
        assert_ne!(
            Quickly::default().hash_one("REQ-d00001"),
            Quickly::default().hash_one("REQ-d00001")
        );
    }
}
