//! What can be done to facts, and the fact as it stands meanwhile.

use inwit_model::fact::{Category, FactSource, ProfileKey, Span, fact_line};
use inwit_model::usual::usual_form;
use inwit_model::{FactId, SafeName, Sha256};
use jiff::Timestamp;
use unicode_normalization::UnicodeNormalization as _;

use super::fact_name;
use super::settle::Settlement;

/// What a fact says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactText {
    /// Of which kind it is.
    pub category: Category,
    /// The statement, on one line.
    pub content: String,
    /// What else its author knows: JSON, kept as it was given.
    pub metadata: Option<String>,
    /// When it holds.
    pub valid: Span,
}

impl FactText {
    /// A statement that holds at every time; ends of lines in it become blanks.
    pub fn new(category: Category, content: &str) -> Self {
        Self { category, content: fact_line(content), metadata: None, valid: Span::default() }
    }

    /// The hash of all it says, each part with its length before it.
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

    /// By what two statements of one category are the same: words in one case.
    pub fn same(&self) -> String {
        fact_line(&self.content).to_lowercase()
    }

    /// By what two statements are duplicates, whatever they are called (M41): the same letters and signs in one case and
    /// one form, without quotes around them and without what ends a sentence. Every other sign says something: `A+` is
    /// not `A-`, `C#` not `C`, `10²` not `102`.
    pub fn plain(&self) -> String {
        let usual = || self.content.chars().flat_map(usual_form).nfc().collect::<String>().to_lowercase();
        // ASCII is its own usual form.
        let is_ascii = self.content.is_ascii();
        let line = fact_line(&if is_ascii { self.content.to_ascii_lowercase() } else { usual() });
        line.trim_start_matches(QUOTES).trim_end_matches(SENTENCE_ENDS).trim().to_owned()
    }

    /// The hash of what it states: category, words in one case, when it holds.
    pub fn said(&self) -> Sha256 {
        Self { content: self.same(), metadata: None, ..self.clone() }.sha256()
    }

    /// Everything of it that checks look at.
    pub(super) fn words(&self) -> String {
        let metadata = self.metadata.as_deref().unwrap_or_default();
        format!("{}: {}\n{metadata}", self.category, self.content)
    }
}

/// Marks around words that somebody said.
const QUOTES: &[char] = &['"', '“', '”', '„', '«', '»', '‹', '›', '「', '」'];

/// The same, and what a sentence ends with that asks nothing.
const SENTENCE_ENDS: &[char] =
    &['.', '!', '。', '…', ' ', '"', '“', '”', '„', '«', '»', '‹', '›', '「', '」'];

/// A fact as it stands while it is judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandingFact {
    /// What it says.
    pub text: FactText,
    /// Where it comes from.
    pub source: FactSource,
    /// Whether it was forgotten and can be brought back.
    pub is_forgotten: bool,
    /// Whether another fact stands in its place.
    pub is_retired: bool,
    /// The number of its last change over all facts: of two statements the later one has the greater.
    pub changed: i64,
    /// Since when it holds: what it says itself, or when it was written.
    pub since: Timestamp,
}

impl StandingFact {
    /// Whether a person wrote it with their own hands. Every other source is a word of whoever wrote the fact, also the
    /// one that says that the user asked for it: it gives no right (D9, M23).
    pub fn is_the_persons(&self) -> bool {
        self.source == FactSource::UserManual
    }

    /// Whether it says of itself that it does not hold yet at `now`.
    pub fn begins_after(&self, now: Timestamp) -> bool {
        self.text.valid.from.is_some_and(|from| from > now)
    }
}

/// What is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FactDeed {
    /// A fact is added.
    Add(FactText),
    /// A fact says something else from now on; what it said is still known as what was believed.
    Update {
        /// Which.
        id: FactId,
        /// The hash of what it says now.
        base: Sha256,
        /// What it is to say.
        text: FactText,
    },
    /// A fact is shown nowhere any more, and can be restored for a while (M25).
    Forget {
        /// Which.
        id: FactId,
        /// The hash of what it says now.
        base: Sha256,
    },
    /// A forgotten fact is back.
    Restore {
        /// Which.
        id: FactId,
    },
    /// A fact and all it ever said are gone for good (X10).
    Purge {
        /// Which.
        id: FactId,
    },
    /// A row that cannot be read is gone for good; nothing but its number names it.
    PurgeRow {
        /// Its number.
        number: i64,
    },
    /// Everything that was forgotten before is gone for good (M26).
    Expire {
        /// Forgotten before this moment.
        before: Timestamp,
    },
    /// A fact that waits is settled, against another one or none.
    Settle(Box<Settlement>),
    /// Something is known of the user.
    SetProfile {
        /// Under which key.
        key: ProfileKey,
        /// What, on one line.
        value: String,
    },
    /// It is not known any more.
    UnsetProfile {
        /// Under which key.
        key: ProfileKey,
    },
}

impl FactDeed {
    /// Its word, in the record of who did what and in texts that wait.
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

    /// The fact it is about, where there is one already.
    pub fn about(&self) -> Option<&FactId> {
        match self {
            Self::Update { id, .. } | Self::Forget { id, .. } | Self::Restore { id } | Self::Purge { id } => {
                Some(id)
            }
            Self::Settle(settlement) => Some(&settlement.id),
            _ => None,
        }
    }

    /// What it would say, where it says something.
    pub fn text(&self) -> Option<&FactText> {
        match self {
            Self::Add(text) | Self::Update { text, .. } => Some(text),
            _ => None,
        }
    }

    /// The name under which it waits.
    pub fn name(&self) -> SafeName {
        match (self, self.about()) {
            (_, Some(id)) => fact_name(id.as_str()),
            (Self::SetProfile { .. } | Self::UnsetProfile { .. }, _) => fact_name("profile"),
            _ => fact_name("new"),
        }
    }

    /// Whether something that is shown would be shown no more.
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

    /// Everything of it that checks look at.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Add(text) | Self::Update { text, .. } => text.words(),
            Self::SetProfile { key, value } => format!("{key}: {value}"),
            _ => String::new(),
        }
    }
}
