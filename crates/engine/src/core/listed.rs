//! Caches the last listing of a watched workspace until a change is reported.
//!
//! It is stored with the index state that followed it; a process without a watch stores nothing. Invariant: it is
//! valid only for the same change counter, read before the listing, and for the same index.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use inwit_model::ports::{Listing, Skipped};
use inwit_model::{Entry, Place, SafeName, Scope};
use inwit_store::{KnownSet, SetKey};

use crate::core::scan_version;

/// A listing of one visible set, in two parts, each sorted by name.
pub(crate) struct Listed {
    /// Files that are searched.
    pub searched: Vec<Entry>,
    /// Files that are visible but not searched, including ignored ones: secrets that they name are masked elsewhere.
    pub others: Vec<Entry>,
    /// What was left out.
    pub skipped: Vec<Skipped>,
}

impl Listed {
    /// The parts of `listing` for `scope`.
    pub fn of(listing: Listing, scope: &Scope) -> Self {
        let is_searched = |entry: &Entry| {
            !entry.is_ignored && Place::of(&entry.name).is_some_and(|place| scope.searches(&place))
        };
        let (searched, others) = listing.entries.into_iter().partition(is_searched);
        Self { searched, others, skipped: listing.skipped }
    }

    /// Number of files that ignore rules exclude.
    pub fn ignored(&self) -> usize {
        self.others.iter().filter(|entry| entry.is_ignored).count()
    }

    /// Unchanged files to check anyway: those with findings, and those missing from the index because they could not
    /// be read.
    pub fn to_look_at<'a>(&'a self, known: &'a KnownSet) -> impl Iterator<Item = &'a Entry> {
        let is_clean = |clean_by: u64| scan_version::is_ours(clean_by) && scan_version::is_lasting(clean_by);
        let due = known.files.iter().filter(move |file| !is_clean(file.clean_by)).map(|file| &file.name);
        let unread = (self.searched.len() > known.files.len())
            .then(|| self.searched.iter().map(|entry| &entry.name).filter(|name| known.find(name).is_none()));
        due.chain(unread.into_iter().flatten()).filter_map(|name| self.entry(name))
    }

    fn entry(&self, name: &SafeName) -> Option<&Entry> {
        let at = self.searched.binary_search_by(|entry| entry.name.cmp(name)).ok()?;
        Some(&self.searched[at])
    }
}

/// The listings by visible set.
#[derive(Default)]
pub(crate) struct LastListed(Mutex<HashMap<SetKey, KeptListing>>);

struct KeptListing {
    changes: u64,
    known: Arc<KnownSet>,
    listed: Arc<Listed>,
}

impl LastListed {
    /// The listing of `set`, if still valid for this number of `changes` and this index state.
    pub fn of(&self, set: &SetKey, changes: u64, known: &Arc<KnownSet>) -> Option<Arc<Listed>> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = all.get(set).filter(|kept| kept.changes == changes && Arc::ptr_eq(&kept.known, known))?;
        Some(Arc::clone(&kept.listed))
    }

    /// Stores the listing for `changes`, with the index after it.
    pub fn keep(&self, set: SetKey, changes: u64, known: Arc<KnownSet>, listed: Arc<Listed>) {
        let kept = KeptListing { changes, known, listed };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(set, kept);
    }
}
