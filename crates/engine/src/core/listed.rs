//! What a workspace listed last, for as long as nobody changed anything: a watched folder need not be walked again.
//!
//! It is kept beside the state of the index that followed it, so a process that never watches keeps nothing. Invariant:
//! it counts only while the number of changes stands, which was asked before the listing, and the index is the very one
//! that was read then.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use inwit_model::ports::{Listing, Skipped};
use inwit_model::{Entry, Place, SafeName, Scope};
use inwit_store::{KnownSet, SetKey};

use crate::core::scan_version;

/// A listing of one set, in two parts, each in order of the names.
pub(crate) struct Listed {
    /// Files that are searched.
    pub searched: Vec<Entry>,
    /// Files that are seen and not searched, ignored ones among them: what they name as secret is masked elsewhere.
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

    /// How many files are not searched because rules ignore them.
    pub fn ignored(&self) -> usize {
        self.others.iter().filter(|entry| entry.is_ignored).count()
    }

    /// Files that are looked at although they did not change: those that are not clean for good, and those that the index
    /// does not have, since they could not be read.
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

/// The listings of each set.
#[derive(Default)]
pub(crate) struct LastListed(Mutex<HashMap<SetKey, KeptListing>>);

struct KeptListing {
    changes: u64,
    known: Arc<KnownSet>,
    listed: Arc<Listed>,
}

impl LastListed {
    /// The listing of `set`, where it still holds for this number of `changes` and this state of the index.
    pub fn of(&self, set: &SetKey, changes: u64, known: &Arc<KnownSet>) -> Option<Arc<Listed>> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = all.get(set).filter(|kept| kept.changes == changes && Arc::ptr_eq(&kept.known, known))?;
        Some(Arc::clone(&kept.listed))
    }

    /// Keeps what was listed for `changes`, with the index as it followed.
    pub fn keep(&self, set: SetKey, changes: u64, known: Arc<KnownSet>, listed: Arc<Listed>) {
        let kept = KeptListing { changes, known, listed };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(set, kept);
    }
}
