//! Dream passes, and why a passage was promoted or not.

use inwit_engine::learning::dream::QuarantineEntry;
use inwit_engine::learning::dreaming::{Dream, DreamReport, DreamStatus, EngineStatus, Judged, Why};
use inwit_model::time;

use crate::NoticeV1;
use crate::shape::shape;

shape! {
    /// What a pass did or would do.
    pub struct DreamV1 from report: &DreamReport {
        /// Its engine: `recall` or `logs`.
        pub engine: &'static str = report.engine.word(),
        /// When, RFC 3339.
        pub at: String = time::json(report.at),
        /// One word: `appended`, `nothing_to_promote`, `pending`, `refused`, `pii_detected_quarantine`, `llm_error`,
        /// `dry_run`.
        pub outcome: &'static str = report.outcome,
        /// Examined passages, logs and claims, each with its decision.
        pub candidates: Vec<CandidateV1> = report.judged.iter().map(CandidateV1::from).collect(),
        /// The receipt of the section.
        pub receipt?: Option<String> = report.receipt.as_ref().map(|receipt| receipt.id.to_string()),
        /// The proposal that waits.
        pub proposal?: Option<String> = report.pending.as_ref().map(ToString::to_string),
        /// What the reader should know besides.
        pub notices?: Vec<NoticeV1> = report.notices.iter().map(NoticeV1::from).collect(),
    }

    /// One passage, log or claim, and its decision.
    pub struct CandidateV1 from judged: &Judged {
        /// Its file.
        pub path: String = judged.path.to_string(),
        /// Its first line, where it still stands.
        pub from_line?: Option<u32> = judged.lines.map(|lines| lines.0),
        /// Its last line.
        pub to_line?: Option<u32> = judged.lines.map(|lines| lines.1),
        /// Its text, empty where it does not stand any more or holds a secret.
        pub text: String = judged.text.clone(),
        /// One word: `promoted`, `would_promote`, `pending`, `read`, `would_send`, or why not.
        pub outcome: &'static str = judged.outcome,
        /// Its score.
        pub score: f64 = judged.score,
        /// The figures behind it.
        pub figures: String = judged.detail.clone(),
    }

    /// One pass as it is kept.
    pub struct DreamRowV1 from dream: &Dream {
        /// Its number.
        pub number: i64 = dream.number.0,
        /// Its engine.
        pub engine: &'static str = dream.engine.word(),
        /// What began it.
        pub trigger: String = dream.trigger.clone(),
        /// When it began, RFC 3339.
        pub started: String = time::json(dream.started),
        /// When it ended; without it the pass runs, or its process died.
        pub ended?: Option<String> = dream.end.as_ref().map(|end| time::json(end.at)),
        /// How it ended, one word.
        pub outcome?: Option<String> = dream.end.as_ref().map(|end| end.outcome.clone()),
        /// Named counts.
        pub counts: Vec<(String, u64)> = dream.end.as_ref().map(|end| end.counts.clone()).unwrap_or_default(),
    }
}

shape! {
    /// The passes that there were.
    pub struct DreamsV1 from dreams: &[Dream] {
        /// Each pass.
        pub dreams: Vec<DreamRowV1> = dreams.iter().map(DreamRowV1::from).collect(),
    }

    /// Why passages were taken or not.
    pub struct DreamReasonsV1 from reasons: &[Why] {
        /// Each decision.
        pub decisions: Vec<DreamWhyV1> = reasons.iter().map(DreamWhyV1::from).collect(),
    }

    /// One decision about a passage.
    pub struct DreamWhyV1 from why: &Why {
        /// The pass.
        pub dream: i64 = why.dream.number.0,
        /// When it began, RFC 3339.
        pub started: String = time::json(why.dream.started),
        /// The file of the passage.
        pub path: String = why.reason.path.to_string(),
        /// Its text, where the file still holds it.
        pub text?: Option<String> = why.text.clone(),
        /// One word.
        pub outcome: String = why.reason.outcome.clone(),
        /// Its score.
        pub score: f64 = why.reason.score,
        /// The figures behind it.
        pub figures: String = why.reason.detail.clone(),
    }
}

shape! {
    /// The passes of several engines.
    pub struct DreamRunV1 from reports: &[DreamReport] {
        /// Each pass, in the order in which they ran.
        pub passes: Vec<DreamV1> = reports.iter().map(DreamV1::from).collect(),
    }
}

shape! {
    /// The state of dreaming.
    pub struct DreamStatusV1 from status: &DreamStatus {
        /// Each engine.
        pub engines: Vec<DreamEngineV1> = status.engines.iter().map(DreamEngineV1::from).collect(),
        /// When a pass of any program last ended, RFC 3339.
        pub last_run_at?: Option<String> = status.last_run_at.map(time::json),
        /// Modification time up to which logs were read, milliseconds since 1970.
        pub watermark_ms?: Option<f64> = status.watermark_ms,
        /// Logs with text that no pass of `logs` has read, oldest first.
        pub waiting: Vec<WaitingLogV1> = status.waiting.iter().map(WaitingLogV1::from).collect(),
        /// Quarantined logs.
        pub quarantined: Vec<QuarantineEntryV1> =
            status.quarantined.entries.iter().map(QuarantineEntryV1::from).collect(),
        /// Notices for the reader.
        pub notices?: Vec<NoticeV1> = status.notices.iter().map(NoticeV1::from).collect(),
    }

    /// The state of one engine.
    pub struct DreamEngineV1 from status: &EngineStatus {
        /// Its name.
        pub engine: &'static str = status.engine.word(),
        /// Whether it runs automatically.
        pub enabled: bool = status.is_enabled,
        /// Its last pass.
        pub last?: Option<DreamRowV1> = status.last.as_ref().map(DreamRowV1::from),
        /// When its next automatic pass is due, RFC 3339; absent if it does not run automatically.
        pub due?: Option<String> = status.due.map(time::json),
        /// Consecutive failed passes, which delay the next one.
        pub failures: u32 = status.failures,
    }

    /// A log with unread text.
    pub struct WaitingLogV1 from log: &(String, u64) {
        /// The file.
        pub path: String = log.0.clone(),
        /// Unread bytes.
        pub bytes: u64 = log.1,
    }

    /// A quarantined promotion.
    pub struct QuarantineEntryV1 from entry: &QuarantineEntry {
        /// When, RFC 3339.
        pub quarantined_at: String = time::json(entry.quarantined_at),
        /// Name of the matching pattern.
        pub pattern: String = entry.pattern.clone(),
        /// The logs.
        pub log_filenames: Vec<String> = entry.log_filenames.clone(),
        /// Modification time of the newest of them, milliseconds since 1970.
        pub max_mtime: i64 = entry.max_mtime_ms,
    }
}

shape! {
    /// The quarantine.
    pub struct QuarantineV1 from entries: &[QuarantineEntry] {
        /// Its entries.
        pub entries: Vec<QuarantineEntryV1> = entries.iter().map(QuarantineEntryV1::from).collect(),
    }
}

shape! {
    /// Logs that were released from the quarantine.
    pub struct QuarantineClearedV1 from cleared: &[String] {
        /// Their names.
        pub cleared: Vec<String> = cleared.to_vec(),
    }
}
