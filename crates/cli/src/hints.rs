//! What can be done about something, as a command line.
//!
//! Invariant: every hint that names no words for everybody has its words here.

/// Words of nobody: a hint always has some.
const NONE: &str = "`inwit doctor` says what is wrong.";

inwit_model::hint_words! {
    /// A hint for a person at a terminal.
    pub fn said
    hints {
        AcceptMasked => "Take it out of the file, or say with `inwit accept FILE` that it may be shown.",
        AskDoctor => "`inwit doctor` says how to mend it.",
        BackupHolds => "The backup holds it as it is. `inwit doctor` says more; a restore brings the files back.",
        CheckEditDraft => "Compare a draft with its file, write it with `inwit edit FILE --content-from DRAFT`, then remove the draft.",
        CheckEnvironmentUnread => "Remove them from the environment; `inwit config list` shows every setting with its environment names.",
        CheckFactMeddled => "`inwit facts read` shows one; `inwit facts update FACT --text …` makes it yours, `inwit facts forget` takes it away.",
        CheckFactStaysRetired => "`inwit facts list --include-retired` shows them; `inwit facts restore N` brings one back, `inwit facts purge N` takes it away for good.",
        CheckFactUnread => "Put the row right in memory.db. `inwit facts purge N` takes a fact away by its number, `inwit facts profile unset KEY` what is known under a key.",
        CheckForgettingUnfinished => "`inwit forget --everywhere --again --apply` brings it to its end.",
        CheckHiddenText => "Take them out. If you put them there, `inwit accept FILE` shows them again.",
        CheckHistoryBroken => "Bring history.git back from a backup (`inwit restore DIR --dry-run` shows what it holds).",
        CheckIndexFailed => "`inwit index rebuild` makes it anew; nothing in it is not in the files.",
        CheckMemoryDamaged => "The notes can be read as before. `inwit doctor --fix` shows whether an older copy is needed, which one, and what it lacks; only `--apply --only memory` installs it.",
        CheckMemoryGone => "Put memory.db and memory.db-wal back, or `inwit restore DIR` a backup. If you removed it on purpose, go on: the next command that writes begins a new one.",
        CheckMemoryIndexStale => "`inwit doctor --fix --apply --only reindex` makes them anew from the rows.",
        CheckMemoryRowsClash => "Look at them with `sqlite3`, keep a copy (`inwit backup DIR`), take the wrong one away with `PRAGMA writable_schema=ON; DELETE FROM TABLE WHERE rowid = N;`, then run `inwit doctor --fix --apply --only reindex`.",
        CheckMethodMeddled => "`inwit learn methods show` shows one; `inwit learn methods add TEXT` keeps words that are yours, `inwit learn methods archive` puts it aside.",
        CheckModelUnusable => "Words alone answer meanwhile. `inwit index model verify` looks at an installed model; of a provider, look at embedding.url, its key, and whether it runs.",
        CheckRestoreStaged => "`inwit doctor --fix --apply` takes them away, and so does the next restore; the backup itself stays.",
        CheckSteeringText => "Look who wrote them and take them out. If they are yours, `inwit accept FILE` shows them again.",
        CheckVectorsLost => "`inwit index embed` makes them anew; a provider over HTTP is sent every passage again.",
        CheckVectorsSlow => "`inwit index embed` writes it anew.",
        CheckVectorsWaiting => "`inwit index embed` gives them a vector; the end of a session does so for a few.",
        CheckWaiting => "`inwit inbox` lists them; after sixty days they are closed.",
        ChooseDreamEngine => "`inwit config set dream.engines recall` names what can run.",
        ConsolidateNow => "The end of the next session goes on; `inwit facts consolidate` looks at them now.",
        EditLogFirst => "Edit the log first, then remove the entry; `inwit dream why` names the passage.",
        EditProposal => "`inwit inbox edit ID` lets the owner put it into what waits.",
        EditSettings => "`inwit config set KEY VALUE` says something else there; an editor takes a line out.",
        Embed => "`inwit index embed` gives them one.",
        EmbedAnew => "`inwit index embed` makes them anew; a provider over HTTP is sent every passage again.",
        EndThere => "Mend that, then end it there: `inwit session end` with `--agent`.",
        ExamineHome => "`inwit doctor` says more about the home and its history.",
        FetchModel => "Nothing was installed. `inwit index model install` without `--from` fetches the model.",
        FindSetting => "`inwit config get KEY --origin` shows where a setting comes from; remove the text there.",
        FinishForgettingOnceRepaired => "When that is repaired, `inwit forget --everywhere --again --apply` brings it to its end.",
        ForgetInHistory => "`inwit forget --everywhere --again --rewrite-history --apply` takes them out.",
        ForgetOnceMore => "Move that file aside and forget the words once more, by `inwit forget --everywhere TEXT --apply`.",
        GraduateLater => "It is in no prompt now. Its record goes on with the decisions that name it: `inwit learn methods graduate N` once that is enough.",
        InstallAgain => "Nothing was installed. Take it away and run `inwit index model install` again.",
        KeepLogs => "History has them. `inwit config set journal.retention_days 0` keeps every log.",
        ListFacts => "`inwit facts list` and `inwit facts profile` show all; raise load.max_file_chars or load.max_total_chars, or forget what is of no more use.",
        ListHistory => "`inwit history log` lists what is recorded.",
        ListUnread => "`inwit doctor` lists every file and folder with its reason.",
        LookAtDream => "`inwit dream log` and `inwit dream why` show what; `inwit undo` takes it back.",
        LookWhatCame => "Nothing was written again. `inwit history log` and `inwit inbox` show what came of it.",
        MakeRoom => "Free some space, or make the home of inwit writable; `inwit doctor` says more.",
        MendFacts => "`inwit facts read` shows a fact as it stands; `inwit facts update` and `inwit facts forget` mend it.",
        NameAgent => "Name one with `--agent`.",
        NameBackup => "Name a folder that `inwit backup` made.",
        OpenOpenclaw => "`--workspace DIR --profile openclaw` opens that workspace; `inwit init` makes a new agent.",
        PruneUndreamed => "`inwit dream log` lists the passes. `inwit config set dream.engines off` prunes without dreaming.",
        PurgeUnread => "`inwit facts purge N` takes a fact away by its number, `inwit facts profile unset KEY` what is known under a key.",
        ReadProfile => "`inwit facts profile` shows what it says now.",
        ReadTranscript => "`inwit session show` has what was said, where transcripts are kept.",
        ReindexFacts => "`inwit doctor --fix --apply --only reindex` makes it anew; no fact is lost.",
        RemoveSetting => "Remove the line with an editor; `inwit config list` shows every setting.",
        RepairSetting => "`inwit config set KEY VALUE` repairs it; in an agent's file, with `--agent ID`.",
        ReplaceFile => "Put a plain text file in its place, or take it away; `inwit config set` makes it anew.",
        RestoreAndEndFact => "First `inwit facts restore N` brings one back, by its number; then `inwit facts update N --to DAY` says when it ended.",
        RestoreFact => "`inwit facts restore N` brings one back, by its number.",
        RestoreWithout => "`inwit restore` takes them out of what comes back from it; to be rid of them take the folder away, and make a new backup.",
        SeeWhatIsWrong => "`inwit doctor` says what is wrong.",
        SetTimezone => "`inwit config set timezone Europe/Madrid` sets it; or repair TZ.",
        ShowAudit => "`inwit history audit show` names the folder of each.",
        ShowInbox => "`inwit inbox` shows it.",
        ShowSettlements => "`inwit facts decisions` shows which and why; `inwit facts restore` brings one back.",
        SoulHistory => "`inwit history log SOUL.md` shows what was changed, and by whom.",
        TakePackage => "Nothing was installed. Run it again, or take the package: `inwit index model install --from pip`.",
        VerifyAudit => "`inwit history audit verify` checks it. The notes and facts are not affected.",
        WhyNoMeaning => "The owner's `inwit doctor` says why.",
    }
    codes {
        NoAgent => "Run `inwit init` to make one, or name a folder of Markdown with `--workspace DIR`.",
        AgentUnknown => "`inwit status` lists the agents of this home; `inwit init --agent ID` makes one.",
        AgentExists => "Choose another id with `--agent`, or use the agent that is there.",
        WorkspaceMissing => "Check the path; `inwit init DIR` makes a workspace there.",
        NameRefused => "Use a file of the workspace as `inwit status --files` shows it, such as MEMORY.md or memory/2026-11-21.md.",
        FeedbackMissing => "`inwit learn feedback list` names the files and the passages of which something was said.",
        FileMissing => "`inwit status --files` lists the files that are there.",
        FileUnreadable => "Check the permissions of the file; `inwit doctor` lists every file that cannot be read.",
        QueryBad => "Ask with a few words, for example: inwit search \"which bread does she like\".",
        SettingBad => "`inwit config list --json` shows what every setting takes.",
        SettingUnknown => "`inwit config list` shows every setting.",
        UsageBad => "`inwit help` shows the commands, `inwit help COMMAND` one of them.",
        IndexUnavailable => "The notes are untouched. `inwit index rebuild` makes the index anew; `inwit doctor` says more.",
        VectorsUnavailable => "Words alone answer; notes and their index are untouched. Look at embeddings.db in the agent's home: `inwit index embed` makes one that was moved away anew.",
        ModelMissing => "`inwit index model install` fetches the model; search answers by words until then.",
        ModelDamaged => "`inwit index model install` fetches the model anew; search answers by words until then.",
        ModelUnfetched => "Nothing was installed. Run it again: it goes on where it stopped; `inwit index model install --from DIR` takes the files from a folder.",
        EmbeddingFailed => "Search answers by words. Try again; if it stays so, `inwit index model verify` looks at the model.",
        ProviderUnanswered => "Search answers by words. Look at `embedding.url`, its key, and whether it runs; `inwit doctor` asks it once.",
        SessionIdBad => "`inwit session list` shows the sessions; a new one may be called by any UUID.",
        SessionMissing => "`inwit session list` shows the sessions that there are.",
        TranscriptsOff => "`inwit config set transcripts.enabled true` turns them on.",
        SetupFailed => "Read the lines marked `failed`, then run `inwit setup HOST --apply` or `inwit doctor`.",
        PolicyRefused => "A person does this: `inwit edit FILE` or an editor changes a file, `inwit facts` facts, `inwit learn methods` and `inwit learn preferences` what is learnt.",
        RuleRefused => "A rule of the owner blocks this: `inwit config get write.rules` shows the rules.",
        SecretRefused => "Take the secret out and write where it is kept instead; `--allow-secret` lets the owner keep it all the same.",
        ProposalUnknown => "`inwit inbox` lists what waits.",
        ProposalClosed => "It was decided before; `inwit inbox list --all` shows how.",
        ProposalsTooMany => "Decide what waits in `inwit inbox` first.",
        ForgottenText => "The owner forgot these words for good. Who wants them again says them anew with `inwit remember`.",
        ConfirmationMissing => "`inwit inbox show ID` ends with a code that confirms what it showed: pass it with `--confirm`.",
        MemoryUnavailable => "`inwit doctor` says what is wrong with memory.db; `inwit doctor --fix` shows which copy of backups/ can take its place, and with `--apply --only memory` it does. The notes themselves can be read as before.",
        MemoryForeign => "Nothing was changed. Put memory.db and memory.db-wal of this agent back, or `inwit restore DIR` a backup. If rows are gone and this file is the right one, remove `memory.db-head` beside it.",
        MemoryIndexStale => "Nothing was changed and no row is lost. `inwit doctor --fix --apply --only reindex` makes the index anew from the rows; then try again.",
        MemoryRowsClash => "Nothing was changed. Look at the named rows of memory.db with `sqlite3`, keep a copy (`inwit backup DIR`), then take the wrong one away with `PRAGMA writable_schema=ON; DELETE FROM TABLE WHERE rowid = N;`; `inwit doctor --fix --apply --only reindex` does the rest.",
        HistoryUnavailable => "`inwit config set history.location beside` turns history on; receipts wait until then and nothing is lost.",
        BytesLost => "Nothing was changed. The history that held them is gone; a backup may have them, `inwit history log FILE` lists what there is.",
        RevisionUnknown => "`inwit history log` lists the revisions.",
        NotRecorded => "`inwit history log FILE` lists what is recorded of a file; nothing was changed.",
        RoomUnknown => "`inwit status` lists the rooms that have notes.",
        ReceiptUnknown => "`inwit history log` lists the receipts.",
        SessionUnknown => "`inwit session start` begins one and prints its id.",
        SessionEnded => "Begin another one with `inwit session start`.",
        HistoryFailed => "The notes are untouched. `inwit doctor` says more about the history.",
        FactUnknown => "`inwit facts list` shows the facts; `--forgotten` and `--include-retired` show those that `inwit facts restore` brings back.",
        LearningUnknown => "`list` behind `inwit learn methods`, `inwit learn decisions`, `inwit learn roles` and `inwit learn preferences` shows what there is; `--all` what was put aside, too.",
        OutcomeKnown => "Nothing was counted. An outcome counts once, and a decision has one: `inwit learn decisions list --closed` shows it.",
        StepRefused => "Nothing was changed. `inwit learn methods list --all` and `inwit learn preferences list` show where each of them stands.",
        RecordTooShort => "Nothing was changed. `inwit learn decisions close` records an outcome; `inwit learn methods list` shows the record of each method.",
        FactKnown => "Nothing was changed. `inwit facts read ID` shows the fact that says it: forget one of the two, or say something else.",
        FactUnread => "Another program wrote into memory.db what is no id or no moment. Put the row right there, or `inwit facts purge N` takes it away, by its number.",
        EntityUnknown => "`inwit facts edges top` shows what facts name; a kind may stand before: `name:ana`, `tag:baking`, `ticker:BTC`.",
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
        assert!(!said(Hint::Of(Code::BytesLost)).contains("turns history on"), "it would bring nothing back");
    }

    /// The command that the words of a sentence begin with, and the words behind it.
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
