//! `inwit doctor`: what is wrong, and how to mend it.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use inwit_engine::doctor::Beside;
use inwit_engine::{CheckId, Finding, Severity};
use inwit_model::SafeName;
use inwit_wire::FindingV1;
use inwit_workspace::FsFiles;
use inwit_workspace::history::{History, HistoryError};
use serde::Serialize;

use crate::error::CliError;
use crate::settings::Settings;
use crate::ui::Ui;
use crate::{compose, hook_log};

/// Look for what is wrong with a workspace; changes nothing
///
/// Exit status 1 when something does not work, 0 otherwise.
#[derive(Debug, Args)]
pub struct DoctorArgs {}

/// What doctor says, as JSON.
#[derive(Serialize)]
struct DoctorV1 {
    findings: Vec<FindingV1>,
}

pub fn run(_args: &DoctorArgs, settings: Settings, ui: &mut Ui) -> Result<bool, CliError> {
    let hooks = hook_log::recent(&settings.state);
    let opened = compose::open(settings)?;
    let git_dir = opened.chosen.workspace.join(".git");
    let beside = OnDisk { files: Arc::clone(&opened.files), git_dir };
    let mut findings = opened.agent.doctor(&beside, &mut |done, of| ui.progress("reading", done, of))?;
    // An index that failed at the door is found as one that fails at work.
    let failed = opened.notices.iter().filter(|notice| notice.code.starts_with("index_"));
    let failed = failed.map(|notice| Finding {
        check: CheckId::IndexFailed,
        path: None,
        message: notice.message.clone(),
    });
    findings.splice(0..0, failed);
    let hooks = hooks.into_iter();
    findings.extend(hooks.map(|message| Finding { check: CheckId::HookFailed, path: None, message }));
    ui.clear_progress();
    let broken = findings.iter().any(|finding| finding.check.spec().severity == Severity::Error);
    if ui.json() {
        ui.value(&DoctorV1 { findings: findings.iter().map(FindingV1::from).collect() });
        return Ok(!broken);
    }
    opened.notices.iter().for_each(|notice| ui.notice(notice));
    let mut last = None;
    for finding in &findings {
        let check = finding.check.spec();
        if last != Some(finding.check) {
            ui.line(format!("{}: {}", check.severity.word(), check.about));
            ui.line(format!("  hint: {}", check.hint));
            last = Some(finding.check);
        }
        match &finding.path {
            Some(path) => ui.line(format!("  {path}: {}", finding.message)),
            None => ui.line(format!("  {}", finding.message)),
        }
    }
    if findings.is_empty() {
        ui.line("Nothing is wrong.");
    }
    Ok(!broken)
}

/// The disk, asked for what does not stand in the files.
struct OnDisk {
    files: Arc<FsFiles>,
    git_dir: PathBuf,
}

impl Beside for OnDisk {
    fn links(&self, name: &SafeName) -> u64 {
        self.files.links(name).ok().flatten().unwrap_or(1)
    }

    fn is_mounted(&self, name: &SafeName) -> bool {
        self.files.is_mounted(name).unwrap_or(false)
    }

    fn staged(&self) -> Vec<String> {
        self.files.staged().unwrap_or_default()
    }

    fn has_foreign_git(&self) -> bool {
        matches!(History::open(&self.git_dir), Err(HistoryError::NotOurs { .. }))
    }
}
