//! Seeded randomness: the same seed gives the same run on every machine, so a failure is reproducible. The generator
//! is SplitMix64, which is sufficient and needs no crate.

use std::sync::{Mutex, PoisonError};

use inwit_model::Entropy;

/// A stream of random choices.
#[derive(Debug, Clone)]
pub struct Chance(u64);

impl Chance {
    /// The stream of `seed`.
    pub fn of(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        assert!(end > 0, "there is nothing below 0");
        usize::try_from(self.number() % end as u64).expect("below a usize")
    }

    /// A random Boolean.
    pub fn coin(&mut self) -> bool {
        self.number() & 1 == 1
    }

    /// One of `these`, which must not be empty.
    pub fn pick<'t, T>(&mut self, these: &'t [T]) -> &'t T {
        &these[self.below(these.len())]
    }

    /// Shuffles `these`.
    pub fn shuffle<T>(&mut self, these: &mut [T]) {
        (1..these.len()).for_each(|at| these.swap(at, self.below(at + 1)));
    }
}

/// The entropy of an agent: the stream of a seed.
#[derive(Debug)]
pub struct Drawn(Mutex<Chance>);

impl Drawn {
    /// The stream of `seed`.
    pub fn of(seed: u64) -> Self {
        Self(Mutex::new(Chance::of(seed)))
    }

    /// Restarts with another seed.
    pub fn start_again(&self, seed: u64) {
        *self.stream() = Chance::of(seed);
    }

    fn stream(&self) -> std::sync::MutexGuard<'_, Chance> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entropy for Drawn {
    fn sixteen(&self) -> [u8; 16] {
        let mut chance = self.stream();
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&chance.number().to_be_bytes());
        bytes[8..].copy_from_slice(&chance.number().to_be_bytes());
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_seed_gives_one_run() {
        let run = |seed| {
            let mut chance = Chance::of(seed);
            (0..50).map(|_| chance.below(10)).collect::<Vec<_>>()
        };
        assert_eq!(run(7), run(7));
        assert_ne!(run(7), run(8));
        assert!((0..10).all(|face| run(7).contains(&face)), "every face comes up");
    }
}
