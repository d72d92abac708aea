//! The judge of an agent, from its configuration, and background consolidation.
//!
//! Invariant: construction makes no request; an invalid configuration is reported on use, and facts stay pending.

use std::sync::Arc;
use std::time::{Duration, Instant};

use inwit_engine::facts::consolidate::{JUDGE_SILENT, Judge, Pass, PassReport};
use inwit_engine::{Agent, EngineError, Notice};
use inwit_model::limit::JUDGE_IDLE_MS_MAX;
use inwit_model::{Code, CompleteError, Completer, Completion, Consolidation, Hint, Question, Scope};
use inwit_outbound::Patience;

use crate::config::JudgeConfig;
use crate::llm::bounded::Bounded;
use crate::llm::metered::Metered;
use crate::llm::task::Task;
use inwit_llm::HttpCompleter;

/// One pass, as configured.
pub fn consolidate(agent: &Agent, config: &JudgeConfig, dry_run: bool) -> Result<PassReport, EngineError> {
    let judge = Configured::of(config);
    let mut report = pass(agent, config, dry_run, judge.as_ref().map(|judge| &*judge.completer))?;
    report.notices.extend(judge.and_then(|judge| judge.notice()));
    Ok(report)
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
    let judge = Configured::of(config);
    let mut notices = tend_by(agent, config, judge.as_ref().map(|judge| &*judge.completer));
    notices.extend(judge.and_then(|judge| judge.notice()));
    notices
}

/// The same when a process is about to end: the judge has [`JUDGE_IDLE_MS_MAX`] in all; undecided facts wait for the
/// next pass.
pub fn tend_in_passing(agent: &Agent, config: &JudgeConfig) -> Vec<Notice> {
    let judge = Configured::of(config);
    let until = Instant::now() + Duration::from_millis(JUDGE_IDLE_MS_MAX);
    let hurried =
        judge.as_ref().map(|judge| Bounded::new(Arc::clone(&judge.completer), until, Arc::default()));
    let mut notices = tend_by(agent, config, hurried.as_ref().map(|hurried| hurried as &dyn Completer));
    notices.extend(judge.and_then(|judge| judge.notice()));
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

fn tend_by(agent: &Agent, config: &JudgeConfig, judge: Option<&dyn Completer>) -> Vec<Notice> {
    let failed = |error: EngineError| {
        let message = format!("The facts were not compared: {}", error.message);
        Notice::new("facts_not_settled", message, error.code)
    };
    let mut notices = Vec::new();
    if config.consolidation != Consolidation::Off {
        match pass(agent, config, false, judge) {
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
    notices
}

/// The configured judge.
struct Configured {
    completer: Arc<dyn Completer>,
    /// The same, unless its configuration is invalid.
    metered: Option<Arc<Metered<HttpCompleter>>>,
}

impl Configured {
    /// `None` if no judge is configured.
    fn of(config: &JudgeConfig) -> Option<Self> {
        let model = config.model.as_ref()?;
        Some(match model.completer(Task::Judge, Some(&Scope::Main), Patience::JUDGE) {
            Ok(metered) => {
                let metered = Arc::new(metered);
                Self { completer: Arc::clone(&metered) as _, metered: Some(metered) }
            }
            Err(error) => {
                Self { completer: Arc::new(Unasked { model: model.model.clone(), error }), metered: None }
            }
        })
    }

    /// The notice that its calls were not counted.
    fn notice(&self) -> Option<Notice> {
        let why = self.metered.as_ref()?.count_failure()?;
        let message = format!("Calls of the judge model were not counted. {why}");
        Some(Notice::new("llm_calls_not_counted", message, Code::WriteFailed))
    }
}

/// A judge with an invalid configuration.
struct Unasked {
    model: String,
    error: CompleteError,
}

impl Completer for Unasked {
    fn model(&self) -> &str {
        &self.model
    }

    fn complete(&self, _question: &Question<'_>) -> Result<Completion, CompleteError> {
        Err(self.error.clone())
    }
}
