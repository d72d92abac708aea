//! Ratings of recalled passages by people and tools.
//!
//! A passage is identified by its text in one visible set ([`TextKey`] is salted with it), so a rating survives
//! moves, and sets cannot read each other's ratings. Ratings are stored as sums per passage, so that a search reads
//! one row per passage. Invariants: one outcome counts once per rater, while it is among the last
//! [`OUTCOMES_KEPT_MAX`]; graduation is decided only in the transaction that counts an outcome (X60).

use inwit_model::Sha256;
use jiff::Timestamp;

use super::{MemoryError, PassageKey};
use crate::{SetKey, TextKey};

/// Outcomes kept per passage and rater; of older ones only the sums stay. An agent has one a day (so these are 2.7
/// years), and only a script would repeat an older one.
pub const OUTCOMES_KEPT_MAX: u32 = 1_000;

/// Who says so. The two are never added up without saying it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rater {
    /// The owner, at their own terminal.
    Owner,
    /// An agent or another program.
    Tool,
}

impl Rater {
    /// The word for programs.
    pub fn word(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Tool => "tool",
        }
    }

    /// The rater of that word.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Owner, Self::Tool].into_iter().find(|rater| rater.word() == word)
    }
}

/// Where a rated passage stands, and what names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RatedPassage {
    /// Names what it says in its set.
    pub key: TextKey,
    /// Where it stands, and the hash of its bytes.
    pub passage: PassageKey,
}

/// One word about one passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rating {
    /// The visible set it was recalled in.
    pub set: SetKey,
    /// The passage.
    pub rated: RatedPassage,
    /// Useful, or useless.
    pub useful: bool,
    /// Who says so.
    pub rater: Rater,
    /// What came of it: a session and turn, or a search. The same one again replaces what was said.
    pub outcome: String,
    /// When.
    pub at: Timestamp,
}

/// How often something was useful.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Votes {
    /// Outcomes in which it was.
    pub useful: u64,
    /// All outcomes.
    pub all: u64,
}

/// Everything said of one passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    /// The visible set.
    pub set: SetKey,
    /// The passage, as it stood when it was rated last.
    pub rated: RatedPassage,
    /// By the owner.
    pub owner: Votes,
    /// By tools.
    pub tool: Votes,
    /// Who made it a graduate: the owner alone, or only tools with them.
    pub graduate: Option<Rater>,
    /// The last outcome.
    pub last: Timestamp,
}

impl Tally {
    /// By everybody.
    pub fn both(&self) -> Votes {
        Votes { useful: self.owner.useful + self.tool.useful, all: self.owner.all + self.tool.all }
    }
}

/// What became of a rating.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// It is new.
    New,
    /// Its outcome had been rated otherwise.
    Changed,
    /// Its outcome had been rated so before: nothing changed.
    Again,
}

/// Decides who made a passage a graduate, from everything said of it with this outcome.
pub type Judge<'j> = dyn Fn(&Tally) -> Option<Rater> + 'j;

/// A hit of the last answer of a set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastHit {
    /// The passage.
    pub rated: RatedPassage,
    /// The outcome that it belongs to.
    pub outcome: String,
}

/// Ratings of one agent's passages.
pub trait Feedback {
    /// Counts ratings, all or none, and lets `judge` say after each whether the passage is a graduate.
    fn rate(&self, ratings: &[Rating], judge: &Judge<'_>) -> Result<Vec<(Counted, Tally)>, MemoryError>;

    /// Everything said of the passages of `set`, of all sets where it is `None`; by set and key.
    fn tallies(&self, set: Option<&SetKey>) -> Result<Vec<Tally>, MemoryError>;

    /// Everything said of those of `keys` in `set` of which anything was said, each once.
    fn tallies_of(&self, set: &SetKey, keys: &[TextKey]) -> Result<Vec<Tally>, MemoryError>;

    /// The owner's votes about those of `keys` in `set` that have any, each once. For many keys: it reads no more rows
    /// than there are keys, or than twice those that the owner ever rated, whichever is less.
    fn owner_votes_of(&self, set: &SetKey, keys: &[TextKey]) -> Result<Vec<(TextKey, Votes)>, MemoryError>;

    /// Forgets what was said of these passages of `set`; answers how many ratings.
    fn forget_ratings(&self, set: &SetKey, keys: &[TextKey]) -> Result<u64, MemoryError>;

    /// Keeps the hits of an answer in the place of the last one's, whatever set that was of. Waits for no disk and at
    /// most [`SIGNAL_WAIT_MS_MAX`](super::SIGNAL_WAIT_MS_MAX) for another writer. Errors: `locked`; then nothing changed.
    fn keep_last_answer(&self, set: &SetKey, hits: &[LastHit]) -> Result<(), MemoryError>;

    /// The hits of the last answer, in order; none where it was of another set.
    fn last_answer(&self, set: &SetKey) -> Result<Vec<LastHit>, MemoryError>;
}

/// The default outcome of a search.
pub fn outcome_of_search(query: &str, at: Timestamp) -> String {
    let Sha256(hash) = Sha256::of(query.trim().to_lowercase().as_bytes());
    let short: String = hash[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    format!("search:{}:{short}", at.as_microsecond())
}
