//! Facts and the user profile, as rows with two time axes: validity and belief.
//!
//! A fact keeps its id while its text changes; earlier texts are kept with the time they were believed. Invariants:
//! every write was approved by the gate and writes its audit row in the same transaction; a forgotten fact is only in
//! answers that ask for forgotten ones (M27); facts are ordered by their changes, whatever the clock did.

use std::fmt;

use inwit_gate::{Approved, FactChange, FactText, StandingFact};
use inwit_model::fact::{Span, When};
use inwit_model::{FactId, FactSource, FactStatus, ProfileKey, Sha256};
use jiff::Timestamp;

use super::MemoryError;

/// Longest question of [`Facts::search_facts`] that is read as a search expression, in bytes; a longer one is
/// looked up by its words.
pub const FACT_EXPRESSION_BYTES_MAX: usize = 4 * 1024;

/// Most different words of a question that are looked up, the first ones.
pub const FACT_QUERY_WORDS_MAX: usize = 64;

/// Longest question that is looked up as it stands, in characters.
pub const FACT_PHRASE_CHARS_MAX: usize = 1_000;

/// Most facts that one question ranks by how well they answer: those that hold its rarer words, or else the latest
/// written. A word of every fact says nothing, and would cost as much as all of them.
pub const FACT_RANKED_ROWS_MAX: usize = 1_000;

/// Rows that are looked at beyond those that are wanted where some words are not shown: so many may answer by hidden
/// words alone without taking another's place.
pub const FACT_HIDDEN_ROWS_MAX: usize = 64;

/// Most words that more facts hold than are ranked which still count in the order of those that are, the rarest.
pub const FACT_COMMON_WORDS_MAX: usize = 3;

/// Most facts that hold such a word; one that more hold says next to nothing, and counting them costs.
pub const FACT_COMMON_ROWS_MAX: usize = 4_000;

/// Most facts that are all read where letters are looked for; of more, those that may hold them are looked up.
pub const FACT_LETTERS_READ_MAX: usize = 1_000;

/// Most words of the full text by which the rows that hold some letters are looked up; where more hold them, these
/// letters are no help.
pub const FACT_LETTERS_WORDS_MAX: usize = 500;

/// Most rows that are looked up so; where more may hold the letters, all are read.
pub const FACT_LETTERS_ROWS_MAX: usize = 10_000;

/// The facts of one agent.
pub trait Facts {
    /// Carries out what the gate approved, at `at`; a new fact is called `id`. A fact of the same category and
    /// words is not added twice, nor is what a proposal was carried out for already; what a machine recorded and the
    /// owner says too becomes the owner's. Errors: `fact_unknown`,
    /// `stale` where the fact moved since it was judged, `fact_known` where another one says already what it is to say,
    /// `audit_unwritable`.
    fn write_fact(
        &self,
        approved: &Approved<FactChange>,
        id: &FactId,
        at: Timestamp,
    ) -> Result<FactWritten, MemoryError>;

    /// Destroys facts approved by the gate, all or none, in one transaction that rebuilds the full-text tables once.
    /// Missing ones are skipped; returns the number destroyed. Errors: as of [`write_fact`](Self::write_fact);
    /// `usage_bad` for a change that is not a purge.
    fn purge_facts(&self, approved: &[Approved<FactChange>], at: Timestamp) -> Result<u64, MemoryError>;

    /// One fact as it stands, also a forgotten one. `None`: there is none.
    fn fact(&self, id: &FactId) -> Result<Option<Fact>, MemoryError>;

    /// Ids of facts, forgotten ones too, by their number or by the beginning or end of their id, oldest first.
    fn find_facts(&self, part: &str) -> Result<Vec<FactId>, MemoryError>;

    /// Facts that fit, the last changed first.
    fn facts(&self, filter: &FactFilter) -> Result<Vec<Fact>, MemoryError>;

    /// What the facts that stand say, the last changed first, each with its id; `limit` of them. For who reads all of them
    /// before each answer.
    fn contents(&self, limit: usize) -> Result<Vec<(FactId, String)>, MemoryError>;

    /// Facts that answer a question, best first: as an expression, then by its words, then by its letters as they stand
    /// (M46, X46). An expression is made of words, `"phrases"`, `begin*`, `category:word`, `AND`, `OR`, `NOT` and
    /// parentheses; a backend may read more, and what it does not read is looked up by its words. No question is an error.
    fn search_facts(&self, query: &str, when: &When, limit: usize) -> Result<FactsFound, MemoryError> {
        self.search_facts_shown(query, when, limit, None)
    }

    /// The same for a reader to whom some facts are shown masked: such a fact matches by its shown text only, and
    /// follows the others found the same way, so that neither results nor order reveal hidden text.
    fn search_facts_shown(
        &self,
        query: &str,
        when: &When,
        limit: usize,
        shown: Option<&ShownOf<'_>>,
    ) -> Result<FactsFound, MemoryError>;

    /// How many facts there are, the forgotten ones apart, counted up to `most`.
    fn fact_count(&self, most: u64) -> Result<u64, MemoryError>;

    /// How many facts were forgotten before `before`.
    fn forgotten_count(&self, before: Timestamp) -> Result<u64, MemoryError>;

    /// What is known of the user, in order of the keys.
    fn user_profile(&self) -> Result<Vec<ProfileEntry>, MemoryError>;

    /// Unreadable rows, into which another program wrote invalid ids or times; no other answer has them. Facts by
    /// number, then profile entries.
    fn unread_rows(&self) -> Result<Vec<Unread>, MemoryError>;
}

/// A row that cannot be read, and the first column that stands in the way.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unread {
    /// A fact.
    Fact {
        /// Its number.
        number: i64,
        /// The column.
        column: &'static str,
    },
    /// Something that a fact said before.
    Before {
        /// The number of the fact.
        number: i64,
        /// The column.
        column: &'static str,
    },
    /// Something that is known of the user.
    Profile {
        /// Its key.
        key: ProfileKey,
        /// The column.
        column: &'static str,
    },
}

impl Unread {
    /// The number of the fact, where a fact cannot be read as it stands.
    pub fn number(&self) -> Option<i64> {
        match self {
            Self::Fact { number, .. } => Some(*number),
            Self::Before { .. } | Self::Profile { .. } => None,
        }
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fact { number, column } => write!(out, "fact {number} (`{column}`)"),
            Self::Before { number, column } => write!(out, "the earlier text of fact {number} (`{column}`)"),
            Self::Profile { key, column } => write!(out, "`{key}` of the user profile (`{column}`)"),
        }
    }
}

/// What is shown of a fact; `None` where it is shown as it stands.
pub type ShownOf<'a> = dyn Fn(&Fact) -> Option<FactText> + 'a;

/// Which facts.
#[derive(Debug, Clone, Default)]
pub struct FactFilter {
    /// Of this category.
    pub category: Option<String>,
    /// At these moments.
    pub when: When,
    /// Those that were forgotten and can be restored, instead of the others.
    pub forgotten: bool,
    /// Those too for which another fact stands now.
    pub retired: bool,
    /// At most so many.
    pub limit: usize,
}

/// A fact as it is kept, or as it was believed; moments to the millisecond.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// Its number, which other tools call its id.
    pub number: i64,
    /// Its name.
    pub id: FactId,
    /// What it says.
    pub text: FactText,
    /// Where it comes from.
    pub source: FactSource,
    /// When it was first written.
    pub created: Timestamp,
    /// When it last changed.
    pub updated: Timestamp,
    /// When it was forgotten.
    pub forgotten: Option<Timestamp>,
    /// Since when it holds, where it says nothing of that: until then another fact held that gave way to it.
    pub held_from: Option<Timestamp>,
    /// Since when it is believed to say this.
    pub believed_from: Timestamp,
    /// Until when it was.
    pub believed_to: Option<Timestamp>,
    /// The number of its last change over all facts.
    pub changed: i64,
    /// In which state it is.
    pub status: FactStatus,
    /// What stands in its place, where it is retired.
    pub retirement: Option<Retirement>,
    /// The hash of what inwit wrote last of it, [`FactText::said`]; `None` for what it said before.
    pub said: Option<Sha256>,
}

/// How a fact was retired.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retirement {
    /// When.
    pub at: Timestamp,
    /// For which fact; `None` where that is gone for good.
    pub by: Option<FactId>,
    /// The moment at which it held no more, where it held until the other one did.
    pub held_to: Option<Timestamp>,
}

impl Fact {
    /// Whether category, text and period are as the gate approved them, unchanged by other programs.
    pub fn is_as_written(&self) -> bool {
        self.said.as_ref() == Some(&self.text.said())
    }

    /// Since when it holds, by its own word or since another one gave way to it; `None`: since ever.
    pub fn holds_from(&self) -> Option<Timestamp> {
        self.text.valid.from.or(self.held_from)
    }

    /// When it holds, as far as that is known: by its own word, and by what was decided where another gave way to it or
    /// it to another. Of an end that is stated and one that was decided the first. A fact as it was believed has what
    /// was decided by then.
    pub fn known_span(&self) -> Span {
        let decided = self.retirement.as_ref().and_then(|retirement| retirement.held_to);
        let to = [self.text.valid.to, decided].into_iter().flatten().min();
        Span { from: self.holds_from(), to }
    }

    /// The fact as the gate looks at it.
    pub fn standing(&self) -> StandingFact {
        StandingFact {
            text: self.text.clone(),
            source: self.source,
            is_forgotten: self.forgotten.is_some(),
            is_retired: self.status == FactStatus::Retired,
            changed: self.changed,
            since: self.text.valid.from.unwrap_or(self.created),
        }
    }
}

/// What a write did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FactWritten {
    /// The fact that was written, as it stands now.
    Fact(Box<Fact>),
    /// The fact that says it already.
    Unchanged(Box<Fact>),
    /// This fact is gone for good.
    Purged(FactId),
    /// The row of this number, which could not be read, is gone for good.
    PurgedRow(i64),
    /// So many that were forgotten are gone for good.
    Expired(u64),
    /// What is known of the user changed; `false`: it was so already.
    Profile(bool),
}

/// Facts that answer a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactsFound {
    /// The facts, best first.
    pub facts: Vec<Fact>,
    /// How they were found.
    pub by: FoundBy,
    /// Not all words of the question were looked up: there were too many.
    pub is_cut: bool,
    /// Of the question as it stands only the first [`FACT_PHRASE_CHARS_MAX`] characters were looked up.
    pub is_phrase_cut: bool,
    /// Not all facts that match were ranked: more than [`FACT_RANKED_ROWS_MAX`] do.
    pub is_part: bool,
    /// The full-text index failed, so facts were scanned by characters; `doctor` repairs it.
    pub is_by_rows: bool,
}

/// How facts were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoundBy {
    /// As an expression, see [`Facts::search_facts`].
    Expression,
    /// By its words, each of them quoted.
    Words,
    /// By its letters as they stand.
    Letters,
}

impl FoundBy {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Expression => "expression",
            Self::Words => "words",
            Self::Letters => "letters",
        }
    }
}

/// One thing that is known of the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileEntry {
    /// Its key.
    pub key: ProfileKey,
    /// What is known, on one line.
    pub value: String,
    /// When it was last set.
    pub updated: Timestamp,
}
