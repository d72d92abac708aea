//! A prompt under construction: reads files, applies budgets, and records blocks and omissions.
//!
//! Invariant: blocks, including headings, count against the total budget, so files never exceed it; every omission is
//! recorded.

use std::collections::BTreeSet;
use std::sync::Arc;

use inwit_model::fact::When;
use inwit_model::hash::Sha256;
use inwit_model::ports::Listing;
use inwit_model::profile::{BlockKind, IdentityForm, Inject, Oversize};
use inwit_model::{Code, FileKind, SafeName, Scope, Taint};
use inwit_workspace::{ScopedReader, identity};

use super::BLOCK_JOINT;
use super::block::{Block, Omission, Part, Reason};
use super::fence;
use crate::Sessions;
use crate::core::fit::{self, Cut, Fitted};
use crate::core::mask::{Masked, ModelText};

/// A prompt under construction.
pub(super) struct Draft<'a> {
    pub(super) sessions: &'a Sessions,
    pub(super) sight: &'a dyn ScopedReader,
    /// Time filters of the facts.
    pub(super) facts: When,
    pub(super) listing: Listing,
    /// Remaining characters of the total budget.
    pub(super) left: usize,
    pub(super) blocks: Vec<Block>,
    pub(super) omitted: Vec<Omission>,
    /// Taint marks of log entries.
    pub(super) marks: Box<fence::Marks<'a>>,
    /// The taint of all shown text.
    pub(super) taint: Taint,
    /// Masked findings of files.
    pub(super) masked: Vec<Masked>,
    /// Masked findings of rows: name and classes.
    pub(super) masked_rows: Vec<(String, BTreeSet<String>)>,
    /// Masked findings of the host's settings: setting and classes.
    pub(super) masked_settings: Vec<(&'static str, BTreeSet<String>)>,
}

/// A text that may become a block.
pub(super) struct Source {
    pub(super) kind: BlockKind,
    pub(super) name: Option<SafeName>,
    /// The heading.
    pub(super) heading: ModelText,
    pub(super) text: ModelText,
    /// The text as stored, for the line number at a cut.
    pub(super) whole: String,
    /// The bytes of the file; none if there is no file.
    pub(super) file: Arc<[u8]>,
    pub(super) sha256: Sha256,
}

impl Draft<'_> {
    /// Reads a file and adds its block.
    pub(super) fn file(&mut self, kind: BlockKind, name: &SafeName, heading: ModelText) {
        let content =
            match self.sessions.core.contents.read(self.sight, name, self.sessions.core.clock.as_ref()) {
                Ok(content) => content,
                Err(error) if error.code == Code::FileMissing => {
                    // A finished first-run page is gone for good; other missing seeds are reported.
                    let seeded = self.sessions.core.profile.seeds.iter().any(|seed| seed == name.as_str());
                    if seeded && kind != BlockKind::Bootstrap {
                        self.omit(kind, Some(name), Reason::Missing, None);
                    }
                    return;
                }
                Err(error) => return self.omit(kind, Some(name), Reason::Unreadable(error.message), None),
            };
        let profile = &self.sessions.core.profile;
        if profile.oversize == Oversize::SkipWithWarning
            && content.bytes.len() as u64 > profile.max_file_bytes
        {
            let chars = String::from_utf8_lossy(&content.bytes).chars().count();
            return self.omit(kind, Some(name), Reason::OverFileLimit, Some(chars));
        }
        let Some(text) = readable_text(&content.bytes) else {
            return self.omit(kind, Some(name), Reason::NotText, None);
        };
        let (fenced, taint) = match kind {
            BlockKind::Journals => fence::journal(&text, &self.marks),
            BlockKind::Heartbeat => fence::heartbeat(&text, &self.marks),
            _ => (text.clone(), Taint::Owner),
        };
        self.taint = self.taint.join(taint);
        let before = self.masked.len();
        let scope = self.sight.scope();
        let whole = self.sessions.core.masked_for(scope, name, &text, &mut self.masked).into_owned();
        // Fenced text is masked again only if the file has findings.
        let fenced = if self.masked.len() == before {
            fenced
        } else {
            self.sessions.core.masked_for(scope, name, &fenced, &mut Vec::new()).into_owned()
        };
        let Some(text) = self.content(kind, &fenced) else {
            return self.omit(kind, Some(name), Reason::Empty, None);
        };
        let text = self.sessions.core.masked_words(scope, name, &content.bytes, text, &mut self.masked);
        let (name, file) = (Some(name.clone()), Arc::clone(&content.bytes));
        self.place(Source { kind, name, heading, text, whole, file, sha256: content.sha256 });
    }

    /// The part of a file for the model: all of SOUL.md (N8); otherwise without comments. `None` if nothing is left.
    fn content(&self, kind: BlockKind, text: &str) -> Option<String> {
        let text = match kind {
            BlockKind::Identity if self.sessions.core.profile.identity == IdentityForm::Line => {
                identity::read(Some(text), None).line()
            }
            BlockKind::Soul | BlockKind::Agents | BlockKind::Identity => text.to_owned(),
            _ => inwit_markdown::shown(text).into_owned(),
        };
        let text = text.trim_end().trim_start_matches(['\n', '\r']);
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// Applies the budgets to a text and adds its block.
    pub(super) fn place(&mut self, source: Source) {
        let profile = &self.sessions.core.profile;
        let own_limit =
            if source.kind == BlockKind::User { profile.max_user_chars } else { profile.max_file_chars };
        let total_chars = source.text.chars().count();
        let name = source.name.as_ref().map_or(source.kind.word(), SafeName::as_str);
        if profile.oversize == Oversize::SkipWithWarning && total_chars > own_limit {
            return self.omit(source.kind, source.name.as_ref(), Reason::OverFileLimit, Some(total_chars));
        }
        let frame = source.heading.chars().count() + 2 * BLOCK_JOINT.len();
        let budget = own_limit.min(self.left.saturating_sub(frame));
        let whole_or_nothing = profile.oversize == Oversize::SkipWithWarning && total_chars > budget;
        let fitted = if whole_or_nothing { None } else { self.fitted(&source, name, budget) };
        let Some((text, shown_chars)) = fitted else {
            return self.omit(source.kind, source.name.as_ref(), Reason::OverTotalLimit, Some(total_chars));
        };
        let text = ModelText::joined(&[source.heading, text.unwrap_or(source.text)], BLOCK_JOINT);
        self.left = self.left.saturating_sub(text.chars().count() + BLOCK_JOINT.len());
        let part = self.part(source.kind);
        self.block(source.kind, source.name, part, text, [shown_chars, total_chars], source.sha256);
    }

    /// Adds a block with its final text; `chars` are shown and total characters.
    pub(super) fn block(
        &mut self,
        kind: BlockKind,
        source: Option<SafeName>,
        part: Part,
        text: ModelText,
        [shown_chars, total_chars]: [usize; 2],
        source_sha256: Sha256,
    ) {
        let text = text.outside_fence();
        self.blocks.push(Block {
            kind: Some(kind),
            source,
            part,
            audience: audience(kind, self.sight.scope()),
            sha256: Sha256::of(text.as_bytes()),
            text,
            shown_chars,
            total_chars,
            source_sha256,
        });
    }

    /// What to keep of a source over its budget. Of a text without a file only the head: there are no lines to cite.
    fn cut(&self, source: &Source) -> Cut {
        let is_middle_cut = self.sessions.core.profile.oversize == Oversize::TruncateMiddle;
        match &source.name {
            Some(_) if is_middle_cut && self.is_older_openclaw() => Cut::HeadAndTail { head: 70, tail: 20 },
            Some(_) if is_middle_cut && source.kind == BlockKind::Agents => Cut::HeadRulesTail,
            Some(_) if is_middle_cut => Cut::HeadAndTail { head: 75, tail: 25 },
            _ => Cut::Head,
        }
    }

    /// Whether AGENTS.md is from OpenClaw before 2026.8: it names a file retired then. Every scope sees AGENTS.md;
    /// the retired files are private.
    fn is_older_openclaw(&self) -> bool {
        let Ok(name) = SafeName::parse(FileKind::Agents.spec().path) else { return false };
        let content = self.sessions.core.contents.read(self.sight, &name, self.sessions.core.clock.as_ref());
        content.is_ok_and(|content| {
            let text = String::from_utf8_lossy(&content.bytes);
            [FileKind::Tools, FileKind::Heartbeat].iter().any(|kind| text.contains(kind.spec().path))
        })
    }

    /// The text within `budget`, if it must be cut, and the number of shown characters. A cut may create a finding or
    /// leave a fence open; then less is shown, so that mask and fence end fit.
    fn fitted(&self, source: &Source, name: &str, budget: usize) -> Option<(Option<ModelText>, usize)> {
        let cut = self.cut(source);
        let mut room = budget;
        loop {
            let marker = self.sessions.core.profile.marker;
            let Fitted { text, shown_chars, total_chars } =
                fit::fit(&source.text, &source.whole, name, room, marker, cut)?;
            if shown_chars == total_chars {
                return Some((None, shown_chars));
            }
            let text = match &source.name {
                Some(name) => {
                    let (scope, masked) = (self.sight.scope(), &mut Vec::new());
                    self.sessions.core.masked_words(scope, name, &source.file, text, masked)
                }
                None => ModelText::made_of(&[&source.text], text),
            };
            let text = if source.kind == BlockKind::Journals { fence::complete(text) } else { text };
            let over = text.chars().count().saturating_sub(budget);
            if over == 0 {
                return Some((Some(text), shown_chars));
            }
            room = room.checked_sub(over)?;
        }
    }

    pub(super) fn part(&self, kind: BlockKind) -> Part {
        match kind {
            BlockKind::Bootstrap => Part::Tail,
            BlockKind::Memory
            | BlockKind::Core
            | BlockKind::Facts
            | BlockKind::Journals
            | BlockKind::Room
                if self.sessions.core.profile.inject == Inject::UserPrefix =>
            {
                Part::UserPrefix
            }
            _ => Part::Prefix,
        }
    }

    pub(super) fn omit(
        &mut self,
        kind: BlockKind,
        source: Option<&SafeName>,
        reason: Reason,
        chars: Option<usize>,
    ) {
        let named =
            source.cloned().or_else(|| kind.file().and_then(|file| SafeName::parse(file.spec().path).ok()));
        self.omitted.push(Omission { kind, source: named, reason, chars });
    }
}

/// Who besides the owner sees the same block: `shared`, one room, or none.
fn audience(kind: BlockKind, scope: &Scope) -> String {
    match (kind, scope) {
        (BlockKind::Skills | BlockKind::Host, _) => "shared".into(),
        (BlockKind::Room | BlockKind::Journals, Scope::Room(_)) => scope.to_string(),
        (kind, _) if kind.file().is_some_and(|file| file.visible_to(&Scope::Shared)) => "shared".into(),
        _ => "private".into(),
    }
}

/// UTF-8 text without a byte order mark; invalid bytes become U+FFFD. `None` for UTF-16 and binary files.
pub(crate) fn readable_text(bytes: &[u8]) -> Option<String> {
    if inwit_markdown::is_utf16(bytes) || inwit_markdown::is_binary(bytes) {
        return None;
    }
    let bytes = bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(bytes);
    Some(String::from_utf8_lossy(bytes).into_owned())
}
