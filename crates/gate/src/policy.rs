//! Who may write which file: the table of a profile, tightened by its owner (X37).
//!
//! Each [`FileClass`] has a row; a name outside all categories may not be written. Invariant: settings only make a
//! policy stricter.

use std::collections::BTreeMap;

use inwit_model::{Code, Domain, FileClass, FileKind, Place, Profile, SafeName, WriteMode};

use crate::name::{Refusal, readable};
use crate::rules::Rule;

/// The policy of one agent's home.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    rows: BTreeMap<FileClass, WriteMode>,
    rules: Vec<Rule>,
    file_bytes_max: u64,
    domain: Domain,
}

impl Policy {
    /// The policy of `profile`, with stricter rows of `tighter`.
    pub fn of(profile: &Profile, tighter: &BTreeMap<FileClass, WriteMode>) -> Self {
        let mut rows = profile.write.clone();
        for (ward, rule) in tighter {
            let known = rows.entry(*ward).or_insert(*rule);
            *known = (*known).max(*rule);
        }
        let (file_bytes_max, domain) = (profile.max_file_bytes, profile.domain);
        Self { rows, rules: Vec::new(), file_bytes_max, domain }
    }

    /// The policy of a home without a profile: only the owner writes rows, and no file is created or grows.
    pub fn closed() -> Self {
        Self { rows: BTreeMap::new(), rules: Vec::new(), file_bytes_max: 0, domain: Domain::General }
    }

    /// The same with the owner's rules, which make it stricter (X40).
    pub fn with_rules(mut self, rules: &[Rule]) -> Self {
        self.rules.extend_from_slice(rules);
        self
    }

    /// The same during first-run setup: the agent may write USER.md (X37), unless it is human-only.
    pub fn bootstrapping(mut self) -> Self {
        if self.rule(FileClass::User) == WriteMode::Approve {
            self.rows.insert(FileClass::User, WriteMode::Direct);
        }
        self
    }

    /// The write mode of `ward` for agents. A category without a row is human-only.
    pub fn rule(&self, ward: FileClass) -> WriteMode {
        self.rows.get(&ward).copied().unwrap_or(WriteMode::HumanOnly)
    }

    /// The owner's own rules.
    pub(crate) fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Subject area of facts.
    pub(crate) fn domain(&self) -> Domain {
        self.domain
    }

    /// Largest file that is written, in bytes; a larger existing file may be shrunk.
    pub fn file_bytes_max(&self) -> u64 {
        self.file_bytes_max
    }
}

/// Who owns a name in the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Territory {
    /// A row of the policy.
    FileClass(FileClass),
    /// DREAMS.md: dream passes write it.
    Diary,
    /// BOOTSTRAP.md: instructions, so only the owner writes it; inwit archives it when it is done.
    Bootstrap,
}

/// The policy row of a name, `None` for files of the engine. Errors: as [`readable`], and `name_refused` where
/// nothing may be written.
pub fn ward_of(name: &SafeName) -> Result<Option<FileClass>, Refusal> {
    match territory(name)? {
        Territory::FileClass(ward) => Ok(Some(ward)),
        Territory::Diary | Territory::Bootstrap => Ok(None),
    }
}

/// The territory of a name. Error: `name_refused`.
pub(crate) fn territory(name: &SafeName) -> Result<Territory, Refusal> {
    let ward = match readable(name)? {
        Place::File(kind) => match kind {
            FileKind::Soul => FileClass::Soul,
            FileKind::Agents => FileClass::Agents,
            FileKind::Identity => FileClass::Identity,
            FileKind::User => FileClass::User,
            FileKind::Memory => FileClass::Memory,
            FileKind::Core => FileClass::Core,
            FileKind::Tools => FileClass::Tools,
            FileKind::Heartbeat => FileClass::Heartbeat,
            FileKind::Dreams => return Ok(Territory::Diary),
            FileKind::Bootstrap => return Ok(Territory::Bootstrap),
        },
        Place::LegacyMemory | Place::Memory => FileClass::Memory,
        Place::Journal(_) | Place::RoomMemory { .. } => FileClass::Journals,
        Place::Room { .. } => FileClass::Rooms,
        Place::Topic => FileClass::Topics,
        Place::Note => FileClass::Notes,
        Place::Report | Place::Skill { .. } | Place::Loose | Place::Foreign => {
            return Err(Refusal {
                code: Code::NameRefused,
                message: format!("the name `{name}` is refused: inwit does not write there."),
            });
        }
    };
    Ok(Territory::FileClass(ward))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{name, profile};

    #[test]
    fn settings_tighten_a_policy_and_never_widen_it() {
        let tighter =
            BTreeMap::from([(FileClass::Memory, WriteMode::Approve), (FileClass::Soul, WriteMode::Direct)]);
        let policy = Policy::of(&profile(10), &tighter);
        assert_eq!(policy.rule(FileClass::Memory), WriteMode::Approve);
        assert_eq!(policy.rule(FileClass::Soul), WriteMode::Approve);
        assert_eq!(policy.rule(FileClass::Journals), WriteMode::Direct);
    }

    #[test]
    fn the_first_conversation_fills_in_the_user_and_nothing_else() {
        let open = Policy::of(&profile(10), &BTreeMap::new());
        let during = open.clone().bootstrapping();
        assert_eq!(during.rule(FileClass::User), WriteMode::Direct);
        assert_eq!(during.rule(FileClass::Soul), open.rule(FileClass::Soul));
        let closed = BTreeMap::from([(FileClass::User, WriteMode::HumanOnly)]);
        assert_eq!(
            Policy::of(&profile(10), &closed).bootstrapping().rule(FileClass::User),
            WriteMode::HumanOnly
        );
    }

    #[test]
    fn a_ward_that_the_table_forgot_is_for_people() {
        let mut bare = profile(10);
        bare.write.clear();
        assert_eq!(Policy::of(&bare, &BTreeMap::new()).rule(FileClass::Notes), WriteMode::HumanOnly);
    }

    #[test]
    fn every_place_of_the_allow_list_is_somebodys() {
        for (shown, ward) in [
            ("SOUL.md", Some(FileClass::Soul)),
            ("USER.md", Some(FileClass::User)),
            ("memory/CORE.md", Some(FileClass::Core)),
            ("memory/people.md", Some(FileClass::Memory)),
            ("memory/core.md", Some(FileClass::Memory)),
            ("memory/2026-11-21-a1.md", Some(FileClass::Journals)),
            ("memory/daily/2026-11-21.md", Some(FileClass::Journals)),
            ("memory/rooms/kitchen/2026-11-21.md", Some(FileClass::Journals)),
            ("memory/topics/bread.md", Some(FileClass::Topics)),
            ("rooms/kitchen.md", Some(FileClass::Rooms)),
            ("notes/plan.md", Some(FileClass::Notes)),
            ("DREAMS.md", None),
            ("BOOTSTRAP.md", None),
        ] {
            assert_eq!(ward_of(&name(shown)).expect(shown), ward, "{shown}");
        }
        for refused in ["CLAUDE.md", "skills/bread/SKILL.md", "memory/dreaming/deep/x.md", "soul.md"] {
            assert!(ward_of(&name(refused)).is_err(), "{refused}");
        }
    }
}
