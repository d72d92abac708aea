//! Answers that only tools have: stored entries, a timeline, a status, a failure.

use std::collections::BTreeMap;

use inwit_engine::facts::FactOutcome;
use inwit_engine::notes::glance::Glance;
use inwit_engine::notes::revise::{ReviseError, Revised};
use inwit_engine::notes::timeline::Moment;
use inwit_engine::{EngineError, Outcome};
use serde::Serialize;
use serde_json::Value;

use super::reading::OmittedV1;
use crate::receipts::findings;
use crate::shape::shape;
use crate::{ErrorV1, GateFindingV1, NoticeV1, TextV1, Voice, in_voice};

/// A shape of this crate, for an interface that fits answers into a size and serialises nothing itself.
pub trait Shaped: Serialize {}

impl<T: Serialize> Shaped for T {}

/// An answer as JSON, its hints in the words of `voice`.
pub fn value(answer: &impl Shaped, voice: Voice) -> Value {
    // Every shape of this crate has text keys and plain values, so with a voice it always becomes JSON.
    in_voice(voice, || serde_json::to_value(answer)).unwrap_or_default()
}

shape! {
    /// A failure of a tool.
    pub struct ToolErrorV1 {
        /// What happened and what can be done.
        #[serde(flatten)]
        pub error: ErrorV1,
        /// For `stale`: the file's hash now, `null` when it is gone.
        pub current_sha256?: Option<Option<String>>,
        /// For an entry that was not found or not the only one: the beginnings of those there are.
        pub entries?: Vec<TextV1>,
    }
}

impl From<ErrorV1> for ToolErrorV1 {
    fn from(error: ErrorV1) -> Self {
        Self { error, current_sha256: None, entries: Vec::new() }
    }
}

impl From<EngineError> for ToolErrorV1 {
    fn from(error: EngineError) -> Self {
        ErrorV1::new(error.code, error.message).into()
    }
}

impl From<ReviseError> for ToolErrorV1 {
    fn from(error: ReviseError) -> Self {
        let (mut current_sha256, mut entries) = (None, Vec::new());
        match &error {
            ReviseError::Stale { current, .. } => {
                current_sha256 = Some(current.map(|hash| hash.to_string()));
            }
            ReviseError::Unclear { previews, .. } => entries = previews.iter().map(TextV1::from).collect(),
            ReviseError::Failed(_) => {}
        }
        let error = EngineError::from(error);
        Self { error: ErrorV1::new(error.code, error.message), current_sha256, entries }
    }
}

shape! {
    /// What became of something that was to be kept, corrected or retracted.
    #[derive(Default)]
    pub struct KeptV1 {
        /// `applied`, `unchanged`, `pending`, or `dry_run`.
        pub outcome: &'static str,
        /// Which file.
        pub path: String,
        /// The outcome in a sentence.
        pub message: String,
        /// The proposal that waits.
        pub proposal?: Option<String>,
        /// Why a person is asked: `policy`, `taint`, `finding`, `asked`.
        pub why?: Option<&'static str>,
        /// The receipt of what was written.
        pub receipt?: Option<String>,
        /// The hash of the file: as it was written, or as a dry run read it.
        pub sha256?: Option<String>,
        /// The entries that are meant, as they stood.
        pub entries?: Vec<KeptEntryV1>,
        /// What was noticed.
        pub findings?: Vec<GateFindingV1>,
        /// What the reader should know besides.
        pub notices?: Vec<NoticeV1>,
    }

    /// An entry with its place.
    pub struct KeptEntryV1 {
        /// Its first line, from 1.
        pub line: u32,
        /// Its text.
        pub text: TextV1,
    }
}

impl From<&Outcome> for KeptV1 {
    fn from(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Applied { receipt, findings: noticed } => Self {
                outcome: "applied",
                path: receipt.name.to_string(),
                message: format!("Written to {}.", receipt.name),
                receipt: Some(receipt.id.to_string()),
                sha256: receipt.result.map(|hash| hash.to_string()),
                findings: findings(noticed),
                ..Self::default()
            },
            Outcome::Unchanged(name) => Self {
                outcome: "unchanged",
                path: name.to_string(),
                message: format!("{name} already contains it; nothing was written."),
                ..Self::default()
            },
            Outcome::Pending { id, name, why, findings: noticed } => Self {
                outcome: "pending",
                path: name.to_string(),
                message: format!("Not written to {name} yet: waiting for approval as {id}."),
                proposal: Some(id.to_string()),
                why: Some(why.word()),
                findings: findings(noticed),
                ..Self::default()
            },
        }
    }
}

impl From<&FactOutcome> for KeptV1 {
    fn from(outcome: &FactOutcome) -> Self {
        let kept = |outcome: &'static str, message: String| Self {
            outcome,
            path: "facts".to_owned(),
            message,
            ..Self::default()
        };
        match outcome {
            FactOutcome::Written { fact, findings: noticed } => {
                let message = format!("Kept as fact {}.", fact.number);
                Self { findings: findings(noticed), ..kept("applied", message) }
            }
            FactOutcome::Unchanged(fact) => {
                kept("unchanged", format!("Fact {} has the same text; nothing was written.", fact.number))
            }
            FactOutcome::Purged(id) => kept("applied", format!("{id} was erased.")),
            FactOutcome::Profile { changed: true, findings: noticed } => {
                Self { findings: findings(noticed), ..kept("applied", "The profile was updated.".to_owned()) }
            }
            FactOutcome::Profile { changed: false, .. } => {
                kept("unchanged", "The profile already has this value.".to_owned())
            }
            FactOutcome::Pending { id, why, findings: noticed, notices } => {
                let mut message = format!("Not a fact yet: waiting for approval as {id}.");
                notices.iter().for_each(|notice| message.extend([" ", &notice.message]));
                Self {
                    proposal: Some(id.to_string()),
                    why: Some(why.word()),
                    findings: findings(noticed),
                    ..kept("pending", message)
                }
            }
        }
    }
}

impl From<&Revised> for KeptV1 {
    fn from(revised: &Revised) -> Self {
        let entries = revised.touched.iter();
        let entries =
            entries.map(|entry| KeptEntryV1 { line: entry.line, text: TextV1::from(&entry.text) }).collect();
        match &revised.outcome {
            Some(outcome) => Self { entries, ..Self::from(outcome) },
            None => Self {
                outcome: "dry_run",
                message: "Dry run: no changes made. These entries match.".to_owned(),
                sha256: revised.sha256.map(|hash| hash.to_string()),
                entries,
                ..Self::from(&Outcome::Unchanged(revised.name.clone()))
            },
        }
    }
}

shape! {
    /// Entries of daily logs.
    pub struct TimelineV1 {
        /// Around a day in the order of time, else newest first.
        pub entries: Vec<MomentV1>,
        /// What the reader should know besides.
        pub notices?: Vec<NoticeV1>,
        /// What did not fit.
        pub omitted?: Option<OmittedV1>,
        /// Where it goes on.
        pub next_cursor?: Option<String>,
    }

    /// One entry of a daily log.
    pub struct MomentV1 {
        /// `path#L12` or `path#L12-L20`.
        pub citation: String,
        /// Headings above it, where they say more than its day.
        pub heading?: Option<TextV1>,
        /// Its text.
        pub text: TextV1,
        /// The taint, such as `tool`, if any.
        pub taint?: Option<&'static str>,
    }
}

impl From<&Moment> for MomentV1 {
    fn from(moment: &Moment) -> Self {
        let (first, last) = (moment.first_line, moment.last_line);
        let lines = if first == last { format!("L{first}") } else { format!("L{first}-L{last}") };
        let heading = (moment.heading != moment.date.to_string()).then(|| TextV1::from(&moment.heading));
        Self {
            citation: format!("{}#{lines}", moment.name),
            heading: heading.filter(|heading| !heading.is_empty()),
            text: TextV1::from(&moment.text),
            taint: moment.taint.map(inwit_model::Taint::word),
        }
    }
}

shape! {
    /// The status for any connected client.
    pub struct StatusForV1 by
    /// Translates a glance; who is connected and to what is the interface's own knowledge.
    pub fn new(agent: &str, profile: &str, automatic: bool, glance: &Glance) {
        /// The agent's id.
        pub agent: String = agent.to_owned(),
        /// In which scope the connection is.
        pub scope: TextV1 = TextV1::from(&glance.scope),
        /// How the home behaves.
        pub profile: String = profile.to_owned(),
        /// Today, as file names count it.
        pub today: String = glance.today.to_string(),
        /// `asked`: only tools recall; `automatic`: the host puts passages before each prompt.
        pub recall: &'static str = if automatic { "automatic" } else { "asked" },
        /// Files by kind.
        pub files: BTreeMap<&'static str, usize> = glance.counts.clone(),
        /// Date of the first daily log.
        pub first_day?: Option<String> = glance.days.map(|days| days.0.to_string()),
        /// Date of the last daily log.
        pub last_day?: Option<String> = glance.days.map(|days| days.1.to_string()),
        /// Files that are searched.
        pub searched_files: usize = glance.searched_files,
        /// Passages in them.
        pub passages: u64 = glance.passages,
        /// Proposals that wait; for the owner alone.
        pub pending?: Option<usize> = glance.waiting,
        /// What the reader should know besides.
        pub notices?: Vec<NoticeV1> = glance.notices.iter().map(NoticeV1::from).collect(),
    }
}
