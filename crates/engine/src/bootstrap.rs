//! The end of the first conversation: the closing word, and the name under which its page is kept.
//!
//! The page tells the agent to say `BOOTSTRAP_DONE` when it has asked what it needs; then BOOTSTRAP.md
//! is renamed and no prompt shows it again (W70–W72). Invariant: the word counts only where the agent
//! says it itself, alone on a line; a page, tool or person that quotes it ends nothing.

use inwit_markdown::PassageKind;
use inwit_model::{NameError, SafeName};
use jiff::Timestamp;

/// The closing word.
pub const BOOTSTRAP_DONE: &str = "BOOTSTRAP_DONE";

/// Whether an agent's final text says the closing word: a line of its own, without a blank before or
/// behind, in no fence, quote, comment or heading.
pub fn is_done(final_text: &str) -> bool {
    let document = inwit_markdown::parse(final_text.as_bytes());
    let mut at = 0;
    let mut in_fence = false;
    for raw in final_text.split_inclusive('\n') {
        let line = raw.trim_end_matches(['\n', '\r']);
        // Markdown ends an item's fence with the item; people do not read it so.
        let marks = line.trim_start_matches([' ', '\t', '-', '*', '+', '>']);
        in_fence ^= marks.starts_with("```") || marks.starts_with("~~~");
        if line == BOOTSTRAP_DONE && !in_fence {
            let spoken = |entry: &&inwit_markdown::Entry| {
                entry.span.contains(&at) && matches!(entry.kind, PassageKind::Paragraph | PassageKind::Item)
            };
            let hidden = document.comments.iter().any(|comment| comment.span.contains(&at));
            if document.entries.iter().any(|entry| spoken(&entry)) && !hidden {
                return true;
            }
        }
        at += raw.len();
    }
    false
}

/// Where BOOTSTRAP.md goes when it is done: `BOOTSTRAP.md.done.20261121T140300Z`.
pub fn archive_name(at: Timestamp) -> Result<SafeName, NameError> {
    SafeName::parse(&format!("BOOTSTRAP.md.done.{}", at.strftime("%Y%m%dT%H%M%SZ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Proves W70.
    #[test]
    fn the_word_on_a_line_of_its_own_ends_the_first_conversation() {
        for done in [
            "BOOTSTRAP_DONE",
            "All set, Ann.\n\nBOOTSTRAP_DONE\n",
            "All set.\r\nBOOTSTRAP_DONE\r\n",
            "I wrote down:\n- your name\n- your zone\nBOOTSTRAP_DONE",
            "```\ncode\n```\n\nBOOTSTRAP_DONE",
        ] {
            assert!(is_done(done), "{done:?}");
        }
    }

    #[test]
    fn a_word_that_is_quoted_shown_or_talked_about_ends_nothing() {
        for open in [
            "",
            "I will say BOOTSTRAP_DONE when we are through.",
            "BOOTSTRAP_DONE when we are through",
            "bootstrap_done",
            "BOOTSTRAP_DONE ",
            " BOOTSTRAP_DONE",
            "\tBOOTSTRAP_DONE",
            "`BOOTSTRAP_DONE`",
            "**BOOTSTRAP_DONE**",
            "BOOTSTRAP_DONE.",
            "> BOOTSTRAP_DONE",
            "> The page says:\nBOOTSTRAP_DONE",
            "- BOOTSTRAP_DONE",
            "# BOOTSTRAP_DONE",
            "BOOTSTRAP_DONE\n---\n",
            "```\nBOOTSTRAP_DONE\n```",
            "```\nBOOTSTRAP_DONE",
            "~~~text\nBOOTSTRAP_DONE\n~~~\n",
            "- ```\nBOOTSTRAP_DONE\n```\n",
            "<!--\nBOOTSTRAP_DONE\n-->",
            "<div>\nBOOTSTRAP_DONE\n</div>",
            "BOOTSTRAP_DONE\u{200B}",
            "BOOTSTRAP_DONE\u{0}",
            "ВOOTSTRAP_DONE",
        ] {
            assert!(!is_done(open), "{open:?}");
        }
    }

    #[test]
    fn the_page_is_kept_under_a_name_with_the_time() {
        let at = "2026-11-21T14:03:00Z".parse().expect("a time");
        let name = archive_name(at).expect("a safe name");
        assert_eq!(name.as_str(), "BOOTSTRAP.md.done.20261121T140300Z");
    }

    proptest! {
        #[test]
        fn no_fence_around_the_word_lets_it_out(lead in r"([a-z>` -]|\n){0,30}", tail in r"([a-z -]|\n){0,30}") {
            prop_assume!(!lead.contains("```"));
            let text = format!("{lead}\n\n```\nBOOTSTRAP_DONE\n{tail}");
            prop_assert!(!is_done(&text), "{:?}", text);
        }
    }
}
