//! External changes: files that differ from the history without a receipt.
//!
//! Each is recorded among the receipts at the time of its own last change, so that the past does not depend on when a
//! query ran. A file that equals the history is not read again while its stamp is unchanged. Invariant: a receipt's
//! bytes are never recorded as found: nothing is found during an open write, and a check that a write interrupted is
//! repeated.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use inwit_model::limit::FILE_READ_BYTES_MAX;
use inwit_model::plural::counted;
use inwit_model::{Actor, Entry, SafeName, Sha256, Stamp};
use inwit_store::Compared;
use inwit_store::memory::Receipt;
use inwit_workspace::history::{Commit, History as Repository, Oid, Rev, trailer};
use inwit_workspace::{PrivateView, ScopedReader as _};
use jiff::Timestamp;

use crate::{EngineError, History};

/// Most bytes of the history that are loaded for comparison, unless one file is larger.
const COMPARED_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// Largest time span of changes in one commit, in seconds: an import of a thousand files is not a thousand commits.
const FOUND_TOGETHER_SECONDS_MAX: i64 = 1;

/// One file that differs from the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ExternalChange {
    /// The time of the change, as far as known.
    pub at: Timestamp,
    /// The file.
    pub name: SafeName,
    /// The stamp of the compared bytes; `None` if the file was removed.
    pub stamp: Option<Stamp>,
    /// The history does not have it.
    pub is_new: bool,
}

impl ExternalChange {
    /// Its size, unless it was removed.
    fn bytes(&self) -> Option<u64> {
        self.stamp.map(|stamp| stamp.bytes)
    }
}

/// The result of a comparison.
#[derive(Debug, Default)]
pub(crate) struct Look {
    /// Sorted by time.
    pub found: Vec<ExternalChange>,
    /// Files equal to the history, to be remembered.
    pub equal: Vec<Compared>,
}

/// The expected content of a file, from the history and the waiting receipts.
enum Due {
    Recorded(Oid, u64),
    Waiting { result: Option<Sha256>, at: Timestamp },
}

impl History {
    /// Commits waiting receipts and external changes, which a later external change would hide. Errors: `locked`,
    /// `history_failed`, `index_unavailable`.
    pub fn record_found(&self) -> Result<(), EngineError> {
        match &self.past {
            Some(home) if self.home.is_some() && Repository::available() => {
                self.flush(Some((home.open)()?.lifetimes.as_mut()))?
            }
            _ => self.flush_history()?,
        };
        Ok(())
    }

    /// Differences from the tip of `history` and the `waiting` receipts. `known` are files found equal before.
    /// Errors: `workspace_unreadable`, `history_failed`.
    pub(crate) fn look_for_found(
        &self,
        history: &Repository,
        waiting: &[Receipt],
        known: &[Compared],
    ) -> Result<Look, EngineError> {
        let known: HashMap<&SafeName, &Compared> = known.iter().map(|one| (&one.name, one)).collect();
        let tree = history.tree(&Rev::Tip)?.into_iter();
        let mut due: BTreeMap<SafeName, Due> =
            tree.map(|(name, oid, bytes)| (name, Due::Recorded(oid, bytes))).collect();
        for receipt in waiting {
            due.insert(receipt.name.clone(), Due::Waiting { result: receipt.result, at: receipt.at });
        }
        let view = self.core.workspace.private();
        let listing = view.list()?;
        let now = self.core.clock.now();
        let (mut look, mut asked) = (Look::default(), Vec::new());
        for entry in &listing.entries {
            if entry.stamp.bytes > FILE_READ_BYTES_MAX {
                due.remove(&entry.name);
                continue;
            }
            let found =
                |at| ExternalChange { at, name: entry.name.clone(), stamp: Some(entry.stamp), is_new: false };
            let changed = changed(entry.stamp, now);
            match due.remove(&entry.name) {
                None => look.found.push(ExternalChange { is_new: true, ..found(changed) }),
                Some(Due::Recorded(_, bytes)) if bytes != entry.stamp.bytes => {
                    look.found.push(found(changed))
                }
                Some(Due::Recorded(oid, _)) => {
                    let is_known =
                        |known: &&&Compared| known.stamp == entry.stamp && known.oid == oid.to_string();
                    if known.get(&entry.name).filter(is_known).is_none() {
                        asked.push((entry, oid));
                    }
                }
                Some(Due::Waiting { result, at }) => {
                    let is_same = view.read(&entry.name).is_ok_and(|content| Some(content.sha256) == result);
                    if !is_same {
                        look.found.push(found(changed.max(at)));
                    }
                }
            }
        }
        compare(history, &view, &asked, now, &mut look)?;
        // Skipped files may still exist, and an empty folder is more likely an unmounted disk.
        let gone = due.into_iter().filter(|(name, due)| {
            !listing.entries.is_empty()
                && !matches!(due, Due::Waiting { result: None, .. })
                && matches!(self.core.files.stamp(name), Ok(None))
        });
        let gone: Vec<(SafeName, Due)> = gone.collect();
        self.date_removals(history, gone, now, &mut look)?;
        look.found.sort_by(|left, right| (left.at, &left.name).cmp(&(right.at, &right.name)));
        Ok(look)
    }

    /// A file that disappeared while its bytes appeared under another name was renamed at that time; otherwise the
    /// time of removal is unknown.
    fn date_removals(
        &self,
        history: &Repository,
        gone: Vec<(SafeName, Due)>,
        now: Timestamp,
        look: &mut Look,
    ) -> Result<(), EngineError> {
        let sizes: BTreeSet<u64> = look.found.iter().filter_map(ExternalChange::bytes).collect();
        let is_like = |due: &Due| matches!(due, Due::Recorded(_, bytes) if sizes.contains(bytes));
        let any = gone.iter().any(|(_, due)| is_like(due));
        let view = self.core.workspace.private();
        let mut came: HashMap<Sha256, Timestamp> = HashMap::new();
        if any {
            let wanted: BTreeSet<u64> = gone
                .iter()
                .filter_map(|(_, due)| if let Due::Recorded(_, bytes) = due { Some(*bytes) } else { None })
                .collect();
            for found in
                look.found.iter().filter(|found| found.bytes().is_some_and(|it| wanted.contains(&it)))
            {
                if let Ok(content) = view.read(&found.name) {
                    came.insert(content.sha256, found.at);
                }
            }
        }
        for (name, due) in gone {
            let at = match due {
                Due::Recorded(oid, _) if !came.is_empty() && is_like(&due) => {
                    let blob = history.blobs(&[oid])?.pop().unwrap_or_default();
                    came.get(&Sha256::of(&blob)).copied().unwrap_or(now)
                }
                Due::Waiting { at, .. } => now.max(at),
                Due::Recorded(..) => now,
            };
            look.found.push(ExternalChange { at, name, stamp: None, is_new: false });
        }
        Ok(())
    }

    /// The commit of one group. Files that are unreadable, or were written since, wait for the next check.
    pub(crate) fn commit_of_found(&self, group: &[ExternalChange], not_before: Timestamp) -> Commit {
        let view = self.core.workspace.private();
        let changes: Vec<(SafeName, Option<Arc<[u8]>>)> = group
            .iter()
            .filter_map(|found| {
                let Some(stamp) = found.stamp else { return Some((found.name.clone(), None)) };
                let content = view.read(&found.name).ok().filter(|content| content.stamp == stamp)?;
                Some((found.name.clone(), Some(content.bytes)))
            })
            .collect();
        let at = group.last().map_or(not_before, |last| last.at.max(not_before));
        Commit {
            subject: format!("found by hand: {}", counted(changes.len(), "file")),
            body: String::new(),
            at,
            actor: Actor::External.to_string(),
            trailers: vec![(trailer::FOUND, "by hand".to_owned())],
            changes,
        }
    }
}

/// Changes sorted by time, in groups of one commit each: at most a second and `bytes_max`.
pub(crate) fn grouped(found: &[ExternalChange], bytes_max: u64) -> Vec<&[ExternalChange]> {
    let (mut groups, mut start, mut bytes) = (Vec::new(), 0, 0);
    for (at, one) in found.iter().enumerate() {
        let is_far = one.at.as_second() - found[start].at.as_second() >= FOUND_TOGETHER_SECONDS_MAX;
        let own = one.bytes().unwrap_or_default();
        if at > start && (is_far || bytes + own > bytes_max) {
            groups.push(&found[start..at]);
            (start, bytes) = (at, 0);
        }
        bytes += own;
    }
    if start < found.len() {
        groups.push(&found[start..]);
    }
    groups
}

/// The time of the last change, from the stamp; not later than `now`.
pub(crate) fn changed(stamp: Stamp, now: Timestamp) -> Timestamp {
    Timestamp::from_nanosecond(i128::from(stamp.changed_ns)).map_or(now, |changed| changed.min(now))
}

/// Compares files with the history, in batches.
fn compare(
    history: &Repository,
    view: &PrivateView,
    asked: &[(&Entry, Oid)],
    now: Timestamp,
    look: &mut Look,
) -> Result<(), EngineError> {
    let mut rest = asked;
    while !rest.is_empty() {
        let mut bytes = 0;
        let fits = rest.iter().take_while(|(entry, _)| {
            bytes += entry.stamp.bytes;
            bytes <= COMPARED_BYTES_MAX
        });
        let (page, later) = rest.split_at(fits.count().max(1));
        let blobs = history.blobs(&page.iter().map(|(_, oid)| *oid).collect::<Vec<_>>())?;
        for ((entry, oid), blob) in page.iter().zip(blobs) {
            let Ok(content) = view.read(&entry.name) else { continue };
            if *content.bytes == *blob {
                let (name, oid) = (entry.name.clone(), oid.to_string());
                // A file changed just now may change again with the same stamp.
                let stamp = crate::core::sync::settled(content.stamp, now);
                look.equal.extend(stamp.map(|stamp| Compared { name, stamp, oid }));
            } else {
                let at = changed(content.stamp, now);
                let (name, stamp) = (entry.name.clone(), Some(content.stamp));
                look.found.push(ExternalChange { at, name, stamp, is_new: false });
            }
        }
        rest = later;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_of_one_second_make_one_commit_as_far_as_they_fit() {
        let found = |at: &str, bytes| ExternalChange {
            at: at.parse().expect("a moment"),
            name: SafeName::parse("a.md").expect("a name"),
            stamp: Some(Stamp { bytes, changed_ns: 0, inode: 1 }),
            is_new: false,
        };
        let found = [
            found("2026-05-01T10:00:00.1Z", 3),
            found("2026-05-01T10:00:00.9Z", 3),
            found("2026-05-01T10:00:00.9Z", 9),
            found("2026-05-01T10:00:01Z", 1),
        ];
        let sizes =
            |bytes_max| grouped(&found, bytes_max).iter().map(|group| group.len()).collect::<Vec<_>>();
        assert_eq!(sizes(100), [3, 1]);
        assert_eq!(sizes(8), [2, 1, 1]);
        assert_eq!(grouped(&[], 8), Vec::<&[ExternalChange]>::new());
    }
}
