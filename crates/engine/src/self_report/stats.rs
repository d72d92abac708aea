//! `my_stats`: counts of sessions, memories and recalls, and the known files that exist (N22).
//!
//! The counts have no scope, so they are returned to the owner only.

use std::collections::{BTreeMap, HashMap};

use inwit_model::limit::STATS_TAGS_MAX;
use inwit_model::{FILES, SafeName, Scope, Sha256};
use inwit_store::memory::Memory;
use inwit_workspace::ScopedReader;
use jiff::{SignedDuration, Timestamp};

use crate::learning::dream::concept_tags;
use crate::{Agent, EngineError, ModelText};

/// Days of recalls that are counted.
const STATS_DAYS: i64 = 7;

/// Most passages whose text is read for tags, most recalled first.
const TAGGED_PASSAGES_MAX: usize = 200;

/// Most passes that are searched for a finished one.
const DREAMS_LOOKED_AT_MAX: usize = 50;

/// Counts from the databases.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stats {
    /// Sessions.
    pub sessions_total: u64,
    /// Stored memories.
    pub memories_stored: u64,
    /// Promoted memories.
    pub memories_promoted: u64,
    /// End of the last dream.
    pub last_dream: Option<Timestamp>,
    /// Recalls of the last seven days.
    pub recall_events_7d: u64,
    /// Their concept tags, most frequent first.
    pub top_concept_tags_7d: Vec<(ModelText, u64)>,
}

/// A passage with tags.
struct Tagged {
    /// Its stored text.
    text: String,
    /// Its masked text.
    shown: ModelText,
}

/// The statistics of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MyStats {
    /// Its id.
    pub agent_id: String,
    /// The counts, for the owner; at most [`STATS_TAGS_MAX`] tags.
    pub counts: Option<Stats>,
    /// The existing known files that the scope sees, in table order.
    pub workspace_files_present: Vec<&'static str>,
}

impl Agent {
    /// Counts from `memory.db`; none if it does not exist. Sessions are those of interfaces, with or without a
    /// transcript. Error: `memory_unavailable`.
    pub fn counts(&self) -> Result<Stats, EngineError> {
        let Some(memory) = self.core.memory_if_made()? else { return Ok(Stats::default()) };
        let since = self.core.clock.now().checked_sub(SignedDuration::from_hours(24 * STATS_DAYS));
        let since = since.unwrap_or(Timestamp::MIN);
        let dreams = memory.dreams(DREAMS_LOOKED_AT_MAX)?;
        Ok(Stats {
            sessions_total: memory.session_count()?,
            memories_stored: memory.fact_count(u64::MAX)?,
            memories_promoted: memory.promotion_count()?,
            last_dream: dreams.iter().find_map(|dream| Some(dream.end.as_ref()?.at)),
            recall_events_7d: memory.signal_count(since)?,
            top_concept_tags_7d: self.recalled_tags(memory.as_ref(), since)?,
        })
    }

    /// Tags of the recalled passages, each with the recalls of its passages, most frequent first. Removed passages
    /// are skipped.
    fn recalled_tags(
        &self,
        memory: &dyn Memory,
        since: Timestamp,
    ) -> Result<Vec<(ModelText, u64)>, EngineError> {
        let mut files: HashMap<SafeName, HashMap<Sha256, Tagged>> = HashMap::new();
        let mut counts: BTreeMap<ModelText, u64> = BTreeMap::new();
        self.core.load_named_of_files(&self.core.view(&Scope::Main));
        for signal in memory.signals(since)?.into_iter().take(TAGGED_PASSAGES_MAX) {
            let path = &signal.passage.path;
            if !files.contains_key(path) {
                // `doctor` reports an unreadable file; its passages have no tags.
                let content = self.core.content(path).ok().flatten();
                files
                    .insert(path.clone(), content.map(|it| self.tagged(path, &it.bytes)).unwrap_or_default());
            }
            let Some(passage) = files.get(path).and_then(|texts| texts.get(&signal.passage.text)) else {
                continue;
            };
            for tag in concept_tags(path.file(), &passage.text) {
                *counts.entry(ModelText::made_of(&[&passage.shown], tag)).or_insert(0) += signal.hits;
            }
        }
        let mut counts: Vec<(ModelText, u64)> = counts.into_iter().collect();
        counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        counts.truncate(STATS_TAGS_MAX);
        Ok(counts)
    }

    /// The passages of a file without masked text, by text hash: tags are words of a passage, so masked ones have
    /// none.
    fn tagged(&self, name: &SafeName, bytes: &[u8]) -> HashMap<Sha256, Tagged> {
        let document = inwit_markdown::parse(bytes);
        let page = self.core.page(&Scope::Main, name, bytes);
        let readable = document.passages.iter().filter_map(|passage| {
            let mut masked = Vec::new();
            let text = document.text(&passage.span).into_owned();
            let shown = self.core.rendered_span(&page, passage.span.clone(), &mut masked);
            masked.is_empty().then(|| (Sha256::of(text.as_bytes()), Tagged { text, shown }))
        });
        readable.collect()
    }

    /// The statistics for `scope`. `count` is called in scope main only. Errors: those of `count`.
    pub fn my_stats(
        &self,
        scope: &Scope,
        agent_id: &str,
        count: &mut dyn FnMut() -> Result<Stats, EngineError>,
    ) -> Result<MyStats, EngineError> {
        let view = self.core.view(scope);
        let is_there =
            |path: &str| SafeName::parse(path).is_ok_and(|name| matches!(view.stamp(&name), Ok(Some(_))));
        let counts = if *scope == Scope::Main { Some(count()?) } else { None };
        let counts = counts.map(|mut counts| {
            counts.top_concept_tags_7d.truncate(STATS_TAGS_MAX);
            counts
        });
        Ok(MyStats {
            agent_id: agent_id.to_owned(),
            counts,
            workspace_files_present: FILES.iter().map(|row| row.path).filter(|path| is_there(path)).collect(),
        })
    }
}
