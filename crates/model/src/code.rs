//! What can go wrong, once: every face reads its status and its hint from this table (D15).

/// One row of [`CODES`].
#[derive(Debug, Clone, Copy)]
pub struct CodeSpec {
    /// The code itself.
    pub code: Code,
    /// Its stable name, as it stands in JSON.
    pub name: &'static str,
    /// Exit status of a command: 1 error, 2 usage, 3 not found, 4 conflict, 5 refused, 6 locked.
    pub exit: u8,
    /// HTTP status.
    pub http: u16,
    /// What a person can do about it.
    pub hint: &'static str,
}

macro_rules! codes {
    ($($name:ident, $text:literal, $exit:literal, $http:literal, $hint:literal;)*) => {
        /// A kind of failure. Its row in [`CODES`] says how each face reports it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "the name and the hint in the row say it")]
        pub enum Code { $($name),* }

        /// Every code: name, exit status, HTTP status, hint.
        pub const CODES: &[CodeSpec] = &[
            $(CodeSpec { code: Code::$name, name: $text, exit: $exit, http: $http, hint: $hint }),*
        ];
    };
}

codes! {
    NoAgent, "no_agent", 3, 404,
        "Run `inwit init` to make one, or name a folder of Markdown with `--workspace DIR`.";
    AgentUnknown, "agent_unknown", 3, 404,
        "`inwit status` lists the agents of this home; `inwit init --agent ID` makes one.";
    AgentExists, "agent_exists", 4, 409,
        "Choose another id with `--agent`, or use the agent that is there.";
    WorkspaceMissing, "workspace_missing", 3, 404,
        "Check the path; `inwit init DIR` makes a workspace there.";
    WorkspaceUnreadable, "workspace_unreadable", 1, 503,
        "Check the permissions of the folder and of the folders above it.";
    NameRefused, "name_refused", 2, 422,
        "Use a file of the workspace as `inwit status --files` shows it, such as MEMORY.md or memory/2026-11-21.md.";
    FeedbackMissing, "feedback_missing", 3, 404,
        "`inwit feedback list` names the files and the passages of which something was said.";
    FileMissing, "file_missing", 3, 404,
        "`inwit status --files` lists the files that are there.";
    FileUnreadable, "file_unreadable", 1, 503,
        "Check the permissions of the file; `inwit doctor` lists every file that cannot be read.";
    FileTooLarge, "file_too_large", 1, 413,
        "Split the file, or move what is old into another one; nothing was cut.";
    FileExists, "file_exists", 4, 409,
        "The file that is there was kept. Move it away first if it should be replaced.";
    QueryBad, "query_bad", 2, 400,
        "Ask with a few words, for example: inwit search \"which bread does she like\".";
    TimeBad, "time_bad", 2, 400,
        "Give a day that there is, such as 2026-11-21, or words for one and nothing else, such as `last Friday`.";
    SettingBad, "setting_bad", 2, 400,
        "`inwit config list --json` shows what every setting takes.";
    SettingUnknown, "setting_unknown", 2, 400,
        "`inwit config list` shows every setting.";
    ProfileUnknown, "profile_unknown", 2, 400,
        "The profiles are personal, openclaw, minara, nexo, mindroom and carapace.";
    UsageBad, "usage_bad", 2, 400,
        "`inwit help` shows the commands, `inwit help COMMAND` one of them.";
    IndexUnavailable, "index_unavailable", 1, 503,
        "The notes are untouched. `inwit index rebuild` makes the index anew; `inwit doctor` says more.";
    VectorsUnavailable, "vectors_unavailable", 1, 503,
        "Words alone answer; notes and their index are untouched. Look at embeddings.db in the agent's home: `inwit index embed` makes one that was moved away anew.";
    ModelMissing, "model_missing", 3, 404,
        "`inwit model install` fetches the model; search answers by words until then.";
    ModelDamaged, "model_damaged", 1, 503,
        "`inwit model install` fetches the model anew; search answers by words until then.";
    ModelUnfetched, "model_unfetched", 1, 503,
        "Nothing was installed. Run it again: it goes on where it stopped; `inwit model install --from DIR` takes the files from a folder.";
    EmbeddingFailed, "embedding_failed", 1, 503,
        "Search answers by words. Try again; if it stays so, `inwit model verify` looks at the model.";
    ProviderUnanswered, "provider_unanswered", 1, 503,
        "Search answers by words. Look at `embedding.url`, its key, and whether it runs; `inwit doctor` asks it once.";
    ModelUnanswered, "model_unanswered", 1, 503,
        "Nothing was decided and nothing is lost: it is asked again the next time. Look at judge.url, its key, and whether it runs.";
    ModelRefused, "model_refused", 1, 502,
        "Nothing is lost: the model does not answer this one question. After some times it is settled without it.";
    DiskFull, "disk_full", 1, 507,
        "Nothing was changed. Free some space and try again.";
    DiskReadOnly, "disk_read_only", 1, 503,
        "Nothing was changed; reading goes on. Give yourself the right to write the file and its folder, or work on a copy where you have it.";
    WriteFailed, "write_failed", 1, 500,
        "Nothing was changed. Check the disk and the permissions of the folder.";
    SessionIdBad, "session_id_bad", 2, 422,
        "`inwit transcript list` shows the sessions; a new one may be called by any UUID.";
    SessionMissing, "session_not_found", 3, 404,
        "`inwit transcript list` shows the sessions that there are.";
    SessionClash, "session_clash", 4, 409,
        "Nothing was written. Use another session id.";
    TurnClash, "turn_clash", 4, 409,
        "Nothing was written. Give each turn a key of its own; a key comes twice only with the very same turn.";
    EntryTooLarge, "entry_too_large", 1, 413,
        "Nothing was written and nothing was cut. Say it in several entries, or keep it as a file.";
    TranscriptsOff, "transcripts_disabled", 3, 404,
        "`inwit config set transcripts.enabled true` turns them on.";
    EntryMissing, "entry_missing", 3, 404,
        "Nothing was changed. Read the file and repeat words of the entry as they stand there.";
    EntryAmbiguous, "entry_ambiguous", 4, 409,
        "Nothing was changed. Repeat more of the one entry that is meant.";
    SetupFailed, "setup_failed", 1, 503,
        "Read the lines marked `failed`, then run `inwit setup HOST --apply` or `inwit doctor`.";
    ServerForeign, "server_foreign", 4, 409,
        "Nothing was changed. Give your server another name there, then run the same command again.";
    Refused, "refused", 5, 403,
        "The gate refused the change; its sentence says which rule.";
    PolicyRefused, "policy_refused", 5, 403,
        "A person does this: `inwit edit FILE` or an editor changes a file, `inwit facts` facts, `inwit methods` and `inwit preferences` what is learnt.";
    RuleRefused, "rule_refused", 5, 403,
        "A rule of the owner blocks this: `inwit config get write.rules` shows the rules.";
    SecretRefused, "secret_refused", 5, 403,
        "Take the secret out and write where it is kept instead; `--allow-secret` lets the owner keep it all the same.";
    HiddenRefused, "hidden_refused", 5, 403,
        "Take the invisible characters out; the sentence names the first of them.";
    EncodingRefused, "encoding_refused", 5, 403,
        "Write UTF-8 text without NUL bytes.";
    Stale, "stale", 4, 409,
        "It changed in the meantime. Read it again and repeat the change on what is there now.";
    ProposalUnknown, "proposal_unknown", 3, 404,
        "`inwit inbox` lists what waits.";
    ProposalClosed, "proposal_closed", 4, 409,
        "It was decided before; `inwit inbox list --all` shows how.";
    ProposalExpired, "proposal_expired", 4, 409,
        "It waited too long. Let it be proposed again if it still holds.";
    ProposalsTooMany, "proposals_too_many", 5, 429,
        "Decide what waits in `inwit inbox` first.";
    ForgottenText, "forgotten_text", 5, 403,
        "The owner forgot these words for good. Who wants them again says them anew with `inwit remember`.";
    RejectedBefore, "rejected_before", 5, 403,
        "The owner rejected this very text; propose something else.";
    ConfirmationMissing, "confirmation_missing", 5, 403,
        "`inwit inbox show ID` ends with a code that confirms what it showed: pass it with `--confirm`.";
    MemoryUnavailable, "memory_unavailable", 1, 503,
        "`inwit doctor` says what is wrong with memory.db; the notes themselves can be read as before.";
    MemoryForeign, "memory_foreign", 1, 503,
        "Nothing was changed. Put memory.db and memory.db-wal of this agent back, or `inwit restore DIR` a backup. If rows are gone and this file is the right one, remove `memory.db-head` beside it.";
    MemoryUnreadable, "memory_unreadable", 1, 503,
        "Give yourself the right to read memory.db and to write in its folder, or copy the agent's home, with `memory.db-wal`, to where you have it; the notes themselves can be read as before.";
    MemoryIndexStale, "memory_index_stale", 1, 503,
        "Nothing was changed and no row is lost. `inwit doctor --fix --apply --only reindex` makes the index anew from the rows; then try again.";
    MemoryRowsClash, "memory_rows_clash", 1, 409,
        "Nothing was changed. Look at the named rows of memory.db with `sqlite3`, keep a copy (`inwit backup DIR`), then take the wrong one away with `PRAGMA writable_schema=ON; DELETE FROM TABLE WHERE rowid = N;`; `inwit doctor --fix --apply --only reindex` does the rest.";
    AuditUnwritable, "audit_unwritable", 1, 503,
        "Nothing was changed, because it could not be written down first. Check the disk and the permissions of the agent's home.";
    AuditBroken, "audit_broken", 1, 500,
        "Somebody changed the record. The rows before the named one still hold; keep a copy before you go on.";
    BackupBroken, "backup_broken", 1, 422,
        "Nothing was changed. Take another backup; this one was altered, or its disk is failing.";
    HistoryUnavailable, "history_unavailable", 1, 503,
        "`inwit config set history.location beside` turns history on; receipts wait until then and nothing is lost.";
    BytesLost, "bytes_lost", 1, 410,
        "Nothing was changed. The history that held them is gone; a backup may have them, `inwit history log FILE` lists what there is.";
    RevisionUnknown, "revision_unknown", 3, 404,
        "`inwit history log` lists the revisions.";
    NotRecorded, "not_recorded", 3, 404,
        "`inwit history log FILE` lists what is recorded of a file; nothing was changed.";
    ReceiptUnknown, "receipt_unknown", 3, 404,
        "`inwit history log` lists the receipts.";
    SessionUnknown, "session_unknown", 3, 404,
        "`inwit session start` begins one and prints its id.";
    SessionEnded, "session_ended", 4, 409,
        "Begin another one with `inwit session start`.";
    GitMissing, "git_missing", 1, 503,
        "Install git to see earlier states, who wrote a line, and to restore; everything else works without it.";
    HistoryForeign, "history_foreign", 1, 503,
        "A repository that came with a folder is never opened. Move it away, or keep the history in the agent's home.";
    HistoryFailed, "history_failed", 1, 503,
        "The notes are untouched. `inwit doctor` says more about the history.";
    FactUnknown, "fact_unknown", 3, 404,
        "`inwit facts list` shows the facts; `--forgotten` and `--include-retired` show those that `inwit facts restore` brings back.";
    LearningUnknown, "learning_unknown", 3, 404,
        "`list` behind `inwit methods`, `inwit decisions`, `inwit roles` and `inwit preferences` shows what there is; `--all` what was put aside, too.";
    OutcomeKnown, "outcome_known", 4, 409,
        "Nothing was counted. An outcome counts once, and a decision has one: `inwit decisions list --closed` shows it.";
    StepRefused, "step_refused", 4, 409,
        "Nothing was changed. `inwit methods list --all` and `inwit preferences list` show where each of them stands.";
    RecordTooShort, "record_too_short", 4, 409,
        "Nothing was changed. `inwit decisions close` tells an outcome; `inwit methods list` shows the record of each method.";
    FactKnown, "fact_known", 4, 409,
        "Nothing was changed. `inwit facts read ID` shows the fact that says it: forget one of the two, or say something else.";
    FactUnread, "fact_unread", 4, 409,
        "Another program wrote into memory.db what is no id or no moment. Put the row right there, or `inwit facts purge N` takes it away, by its number.";
    EntityUnknown, "entity_unknown", 3, 404,
        "`inwit edges top` shows what facts name; a kind may stand before: `name:ana`, `tag:baking`, `ticker:BTC`.";
    Locked, "locked", 6, 423,
        "Another process is writing. Wait for it and try again.";
    LockUnavailable, "lock_unavailable", 1, 503,
        "Check the permissions of the workspace and of inwit's state folder; nothing was changed.";
    DatasetBad, "dataset_bad", 1, 422,
        "Use the file as its authors publish it; docs/guides/benchmark.md says which form each benchmark reads.";
    DatasetsDiffer, "datasets_differ", 4, 409,
        "Figures on different data say nothing about each other: run the same benchmark on the same data again.";
    StorageShared, "storage_shared", 1, 503,
        "Dream on one host, with workspace and state folder on a disk of its own; reading and searching go on here.";
}

impl Code {
    /// The row of this code.
    pub fn spec(self) -> &'static CodeSpec {
        &CODES[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_finds_its_own_row() {
        for row in CODES {
            assert_eq!(row.code.spec().name, row.name);
            assert!((1..=6).contains(&row.exit), "{}", row.name);
            assert!(row.hint.ends_with('.'), "{}: a hint is a sentence", row.name);
        }
    }
}
