//! Jobs: start a dream or a backup, and ask about them.

use std::path::PathBuf;
use std::sync::Arc;

use inwit_engine::EngineError;
use inwit_engine::core::record::AuditDetail;
use inwit_engine::learning::dreaming::DreamReport;
use inwit_home::backup::make;
use inwit_home::{HomeError, OpenAgent, dreaming};
use inwit_model::{AgentId, Code, DreamEngine};
use inwit_wire::{BackupV1, BackupsV1, DreamRunV1, ErrorV1, JobsV1, MadeBackupV1, NoticeV1};

use super::Answered;
use crate::call::Call;
use crate::jobs::Done;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::server::Served;

/// `GET …/jobs`.
pub(super) fn list(served: &Served, opened: &OpenAgent) -> Answered {
    Ok(Reply::json(&JobsV1 { jobs: served.jobs.of(&agent(opened)?) }))
}

/// `GET …/jobs/{id}`.
pub(super) fn show(served: &Served, opened: &OpenAgent, call: &Call) -> Answered {
    let found = served.jobs.of(&agent(opened)?).into_iter().find(|job| job.id == call.part("id"));
    let unknown = || {
        let id = inwit_model::name::shown(call.part("id"));
        Problem::new(Code::JobUnknown, format!("There is no job `{id}`."))
    };
    Ok(Reply::json(&found.ok_or_else(unknown)?))
}

/// `POST …/dreams`.
pub(super) fn dream(served: &Served, opened: &Arc<OpenAgent>, call: &Call) -> Answered {
    let asked = call.values.text("engine").and_then(DreamEngine::parse);
    let engines = match (asked, &opened.config.dreams.engines[..]) {
        (Some(engine), _) => vec![engine],
        (None, []) => vec![DreamEngine::Recall],
        (None, configured) => configured.to_vec(),
    };
    let dry_run = call.values.flag("dry_run");
    let dreamer = Arc::clone(opened);
    let work = move || {
        let failed = |error: EngineError| ErrorV1::new(error.code, error.message);
        if !dry_run {
            let detail = AuditDetail::default().with("trigger", TRIGGER);
            dreamer.agent.core.record("dream", &dreamer.chosen.id, detail).map_err(failed)?;
        }
        let passes = engines.iter().map(|engine| pass(&dreamer, *engine, dry_run));
        let reports = passes.collect::<Result<Vec<_>, EngineError>>();
        let reports = reports.map_err(failed)?;
        Ok(Done::Dream(DreamRunV1::from(&reports[..])))
    };
    start(served, opened, "dream", work)
}

/// What started a dream, for the audit log.
const TRIGGER: &str = "http";

/// One pass; a taken lock and an unusable answer are errors here.
fn pass(opened: &OpenAgent, engine: DreamEngine, dry_run: bool) -> Result<DreamReport, EngineError> {
    let mut report = dreaming::dream(opened, engine, dry_run, TRIGGER)?;
    if let Some(holder) = &report.holder {
        return Err(EngineError::new(Code::Locked, holder.clone()));
    }
    match report.error.take() {
        Some(error) => Err(error),
        None => Ok(report),
    }
}

/// `POST …/backups`. Its place is the server's to choose.
pub(super) fn backup(served: &Served, opened: &Arc<OpenAgent>) -> Answered {
    let name = served.clock.now().strftime(NAME).to_string();
    let folder = backups(served, opened).join(name);
    let agent = Arc::clone(opened);
    let work = move || {
        let failed = |error: HomeError| ErrorV1::new(error.code, error.message);
        let made = make::make(&agent, &folder).map_err(failed)?;
        let fault = agent.agent.core.record_fault().map_err(|error| failed(error.into()))?;
        Ok(Done::Backup(BackupV1 {
            agent: made.manifest.agent.to_string(),
            folder: folder.display().to_string(),
            files: made.manifest.files.len(),
            bytes: made.manifest.bytes(),
            left_out: made.left_out,
            drafts: made.drafts.iter().map(|draft| draft.display().to_string()).collect(),
            notices: agent
                .agent
                .history_fault()
                .ok()
                .flatten()
                .iter()
                .chain(&fault)
                .map(NoticeV1::from)
                .collect(),
        }))
    };
    start(served, opened, "backup", work)
}

/// The name of a backup: when it was made.
const NAME: &str = "%Y-%m-%dT%H-%M-%S-%3fZ";

/// Characters of a name, such as `2026-11-29T15-05-54-665Z`.
const NAME_CHARS: usize = 24;

/// `GET …/backups`.
pub(super) fn made(served: &Served, opened: &OpenAgent) -> Answered {
    let folder = backups(served, opened);
    // A backup that is being made, or that a stopped server left, has a longer name.
    let is_whole = |name: &String| name.len() == NAME_CHARS;
    let name = |entry: std::fs::DirEntry| entry.file_name().into_string().ok().filter(is_whole);
    let mut names: Vec<String> = inwit_home::own::entries(&folder).into_iter().filter_map(name).collect();
    names.sort_unstable_by(|one, other| other.cmp(one));
    let backup = |name: String| MadeBackupV1 { folder: folder.join(&name).display().to_string(), name };
    Ok(Reply::json(&BackupsV1 { backups: names.into_iter().map(backup).collect() }))
}

/// Where the server puts backups of this agent: beside all agents, so that no agent contains its own backup.
fn backups(served: &Served, opened: &OpenAgent) -> PathBuf {
    served.root.join("backups").join(&opened.chosen.id)
}

fn start(
    served: &Served,
    opened: &OpenAgent,
    kind: &'static str,
    work: impl FnOnce() -> Result<Done, ErrorV1> + Send + 'static,
) -> Answered {
    Ok(Reply::json(&served.jobs.start(&agent(opened)?, kind, &served.clock, work)?))
}

fn agent(opened: &OpenAgent) -> Result<AgentId, Problem> {
    AgentId::parse(&opened.chosen.id).map_err(|error| Problem::new(Code::AgentUnknown, error.to_string()))
}
