//! Passes of the dream engines of an open agent: the log engine with its configured model.
//!
//! Invariant: construction makes no request; the model is opened only if a log has to be read, and every call is
//! counted.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use inwit_engine::learning::dream::logs::LogLimits;
use inwit_engine::learning::dreaming::{DreamAsk, DreamReport, LogsAsk, Scheduled};
use inwit_engine::{EngineError, Notice};
use inwit_model::{DreamEngine, Scope};
use inwit_outbound::Patience;
use jiff::SignedDuration;

use crate::config::DreamLogsConfig;
use crate::llm::counted_models::CountedModels;
use crate::llm::task::Task;
use crate::open::OpenAgent;

/// One pass of `engine`, as configured. Errors: those of the engine; a failed call is a result.
pub fn dream(
    opened: &OpenAgent,
    engine: DreamEngine,
    dry_run: bool,
    trigger: &str,
) -> Result<DreamReport, EngineError> {
    let (learning, config) = (&opened.agent.learning, &opened.config);
    match engine {
        DreamEngine::Recall => {
            learning.dream(&DreamAsk { gates: config.dreams.gates, dry_run, trigger: trigger.to_owned() })
        }
        DreamEngine::Logs => {
            let models = models(&config.dream_logs, Arc::default());
            let open = || models.open(&Scope::Main);
            let (workspace, ask) = (workspace(opened), ask(opened, &open));
            let mut report =
                learning.dream_logs(&LogsAsk { dry_run, trigger, workspace: &workspace, ..ask })?;
            report.notices.extend(reduced(&config.dream_logs));
            report.notices.extend(models.notice());
            Ok(report)
        }
    }
}

/// The passes that are due, until `stop` is set; without it, those that ask no language model. Without a provider, the
/// log engine is reported and does not run.
pub(crate) fn dream_when_due(
    opened: &OpenAgent,
    trigger: &str,
    stop: Option<&Arc<AtomicBool>>,
) -> Result<Scheduled, EngineError> {
    let (learning, config) = (&opened.agent.learning, &opened.config);
    let mut dreams = config.dreams.clone();
    if stop.is_none() {
        dreams.engines.retain(|engine| *engine != DreamEngine::Logs);
    }
    let models = models(&config.dream_logs, stop.cloned().unwrap_or_default());
    let open = || models.open(&Scope::Main);
    let (workspace, ask) = (workspace(opened), ask(opened, &open));
    let ask = LogsAsk { workspace: &workspace, ..ask };
    let logs = config.dream_logs.model.provider.is_some().then_some(&ask);
    let mut scheduled = learning.dream_when_due(&dreams, logs, trigger, &opened.chosen.id)?;
    scheduled.notices.extend(models.notice());
    Ok(scheduled)
}

fn workspace(opened: &OpenAgent) -> String {
    opened.chosen.workspace.display().to_string()
}

fn ask<'a>(opened: &'a OpenAgent, open: &'a inwit_engine::learning::dreaming::OpenModel<'a>) -> LogsAsk<'a> {
    let config = &opened.config;
    LogsAsk {
        model: open,
        limits: config.dream_logs.limits,
        promotions_max: config.dreams.gates.max_promotions_per_sweep,
        timeout: SignedDuration::try_from(config.dream_logs.timeout).unwrap_or(SignedDuration::MAX),
        dry_run: false,
        trigger: "",
        workspace: "",
        named: &opened.chosen.id,
    }
}

/// The notice that a call has less than the settings of dreaming allow.
fn reduced(config: &DreamLogsConfig) -> Option<Notice> {
    let LogLimits { total_bytes, file_bytes, .. } = config.limits;
    let message = format!(
        "A call has at most {total_bytes} bytes of logs, and {file_bytes} of one log and of MEMORY.md, because of \
         `llm.context_tokens`."
    );
    let hint = "Later passes read the rest. A larger context reads more in one pass.";
    config.is_reduced.then(|| Notice::new("dream_input_reduced", message, hint))
}

/// The model of the log engine.
fn models(config: &DreamLogsConfig, stop: Arc<AtomicBool>) -> CountedModels<'_> {
    let (silence, whole) = (config.timeout, config.timeout);
    let patience = Patience { silence, whole, ..Patience::COMPLETION };
    CountedModels::new(&config.model, Task::Dream, patience, stop).within(config.timeout)
}
