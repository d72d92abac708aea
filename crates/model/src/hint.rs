//! Ids of hints; each interface has its own text for them.
//!
//! A terminal shows a command; a model gets a tool, or a sentence that refers it to the owner. Invariant: texts here
//! and in [`crate::code::CODES`] name no command.

use crate::Code;

/// Longest hint of any interface, in bytes of JSON without quotes: `memory_rows_clash` at a terminal. Answers with a
/// size limit reserve this much for each hint.
pub const HINT_BYTES_MAX: usize = 264;

macro_rules! hints {
    ($($name:ident)*) => {
        /// Id of a hint.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "the interfaces have the words")]
        pub enum Hint {
            /// The hint of this error code.
            Of(Code),
            /// One text for all interfaces.
            Words(&'static str),
            $($name),*
        }

        /// Every hint, except those of codes, that each interface words itself.
        pub const HINTS: &[Hint] = &[$(Hint::$name),*];
    };
}

hints! {
    AcceptMasked
    AskDoctor
    BackupHolds
    CheckEditDraft
    CheckEnvironmentUnread
    CheckFactMeddled
    CheckFactStaysRetired
    CheckFactUnread
    CheckForgettingUnfinished
    CheckHiddenText
    CheckHistoryBroken
    CheckIndexFailed
    CheckMemoryDamaged
    CheckMemoryGone
    CheckMemoryIndexStale
    CheckMemoryRowsClash
    CheckMethodMeddled
    CheckModelUnusable
    CheckRestoreStaged
    CheckSteeringText
    CheckVectorsLost
    CheckVectorsSlow
    CheckVectorsWaiting
    CheckWaiting
    CheckLanguageModel
    CheckReranker
    ConsolidateNow
    EditLogFirst
    EditProposal
    EditSettings
    Embed
    EmbedAnew
    EndThere
    ExamineHome
    FetchModel
    FindSetting
    FinishForgettingOnceRepaired
    ForgetInHistory
    ForgetOnceMore
    GraduateLater
    InstallAgain
    KeepLogs
    ListFacts
    ListHistory
    ListUnread
    LookAtDream
    LookWhatCame
    MakeRoom
    MendFacts
    NameAgent
    NameBackup
    OpenOpenclaw
    PruneUndreamed
    PurgeUnread
    ReadProfile
    ReadTranscript
    ReindexFacts
    RemoveSetting
    RepairSetting
    ReplaceFile
    RestoreAndEndFact
    RestoreFact
    RestoreWithout
    SeeWhatIsWrong
    SetTimezone
    ShowAudit
    ShowInbox
    ShowSettlements
    SoulHistory
    TakePackage
    VerifyAudit
    WhyNoMeaning
}

/// The hints of an interface: a row for each hint, and one for each code without a common text. A missing hint does
/// not compile; a missing code gets the text of `_`.
#[macro_export]
macro_rules! hint_words {
    (
        $(#[$doc:meta])* $see:vis fn $said:ident
        hints { $($($hint:ident)|+ => $words:expr,)+ }
        codes { $($($code:ident)|+ => $of:expr,)+ _ => $none:expr, }
    ) => {
        $(#[$doc])*
        $see fn $said(hint: $crate::Hint) -> &'static str {
            match hint {
                $crate::Hint::Of(code) => code.spec().words.unwrap_or_else(|| of(code)),
                $crate::Hint::Words(words) => words,
                $($($crate::Hint::$hint)|+ => $words,)+
            }
        }

        fn of(code: $crate::Code) -> &'static str {
            match code {
                $($($crate::Code::$code)|+ => $of,)+
                _ => $none,
            }
        }
    };
}

impl Hint {
    /// The text for all interfaces; `None` if each has its own.
    pub fn words(self) -> Option<&'static str> {
        match self {
            Self::Of(code) => code.spec().words,
            Self::Words(words) => Some(words),
            _ => None,
        }
    }
}

impl From<Code> for Hint {
    fn from(code: Code) -> Self {
        Self::Of(code)
    }
}

impl From<&'static str> for Hint {
    fn from(words: &'static str) -> Self {
        Self::Words(words)
    }
}

/// A hint for one case: by id, or as text with details of the case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Advice {
    /// The interface provides the text.
    Id(Hint),
    /// The text itself.
    Said(String),
}

impl Advice {
    /// The text, where `say` gives the interface's text of an id.
    pub fn said(&self, say: fn(Hint) -> &'static str) -> &str {
        match self {
            Self::Id(hint) => say(*hint),
            Self::Said(words) => words,
        }
    }
}

impl From<Hint> for Advice {
    fn from(hint: Hint) -> Self {
        Self::Id(hint)
    }
}

impl From<&str> for Advice {
    fn from(words: &str) -> Self {
        Self::Said(words.to_owned())
    }
}

impl From<String> for Advice {
    fn from(words: String) -> Self {
        Self::Said(words)
    }
}
