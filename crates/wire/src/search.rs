//! Search results: for one query, or for many, line by line.
//!
//! `path`, `startLine`, `endLine`, `score`, `snippet` and `citation` are OpenClaw's names for the same
//! things, so that instructions written for it keep working.

use inwit_engine::notes::search::{Interval, ScoreBreakdown, TermFound, TimeUnderstood};
use inwit_engine::notes::why_not::{Reason, Reasons, Why};
use inwit_engine::{Answer, Highlighter, Hit};
use inwit_model::time;
use serde::Deserialize;

use crate::shape::shape;
use crate::{AsOfV1, ErrorV1, NoticeV1, TallyV1, TextV1};

/// Longest snippet, in characters (OpenClaw's own limit); `text` is whole.
pub const SNIPPET_CHARS_MAX: usize = 700;

shape! {
    /// The answer to one question.
    pub struct AnswerV1 {
        /// From what the answer is, where the past was asked for.
        pub as_of?: Option<AsOfV1>,
        /// Best first.
        pub results: Vec<HitV1>,
        /// No close match: the results are the nearest ones.
        pub nothing_near: bool,
        /// Results that did not fit into the budget.
        pub over_budget?: usize,
        /// How the question was understood; only when asked for.
        pub explain?: Option<ExplainV1>,
        /// What the reader should know besides.
        pub notices?: Vec<NoticeV1>,
    }

    /// One passage.
    pub struct HitV1 by fn new(hit: &Hit, place: Option<usize>, explain: bool, highlighter: &Highlighter) {
        /// The file, from the workspace's root.
        pub path: String = hit.name.to_string(),
        /// First line, from 1.
        pub start_line: u32 = hit.first_line,
        /// Last line, included.
        pub end_line: u32 = hit.last_line,
        /// Ranks within this answer only; higher is better. Only when asked for.
        pub score?: Option<f32> = explain.then(|| hit.parts.sum()),
        /// The passage; with neighbours when a budget was given.
        pub text: TextV1 = TextV1::from(&hit.text),
        /// The part of the text with the words of the question, at most 700 characters, with `…` where it is cut.
        pub snippet: TextV1 = hit.window(highlighter, SNIPPET_CHARS_MAX).into(),
        /// `path#L12` or `path#L12-L20`.
        pub citation: String = citation(hit),
        /// Headings above it, outermost first, joined by ` › `.
        pub heading: TextV1 = TextV1::from(&hit.heading),
        /// The date of the passage, `YYYY-MM-DD`.
        pub date?: Option<String> = hit.date.map(|date| date.to_string()),
        /// The sha256 of the file it was read from.
        pub sha256: String = hit.sha256.to_string(),
        /// The taint, such as `tool`, if any.
        pub taint?: Option<&'static str> = hit.taint.map(inwit_model::Taint::word),
        /// Since when it stands, RFC 3339; only for questions about the past, and where the history has it.
        pub seen_from?: Option<String> = hit.seen.map(|seen| time::json(seen.from)),
        /// Until when it stood; not there while it stands.
        pub seen_until?: Option<String> = hit.seen.and_then(|seen| seen.until).map(time::json),
        /// First byte of the passage in the file.
        pub start_byte: u64 = hit.start,
        /// One past its last byte.
        pub end_byte: u64 = hit.end,
        /// The parts of the score; only when asked for.
        pub parts?: Option<ScoreBreakdownV1> = explain.then(|| ScoreBreakdownV1::from(hit.parts)),
        /// What was said of it before; only when asked for.
        pub feedback?: Option<TallyV1> = hit.feedback.as_ref().filter(|_| explain).map(TallyV1::from),
        /// Its place by score alone, where diversity moved it.
        pub moved_from?: Option<usize> = place.filter(|place| hit.place != *place).map(|_| hit.place),
    }

    /// The parts of a score.
    pub struct ScoreBreakdownV1 {
        /// Query words, in the passage or propagated from its neighbours.
        pub words: f32,
        /// Similarity, own or propagated; 0 for words only.
        pub meaning: f32,
        /// The entry's label is named.
        pub label: f32,
        /// The question asks when and the passage names a time.
        pub time: f32,
        /// The passage is of the date asked for.
        pub date: f32,
        /// The question is the name of its section or file.
        pub title: f32,
        /// What the words of its triggers add; they stand in no text.
        pub trigger: f32,
        /// What its importance adds or takes.
        pub importance: f32,
        /// What feedback adds or takes.
        pub feedback: f32,
        /// What the reranker adds or takes.
        pub rerank?: Option<f32>,
    }

    /// How a question was understood.
    pub struct ExplainV1 from answer: &Answer {
        /// The terms looked up.
        pub terms: Vec<TermV1> = answer.terms.iter().map(TermV1::from).collect(),
        /// Words that carry no content.
        pub stop_words: Vec<String> = answer.stop_words.clone(),
        /// Terms beyond the number that is looked up.
        pub beyond_limit: Vec<String> = answer.beyond_limit.clone(),
        /// Labels that the question names.
        pub labels: Vec<String> = answer.labels.clone(),
        /// What the question says of time.
        pub time?: Option<TimeV1> = TimeV1::new(&answer.time),
        /// The share of the question's content found around the best result, 0 to 1.
        pub cover: f32 = answer.cover,
        /// The model whose vectors were used.
        pub model?: Option<String> = answer.model.clone(),
        /// The cosine of the passage nearest in meaning, −1 to 1.
        pub nearest?: Option<f32> = answer.nearest,
        /// How what says the same again was moved.
        pub diversity?: Option<DiversityV1> = answer.diversity.map(|found| DiversityV1 {
            lambda: f32::from(found.percent) / 100.0,
            by: found.by,
            candidates: found.candidates,
        }),
    }

    /// How what says the same again was moved.
    pub struct DiversityV1 {
        /// λ: 1 is the plain order.
        pub lambda: f32,
        /// By what texts were compared: `meaning` or `words`.
        pub by: &'static str,
        /// Candidates that were compared.
        pub candidates: usize,
    }

    /// What a question says of time.
    pub struct TimeV1 {
        /// The words it was read from.
        pub words: Vec<String>,
        /// What they may mean: passages of these days are favoured.
        pub intervals: Vec<IntervalV1>,
        /// Only passages of these days were given.
        pub within?: Option<IntervalV1>,
    }

    /// Days, both included; an end that is not there is open.
    pub struct IntervalV1 from interval: &Interval {
        /// The first day, `YYYY-MM-DD`.
        pub since?: Option<String> = interval.since.map(|day| day.to_string()),
        /// The last day.
        pub until?: Option<String> = interval.until.map(|day| day.to_string()),
    }
}

impl TimeV1 {
    /// `None` where nothing was said of time.
    fn new(time: &TimeUnderstood) -> Option<Self> {
        let said = !time.intervals.is_empty() || time.within.is_some();
        said.then(|| Self {
            words: time.words.clone(),
            intervals: time.intervals.iter().map(IntervalV1::from).collect(),
            within: time.within.as_ref().map(IntervalV1::from),
        })
    }
}

shape! {
    /// One term of a question.
    pub struct TermV1 from found: &TermFound {
        /// The term, stemmed.
        pub term: String = found.term.clone(),
        /// Passages that hold it.
        pub passages: u32 = found.passages,
        /// Its weight: the rarer, the heavier.
        pub weight: f32 = found.weight,
    }
}

/// A line of a batch of questions.
#[derive(Debug, Clone, Deserialize)]
pub struct BatchQuestionV1 {
    /// Given back with the answer.
    pub id: serde_value::Id,
    /// The question.
    pub query: String,
}

shape! {
    /// A line of answers.
    pub struct BatchAnswerV1<'q> {
        /// The question's.
        pub id: &'q serde_value::Id,
        /// The answer.
        #[serde(flatten)]
        pub answer: AnswerV1,
    }

    /// Takes the place of a failed answer.
    pub struct BatchErrorV1 {
        /// The question's, where it could be read.
        pub id: Option<serde_value::Id>,
        /// Why there is none.
        pub error: ErrorV1,
    }
}

/// Ids as hosts write them: text or a whole number.
pub mod serde_value {
    use serde::{Deserialize, Serialize};

    /// An id that is given back as it came.
    #[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
    #[serde(untagged)]
    pub enum Id {
        /// Text.
        Text(String),
        /// A whole number.
        Number(i64),
    }
}

impl AnswerV1 {
    /// Translates an answer; `explain` adds how the question was understood.
    pub fn new(answer: &Answer, explain: bool) -> Self {
        // Where nothing was moved apart, places only have gaps where a budget left results out.
        let moved = answer.diversity.is_some();
        Self {
            as_of: None,
            results: answer
                .hits
                .iter()
                .zip(1..)
                .map(|(hit, place)| HitV1::new(hit, moved.then_some(place), explain, &answer.highlighter))
                .collect(),
            nothing_near: answer.nothing_near,
            over_budget: answer.over_budget,
            explain: explain.then(|| ExplainV1::from(answer)),
            notices: answer.notices.iter().map(NoticeV1::from).collect(),
        }
    }
}

shape! {
    /// Why passages are not among the answers.
    pub struct WhyNotV1 from reasons: &Reasons {
        /// Passages that hold the words.
        pub passages: Vec<ReasonV1> = reasons.passages.iter().map(ReasonV1::from).collect(),
        /// Further ones.
        pub beyond: usize = reasons.beyond,
        /// Score of the last result that is shown.
        pub last_shown?: Option<f32> = reasons.last_shown,
        /// How the question was understood.
        pub explain?: Option<ExplainV1> = reasons.answer.as_ref().map(ExplainV1::from),
    }

    /// One passage and why it is not there.
    pub struct ReasonV1 from reason: &Reason {
        /// Its file.
        pub path: String = reason.name.to_string(),
        /// Its first line, from 1.
        pub line: u32 = reason.first_line,
        /// Its first line of text.
        pub text: TextV1 = TextV1::from(&reason.text),
        /// `shown`, `outranked`, `beyond`, `names_only`, `no_match`, `heading`, `no_text`, `searched`, `not_searched`, `ignored`.
        pub why: &'static str = reason.why.word(),
        /// Its place among all results, from 1.
        pub rank?: Option<usize> = match reason.why {
            Why::Shown { rank, .. } | Why::Outranked { rank, .. } => Some(rank),
            _ => None,
        },
        /// Its score.
        pub score?: Option<f32> = reason.why.parts().map(|parts| parts.sum()),
        /// What the score is made of.
        pub parts?: Option<ScoreBreakdownV1> = reason.why.parts().map(ScoreBreakdownV1::from),
    }
}

impl From<ScoreBreakdown> for ScoreBreakdownV1 {
    fn from(parts: ScoreBreakdown) -> Self {
        let ScoreBreakdown {
            words,
            trigger,
            meaning,
            label,
            time,
            date,
            title,
            importance,
            feedback,
            rerank,
        } = parts;
        let rerank = Some(rerank).filter(|rerank| *rerank != 0.0);
        Self { words, meaning, label, time, date, title, trigger, importance, feedback, rerank }
    }
}

/// `path#L12`, or `path#L12-L20`: OpenClaw's form.
pub fn citation(hit: &Hit) -> String {
    if hit.first_line == hit.last_line {
        format!("{}#L{}", hit.name, hit.first_line)
    } else {
        format!("{}#L{}-L{}", hit.name, hit.first_line, hit.last_line)
    }
}
