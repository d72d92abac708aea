//! Who may write which file: the table of a profile, as tight as its owner made it (X37).
//!
//! A [`Ward`] is what the table tells apart; a name that belongs to none may not be written at all.
//! Invariant: settings make a policy tighter, never wider.

use std::collections::BTreeMap;

use inwit_model::{Code, Domain, FileKind, Lane, Place, Profile, SafeName, Ward};

use crate::name::{Refusal, readable};
use crate::rules::Rule;

/// What applies in one agent's home.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    rows: BTreeMap<Ward, Lane>,
    rules: Vec<Rule>,
    file_bytes_max: u64,
    domain: Domain,
}

impl Policy {
    /// The policy of `profile`, tightened where `tighter` is stricter.
    pub fn of(profile: &Profile, tighter: &BTreeMap<Ward, Lane>) -> Self {
        let mut rows = profile.write.clone();
        for (ward, rule) in tighter {
            let known = rows.entry(*ward).or_insert(*rule);
            *known = (*known).max(*rule);
        }
        let (file_bytes_max, domain) = (profile.max_file_bytes, profile.domain);
        Self { rows, rules: Vec::new(), file_bytes_max, domain }
    }

    /// The policy of a home without a profile: nobody but the owner writes rows, and no file is made or grows.
    pub fn closed() -> Self {
        Self { rows: BTreeMap::new(), rules: Vec::new(), file_bytes_max: 0, domain: Domain::General }
    }

    /// The same with rules of the owner's own, which make it stricter (X40).
    pub fn with_rules(mut self, rules: &[Rule]) -> Self {
        self.rules.extend_from_slice(rules);
        self
    }

    /// The same while the first conversation is being had: USER.md is the agent's to fill in (X37), unless
    /// no agent writes it at all.
    pub fn bootstrapping(mut self) -> Self {
        if self.rule(Ward::User) == Lane::Approve {
            self.rows.insert(Ward::User, Lane::Direct);
        }
        self
    }

    /// What an agent needs to write in `ward`. A ward the table forgot is for people.
    pub fn rule(&self, ward: Ward) -> Lane {
        self.rows.get(&ward).copied().unwrap_or(Lane::HumanOnly)
    }

    /// The owner's own rules.
    pub(crate) fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// What facts are mostly about.
    pub(crate) fn domain(&self) -> Domain {
        self.domain
    }

    /// Largest file that is written, in bytes; one that is larger already may be made smaller.
    pub fn file_bytes_max(&self) -> u64 {
        self.file_bytes_max
    }
}

/// Whose part of the workspace a name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Territory {
    /// A row of the policy.
    Ward(Ward),
    /// DREAMS.md: dream passes write it.
    Diary,
    /// BOOTSTRAP.md: instructions, so nobody but the owner writes it; inwit files it away when it is done.
    Bootstrap,
}

/// The row of the policy that a name falls under, `None` for files of the machine. Errors: as
/// [`readable`], and `name_refused` for places where nothing is written.
pub fn ward_of(name: &SafeName) -> Result<Option<Ward>, Refusal> {
    match territory(name)? {
        Territory::Ward(ward) => Ok(Some(ward)),
        Territory::Diary | Territory::Bootstrap => Ok(None),
    }
}

/// Where a name belongs. Errors: `name_refused`.
pub(crate) fn territory(name: &SafeName) -> Result<Territory, Refusal> {
    let ward = match readable(name)? {
        Place::File(kind) => match kind {
            FileKind::Soul => Ward::Soul,
            FileKind::Agents => Ward::Agents,
            FileKind::Identity => Ward::Identity,
            FileKind::User => Ward::User,
            FileKind::Memory => Ward::Memory,
            FileKind::Core => Ward::Core,
            FileKind::Tools => Ward::Tools,
            FileKind::Heartbeat => Ward::Heartbeat,
            FileKind::Dreams => return Ok(Territory::Diary),
            FileKind::Bootstrap => return Ok(Territory::Bootstrap),
        },
        Place::LegacyMemory | Place::Memory => Ward::Memory,
        Place::Journal(_) | Place::RoomMemory { .. } => Ward::Journals,
        Place::Room { .. } => Ward::Rooms,
        Place::Topic => Ward::Topics,
        Place::Note => Ward::Notes,
        Place::Report | Place::Skill { .. } | Place::Loose | Place::Foreign => {
            return Err(Refusal {
                code: Code::NameRefused,
                message: format!("the name `{name}` is refused: nothing is written there."),
            });
        }
    };
    Ok(Territory::Ward(ward))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{name, profile};

    #[test]
    fn settings_tighten_a_policy_and_never_widen_it() {
        let tighter = BTreeMap::from([(Ward::Memory, Lane::Approve), (Ward::Soul, Lane::Direct)]);
        let policy = Policy::of(&profile(10), &tighter);
        assert_eq!(policy.rule(Ward::Memory), Lane::Approve);
        assert_eq!(policy.rule(Ward::Soul), Lane::Approve);
        assert_eq!(policy.rule(Ward::Journals), Lane::Direct);
    }

    #[test]
    fn the_first_conversation_fills_in_the_user_and_nothing_else() {
        let open = Policy::of(&profile(10), &BTreeMap::new());
        let during = open.clone().bootstrapping();
        assert_eq!(during.rule(Ward::User), Lane::Direct);
        assert_eq!(during.rule(Ward::Soul), open.rule(Ward::Soul));
        let closed = BTreeMap::from([(Ward::User, Lane::HumanOnly)]);
        assert_eq!(Policy::of(&profile(10), &closed).bootstrapping().rule(Ward::User), Lane::HumanOnly);
    }

    #[test]
    fn a_ward_that_the_table_forgot_is_for_people() {
        let mut bare = profile(10);
        bare.write.clear();
        assert_eq!(Policy::of(&bare, &BTreeMap::new()).rule(Ward::Notes), Lane::HumanOnly);
    }

    #[test]
    fn every_place_of_the_allow_list_is_somebodys() {
        for (shown, ward) in [
            ("SOUL.md", Some(Ward::Soul)),
            ("USER.md", Some(Ward::User)),
            ("memory/CORE.md", Some(Ward::Core)),
            ("memory/people.md", Some(Ward::Memory)),
            ("memory/core.md", Some(Ward::Memory)),
            ("memory/2026-11-21-a1.md", Some(Ward::Journals)),
            ("memory/daily/2026-11-21.md", Some(Ward::Journals)),
            ("memory/rooms/kitchen/2026-11-21.md", Some(Ward::Journals)),
            ("memory/topics/bread.md", Some(Ward::Topics)),
            ("rooms/kitchen.md", Some(Ward::Rooms)),
            ("notes/plan.md", Some(Ward::Notes)),
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
