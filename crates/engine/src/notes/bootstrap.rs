//! The end of first-run setup: the closing word, and signs of a finished setup.
//!
//! The page instructs the agent to write `BOOTSTRAP_DONE` when it has asked everything; then BOOTSTRAP.md is renamed and
//! no longer shown (W70–W72). Invariant: the word counts only if the agent writes it alone on a line; quotations in
//! pages, tool results or messages end nothing.

use inwit_markdown::PassageKind;
use inwit_model::ports::{Content, Listing};
use inwit_model::{FileKind, Place, SafeName};
use inwit_workspace::{ScopedReader as _, identity};

use crate::{EngineError, Notes};

/// The closing word.
pub const BOOTSTRAP_DONE: &str = "BOOTSTRAP_DONE";

/// Whether an agent's final text has the closing word: on a separate line, without blanks around it, outside fences,
/// quotes, comments and headings.
pub fn is_done(final_text: &str) -> bool {
    let document = inwit_markdown::outline(final_text.as_bytes());
    let mut at = 0;
    let mut in_fence = false;
    for raw in final_text.split_inclusive('\n') {
        let line = raw.trim_end_matches(['\n', '\r']);
        // Markdown ends an item's fence with the item; people do not expect that.
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

impl Notes {
    /// BOOTSTRAP.md while setup is not finished; `None` if it is absent, or if the profile treats a set-up workspace
    /// as finished.
    pub(crate) fn pending_bootstrap(&self) -> Result<Option<(SafeName, Content)>, EngineError> {
        let Some(page) = self.core.well_known_file(FileKind::Bootstrap)? else { return Ok(None) };
        let is_done = self.core.profile.bootstrap_until_set_up
            && self.is_set_up(&self.core.workspace.private().list()?);
        Ok((!is_done).then_some(page))
    }

    /// Whether the workspace is set up, by OpenClaw's criteria: MEMORY.md, a file below `memory/`, a skill, or an
    /// IDENTITY.md that names the agent. `listing` is that of the private view.
    pub(crate) fn is_set_up(&self, listing: &Listing) -> bool {
        let is_sign = |name: &SafeName| {
            name.as_str().starts_with("memory/")
                || matches!(Place::of(name), Some(Place::File(FileKind::Memory) | Place::Skill { .. }))
        };
        listing.entries.iter().any(|entry| is_sign(&entry.name)) || self.has_a_name()
    }

    fn has_a_name(&self) -> bool {
        let Ok(Some((_, content))) = self.core.well_known_file(FileKind::Identity) else { return false };
        identity::read(Some(&String::from_utf8_lossy(&content.bytes)), None).name.is_some()
    }
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

    proptest! {
        #[test]
        fn no_fence_around_the_word_lets_it_out(lead in r"([a-z>` -]|\n){0,30}", tail in r"([a-z -]|\n){0,30}") {
            prop_assume!(!lead.contains("```"));
            let text = format!("{lead}\n\n```\nBOOTSTRAP_DONE\n{tail}");
            prop_assert!(!is_done(&text), "{:?}", text);
        }
    }
}
