//! Reviews of the sessions of an open agent with its configured model.
//!
//! Invariant: construction makes no request; a model is opened only if a session has new turns, with the rights of the
//! session's scope, and every call is counted.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use inwit_engine::learning::review::Wanted;
use inwit_engine::sessions::reviewing::{ReviewAsk, ReviewReport};
use inwit_engine::{EngineError, Notice};
use inwit_llm::HttpCompleter;
use inwit_model::{Code, CompleteError, Hint, Scope, SessionId};
use inwit_outbound::Patience;

use crate::config::ReviewConfig;
use crate::llm::counted_models::CountedModels;
use crate::llm::metered::Metered;
use crate::llm::task::Task;
use crate::open::OpenAgent;

/// How long one request may take. Shorter than a claim lasts.
const PATIENCE: Patience = Patience {
    silence: Duration::from_secs(10 * 60),
    whole: Duration::from_secs(10 * 60),
    ..Patience::COMPLETION
};

/// One pass by hand, until `stop` is set: of one session, or of all with new turns. Without settings, everything is wanted. Errors: those of
/// the engine; a failed call is a result.
pub fn review(
    opened: &OpenAgent,
    session: Option<&SessionId>,
    dry_run: bool,
    stop: &Arc<AtomicBool>,
) -> Result<ReviewReport, EngineError> {
    pass(opened, wanted_by_hand(&opened.config.review), session, dry_run, "manual", stop)
}

/// The reviews that are due, until `stop` is set, as notices. Nothing happens unless a setting wants it.
pub(crate) fn review_when_due(opened: &OpenAgent, trigger: &str, stop: &Arc<AtomicBool>) -> Vec<Notice> {
    let config = &opened.config.review;
    if !config.wanted.is_any() {
        return Vec::new();
    }
    if config.model.provider.is_none() {
        let message = "The review of sessions needs a language model. None is configured, so it did not run.";
        return vec![Notice::new("review_needs_model", message, Code::ModelUnset)];
    }
    match pass(opened, config.wanted, None, false, trigger, stop) {
        Ok(report) => told(report),
        Err(error) => {
            let message = format!("The review of sessions did not run: {}", error.message);
            vec![Notice::new("review_not_run", message, error.code)]
        }
    }
}

/// What a pass by hand notes: what the settings want, or everything if they want nothing.
pub fn wanted_by_hand(config: &ReviewConfig) -> Wanted {
    let all = Wanted { facts: true, summary: true, open_loops: true };
    if config.wanted.is_any() { config.wanted } else { all }
}

/// The models of a pass, until `stop` is set.
pub fn models(config: &ReviewConfig, stop: Arc<AtomicBool>) -> CountedModels<'_> {
    CountedModels::new(&config.model, Task::Review, PATIENCE, stop).within(PATIENCE.whole)
}

/// The model for public texts. Errors: `model_unset`, `setting_bad`.
pub fn public_model(config: &ReviewConfig) -> Result<Metered<HttpCompleter>, CompleteError> {
    config.model.completer(Task::Review, None, PATIENCE)
}

fn pass(
    opened: &OpenAgent,
    wanted: Wanted,
    session: Option<&SessionId>,
    dry_run: bool,
    trigger: &str,
    stop: &Arc<AtomicBool>,
) -> Result<ReviewReport, EngineError> {
    let models = models(&opened.config.review, Arc::clone(stop));
    let open = |scope: &Scope| models.open(scope);
    let named = &opened.chosen.id;
    let ask = ReviewAsk { model: &open, wanted, session, dry_run, trigger, named };
    let mut report = opened.agent.sessions.review(&ask)?;
    report.notices.extend(models.notice());
    Ok(report)
}

/// The notices about a pass.
fn told(report: ReviewReport) -> Vec<Notice> {
    let count = |outcome: &str| {
        let parts = report.ranges.iter().flat_map(|range| &range.parts);
        parts.filter(|part| part.kind == "fact" && part.outcome == outcome).count()
    };
    let (written, pending) = (count("written"), count("pending"));
    let mut notices = report.notices;
    if written + pending > 0 {
        let message =
            format!("A review of sessions kept facts: {written} written, {pending} waiting for approval.");
        notices.push(Notice::new("reviewed", message, Hint::ShowInbox));
    }
    // One is enough: the others have the same cause, or the status lists them.
    if let Some(error) =
        report.ranges.into_iter().find_map(|range| range.error).filter(|error| error.code != Code::Stopped)
    {
        let message = format!("The review of a session got no usable answer: {}", error.message);
        notices.push(Notice::new("review_failed", message, error.code));
    }
    notices
}
