//! How much a passage has in common with those before it.
//!
//! Score propagation helps where a text goes on about the same subject, as a conversation does, and hurts where a list
//! holds facts that have nothing to do with each other. Rare words that stand on both sides tell one from the other: in
//! conversations their share is about 0.15, in lists of unrelated notes below 0.05. A share is worked out when a file is
//! indexed, from that file alone, so no other file changes it. Invariant: takes time in proportion to the terms.

use std::collections::HashMap;

use inwit_store::Traits;

use crate::analyse::Terms;
use crate::language::empty_in;

/// Passages on each side of a boundary whose words are compared: one message often has no word of the one before it.
const WINDOW_PASSAGES: usize = 2;

/// Boundaries before and behind whose shares are averaged with that of a boundary: a single share is noisy.
const SMOOTHED_BOUNDARIES: usize = 3;

/// At this share of rare words in common two neighbours are unrelated.
const SHARE_MIN: f32 = 0.03;

/// At this share they are related as the turns of a conversation are.
const SHARE_FULL: f32 = 0.12;

/// How related each passage of a file is to the one before it, see [`Traits::related`]. The first is as related as can
/// be to that of the file before: its words are unknown here.
pub(crate) fn levels<'t>(passages: impl Iterator<Item = &'t Terms>) -> Vec<u8> {
    let bags = Bags::of(passages);
    let shares = bags.shares_in_common();
    let mut levels = vec![Traits::RELATED_MOST; bags.ends.len().min(1)];
    levels.extend((0..shares.len()).map(|at| {
        let around = at.saturating_sub(SMOOTHED_BOUNDARIES)..shares.len().min(at + SMOOTHED_BOUNDARIES + 1);
        let around = &shares[around];
        level(around.iter().sum::<f32>() / around.len() as f32)
    }));
    levels
}

fn level(share: f32) -> u8 {
    let part = ((share - SHARE_MIN) / (SHARE_FULL - SHARE_MIN)).clamp(0.0, 1.0);
    (part * f32::from(Traits::RELATED_MOST)).round() as u8
}

/// The words of each passage of a file as numbers, and what each word weighs by rarity in the file.
#[derive(Default)]
struct Bags {
    /// The numbers of all passages, one passage behind the other.
    numbers: Vec<u32>,
    /// Where each passage ends in them.
    ends: Vec<usize>,
    rarity: Vec<f32>,
}

impl Bags {
    fn of<'t>(passages: impl Iterator<Item = &'t Terms>) -> Self {
        // A word without content is looked up once in a file, not in each passage.
        let mut known: HashMap<&str, Option<u32>> = HashMap::new();
        let mut bags = Self::default();
        for passage in passages {
            for (term, _) in &passage.counts {
                let next = bags.rarity.len() as u32;
                let Some(number) = *known.entry(term).or_insert_with(|| has_content(term).then_some(next))
                else {
                    continue;
                };
                if number == next {
                    bags.rarity.push(0.0);
                }
                bags.rarity[number as usize] += 1.0;
                bags.numbers.push(number);
            }
            bags.ends.push(bags.numbers.len());
        }
        let size = bags.ends.len() as f32;
        bags.rarity.iter_mut().for_each(|holders| *holders = (size / *holders).ln_1p());
        bags
    }

    /// For each boundary between two passages the share by rarity of the words that stand on both sides of it, of the side
    /// with fewer.
    fn shares_in_common(&self) -> Vec<f32> {
        let mut sides = Sides { before: vec![0; self.rarity.len()], after: vec![0; self.rarity.len()] };
        (1..self.ends.len())
            .map(|at| {
                let from = self.start(at.saturating_sub(WINDOW_PASSAGES));
                let to = self.ends[(at + WINDOW_PASSAGES).min(self.ends.len()) - 1];
                let middle = self.start(at);
                sides.share(at as u32, &self.numbers[from..middle], &self.numbers[middle..to], &self.rarity)
            })
            .collect()
    }

    fn start(&self, passage: usize) -> usize {
        passage.checked_sub(1).map_or(0, |before| self.ends[before])
    }
}

/// By word the last boundary before and behind which it was seen.
struct Sides {
    before: Vec<u32>,
    after: Vec<u32>,
}

impl Sides {
    fn share(&mut self, boundary: u32, before: &[u32], after: &[u32], rarity: &[f32]) -> f32 {
        let (mut left, mut right, mut both) = (0.0, 0.0, 0.0);
        for &word in before {
            if std::mem::replace(&mut self.before[word as usize], boundary) != boundary {
                left += rarity[word as usize];
            }
        }
        for &word in after {
            if std::mem::replace(&mut self.after[word as usize], boundary) != boundary {
                right += rarity[word as usize];
                if self.before[word as usize] == boundary {
                    both += rarity[word as usize];
                }
            }
        }
        let least = f32::min(left, right);
        if least > 0.0 { both / least } else { 0.0 }
    }
}

/// Whether two passages that have a term in common say so something of each other: no word without content, and no
/// single character.
fn has_content(term: &str) -> bool {
    empty_in(term) == 0 && term.chars().nth(1).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::Analyser;

    fn levels_of(texts: &[&str]) -> Vec<u8> {
        let mut analyser = Analyser::default();
        let terms: Vec<Terms> = texts.iter().map(|text| analyser.terms(text)).collect();
        levels(terms.iter())
    }

    const CONVERSATION: [&str; 6] = [
        "Ana: The kiln cracked again last night.",
        "Ben: Was that the new kiln or the old one?",
        "Ana: The new one. The cracked plate is at the bottom.",
        "Ben: Then the warranty covers a new plate.",
        "Ana: I sent them a picture of the plate and the warranty card.",
        "Ben: Good. Did they answer about the card?",
    ];

    const UNRELATED: [&str; 6] = [
        "Prayer plant: rescued from a skip behind the florist.",
        "Ravi burned the jam, the pot is ruined.",
        "Oona got a call from a gallery.",
        "A man from the council counted the bees' nests.",
        "Tarn Bothy: sleep on the right and bring a candle.",
        "Old Mrs Lindqvist was a trapeze artist in Malmö.",
    ];

    #[test]
    fn a_conversation_is_related_and_a_list_of_unrelated_notes_is_not() {
        assert_eq!(levels_of(&CONVERSATION), [Traits::RELATED_MOST; 6]);
        assert_eq!(levels_of(&UNRELATED), [Traits::RELATED_MOST, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn where_a_conversation_ends_in_a_list_the_level_falls() {
        let levels = levels_of(&[CONVERSATION, UNRELATED].concat());
        assert!(levels[2] > Traits::RELATED_MOST / 2 && levels[10] == 0, "{levels:?}");
    }

    #[test]
    fn pairs_of_characters_count_and_single_ones_do_not() {
        let related = levels_of(&["窑在昨晚裂开了", "新窑裂开的底板在哪里", "底板有保修"]);
        let unrelated = levels_of(&["窑坏了", "我去上海", "他买米"]);
        assert!(related[1] > 0 && unrelated[1] == 0, "{related:?} {unrelated:?}");
    }

    #[test]
    fn nothing_and_one_passage_have_levels() {
        assert_eq!(levels_of(&[]), Vec::<u8>::new());
        assert_eq!(levels_of(&[""]), [Traits::RELATED_MOST]);
        assert_eq!(levels_of(&["", ""]), [Traits::RELATED_MOST, 0]);
    }
}
