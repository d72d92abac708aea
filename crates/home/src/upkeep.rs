//! Upkeep of an agent: an interface reports an occasion, and this module decides which work is due.
//!
//! | occasion | work |
//! |---|---|
//! | a write | the hourly copy, which also records external edits |
//! | the end of a session | a dream and reviews if they are due, consolidation of facts, vectors of new notes, the hourly copy |
//! | the end of a session in a hook | the same without dreams and reviews that ask a language model |
//! | a client disconnected | consolidation of facts, without a time limit for the judge |
//! | a process is idle | the end of sessions whose process was killed, dreams and reviews that are due, consolidation of facts, removal of expired ones, the hourly copy |
//!
//! Invariant: upkeep never fails the operation that it follows; failures are notices.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use inwit_engine::learning::dreaming::DreamReport;
use inwit_engine::{EngineError, Notice};
use inwit_model::{Code, DreamEngine, Hint};
use inwit_workspace::dream_lock::LOCK_HELD_SKIP;

use crate::open::OpenAgent;
use crate::{copies, dreaming, judging, live_sessions, reviewing};

/// Most passages that are embedded when a session ends: about a second of work.
pub const EMBED_IDLE_TEXTS_MAX: usize = 64;

/// The occasion.
#[derive(Debug, Clone)]
pub enum Occasion {
    /// An operation may have written.
    Written,
    /// A session has ended, and the caller does not wait for its answer; the flag stops calls of a language model.
    SessionEnded(Arc<AtomicBool>),
    /// A hook of a host has ended a session; a host may kill it at any time.
    HookEnded,
    /// The owner's client has disconnected, and no caller waits.
    ClientGone,
}

/// Runs the work that is due after `occasion`, and returns notices.
pub fn tend(opened: &OpenAgent, occasion: Occasion) -> Vec<Notice> {
    match occasion {
        Occasion::Written if opened.memory.has_written() => copies::keep(opened).into_iter().collect(),
        Occasion::Written => Vec::new(),
        Occasion::SessionEnded(stop) => after_session(opened, Some(&stop)),
        Occasion::HookEnded => after_session(opened, None),
        Occasion::ClientGone => judging::tend(&opened.agent, &opened.config.judge),
    }
}

/// Without `stop`, no dream or review asks a language model.
fn after_session(opened: &OpenAgent, stop: Option<&Arc<AtomicBool>>) -> Vec<Notice> {
    let mut notices = dream(opened, "session_end", stop);
    let is_stopped = || stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
    if let Some(stop) = stop.filter(|_| !is_stopped()) {
        notices.extend(reviewing::review_when_due(opened, "session_end", stop));
    }
    if !is_stopped() {
        notices.extend(judging::tend_in_passing(&opened.agent, &opened.config.judge));
        notices.extend(embed(opened));
    }
    notices.extend(opened.agent.notes.vectors_lost());
    notices.extend(copies::keep(opened));
    notices
}

/// Whether dreams or reviews may ask a language model at the end of a session.
pub fn asks_model(opened: &OpenAgent) -> bool {
    let (config, dreams) = (&opened.config, &opened.config.dreams);
    let has_dream = || opened.agent.learning.is_dream_due(dreams).unwrap_or_default();
    config.dream_logs.model.provider.is_some()
        && (config.review.wanted.is_any() || dreams.engines.contains(&DreamEngine::Logs) && has_dream())
}

/// Runs due work while no call or turn runs; `stop` stops calls of a language model, and nothing starts unless
/// `may_start`. Returns notices.
pub fn tend_idle(opened: &OpenAgent, stop: &Arc<AtomicBool>, may_start: &dyn Fn() -> bool) -> Vec<Notice> {
    let steps: [&dyn Fn() -> Vec<Notice>; 5] = [
        &|| live_sessions::end_killed(opened),
        &|| dream(opened, "timer", Some(stop)),
        &|| reviewing::review_when_due(opened, "timer", stop),
        &|| judging::tend_in_passing(&opened.agent, &opened.config.judge),
        &|| copies::keep(opened).into_iter().collect(),
    ];
    steps.iter().filter(|_| may_start()).flat_map(|step| step()).collect()
}

/// The dreams that are due.
fn dream(opened: &OpenAgent, trigger: &str, stop: Option<&Arc<AtomicBool>>) -> Vec<Notice> {
    match dreaming::dream_when_due(opened, trigger, stop) {
        Ok(scheduled) => {
            let dreamed = scheduled.reports.into_iter().flat_map(told);
            scheduled.notices.into_iter().chain(dreamed).collect()
        }
        Err(error) => {
            let message = format!("The dream that was due did not run: {}", error.message);
            vec![Notice::new("dream_not_run", message, error.code)]
        }
    }
}

/// Embeds the notes of the session, if there is a model that has been used before.
fn embed(opened: &OpenAgent) -> Option<Notice> {
    let (_, counts) = opened.agent.notes.embedded().ok()??;
    if counts.embedded == 0 {
        // Filling a whole folder requires `inwit index embed`.
        return None;
    }
    let mut left = EMBED_IDLE_TEXTS_MAX;
    let failed = |error: EngineError| {
        let message = format!("The notes of this session have no vectors yet: {}", error.message);
        Some(Notice::new("not_embedded", message, error.code))
    };
    // Each passage may take a minute; the end of a session must not wait for a provider that is down.
    if let Err(error) = opened.agent.notes.provider_answers() {
        return failed(error);
    }
    let scopes = opened.agent.notes.searched_scopes().unwrap_or_default();
    for scope in scopes {
        match opened.agent.notes.embed_in_passing(&scope, left) {
            Ok(report) => left = left.saturating_sub(report.embedded + report.failed),
            Err(error) => return failed(error),
        }
    }
    opened.agent.facts.fill_fact_vectors_in_passing(left).err().and_then(failed)
}

/// The notice about a pass; `None` if it changed nothing.
fn told(report: DreamReport) -> Vec<Notice> {
    let mut notices = report.notices;
    if let Some(error) = report.error.filter(|error| error.code != Code::Stopped) {
        let message =
            format!("The dream over daily logs got no usable answer (llm_error): {}", error.message);
        notices.push(Notice::new("llm_error", message, error.code));
    }
    match report.outcome {
        "appended" => notices.push(Notice::new(
            "dreamed",
            "A dream promoted passages into long-term memory.",
            Hint::LookAtDream,
        )),
        "pending" => notices.push(Notice::new(
            "dreamed",
            "A dream proposed passages that wait for approval.",
            Hint::ShowInbox,
        )),
        LOCK_HELD_SKIP => notices.push(Notice::new(
            LOCK_HELD_SKIP,
            format!(
                "The scheduled dream was skipped (lock_held_skip): {}",
                report.holder.unwrap_or_default()
            ),
            "Nothing is lost. It runs later.",
        )),
        _ => {}
    }
    notices
}
