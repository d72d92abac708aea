//! Imports from other systems: the table of importers, the plan, and its execution.
//!
//! An importer says whose words its files are and where they go. Files of the owner are written as they are; all others wait for
//! a person. Invariants: the source is only read, no file of the workspace is changed but a template that nobody touched, so a
//! second run has nothing left to write, and each file is written as a change that the gate judged.

mod claude_code;
mod openclaw;

use std::collections::BTreeMap;
use std::path::Path;

use inwit_gate::{Approved, Author, Change, Finding, HumanConsent, findings, judge_import};
use inwit_model::ports::{Folder, Skipped};
use inwit_model::{Code, FileError, FileKind, Files, Op, ProposalId, SafeName, Sha256, Taint};
use inwit_workspace::{Landmarks, template};

pub use self::claude_code::{ClaudeCode, slug};
pub use self::openclaw::Openclaw;
use crate::core::mask::is_grave;
use crate::core::record::AuditDetail;
use crate::notes::write::DryRun;
use crate::{EngineError, Notes};

/// The importers. The first one that recognises a folder is used.
pub const IMPORTERS: &[&dyn Importer] = &[&Openclaw, &ClaudeCode];

/// A system whose files can be imported.
pub trait Importer: Sync {
    /// Its name in commands and in the audit log.
    fn id(&self) -> &'static str;

    /// Its name for people.
    fn title(&self) -> &'static str;

    /// A description of `source`; `None` if it is not a folder of this system.
    fn recognises(&self, source: &Source<'_>) -> Option<&'static str>;

    /// The taint of its files. [`Taint::Owner`]: they are written unchanged.
    fn taint(&self) -> Taint;

    /// The workspace name of a file of the source, or why it is not imported.
    fn target(&self, source: &Source<'_>, name: &SafeName) -> Result<SafeName, Stays>;
}

/// The importer for a folder.
pub fn recognised(source: &Source<'_>) -> Option<&'static dyn Importer> {
    IMPORTERS.iter().copied().find(|importer| importer.recognises(source).is_some())
}

/// A folder of another system.
pub struct Source<'s> {
    /// Its files.
    pub files: &'s dyn Files,
    /// Other files beside them that identify the system.
    pub landmarks: &'s Landmarks,
    /// Its path, for display and the audit log.
    pub path: &'s Path,
    /// Files to import although they are excluded by default.
    pub include: &'s [FileKind],
}

/// Parameters of an import.
pub struct Import<'i> {
    /// The system.
    pub importer: &'i dyn Importer,
    /// Its folder.
    pub source: &'i Source<'i>,
    /// Consent of the owner of the workspace.
    pub owner: &'i HumanConsent,
}

/// The plan of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// One step for each Markdown file of the source, by name.
    pub steps: Vec<Step>,
    /// Files of the source with invalid names, and why.
    pub left: Vec<Skipped>,
}

/// The plan for one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Its name in the source.
    pub name: SafeName,
    /// The action.
    pub action: Action,
    /// Findings of the gate, masked for models until the owner accepts them.
    pub findings: Vec<Finding>,
    /// Whether it was carried out.
    pub is_done: bool,
}

/// The action for a file. Hashes are of the judged bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Write it.
    Write(Sha256),
    /// Propose it to the owner.
    Propose(Sha256),
    /// Already proposed by an earlier import.
    Waits(ProposalId),
    /// The workspace has the same content.
    Same,
    /// The workspace has another file with this name, which stays.
    Conflict,
    /// The existing workspace entry cannot be read, such as a link.
    Barred(FileError),
    /// It changed during the import and was skipped.
    Moved,
    /// Not imported.
    Skip(Stays),
    /// The gate refuses it.
    Refused(EngineError),
}

/// Why a file is not imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stays {
    /// It belongs to the agent's past in that system; [`Source::include`] imports it.
    NotIncluded,
    /// It is a transcript, not a note.
    Transcript,
    /// The owner rejected this text.
    Rejected(EngineError),
    /// It cannot be read, or its name is invalid here.
    Failed(FileError),
}

impl Plan {
    /// Number of steps of a kind.
    pub fn count(&self, is_counted: impl Fn(&Step) -> bool) -> usize {
        self.steps.iter().filter(|step| is_counted(step)).count()
    }

    /// Number of findings by class.
    pub fn classes(&self) -> BTreeMap<String, usize> {
        let mut classes = BTreeMap::new();
        for finding in self.steps.iter().flat_map(|step| &step.findings) {
            *classes.entry(finding.class.clone()).or_default() += 1;
        }
        classes
    }
}

impl Step {
    /// Whether there is something to write or propose.
    pub fn is_open(&self) -> bool {
        matches!(self.action, Action::Write(_) | Action::Propose(_)) && !self.is_done
    }

    /// Whether source and workspace differ, so that both are unchanged.
    pub fn is_conflict(&self) -> bool {
        matches!(self.action, Action::Conflict | Action::Barred(_) | Action::Moved)
    }
}

/// Whether a file is as `init` wrote it.
fn is_template(name: &SafeName, bytes: &[u8]) -> bool {
    FileKind::at(name.as_str()).is_some_and(|kind| template::is_untouched(kind, bytes))
}

/// A file that may be written or proposed.
enum Brought {
    Approved(Approved<Change>),
    Asked(Change),
}

impl Brought {
    fn change(&self) -> &Change {
        match self {
            Self::Approved(approved) => approved.change(),
            Self::Asked(change) => change,
        }
    }

    fn sha256(&self) -> Option<Sha256> {
        self.change().op.result(None).map(|bytes| Sha256::of(&bytes))
    }
}

impl Notes {
    /// Plans an import. Read-only. Error: `workspace_unreadable`.
    pub fn plan_import(&self, import: &Import<'_>) -> Result<Plan, EngineError> {
        let listing = import.source.files.list(&[Folder { path: String::new(), deep: true }])?;
        let steps = listing.entries.into_iter().map(|entry| self.step(import, entry.name)).collect();
        Ok(Plan { steps, left: listing.skipped })
    }

    /// Carries out a plan and marks the completed steps. A file that changed in the source, or appeared in the
    /// workspace, is skipped. Errors: `audit_unwritable`, and those of the disk; completed steps stay, and the next
    /// import continues.
    pub fn import(&self, import: &Import<'_>, plan: &mut Plan) -> Result<(), EngineError> {
        let classes: Vec<String> =
            plan.classes().into_iter().map(|(class, count)| format!("{class} {count}")).collect();
        let detail = AuditDetail::default()
            .with("system", import.importer.id())
            .with("taint", import.importer.taint())
            .with("files", plan.count(Step::is_open))
            .with_some("findings", (!classes.is_empty()).then(|| classes.join(", ")));
        self.core.record("import", &import.source.path.display().to_string(), detail)?;
        let writer = self.writer()?;
        for step in plan.steps.iter_mut().filter(|step| step.is_open()) {
            let (Action::Write(planned) | Action::Propose(planned)) = step.action else { continue };
            let brought = match self.brought(import, &step.name) {
                Ok(brought) if brought.sha256() == Some(planned) => brought,
                Ok(_) => {
                    step.action = Action::Moved;
                    continue;
                }
                Err(action) => {
                    step.action = action;
                    continue;
                }
            };
            match brought {
                // The owner did not review each line, so findings are not accepted: prompts mask them.
                Brought::Approved(approved) => match writer.apply(approved) {
                    Ok(_) => step.is_done = true,
                    Err(error) if matches!(error.code(), Code::Stale | Code::FileExists) => {
                        step.action = Action::Conflict;
                    }
                    Err(error) => return Err(error.into()),
                },
                Brought::Asked(change) => match self.write(change) {
                    Ok(_) => step.is_done = true,
                    Err(error) => step.action = Action::Refused(error),
                },
            }
        }
        Ok(())
    }

    fn step(&self, import: &Import<'_>, name: SafeName) -> Step {
        let (action, mut findings) = match self.brought(import, &name) {
            Err(action) => (action, Vec::new()),
            Ok(brought) => self.foreseen(&brought),
        };
        findings.retain(is_grave);
        Step { name, action, findings, is_done: false }
    }

    /// The action for a file to write or propose, and its findings.
    fn foreseen(&self, brought: &Brought) -> (Action, Vec<Finding>) {
        let change = match brought {
            Brought::Approved(approved) => {
                let write = brought.sha256().map_or(Action::Same, Action::Write);
                return (write, approved.findings().to_vec());
            }
            Brought::Asked(change) => change,
        };
        let bytes = change.op.result(None).unwrap_or_default();
        let action = match self.foresee(change) {
            Ok(DryRun::Pending | DryRun::Written) => Action::Propose(Sha256::of(&bytes)),
            Ok(DryRun::Waits(id)) => Action::Waits(id),
            Ok(DryRun::Unchanged) => Action::Same,
            Err(error) if error.code == Code::RejectedBefore => Action::Skip(Stays::Rejected(error)),
            Err(error) => Action::Refused(error),
        };
        (action, findings(&change.target, None, &bytes))
    }

    /// The error of a name whose folder is a file.
    fn without_folder(&self, target: &SafeName) -> Option<FileError> {
        let is_file = |folder: &&str| {
            SafeName::parse(folder).is_ok_and(|name| matches!(self.core.files.stamp(&name), Ok(Some(_))))
        };
        let mut folders = target.as_str().match_indices('/').map(|(at, _)| &target.as_str()[..at]);
        let file = folders.find(is_file)?;
        let message = format!("`{target}` needs a folder where `{file}` is a file.");
        Some(FileError { code: Code::WriteFailed, message })
    }

    /// A file of the source approved by the gate, or its other action.
    fn brought(&self, import: &Import<'_>, name: &SafeName) -> Result<Brought, Action> {
        let (importer, source) = (import.importer, import.source);
        let target = importer.target(source, name).map_err(Action::Skip)?;
        let content = source.files.read(name).map_err(|error| Action::Skip(Stays::Failed(error)))?;
        let base = match self.core.files.read(&target) {
            Ok(there) if there.sha256 == content.sha256 => return Err(Action::Same),
            // A template holds nothing of the person, and its receipt keeps it.
            Ok(there) if importer.taint() == Taint::Owner && is_template(&target, &there.bytes) => {
                Some(there.sha256)
            }
            Ok(_) => return Err(Action::Conflict),
            Err(error) if error.code == Code::FileMissing => None,
            Err(error) => return Err(Action::Barred(error)),
        };
        if let Some(error) = self.without_folder(&target) {
            return Err(Action::Barred(error));
        }
        // An import never restores an erased text; the owner can write it directly.
        let memory = self.core.memory_if_made().map_err(Action::Refused)?;
        memory
            .map_or(Ok(()), |memory| self.core.stays_forgotten(memory.as_ref(), None, &content.bytes))
            .map_err(Action::Refused)?;
        let from = source.path.join(name.as_str());
        let (title, digits) = (importer.title(), content.sha256.short(16));
        let reason = format!("From {title}, sha256 {digits}: {}", from.display());
        if importer.taint() == Taint::Owner {
            let approved =
                judge_import(&self.core.policy(), import.owner, target, base, content.bytes, &reason);
            return approved.map(Brought::Approved).map_err(|refusal| Action::Refused(refusal.into()));
        }
        let change = Change::new(target, Op::Put(content.bytes), None, Author::IMPORT);
        Ok(Brought::Asked(change.tainted(importer.taint()).because(&reason)))
    }
}
