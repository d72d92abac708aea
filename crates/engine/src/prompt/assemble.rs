//! Putting the blocks together, in the profile's order, within the profile's budgets.

use inwit_model::hash::Sha256;
use inwit_model::ports::Listing;
use inwit_model::profile::{BlockKind, IdentityForm, Inject, Oversize};
use inwit_model::{AgentsMd, Code, FileKind, Profile, SafeName, Scope};
use inwit_workspace::{PrivateView, SharedView, Sight, View, identity};

use super::block::{Block, Omission, Part, Reason};
use super::fit::{self, Fitted};
use super::{BLOCK_JOINT, Prompt, journals, skills};
use crate::notice::left_out;
use crate::{Agent, EngineError, Notice};

/// Assembles the prompt of `agent` for `scope`.
pub fn assemble(agent: &Agent, scope: &Scope) -> Result<Prompt, EngineError> {
    let view = agent.view(scope);
    let listing = view.list()?;
    let mut draft = Draft {
        agent,
        sight: &view,
        listing,
        left: agent.profile.max_total_chars,
        blocks: Vec::new(),
        omitted: Vec::new(),
    };
    for kind in &agent.profile.order {
        draft.add(*kind, &view);
        draft.host_behind(*kind);
    }
    draft.host_last();
    draft.blocks.push(day_line(agent));
    // A stable sort: within a part the profile's order holds.
    draft.blocks.sort_by_key(|block| block.part);
    let Draft { blocks, omitted, listing, .. } = draft;
    Ok(Prompt {
        scope: scope.clone(),
        profile: agent.profile.name.clone(),
        notices: [notices(&agent.profile, &blocks, &omitted), left_out(&[], &listing.skipped)].concat(),
        blocks,
        omitted,
        budget_chars: agent.profile.max_total_chars,
        token_budget: agent.profile.token_budget,
    })
}

/// A prompt in the making.
struct Draft<'a> {
    agent: &'a Agent,
    sight: &'a dyn Sight,
    listing: Listing,
    /// Characters that are left of the total.
    left: usize,
    blocks: Vec<Block>,
    omitted: Vec<Omission>,
}

/// A text on its way to a block.
struct Source {
    kind: BlockKind,
    name: Option<SafeName>,
    /// What stands above the text.
    heading: String,
    text: String,
    /// The text as it stands in the file, for the line at which a cut goes on.
    whole: String,
    sha256: Sha256,
}

impl Draft<'_> {
    fn add(&mut self, kind: BlockKind, view: &View) {
        match (kind, view) {
            (BlockKind::Memory | BlockKind::Core, View::Private(private)) => self.memory(kind, private),
            (BlockKind::Journals, View::Private(private)) => self.private_journals(private),
            (BlockKind::Journals, View::Shared(shared)) => self.room_journals(shared),
            (BlockKind::Room, View::Shared(shared)) => self.room(shared),
            (BlockKind::Skills, View::Private(_) | View::Shared(_)) => self.skills(),
            (kind, _) => match kind.file() {
                Some(file) if file.visible_to(self.sight.scope()) => self.known(kind, file),
                // A private prompt has no room: nothing was left out.
                None if matches!(view, View::Private(_)) => {}
                _ => self.omit(kind, None, Reason::NotForScope, None),
            },
        }
    }

    /// The host's words stand in for a file that gave no block, and its instructions go behind AGENTS.md
    /// where the setting says so (X24, R65).
    fn host_behind(&mut self, kind: BlockKind) {
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
    fn host_last(&mut self) {
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
        self.place(Source { kind, name: None, heading: heading.to_owned(), text, whole, sha256 });
    }

    fn known(&mut self, kind: BlockKind, file: FileKind) {
        if let Ok(name) = SafeName::parse(file.spec().path) {
            self.file(kind, &name, format!("# {}", file.spec().title));
        }
    }

    /// What is worth keeping, under the name that is there: MEMORY.md, the `memory.md` of an older OpenClaw
    /// (openclaw.md §1.2), CORE.md of carapace. A profile that shows both names shows each under its own (X29).
    fn memory(&mut self, kind: BlockKind, view: &PrivateView) {
        let order = &self.agent.profile.order;
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
        self.file(kind, name, title.into());
    }

    fn private_journals(&mut self, view: &PrivateView) {
        let days = self.agent.profile.journal_days;
        let journals = journals::private(view, &self.listing, self.agent.today(), days);
        self.journals(journals);
    }

    fn room_journals(&mut self, view: &SharedView) {
        match view.scope() {
            Scope::Room(room) if self.agent.profile.room_journals => {
                let days = self.agent.profile.journal_days;
                let journals = journals::of_room(view, &self.listing, room, self.agent.today(), days);
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
            self.file(BlockKind::Journals, &journal.name, format!("{above}## {}{session}", journal.day.date));
            if self.blocks.len() > before {
                above = "";
            }
        }
    }

    fn room(&mut self, view: &SharedView) {
        match view.scope() {
            Scope::Room(room) => {
                if let Ok(name) = SafeName::parse(&format!("rooms/{}.md", room.folder())) {
                    self.file(BlockKind::Room, &name, format!("# ROOM {room}"));
                }
            }
            _ => self.omit(BlockKind::Room, None, Reason::NotForScope, None),
        }
    }

    fn skills(&mut self) {
        let skills = skills::catalogue(self.sight, &self.listing);
        if !skills.is_empty() {
            let text = skills::shown(&skills);
            let sha256 = Sha256::of(text.as_bytes());
            let whole = text.clone();
            self.place(Source {
                kind: BlockKind::Skills,
                name: None,
                heading: "# SKILLS".into(),
                text,
                whole,
                sha256,
            });
        }
    }

    /// Reads a file and places it.
    fn file(&mut self, kind: BlockKind, name: &SafeName, heading: String) {
        let content = match self.sight.read(name) {
            Ok(content) => content,
            Err(error) if error.code == Code::FileMissing => {
                // A first conversation that was had is gone for good; other seeds are missed.
                let seeded = self.agent.profile.seeds.iter().any(|seed| seed == name.as_str());
                if seeded && kind != BlockKind::Bootstrap {
                    self.omit(kind, Some(name), Reason::Missing, None);
                }
                return;
            }
            Err(error) => return self.omit(kind, Some(name), Reason::Unreadable(error.message), None),
        };
        let profile = &self.agent.profile;
        if profile.oversize == Oversize::SkipWithWarning
            && content.bytes.len() as u64 > profile.max_file_bytes
        {
            let chars = String::from_utf8_lossy(&content.bytes).chars().count();
            return self.omit(kind, Some(name), Reason::OverFileLimit, Some(chars));
        }
        let Some(text) = readable_text(&content.bytes) else {
            return self.omit(kind, Some(name), Reason::NotText, None);
        };
        let whole = text;
        let Some(text) = self.content(kind, &whole) else {
            return self.omit(kind, Some(name), Reason::Empty, None);
        };
        self.place(Source { kind, name: Some(name.clone()), heading, text, whole, sha256: content.sha256 });
    }

    /// What of a file is for the model: everything of SOUL.md (N8); elsewhere without the comments
    /// that machines leave for each other (openclaw.md §6.2). `None` when nothing is left.
    fn content(&self, kind: BlockKind, text: &str) -> Option<String> {
        let text = match kind {
            BlockKind::Identity if self.agent.profile.identity == IdentityForm::Line => {
                identity::read(Some(text), None).line()
            }
            BlockKind::Soul | BlockKind::Agents | BlockKind::Identity => text.to_owned(),
            _ => inwit_markdown::shown(text).into_owned(),
        };
        let text = text.trim_end().trim_start_matches(['\n', '\r']);
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// Brings a text into the budgets and makes it a block.
    fn place(&mut self, source: Source) {
        let profile = &self.agent.profile;
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
        let fitted = if whole_or_nothing {
            None
        } else {
            fit::fit(&source.text, &source.whole, name, budget, profile.marker)
        };
        let Some(Fitted { text, shown_chars, total_chars }) = fitted else {
            return self.omit(source.kind, source.name.as_ref(), Reason::OverTotalLimit, Some(total_chars));
        };
        let text = format!("{}{BLOCK_JOINT}{text}", source.heading);
        self.left = self.left.saturating_sub(text.chars().count() + BLOCK_JOINT.len());
        let part = self.part(source.kind);
        let sha256 = Sha256::of(text.as_bytes());
        self.blocks.push(Block {
            kind: Some(source.kind),
            source: source.name,
            part,
            audience: audience(source.kind, self.sight.scope()),
            text,
            shown_chars,
            total_chars,
            source_sha256: source.sha256,
            sha256,
        });
    }

    fn part(&self, kind: BlockKind) -> Part {
        match kind {
            BlockKind::Bootstrap => Part::Tail,
            BlockKind::Memory | BlockKind::Core | BlockKind::Journals | BlockKind::Room
                if self.agent.profile.inject == Inject::UserPrefix =>
            {
                Part::UserPrefix
            }
            _ => Part::Prefix,
        }
    }

    fn omit(&mut self, kind: BlockKind, source: Option<&SafeName>, reason: Reason, chars: Option<usize>) {
        let named =
            source.cloned().or_else(|| kind.file().and_then(|file| SafeName::parse(file.spec().path).ok()));
        self.omitted.push(Omission { kind, source: named, reason, chars });
    }
}

/// Who besides the owner is told the same: `shared`, one room, or nobody.
fn audience(kind: BlockKind, scope: &Scope) -> String {
    match (kind, scope) {
        (BlockKind::Skills | BlockKind::Host, _) => "shared".into(),
        (BlockKind::Room | BlockKind::Journals, Scope::Room(_)) => scope.to_string(),
        (kind, _) if kind.file().is_some_and(|file| file.visible_to(&Scope::Shared)) => "shared".into(),
        _ => "private".into(),
    }
}

/// UTF-8 text without its mark at the start; bytes that are none are shown as U+FFFD. `None` for
/// UTF-16, which would be shown as noise.
fn readable_text(bytes: &[u8]) -> Option<String> {
    if inwit_markdown::is_utf16(bytes) {
        return None;
    }
    let bytes = bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(bytes);
    Some(String::from_utf8_lossy(bytes).into_owned())
}

/// The line of the day: in the tail, so that the prefix outlives midnight.
fn day_line(agent: &Agent) -> Block {
    let today = agent.today();
    let zone = if agent.profile.utc_days { "UTC" } else { agent.zone.iana_name().unwrap_or("UTC") };
    let text = format!("Today is {} ({zone}).", today.strftime("%A, %-d %B %Y"));
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

/// A cut is never silent, whatever the reader asked for (D12).
fn notices(profile: &Profile, blocks: &[Block], omitted: &[Omission]) -> Vec<Notice> {
    let cut = blocks.iter().filter(|block| block.is_cut()).filter_map(|block| {
        // The catalogue of skills is made of many files and named by its kind.
        let name = block.source.as_ref().map_or(block.kind?.word(), SafeName::as_str);
        let [shown, total] = [block.shown_chars, block.total_chars].map(fit::grouped);
        Some(format!("{name} ({shown} of {total} characters)"))
    });
    let dropped = omitted
        .iter()
        .filter(|omission| matches!(omission.reason, Reason::OverFileLimit | Reason::OverTotalLimit))
        .map(|omission| {
            let name = omission.source.as_ref().map_or(omission.kind.word(), SafeName::as_str);
            format!("{name} (nothing of it)")
        });
    let named: Vec<String> = cut.chain(dropped).collect();
    let mut notices = Vec::new();
    if !named.is_empty() {
        let [file, total] = [profile.max_file_chars, profile.max_total_chars].map(fit::grouped);
        let message = format!(
            "Not all is shown, the limits being {file} characters a file and {total} in all: {}.",
            named.join(", ")
        );
        let hint =
            "Shorten the file, or raise load.max_file_chars, load.max_total_chars or write.max_file_bytes.";
        notices.push(Notice::new("prompt_cut", message, hint));
    }
    let unread: Vec<String> = omitted.iter().filter_map(unread_sentence).collect();
    if !unread.is_empty() {
        notices.push(Notice::new("prompt_unread", unread.join(" "), "`inwit doctor` says how to mend it."));
    }
    notices
}

fn unread_sentence(omission: &Omission) -> Option<String> {
    let name = omission.source.as_ref().map_or(omission.kind.word(), SafeName::as_str);
    match &omission.reason {
        Reason::Unreadable(why) => Some(why.clone()),
        Reason::NotText => Some(format!("`{name}` is not UTF-8 text, so it is not in the prompt.")),
        _ => None,
    }
}
