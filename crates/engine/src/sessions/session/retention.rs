//! Prunes daily logs older than the profile's retention (X59, R32).
//!
//! Only logs written solely by the engine and the agent, not quarantined, and read by the dream engines: a log with a
//! person's text stays. Invariant: the history has the removed logs; a notice lists them, and those kept because no
//! dream has read them.

use inwit_gate::Author;
use inwit_model::ports::StateFile;
use inwit_model::{Actor, Hint, Op, SafeName, Sha256};
use inwit_store::memory::{Ended, Memory, Receipt, ReceiptFilter};
use jiff::{Timestamp, ToSpan as _};

use super::dreamed::ReadLogs;

use crate::core::notice::named;
use crate::learning::dream::Quarantine;
use crate::notes::journal;
use crate::notes::write::{Outcome, WriteContext};
use crate::{EngineError, Notice, Sessions};

/// Most logs removed at one start of a session.
const PRUNED_MAX: usize = 1_000;

/// Most logs that the notice lists.
const PRUNED_NAMES_MAX: usize = 10;

/// Most changes of one log that are checked; a log with more stays.
const RECEIPTS_MAX: usize = 10_000;

impl Sessions {
    /// Removes expired logs, and reports them.
    pub(crate) fn prune_journals(&self) -> Result<Vec<Notice>, EngineError> {
        let days = self.core.profile.journal_retention_days;
        if days == 0 {
            return Ok(Vec::new());
        }
        let Some(memory) = self.core.memory_if_made()? else { return Ok(Vec::new()) };
        let quarantine = self.core.files.read_state(StateFile::Quarantine)?;
        let (quarantine, unreadable) =
            quarantine.map_or_else(Default::default, |bytes| Quarantine::parse(&bytes));
        let oldest = self.core.today().checked_sub(i64::from(days).days()).unwrap_or(jiff::civil::Date::MIN);
        let listing = inwit_workspace::ScopedReader::list(&self.core.workspace.private())?;
        let is_old = |name: &SafeName| {
            inwit_model::Place::of(name).and_then(|place| place.date()).is_some_and(|date| date < oldest)
                && journal::is_target(self.core.profile.journal_layout, name)
                && !quarantine.holds(name.as_str())
        };
        let read = ReadLogs::of(&self.learning.dream_engines, &*memory)?;
        let old = listing.entries.into_iter().map(|entry| entry.name).filter(is_old);
        let (mut notices, mut gone, mut unread) = (Vec::from_iter(unreadable), Vec::new(), Vec::new());
        for name in old {
            if gone.len() == PRUNED_MAX {
                break;
            }
            let Some((left, written)) = left_by_us(&*memory, &name)? else { continue };
            if !read.covers(&name, left, written) {
                unread.push(name);
                continue;
            }
            let reason = format!("older than {days} days");
            let behalf = WriteContext { reason, ..WriteContext::of(Author::ENGINE) };
            let ours = |current: &&[u8]| Sha256::of(current) == left;
            match self.notes.amend(&name, &behalf, &|current| Ok(current.filter(ours).map(|_| Op::Remove))) {
                Ok(Outcome::Applied { .. }) => gone.push(name),
                Ok(_) => {}
                Err(error) => {
                    let message =
                        format!("`{name}` is older than {days} days and was not removed: {}", error.message);
                    notices.push(Notice::new("journal_not_pruned", message, error.code));
                }
            }
        }
        notices.extend(pruned(&gone, days));
        notices.extend(undreamed(&unread, days));
        Ok(notices)
    }
}

/// The file after our last change, and the time of that. `None` if others wrote to it too, or if that is unknown.
fn left_by_us(memory: &dyn Memory, name: &SafeName) -> Result<Option<(Sha256, Timestamp)>, EngineError> {
    let filter = ReceiptFilter { name: Some(name.clone()), limit: RECEIPTS_MAX, ..ReceiptFilter::default() };
    let receipts = memory.receipts(&filter)?;
    let ours = |receipt: &Receipt| {
        matches!(receipt.actor, Actor::Engine | Actor::Agent) && receipt.ended == Ended::Done
    };
    let is_whole = receipts.len() < RECEIPTS_MAX;
    let last = receipts.first().and_then(|receipt| Some((receipt.result?, receipt.at)));
    Ok(last.filter(|_| is_whole && receipts.iter().all(ours)))
}

/// The notice about removed logs.
fn pruned(gone: &[SafeName], days: u32) -> Option<Notice> {
    let names: Vec<&str> = gone.iter().map(SafeName::as_str).collect();
    let named = named(&names, PRUNED_NAMES_MAX, ", ");
    let message = format!("Daily logs older than {days} days were removed: {named}.");
    let hint = Hint::KeepLogs;
    (!gone.is_empty()).then(|| Notice::new("journal_pruned", message, hint))
}

/// The notice about logs kept until a dream has read them.
fn undreamed(unread: &[SafeName], days: u32) -> Option<Notice> {
    let names: Vec<&str> = unread.iter().map(SafeName::as_str).collect();
    let named = named(&names, PRUNED_NAMES_MAX, ", ");
    let message =
        format!("Daily logs older than {days} days were kept, because no dream has read them: {named}.");
    let hint = Hint::PruneUndreamed;
    (!unread.is_empty()).then(|| Notice::new("journal_undreamed", message, hint))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Proves R32.
    #[test]
    fn the_page_on_retention_states_the_limits() {
        let page = include_str!("../../../../../docs/formats/written-by-inwit.md");
        let (_, section) = page.split_once("## Retention\n").expect("a section");
        let section = section.split_once("\n## ").map_or(section, |(section, _)| section);
        for limit in ["1,000", "10,000"] {
            assert!(section.contains(limit), "{limit}: {section}");
        }
        assert_eq!((PRUNED_MAX, RECEIPTS_MAX), (1_000, 10_000), "as the page says");
    }
}
