//! Imports: a table of the systems whose files can be taken over, a plan, and the plan carried out.
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

/// The systems whose files can be imported. The first one that recognises a folder is the one it belongs to.
pub const IMPORTERS: &[&dyn Importer] = &[&Openclaw, &ClaudeCode];

/// A system whose files can be imported.
pub trait Importer: Sync {
    /// Its name in commands and in the audit log.
    fn id(&self) -> &'static str;

    /// Its name for people.
    fn title(&self) -> &'static str;

    /// What `source` is, in words; `None`: not a folder of this system.
    fn recognises(&self, source: &Source<'_>) -> Option<&'static str>;

    /// Whose words its files are. [`Taint::Owner`]: they are written as they are.
    fn taint(&self) -> Taint;

    /// Under which name a file of the source is written, or why it stays behind.
    fn target(&self, source: &Source<'_>, name: &SafeName) -> Result<SafeName, Stays>;
}

/// The importer to which a folder belongs.
pub fn recognised(source: &Source<'_>) -> Option<&'static dyn Importer> {
    IMPORTERS.iter().copied().find(|importer| importer.recognises(source).is_some())
}

/// A folder of another system.
pub struct Source<'s> {
    /// Its files.
    pub files: &'s dyn Files,
    /// What lies beside them.
    pub landmarks: &'s Landmarks,
    /// Its path, as it is shown and recorded.
    pub path: &'s Path,
    /// Files to import although they usually stay behind.
    pub include: &'s [FileKind],
}

/// Who imports what.
pub struct Import<'i> {
    /// The system.
    pub importer: &'i dyn Importer,
    /// Its folder.
    pub source: &'i Source<'i>,
    /// Whose workspace it is.
    pub owner: &'i HumanConsent,
}

/// What an import would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// One step for each Markdown file of the source, by name.
    pub steps: Vec<Step>,
    /// Files of the source whose names inwit does not accept, and why.
    pub left: Vec<Skipped>,
}

/// What happens to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Its name in the source.
    pub name: SafeName,
    /// What happens to it.
    pub action: Action,
    /// What the gate noticed in it that models do not see before the owner accepts it.
    pub findings: Vec<Finding>,
    /// Whether it was done.
    pub is_done: bool,
}

/// What may happen to a file. A hash is of the bytes that were judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// It is written.
    Write(Sha256),
    /// It is proposed, and waits for a person.
    Propose(Sha256),
    /// It waits since an earlier import.
    Waits(ProposalId),
    /// The workspace has the same bytes.
    Same,
    /// Another file is there, and stays.
    Conflict,
    /// What is there cannot be read, such as a link.
    Barred(FileError),
    /// It changed while the import ran, and was left.
    Moved,
    /// It stays behind.
    Skip(Stays),
    /// The gate refuses it.
    Refused(EngineError),
}

/// Why a file stays behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stays {
    /// It belongs to the life the agent led there; [`Source::include`] brings it.
    NotIncluded,
    /// It records conversations, which are no notes.
    Transcript,
    /// A person rejected this text.
    Rejected(EngineError),
    /// It cannot be read, or not be named here.
    Failed(FileError),
}

impl Plan {
    /// How many steps are of a kind.
    pub fn count(&self, is_counted: impl Fn(&Step) -> bool) -> usize {
        self.steps.iter().filter(|step| is_counted(step)).count()
    }

    /// How often the gate noticed each class.
    pub fn classes(&self) -> BTreeMap<String, usize> {
        let mut classes = BTreeMap::new();
        for finding in self.steps.iter().flat_map(|step| &step.findings) {
            *classes.entry(finding.class.clone()).or_default() += 1;
        }
        classes
    }
}

impl Step {
    /// Whether there is something to write or to propose.
    pub fn is_open(&self) -> bool {
        matches!(self.action, Action::Write(_) | Action::Propose(_)) && !self.is_done
    }

    /// Whether both sides were left as they are because they differ.
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
    /// What an import would do. Writes nothing. Error: `workspace_unreadable`.
    pub fn plan_import(&self, import: &Import<'_>) -> Result<Plan, EngineError> {
        let listing = import.source.files.list(&[Folder { path: String::new(), deep: true }])?;
        let steps = listing.entries.into_iter().map(|entry| self.step(import, entry.name)).collect();
        Ok(Plan { steps, left: listing.skipped })
    }

    /// Carries out a plan and notes in it what was done. A file that changed in the source since the plan, or that appeared in
    /// the workspace, stays as it is. Errors: `audit_unwritable`, and those of the disk; what was done before an error stays,
    /// and the next import goes on.
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
                // Nobody looked at each line of it, so nothing that was found in it is vouched for: prompts mask it, as they
                // did where it came from.
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

    /// What becomes of a file that may be written or proposed, and what the gate notices in it.
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

    /// The error of a name that needs a folder where a file stands.
    fn without_folder(&self, target: &SafeName) -> Option<FileError> {
        let is_file = |folder: &&str| {
            SafeName::parse(folder).is_ok_and(|name| matches!(self.core.files.stamp(&name), Ok(Some(_))))
        };
        let mut folders = target.as_str().match_indices('/').map(|(at, _)| &target.as_str()[..at]);
        let file = folders.find(is_file)?;
        let message = format!("`{target}` needs a folder where `{file}` is a file.");
        Some(FileError { code: Code::WriteFailed, message })
    }

    /// A file of the source as the gate lets it through, or what becomes of it otherwise.
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
        // No import brings back what the owner forgot for good: they can write it themselves.
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
