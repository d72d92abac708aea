//! Facts, results of their changes, and the user profile.

use std::borrow::Borrow;

use inwit_engine::facts::consolidate::{Decided, PassReport, Settled};
use inwit_engine::facts::{FactAnswer, FactOutcome, ProfileEntry};
use inwit_engine::{Fact, GateFinding, Notice};
use inwit_model::Consolidation;
use inwit_model::time;
use serde::Serialize;

use crate::shape::shape;
use crate::{GateFindingV1, NoticeV1};

shape! {
    /// One fact, for the owner: masked in lists, unmasked alone.
    pub struct FactV1 from fact: &Fact {
        /// Its name.
        pub id: String = fact.id.to_string(),
        /// Its number, which is the `id` of the table.
        pub number: i64 = fact.number,
        /// Of which kind.
        pub category: String = fact.text.category.to_string(),
        /// The statement, on one line.
        pub content: String = fact.text.content.clone(),
        /// Where it comes from.
        pub source: &'static str = fact.source.word(),
        /// What else its author knew: a JSON object, as text.
        pub metadata?: Option<String> = fact.text.metadata.clone(),
        /// When it was first written, UTC.
        pub created_at: String = time::json(fact.created),
        /// When it last changed, UTC.
        pub updated_at: String = time::json(fact.updated),
        /// When it was forgotten.
        pub forgotten_at?: Option<String> = fact.forgotten.map(time::json),
        /// The first moment at which it holds, where one is known.
        pub valid_from?: Option<String> = fact.text.valid.from.map(time::json),
        /// The first moment at which it holds no more, where one is known.
        pub valid_to?: Option<String> = fact.text.valid.to.map(time::json),
        /// Since when it holds, where it says nothing of that itself: until then the fact held that gave way to it.
        pub held_from?: Option<String> =
            fact.held_from.filter(|_| fact.text.valid.from.is_none()).map(time::json),
        /// Since when it is believed to say this.
        pub believed_from: String = time::json(fact.believed_from),
        /// Until when it was.
        pub believed_to?: Option<String> = fact.believed_to.map(time::json),
        /// `pending`, `settled`, `retired`.
        pub status: &'static str = fact.status.word(),
        /// When it was retired, UTC.
        pub retired_at?: Option<String> = fact.retirement.as_ref().map(|retirement| time::json(retirement.at)),
        /// The fact that stands in its place.
        pub retired_by?: Option<String> =
            fact.retirement.as_ref().and_then(|it| it.by.as_ref()).map(ToString::to_string),
        /// The moment at which it held no more, where it held until the other one did.
        pub held_to?: Option<String> =
            fact.retirement.as_ref().and_then(|it| it.held_to).map(time::json),
    }

    /// A fact with all it said before.
    pub struct FactHistoryV1 {
        /// The fact as it is.
        #[serde(flatten)]
        pub fact: FactV1,
        /// What it said before, the oldest first.
        pub before: Vec<FactV1>,
        /// What else should be known.
        pub notices?: Vec<NoticeV1>,
    }

    /// One decision of a consolidation.
    pub struct SettlementV1 {
        /// The fact that waited; absent where it is gone for good.
        pub fact?: Option<String>,
        /// The fact it was compared with; absent if there was none, or if that one was purged.
        pub other?: Option<String>,
        /// `true`: the fact it was compared with was purged; absent otherwise.
        pub other_gone?: bool,
        /// `keep`, `retire_new`, `retire_old`, `supersede`, `blocked`.
        pub decision: &'static str,
        /// Why.
        pub reason: String,
        /// Who decided, where a model did.
        pub model?: Option<String>,
        /// What forbade it.
        pub invariant?: Option<&'static str>,
        /// It was logged, and nothing else was done.
        pub shadow: bool,
        /// When, UTC; absent for what is decided now.
        pub at?: Option<String>,
    }

    /// What a consolidation did.
    pub struct ConsolidationV1 by
    /// What a pass in this mode did.
    pub fn of(report: &PassReport, mode: Consolidation, dry_run: bool) {
        /// Each decision, the first recorded fact first.
        pub decided: Vec<SettlementV1> = report.decided.iter().map(SettlementV1::from).collect(),
        /// How many facts were retired.
        pub retired: usize = report.retired(),
        /// How many facts wait still.
        pub waiting: u64 = report.waiting,
        /// How many of those begin to hold on a later day, and are judged then.
        pub not_yet: u64 = report.not_yet,
        /// How far it goes, as `facts.consolidation` says: `on`, `shadow`, `off`.
        pub mode: &'static str = mode.word(),
        /// Nothing was written.
        pub dry_run: bool = dry_run,
        /// What the reader should know.
        pub notices?: Vec<NoticeV1> = report.notices.iter().map(NoticeV1::from).collect(),
    }

    /// The last decisions.
    pub struct SettlementsV1 from settled: &[Settled] {
        /// The newest first.
        pub decisions: Vec<SettlementV1> = settled.iter().map(SettlementV1::from).collect(),
    }

    /// Facts of a list, or that answer a question.
    pub struct FactsV1 {
        /// The facts in their order.
        pub facts: Vec<FactV1>,
        /// How they were found: `expression`, `words`, `letters`; absent in a list.
        pub found_by?: Option<&'static str>,
        /// There are more than these.
        pub more: bool,
        /// What the reader should know.
        pub notices?: Vec<NoticeV1>,
    }
}

/// What became of a change of facts or of what is known of the user.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
#[serde(tag = "outcome", rename_all = "camelCase")]
pub enum FactOutcomeV1 {
    /// It is written.
    #[serde(rename_all = "camelCase")]
    Applied {
        /// The fact as it is now; absent for what is known of the user.
        #[serde(skip_serializing_if = "Option::is_none")]
        fact: Option<Box<FactV1>>,
        /// What was noticed and let pass.
        findings: Vec<GateFindingV1>,
        /// What the reader should know.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        notices: Vec<NoticeV1>,
    },
    /// It was so already.
    #[serde(rename_all = "camelCase")]
    Unchanged {
        /// The fact that says it.
        #[serde(skip_serializing_if = "Option::is_none")]
        fact: Option<Box<FactV1>>,
    },
    /// It would be deleted for good.
    #[serde(rename_all = "camelCase")]
    Planned {
        /// Its name.
        id: String,
    },
    /// It is gone for good.
    #[serde(rename_all = "camelCase")]
    Purged {
        /// Its name.
        id: String,
        /// What the reader should know.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        notices: Vec<NoticeV1>,
    },
    /// A person decides.
    #[serde(rename_all = "camelCase")]
    Pending {
        /// The proposal.
        proposal: String,
        /// Why a person is asked: `policy`, `taint`, `rule`, `finding`.
        why: &'static str,
        /// What was noticed.
        findings: Vec<GateFindingV1>,
        /// What of it is not in the proposal.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        notices: Vec<NoticeV1>,
    },
}

shape! {
    /// What is known of the user.
    pub struct UserProfileV1 from known: &[ProfileEntry] {
        /// Everything, in order of the keys.
        pub profile: Vec<ProfileEntryV1> = known.iter().map(ProfileEntryV1::from).collect(),
        /// What else should be known.
        pub notices?: Vec<NoticeV1> = Vec::new(),
    }

    /// One thing that is known of the user.
    pub struct ProfileEntryV1 from entry: &ProfileEntry {
        /// Its key.
        pub key: String = entry.key.to_string(),
        /// What is known.
        pub value: String = entry.value.clone(),
        /// When it was last set, UTC.
        pub updated_at: String = time::json(entry.updated),
    }
}

impl From<&Settled> for SettlementV1 {
    fn from(settled: &Settled) -> Self {
        Self {
            fact: settled.fact.as_ref().map(ToString::to_string),
            other: settled.other.as_ref().map(ToString::to_string),
            other_gone: settled.has_other && settled.other.is_none(),
            decision: settled.decision.word(),
            reason: settled.reason.clone(),
            model: settled.model.clone(),
            invariant: settled.invariant.map(|rule| rule.word()),
            shadow: settled.is_shadow,
            at: Some(time::json(settled.at)),
        }
    }
}

impl From<&Decided> for SettlementV1 {
    fn from(decided: &Decided) -> Self {
        let settlement = &decided.settlement;
        Self {
            fact: Some(decided.fact.id.to_string()),
            other: decided.other.as_ref().map(|other| other.id.to_string()),
            other_gone: false,
            decision: settlement.decision.word(),
            reason: settlement.reason.clone(),
            model: settlement.model.clone(),
            invariant: settlement.invariant.map(|rule| rule.word()),
            shadow: settlement.is_shadow,
            at: None,
        }
    }
}

impl<F: Borrow<Fact>> From<&[F]> for FactsV1 {
    fn from(facts: &[F]) -> Self {
        Self {
            facts: facts.iter().map(|fact| FactV1::from(fact.borrow())).collect(),
            found_by: None,
            more: false,
            notices: Vec::new(),
        }
    }
}

impl<F: Borrow<Fact>> From<&FactAnswer<F>> for FactsV1 {
    fn from(answer: &FactAnswer<F>) -> Self {
        Self {
            facts: answer.facts.iter().map(|fact| FactV1::from(fact.borrow())).collect(),
            found_by: answer.by.map(|by| by.word()),
            more: answer.more,
            notices: answer.notices().iter().map(NoticeV1::from).collect(),
        }
    }
}

impl FactOutcomeV1 {
    /// What became of a change, and what the reader should know of it.
    pub fn noting(outcome: &FactOutcome, told: &[Notice]) -> Self {
        let mut said = Self::from(outcome);
        if let Self::Applied { notices, .. } | Self::Purged { notices, .. } = &mut said {
            *notices = told.iter().map(NoticeV1::from).collect();
        }
        said
    }
}

impl From<&FactOutcome> for FactOutcomeV1 {
    fn from(outcome: &FactOutcome) -> Self {
        let fact = |fact: &Fact| Some(Box::new(FactV1::from(fact)));
        let all = |findings: &[GateFinding]| findings.iter().map(GateFindingV1::from).collect();
        match outcome {
            FactOutcome::Written { fact: written, findings } => {
                Self::Applied { fact: fact(written), findings: all(findings), notices: Vec::new() }
            }
            FactOutcome::Unchanged(known) => Self::Unchanged { fact: fact(known) },
            FactOutcome::Purged(id) => Self::Purged { id: id.to_string(), notices: Vec::new() },
            FactOutcome::Profile { changed: true, findings } => {
                Self::Applied { fact: None, findings: all(findings), notices: Vec::new() }
            }
            FactOutcome::Profile { changed: false, .. } => Self::Unchanged { fact: None },
            FactOutcome::Pending { id, why, findings, notices } => Self::Pending {
                proposal: id.to_string(),
                why: why.word(),
                findings: all(findings),
                notices: notices.iter().map(NoticeV1::from).collect(),
            },
        }
    }
}
