//! The report of doctor: findings, counts, and what was repaired.

use inwit_model::time;
use std::collections::BTreeMap;

use inwit_engine::Finding;
use inwit_engine::core::store::BroughtBack;
use inwit_engine::doctor::fix::Mended;
use inwit_engine::doctor::health::{Health, bucket};
use inwit_engine::facts::EntityCount;
use inwit_engine::learning::outcome::LearningCounts;
use serde::Serialize;

use crate::shape::shape;
use crate::{ErrorV1, HintV1};

shape! {
    /// Everything that doctor found.
    pub struct DoctorV1 {
        /// What is wrong.
        pub findings: Vec<FindingV1>,
        /// How much there is.
        pub health: HealthV1,
    }

    /// The report without names and exact numbers, for strangers.
    pub struct AnonymousV1 {
        /// About how many findings each check has.
        pub findings: BTreeMap<&'static str, CountV1>,
        /// About how much there is.
        pub health: HealthV1,
    }

    /// Something that doctor found.
    pub struct FindingV1 from finding: &Finding {
        /// The check.
        pub check: &'static str = finding.check.spec().name,
        /// `error`, `warning` or `note`.
        pub severity: &'static str = finding.check.spec().severity.word(),
        /// The file or folder.
        pub path?: Option<String> = finding.path.clone(),
        /// One sentence.
        pub message: String = finding.message.clone(),
        /// What to do about it.
        pub hint: HintV1 = finding.check.spec().hint.into(),
    }
}

/// A number, or only about which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(untagged)]
pub enum CountV1 {
    /// The number.
    Exact(u64),
    /// A range, such as `10-99`.
    About(&'static str),
}

shape! {
    /// How much there is of everything.
    pub struct HealthV1 by
    /// Translates it; where it is anonymous, numbers are rounded and names left out.
    pub fn new(health: &Health, is_anonymous: bool) {
        /// Facts that stand.
        pub facts: CountV1 = CountV1::of(health.facts, is_anonymous),
        /// Facts that were forgotten.
        pub facts_forgotten: CountV1 = CountV1::of(health.facts_forgotten, is_anonymous),
        /// Facts that wait for a word.
        pub facts_pending: CountV1 = CountV1::of(health.facts_pending, is_anonymous),
        /// Facts to be settled.
        pub facts_unsettled: CountV1 = CountV1::of(health.facts_unsettled, is_anonymous),
        /// Proposals that wait.
        pub proposals: CountV1 = CountV1::of(health.proposals, is_anonymous),
        /// Those of them that wait for days.
        pub proposals_overdue: CountV1 = CountV1::of(health.proposals_overdue, is_anonymous),
        /// Changes that wait for the history.
        pub history_waits: CountV1 = CountV1::of(health.history_waits, is_anonymous),
        /// Passages that graduated.
        pub graduates: CountV1 = CountV1::of(health.graduates, is_anonymous),
        /// Logs set aside.
        pub quarantined: CountV1 = CountV1::of(health.quarantined, is_anonymous),
        /// Texts forgotten for good.
        pub tombstones: CountV1 = CountV1::of(health.tombstones, is_anonymous),
        /// What was learnt.
        pub learning: LearningHealthV1 = LearningHealthV1::new(&health.learning, is_anonymous),
        /// Edges between facts.
        pub edges: CountV1 = CountV1::of(health.edges, is_anonymous),
        /// What most facts are about.
        pub entities?: Vec<EntityHealthV1> =
            health.entities.iter().filter(|_| !is_anonymous).map(EntityHealthV1::from).collect(),
        /// Vectors of facts.
        pub fact_vectors?: Option<VectorsV1> = health.fact_vectors.as_ref().map(|states| VectorsV1 {
            model: None,
            embedded: CountV1::of(states.embedded, is_anonymous),
            pending: CountV1::of(states.pending, is_anonymous),
            failed: CountV1::of(states.failed, is_anonymous),
            skipped: Some(CountV1::of(states.skipped, is_anonymous)),
        }),
        /// Vectors of notes.
        pub vectors?: Option<VectorsV1> = health.vectors.as_ref().map(|vectors| VectorsV1 {
            model: (!is_anonymous).then(|| vectors.model.clone()),
            embedded: CountV1::of(vectors.embedded, is_anonymous),
            pending: CountV1::of(vectors.pending, is_anonymous),
            failed: CountV1::of(vectors.failed, is_anonymous),
            skipped: None,
        }),
    }

    /// How much was learnt.
    pub struct LearningHealthV1 by fn new(counts: &LearningCounts, is_anonymous: bool) {
        /// Methods that graduated.
        pub methods_graduated: CountV1 = CountV1::of(counts.graduated, is_anonymous),
        /// Methods on trial.
        pub methods_quarantined: CountV1 = CountV1::of(counts.quarantined, is_anonymous),
        /// Methods to be put back.
        pub methods_unfit: CountV1 = CountV1::of(counts.unfit, is_anonymous),
        /// Decisions without outcome.
        pub decisions_open: CountV1 = CountV1::of(counts.open, is_anonymous),
        /// Those of them that are overdue.
        pub decisions_overdue: CountV1 = CountV1::of(counts.overdue, is_anonymous),
        /// Preferences that wait for a word.
        pub preferences_proposed: CountV1 = CountV1::of(counts.proposed, is_anonymous),
    }

    /// One thing that facts are about.
    pub struct EntityHealthV1 from count: &EntityCount {
        /// What kind of thing.
        pub kind: &'static str = count.entity.kind.word(),
        /// Which.
        pub key: String = count.entity.key.clone(),
        /// How many facts.
        pub facts: u64 = count.facts,
    }

    /// How far a model of meaning got.
    pub struct VectorsV1 {
        /// The model.
        pub model?: Option<String>,
        /// What has a vector.
        pub embedded: CountV1,
        /// What waits for one.
        pub pending: CountV1,
        /// What the model refused.
        pub failed: CountV1,
        /// Facts that are too short, or steer; of notes those are no passages.
        pub skipped?: Option<CountV1>,
    }

    /// What was or would be repaired.
    pub struct MendedV1 {
        /// Whether it was done.
        pub applied: bool,
        /// Repairs.
        pub fixes: Vec<FixV1>,
    }

    /// One repair.
    pub struct FixV1 by
    /// Converts a repair; `forgotten_again` is what was erased again in the restored copy.
    pub fn new(mended: &Mended, forgotten_again: Option<usize>) {
        /// Its name.
        pub name: &'static str = mended.id.spec().name,
        /// Number of faults found.
        pub found: u64 = mended.found,
        /// How many were repaired.
        pub mended: u64 = mended.mended,
        /// How many the model refused.
        pub refused: u64 = mended.refused,
        /// What was or would be brought back.
        pub back?: Option<BackV1> = mended.back.as_deref().map(|brought| BackV1::new(brought, forgotten_again)),
        /// Why some findings cannot be repaired.
        pub error?: Option<ErrorV1> =
            mended.stuck.as_ref().map(|error| ErrorV1::new(error.code, error.message.clone())),
    }

    /// A copy of `memory.db` in the place of a broken one.
    pub struct BackV1 {
        /// The copy, by its file name.
        pub copy: String,
        /// Of which moment the copy is, RFC 3339.
        pub copied: String,
        /// Newer copies that are not whole, each with why.
        pub unfit: Vec<String>,
        /// Where the broken file went.
        pub aside: Vec<String>,
        /// What the copy cannot know.
        pub lacking: Vec<LackingV1>,
        /// How many rows of the broken record the copy lacks; `null`: unknown, since the record cannot be read in full.
        pub rows_left: Option<usize>,
        /// Why the history could not be asked.
        pub untold?: Option<String>,
        /// Texts that had been erased for good since the copy was made, and were erased again; none before it is done.
        pub forgotten_again?: Option<usize>,
    }

    /// One thing that a copy cannot know.
    pub struct LackingV1 {
        /// The receipt of a change that the history holds.
        pub receipt?: Option<String>,
        /// The number of a row that the broken record still holds.
        pub row?: Option<u64>,
        /// When, RFC 3339.
        pub at: String,
        /// Who.
        pub actor: String,
        /// What, on one line.
        pub what: String,
    }
}

impl CountV1 {
    /// As it is, or only about.
    pub fn of(count: u64, is_anonymous: bool) -> Self {
        if is_anonymous { Self::About(bucket(count)) } else { Self::Exact(count) }
    }
}

impl std::fmt::Display for CountV1 {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exact(count) => write!(out, "{count}"),
            Self::About(range) => out.write_str(range),
        }
    }
}

impl AnonymousV1 {
    /// Counts the findings and rounds everything.
    pub fn new(findings: &[Finding], health: &Health) -> Self {
        let mut counts: BTreeMap<&'static str, u64> = BTreeMap::new();
        for finding in findings {
            *counts.entry(finding.check.spec().name).or_default() += 1;
        }
        let findings = counts.into_iter().map(|(name, count)| (name, CountV1::of(count, true))).collect();
        Self { findings, health: HealthV1::new(health, true) }
    }
}

impl BackV1 {
    fn new(brought: &BroughtBack, forgotten_again: Option<usize>) -> Self {
        let of_history = brought.lacking.iter().map(|lacking| LackingV1 {
            receipt: Some(lacking.receipt.clone()),
            row: None,
            at: time::json(lacking.at),
            actor: lacking.actor.clone(),
            what: lacking.subject.clone(),
        });
        let of_record = brought.left.iter().map(|row| LackingV1 {
            receipt: None,
            row: Some(row.seq),
            at: time::json(row.at),
            actor: row.actor.clone(),
            what: format!("{} {}", row.verb, row.target),
        });
        Self {
            copy: brought.copy.clone(),
            copied: time::json(brought.copied),
            unfit: brought.unfit.clone(),
            aside: brought.aside.clone(),
            lacking: of_history.chain(of_record).collect(),
            rows_left: brought.rows_left(),
            untold: brought.untold.clone(),
            forgotten_again,
        }
    }
}
