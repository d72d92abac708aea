//! Selection of the best k.
//!
//! Invariant: the result depends on scores and row numbers alone, not on input order: of equal scores the smaller row
//! wins.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// A row and how near it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Near {
    /// Its number, from 0.
    pub row: usize,
    /// Its score; greater is nearer.
    pub score: f32,
}

impl Eq for Near {}

impl Ord for Near {
    /// Greater is better.
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then(other.row.cmp(&self.row))
    }
}

impl PartialOrd for Near {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Keeps the best of what it is offered.
#[derive(Debug)]
pub struct TopK {
    most: usize,
    worst_first: BinaryHeap<Reverse<Near>>,
}

impl TopK {
    /// Keeps `most` of them.
    pub fn of(most: usize) -> Self {
        Self { most, worst_first: BinaryHeap::new() }
    }

    /// Takes `near` in if it is among the best so far. A score that is no number is never taken.
    pub fn offer(&mut self, near: Near) {
        if near.score.is_nan() {
            return;
        }
        if self.worst_first.len() < self.most {
            self.worst_first.push(Reverse(near));
        } else if let Some(mut worst) = self.worst_first.peek_mut()
            && worst.0 < near
        {
            *worst = Reverse(near);
        }
    }

    /// A score below which nothing is taken any more.
    pub fn floor(&self) -> f32 {
        match self.worst_first.peek() {
            Some(worst) if self.worst_first.len() == self.most => worst.0.score,
            _ => f32::NEG_INFINITY,
        }
    }

    /// What was kept, best first.
    pub fn best(self) -> Vec<Near> {
        self.worst_first.into_sorted_vec().into_iter().map(|Reverse(near)| near).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_best_are_kept_whatever_the_order(
            scores in prop::collection::vec((-3i8..3).prop_map(f32::from), 0..60),
            most in 0usize..20,
            turn in 0usize..60,
        ) {
            let mut all: Vec<Near> =
                scores.into_iter().enumerate().map(|(row, score)| Near { row, score }).collect();
            let mut top = TopK::of(most);
            let turn = turn.min(all.len());
            for near in all[turn..].iter().chain(&all[..turn]) {
                prop_assert!(near.score >= top.floor() || top.worst_first.len() == most);
                top.offer(*near);
            }
            all.sort_by(|one, other| other.cmp(one));
            all.truncate(most);
            prop_assert_eq!(top.best(), all);
        }
    }

    #[test]
    fn what_is_no_number_is_not_near() {
        let mut top = TopK::of(2);
        for (row, score) in [f32::NAN, 0.5, -f32::NAN, 0.7].into_iter().enumerate() {
            top.offer(Near { row, score });
        }
        assert_eq!(top.best(), [Near { row: 3, score: 0.7 }, Near { row: 1, score: 0.5 }]);
    }
}
