//! Answers of our reading tools: passages, facts beside them, lines of a file, the prompt.

use crate::search::{ExplainV1, ScoreBreakdownV1};
use crate::shape::shape;
use crate::tools::minara_facts::MemoryV1;
use crate::{AnswerV1, AsOfV1, ExcerptV1, HitV1, NoticeV1, TallyV1, TextV1};

shape! {
    /// How much of an answer was left out.
    #[derive(Copy, Default, PartialEq, Eq)]
    pub struct OmittedV1 {
        /// Characters of a text.
        pub chars?: Option<usize>,
        /// Results.
        pub results?: Option<usize>,
    }

    /// `memory_search`.
    #[derive(Default)]
    pub struct SearchedV1 {
        /// From what the answer is, where the past was asked for.
        pub as_of?: Option<AsOfV1>,
        /// Best first.
        pub results: Vec<PassageV1>,
        /// Nothing is near the question: the results are the least far.
        pub nothing_near: bool,
        /// How the question was understood; only when asked for.
        pub explain?: Option<ExplainV1>,
        /// What the reader should know besides.
        pub notices?: Vec<NoticeV1>,
        /// What did not fit.
        pub omitted?: Option<OmittedV1>,
        /// Where it goes on.
        pub next_cursor?: Option<String>,
        /// Facts that answer it.
        pub facts?: Option<Vec<MemoryV1>>,
    }

    /// A passage as a model is shown it: without what its citation says already.
    pub struct PassageV1 {
        /// Where it stands, and of which file; only when asked for.
        #[serde(flatten)]
        pub place: Option<PassagePlaceV1>,
        /// Ranks within this answer only; only when asked for.
        pub score?: Option<f32>,
        /// The passage.
        pub text: TextV1,
        /// `path#L12` or `path#L12-L20`.
        pub citation: String,
        /// Headings above it, where they say more than its day.
        pub heading?: Option<TextV1>,
        /// The taint, such as `tool`, if any.
        pub taint?: Option<&'static str>,
        /// Since when it stands, RFC 3339; only for questions about the past, and where the history has it.
        pub seen_from?: Option<String>,
        /// Until when it stood; not there while it stands.
        pub seen_until?: Option<String>,
        /// The parts of the score; only when asked for.
        pub parts?: Option<ScoreBreakdownV1>,
        /// What was said of it before; only when asked for.
        pub feedback?: Option<TallyV1>,
        /// Its place by score alone, where diversity moved it.
        pub moved_from?: Option<usize>,
    }

    /// Where a passage stands.
    pub struct PassagePlaceV1 {
        /// The file.
        pub path: String,
        /// First line, from 1.
        pub start_line: u32,
        /// Last line, included.
        pub end_line: u32,
        /// The date of the passage, `YYYY-MM-DD`.
        pub date?: Option<String>,
        /// The sha256 of the file.
        pub sha256: String,
        /// First byte of the passage in the file.
        pub start_byte: u64,
        /// One past its last byte.
        pub end_byte: u64,
    }

    /// `memory_get`.
    pub struct FileReadV1 {
        /// The lines.
        #[serde(flatten)]
        pub excerpt: ExcerptV1<TextV1>,
        /// What did not fit.
        pub omitted?: Option<OmittedV1>,
        /// What the reader should know besides.
        pub notices?: Vec<NoticeV1>,
    }

    /// `memory_get` where there is nothing to read.
    #[derive(Default)]
    pub struct FileMissingV1 {
        /// What was asked for.
        pub path: String,
        /// Empty.
        pub text: &'static str,
        /// How many lines the file has, where it is there.
        pub total_lines?: Option<u32>,
        /// The sha256 of the whole file, where it is there.
        pub sha256?: Option<String>,
        /// From what the answer is, where the past was asked for.
        pub as_of?: Option<AsOfV1>,
        /// What the reader should know besides.
        pub notices?: Vec<NoticeV1>,
    }

    /// `memory_context`.
    #[derive(Default)]
    pub struct ContextV1 {
        /// The text.
        pub text: TextV1,
        /// What the reader should know besides.
        pub notices?: Vec<NoticeV1>,
    }
}

impl SearchedV1 {
    /// Shortens an answer for a model; `explain` keeps where passages stand.
    pub fn new(answer: AnswerV1, explain: bool) -> Self {
        Self {
            as_of: answer.as_of,
            results: answer.results.into_iter().map(|hit| PassageV1::new(hit, explain)).collect(),
            nothing_near: answer.nothing_near,
            explain: answer.explain,
            notices: answer.notices,
            ..Self::default()
        }
    }
}

impl PassageV1 {
    fn new(hit: HitV1, explain: bool) -> Self {
        let is_said = hit.heading.is_empty() || hit.date.as_deref() == Some(hit.heading.as_str());
        let place = PassagePlaceV1 {
            path: hit.path,
            start_line: hit.start_line,
            end_line: hit.end_line,
            date: hit.date,
            sha256: hit.sha256,
            start_byte: hit.start_byte,
            end_byte: hit.end_byte,
        };
        Self {
            place: explain.then_some(place),
            score: hit.score,
            text: hit.text,
            citation: hit.citation,
            heading: (!is_said).then_some(hit.heading),
            taint: hit.taint,
            seen_from: hit.seen_from,
            seen_until: hit.seen_until,
            parts: hit.parts,
            feedback: hit.feedback,
            moved_from: hit.moved_from,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use inwit_engine::ModelText;
    use inwit_model::Hint;
    use serde_json::Value;

    use super::*;
    use crate::VotesV1;
    use crate::tools::answer::value;
    use crate::tools::shape::{Field, Shape};
    use crate::tools::{MomentV1, TOOLS, TimelineV1};

    /// The paths of all keys that `fields` declare.
    fn declared(fields: &[Field], before: &str, paths: &mut BTreeSet<String>) {
        for field in fields {
            let path = format!("{before}.{}", field.name);
            let mut shape = &field.shape;
            while let Shape::List(inner) | Shape::Maybe(inner) = shape {
                shape = inner;
            }
            if let Shape::Object(fields) = shape {
                declared(fields, &path, paths);
            }
            paths.insert(path);
        }
    }

    /// The paths of all keys of `told`, except those inside fields of any type.
    fn said(told: &Value, fields: &[Field], before: &str, paths: &mut BTreeSet<String>) {
        match told {
            Value::Array(items) => items.iter().for_each(|item| said(item, fields, before, paths)),
            Value::Object(keys) => keys.iter().for_each(|(name, inner)| {
                let path = format!("{before}.{name}");
                let field = fields.iter().find(|field| field.name == name);
                let mut shape = field.map_or(&Shape::Any, |field| &field.shape);
                while let Shape::List(inner) | Shape::Maybe(inner) = shape {
                    shape = inner;
                }
                if let Shape::Object(fields) = shape {
                    said(inner, fields, &path, paths);
                }
                paths.insert(path);
            }),
            _ => {}
        }
    }

    fn as_declared(tool: &str, told: &Value) {
        let row = TOOLS[0].iter().find(|row| row.name == tool).expect("a tool of ours");
        let (mut promised, mut kept) = (BTreeSet::new(), BTreeSet::new());
        declared(row.answer, "", &mut promised);
        said(told, row.answer, "", &mut kept);
        assert_eq!(kept, promised, "{tool}");
    }

    fn notices() -> Vec<NoticeV1> {
        vec![NoticeV1 { code: "told", message: "It is so.".to_owned(), hint: Hint::SeeWhatIsWrong.into() }]
    }

    fn as_of() -> AsOfV1 {
        AsOfV1 {
            moment: "2026-11-21T12:00:00Z".to_owned(),
            commit: Some("c".to_owned()),
            recorded_at: Some("2026-11-20T12:00:00Z".to_owned()),
            is_now: false,
        }
    }

    /// Each answer with all that it can say has the keys that its row declares.
    #[test]
    fn what_is_declared_is_what_is_answered() {
        let text = || Some("x".to_owned());
        let shown = || TextV1::from(ModelText::own("x"));
        let omitted = Some(OmittedV1 { chars: Some(1), results: Some(1) });
        let place = PassagePlaceV1 {
            path: "MEMORY.md".to_owned(),
            start_line: 1,
            end_line: 1,
            date: text(),
            sha256: "0".to_owned(),
            start_byte: 0,
            end_byte: 1,
        };
        let parts = ScoreBreakdownV1 {
            words: 1.0,
            meaning: 0.0,
            label: 0.0,
            time: 0.0,
            date: 0.0,
            title: 0.0,
            trigger: 0.0,
            importance: 0.0,
            feedback: 0.0,
            rerank: Some(0.0),
        };
        let explain = ExplainV1 {
            terms: Vec::new(),
            stop_words: Vec::new(),
            beyond_limit: Vec::new(),
            labels: Vec::new(),
            time: None,
            cover: 1.0,
            model: None,
            nearest: None,
            diversity: None,
        };
        let votes = || VotesV1 { useful: 1, all: 1, bound: 0.2 };
        let passage = PassageV1 {
            place: Some(place),
            score: Some(1.0),
            text: shown(),
            citation: "MEMORY.md#L1".to_owned(),
            heading: Some(shown()),
            taint: Some("tool"),
            seen_from: text(),
            seen_until: text(),
            parts: Some(parts),
            feedback: Some(TallyV1 { owner: votes(), tools: votes(), praise: 0.2, graduate: Some("owner") }),
            moved_from: Some(2),
        };
        let fact = MemoryV1 {
            id: 1,
            category: shown(),
            content: shown(),
            source: Some("owner"),
            created_at: text(),
            updated_at: text(),
            valid_from: text(),
            valid_to: text(),
            metadata: Some(shown()),
        };
        let searched = SearchedV1 {
            as_of: Some(as_of()),
            results: vec![passage],
            nothing_near: true,
            explain: Some(explain),
            notices: notices(),
            omitted,
            next_cursor: text(),
            facts: Some(vec![fact]),
        };
        as_declared("memory_search", &value(&searched, |_| "Wait."));
        let excerpt = ExcerptV1 {
            as_of: Some(as_of()),
            path: "MEMORY.md".to_owned(),
            from: 1,
            lines: 1,
            total_lines: 2,
            text: shown(),
            sha256: "0".to_owned(),
            taint: Some("tool"),
            truncated: true,
            next_from: Some(2),
        };
        as_declared("memory_get", &value(&FileReadV1 { excerpt, omitted, notices: notices() }, |_| "Wait."));
        let moment =
            MomentV1 { citation: "x".to_owned(), heading: Some(shown()), text: shown(), taint: Some("tool") };
        let timeline = TimelineV1 { entries: vec![moment], notices: notices(), omitted, next_cursor: text() };
        as_declared("memory_timeline", &value(&timeline, |_| "Wait."));
    }
}
