//! What an entry says of itself in comments for machines: how much it matters, and which words call it up.
//!
//! The forms are OpenClaw's: `<!-- importance: 1..10 -->` and `<!-- trigger: a, b -->` at the end of
//! an entry's line. They are read, never written or moved: the bytes are the owner's.
//!
//! Whoever writes a line could lift it by them, and the index knows of no line who wrote it: it is made of the files
//! alone (D1). What it knows is the file, and that decides. Into a log anybody's words come without a person's, a web
//! page's and a guest's, so there the comments say nothing. Into every other file only the owner and their agent write
//! unasked; whatever is tainted by others waits for a person's word (D9), who sees the comment with the line.

use inwit_markdown::{Carrier, carriers};

/// Words of a passage's triggers that are read, the first ones: who calls up everything calls up nothing.
pub const TRIGGER_WORDS_MAX: usize = 16;

/// What a passage carries.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Carried<'t> {
    /// 1 to 10; of several entries in one passage the highest, since it matters as much as what matters most in it.
    pub importance: Option<u8>,
    /// Words that call it up, at most [`TRIGGER_WORDS_MAX`] of them.
    pub triggers: Vec<&'t str>,
}

impl<'t> Carried<'t> {
    /// Reads the comments of a passage.
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
