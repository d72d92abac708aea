//! Builds a prompt from blocks, in the profile's order and budgets.

use std::sync::Arc;

use inwit_model::fact::When;
use inwit_model::hash::Sha256;
use inwit_model::profile::{BlockKind, IdentityForm};
use inwit_model::{FileKind, SafeName, Scope, Taint};
use inwit_workspace::{PrivateView, ScopedReader as _, SharedView, View, identity};

use super::block::{Block, Part, Reason};
use super::draft::{Draft, Source};
use super::told::notices;
use super::{BLOCK_JOINT, Prompt, host, journals, skills};
use crate::core::mask;
use crate::core::notice::left_out;
use crate::facts::seen;
use crate::{EngineError, ModelText, Sessions};

/// Builds the prompt of `agent` for `scope`, with the facts of `facts`.
pub fn assemble(sessions: &Sessions, scope: &Scope, facts: When) -> Result<Prompt, EngineError> {
    let view = sessions.core.view(scope);
    let listing = view.list()?;
    sessions.core.load_named_of_files(&view);
    let mut draft = Draft {
        sessions,
        sight: &view,
        facts,
        listing,
        left: sessions.core.profile.max_total_chars,
        blocks: Vec::new(),
        omitted: Vec::new(),
        marks: sessions.notes.marks(),
        taint: Taint::Owner,
        masked: Vec::new(),
        masked_rows: Vec::new(),
        masked_settings: Vec::new(),
    };
    if let View::Private(private) = &view
        && !sessions.core.host.without_files
    {
        draft.startup_notes(private);
    }
    for kind in &sessions.core.profile.order {
        if !sessions.core.host.without_files {
            draft.add(*kind, &view);
        }
        draft.host_behind(*kind);
    }
    draft.host_last();
    draft.blocks.push(day_line(sessions));
    // A stable sort: within a part the profile's order is kept.
    draft.blocks.sort_by_key(|block| block.part);
    let Draft { blocks, omitted, listing, taint, masked, masked_rows, masked_settings, .. } = draft;
    Ok(Prompt {
        scope: scope.clone(),
        profile: sessions.core.profile.name.clone(),
        notices: [
            notices(&sessions.core.profile, &blocks, &omitted),
            mask::notice(&masked).into_iter().chain(seen::notice_of(masked_rows.into_iter())).collect(),
            host::masked_notice(&masked_settings).into_iter().collect(),
            left_out(&[], &listing.skipped),
        ]
        .concat(),
        blocks,
        omitted,
        taint,
        snapshot: sessions.core.profile.snapshot,
        budget_chars: sessions.core.profile.max_total_chars,
        token_budget: sessions.core.profile.token_budget,
    })
}

impl Draft<'_> {
    fn add(&mut self, kind: BlockKind, view: &View) {
        match (kind, view) {
            (BlockKind::Memory | BlockKind::Core, View::Private(private)) => self.memory(kind, private),
            (BlockKind::Facts, View::Private(_)) => self.facts(),
            (BlockKind::Journals, View::Private(private)) => self.private_journals(private),
            (BlockKind::Journals, View::Shared(shared)) => self.room_journals(shared),
            (BlockKind::Room, View::Shared(shared)) => self.room(shared),
            (BlockKind::Skills, View::Private(_) | View::Shared(_)) => self.skills(),
            (BlockKind::Bootstrap, View::Private(_)) => self.bootstrap(),
            (kind, _) => match kind.file() {
                Some(file) if file.visible_to(self.sight.scope()) => self.known(kind, file),
                // A private prompt has no room block, so nothing was omitted.
                None if matches!(view, View::Private(_)) => {}
                _ => self.omit(kind, None, Reason::NotForScope, None),
            },
        }
    }

    fn known(&mut self, kind: BlockKind, file: FileKind) {
        if let Ok(name) = SafeName::parse(file.spec().path) {
            self.file(kind, &name, title(file));
        }
        let is_line = self.sessions.core.profile.identity == IdentityForm::Line;
        if kind == BlockKind::Identity && is_line && !self.blocks.iter().any(|block| block.kind == Some(kind))
        {
            self.identity_of_soul();
        }
    }

    fn bootstrap(&mut self) {
        let sessions = self.sessions;
        if !sessions.core.profile.bootstrap_until_set_up || !sessions.notes.is_set_up(&self.listing) {
            return self.known(BlockKind::Bootstrap, FileKind::Bootstrap);
        }
        let Ok(name) = SafeName::parse(FileKind::Bootstrap.spec().path) else { return };
        if self.listing.entries.iter().any(|entry| entry.name == name) {
            self.omit(BlockKind::Bootstrap, Some(&name), Reason::SetUp, None);
        }
    }

    /// Without IDENTITY.md, a section of SOUL.md may have the identity (X13).
    fn identity_of_soul(&mut self) {
        let Ok(name) = SafeName::parse(FileKind::Soul.spec().path) else { return };
        let Ok(content) =
            self.sessions.core.contents.read(self.sight, &name, self.sessions.core.clock.as_ref())
        else {
            return;
        };
        let whole = String::from_utf8_lossy(&content.bytes);
        // Masks in SOUL.md are already reported.
        let scope = self.sight.scope();
        let whole = self.sessions.core.masked_for(scope, &name, &whole, &mut Vec::new()).into_owned();
        let text = identity::read(None, Some(&whole)).line();
        if !text.is_empty() {
            let text = self.sessions.core.masked_words(scope, &name, &content.bytes, text, &mut self.masked);
            let heading = title(FileKind::Identity);
            let (kind, file) = (BlockKind::Identity, Arc::clone(&content.bytes));
            self.place(Source { kind, name: Some(name), heading, text, whole, file, sha256: content.sha256 });
        }
    }

    /// Long-term memory, under its existing name: MEMORY.md, `memory.md` of an older OpenClaw, CORE.md of carapace. A
    /// profile with both shows each under its name (X29).
    fn memory(&mut self, kind: BlockKind, view: &PrivateView) {
        let order = &self.sessions.core.profile.order;
        let both = order.contains(&BlockKind::Memory) && order.contains(&BlockKind::Core);
        let names: &[&str] = match (kind, both) {
            (BlockKind::Core, true) => &["memory/CORE.md"],
            (BlockKind::Core, false) => &["memory/CORE.md", "MEMORY.md", "memory.md"],
            (_, true) => &["MEMORY.md", "memory.md"],
            (_, false) => &["MEMORY.md", "memory.md", "memory/CORE.md"],
        };
        let names: Vec<SafeName> = names.iter().filter_map(|name| SafeName::parse(name).ok()).collect();
        let stands = |name: &&SafeName| !matches!(view.stamp(name), Ok(None));
        let Some(name) = names.iter().find(stands).or(names.first()) else { return };
        let title = if name.as_str() == "memory/CORE.md" { "# CORE" } else { "# MEMORY" };
        self.file(kind, name, ModelText::own(title));
    }

    fn private_journals(&mut self, view: &PrivateView) {
        let days = self.sessions.core.profile.journal_days;
        let journals = journals::private(view, &self.listing, self.sessions.core.today(), days);
        self.journals(journals);
    }

    fn room_journals(&mut self, view: &SharedView) {
        match view.scope() {
            Scope::Room(room) if self.sessions.core.profile.room_journals => {
                let days = self.sessions.core.profile.journal_days;
                let journals = journals::of_room(view, &self.listing, room, self.sessions.core.today(), days);
                self.journals(journals);
            }
            _ => self.omit(BlockKind::Journals, None, Reason::NotForScope, None),
        }
    }

    fn journals(&mut self, journals: Vec<journals::Journal>) {
        let mut above = "# RECENT NOTES\n\n";
        for journal in journals {
            let before = self.blocks.len();
            let session =
                journal.day.session.as_ref().map_or_else(String::new, |session| format!(" · {session}"));
            let heading = ModelText::made_of(&[], format!("{above}## {}{session}", journal.day.date));
            self.file(BlockKind::Journals, &journal.name, heading);
            if self.blocks.len() > before {
                above = "";
            }
        }
    }

    fn room(&mut self, view: &SharedView) {
        match view.scope() {
            Scope::Room(room) => {
                if let Ok(name) = SafeName::parse(&format!("rooms/{}.md", room.folder())) {
                    // The creator of the room chose its name.
                    let called = inwit_model::name::shown(room.as_str());
                    let core = &self.sessions.core;
                    let called = core.masked_words(view.scope(), &name, b"", called, &mut self.masked);
                    let heading = ModelText::joined(&[ModelText::own("# ROOM"), called], " ");
                    self.file(BlockKind::Room, &name, heading);
                }
            }
            _ => self.omit(BlockKind::Room, None, Reason::NotForScope, None),
        }
    }

    fn skills(&mut self) {
        let skills = skills::catalogue(self.sessions, self.sight, &self.listing, &mut self.masked);
        if !skills.is_empty() {
            let whole = skills::shown(&skills);
            let (text, shown_chars) = skills::within(&skills, self.sessions.core.profile.max_skills_chars);
            let parts: Vec<&ModelText> =
                skills.iter().flat_map(|skill| [&skill.title, &skill.about]).collect();
            let total_chars = whole.chars().count();
            if shown_chars == 0 {
                return self.omit(
                    BlockKind::Skills,
                    None,
                    Reason::OverSkillsLimit(skills.len()),
                    Some(total_chars),
                );
            }
            let text = ModelText::made_of(&parts, format!("# SKILLS{BLOCK_JOINT}{text}"));
            let chars = [shown_chars, total_chars];
            self.block(BlockKind::Skills, None, Part::Prefix, text, chars, Sha256::of(whole.as_bytes()));
        }
    }
}

/// The heading of a known file.
fn title(file: FileKind) -> ModelText {
    ModelText::made_of(&[], format!("# {}", file.spec().title))
}

/// The line with the date: in the tail, so that the prefix does not change at midnight.
fn day_line(sessions: &Sessions) -> Block {
    let today = sessions.core.today();
    let zone =
        if sessions.core.profile.utc_days { "UTC" } else { sessions.core.zone.iana_name().unwrap_or("UTC") };
    let day = today.strftime("%A, %-d %B %Y");
    let text = ModelText::made_of(&[], format!("Today is {day} ({zone})."));
    let chars = text.chars().count();
    let sha256 = Sha256::of(text.as_bytes());
    Block {
        kind: None,
        source: None,
        part: Part::Tail,
        audience: "shared".to_owned(),
        shown_chars: chars,
        total_chars: chars,
        source_sha256: sha256,
        sha256,
        text,
    }
}
