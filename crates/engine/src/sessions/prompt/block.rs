//! A block of a prompt, and what stands for one that is missing.

use inwit_model::profile::BlockKind;
use inwit_model::{SafeName, Sha256};

use crate::ModelText;

/// Where a block goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// The stable start of the system prompt.
    Prefix,
    /// Before the user's message (X27).
    UserPrefix,
    /// The live end, rebuilt each turn, outside the hash of the prefix.
    Tail,
}

impl Part {
    /// Its name for people and programs.
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
    /// What it is; `None` for the tail's line of the day, which no file holds.
    pub kind: Option<BlockKind>,
    /// The file it comes from; `None` when it is made of several or of none.
    pub source: Option<SafeName>,
    /// Where it goes.
    pub part: Part,
    /// Who is told the same: `shared`, `room:…`, or `private` for the owner's own prompts alone.
    pub audience: String,
    /// Heading and content as the model reads them.
    pub text: ModelText,
    /// Characters of the content that are shown, without heading and mark.
    pub shown_chars: usize,
    /// Characters of the content there are; of what a question brought, those of the passages that were looked at.
    pub total_chars: usize,
    /// The hash of the file's bytes, or of the text where there is no file.
    pub source_sha256: Sha256,
    /// The hash of `text`.
    pub sha256: Sha256,
}

impl Block {
    /// Whether it is a daily log that opens the tail of a new session.
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

/// Something that would have been a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Omission {
    /// What it would have been.
    pub kind: BlockKind,
    /// The file, where one is meant.
    pub source: Option<SafeName>,
    /// Why it is not there.
    pub reason: Reason,
    /// Characters that were left out, where they are known.
    pub chars: Option<usize>,
}

/// Why something was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// This scope never sees it, whether it is there or not.
    NotForScope,
    /// The workspace is set up, so its first-run page is not shown.
    SetUp,
    /// The workspace does not have it, though the profile begins with it.
    Missing,
    /// It holds nothing but blanks.
    Empty,
    /// It could not be read; the sentence says why.
    Unreadable(String),
    /// It is larger than the profile loads, and the profile leaves such files out (X1).
    OverFileLimit,
    /// The blocks before it took the room.
    OverTotalLimit,
    /// The room for startup notes went to newer ones.
    OverStartupLimit,
    /// Not even the names of so many skills have room.
    OverSkillsLimit(usize),
    /// It is not UTF-8 text.
    NotText,
    /// Nobody knows what it said then: it was set since.
    SetSince(String),
    /// So many more are kept than a prompt holds, or at least so many.
    OverCount {
        /// How many were counted.
        more: usize,
        /// There are no others.
        is_all: bool,
    },
    /// How sure methods were at another moment is not kept: those that graduated are left out.
    MethodsNotKept(usize),
    /// So many more methods graduated than the block holds or has room for.
    MethodsOver(usize),
    /// A file of the workspace takes the place of what the host says (R22).
    FileInstead,
    /// This profile recalls only where a model of meaning is configured, and none is (R24, R33).
    NoModel,
    /// The notes have nothing about the question.
    NothingNear,
    /// So many passages about the question stand in the prompt already.
    AlreadyShown(usize),
    /// So many more passages about the question were over the limit of characters or passages, or at least so many.
    OverRecalledLimit {
        /// How many of those that were looked at.
        more: usize,
        /// There are no others.
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
            Self::OverSkillsLimit(count) => format!("The list of skills has no space for {count} skill(s)."),
            Self::NotText => "It is not UTF-8 text.".into(),
            Self::SetSince(keys) => {
                format!(
                    "The values of these profile keys at that time are unknown, because they were set \
                     later: {keys}."
                )
            }
            Self::OverCount { more, is_all } => {
                let at_least = if *is_all { "" } else { "At least " };
                format!("{at_least}{more} more exist; they changed earlier than those that are shown.")
            }
            Self::MethodsNotKept(count) => {
                format!("It is unknown which methods had graduated then; {count} have graduated by now.")
            }
            Self::MethodsOver(more) => {
                format!("{more} more method(s) graduated, with a weaker record than those that are shown.")
            }
            Self::FileInstead => "A file of the workspace replaces it.".into(),
            Self::NoModel => {
                "This profile recalls passages only with an embedding model, and none is set up.".into()
            }
            Self::NothingNear => "No close match in the notes.".into(),
            Self::AlreadyShown(count) => {
                format!("{count} passage(s) about the question are already in the prompt.")
            }
            Self::OverRecalledLimit { more: 0, .. } => {
                "More passages about the question may exist than were examined.".into()
            }
            Self::OverRecalledLimit { more, is_all } => {
                let at_least = if *is_all { "" } else { "At least " };
                format!(
                    "{at_least}{more} more passage(s) about the question exceed the limit for recalled text."
                )
            }
        }
    }
}
