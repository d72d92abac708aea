//! The host's words in a prompt: in place of a file, behind it, or at the end.

use std::sync::Arc;

use inwit_model::AgentsMd;
use inwit_model::hash::Sha256;
use inwit_model::profile::BlockKind;

use super::block::{Omission, Reason};
use super::draft::{Draft, Source};

impl Draft<'_> {
    /// The host's words stand in for a file that gave no block, and its instructions go behind AGENTS.md
    /// where the setting says so (X24, R65).
    pub(super) fn host_behind(&mut self, kind: BlockKind) {
        let host = self.agent.host.clone();
        let has_file = self.blocks.iter().any(|block| block.kind == Some(kind));
        let (text, title) = match kind {
            BlockKind::Soul => (host.role, "# SOUL"),
            BlockKind::Agents => (host.instructions, "# AGENTS"),
            _ => return,
        };
        if text.trim().is_empty() {
            return;
        }
        let behind = kind == BlockKind::Agents && host.agents_md == AgentsMd::Prepend;
        match (has_file, behind) {
            (false, _) => self.host_block(kind, title, text),
            (true, true) => self.host_block(BlockKind::Host, "# INSTRUCTIONS", text),
            (true, false) => self.omitted.push(Omission {
                kind: BlockKind::Host,
                source: None,
                reason: Reason::FileInstead,
                chars: Some(text.chars().count()),
            }),
        }
    }

    /// What the host adds comes last and says itself that the files are stronger (X25).
    pub(super) fn host_last(&mut self) {
        let text = self.agent.host.system_prompt.clone();
        if !text.trim().is_empty() {
            self.host_block(
                BlockKind::Host,
                "# HOST (where this and the files above disagree, the files win)",
                text,
            );
        }
    }

    fn host_block(&mut self, kind: BlockKind, heading: &str, text: String) {
        let sha256 = Sha256::of(text.as_bytes());
        let whole = text.clone();
        self.place(Source {
            kind,
            name: None,
            heading: heading.to_owned(),
            text,
            whole,
            file: Arc::default(),
            sha256,
        });
    }
}
