//! Upkeep of an agent: an interface says what happened, and what is due then is decided here.
//!
//! | occasion | what is done |
//! |---|---|
//! | something was written | the hourly copy, and with it what was changed by hand is recorded |
//! | a session ended | a dream where one is due, facts that settle, vectors for what was written, the hourly copy |
//! | a client is gone | facts that settle, however long the judge takes |
//!
//! Invariant: upkeep stops nothing that it follows; what went wrong is a notice.

use inwit_engine::learning::dreaming::DreamReport;
use inwit_engine::{EngineError, Notice};
use inwit_model::Hint;
use inwit_workspace::dream_lock::LOCK_HELD_SKIP;

use crate::open::OpenAgent;
use crate::{copies, judging};

/// Most passages that get a vector when a session ends: about a second of work.
pub const EMBED_IDLE_TEXTS_MAX: usize = 64;

/// How a pass that began here is called in `inwit dream log`.
const TRIGGER: &str = "session_end";

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Occasion {
    /// An operation has been carried out that may have written.
    Written,
    /// A session has ended, and its answer is not waited for.
    SessionEnded,
    /// The owner's client has disconnected, and no one waits.
    ClientGone,
}

/// Does what is due after `occasion`, and says what should be known.
pub fn tend(opened: &OpenAgent, occasion: Occasion) -> Vec<Notice> {
    match occasion {
        Occasion::Written if opened.memory.has_written() => copies::keep(opened).into_iter().collect(),
        Occasion::Written => Vec::new(),
        Occasion::SessionEnded => after_session(opened),
        Occasion::ClientGone => judging::tend(&opened.agent, &opened.config.judge),
    }
}

fn after_session(opened: &OpenAgent) -> Vec<Notice> {
    let mut notices =
        match opened.agent.learning.dream_when_due(&opened.config.dreams, TRIGGER, &opened.chosen.id) {
            Ok(scheduled) => {
                let dreamed = scheduled.report.map(told).unwrap_or_default();
                scheduled.notices.into_iter().chain(dreamed).collect()
            }
            Err(error) => {
                let message = format!("The dream that was due did not run: {}", error.message);
                vec![Notice::new("dream_not_run", message, error.code)]
            }
        };
    notices.extend(judging::tend_in_passing(&opened.agent, &opened.config.judge));
    notices.extend(embed(opened));
    notices.extend(opened.agent.notes.vectors_lost());
    notices.extend(copies::keep(opened));
    notices
}

/// Gives the notes of the session their vectors, where there is a model and it has been at work before.
fn embed(opened: &OpenAgent) -> Option<Notice> {
    let (_, counts) = opened.agent.notes.embedded().ok()??;
    if counts.embedded == 0 {
        // Filling a whole folder is asked for: `inwit index embed`.
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

/// What a pass has for a person; nothing where nothing changed.
fn told(report: DreamReport) -> Vec<Notice> {
    let mut notices = report.notices;
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
            "Nothing is lost. It runs when the next session ends.",
        )),
        _ => {}
    }
    notices
}
