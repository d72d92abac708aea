//! The requirements that tests may claim to prove: an id and a few words of our own for each.
//!
//! The letters: W and M are the two halves of Minara (workspace, memory), N is nexo-rs, R MindRoom,
//! C Carapace; X settles where they disagree; I are the invariants that hold in every profile.
//! Invariant: the table has every number of a letter, once, in order.

/// One row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Requirement {
    /// Its id, such as `W53`.
    pub id: &'static str,
    /// What it asks for.
    pub about: &'static str,
}

const TABLE: &str = include_str!("../requirements.tsv");

/// Every letter, with whom it stands for and how many requirements it has.
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

/// Whether there is such a requirement.
pub fn exists(id: &str) -> bool {
    all().any(|row| row.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_every_letter_stands_there_once_in_order() {
        let ids: Vec<&str> = all().map(|row| row.id).collect();
        let wanted: Vec<String> = LETTERS
            .iter()
            .flat_map(|(letter, _, last)| (1..=*last).map(move |number| format!("{letter}{number}")))
            .collect();
        assert_eq!(ids, wanted);
        assert_eq!(TABLE.lines().count(), ids.len(), "a row is an id, a tab and words");
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
