//! Removes lines from the recent sessions of the session context that a newer line repeats.
//!
//! Invariant: the result equals that of comparing each line with every newer one; only lines with a common rare term
//! are compared, since others share too few words.

use std::collections::{HashMap, HashSet};

use super::choice::alike;
use crate::notes::line::Line;

/// Share of a line's words in a newer line from which it counts as repeated.
const SAME: f32 = 0.75;

/// Newer lines by their terms.
#[derive(Default)]
pub(super) struct Newer {
    lines: Vec<Line>,
    by_term: HashMap<String, Vec<usize>>,
}

impl Newer {
    /// Removes lines that a newer session or a later turn repeats. `lines` are those of one session, in order; call
    /// it for the newest session first. The remaining lines are compared with the next session.
    pub fn without_repeated(&mut self, lines: &mut Vec<Line>) {
        let mut told: Vec<Line> = Vec::new();
        let mut turns = std::mem::take(lines);
        while let Some(turn) = turns.last().map(|line| line.turn) {
            let start = turns.partition_point(|line| line.turn < turn);
            let of_turn: Vec<Line> = turns.drain(start..).filter(|line| !self.says_again(line)).collect();
            told.splice(0..0, of_turn.iter().cloned());
            of_turn.into_iter().for_each(|line| self.add(line));
        }
        *lines = told;
    }

    fn add(&mut self, line: Line) {
        for term in &line.terms {
            self.by_term.entry(term.clone()).or_default().push(self.lines.len());
        }
        self.lines.push(line);
    }

    fn says_again(&self, line: &Line) -> bool {
        let mut holders: Vec<&[usize]> =
            line.terms.iter().map(|term| self.by_term.get(term).map_or(&[][..], Vec::as_slice)).collect();
        holders.sort_unstable_by_key(|lines| lines.len());
        // A repeating line shares at least this many terms, so it has one of the rarest others.
        let shared = (line.terms.len() as f32 * SAME * SAME) as usize;
        let rare = holders.iter().take(holders.len() + 1 - shared.clamp(1, holders.len().max(1)));
        let candidates: HashSet<usize> = rare.copied().flatten().copied().collect();
        candidates.into_iter().any(|at| says_same(&self.lines[at], line))
    }
}

fn says_same(newer: &Line, line: &Line) -> bool {
    alike(line, newer) >= SAME && newer.terms.len() as f32 >= line.terms.len() as f32 * SAME
}

#[cfg(test)]
mod tests {
    use inwit_recall::Analyser;
    use proptest::prelude::*;

    use super::*;
    use crate::notes::line::lines_of;

    /// Few words, so that lines share many.
    const WORDS: [&str; 14] = [
        "rye", "bread", "loaf", "oven", "flour", "salt", "water", "baker", "corner", "morning", "price",
        "delivery", "customer", "invoice",
    ];

    fn lines(said: &[(usize, Vec<usize>)]) -> Vec<Line> {
        let text = |words: &[usize]| words.iter().map(|word| WORDS[*word]).collect::<Vec<_>>().join(" ");
        let mut turn = 0;
        let of_turn = |(step, words): &(usize, Vec<usize>)| {
            turn += step;
            let mut lines = lines_of(&text(words), None, 0, &mut Analyser::default());
            lines.iter_mut().for_each(|line| line.turn = turn);
            lines
        };
        said.iter().flat_map(of_turn).collect()
    }

    /// What is left of each session when each line is compared with every newer one.
    fn compared(sessions: &[Vec<Line>]) -> Vec<Vec<String>> {
        let mut newer: Vec<Line> = Vec::new();
        let mut left = Vec::new();
        for lines in sessions {
            let mut kept: Vec<Line> = Vec::new();
            for line in lines.iter().rev() {
                let later = kept.iter().filter(|other| other.turn > line.turn);
                if !newer.iter().chain(later).any(|known| says_same(known, line)) {
                    kept.insert(0, line.clone());
                }
            }
            left.push(kept.iter().map(|line| line.text.clone()).collect());
            newer.extend(kept);
        }
        left
    }

    fn session() -> impl Strategy<Value = Vec<(usize, Vec<usize>)>> {
        prop::collection::vec((0..2_usize, prop::collection::vec(0..WORDS.len(), 1..9)), 0..12)
    }

    proptest! {
        #[test]
        fn a_line_goes_where_and_only_where_a_newer_one_says_the_same(
            said in prop::collection::vec(session(), 1..5),
        ) {
            let sessions: Vec<Vec<Line>> = said.iter().map(|said| lines(said)).collect();
            let mut newer = Newer::default();
            let mut left = sessions.clone();
            left.iter_mut().for_each(|lines| newer.without_repeated(lines));
            let texts = |lines: &Vec<Line>| lines.iter().map(|line| line.text.clone()).collect::<Vec<_>>();
            prop_assert_eq!(left.iter().map(texts).collect::<Vec<_>>(), compared(&sessions));
        }
    }
}
