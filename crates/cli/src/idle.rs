//! What is done when a session has ended and nobody waits: a dream where one is due, then the hourly copy.
//!
//! Invariant: neither stops the end of a session; what went wrong is a notice.

use inwit_engine::Notice;
use inwit_engine::dreaming::DreamReport;

use crate::compose::Opened;
use crate::copies;

/// How a pass that began here is called in `inwit dream log`.
const TRIGGER: &str = "session_end";

/// Does both, and says what should be known.
pub fn after_session(opened: &Opened) -> Vec<Notice> {
    let schedule = opened.settings.dream_schedule();
    let mut notices = match opened.agent.dream_when_due(&schedule, TRIGGER, &opened.chosen.id) {
        Ok(scheduled) => {
            let dreamed = scheduled.report.map(told).unwrap_or_default();
            scheduled.notices.into_iter().chain(dreamed).collect()
        }
        Err(error) => {
            let message = format!("The dream that was due did not run: {}", error.message);
            vec![Notice::new("dream_not_run", message, error.code.spec().hint)]
        }
    };
    notices.extend(copies::keep(opened));
    notices
}

/// What a pass has for a person; nothing where nothing changed.
fn told(report: DreamReport) -> Vec<Notice> {
    let mut notices = report.notices;
    match report.outcome {
        "appended" => notices.push(Notice::new(
            "dreamed",
            "A dream promoted something into lasting memory.",
            "`inwit dream log` and `inwit dream why` show what; `inwit undo` takes it back.",
        )),
        "pending" => notices.push(Notice::new(
            "dreamed",
            "A dream chose something that waits for a person.",
            "`inwit inbox` shows it.",
        )),
        _ => {}
    }
    notices
}
