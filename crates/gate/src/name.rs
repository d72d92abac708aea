//! Which names may be read: the allow-list of X8, based on [`Place`].
//!
//! All of the owner's Markdown may be read. Writing is narrower and decided by the policy ([`crate::ward_of`]): a new
//! file where other tools read instructions (`CLAUDE.md`, a skill) would be an instruction.

use inwit_model::limit::WORKSPACE_DEPTH_MAX;
use inwit_model::{Code, Place, SafeName};

/// Validates a name that an interface addresses. Error: `name_refused` for other than text files, and inside folders
/// of tools.
pub fn readable(name: &SafeName) -> Result<Place, Refusal> {
    match Place::of(name) {
        None => Err(Refusal::name(name, "it is not a Markdown file that inwit supports")),
        Some(Place::Foreign) => Err(Refusal::name(name, "its folder belongs to a tool")),
        Some(place) => Ok(place),
    }
}

/// Checks that a new file is within the depth that is listed: no search and no erasure would find a deeper one. Error:
/// `name_refused`.
pub(crate) fn within_depth(name: &SafeName) -> Result<(), Refusal> {
    if name.parts().count() <= WORKSPACE_DEPTH_MAX + 1 {
        return Ok(());
    }
    let reason = format!("it is more than {WORKSPACE_DEPTH_MAX} folders deep, where nothing is searched");
    Err(Refusal::name(name, &reason))
}

/// Why something is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The kind of refusal.
    pub code: Code,
    /// One sentence that names the file and the rule.
    pub message: String,
}

impl Refusal {
    pub(crate) fn name(name: &SafeName, reason: &str) -> Self {
        Self { code: Code::NameRefused, message: format!("the name `{name}` is refused: {reason}.") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::name;

    /// Proves X8.
    #[test]
    fn every_file_of_the_allow_list_may_be_addressed() {
        for row in inwit_model::FILES {
            assert!(readable(&name(row.path)).is_ok(), "{}", row.path);
        }
        for shown in [
            "memory.md", "memory/2026-11-21.md", "memory/topics/bread.md",
            "memory/dreaming/deep/2026-11-21.md", "rooms/kitchen.md", "notes/plan.md",
            "skills/bread/SKILL.md", "standing-orders.md", "users/ana/USER.md", "memory/core.md", "Soul.md",
            "Memory.MD", "MEMORY.txt", "memory/2026-02-30.md", "notes/Q&A.md", "what?.markdown",
        ] {
            assert!(readable(&name(shown)).is_ok(), "{shown}");
        }
        for refused in [
            "memory/events.jsonl", "skills/bread/notes.md", "skills/x/node_modules/readme.md", "canvas/x.md",
            "BOOTSTRAP.md.done.1",
        ] {
            assert_eq!(
                readable(&name(refused)).map_err(|refusal| refusal.code),
                Err(Code::NameRefused),
                "{refused}"
            );
        }
    }
}
