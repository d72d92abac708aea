//! Operations on facts, and the state of a fact that they are judged against.

use inwit_model::fact::{Category, FactSource, ProfileKey, Span, fact_line};
use inwit_model::usual::usual_form;
use inwit_model::{FactId, SafeName, Sha256};
use jiff::Timestamp;
use unicode_normalization::UnicodeNormalization as _;

use super::fact_name;
use super::settle::Settlement;

/// The content of a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactText {
    /// Its category.
    pub category: Category,
    /// The statement, on one line.
    pub content: String,
    /// Additional data from its author: JSON, unchanged.
    pub metadata: Option<String>,
    /// When it is valid.
    pub valid: Span,
}

impl FactText {
    /// A statement that is always valid; line ends become blanks.
    pub fn new(category: Category, content: &str) -> Self {
        Self { category, content: fact_line(content), metadata: None, valid: Span::default() }
    }

    /// Sha256 of the content, each part prefixed with its length.
    pub fn sha256(&self) -> Sha256 {
        let moment = |at: Option<Timestamp>| at.map_or_else(String::new, |at| at.to_string());
        let metadata = self.metadata.clone().unwrap_or_default();
        let parts = [
            self.category.as_str(),
            &self.content,
            &metadata,
            &moment(self.valid.from),
            &moment(self.valid.to),
        ];
        let mut bytes = b"inwit fact 1\n".to_vec();
        for part in parts {
            bytes.extend_from_slice(&(part.len() as u64).to_be_bytes());
            bytes.extend_from_slice(part.as_bytes());
        }
        Sha256::of(&bytes)
    }

    /// Key for equal statements of one category: case-folded text.
    pub fn same(&self) -> String {
        fact_line(&self.content).to_lowercase()
    }

    /// Key for duplicates in any category (M41): case and print forms folded, surrounding quotes and final
    /// punctuation removed. All other symbols are kept: `A+` is not `A-`, `C#` not `C`, `10²` not `102`.
    pub fn plain(&self) -> String {
        let usual = || self.content.chars().flat_map(usual_form).nfc().collect::<String>().to_lowercase();
        // Fast path: ASCII is already in the usual form.
        let is_ascii = self.content.is_ascii();
        let line = fact_line(&if is_ascii { self.content.to_ascii_lowercase() } else { usual() });
        line.trim_start_matches(QUOTES).trim_end_matches(SENTENCE_ENDS).trim().to_owned()
    }

    /// Sha256 of the statement: category, case-folded text, period.
    pub fn said(&self) -> Sha256 {
        Self { content: self.same(), metadata: None, ..self.clone() }.sha256()
    }

    /// All its text, for the checks.
    pub(super) fn words(&self) -> String {
        let metadata = self.metadata.as_deref().unwrap_or_default();
        format!("{}: {}\n{metadata}", self.category, self.content)
    }
}

/// Quotation marks.
const QUOTES: &[char] = &['"', '“', '”', '„', '«', '»', '‹', '›', '「', '」'];

/// Quotation marks, and punctuation that ends a statement.
const SENTENCE_ENDS: &[char] =
    &['.', '!', '。', '…', ' ', '"', '“', '”', '„', '«', '»', '‹', '›', '「', '」'];

/// The current state of a fact for a judgement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandingFact {
    /// Its content.
    pub text: FactText,
    /// Its source.
    pub source: FactSource,
    /// Whether it was forgotten and can be restored.
    pub is_forgotten: bool,
    /// Whether another fact replaced it.
    pub is_retired: bool,
    /// Sequence number of its last change among all facts: a later statement has a greater number.
    pub changed: i64,
    /// Start of validity: as stated, or when it was written.
    pub since: Timestamp,
}

impl StandingFact {
    /// Whether a person wrote it directly. Every other source is a claim of its writer, including a user's request,
    /// and grants no rights (D9, M23).
    pub fn is_the_persons(&self) -> bool {
        self.source == FactSource::UserManual
    }

    /// Whether its stated beginning is after `now`.
    pub fn begins_after(&self, now: Timestamp) -> bool {
        self.text.valid.from.is_some_and(|from| from > now)
    }
}

/// An operation on facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FactDeed {
    /// Adds a fact.
    Add(FactText),
    /// Replaces the content of a fact; the old content remains in its history.
    Update {
        /// The fact.
        id: FactId,
        /// Sha256 of its current content.
        base: Sha256,
        /// The new content.
        text: FactText,
    },
    /// Hides a fact; it can be restored for a while (M25).
    Forget {
        /// The fact.
        id: FactId,
        /// Sha256 of its current content.
        base: Sha256,
    },
    /// Restores a forgotten fact.
    Restore {
        /// The fact.
        id: FactId,
    },
    /// Destroys a fact with its history (X10).
    Purge {
        /// The fact.
        id: FactId,
    },
    /// Destroys an unreadable row, identified only by its number.
    PurgeRow {
        /// Its number.
        number: i64,
    },
    /// Destroys all facts that were forgotten before a time (M26).
    Expire {
        /// The time.
        before: Timestamp,
    },
    /// Settles a pending fact, with another one or alone.
    Settle(Box<Settlement>),
    /// Sets a value of the user profile.
    SetProfile {
        /// Its key.
        key: ProfileKey,
        /// The value, on one line.
        value: String,
    },
    /// Removes a value of the user profile.
    UnsetProfile {
        /// Its key.
        key: ProfileKey,
    },
}

impl FactDeed {
    /// Its word in the audit log and in waiting texts.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Add(_) => "fact_add",
            Self::Update { .. } => "fact_update",
            Self::Forget { .. } => "fact_forget",
            Self::Restore { .. } => "fact_restore",
            Self::Purge { .. } | Self::PurgeRow { .. } => "fact_purge",
            Self::Expire { .. } => "fact_expire",
            Self::Settle(_) => "fact_settle",
            Self::SetProfile { .. } => "profile_set",
            Self::UnsetProfile { .. } => "profile_unset",
        }
    }

    /// The existing fact that it concerns, if any.
    pub fn about(&self) -> Option<&FactId> {
        match self {
            Self::Update { id, .. } | Self::Forget { id, .. } | Self::Restore { id } | Self::Purge { id } => {
                Some(id)
            }
            Self::Settle(settlement) => Some(&settlement.id),
            _ => None,
        }
    }

    /// The new content, if any.
    pub fn text(&self) -> Option<&FactText> {
        match self {
            Self::Add(text) | Self::Update { text, .. } => Some(text),
            _ => None,
        }
    }

    /// The name of its proposal.
    pub fn name(&self) -> SafeName {
        match (self, self.about()) {
            (_, Some(id)) => fact_name(id.as_str()),
            (Self::SetProfile { .. } | Self::UnsetProfile { .. }, _) => fact_name("profile"),
            _ => fact_name("new"),
        }
    }

    /// Whether it hides something that is shown.
    pub(super) fn takes_away(&self) -> bool {
        matches!(
            self,
            Self::Forget { .. }
                | Self::Purge { .. }
                | Self::PurgeRow { .. }
                | Self::Expire { .. }
                | Self::UnsetProfile { .. }
        )
    }

    /// All its text, for the checks.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Add(text) | Self::Update { text, .. } => text.words(),
            Self::SetProfile { key, value } => format!("{key}: {value}"),
            _ => String::new(),
        }
    }
}
