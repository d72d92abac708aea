//! A short overview of a home for one scope: counts, and whether proposals wait.
//!
//! `status` is for the owner at a terminal and shows paths; this is for any connected client. Invariant: in another
//! scope than the owner's, counts include only files of that scope.

use std::collections::BTreeMap;

use inwit_model::watch::unwatched;
use inwit_model::{Entry, Place, SafeName, Scope};
use inwit_store::SetKey;
use inwit_workspace::ScopedReader as _;
use jiff::civil::Date;

use crate::core::mask::masked_foreign;
use crate::core::notice::left_out;
use crate::core::place_names::place_word;
use crate::{EngineError, ModelText, Notes, Notice};

/// The overview for `scope`.
#[derive(Debug, Clone)]
pub struct Glance {
    /// The scope; a member of a chat chose the id of a room.
    pub scope: ModelText,
    /// Today, in the day count of file names.
    pub today: Date,
    /// Files by kind.
    pub counts: BTreeMap<&'static str, usize>,
    /// First and last day with a daily log.
    pub days: Option<(Date, Date)>,
    /// Files that are searched.
    pub searched_files: usize,
    /// Passages in them.
    pub passages: u64,
    /// Waiting proposals, for the owner only.
    pub waiting: Option<usize>,
    /// Notices for the reader.
    pub notices: Vec<Notice>,
}

impl Notes {
    /// The names of the files that `scope` sees, in byte order. Error: `workspace_unreadable`.
    pub fn names(&self, scope: &Scope) -> Result<Vec<SafeName>, EngineError> {
        Ok(self.entries(scope)?.into_iter().map(|entry| entry.name).collect())
    }

    /// The same with sizes and times.
    pub fn entries(&self, scope: &Scope) -> Result<Vec<Entry>, EngineError> {
        Ok(self.core.view(scope).list()?.entries)
    }

    /// The overview for `scope`; updates the index first. Errors: those of [`search`](Self::search),
    /// `memory_unavailable`.
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
