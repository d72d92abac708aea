//! Hints for a model: a tool if there is one, else what its owner can do.
//!
//! Invariant: a step that only a person can do says so, and no answer asks a model to use a terminal.

use inwit_wire::tools::answer::{self, Shaped};
use serde_json::Value;

/// What only the owner can check.
const OWNER: &str =
    "Only the owner can repair this. Show the owner this message, and ask the owner to run `inwit doctor`.";

/// The default hint.
const NONE: &str = "Show the owner this message.";

inwit_model::hint_words! {
    /// A hint for a model.
    pub(crate) fn said
    hints {
        AcceptMasked => "Ask the owner to run `inwit accept FILE` if you may see the text.",
        ConsolidateNow => "The end of the next session continues. The owner can run `inwit facts consolidate` to compare them now.",
        EditLogFirst => "Ask the owner to edit the log first, then remove its entry from the quarantine list. `inwit dream why` names the passage.",
        EditProposal => "Ask the owner to add it to the pending proposal with `inwit inbox edit ID`.",
        Embed => "Search finds them by words. Ask the owner to run `inwit index embed` to create their vectors.",
        EmbedAnew => "Search uses words only until the owner runs `inwit index embed`.",
        EndThere => "Ask the owner to repair that, then to run `inwit session end` there.",
        FindSetting => "Ask the owner to remove it from the setting. `inwit config get KEY` shows the setting.",
        GraduateLater => "It is no longer in any prompt. Decisions that name it still add to its record. When the record is long enough, the owner can run `inwit learn methods graduate N`.",
        KeepLogs => "They remain in the history. To keep every log, the owner can run `inwit config set journal.retention_days 0`.",
        ListFacts => "Call `memory_search` to find what was left out.",
        ListHistory => "Ask about a later time. The owner can run `inwit history log` to list the recorded revisions.",
        ListUnread => "Ask the owner to run `inwit doctor`. It lists every unread file and folder with the reason.",
        LookAtDream => "The owner can run `inwit dream log` to see the changes.",
        LookWhatCame => "Nothing was written again. The owner can run `inwit history log` and `inwit inbox` to see what the first call did.",
        MakeRoom => "Ask the owner to free some space or to make the inwit home writable. `inwit doctor` shows details.",
        MendFacts => "Only the owner can repair facts. Ask the owner to run `inwit facts read`.",
        PruneUndreamed => "They are pruned after a dream has read them. The owner can run `inwit dream log` to list the passes.",
        PurgeUnread => "Only the owner can remove it: `inwit facts purge N` for a fact, `inwit facts profile unset KEY` for a profile key.",
        ReadProfile => "The owner can run `inwit facts profile` to see the current values.",
        ReadTranscript => "Call `session_logs` to read the transcript, if transcripts are kept.",
        ReindexFacts => "No fact is lost. Ask the owner to run `inwit doctor --fix --apply --only reindex`.",
        RestoreAndEndFact => "Only the owner can restore a fact: first `inwit facts restore N`, then `inwit facts update N` to set the day on which it ended.",
        RestoreFact => "Only the owner can restore a fact: `inwit facts restore N`.",
        ShowInbox => "Only the owner can decide it. Ask the owner to run `inwit inbox`.",
        ShowSettlements => "The owner can run `inwit facts decisions` to see which facts and why.",
        SoulHistory => "The owner can run `inwit history log SOUL.md` to see what was changed, and by whom.",
        VerifyAudit => "The notes and facts are not affected. Ask the owner to run `inwit history audit verify`.",
        WhyNoMeaning => "The owner can run `inwit doctor` to see why.",
        AskDoctor | BackupHolds | CheckEditDraft | CheckEnvironmentUnread | CheckFactMeddled
        | CheckFactStaysRetired | CheckFactUnread | CheckForgettingUnfinished | CheckHiddenText
        | CheckHistoryBroken | CheckIndexFailed | CheckMemoryDamaged | CheckMemoryGone
        | CheckMemoryIndexStale | CheckMemoryRowsClash | CheckMethodMeddled | CheckModelUnusable
        | CheckLanguageModel | CheckReranker | CheckRestoreStaged | CheckSteeringText | CheckVectorsLost | CheckVectorsSlow
        | CheckVectorsWaiting | CheckWaiting | EditSettings | ExamineHome | FetchModel
        | FinishForgettingOnceRepaired | ForgetInHistory | ForgetOnceMore | InstallAgain | NameAgent
        | NameBackup | OpenOpenclaw | RemoveSetting | RepairSetting | ReplaceFile | RestoreWithout
        | SeeWhatIsWrong | SetTimezone | ShowAudit | TakePackage => OWNER,
    }
    codes {
        UsageBad => "Correct what the message names and call the tool again. The tool description says what each parameter accepts.",
        NameRefused => "Name a file of the workspace as `memory_search` cites it, such as MEMORY.md or memory/2026-11-21.md.",
        FileMissing => "Call `memory_search`: it cites the existing files.",
        FeedbackMissing => "Name a result as `memory_search` cites it.",
        QueryBad => "Search with a few words, such as: which bread does she like.",
        SessionIdBad | SessionMissing => "Call `session_logs` with action list_sessions to see the sessions.",
        TranscriptsOff => "Only the owner can turn transcripts on: `inwit config set transcripts.enabled true`.",
        IndexUnavailable => "The notes are unchanged. Ask the owner to run `inwit index rebuild`.",
        ModelNotAllowed | ModelOverBudget => "The settings forbid this call of a language model. Only the owner can change them.",
        ModelUnset | ModelKeyRefused => "No language model can be used. Ask the owner to run `inwit llm check`.",
        VectorsUnavailable | EmbeddingFailed | ProviderUnanswered => "Search uses words only. Ask the owner to run `inwit doctor` to see how to repair it.",
        ModelMissing | ModelDamaged | ModelUnfetched => "Search uses words only until the owner runs `inwit index model install`.",
        PolicyRefused => "Only the owner can do this, in an editor or at a terminal. Describe the change that you want to the owner.",
        RuleRefused => "A rule of the owner blocks this. Do not try to work around the rule.",
        SecretRefused => "Remove the secret, and write where it is stored instead.",
        ForgottenText => "The owner erased these words. Do not write them again.",
        ProposalUnknown | ProposalClosed | ConfirmationMissing => "Only the owner can decide proposals. Ask the owner to run `inwit inbox`.",
        ProposalsTooMany => "Ask the owner to decide the pending proposals first: `inwit inbox`.",
        RoomUnknown => "The room has no notes yet.",
        FactUnknown => "Call `memory_search` to find the existing facts.",
        FactKnown => "Nothing was changed. An existing fact has this text.",
        FactUnread => "Only the owner can repair or remove it: `inwit facts purge N` with the number of the fact.",
        LearningUnknown => "Only the owner can list everything learnt: `inwit learn methods list` and `inwit learn decisions list`.",
        OutcomeKnown => "Nothing was counted. Each outcome counts once, and a decision has one outcome.",
        StepRefused => "Nothing was changed. Only the owner can change this state. `inwit learn methods list` shows the state of each method.",
        RecordTooShort => "Nothing was changed. The record grows with each outcome of a decision that names this method.",
        MemoryIndexStale => "Nothing was changed and no row is lost. Ask the owner to run `inwit doctor --fix --apply --only reindex`.",
        TokenUnknown => "Only the owner can manage tokens.",
        EntityUnknown => "Call `memory_search` with the name to find facts that mention it.",
        HistoryUnavailable => "The current files are still readable. Ask the owner to run `inwit config set history.location beside` to turn history on.",
        RevisionUnknown | NotRecorded | BytesLost | ReceiptUnknown => "The current files are still readable. Ask the owner to run `inwit history log`.",
        SessionUnknown | SessionEnded => "Only the host can start a session.",
        NoAgent | AgentUnknown | AgentExists | WorkspaceMissing | FileUnreadable | SettingBad
        | SettingUnknown | ServiceFailed | SetupFailed | MemoryUnavailable | MemoryForeign | MemoryRowsClash
        | HistoryFailed => OWNER,
        _ => NONE,
    }
}

/// An answer as JSON, with hints for a model.
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

    /// Commands are only given for the owner, and tools only if they exist.
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
