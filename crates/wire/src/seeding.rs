//! Seeds and imports.

use std::collections::BTreeMap;

use inwit_engine::notes::import::{Action, Stays, Step};
use inwit_model::ports::{SkipReason, Skipped};
use inwit_model::{Code, Hint, Place};

use crate::receipts::findings;
use crate::shape::shape;
use crate::{GateFindingV1, HintV1};

shape! {
    /// What a new agent is or would be given.
    pub struct InitV1 {
        /// Its id.
        pub agent: String,
        /// Its workspace.
        pub workspace: String,
        /// Its profile.
        pub profile: String,
        /// The zone that names its days.
        pub timezone: String,
        /// Whether it was done.
        pub applied: bool,
        /// Each file.
        pub steps: Vec<StepV1>,
    }

    /// What happened, or would happen, to one file.
    pub struct StepV1 {
        /// The file.
        pub path: String,
        /// `create`, `keep` or `withhold`.
        pub action: &'static str,
        /// Why, where it is not plain.
        pub reason?: Option<String>,
    }

    /// What an import of an OpenClaw workspace did or would do.
    pub struct ImportV1 {
        /// The folder it comes from.
        pub source: String,
        /// Which OpenClaw generation that folder looks like.
        pub generation: &'static str,
        /// The workspace it goes to.
        pub target: String,
        /// The agent of that workspace.
        pub agent: String,
        /// Its profile.
        pub profile: String,
        /// Whether the agent is made by this.
        pub is_new: bool,
        /// Whether it was done.
        pub applied: bool,
        /// Files that were copied.
        pub copied: usize,
        /// Files in whose place another one stands.
        pub conflicts: usize,
        /// Files that the gate refused.
        pub refused: usize,
        /// How often the gate noticed each class.
        pub findings: BTreeMap<String, usize>,
        /// Each file.
        pub steps: Vec<ImportStepV1>,
        /// What is no note, and stays where it is.
        pub left_out: Vec<ImportStepV1>,
    }

    /// What of another memory was or would be proposed.
    pub struct ImportProposedV1 {
        /// The folder it comes from.
        pub source: String,
        /// The folder of the workspace it goes to.
        pub target: String,
        /// Whether it was done.
        pub applied: bool,
        /// Files that are newly proposed.
        pub proposed: usize,
        /// Files that wait since an earlier run.
        pub waiting: usize,
        /// Files that the gate refused.
        pub refused: usize,
        /// How often the gate noticed each class.
        pub findings: BTreeMap<String, usize>,
        /// Each file.
        pub steps: Vec<ImportStepV1>,
    }

    /// What happened, or would happen, to one file of an import.
    pub struct ImportStepV1 {
        /// The file.
        pub path: String,
        /// `copy`, `propose`, `waits`, `same`, `conflict`, `skip` or `refused`.
        pub action: &'static str,
        /// Why, where it is not plain.
        pub reason?: Option<String>,
        /// The code of the error that it met.
        pub code?: Option<&'static str>,
        /// What to do about that.
        pub hint?: Option<HintV1>,
        /// The room that reads the file, by its folder.
        pub room?: Option<String>,
        /// What the gate noticed in the file.
        pub findings?: Vec<GateFindingV1>,
    }
}

impl From<&Step> for ImportStepV1 {
    fn from(step: &Step) -> Self {
        let told = |reason: &str| (Some(reason.to_owned()), None);
        let failed = |code: Code, message: &str| (Some(message.to_owned()), Some(code.spec()));
        let (action, (reason, code)) = match &step.action {
            Action::Write(_) => ("copy", (None, None)),
            Action::Propose(_) => ("propose", (None, None)),
            Action::Waits(id) => ("waits", told(&format!("Already pending as {id}."))),
            Action::Same => ("same", (None, None)),
            Action::Conflict => (
                "conflict",
                told("A different file exists there and was kept. Move it away to import this one."),
            ),
            Action::Barred(error) => {
                ("conflict", failed(error.code, &format!("In the target: {}", error.message)))
            }
            Action::Moved => (
                "conflict",
                told("The file changed during the import and was not copied. Run the import again."),
            ),
            Action::Skip(Stays::NotIncluded) => {
                ("skip", told("It describes the agent's state there, so it is not imported by default."))
            }
            Action::Skip(Stays::Transcript) => ("skip", told("It is a transcript.")),
            Action::Skip(Stays::Rejected(error)) => ("skip", failed(error.code, &error.message)),
            Action::Skip(Stays::Failed(error)) => ("skip", failed(error.code, &error.message)),
            Action::Refused(error) => ("refused", failed(error.code, &error.message)),
        };
        Self {
            path: step.name.to_string(),
            action,
            reason,
            code: code.map(|code| code.name),
            hint: code.map(|code| Hint::Of(code.code).into()),
            room: room(step),
            findings: findings(&step.findings),
        }
    }
}

/// The room that reads a file which is written.
fn room(step: &Step) -> Option<String> {
    match Place::of(&step.name) {
        Some(Place::Room { folder } | Place::RoomMemory { folder, .. })
            if matches!(step.action, Action::Write(_)) =>
        {
            Some(folder)
        }
        _ => None,
    }
}

impl From<&Skipped> for ImportStepV1 {
    /// A file whose name inwit does not accept, with the reason.
    fn from(skipped: &Skipped) -> Self {
        let reason = match skipped.reason {
            SkipReason::OddName => "Its name contains characters that cannot be shown safely.",
            SkipReason::Link => "It is a symbolic link.",
            SkipReason::Special => "It is not a regular file.",
            SkipReason::TooDeep => "It is nested too deep.",
            SkipReason::Unreadable => "It cannot be read.",
            SkipReason::SyncConflict => "It is a conflict copy of a sync tool.",
            SkipReason::TooMany => "There are too many files.",
        };
        Self::left(skipped.shown.clone(), reason)
    }
}

impl ImportStepV1 {
    /// A file that stays for `reason`.
    pub fn left(path: String, reason: &str) -> Self {
        let reason = Some(reason.to_owned());
        Self { path, action: "skip", reason, code: None, hint: None, room: None, findings: Vec::new() }
    }
}
