//! What a listener may know of a home at a glance: how much there is, and whether something waits.
//!
//! `status` is for the owner at a terminal and names folders; this is for whoever is connected. Invariant:
//! in a scope that is not the owner's every number counts files of that scope alone.

use std::collections::BTreeMap;

use inwit_model::watch::unwatched;
use inwit_model::{Place, SafeName, Scope};
use inwit_store::SetKey;
use inwit_workspace::ScopedReader as _;
use jiff::civil::Date;

use crate::core::mask::masked_foreign;
use crate::core::notice::left_out;
use crate::core::place_names::place_word;
use crate::{EngineError, ModelText, Notes, Notice};

/// What there is, as `scope` sees it.
#[derive(Debug, Clone)]
pub struct Glance {
    /// The scope; the id of a room is whatever a member of a chat called it.
    pub scope: ModelText,
    /// Today, as file names count it.
    pub today: Date,
    /// Files by kind.
    pub counts: BTreeMap<&'static str, usize>,
    /// First and last day that a log tells of.
    pub days: Option<(Date, Date)>,
    /// Files that are searched.
    pub searched_files: usize,
    /// Passages in them.
    pub passages: u64,
    /// Proposals that wait, for the owner alone.
    pub waiting: Option<usize>,
    /// What the reader should know besides.
    pub notices: Vec<Notice>,
}

impl Notes {
    /// The names of the files that `scope` sees, in byte order. Error: `workspace_unreadable`.
    pub fn names(&self, scope: &Scope) -> Result<Vec<SafeName>, EngineError> {
        Ok(self.core.view(scope).list()?.entries.into_iter().map(|entry| entry.name).collect())
    }

    /// What `scope` may know at a glance; brings the index up to date first. Errors: those of
    /// [`search`](Self::search), `memory_unavailable`.
    pub fn glance(&self, scope: &Scope) -> Result<Glance, EngineError> {
        let view = self.core.view(scope);
        let looked = self.core.on_fresh_index(&view, &mut unwatched, &mut |index, report| {
            Ok((index.known(&SetKey::of(scope))?, report))
        })?;
        let ((known, report), mended) = looked;
        let mut notices = left_out(&report.unread, &report.skipped);
        if !scope.is_shared() {
            notices.extend(mended);
        }
        let places: Vec<Place> =
            view.list()?.entries.iter().filter_map(|entry| Place::of(&entry.name)).collect();
        let mut counts = BTreeMap::new();
        places.iter().for_each(|place| *counts.entry(place_word(place)).or_default() += 1);
        let days = || places.iter().filter_map(Place::date);
        Ok(Glance {
            scope: masked_foreign(&scope.to_string()).0,
            today: self.core.today(),
            counts,
            days: days().min().zip(days().max()),
            searched_files: known.files.len(),
            passages: known.files.iter().map(|file| u64::from(file.passages)).sum(),
            waiting: if *scope == Scope::Main { Some(self.inbox_count()?) } else { None },
            notices,
        })
    }
}
