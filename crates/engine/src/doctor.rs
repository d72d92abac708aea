//! What is wrong with a home, and how to mend it. Reads only; what can be mended without asking is in [`fix`] (a
//! damaged memory in [`back`]), what there is of everything in [`health`].
//!
//! Each check is a row of [`CHECKS`]; a finding names its file and what to do. `docs/reference/checks.md`
//! is read off the same table.

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
    /// How much a finding matters.
    Severity {
        /// Something does not work.
        Error = "error",
        /// Something will not work soon, or works otherwise than it seems.
        Warning = "warning",
        /// Good to know.
        Note = "note",
    }
}

/// One row.
#[derive(Debug)]
pub struct Check {
    /// Stable name.
    pub name: &'static str,
    /// How much a finding matters.
    pub severity: Severity,
    /// What is looked at.
    pub about: &'static str,
    /// What to do about a finding.
    pub hint: Hint,
}

macro_rules! checks {
    (@ $words:literal) => { Hint::Words($words) };
    (@ $id:ident) => { Hint::$id };
    ($($id:ident $name:literal $severity:ident $about:literal $hint:tt;)*) => {
        /// Names a row of [`CHECKS`].
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
        "Files that are there and cannot be read."
        "Check the permissions, or move the file out of the workspace.";
    IndexFailed "index_failed" Error
        "An index that could not be opened or brought up to date."
        CheckIndexFailed;
    MemoryDamaged "memory_damaged" Error
        "A memory.db that is damaged, or is none of ours."
        CheckMemoryDamaged;
    MemoryGone "memory_gone" Error
        "A memory.db that is gone or empty, though `memory.db-head` beside it counts rows of its record."
        CheckMemoryGone;
    MemoryUnreadable "memory_unreadable" Error
        "A memory.db that may not be read, or that another process holds."
        "Wait for who holds it, or give yourself the right to read it and to write in its folder; a copy of the home where you have it does as well.";
    MemoryReadOnly "memory_read_only" Error
        "A memory.db that may not be written: it is read, and nothing new is kept."
        "Give yourself the right to write the file and its folder, or work on a copy of the home where you have it.";
    MemoryEarlier "memory_earlier" Note
        "A memory.db that an earlier version of inwit wrote. Doctor looks at a copy and leaves it as it is."
        "The next command that uses it keeps a copy in `backups/` and brings it forward; what wrote it cannot open it then.";
    MemoryIndexStale "memory_index_stale" Error
        "Indexes and full texts of memory.db that do not say what its rows say. No row is lost."
        CheckMemoryIndexStale;
    MemoryRowsClash "memory_rows_clash" Error
        "Rows of memory.db that say the same where only one may; no index can be made of them."
        CheckMemoryRowsClash;
    MemoryForeignPart "memory_foreign_part" Warning
        "Triggers, views and virtual tables in memory.db that inwit did not make: they could change what is written, and no backup with them can be restored."
        "If you made it, nothing need be done. If not, take it away with `sqlite3` (`DROP TRIGGER NAME`), and look at who else can write the file.";
    RecordBroken "record_broken" Error
        "A record of who did what that somebody changed."
        "The rows before the named one still hold; keep a copy before you go on.";
    ForgettingUnfinished "forgetting_unfinished" Error
        "Words that may still stand though they were forgotten for good: the deed was killed, or is at work now."
        CheckForgettingUnfinished;
    RestoreStaged "restore_staged" Warning
        "Copies of a backup that a restore left half done beside their place: it was killed, or is at work now. No agent opens them."
        CheckRestoreStaged;
    OrphanedHome "orphaned_home" Warning
        "The home that the workspace got with `-w` before its agent was made: facts, history and inbox that no command opens."
        "Keep what you need of it, such as facts that `sqlite3` reads from its memory.db; then remove it with `rm -r`.";
    OverBudget "over_budget" Error
        "Files of which only a part, or nothing, is in the prompt."
        "Shorten the file, or raise load.max_file_chars or load.max_total_chars.";
    NearBudget "near_budget" Warning
        "Files, and all files together, at 80 % of their budget or more."
        "Move what is old into memory/topics or a daily log before it is cut.";
    OddName "odd_name" Warning
        "Names that hold invisible characters or markup, which are not read, and dates that no calendar has."
        "Rename the file.";
    SyncConflict "sync_conflict" Warning
        "Copies that a sync tool, or a write that met somebody's edit, left beside a file; they are not read."
        "Take what is missing over into the file, then remove the copy.";
    SecretInFile "secret_in_file" Warning
        "Keys, tokens and seed phrases that did not pass the gate: they stand, and are masked for models."
        "Take it out, and exchange it where it is used: history and copies may hold it too.";
    HiddenText "hidden_text" Warning
        "Characters in a file that nobody sees, or that turn text around; they are masked for models."
        CheckHiddenText;
    SteeringText "steering_text" Warning
        "Phrases that steer agents and did not pass the gate; they are masked for models."
        CheckSteeringText;
    ModelUnusable "model_unusable" Warning
        "A model of meaning that is configured and cannot be asked, or whose vectors cannot be read."
        CheckModelUnusable;
    VectorsLost "vectors_lost" Warning
        "A cache of vectors that was damaged; it was dropped."
        CheckVectorsLost;
    VectorsSlow "vectors_slow" Note
        "A file of vectors that this program or this machine cannot read; what it was made from answers, which takes longer."
        CheckVectorsSlow;
    VectorsWaiting "vectors_waiting" Note
        "Passages that are not found by their meaning yet."
        CheckVectorsWaiting;
    VectorsRefused "vectors_refused" Note
        "Passages that the model refused; they are found by their words."
        "Shorten the passage, or use another model; what is edited is tried again.";
    TextsUnread "texts_unread" Note
        "Passages in a script or language that the model was never taught; they are found by their words."
        "Nothing is wrong with them. A model that knows the language finds them by meaning, too.";
    Waiting "waiting" Warning
        "Proposals that have waited for more than three days."
        CheckWaiting;
    FactUnread "fact_unread" Warning
        "Facts, and what is known of the user, into which another program wrote what is no id or no moment: they are in no answer."
        CheckFactUnread;
    LearningUnread "learning_unread" Warning
        "Methods, decisions, roles and preferences into which another program wrote what cannot be read: they are in no list and no prompt."
        "Put the row right in memory.db, or take it away there; the others are as they were.";
    FactMeddled "fact_meddled" Warning
        "Facts whose words somebody changed in the database itself: no check has seen them."
        CheckFactMeddled;
    MethodMeddled "method_meddled" Warning
        "Methods whose words somebody changed in the database itself: no check has seen them."
        CheckMethodMeddled;
    FactStaysRetired "fact_stays_retired" Note
        "Facts that were retired for one that is gone for good since: nothing stands in their place, and they are in no answer."
        CheckFactStaysRetired;
    HistoryWaits "history_waits" Warning
        "Changes that are not in the history yet because there is no git."
        "Install git; they are kept until then, and undo works without it.";
    HistoryBroken "history_broken" Error
        "A history that cannot be read whole, so `inwit history`, `undo` and `--as-of` fail. The notes are not touched."
        CheckHistoryBroken;
    HistoryIncomplete "history_incomplete" Warning
        "Changes that were committed and that the history does not hold: it is an older one, or a part of it is gone."
        "Bring a newer history.git back from a backup; undo still has what waits in memory.db.";
    HookFailed "hook_failed" Warning
        "Moments of the last seven days at which a host called `inwit hook` and something went wrong."
        "The host went on without it; the line says what is to be mended. Lines older than a week are not shown.";
    TranscriptUnread "transcript_unread" Warning
        "Transcripts of hosts that cannot be read: a turn whose hook failed may be missing."
        "Make the file readable; the next hook tries it again, ten times in all. A finding ends 14 days after the session's last hook.";
    EnvironmentUnread "environment_unread" Note
        "Environment variables of another system that are set and change nothing in inwit."
        CheckEnvironmentUnread;
    Unsettled "unsettled" Warning
        "Writes of which nobody knows the end: their process died, or is at work now."
        "The next write finds out and puts right what was cut.";
    LeftBehind "left_behind" Warning
        "Hidden files that a write which was killed, or is at work now, staged."
        "The next write or the next dream clears away what a killed process left; remove one that stays and holds nothing of yours.";
    EditDraft "edit_draft" Warning
        "Drafts of `inwit edit` that was killed, or is open now: their text may stand in no file yet."
        CheckEditDraft;
    Quarantined "quarantined" Warning
        "Logs that dreams leave alone because they hold what looks like a secret."
        "Edit the log, then take its entry out of .dreamed-quarantine.json.";
    Link "link" Warning
        "Symbolic links; none is followed, so that nothing outside the workspace is read."
        "Put the file itself into the workspace.";
    Special "special" Warning
        "Pipes, sockets and devices with the name of a note."
        "Remove them from the workspace.";
    LeftOut "left_out" Warning
        "Folders that could not be listed, lie too deep, or are too many."
        "Make the folder readable, or move it up or out of the workspace.";
    NotText "not_text" Warning
        "Files that are not UTF-8: UTF-16 is not searched, stray bytes are shown as U+FFFD."
        "Save the file as UTF-8 in your editor.";
    Unclosed "unclosed" Warning
        "Code fences, comments and front matter that never end: what follows is read as part of them."
        "Close the fence, the comment or the front matter.";
    TooDeep "too_deep" Note
        "Lines nested deeper than is read; they count as plain text."
        "Nothing needs to be done unless the nesting is a mistake.";
    TooMuch "too_much" Note
        "Files with more marks of Markdown, or more different words, than are read: the rest is plain text, or not found."
        "Nothing needs to be done if it is data; else cut the file into smaller ones.";
    TwoMemories "two_memories" Warning
        "memory.md beside MEMORY.md: only MEMORY.md is in the prompt."
        "Move what is still true from memory.md into MEMORY.md.";
    LocalNotes "local_notes" Warning
        "Local notes in AGENTS.md, which every room and every helper agent reads."
        "Move hosts, names and addresses into TOOLS.md, which is private.";
    HardLink "hard_link" Note
        "Files that another folder holds too; a change through inwit gives the workspace its own copy."
        "Nothing needs to be done unless both names should stay one file.";
    ForeignGit "foreign_git" Note
        "A .git in the workspace that inwit did not make."
        "Nothing needs to be done if you keep versions yourself; look where it came from if you do not.";
    Mount "mount" Note
        "Files on another file system than the workspace's folder."
        "Nothing needs to be done for reading.";
    Bootstrap "bootstrap" Note
        "A first conversation with the agent that has not taken place."
        "Start a chat with the agent, or delete BOOTSTRAP.md if the agent is set up.";
    EmptyFile "empty_file" Note
        "Files known by name that hold nothing."
        "Fill them, or remove them.";
}

impl CheckId {
    /// The row of this check.
    pub fn spec(self) -> &'static Check {
        &CHECKS[self as usize]
    }
}

/// Something that a check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The check.
    pub check: CheckId,
    /// The file or folder, as it may be shown.
    pub path: Option<String>,
    /// One sentence.
    pub message: String,
}

/// What only the disk beside the Markdown can tell.
pub trait DiskProbe {
    /// Names that the file has, 1 for most.
    fn links(&self, name: &SafeName) -> u64;
    /// Whether the file lies on another file system than the workspace.
    fn is_mounted(&self, name: &SafeName) -> bool;
    /// Whether a `.git` lies in the workspace that inwit did not make.
    fn has_foreign_git(&self) -> bool;
    /// Paths of hidden files that writes staged, as they may be shown.
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
