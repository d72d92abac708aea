//! Checks of a home. Read-only; automatic repairs are in [`fix`] (a damaged memory in [`back`]), counts in
//! [`health`].
//!
//! Each check is a row of [`CHECKS`]; a finding names its file and the hint. `docs/reference/checks.md` is generated
//! from the table.

pub mod back;
mod files;
pub mod fix;
pub mod health;
mod kept;
mod meaning;

use inwit_model::watch::Watch;
use inwit_model::{Code, Hint, SafeName, Scope};

use crate::{Agent, EngineError};

inwit_model::words! {
    /// The severity of a finding.
    Severity {
        /// Something is broken.
        Error = "error",
        /// Something will fail soon, or works differently than it seems.
        Warning = "warning",
        /// Information.
        Note = "note",
    }
}

/// One row.
#[derive(Debug)]
pub struct Check {
    /// Stable name.
    pub name: &'static str,
    /// The severity of its findings.
    pub severity: Severity,
    /// What it checks.
    pub about: &'static str,
    /// The hint for its findings.
    pub hint: Hint,
}

macro_rules! checks {
    (@ $words:literal) => { Hint::Words($words) };
    (@ $id:ident) => { Hint::$id };
    ($($id:ident $name:literal $severity:ident $about:literal $hint:tt;)*) => {
        /// Id of a row of [`CHECKS`].
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "the row's `about` says it")]
        pub enum CheckId { $($id),* }

        /// The checks.
        pub const CHECKS: &[Check] = &[
            $(Check { name: $name, severity: Severity::$severity, about: $about, hint: checks!(@ $hint) }),*
        ];
    };
}

checks! {
    Unreadable "unreadable" Error
        "Files that cannot be read."
        "Check the permissions, or move the file out of the workspace.";
    IndexFailed "index_failed" Error
        "An index that could not be opened or updated."
        CheckIndexFailed;
    MemoryDamaged "memory_damaged" Error
        "A memory.db that is damaged, or that inwit did not create."
        CheckMemoryDamaged;
    MemoryGone "memory_gone" Error
        "A memory.db that is missing or empty, although `memory.db-head` beside it shows that it had rows."
        CheckMemoryGone;
    MemoryUnreadable "memory_unreadable" Error
        "A memory.db without read permission, or locked by another process."
        "Wait for that process, or make memory.db readable and its folder writable. A copy of the home in a \
         place with these rights also works.";
    MemoryReadOnly "memory_read_only" Error
        "A memory.db without write permission. It is read, but nothing new is stored."
        "Make the file and its folder writable, or work on a copy of the home in a writable place.";
    MemoryEarlier "memory_earlier" Note
        "A memory.db that an earlier version of inwit wrote. Doctor reads a copy and does not change it."
        "The next command that uses it keeps a copy in `backups/` and upgrades it. After that the earlier \
         version cannot open it.";
    MemoryIndexStale "memory_index_stale" Error
        "Indexes and full texts of memory.db that disagree with its rows. No row is lost."
        CheckMemoryIndexStale;
    MemoryRowsClash "memory_rows_clash" Error
        "Duplicate rows in memory.db where only one is allowed. No index can be built over them."
        CheckMemoryRowsClash;
    MemoryForeignPart "memory_foreign_part" Warning
        "Triggers, views and virtual tables in memory.db that inwit did not create. They could change what \
         is written, and a backup with them cannot be restored."
        "If you created it, nothing needs to be done. If not, remove it with `sqlite3` (`DROP TRIGGER \
         NAME`), and check who else can write the file.";
    RecordBroken "record_broken" Error
        "An audit log that was altered."
        "The rows before the named one are still valid. Keep a copy before you continue.";
    ForgettingUnfinished "forgetting_unfinished" Error
        "Erased words that may still exist, because the erasure was interrupted or is still running."
        CheckForgettingUnfinished;
    RestoreStaged "restore_staged" Warning
        "Half-written copies of a backup, because a restore was interrupted or is still running. No agent \
         opens them."
        CheckRestoreStaged;
    OrphanedHome "orphaned_home" Warning
        "A second home of this workspace, created by `-w` before the agent existed. No command opens its facts, history and inbox."
        "Copy what you need, for example with `sqlite3` from its memory.db. Then remove it with `rm -r`.";
    OverBudget "over_budget" Error
        "Files that the prompt contains only in part or not at all."
        "Shorten the file, or raise load.max_file_chars or load.max_total_chars.";
    NearBudget "near_budget" Warning
        "Files, or all files together, that use at least 80 % of their budget."
        "Move old text into memory/topics or a daily log before the prompt truncates it.";
    OddName "odd_name" Warning
        "File names with invisible characters or markup, which are not read, and file names with an invalid \
         date."
        "Rename the file.";
    SyncConflict "sync_conflict" Warning
        "Conflict copies of a file, made by a sync tool or by a write during an edit. They are not read."
        "Copy what is missing into the file, then remove the copy.";
    SecretInFile "secret_in_file" Warning
        "Keys, tokens and seed phrases in files. They stay there and are masked for models."
        "Remove it, and replace it where it is used: the history and copies may contain it too.";
    HiddenText "hidden_text" Warning
        "Characters in a file that are invisible or change the direction of text. They are masked for models."
        CheckHiddenText;
    SteeringText "steering_text" Warning
        "Phrases in files that give instructions to agents. They are masked for models."
        CheckSteeringText;
    ModelUnusable "model_unusable" Warning
        "An embedding model that is configured but does not answer, or whose vectors cannot be read."
        CheckModelUnusable;
    LanguageModelUnusable "language_model_unusable" Warning
        "A language model that a dream engine or reviews need and that is not configured, or whose settings cannot be used."
        CheckLanguageModel;
    RerankerUnusable "reranker_unusable" Warning
        "A reranker that is configured but cannot be used. Results keep the order of the search."
        CheckReranker;
    VectorsLost "vectors_lost" Warning
        "A vector cache that was damaged and dropped."
        CheckVectorsLost;
    VectorsSlow "vectors_slow" Note
        "A vector file that this program or this machine cannot read. Search reads its source instead, \
         which is slower."
        CheckVectorsSlow;
    VectorsWaiting "vectors_waiting" Note
        "Passages without a vector. They are found by words only."
        CheckVectorsWaiting;
    VectorsRefused "vectors_refused" Note
        "Passages that the model rejected. They are found by words only."
        "Shorten the passage, or use another model. An edited passage is tried again.";
    TextsUnread "texts_unread" Note
        "Passages in a script or language that the model was not trained on. They are found by words only."
        "Nothing is wrong with them. A model that supports the language also finds them by meaning.";
    Waiting "waiting" Warning
        "Proposals that have waited for more than three days."
        CheckWaiting;
    FactUnread "fact_unread" Warning
        "Facts and profile values into which another program wrote an invalid id or time. They are in no \
         answer."
        CheckFactUnread;
    LearningUnread "learning_unread" Warning
        "Methods, decisions, roles and preferences that another program made unreadable. They are in no \
         list and no prompt."
        "Repair the row in memory.db, or remove it there. The other rows are not affected.";
    FactMeddled "fact_meddled" Warning
        "Facts whose text was changed directly in the database. No check has seen it."
        CheckFactMeddled;
    MethodMeddled "method_meddled" Warning
        "Methods whose text was changed directly in the database. No check has seen it."
        CheckMethodMeddled;
    FactStaysRetired "fact_stays_retired" Note
        "Facts that were retired because of a fact that was erased later. They are in no answer."
        CheckFactStaysRetired;
    HistoryWaits "history_waits" Warning
        "Changes that are not in the history yet, because git is not installed."
        "Install git. Until then the changes wait, and undo works.";
    HistoryBroken "history_broken" Error
        "A history that cannot be fully read, so `inwit history`, `undo` and `--as-of` fail. The notes are \
         not affected."
        CheckHistoryBroken;
    HistoryIncomplete "history_incomplete" Warning
        "Committed changes that the history does not contain: it is an older copy, or part of it is lost."
        "Restore a newer history.git from a backup. Undo still works for changes that wait in memory.db.";
    HookFailed "hook_failed" Warning
        "Errors of `inwit hook` in the last seven days."
        "The host continued without the hook. The finding names the cause. Older errors are not shown.";
    TranscriptUnread "transcript_unread" Warning
        "Host transcripts that cannot be read. A turn whose hook failed may be missing."
        "Make the file readable. The next hooks try it again, up to ten times in all. The finding ends 14 \
         days after the session's last hook.";
    EnvironmentUnread "environment_unread" Note
        "Environment variables of another system that are set but have no effect in inwit."
        CheckEnvironmentUnread;
    Unsettled "unsettled" Warning
        "Writes with an unknown result: their process was killed or is still running."
        "The next write finds out the result and repairs an interrupted write.";
    LeftBehind "left_behind" Warning
        "Hidden staging files of a write that was killed or is still running."
        "The next write or dream removes the files of a killed process. Remove one that stays, if it \
         contains nothing of yours.";
    EditDraft "edit_draft" Warning
        "Drafts of an `inwit edit` that was killed or is still open. Their text may be in no file yet."
        CheckEditDraft;
    Quarantined "quarantined" Warning
        "Logs that dreams skip, because they contain a possible secret."
        "Edit the log, then remove its entry from .dreamed-quarantine.json.";
    Link "link" Warning
        "Symbolic links. inwit does not follow them, so that it reads nothing outside the workspace."
        "Put the file itself into the workspace.";
    Special "special" Warning
        "Pipes, sockets and devices with the name of a note."
        "Remove them from the workspace.";
    LeftOut "left_out" Warning
        "Folders that could not be listed, are nested too deep, or are too many."
        "Make the folder readable, or move it up or out of the workspace.";
    NotText "not_text" Warning
        "Files that are not UTF-8. UTF-16 is not searched; invalid bytes are shown as U+FFFD."
        "Save the file as UTF-8 in your editor.";
    Unclosed "unclosed" Warning
        "Code fences, comments and front matter that are not closed. The text after them is read as part of \
         them."
        "Close the fence, the comment or the front matter.";
    TooDeep "too_deep" Note
        "Lines that are nested deeper than inwit reads. They count as plain text."
        "Nothing needs to be done, unless the nesting is a mistake.";
    TooMuch "too_much" Note
        "Files with too many Markdown marks or too many different words. The rest is read as plain text, or \
         search does not find it."
        "Ignore this for a data file. Otherwise, split the file.";
    TwoMemories "two_memories" Warning
        "memory.md beside MEMORY.md: only MEMORY.md is in the prompt."
        "Move what is still true from memory.md into MEMORY.md.";
    LocalNotes "local_notes" Warning
        "Local notes in AGENTS.md, which every room and every helper agent reads."
        "Move hosts, names and addresses into TOOLS.md, which is private.";
    HardLink "hard_link" Note
        "Files with another name in another folder (hard links). A change through inwit gives the workspace \
         its own copy."
        "Nothing needs to be done, unless both names should stay one file.";
    ForeignGit "foreign_git" Note
        "A .git in the workspace that inwit did not create."
        "Nothing needs to be done if you version the files yourself. If not, find out where it came from.";
    Mount "mount" Note
        "Files on another file system than the workspace folder."
        "Nothing needs to be done for reading.";
    Bootstrap "bootstrap" Note
        "First-run setup is not finished."
        "Start a chat with the agent. If the agent is already set up, delete BOOTSTRAP.md.";
    EmptyFile "empty_file" Note
        "Files with a known role that are empty."
        "Fill them, or remove them.";
}

impl CheckId {
    /// The row of this check.
    pub fn spec(self) -> &'static Check {
        &CHECKS[self as usize]
    }
}

/// A finding of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The check.
    pub check: CheckId,
    /// The file or folder, for display.
    pub path: Option<String>,
    /// One sentence.
    pub message: String,
}

/// Information that only the disk has.
pub trait DiskProbe {
    /// Number of hard links, usually 1.
    fn links(&self, name: &SafeName) -> u64;
    /// Whether the file is on another file system than the workspace.
    fn is_mounted(&self, name: &SafeName) -> bool;
    /// Whether the workspace has a `.git` that inwit did not create.
    fn has_foreign_git(&self) -> bool;
    /// Paths of staged hidden files, for display.
    fn staged(&self) -> Vec<String> {
        Vec::new()
    }
}

impl Agent {
    /// Runs every check; worst findings first. Error: `workspace_unreadable`.
    pub fn doctor(&self, beside: &dyn DiskProbe, watch: &mut Watch<'_>) -> Result<Vec<Finding>, EngineError> {
        let view = self.core.workspace.private();
        let mut findings = Vec::new();
        let main = self.core.view(&Scope::Main);
        match self.core.on_fresh_index(&main, watch, &mut |_, report| Ok(report)) {
            Ok((report, notices)) => {
                files::left_out(&report, &mut findings);
                let told =
                    notices.into_iter().map(|notice| finding(CheckId::IndexFailed, None, notice.message));
                findings.extend(told);
            }
            Err(error) if error.code == Code::WorkspaceUnreadable => return Err(error),
            Err(error) => findings.push(finding(CheckId::IndexFailed, None, error.message)),
        }
        files::files(self, &view, beside, &mut findings)?;
        files::budgets(self, &mut findings)?;
        kept::kept(self, beside, &mut findings);
        meaning::meaning(self, &mut findings);
        findings.sort_by(|left, right| {
            let key = |one: &Finding| (one.check.spec().severity, one.check as usize);
            key(left).cmp(&key(right)).then_with(|| left.path.cmp(&right.path))
        });
        Ok(findings)
    }
}

fn finding(check: CheckId, path: Option<String>, message: impl Into<String>) -> Finding {
    Finding { check, path, message: message.into() }
}
