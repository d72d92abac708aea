//! What an agent can tell about itself: who it is, what it knows, what it counts, what was said.
//!
//! Each answer is small enough for one turn of a model, and is made of what the asking scope may see and
//! of nothing else. None of it is ever placed in a prompt: a transcript is read back through its tool
//! alone (X54). Invariant: a question in a shared scope opens no private file and asks no count of private
//! rows, so its answer cannot depend on them (T07).
//! Reading order: [`who`], [`knowledge`], [`stats`], [`session_logs`].

pub mod knowledge;
pub mod session_logs;
pub mod stats;
pub mod who;

mod follow;
mod scan;

pub use knowledge::{Knowledge, KnownSection};
pub use session_logs::SessionLogs;
pub use stats::{MyStats, Stats};
pub use who::{Whereabouts, WhoAmI};

/// One tool of an agent that tells about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolSpec {
    /// Its name.
    pub name: &'static str,
    /// What it gives.
    pub about: &'static str,
    /// Whether it is there only where transcripts are kept (N25).
    pub needs_transcripts: bool,
}

/// The tools of this module.
pub const TOOLS: &[ToolSpec] = &[
    ToolSpec {
        name: "who_am_i",
        about: "Who I am: id, model, folder, identity, the beginning of my soul.",
        needs_transcripts: false,
    },
    ToolSpec {
        name: "what_do_i_know",
        about: "The sections of my long-term memory with their first bullets.",
        needs_transcripts: false,
    },
    ToolSpec {
        name: "my_stats",
        about: "How many sessions, memories and recalls there are, and which files.",
        needs_transcripts: false,
    },
    ToolSpec {
        name: "session_logs",
        about: "What was said: list_sessions, read_session, search, recent.",
        needs_transcripts: true,
    },
];

/// The tools that are offered: all that `allowed` names, or all where it names none; `session_logs` only
/// where transcripts are kept (N25, N27).
pub fn offered(keeps_transcripts: bool, allowed: Option<&[&str]>) -> Vec<&'static ToolSpec> {
    let is_allowed = |row: &&ToolSpec| allowed.is_none_or(|allowed| allowed.contains(&row.name));
    TOOLS.iter().filter(|row| keeps_transcripts || !row.needs_transcripts).filter(is_allowed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(keeps_transcripts: bool, allowed: Option<&[&str]>) -> Vec<&'static str> {
        offered(keeps_transcripts, allowed).into_iter().map(|row| row.name).collect()
    }

    /// Proves N25, N27.
    #[test]
    fn session_logs_is_offered_where_transcripts_are_kept_and_allowed() {
        assert_eq!(names(true, None), ["who_am_i", "what_do_i_know", "my_stats", "session_logs"]);
        assert_eq!(names(false, None), ["who_am_i", "what_do_i_know", "my_stats"]);
        assert_eq!(names(true, Some(&["my_stats"])), ["my_stats"]);
        assert_eq!(names(true, Some(&["session_logs", "other"])), ["session_logs"]);
        assert!(names(false, Some(&["session_logs"])).is_empty());
        assert!(names(true, Some(&[])).is_empty());
    }
}
