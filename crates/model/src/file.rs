//! The table of known workspace files.
//!
//! Seeding, visibility, prompt blocks, `doctor`, `status` and `docs/reference/files.md` read this table. To add a
//! file, add a row.

use crate::Scope;

/// Names one row of [`FILES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the row's `holds` says it")]
pub enum FileKind {
    Soul,
    Agents,
    Identity,
    User,
    Memory,
    Core,
    Tools,
    Heartbeat,
    Bootstrap,
    Dreams,
}

/// One file of a workspace.
#[derive(Debug)]
pub struct FileSpec {
    /// Which file.
    pub kind: FileKind,
    /// Its path from the workspace's root; exact case.
    pub path: &'static str,
    /// The heading of its block in a prompt.
    pub title: &'static str,
    /// Its content and who writes it, for people.
    pub holds: &'static str,
    /// Who may see it.
    pub audience: Audience,
    /// Whether it is searched.
    pub indexed: bool,
    /// The requirement it comes from.
    pub source: &'static str,
}

/// The scopes, besides main, that see a file (D3). Main sees everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Audience {
    /// Rooms and unidentified callers.
    pub shared: bool,
    /// Agents that this agent started.
    pub subagent: bool,
    /// Unattended runs: cron, heartbeat.
    pub scheduled: bool,
}

const PRIVATE: Audience = Audience { shared: false, subagent: false, scheduled: false };
const PRIVATE_AND_SCHEDULED: Audience = Audience { scheduled: true, ..PRIVATE };
const SHARED: Audience = Audience { shared: true, scheduled: true, subagent: false };
const EVERYONE: Audience = Audience { shared: true, scheduled: true, subagent: true };

/// The files known by name.
pub const FILES: &[FileSpec] = &[
    FileSpec {
        kind: FileKind::Soul,
        path: "SOUL.md",
        title: "SOUL",
        audience: SHARED,
        indexed: true,
        source: "W6, N8",
        holds: "Who the agent is: voice, values, boundaries. The agent mentions a change to the user once.",
    },
    FileSpec {
        kind: FileKind::Agents,
        path: "AGENTS.md",
        title: "AGENTS",
        audience: EVERYONE,
        indexed: true,
        source: "W7, N15, C13",
        holds: "How the agent works: start-up rules, safety defaults, peers it can delegate to.",
    },
    FileSpec {
        kind: FileKind::Identity,
        path: "IDENTITY.md",
        title: "IDENTITY",
        audience: SHARED,
        indexed: true,
        source: "W8, N4",
        holds: "Name, creature, vibe, emoji and avatar, as a list of labels.",
    },
    FileSpec {
        kind: FileKind::User,
        path: "USER.md",
        title: "USER",
        audience: PRIVATE_AND_SCHEDULED,
        indexed: true,
        source: "W9, N14, C15",
        holds: "Whom the agent serves: name, time zone, focus, directives. Private.",
    },
    FileSpec {
        kind: FileKind::Memory,
        path: "MEMORY.md",
        title: "MEMORY",
        audience: PRIVATE,
        indexed: true,
        source: "W10, N9, N11",
        holds: "Long-term memory: facts, preferences, decisions. Private.",
    },
    FileSpec {
        kind: FileKind::Core,
        path: "memory/CORE.md",
        title: "CORE",
        audience: PRIVATE,
        indexed: true,
        source: "C2, X29",
        holds: "The same as MEMORY.md under the name that profile carapace uses. Private.",
    },
    FileSpec {
        kind: FileKind::Tools,
        path: "TOOLS.md",
        title: "TOOLS",
        audience: PRIVATE,
        indexed: true,
        source: "W12, C16",
        holds: "Notes on this environment: hosts, devices, endpoints. Written by people. Private.",
    },
    FileSpec {
        kind: FileKind::Heartbeat,
        path: "HEARTBEAT.md",
        title: "HEARTBEAT",
        audience: PRIVATE_AND_SCHEDULED,
        indexed: true,
        source: "W13, C17, X16",
        holds: "Memo between sessions: state and open loops (by inwit), schedule (by people).",
    },
    FileSpec {
        kind: FileKind::Bootstrap,
        path: "BOOTSTRAP.md",
        title: "BOOTSTRAP",
        audience: PRIVATE,
        indexed: false,
        source: "W11, W69",
        holds: "First-run setup, until the first conversation is finished.",
    },
    FileSpec {
        kind: FileKind::Dreams,
        path: "DREAMS.md",
        title: "DREAMS",
        audience: PRIVATE,
        indexed: false,
        source: "N10, X18",
        holds: "The diary of dreaming. Never in a prompt, never searched, never promoted from.",
    },
];

impl FileKind {
    /// The row of this file.
    pub fn spec(self) -> &'static FileSpec {
        &FILES[self as usize]
    }

    /// The known file at exactly this path.
    pub fn at(path: &str) -> Option<Self> {
        FILES.iter().find(|row| row.path == path).map(|row| row.kind)
    }

    /// Whether `scope` may see this file, in any profile.
    pub fn visible_to(self, scope: &Scope) -> bool {
        let audience = self.spec().audience;
        match scope {
            Scope::Main => true,
            Scope::Room(_) | Scope::Shared => audience.shared,
            Scope::Subagent => audience.subagent,
            Scope::Scheduled => audience.scheduled,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_finds_its_own_row() {
        for row in FILES {
            assert_eq!(row.kind.spec().path, row.path);
            assert_eq!(FileKind::at(row.path), Some(row.kind));
        }
        assert_eq!(FileKind::at("memory.md"), None, "names are exact");
    }

    /// Proves I1.
    #[test]
    fn a_shared_scope_sees_three_files_by_name() {
        let visible = |scope: &Scope| {
            FILES.iter().filter(|row| row.kind.visible_to(scope)).map(|row| row.path).collect::<Vec<_>>()
        };
        assert_eq!(visible(&Scope::Shared), ["SOUL.md", "AGENTS.md", "IDENTITY.md"]);
        assert_eq!(visible(&Scope::Subagent), ["AGENTS.md"]);
        assert_eq!(
            visible(&Scope::Scheduled),
            ["SOUL.md", "AGENTS.md", "IDENTITY.md", "USER.md", "HEARTBEAT.md"]
        );
        assert_eq!(visible(&Scope::Main).len(), FILES.len());
    }
}
