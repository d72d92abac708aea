//! Hints in the words for a model: a tool where there is one, else what its owner can do.
//!
//! Invariant: what only a person can do says so, and no answer sends a model to a terminal.

use inwit_wire::tools::answer::{self, Shaped};
use serde_json::Value;

/// What only the owner can look into.
const OWNER: &str =
    "Only the owner can mend this: tell them what the message says, and that `inwit doctor` says more.";

/// Words of nobody: a hint always has some.
const NONE: &str = "Tell the owner what the message says.";

inwit_model::hint_words! {
    /// A hint for a model.
    pub(crate) fn said
    hints {
        AcceptMasked => "Only the owner can say that it may be shown: `inwit accept FILE`.",
        ChooseDreamEngine => "Only the owner chooses what dreams: `inwit config set dream.engines recall` names what can run.",
        ConsolidateNow => "The end of the next session goes on; the owner's `inwit facts consolidate` looks at them now.",
        EditLogFirst => "Only the owner can take it out, first of the log and then of that list: `inwit dream why` names the passage.",
        EditProposal => "Only the owner can put it into what waits: `inwit inbox edit ID`.",
        Embed => "Search finds them by their words; the owner's `inwit index embed` gives them one.",
        EmbedAnew => "Search answers by words until the owner makes them anew: `inwit index embed`.",
        EndThere => "Only the owner can mend that, and then end it there: `inwit session end`.",
        FindSetting => "Only the owner can take it out of the setting: `inwit config get KEY` shows it to them.",
        GraduateLater => "It is in no prompt now. Its record goes on with the decisions that name it; the owner's `inwit learn methods graduate N` brings it back once that is enough.",
        KeepLogs => "History has them. Only the owner can have every log kept: `inwit config set journal.retention_days 0`.",
        ListFacts => "`memory_search` finds what is left out.",
        ListHistory => "Ask for a later moment; the owner's `inwit history log` lists what is recorded.",
        ListUnread => "Only the owner can have them read: `inwit doctor` lists every file and folder with its reason.",
        LookAtDream => "The owner's `inwit dream log` shows what.",
        LookWhatCame => "Nothing was written again. The owner's `inwit history log` and `inwit inbox` show what came of it.",
        MakeRoom => "Only the owner can free some space or make the home of inwit writable: `inwit doctor` says more.",
        MendFacts => "Only the owner mends facts: `inwit facts read` shows them one as it stands.",
        PruneUndreamed => "A dream that reads them lets them go: the owner's `inwit dream log` lists the passes.",
        PurgeUnread => "Only the owner takes away what cannot be read: `inwit facts purge N`, or `inwit facts profile unset KEY`.",
        ReadProfile => "The owner's `inwit facts profile` shows what it says now.",
        ReadTranscript => "`session_logs` has what was said, where transcripts are kept.",
        ReindexFacts => "No fact is lost. Only the owner can make it anew: `inwit doctor --fix --apply --only reindex`.",
        RestoreAndEndFact => "Only the owner brings a fact back and says when it ended: `inwit facts restore N`.",
        RestoreFact => "Only the owner brings a fact back: `inwit facts restore N`.",
        ShowInbox => "Only the owner decides it: `inwit inbox` shows it to them.",
        ShowSettlements => "The owner's `inwit facts decisions` shows which and why.",
        SoulHistory => "The owner's `inwit history log SOUL.md` shows what was changed, and by whom.",
        VerifyAudit => "The notes and facts are not affected. Only the owner can look through it: `inwit history audit verify`.",
        WhyNoMeaning => "The owner's `inwit doctor` says why.",
        AskDoctor | BackupHolds | CheckEditDraft | CheckEnvironmentUnread | CheckFactMeddled
        | CheckFactStaysRetired | CheckFactUnread | CheckForgettingUnfinished | CheckHiddenText
        | CheckHistoryBroken | CheckIndexFailed | CheckMemoryDamaged | CheckMemoryGone
        | CheckMemoryIndexStale | CheckMemoryRowsClash | CheckMethodMeddled | CheckModelUnusable
        | CheckRestoreStaged | CheckSteeringText | CheckVectorsLost | CheckVectorsSlow
        | CheckVectorsWaiting | CheckWaiting | EditSettings | ExamineHome | FetchModel
        | FinishForgettingOnceRepaired | ForgetInHistory | ForgetOnceMore | InstallAgain | NameAgent
        | NameBackup | OpenOpenclaw | RemoveSetting | RepairSetting | ReplaceFile | RestoreWithout
        | SeeWhatIsWrong | SetTimezone | ShowAudit | TakePackage => OWNER,
    }
    codes {
        UsageBad => "Mend what the message names and call the tool again; its description says what each argument takes.",
        NameRefused => "Name a file of the workspace as `memory_search` cites it, such as MEMORY.md or memory/2026-11-21.md.",
        FileMissing => "`memory_search` cites the files that are there.",
        FeedbackMissing => "Name a result as `memory_search` cites it.",
        QueryBad => "Ask with a few words, such as: which bread does she like.",
        SessionIdBad | SessionMissing => "`session_logs` with action list_sessions shows the sessions that there are.",
        TranscriptsOff => "Only the owner can turn them on: `inwit config set transcripts.enabled true`.",
        IndexUnavailable => "The notes are untouched. Only the owner can make the index anew: `inwit index rebuild`.",
        VectorsUnavailable | EmbeddingFailed | ProviderUnanswered => "Search answers by words meanwhile. Only the owner can mend it: `inwit doctor` says more.",
        ModelMissing | ModelDamaged | ModelUnfetched => "Search answers by words until the owner installs the model: `inwit index model install`.",
        PolicyRefused => "Only the owner can do this, in an editor or at a terminal: tell them what you would change.",
        RuleRefused => "A rule of the owner blocks this; do not try another way round it.",
        SecretRefused => "Leave the secret out and write where it is kept instead.",
        ForgottenText => "The owner forgot these words for good; do not write them again.",
        ProposalUnknown | ProposalClosed | ConfirmationMissing => "Only the owner decides what waits: `inwit inbox` shows it to them.",
        ProposalsTooMany => "Ask the owner to decide what waits first: `inwit inbox` shows it to them.",
        RoomUnknown => "The room has no notes yet.",
        FactUnknown => "`memory_search` finds the facts that there are.",
        FactKnown => "Nothing was changed: a fact says it already.",
        FactUnread => "Only the owner can mend it or take it away: `inwit facts purge N`, by its number.",
        LearningUnknown => "Only the owner sees all that is learnt: `inwit learn methods list` and `inwit learn decisions list` show it to them.",
        OutcomeKnown => "Nothing was counted: an outcome counts once, and a decision has one.",
        StepRefused => "Nothing was changed. Only the owner moves what is learnt: `inwit learn methods list` shows where each of them stands.",
        RecordTooShort => "Nothing was changed. More outcomes of decisions that name it make its record long enough.",
        MemoryIndexStale => "Nothing was changed and no row is lost. Only the owner can make the index anew: `inwit doctor --fix --apply --only reindex`.",
        EntityUnknown => "`memory_search` finds the facts that name it by their words.",
        HistoryUnavailable => "The files of now can be read as before. Only the owner can turn history on: `inwit config set history.location beside`.",
        RevisionUnknown | NotRecorded | BytesLost | ReceiptUnknown => "The files of now can be read as before. Only the owner can look through the history: `inwit history log`.",
        SessionUnknown | SessionEnded => "Only the host can begin a session.",
        NoAgent | AgentUnknown | AgentExists | WorkspaceMissing | FileUnreadable | SettingBad
        | SettingUnknown | SetupFailed | MemoryUnavailable | MemoryForeign | MemoryRowsClash
        | HistoryFailed => OWNER,
        _ => NONE,
    }
}

/// An answer as JSON, its hints for a model.
pub(crate) fn value(answer: &impl Shaped) -> Value {
    answer::value(answer, said)
}

#[cfg(test)]
mod tests {
    use inwit_model::Hint;
    use inwit_model::code::CODES;
    use inwit_model::hint::{HINT_BYTES_MAX, HINTS};
    use inwit_wire::tools;

    use super::*;

    /// A command stands only where the owner is named, and a tool only where there is one.
    #[test]
    fn a_model_is_sent_to_tools_and_its_owner_to_commands() {
        let has_tool = |word: &str| tools::all().any(|tool| tool.name == word);
        let of_codes = CODES.iter().map(|row| Hint::Of(row.code));
        for hint in of_codes.chain(HINTS.iter().copied()) {
            let words = said(hint);
            let bytes = serde_json::to_string(words).expect("text").len() - 2;
            assert!(words.ends_with('.') && bytes <= HINT_BYTES_MAX, "{hint:?}: {bytes} bytes: {words}");
            assert!(!words.contains("inwit ") || words.contains("owner"), "{hint:?}: {words}");
            assert!(!words.contains("`--"), "{hint:?}: {words}");
            let is_own = hint.words().is_none();
            for word in words.split('`').skip(1).step_by(2).filter(|word| is_own && !word.contains(' ')) {
                assert!(has_tool(word), "{hint:?}: {word}");
            }
        }
    }

    #[test]
    fn every_code_is_said_in_words_of_its_own_or_is_the_owners() {
        for row in CODES {
            let is_here = of(row.code) != NONE;
            assert_eq!(is_here, row.words.is_none(), "{}: in no place, or in two", row.name);
        }
    }
}
