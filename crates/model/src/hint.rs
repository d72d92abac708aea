//! What can be done about something, as an id: each interface says it in its own words.
//!
//! A person at a terminal gets a command, a model gets a tool or what only its owner can do. Invariant: words that stand here
//! or in [`crate::code::CODES`] name no command.

use crate::Code;

/// Longest words in which an interface says a hint, in bytes of JSON without quotes: those of `memory_rows_clash` at a
/// terminal. Answers that have to fit leave as much room for each hint.
pub const HINT_BYTES_MAX: usize = 264;

macro_rules! hints {
    ($($name:ident)*) => {
        /// Names what can be done.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "the interfaces have the words")]
        pub enum Hint {
            /// What a failure of this kind asks for.
            Of(Code),
            /// The same words for everybody.
            Words(&'static str),
            $($name),*
        }

        /// Every hint that interfaces have words of their own for, beside those of codes.
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
    ChooseDreamEngine
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

/// The words of an interface: a row for each hint, and one for each code that has no words for everybody. A hint without a
/// row does not compile; a code without one is said in the words of `_`.
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
    /// The words that are the same for everybody; `None`: each interface has its own.
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

/// What can be done in one case: what is always done, or words that name something of this case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Advice {
    /// To be said by the interface.
    Id(Hint),
    /// Said already.
    Said(String),
}

impl Advice {
    /// It, where `say` has the words of an interface.
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
