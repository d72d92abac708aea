//! Helpers for the tests of this crate: names, and a profile in which agents write their notes directly.

use inwit_model::profile::{IdentityForm, Inject, Marker, Oversize, Recalling, Snapshot};
use inwit_model::{Cadence, FileClass, HistoryPlace, Layout, Profile, SafeName, WriteMode};

pub(crate) fn name(text: &str) -> SafeName {
    SafeName::parse(text).expect("a safe name")
}

#[expect(clippy::disallowed_methods, reason = "a test says who is there")]
pub(crate) fn person() -> crate::HumanConsent {
    crate::HumanConsent::at_own_terminal()
}

/// The `personal` profile with a size limit in bytes.
pub(crate) fn profile(max_file_bytes: u64) -> Profile {
    use FileClass::{
        Agents, Core, Heartbeat, Identity, Journals, Memory, Notes, Rooms, Soul, Tools, Topics, User,
    };
    let asked = [Soul, Agents, Identity, User, Tools, Heartbeat].map(|ward| (ward, WriteMode::Approve));
    let direct = [Memory, Core, Topics, Rooms, Notes, Journals].map(|ward| (ward, WriteMode::Direct));
    Profile {
        name: "test".into(),
        about: String::new(),
        seeds: Vec::new(),
        order: Vec::new(),
        inject: Inject::SystemSnapshot,
        oversize: Oversize::TruncateHeadKeep,
        marker: Marker::Full,
        max_file_chars: 12_000,
        max_user_chars: 12_000,
        max_total_chars: 60_000,
        max_skills_chars: 12_000,
        max_startup_chars: 0,
        max_file_bytes,
        token_budget: 0,
        recalled: Recalling::Words,
        max_recalled_chars: 4_000,
        journal_days: 2,
        bootstrap_until_set_up: false,
        room_journals: true,
        utc_days: false,
        identity: IdentityForm::Verbatim,
        snapshot: Snapshot::Frozen,
        journal: true,
        journal_layout: Layout::PerSession,
        journal_cadence: Cadence::SessionEnd,
        journal_retention_days: 0,
        heartbeat: true,
        domain: inwit_model::Domain::General,
        facts_retention_days: 30,
        history: HistoryPlace::Beside,
        write: asked.into_iter().chain(direct).collect(),
    }
}
