//! What is wrong with a home, and how to mend it. Reads only; what can be mended without asking is in [`fix`] (a
//! damaged memory in [`back`]), what there is of everything in [`health`].
//!
//! Each check is a row of [`CHECKS`]; a finding names its file and what to do. `docs/reference/checks.md`
//! is read off the same table.

pub mod back;
pub mod fix;
pub mod health;
mod kept;
mod meaning;

use inwit_markdown::DiagnosticKind;
use inwit_model::limit::BUDGET_WARN_PERCENT;
use inwit_model::ports::SkipReason;
use inwit_model::profile::BlockKind;
use inwit_model::watch::Watch;
use inwit_model::{Code, FileKind, Hint, Place, Profile, SafeName, Scope};
use inwit_workspace::{PrivateView, ScopedReader};

use crate::core::fit::grouped;
use crate::core::sync::SyncReport;
use crate::{Agent, EngineError};

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Something does not work.
    Error,
    /// Something will not work soon, or works otherwise than it seems.
    Warning,
    /// Good to know.
    Note,
}

impl Severity {
    /// The written value.
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
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
    OverBudget "over_budget" Error
        "Files of which only a part, or nothing, is in the prompt."
        "Shorten the file, or raise load.max_file_chars or load.max_total_chars.";
    NearBudget "near_budget" Warning
        "Files, and all files together, at 80 % of their budget or more."
        "Move what is old into memory/topics or a daily log before it is cut.";
    OddName "odd_name" Warning
        "Names that mean another file on another system, or hide something; such files are not read."
        "Rename the file: letters, digits, spaces, `-`, `_`, `.`, and dates that exist.";
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
                left_out(&report, &mut findings);
                let told =
                    notices.into_iter().map(|notice| finding(CheckId::IndexFailed, None, notice.message));
                findings.extend(told);
            }
            Err(error) if error.code == Code::WorkspaceUnreadable => return Err(error),
            Err(error) => findings.push(finding(CheckId::IndexFailed, None, error.message)),
        }
        files(self, &view, beside, &mut findings)?;
        budgets(self, &mut findings)?;
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

fn left_out(report: &SyncReport, findings: &mut Vec<Finding>) {
    for (name, error) in &report.unread {
        findings.push(finding(CheckId::Unreadable, Some(name.to_string()), error.message.clone()));
    }
    for skipped in &report.skipped {
        let (check, sentence) = match skipped.reason {
            SkipReason::OddName => {
                (CheckId::OddName, "Its name is outside what is read, so it is not searched.")
            }
            SkipReason::SyncConflict => (
                CheckId::SyncConflict,
                "A sync tool, or a write that met an edit, left this copy; it is not read.",
            ),
            SkipReason::Link => (CheckId::Link, "It is a symbolic link; it is not followed."),
            SkipReason::Special => (CheckId::Special, "It is a pipe, socket or device, not a note."),
            SkipReason::TooDeep => (CheckId::LeftOut, "It lies deeper than folders are walked."),
            SkipReason::Unreadable => (CheckId::Unreadable, "It cannot be listed or looked at."),
            SkipReason::TooMany => (CheckId::LeftOut, "The workspace holds more files than are listed."),
        };
        findings.push(finding(check, Some(skipped.shown.clone()), sentence));
    }
}

/// What a look into each file shows.
fn files(
    agent: &Agent,
    view: &PrivateView,
    beside: &dyn DiskProbe,
    findings: &mut Vec<Finding>,
) -> Result<(), EngineError> {
    let listing = view.list()?;
    let has = |path: &str| listing.entries.iter().any(|entry| entry.name.as_str() == path);
    if has("memory.md") && has("MEMORY.md") {
        findings.push(finding(
            CheckId::TwoMemories,
            Some("memory.md".into()),
            "It stands beside MEMORY.md and is in no prompt.",
        ));
    }
    for entry in &listing.entries {
        let name = &entry.name;
        let Some(place) = Place::of(name).filter(|place| *place != Place::Foreign) else { continue };
        let is_bootstrap = place == Place::File(FileKind::Bootstrap);
        if is_bootstrap && agent.notes.pending_bootstrap()?.is_some() && !agent.core.has_projects() {
            findings.push(finding(
                CheckId::Bootstrap,
                Some(name.to_string()),
                "The first conversation has not been had.",
            ));
        }
        if matches!(place, Place::File(_)) && entry.stamp.bytes == 0 {
            findings.push(finding(CheckId::EmptyFile, Some(name.to_string()), "It is empty."));
        }
        let links = beside.links(name);
        if links > 1 {
            findings.push(finding(
                CheckId::HardLink,
                Some(name.to_string()),
                format!("The file has {links} names."),
            ));
        }
        if beside.is_mounted(name) {
            findings.push(finding(CheckId::Mount, Some(name.to_string()), "It lies on another file system."));
        }
        if let Ok(content) = view.read(name) {
            if inwit_markdown::is_binary(&content.bytes) {
                let message = "It is binary, or text in an encoding other than UTF-8, so it is neither searched nor in a prompt.";
                findings.push(finding(CheckId::NotText, Some(name.to_string()), message));
                continue;
            }
            contents(name, &place, &content.bytes, findings);
            kept::noticed(agent, name, &content.bytes, findings);
        }
    }
    Ok(())
}

fn contents(name: &SafeName, place: &Place, bytes: &[u8], findings: &mut Vec<Finding>) {
    let document = inwit_markdown::parse(bytes);
    // A file of fewer bytes than terms has too few of them, whatever it holds.
    if bytes.len() > inwit_recall::FILE_TERMS_MAX {
        let spans = document.passages.iter().map(|passage| &passage.span);
        let has_too_many = match std::str::from_utf8(bytes) {
            Ok(text) => inwit_recall::has_too_many_terms(spans.filter_map(|span| text.get(span.clone()))),
            Err(_) => {
                let passages: Vec<_> = spans.map(|span| document.text(span)).collect();
                inwit_recall::has_too_many_terms(passages.iter().map(|text| &**text))
            }
        };
        if has_too_many {
            let message = "It has so many words that search does not find its later parts.";
            findings.push(finding(CheckId::TooMuch, Some(name.to_string()), message));
        }
    }
    let line = |at: usize| bytes[..at.min(bytes.len())].iter().filter(|byte| **byte == b'\n').count() + 1;
    for diagnostic in &document.diagnostics {
        let at = line(diagnostic.span.start);
        let (check, sentence) = match &diagnostic.kind {
            DiagnosticKind::Utf16 => {
                (CheckId::NotText, "It is UTF-16, so it is neither searched nor in a prompt.".to_owned())
            }
            DiagnosticKind::InvalidUtf8 { bytes } => {
                (CheckId::NotText, format!("{bytes} byte(s) are not UTF-8, the first on line {at}."))
            }
            DiagnosticKind::FenceUnclosed => {
                (CheckId::Unclosed, format!("The code fence of line {at} never ends."))
            }
            DiagnosticKind::CommentUnclosed => {
                (CheckId::Unclosed, format!("The comment of line {at} never ends."))
            }
            DiagnosticKind::FrontMatterUnclosed => {
                (CheckId::Unclosed, "The front matter never ends.".to_owned())
            }
            DiagnosticKind::TooDeep { lines } => {
                (CheckId::TooDeep, format!("{lines} line(s) are nested too deep, the first is line {at}."))
            }
            DiagnosticKind::TooManyMarks => {
                (CheckId::TooMuch, format!("It is plain text from line {at} on: it has too many marks."))
            }
            DiagnosticKind::Nul { .. }
            | DiagnosticKind::MixedEol
            | DiagnosticKind::FrontMatterTooLarge { .. } => continue,
        };
        findings.push(finding(check, Some(name.to_string()), sentence));
    }
    if *place == Place::File(FileKind::Agents) {
        let told = document.sections.iter().find(|section| {
            section.title.trim().eq_ignore_ascii_case("local notes")
                && !document.text(&section.body).trim().is_empty()
        });
        if let Some(section) = told {
            let at = line(section.heading.start);
            findings.push(finding(
                CheckId::LocalNotes,
                Some(name.to_string()),
                format!("Local notes stand on line {at}, and every room reads this file."),
            ));
        }
    }
}

/// What the budgets of the private prompt leave away, or soon will.
fn budgets(agent: &Agent, findings: &mut Vec<Finding>) -> Result<(), EngineError> {
    let prompt = agent.sessions.prompt(&Scope::Main)?;
    let profile = agent.core.profile();
    for block in prompt.blocks.iter().filter(|block| block.kind.is_some() && !block.is_startup_note()) {
        let Some(name) = &block.source else { continue };
        let limit = limit_of(profile, block.kind);
        if block.is_cut() {
            let message = format!(
                "{} of {} characters are in the prompt.",
                grouped(block.shown_chars),
                grouped(block.total_chars)
            );
            findings.push(finding(CheckId::OverBudget, Some(name.to_string()), message));
        } else if block.total_chars * 100 >= limit * BUDGET_WARN_PERCENT {
            let message = format!(
                "{} of the {} characters a file may have in the prompt.",
                grouped(block.total_chars),
                grouped(limit)
            );
            findings.push(finding(CheckId::NearBudget, Some(name.to_string()), message));
        }
    }
    for omission in &prompt.omitted {
        use crate::sessions::prompt::Reason;
        if matches!(omission.reason, Reason::OverFileLimit | Reason::OverTotalLimit) {
            let path = omission.source.as_ref().map(SafeName::to_string);
            findings.push(finding(
                CheckId::OverBudget,
                path,
                format!("It is not in the prompt: {}", omission.reason.sentence()),
            ));
        }
    }
    let total: usize = prompt
        .blocks
        .iter()
        .filter(|block| block.kind.is_some())
        .map(crate::sessions::prompt::Block::chars)
        .sum();
    if total * 100 >= prompt.budget_chars * BUDGET_WARN_PERCENT {
        let message = format!(
            "All files together take {} of the {} characters of the prompt.",
            grouped(total),
            grouped(prompt.budget_chars)
        );
        findings.push(finding(CheckId::NearBudget, None, message));
    }
    Ok(())
}

fn limit_of(profile: &Profile, kind: Option<BlockKind>) -> usize {
    if kind == Some(BlockKind::User) { profile.max_user_chars } else { profile.max_file_chars }
}
