//! Why a passage is not among the answers of a question.
//!
//! The words are looked for in the files themselves, so that what is never searched is told as well. It is the
//! owner's question: only a private listing can say what a listener may not see. Invariant: each passage that holds
//! the words has one reason, and whatever is ranked shows the parts of its score.

use inwit_markdown::parse;
use inwit_model::limit::RESULTS_MAX;
use inwit_model::{Code, Place, SafeName, Scope};
use inwit_recall::Parts;
use inwit_workspace::Sight as _;

use crate::search::Search;
use crate::{Agent, Answer, EngineError};

/// Most passages that are told of.
pub const WHY_NOT_MAX: usize = 20;

/// What is asked.
#[derive(Debug, Clone, Copy)]
pub struct WhyNot<'q> {
    /// Words that stand in the passage, as they stand there; case does not count.
    pub text: &'q str,
    /// The question that did not bring it; `None`: whether it could be found at all.
    pub query: Option<&'q str>,
    /// Who asked.
    pub scope: &'q Scope,
    /// How many results were asked for.
    pub limit: usize,
}

/// The answer.
#[derive(Debug, Clone)]
pub struct Reasons {
    /// Passages that hold the words, in the order of the files.
    pub passages: Vec<Reason>,
    /// Further ones.
    pub beyond: usize,
    /// Score of the last result that is shown, where there is a question.
    pub last_shown: Option<f32>,
    /// What else the answer to the question said.
    pub answer: Option<Answer>,
}

/// One passage and why it is not there.
#[derive(Debug, Clone, PartialEq)]
pub struct Reason {
    /// Its file.
    pub name: SafeName,
    /// Its first line, from 1.
    pub first_line: u32,
    /// Its first line of text.
    pub text: String,
    /// Why.
    pub why: Why,
}

/// Why a passage is not among the answers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Why {
    /// It is there.
    Shown {
        /// Its place, from 1.
        rank: usize,
        /// Its score.
        parts: Parts,
    },
    /// Others answer better.
    Outranked {
        /// Its place, from 1.
        rank: usize,
        /// Its score.
        parts: Parts,
    },
    /// It is searched, and nothing of the question leads to it.
    NoMatch,
    /// It is searched; no question was asked.
    Searched,
    /// Its file is never searched: machines write it, or its place is not read.
    NotSearched,
    /// Whoever asks may not see its file.
    NotSeen,
}

impl Why {
    /// The reason as one word.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Shown { .. } => "shown",
            Self::Outranked { .. } => "outranked",
            Self::NoMatch => "no_match",
            Self::Searched => "searched",
            Self::NotSearched => "not_searched",
            Self::NotSeen => "not_seen",
        }
    }

    /// Its score, where it has one.
    pub fn parts(&self) -> Option<Parts> {
        match self {
            Self::Shown { parts, .. } | Self::Outranked { parts, .. } => Some(*parts),
            _ => None,
        }
    }
}

impl Agent {
    /// Why the passages that hold some words are not among the answers. Errors: `query_bad` where the words are
    /// blank, and those of [`search`](Self::search).
    pub fn why_not(&self, asked: &WhyNot<'_>) -> Result<Reasons, EngineError> {
        let words = asked.text.trim().to_lowercase();
        if words.is_empty() {
            return Err(EngineError::new(Code::QueryBad, "The words of the passage are blank."));
        }
        let answer = asked
            .query
            .map(|query| {
                let all = Search {
                    query,
                    scope: asked.scope,
                    limit: RESULTS_MAX,
                    budget_chars: None,
                    bounds: Default::default(),
                };
                self.search_unnoted(&all)
            })
            .transpose()?;
        let mut reasons = Reasons { passages: Vec::new(), beyond: 0, last_shown: None, answer: None };
        for (name, place) in self.known_files()? {
            let Ok(content) = self.workspace.private().read(&name) else { continue };
            let document = parse(&content.bytes);
            // Words that are masked everywhere else are not told of here by a yes.
            let page = self.page(&name, &content.bytes);
            for passage in &document.passages {
                let text = page.piece(passage.span.clone(), &mut Vec::new());
                if !text.to_lowercase().contains(&words) {
                    continue;
                }
                if reasons.passages.len() == WHY_NOT_MAX {
                    reasons.beyond += 1;
                    continue;
                }
                let lines = passage.lines;
                let why = why(asked, &place, answer.as_ref(), &name, lines);
                let text = text.trim().lines().next().unwrap_or_default().to_owned();
                reasons.passages.push(Reason { name: name.clone(), first_line: lines.0, text, why });
            }
        }
        reasons.last_shown = answer.as_ref().and_then(|answer| {
            answer.hits.get(..asked.limit).unwrap_or(&answer.hits).last().map(|hit| hit.parts.sum())
        });
        reasons.answer = answer;
        Ok(reasons)
    }

    /// Every file that has a place, in the order of a reader.
    fn known_files(&self) -> Result<Vec<(SafeName, Place)>, EngineError> {
        let listing = self.workspace.private().list()?;
        let mut files: Vec<(SafeName, Place)> = listing
            .entries
            .into_iter()
            .filter_map(|entry| Place::of(&entry.name).map(|place| (entry.name, place)))
            .collect();
        files.sort_by(|left, right| inwit_store::reading_order(&left.0, &right.0));
        Ok(files)
    }
}

fn why(
    asked: &WhyNot<'_>,
    place: &Place,
    answer: Option<&Answer>,
    name: &SafeName,
    lines: (u32, u32),
) -> Why {
    if !Scope::Main.searches(place) {
        return Why::NotSearched;
    }
    if !asked.scope.searches(place) {
        return Why::NotSeen;
    }
    let Some(answer) = answer else { return Why::Searched };
    let holds = |hit: &crate::Hit| hit.name == *name && hit.first_line <= lines.0 && lines.1 <= hit.last_line;
    match answer.hits.iter().position(holds) {
        None => Why::NoMatch,
        Some(at) => {
            let (rank, parts) = (at + 1, answer.hits[at].parts);
            if rank <= asked.limit { Why::Shown { rank, parts } } else { Why::Outranked { rank, parts } }
        }
    }
}
