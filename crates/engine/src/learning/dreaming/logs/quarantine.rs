//! Secrets in an answer: nothing is appended, and the logs that it came from are quarantined.
//!
//! Invariants: the value is named nowhere; only logs with the value are quarantined, or all that were read if none has
//! it; an invalid quarantine file is not overwritten.

use inwit_gate::secrets::SecretHit;
use inwit_model::Hint;
use inwit_model::ports::StateFile;

use super::super::pass::Judged;
use super::pass::LogsAsk;
use super::unread::Unread;
use crate::core::notice::named;
use crate::core::record::AuditDetail;
use crate::learning::dream::QuarantineEntry;
use crate::{EngineError, Learning, Notice};

/// Most logs that the notice lists.
const NAMES_MAX: usize = 10;

/// Module of the events, as other systems name it.
const MODULE: &str = "workspace/dreaming-task";

/// The quarantine as it is listed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct QuarantinedLogs {
    /// Its valid entries.
    pub entries: Vec<QuarantineEntry>,
    /// Notices for the reader.
    pub notices: Vec<Notice>,
}

impl Learning {
    /// Quarantines the logs of an answer with a secret, and records the event at level `error`.
    pub(super) fn quarantine_logs(
        &self,
        ask: &LogsAsk<'_>,
        logs: &[&Unread],
        answer: &str,
        hit: &SecretHit,
    ) -> Result<(Vec<Judged>, Notice), EngineError> {
        let value = answer[hit.span.clone()].as_bytes();
        let has_it = |log: &&&Unread| {
            let text = &log.content.bytes[log.next()];
            text.windows(value.len().max(1)).any(|window| window == value)
        };
        let mut guilty: Vec<&Unread> = logs.iter().filter(has_it).copied().collect();
        let is_known = !guilty.is_empty();
        if !is_known {
            guilty = logs.to_vec();
        }
        let names: Vec<&str> = guilty.iter().map(|log| log.name.as_str()).collect();
        // A person may have edited the file during the call.
        let (mut quarantine, broken) = self.quarantine()?;
        quarantine.add(&QuarantineEntry {
            quarantined_at: self.core.clock.now(),
            pattern: hit.class.to_owned(),
            log_filenames: names.iter().map(|name| file_name(name)).collect(),
            max_mtime_ms: guilty.iter().map(|log| log.mtime_ms).fold(0.0, f64::max) as i64,
        });
        if let (Some(bytes), None) = (quarantine.print(), broken) {
            self.core.files.write_state(StateFile::Quarantine, Some(&bytes))?;
        }
        let listed = named(&names, NAMES_MAX, ", ");
        let detail = AuditDetail::default()
            .with("level", "error")
            .with("module", MODULE)
            .with("event", "pii_detected_quarantine")
            .with("pattern", hit.class)
            .with("files", &listed)
            .with("workspace", ask.workspace);
        self.core.record("dream", ask.named, detail)?;
        let which =
            if is_known { "" } else { " No log has the value, so all logs of the pass are quarantined." };
        let message = format!(
            "The model's answer contains a possible secret ({}), so nothing was promoted. Quarantined in {}: {listed}.{which}",
            hit.class, ask.workspace
        );
        let judged = guilty.iter().map(|log| log.judged("quarantined", format!("pattern={}", hit.class)));
        Ok((judged.collect(), Notice::new("pii_detected_quarantine", message, Hint::EditLogFirst)))
    }

    /// The quarantined logs.
    pub fn quarantined_logs(&self) -> Result<QuarantinedLogs, EngineError> {
        let (quarantine, notice) = self.quarantine()?;
        let entries = quarantine.entries().into_iter().map(|(_, entry)| entry).collect();
        Ok(QuarantinedLogs { entries, notices: notice.into_iter().collect() })
    }

    /// Releases `logs` from the quarantine, or all if there are none. Returns their names. Error: `refused`, if the
    /// file is invalid.
    pub fn clear_quarantine(&self, logs: &[String]) -> Result<Vec<String>, EngineError> {
        let (mut quarantine, notice) = self.quarantine()?;
        if let Some(notice) = notice {
            return Err(EngineError::new(inwit_model::Code::Refused, notice.message));
        }
        let cleared = quarantine.clear(logs);
        if !cleared.is_empty()
            && let Some(bytes) = quarantine.print()
        {
            self.core.files.write_state(StateFile::Quarantine, Some(&bytes))?;
        }
        Ok(cleared)
    }
}

/// The name as other programs write it: without its folder, if that is `memory`.
fn file_name(name: &str) -> String {
    let file = name.strip_prefix("memory/").filter(|rest| !rest.contains('/'));
    file.unwrap_or(name).to_owned()
}
