//! Dream passes, and why a passage was promoted or not.

use inwit_engine::learning::dreaming::{Dream, DreamReport, Judged, Why};
use inwit_model::time;

use crate::NoticeV1;
use crate::shape::shape;

shape! {
    /// What a pass did or would do.
    pub struct DreamV1 from report: &DreamReport {
        /// When, RFC 3339.
        pub at: String = time::json(report.at),
        /// One word: `appended`, `nothing_to_promote`, `pending`, `refused`, `pii_detected_quarantine`,
        /// `dry_run`.
        pub outcome: &'static str = report.outcome,
        /// Passages that were looked at, each with what was decided.
        pub candidates: Vec<CandidateV1> = report.judged.iter().map(CandidateV1::from).collect(),
        /// The receipt of the section.
        pub receipt?: Option<String> = report.receipt.as_ref().map(|receipt| receipt.id.to_string()),
        /// The proposal that waits.
        pub proposal?: Option<String> = report.pending.as_ref().map(ToString::to_string),
        /// What the reader should know besides.
        pub notices?: Vec<NoticeV1> = report.notices.iter().map(NoticeV1::from).collect(),
    }

    /// One passage and what was decided.
    pub struct CandidateV1 from judged: &Judged {
        /// Its file.
        pub path: String = judged.path.to_string(),
        /// Its first line, where it still stands.
        pub from_line?: Option<u32> = judged.lines.map(|lines| lines.0),
        /// Its last line.
        pub to_line?: Option<u32> = judged.lines.map(|lines| lines.1),
        /// Its text, empty where it does not stand any more or holds a secret.
        pub text: String = judged.text.clone(),
        /// One word: `promoted`, `would_promote`, `pending`, or why not.
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
