//! `my_stats`: counts of sessions, memories and recalls, and which known files there are (N22).
//!
//! The counts live in databases that know no scope, so they are asked for the owner alone; everybody else
//! gets none, not even their number.

use inwit_model::limit::STATS_TAGS_MAX;
use inwit_model::{FILES, SafeName, Scope};
use inwit_workspace::Sight;
use jiff::Timestamp;

use crate::{Agent, EngineError};

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
    pub top_concept_tags_7d: Vec<(String, u64)>,
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
    /// The numbers of this agent for `scope`. `count` is called in scope main only. Errors: those of
    /// `count`.
    pub fn my_stats(
        &self,
        scope: &Scope,
        agent_id: &str,
        count: &mut dyn FnMut() -> Result<Stats, EngineError>,
    ) -> Result<MyStats, EngineError> {
        let view = self.view(scope);
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
