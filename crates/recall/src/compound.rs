//! German compounds in queries whose parts are separate words in notes (`Roggenbrot`, "Brot aus Roggen").
//!
//! No dictionary tells the parts: they are words that stand in the notes themselves, together in one passage. Only a
//! word of the question that nothing else answers is taken apart, so that no answer which is there becomes another one.
//! A compound of the notes is found by a part of it in [`near_form`](crate::near_form). Invariant: a word is cut in two, and nothing of it is left out but what links the two.

use std::collections::HashMap;

use inwit_store::{IndexError, Snapshot};

use crate::language::{Language, stems};

/// Shortest word that is split, in characters.
pub const COMPOUND_CHARS_MIN: usize = 7;

/// Longest one, in characters: each split needs lookups.
pub const COMPOUND_CHARS_MAX: usize = 40;

/// Shortest part, in characters: `Tür`, `Rad`, `Eis`.
pub const COMPOUND_PART_CHARS_MIN: usize = 3;

/// Linking elements between two parts, longest first.
const LINKS: [&str; 5] = ["es", "en", "er", "s", "n"];

/// Passages with both parts of `word` (lower-case), in order, over all splits that occur.
pub fn holding_parts(snapshot: &dyn Snapshot, word: &str) -> Result<Vec<u32>, IndexError> {
    let chars = word.chars().count();
    if !(COMPOUND_CHARS_MIN..=COMPOUND_CHARS_MAX).contains(&chars) || !word.chars().all(char::is_alphabetic) {
        return Ok(Vec::new());
    }
    let mut known = PartLookup { snapshot, parts: HashMap::new() };
    let mut positions = Vec::new();
    for (tail, heads) in cuts(word) {
        let of_tail = known.positions(tail)?;
        if of_tail.is_empty() {
            continue;
        }
        for head in heads {
            let of_head = known.positions(head)?;
            positions.extend(of_head.into_iter().filter(|at| of_tail.binary_search(at).is_ok()));
        }
    }
    positions.sort_unstable();
    positions.dedup();
    Ok(positions)
}

/// Every split of a word: the second part, and possible first parts with and without a linking element.
fn cuts(word: &str) -> Vec<(&str, Vec<&str>)> {
    let long = |part: &str| part.chars().count() >= COMPOUND_PART_CHARS_MIN;
    let places = word.char_indices().map(|(at, _)| word.split_at(at));
    let cuts = places.filter(|(head, tail)| long(head) && long(tail)).map(|(head, tail)| {
        let bare = LINKS.iter().filter_map(|link| head.strip_suffix(link)).filter(|head| long(head));
        (tail, std::iter::once(head).chain(bare).collect())
    });
    cuts.collect()
}

/// Positions of parts, each looked up once.
struct PartLookup<'s> {
    snapshot: &'s dyn Snapshot,
    parts: HashMap<String, Vec<u32>>,
}

impl PartLookup<'_> {
    fn positions(&mut self, part: &str) -> Result<Vec<u32>, IndexError> {
        if let Some(positions) = self.parts.get(part) {
            return Ok(positions.clone());
        }
        let mut positions = Vec::new();
        for stem in stems(Language::German, part) {
            positions.extend(self.snapshot.postings(&stem)?.iter().map(|posting| posting.position));
        }
        positions.sort_unstable();
        positions.dedup();
        self.parts.insert(part.to_owned(), positions.clone());
        Ok(positions)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_word_is_cut_with_what_links_its_parts_and_without() {
        let cuts = cuts("geburtstagskuchen");
        let (_, heads) = cuts.iter().find(|(tail, _)| *tail == "kuchen").expect("a cut");
        assert_eq!(heads, &["geburtstags", "geburtstag"]);
        assert!(cuts.iter().all(|(tail, _)| tail.chars().count() >= COMPOUND_PART_CHARS_MIN));
    }

    proptest! {
        #[test]
        fn no_letter_is_lost_but_a_link(word in "[a-zäöüß]{0,24}") {
            for (tail, heads) in cuts(&word) {
                for head in heads {
                    let link = word.strip_prefix(head).and_then(|rest| rest.strip_suffix(tail)).expect("both ends");
                    prop_assert!(link.is_empty() || LINKS.contains(&link), "{} {} {}", head, link, tail);
                }
            }
        }
    }
}
