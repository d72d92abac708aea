//! Copies the Markdown of an OpenClaw workspace into another one, byte for byte.
//!
//! The source is only read. BOOTSTRAP.md and HEARTBEAT.md belong to the life that the source leads
//! (W94, X57) and come only when asked for; hidden state never comes, since no listing shows it.
//! Invariant: no file of the target is changed, so a second run has nothing left to copy.

use inwit_model::ports::{Folder, Skipped};
use inwit_model::{Code, FileError, FileKind, Files, SafeName, Sha256};

/// Decides what to copy; `include` names the files that come although they usually stay.
/// Errors: `workspace_unreadable` of either side.
pub fn plan_openclaw(
    source: &dyn Files,
    target: &dyn Files,
    include: &[FileKind],
) -> Result<ImportPlan, FileError> {
    let listing = source.list(&[Folder { path: String::new(), deep: true }])?;
    let mut steps = Vec::new();
    for entry in listing.entries {
        let action = match stays(&entry.name, include) {
            Some(reason) => ImportAction::Skip(reason),
            None => compare(source, target, &entry.name),
        };
        steps.push(ImportStep { name: entry.name, action });
    }
    Ok(ImportPlan { steps, left: listing.skipped })
}

/// Carries out a plan. A file that changed in the source since the plan, or that appeared in the
/// target, is a conflict and stays. Errors: those of reading the source and of [`Files::create`];
/// what was copied before an error stays, and the next run goes on.
pub fn carry_out(source: &dyn Files, target: &dyn Files, plan: &ImportPlan) -> Result<Imported, FileError> {
    let mut imported = Imported::default();
    for step in &plan.steps {
        let ImportAction::Copy(sha256) = step.action else {
            if matches!(step.action, ImportAction::Conflict | ImportAction::Barred(_)) {
                imported.conflicts.push(step.name.clone());
            }
            continue;
        };
        let content = source.read(&step.name)?;
        if content.sha256 != sha256 {
            imported.conflicts.push(step.name.clone());
            continue;
        }
        match target.create(&step.name, &content.bytes) {
            Ok(()) => imported.copied.push(step.name.clone()),
            Err(error) if error.code == Code::FileExists => imported.conflicts.push(step.name.clone()),
            Err(error) => return Err(error),
        }
    }
    Ok(imported)
}

/// What an import would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportPlan {
    /// One step for each Markdown file of the source, by name.
    pub steps: Vec<ImportStep>,
    /// What the source holds but nobody can address, and why.
    pub left: Vec<Skipped>,
}

/// What happens to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportStep {
    /// The file, of the same name on both sides.
    pub name: SafeName,
    /// What happens to it.
    pub action: ImportAction,
}

/// What may happen to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportAction {
    /// It is copied; the hash is of what the plan saw.
    Copy(Sha256),
    /// The target has the same bytes.
    Same,
    /// The target has other bytes, and they stay.
    Conflict,
    /// What stands there in the target cannot be read, such as a link; the sentence says why.
    Barred(String),
    /// It stays behind.
    Skip(StayReason),
}

/// Why a file stays behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StayReason {
    /// It belongs to the life of the source; `include` brings it.
    NotIncluded,
    /// It records conversations, which are no notes.
    Transcript,
    /// It cannot be read; the sentence says why.
    Unreadable(String),
}

/// What an import did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imported {
    /// Files that were copied.
    pub copied: Vec<SafeName>,
    /// Files that differ on both sides, or changed meanwhile; both stay as they are.
    pub conflicts: Vec<SafeName>,
}

/// Files that belong to the life of the source.
const USUALLY_STAY: &[FileKind] = &[FileKind::Bootstrap, FileKind::Heartbeat];

/// Folders at the root that record conversations.
const TRANSCRIPT_FOLDERS: &[&str] = &["transcripts", "sessions"];

fn stays(name: &SafeName, include: &[FileKind]) -> Option<StayReason> {
    let kind = FileKind::at(name.as_str());
    if kind.is_some_and(|kind| USUALLY_STAY.contains(&kind) && !include.contains(&kind)) {
        return Some(StayReason::NotIncluded);
    }
    let root = name.parts().next().unwrap_or_default();
    TRANSCRIPT_FOLDERS.contains(&root).then_some(StayReason::Transcript)
}

fn compare(source: &dyn Files, target: &dyn Files, name: &SafeName) -> ImportAction {
    let ours = match source.read(name) {
        Ok(content) => content.sha256,
        Err(error) => return ImportAction::Skip(StayReason::Unreadable(error.message)),
    };
    match target.read(name) {
        Ok(theirs) if theirs.sha256 == ours => ImportAction::Same,
        Err(error) if error.code == Code::FileMissing => ImportAction::Copy(ours),
        Ok(_) => ImportAction::Conflict,
        Err(error) => ImportAction::Barred(error.message),
    }
}
