//! What a pass wants to promote, from whichever engine.
//!
//! Invariant: figures are shown only for promotions by recall; the ledger key names the log that the text is from.

use inwit_gate::hidden;
use inwit_gate::secrets::Tier;
use inwit_model::{DreamEngine, Sha256, Taint};
use inwit_store::memory::{LogSpan, PassageKey, Promotion, Votes};
use jiff::Timestamp;

use crate::Core;
use crate::core::key::key_of;
use crate::learning::dream::{Bullet, DreamHeading, Figures, Source};

/// One fact to promote.
#[derive(Debug, Clone)]
pub(super) struct Promotable {
    /// Its key in the ledger.
    pub(super) key: PassageKey,
    /// Its text in MEMORY.md.
    pub(super) fact: String,
    /// Its locations.
    pub(super) sources: Vec<Source>,
    /// The join of the taints of its sources.
    pub(super) taint: Taint,
    /// Agents' ratings, if they alone support it.
    pub(super) called: Option<Votes>,
    /// Its recall figures.
    pub(super) figures: Option<Figures>,
}

/// The section that gets them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Section<'s> {
    /// The fence of the pass.
    pub(super) fence: u64,
    /// The engine.
    pub(super) engine: DreamEngine,
    /// What was read of the logs; consumed together with the promotions.
    pub(super) spans: &'s [LogSpan],
}

impl Section<'_> {
    /// Its heading: each engine has its own form.
    pub(super) fn heading(&self, core: &Core, now: Timestamp) -> DreamHeading {
        match self.engine {
            DreamEngine::Recall => DreamHeading::Moment(now),
            DreamEngine::Logs => DreamHeading::Day(now.to_zoned(core.day_zone()).date()),
        }
    }

    /// The phase in the ledger.
    fn phase(&self) -> &'static str {
        match self.engine {
            DreamEngine::Recall => "deep",
            DreamEngine::Logs => "logs",
        }
    }

    /// The sources by which a fact is known. Several facts of a model's answer may come from the same lines, so they
    /// are known by their text alone.
    pub(super) fn known_by<'i>(&self, item: &'i Promotable) -> &'i [Source] {
        match self.engine {
            DreamEngine::Recall => &item.sources,
            DreamEngine::Logs => &[],
        }
    }

    /// The ledger entry of one of its facts.
    pub(super) fn promotion(&self, item: &Promotable) -> Promotion {
        let figure = |of: fn(Figures) -> u32| item.figures.map_or(0, |figures| u64::from(of(figures)));
        Promotion {
            passage: item.key.clone(),
            bullet: bullet_hash(&item.fact),
            score: item.figures.map_or(0.0, |figures| figures.score),
            hits: figure(|figures| figures.hits),
            days: figure(|figures| figures.days),
            phase: self.phase().into(),
        }
    }
}

impl Promotable {
    /// Its bullet; a proposal has no figures, so that the same text is proposed once.
    pub(super) fn bullet(&self, with_figures: bool) -> Bullet<'_> {
        Bullet { text: &self.fact, figures: self.figures.filter(|_| with_figures), sources: &self.sources }
    }
}

/// The decision about a fact with an invisible character.
pub(super) const INVISIBLE: &str = "invisible_character";

/// Whether the gate would refuse the text for an invisible character, and with it every other fact of the same write.
pub(super) fn has_invisible(text: &str) -> bool {
    hidden::scan(text).iter().any(|run| run.tier == Tier::Block)
}

/// The ledger key of a bullet: its text, without figures.
pub(crate) fn bullet_hash(text: &str) -> Sha256 {
    Sha256::of(key_of(text).as_bytes())
}
