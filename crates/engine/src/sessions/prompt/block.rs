//! Blocks of a prompt, and omissions.

use inwit_model::plural::counted;
use inwit_model::profile::BlockKind;
use inwit_model::{SafeName, Sha256};

use crate::ModelText;

/// The part of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// The stable start of the system prompt.
    Prefix,
    /// Before the user's message (X27).
    UserPrefix,
    /// The end, rebuilt each turn, not part of the prefix hash.
    Tail,
}

impl Part {
    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Self::Prefix => "prefix",
            Self::UserPrefix => "user_prefix",
            Self::Tail => "tail",
        }
    }
}

/// One block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Its kind; `None` for the date line in the tail.
    pub kind: Option<BlockKind>,
    /// Its file; `None` if it has several or none.
    pub source: Option<SafeName>,
    /// Its part.
    pub part: Part,
    /// Who sees the same block: `shared`, `room:…`, or `private` for the owner only.
    pub audience: String,
    /// Heading and content as the model sees them.
    pub text: ModelText,
    /// Shown characters of the content, without heading and mark.
    pub shown_chars: usize,
    /// All characters of the content; for recalled passages, those of the candidates.
    pub total_chars: usize,
    /// Sha256 of the file's bytes, or of the text if there is no file.
    pub source_sha256: Sha256,
    /// The hash of `text`.
    pub sha256: Sha256,
}

impl Block {
    /// Whether it is a daily log at the start of a new session's tail.
    pub fn is_startup_note(&self) -> bool {
        self.kind == Some(BlockKind::Journals) && self.part == Part::Tail
    }

    /// Whether only a part is shown.
    pub fn is_cut(&self) -> bool {
        self.shown_chars < self.total_chars
    }

    /// Characters of the whole block.
    pub fn chars(&self) -> usize {
        self.text.chars().count()
    }
}

/// A block that was omitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Omission {
    /// Its kind.
    pub kind: BlockKind,
    /// Its file, if any.
    pub source: Option<SafeName>,
    /// Why.
    pub reason: Reason,
    /// Number of omitted characters, if known.
    pub chars: Option<usize>,
}

/// Why something was omitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// This scope never sees it.
    NotForScope,
    /// The workspace is set up, so its first-run page is omitted.
    SetUp,
    /// The workspace lacks it, though the profile seeds it.
    Missing,
    /// It is blank.
    Empty,
    /// It could not be read; the sentence gives the error.
    Unreadable(String),
    /// It exceeds the profile's file limit, and the profile omits such files (X1).
    OverFileLimit,
    /// Earlier blocks used the total budget.
    OverTotalLimit,
    /// Newer startup notes used the budget.
    OverStartupLimit,
    /// Even the names of this many skills do not fit.
    OverSkillsLimit(usize),
    /// It is not UTF-8 text.
    NotText,
    /// Its value at that time is unknown: it was set since.
    SetSince(String),
    /// This many more exist than a prompt holds, or at least this many.
    OverCount {
        /// The number counted.
        more: usize,
        /// Whether the count is complete.
        is_all: bool,
    },
    /// The confidence of methods at a past time is not stored: this many active ones are omitted.
    MethodsNotKept(usize),
    /// This many more active methods exist than fit.
    MethodsOver(usize),
    /// A workspace file replaces the host's text (R22).
    FileInstead,
    /// This profile recalls only with an embedding model, and none is configured (R24, R33).
    NoModel,
    /// The notes have no close match.
    NothingNear,
    /// This many matching passages are in the prompt already.
    AlreadyShown(usize),
    /// This many more matching passages exceeded the limit of characters or passages, or at least this many.
    OverRecalledLimit {
        /// The number among the candidates.
        more: usize,
        /// Whether the count is complete.
        is_all: bool,
    },
}

impl Reason {
    /// Stable name, for programs.
    pub fn word(&self) -> &'static str {
        match self {
            Self::NotForScope => "not_for_scope",
            Self::SetUp => "set_up",
            Self::Missing => "missing",
            Self::Empty => "empty",
            Self::Unreadable(_) => "unreadable",
            Self::OverFileLimit => "over_file_limit",
            Self::OverTotalLimit => "over_total_limit",
            Self::OverStartupLimit => "over_startup_limit",
            Self::OverSkillsLimit(_) => "over_skills_limit",
            Self::NotText => "not_text",
            Self::SetSince(_) => "set_since",
            Self::OverCount { .. } => "over_count",
            Self::MethodsNotKept(_) => "methods_not_kept",
            Self::MethodsOver(_) => "methods_over",
            Self::FileInstead => "file_instead",
            Self::NoModel => "no_model",
            Self::NothingNear => "nothing_near",
            Self::AlreadyShown(_) => "already_shown",
            Self::OverRecalledLimit { .. } => "over_recalled_limit",
        }
    }

    /// One sentence, for people.
    pub fn sentence(&self) -> String {
        match self {
            Self::NotForScope => "This scope never sees it.".into(),
            Self::SetUp => "The workspace is set up, so the first-run page is not shown.".into(),
            Self::Missing => "It does not exist.".into(),
            Self::Empty => "It is empty.".into(),
            Self::Unreadable(why) => why.clone(),
            Self::OverFileLimit => {
                "It is larger than the limit for one file, and this profile leaves such files out.".into()
            }
            Self::OverTotalLimit => "The blocks before it used all available space.".into(),
            Self::OverStartupLimit => "Newer logs used the space for startup notes. Search finds it.".into(),
            Self::OverSkillsLimit(count) => {
                format!("The list of skills has no space for {}.", counted(count, "skill"))
            }
            Self::NotText => "It is not UTF-8 text.".into(),
            Self::SetSince(keys) => {
                format!(
                    "The values of these profile keys at that time are unknown, because they were set \
                     later: {keys}."
                )
            }
            Self::OverCount { more, is_all } => {
                let at_least = if *is_all { "" } else { "At least " };
                format!("{at_least}{more} more exist; they changed earlier, or they have ended.")
            }
            Self::MethodsNotKept(count) => {
                format!("It is unknown which methods had graduated then; {count} have graduated by now.")
            }
            Self::MethodsOver(more) => {
                format!(
                    "{} graduated, with a weaker record than those that are shown.",
                    counted(more, "more method")
                )
            }
            Self::FileInstead => "A file of the workspace replaces it.".into(),
            Self::NoModel => {
                "This profile recalls passages only with an embedding model, and none is set up.".into()
            }
            Self::NothingNear => "No close match in the notes.".into(),
            Self::AlreadyShown(count) => {
                format!("Already in the prompt: {} about the question.", counted(count, "passage"))
            }
            Self::OverRecalledLimit { more: 0, .. } => {
                "More passages about the question may exist than were examined.".into()
            }
            Self::OverRecalledLimit { more, is_all } => {
                let at_least = if *is_all { "" } else { "At least " };
                format!(
                    "{at_least}{} about the question did not fit into the limit for recalled text.",
                    counted(more, "more passage")
                )
            }
        }
    }
}
