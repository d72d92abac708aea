//! `my_stats`: counts of sessions, memories and recalls, and which known files there are (N22).
//!
//! The counts live in databases that know no scope, so they are asked for the owner alone; everybody else
//! gets none, not even their number.

use std::collections::{BTreeMap, HashMap};

use inwit_model::limit::STATS_TAGS_MAX;
use inwit_model::{FILES, SafeName, Scope, Sha256};
use inwit_store::memory::Memory;
use inwit_workspace::ScopedReader;
use jiff::{SignedDuration, Timestamp};

use crate::learning::dream::concept_tags;
use crate::{Agent, EngineError, ModelText};

/// How far back recalls are counted, in days.
const STATS_DAYS: i64 = 7;

/// Most passages whose text is looked up for tags, the most recalled first.
const TAGGED_PASSAGES_MAX: usize = 200;

/// Passes that are looked through for one that ended.
const DREAMS_LOOKED_AT_MAX: usize = 50;

/// What the databases of an agent count.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stats {
    /// Sessions that were held.
    pub sessions_total: u64,
    /// Memories that are stored.
    pub memories_stored: u64,
    /// Memories that a dream has promoted.
    pub memories_promoted: u64,
    /// When the last dream ended.
    pub last_dream: Option<Timestamp>,
    /// Recalls of the last seven days.
    pub recall_events_7d: u64,
    /// Concept tags of these, most frequent first.
    pub top_concept_tags_7d: Vec<(ModelText, u64)>,
}

/// A passage that gives tags.
struct Tagged {
    /// As it stands.
    text: String,
    /// As a model reads it.
    shown: ModelText,
}

/// What an agent has and does, in numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MyStats {
    /// Its id.
    pub agent_id: String,
    /// The counts, for the owner; at most [`STATS_TAGS_MAX`] tags.
    pub counts: Option<Stats>,
    /// The known files that the scope sees and that are there, in the table's order.
    pub workspace_files_present: Vec<&'static str>,
}

impl Agent {
    /// What `memory.db` counts; nothing where it was never made. Sessions are those that came through a
    /// interface, whether or not they were written down. Errors: `memory_unavailable`.
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

    /// What the recalled passages are about, each tag with the recalls of its passages, most frequent
    /// first. A passage that does not stand in its file any more counts for nothing.
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
                // A file that cannot be read is told by `doctor`; its passages have no tags meanwhile.
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

    /// The passages of a file that a model may read as they stand, by the hashes of their texts: a tag is a word of
    /// one, so a passage of which something is masked has none.
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

    /// The numbers of this agent for `scope`. `count` is called in scope main only. Errors: those of
    /// `count`.
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
