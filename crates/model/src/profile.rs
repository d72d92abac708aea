//! How a home behaves: a value, read from a compiled-in TOML table, never code per profile.
//!
//! `workspace/profiles/*.toml` hold the rows; settings may change single values. A key stands here
//! when something obeys it.

use std::collections::BTreeMap;

use crate::change::{FileClass, WriteMode};
use crate::edge::Domain;
use crate::journal::{Cadence, HistoryPlace, Layout};
use crate::words::words;

/// Every value that differs between profiles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// Its name: `personal`, `openclaw`, `minara`, `nexo`, `mindroom`, `carapace`.
    pub name: String,
    /// What it is for, in one sentence.
    pub about: String,
    /// Workspace-relative files that a new workspace is given.
    pub seeds: Vec<String>,
    /// Blocks of a prompt, first to last, for those who may see them (X26).
    pub order: Vec<BlockKind>,
    /// Where memory goes (X27).
    pub inject: Inject,
    /// What happens to a file over its budget when it is loaded (X1).
    pub oversize: Oversize,
    /// The words that mark a cut.
    pub marker: Marker,
    /// Most characters of one file in a prompt (X3, X4).
    pub max_file_chars: usize,
    /// Most characters of USER.md in a prompt.
    pub max_user_chars: usize,
    /// Most characters of all files together in a prompt; the list of skills and the startup notes have budgets of
    /// their own.
    pub max_total_chars: usize,
    /// Most characters of the list of skills in a prompt.
    pub max_skills_chars: usize,
    /// Most characters of daily logs that open the live tail of a new session; 0: none do.
    pub max_startup_chars: usize,
    /// Largest file that is loaded or written, in bytes (X2, X3).
    pub max_file_bytes: u64,
    /// Tokens a prompt should stay below: reported, never a reason to cut (R69). 0: no such aim.
    pub token_budget: usize,
    /// By what passages are recalled for a question that comes with a prompt (R24, R33).
    pub recalled: Recalling,
    /// Most characters of those passages in a prompt, their fence included.
    pub max_recalled_chars: usize,
    /// How many days of daily logs a prompt holds, today included.
    pub journal_days: u32,
    /// Whether BOOTSTRAP.md counts as done once the workspace is set up, as OpenClaw decides it; else the agent ends it.
    pub bootstrap_until_set_up: bool,
    /// Whether a room's own daily logs are in its prompt.
    pub room_journals: bool,
    /// Whether file names follow UTC instead of the agent's time zone (X22).
    pub utc_days: bool,
    /// How IDENTITY.md is shown.
    pub identity: IdentityForm,
    /// Whether the prefix is kept for a session or read anew each turn (X28).
    pub snapshot: Snapshot,
    /// Whether turns go into a daily log (W75).
    pub journal: bool,
    /// Which file a daily log is (X19).
    pub journal_layout: Layout,
    /// When turns go into it (X20).
    pub journal_cadence: Cadence,
    /// Days after which a daily log leaves the workspace; 0: never (X59, R32).
    pub journal_retention_days: u32,
    /// Whether HEARTBEAT.md is rewritten at the end of a turn (W75).
    pub heartbeat: bool,
    /// What facts are mostly about (X36).
    pub domain: Domain,
    /// Days for which a forgotten fact can be restored.
    pub facts_retention_days: u32,
    /// Where history lies (D8).
    pub history: HistoryPlace,
    /// What an agent's write needs, for every ward (X37).
    pub write: BTreeMap<FileClass, WriteMode>,
}

words! {
    /// One kind of prompt block.
    BlockKind {
        /// SOUL.md.
        Soul = "soul",
        /// AGENTS.md.
        Agents = "agents",
        /// IDENTITY.md.
        Identity = "identity",
        /// USER.md.
        User = "user",
        /// MEMORY.md, or what stands in for it.
        Memory = "memory",
        /// memory/CORE.md.
        Core = "core",
        /// TOOLS.md.
        Tools = "tools",
        /// HEARTBEAT.md.
        Heartbeat = "heartbeat",
        /// What is kept as rows: the user's profile and the latest facts.
        Facts = "facts",
        /// The daily logs of the last days: private ones in private, the room's own in a room. Part of the prefix where the
        /// profile's order names them, else the startup notes of a new session.
        Journals = "journals",
        /// The room's own file.
        Room = "room",
        /// Names and descriptions of the skills.
        Skills = "skills",
        /// BOOTSTRAP.md while it exists; always in the live tail.
        Bootstrap = "bootstrap",
        /// What the host says in its settings; never in an order, it has its own rule (`model::host`).
        Host = "host",
        /// Passages about a question that came with the prompt; never in an order, it is the last that changes.
        Recalled = "recalled",
    }
}

words! {
    /// By what passages are recalled for a question.
    Recalling {
        /// By words, and by meaning where a model is configured.
        Words = "words",
        /// Only where a model of meaning is configured.
        Meaning = "meaning",
    }
}

words! {
    /// Where memory blocks go.
    Inject {
        /// Into the system prompt.
        SystemSnapshot = "system_snapshot",
        /// Before the user's message.
        UserPrefix = "user_prefix",
    }
}

words! {
    /// What happens to a file that is over its budget when it is loaded.
    Oversize {
        /// Its head is kept, and a marker says how much is shown.
        TruncateHeadKeep = "truncate_head_keep",
        /// Its head and its tail are kept as OpenClaw does, and a marker says which lines are missing.
        TruncateMiddle = "truncate_middle",
        /// It is left out, and the report says so.
        SkipWithWarning = "skip_with_warning",
    }
}

words! {
    /// The words of a cut.
    Marker {
        /// States what is shown of how much, and where the rest is.
        Full = "full",
        /// nexo's literal `[truncated]` (N13).
        Nexo = "nexo",
    }
}

words! {
    /// How IDENTITY.md is shown.
    IdentityForm {
        /// As it was written.
        Verbatim = "verbatim",
        /// As one line: `name=Kate, emoji=🐙, vibe=warm but sharp` (N7).
        Line = "line",
    }
}

words! {
    /// Whether the prefix moves within a session.
    Snapshot {
        /// Assembled once per session.
        Frozen = "frozen",
        /// Read anew each turn.
        Live = "live",
    }
}

impl BlockKind {
    /// The known file behind this block, where there is exactly one.
    pub fn file(self) -> Option<crate::FileKind> {
        use crate::FileKind;
        Some(match self {
            Self::Soul => FileKind::Soul,
            Self::Agents => FileKind::Agents,
            Self::Identity => FileKind::Identity,
            Self::User => FileKind::User,
            Self::Memory => FileKind::Memory,
            Self::Core => FileKind::Core,
            Self::Tools => FileKind::Tools,
            Self::Heartbeat => FileKind::Heartbeat,
            Self::Bootstrap => FileKind::Bootstrap,
            Self::Facts | Self::Journals | Self::Room | Self::Skills | Self::Host | Self::Recalled => {
                return None;
            }
        })
    }
}
