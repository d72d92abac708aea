//! Checks of an agent on this machine: the engine's checks of notes and memory, and checks of their surroundings.
//!
//! Every interface shows the same findings. To add a check of a home, add a row to `CHECKS` of the engine, and a
//! function to [`AROUND`]. Invariant: read-only.

use inwit_engine::doctor::DiskProbe;
use inwit_engine::{CheckId, EngineError, Finding};
use inwit_model::name::shown;
use inwit_model::plural::counted;
use inwit_model::watch::Watch;
use inwit_model::{DreamEngine, SafeName, Scope};
use inwit_store_sqlite::SqliteMemory;
use inwit_workspace::history::{History, HistoryError};

use crate::backup::staged;
use crate::folder_home;
use crate::forgetting::home::draft_paths;
use crate::forgetting::unfinished;
use crate::hook_log;
use crate::host_sessions::HostSessions;
use crate::open::OpenAgent;

/// A check of an agent's surroundings.
type Around = fn(&OpenAgent) -> Vec<Finding>;

/// All of them.
const AROUND: &[Around] = &[
    index_at_opening, forgetting_unfinished, memory_gone, restore_staged, orphaned_home, edit_drafts, hooks,
    transcripts, language_model,
];

/// Runs every check and adds the findings of the interface; worst findings first. `watch` gets the number of files
/// read and the total. Error: `workspace_unreadable`.
pub fn examine(
    opened: &OpenAgent,
    of_interface: Vec<Finding>,
    watch: &mut Watch<'_>,
) -> Result<Vec<Finding>, EngineError> {
    // Before the engine's checks, which may create a memory.db.
    let mut findings: Vec<Finding> = AROUND.iter().flat_map(|check| check(opened)).collect();
    findings.extend(opened.agent.doctor(&OnDisk(opened), watch)?);
    findings.extend(of_interface);
    // A damaged file is not missing.
    if findings.iter().any(|finding| finding.check == CheckId::MemoryDamaged) {
        findings.retain(|finding| finding.check != CheckId::MemoryGone);
    }
    findings.sort_by_key(|finding| (finding.check.spec().severity, finding.check as usize));
    Ok(findings)
}

fn finding(check: CheckId, message: impl Into<String>) -> Finding {
    Finding { check, path: None, message: message.into() }
}

/// An index that failed on opening is reported like one that fails later.
fn index_at_opening(opened: &OpenAgent) -> Vec<Finding> {
    let failed = opened.notices.iter().filter(|notice| notice.code.starts_with("index_"));
    failed.map(|notice| finding(CheckId::IndexFailed, &notice.message)).collect()
}

fn forgetting_unfinished(opened: &OpenAgent) -> Vec<Finding> {
    let notice = unfinished::notice(&opened.chosen.home).into_iter();
    notice.map(|notice| finding(CheckId::ForgettingUnfinished, notice.message)).collect()
}

fn memory_gone(opened: &OpenAgent) -> Vec<Finding> {
    let rows = SqliteMemory::lost_rows(&opened.chosen.home.join("memory.db")).into_iter();
    let said = |rows| format!("memory.db is missing or empty; its audit log had {}.", counted(rows, "row"));
    rows.map(|rows| finding(CheckId::MemoryGone, said(rows))).collect()
}

fn restore_staged(opened: &OpenAgent) -> Vec<Finding> {
    let left = staged::left(&opened.chosen.home, &opened.chosen.workspace, &opened.config.paths);
    left.into_iter().map(|path| finding(CheckId::RestoreStaged, path.display().to_string())).collect()
}

fn orphaned_home(opened: &OpenAgent) -> Vec<Finding> {
    let home = folder_home::of(&opened.config.paths, &opened.chosen.workspace);
    let home = home.filter(|home| *home != opened.chosen.home);
    home.into_iter().map(|path| finding(CheckId::OrphanedHome, shown(&path.to_string_lossy()))).collect()
}

fn edit_drafts(opened: &OpenAgent) -> Vec<Finding> {
    let drafts = draft_paths(&opened.chosen.home).into_iter();
    drafts.map(|path| finding(CheckId::EditDraft, shown(&path.to_string_lossy()))).collect()
}

fn hooks(opened: &OpenAgent) -> Vec<Finding> {
    let failures = hook_log::recent(&opened.config.paths.state, &opened.chosen.id).into_iter();
    failures.map(|message| finding(CheckId::HookFailed, message)).collect()
}

fn transcripts(opened: &OpenAgent) -> Vec<Finding> {
    let unread = HostSessions::of(&opened.chosen.home).failures().into_iter();
    unread
        .map(|(path, why)| finding(CheckId::TranscriptUnread, format!("{}: {why}.", shown(&path))))
        .collect()
}

/// A language model that runs without a person, and would fail each time. A key command is not run for this.
fn language_model(opened: &OpenAgent) -> Vec<Finding> {
    let (config, model) = (&opened.config, &opened.config.dream_logs.model);
    let is_needed = config.dreams.engines.contains(&DreamEngine::Logs) || config.review.wanted.is_any();
    let unusable = match model.provider {
        None if !is_needed => None,
        _ => model.check_settings(is_needed.then_some(&Scope::Main)).err(),
    };
    unusable.map(|error| finding(CheckId::LanguageModelUnusable, error.message)).into_iter().collect()
}

/// Information from the file system: links, mounts, staged files, a foreign `.git`.
struct OnDisk<'o>(&'o OpenAgent);

impl DiskProbe for OnDisk<'_> {
    fn links(&self, name: &SafeName) -> u64 {
        self.0.files.links(name).ok().flatten().unwrap_or(1)
    }

    fn is_mounted(&self, name: &SafeName) -> bool {
        self.0.files.is_mounted(name).unwrap_or(false)
    }

    fn staged(&self) -> Vec<String> {
        self.0.files.staged().unwrap_or_default()
    }

    fn has_foreign_git(&self) -> bool {
        let git_dir = self.0.chosen.workspace.join(".git");
        matches!(History::open(&git_dir), Err(HistoryError::NotOurs { .. }))
    }
}
