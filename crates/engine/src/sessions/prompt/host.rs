//! The host's texts in a prompt: in place of a file, after it, or at the end.

use std::collections::BTreeSet;
use std::sync::Arc;

use inwit_model::hash::Sha256;
use inwit_model::profile::BlockKind;
use inwit_model::{AgentsMd, Hint};

use super::block::{Omission, Reason};
use super::draft::{Draft, Source};
use crate::Notice;
use crate::core::mask::{MASKED, ModelText, masked_foreign};

impl Draft<'_> {
    /// Adds the host's text for a file without a block, and its instructions after AGENTS.md if the setting says so
    /// (X24, R65).
    pub(super) fn host_behind(&mut self, kind: BlockKind) {
        let host = self.sessions.core.host.clone();
        let has_file = self.blocks.iter().any(|block| block.kind == Some(kind));
        let (setting, text, title) = match kind {
            BlockKind::Soul => ("host.role", host.role, "# SOUL"),
            BlockKind::Agents => ("host.instructions", host.instructions, "# AGENTS"),
            _ => return,
        };
        if text.trim().is_empty() {
            return;
        }
        let behind = kind == BlockKind::Agents && host.agents_md == AgentsMd::Prepend;
        match (has_file, behind) {
            (false, _) => self.host_block(kind, setting, title, &text),
            (true, true) => self.host_block(BlockKind::Host, setting, "# INSTRUCTIONS", &text),
            (true, false) => self.omitted.push(Omission {
                kind: BlockKind::Host,
                source: None,
                reason: Reason::FileInstead,
                chars: Some(text.chars().count()),
            }),
        }
    }

    /// The host's system prompt comes last and states that files take precedence (X25).
    pub(super) fn host_last(&mut self) {
        let text = self.sessions.core.host.system_prompt.clone();
        if !text.trim().is_empty() {
            self.host_block(
                BlockKind::Host,
                "host.system_prompt",
                "# HOST (where this and the files above disagree, the files win)",
                &text,
            );
        }
    }

    /// Settings may come from a restored backup, so their text is masked like that of a file.
    fn host_block(&mut self, kind: BlockKind, setting: &'static str, heading: &'static str, text: &str) {
        let sha256 = Sha256::of(text.as_bytes());
        let mut classes = BTreeSet::new();
        let text =
            self.sessions.core.named_loaded(self.sight.scope()).masked_of(text, &mut classes).into_owned();
        let (text, found) = masked_foreign(&text);
        classes.extend(found);
        if !classes.is_empty() {
            self.masked_settings.push((setting, classes));
        }
        let whole = text.to_string();
        self.place(Source {
            kind,
            name: None,
            heading: ModelText::own(heading),
            text,
            whole,
            file: Arc::default(),
            sha256,
        });
    }
}

/// The notice about masked settings.
pub(super) fn masked_notice(settings: &[(&'static str, BTreeSet<String>)]) -> Option<Notice> {
    let one = |(setting, classes): &(&str, BTreeSet<String>)| {
        format!("`{setting}` ({})", classes.iter().map(String::as_str).collect::<Vec<_>>().join(", "))
    };
    let names: Vec<String> = settings.iter().map(one).collect();
    let hint = Hint::FindSetting;
    (!names.is_empty())
        .then(|| Notice::new(MASKED, format!("Masked in the host's text: {}.", names.join("; ")), hint))
}
