//! The behaviour of a home as data, read from a compiled-in TOML table; there is no code per profile.
//!
//! `workspace/profiles/*.toml` hold the rows; settings may override single values. Every key is used by code.

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
    /// Its purpose, in one sentence.
    pub about: String,
    /// Workspace-relative files that a new workspace starts with.
    pub seeds: Vec<String>,
    /// Prompt blocks in order; a scope gets those that it may see (X26).
    pub order: Vec<BlockKind>,
    /// Where memory is inserted (X27).
    pub inject: Inject,
    /// What happens to a file over its budget when it is loaded (X1).
    pub oversize: Oversize,
    /// The marker for cut text.
    pub marker: Marker,
    /// Most characters of one file in a prompt (X3, X4).
    pub max_file_chars: usize,
    /// Most characters of USER.md in a prompt.
    pub max_user_chars: usize,
    /// Most characters of all files together in a prompt; the list of skills and the startup notes have separate
    /// budgets.
    pub max_total_chars: usize,
    /// Most characters of the list of skills in a prompt.
    pub max_skills_chars: usize,
    /// Most characters of daily logs at the start of the live tail of a new session; 0 includes none.
    pub max_startup_chars: usize,
    /// Largest file that is loaded or written, in bytes (X2, X3).
    pub max_file_bytes: u64,
    /// Token target of a prompt: reported, never a reason to cut (R69). 0: no target.
    pub token_budget: usize,
    /// How passages are recalled for a question that comes with a prompt (R24, R33).
    pub recalled: Recalling,
    /// Most characters of those passages in a prompt, their fence included.
    pub max_recalled_chars: usize,
    /// Number of days of daily logs in a prompt, today included.
    pub journal_days: u32,
    /// Whether BOOTSTRAP.md is done once the workspace is set up, as in OpenClaw; otherwise the agent ends it.
    pub bootstrap_until_set_up: bool,
    /// Whether a room's own daily logs are in its prompt.
    pub room_journals: bool,
    /// Whether file names follow UTC instead of the agent's time zone (X22).
    pub utc_days: bool,
    /// How IDENTITY.md is shown.
    pub identity: IdentityForm,
    /// Whether the prefix is fixed for a session or rebuilt each turn (X28).
    pub snapshot: Snapshot,
    /// Whether turns are written to a daily log (W75).
    pub journal: bool,
    /// The naming scheme of daily logs (X19).
    pub journal_layout: Layout,
    /// When turns are written to it (X20).
    pub journal_cadence: Cadence,
    /// Days after which a daily log is moved out of the workspace; 0: never (X59, R32).
    pub journal_retention_days: u32,
    /// Whether HEARTBEAT.md is rewritten at the end of a turn (W75).
    pub heartbeat: bool,
    /// Subject area of most facts (X36).
    pub domain: Domain,
    /// Days for which a forgotten fact can be restored.
    pub facts_retention_days: u32,
    /// Where the history is stored (D8).
    pub history: HistoryPlace,
    /// The write mode of each file category (X37).
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
        /// MEMORY.md, or its legacy equivalent.
        Memory = "memory",
        /// memory/CORE.md.
        Core = "core",
        /// TOOLS.md.
        Tools = "tools",
        /// HEARTBEAT.md.
        Heartbeat = "heartbeat",
        /// Rows of `memory.db`: the user profile and the latest facts.
        Facts = "facts",
        /// The daily logs of the last days: private ones in private, the room's own in a room. In the prefix if the
        /// profile's order lists them, else in the startup notes of a new session.
        Journals = "journals",
        /// The room's page.
        Room = "room",
        /// Names and descriptions of the skills.
        Skills = "skills",
        /// BOOTSTRAP.md while it exists; always in the live tail.
        Bootstrap = "bootstrap",
        /// The host's own text from its settings; never in an order, see `model::host`.
        Host = "host",
        /// Passages for a question that came with the prompt; never in an order, always last.
        Recalled = "recalled",
    }
}

words! {
    /// How passages are recalled for a question.
    Recalling {
        /// By words, and by embeddings where a model is configured.
        Words = "words",
        /// Only where an embedding model is configured.
        Meaning = "meaning",
    }
}

words! {
    /// Where memory blocks are inserted.
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
        /// Keeps the head; a marker says how much is shown.
        TruncateHeadKeep = "truncate_head_keep",
        /// Keeps the head and the tail, as OpenClaw does; a marker names the missing lines.
        TruncateMiddle = "truncate_middle",
        /// Leaves the file out and reports it.
        SkipWithWarning = "skip_with_warning",
    }
}

words! {
    /// The text of a marker for cut text.
    Marker {
        /// States how much is shown of how much, and where the rest is.
        Full = "full",
        /// nexo's literal `[truncated]` (N13).
        Nexo = "nexo",
    }
}

words! {
    /// How IDENTITY.md is shown.
    IdentityForm {
        /// Unchanged.
        Verbatim = "verbatim",
        /// As one line: `name=Kate, emoji=🐙, vibe=warm but sharp` (N7).
        Line = "line",
    }
}

words! {
    /// Whether the prefix may change within a session.
    Snapshot {
        /// Assembled once per session.
        Frozen = "frozen",
        /// Rebuilt each turn.
        Live = "live",
    }
}

impl BlockKind {
    /// The known file of this block, if there is exactly one.
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
