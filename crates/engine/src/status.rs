//! The status of an agent: identity, files, index.

use std::collections::BTreeMap;

use inwit_model::watch::Watch;
use inwit_model::{Entry, Place, SafeName, Scope};
use inwit_store::SetKey;
use inwit_workspace::{Identity, ScopedReader, identity};
use jiff::civil::Date;

use crate::core::place_names::{place_word, rooms_of};
use crate::core::sync::SyncReport;
use crate::notes::meaning::MeaningState;
use crate::{Agent, EngineError, Notice};

/// The status of an agent, for its owner.
#[derive(Debug, Clone)]
pub struct Status {
    /// Its identity.
    pub identity: Identity,
    /// Its files in reading order.
    pub files: Vec<(Entry, Place)>,
    /// Files by kind.
    pub counts: BTreeMap<&'static str, usize>,
    /// First and last day with a daily log.
    pub days: Option<(Date, Date)>,
    /// Rooms that have a file or logs, by folder name.
    pub rooms: Vec<String>,
    /// Files that are searched.
    pub searched_files: usize,
    /// Passages in them.
    pub passages: u64,
    /// Counts of facts; `None` if there are none.
    pub facts: Option<FactCounts>,
    /// Embedding state of the notes; `None` without a model.
    pub meaning: Option<MeaningState>,
    /// The result of the index update.
    pub sync: SyncReport,
    /// Notices for the reader.
    pub notices: Vec<Notice>,
}

/// Counts of facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FactCounts {
    /// Current facts.
    pub facts: u64,
    /// Those that are pending.
    pub pending: u64,
    /// Retired facts.
    pub retired: u64,
}

impl Agent {
    /// The whole status; updates the index first.
    pub fn status(&self, watch: &mut Watch<'_>) -> Result<Status, EngineError> {
        let view = self.core.workspace.private();
        let main = self.core.view(&Scope::Main);
        let ((known, report), mut notices) =
            self.core.on_fresh_index(&main, watch, &mut |index, report| {
                Ok((index.known(&SetKey::of(&Scope::Main))?, report))
            })?;
        let meaning = self.notes.meaning_state().unwrap_or_else(|error| {
            notices.push(error.into());
            None
        });
        notices.extend(self.notes.vectors_lost());
        if let (Some(_), Err(error)) = (&meaning, self.notes.look_at_model()) {
            notices.push(error.into());
        }
        let facts = self.fact_counts().unwrap_or_else(|error| {
            notices.push(error.into());
            None
        });
        let listing = view.list()?;
        let mut files: Vec<(Entry, Place)> = listing
            .entries
            .into_iter()
            .filter_map(|entry| Place::of(&entry.name).map(|place| (entry, place)))
            .collect();
        files.sort_by(|(left, _), (right, _)| inwit_store::reading_order(&left.name, &right.name));
        let mut counts = BTreeMap::new();
        files.iter().for_each(|(_, place)| *counts.entry(place_word(place)).or_default() += 1);
        let days = || files.iter().filter_map(|(_, place)| place.date());
        let rooms = rooms_of(files.iter().map(|(_, place)| place));
        let read = |path: &str| {
            let name = SafeName::parse(path).ok()?;
            let content = view.read(&name).ok()?;
            Some(String::from_utf8_lossy(&content.bytes).into_owned())
        };
        let identity = identity::read(read("IDENTITY.md").as_deref(), read("SOUL.md").as_deref());
        Ok(Status {
            identity,
            counts,
            days: days().min().zip(days().max()),
            rooms,
            searched_files: known.files.len(),
            passages: known.files.iter().map(|file| u64::from(file.passages)).sum(),
            facts,
            meaning,
            sync: report,
            notices,
            files,
        })
    }

    fn fact_counts(&self) -> Result<Option<FactCounts>, EngineError> {
        let Some(memory) = self.core.memory_if_made()? else { return Ok(None) };
        let (facts, pending, retired) =
            (memory.fact_count(u64::MAX)?, memory.pending_count()?, memory.retired_count()?);
        Ok((facts + retired > 0).then_some(FactCounts { facts, pending, retired }))
    }
}
