//! The requirements that tests may claim to prove: an id and a few words of our own for each.
//!
//! The letters: W and M are the two halves of Minara (workspace, memory), N is nexo-rs, R MindRoom,
//! C Carapace; X settles where they disagree; I are the invariants that hold in every profile.
//! A requirement that asks for several independent things has one row per part, `N29a`, `N29b`, and no
//! row of its own, so that each part is claimed and counted alone.
//! Invariant: the table has every number of a letter in order, once or as parts without a gap.

/// One row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Requirement {
    /// Its id, such as `W53`, or of a part, such as `N29c`.
    pub id: &'static str,
    /// What it asks for.
    pub about: &'static str,
}

const TABLE: &str = include_str!("../requirements.tsv");

/// Every letter, with whom it stands for and its last number.
pub const LETTERS: &[(char, &str, usize)] = &[
    ('W', "Minara Workspace", 94),
    ('N', "nexo-rs: identity and workspace", 29),
    ('R', "MindRoom: Markdown memory and soul", 75),
    ('M', "Minara Memory", 84),
    ('C', "Carapace: memory and workspace files", 21),
    ('X', "one rule where the systems disagree", 65),
    ('I', "invariants of every profile", 7),
];

/// The requirements in the table's order.
pub fn all() -> impl Iterator<Item = Requirement> {
    TABLE.lines().filter_map(|line| line.split_once('\t')).map(|(id, about)| Requirement { id, about })
}

/// Whether there is such a requirement. A requirement in parts has no row without a letter.
pub fn exists(id: &str) -> bool {
    all().any(|row| row.id == id)
}

/// An id as letter, number and part: `W53` is `('W', 53, None)`, `N29c` is `('N', 29, Some('c'))`.
#[cfg(test)]
fn parse(id: &str) -> Option<(char, usize, Option<char>)> {
    let letter = id.chars().next().filter(char::is_ascii_uppercase)?;
    let rest = &id[1..];
    let part = rest.chars().last().filter(char::is_ascii_lowercase);
    let digits = part.map_or(rest, |_| &rest[..rest.len() - 1]);
    let is_plain = !digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_plain.then(|| digits.parse().ok()).flatten().map(|number| (letter, number, part))
}

/// What is wrong with a sequence of ids: `letters` says which letters there are and their last numbers.
#[cfg(test)]
fn disorder(ids: &[&str], letters: &[(char, usize)]) -> Option<String> {
    let numbers = letters.iter().flat_map(|(letter, last)| (1..=*last).map(move |number| (*letter, number)));
    let mut rows = ids.iter().copied().peekable();
    for (letter, number) in numbers {
        let is_number = |id: &&str| parse(id).is_some_and(|(of, at, _)| (of, at) == (letter, number));
        let mut parts = Vec::new();
        while let Some(id) = rows.next_if(|id| is_number(id)) {
            parts.push(parse(id).and_then(|(_, _, part)| part));
        }
        let run: Vec<Option<char>> = ('a'..='z').map(Some).take(parts.len()).collect();
        if parts != [None] && (parts.len() < 2 || parts != run) {
            return Some(format!(
                "{letter}{number}: one row, or two or more parts a, b, c in order: {parts:?}"
            ));
        }
    }
    rows.next().map(|id| format!("{id} is out of order"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_every_letter_stands_there_once_or_in_parts_in_order() {
        let ids: Vec<&str> = all().map(|row| row.id).collect();
        let letters: Vec<(char, usize)> = LETTERS.iter().map(|(letter, _, last)| (*letter, *last)).collect();
        assert_eq!(disorder(&ids, &letters), None);
        assert_eq!(TABLE.lines().count(), ids.len(), "a row is an id, a tab and words");
    }

    #[test]
    fn an_id_is_a_letter_a_number_and_perhaps_a_part() {
        assert_eq!(parse("W53"), Some(('W', 53, None)));
        assert_eq!(parse("N29c"), Some(('N', 29, Some('c'))));
        for bad in ["", "W", "Wc", "53", "w53", "W053", "W53C", "W53cd", "W5.3", "W-5", "É5"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_requirement_in_parts_is_claimed_by_part() {
        assert!(exists("N29a") && exists("N29c"));
        assert!(!exists("N29"), "nobody can claim the whole");
        let ordered = |ids: &[&str]| disorder(ids, &[('A', 2), ('B', 1)]).is_none();
        assert!(ordered(&["A1", "A2", "B1"]) && ordered(&["A1", "A2a", "A2b", "A2c", "B1"]));
        for wrong in [
            &["A1", "A2", "A2a", "A2b", "B1"][..],
            &["A1", "A2a", "A2c", "B1"],
            &["A1", "A2b", "A2a", "B1"],
            &["A1", "A2a", "B1"],
            &["A1", "A2", "A2", "B1"],
            &["A2", "A1", "B1"],
            &["A1", "B1"],
            &["A1", "A2", "B1", "B2"],
            &["A1", "A2", "B1", "C1"],
            &["A1", "A2", "B1", "x"],
        ] {
            assert!(!ordered(wrong), "{wrong:?}");
        }
    }

    #[test]
    fn a_requirement_is_told_in_four_to_twelve_words() {
        for row in all() {
            let words = row.about.split_whitespace().count();
            assert!((4..=12).contains(&words), "{}: {words} words", row.id);
        }
        assert!(exists("I7") && !exists("I8"));
    }
}
