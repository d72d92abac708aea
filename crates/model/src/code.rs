//! The table of error codes: every interface reads its status from it (D15).

/// One row of [`CODES`].
#[derive(Debug, Clone, Copy)]
pub struct CodeSpec {
    /// The code.
    pub code: Code,
    /// Its stable name in JSON.
    pub name: &'static str,
    /// Exit status of a command: 1 error, 2 usage, 3 not found, 4 conflict, 5 refused, 6 locked, 130 stopped by Ctrl-C.
    pub exit: u8,
    /// HTTP status.
    pub http: u16,
    /// The hint for all interfaces; `None` if each has its own text, because it names a command or tool.
    pub words: Option<&'static str>,
}

macro_rules! codes {
    (@ -) => { None };
    (@ $words:literal) => { Some($words) };
    ($($name:ident, $text:literal, $exit:literal, $http:literal, $words:tt;)*) => {
        /// A kind of failure. Its row in [`CODES`] defines how each interface reports it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "the name in the row says it")]
        pub enum Code { $($name),* }

        /// Every code: name, exit status, HTTP status, hint.
        pub const CODES: &[CodeSpec] = &[
            $(CodeSpec { code: Code::$name, name: $text, exit: $exit, http: $http, words: codes!(@ $words) }),*
        ];
    };
}

codes! {
    NoAgent, "no_agent", 3, 404, -;
    AgentUnknown, "agent_unknown", 3, 404, -;
    AgentExists, "agent_exists", 4, 409, -;
    WorkspaceMissing, "workspace_missing", 3, 404, -;
    HomeLinked, "home_linked", 1, 503,
        "Nothing was changed. Replace the link with the folder or file that it points to, or remove the link.";
    WorkspaceUnreadable, "workspace_unreadable", 1, 503,
        "Check the permissions of the folder and of its parent folders.";
    NameRefused, "name_refused", 2, 422, -;
    FeedbackMissing, "feedback_missing", 3, 404, -;
    FileMissing, "file_missing", 3, 404, -;
    LineMissing, "line_missing", 3, 404,
        "Use a line number within the file. Without a line number, the whole file is shown.";
    FileUnreadable, "file_unreadable", 1, 503, -;
    FileTooLarge, "file_too_large", 1, 413,
        "Split the file, or move old parts into another file. Nothing was cut.";
    FileExists, "file_exists", 4, 409,
        "The existing file was kept. To replace it, move it away first.";
    QueryBad, "query_bad", 2, 400, -;
    TimeBad, "time_bad", 2, 400,
        "Use a date such as 2026-11-21, or a phrase such as `last Friday` without other words.";
    SettingBad, "setting_bad", 2, 400, -;
    SettingUnknown, "setting_unknown", 2, 400, -;
    ProfileUnknown, "profile_unknown", 2, 400,
        "The profiles are personal, openclaw, minara, nexo, mindroom and carapace.";
    UsageBad, "usage_bad", 2, 400, -;
    IndexUnavailable, "index_unavailable", 1, 503, -;
    VectorsUnavailable, "vectors_unavailable", 1, 503, -;
    ModelMissing, "model_missing", 3, 404, -;
    ModelDamaged, "model_damaged", 1, 503, -;
    ModelUnsupported, "model_unsupported", 1, 503,
        "Choose a BERT or XLM-RoBERTa model in the safetensors format. A vocabulary other than uncased WordPiece needs a program that was built with the feature `tokenizers`.";
    ModelUnfetched, "model_unfetched", 1, 503, -;
    EmbeddingFailed, "embedding_failed", 1, 503, -;
    ProviderUnanswered, "provider_unanswered", 1, 503, -;
    ModelUnset, "model_unset", 3, 404, -;
    ModelKeyRefused, "model_key_refused", 1, 502, -;
    ModelUnanswered, "model_unanswered", 1, 503,
        "Nothing is lost; a question about facts or logs is sent again next time. Check the address (`llm.url` or `judge.url`), the key, and that the model is running.";
    ModelTimedOut, "model_timed_out", 1, 504,
        "Nothing is lost; a question about facts, logs or sessions is sent again later. The provider may charge for the call.";
    ModelAnswerBad, "model_answer_bad", 1, 502,
        "Nothing is lost. Check that the address belongs to an API of the configured form (`llm.api`) and that the model exists there.";
    ModelRefused, "model_refused", 1, 502,
        "Nothing is lost. The model refuses this text; a question about facts is decided without it after several attempts.";
    ModelNotAllowed, "model_not_allowed", 3, 403, -;
    ModelOverBudget, "model_over_budget", 1, 429, -;
    Stopped, "stopped", 130, 409,
        "The work done so far is kept. Run the same command again to continue.";
    DiskFull, "disk_full", 1, 507,
        "Nothing was changed. Free some space and try again.";
    DiskReadOnly, "disk_read_only", 1, 503,
        "Nothing was changed; reading still works. Make the file and its folder writable, or work on a copy in a writable place.";
    WriteFailed, "write_failed", 1, 500,
        "Nothing was changed. Check the disk and the permissions of the folder.";
    SessionIdBad, "session_id_bad", 2, 422, -;
    SessionMissing, "session_not_found", 3, 404, -;
    SessionClash, "session_clash", 4, 409,
        "Nothing was written. Use another session id.";
    TurnClash, "turn_clash", 4, 409,
        "Nothing was written. Give each turn its own key; only a repetition of the same turn may use the same key.";
    KeyClash, "key_clash", 4, 422,
        "Nothing was changed. Give each request its own key; only a repetition of the same request may use the same key.";
    RequestUnfinished, "request_unfinished", 4, 409,
        "Wait and send it again with the same key. If the answer stays the same, read what is there before you send it with another key.";
    EntryTooLarge, "entry_too_large", 1, 413,
        "Nothing was written and nothing was cut. Split it into several entries, or store it as a file.";
    TranscriptsOff, "transcripts_disabled", 3, 404, -;
    EntryMissing, "entry_missing", 3, 404,
        "Nothing was changed. Read the file, then copy words of the entry exactly.";
    EntryAmbiguous, "entry_ambiguous", 4, 409,
        "Nothing was changed. Copy more words of the entry, so that only one entry matches.";
    SetupFailed, "setup_failed", 1, 503, -;
    ServerForeign, "server_foreign", 4, 409,
        "Nothing was changed. Rename your server there, then run the same command again.";
    Refused, "refused", 5, 403,
        "The gate refused the change. The message names the rule.";
    ImportKept, "import_kept", 5, 403,
        "Nothing was changed. Move the file out of the workspace, or change it with an editor.";
    PolicyRefused, "policy_refused", 5, 403, -;
    RuleRefused, "rule_refused", 5, 403, -;
    SecretRefused, "secret_refused", 5, 403, -;
    HiddenRefused, "hidden_refused", 5, 403,
        "Remove the invisible characters. The message names the first one.";
    MaskRefused, "mask_refused", 5, 403,
        "Nothing was changed. `[masked: …]` replaces a value that models cannot see, so this line cannot be written. Change other lines, or ask the owner to change this one.";
    EncodingRefused, "encoding_refused", 5, 403,
        "Write UTF-8 text without NUL bytes.";
    Stale, "stale", 4, 409,
        "The target has changed since it was read. Read it again, then repeat the change on the current text.";
    ProposalUnknown, "proposal_unknown", 3, 404, -;
    ApprovalPending, "approval_pending", 5, 403,
        "Ask the owner to decide the proposal. After that, read the memory again.";
    ProposalClosed, "proposal_closed", 4, 409, -;
    ProposalExpired, "proposal_expired", 4, 409,
        "The proposal expired. Propose it again if it still applies.";
    ProposalsTooMany, "proposals_too_many", 5, 429, -;
    ForgottenText, "forgotten_text", 5, 403, -;
    RejectedBefore, "rejected_before", 5, 403,
        "The owner rejected this text before. Propose something else.";
    ConfirmationMissing, "confirmation_missing", 5, 403, -;
    MemoryUnavailable, "memory_unavailable", 1, 503, -;
    MemoryForeign, "memory_foreign", 1, 503, -;
    MemoryUnreadable, "memory_unreadable", 1, 503,
        "The notes are still readable. Make memory.db readable and its folder writable, or copy the agent's home, with `memory.db-wal`, to a place where you have both rights.";
    MemoryIndexStale, "memory_index_stale", 1, 503, -;
    MemoryRowsClash, "memory_rows_clash", 1, 409, -;
    AuditUnwritable, "audit_unwritable", 1, 503,
        "Nothing was changed, because the audit row could not be written first. Check the disk and the permissions of the agent's home.";
    AuditBroken, "audit_broken", 1, 500,
        "The audit log was altered. The rows before the named one are still valid. Keep a copy before you continue.";
    BackupBroken, "backup_broken", 1, 422,
        "Nothing was changed. Use another backup: this one was altered, or its disk is failing.";
    HistoryUnavailable, "history_unavailable", 1, 503, -;
    BytesLost, "bytes_lost", 1, 410, -;
    RevisionUnknown, "revision_unknown", 3, 404, -;
    NotRecorded, "not_recorded", 3, 404, -;
    ReceiptUnknown, "receipt_unknown", 3, 404, -;
    RoomUnknown, "room_unknown", 3, 404, -;
    SessionUnknown, "session_unknown", 3, 404, -;
    SessionEnded, "session_ended", 4, 409, -;
    GitMissing, "git_missing", 1, 503,
        "Install git to see earlier states, see who wrote a line, and restore. Everything else works without git.";
    HistoryForeign, "history_foreign", 1, 503,
        "A repository that came with a folder is never opened. Move it away, or keep the history in the agent's home.";
    HistoryFailed, "history_failed", 1, 503, -;
    FactUnknown, "fact_unknown", 3, 404, -;
    LearningUnknown, "learning_unknown", 3, 404, -;
    OutcomeKnown, "outcome_known", 4, 409, -;
    StepRefused, "step_refused", 4, 409, -;
    RecordTooShort, "record_too_short", 4, 409, -;
    FactKnown, "fact_known", 4, 409, -;
    FactUnread, "fact_unread", 4, 409, -;
    EntityUnknown, "entity_unknown", 3, 404, -;
    TokenMissing, "token_missing", 5, 401,
        "Send the header `Authorization: Bearer TOKEN`. The owner of the server creates tokens.";
    TokenRefused, "token_refused", 5, 401,
        "Send the whole token as it was shown. The owner of the server can create another one.";
    TokenUnknown, "token_unknown", 3, 404, -;
    AccessDenied, "access_denied", 5, 403,
        "Use a token that was created for this agent and scope, with the right that the message names.";
    HostRefused, "host_refused", 5, 421,
        "Use the address that the server printed when it started. Another name must be allowed when it starts.";
    OriginRefused, "origin_refused", 5, 403,
        "Requests of pages from other servers are refused. Call the server from a program, or from its own pages.";
    RouteUnknown, "route_unknown", 3, 404, "GET /openapi.json lists every route.";
    JobUnknown, "job_unknown", 3, 404,
        "A server knows its jobs until it stops. The effect of an ended job is in the agent itself.";
    MethodRefused, "method_refused", 2, 405, "The header `Allow` lists the methods of this route.";
    BodyBad, "body_bad", 2, 400, "GET /openapi.json shows the body of each route. Nothing was changed.";
    BodyTooLarge, "body_too_large", 1, 413, "Nothing was changed. Send less, or split it.";
    BodyStalled, "body_stalled", 1, 408, "Nothing was changed. Send the whole body without pauses.";
    MediaTypeRefused, "media_type_refused", 2, 415, "GET /openapi.json shows the media type of each body.";
    PreconditionMissing, "precondition_missing", 2, 428,
        "Send `If-Match` with the ETag that you read, or `If-None-Match: *` to create a file. Nothing was changed.";
    ServerBusy, "server_busy", 1, 503, "Nothing was changed. Wait a second and try again.";
    CallsTooMany, "calls_too_many", 1, 429, "Wait as long as the header `Retry-After` says, then try again.";
    ServerRunning, "server_running", 4, 409,
        "One server serves all agents of a home. Stop the other one first, or use another home.";
    AddressRefused, "address_refused", 1, 503,
        "Choose another address, or stop the program that uses this one.";
    ServerUnready, "server_unready", 1, 503,
        "Start the server, or wait until it has started. Ask where it listens, with the same options.";
    ServiceFailed, "service_failed", 1, 503, -;
    Locked, "locked", 6, 423,
        "Another process is writing. Wait until it ends and try again.";
    LockUnavailable, "lock_unavailable", 1, 503,
        "Nothing was changed. Check the permissions of the workspace and of inwit's state folder.";
    DatasetBad, "dataset_bad", 1, 422,
        "Use the file as its authors publish it. docs/guides/benchmark.md lists the accepted formats.";
    DatasetsDiffer, "datasets_differ", 4, 409,
        "Results on different data are not comparable. Run the same benchmark on the same data again.";
    StorageShared, "storage_shared", 1, 503,
        "Dream on one host, with the workspace and the state folder on a local disk. Reading and searching still work here.";
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
            assert!((1..=6).contains(&row.exit) || row.code == Code::Stopped, "{}", row.name);
            let is_for_all = |words: &str| words.ends_with('.') && !words.contains("inwit ");
            assert!(row.words.is_none_or(is_for_all), "{}: a sentence that names no command", row.name);
        }
    }
}
