//! Importance and triggers of an entry, from its comments.
//!
//! The forms are OpenClaw's: `<!-- importance: 1..10 -->` and `<!-- trigger: a, b -->` at the end of an entry's line.
//! They are only read: the bytes are the owner's.
//!
//! Anyone who writes a line could raise its rank, and the index does not have authors, since it is built from files
//! alone (D1). So the file decides: in a log, which may have untrusted text without approval, the comments are
//! ignored. All other files are written by the owner and their agent, or with approval (D9), where the comment is
//! shown.

use inwit_markdown::{Carrier, carriers};

/// Most trigger words of a passage, the first ones.
pub const TRIGGER_WORDS_MAX: usize = 16;

/// Metadata of a passage.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Carried<'t> {
    /// 1 to 10; the highest of several entries in one passage.
    pub importance: Option<u8>,
    /// Trigger words, at most [`TRIGGER_WORDS_MAX`].
    pub triggers: Vec<&'t str>,
}

impl<'t> Carried<'t> {
    /// Parses the comments of a passage.
    pub fn of(text: &'t str) -> Self {
        let mut carried = Self::default();
        for carrier in carriers(text) {
            match carrier {
                Carrier::Importance(importance) => {
                    carried.importance = carried.importance.max(Some(importance));
                }
                Carrier::Trigger(words) => carried.triggers.extend(words),
                _ => {}
            }
        }
        let mut words = 0;
        carried.triggers.retain(|trigger| {
            words += trigger.split_whitespace().count();
            words <= TRIGGER_WORDS_MAX
        });
        carried
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passage_matters_as_much_as_its_most_important_entry() {
        let text = "- Likes rye. <!-- trigger: bread, sour dough --> <!-- importance: 3 -->\n  - Daily. <!-- importance: 9 -->";
        assert_eq!(Carried::of(text), Carried { importance: Some(9), triggers: vec!["bread", "sour dough"] });
    }

    #[test]
    fn an_entry_that_would_be_called_up_by_everything_is_called_up_by_its_first_words() {
        let triggers: Vec<String> = (0..60_000).map(|n| format!("t{n}")).collect();
        let text = format!("- Buy. <!-- trigger: {} -->", triggers.join(", "));
        assert_eq!(Carried::of(&text).triggers, triggers[..TRIGGER_WORDS_MAX]);
    }

    #[test]
    fn what_is_no_carrier_says_nothing() {
        for text in
            ["", "- importance: 9", "<!-- importance: 11 -->", "<!-- importance: high -->", "<!-- a note -->"]
        {
            assert_eq!(Carried::of(text), Carried::default(), "{text}");
        }
    }
}
