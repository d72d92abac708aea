//! Which names may be read and made: the allow-list of X8 over [`Place`], which reads a name once.
//!
//! Reading is open to all Markdown the owner keeps; making is narrower, because a new file in a
//! place that other tools obey (`CLAUDE.md`, a skill) would be an instruction. Invariant: what may
//! be made may be read.

use inwit_model::{Code, Place, Profile, SafeName};

/// Lets a face address a file by name. Errors: `name_refused` for what is not Markdown, for a date
/// no calendar has, for a known file in another spelling, and inside folders that tools fill.
pub fn readable(name: &SafeName) -> Result<Place, Refusal> {
    match Place::of(name) {
        None => Err(Refusal::name(name, "it is no Markdown file that inwit knows")),
        Some(Place::Foreign) => Err(Refusal::name(name, "its folder belongs to a tool")),
        Some(place) => Ok(place),
    }
}

/// Lets a new file of `bytes_len` bytes be made. Errors: `name_refused` outside the places where
/// files are kept, `file_too_large` above the profile's cap; an oversized file is refused whole.
pub fn creatable(name: &SafeName, bytes_len: u64, profile: &Profile) -> Result<(), Refusal> {
    match readable(name)? {
        Place::LegacyMemory => return Err(Refusal::name(name, "MEMORY.md stands in its place")),
        Place::Report | Place::Skill { .. } | Place::Loose => {
            return Err(Refusal::name(name, "new files go to the root files, memory, rooms and notes"));
        }
        _ => {}
    }
    if bytes_len > profile.max_file_bytes {
        return Err(Refusal {
            code: Code::FileTooLarge,
            message: format!(
                "`{name}` would have {bytes_len} bytes; at most {} are kept.",
                profile.max_file_bytes
            ),
        });
    }
    Ok(())
}

/// Why something may not pass.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// What kind of refusal it is.
    pub code: Code,
    /// One sentence that names the file and the rule.
    pub message: String,
}

impl Refusal {
    fn name(name: &SafeName, reason: &str) -> Self {
        Self { code: Code::NameRefused, message: format!("the name `{name}` is refused: {reason}.") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{name, profile};

    /// Proves X8.
    #[test]
    fn every_file_of_the_allow_list_may_be_addressed() {
        for row in inwit_model::FILES {
            assert!(readable(&name(row.path)).is_ok(), "{}", row.path);
        }
        for shown in [
            "memory.md",
            "memory/2026-11-21.md",
            "memory/topics/bread.md",
            "memory/dreaming/deep/2026-11-21.md",
            "rooms/kitchen.md",
            "notes/plan.md",
            "skills/bread/SKILL.md",
            "standing-orders.md",
            "users/ana/USER.md",
        ] {
            assert!(readable(&name(shown)).is_ok(), "{shown}");
        }
        for refused in [
            "Soul.md",
            "Memory.MD",
            "MEMORY.txt",
            "memory/2026-02-30.md",
            "memory/events.jsonl",
            "skills/bread/notes.md",
            "skills/x/node_modules/readme.md",
            "canvas/x.md",
            "BOOTSTRAP.md.done.1",
        ] {
            assert_eq!(
                readable(&name(refused)).map_err(|refusal| refusal.code),
                Err(Code::NameRefused),
                "{refused}"
            );
        }
    }

    #[test]
    fn what_other_tools_would_obey_is_not_made() {
        for made in
            ["SOUL.md", "memory/CORE.md", "memory/2026-11-21-a1.md", "rooms/kitchen.md", "notes/plan.md"]
        {
            assert_eq!(creatable(&name(made), 10, &profile(10)), Ok(()), "{made}");
        }
        for refused in
            ["CLAUDE.md", "memory.md", "skills/bread/SKILL.md", "memory/dreaming/deep/x.md", "soul.md"]
        {
            let verdict = creatable(&name(refused), 10, &profile(10)).map_err(|refusal| refusal.code);
            assert_eq!(verdict, Err(Code::NameRefused), "{refused}");
        }
    }

    /// Proves R62, X2.
    #[test]
    fn one_byte_over_the_cap_refuses_the_whole_file() {
        assert_eq!(creatable(&name("MEMORY.md"), 16_384, &profile(16_384)), Ok(()));
        let refusal = creatable(&name("MEMORY.md"), 16_385, &profile(16_384)).expect_err("refused");
        assert_eq!(refusal.code, Code::FileTooLarge);
        assert_eq!(refusal.message, "`MEMORY.md` would have 16385 bytes; at most 16384 are kept.");
    }
}
