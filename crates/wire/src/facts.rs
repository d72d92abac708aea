//! Facts, what became of a change of them, and what is known of the user.

use inwit_engine::facts::{FactAnswer, FactOutcome, ProfileEntry};
use inwit_engine::{Fact, Noticed};
use serde::Serialize;

use crate::{GateFindingV1, NoticeV1};

/// One fact.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FactV1 {
    /// Its name.
    pub id: String,
    /// Its number, which is the `id` of the table.
    pub number: i64,
    /// Of which kind.
    pub category: String,
    /// The statement, on one line.
    pub content: String,
    /// Where it comes from.
    pub source: &'static str,
    /// What else its author knew: a JSON object, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<String>,
    /// When it was first written, UTC.
    pub created_at: String,
    /// When it last changed, UTC.
    pub updated_at: String,
    /// When it was forgotten.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forgotten_at: Option<String>,
    /// The first moment at which it holds, where one is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<String>,
    /// The first moment at which it holds no more, where one is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_to: Option<String>,
    /// Since when it is believed to say this.
    pub believed_from: String,
    /// Until when it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub believed_to: Option<String>,
}

/// Facts of a list, or that answer a question.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FactsV1 {
    /// The facts in their order.
    pub facts: Vec<FactV1>,
    /// How they were found: `expression`, `words`, `letters`; absent in a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found_by: Option<&'static str>,
    /// What the reader should know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeV1>,
}

/// What became of a change of facts or of what is known of the user.
#[derive(Debug, Clone, Serialize)]
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
    },
    /// It was so already.
    #[serde(rename_all = "camelCase")]
    Unchanged {
        /// The fact that says it.
        #[serde(skip_serializing_if = "Option::is_none")]
        fact: Option<Box<FactV1>>,
    },
    /// It is gone for good.
    #[serde(rename_all = "camelCase")]
    Purged {
        /// Its name.
        id: String,
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
    },
}

/// What is known of the user.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UserProfileV1 {
    /// Everything, in order of the keys.
    pub profile: Vec<ProfileEntryV1>,
}

/// One thing that is known of the user.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProfileEntryV1 {
    /// Its key.
    pub key: String,
    /// What is known.
    pub value: String,
    /// When it was last set, UTC.
    pub updated_at: String,
}

impl From<&Fact> for FactV1 {
    fn from(fact: &Fact) -> Self {
        Self {
            id: fact.id.to_string(),
            number: fact.number,
            category: fact.text.category.to_string(),
            content: fact.text.content.clone(),
            source: fact.source.word(),
            metadata: fact.text.metadata.clone(),
            created_at: fact.created.to_string(),
            updated_at: fact.updated.to_string(),
            forgotten_at: fact.forgotten.map(|at| at.to_string()),
            valid_from: fact.text.valid.from.map(|at| at.to_string()),
            valid_to: fact.text.valid.to.map(|at| at.to_string()),
            believed_from: fact.believed_from.to_string(),
            believed_to: fact.believed_to.map(|at| at.to_string()),
        }
    }
}

impl From<&[Fact]> for FactsV1 {
    fn from(facts: &[Fact]) -> Self {
        Self { facts: facts.iter().map(FactV1::from).collect(), found_by: None, notices: Vec::new() }
    }
}

impl From<&FactAnswer> for FactsV1 {
    fn from(answer: &FactAnswer) -> Self {
        Self {
            facts: answer.facts.iter().map(FactV1::from).collect(),
            found_by: answer.by.map(|by| by.word()),
            notices: answer.notices().iter().map(NoticeV1::from).collect(),
        }
    }
}

impl From<&FactOutcome> for FactOutcomeV1 {
    fn from(outcome: &FactOutcome) -> Self {
        let fact = |fact: &Fact| Some(Box::new(FactV1::from(fact)));
        let all = |findings: &[Noticed]| findings.iter().map(GateFindingV1::from).collect();
        match outcome {
            FactOutcome::Written { fact: written, findings } => {
                Self::Applied { fact: fact(written), findings: all(findings) }
            }
            FactOutcome::Unchanged(known) => Self::Unchanged { fact: fact(known) },
            FactOutcome::Purged(id) => Self::Purged { id: id.to_string() },
            FactOutcome::Profile(true) => Self::Applied { fact: None, findings: Vec::new() },
            FactOutcome::Profile(false) => Self::Unchanged { fact: None },
            FactOutcome::Pending { id, why, findings } => {
                Self::Pending { proposal: id.to_string(), why: why.word(), findings: all(findings) }
            }
        }
    }
}

impl From<&[ProfileEntry]> for UserProfileV1 {
    fn from(known: &[ProfileEntry]) -> Self {
        let entry = |entry: &ProfileEntry| ProfileEntryV1 {
            key: entry.key.to_string(),
            value: entry.value.clone(),
            updated_at: entry.updated.to_string(),
        };
        Self { profile: known.iter().map(entry).collect() }
    }
}
