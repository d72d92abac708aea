//! The judge of an agent, from its configuration, and background consolidation.
//!
//! Invariant: construction makes no request; an invalid configuration is reported on use, and facts stay pending.

use std::sync::Arc;
use std::time::Duration;

use inwit_engine::facts::consolidate::{JUDGE_SILENT, Judge, Pass, PassReport};
use inwit_engine::{Agent, EngineError, Notice};
use inwit_model::limit::JUDGE_IDLE_MS_MAX;
use inwit_model::{Completer, Consolidation, Hint};
use inwit_outbound::Patience;

use crate::config::JudgeConfig;
use crate::llm::LlmConfig;
use crate::llm::counted_models::CountedModels;
use crate::llm::task::Task;

/// One pass, as configured.
pub fn consolidate(agent: &Agent, config: &JudgeConfig, dry_run: bool) -> Result<PassReport, EngineError> {
    let models = config.model.as_ref().map(models);
    let judge = models.as_ref().map(CountedModels::open_on_use);
    let mut report = pass(agent, config, dry_run, judge.as_deref())?;
    report.notices.extend(models.as_ref().and_then(CountedModels::notice));
    Ok(report)
}

fn models(config: &LlmConfig) -> CountedModels<'_> {
    CountedModels::new(config, Task::Judge, Patience::JUDGE, Arc::default())
}

fn pass(
    agent: &Agent,
    config: &JudgeConfig,
    dry_run: bool,
    completer: Option<&dyn Completer>,
) -> Result<PassReport, EngineError> {
    let judge = completer.map(|completer| Judge { completer, guidance: &config.guidance });
    agent.facts.consolidate(&Pass { mode: config.consolidation, judge, dry_run })
}

/// Background work on facts: settles pending ones and destroys expired ones (M26). Errors are notices.
pub fn tend(agent: &Agent, config: &JudgeConfig) -> Vec<Notice> {
    tend_by(agent, config, config.model.as_ref().map(models).as_ref())
}

/// The same when a process is about to end: the judge has [`JUDGE_IDLE_MS_MAX`] in all; undecided facts wait for the
/// next pass.
pub fn tend_in_passing(agent: &Agent, config: &JudgeConfig) -> Vec<Notice> {
    let wait = Duration::from_millis(JUDGE_IDLE_MS_MAX);
    let hurried = config.model.as_ref().map(|model| models(model).within(wait));
    let mut notices = tend_by(agent, config, hurried.as_ref());
    if hurried.is_some_and(|hurried| hurried.is_late()) {
        // A timeout is reported here, with its effect.
        notices.retain(|notice| notice.code != JUDGE_SILENT);
        let waiting = agent.facts.facts_waiting().unwrap_or_default();
        let message = format!(
            "Facts still waiting: {waiting}. At the end of a session the judge model has {} s in all.",
            JUDGE_IDLE_MS_MAX / 1_000
        );
        let hint = Hint::ConsolidateNow;
        notices.push(Notice::new("facts_wait", message, hint));
    }
    notices
}

fn tend_by(agent: &Agent, config: &JudgeConfig, models: Option<&CountedModels<'_>>) -> Vec<Notice> {
    let judge = models.map(CountedModels::open_on_use);
    let failed = |error: EngineError| {
        let message = format!("The facts were not compared: {}", error.message);
        Notice::new("facts_not_settled", message, error.code)
    };
    let mut notices = Vec::new();
    if config.consolidation != Consolidation::Off {
        match pass(agent, config, false, judge.as_deref()) {
            Ok(report) => {
                let retired = report.retired();
                notices.extend(report.notices);
                if retired > 0 {
                    let message = format!("Facts were retired in favour of others: {retired}.");
                    let hint = Hint::ShowSettlements;
                    notices.push(Notice::new("facts_retired", message, hint));
                }
            }
            Err(error) => notices.push(failed(error)),
        }
    }
    notices.extend(agent.facts.expire_forgotten().err().map(failed));
    notices.extend(models.and_then(CountedModels::notice));
    notices
}
