//! Seeds a workspace with its first files.
//!
//! Existing files stay, whatever they contain; removed ones do not come back. BOOTSTRAP.md starts first-run setup, so
//! only a new workspace gets it, before the other files: a crash in between must not make the workspace look set up.
//! Invariant: planning reads, execution only creates; both are idempotent and safe concurrently.

use inwit_model::ports::Folder;
use inwit_model::{Code, FileError, FileKind, Files, Profile, SafeName};

use crate::{Landmarks, template};

/// Decides what to seed. Error: `workspace_unreadable`.
pub fn plan(files: &dyn Files, landmarks: &Landmarks, profile: &Profile) -> Result<SeedPlan, FileError> {
    let bootstrap = offer(files, landmarks)?;
    let mut steps = Vec::new();
    for seed in &profile.seeds {
        let Some(kind) = FileKind::at(seed) else { continue };
        let (Ok(name), Some(text)) = (SafeName::parse(seed), template::in_domain(kind, profile.domain))
        else {
            continue;
        };
        let action = match files.stamp(&name) {
            Ok(None) if kind == FileKind::Bootstrap && bootstrap != Offer::BrandNew => {
                SeedAction::Withhold(bootstrap)
            }
            Ok(None) if was_there(kind, landmarks) => SeedAction::Withhold(Offer::TakenAway),
            Ok(None) if kind == FileKind::Memory && has_older_memory(files) => {
                SeedAction::Withhold(Offer::InUse)
            }
            Ok(None) => SeedAction::Create(text),
            // Something stands there, readable or not.
            Ok(Some(_)) | Err(_) => SeedAction::Keep,
        };
        steps.push(SeedStep { name, action });
    }
    steps.sort_by_key(|step| step.name.as_str() != FileKind::Bootstrap.spec().path);
    Ok(SeedPlan { steps })
}

/// Carries out a plan. Errors: those of [`Files::create`] but `file_exists`, which means that another
/// one was faster and its file stays; what was made before an error stays, and the next run goes on.
pub fn carry_out(files: &dyn Files, plan: &SeedPlan) -> Result<Seeded, FileError> {
    let mut seeded = Seeded::default();
    for step in &plan.steps {
        match step.action {
            SeedAction::Create(text) => match files.create(&step.name, text.as_bytes()) {
                Ok(()) => seeded.created.push(step.name.clone()),
                Err(error) if error.code == Code::FileExists => seeded.kept.push(step.name.clone()),
                Err(error) => return Err(error),
            },
            SeedAction::Keep => seeded.kept.push(step.name.clone()),
            SeedAction::Withhold(_) => {}
        }
    }
    Ok(seeded)
}

/// What seeding would do, in the order in which it is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedPlan {
    /// One step for each file of the profile.
    pub steps: Vec<SeedStep>,
}

/// What happens to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedStep {
    /// The file.
    pub name: SafeName,
    /// What happens to it.
    pub action: SeedAction,
}

/// What may happen to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeedAction {
    /// It is made with this text.
    Create(&'static str),
    /// It is there and stays as it is.
    Keep,
    /// It is not there and is not made.
    Withhold(Offer),
}

/// Whether a workspace gets a first conversation, or a file it does not have, and why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer {
    /// The workspace is brand new.
    BrandNew,
    /// It holds files of an earlier life.
    InUse,
    /// The first conversation was had.
    Done,
    /// The file was there once, and a person took it away.
    TakenAway,
}

/// What seeding did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seeded {
    /// Files that were made.
    pub created: Vec<SafeName>,
    /// Files that were there, and stay as they are.
    pub kept: Vec<SafeName>,
}

/// Whether the `memory.md` of an older OpenClaw stands for MEMORY.md. Prompts show one of the two, so a new file
/// would hide it.
fn has_older_memory(files: &dyn Files) -> bool {
    SafeName::parse("memory.md").is_ok_and(|older| !matches!(files.stamp(&older), Ok(None)))
}

/// Any of these is a past, as in OpenClaw.
const PAST: &[&str] = &["AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md", "MEMORY.md", "memory.md"];

fn offer(files: &dyn Files, landmarks: &Landmarks) -> Result<Offer, FileError> {
    if landmarks.bootstrap_done || landmarks.openclaw_completed {
        return Ok(Offer::Done);
    }
    if landmarks.seeded_before.contains(FileKind::Bootstrap.spec().path) {
        return Ok(Offer::TakenAway);
    }
    let folders = ["memory", "skills"].map(|path| Folder { path: path.into(), deep: true });
    let inside = files.list(&folders)?;
    let folders_used = !inside.entries.is_empty() || !inside.skipped.is_empty();
    // What cannot even be looked at is there.
    let stands =
        |path: &&str| SafeName::parse(path).is_ok_and(|name| !matches!(files.stamp(&name), Ok(None)));
    let used = landmarks.memory_folder || landmarks.skills_folder || folders_used || PAST.iter().any(stands);
    Ok(if used { Offer::InUse } else { Offer::BrandNew })
}

/// After its set-up OpenClaw gives AGENTS.md again, but nothing else; a home remembers by name.
fn was_there(kind: FileKind, landmarks: &Landmarks) -> bool {
    let by_openclaw = matches!(kind, FileKind::Soul | FileKind::Identity | FileKind::User);
    landmarks.seeded_before.contains(kind.spec().path) || landmarks.openclaw_completed && by_openclaw
}
