//! Optional diversity: ranks near-duplicates lower.
//!
//! Maximal marginal relevance (Carbonell and Goldstein, 1998): the next item maximises λ × relevance − (1 − λ) ×
//! similarity to the closest selected one. Invariants: the result is a permutation; λ = 1 keeps the order; ties keep
//! it too, so results are reproducible.

use std::collections::HashMap;

/// Default λ, as in OpenClaw.
pub const LAMBDA_DEFAULT: f32 = 0.7;

/// Candidates per requested result.
pub const CANDIDATES_PER_RESULT: usize = 4;

/// Most candidates compared with each other.
pub const CANDIDATES_MAX: usize = 200;

/// The order of selection, as indexes into `relevance`, which is descending. `lambda` is 0 (only diversity) to 1
/// (only relevance); `alike` is the similarity of two, 0 to 1.
pub fn diverse(relevance: &[f32], lambda: f32, alike: &mut dyn FnMut(usize, usize) -> f32) -> Vec<usize> {
    let lambda = if lambda.is_nan() { 1.0 } else { lambda.clamp(0.0, 1.0) };
    let best = relevance.iter().copied().fold(0.0, f32::max);
    let scale = if best > 0.0 { best } else { 1.0 };
    let mut left: Vec<usize> = (0..relevance.len()).collect();
    let mut likest = vec![0.0_f32; relevance.len()];
    let mut order = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let mark = |at: usize| lambda * relevance[at] / scale - (1.0 - lambda) * likest[at];
        let mut next = 0;
        for (place, &at) in left.iter().enumerate().skip(1) {
            if mark(at).total_cmp(&mark(left[next])).is_gt() {
                next = place;
            }
        }
        let taken = left.remove(next);
        order.push(taken);
        if lambda < 1.0 {
            for &at in &left {
                likest[at] = likest[at].max(alike(taken, at).clamp(0.0, 1.0));
            }
        }
    }
    order
}

/// Gives each distinct word a number, so that sets of words are compared as numbers.
#[derive(Debug, Default)]
pub struct WordNumbers(HashMap<String, u32>);

impl WordNumbers {
    /// The numbers of `words`, ascending, each once.
    pub fn set(&mut self, words: impl IntoIterator<Item = String>) -> Vec<u32> {
        let mut number = |word| {
            let next = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
            *self.0.entry(word).or_insert(next)
        };
        let mut set: Vec<u32> = words.into_iter().map(&mut number).collect();
        set.sort_unstable();
        set.dedup();
        set
    }
}

/// Jaccard similarity of two sets of [`WordNumbers`]; 0 if both are empty.
pub fn jaccard(left: &[u32], right: &[u32]) -> f32 {
    let (mut both, mut from) = (0, 0);
    for word in left {
        from += right[from..].iter().take_while(|other| *other < word).count();
        both += usize::from(right.get(from) == Some(word));
    }
    let all = left.len() + right.len() - both;
    if all == 0 { 0.0 } else { both as f32 / all as f32 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sets(texts: &[&str]) -> Vec<Vec<u32>> {
        let mut numbers = WordNumbers::default();
        let words = |text: &&str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        texts.iter().map(|text| numbers.set(words(text))).collect()
    }

    fn order(texts: &[&str], relevance: &[f32], lambda: f32) -> Vec<usize> {
        let sets = sets(texts);
        diverse(relevance, lambda, &mut |a, b| jaccard(&sets[a], &sets[b]))
    }

    #[test]
    fn the_same_again_comes_after_what_is_new() {
        let texts = ["rye bread on sunday", "rye bread on sundays", "the oven broke"];
        assert_eq!(order(&texts, &[1.0, 0.95, 0.8], 0.5), [0, 2, 1]);
        assert_eq!(order(&texts, &[1.0, 0.95, 0.8], 1.0), [0, 1, 2]);
        assert_eq!(order(&texts, &[1.0, 0.95, 0.8], f32::NAN), [0, 1, 2], "no number asks for nothing");
    }

    #[test]
    fn texts_are_as_like_as_the_words_they_share() {
        for (one, other, expected) in [
            ("a b c", "d c b", 0.5),
            ("a a", "a", 1.0),
            ("", "", 0.0),
            ("z a", "b", 0.0),
            ("b", "a b c", 1.0 / 3.0),
        ] {
            let sets = sets(&["z y x", one, other]);
            assert_eq!(jaccard(&sets[1], &sets[2]), expected, "{one:?} {other:?}");
        }
    }

    proptest! {
        #[test]
        fn nothing_is_lost_the_first_stays_first_and_one_is_the_plain_order(
            mut relevance in prop::collection::vec(0.0f32..3.0, 0..40), lambda in 0.0f32..=1.0, seed in any::<u64>()
        ) {
            relevance.sort_by(|a, b| b.total_cmp(a));
            let like = |a: usize, b: usize| {
                let mixed = (a.min(b) as u64 * 31 + a.max(b) as u64).wrapping_mul(seed | 1);
                (mixed >> 40) as f32 / (1u64 << 24) as f32
            };
            let order = diverse(&relevance, lambda, &mut |a, b| like(a, b));
            let mut sorted = order.clone();
            sorted.sort_unstable();
            prop_assert_eq!(&sorted, &(0..relevance.len()).collect::<Vec<_>>());
            prop_assert!(order.first().is_none_or(|first| *first == 0 || lambda == 0.0));
            prop_assert_eq!(&order, &diverse(&relevance, lambda, &mut |a, b| like(a, b)), "twice is the same");
            let plain = diverse(&relevance, 1.0, &mut |a, b| like(a, b));
            prop_assert_eq!(plain, (0..relevance.len()).collect::<Vec<_>>());
        }
    }
}
